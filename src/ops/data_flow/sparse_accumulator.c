/* ops/data_flow/sparse_accumulator.c - SparseConditionalAccumulator: rows of gradients, by index.
 *
 * The mean of a row is over the gradients that contain it. */
#include <inttypes.h>

#include "base/metric.h"
#include "observe/tally.h"
#include "ops/common/elem_of.h"
#include "ops/data_flow/accumulator_impl.h"
#include "ops/math/types.h"
#include "ops/state/update_impl.h"

enum { HANDLE, LOCAL_STEP, INDICES, VALUES, SHAPE_IN };
enum { HAS_KNOWN_SHAPE = 1 };

static weir_status check_ranks(const weir_tensor *indices, const weir_tensor *values,
                               const weir_tensor *shape)
{
    if (indices->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input indices should be vector but received shape: %s",
                          WEIR_SHAPE_STR(&indices->shape));
    if (values->shape.rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Values cannot be 0-dimensional.");
    if (shape->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input shape should be vector but received shape: %s",
                          WEIR_SHAPE_STR(&shape->shape));
    if (indices->shape.dims[0] != values->shape.dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected %" PRId64 " non-empty input values, got %" PRId64,
                          indices->shape.dims[0], values->shape.dims[0]);
    return WEIR_OK;
}

/* Checks the gradient's declared shape against the accumulator's. */
static weir_status check_known_shape(const weir_accumulator *accumulator, const weir_tensor *shape,
                                     const weir_tensor *values)
{
    const int64_t *dims = shape->data;
    int64_t rank = shape->shape.dims[0];
    if (accumulator->shape.rank > rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shape mismatch: expected shape rank at least %d, got %" PRId64,
                          accumulator->shape.rank, rank);
    for (int axis = 0; axis < accumulator->shape.rank && axis < rank; axis++)
        if (accumulator->shape.dims[axis] >= 0 && dims[axis] >= 0 &&
            dims[axis] != accumulator->shape.dims[axis])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Shape mismatch: expected shape dim %d to be %" PRId64
                              ", got %" PRId64,
                              axis, accumulator->shape.dims[axis], dims[axis]);
    return WEIR_OK;
}

static weir_status check_values(const weir_accumulator *accumulator, const weir_tensor *values)
{
    if (values->dtype != accumulator->dtype)
        return weir_error(WEIR_INVALID_ARGUMENT, "Type mismatch: expected %s, got %s",
                          weir_dtype_name(accumulator->dtype), weir_dtype_name(values->dtype));
    const weir_shape *want = accumulator->count ? &accumulator->sum.shape : &accumulator->shape;
    if (accumulator->count && want->rank != values->shape.rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape mismatch: expected values rank %d, got %d",
                          want->rank, values->shape.rank);
    if (want->rank > values->shape.rank) /* it may be less specific than the values */
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shape mismatch: expected values rank at least %d, got %d", want->rank,
                          values->shape.rank);
    for (int axis = 1; axis < want->rank; axis++)
        if (want->dims[axis] >= 0 && want->dims[axis] != values->shape.dims[axis])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Shape mismatch: expected values dim %d to be %" PRId64
                              ", got %" PRId64,
                              axis, want->dims[axis], values->shape.dims[axis]);
    return WEIR_OK;
}

static weir_status check_indices(const weir_accumulator *accumulator, const weir_tensor *indices)
{
    int64_t limit = accumulator->shape.rank > 0 ? accumulator->shape.dims[0] : -1;
    for (int64_t i = 0; i < indices->shape.dims[0]; i++) {
        int64_t at = ((const int64_t *)indices->data)[i];
        if (at < 0 || (limit >= 0 && at >= limit))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Shape mismatch: index of slice %" PRId64
                              " exceeded limits of shape; index is %" PRId64 " exceeded %" PRId64,
                              i, at, limit);
    }
    return WEIR_OK;
}

/* A merge of two row lists. */
typedef struct merge {
    const weir_accumulator *a;
    const weir_tensor *indices, *values;
    int64_t run; /* elements of a row */
    size_t row_bytes;
    weir_update_fn add;
} merge;

