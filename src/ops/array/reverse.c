/* ops/array/reverse.c - Reverse, ReverseV2: elements in reverse order along axes. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

static weir_status reverse(weir_call *call, const bool back[WEIR_MAX_RANK])
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t strides[WEIR_MAX_RANK], at = 0;
    weir_ndcopy copy = {0};
    weir_shape_strides(&x->shape, strides);
    if (weir_tensor_count(x) == 0)
        return WEIR_OK;
    for (int axis = 0; axis < x->shape.rank; axis++) {
        weir_ndcopy_add(&copy, x->shape.dims[axis], strides[axis],
                        back[axis] ? -strides[axis] : strides[axis]);
        at += back[axis] ? (x->shape.dims[axis] - 1) * strides[axis] : 0;
    }
    weir_ndcopy_run(&call->run->par, x->dtype, y->data, weir_at(x, at), &copy);
    return WEIR_OK;
}

/* dx = dy, reversed the same way. */
static weir_status grad_by(weir_grad *grad, const char *op)
{
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, op, WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 1)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

/* ---- Reverse: one flag per axis -------------------------------------------------------------- */

static weir_status flags_infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0], *dims = infer->in[1];
    if (dims->rank >= 0 && dims->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "'dims' must be 1-dimension, not %d", dims->rank);
    int64_t count = weir_infer_dim(infer, 1, 0);
    if (x->rank >= 0 && count >= 0 && x->rank != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "'dims' must have the same number of values as 'input' has dimensions. "
                          "'input' has %d'dims' has %" PRId64 " values",
                          x->rank, count);
    if (x->rank > 8 || count > 8)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "reverse does not work on tensors with more than 8 dimensions");
    infer->out[0] = x->rank < 0 && count >= 0 ? weir_shape_of_rank((int)count) : *x;
    return WEIR_OK;
}

static weir_status reverse_flags(weir_call *call)
{
    bool back[WEIR_MAX_RANK] = {false};
    for (int axis = 0; axis < weir_in(call, 0)->shape.rank; axis++)
        back[axis] = ((const bool *)weir_in(call, 1)->data)[axis];
    return reverse(call, back);
}

static weir_status flags_grad(weir_grad *grad)
{
    return grad_by(grad, "Reverse");
}

const weir_op weir_op_reverse = {
    .name = "Reverse",
    .in = "tensor: T; dims: bool",
    .out = "output: T",
    .attrs = "T: {uint8, int8, uint16, int16, uint32, int32, uint64, int64, bool, bfloat16, half, "
             "float, double, complex64, complex128, string}",
    .host = "dims",
    .infer = flags_infer,
    .grad = flags_grad,
    .kernels = {{WEIR_CPU, "*", reverse_flags}},
};

/* ---- ReverseV2: a list of axes --------------------------------------------------------------- */

static weir_status read_axes(const weir_tensor *axes, int rank, bool back[WEIR_MAX_RANK])
{
    int64_t count = weir_tensor_count(axes);
    for (int64_t k = 0; k < count; k++) {
        int64_t axis = weir_int_at(axes, k), at = axis < 0 ? axis + rank : axis;
        if (at < 0 || at >= rank)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "'axis'[%" PRId64 "] = %" PRId64 " is out of valid range [0, %d", k,
                              axis, rank - 1);
        if (back[at])
            return weir_error(WEIR_INVALID_ARGUMENT, "axis %" PRId64 " specified more than once.",
                              at);
        back[at] = true;
    }
    return WEIR_OK;
}

static weir_status axes_infer(weir_infer *infer)
{
    const weir_tensor *axes = weir_infer_value(infer, 1);
    bool back[WEIR_MAX_RANK] = {false};
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    infer->out[0] = *infer->in[0];
    return axes && infer->in[0]->rank >= 0 ? read_axes(axes, infer->in[0]->rank, back) : WEIR_OK;
}

static weir_status reverse_axes(weir_call *call)
{
    bool back[WEIR_MAX_RANK] = {false};
    WEIR_TRY(read_axes(weir_in(call, 1), weir_in(call, 0)->shape.rank, back));
    return reverse(call, back);
}

static weir_status axes_grad(weir_grad *grad)
{
    return grad_by(grad, "ReverseV2");
}

const weir_op weir_op_reverse_v2 = {
    .name = "ReverseV2",
    .in = "tensor: T; axis: Tidx",
    .out = "output: T",
    .attrs =
        "Tidx: {int32, int64} = DT_INT32; T: {uint8, int8, uint16, int16, int32, uint32, int64, "
        "uint64, bool, bfloat16, half, float, double, complex64, complex128, string}",
    .host = "axis",
    .infer = axes_infer,
    .grad = axes_grad,
    .kernels = {{WEIR_CPU, "*", reverse_axes}},
};
