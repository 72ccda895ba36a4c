/* weir/ops/data/group.h - datasets that batch elements, or group them.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_GROUP_OPS_H
#define WEIR_DATA_GROUP_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AutoShardDataset(input_dataset: variant, num_workers: int64, index: int64) -> handle: variant. */
typedef struct weir_auto_shard_dataset_options {
    int64_t auto_shard_policy;
    int64_t num_replicas;
} weir_auto_shard_dataset_options;
static inline TF_Output weir_auto_shard_dataset(weir_builder *builder, const char *node,
                                                TF_Output input_dataset, TF_Output num_workers,
                                                TF_Output index, const TF_DataType *output_types,
                                                int output_types_count,
                                                const weir_dims *output_shapes,
                                                int output_shapes_count,
                                                const weir_auto_shard_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AutoShardDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, num_workers);
    weir_build_input(builder, made, index);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "auto_shard_policy", options->auto_shard_policy);
        TF_SetAttrInt(made, "num_replicas", options->num_replicas);
    }
    return weir_build_end(builder, made);
}

/* BatchDataset(input_dataset: variant, batch_size: int64) -> handle: variant: batches consecutive
 * elements. */
typedef struct weir_batch_dataset_options {
    const char *metadata; /* null: "" */
} weir_batch_dataset_options;
static inline TF_Output weir_batch_dataset(weir_builder *builder, const char *node,
                                           TF_Output input_dataset, TF_Output batch_size,
                                           const TF_DataType *output_types, int output_types_count,
                                           const weir_dims *output_shapes, int output_shapes_count,
                                           const weir_batch_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, batch_size);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* BatchDatasetV2(input_dataset: variant, batch_size: int64, drop_remainder: bool) -> handle:
 * variant: batches consecutive elements. */
typedef struct weir_batch_dataset_v2_options {
    bool parallel_copy;
    const char *metadata; /* null: "" */
} weir_batch_dataset_v2_options;
static inline TF_Output weir_batch_dataset_v2(weir_builder *builder, const char *node,
                                              TF_Output input_dataset, TF_Output batch_size,
                                              TF_Output drop_remainder,
                                              const TF_DataType *output_types,
                                              int output_types_count,
                                              const weir_dims *output_shapes,
                                              int output_shapes_count,
                                              const weir_batch_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, batch_size);
    weir_build_input(builder, made, drop_remainder);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "parallel_copy", options->parallel_copy);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* ComputeBatchSize(input_dataset: variant) -> batch_size: int64: ops on datasets, elements and
 * iterators. */
static inline TF_Output weir_compute_batch_size(weir_builder *builder, const char *node,
                                                TF_Output input_dataset)
{
    const TF_Output inputs[] = {input_dataset};
    return weir_build_op(builder, "ComputeBatchSize", node, inputs, 1);
}

/* DenseToSparseBatchDataset(input_dataset: variant, batch_size: int64, row_shape: int64) -> handle:
 * variant: splits a sparse tensor into rows, and batches elements into a sparse tensor. */
static inline TF_Output weir_dense_to_sparse_batch_dataset(weir_builder *builder, const char *node,
                                                           TF_Output input_dataset,
                                                           TF_Output batch_size,
                                                           TF_Output row_shape,
                                                           const TF_DataType *output_types,
                                                           int output_types_count,
                                                           const weir_dims *output_shapes,
                                                           int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DenseToSparseBatchDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, batch_size);
    weir_build_input(builder, made, row_shape);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* GroupByReducerDataset(input_dataset: variant, key_func_other_arguments:
 * Tkey_func_other_arguments, init_func_other_arguments: Tinit_func_other_arguments,
 * reduce_func_other_arguments: Treduce_func_other_arguments, finalize_func_other_arguments:
 * Tfinalize_func_other_arguments) -> handle: variant: groups elements by key, into windows that a
 * function turns into datasets, or reduced to one element per key. */
