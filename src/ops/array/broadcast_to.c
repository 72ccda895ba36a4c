/* ops/array/broadcast_to.c - BroadcastTo: broadcasts a tensor to a larger shape. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

static weir_status infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0];
    weir_shape to;
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    WEIR_TRY(weir_infer_value_as_shape(infer, 1, &to));
    if (to.rank >= 0 && x->rank > to.rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Rank of input (%d) must be no greater than rank of output shape (%d).",
                          x->rank, to.rank);
    if (weir_infer_running(infer))
        WEIR_TRY(weir_shape_check(&to));
    for (int axis = 1; to.rank >= 0 && axis <= x->rank; axis++) {
        int64_t from = x->dims[x->rank - axis], *dim = &to.dims[to.rank - axis];
        if (from >= 0 && *dim >= 0 && from != 1 && from != *dim)
            return weir_error(WEIR_INVALID_ARGUMENT, "Incompatible shapes: %s vs. %s",
                              WEIR_SHAPE_STR(x), WEIR_SHAPE_STR(&to));
        if (*dim < 0 && from >= 0 && from != 1)
            *dim = from; /* only a dim of one can become another */
    }
    infer->out[0] = to;
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    weir_ndcopy_broadcast(&call->run->par, x->dtype, &y->shape, y->data, &x->shape, x->data);
    return WEIR_OK;
}

static weir_status grad(weir_grad *grad)
{
    weir_grad_set(grad, 0,
                  weir_grad_unbroadcast(grad, weir_grad_dy(grad, 0), weir_grad_x(grad, 0)));
    return WEIR_OK;
}

const weir_op weir_op_broadcast_to = {
    .name = "BroadcastTo",
    .in = "input: T; shape: Tidx",
    .out = "output: T",
    .attrs = "T: type; Tidx: {int32, int64} = DT_INT32",
    .host = "shape",
    .flags = WEIR_MAY_SHARE,
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
