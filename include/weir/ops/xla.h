/* weir/ops/xla.h - what graphs for XLA and TPUs contain and processors can compute.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_XLA_OPS_H
#define WEIR_XLA_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AllToAll(input: T, group_assignment: int32) -> output: T. T: float, double, int32, uint8, int16,
 * int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128,
 * half, uint32, uint64, bool. */
static inline TF_Output weir_all_to_all(weir_builder *builder, const char *node, TF_Output input,
                                        TF_Output group_assignment, int64_t concat_dimension,
                                        int64_t split_dimension, int64_t split_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AllToAll", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, group_assignment);
    if (made) {
        TF_SetAttrInt(made, "concat_dimension", concat_dimension);
        TF_SetAttrInt(made, "split_dimension", split_dimension);
        TF_SetAttrInt(made, "split_count", split_count);
    }
    return weir_build_end(builder, made);
}

/* AssignVariableXlaConcatND(resource: resource, inputs: N * T). */
typedef struct weir_assign_variable_xla_concat_nd_options {
    const int64_t *paddings;
    int paddings_count; /* null: [] */
} weir_assign_variable_xla_concat_nd_options;
static inline TF_Operation *
weir_assign_variable_xla_concat_nd(weir_builder *builder, const char *node, TF_Output resource,
                                   const TF_Output *inputs, int inputs_count,
                                   const int64_t *num_concats, int num_concats_count,
                                   const weir_assign_variable_xla_concat_nd_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AssignVariableXlaConcatND", node);
    weir_build_input(builder, made, resource);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made) {
        TF_SetAttrIntList(made, "num_concats", num_concats, num_concats_count);
    }
    if (made && options) {
        if (options->paddings)
            TF_SetAttrIntList(made, "paddings", options->paddings, options->paddings_count);
    }
    return weir_build_end(builder, made).oper;
}

/* CollectiveAssignGroupV2(group_assignment: int32, device_index: int32, base_key: int32) ->
 * group_size: int32, group_key: int32: layouts of tensors and exchanges between devices. */
typedef struct weir_collective_assign_group_v2_outputs {
    TF_Output group_size;
    TF_Output group_key;
} weir_collective_assign_group_v2_outputs;
static inline weir_collective_assign_group_v2_outputs
weir_collective_assign_group_v2(weir_builder *builder, const char *node, TF_Output group_assignment,
                                TF_Output device_index, TF_Output base_key)
{
    const TF_Output inputs[] = {group_assignment, device_index, base_key};
    TF_Operation *op = weir_build_op(builder, "CollectiveAssignGroupV2", node, inputs, 3).oper;
    weir_collective_assign_group_v2_outputs out;
    out.group_size = weir_output(op, 0);
    out.group_key = weir_output(op, 1);
    return out;
}

/* CollectivePermute(input: T, source_target_pairs: int32) -> output: T. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
static inline TF_Output weir_collective_permute(weir_builder *builder, const char *node,
                                                TF_Output input, TF_Output source_target_pairs)
{
    const TF_Output inputs[] = {input, source_target_pairs};
    return weir_build_op(builder, "CollectivePermute", node, inputs, 2);
}

/* CopyToMesh(input: T) -> output: T: layouts of tensors and exchanges between devices. */
static inline TF_Output weir_copy_to_mesh(weir_builder *builder, const char *node, TF_Output input,
                                          const char *mesh)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CopyToMesh", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_string(made, "mesh", mesh);
    }
    return weir_build_end(builder, made);
}

/* CopyToMeshGrad(input: T, forward_input: T) -> output: T: layouts of tensors and exchanges between
 * devices. */
static inline TF_Output weir_copy_to_mesh_grad(weir_builder *builder, const char *node,
                                               TF_Output input, TF_Output forward_input)
{
    const TF_Output inputs[] = {input, forward_input};
    return weir_build_op(builder, "CopyToMeshGrad", node, inputs, 2);
}

/* CrossReplicaSum(input: T, group_assignment: int32) -> output: T. T: half, bfloat16, float,
 * double, int32, uint32. */
static inline TF_Output weir_cross_replica_sum(weir_builder *builder, const char *node,
                                               TF_Output input, TF_Output group_assignment)
{
    const TF_Output inputs[] = {input, group_assignment};
    return weir_build_op(builder, "CrossReplicaSum", node, inputs, 2);
}

/* IsTPUEmbeddingInitialized() -> is_tpu_embedding_initialized: bool. */
typedef struct weir_is_tpu_embedding_initialized_options {
    const char *config; /* null: '' */
} weir_is_tpu_embedding_initialized_options;
static inline TF_Output
weir_is_tpu_embedding_initialized(weir_builder *builder, const char *node,
                                  const weir_is_tpu_embedding_initialized_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IsTPUEmbeddingInitialized", node);
    if (made && options) {
        if (options->config)
            weir_attr_string(made, "config", options->config);
    }
    return weir_build_end(builder, made);
}

