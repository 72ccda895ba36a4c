/* weir/ops/data/older.h - the names that ops of datasets had before.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_OLDER_OPS_H
#define WEIR_DATA_OLDER_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ExperimentalAssertNextDataset(input_dataset: variant, transformations: string) -> handle:
 * variant: fails unless given datasets follow. */
static inline TF_Output weir_experimental_assert_next_dataset(weir_builder *builder,
                                                              const char *node,
                                                              TF_Output input_dataset,
                                                              TF_Output transformations,
                                                              const TF_DataType *output_types,
                                                              int output_types_count,
                                                              const weir_dims *output_shapes,
                                                              int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalAssertNextDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, transformations);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalAutoShardDataset(input_dataset: variant, num_workers: int64, index: int64) -> handle:
 * variant. */
typedef struct weir_experimental_auto_shard_dataset_options {
    int64_t auto_shard_policy;
} weir_experimental_auto_shard_dataset_options;
static inline TF_Output
weir_experimental_auto_shard_dataset(weir_builder *builder, const char *node,
                                     TF_Output input_dataset, TF_Output num_workers,
                                     TF_Output index, const TF_DataType *output_types,
                                     int output_types_count, const weir_dims *output_shapes,
                                     int output_shapes_count,
                                     const weir_experimental_auto_shard_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExperimentalAutoShardDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, num_workers);
    weir_build_input(builder, made, index);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "auto_shard_policy", options->auto_shard_policy);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalBytesProducedStatsDataset(input_dataset: variant, tag: string) -> handle: variant. */
static inline TF_Output
weir_experimental_bytes_produced_stats_dataset(weir_builder *builder, const char *node,
                                               TF_Output input_dataset, TF_Output tag,
                                               const TF_DataType *output_types,
                                               int output_types_count,
                                               const weir_dims *output_shapes,
                                               int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalBytesProducedStatsDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, tag);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalCSVDataset(filenames: string, compression_type: string, buffer_size: int64, header:
 * bool, field_delim: string, use_quote_delim: bool, na_value: string, select_cols: int64,
 * record_defaults: output_types) -> handle: variant. output_types: float, double, int32, int64,
 * string. */
