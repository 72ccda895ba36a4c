/* ops/array/identity.c - ops that forward their inputs; they differ in their gradients. */
#include "ops/common/grads.h"
#include "ops/declare.h"

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

/* Constants of TensorFlow's eager mode, as nodes of a graph. */
const weir_op weir_op_eager_const = {
    .name = "_EagerConst",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: type",
    .flags = WEIR_UNLISTED,
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
    .flags = WEIR_MAY_SHARE,
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

/* ---- ops inserted by compilers and debuggers ------------------------------------------------- */

#define HANDS_ON .infer = infer, .kernels = IDENTITY_KERNELS
#define ONE .in = "input: T", .out = "output: T"
#define DEBUG_COPY .attrs = "T: type; tensor_name: string = ''; debug_ops_spec: list(string) = []"
WEIR_DEFINE_OP(copy, "Copy", HANDS_ON, ONE, DEBUG_COPY, .flags = WEIR_ALLOWS_UNINITIALIZED);
WEIR_DEFINE_OP(copy_host, "CopyHost", HANDS_ON, ONE, DEBUG_COPY,
               .flags = WEIR_ALLOWS_UNINITIALIZED);

/* Without a destination these are the identity; Weir sends the values nowhere. */
static weir_status hand_on_unsent(weir_call *call)
{
    int urls = weir_opdef_attr(call->site->def, "debug_urls");
    if (call->site->attrs[urls].count > 0)
        return weir_error(WEIR_UNIMPLEMENTED, "%s %s: debug_urls are not supported",
                          call->site->op->name, call->site->name);
    return run(call);
}

#define DEBUG_IDENTITY                                                                             \
    ONE, .infer = infer, .kernels = {{WEIR_CPU, "*", hand_on_unsent, WEIR_OWN_OUTPUTS | WEIR_CHEAP}}
WEIR_DEFINE_OP(debug_identity, "DebugIdentity", DEBUG_IDENTITY, .flags = WEIR_ALLOWS_UNINITIALIZED,
               .attrs = "T: type; device_name: string = ''; tensor_name: string = ''; "
                        "debug_urls: list(string) = []; gated_grpc: bool = false");
WEIR_DEFINE_OP(debug_identity_v2, "DebugIdentityV2", DEBUG_IDENTITY, .flags = WEIR_STATEFUL,
               .attrs = "T: type; tfdbg_context_id: string = ''; op_name: string = ''; "
                        "output_slot: int = -1; tensor_debug_mode: int = -1; "
                        "debug_urls: list(string) = []; circular_buffer_size: int = 1000; "
                        "tfdbg_run_id: string = ''");
WEIR_DEFINE_OP(debug_identity_v3, "DebugIdentityV3", DEBUG_IDENTITY,
               .flags = WEIR_STATEFUL | WEIR_ALLOWS_UNINITIALIZED,
               .attrs = "T: type; device_name: string = ''; tensor_name: string = ''; "
                        "io_of_node: string = ''; is_input: bool = false; io_index: int = -1; "
                        "debug_urls: list(string) = []; gated_grpc: bool = false");

WEIR_DEFINE_OP(xla_optimization_barrier, "XlaOptimizationBarrier", HANDS_ON, ONE,
               .attrs = "T: list(type) >= 0", .grad = identity_n_grad);
WEIR_DEFINE_OP(xla_sharding, "XlaSharding", HANDS_ON, ONE, .grad = weir_grad_identity,
               .attrs = "T: type; sharding: string = ''; unspecified_dims: list(int) = []");
WEIR_DEFINE_OP(xla_spmd_full_to_shard_shape, "XlaSpmdFullToShardShape", HANDS_ON, ONE,
               .attrs = "T: type; manual_sharding: string; dim: int = -1; "
                        "unspecified_dims: list(int) = []");
WEIR_DEFINE_OP(xla_spmd_shard_to_full_shape, "XlaSpmdShardToFullShape", HANDS_ON, ONE,
               .attrs = "T: type; manual_sharding: string; full_shape: shape; dim: int = -1; "
                        "unspecified_dims: list(int) = []");
WEIR_DEFINE_OP(xla_cluster_output, "XlaClusterOutput", HANDS_ON, .in = "input: T",
               .out = "outputs: T", .attrs = "T: type");
WEIR_DEFINE_OP(xla_remove_dynamic_dimension_size, "XlaRemoveDynamicDimensionSize", HANDS_ON,
               .in = "input: T; dim_index: int32", .out = "output: T", .attrs = "T: type");
WEIR_DEFINE_OP(xla_set_bound, "XlaSetBound", HANDS_ON, .in = "input: int32; bound: int32",
               .out = "output: int32");
