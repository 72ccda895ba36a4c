/* ops/array/expand_dims.c - ExpandDims: inserts a dimension of one. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

static weir_status expand(const weir_shape *x, int64_t dim, weir_shape *y)
{
    if (dim < -1 - x->rank || dim > x->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Tried to expand dim index %" PRId64 " for tensor with %d dimensions.",
                          dim, x->rank);
    if (dim < 0)
        dim += x->rank + 1;
    y->rank = 0;
    for (int axis = 0; axis <= x->rank; axis++) {
        if (axis == dim)
            WEIR_TRY(weir_infer_append(y, 1));
        if (axis < x->rank)
            WEIR_TRY(weir_infer_append(y, x->dims[axis]));
    }
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    int64_t dim;
    const weir_tensor *value = weir_infer_value(infer, 1);
    if (value && weir_tensor_count(value) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "'dim' input must be a tensor with a single value");
    if (infer->in[0]->rank < 0)
        return WEIR_OK;
    if (weir_infer_value_int(infer, 1, &dim))
        return expand(infer->in[0], dim, &infer->out[0]);
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    weir_shape shape;
    WEIR_TRY(expand(&weir_in(call, 0)->shape, weir_int_at(weir_in(call, 1), 0), &shape));
    weir_call_forward(call, 0, 0, &shape);
    return WEIR_OK;
}

const weir_op weir_op_expand_dims = {
    .name = "ExpandDims",
    .in = "input: T; dim: Tdim",
    .out = "output: T",
    .attrs = "T: type; Tdim: {int32, int64} = DT_INT32",
    .host = "dim",
    .flags = WEIR_MAY_SHARE,
    .infer = infer,
    .grad = weir_grad_reshape_back,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};
