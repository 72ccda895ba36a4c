/* ops/sparse/ragged_variant.c - RaggedTensorToVariant, RaggedTensorFromVariant and the gradient of
 * the first: ragged tensors in variant tensors, as a whole or one per row. */
#include <inttypes.h>

#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/common/variants.h"
#include "ops/sparse/ragged.h"
#include "tensor/handle.h"

typedef struct ragged {
    weir_variant base;
    WEIR_VEC(weir_tensor) splits; /* outermost first */
    weir_tensor values;
} ragged;

static weir_status add(const weir_variant *a, const weir_variant *b, weir_variant **out_sum);
static weir_status zero(const weir_variant *variant, weir_variant **out_zero);
static weir_status encode(const weir_variant *variant, weir_buf *metadata,
                          weir_tensor **out_tensors, int *out_count);

static weir_status decode(weir_str metadata, const weir_tensor *tensors, int count,
                          weir_variant **out_variant);

const weir_variant_type weir_variant_ragged = {
    .name = "RaggedTensorVariant", .encode = encode, .decode = decode, .add = add, .zero = zero};

/* ---- the variant ----------------------------------------------------------------------------- */

static void destroy(weir_ref *ref)
{
    ragged *this_ragged = (ragged *)ref;
    for (size_t k = 0; k < this_ragged->splits.count; k++)
        weir_tensor_release(&this_ragged->splits.at[k]);
    weir_vec_fini(&this_ragged->splits);
    weir_tensor_release(&this_ragged->values);
    weir_free(this_ragged);
}

static ragged *create(void)
{
    ragged *new_ragged = WEIR_NEW(ragged);
    weir_ref_init(&new_ragged->base.ref, destroy);
    new_ragged->base.type = &weir_variant_ragged;
    return new_ragged;
}

static weir_status encode(const weir_variant *variant, weir_buf *metadata,
                          weir_tensor **out_tensors, int *out_count)
{
    const ragged *this_ragged = (const ragged *)variant;
    weir_tensor *tensors = WEIR_NEW_ARRAY(weir_tensor, this_ragged->splits.count + 1);
    for (size_t k = 0; k < this_ragged->splits.count; k++)
        tensors[k] = weir_tensor_share(&this_ragged->splits.at[k]);
    tensors[this_ragged->splits.count] = weir_tensor_share(&this_ragged->values);
    *out_tensors = tensors;
    *out_count = (int)this_ragged->splits.count + 1;
    return WEIR_OK;
}

static weir_status check_parts(const weir_tensor *tensors, int count)
{
    if (count < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "a RaggedTensorVariant came without values");
    const weir_tensor *values = &tensors[count - 1];
    if (count > 1 && values->shape.rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "a RaggedTensorVariant came with scalar values");
    int64_t rows = count > 1 ? values->shape.dims[0] : 0;
    for (int k = count - 2; k >= 0; k--) {
        if (tensors[k].dtype != WEIR_INT64 && tensors[k].dtype != WEIR_INT32)
            return weir_error(WEIR_INVALID_ARGUMENT, "a RaggedTensorVariant came with splits of %s",
                              weir_dtype_name(tensors[k].dtype));
        WEIR_TRY(weir_ragged_check_splits(&tensors[k], rows));
        rows = weir_tensor_count(&tensors[k]) - 1;
    }
    return WEIR_OK;
}

static weir_status decode(weir_str metadata, const weir_tensor *tensors, int count,
                          weir_variant **out_variant)
{
    WEIR_TRY(check_parts(tensors, count));
    ragged *ragged = create();
    for (int k = 0; k < count - 1; k++)
        weir_vec_push(&ragged->splits, weir_tensor_share(&tensors[k]));
    ragged->values = weir_tensor_share(&tensors[count - 1]);
    *out_variant = &ragged->base;
    return WEIR_OK;
}

/* A ragged tensor with the row splits of |like| and other values. */
static weir_status with_values(const ragged *like, const weir_tensor *values, ragged **out)
{
    ragged *ragged = create();
    for (size_t k = 0; k < like->splits.count; k++)
        weir_vec_push(&ragged->splits, weir_tensor_share(&like->splits.at[k]));
    weir_status status = weir_tensor_clone(values, &ragged->values);
    if (status)
        weir_ref_release(&ragged->base.ref);
    else
        *out = ragged;
    return status;
}