static inline TF_Output
weir_group_by_reducer_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                              const TF_Output *key_func_other_arguments,
                              int key_func_other_arguments_count,
                              const TF_Output *init_func_other_arguments,
                              int init_func_other_arguments_count,
                              const TF_Output *reduce_func_other_arguments,
                              int reduce_func_other_arguments_count,
                              const TF_Output *finalize_func_other_arguments,
                              int finalize_func_other_arguments_count, const char *key_func,
                              const char *init_func, const char *reduce_func,
                              const char *finalize_func, const TF_DataType *output_types,
                              int output_types_count, const weir_dims *output_shapes,
                              int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "GroupByReducerDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, key_func_other_arguments, key_func_other_arguments_count);
    weir_build_input_list(builder, made, init_func_other_arguments, init_func_other_arguments_count);
    weir_build_input_list(builder, made, reduce_func_other_arguments, reduce_func_other_arguments_count);
    weir_build_input_list(builder, made, finalize_func_other_arguments, finalize_func_other_arguments_count);
    if (made) {
        weir_attr_func(made, "key_func", key_func);
        weir_attr_func(made, "init_func", init_func);
        weir_attr_func(made, "reduce_func", reduce_func);
        weir_attr_func(made, "finalize_func", finalize_func);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* GroupByWindowDataset(input_dataset: variant, key_func_other_arguments: Tkey_func_other_arguments,
 * reduce_func_other_arguments: Treduce_func_other_arguments, window_size_func_other_arguments:
 * Twindow_size_func_other_arguments) -> handle: variant: groups elements by key, into windows that
 * a function turns into datasets, or reduced to one element per key. */
typedef struct weir_group_by_window_dataset_options {
    const char *metadata; /* null: "" */
} weir_group_by_window_dataset_options;
static inline TF_Output
weir_group_by_window_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                             const TF_Output *key_func_other_arguments,
                             int key_func_other_arguments_count,
                             const TF_Output *reduce_func_other_arguments,
                             int reduce_func_other_arguments_count,
                             const TF_Output *window_size_func_other_arguments,
                             int window_size_func_other_arguments_count, const char *key_func,
                             const char *reduce_func, const char *window_size_func,
                             const TF_DataType *output_types, int output_types_count,
                             const weir_dims *output_shapes, int output_shapes_count,
                             const weir_group_by_window_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "GroupByWindowDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, key_func_other_arguments, key_func_other_arguments_count);
    weir_build_input_list(builder, made, reduce_func_other_arguments, reduce_func_other_arguments_count);
    weir_build_input_list(builder, made, window_size_func_other_arguments, window_size_func_other_arguments_count);
    if (made) {
        weir_attr_func(made, "key_func", key_func);
        weir_attr_func(made, "reduce_func", reduce_func);
        weir_attr_func(made, "window_size_func", window_size_func);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* PaddedBatchDataset(input_dataset: variant, batch_size: int64, padded_shapes: N * int64,
 * padding_values: Toutput_types) -> handle: variant: batches elements of different sizes by
 * padding. */
typedef struct weir_padded_batch_dataset_options {
    const char *metadata; /* null: "" */
} weir_padded_batch_dataset_options;
static inline TF_Output weir_padded_batch_dataset(weir_builder *builder, const char *node,
                                                  TF_Output input_dataset, TF_Output batch_size,
                                                  const TF_Output *padded_shapes,
                                                  int padded_shapes_count,
                                                  const TF_Output *padding_values,
                                                  int padding_values_count,
                                                  const weir_dims *output_shapes,
                                                  int output_shapes_count,
                                                  const weir_padded_batch_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PaddedBatchDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, batch_size);
    weir_build_input_list(builder, made, padded_shapes, padded_shapes_count);
    weir_build_input_list(builder, made, padding_values, padding_values_count);
    if (made) {
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* PaddedBatchDatasetV2(input_dataset: variant, batch_size: int64, padded_shapes: N * int64,
 * padding_values: Toutput_types, drop_remainder: bool) -> handle: variant: batches elements of
 * different sizes by padding. */
typedef struct weir_padded_batch_dataset_v2_options {
    bool parallel_copy;
    const char *metadata; /* null: "" */
} weir_padded_batch_dataset_v2_options;
static inline TF_Output
weir_padded_batch_dataset_v2(weir_builder *builder, const char *node, TF_Output input_dataset,
                             TF_Output batch_size, const TF_Output *padded_shapes,
                             int padded_shapes_count, const TF_Output *padding_values,
                             int padding_values_count, TF_Output drop_remainder,
                             const weir_dims *output_shapes, int output_shapes_count,
                             const weir_padded_batch_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PaddedBatchDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, batch_size);
    weir_build_input_list(builder, made, padded_shapes, padded_shapes_count);
    weir_build_input_list(builder, made, padding_values, padding_values_count);
    weir_build_input(builder, made, drop_remainder);
    if (made) {
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "parallel_copy", options->parallel_copy);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* ParallelBatchDataset(input_dataset: variant, batch_size: int64, num_parallel_calls: int64,
 * drop_remainder: bool) -> handle: variant: batches, made by several threads. */
typedef struct weir_parallel_batch_dataset_options {
    bool parallel_copy;
    const char *deterministic; /* null: "default" */
    const char *metadata; /* null: "" */
} weir_parallel_batch_dataset_options;
static inline TF_Output
weir_parallel_batch_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                            TF_Output batch_size, TF_Output num_parallel_calls,
                            TF_Output drop_remainder, const TF_DataType *output_types,
                            int output_types_count, const weir_dims *output_shapes,
                            int output_shapes_count,
                            const weir_parallel_batch_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParallelBatchDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, batch_size);
    weir_build_input(builder, made, num_parallel_calls);
    weir_build_input(builder, made, drop_remainder);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "parallel_copy", options->parallel_copy);
        if (options->deterministic)
            weir_attr_string(made, "deterministic", options->deterministic);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* ShardDataset(input_dataset: variant, num_shards: int64, index: int64) -> handle: variant: subsets
 * of the elements. */
typedef struct weir_shard_dataset_options {
    bool require_non_empty;
    const char *metadata; /* null: "" */
} weir_shard_dataset_options;
static inline TF_Output weir_shard_dataset(weir_builder *builder, const char *node,
                                           TF_Output input_dataset, TF_Output num_shards,
                                           TF_Output index, const TF_DataType *output_types,
                                           int output_types_count, const weir_dims *output_shapes,
                                           int output_shapes_count,
                                           const weir_shard_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ShardDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, num_shards);
    weir_build_input(builder, made, index);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "require_non_empty", options->require_non_empty);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* SlidingWindowDataset(input_dataset: variant, window_size: int64, window_shift: int64,
 * window_stride: int64) -> handle: variant: windows of elements, each as a batch. */