static inline TF_Output weir_experimental_csv_dataset(weir_builder *builder, const char *node,
                                                      TF_Output filenames,
                                                      TF_Output compression_type,
                                                      TF_Output buffer_size, TF_Output header,
                                                      TF_Output field_delim,
                                                      TF_Output use_quote_delim, TF_Output na_value,
                                                      TF_Output select_cols,
                                                      const TF_Output *record_defaults,
                                                      int record_defaults_count,
                                                      const weir_dims *output_shapes,
                                                      int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExperimentalCSVDataset", node);
    weir_build_input(builder, made, filenames);
    weir_build_input(builder, made, compression_type);
    weir_build_input(builder, made, buffer_size);
    weir_build_input(builder, made, header);
    weir_build_input(builder, made, field_delim);
    weir_build_input(builder, made, use_quote_delim);
    weir_build_input(builder, made, na_value);
    weir_build_input(builder, made, select_cols);
    weir_build_input_list(builder, made, record_defaults, record_defaults_count);
    if (made) {
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalChooseFastestDataset(input_datasets: N * variant) -> handle: variant. */
static inline TF_Output weir_experimental_choose_fastest_dataset(weir_builder *builder,
                                                                 const char *node,
                                                                 const TF_Output *input_datasets,
                                                                 int input_datasets_count,
                                                                 int64_t num_experiments,
                                                                 const TF_DataType *output_types,
                                                                 int output_types_count,
                                                                 const weir_dims *output_shapes,
                                                                 int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalChooseFastestDataset", node);
    weir_build_input_list(builder, made, input_datasets, input_datasets_count);
    if (made) {
        TF_SetAttrInt(made, "num_experiments", num_experiments);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalDatasetCardinality(input_dataset: variant) -> cardinality: int64. */
static inline TF_Output weir_experimental_dataset_cardinality(weir_builder *builder,
                                                              const char *node,
                                                              TF_Output input_dataset)
{
    const TF_Output inputs[] = {input_dataset};
    return weir_build_op(builder, "ExperimentalDatasetCardinality", node, inputs, 1);
}

/* ExperimentalDatasetToTFRecord(input_dataset: variant, filename: string, compression_type:
 * string). */
static inline TF_Operation *weir_experimental_dataset_to_tf_record(weir_builder *builder,
                                                                   const char *node,
                                                                   TF_Output input_dataset,
                                                                   TF_Output filename,
                                                                   TF_Output compression_type)
{
    const TF_Output inputs[] = {input_dataset, filename, compression_type};
    return weir_build_op(builder, "ExperimentalDatasetToTFRecord", node, inputs, 3).oper;
}

/* ExperimentalDenseToSparseBatchDataset(input_dataset: variant, batch_size: int64, row_shape:
 * int64) -> handle: variant. */
static inline TF_Output
weir_experimental_dense_to_sparse_batch_dataset(weir_builder *builder, const char *node,
                                                TF_Output input_dataset, TF_Output batch_size,
                                                TF_Output row_shape,
                                                const TF_DataType *output_types,
                                                int output_types_count,
                                                const weir_dims *output_shapes,
                                                int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalDenseToSparseBatchDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, batch_size);
    weir_build_input(builder, made, row_shape);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalDirectedInterleaveDataset(selector_input_dataset: variant, data_input_datasets: N *
 * variant) -> handle: variant. */
static inline TF_Output
weir_experimental_directed_interleave_dataset(weir_builder *builder, const char *node,
                                              TF_Output selector_input_dataset,
                                              const TF_Output *data_input_datasets,
                                              int data_input_datasets_count,
                                              const TF_DataType *output_types,
                                              int output_types_count,
                                              const weir_dims *output_shapes,
                                              int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalDirectedInterleaveDataset", node);
    weir_build_input(builder, made, selector_input_dataset);
    weir_build_input_list(builder, made, data_input_datasets, data_input_datasets_count);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalGroupByReducerDataset(input_dataset: variant, key_func_other_arguments:
 * Tkey_func_other_arguments, init_func_other_arguments: Tinit_func_other_arguments,
 * reduce_func_other_arguments: Treduce_func_other_arguments, finalize_func_other_arguments:
 * Tfinalize_func_other_arguments) -> handle: variant. */
static inline TF_Output
weir_experimental_group_by_reducer_dataset(weir_builder *builder, const char *node,
                                           TF_Output input_dataset,
                                           const TF_Output *key_func_other_arguments,
                                           int key_func_other_arguments_count,
                                           const TF_Output *init_func_other_arguments,
                                           int init_func_other_arguments_count,
                                           const TF_Output *reduce_func_other_arguments,
                                           int reduce_func_other_arguments_count,
                                           const TF_Output *finalize_func_other_arguments,
                                           int finalize_func_other_arguments_count,
                                           const char *key_func, const char *init_func,
                                           const char *reduce_func, const char *finalize_func,
                                           const TF_DataType *output_types, int output_types_count,
                                           const weir_dims *output_shapes, int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalGroupByReducerDataset", node);
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

/* ExperimentalGroupByWindowDataset(input_dataset: variant, key_func_other_arguments:
 * Tkey_func_other_arguments, reduce_func_other_arguments: Treduce_func_other_arguments,
 * window_size_func_other_arguments: Twindow_size_func_other_arguments) -> handle: variant. */
static inline TF_Output
weir_experimental_group_by_window_dataset(weir_builder *builder, const char *node,
                                          TF_Output input_dataset,
                                          const TF_Output *key_func_other_arguments,
                                          int key_func_other_arguments_count,
                                          const TF_Output *reduce_func_other_arguments,
                                          int reduce_func_other_arguments_count,
                                          const TF_Output *window_size_func_other_arguments,
                                          int window_size_func_other_arguments_count,
                                          const char *key_func, const char *reduce_func,
                                          const char *window_size_func,
                                          const TF_DataType *output_types, int output_types_count,
                                          const weir_dims *output_shapes, int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalGroupByWindowDataset", node);
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
    return weir_build_end(builder, made);
}

/* ExperimentalIgnoreErrorsDataset(input_dataset: variant) -> handle: variant. */
typedef struct weir_experimental_ignore_errors_dataset_options {
    bool log_warning;
} weir_experimental_ignore_errors_dataset_options;
static inline TF_Output
weir_experimental_ignore_errors_dataset(weir_builder *builder, const char *node,
    TF_Output input_dataset, const TF_DataType *output_types, int output_types_count,
    const weir_dims *output_shapes, int output_shapes_count,
    const weir_experimental_ignore_errors_dataset_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalIgnoreErrorsDataset", node);
    weir_build_input(builder, made, input_dataset);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "log_warning", options->log_warning);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalIteratorGetDevice(resource: resource) -> device: string. */
static inline TF_Output weir_experimental_iterator_get_device(weir_builder *builder,
                                                              const char *node, TF_Output resource)
{
    const TF_Output inputs[] = {resource};
    return weir_build_op(builder, "ExperimentalIteratorGetDevice", node, inputs, 1);
}

/* ExperimentalLatencyStatsDataset(input_dataset: variant, tag: string) -> handle: variant. */
static inline TF_Output weir_experimental_latency_stats_dataset(weir_builder *builder,
                                                                const char *node,
                                                                TF_Output input_dataset,
                                                                TF_Output tag,
                                                                const TF_DataType *output_types,
                                                                int output_types_count,
                                                                const weir_dims *output_shapes,
                                                                int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalLatencyStatsDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, tag);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalMapAndBatchDataset(input_dataset: variant, other_arguments: Targuments, batch_size:
 * int64, num_parallel_calls: int64, drop_remainder: bool) -> handle: variant. */
typedef struct weir_experimental_map_and_batch_dataset_options {
    bool preserve_cardinality;
} weir_experimental_map_and_batch_dataset_options;
static inline TF_Output
weir_experimental_map_and_batch_dataset(weir_builder *builder, const char *node,
    TF_Output input_dataset, const TF_Output *other_arguments, int other_arguments_count,
    TF_Output batch_size, TF_Output num_parallel_calls, TF_Output drop_remainder, const char *f,
    const TF_DataType *output_types, int output_types_count, const weir_dims *output_shapes,
    int output_shapes_count, const weir_experimental_map_and_batch_dataset_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalMapAndBatchDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    weir_build_input(builder, made, batch_size);
    weir_build_input(builder, made, num_parallel_calls);
    weir_build_input(builder, made, drop_remainder);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "preserve_cardinality", options->preserve_cardinality);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalMapDataset(input_dataset: variant, other_arguments: Targuments) -> handle: variant.
 * */
typedef struct weir_experimental_map_dataset_options {
    bool not_use_inter_op_parallelism;
    bool preserve_cardinality;
    bool force_synchronous;
} weir_experimental_map_dataset_options;
static inline TF_Output
weir_experimental_map_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                              const TF_Output *other_arguments, int other_arguments_count,
                              const char *f, const TF_DataType *output_types,
                              int output_types_count, const weir_dims *output_shapes,
                              int output_shapes_count,
                              const weir_experimental_map_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExperimentalMapDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_inter_op_parallelism", !options->not_use_inter_op_parallelism);
        TF_SetAttrBool(made, "preserve_cardinality", options->preserve_cardinality);
        TF_SetAttrBool(made, "force_synchronous", options->force_synchronous);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalMatchingFilesDataset(patterns: string) -> handle: variant. */
static inline TF_Output weir_experimental_matching_files_dataset(weir_builder *builder,
                                                                 const char *node,
                                                                 TF_Output patterns)
{
    const TF_Output inputs[] = {patterns};
    return weir_build_op(builder, "ExperimentalMatchingFilesDataset", node, inputs, 1);
}

/* ExperimentalMaxIntraOpParallelismDataset(input_dataset: variant, max_intra_op_parallelism: int64)
 * -> handle: variant. */
static inline TF_Output
weir_experimental_max_intra_op_parallelism_dataset(weir_builder *builder, const char *node,
                                                   TF_Output input_dataset,
                                                   TF_Output max_intra_op_parallelism,
                                                   const TF_DataType *output_types,
                                                   int output_types_count,
                                                   const weir_dims *output_shapes,
                                                   int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalMaxIntraOpParallelismDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, max_intra_op_parallelism);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalNonSerializableDataset(input_dataset: variant) -> handle: variant. */
static inline TF_Output weir_experimental_non_serializable_dataset(weir_builder *builder,
                                                                   const char *node,
                                                                   TF_Output input_dataset,
                                                                   const TF_DataType *output_types,
                                                                   int output_types_count,
                                                                   const weir_dims *output_shapes,
                                                                   int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalNonSerializableDataset", node);
    weir_build_input(builder, made, input_dataset);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalParallelInterleaveDataset(input_dataset: variant, other_arguments: Targuments,
 * cycle_length: int64, block_length: int64, sloppy: bool, buffer_output_elements: int64,
 * prefetch_input_elements: int64) -> handle: variant. */
static inline TF_Output
weir_experimental_parallel_interleave_dataset(weir_builder *builder, const char *node,
                                              TF_Output input_dataset,
                                              const TF_Output *other_arguments,
                                              int other_arguments_count, TF_Output cycle_length,
                                              TF_Output block_length, TF_Output sloppy,
                                              TF_Output buffer_output_elements,
                                              TF_Output prefetch_input_elements, const char *f,
                                              const TF_DataType *output_types,
                                              int output_types_count,
                                              const weir_dims *output_shapes,
                                              int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalParallelInterleaveDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    weir_build_input(builder, made, cycle_length);
    weir_build_input(builder, made, block_length);
    weir_build_input(builder, made, sloppy);
    weir_build_input(builder, made, buffer_output_elements);
    weir_build_input(builder, made, prefetch_input_elements);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalParseExampleDataset(input_dataset: variant, num_parallel_calls: int64,
 * dense_defaults: Tdense) -> handle: variant. sparse_types: float, int64, string. Tdense: float,
 * int64, string. */
typedef struct weir_experimental_parse_example_dataset_options {
    bool sloppy;
} weir_experimental_parse_example_dataset_options;
static inline TF_Output
weir_experimental_parse_example_dataset(weir_builder *builder, const char *node,
    TF_Output input_dataset, TF_Output num_parallel_calls, const TF_Output *dense_defaults,
    int dense_defaults_count, const char *const *sparse_keys, int sparse_keys_count,
    const char *const *dense_keys, int dense_keys_count, const TF_DataType *sparse_types,
    int sparse_types_count, const weir_dims *dense_shapes, int dense_shapes_count,
    const TF_DataType *output_types, int output_types_count, const weir_dims *output_shapes,
    int output_shapes_count, const weir_experimental_parse_example_dataset_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalParseExampleDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, num_parallel_calls);
    weir_build_input_list(builder, made, dense_defaults, dense_defaults_count);
    if (made) {
        weir_attr_strings(made, "sparse_keys", sparse_keys, sparse_keys_count);
        weir_attr_strings(made, "dense_keys", dense_keys, dense_keys_count);
        TF_SetAttrTypeList(made, "sparse_types", sparse_types, sparse_types_count);
        weir_attr_shapes(made, "dense_shapes", dense_shapes, dense_shapes_count);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "sloppy", options->sloppy);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalPrivateThreadPoolDataset(input_dataset: variant, num_threads: int64) -> handle:
 * variant. */
static inline TF_Output
weir_experimental_private_thread_pool_dataset(weir_builder *builder, const char *node,
                                              TF_Output input_dataset, TF_Output num_threads,
                                              const TF_DataType *output_types,
                                              int output_types_count,
                                              const weir_dims *output_shapes,
                                              int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalPrivateThreadPoolDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, num_threads);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalRandomDataset(seed: int64, seed2: int64) -> handle: variant. */
static inline TF_Output weir_experimental_random_dataset(weir_builder *builder, const char *node,
                                                         TF_Output seed, TF_Output seed2,
                                                         const TF_DataType *output_types,
                                                         int output_types_count,
                                                         const weir_dims *output_shapes,
                                                         int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExperimentalRandomDataset", node);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, seed2);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalRebatchDataset(input_dataset: variant, num_replicas: int64) -> handle: variant. */
typedef struct weir_experimental_rebatch_dataset_options {
    bool not_use_fallback;
} weir_experimental_rebatch_dataset_options;
static inline TF_Output
weir_experimental_rebatch_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                                  TF_Output num_replicas, const TF_DataType *output_types,
                                  int output_types_count, const weir_dims *output_shapes,
                                  int output_shapes_count,
                                  const weir_experimental_rebatch_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExperimentalRebatchDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, num_replicas);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_fallback", !options->not_use_fallback);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalScanDataset(input_dataset: variant, initial_state: Tstate, other_arguments:
 * Targuments) -> handle: variant. */
typedef struct weir_experimental_scan_dataset_options {
    bool preserve_cardinality;
} weir_experimental_scan_dataset_options;
static inline TF_Output
weir_experimental_scan_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                               const TF_Output *initial_state, int initial_state_count,
                               const TF_Output *other_arguments, int other_arguments_count,
                               const char *f, const TF_DataType *output_types,
                               int output_types_count, const weir_dims *output_shapes,
                               int output_shapes_count,
                               const weir_experimental_scan_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExperimentalScanDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, initial_state, initial_state_count);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "preserve_cardinality", options->preserve_cardinality);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalSetStatsAggregatorDataset(input_dataset: variant, stats_aggregator: resource, tag:
 * string, counter_prefix: string) -> handle: variant. */
static inline TF_Output
weir_experimental_set_stats_aggregator_dataset(weir_builder *builder, const char *node,
                                               TF_Output input_dataset, TF_Output stats_aggregator,
                                               TF_Output tag, TF_Output counter_prefix,
                                               const TF_DataType *output_types,
                                               int output_types_count,
                                               const weir_dims *output_shapes,
                                               int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalSetStatsAggregatorDataset", node);
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

/* ExperimentalSleepDataset(input_dataset: variant, sleep_microseconds: int64) -> handle: variant.
 * */
static inline TF_Output weir_experimental_sleep_dataset(weir_builder *builder, const char *node,
                                                        TF_Output input_dataset,
                                                        TF_Output sleep_microseconds,
                                                        const TF_DataType *output_types,
                                                        int output_types_count,
                                                        const weir_dims *output_shapes,
                                                        int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExperimentalSleepDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, sleep_microseconds);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalSlidingWindowDataset(input_dataset: variant, window_size: int64, window_shift: int64,
 * window_stride: int64) -> handle: variant. */
static inline TF_Output weir_experimental_sliding_window_dataset(weir_builder *builder,
                                                                 const char *node,
                                                                 TF_Output input_dataset,
                                                                 TF_Output window_size,
                                                                 TF_Output window_shift,
                                                                 TF_Output window_stride,
                                                                 const TF_DataType *output_types,
                                                                 int output_types_count,
                                                                 const weir_dims *output_shapes,
                                                                 int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalSlidingWindowDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, window_size);
    weir_build_input(builder, made, window_shift);
    weir_build_input(builder, made, window_stride);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalStatsAggregatorHandle() -> handle: resource. */
typedef struct weir_experimental_stats_aggregator_handle_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_experimental_stats_aggregator_handle_options;
static inline TF_Output
weir_experimental_stats_aggregator_handle(weir_builder *builder, const char *node,
    const weir_experimental_stats_aggregator_handle_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalStatsAggregatorHandle", node);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalStatsAggregatorSummary(iterator: resource) -> summary: string. */
static inline TF_Output weir_experimental_stats_aggregator_summary(weir_builder *builder,
                                                                   const char *node,
                                                                   TF_Output iterator)
{
    const TF_Output inputs[] = {iterator};
    return weir_build_op(builder, "ExperimentalStatsAggregatorSummary", node, inputs, 1);
}

/* ExperimentalTakeWhileDataset(input_dataset: variant, other_arguments: Targuments) -> handle:
 * variant. */
static inline TF_Output weir_experimental_take_while_dataset(weir_builder *builder,
                                                             const char *node,
                                                             TF_Output input_dataset,
                                                             const TF_Output *other_arguments,
                                                             int other_arguments_count,
                                                             const char *predicate,
                                                             const TF_DataType *output_types,
                                                             int output_types_count,
                                                             const weir_dims *output_shapes,
                                                             int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExperimentalTakeWhileDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    if (made) {
        weir_attr_func(made, "predicate", predicate);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalThreadPoolDataset(input_dataset: variant, thread_pool: resource) -> handle: variant.
 * */
static inline TF_Output weir_experimental_thread_pool_dataset(weir_builder *builder,
                                                              const char *node,
                                                              TF_Output input_dataset,
                                                              TF_Output thread_pool,
                                                              const TF_DataType *output_types,
                                                              int output_types_count,
                                                              const weir_dims *output_shapes,
                                                              int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ExperimentalThreadPoolDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, thread_pool);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalThreadPoolHandle() -> handle: resource. */
typedef struct weir_experimental_thread_pool_handle_options {
    int64_t max_intra_op_parallelism; /* 0: 1 */
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_experimental_thread_pool_handle_options;
static inline TF_Output
weir_experimental_thread_pool_handle(weir_builder *builder, const char *node, int64_t num_threads,
                                     const char *display_name,
                                     const weir_experimental_thread_pool_handle_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExperimentalThreadPoolHandle", node);
    if (made) {
        TF_SetAttrInt(made, "num_threads", num_threads);
        weir_attr_string(made, "display_name", display_name);
    }
    if (made && options) {
        if (options->max_intra_op_parallelism != 0)
            TF_SetAttrInt(made, "max_intra_op_parallelism",
                weir_int_of(options->max_intra_op_parallelism));
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalUnbatchDataset(input_dataset: variant) -> handle: variant. */
static inline TF_Output weir_experimental_unbatch_dataset(weir_builder *builder, const char *node,
                                                          TF_Output input_dataset,
                                                          const TF_DataType *output_types,
                                                          int output_types_count,
                                                          const weir_dims *output_shapes,
                                                          int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExperimentalUnbatchDataset", node);
    weir_build_input(builder, made, input_dataset);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ExperimentalUniqueDataset(input_dataset: variant) -> handle: variant. */
static inline TF_Output weir_experimental_unique_dataset(weir_builder *builder, const char *node,
                                                         TF_Output input_dataset,
                                                         const TF_DataType *output_types,
                                                         int output_types_count,
                                                         const weir_dims *output_shapes,
                                                         int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExperimentalUniqueDataset", node);
    weir_build_input(builder, made, input_dataset);
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