static weir_status add(const weir_variant *a, const weir_variant *b, weir_variant **out_sum)
{
    const ragged *this_ragged = (const ragged *)a, *y = (const ragged *)b;
    weir_elem elem = weir_elem_of(this_ragged->values.dtype);
    if (this_ragged->values.dtype != y->values.dtype || elem == WEIR_ELEM_NONE ||
        !weir_shape_eq(&this_ragged->values.shape, &y->values.shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot add ragged tensors with values %s of shape %s and %s of shape %s",
                          weir_dtype_name(this_ragged->values.dtype),
                          WEIR_SHAPE_STR(&this_ragged->values.shape),
                          weir_dtype_name(y->values.dtype), WEIR_SHAPE_STR(&y->values.shape));
    ragged *sum;
    WEIR_TRY(with_values(this_ragged, &this_ragged->values, &sum));
    weir_update_find(WEIR_UPDATE_ADD, elem)(sum->values.data, y->values.data,
                                            weir_tensor_count(&y->values), 1);
    *out_sum = &sum->base;
    return WEIR_OK;
}

static weir_status zero(const weir_variant *variant, weir_variant **out_zero)
{
    const ragged *this_ragged = (const ragged *)variant;
    ragged *ragged;
    WEIR_TRY(with_values(this_ragged, &this_ragged->values, &ragged));
    weir_elements_zero(ragged->values.dtype, ragged->values.data,
                       weir_tensor_count(&ragged->values));
    *out_zero = &ragged->base;
    return WEIR_OK;
}

static const ragged *ragged_at(const weir_tensor *tensor, int64_t i)
{
    const weir_variant *variant = ((weir_variant *const *)tensor->data)[i];
    return variant && variant->type == &weir_variant_ragged ? (const ragged *)variant : NULL;
}

/* ---- RaggedTensorToVariant ------------------------------------------------------------------- */

enum { RANK, TO_VALUES, TO_SPLITS, BATCHED }; /* attrs */

static weir_status infer_to(weir_infer *infer)
{
    int rank = (int)weir_site_int(infer->site, RANK);
    if (!weir_infer_running(infer)) {
        WEIR_TRY(weir_infer_rank_at_least(infer, rank, 1));
        for (int k = 0; k < rank; k++)
            WEIR_TRY(weir_infer_rank(infer, k, 1));
    }
    if (!weir_site_bool(infer->site, BATCHED)) {
        infer->out[0] = WEIR_SCALAR;
        return WEIR_OK;
    }
    int64_t first = infer->in[0]->rank < 1 ? -1 : infer->in[0]->dims[0];
    infer->out[0] = weir_shape_vector(first < 1 ? -1 : first - 1);
    return WEIR_OK;
}

static weir_status check_ragged(const weir_call *call, int rank)
{
    const weir_tensor *values = weir_in(call, rank);
    for (int k = rank - 1; k >= 0; k--) {
        if (values->shape.rank < 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Requires flat_values to have rank>=1 when nested_row_splits is not "
                              "empty, but is 0.");
        int64_t count =
            k == rank - 1 ? values->shape.dims[0] : weir_tensor_count(weir_in(call, k + 1)) - 1;
        WEIR_TRY(weir_ragged_check_splits(weir_in(call, k), count));
    }
    return WEIR_OK;
}

static weir_tensor rows_of(const weir_tensor *values, int64_t begin, int64_t end)
{
    weir_shape shape = values->shape;
    shape.dims[0] = end - begin;
    return weir_tensor_slice(
        values, begin * weir_shape_product(&values->shape, 1, values->shape.rank), &shape);
}

/* Splits [begin, end] of |tensor|, relative to the first of them. */
static weir_status splits_of(const weir_tensor *tensor, int64_t begin, int64_t end,
                             weir_tensor *out)
{
    weir_shape shape = weir_shape_vector(end - begin + 1);
    WEIR_TRY(weir_tensor_alloc(tensor->dtype, &shape, out));
    for (int64_t i = begin; i <= end; i++)
        weir_int_set(out, i - begin, weir_int_at(tensor, i) - weir_int_at(tensor, begin));
    return WEIR_OK;
}

/* Row |row| of the ragged tensor, with one ragged dimension less. */
static weir_status take_row(const weir_call *call, int rank, int64_t row, ragged *ragged)
{
    int64_t begin = weir_int_at(weir_in(call, 0), row),
            end = weir_int_at(weir_in(call, 0), row + 1);
    for (int k = 1; k < rank; k++) {
        weir_tensor part;
        WEIR_TRY(splits_of(weir_in(call, k), begin, end, &part));
        weir_vec_push(&ragged->splits, part);
        begin = weir_int_at(weir_in(call, k), begin);
        end = weir_int_at(weir_in(call, k), end);
    }
    ragged->values = rows_of(weir_in(call, rank), begin, end);
    return WEIR_OK;
}

static weir_tensor dense_row(const weir_tensor *values, int64_t row)
{
    weir_shape shape = weir_infer_sub(&values->shape, 1, WEIR_MAX_RANK);
    return weir_tensor_slice(values, row * weir_shape_count(&shape), &shape);
}

static weir_status to_rows(weir_call *call, int rank)
{
    const weir_tensor *values = weir_in(call, rank);
    if (values->shape.rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Can't unbatch rank-0 tensor.");
    int64_t rows = rank ? weir_tensor_count(weir_in(call, 0)) - 1 : values->shape.dims[0];
    weir_shape shape = weir_shape_vector(rows);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    weir_variant **out = weir_out(call, 0)->data;
    for (int64_t i = 0; i < rows; i++) {
        ragged *ragged = create();
        out[i] = &ragged->base;
        if (rank)
            WEIR_TRY(take_row(call, rank, i, ragged));
        else
            ragged->values = dense_row(values, i);
    }
    return WEIR_OK;
}

static weir_status to_variant(weir_call *call)
{
    int rank = (int)weir_site_int(call->site, RANK);
    WEIR_TRY(check_ragged(call, rank));
    if (weir_site_bool(call->site, BATCHED))
        return to_rows(call, rank);
    ragged *ragged = create();
    for (int k = 0; k < rank; k++)
        weir_vec_push(&ragged->splits, weir_tensor_share(weir_in(call, k)));
    ragged->values = weir_tensor_share(weir_in(call, rank));
    weir_call_set(call, 0, weir_tensor_from_variant(&ragged->base));
    return WEIR_OK;
}

const weir_op weir_op_ragged_tensor_to_variant = {
    .name = "RaggedTensorToVariant",
    .in = "rt_nested_splits: RAGGED_RANK * Tsplits; rt_dense_values: Tvalues",
    .out = "encoded_ragged: variant",
    .attrs = "RAGGED_RANK: int >= 0; Tvalues: type; Tsplits: {int32, int64} = DT_INT64; "
             "batched_input: bool",
    .infer = infer_to,
    .kernels = {{WEIR_CPU, "*", to_variant, WEIR_OWN_OUTPUTS}},
};

/* ---- RaggedTensorFromVariant ----------------------------------------------------------------- */

enum { IN_RANK, OUT_RANK, FROM_VALUES, FROM_SPLITS }; /* attrs */

static weir_status infer_from(weir_infer *infer)
{
    int64_t in = weir_site_int(infer->site, IN_RANK), out = weir_site_int(infer->site, OUT_RANK);
    if (!weir_infer_running(infer) && infer->in[0]->rank >= 0 && in >= 0)
        WEIR_TRY(weir_infer_rank(infer, 0, (int)(out - in)));
    for (int64_t k = 0; k < out; k++)
        infer->out[k] = weir_shape_vector(-1);
    return WEIR_OK;
}

static weir_status input_rank(const weir_call *call, int64_t *out)
{
    int64_t in = weir_site_int(call->site, IN_RANK), want = weir_site_int(call->site, OUT_RANK);
    int dims = weir_in(call, 0)->shape.rank;
    if (in < 0) {
        in = want == 0 && want < dims ? 0 : want - dims;
        if (in < 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Inferred input_ragged_rank (output_ragged_rank - "
                              "encoded_variant.dims()) must be >= 0, found output_ragged_rank: "
                              "%" PRId64 ", encoded_variant.dims(): %d, inferred "
                              "input_ragged_rank: %" PRId64,
                              want, dims, in);
    }
    if (!(want == 0 && in == 0) && want != dims + in)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "output_ragged_rank must be equal to input_ragged_rank + "
                          "encoded_ragged.dims(); output_ragged_rank: %" PRId64
                          ", input_ragged_rank: %" PRId64 ", encoded_variant.dims(): %d.",
                          want, in, dims);
    *out = in;
    return WEIR_OK;
}

static weir_status check_part(const weir_call *call, int64_t i, int64_t in_rank)
{
    const ragged *ragged = ragged_at(weir_in(call, 0), i);
    weir_dtype dtype = weir_site_type(call->site, FROM_VALUES),
               split = weir_site_type(call->site, FROM_SPLITS);
    if (!ragged)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Input Variant element at index %" PRId64 " doesn't hold a RaggedTensorVariant", i);
    if ((int64_t)ragged->splits.count != in_rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Encoded input RaggedTensorVariant has ragged_rank=%zu.  Expected "
                          "ragged_rank=%" PRId64 ".",
                          ragged->splits.count, in_rank);
    if (ragged->values.dtype != dtype)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected values Tensor dtype: %s, found: %s",
                          weir_dtype_name(dtype), weir_dtype_name(ragged->values.dtype));
    if (ragged->values.shape.rank < 1 && weir_site_int(call->site, OUT_RANK) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Ragged values must have rank >= 1; encoded scalar element at index "
                          "%" PRId64 " has values Tensor of shape []",
                          i);
    for (size_t k = 0; k < ragged->splits.count; k++)
        if (ragged->splits.at[k].dtype != split)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Expected row_splits Tensor dtype: %s, found: %s",
                              weir_dtype_name(split), weir_dtype_name(ragged->splits.at[k].dtype));
    return WEIR_OK;
}