typedef struct weir_sliding_window_dataset_options {
    bool not_drop_remainder;
} weir_sliding_window_dataset_options;
static inline TF_Output
weir_sliding_window_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                            TF_Output window_size, TF_Output window_shift, TF_Output window_stride,
                            const TF_DataType *output_types, int output_types_count,
                            const weir_dims *output_shapes, int output_shapes_count,
                            const weir_sliding_window_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SlidingWindowDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, window_size);
    weir_build_input(builder, made, window_shift);
    weir_build_input(builder, made, window_stride);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "drop_remainder", !options->not_drop_remainder);
    }
    return weir_build_end(builder, made);
}

/* UniqueDataset(input_dataset: variant) -> handle: variant: drops repeated elements. */
typedef struct weir_unique_dataset_options {
    const char *metadata; /* null: "" */
} weir_unique_dataset_options;
static inline TF_Output weir_unique_dataset(weir_builder *builder, const char *node,
                                            TF_Output input_dataset,
                                            const TF_DataType *output_types, int output_types_count,
                                            const weir_dims *output_shapes, int output_shapes_count,
                                            const weir_unique_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniqueDataset", node);
    weir_build_input(builder, made, input_dataset);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* WindowDataset(input_dataset: variant, size: int64, shift: int64, stride: int64, drop_remainder:
 * bool) -> handle: variant: runs of elements as datasets. */
typedef struct weir_window_dataset_options {
    const char *metadata; /* null: "" */
} weir_window_dataset_options;
static inline TF_Output weir_window_dataset(weir_builder *builder, const char *node,
                                            TF_Output input_dataset, TF_Output size,
                                            TF_Output shift, TF_Output stride,
                                            TF_Output drop_remainder,
                                            const TF_DataType *output_types, int output_types_count,
                                            const weir_dims *output_shapes, int output_shapes_count,
                                            const weir_window_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "WindowDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, size);
    weir_build_input(builder, made, shift);
    weir_build_input(builder, made, stride);
    weir_build_input(builder, made, drop_remainder);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* WindowOp(inputs: Tinputs) -> handle: variant: the op's inputs as consecutive elements. */
static inline TF_Output weir_window_op(weir_builder *builder, const char *node,
                                       const TF_Output *inputs, int inputs_count,
                                       const TF_DataType *output_types, int output_types_count,
                                       const weir_dims *output_shapes, int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "WindowOp", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
