/* ops/sparse/ragged_variant.c - RaggedTensorToVariant, RaggedTensorFromVariant and the gradient of
 * the first: ragged tensors as elements of variant tensors, one for the whole or one per row. */
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
static weir_status zero(const weir_variant *v, weir_variant **out_zero);
static weir_status encode(const weir_variant *v, weir_buf *metadata, weir_tensor **out_tensors,
                          int *out_count);

static weir_status decode(weir_str metadata, const weir_tensor *tensors, int count,
                          weir_variant **out_variant);

const weir_variant_type weir_variant_ragged = {
    .name = "RaggedTensorVariant", .encode = encode, .decode = decode, .add = add, .zero = zero};

/* ---- the variant ----------------------------------------------------------------------------- */

static void destroy(weir_ref *ref)
{
    ragged *r = (ragged *)ref;
    for (size_t k = 0; k < r->splits.count; k++)
        weir_tensor_release(&r->splits.at[k]);
    weir_vec_fini(&r->splits);
    weir_tensor_release(&r->values);
    weir_free(r);
}

static ragged *create(void)
{
    ragged *r = WEIR_NEW(ragged);
    weir_ref_init(&r->base.ref, destroy);
    r->base.type = &weir_variant_ragged;
    return r;
}

static weir_status encode(const weir_variant *v, weir_buf *metadata, weir_tensor **out_tensors,
                          int *out_count)
{
    const ragged *r = (const ragged *)v;
    weir_tensor *tensors = WEIR_NEW_ARRAY(weir_tensor, r->splits.count + 1);
    for (size_t k = 0; k < r->splits.count; k++)
        tensors[k] = weir_tensor_share(&r->splits.at[k]);
    tensors[r->splits.count] = weir_tensor_share(&r->values);
    *out_tensors = tensors;
    *out_count = (int)r->splits.count + 1;
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
    ragged *r = create();
    for (int k = 0; k < count - 1; k++)
        weir_vec_push(&r->splits, weir_tensor_share(&tensors[k]));
    r->values = weir_tensor_share(&tensors[count - 1]);
    *out_variant = &r->base;
    return WEIR_OK;
}

/* A ragged tensor with the rows of |like| and values of its own. */
static weir_status with_values(const ragged *like, const weir_tensor *values, ragged **out)
{
    ragged *r = create();
    for (size_t k = 0; k < like->splits.count; k++)
        weir_vec_push(&r->splits, weir_tensor_share(&like->splits.at[k]));
    weir_status s = weir_tensor_clone(values, &r->values);
    if (s)
        weir_ref_release(&r->base.ref);
    else
        *out = r;
    return s;
}

