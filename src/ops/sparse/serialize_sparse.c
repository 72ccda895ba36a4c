/* ops/sparse/serialize_sparse.c - SerializeSparse, SerializeManySparse, DeserializeSparse,
 * DeserializeManySparse: sparse tensors as three tensors in elements of strings or
 * variants. */
#include "ops/common/elements.h"
#include "ops/common/held_tensor.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/rows.h"
#include "tensor/proto.h"
#include "tensor/tstring.h"

enum { INDICES, VALUES, SHAPE };

/* ---- one tensor as an element: a string of bytes, or a variant that holds it ----------------- */

static weir_status get(const weir_tensor *x, int64_t at, weir_tensor *out)
{
    if (x->dtype == WEIR_STRING)
        return weir_tensor_parse(weir_tstring_get(&((const weir_tstring *)x->data)[at]), out);
    const weir_variant *variant = ((weir_variant *const *)x->data)[at];
    if (!weir_held_tensor_get(variant, out))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Could not get a tensor from variant element %" PRId64, at);
    return WEIR_OK;
}

/* ---- serialisation --------------------------------------------------------------------------- */

static weir_status put(weir_tensor *out, int64_t at, const weir_tensor *tensor)
{
    if (out->dtype == WEIR_VARIANT) {
        weir_held_tensor_put(&((weir_variant **)out->data)[at], tensor);
        return WEIR_OK;
    }
    WEIR_BUF(bytes);
    WEIR_TRY(weir_tensor_encode(tensor, &bytes));
    weir_tstring_set(&((weir_tstring *)out->data)[at], bytes.at, bytes.length);
    return WEIR_OK;
}

static weir_status one_infer(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, "sparse_"));
    infer->out[0] = weir_shape_vector(3);
    return WEIR_OK;
}

static weir_status serialize_one(weir_call *call)
{
    for (int k = 0; k < 3; k++)
        WEIR_TRY(put(weir_out(call, 0), k, weir_in(call, k)));
    return WEIR_OK;
}

const weir_op weir_op_serialize_sparse = {
    .name = "SerializeSparse",
    .in = "sparse_indices: int64; sparse_values: T; sparse_shape: int64",
    .out = "serialized_sparse: out_type",
    .attrs = "T: type; out_type: {string, variant} = DT_STRING",
    .infer = one_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", serialize_one}},
};

static weir_status many_infer(weir_infer *infer)
{
    const weir_tensor *shape = weir_infer_value(infer, SHAPE);
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, "sparse_"));
    infer->out[0] = weir_shape_matrix(-1, 3);
    if (!weir_infer_running(infer))
        return WEIR_OK;
    infer->out[0].dims[0] = weir_tensor_count(shape) > 0 ? weir_int_at(shape, 0) : 0;
    return weir_shape_check(&infer->out[0]);
}

static weir_status put_row(void *strings, int64_t row, weir_sparse_row *sparse_row)
{
    WEIR_TRY(put(strings, 3 * row, &sparse_row->indices));
    WEIR_TRY(put(strings, 3 * row + 1, &sparse_row->values));
    WEIR_TRY(put(strings, 3 * row + 2, &sparse_row->shape));
    weir_sparse_row_fini(sparse_row);
    return WEIR_OK;
}

static weir_status serialize_many(weir_call *call)
{
    weir_sparse sparse;
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &sparse));
    return weir_sparse_each_row(&sparse, put_row, weir_out(call, 0));
}

const weir_op weir_op_serialize_many_sparse = {
    .name = "SerializeManySparse",
    .in = "sparse_indices: int64; sparse_values: T; sparse_shape: int64",
    .out = "serialized_sparse: out_type",
    .attrs = "T: type; out_type: {string, variant} = DT_STRING",
    .infer = many_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", serialize_many}},
};

/* ---- deserialisation ------------------------------------------------------------------------- */

static weir_status in_infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0];
    if (x->rank == 0 || (x->rank > 0 && x->dims[x->rank - 1] >= 0 && x->dims[x->rank - 1] != 3))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Serialized sparse should have 3 as the last dimension but got: %s",
                          WEIR_SHAPE_STR(x));
    infer->out[0] = weir_shape_of_rank(2);
    infer->out[1] = infer->out[2] = weir_shape_vector(-1);
    return WEIR_OK;
}

static weir_status many_in_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    return in_infer(infer);
}

static weir_status get_row(const weir_tensor *x, int64_t row, weir_dtype dtype,
                           weir_sparse_row *sparse_row)
{
    WEIR_TRY_NOTE(get(x, 3 * row, &sparse_row->indices),
                  "in the indices of a serialized sparse tensor");
    WEIR_TRY_NOTE(get(x, 3 * row + 1, &sparse_row->values),
                  "in the values of a serialized sparse tensor");
    WEIR_TRY_NOTE(get(x, 3 * row + 2, &sparse_row->shape),
                  "in the shape of a serialized sparse tensor");
    return weir_sparse_row_check(sparse_row, dtype);
}

static weir_status deserialize(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_shape lead = weir_infer_sub(&x->shape, 0, x->shape.rank - 1);
    int64_t count = weir_shape_count(&lead);
    if (count == 0)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Must have at least 1 serialized SparseTensor, but input matrix has 0 rows");
    WEIR_FREED weir_sparse_row *rows = WEIR_NEW_ARRAY(weir_sparse_row, count);
    weir_status status = WEIR_OK;
    for (int64_t r = 0; !status && r < count; r++)
        status = get_row(x, r, weir_dtype_base(call->site->out_types[1]), &rows[r]);
    if (!status)
        status = weir_sparse_stack(call, &lead, rows, count);
    for (int64_t r = 0; r < count; r++)
        weir_sparse_row_fini(&rows[r]);
    return status;
}

const weir_op weir_op_deserialize_sparse = {
    .name = "DeserializeSparse",
    .in = "serialized_sparse: Tserialized",
    .out = "sparse_indices: int64; sparse_values: dtype; sparse_shape: int64",
    .attrs = "dtype: type; Tserialized: {string, variant} = DT_STRING",
    .infer = in_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", deserialize, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_deserialize_many_sparse = {
    .name = "DeserializeManySparse",
    .in = "serialized_sparse: string",
    .out = "sparse_indices: int64; sparse_values: dtype; sparse_shape: int64",
    .attrs = "dtype: type",
    .infer = many_in_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", deserialize, WEIR_OWN_OUTPUTS}},
};
