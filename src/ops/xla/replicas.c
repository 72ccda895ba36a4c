/* ops/xla/replicas.c - TPUReplicatedInput, TPUReplicatedOutput, TPUReplicateMetadata,
 * TPUCompilationResult, TPUEmbeddingActivations, XlaReplicaId, SyncDevice.
 *
 * On a processor there is one replica: what goes to all of them goes to it, and there is nothing
 * to compile or to wait for.
 */
#include "ops/common/grads.h"
#include "ops/declare.h"

static weir_status replicas_infer(weir_infer *infer)
{
    for (int i = 0; i < infer->out_count; i++)
        infer->out[i] = *infer->in[0];
    if (infer->out_handles && infer->in_handles[0])
        for (int i = 0; i < infer->out_count; i++)
            infer->out_handles[i] = *infer->in_handles[0];
    return WEIR_OK;
}

static weir_status first_to_all(weir_call *call)
{
    for (int i = 0; i < call->site->out_count; i++)
        weir_call_forward(call, 0, i, NULL);
    return WEIR_OK;
}

#define REPLICAS                                                                                   \
    .infer = replicas_infer,                                                                       \
    .kernels = {{WEIR_CPU, "*", first_to_all, WEIR_OWN_OUTPUTS | WEIR_CHEAP}}
WEIR_DEFINE_OP(tpu_replicated_input, "TPUReplicatedInput", REPLICAS, .in = "inputs: N * T",
               .out = "output: T",
               .attrs = "N: int >= 1; T: type; is_mirrored_variable: bool = false; "
                        "index: int = -1; is_packed: bool = false");
WEIR_DEFINE_OP(tpu_replicated_output, "TPUReplicatedOutput", REPLICAS, .in = "input: T",
               .out = "outputs: num_replicas * T", .attrs = "num_replicas: int >= 1; T: type");

static weir_status nothing(weir_call *call)
{
    (void)call;
    return WEIR_OK;
}

WEIR_DEFINE_OP(tpu_replicate_metadata, "TPUReplicateMetadata", .infer = weir_infer_no_outputs,
               .kernels = {{WEIR_CPU, "*", nothing, WEIR_CHEAP}},
               .attrs = "num_replicas: int >= 0; num_cores_per_replica: int = 1; "
                        "topology: string = ''; use_tpu: bool = true; "
                        "device_assignment: list(int) = []; computation_shape: list(int) = []; "
                        "host_compute_core: list(string) = []; padding_map: list(string) = []; "
                        "step_marker_location: string = 'STEP_MARK_AT_ENTRY'; "
                        "allow_soft_placement: bool = false; "
                        "use_spmd_for_xla_partitioning: bool = false; "
                        "use_shardy_partitioner: bool = false; "
                        "tpu_compile_options_proto: string = ''");
WEIR_DEFINE_OP(sync_device, "SyncDevice", .infer = weir_infer_no_outputs, .flags = WEIR_STATEFUL,
               .kernels = {{WEIR_CPU, "*", nothing, WEIR_CHEAP}});

/* Zeros: an empty message, which says that compiling went well; the number of the replica. */
static weir_status zero(weir_call *call)
{
    memset(weir_out(call, 0)->data, 0, weir_dtype_size(weir_out(call, 0)->dtype));
    return WEIR_OK;
}

WEIR_DEFINE_OP(tpu_compilation_result, "TPUCompilationResult", .out = "output: string",
               .infer = weir_infer_scalar, .kernels = {{WEIR_CPU, "*", zero, WEIR_CHEAP}});
WEIR_DEFINE_OP(xla_replica_id, "XlaReplicaId", .out = "id: int32", .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", zero, WEIR_CHEAP}});

static weir_status activations_infer(weir_infer *infer)
{
    infer->out[0] = *infer->in[1];
    return WEIR_OK;
}

static weir_status activations(weir_call *call)
{
    weir_call_forward(call, 1, 0, NULL);
    return WEIR_OK;
}

WEIR_DEFINE_OP(tpu_embedding_activations, "TPUEmbeddingActivations",
               .in = "embedding_variable: float; sliced_activations: float", .out = "output: float",
               .attrs = "table_id: int >= 0; lookup_id: int >= 0", .infer = activations_infer,
               .kernels = {{WEIR_CPU, "*", activations, WEIR_OWN_OUTPUTS | WEIR_CHEAP}});