static int64_t merged_count(const merge *merge)
{
    const int64_t *theirs = merge->indices->data;
    int64_t n = merge->indices->shape.dims[0], mine = (int64_t)merge->a->indices.count, i = 0,
            j = 0, k = 0;
    for (; i < mine || j < n; k++) {
        bool left = j == n || (i < mine && merge->a->indices.at[i] <= theirs[j]);
        bool right = i == mine || (j < n && theirs[j] <= merge->a->indices.at[i]);
        i += left;
        j += right;
    }
    return k;
}

/* Writes the merged rows to |to|, and their indices and counts. */
static void merge_rows(const merge *merge, char *to, int64_t *indices, int64_t *counts)
{
    const int64_t *theirs = merge->indices->data;
    const char *my_rows = merge->a->sum.data, *their_rows = merge->values->data;
    int64_t n = merge->indices->shape.dims[0], mine = (int64_t)merge->a->indices.count, i = 0,
            j = 0;
    for (int64_t k = 0; i < mine || j < n; k++, to += merge->row_bytes) {
        bool left = j == n || (i < mine && merge->a->indices.at[i] <= theirs[j]);
        bool right = i == mine || (j < n && theirs[j] <= merge->a->indices.at[i]);
        indices[k] = left ? merge->a->indices.at[i] : theirs[j];
        counts[k] = (left ? merge->a->counts.at[i] : 0) + right;
        const char *from = left ? my_rows + (size_t)i * merge->row_bytes
                                : their_rows + (size_t)j * merge->row_bytes;
        memcpy(to, from, merge->row_bytes);
        if (left && right)
            merge->add(to, their_rows + (size_t)j * merge->row_bytes, merge->run, 1);
        i += left;
        j += right;
    }
}

static weir_status add_rows(weir_accumulator *accumulator, const weir_tensor *indices,
                            const weir_tensor *values)
{
    merge merge = {.a = accumulator, .indices = indices, .values = values};
    merge.run = weir_shape_product(&values->shape, 1, values->shape.rank);
    merge.row_bytes = (size_t)merge.run * weir_dtype_size(accumulator->dtype);
    merge.add = weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(accumulator->dtype));
    weir_shape shape = values->shape;
    shape.dims[0] = merged_count(&merge);
    weir_tensor sum;
    WEIR_TRY(weir_tensor_alloc(accumulator->dtype, &shape, &sum));
    size_t bytes = sizeof(int64_t) * (size_t)(shape.dims[0] + 1);
    int64_t *new_indices = weir_alloc(bytes), *new_counts = weir_alloc(bytes);
    merge_rows(&merge, sum.data, new_indices, new_counts);
    weir_tensor_release(&accumulator->sum);
    accumulator->sum = sum;
    weir_free(accumulator->indices.at);
    weir_free(accumulator->counts.at);
    accumulator->indices.at = new_indices;
    accumulator->counts.at = new_counts;
    accumulator->indices.count = accumulator->counts.count = (size_t)shape.dims[0];
    accumulator->indices.room = accumulator->counts.room = (size_t)shape.dims[0] + 1;
    return WEIR_OK;
}

static weir_status add_sparse(weir_call *call, weir_accumulator *accumulator, int64_t step)
{
    const weir_tensor *indices = weir_in(call, INDICES), *values = weir_in(call, VALUES);
    const weir_tensor *shape = weir_in(call, SHAPE_IN);
    WEIR_TRY(check_ranks(indices, values, shape));
    if (weir_site_bool(call->site, HAS_KNOWN_SHAPE))
        WEIR_TRY(check_known_shape(accumulator, shape, values));
    WEIR_TRY(check_values(accumulator, values));
    WEIR_TRY(check_indices(accumulator, indices));
    bool stale = step < accumulator->global_step;
    weir_metric_add(stale ? WEIR_METRIC_GRADIENTS_STALE : WEIR_METRIC_GRADIENTS_APPLIED, 1);
    weir_tally_gradient(call->run->master, stale);
    if (stale)
        return WEIR_OK;
    WEIR_TRY(add_rows(accumulator, indices, values));
    accumulator->count++;
    return WEIR_OK;
}