/* Concatenates all values along a new first dimension, or along the existing one. */
static weir_status join_values(weir_call *call, bool stack)
{
    const weir_tensor *in = weir_in(call, 0);
    int64_t count = weir_tensor_count(in), rows = 0, at = 0;
    int out = call->site->out_count - 1;
    weir_shape shape = weir_shape_vector(0), first = shape;
    for (int64_t i = 0; i < count; i++) {
        weir_shape own = ragged_at(in, i)->values.shape;
        rows += stack ? 1 : own.dims[0];
        own = stack ? own : weir_infer_sub(&own, 1, WEIR_MAX_RANK);
        if (i > 0 && !weir_shape_eq(&own, &first))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All flat_values must have compatible shapes.  Shape at index 0: "
                              "%s.  Shape at index %" PRId64 ": %s",
                              WEIR_SHAPE_STR(&first), i, WEIR_SHAPE_STR(&own));
        first = own;
    }
    if (count) {
        weir_shape lead = weir_shape_vector(rows);
        WEIR_TRY(weir_infer_concat(&lead, &first, &shape));
    }
    WEIR_TRY(weir_call_alloc(call, out, &shape));
    weir_tensor *to = weir_out(call, out);
    for (int64_t i = 0; i < count; i++) {
        const weir_tensor *values = &ragged_at(in, i)->values;
        weir_elements_copy(to->dtype, weir_at(to, at), values->data, weir_tensor_count(values));
        at += weir_tensor_count(values);
    }
    return WEIR_OK;
}

