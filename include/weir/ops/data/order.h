/* weir/ops/data/order.h - datasets that repeat, shuffle, join and choose elements.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_ORDER_OPS_H
#define WEIR_DATA_ORDER_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CSVDataset(filenames: string, compression_type: string, buffer_size: int64, header: bool,
 * field_delim: string, use_quote_delim: bool, na_value: string, select_cols: int64,
 * record_defaults: output_types) -> handle: variant: the records of text files, one tensor per
 * column. output_types: float, double, int32, int64, string. */
static inline TF_Output weir_csv_dataset(weir_builder *builder, const char *node,
                                         TF_Output filenames, TF_Output compression_type,
                                         TF_Output buffer_size, TF_Output header,
                                         TF_Output field_delim, TF_Output use_quote_delim,
                                         TF_Output na_value, TF_Output select_cols,
                                         const TF_Output *record_defaults,
                                         int record_defaults_count, const weir_dims *output_shapes,
                                         int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CSVDataset", node);
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

/* CSVDatasetV2(filenames: string, compression_type: string, buffer_size: int64, header: bool,
 * field_delim: string, use_quote_delim: bool, na_value: string, select_cols: int64,
 * record_defaults: output_types, exclude_cols: int64) -> handle: variant: the records of text
 * files, one tensor per column. output_types: float, double, int32, int64, string. */
static inline TF_Output weir_csv_dataset_v2(weir_builder *builder, const char *node,
                                            TF_Output filenames, TF_Output compression_type,
                                            TF_Output buffer_size, TF_Output header,
                                            TF_Output field_delim, TF_Output use_quote_delim,
                                            TF_Output na_value, TF_Output select_cols,
                                            const TF_Output *record_defaults,
                                            int record_defaults_count, TF_Output exclude_cols,
                                            const weir_dims *output_shapes, int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CSVDatasetV2", node);
    weir_build_input(builder, made, filenames);
    weir_build_input(builder, made, compression_type);
    weir_build_input(builder, made, buffer_size);
    weir_build_input(builder, made, header);
    weir_build_input(builder, made, field_delim);
    weir_build_input(builder, made, use_quote_delim);
    weir_build_input(builder, made, na_value);
    weir_build_input(builder, made, select_cols);
    weir_build_input_list(builder, made, record_defaults, record_defaults_count);
    weir_build_input(builder, made, exclude_cols);
    if (made) {
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* CacheDataset(input_dataset: variant, filename: string) -> handle: variant: caches the elements of
 * the first complete pass for all later ones, in memory or, with a file name, in files
 * (ops/data/cache_file.c). */
typedef struct weir_cache_dataset_options {
    const char *metadata; /* null: "" */
} weir_cache_dataset_options;
static inline TF_Output weir_cache_dataset(weir_builder *builder, const char *node,
                                           TF_Output input_dataset, TF_Output filename,
                                           const TF_DataType *output_types, int output_types_count,
                                           const weir_dims *output_shapes, int output_shapes_count,
                                           const weir_cache_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CacheDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, filename);
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

/* CacheDatasetV2(input_dataset: variant, filename: string, cache: resource) -> handle: variant:
 * caches the elements of the first complete pass for all later ones, in memory or, with a file
 * name, in files (ops/data/cache_file.c). */
typedef struct weir_cache_dataset_v2_options {
    const char *metadata; /* null: "" */
} weir_cache_dataset_v2_options;
static inline TF_Output weir_cache_dataset_v2(weir_builder *builder, const char *node,
                                              TF_Output input_dataset, TF_Output filename,
                                              TF_Output cache, const TF_DataType *output_types,
                                              int output_types_count,
                                              const weir_dims *output_shapes,
                                              int output_shapes_count,
                                              const weir_cache_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CacheDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, filename);
    weir_build_input(builder, made, cache);
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

/* ChooseFastestBranchDataset(input_dataset: variant, ratio_numerator: int64, ratio_denominator:
 * int64, other_arguments: Targuments) -> handle: variant: one of several equivalent functions of a
 * dataset; the first is used. */
static inline TF_Output weir_choose_fastest_branch_dataset(weir_builder *builder, const char *node,
                                                           TF_Output input_dataset,
                                                           TF_Output ratio_numerator,
                                                           TF_Output ratio_denominator,
                                                           const TF_Output *other_arguments,
                                                           int other_arguments_count,
                                                           int64_t num_elements_per_branch,
                                                           const char *const *branches,
                                                           int branches_count,
                                                           const int64_t *other_arguments_lengths,
                                                           int other_arguments_lengths_count,
                                                           const TF_DataType *output_types,
                                                           int output_types_count,
                                                           const weir_dims *output_shapes,
                                                           int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ChooseFastestBranchDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, ratio_numerator);
    weir_build_input(builder, made, ratio_denominator);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    if (made) {
        TF_SetAttrInt(made, "num_elements_per_branch", num_elements_per_branch);
        weir_attr_funcs(builder, made, "branches", branches, branches_count);
        TF_SetAttrIntList(made, "other_arguments_lengths", other_arguments_lengths, other_arguments_lengths_count);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ChooseFastestDataset(input_datasets: N * variant) -> handle: variant. */
static inline TF_Output weir_choose_fastest_dataset(weir_builder *builder, const char *node,
                                                    const TF_Output *input_datasets,
                                                    int input_datasets_count,
                                                    int64_t num_experiments,
                                                    const TF_DataType *output_types,
                                                    int output_types_count,
                                                    const weir_dims *output_shapes,
                                                    int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ChooseFastestDataset", node);
    weir_build_input_list(builder, made, input_datasets, input_datasets_count);
    if (made) {
        TF_SetAttrInt(made, "num_experiments", num_experiments);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* CompressElement(components: input_types) -> compressed: variant. */
static inline TF_Output weir_compress_element(weir_builder *builder, const char *node,
                                              const TF_Output *components, int components_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CompressElement", node);
    weir_build_input_list(builder, made, components, components_count);
    return weir_build_end(builder, made);
}

/* ConcatenateDataset(input_dataset: variant, another_dataset: variant) -> handle: variant: one
 * dataset after another. */
typedef struct weir_concatenate_dataset_options {
    const char *metadata; /* null: "" */
} weir_concatenate_dataset_options;
static inline TF_Output weir_concatenate_dataset(weir_builder *builder, const char *node,
                                                 TF_Output input_dataset, TF_Output another_dataset,
                                                 const TF_DataType *output_types,
                                                 int output_types_count,
                                                 const weir_dims *output_shapes,
                                                 int output_shapes_count,
                                                 const weir_concatenate_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ConcatenateDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, another_dataset);
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

/* DatasetFingerprint(input_dataset: variant) -> fingerprint: uint64. */
static inline TF_Output weir_dataset_fingerprint(weir_builder *builder, const char *node,
                                                 TF_Output input_dataset)
{
    const TF_Output inputs[] = {input_dataset};
    return weir_build_op(builder, "DatasetFingerprint", node, inputs, 1);
}

/* GlobalShuffleDataset(input_dataset: variant, seed: int64, seed2: int64, seed_generator: resource)
 * -> handle: variant: random permutation of a dataset with random access. */
typedef struct weir_global_shuffle_dataset_options {
    bool not_reshuffle_each_iteration;
    const char *metadata; /* null: "" */
} weir_global_shuffle_dataset_options;
static inline TF_Output
weir_global_shuffle_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                            TF_Output seed, TF_Output seed2, TF_Output seed_generator,
                            const TF_DataType *output_types, int output_types_count,
                            const weir_dims *output_shapes, int output_shapes_count,
                            const weir_global_shuffle_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "GlobalShuffleDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, seed2);
    weir_build_input(builder, made, seed_generator);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "reshuffle_each_iteration", !options->not_reshuffle_each_iteration);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* IgnoreErrorsDataset(input_dataset: variant) -> handle: variant: skips elements that fail. */
typedef struct weir_ignore_errors_dataset_options {
    bool log_warning;
} weir_ignore_errors_dataset_options;
static inline TF_Output
weir_ignore_errors_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                           const TF_DataType *output_types, int output_types_count,
                           const weir_dims *output_shapes, int output_shapes_count,
                           const weir_ignore_errors_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IgnoreErrorsDataset", node);
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

/* InitializeTableFromDataset(table_handle: resource, dataset: variant): ops on datasets, elements
 * and iterators. */
static inline TF_Operation *weir_initialize_table_from_dataset(weir_builder *builder,
                                                               const char *node,
                                                               TF_Output table_handle,
                                                               TF_Output dataset)
{
    const TF_Output inputs[] = {table_handle, dataset};
    return weir_build_op(builder, "InitializeTableFromDataset", node, inputs, 2).oper;
}

/* ListDataset(tensors: Tinput_types) -> handle: variant: the op's inputs as consecutive elements.
 * */
typedef struct weir_list_dataset_options {
    const char *metadata; /* null: "" */
} weir_list_dataset_options;
static inline TF_Output weir_list_dataset(weir_builder *builder, const char *node,
                                          const TF_Output *tensors, int tensors_count,
                                          const TF_DataType *output_types, int output_types_count,
                                          const weir_dims *output_shapes, int output_shapes_count,
                                          const weir_list_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ListDataset", node);
    weir_build_input_list(builder, made, tensors, tensors_count);
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

/* MatchingFilesDataset(patterns: string) -> handle: variant: names of files that match patterns. */
static inline TF_Output weir_matching_files_dataset(weir_builder *builder, const char *node,
                                                    TF_Output patterns)
{
    const TF_Output inputs[] = {patterns};
    return weir_build_op(builder, "MatchingFilesDataset", node, inputs, 1);
}

/* ParseExampleDataset(input_dataset: variant, num_parallel_calls: int64, dense_defaults: Tdense) ->
 * handle: variant: parses batches of serialised examples into one component per key, in key order.
 * sparse_types: float, int64, string. Tdense: float, int64, string. */
typedef struct weir_parse_example_dataset_options {
    bool sloppy;
    const char *const *ragged_keys;
    int ragged_keys_count; /* null: [] */
    const TF_DataType *ragged_value_types;
    int ragged_value_types_count; /* null: []; float, int64, string */
    const TF_DataType *ragged_split_types;
    int ragged_split_types_count; /* null: []; int32, int64 */
} weir_parse_example_dataset_options;
static inline TF_Output
weir_parse_example_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                           TF_Output num_parallel_calls, const TF_Output *dense_defaults,
                           int dense_defaults_count, const char *const *sparse_keys,
                           int sparse_keys_count, const char *const *dense_keys,
                           int dense_keys_count, const TF_DataType *sparse_types,
                           int sparse_types_count, const weir_dims *dense_shapes,
                           int dense_shapes_count, const TF_DataType *output_types,
                           int output_types_count, const weir_dims *output_shapes,
                           int output_shapes_count,
                           const weir_parse_example_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParseExampleDataset", node);
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
        if (options->ragged_keys)
            weir_attr_strings(made, "ragged_keys",
                options->ragged_keys, options->ragged_keys_count);
        if (options->ragged_value_types)
            TF_SetAttrTypeList(made, "ragged_value_types",
                options->ragged_value_types, options->ragged_value_types_count);
        if (options->ragged_split_types)
            TF_SetAttrTypeList(made, "ragged_split_types",
                options->ragged_split_types, options->ragged_split_types_count);
    }
    return weir_build_end(builder, made);
}

/* ParseExampleDatasetV2(input_dataset: variant, num_parallel_calls: int64, dense_defaults: Tdense)
 * -> handle: variant: parses batches of serialised examples into one component per key, in key
 * order. sparse_types: float, int64, string. Tdense: float, int64, string. */
typedef struct weir_parse_example_dataset_v2_options {
    const char *deterministic; /* null: "default" */
    const char *const *ragged_keys;
    int ragged_keys_count; /* null: [] */
    const TF_DataType *ragged_value_types;
    int ragged_value_types_count; /* null: []; float, int64, string */
    const TF_DataType *ragged_split_types;
    int ragged_split_types_count; /* null: []; int32, int64 */
} weir_parse_example_dataset_v2_options;
static inline TF_Output
weir_parse_example_dataset_v2(weir_builder *builder, const char *node, TF_Output input_dataset,
                              TF_Output num_parallel_calls, const TF_Output *dense_defaults,
                              int dense_defaults_count, const char *const *sparse_keys,
                              int sparse_keys_count, const char *const *dense_keys,
                              int dense_keys_count, const TF_DataType *sparse_types,
                              int sparse_types_count, const weir_dims *dense_shapes,
                              int dense_shapes_count, const TF_DataType *output_types,
                              int output_types_count, const weir_dims *output_shapes,
                              int output_shapes_count,
                              const weir_parse_example_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParseExampleDatasetV2", node);
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
        if (options->deterministic)
            weir_attr_string(made, "deterministic", options->deterministic);
        if (options->ragged_keys)
            weir_attr_strings(made, "ragged_keys",
                options->ragged_keys, options->ragged_keys_count);
        if (options->ragged_value_types)
            TF_SetAttrTypeList(made, "ragged_value_types",
                options->ragged_value_types, options->ragged_value_types_count);
        if (options->ragged_split_types)
            TF_SetAttrTypeList(made, "ragged_split_types",
                options->ragged_split_types, options->ragged_split_types_count);
    }
    return weir_build_end(builder, made);
}

/* PrefetchDataset(input_dataset: variant, buffer_size: int64) -> handle: variant: the same
 * elements, prefetched. */
typedef struct weir_prefetch_dataset_options {
    int64_t slack_period;
    bool not_legacy_autotune;
    int64_t buffer_size_min;
    const char *metadata; /* null: "" */
} weir_prefetch_dataset_options;
static inline TF_Output weir_prefetch_dataset(weir_builder *builder, const char *node,
                                              TF_Output input_dataset, TF_Output buffer_size,
                                              const TF_DataType *output_types,
                                              int output_types_count,
                                              const weir_dims *output_shapes,
                                              int output_shapes_count,
                                              const weir_prefetch_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PrefetchDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, buffer_size);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "slack_period", options->slack_period);
        TF_SetAttrBool(made, "legacy_autotune", !options->not_legacy_autotune);
        TF_SetAttrInt(made, "buffer_size_min", options->buffer_size_min);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* RebatchDataset(input_dataset: variant, num_replicas: int64) -> handle: variant: changes batch
 * sizes. */
typedef struct weir_rebatch_dataset_options {
    bool not_use_fallback;
} weir_rebatch_dataset_options;
static inline TF_Output weir_rebatch_dataset(weir_builder *builder, const char *node,
                                             TF_Output input_dataset, TF_Output num_replicas,
                                             const TF_DataType *output_types,
                                             int output_types_count, const weir_dims *output_shapes,
                                             int output_shapes_count,
                                             const weir_rebatch_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RebatchDataset", node);
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

/* RebatchDatasetV2(input_dataset: variant, batch_sizes: int64, drop_remainder: bool) -> handle:
 * variant: changes batch sizes. */
static inline TF_Output weir_rebatch_dataset_v2(weir_builder *builder, const char *node,
                                                TF_Output input_dataset, TF_Output batch_sizes,
                                                TF_Output drop_remainder,
                                                const TF_DataType *output_types,
                                                int output_types_count,
                                                const weir_dims *output_shapes,
                                                int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RebatchDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, batch_sizes);
    weir_build_input(builder, made, drop_remainder);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* RepeatDataset(input_dataset: variant, count: int64) -> handle: variant: repeats the input a
 * number of times or forever. */
typedef struct weir_repeat_dataset_options {
    const char *metadata; /* null: "" */
} weir_repeat_dataset_options;
static inline TF_Output weir_repeat_dataset(weir_builder *builder, const char *node,
                                            TF_Output input_dataset, TF_Output count,
                                            const TF_DataType *output_types, int output_types_count,
                                            const weir_dims *output_shapes, int output_shapes_count,
                                            const weir_repeat_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RepeatDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, count);
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

/* SamplingDataset(input_dataset: variant, rate: float, seed: int64, seed2: int64) -> handle:
 * variant: random selection, selection by the last component, delay. */
static inline TF_Output weir_sampling_dataset(weir_builder *builder, const char *node,
                                              TF_Output input_dataset, TF_Output rate,
                                              TF_Output seed, TF_Output seed2,
                                              const TF_DataType *output_types,
                                              int output_types_count,
                                              const weir_dims *output_shapes,
                                              int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SamplingDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, rate);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, seed2);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ShuffleAndRepeatDataset(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64,
 * count: int64) -> handle: variant: ShuffleDataset, repeated. */
typedef struct weir_shuffle_and_repeat_dataset_options {
    bool not_reshuffle_each_iteration;
    const char *metadata; /* null: "" */
} weir_shuffle_and_repeat_dataset_options;
static inline TF_Output
weir_shuffle_and_repeat_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                                TF_Output buffer_size, TF_Output seed, TF_Output seed2,
                                TF_Output count, const TF_DataType *output_types,
                                int output_types_count, const weir_dims *output_shapes,
                                int output_shapes_count,
                                const weir_shuffle_and_repeat_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ShuffleAndRepeatDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, buffer_size);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, seed2);
    weir_build_input(builder, made, count);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "reshuffle_each_iteration", !options->not_reshuffle_each_iteration);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* ShuffleAndRepeatDatasetV2(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64,
 * count: int64, seed_generator: resource) -> handle: variant: ShuffleDataset, repeated. */
