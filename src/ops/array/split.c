/* ops/array/split.c - Split, SplitV: splits a tensor along one axis. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

enum { NUM_SPLIT };

/* Without the axis only the rank of the outputs is known. */
static weir_status infer_rank_only(weir_infer *infer, const weir_shape *x)
{
    for (int k = 0; k < infer->out_count; k++)
        infer->out[k] = x->rank < 0 ? WEIR_UNKNOWN_SHAPE : weir_shape_of_rank(x->rank);
    return WEIR_OK;
}

static weir_status check_axis(int64_t axis, int rank, int *out_axis)
{
    if (axis < -rank || axis >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "-input rank(-%d) <= split_dim < input rank (%d), but got %" PRId64, rank,
                          rank, axis);
    *out_axis = (int)(axis < 0 ? axis + rank : axis);
    return WEIR_OK;
}

/* Copies the parts of |x| to the outputs, whose shapes give the sizes. */
static weir_status split_into_outputs(weir_call *call, const weir_tensor *x, int64_t axis)
{
    if (axis < 0)
        axis += x->shape.rank;
    int64_t rows = weir_shape_product(&x->shape, 0, (int)axis);
    int64_t in_run = weir_shape_product(&x->shape, (int)axis, x->shape.rank), at = 0;
    for (int k = 0; k < call->site->out_count; k++) {
        weir_tensor *y = weir_out(call, k);
        int64_t run = weir_shape_product(&y->shape, (int)axis, y->shape.rank);
        weir_rows_copy(&call->run->par, x->dtype, y->data, run, weir_at(x, at), in_run, rows, run);
        at += run;
    }
    return WEIR_OK;
}

/* ---- Split ----------------------------------------------------------------------------------- */

static weir_status split_infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[1];
    int64_t value, parts = weir_site_int(infer->site, NUM_SPLIT);
    int axis;
    WEIR_TRY(weir_infer_rank(infer, 0, 0));
    if (x->rank < 0 || !weir_infer_value_int(infer, 0, &value))
        return infer_rank_only(infer, x);
    WEIR_TRY(check_axis(value, x->rank, &axis));
    weir_shape part = *x;
    if (x->dims[axis] >= 0 && x->dims[axis] % parts != 0)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Number of ways to split should evenly divide the split dimension, but got "
            "split_dim %d (size = %" PRId64 ") and num_split %" PRId64,
            axis, x->dims[axis], parts);
    if (x->dims[axis] >= 0)
        part.dims[axis] = x->dims[axis] / parts;
    for (int k = 0; k < infer->out_count; k++)
        infer->out[k] = part;
    return WEIR_OK;
}

static weir_status split(weir_call *call)
{
    return split_into_outputs(call, weir_in(call, 1), weir_int_at(weir_in(call, 0), 0));
}

/* Outputs without a gradient count as zeros. */
static weir_edge concat_dys(weir_grad *grad, weir_edge axis)
{
    int count = weir_grad_site(grad)->out_count;
    if (count == 1)
        return weir_grad_dy(grad, 0);
    WEIR_FREED weir_edge *in = WEIR_NEW_ARRAY(weir_edge, count + 1);
    for (int k = 0; k < count; k++)
        in[k] = weir_grad_dy(grad, k);
    in[count] = axis;
    weir_edge dx = weir_grad_first(grad, "ConcatV2", in, count + 1, WEIR_NO_ATTRS);
    return dx;
}

static weir_status split_grad(weir_grad *grad)
{
    weir_grad_set(grad, 1, concat_dys(grad, weir_grad_x(grad, 0)));
    return WEIR_OK;
}

const weir_op weir_op_split = {
    .name = "Split",
    .in = "split_dim: int32; value: T",
    .out = "output: num_split * T",
    .attrs = "num_split: int >= 1; T: type",
    .host = "split_dim",
    .infer = split_infer,
    .grad = split_grad,
    .kernels = {{WEIR_CPU, "*", split}},
};

/* ---- SplitV ---------------------------------------------------------------------------------- */

/* The sizes: at most one -1, which gets the rest; their sum must be |size|. */
static weir_status read_widths(const weir_tensor *widths, int64_t size, int64_t *out, int count)
{
    int open = -1;
    int64_t sum = 0;
    for (int k = 0; k < count; k++) {
        out[k] = weir_int_at(widths, k);
        if (out[k] == -1 && open >= 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "There can only be one -1 in the input.");
        if (out[k] == -1)
            open = k;
        else if (out[k] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Split size at index %d must be >= 0. Got: %" PRId64, k, out[k]);
        else if (__builtin_add_overflow(sum, out[k], &sum))
            return weir_error(WEIR_INVALID_ARGUMENT, "Sum of split sizes overflows");
    }
    if (size < 0)
        return WEIR_OK;
    if (open < 0 ? sum != size : sum > size)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Determined shape must either match input shape along split_dim exactly if "
            "fully specified, or be less than the size of the input along split_dim if "
            "not fully specified.  Got: %" PRId64,
            sum);
    if (open >= 0)
        out[open] = size - sum;
    return WEIR_OK;
}

static weir_status split_v_widths(weir_infer *infer, const weir_tensor *widths, int axis)
{
    const weir_shape *x = infer->in[0];
    WEIR_FREED int64_t *width = WEIR_NEW_ARRAY(int64_t, infer->out_count);
    weir_status status = read_widths(widths, x->dims[axis], width, infer->out_count);
    for (int k = 0; status == WEIR_OK && k < infer->out_count; k++) {
        infer->out[k] = *x;
        infer->out[k].dims[axis] = width[k];
    }
    return status;
}

static weir_status split_v_infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0];
    const weir_tensor *widths = weir_infer_value(infer, 1);
    int64_t value;
    int axis;
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    if (weir_infer_running(infer) && weir_shape_count(infer->in[2]) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "split_dim_tensor must have exactly one element.");
    int64_t given = weir_infer_dim(infer, 1, 0);
    if (given >= 0 && given != infer->out_count)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "size_splits must be a 1-D tensor of length num_split=%d, but got %" PRId64 " elements",
            infer->out_count, given);
    if (x->rank < 0 || !weir_infer_value_int(infer, 2, &value))
        return infer_rank_only(infer, x);
    WEIR_TRY(check_axis(value, x->rank, &axis));
    if (widths)
        return split_v_widths(infer, widths, axis);
    for (int k = 0; k < infer->out_count; k++) {
        infer->out[k] = *x;
        infer->out[k].dims[axis] = infer->out_count == 1 ? x->dims[axis] : -1;
    }
    return WEIR_OK;
}

static weir_status split_v(weir_call *call)
{
    return split_into_outputs(call, weir_in(call, 0), weir_int_at(weir_in(call, 2), 0));
}

static weir_status split_v_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0, concat_dys(grad, weir_grad_x(grad, 2)));
    return WEIR_OK;
}

const weir_op weir_op_split_v = {
    .name = "SplitV",
    .in = "value: T; size_splits: Tlen; split_dim: int32",
    .out = "output: num_split * T",
    .attrs = "num_split: int >= 1; T: type; Tlen: {int8, int32, int64} = DT_INT64",
    .host = "size_splits; split_dim",
    .infer = split_v_infer,
    .grad = split_v_grad,
    .kernels = {{WEIR_CPU, "*", split_v}},
};