/* NcclAllReduce(input: T) -> data: T: layouts of tensors and exchanges between devices. reduction:
 * 'min', 'max', 'prod', 'sum'. T: half, float, double, int32, int64. */
static inline TF_Output weir_nccl_all_reduce(weir_builder *builder, const char *node,
                                             TF_Output input, const char *reduction,
                                             int64_t num_devices, const char *shared_name)
{
    TF_OperationDescription *made = weir_build_begin(builder, "NcclAllReduce", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_string(made, "reduction", reduction);
        TF_SetAttrInt(made, "num_devices", num_devices);
        weir_attr_string(made, "shared_name", shared_name);
    }
    return weir_build_end(builder, made);
}

/* NcclBroadcast(input: T) -> output: T: layouts of tensors and exchanges between devices. T: half,
 * float, double, int32, int64. */
static inline TF_Output weir_nccl_broadcast(weir_builder *builder, const char *node,
                                            TF_Output input, const weir_dims *shape)
{
    TF_OperationDescription *made = weir_build_begin(builder, "NcclBroadcast", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_shape(made, "shape", shape);
    }
    return weir_build_end(builder, made);
}

/* NcclReduce(input: num_devices * T) -> data: T: layouts of tensors and exchanges between devices.
 * reduction: 'min', 'max', 'prod', 'sum'. T: half, float, double, int32, int64. */
static inline TF_Output weir_nccl_reduce(weir_builder *builder, const char *node,
                                         const TF_Output *input, int input_count,
                                         const char *reduction)
{
    TF_OperationDescription *made = weir_build_begin(builder, "NcclReduce", node);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        weir_attr_string(made, "reduction", reduction);
    }
    return weir_build_end(builder, made);
}

/* ReadVariableXlaSplitND(resource: resource) -> outputs: N * T. */
typedef struct weir_read_variable_xla_split_nd_options {
    const int64_t *paddings;
    int paddings_count; /* null: [] */
} weir_read_variable_xla_split_nd_options;
static inline weir_outputs
weir_read_variable_xla_split_nd(weir_builder *builder, const char *node, TF_Output resource,
                                TF_DataType T, int64_t N, const int64_t *num_splits,
                                int num_splits_count,
                                const weir_read_variable_xla_split_nd_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ReadVariableXlaSplitND", node);
    weir_build_input(builder, made, resource);
    if (made) {
        TF_SetAttrType(made, "T", T);
        TF_SetAttrInt(made, "N", N);
        TF_SetAttrIntList(made, "num_splits", num_splits, num_splits_count);
    }
    if (made && options) {
        if (options->paddings)
            TF_SetAttrIntList(made, "paddings", options->paddings, options->paddings_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "outputs", 0);
}

/* Relayout(input: T) -> output: T: layouts of tensors and exchanges between devices. */
static inline TF_Output weir_relayout(weir_builder *builder, const char *node, TF_Output input,
                                      const char *layout)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Relayout", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_string(made, "layout", layout);
    }
    return weir_build_end(builder, made);
}

/* RelayoutLike(input: T, layout_input: U) -> output: T: layouts of tensors and exchanges between
 * devices. */
static inline TF_Output weir_relayout_like(weir_builder *builder, const char *node, TF_Output input,
                                           TF_Output layout_input)
{
    const TF_Output inputs[] = {input, layout_input};
    return weir_build_op(builder, "RelayoutLike", node, inputs, 2);
}

/* RiscSort(input: T, axis: Index) -> output: T. Index: int32, int64. T: bfloat16, half, float,
 * double. direction: 'ASCENDING', 'DESCENDING'. */
static inline TF_Output weir_risc_sort(weir_builder *builder, const char *node, TF_Output input,
                                       TF_Output axis, const char *direction)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscSort", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, axis);
    if (made) {
        weir_attr_string(made, "direction", direction);
    }
    return weir_build_end(builder, made);
}

/* SyncDevice(). */
static inline TF_Operation *weir_sync_device(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "SyncDevice", node, NULL, 0).oper;
}

/* TPUAnnotateTensorsWithDynamicShape(tensors: T) -> tpu_tensors: T. */
static inline weir_outputs weir_tpu_annotate_tensors_with_dynamic_shape(weir_builder *builder,
                                                                        const char *node,
                                                                        const TF_Output *tensors,
                                                                        int tensors_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "TPUAnnotateTensorsWithDynamicShape", node);
    weir_build_input_list(builder, made, tensors, tensors_count);
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "tpu_tensors", 0);
}