static weir_status apply_sparse(weir_call *call)
{
    int64_t step;
    WEIR_TRY(weir_accumulator_step(call, LOCAL_STEP, &step));
    weir_accumulator *accumulator;
    WEIR_TRY(weir_accumulator_input(call, true, &accumulator));
    weir_mutex_lock(&accumulator->point.lock);
    weir_status status = add_sparse(call, accumulator, step);
    weir_mutex_unlock(&accumulator->point.lock);
    weir_wait_changed(&accumulator->point);
    weir_ref_release(&accumulator->base.ref);
    return status;
}

static weir_status give(weir_call *call, weir_accumulator *accumulator)
{
    int64_t rows = (int64_t)accumulator->indices.count,
            run = weir_shape_product(&accumulator->sum.shape, 1, accumulator->sum.shape.rank);
    weir_shape vector = weir_shape_vector(rows),
               dims = weir_shape_vector(accumulator->sum.shape.rank);
    WEIR_TRY(weir_call_alloc(call, 0, &vector));
    WEIR_TRY(weir_call_alloc(call, 2, &dims));
    size_t row_bytes = (size_t)run * weir_dtype_size(accumulator->dtype);
    for (int64_t i = 0; i < rows; i++) {
        ((int64_t *)weir_out(call, 0)->data)[i] = accumulator->indices.at[i];
        if (accumulator->mean && accumulator->counts.at[i] > 1)
            weir_accumulator_divide(accumulator->dtype,
                                    (char *)accumulator->sum.data + (size_t)i * row_bytes, run,
                                    accumulator->counts.at[i]);
    }
    int64_t *shape = weir_out(call, 2)->data;
    for (int axis = 0; axis < accumulator->sum.shape.rank; axis++)
        shape[axis] = axis                          ? accumulator->sum.shape.dims[axis]
                      : accumulator->shape.rank > 0 ? accumulator->shape.dims[0]
                                                    : -1;
    weir_call_set(call, 1, weir_tensor_share(&accumulator->sum));
    weir_accumulator_reset(accumulator);
    return WEIR_OK;
}

static bool try_take_sparse(weir_call *call, void *object, weir_status *out_status)
{
    weir_accumulator *accumulator = object;
    if (!weir_accumulator_ready(call, accumulator))
        return false;
    *out_status = give(call, accumulator);
    return true;
}

static void take_sparse(weir_call *call)
{
    weir_accumulator_take(call, true, try_take_sparse);
}

static weir_status make_sparse(weir_call *call)
{
    return weir_accumulator_make(call, true);
}

static weir_status infer_make(weir_infer *infer)
{
    infer->out[0] = weir_shape_vector(2);
    return WEIR_OK;
}

#define TYPES "dtype: float, double, half"

const weir_op weir_op_sparse_conditional_accumulator = {
    .name = "SparseConditionalAccumulator",
    .out = "handle: Ref(string)",
    .attrs =
        "dtype: {" NUMBERS "}; shape: shape; container: string = \"\"; shared_name: string = \"\"; "
        "reduction_type: {'MEAN', 'SUM'} = \"MEAN\"",
    .flags = WEIR_STATEFUL,
    .infer = infer_make,
    .no_grad = true,
    .kernels = {{WEIR_CPU, TYPES, make_sparse, WEIR_OWN_OUTPUTS | WEIR_CHEAP,
                 .prepare = weir_accumulator_prepare, .cleanup = weir_named_cleanup}},
};

const weir_op weir_op_sparse_accumulator_apply_gradient = {
    .name = "SparseAccumulatorApplyGradient",
    .in =
        "handle: Ref(string); local_step: int64; gradient_indices: int64; gradient_values: dtype; "
        "gradient_shape: int64",
    .attrs = "dtype: {" NUMBERS "}; has_known_shape: bool",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, TYPES, apply_sparse}},
};

const weir_op weir_op_sparse_accumulator_take_gradient = {
    .name = "SparseAccumulatorTakeGradient",
    .in = "handle: Ref(string); num_required: int32",
    .out = "indices: int64; values: dtype; shape: int64",
    .attrs = "dtype: {" NUMBERS "}",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_unknown,
    .no_grad = true,
    .kernels = {{WEIR_CPU, TYPES, NULL, WEIR_ASYNC | WEIR_AWAITS | WEIR_OWN_OUTPUTS,
                 .start = take_sparse}},
};
