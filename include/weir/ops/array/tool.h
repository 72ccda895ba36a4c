/* weir/ops/array/tool.h - what debuggers, compilers and checks put into graphs.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_ARRAY_TOOL_OPS_H
#define WEIR_ARRAY_TOOL_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Assert(condition: bool, data: T): fails with the data in its message unless the condition holds.
 * */
typedef struct weir_assert_options {
    int64_t summarize; /* 0: 3 */
} weir_assert_options;
static inline TF_Operation *weir_assert(weir_builder *builder, const char *node,
                                        TF_Output condition, const TF_Output *data, int data_count,
                                        const weir_assert_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Assert", node);
    weir_build_input(builder, made, condition);
    weir_build_input_list(builder, made, data, data_count);
    if (made && options) {
        if (options->summarize != 0)
            TF_SetAttrInt(made, "summarize", weir_int_of(options->summarize));
    }
    return weir_build_end(builder, made).oper;
}

/* CheckNumerics(tensor: T) -> output: T: fails on NaN and infinity. T: bfloat16, half, float,
 * double. */
static inline TF_Output weir_check_numerics(weir_builder *builder, const char *node,
                                            TF_Output tensor, const char *message)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CheckNumerics", node);
    weir_build_input(builder, made, tensor);
    if (made) {
        weir_attr_string(made, "message", message);
    }
    return weir_build_end(builder, made);
}

/* CheckNumericsV2(tensor: T) -> output: T: fails on NaN and infinity. T: bfloat16, half, float,
 * double. */
static inline TF_Output weir_check_numerics_v2(weir_builder *builder, const char *node,
                                               TF_Output tensor, const char *message)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CheckNumericsV2", node);
    weir_build_input(builder, made, tensor);
    if (made) {
        weir_attr_string(made, "message", message);
    }
    return weir_build_end(builder, made);
}

/* Copy(input: T) -> output: T. */
typedef struct weir_copy_options {
    const char *tensor_name; /* null: '' */
    const char *const *debug_ops_spec;
    int debug_ops_spec_count; /* null: [] */
} weir_copy_options;
static inline TF_Output weir_copy(weir_builder *builder, const char *node, TF_Output input,
                                  const weir_copy_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Copy", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->tensor_name)
            weir_attr_string(made, "tensor_name", options->tensor_name);
        if (options->debug_ops_spec)
            weir_attr_strings(made, "debug_ops_spec",
                options->debug_ops_spec, options->debug_ops_spec_count);
    }
    return weir_build_end(builder, made);
}

/* CopyHost(input: T) -> output: T. */
typedef struct weir_copy_host_options {
    const char *tensor_name; /* null: '' */
    const char *const *debug_ops_spec;
    int debug_ops_spec_count; /* null: [] */
} weir_copy_host_options;
static inline TF_Output weir_copy_host(weir_builder *builder, const char *node, TF_Output input,
                                       const weir_copy_host_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CopyHost", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->tensor_name)
            weir_attr_string(made, "tensor_name", options->tensor_name);
        if (options->debug_ops_spec)
            weir_attr_strings(made, "debug_ops_spec",
                options->debug_ops_spec, options->debug_ops_spec_count);
    }
    return weir_build_end(builder, made);
}

/* DebugGradientIdentity(input: T) -> output: T: its input. */
static inline TF_Output weir_debug_gradient_identity(weir_builder *builder, const char *node,
                                                     TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "DebugGradientIdentity", node, inputs, 1);
}

/* DebugIdentity(input: T) -> output: T. */
typedef struct weir_debug_identity_options {
    const char *device_name; /* null: '' */
    const char *tensor_name; /* null: '' */
    const char *const *debug_urls;
    int debug_urls_count; /* null: [] */
    bool gated_grpc;
} weir_debug_identity_options;
static inline TF_Output weir_debug_identity(weir_builder *builder, const char *node,
                                            TF_Output input,
                                            const weir_debug_identity_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DebugIdentity", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->device_name)
            weir_attr_string(made, "device_name", options->device_name);
        if (options->tensor_name)
            weir_attr_string(made, "tensor_name", options->tensor_name);
        if (options->debug_urls)
            weir_attr_strings(made, "debug_urls", options->debug_urls, options->debug_urls_count);
        TF_SetAttrBool(made, "gated_grpc", options->gated_grpc);
    }
    return weir_build_end(builder, made);
}