/* TPUCompilationResult() -> output: string. */
static inline TF_Output weir_tpu_compilation_result(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "TPUCompilationResult", node, NULL, 0);
}

/* TPUCompileSucceededAssert(compilation_status: string). */
static inline TF_Operation *weir_tpu_compile_succeeded_assert(weir_builder *builder,
                                                              const char *node,
                                                              TF_Output compilation_status)
{
    const TF_Output inputs[] = {compilation_status};
    return weir_build_op(builder, "TPUCompileSucceededAssert", node, inputs, 1).oper;
}

/* TPUDummyInput() -> output: dtype. dtype: float, bfloat16. */
static inline TF_Output weir_tpu_dummy_input(weir_builder *builder, const char *node,
                                             TF_DataType dtype, const weir_dims *shape)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TPUDummyInput", node);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
        weir_attr_shape(made, "shape", shape);
    }
    return weir_build_end(builder, made);
}

/* TPUEmbeddingActivations(embedding_variable: float, sliced_activations: float) -> output: float.
 * */
static inline TF_Output weir_tpu_embedding_activations(weir_builder *builder, const char *node,
                                                       TF_Output embedding_variable,
                                                       TF_Output sliced_activations,
                                                       int64_t table_id, int64_t lookup_id)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TPUEmbeddingActivations", node);
    weir_build_input(builder, made, embedding_variable);
    weir_build_input(builder, made, sliced_activations);
    if (made) {
        TF_SetAttrInt(made, "table_id", table_id);
        TF_SetAttrInt(made, "lookup_id", lookup_id);
    }
    return weir_build_end(builder, made);
}

/* TPUPartitionedInput(inputs: N * T) -> output: T: splits tensors into a grid of equal parts, and
 * concatenates these. */
typedef struct weir_tpu_partitioned_input_options {
    int64_t partition_dim;
} weir_tpu_partitioned_input_options;
static inline TF_Output
weir_tpu_partitioned_input(weir_builder *builder, const char *node, const TF_Output *inputs,
                           int inputs_count, const weir_tpu_partitioned_input_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TPUPartitionedInput", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made && options) {
        TF_SetAttrInt(made, "partition_dim", options->partition_dim);
    }
    return weir_build_end(builder, made);
}

/* TPUPartitionedInputV2(inputs: N * T) -> output: T: splits tensors into a grid of equal parts, and
 * concatenates these. */
typedef struct weir_tpu_partitioned_input_v2_options {
    bool is_packed;
} weir_tpu_partitioned_input_v2_options;
static inline TF_Output
weir_tpu_partitioned_input_v2(weir_builder *builder, const char *node, const TF_Output *inputs,
                              int inputs_count, const int64_t *partition_dims,
                              int partition_dims_count,
                              const weir_tpu_partitioned_input_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TPUPartitionedInputV2", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made) {
        TF_SetAttrIntList(made, "partition_dims", partition_dims, partition_dims_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "is_packed", options->is_packed);
    }
    return weir_build_end(builder, made);
}

/* TPUPartitionedOutput(inputs: T) -> output: num_splits * T: splits tensors into a grid of equal
 * parts, and concatenates these. */
