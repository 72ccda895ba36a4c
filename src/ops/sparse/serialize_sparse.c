/* ops/sparse/serialize_sparse.c - SerializeSparse, SerializeManySparse, DeserializeSparse,
 * DeserializeManySparse: sparse tensors as three serialised tensors. */
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/sparse.h"
#include "tensor/proto.h"
#include "tensor/tstring.h"

enum { INDICES, VALUES, SHAPE };

/* ---- out ----------------------------------------------------------------------------------------
 */

static weir_status put(weir_tensor *strings, int64_t at, const weir_tensor *t)
{
    weir_buf bytes = {0};
    weir_status s = weir_tensor_encode(t, &bytes);
    if (!s)
        weir_tstring_set(&((weir_tstring *)strings->data)[at], bytes.at, bytes.length);
    weir_buf_fini(&bytes);
    return s;
}

static weir_status one_infer(weir_infer *i)
{
    WEIR_TRY(weir_sparse_infer(i, INDICES, VALUES, SHAPE, "sparse_"));
    i->out[0] = weir_shape_vector(3);
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
    .kernels = {{WEIR_CPU, "out_type: string", serialize_one}},
};

static weir_status many_infer(weir_infer *i)
{
    const weir_tensor *shape = weir_infer_value(i, SHAPE);
    WEIR_TRY(weir_sparse_infer(i, INDICES, VALUES, SHAPE, "sparse_"));
    i->out[0] = weir_shape_matrix(-1, 3);
    if (!weir_infer_running(i))
        return WEIR_OK;
    i->out[0].dims[0] = weir_tensor_count(shape) > 0 ? weir_int_at(shape, 0) : 0;
    return weir_shape_check(&i->out[0]);
}

/* Entries [begin, end), which share their first coordinate, as a tensor without it. */
static weir_status put_row(weir_tensor *strings, int64_t row, const weir_sparse *s, int64_t begin,
                           int64_t end, const weir_tensor *dims)
{
    weir_shape matrix = weir_shape_matrix(end - begin, s->rank - 1);
    weir_shape vector = weir_shape_vector(end - begin);
    weir_tensor at, values = weir_tensor_slice(s->values, begin, &vector);
    weir_status status = weir_tensor_alloc(WEIR_INT64, &matrix, &at);
    if (!status) {
        int64_t *to = at.data;
        for (int64_t n = begin; n < end; n++, to += s->rank - 1)
            memcpy(to, s->indices + n * s->rank + 1, sizeof *to * (size_t)(s->rank - 1));
        status = put(strings, 3 * row, &at);
        weir_tensor_release(&at);
    }
    if (!status)
        status = put(strings, 3 * row + 1, &values);
    weir_tensor_release(&values);
    return status ? status : put(strings, 3 * row + 2, dims);
}

static weir_status serialize_many(weir_call *call)
{
    weir_sparse s;
    weir_tensor *y = weir_out(call, 0);
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &s));
    if (s.rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Rank of input SparseTensor should be > 1, but saw "
                          "rank: %d",
                          s.rank);
    WEIR_TRY(weir_sparse_bounds(&s));
    weir_shape rest = weir_shape_vector(s.rank - 1);
    weir_tensor dims = weir_tensor_from(WEIR_INT64, &rest, s.dims + 1);
    weir_status status = WEIR_OK;
    for (int64_t row = 0, n = 0; !status && row < s.dims[0]; row++) {
        int64_t end = n;
        while (end < s.count && s.indices[end * s.rank] == row)
            end++;
        status = put_row(y, row, &s, n, end, &dims);
        n = end;
    }
    weir_tensor_release(&dims);
    return status;
}

const weir_op weir_op_serialize_many_sparse = {
    .name = "SerializeManySparse",
    .in = "sparse_indices: int64; sparse_values: T; sparse_shape: int64",
    .out = "serialized_sparse: out_type",
    .attrs = "T: type; out_type: {string, variant} = DT_STRING",
    .infer = many_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "out_type: string", serialize_many}},
};

/* ---- in -----------------------------------------------------------------------------------------
 */

static weir_status in_infer(weir_infer *i)
{
    const weir_shape *x = i->in[0];
    if (x->rank == 0 || (x->rank > 0 && x->dims[x->rank - 1] >= 0 && x->dims[x->rank - 1] != 3))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Serialized sparse should have 3 as the last dimension but got: %s",
                          WEIR_SHAPE_STR(x));
    i->out[0] = weir_shape_of_rank(2);
    i->out[1] = i->out[2] = weir_shape_vector(-1);
    return WEIR_OK;
}

static weir_status many_in_infer(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, 0, 2));
    return in_infer(i);
}

/* The three tensors of one row, parsed. */
typedef struct parts {
    weir_tensor t[3];
} parts;

