/* ops/xla/replicas.c - TPUReplicatedInput, TPUReplicatedOutput, TPUReplicateMetadata,
 * TPUCompilationResult, TPUEmbeddingActivations, XlaReplicaId, SyncDevice, CrossReplicaSum,
 * AllToAll, CollectivePermute, XlaAllReduce, XlaReduceScatter, TPUDummyInput and small answers.
 *
 * On a CPU there is one replica, which receives everything, and nothing to compile or to wait
 * for.
 */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "tensor/tstring.h"

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

/* Zeros: an empty message, which means successful compilation; the replica's id. */
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

/* ---- exchanges between replicas, of which there is one ----------------------------------------
 */

/* Each group has one member, so an exchange is the identity. */
static weir_status alone(weir_call *call)
{
    const weir_tensor *groups = weir_in(call, 1);
    if (groups->shape.rank != 2 || (weir_tensor_count(groups) && groups->shape.dims[1] != 1))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s: groups of shape %s, but there is one replica on a processor",
                          call->site->op->name, WEIR_SHAPE_STR(&groups->shape));
    weir_call_forward(call, 0, 0, NULL);
    return WEIR_OK;
}

/* A replica that sends to itself keeps its value; one that receives nothing gets zeros. */
static weir_status permute(weir_call *call)
{
    const weir_tensor *pairs = weir_in(call, 1), *x = weir_in(call, 0);
    bool kept = false;
    if (pairs->shape.rank != 2 || pairs->shape.dims[1] != 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "source_target_pairs must have the shape [n, 2]");
    for (int64_t i = 0; i < weir_tensor_count(pairs); i++)
        if (((const int32_t *)pairs->data)[i] != 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "there is one replica on a processor, 0");
        else
            kept = true;
    if (kept) {
        weir_call_forward(call, 0, 0, NULL);
        return WEIR_OK;
    }
    WEIR_TRY(weir_call_alloc(call, 0, &x->shape));
    weir_tensor_zero(&call->run->par, weir_out(call, 0));
    return WEIR_OK;
}

#define EXCHANGE(kernel)                                                                           \
    .out = "output: T", .infer = weir_infer_same_shape,                                            \
    .kernels = {{WEIR_CPU, "*", kernel, WEIR_OWN_OUTPUTS | WEIR_CHEAP}}
#define GROUPED .in = "input: T; group_assignment: int32"
#define NUMBERS                                                                                    \
    "float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "          \
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64"
#define REDUCTIONS                                                                                 \
    "T: {half, bfloat16, float, int32, uint32}; "                                                  \
    "reduce_op: {'Min', 'Max', 'Mul', 'Add', 'Mean'}"
WEIR_DEFINE_OP(cross_replica_sum, "CrossReplicaSum", EXCHANGE(alone), GROUPED,
               .attrs = "T: {half, bfloat16, float, double, int32, uint32}", .flags = WEIR_STATEFUL,
               .grad = weir_grad_identity);
WEIR_DEFINE_OP(all_to_all, "AllToAll", EXCHANGE(alone), GROUPED, .flags = WEIR_STATEFUL,
               .attrs = "T: {" NUMBERS ", bool}; concat_dimension: int; split_dimension: int; "
                        "split_count: int");
WEIR_DEFINE_OP(collective_permute, "CollectivePermute", EXCHANGE(permute), .flags = WEIR_STATEFUL,
               .in = "input: T; source_target_pairs: int32", .attrs = "T: {" NUMBERS "}");
WEIR_DEFINE_OP(xla_all_reduce, "XlaAllReduce", EXCHANGE(alone), GROUPED,
               .attrs = REDUCTIONS "; mode: {'CrossReplica', 'CrossReplicaAndPartition'}");
WEIR_DEFINE_OP(xla_reduce_scatter, "XlaReduceScatter", EXCHANGE(alone), .attrs = REDUCTIONS,
               .in = "input: T; group_assignment: int32; scatter_dimension: int32");

/* ---- small answers --------------------------------------------------------------------------- */

WEIR_DEFINE_OP(is_tpu_embedding_initialized, "IsTPUEmbeddingInitialized",
               .out = "is_tpu_embedding_initialized: bool", .attrs = "config: string = ''",
               .flags = WEIR_STATEFUL, .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", zero, WEIR_CHEAP}});
WEIR_DEFINE_OP(tpu_round_robin, "TPURoundRobin", .out = "device_ordinal: int32",
               .flags = WEIR_STATEFUL, .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", zero, WEIR_CHEAP}});

/* A status is a message: an empty one means success. */
static weir_status assert_compiled(weir_call *call)
{
    const weir_tensor *status = weir_in(call, 0);
    for (int64_t i = 0; i < weir_tensor_count(status); i++)
        if (weir_tstring_get((const weir_tstring *)status->data + i).length)
            return weir_error(WEIR_INVALID_ARGUMENT, "the compilation failed");
    return WEIR_OK;
}

WEIR_DEFINE_OP(tpu_compile_succeeded_assert, "TPUCompileSucceededAssert",
               .in = "compilation_status: string", .flags = WEIR_STATEFUL,
               .infer = weir_infer_no_outputs,
               .kernels = {{WEIR_CPU, "*", assert_compiled, WEIR_CHEAP}});

static weir_status each_to_own(weir_call *call)
{
    for (int i = 0; i < call->site->out_count; i++)
        weir_call_forward(call, i, i, NULL);
    return WEIR_OK;
}

static weir_status each_infer(weir_infer *infer)
{
    for (int i = 0; i < infer->out_count; i++)
        infer->out[i] = *infer->in[i];
    return WEIR_OK;
}

WEIR_DEFINE_OP(tpu_annotate_tensors_with_dynamic_shape, "TPUAnnotateTensorsWithDynamicShape",
               .in = "tensors: T", .out = "tpu_tensors: T", .attrs = "T: list(type) >= 1",
               .flags = WEIR_STATEFUL, .infer = each_infer,
               .kernels = {{WEIR_CPU, "*", each_to_own, WEIR_OWN_OUTPUTS | WEIR_CHEAP}});

static weir_status dummy(weir_call *call)
{
    const weir_shape *shape = weir_site_shape(call->site, 1);
    if (!weir_shape_known(shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "the shape must be known");
    WEIR_TRY(weir_shape_check(shape));
    WEIR_TRY(weir_call_alloc(call, 0, shape));
    weir_tensor_zero(&call->run->par, weir_out(call, 0));
    return WEIR_OK;
}

static weir_status dummy_infer(weir_infer *infer)
{
    infer->out[0] = *weir_site_shape(infer->site, 1);
    return WEIR_OK;
}

WEIR_DEFINE_OP(tpu_dummy_input, "TPUDummyInput", .out = "output: dtype",
               .attrs = "dtype: {float, bfloat16}; shape: shape", .flags = WEIR_STATEFUL,
               .infer = dummy_infer, .kernels = {{WEIR_CPU, "*", dummy, WEIR_OWN_OUTPUTS}});