typedef struct weir_shuffle_and_repeat_dataset_v2_options {
    bool not_reshuffle_each_iteration;
    const char *metadata; /* null: "" */
} weir_shuffle_and_repeat_dataset_v2_options;
static inline TF_Output
weir_shuffle_and_repeat_dataset_v2(weir_builder *builder, const char *node, TF_Output input_dataset,
                                   TF_Output buffer_size, TF_Output seed, TF_Output seed2,
                                   TF_Output count, TF_Output seed_generator,
                                   const TF_DataType *output_types, int output_types_count,
                                   const weir_dims *output_shapes, int output_shapes_count,
                                   const weir_shuffle_and_repeat_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ShuffleAndRepeatDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, buffer_size);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, seed2);
    weir_build_input(builder, made, count);
    weir_build_input(builder, made, seed_generator);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "reshuffle_each_iteration", !options->not_reshuffle_each_iteration);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* ShuffleDataset(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64) -> handle:
 * variant: the same elements, each chosen at random from the next few. */
typedef struct weir_shuffle_dataset_options {
    bool not_reshuffle_each_iteration;
    const char *metadata; /* null: "" */
} weir_shuffle_dataset_options;
static inline TF_Output weir_shuffle_dataset(weir_builder *builder, const char *node,
                                             TF_Output input_dataset, TF_Output buffer_size,
                                             TF_Output seed, TF_Output seed2,
                                             const TF_DataType *output_types,
                                             int output_types_count, const weir_dims *output_shapes,
                                             int output_shapes_count,
                                             const weir_shuffle_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ShuffleDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, buffer_size);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, seed2);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "reshuffle_each_iteration", !options->not_reshuffle_each_iteration);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* ShuffleDatasetV2(input_dataset: variant, buffer_size: int64, seed_generator: resource) -> handle:
 * variant: the same elements, each chosen at random from the next few. */