static weir_status parse_row(const weir_tstring *at, weir_dtype dtype, parts *p)
{
    static const char *const names[] = {"indices", "values", "shape"};
    for (int k = 0; k < 3; k++)
        WEIR_TRY_NOTE(weir_tensor_parse(weir_tstring_get(&at[k]), &p->t[k]),
                      "while parsing the %s of a serialized sparse tensor", names[k]);
    const weir_shape *m = &p->t[0].shape;
    if (p->t[0].dtype != WEIR_INT64 || p->t[2].dtype != WEIR_INT64 || m->rank != 2 ||
        p->t[1].shape.rank != 1 || p->t[2].shape.rank != 1 || m->dims[0] != p->t[1].shape.dims[0] ||
        m->dims[1] != p->t[2].shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Serialized sparse tensor has indices %s, values %s and shape %s",
                          WEIR_SHAPE_STR(m), WEIR_SHAPE_STR(&p->t[1].shape),
                          WEIR_SHAPE_STR(&p->t[2].shape));
    if (p->t[1].dtype != dtype)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Requested SparseTensor of type %s but "
                          "SparseTensor values.dtype() == %s",
                          weir_dtype_name(dtype), weir_dtype_name(p->t[1].dtype));
    return WEIR_OK;
}

static weir_status parse_rows(const weir_tensor *x, weir_dtype dtype, int64_t rows, parts *p,
                              int64_t *out_count)
{
    *out_count = 0;
    for (int64_t r = 0; r < rows; r++) {
        WEIR_TRY(parse_row((const weir_tstring *)x->data + 3 * r, dtype, &p[r]));
        if (p[r].t[2].shape.dims[0] != p[0].t[2].shape.dims[0])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Inconsistent shape across SparseTensors: rank prior to "
                              "SparseTensor[%" PRId64 "] was: %" PRId64 " but rank of "
                              "SparseTensor[%" PRId64 "] is: %" PRId64,
                              r, p[0].t[2].shape.dims[0], r, p[r].t[2].shape.dims[0]);
        *out_count += p[r].t[1].shape.dims[0];
    }
    return WEIR_OK;
}

/* The rows below each other: leading dims are where a row stood, the rest the largest of each. */
static weir_status join(weir_call *call, int64_t rows, const parts *p, int64_t count)
{
    const weir_shape *x = &weir_in(call, 0)->shape;
    int lead = x->rank - 1;
    int64_t rest = rows ? p[0].t[2].shape.dims[0] : 0, dims[WEIR_MAX_RANK] = {0};
    if (lead + rest > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Sparse tensor of more than %d dimensions",
                          WEIR_MAX_RANK);
    int rank = lead + (int)rest;
    WEIR_TRY(weir_sparse_alloc(call, 0, 1, count, rank));
    int64_t *at = weir_out(call, 0)->data, done = 0;
    memcpy(dims, x->dims, sizeof *dims * (size_t)lead);
    for (int64_t r = 0; r < rows; r++) {
        const int64_t *from = p[r].t[0].data, *own = p[r].t[2].data;
        int64_t entries = p[r].t[1].shape.dims[0];
        for (int64_t d = 0; d < rest; d++)
            dims[lead + d] = own[d] > dims[lead + d] ? own[d] : dims[lead + d];
        weir_elements_copy(p[r].t[1].dtype, weir_at(weir_out(call, 1), done), p[r].t[1].data,
                           entries);
        for (int64_t n = 0; n < entries; n++, at += rank, from += rest) {
            int64_t where = r;
            for (int d = lead - 1; d >= 0; d--) {
                at[d] = where % x->dims[d];
                where /= x->dims[d];
            }
            memcpy(at + lead, from, sizeof *at * (size_t)rest);
        }
        done += entries;
    }
    return weir_sparse_alloc_shape(call, 2, dims, rank);
}

static weir_status deserialize(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int64_t rows = weir_shape_product(&x->shape, 0, x->shape.rank - 1), count;
    if (rows == 0 && x->shape.rank > 1)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Must have at least 1 serialized SparseTensor, but input matrix has 0 rows");
    parts *p = WEIR_NEW_ARRAY(parts, rows);
    weir_status s = parse_rows(x, weir_dtype_base(call->site->out_types[1]), rows, p, &count);
    if (!s)
        s = join(call, rows, p, count);
    for (int64_t r = 0; r < rows; r++)
        for (int k = 0; k < 3; k++)
            weir_tensor_release(&p[r].t[k]);
    weir_free(p);
    return s;
}

const weir_op weir_op_deserialize_sparse = {
    .name = "DeserializeSparse",
    .in = "serialized_sparse: Tserialized",
    .out = "sparse_indices: int64; sparse_values: dtype; sparse_shape: int64",
    .attrs = "dtype: type; Tserialized: {string, variant} = DT_STRING",
    .infer = in_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "Tserialized: string", deserialize, WEIR_OWN_OUTPUTS}},
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
