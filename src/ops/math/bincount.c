/* ops/math/bincount.c - Bincount, DenseBincount, SparseBincount, RaggedBincount: counts of values,
 * or sums of their weights. */
#include <inttypes.h>

#include "math/cast/cast.h"
#include "math/update/update.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/sparse/sparse.h"

/* One row of bins and its input. */
typedef struct bins {
    weir_tensor *out;
    int64_t size;
    const weir_tensor *weights; /* empty: every value counts 1 */
    bool binary;                /* only whether a value occurs */
    weir_update_fn add;
    char one[8]; /* 1 in the type of the bins */
} bins;

/* Counts |value|, number |i| of all, in row |row|. Values outside the bins are ignored. */
static void count_value(const bins *bins, int64_t row, int64_t value, int64_t i)
{
    if (value < 0 || value >= bins->size)
        return;
    void *bin = weir_at(bins->out, row * bins->size + value);
    if (bins->binary)
        memcpy(bin, bins->one, weir_dtype_size(bins->out->dtype));
    else
        bins->add(bin, weir_tensor_count(bins->weights) ? weir_at(bins->weights, i) : bins->one, 1,
                  1);
}

static weir_status start(weir_call *call, const weir_tensor *size, const weir_tensor *weights,
                         const weir_shape *rows, bins *out)
{
    int64_t count = weir_int_at(size, 0);
    if (count < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "size (%" PRId64 ") must be non-negative", count);
    weir_shape shape = *rows;
    weir_shape_append(&shape, count);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    weir_tensor_zero(&call->run->par, weir_out(call, 0));
    weir_elem elem = weir_elem_of(weir_out(call, 0)->dtype);
    *out = (bins){.out = weir_out(call, 0), .size = count, .weights = weights};
    out->add = weir_update_find(WEIR_UPDATE_ADD, elem);
    weir_cast_run(NULL, WEIR_E_i64, elem, 1, &(int64_t){1}, out->one);
    return WEIR_OK;
}

static weir_status negative(void)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "Input arr must be non-negative!");
}

/* Size is a scalar; everything else depends on it. */
static weir_status infer_bins(weir_infer *infer, int size, const weir_shape *rows)
{
    int64_t n = -1;
    WEIR_TRY(weir_infer_rank(infer, size, 0));
    if (weir_infer_value_int(infer, size, &n) && n < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "size (%" PRId64 ") must be non-negative", n);
    weir_shape bin = weir_shape_vector(n);
    return weir_infer_concat(rows, &bin, &infer->out[0]);
}

static weir_status bincount_infer(weir_infer *infer)
{
    return infer_bins(infer, 1, &WEIR_SCALAR);
}

static weir_status bincount(weir_call *call)
{
    const weir_tensor *arr = weir_in(call, 0), *weights = weir_in(call, 2);
    int64_t count = weir_tensor_count(arr);
    bins bins;
    if (weir_tensor_count(weights) != 0 && !weir_shape_eq(&arr->shape, &weights->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in "
                          "which case it acts as all weights equal to 1. Received %s",
                          WEIR_SHAPE_STR(&weights->shape));
    WEIR_TRY(start(call, weir_in(call, 1), weights, &WEIR_SCALAR, &bins));
    for (int64_t k = 0; k < count; k++) {
        int64_t value = weir_int_at(arr, k);
        if (value < 0)
            return negative();
        count_value(&bins, 0, value, k);
    }
    return WEIR_OK;
}

const weir_op weir_op_bincount = {
    .name = "Bincount",
    .in = "arr: int32; size: int32; weights: T",
    .out = "bins: T",
    .attrs = "T: {int32, int64, float, double}",
    .host = "size",
    .infer = bincount_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", bincount, WEIR_OWN_OUTPUTS}},
};

#define BINS_ATTRS                                                                                 \
    "Tidx: {int32, int64}; T: {int32, int64, float, double}; binary_output: bool = false"
enum { BINARY = 2 }; /* attr */

static weir_status dense_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_most(infer, 0, 2));
    weir_shape rows = WEIR_UNKNOWN_SHAPE;
    if (infer->in[0]->rank >= 0)
        rows = weir_infer_sub(infer->in[0], 0, infer->in[0]->rank - 1);
    return infer_bins(infer, 1, &rows);
}