typedef struct weir_tpu_partitioned_output_options {
    int64_t partition_dim;
} weir_tpu_partitioned_output_options;
static inline weir_outputs
weir_tpu_partitioned_output(weir_builder *builder, const char *node, TF_Output inputs,
                            int64_t num_splits, const weir_tpu_partitioned_output_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TPUPartitionedOutput", node);
    weir_build_input(builder, made, inputs);
    if (made) {
        TF_SetAttrInt(made, "num_splits", num_splits);
    }
    if (made && options) {
        TF_SetAttrInt(made, "partition_dim", options->partition_dim);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* TPUPartitionedOutputV2(inputs: T) -> output: num_splits * T: splits tensors into a grid of equal
 * parts, and concatenates these. */
static inline weir_outputs weir_tpu_partitioned_output_v2(weir_builder *builder, const char *node,
                                                          TF_Output inputs, int64_t num_splits,
                                                          const int64_t *partition_dims,
                                                          int partition_dims_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TPUPartitionedOutputV2", node);
    weir_build_input(builder, made, inputs);
    if (made) {
        TF_SetAttrInt(made, "num_splits", num_splits);
        TF_SetAttrIntList(made, "partition_dims", partition_dims, partition_dims_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* TPUReplicateMetadata(). */
typedef struct weir_tpu_replicate_metadata_options {
    int64_t num_cores_per_replica; /* 0: 1 */
    const char *topology; /* null: '' */
    bool not_use_tpu;
    const int64_t *device_assignment;
    int device_assignment_count; /* null: [] */
    const int64_t *computation_shape;
    int computation_shape_count; /* null: [] */
    const char *const *host_compute_core;
    int host_compute_core_count; /* null: [] */
    const char *const *padding_map;
    int padding_map_count; /* null: [] */
    const char *step_marker_location; /* null: 'STEP_MARK_AT_ENTRY' */
    bool allow_soft_placement;
    bool use_spmd_for_xla_partitioning;
    bool use_shardy_partitioner;
    const char *tpu_compile_options_proto; /* null: '' */
} weir_tpu_replicate_metadata_options;
static inline TF_Operation *
weir_tpu_replicate_metadata(weir_builder *builder, const char *node, int64_t num_replicas,
                            const weir_tpu_replicate_metadata_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TPUReplicateMetadata", node);
    if (made) {
        TF_SetAttrInt(made, "num_replicas", num_replicas);
    }
    if (made && options) {
        if (options->num_cores_per_replica != 0)
            TF_SetAttrInt(made, "num_cores_per_replica",
                weir_int_of(options->num_cores_per_replica));
        if (options->topology)
            weir_attr_string(made, "topology", options->topology);
        TF_SetAttrBool(made, "use_tpu", !options->not_use_tpu);
        if (options->device_assignment)
            TF_SetAttrIntList(made, "device_assignment",
                options->device_assignment, options->device_assignment_count);
        if (options->computation_shape)
            TF_SetAttrIntList(made, "computation_shape",
                options->computation_shape, options->computation_shape_count);
        if (options->host_compute_core)
            weir_attr_strings(made, "host_compute_core",
                options->host_compute_core, options->host_compute_core_count);
        if (options->padding_map)
            weir_attr_strings(made, "padding_map",
                options->padding_map, options->padding_map_count);
        if (options->step_marker_location)
            weir_attr_string(made, "step_marker_location", options->step_marker_location);
        TF_SetAttrBool(made, "allow_soft_placement", options->allow_soft_placement);
        TF_SetAttrBool(made, "use_spmd_for_xla_partitioning", options->use_spmd_for_xla_partitioning);
        TF_SetAttrBool(made, "use_shardy_partitioner", options->use_shardy_partitioner);
        if (options->tpu_compile_options_proto)
            weir_attr_string(made, "tpu_compile_options_proto", options->tpu_compile_options_proto);
    }
    return weir_build_end(builder, made).oper;
}

/* TPUReplicatedInput(inputs: N * T) -> output: T. */
typedef struct weir_tpu_replicated_input_options {
    bool is_mirrored_variable;
    int64_t index; /* 0: -1 */
    bool is_packed;
} weir_tpu_replicated_input_options;
static inline TF_Output weir_tpu_replicated_input(weir_builder *builder, const char *node,
                                                  const TF_Output *inputs, int inputs_count,
                                                  const weir_tpu_replicated_input_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TPUReplicatedInput", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made && options) {
        TF_SetAttrBool(made, "is_mirrored_variable", options->is_mirrored_variable);
        if (options->index != 0)
            TF_SetAttrInt(made, "index", weir_int_of(options->index));
        TF_SetAttrBool(made, "is_packed", options->is_packed);
    }
    return weir_build_end(builder, made);
}

/* TPUReplicatedOutput(input: T) -> outputs: num_replicas * T. */
static inline weir_outputs weir_tpu_replicated_output(weir_builder *builder, const char *node,
                                                      TF_Output input, int64_t num_replicas)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TPUReplicatedOutput", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "num_replicas", num_replicas);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "outputs", 0);
}

/* TPURoundRobin() -> device_ordinal: int32. */
static inline TF_Output weir_tpu_round_robin(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "TPURoundRobin", node, NULL, 0);
}

/* XlaAllReduce(input: T, group_assignment: int32) -> output: T. T: half, bfloat16, float, int32,
 * uint32. reduce_op: 'Min', 'Max', 'Mul', 'Add', 'Mean'. mode: 'CrossReplica',
 * 'CrossReplicaAndPartition'. */
static inline TF_Output weir_xla_all_reduce(weir_builder *builder, const char *node,
                                            TF_Output input, TF_Output group_assignment,
                                            const char *reduce_op, const char *mode)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaAllReduce", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, group_assignment);
    if (made) {
        weir_attr_string(made, "reduce_op", reduce_op);
        weir_attr_string(made, "mode", mode);
    }
    return weir_build_end(builder, made);
}

/* XlaBroadcastHelper(lhs: T, rhs: T, broadcast_dims: Tindices) -> lhs_output: T, rhs_output: T. T:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_xla_broadcast_helper_outputs {
    TF_Output lhs_output;
    TF_Output rhs_output;
} weir_xla_broadcast_helper_outputs;
static inline weir_xla_broadcast_helper_outputs weir_xla_broadcast_helper(weir_builder *builder,
                                                                          const char *node,
                                                                          TF_Output lhs,
                                                                          TF_Output rhs,
                                                                          TF_Output broadcast_dims)
{
    const TF_Output inputs[] = {lhs, rhs, broadcast_dims};
    TF_Operation *op = weir_build_op(builder, "XlaBroadcastHelper", node, inputs, 3).oper;
    weir_xla_broadcast_helper_outputs out;
    out.lhs_output = weir_output(op, 0);
    out.rhs_output = weir_output(op, 1);
    return out;
}

/* XlaConcatND(inputs: N * T) -> output: T: splits tensors into a grid of equal parts, and
 * concatenates these. */
typedef struct weir_xla_concat_nd_options {
    const int64_t *paddings;
    int paddings_count; /* null: [] */
} weir_xla_concat_nd_options;
static inline TF_Output weir_xla_concat_nd(weir_builder *builder, const char *node,
                                           const TF_Output *inputs, int inputs_count,
                                           const int64_t *num_concats, int num_concats_count,
                                           const weir_xla_concat_nd_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaConcatND", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made) {
        TF_SetAttrIntList(made, "num_concats", num_concats, num_concats_count);
    }
    if (made && options) {
        if (options->paddings)
            TF_SetAttrIntList(made, "paddings", options->paddings, options->paddings_count);
    }
    return weir_build_end(builder, made);
}