/* DebugIdentityV2(input: T) -> output: T. */
typedef struct weir_debug_identity_v2_options {
    const char *tfdbg_context_id; /* null: '' */
    const char *op_name; /* null: '' */
    int64_t output_slot; /* 0: -1 */
    int64_t tensor_debug_mode; /* 0: -1 */
    const char *const *debug_urls;
    int debug_urls_count; /* null: [] */
    int64_t circular_buffer_size; /* 0: 1000 */
    const char *tfdbg_run_id; /* null: '' */
} weir_debug_identity_v2_options;
static inline TF_Output weir_debug_identity_v2(weir_builder *builder, const char *node,
                                               TF_Output input,
                                               const weir_debug_identity_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DebugIdentityV2", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->tfdbg_context_id)
            weir_attr_string(made, "tfdbg_context_id", options->tfdbg_context_id);
        if (options->op_name)
            weir_attr_string(made, "op_name", options->op_name);
        if (options->output_slot != 0)
            TF_SetAttrInt(made, "output_slot", weir_int_of(options->output_slot));
        if (options->tensor_debug_mode != 0)
            TF_SetAttrInt(made, "tensor_debug_mode", weir_int_of(options->tensor_debug_mode));
        if (options->debug_urls)
            weir_attr_strings(made, "debug_urls", options->debug_urls, options->debug_urls_count);
        if (options->circular_buffer_size != 0)
            TF_SetAttrInt(made, "circular_buffer_size", weir_int_of(options->circular_buffer_size));
        if (options->tfdbg_run_id)
            weir_attr_string(made, "tfdbg_run_id", options->tfdbg_run_id);
    }
    return weir_build_end(builder, made);
}

/* DebugIdentityV3(input: T) -> output: T. */
typedef struct weir_debug_identity_v3_options {
    const char *device_name; /* null: '' */
    const char *tensor_name; /* null: '' */
    const char *io_of_node; /* null: '' */
    bool is_input;
    int64_t io_index; /* 0: -1 */
    const char *const *debug_urls;
    int debug_urls_count; /* null: [] */
    bool gated_grpc;
} weir_debug_identity_v3_options;
static inline TF_Output weir_debug_identity_v3(weir_builder *builder, const char *node,
                                               TF_Output input,
                                               const weir_debug_identity_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DebugIdentityV3", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->device_name)
            weir_attr_string(made, "device_name", options->device_name);
        if (options->tensor_name)
            weir_attr_string(made, "tensor_name", options->tensor_name);
        if (options->io_of_node)
            weir_attr_string(made, "io_of_node", options->io_of_node);
        TF_SetAttrBool(made, "is_input", options->is_input);
        if (options->io_index != 0)
            TF_SetAttrInt(made, "io_index", weir_int_of(options->io_index));
        if (options->debug_urls)
            weir_attr_strings(made, "debug_urls", options->debug_urls, options->debug_urls_count);
        TF_SetAttrBool(made, "gated_grpc", options->gated_grpc);
    }
    return weir_build_end(builder, made);
}

/* DebugNanCount(input: T) -> output: int64: numeric summaries for debuggers. */
typedef struct weir_debug_nan_count_options {
    const char *device_name; /* null: '' */
    const char *tensor_name; /* null: '' */
    const char *const *debug_urls;
    int debug_urls_count; /* null: [] */
    bool gated_grpc;
} weir_debug_nan_count_options;
static inline TF_Output weir_debug_nan_count(weir_builder *builder, const char *node,
                                             TF_Output input,
                                             const weir_debug_nan_count_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DebugNanCount", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->device_name)
            weir_attr_string(made, "device_name", options->device_name);
        if (options->tensor_name)
            weir_attr_string(made, "tensor_name", options->tensor_name);
        if (options->debug_urls)
            weir_attr_strings(made, "debug_urls", options->debug_urls, options->debug_urls_count);
        TF_SetAttrBool(made, "gated_grpc", options->gated_grpc);
    }
    return weir_build_end(builder, made);
}

