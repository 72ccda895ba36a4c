/* weir/ops/data/setting.h - datasets that say how others run, or check it.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_SETTING_OPS_H
#define WEIR_DATA_SETTING_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AssertCardinalityDataset(input_dataset: variant, cardinality: int64) -> handle: variant: fails
 * unless the number of elements is as given. */
static inline TF_Output weir_assert_cardinality_dataset(weir_builder *builder, const char *node,
                                                        TF_Output input_dataset,
                                                        TF_Output cardinality,
                                                        const TF_DataType *output_types,
                                                        int output_types_count,
                                                        const weir_dims *output_shapes,
                                                        int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AssertCardinalityDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, cardinality);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* AssertNextDataset(input_dataset: variant, transformations: string) -> handle: variant: fails
 * unless given datasets follow. */
static inline TF_Output weir_assert_next_dataset(weir_builder *builder, const char *node,
                                                 TF_Output input_dataset, TF_Output transformations,
                                                 const TF_DataType *output_types,
                                                 int output_types_count,
                                                 const weir_dims *output_shapes,
                                                 int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AssertNextDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, transformations);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* AssertPrevDataset(input_dataset: variant, transformations: string) -> handle: variant: fails
 * unless given datasets come before. */
static inline TF_Output weir_assert_prev_dataset(weir_builder *builder, const char *node,
                                                 TF_Output input_dataset, TF_Output transformations,
                                                 const TF_DataType *output_types,
                                                 int output_types_count,
                                                 const weir_dims *output_shapes,
                                                 int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AssertPrevDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, transformations);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* BytesProducedStatsDataset(input_dataset: variant, tag: string) -> handle: variant: the same
 * elements; their bytes are counted. */
static inline TF_Output weir_bytes_produced_stats_dataset(weir_builder *builder, const char *node,
                                                          TF_Output input_dataset, TF_Output tag,
                                                          const TF_DataType *output_types,
                                                          int output_types_count,
                                                          const weir_dims *output_shapes,
                                                          int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BytesProducedStatsDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, tag);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* FinalizeDataset(input_dataset: variant) -> handle: variant: the same elements, with options
 * applied. */
typedef struct weir_finalize_dataset_options {
    bool has_captured_ref;
} weir_finalize_dataset_options;
static inline TF_Output weir_finalize_dataset(weir_builder *builder, const char *node,
                                              TF_Output input_dataset,
                                              const TF_DataType *output_types,
                                              int output_types_count,
                                              const weir_dims *output_shapes,
                                              int output_shapes_count,
                                              const weir_finalize_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FinalizeDataset", node);
    weir_build_input(builder, made, input_dataset);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "has_captured_ref", options->has_captured_ref);
    }
    return weir_build_end(builder, made);
}

/* LatencyStatsDataset(input_dataset: variant, tag: string) -> handle: variant: the same elements;
 * the time of each is recorded. */
static inline TF_Output weir_latency_stats_dataset(weir_builder *builder, const char *node,
                                                   TF_Output input_dataset, TF_Output tag,
                                                   const TF_DataType *output_types,
                                                   int output_types_count,
                                                   const weir_dims *output_shapes,
                                                   int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LatencyStatsDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, tag);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* MaxIntraOpParallelismDataset(input_dataset: variant, max_intra_op_parallelism: int64) -> handle:
 * variant: the same elements, with a limit on threads. */
static inline TF_Output weir_max_intra_op_parallelism_dataset(weir_builder *builder,
                                                              const char *node,
                                                              TF_Output input_dataset,
                                                              TF_Output max_intra_op_parallelism,
                                                              const TF_DataType *output_types,
                                                              int output_types_count,
                                                              const weir_dims *output_shapes,
                                                              int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxIntraOpParallelismDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, max_intra_op_parallelism);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ModelDataset(input_dataset: variant) -> handle: variant: the same elements, tuned while they are
 * read. */
typedef struct weir_model_dataset_options {
    int64_t algorithm;
    int64_t cpu_budget;
    int64_t ram_budget;
} weir_model_dataset_options;
static inline TF_Output weir_model_dataset(weir_builder *builder, const char *node,
                                           TF_Output input_dataset, const TF_DataType *output_types,
                                           int output_types_count, const weir_dims *output_shapes,
                                           int output_shapes_count,
                                           const weir_model_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ModelDataset", node);
    weir_build_input(builder, made, input_dataset);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "algorithm", options->algorithm);
        TF_SetAttrInt(made, "cpu_budget", options->cpu_budget);
        TF_SetAttrInt(made, "ram_budget", options->ram_budget);
    }
    return weir_build_end(builder, made);
}

/* NonSerializableDataset(input_dataset: variant) -> handle: variant: the same elements, which
 * cannot be serialised as a graph. */
static inline TF_Output weir_non_serializable_dataset(weir_builder *builder, const char *node,
                                                      TF_Output input_dataset,
                                                      const TF_DataType *output_types,
                                                      int output_types_count,
                                                      const weir_dims *output_shapes,
                                                      int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "NonSerializableDataset", node);
    weir_build_input(builder, made, input_dataset);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* OptimizeDataset(input_dataset: variant, optimizations: string) -> handle: variant: the same
 * elements. */