/* XlaConv(lhs: T, rhs: T, window_strides: Tindices, padding: Tindices, lhs_dilation: Tindices,
 * rhs_dilation: Tindices, feature_group_count: Tindices) -> output: T: products over named
 * dimensions. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32, int64. */
static inline TF_Output weir_xla_conv(weir_builder *builder, const char *node, TF_Output lhs,
                                      TF_Output rhs, TF_Output window_strides, TF_Output padding,
                                      TF_Output lhs_dilation, TF_Output rhs_dilation,
                                      TF_Output feature_group_count, const char *dimension_numbers,
                                      const char *precision_config)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaConv", node);
    weir_build_input(builder, made, lhs);
    weir_build_input(builder, made, rhs);
    weir_build_input(builder, made, window_strides);
    weir_build_input(builder, made, padding);
    weir_build_input(builder, made, lhs_dilation);
    weir_build_input(builder, made, rhs_dilation);
    weir_build_input(builder, made, feature_group_count);
    if (made) {
        weir_attr_string(made, "dimension_numbers", dimension_numbers);
        weir_attr_string(made, "precision_config", precision_config);
    }
    return weir_build_end(builder, made);
}

/* XlaConvV2(lhs: LhsT, rhs: RhsT, window_strides: Tindices, padding: Tindices, lhs_dilation:
 * Tindices, rhs_dilation: Tindices, feature_group_count: Tindices) -> output:
 * preferred_element_type: products over named dimensions. LhsT: float, double, int32, uint8, int16,
 * int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128,
 * half, uint32, uint64. RhsT: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. preferred_element_type: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_xla_conv_v2_options {
    int64_t batch_group_count; /* 0: 1 */
} weir_xla_conv_v2_options;
static inline TF_Output weir_xla_conv_v2(weir_builder *builder, const char *node, TF_Output lhs,
                                         TF_Output rhs, TF_Output window_strides, TF_Output padding,
                                         TF_Output lhs_dilation, TF_Output rhs_dilation,
                                         TF_Output feature_group_count,
                                         const char *dimension_numbers,
                                         const char *precision_config,
                                         TF_DataType preferred_element_type,
                                         const weir_xla_conv_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaConvV2", node);
    weir_build_input(builder, made, lhs);
    weir_build_input(builder, made, rhs);
    weir_build_input(builder, made, window_strides);
    weir_build_input(builder, made, padding);
    weir_build_input(builder, made, lhs_dilation);
    weir_build_input(builder, made, rhs_dilation);
    weir_build_input(builder, made, feature_group_count);
    if (made) {
        weir_attr_string(made, "dimension_numbers", dimension_numbers);
        weir_attr_string(made, "precision_config", precision_config);
        TF_SetAttrType(made, "preferred_element_type", preferred_element_type);
    }
    if (made && options) {
        if (options->batch_group_count != 0)
            TF_SetAttrInt(made, "batch_group_count", weir_int_of(options->batch_group_count));
    }
    return weir_build_end(builder, made);
}

/* XlaDot(lhs: T, rhs: T) -> output: T: products over named dimensions. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
static inline TF_Output weir_xla_dot(weir_builder *builder, const char *node, TF_Output lhs,
                                     TF_Output rhs, const char *dimension_numbers,
                                     const char *precision_config)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaDot", node);
    weir_build_input(builder, made, lhs);
    weir_build_input(builder, made, rhs);
    if (made) {
        weir_attr_string(made, "dimension_numbers", dimension_numbers);
        weir_attr_string(made, "precision_config", precision_config);
    }
    return weir_build_end(builder, made);
}

/* XlaDotV2(lhs: LhsT, rhs: RhsT) -> output: preferred_element_type: products over named dimensions.
 * LhsT: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. RhsT: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. preferred_element_type: float, double, int32, uint8, int16,
 * int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128,
 * half, uint32, uint64. */