static weir_status add(const weir_variant *a, const weir_variant *b, weir_variant **out_sum)
{
    const ragged *x = (const ragged *)a, *y = (const ragged *)b;
    weir_elem elem = weir_elem_of(x->values.dtype);
    if (x->values.dtype != y->values.dtype || elem == WEIR_ELEM_NONE ||
        !weir_shape_eq(&x->values.shape, &y->values.shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot add ragged tensors with values %s of shape %s and %s of shape %s",
                          weir_dtype_name(x->values.dtype), WEIR_SHAPE_STR(&x->values.shape),
                          weir_dtype_name(y->values.dtype), WEIR_SHAPE_STR(&y->values.shape));
    ragged *sum;
    WEIR_TRY(with_values(x, &x->values, &sum));
    weir_update_find(WEIR_UPDATE_ADD, elem)(sum->values.data, y->values.data,
                                            weir_tensor_count(&y->values), 1);
    *out_sum = &sum->base;
    return WEIR_OK;
}

static weir_status zero(const weir_variant *v, weir_variant **out_zero)
{
    const ragged *x = (const ragged *)v;
    ragged *r;
    WEIR_TRY(with_values(x, &x->values, &r));
    weir_elements_zero(r->values.dtype, r->values.data, weir_tensor_count(&r->values));
    *out_zero = &r->base;
    return WEIR_OK;
}

static const ragged *ragged_at(const weir_tensor *t, int64_t i)
{
    const weir_variant *v = ((weir_variant *const *)t->data)[i];
    return v && v->type == &weir_variant_ragged ? (const ragged *)v : NULL;
}

/* ---- RaggedTensorToVariant ------------------------------------------------------------------- */

enum { RANK, TO_VALUES, TO_SPLITS, BATCHED }; /* attrs */

static weir_status infer_to(weir_infer *i)
{
    int rank = (int)weir_site_int(i->site, RANK);
    if (!weir_infer_running(i)) {
        WEIR_TRY(weir_infer_rank_at_least(i, rank, 1));
        for (int k = 0; k < rank; k++)
            WEIR_TRY(weir_infer_rank(i, k, 1));
    }
    if (!weir_site_bool(i->site, BATCHED)) {
        i->out[0] = WEIR_SCALAR;
        return WEIR_OK;
    }
    int64_t first = i->in[0]->rank < 1 ? -1 : i->in[0]->dims[0];
    i->out[0] = weir_shape_vector(first < 1 ? -1 : first - 1);
    return WEIR_OK;
}

static weir_status check_ragged(const weir_call *c, int rank)
{
    const weir_tensor *values = weir_in(c, rank);
    for (int k = rank - 1; k >= 0; k--) {
        if (values->shape.rank < 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Requires flat_values to have rank>=1 when nested_row_splits is not "
                              "empty, but is 0.");
        int64_t count =
            k == rank - 1 ? values->shape.dims[0] : weir_tensor_count(weir_in(c, k + 1)) - 1;
        WEIR_TRY(weir_ragged_check_splits(weir_in(c, k), count));
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

/* Splits [begin, end] of |t|, counted from the first of them. */
static weir_status splits_of(const weir_tensor *t, int64_t begin, int64_t end, weir_tensor *out)
{
    weir_shape shape = weir_shape_vector(end - begin + 1);
    WEIR_TRY(weir_tensor_alloc(t->dtype, &shape, out));
    for (int64_t i = begin; i <= end; i++)
        weir_int_set(out, i - begin, weir_int_at(t, i) - weir_int_at(t, begin));
    return WEIR_OK;
}

/* Row |row| of the ragged tensor, itself ragged by one dimension less. */
static weir_status take_row(const weir_call *c, int rank, int64_t row, ragged *r)
{
    int64_t begin = weir_int_at(weir_in(c, 0), row), end = weir_int_at(weir_in(c, 0), row + 1);
    for (int k = 1; k < rank; k++) {
        weir_tensor part;
        WEIR_TRY(splits_of(weir_in(c, k), begin, end, &part));
        weir_vec_push(&r->splits, part);
        begin = weir_int_at(weir_in(c, k), begin);
        end = weir_int_at(weir_in(c, k), end);
    }
    r->values = rows_of(weir_in(c, rank), begin, end);
    return WEIR_OK;
}

static weir_tensor dense_row(const weir_tensor *values, int64_t row)
{
    weir_shape shape = weir_infer_sub(&values->shape, 1, WEIR_MAX_RANK);
    return weir_tensor_slice(values, row * weir_shape_count(&shape), &shape);
}

static weir_status to_rows(weir_call *c, int rank)
{
    const weir_tensor *values = weir_in(c, rank);
    if (values->shape.rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Can't unbatch rank-0 tensor.");
    int64_t rows = rank ? weir_tensor_count(weir_in(c, 0)) - 1 : values->shape.dims[0];
    weir_shape shape = weir_shape_vector(rows);
    WEIR_TRY(weir_call_alloc(c, 0, &shape));
    weir_variant **out = weir_out(c, 0)->data;
    for (int64_t i = 0; i < rows; i++) {
        ragged *r = create();
        out[i] = &r->base;
        if (rank)
            WEIR_TRY(take_row(c, rank, i, r));
        else
            r->values = dense_row(values, i);
    }
    return WEIR_OK;
}

static weir_status to_variant(weir_call *c)
{
    int rank = (int)weir_site_int(c->site, RANK);
    WEIR_TRY(check_ragged(c, rank));
    if (weir_site_bool(c->site, BATCHED))
        return to_rows(c, rank);
    ragged *r = create();
    for (int k = 0; k < rank; k++)
        weir_vec_push(&r->splits, weir_tensor_share(weir_in(c, k)));
    r->values = weir_tensor_share(weir_in(c, rank));
    weir_call_set(c, 0, weir_tensor_from_variant(&r->base));
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

static weir_status infer_from(weir_infer *i)
{
    int64_t in = weir_site_int(i->site, IN_RANK), out = weir_site_int(i->site, OUT_RANK);
    if (!weir_infer_running(i) && i->in[0]->rank >= 0 && in >= 0)
        WEIR_TRY(weir_infer_rank(i, 0, (int)(out - in)));
    for (int64_t k = 0; k < out; k++)
        i->out[k] = weir_shape_vector(-1);
    return WEIR_OK;
}

static weir_status input_rank(const weir_call *c, int64_t *out)
{
    int64_t in = weir_site_int(c->site, IN_RANK), want = weir_site_int(c->site, OUT_RANK);
    int dims = weir_in(c, 0)->shape.rank;
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

static weir_status check_part(const weir_call *c, int64_t i, int64_t in_rank)
{
    const ragged *r = ragged_at(weir_in(c, 0), i);
    weir_dtype dtype = weir_site_type(c->site, FROM_VALUES),
               split = weir_site_type(c->site, FROM_SPLITS);
    if (!r)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Input Variant element at index %" PRId64 " doesn't hold a RaggedTensorVariant", i);
    if ((int64_t)r->splits.count != in_rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Encoded input RaggedTensorVariant has ragged_rank=%zu.  Expected "
                          "ragged_rank=%" PRId64 ".",
                          r->splits.count, in_rank);
    if (r->values.dtype != dtype)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected values Tensor dtype: %s, found: %s",
                          weir_dtype_name(dtype), weir_dtype_name(r->values.dtype));
    if (r->values.shape.rank < 1 && weir_site_int(c->site, OUT_RANK) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Ragged values must have rank >= 1; encoded scalar element at index "
                          "%" PRId64 " has values Tensor of shape []",
                          i);
    for (size_t k = 0; k < r->splits.count; k++)
        if (r->splits.at[k].dtype != split)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Expected row_splits Tensor dtype: %s, found: %s",
                              weir_dtype_name(split), weir_dtype_name(r->splits.at[k].dtype));
    return WEIR_OK;
}

/* All values one after the other: along a new first dimension, or along the one they have. */
static weir_status join_values(weir_call *c, bool stack)
{
    const weir_tensor *in = weir_in(c, 0);
    int64_t count = weir_tensor_count(in), rows = 0, at = 0;
    int out = c->site->out_count - 1;
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
    WEIR_TRY(weir_call_alloc(c, out, &shape));
    weir_tensor *to = weir_out(c, out);
    for (int64_t i = 0; i < count; i++) {
        const weir_tensor *values = &ragged_at(in, i)->values;
        weir_elements_copy(to->dtype, weir_at(to, at), values->data, weir_tensor_count(values));
        at += weir_tensor_count(values);
    }
    return WEIR_OK;
}

static weir_status alloc_splits(weir_call *c, int out, int64_t count, weir_tensor **out_splits)
{
    weir_shape shape = weir_shape_vector(count);
    WEIR_TRY(weir_call_alloc(c, out, &shape));
    *out_splits = weir_out(c, out);
    weir_int_set(*out_splits, 0, 0);
    return WEIR_OK;
}

/* Splits over the dimensions of the variant tensor: even ones, then how long each part is. */
static weir_status outer_splits(weir_call *c)
{
    const weir_tensor *in = weir_in(c, 0);
    int dims = in->shape.rank;
    int64_t count = weir_tensor_count(in), at = 0;
    weir_tensor *splits;
    for (int d = 0; d + 1 < dims; d++) {
        WEIR_TRY(alloc_splits(c, d, in->shape.dims[d] + 1, &splits));
        for (int64_t i = 0; i <= in->shape.dims[d]; i++)
            weir_int_set(splits, i, i * in->shape.dims[d + 1]);
    }
    WEIR_TRY(alloc_splits(c, dims - 1, count + 1, &splits));
    for (int64_t i = 0; i < count; i++) {
        const ragged *r = ragged_at(in, i);
        at += r->splits.count ? weir_tensor_count(&r->splits.at[0]) - 1 : r->values.shape.dims[0];
        weir_int_set(splits, i + 1, at);
    }
    return WEIR_OK;
}

/* Splits |k| of all parts, one after the other. */
static weir_status inner_splits(weir_call *c, int64_t k)
{
    const weir_tensor *in = weir_in(c, 0);
    int64_t count = weir_tensor_count(in), total = 1, at = 1, base = 0;
    weir_tensor *splits;
    for (int64_t i = 0; i < count; i++)
        total += weir_tensor_count(&ragged_at(in, i)->splits.at[k]) - 1;
    WEIR_TRY(alloc_splits(c, in->shape.rank + (int)k, total, &splits));
    for (int64_t i = 0; i < count; i++) {
        const weir_tensor *own = &ragged_at(in, i)->splits.at[k];
        for (int64_t n = 1; n < weir_tensor_count(own); n++)
            weir_int_set(splits, at++, base + weir_int_at(own, n));
        base = weir_int_at(splits, at - 1);
    }
    return WEIR_OK;
}

static weir_status from_variant(weir_call *c)
{
    const weir_tensor *in = weir_in(c, 0);
    int64_t rank;
    WEIR_TRY(input_rank(c, &rank));
    for (int64_t i = 0; i < weir_tensor_count(in); i++)
        WEIR_TRY(check_part(c, i, rank));
    if (in->shape.rank == 0) {
        const ragged *r = ragged_at(in, 0);
        for (int64_t k = 0; k < rank; k++)
            weir_call_set(c, (int)k, weir_tensor_share(&r->splits.at[k]));
        weir_call_set(c, (int)rank, weir_tensor_share(&r->values));
        return WEIR_OK;
    }
    if (weir_site_int(c->site, OUT_RANK) == 0)
        return join_values(c, true);
    WEIR_TRY(outer_splits(c));
    for (int64_t k = 0; k < rank; k++)
        WEIR_TRY(inner_splits(c, k));
    return join_values(c, false);
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

static weir_status infer_gradient(weir_infer *i)
{
    if (i->in[2]->rank == 0)
        return WEIR_OK;
    return weir_infer_value_as_shape(i, 2, &i->out[0]);
}

static weir_status check_pieces(const weir_call *c, int64_t rows)
{
    const weir_tensor *splits = weir_in(c, 1);
    if (splits->shape.rank)
        WEIR_TRY(weir_ragged_check_splits(splits, -1));
    for (int64_t i = 0; i < rows; i++)
        if (!ragged_at(weir_in(c, 0), i) && weir_tensor_count(splits) < i + 2)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "row_splits of shape %s end before row %" PRId64,
                              WEIR_SHAPE_STR(&splits->shape), i);
    return WEIR_OK;
}

/* A row that nothing came back for counts as zeros. */
static weir_status gradient(weir_call *c)
{
    const weir_tensor *in = weir_in(c, 0), *splits = weir_in(c, 1);
    int64_t rows = weir_tensor_count(in), at = 0;
    weir_shape shape;
    int64_t dims[WEIR_MAX_RANK], rank;
    WEIR_TRY(weir_tensor_get_ints(weir_in(c, 2), dims, WEIR_MAX_RANK, &rank));
    WEIR_TRY(weir_shape_make(dims, rank, &shape));
    WEIR_TRY(check_pieces(c, rows));
    const ragged *only = rows == 1 ? ragged_at(in, 0) : NULL;
    if (only) {
        weir_call_set(c, 0, weir_tensor_share(&only->values));
        return WEIR_OK;
    }
    WEIR_TRY(weir_shape_check(&shape));
    WEIR_TRY(weir_call_alloc(c, 0, &shape));
    weir_tensor *out = weir_out(c, 0);
    int64_t run = weir_shape_product(&shape, 1, shape.rank), room = weir_tensor_count(out);
    weir_tensor_zero(&c->run->par, out);
    for (int64_t i = 0; i < rows; i++) {
        const ragged *r = ragged_at(in, i);
        int64_t count = r ? weir_tensor_count(&r->values)
                          : (weir_int_at(splits, i + 1) - weir_int_at(splits, i)) * run;
        if (count > room - at || (r && r->values.dtype != out->dtype))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Gradients of rows do not fit dense_values_shape %s",
                              WEIR_SHAPE_STR(&shape));
        if (r)
            weir_elements_copy(out->dtype, weir_at(out, at), r->values.data, count);
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
