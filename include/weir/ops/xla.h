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

/* SyncDevice(). */
static inline TF_Operation *weir_sync_device(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "SyncDevice", node, NULL, 0).oper;
}

/* TPUCompilationResult() -> output: string. */
static inline TF_Output weir_tpu_compilation_result(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "TPUCompilationResult", node, NULL, 0);
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

/* TPUPartitionedInput(inputs: N * T) -> output: T: tensors cut into a grid of equal parts, and put
 * together again. */
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

/* TPUPartitionedInputV2(inputs: N * T) -> output: T: tensors cut into a grid of equal parts, and
 * put together again. */
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

/* TPUPartitionedOutput(inputs: T) -> output: num_splits * T: tensors cut into a grid of equal
 * parts, and put together again. */
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

/* TPUPartitionedOutputV2(inputs: T) -> output: num_splits * T: tensors cut into a grid of equal
 * parts, and put together again. */
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

/* XlaConcatND(inputs: N * T) -> output: T: tensors cut into a grid of equal parts, and put together
 * again. */
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

/* XlaReplicaId() -> id: int32. */
static inline TF_Output weir_xla_replica_id(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "XlaReplicaId", node, NULL, 0);
}

/* XlaSplitND(input: T) -> outputs: N * T: tensors cut into a grid of equal parts, and put together
 * again. */
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

#ifdef __cplusplus
}
#endif
#endif