static inline TF_Output weir_xla_dot_v2(weir_builder *builder, const char *node, TF_Output lhs,
                                        TF_Output rhs, const char *dimension_numbers,
                                        const char *precision_config,
                                        TF_DataType preferred_element_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaDotV2", node);
    weir_build_input(builder, made, lhs);
    weir_build_input(builder, made, rhs);
    if (made) {
        weir_attr_string(made, "dimension_numbers", dimension_numbers);
        weir_attr_string(made, "precision_config", precision_config);
        TF_SetAttrType(made, "preferred_element_type", preferred_element_type);
    }
    return weir_build_end(builder, made);
}

/* XlaDynamicSlice(input: T, start_indices: Tindices, size_indices: Tindices) -> output: T.
 * Tindices: int32, int64. */
static inline TF_Output weir_xla_dynamic_slice(weir_builder *builder, const char *node,
                                               TF_Output input, TF_Output start_indices,
                                               TF_Output size_indices)
{
    const TF_Output inputs[] = {input, start_indices, size_indices};
    return weir_build_op(builder, "XlaDynamicSlice", node, inputs, 3);
}

/* XlaDynamicUpdateSlice(input: T, update: T, indices: Tindices) -> output: T. Tindices: int32,
 * int64. */
static inline TF_Output weir_xla_dynamic_update_slice(weir_builder *builder, const char *node,
                                                      TF_Output input, TF_Output update,
                                                      TF_Output indices)
{
    const TF_Output inputs[] = {input, update, indices};
    return weir_build_op(builder, "XlaDynamicUpdateSlice", node, inputs, 3);
}

/* XlaEinsum(a: T, b: T) -> product: T: aliases of ops of the catalogue. T: complex64, bfloat16,
 * float. */
static inline TF_Output weir_xla_einsum(weir_builder *builder, const char *node, TF_Output a,
                                        TF_Output b, const char *equation)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaEinsum", node);
    weir_build_input(builder, made, a);
    weir_build_input(builder, made, b);
    if (made) {
        weir_attr_string(made, "equation", equation);
    }
    return weir_build_end(builder, made);
}

/* XlaGather(operand: T, start_indices: Tindices, slice_sizes: Tindices) -> output: T. T: float,
 * double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16,
 * quint16, uint16, complex128, half, uint32, uint64, bool. Tindices: int32, int64. */
static inline TF_Output weir_xla_gather(weir_builder *builder, const char *node, TF_Output operand,
                                        TF_Output start_indices, TF_Output slice_sizes,
                                        const char *dimension_numbers, bool indices_are_sorted)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaGather", node);
    weir_build_input(builder, made, operand);
    weir_build_input(builder, made, start_indices);
    weir_build_input(builder, made, slice_sizes);
    if (made) {
        weir_attr_string(made, "dimension_numbers", dimension_numbers);
        TF_SetAttrBool(made, "indices_are_sorted", indices_are_sorted);
    }
    return weir_build_end(builder, made);
}

/* XlaKeyValueSort(keys: K, values: V) -> sorted_keys: K, sorted_values: V. K: float, double, int32,
 * uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_xla_key_value_sort_outputs {
    TF_Output sorted_keys;
    TF_Output sorted_values;
} weir_xla_key_value_sort_outputs;
static inline weir_xla_key_value_sort_outputs weir_xla_key_value_sort(weir_builder *builder,
                                                                      const char *node,
                                                                      TF_Output keys,
                                                                      TF_Output values)
{
    const TF_Output inputs[] = {keys, values};
    TF_Operation *op = weir_build_op(builder, "XlaKeyValueSort", node, inputs, 2).oper;
    weir_xla_key_value_sort_outputs out;
    out.sorted_keys = weir_output(op, 0);
    out.sorted_values = weir_output(op, 1);
    return out;
}

/* XlaPad(input: T, padding_value: T, padding_low: Tindices, padding_high: Tindices,
 * padding_interior: Tindices) -> output: T. Tindices: int32, int64. */
static inline TF_Output weir_xla_pad(weir_builder *builder, const char *node, TF_Output input,
                                     TF_Output padding_value, TF_Output padding_low,
                                     TF_Output padding_high, TF_Output padding_interior)
{
    const TF_Output inputs[] = {input, padding_value, padding_low, padding_high, padding_interior};
    return weir_build_op(builder, "XlaPad", node, inputs, 5);
}

