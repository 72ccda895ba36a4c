/* ops/array/ensure_shape.c - EnsureShape: checks the shape of its input. */
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

enum { SHAPE };

static weir_status infer(weir_infer *infer)
{
    const weir_shape *want = weir_site_shape(infer->site, SHAPE);
    if (weir_infer_running(infer) && !weir_shape_compatible(want, infer->in[0]))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shape of tensor %s %s is not compatible with expected shape %s.",
                          infer->site->name, WEIR_SHAPE_STR(infer->in[0]), WEIR_SHAPE_STR(want));
    return weir_infer_merge(infer->in[0], want, &infer->out[0]);
}

static weir_status run(weir_call *call)
{
    weir_call_forward(call, 0, 0, NULL);
    return WEIR_OK;
}

const weir_op weir_op_ensure_shape = {
    .name = "EnsureShape",
    .in = "input: T",
    .out = "output: T",
    .attrs = "shape: shape; T: type",
    .flags = WEIR_MAY_SHARE,
    .infer = infer,
    .grad = weir_grad_identity,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};
