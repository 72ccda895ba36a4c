/* ops/array/broadcast_to.c - BroadcastTo: a tensor repeated to a larger shape. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

static weir_status infer(weir_infer *i)
{
    const weir_shape *x = i->in[0];
    weir_shape to;
    WEIR_TRY(weir_infer_rank(i, 1, 1));
    WEIR_TRY(weir_infer_value_as_shape(i, 1, &to));
    if (to.rank >= 0 && x->rank > to.rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Rank of input (%d) must be no greater than rank of output shape (%d).",
                          x->rank, to.rank);
    if (weir_infer_running(i))
        WEIR_TRY(weir_shape_check(&to));
    for (int d = 1; to.rank >= 0 && d <= x->rank; d++) {
        int64_t from = x->dims[x->rank - d], *dim = &to.dims[to.rank - d];
        if (from >= 0 && *dim >= 0 && from != 1 && from != *dim)
            return weir_error(WEIR_INVALID_ARGUMENT, "Incompatible shapes: %s vs. %s",
                              WEIR_SHAPE_STR(x), WEIR_SHAPE_STR(&to));
        if (*dim < 0 && from >= 0 && from != 1)
            *dim = from; /* only a dim of one can become another */
    }
    i->out[0] = to;
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t xs[WEIR_MAX_RANK], ys[WEIR_MAX_RANK];
    int extra = y->shape.rank - x->shape.rank;
    weir_ndcopy c = {0};
    weir_shape_strides(&x->shape, xs);
    weir_shape_strides(&y->shape, ys);
    for (int d = 0; d < y->shape.rank; d++) {
        bool repeats = d < extra || x->shape.dims[d - extra] == 1;
        weir_ndcopy_add(&c, y->shape.dims[d], ys[d], repeats ? 0 : xs[d - extra]);
    }
    weir_ndcopy_run(&call->run->par, x->dtype, y->data, x->data, &c);
    return WEIR_OK;
}

static weir_status grad(weir_grad *g)
{
    weir_grad_set(g, 0, weir_grad_unbroadcast(g, weir_grad_dy(g, 0), weir_grad_x(g, 0)));
    return WEIR_OK;
}

const weir_op weir_op_broadcast_to = {
    .name = "BroadcastTo",
    .in = "input: T; shape: Tidx",
    .out = "output: T",
    .attrs = "T: type; Tidx: {int32, int64} = DT_INT32",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
