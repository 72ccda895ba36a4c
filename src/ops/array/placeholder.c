/* ops/array/placeholder.c - Placeholder, PlaceholderV2, PlaceholderWithDefault: fed values. */
#include "ops/common/grads.h"

enum { DTYPE, SHAPE };

/* A scalar shape means a scalar, though in graphs before version 24 it meant "unknown". */
static weir_status infer(weir_infer *infer)
{
    infer->out[0] = *weir_site_shape(infer->site, SHAPE);
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_site *site = call->site;
    const weir_shape *shape = weir_site_shape(site, SHAPE);
    const char *dtype = weir_dtype_name(weir_site_type(site, DTYPE));
    if (shape->rank < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "You must feed a value for placeholder tensor '%s' with dtype %s",
                          site->name, dtype);
    return weir_error(
        WEIR_INVALID_ARGUMENT,
        "You must feed a value for placeholder tensor '%s' with dtype %s and shape %s", site->name,
        dtype, WEIR_SHAPE_STR(shape));
}

const weir_op weir_op_placeholder = {
    .name = "Placeholder",
    .out = "output: dtype",
    .attrs = "dtype: type; shape: shape = unknown",
    .flags = WEIR_NO_FOLD | WEIR_NO_EFFECT,
    .infer = infer,
    .no_grad = true,
    .flow = WEIR_FLOW_PLACEHOLDER,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

const weir_op weir_op_placeholder_v2 = {
    .name = "PlaceholderV2",
    .out = "output: dtype",
    .attrs = "dtype: type; shape: shape",
    .flags = WEIR_NO_FOLD | WEIR_NO_EFFECT,
    .deprecated_at = 23,
    .deprecation = "Placeholder now behaves the same as PlaceholderV2.",
    .infer = infer,
    .no_grad = true,
    .flow = WEIR_FLOW_PLACEHOLDER,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

/* The declared shape constrains feeds; the default must match it, and inference uses the declared
 * shape only. */
static weir_status infer_with_default(weir_infer *infer)
{
    weir_shape merged;
    WEIR_TRY(weir_infer_merge(infer->in[0], weir_site_shape(infer->site, SHAPE), &merged));
    infer->out[0] = *weir_site_shape(infer->site, SHAPE);
    return WEIR_OK;
}

static weir_status run_with_default(weir_call *call)
{
    weir_call_forward(call, 0, 0, NULL);
    return WEIR_OK;
}

const weir_op weir_op_placeholder_with_default = {
    .name = "PlaceholderWithDefault",
    .in = "input: dtype",
    .out = "output: dtype",
    .attrs = "dtype: type; shape: shape",
    .flags = WEIR_NO_FOLD | WEIR_NO_EFFECT,
    .infer = infer_with_default,
    .grad = weir_grad_identity,
    .kernels = {{WEIR_CPU, "*", run_with_default, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};
