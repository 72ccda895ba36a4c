/* ops/array/roll.c - Roll: elements rotated along axes. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

static weir_status infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0], *shift = infer->in[1], *axis = infer->in[2];
    if (x->rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "input must be 1-D or higher");
    if (shift->rank > 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "shift must be a scalar or a 1-D vector. Found: %s",
                          WEIR_SHAPE_STR(shift));
    if (axis->rank > 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "axis must be a scalar or a 1-D vector. Found: %s",
                          WEIR_SHAPE_STR(axis));
    if (shift->rank >= 0 && axis->rank >= 0 && !weir_shape_compatible(shift, axis))
        return weir_error(WEIR_INVALID_ARGUMENT, "shift and axis must have the same size");
    infer->out[0] = *x;
    return WEIR_OK;
}

/* The shift of each dim, in [0, dim): shifts of the same axis add up. */
static weir_status read_shifts(weir_call *call, int64_t shifts[WEIR_MAX_RANK])
{
    const weir_shape *x = &weir_in(call, 0)->shape;
    const weir_tensor *shift = weir_in(call, 1), *axes = weir_in(call, 2);
    int64_t count = weir_tensor_count(axes);
    for (int64_t k = 0; k < count; k++) {
        int64_t axis = weir_int_at(axes, k);
        int64_t d = axis < 0 ? axis + x->rank : axis;
        if (d < 0 || d >= x->rank)
            return weir_error(WEIR_INVALID_ARGUMENT, "axis %" PRId64 " is out of range", axis);
        int64_t dim = x->dims[d] > 0 ? x->dims[d] : 1;
        shifts[d] = ((shifts[d] + weir_int_at(shift, k) % dim) % dim + dim) % dim;
    }
    return WEIR_OK;
}

/* Each rolled dim consists of two runs; the bits of |runs| select one per dim. */
static void copy_runs(weir_call *call, const int64_t *shifts, unsigned runs)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t strides[WEIR_MAX_RANK], src = 0, dst = 0;
    weir_ndcopy copy = {0};
    weir_shape_strides(&x->shape, strides);
    for (int axis = 0; axis < x->shape.rank; axis++) {
        int64_t dim = x->shape.dims[axis], s = shifts[axis];
        bool wraps = runs >> axis & 1; /* the last s elements move to the front */
        weir_ndcopy_add(&copy, wraps ? s : dim - s, strides[axis], strides[axis]);
        src += (wraps ? dim - s : 0) * strides[axis];
        dst += (wraps ? 0 : s) * strides[axis];
    }
    weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, dst), weir_at(x, src), &copy);
}

static weir_status run(weir_call *call)
{
    int64_t shifts[WEIR_MAX_RANK] = {0};
    unsigned rotated = 0;
    WEIR_TRY(read_shifts(call, shifts));
    for (int axis = 0; axis < weir_in(call, 0)->shape.rank; axis++)
        rotated |= shifts[axis] ? 1u << axis : 0;
    unsigned runs = 0;
    do { /* all subsets of the rolled dims */
        copy_runs(call, shifts, runs);
        runs = (runs - rotated) & rotated;
    } while (runs);
    return WEIR_OK;
}

static weir_status grad(weir_grad *grad)
{
    weir_edge back = weir_grad_neg(grad, weir_grad_x(grad, 1));
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "Roll",
                               WEIR_IN(weir_grad_dy(grad, 0), back, weir_grad_x(grad, 2)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_roll = {
    .name = "Roll",
    .in = "input: T; shift: Tshift; axis: Taxis",
    .out = "output: T",
    .attrs = "T: type; Tshift: {int32, int64}; Taxis: {int32, int64}",
    .host = "axis; shift",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
