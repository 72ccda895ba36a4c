/* ops/array/const.c - Const, HostConst: a tensor stored in the node. */
#include "ops/declare.h"

enum { VALUE, DTYPE };

static weir_status infer(weir_infer *infer)
{
    const weir_tensor *value = infer->site->attrs[VALUE].tensor;
    weir_dtype dtype = weir_site_type(infer->site, DTYPE);
    if (value->dtype != dtype)
        return weir_error(WEIR_INVALID_ARGUMENT, "Type mismatch between value (%s) and dtype (%s)",
                          weir_dtype_name(value->dtype), weir_dtype_name(dtype));
    infer->out[0] = value->shape;
    return WEIR_OK;
}

/* The node holds a reference, so no kernel reuses the constant's buffer. */
static weir_status run(weir_call *call)
{
    weir_call_set(call, 0, weir_tensor_share(call->site->attrs[VALUE].tensor));
    return WEIR_OK;
}

const weir_op weir_op_const = {
    .name = "Const",
    .out = "output: dtype",
    .attrs = "value: tensor; dtype: type",
    .infer = infer,
    .no_grad = true,
    .flow = WEIR_FLOW_CONST,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

WEIR_DEFINE_OP(host_const, "HostConst", .out = "output: dtype",
               .attrs = "value: tensor; dtype: type", .infer = infer, .no_grad = true,
               .host = "output", .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP}});