/* XlaReduce(input: T, init_value: T) -> output: T: reductions by a function of scalars, one pair
 * after another. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool. */
static inline TF_Output weir_xla_reduce(weir_builder *builder, const char *node, TF_Output input,
                                        TF_Output init_value, const int64_t *dimensions_to_reduce,
                                        int dimensions_to_reduce_count, const char *reducer)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaReduce", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, init_value);
    if (made) {
        TF_SetAttrIntList(made, "dimensions_to_reduce", dimensions_to_reduce, dimensions_to_reduce_count);
        weir_attr_func(made, "reducer", reducer);
    }
    return weir_build_end(builder, made);
}

/* XlaReducePrecision(operand: T) -> output: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_xla_reduce_precision(weir_builder *builder, const char *node,
                                                  TF_Output operand, int64_t exponent_bits,
                                                  int64_t mantissa_bits)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaReducePrecision", node);
    weir_build_input(builder, made, operand);
    if (made) {
        TF_SetAttrInt(made, "exponent_bits", exponent_bits);
        TF_SetAttrInt(made, "mantissa_bits", mantissa_bits);
    }
    return weir_build_end(builder, made);
}

/* XlaReduceScatter(input: T, group_assignment: int32, scatter_dimension: int32) -> output: T. T:
 * half, bfloat16, float, int32, uint32. reduce_op: 'Min', 'Max', 'Mul', 'Add', 'Mean'. */
static inline TF_Output weir_xla_reduce_scatter(weir_builder *builder, const char *node,
                                                TF_Output input, TF_Output group_assignment,
                                                TF_Output scatter_dimension, const char *reduce_op)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaReduceScatter", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, group_assignment);
    weir_build_input(builder, made, scatter_dimension);
    if (made) {
        weir_attr_string(made, "reduce_op", reduce_op);
    }
    return weir_build_end(builder, made);
}

/* XlaReduceWindow(input: T, init_value: T, window_dimensions: Tindices, window_strides: Tindices,
 * base_dilations: Tindices, window_dilations: Tindices, padding: Tindices) -> output: T: reductions
 * by a function of scalars, one pair after another. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64, bool. Tindices: int32, int64. */
static inline TF_Output weir_xla_reduce_window(weir_builder *builder, const char *node,
                                               TF_Output input, TF_Output init_value,
                                               TF_Output window_dimensions,
                                               TF_Output window_strides, TF_Output base_dilations,
                                               TF_Output window_dilations, TF_Output padding,
                                               const char *computation)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaReduceWindow", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, init_value);
    weir_build_input(builder, made, window_dimensions);
    weir_build_input(builder, made, window_strides);
    weir_build_input(builder, made, base_dilations);
    weir_build_input(builder, made, window_dilations);
    weir_build_input(builder, made, padding);
    if (made) {
        weir_attr_func(made, "computation", computation);
    }
    return weir_build_end(builder, made);
}

/* XlaReplicaId() -> id: int32. */
static inline TF_Output weir_xla_replica_id(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "XlaReplicaId", node, NULL, 0);
}

/* XlaScatter(operand: T, scatter_indices: Tindices, updates: T) -> output: T: reductions by a
 * function of scalars, one pair after another. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64, bool. Tindices: int32, int64. */
static inline TF_Output weir_xla_scatter(weir_builder *builder, const char *node, TF_Output operand,
                                         TF_Output scatter_indices, TF_Output updates,
                                         const char *update_computation,
                                         const char *dimension_numbers, bool indices_are_sorted)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaScatter", node);
    weir_build_input(builder, made, operand);
    weir_build_input(builder, made, scatter_indices);
    weir_build_input(builder, made, updates);
    if (made) {
        weir_attr_func(made, "update_computation", update_computation);
        weir_attr_string(made, "dimension_numbers", dimension_numbers);
        TF_SetAttrBool(made, "indices_are_sorted", indices_are_sorted);
    }
    return weir_build_end(builder, made);
}

/* XlaSelfAdjointEig(a: T) -> w: T, v: T: aliases of ops of the catalogue. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_xla_self_adjoint_eig_outputs {
    TF_Output w;
    TF_Output v;
} weir_xla_self_adjoint_eig_outputs;
static inline weir_xla_self_adjoint_eig_outputs weir_xla_self_adjoint_eig(weir_builder *builder,
                                                                          const char *node,
                                                                          TF_Output a, bool lower,
                                                                          int64_t max_iter,
                                                                          float epsilon)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaSelfAdjointEig", node);
    weir_build_input(builder, made, a);
    if (made) {
        TF_SetAttrBool(made, "lower", lower);
        TF_SetAttrInt(made, "max_iter", max_iter);
        TF_SetAttrFloat(made, "epsilon", epsilon);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_xla_self_adjoint_eig_outputs out;
    out.w = weir_output(op, 0);
    out.v = weir_output(op, 1);
    return out;
}

/* XlaSetDynamicDimensionSize(input: T, dim_index: int32, size: int32) -> output: T. */
static inline TF_Output weir_xla_set_dynamic_dimension_size(weir_builder *builder, const char *node,
                                                            TF_Output input, TF_Output dim_index,
                                                            TF_Output size)
{
    const TF_Output inputs[] = {input, dim_index, size};
    return weir_build_op(builder, "XlaSetDynamicDimensionSize", node, inputs, 3);
}