typedef struct weir_shuffle_dataset_v2_options {
    const char *metadata; /* null: "" */
} weir_shuffle_dataset_v2_options;
static inline TF_Output weir_shuffle_dataset_v2(weir_builder *builder, const char *node,
                                                TF_Output input_dataset, TF_Output buffer_size,
                                                TF_Output seed_generator,
                                                const TF_DataType *output_types,
                                                int output_types_count,
                                                const weir_dims *output_shapes,
                                                int output_shapes_count,
                                                const weir_shuffle_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ShuffleDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, buffer_size);
    weir_build_input(builder, made, seed_generator);
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

/* ShuffleDatasetV3(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64,
 * seed_generator: resource) -> handle: variant: the same elements, each chosen at random from the
 * next few. */
typedef struct weir_shuffle_dataset_v3_options {
    bool not_reshuffle_each_iteration;
    const char *metadata; /* null: "" */
} weir_shuffle_dataset_v3_options;
static inline TF_Output weir_shuffle_dataset_v3(weir_builder *builder, const char *node,
                                                TF_Output input_dataset, TF_Output buffer_size,
                                                TF_Output seed, TF_Output seed2,
                                                TF_Output seed_generator,
                                                const TF_DataType *output_types,
                                                int output_types_count,
                                                const weir_dims *output_shapes,
                                                int output_shapes_count,
                                                const weir_shuffle_dataset_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ShuffleDatasetV3", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, buffer_size);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, seed2);
    weir_build_input(builder, made, seed_generator);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "reshuffle_each_iteration", !options->not_reshuffle_each_iteration);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* SkipDataset(input_dataset: variant, count: int64) -> handle: variant: subsets of the elements. */