static weir_status alloc_splits(weir_call *call, int out, int64_t count, weir_tensor **out_splits)
{
    weir_shape shape = weir_shape_vector(count);
    WEIR_TRY(weir_call_alloc(call, out, &shape));
    *out_splits = weir_out(call, out);
    weir_int_set(*out_splits, 0, 0);
    return WEIR_OK;
}

/* Splits over the dimensions of the variant tensor: uniform ones, then the length of each part. */
static weir_status outer_splits(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    int dims = in->shape.rank;
    int64_t count = weir_tensor_count(in), at = 0;
    weir_tensor *splits;
    for (int axis = 0; axis + 1 < dims; axis++) {
        WEIR_TRY(alloc_splits(call, axis, in->shape.dims[axis] + 1, &splits));
        for (int64_t i = 0; i <= in->shape.dims[axis]; i++)
            weir_int_set(splits, i, i * in->shape.dims[axis + 1]);
    }
    WEIR_TRY(alloc_splits(call, dims - 1, count + 1, &splits));
    for (int64_t i = 0; i < count; i++) {
        const ragged *ragged = ragged_at(in, i);
        at += ragged->splits.count ? weir_tensor_count(&ragged->splits.at[0]) - 1
                                   : ragged->values.shape.dims[0];
        weir_int_set(splits, i + 1, at);
    }
    return WEIR_OK;
}

/* Concatenates splits |k| of all parts. */
static weir_status inner_splits(weir_call *call, int64_t k)
{
    const weir_tensor *in = weir_in(call, 0);
    int64_t count = weir_tensor_count(in), total = 1, at = 1, base = 0;
    weir_tensor *splits;
    for (int64_t i = 0; i < count; i++)
        total += weir_tensor_count(&ragged_at(in, i)->splits.at[k]) - 1;
    WEIR_TRY(alloc_splits(call, in->shape.rank + (int)k, total, &splits));
    for (int64_t i = 0; i < count; i++) {
        const weir_tensor *own = &ragged_at(in, i)->splits.at[k];
        for (int64_t n = 1; n < weir_tensor_count(own); n++)
            weir_int_set(splits, at++, base + weir_int_at(own, n));
        base = weir_int_at(splits, at - 1);
    }
    return WEIR_OK;
}