typedef struct weir_optimize_dataset_options {
    const char *const *optimization_configs;
    int optimization_configs_count; /* null: [] */
} weir_optimize_dataset_options;
static inline TF_Output weir_optimize_dataset(weir_builder *builder, const char *node,
                                              TF_Output input_dataset, TF_Output optimizations,
                                              const TF_DataType *output_types,
                                              int output_types_count,
                                              const weir_dims *output_shapes,
                                              int output_shapes_count,
                                              const weir_optimize_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OptimizeDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, optimizations);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->optimization_configs)
            weir_attr_strings(made, "optimization_configs",
                options->optimization_configs, options->optimization_configs_count);
    }
    return weir_build_end(builder, made);
}

/* OptimizeDatasetV2(input_dataset: variant, optimizations_enabled: string, optimizations_disabled:
 * string, optimizations_default: string) -> handle: variant: the same elements. */
typedef struct weir_optimize_dataset_v2_options {
    const char *const *optimization_configs;
    int optimization_configs_count; /* null: [] */
} weir_optimize_dataset_v2_options;
static inline TF_Output weir_optimize_dataset_v2(weir_builder *builder, const char *node,
                                                 TF_Output input_dataset,
                                                 TF_Output optimizations_enabled,
                                                 TF_Output optimizations_disabled,
                                                 TF_Output optimizations_default,
                                                 const TF_DataType *output_types,
                                                 int output_types_count,
                                                 const weir_dims *output_shapes,
                                                 int output_shapes_count,
                                                 const weir_optimize_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OptimizeDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, optimizations_enabled);
    weir_build_input(builder, made, optimizations_disabled);
    weir_build_input(builder, made, optimizations_default);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->optimization_configs)
            weir_attr_strings(made, "optimization_configs",
                options->optimization_configs, options->optimization_configs_count);
    }
    return weir_build_end(builder, made);
}

/* OptionsDataset(input_dataset: variant) -> handle: variant: the same elements, with options. */
typedef struct weir_options_dataset_options {
    const char *metadata; /* null: "" */
} weir_options_dataset_options;
static inline TF_Output weir_options_dataset(weir_builder *builder, const char *node,
                                             TF_Output input_dataset,
                                             const char *serialized_options,
                                             const TF_DataType *output_types,
                                             int output_types_count, const weir_dims *output_shapes,
                                             int output_shapes_count,
                                             const weir_options_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OptionsDataset", node);
    weir_build_input(builder, made, input_dataset);
    if (made) {
        weir_attr_string(made, "serialized_options", serialized_options);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* PrivateThreadPoolDataset(input_dataset: variant, num_threads: int64) -> handle: variant: the same
 * elements, with threads of their own. */
static inline TF_Output weir_private_thread_pool_dataset(weir_builder *builder, const char *node,
                                                         TF_Output input_dataset,
                                                         TF_Output num_threads,
                                                         const TF_DataType *output_types,
                                                         int output_types_count,
                                                         const weir_dims *output_shapes,
                                                         int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PrivateThreadPoolDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, num_threads);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* RewriteDataset(input_dataset: variant, rewrite_name: string) -> handle: variant: the same
 * elements. */
static inline TF_Output weir_rewrite_dataset(weir_builder *builder, const char *node,
                                             TF_Output input_dataset, TF_Output rewrite_name,
                                             const TF_DataType *output_types,
                                             int output_types_count, const weir_dims *output_shapes,
                                             int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RewriteDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, rewrite_name);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* SetStatsAggregatorDataset(input_dataset: variant, stats_aggregator: resource, tag: string,
 * counter_prefix: string) -> handle: variant. */
static inline TF_Output weir_set_stats_aggregator_dataset(weir_builder *builder, const char *node,
                                                          TF_Output input_dataset,
                                                          TF_Output stats_aggregator, TF_Output tag,
                                                          TF_Output counter_prefix,
                                                          const TF_DataType *output_types,
                                                          int output_types_count,
                                                          const weir_dims *output_shapes,
                                                          int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SetStatsAggregatorDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, stats_aggregator);
    weir_build_input(builder, made, tag);
    weir_build_input(builder, made, counter_prefix);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* StatsAggregatorHandle() -> handle: resource: handles that datasets accept. */
typedef struct weir_stats_aggregator_handle_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_stats_aggregator_handle_options;
static inline TF_Output
weir_stats_aggregator_handle(weir_builder *builder, const char *node,
                             const weir_stats_aggregator_handle_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatsAggregatorHandle", node);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* StatsAggregatorHandleV2() -> handle: resource: handles that datasets accept. */
typedef struct weir_stats_aggregator_handle_v2_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_stats_aggregator_handle_v2_options;
static inline TF_Output
weir_stats_aggregator_handle_v2(weir_builder *builder, const char *node,
                                const weir_stats_aggregator_handle_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatsAggregatorHandleV2", node);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* StatsAggregatorSetSummaryWriter(stats_aggregator: resource, summary: resource). */
static inline TF_Operation *weir_stats_aggregator_set_summary_writer(weir_builder *builder,
                                                                     const char *node,
                                                                     TF_Output stats_aggregator,
                                                                     TF_Output summary)
{
    const TF_Output inputs[] = {stats_aggregator, summary};
    return weir_build_op(builder, "StatsAggregatorSetSummaryWriter", node, inputs, 2).oper;
}

/* StatsAggregatorSummary(iterator: resource) -> summary: string. */
static inline TF_Output weir_stats_aggregator_summary(weir_builder *builder, const char *node,
                                                      TF_Output iterator)
{
    const TF_Output inputs[] = {iterator};
    return weir_build_op(builder, "StatsAggregatorSummary", node, inputs, 1);
}

#ifdef __cplusplus
}
#endif
#endif