typedef struct weir_skip_dataset_options {
    const char *metadata; /* null: "" */
} weir_skip_dataset_options;
static inline TF_Output weir_skip_dataset(weir_builder *builder, const char *node,
                                          TF_Output input_dataset, TF_Output count,
                                          const TF_DataType *output_types, int output_types_count,
                                          const weir_dims *output_shapes, int output_shapes_count,
                                          const weir_skip_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SkipDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, count);
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

/* SleepDataset(input_dataset: variant, sleep_microseconds: int64) -> handle: variant: random
 * selection, selection by the last component, delay. */
static inline TF_Output weir_sleep_dataset(weir_builder *builder, const char *node,
                                           TF_Output input_dataset, TF_Output sleep_microseconds,
                                           const TF_DataType *output_types, int output_types_count,
                                           const weir_dims *output_shapes, int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SleepDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, sleep_microseconds);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* TakeDataset(input_dataset: variant, count: int64) -> handle: variant: subsets of the elements. */
typedef struct weir_take_dataset_options {
    const char *metadata; /* null: "" */
} weir_take_dataset_options;
static inline TF_Output weir_take_dataset(weir_builder *builder, const char *node,
                                          TF_Output input_dataset, TF_Output count,
                                          const TF_DataType *output_types, int output_types_count,
                                          const weir_dims *output_shapes, int output_shapes_count,
                                          const weir_take_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TakeDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, count);
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