/* XlaSort(input: T) -> output: T. */
static inline TF_Output weir_xla_sort(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "XlaSort", node, inputs, 1);
}

/* XlaSplitND(input: T) -> outputs: N * T: splits tensors into a grid of equal parts, and
 * concatenates these. */
typedef struct weir_xla_split_nd_options {
    const int64_t *paddings;
    int paddings_count; /* null: [] */
} weir_xla_split_nd_options;
static inline weir_outputs weir_xla_split_nd(weir_builder *builder, const char *node,
                                             TF_Output input, int64_t N, const int64_t *num_splits,
                                             int num_splits_count,
                                             const weir_xla_split_nd_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaSplitND", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "N", N);
        TF_SetAttrIntList(made, "num_splits", num_splits, num_splits_count);
    }
    if (made && options) {
        if (options->paddings)
            TF_SetAttrIntList(made, "paddings", options->paddings, options->paddings_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "outputs", 0);
}

/* XlaSvd(a: T) -> s: T, u: T, v: T: aliases of ops of the catalogue. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_xla_svd_outputs {
    TF_Output s;
    TF_Output u;
    TF_Output v;
} weir_xla_svd_outputs;
static inline weir_xla_svd_outputs weir_xla_svd(weir_builder *builder, const char *node,
                                                TF_Output a, int64_t max_iter, float epsilon,
                                                const char *precision_config)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaSvd", node);
    weir_build_input(builder, made, a);
    if (made) {
        TF_SetAttrInt(made, "max_iter", max_iter);
        TF_SetAttrFloat(made, "epsilon", epsilon);
        weir_attr_string(made, "precision_config", precision_config);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_xla_svd_outputs out;
    out.s = weir_output(op, 0);
    out.u = weir_output(op, 1);
    out.v = weir_output(op, 2);
    return out;
}

/* XlaVariadicReduce(input: N * T, init_value: N * T) -> output: N * T: reductions by a function of
 * scalars, one pair after another. T: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool.
 * */
static inline weir_outputs weir_xla_variadic_reduce(weir_builder *builder, const char *node,
                                                    const TF_Output *input, int input_count,
                                                    const TF_Output *init_value,
                                                    int init_value_count,
                                                    const int64_t *dimensions_to_reduce,
                                                    int dimensions_to_reduce_count,
                                                    const char *reducer)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaVariadicReduce", node);
    weir_build_input_list(builder, made, input, input_count);
    weir_build_input_list(builder, made, init_value, init_value_count);
    if (made) {
        TF_SetAttrIntList(made, "dimensions_to_reduce", dimensions_to_reduce, dimensions_to_reduce_count);
        weir_attr_func(made, "reducer", reducer);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* XlaVariadicReduceV2(inputs: T, init_values: T) -> outputs: T: reductions by a function of
 * scalars, one pair after another. */
static inline weir_outputs weir_xla_variadic_reduce_v2(weir_builder *builder, const char *node,
                                                       const TF_Output *inputs, int inputs_count,
                                                       const TF_Output *init_values,
                                                       int init_values_count,
                                                       const int64_t *dimensions_to_reduce,
                                                       int dimensions_to_reduce_count,
                                                       const char *reducer)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaVariadicReduceV2", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    weir_build_input_list(builder, made, init_values, init_values_count);
    if (made) {
        TF_SetAttrIntList(made, "dimensions_to_reduce", dimensions_to_reduce, dimensions_to_reduce_count);
        weir_attr_func(made, "reducer", reducer);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "outputs", 0);
}

/* XlaVariadicSort(inputs: T, dimension: int32) -> outputs: T: sorts tensors together by a
 * comparison function. */
static inline weir_outputs weir_xla_variadic_sort(weir_builder *builder, const char *node,
                                                  const TF_Output *inputs, int inputs_count,
                                                  TF_Output dimension, const char *comparator,
                                                  bool is_stable)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaVariadicSort", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    weir_build_input(builder, made, dimension);
    if (made) {
        weir_attr_func(made, "comparator", comparator);
        TF_SetAttrBool(made, "is_stable", is_stable);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "outputs", 0);
}

#ifdef __cplusplus
}
#endif
#endif
