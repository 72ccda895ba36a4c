/* ops/array/identity.c - ops whose outputs are their inputs; they differ in their gradients. */
#include "ops/common/grads.h"

static weir_status infer(weir_infer *infer)
{
    for (int k = 0; k < infer->out_count; k++) {
        infer->out[k] = *infer->in[k];
        if (infer->out_handles && infer->in_handles && infer->in_handles[k])
            infer->out_handles[k] = *infer->in_handles[k];
    }
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    for (int k = 0; k < call->site->out_count; k++)
        weir_call_forward(call, k, k, NULL);
    return WEIR_OK;
}

#define IDENTITY_KERNELS                                                                           \
    {                                                                                              \
        {                                                                                          \
            WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP                                      \
        }                                                                                          \
    }

const weir_op weir_op_identity = {
    .name = "Identity",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: type",
    .infer = infer,
    .grad = weir_grad_identity,
    .flow = WEIR_FLOW_IDENTITY,
    .kernels = IDENTITY_KERNELS,
};

/* What constants of TensorFlow's eager mode become in a graph. */
const weir_op weir_op_eager_const = {
    .name = "_EagerConst",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: type",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer,
    .grad = weir_grad_identity,
    .flow = WEIR_FLOW_IDENTITY,
    .kernels = IDENTITY_KERNELS,
};

static weir_status identity_n_grad(weir_grad *grad)
{
    for (int k = 0; k < weir_grad_site(grad)->out_count; k++)
        if (weir_grad_has_dy(grad, k))
            weir_grad_pass(grad, k, k);
    return WEIR_OK;
}

const weir_op weir_op_identity_n = {
    .name = "IdentityN",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: list(type) >= 1",
    .infer = infer,
    .grad = identity_n_grad,
    .flow = WEIR_FLOW_IDENTITY_N,
    .kernels = IDENTITY_KERNELS,
};

const weir_op weir_op_stop_gradient = {
    .name = "StopGradient",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: type",
    .infer = infer,
    .no_grad = true,
    .flow = WEIR_FLOW_FORWARD,
    .kernels = IDENTITY_KERNELS,
};

static weir_status prevent_gradient_grad(weir_grad *grad)
{
    weir_str message = weir_site_str(weir_grad_site(grad), 1);
    return weir_error(WEIR_INVALID_ARGUMENT, "Gradient explicitly disabled. Reason: b'%.*s'",
                      WEIR_STR_ARG(message));
}

const weir_op weir_op_prevent_gradient = {
    .name = "PreventGradient",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: type; message: string = \"\"",
    .infer = infer,
    .grad = prevent_gradient_grad,
    .flow = WEIR_FLOW_FORWARD,
    .kernels = IDENTITY_KERNELS,
};

const weir_op weir_op_snapshot = {
    .name = "Snapshot",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: type",
    .infer = infer,
    .kernels = IDENTITY_KERNELS,
};

const weir_op weir_op_guarantee_const = {
    .name = "GuaranteeConst",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: type",
    .flags = WEIR_STATEFUL,
    .infer = infer,
    .grad = weir_grad_identity,
    .kernels = IDENTITY_KERNELS,
};

const weir_op weir_op_debug_gradient_identity = {
    .name = "DebugGradientIdentity",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: type",
    .flags = WEIR_ALLOWS_UNINITIALIZED,
    .infer = infer,
    .grad = weir_grad_identity,
    .kernels = IDENTITY_KERNELS,
};