/* DebugNumericSummary(input: T) -> output: double: numeric summaries for debuggers. */
typedef struct weir_debug_numeric_summary_options {
    const char *device_name; /* null: '' */
    const char *tensor_name; /* null: '' */
    const char *const *debug_urls;
    int debug_urls_count; /* null: [] */
    float lower_bound; /* 0: -inf */
    float upper_bound; /* 0: inf */
    bool mute_if_healthy;
    bool gated_grpc;
} weir_debug_numeric_summary_options;
static inline TF_Output
weir_debug_numeric_summary(weir_builder *builder, const char *node, TF_Output input,
                           const weir_debug_numeric_summary_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DebugNumericSummary", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->device_name)
            weir_attr_string(made, "device_name", options->device_name);
        if (options->tensor_name)
            weir_attr_string(made, "tensor_name", options->tensor_name);
        if (options->debug_urls)
            weir_attr_strings(made, "debug_urls", options->debug_urls, options->debug_urls_count);
        if (options->lower_bound != 0)
            TF_SetAttrFloat(made, "lower_bound", weir_float_of(options->lower_bound));
        if (options->upper_bound != 0)
            TF_SetAttrFloat(made, "upper_bound", weir_float_of(options->upper_bound));
        TF_SetAttrBool(made, "mute_if_healthy", options->mute_if_healthy);
        TF_SetAttrBool(made, "gated_grpc", options->gated_grpc);
    }
    return weir_build_end(builder, made);
}

/* DebugNumericSummaryV2(input: T) -> output: output_dtype: numeric summaries for debuggers.
 * output_dtype: float, double. */
typedef struct weir_debug_numeric_summary_v2_options {
    TF_DataType output_dtype; /* 0: TF_FLOAT; float, double */
    int64_t tensor_debug_mode; /* 0: -1 */
    int64_t tensor_id; /* 0: -1 */
} weir_debug_numeric_summary_v2_options;
static inline TF_Output
weir_debug_numeric_summary_v2(weir_builder *builder, const char *node, TF_Output input,
                              const weir_debug_numeric_summary_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DebugNumericSummaryV2", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->output_dtype)
            TF_SetAttrType(made, "output_dtype", options->output_dtype);
        if (options->tensor_debug_mode != 0)
            TF_SetAttrInt(made, "tensor_debug_mode", weir_int_of(options->tensor_debug_mode));
        if (options->tensor_id != 0)
            TF_SetAttrInt(made, "tensor_id", weir_int_of(options->tensor_id));
    }
    return weir_build_end(builder, made);
}

/* Print(input: T, data: U) -> output: T: its input; the data is printed to stderr. */
typedef struct weir_print_options {
    const char *message; /* null: "" */
    int64_t first_n; /* 0: -1 */
    int64_t summarize; /* 0: 3 */
} weir_print_options;
static inline TF_Output weir_print(weir_builder *builder, const char *node, TF_Output input,
                                   const TF_Output *data, int data_count,
                                   const weir_print_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Print", node);
    weir_build_input(builder, made, input);
    weir_build_input_list(builder, made, data, data_count);
    if (made && options) {
        if (options->message)
            weir_attr_string(made, "message", options->message);
        if (options->first_n != 0)
            TF_SetAttrInt(made, "first_n", weir_int_of(options->first_n));
        if (options->summarize != 0)
            TF_SetAttrInt(made, "summarize", weir_int_of(options->summarize));
    }
    return weir_build_end(builder, made);
}