static weir_status from_variant(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    int64_t rank;
    WEIR_TRY(input_rank(call, &rank));
    for (int64_t i = 0; i < weir_tensor_count(in); i++)
        WEIR_TRY(check_part(call, i, rank));
    if (in->shape.rank == 0) {
        const ragged *ragged = ragged_at(in, 0);
        for (int64_t k = 0; k < rank; k++)
            weir_call_set(call, (int)k, weir_tensor_share(&ragged->splits.at[k]));
        weir_call_set(call, (int)rank, weir_tensor_share(&ragged->values));
        return WEIR_OK;
    }
    if (weir_site_int(call->site, OUT_RANK) == 0)
        return join_values(call, true);
    WEIR_TRY(outer_splits(call));
    for (int64_t k = 0; k < rank; k++)
        WEIR_TRY(inner_splits(call, k));
    return join_values(call, false);
}

const weir_op weir_op_ragged_tensor_from_variant = {
    .name = "RaggedTensorFromVariant",
    .in = "encoded_ragged: variant",
    .out = "output_nested_splits: output_ragged_rank * Tsplits; output_dense_values: Tvalues",
    .attrs = "input_ragged_rank: int >= -1; output_ragged_rank: int >= 0; Tvalues: type; "
             "Tsplits: {int32, int64} = DT_INT64",
    .infer = infer_from,
    .kernels = {{WEIR_CPU, "*", from_variant, WEIR_OWN_OUTPUTS}},
};

/* ---- the gradient of RaggedTensorToVariant --------------------------------------------------- */

static weir_status infer_gradient(weir_infer *infer)
{
    if (infer->in[2]->rank == 0)
        return WEIR_OK;
    return weir_infer_new_shape(infer, 2, &infer->out[0]);
}

static weir_status check_pieces(const weir_call *call, int64_t rows)
{
    const weir_tensor *splits = weir_in(call, 1);
    if (splits->shape.rank)
        WEIR_TRY(weir_ragged_check_splits(splits, -1));
    for (int64_t i = 0; i < rows; i++)
        if (!ragged_at(weir_in(call, 0), i) && weir_tensor_count(splits) < i + 2)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "row_splits of shape %s end before row %" PRId64,
                              WEIR_SHAPE_STR(&splits->shape), i);
    return WEIR_OK;
}

/* A row without a gradient counts as zeros. */
static weir_status gradient(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0), *splits = weir_in(call, 1);
    int64_t rows = weir_tensor_count(in), at = 0;
    weir_shape shape;
    int64_t dims[WEIR_MAX_RANK], rank;
    WEIR_TRY(weir_tensor_get_ints(weir_in(call, 2), dims, WEIR_MAX_RANK, &rank));
    WEIR_TRY(weir_shape_make(dims, rank, &shape));
    WEIR_TRY(check_pieces(call, rows));
    const ragged *only = rows == 1 ? ragged_at(in, 0) : NULL;
    if (only) {
        weir_call_set(call, 0, weir_tensor_share(&only->values));
        return WEIR_OK;
    }
    WEIR_TRY(weir_shape_check(&shape));
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    weir_tensor *out = weir_out(call, 0);
    int64_t run = weir_shape_product(&shape, 1, shape.rank), room = weir_tensor_count(out);
    weir_tensor_zero(&call->run->par, out);
    for (int64_t i = 0; i < rows; i++) {
        const ragged *ragged = ragged_at(in, i);
        int64_t count = ragged ? weir_tensor_count(&ragged->values)
                               : (weir_int_at(splits, i + 1) - weir_int_at(splits, i)) * run;
        if (count > room - at || (ragged && ragged->values.dtype != out->dtype))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Gradients of rows do not fit dense_values_shape %s",
                              WEIR_SHAPE_STR(&shape));
        if (ragged)
            weir_elements_copy(out->dtype, weir_at(out, at), ragged->values.data, count);
        at += count;
    }
    return WEIR_OK;
}

const weir_op weir_op_ragged_tensor_to_variant_gradient = {
    .name = "RaggedTensorToVariantGradient",
    .in = "encoded_ragged_grad: variant; row_splits: Tsplits; dense_values_shape: int32",
    .out = "dense_values_grad: Tvalues",
    .attrs = "Tvalues: type; Tsplits: {int32, int64} = DT_INT64",
    .infer = infer_gradient,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", gradient, WEIR_OWN_OUTPUTS}},
};
