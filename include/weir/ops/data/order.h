/* weir/ops/data/order.h - datasets that batch, repeat, shuffle, join and choose elements.
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

/* BatchDataset(input_dataset: variant, batch_size: int64) -> handle: variant: elements in a row
 * become one. */
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
 * variant: elements in a row become one. */
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

/* CacheDataset(input_dataset: variant, filename: string) -> handle: variant: the elements of the
 * first full pass are kept in memory and given again by every later one. */
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

/* CacheDatasetV2(input_dataset: variant, filename: string, cache: resource) -> handle: variant: the
 * elements of the first full pass are kept in memory and given again by every later one. */
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

/* GlobalShuffleDataset(input_dataset: variant, seed: int64, seed2: int64, seed_generator: resource)
 * -> handle: variant: all elements of a dataset with random access, in a random order. */
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

/* PaddedBatchDataset(input_dataset: variant, batch_size: int64, padded_shapes: N * int64,
 * padding_values: Toutput_types) -> handle: variant: elements of different sizes become one. */
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
 * padding_values: Toutput_types, drop_remainder: bool) -> handle: variant: elements of different
 * sizes become one. */
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

/* RepeatDataset(input_dataset: variant, count: int64) -> handle: variant: the input, several times
 * over or for ever. */
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

/* ShardDataset(input_dataset: variant, num_shards: int64, index: int64) -> handle: variant: some of
 * the elements. */
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

/* SkipDataset(input_dataset: variant, count: int64) -> handle: variant: some of the elements. */
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

/* TakeDataset(input_dataset: variant, count: int64) -> handle: variant: some of the elements. */
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

/* ZipDataset(input_datasets: N * variant) -> handle: variant: elements made of one element of each
 * input. */
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