static weir_status dense_bincount(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *weights = weir_in(call, 2);
    if (x->shape.rank > 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be at most rank 2 but is rank %d",
                          x->shape.rank);
    if (weir_tensor_count(weights) != 0 && !weir_shape_eq(&x->shape, &weights->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in "
                          "which case it acts as all weights equal to 1. Received %s",
                          WEIR_SHAPE_STR(&weights->shape));
    weir_shape rows = weir_infer_sub(&x->shape, 0, x->shape.rank - 1);
    bins bins;
    WEIR_TRY(start(call, weir_in(call, 1), weights, &rows, &bins));
    bins.binary = weir_site_bool(call->site, BINARY);
    int64_t count = weir_tensor_count(x);
    int64_t width = x->shape.rank == 2 ? x->shape.dims[1] : count;
    for (int64_t k = 0; k < count; k++) {
        int64_t value = weir_int_at(x, k);
        if (value < 0)
            return negative();
        count_value(&bins, k / width, value, k);
    }
    return WEIR_OK;
}

const weir_op weir_op_dense_bincount = {
    .name = "DenseBincount",
    .in = "input: Tidx; size: Tidx; weights: T",
    .out = "output: T",
    .attrs = BINS_ATTRS,
    .host = "size",
    .infer = dense_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", dense_bincount, WEIR_OWN_OUTPUTS}},
};

static weir_status sparse_infer(weir_infer *infer)
{
    const weir_tensor *shape = weir_infer_value(infer, 2);
    if (!shape)
        return WEIR_OK;
    if (weir_tensor_count(shape) == 1)
        return infer_bins(infer, 3, &WEIR_SCALAR);
    weir_shape rows = weir_shape_vector(weir_int_at(shape, 0));
    return infer_bins(infer, 3, &rows);
}

static weir_status sparse_bincount(weir_call *call)
{
    const weir_tensor *indices = weir_in(call, 0), *values = weir_in(call, 1);
    const weir_tensor *shape = weir_in(call, 2), *weights = weir_in(call, 4);
    int64_t count = weir_tensor_count(values), rank = weir_tensor_count(shape);
    if (rank < 1 || rank > 2 || indices->shape.rank != 2 || indices->shape.dims[0] != count ||
        indices->shape.dims[1] != rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "indices of shape %s do not fit %" PRId64 " values of rank %" PRId64,
                          WEIR_SHAPE_STR(&indices->shape), count, rank);
    if (weir_tensor_count(weights) != 0 && weir_tensor_count(weights) != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Weights and values must have the same shape. Weight shape: %s; values "
                          "shape: %s",
                          WEIR_SHAPE_STR(&weights->shape), WEIR_SHAPE_STR(&values->shape));
    weir_sparse entries = {
        .indices = indices->data, .dims = shape->data, .count = count, .rank = (int)rank};
    WEIR_TRY(weir_sparse_bounds(&entries));
    int64_t row_count = rank == 2 ? weir_int_at(shape, 0) : 1;
    weir_shape rows = rank == 2 ? weir_shape_vector(row_count) : WEIR_SCALAR;
    bins bins;
    if (row_count < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "dense_shape must not be negative");
    WEIR_TRY(start(call, weir_in(call, 3), weights, &rows, &bins));
    bins.binary = weir_site_bool(call->site, BINARY);
    for (int64_t k = 0; k < count; k++) {
        int64_t value = weir_int_at(values, k);
        int64_t row = rank == 2 ? weir_int_at(indices, 2 * k) : 0;
        if (value < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Input must be non-negative");
        count_value(&bins, row, value, k);
    }
    return WEIR_OK;
}

const weir_op weir_op_sparse_bincount = {
    .name = "SparseBincount",
    .in = "indices: int64; values: Tidx; dense_shape: int64; size: Tidx; weights: T",
    .out = "output: T",
    .attrs = BINS_ATTRS,
    .infer = sparse_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", sparse_bincount, WEIR_OWN_OUTPUTS}},
};

static weir_status check_splits(const weir_tensor *splits, int64_t values)
{
    int64_t count = weir_tensor_count(splits);
    if (count < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Splits must be non-empty");
    if (weir_int_at(splits, 0) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Splits must start with 0, not with %" PRId64,
                          weir_int_at(splits, 0));
    for (int64_t k = 1; k < count; k++)
        if (weir_int_at(splits, k) < weir_int_at(splits, k - 1))
            return weir_error(WEIR_INVALID_ARGUMENT, "Splits must be sorted");
    if (weir_int_at(splits, count - 1) != values)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Splits must end with the number of values, got %" PRId64
                          " instead of %" PRId64,
                          weir_int_at(splits, count - 1), values);
    return WEIR_OK;
}

static weir_status ragged_bincount(weir_call *call)
{
    const weir_tensor *splits = weir_in(call, 0), *values = weir_in(call, 1);
    const weir_tensor *weights = weir_in(call, 3);
    int64_t count = weir_tensor_count(values);
    WEIR_TRY(check_splits(splits, count));
    if (weir_tensor_count(weir_in(call, 2)) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be rank 0 but is rank %d",
                          weir_in(call, 2)->shape.rank);
    if (weir_tensor_count(weights) != 0 && weir_tensor_count(weights) != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`weights` must be the same shape as `arr` or a length-0 `Tensor`");
    int64_t row_count = weir_tensor_count(splits) - 1;
    weir_shape rows = weir_shape_vector(row_count);
    bins bins;
    WEIR_TRY(start(call, weir_in(call, 2), weights, &rows, &bins));
    bins.binary = weir_site_bool(call->site, BINARY);
    for (int64_t row = 0; row < row_count; row++)
        for (int64_t k = weir_int_at(splits, row); k < weir_int_at(splits, row + 1); k++) {
            int64_t value = weir_int_at(values, k);
            if (value < 0)
                return weir_error(WEIR_INVALID_ARGUMENT, "Input must be non-negative");
            count_value(&bins, row, value, k);
        }
    return WEIR_OK;
}

const weir_op weir_op_ragged_bincount = {
    .name = "RaggedBincount",
    .in = "splits: int64; values: Tidx; size: Tidx; weights: T",
    .out = "output: T",
    .attrs = BINS_ATTRS,
    .infer = weir_infer_unknown,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", ragged_bincount, WEIR_OWN_OUTPUTS}},
};