/* PrintV2(input: string): prints a string. */
typedef struct weir_print_v2_options {
    const char *output_stream; /* null: "stderr" */
    const char *end; /* null: "\n" */
} weir_print_v2_options;
static inline TF_Operation *weir_print_v2(weir_builder *builder, const char *node, TF_Output input,
                                          const weir_print_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PrintV2", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->output_stream)
            weir_attr_string(made, "output_stream", options->output_stream);
        if (options->end)
            weir_attr_string(made, "end", options->end);
    }
    return weir_build_end(builder, made).oper;
}

/* XlaClusterOutput(input: T) -> outputs: T. */
static inline TF_Output weir_xla_cluster_output(weir_builder *builder, const char *node,
                                                TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "XlaClusterOutput", node, inputs, 1);
}

/* XlaOptimizationBarrier(input: T) -> output: T. */
static inline weir_outputs weir_xla_optimization_barrier(weir_builder *builder, const char *node,
                                                         const TF_Output *input, int input_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaOptimizationBarrier", node);
    weir_build_input_list(builder, made, input, input_count);
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* XlaRemoveDynamicDimensionSize(input: T, dim_index: int32) -> output: T. */
static inline TF_Output weir_xla_remove_dynamic_dimension_size(weir_builder *builder,
                                                               const char *node, TF_Output input,
                                                               TF_Output dim_index)
{
    const TF_Output inputs[] = {input, dim_index};
    return weir_build_op(builder, "XlaRemoveDynamicDimensionSize", node, inputs, 2);
}

/* XlaSharding(input: T) -> output: T. */
typedef struct weir_xla_sharding_options {
    const char *sharding; /* null: '' */
    const int64_t *unspecified_dims;
    int unspecified_dims_count; /* null: [] */
} weir_xla_sharding_options;
static inline TF_Output weir_xla_sharding(weir_builder *builder, const char *node, TF_Output input,
                                          const weir_xla_sharding_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaSharding", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->sharding)
            weir_attr_string(made, "sharding", options->sharding);
        if (options->unspecified_dims)
            TF_SetAttrIntList(made, "unspecified_dims",
                options->unspecified_dims, options->unspecified_dims_count);
    }
    return weir_build_end(builder, made);
}

/* XlaSpmdFullToShardShape(input: T) -> output: T. */
typedef struct weir_xla_spmd_full_to_shard_shape_options {
    int64_t dim; /* 0: -1 */
    const int64_t *unspecified_dims;
    int unspecified_dims_count; /* null: [] */
} weir_xla_spmd_full_to_shard_shape_options;
static inline TF_Output
weir_xla_spmd_full_to_shard_shape(weir_builder *builder, const char *node, TF_Output input,
                                  const char *manual_sharding,
                                  const weir_xla_spmd_full_to_shard_shape_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaSpmdFullToShardShape", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_string(made, "manual_sharding", manual_sharding);
    }
    if (made && options) {
        if (options->dim != 0)
            TF_SetAttrInt(made, "dim", weir_int_of(options->dim));
        if (options->unspecified_dims)
            TF_SetAttrIntList(made, "unspecified_dims",
                options->unspecified_dims, options->unspecified_dims_count);
    }
    return weir_build_end(builder, made);
}

/* XlaSpmdShardToFullShape(input: T) -> output: T. */
typedef struct weir_xla_spmd_shard_to_full_shape_options {
    int64_t dim; /* 0: -1 */
    const int64_t *unspecified_dims;
    int unspecified_dims_count; /* null: [] */
} weir_xla_spmd_shard_to_full_shape_options;
static inline TF_Output
weir_xla_spmd_shard_to_full_shape(weir_builder *builder, const char *node, TF_Output input,
                                  const char *manual_sharding, const weir_dims *full_shape,
                                  const weir_xla_spmd_shard_to_full_shape_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaSpmdShardToFullShape", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_string(made, "manual_sharding", manual_sharding);
        weir_attr_shape(made, "full_shape", full_shape);
    }
    if (made && options) {
        if (options->dim != 0)
            TF_SetAttrInt(made, "dim", weir_int_of(options->dim));
        if (options->unspecified_dims)
            TF_SetAttrIntList(made, "unspecified_dims",
                options->unspecified_dims, options->unspecified_dims_count);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