/* ThreadPoolDataset(input_dataset: variant, thread_pool: resource) -> handle: variant. */
static inline TF_Output weir_thread_pool_dataset(weir_builder *builder, const char *node,
                                                 TF_Output input_dataset, TF_Output thread_pool,
                                                 const TF_DataType *output_types,
                                                 int output_types_count,
                                                 const weir_dims *output_shapes,
                                                 int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ThreadPoolDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, thread_pool);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* ThreadPoolHandle() -> handle: resource: handles that datasets accept. */
typedef struct weir_thread_pool_handle_options {
    int64_t max_intra_op_parallelism; /* 0: 1 */
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_thread_pool_handle_options;
static inline TF_Output weir_thread_pool_handle(weir_builder *builder, const char *node,
                                                int64_t num_threads, const char *display_name,
                                                const weir_thread_pool_handle_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ThreadPoolHandle", node);
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

/* UnbatchDataset(input_dataset: variant) -> handle: variant: each row of an element becomes an
 * element. */
typedef struct weir_unbatch_dataset_options {
    const char *metadata; /* null: "" */
} weir_unbatch_dataset_options;
static inline TF_Output weir_unbatch_dataset(weir_builder *builder, const char *node,
                                             TF_Output input_dataset,
                                             const TF_DataType *output_types,
                                             int output_types_count, const weir_dims *output_shapes,
                                             int output_shapes_count,
                                             const weir_unbatch_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UnbatchDataset", node);
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

/* UncompressElement(compressed: variant) -> components: output_types. */
static inline weir_outputs weir_uncompress_element(weir_builder *builder, const char *node,
                                                   TF_Output compressed,
                                                   const TF_DataType *output_types,
                                                   int output_types_count,
                                                   const weir_dims *output_shapes,
                                                   int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UncompressElement", node);
    weir_build_input(builder, made, compressed);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* UnwrapDatasetVariant(input_handle: variant) -> output_handle: variant. */
static inline TF_Output weir_unwrap_dataset_variant(weir_builder *builder, const char *node,
                                                    TF_Output input_handle)
{
    const TF_Output inputs[] = {input_handle};
    return weir_build_op(builder, "UnwrapDatasetVariant", node, inputs, 1);
}

/* WrapDatasetVariant(input_handle: variant) -> output_handle: variant: ops on datasets, elements
 * and iterators. */
static inline TF_Output weir_wrap_dataset_variant(weir_builder *builder, const char *node,
                                                  TF_Output input_handle)
{
    const TF_Output inputs[] = {input_handle};
    return weir_build_op(builder, "WrapDatasetVariant", node, inputs, 1);
}

/* ZipDataset(input_datasets: N * variant) -> handle: variant: combines one element of each input.
 * */
typedef struct weir_zip_dataset_options {
    const char *metadata; /* null: "" */
} weir_zip_dataset_options;
static inline TF_Output weir_zip_dataset(weir_builder *builder, const char *node,
                                         const TF_Output *input_datasets, int input_datasets_count,
                                         const TF_DataType *output_types, int output_types_count,
                                         const weir_dims *output_shapes, int output_shapes_count,
                                         const weir_zip_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ZipDataset", node);
    weir_build_input_list(builder, made, input_datasets, input_datasets_count);
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

#ifdef __cplusplus
}
#endif
#endif
