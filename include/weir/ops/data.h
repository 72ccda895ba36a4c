/* weir/ops/data.h - datasets and their iterators.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_OPS_DATA_H
#define WEIR_OPS_DATA_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AnonymousIterator() -> handle: resource: an iterator that only its handle leads to. */
static inline TF_Output weir_anonymous_iterator(weir_builder *builder, const char *node,
                                                const TF_DataType *output_types,
                                                int output_types_count,
                                                const weir_dims *output_shapes,
                                                int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AnonymousIterator", node);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* AnonymousIteratorV2() -> handle: resource, deleter: variant: an iterator that only its handle
 * leads to. */
typedef struct weir_anonymous_iterator_v2_outputs {
    TF_Output handle;
    TF_Output deleter;
} weir_anonymous_iterator_v2_outputs;
static inline weir_anonymous_iterator_v2_outputs
weir_anonymous_iterator_v2(weir_builder *builder, const char *node, const TF_DataType *output_types,
                           int output_types_count, const weir_dims *output_shapes,
                           int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AnonymousIteratorV2", node);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_anonymous_iterator_v2_outputs out;
    out.handle = weir_output(op, 0);
    out.deleter = weir_output(op, 1);
    return out;
}

/* AnonymousIteratorV3() -> handle: resource: an iterator that only its handle leads to. */
static inline TF_Output weir_anonymous_iterator_v3(weir_builder *builder, const char *node,
                                                   const TF_DataType *output_types,
                                                   int output_types_count,
                                                   const weir_dims *output_shapes,
                                                   int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AnonymousIteratorV3", node);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* AnonymousMemoryCache() -> handle: resource, deleter: variant: a place for the elements that a
 * dataset keeps. */
typedef struct weir_anonymous_memory_cache_outputs {
    TF_Output handle;
    TF_Output deleter;
} weir_anonymous_memory_cache_outputs;
static inline weir_anonymous_memory_cache_outputs weir_anonymous_memory_cache(
                                                                              weir_builder *builder,
                                                                              const char *node)
{
    TF_Operation *op = weir_build_op(builder, "AnonymousMemoryCache", node, NULL, 0).oper;
    weir_anonymous_memory_cache_outputs out;
    out.handle = weir_output(op, 0);
    out.deleter = weir_output(op, 1);
    return out;
}

/* AnonymousRandomSeedGenerator(seed: int64, seed2: int64) -> handle: resource, deleter: variant: a
 * source of seeds. */
typedef struct weir_anonymous_random_seed_generator_outputs {
    TF_Output handle;
    TF_Output deleter;
} weir_anonymous_random_seed_generator_outputs;
static inline weir_anonymous_random_seed_generator_outputs
weir_anonymous_random_seed_generator(weir_builder *builder, const char *node, TF_Output seed,
                                     TF_Output seed2)
{
    const TF_Output inputs[] = {seed, seed2};
    TF_Operation *op = weir_build_op(builder, "AnonymousRandomSeedGenerator", node, inputs, 2).oper;
    weir_anonymous_random_seed_generator_outputs out;
    out.handle = weir_output(op, 0);
    out.deleter = weir_output(op, 1);
    return out;
}

/* AnonymousSeedGenerator(seed: int64, seed2: int64, reshuffle: bool) -> handle: resource, deleter:
 * variant: a source of seeds. */
typedef struct weir_anonymous_seed_generator_outputs {
    TF_Output handle;
    TF_Output deleter;
} weir_anonymous_seed_generator_outputs;
static inline weir_anonymous_seed_generator_outputs
weir_anonymous_seed_generator(weir_builder *builder, const char *node, TF_Output seed,
                              TF_Output seed2, TF_Output reshuffle)
{
    const TF_Output inputs[] = {seed, seed2, reshuffle};
    TF_Operation *op = weir_build_op(builder, "AnonymousSeedGenerator", node, inputs, 3).oper;
    weir_anonymous_seed_generator_outputs out;
    out.handle = weir_output(op, 0);
    out.deleter = weir_output(op, 1);
    return out;
}

/* AssertCardinalityDataset(input_dataset: variant, cardinality: int64) -> handle: variant: fails
 * unless there are as many elements as promised. */
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

/* DatasetCardinality(input_dataset: variant) -> cardinality: int64: ops that use up a dataset. */
typedef struct weir_dataset_cardinality_options {
    const char *cardinality_options; /* null: "" */
} weir_dataset_cardinality_options;
static inline TF_Output weir_dataset_cardinality(weir_builder *builder, const char *node,
                                                 TF_Output input_dataset,
                                                 const weir_dataset_cardinality_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DatasetCardinality", node);
    weir_build_input(builder, made, input_dataset);
    if (made && options) {
        if (options->cardinality_options)
            weir_attr_string(made, "cardinality_options", options->cardinality_options);
    }
    return weir_build_end(builder, made);
}

/* DatasetFromGraph(graph_def: string) -> handle: variant: a dataset as the graph that makes it. */
static inline TF_Output weir_dataset_from_graph(weir_builder *builder, const char *node,
                                                TF_Output graph_def)
{
    const TF_Output inputs[] = {graph_def};
    return weir_build_op(builder, "DatasetFromGraph", node, inputs, 1);
}

/* DatasetToGraph(input_dataset: variant) -> graph: string: a dataset as the graph that makes it. */
typedef struct weir_dataset_to_graph_options {
    const char *const *stateful_whitelist;
    int stateful_whitelist_count; /* null: [] */
    bool allow_stateful;
    bool strip_device_assignment;
} weir_dataset_to_graph_options;
static inline TF_Output weir_dataset_to_graph(weir_builder *builder, const char *node,
                                              TF_Output input_dataset,
                                              const weir_dataset_to_graph_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DatasetToGraph", node);
    weir_build_input(builder, made, input_dataset);
    if (made && options) {
        if (options->stateful_whitelist)
            weir_attr_strings(made, "stateful_whitelist",
                options->stateful_whitelist, options->stateful_whitelist_count);
        TF_SetAttrBool(made, "allow_stateful", options->allow_stateful);
        TF_SetAttrBool(made, "strip_device_assignment", options->strip_device_assignment);
    }
    return weir_build_end(builder, made);
}

/* DatasetToGraphV2(input_dataset: variant) -> graph: string: a dataset as the graph that makes it.
 * */
typedef struct weir_dataset_to_graph_v2_options {
    int64_t external_state_policy;
    bool strip_device_assignment;
} weir_dataset_to_graph_v2_options;
static inline TF_Output weir_dataset_to_graph_v2(weir_builder *builder, const char *node,
                                                 TF_Output input_dataset,
                                                 const weir_dataset_to_graph_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DatasetToGraphV2", node);
    weir_build_input(builder, made, input_dataset);
    if (made && options) {
        TF_SetAttrInt(made, "external_state_policy", options->external_state_policy);
        TF_SetAttrBool(made, "strip_device_assignment", options->strip_device_assignment);
    }
    return weir_build_end(builder, made);
}

/* DatasetToSingleElement(dataset: variant) -> components: output_types: ops that use up a dataset.
 * */
typedef struct weir_dataset_to_single_element_options {
    const char *metadata; /* null: "" */
} weir_dataset_to_single_element_options;
static inline weir_outputs
weir_dataset_to_single_element(weir_builder *builder, const char *node, TF_Output dataset,
                               const TF_DataType *output_types, int output_types_count,
                               const weir_dims *output_shapes, int output_shapes_count,
                               const weir_dataset_to_single_element_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DatasetToSingleElement", node);
    weir_build_input(builder, made, dataset);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* DeleteIterator(handle: resource, deleter: variant): ends an iterator. */
static inline TF_Operation *weir_delete_iterator(weir_builder *builder, const char *node,
                                                 TF_Output handle, TF_Output deleter)
{
    const TF_Output inputs[] = {handle, deleter};
    return weir_build_op(builder, "DeleteIterator", node, inputs, 2).oper;
}

/* DeleteMemoryCache(handle: resource, deleter: variant): ends a cache. */
static inline TF_Operation *weir_delete_memory_cache(weir_builder *builder, const char *node,
                                                     TF_Output handle, TF_Output deleter)
{
    const TF_Output inputs[] = {handle, deleter};
    return weir_build_op(builder, "DeleteMemoryCache", node, inputs, 2).oper;
}

/* DeleteRandomSeedGenerator(handle: resource, deleter: variant): ends a source of seeds. */
static inline TF_Operation *weir_delete_random_seed_generator(weir_builder *builder,
                                                              const char *node, TF_Output handle,
                                                              TF_Output deleter)
{
    const TF_Output inputs[] = {handle, deleter};
    return weir_build_op(builder, "DeleteRandomSeedGenerator", node, inputs, 2).oper;
}

/* DeleteSeedGenerator(handle: resource, deleter: variant): ends a source of seeds. */
static inline TF_Operation *weir_delete_seed_generator(weir_builder *builder, const char *node,
                                                       TF_Output handle, TF_Output deleter)
{
    const TF_Output inputs[] = {handle, deleter};
    return weir_build_op(builder, "DeleteSeedGenerator", node, inputs, 2).oper;
}

/* DeserializeIterator(resource_handle: resource, serialized: variant): an iterator's place as a
 * value. */
static inline TF_Operation *weir_deserialize_iterator(weir_builder *builder, const char *node,
                                                      TF_Output resource_handle,
                                                      TF_Output serialized)
{
    const TF_Output inputs[] = {resource_handle, serialized};
    return weir_build_op(builder, "DeserializeIterator", node, inputs, 2).oper;
}

/* DirectedInterleaveDataset(selector_input_dataset: variant, data_input_datasets: N * variant) ->
 * handle: variant: a dataset of numbers says which of the others gives the next element. */
typedef struct weir_directed_interleave_dataset_options {
    bool stop_on_empty_dataset;
} weir_directed_interleave_dataset_options;
static inline TF_Output
weir_directed_interleave_dataset(weir_builder *builder, const char *node,
                                 TF_Output selector_input_dataset,
                                 const TF_Output *data_input_datasets,
                                 int data_input_datasets_count, const TF_DataType *output_types,
                                 int output_types_count, const weir_dims *output_shapes,
                                 int output_shapes_count,
                                 const weir_directed_interleave_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DirectedInterleaveDataset", node);
    weir_build_input(builder, made, selector_input_dataset);
    weir_build_input_list(builder, made, data_input_datasets, data_input_datasets_count);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "stop_on_empty_dataset", options->stop_on_empty_dataset);
    }
    return weir_build_end(builder, made);
}

/* DummyMemoryCache() -> handle: resource: stands for a cache. */
static inline TF_Output weir_dummy_memory_cache(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "DummyMemoryCache", node, NULL, 0);
}

/* DummySeedGenerator() -> handle: resource: stands for a source of seeds. */
static inline TF_Output weir_dummy_seed_generator(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "DummySeedGenerator", node, NULL, 0);
}

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

/* FilterDataset(input_dataset: variant, other_arguments: Targuments) -> handle: variant: elements
 * that a predicate lets through. */
typedef struct weir_filter_dataset_options {
    const char *metadata; /* null: "" */
} weir_filter_dataset_options;
static inline TF_Output weir_filter_dataset(weir_builder *builder, const char *node,
                                            TF_Output input_dataset,
                                            const TF_Output *other_arguments,
                                            int other_arguments_count, const char *predicate,
                                            const TF_DataType *output_types, int output_types_count,
                                            const weir_dims *output_shapes, int output_shapes_count,
                                            const weir_filter_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FilterDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    if (made) {
        weir_attr_func(made, "predicate", predicate);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* FinalizeDataset(input_dataset: variant) -> handle: variant: the same elements, with options put
 * in place. */
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

/* FixedLengthRecordDataset(filenames: string, header_bytes: int64, record_bytes: int64,
 * footer_bytes: int64, buffer_size: int64) -> handle: variant: the records of a list of files. */
typedef struct weir_fixed_length_record_dataset_options {
    const char *metadata; /* null: "" */
} weir_fixed_length_record_dataset_options;
static inline TF_Output
weir_fixed_length_record_dataset(weir_builder *builder, const char *node, TF_Output filenames,
                                 TF_Output header_bytes, TF_Output record_bytes,
                                 TF_Output footer_bytes, TF_Output buffer_size,
                                 const weir_fixed_length_record_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FixedLengthRecordDataset", node);
    weir_build_input(builder, made, filenames);
    weir_build_input(builder, made, header_bytes);
    weir_build_input(builder, made, record_bytes);
    weir_build_input(builder, made, footer_bytes);
    weir_build_input(builder, made, buffer_size);
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* FixedLengthRecordDatasetV2(filenames: string, header_bytes: int64, record_bytes: int64,
 * footer_bytes: int64, buffer_size: int64, compression_type: string) -> handle: variant: the
 * records of a list of files. */
typedef struct weir_fixed_length_record_dataset_v2_options {
    const char *metadata; /* null: "" */
} weir_fixed_length_record_dataset_v2_options;
static inline TF_Output
weir_fixed_length_record_dataset_v2(weir_builder *builder, const char *node, TF_Output filenames,
                                    TF_Output header_bytes, TF_Output record_bytes,
                                    TF_Output footer_bytes, TF_Output buffer_size,
                                    TF_Output compression_type,
                                    const weir_fixed_length_record_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FixedLengthRecordDatasetV2", node);
    weir_build_input(builder, made, filenames);
    weir_build_input(builder, made, header_bytes);
    weir_build_input(builder, made, record_bytes);
    weir_build_input(builder, made, footer_bytes);
    weir_build_input(builder, made, buffer_size);
    weir_build_input(builder, made, compression_type);
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* FlatMapDataset(input_dataset: variant, other_arguments: Targuments) -> handle: variant: the
 * elements of the datasets that a function makes of each element, taken from several in turn. */
typedef struct weir_flat_map_dataset_options {
    const char *metadata; /* null: "" */
} weir_flat_map_dataset_options;
static inline TF_Output weir_flat_map_dataset(weir_builder *builder, const char *node,
                                              TF_Output input_dataset,
                                              const TF_Output *other_arguments,
                                              int other_arguments_count, const char *f,
                                              const TF_DataType *output_types,
                                              int output_types_count,
                                              const weir_dims *output_shapes,
                                              int output_shapes_count,
                                              const weir_flat_map_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FlatMapDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* GeneratorDataset(init_func_other_args: Tinit_func_args, next_func_other_args: Tnext_func_args,
 * finalize_func_other_args: Tfinalize_func_args) -> handle: variant: a function makes a state,
 * another draws elements from it until it runs out of range, a third ends it. */
typedef struct weir_generator_dataset_options {
    const char *metadata; /* null: "" */
} weir_generator_dataset_options;
static inline TF_Output weir_generator_dataset(weir_builder *builder, const char *node,
                                               const TF_Output *init_func_other_args,
                                               int init_func_other_args_count,
                                               const TF_Output *next_func_other_args,
                                               int next_func_other_args_count,
                                               const TF_Output *finalize_func_other_args,
                                               int finalize_func_other_args_count,
                                               const char *init_func, const char *next_func,
                                               const char *finalize_func,
                                               const TF_DataType *output_types,
                                               int output_types_count,
                                               const weir_dims *output_shapes,
                                               int output_shapes_count,
                                               const weir_generator_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "GeneratorDataset", node);
    weir_build_input_list(builder, made, init_func_other_args, init_func_other_args_count);
    weir_build_input_list(builder, made, next_func_other_args, next_func_other_args_count);
    weir_build_input_list(builder, made, finalize_func_other_args, finalize_func_other_args_count);
    if (made) {
        weir_attr_func(made, "init_func", init_func);
        weir_attr_func(made, "next_func", next_func);
        weir_attr_func(made, "finalize_func", finalize_func);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* GetElementAtIndex(dataset: variant, index: int64) -> components: output_types: ops that use up a
 * dataset. */
static inline weir_outputs weir_get_element_at_index(weir_builder *builder, const char *node,
                                                     TF_Output dataset, TF_Output index,
                                                     const TF_DataType *output_types,
                                                     int output_types_count,
                                                     const weir_dims *output_shapes,
                                                     int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "GetElementAtIndex", node);
    weir_build_input(builder, made, dataset);
    weir_build_input(builder, made, index);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* GetOptions(input_dataset: variant) -> serialized_options: string: ops that use up a dataset. */
static inline TF_Output weir_get_options(weir_builder *builder, const char *node,
                                         TF_Output input_dataset)
{
    const TF_Output inputs[] = {input_dataset};
    return weir_build_op(builder, "GetOptions", node, inputs, 1);
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

/* InterleaveDataset(input_dataset: variant, other_arguments: Targuments, cycle_length: int64,
 * block_length: int64) -> handle: variant: the elements of the datasets that a function makes of
 * each element, taken from several in turn. */
typedef struct weir_interleave_dataset_options {
    const char *metadata; /* null: "" */
} weir_interleave_dataset_options;
static inline TF_Output weir_interleave_dataset(weir_builder *builder, const char *node,
                                                TF_Output input_dataset,
                                                const TF_Output *other_arguments,
                                                int other_arguments_count, TF_Output cycle_length,
                                                TF_Output block_length, const char *f,
                                                const TF_DataType *output_types,
                                                int output_types_count,
                                                const weir_dims *output_shapes,
                                                int output_shapes_count,
                                                const weir_interleave_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "InterleaveDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    weir_build_input(builder, made, cycle_length);
    weir_build_input(builder, made, block_length);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* Iterator() -> handle: resource: an iterator under a name. */
static inline TF_Output weir_iterator(weir_builder *builder, const char *node,
                                      const char *shared_name, const char *container,
                                      const TF_DataType *output_types, int output_types_count,
                                      const weir_dims *output_shapes, int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Iterator", node);
    if (made) {
        weir_attr_string(made, "shared_name", shared_name);
        weir_attr_string(made, "container", container);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* IteratorFromStringHandle(string_handle: string) -> resource_handle: resource: the iterator that a
 * string leads to. */
typedef struct weir_iterator_from_string_handle_options {
    const TF_DataType *output_types;
    int output_types_count; /* null: [] */
    const weir_dims *output_shapes;
    int output_shapes_count; /* null: [] */
} weir_iterator_from_string_handle_options;
static inline TF_Output
weir_iterator_from_string_handle(weir_builder *builder, const char *node, TF_Output string_handle,
                                 const weir_iterator_from_string_handle_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IteratorFromStringHandle", node);
    weir_build_input(builder, made, string_handle);
    if (made && options) {
        if (options->output_types)
            TF_SetAttrTypeList(made, "output_types",
                options->output_types, options->output_types_count);
        if (options->output_shapes)
            weir_attr_shapes(made, "output_shapes",
                options->output_shapes, options->output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* IteratorFromStringHandleV2(string_handle: string) -> resource_handle: resource: the iterator that
 * a string leads to. */
typedef struct weir_iterator_from_string_handle_v2_options {
    const TF_DataType *output_types;
    int output_types_count; /* null: [] */
    const weir_dims *output_shapes;
    int output_shapes_count; /* null: [] */
} weir_iterator_from_string_handle_v2_options;
static inline TF_Output
weir_iterator_from_string_handle_v2(weir_builder *builder, const char *node,
                                    TF_Output string_handle,
                                    const weir_iterator_from_string_handle_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IteratorFromStringHandleV2", node);
    weir_build_input(builder, made, string_handle);
    if (made && options) {
        if (options->output_types)
            TF_SetAttrTypeList(made, "output_types",
                options->output_types, options->output_types_count);
        if (options->output_shapes)
            weir_attr_shapes(made, "output_shapes",
                options->output_shapes, options->output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* IteratorGetNext(iterator: resource) -> components: output_types: the next element; out of range
 * at the end. */
static inline weir_outputs weir_iterator_get_next(weir_builder *builder, const char *node,
                                                  TF_Output iterator,
                                                  const TF_DataType *output_types,
                                                  int output_types_count,
                                                  const weir_dims *output_shapes,
                                                  int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IteratorGetNext", node);
    weir_build_input(builder, made, iterator);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* IteratorGetNextAsOptional(iterator: resource) -> optional: variant: the next element, or none at
 * the end. */
static inline TF_Output weir_iterator_get_next_as_optional(weir_builder *builder, const char *node,
                                                           TF_Output iterator,
                                                           const TF_DataType *output_types,
                                                           int output_types_count,
                                                           const weir_dims *output_shapes,
                                                           int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IteratorGetNextAsOptional", node);
    weir_build_input(builder, made, iterator);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* IteratorGetNextSync(iterator: resource) -> components: output_types: the next element, in the
 * caller's thread. */
static inline weir_outputs weir_iterator_get_next_sync(weir_builder *builder, const char *node,
                                                       TF_Output iterator,
                                                       const TF_DataType *output_types,
                                                       int output_types_count,
                                                       const weir_dims *output_shapes,
                                                       int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IteratorGetNextSync", node);
    weir_build_input(builder, made, iterator);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* IteratorToStringHandle(resource_handle: resource) -> string_handle: string: a string that leads
 * to an iterator. */
static inline TF_Output weir_iterator_to_string_handle(weir_builder *builder, const char *node,
                                                       TF_Output resource_handle)
{
    const TF_Output inputs[] = {resource_handle};
    return weir_build_op(builder, "IteratorToStringHandle", node, inputs, 1);
}

/* IteratorV2() -> handle: resource: an iterator under a name. */
static inline TF_Output weir_iterator_v2(weir_builder *builder, const char *node,
                                         const char *shared_name, const char *container,
                                         const TF_DataType *output_types, int output_types_count,
                                         const weir_dims *output_shapes, int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IteratorV2", node);
    if (made) {
        weir_attr_string(made, "shared_name", shared_name);
        weir_attr_string(made, "container", container);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* LatencyStatsDataset(input_dataset: variant, tag: string) -> handle: variant: the same elements;
 * the time each takes is noted. */
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

/* LoadDataset(path: string, reader_func_other_args: Treader_func_args) -> handle: variant: a saved
 * dataset. */
typedef struct weir_load_dataset_options {
    const char *compression; /* null: "" */
} weir_load_dataset_options;
static inline TF_Output weir_load_dataset(weir_builder *builder, const char *node, TF_Output path,
                                          const TF_Output *reader_func_other_args,
                                          int reader_func_other_args_count,
                                          const TF_DataType *output_types, int output_types_count,
                                          const weir_dims *output_shapes, int output_shapes_count,
                                          const char *reader_func,
                                          const weir_load_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LoadDataset", node);
    weir_build_input(builder, made, path);
    weir_build_input_list(builder, made, reader_func_other_args, reader_func_other_args_count);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
        weir_attr_func(made, "reader_func", reader_func);
    }
    if (made && options) {
        if (options->compression)
            weir_attr_string(made, "compression", options->compression);
    }
    return weir_build_end(builder, made);
}

/* MakeIterator(dataset: variant, iterator: resource): points an iterator at the beginning of a
 * dataset. */
static inline TF_Operation *weir_make_iterator(weir_builder *builder, const char *node,
                                               TF_Output dataset, TF_Output iterator)
{
    const TF_Output inputs[] = {dataset, iterator};
    return weir_build_op(builder, "MakeIterator", node, inputs, 2).oper;
}

/* MapDataset(input_dataset: variant, other_arguments: Targuments) -> handle: variant: what a
 * function makes of each element. */
typedef struct weir_map_dataset_options {
    bool not_use_inter_op_parallelism;
    bool preserve_cardinality;
    bool force_synchronous;
    const char *metadata; /* null: "" */
} weir_map_dataset_options;
static inline TF_Output weir_map_dataset(weir_builder *builder, const char *node,
                                         TF_Output input_dataset, const TF_Output *other_arguments,
                                         int other_arguments_count, const char *f,
                                         const TF_DataType *output_types, int output_types_count,
                                         const weir_dims *output_shapes, int output_shapes_count,
                                         const weir_map_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MapDataset", node);
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
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
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

/* ModelDataset(input_dataset: variant) -> handle: variant: the same elements, tuned as it goes. */
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

/* NonSerializableDataset(input_dataset: variant) -> handle: variant: the same elements, of which no
 * graph can be made. */
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

/* OneShotIterator() -> handle: resource: an iterator over the dataset that a function makes. */
typedef struct weir_one_shot_iterator_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_one_shot_iterator_options;
static inline TF_Output weir_one_shot_iterator(weir_builder *builder, const char *node,
                                               const char *dataset_factory,
                                               const TF_DataType *output_types,
                                               int output_types_count,
                                               const weir_dims *output_shapes,
                                               int output_shapes_count,
                                               const weir_one_shot_iterator_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OneShotIterator", node);
    if (made) {
        weir_attr_func(made, "dataset_factory", dataset_factory);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
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

/* OptionalFromValue(components: Toutput_types) -> optional: variant: an optional that has a value.
 * */
static inline TF_Output weir_optional_from_value(weir_builder *builder, const char *node,
                                                 const TF_Output *components, int components_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OptionalFromValue", node);
    weir_build_input_list(builder, made, components, components_count);
    return weir_build_end(builder, made);
}

/* OptionalGetValue(optional: variant) -> components: output_types: the value of an optional. */
static inline weir_outputs weir_optional_get_value(weir_builder *builder, const char *node,
                                                   TF_Output optional,
                                                   const TF_DataType *output_types,
                                                   int output_types_count,
                                                   const weir_dims *output_shapes,
                                                   int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OptionalGetValue", node);
    weir_build_input(builder, made, optional);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* OptionalHasValue(optional: variant) -> has_value: bool: whether an optional has a value. */
static inline TF_Output weir_optional_has_value(weir_builder *builder, const char *node,
                                                TF_Output optional)
{
    const TF_Output inputs[] = {optional};
    return weir_build_op(builder, "OptionalHasValue", node, inputs, 1);
}

/* OptionalNone() -> optional: variant: an optional without a value. */
static inline TF_Output weir_optional_none(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "OptionalNone", node, NULL, 0);
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
 * drop_remainder: bool) -> handle: variant: batches, put together by several threads. */
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

/* ParallelInterleaveDataset(input_dataset: variant, other_arguments: Targuments, cycle_length:
 * int64, block_length: int64, sloppy: bool, buffer_output_elements: int64, prefetch_input_elements:
 * int64) -> handle: variant: elements of several datasets in turn, read by several threads. */
typedef struct weir_parallel_interleave_dataset_options {
    const char *metadata; /* null: "" */
} weir_parallel_interleave_dataset_options;
static inline TF_Output
weir_parallel_interleave_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                                 const TF_Output *other_arguments, int other_arguments_count,
                                 TF_Output cycle_length, TF_Output block_length, TF_Output sloppy,
                                 TF_Output buffer_output_elements,
                                 TF_Output prefetch_input_elements, const char *f,
                                 const TF_DataType *output_types, int output_types_count,
                                 const weir_dims *output_shapes, int output_shapes_count,
                                 const weir_parallel_interleave_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParallelInterleaveDataset", node);
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
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* ParallelInterleaveDatasetV2(input_dataset: variant, other_arguments: Targuments, cycle_length:
 * int64, block_length: int64, num_parallel_calls: int64) -> handle: variant: elements of several
 * datasets in turn, read by several threads. */
typedef struct weir_parallel_interleave_dataset_v2_options {
    bool sloppy;
    const char *metadata; /* null: "" */
} weir_parallel_interleave_dataset_v2_options;
static inline TF_Output
weir_parallel_interleave_dataset_v2(weir_builder *builder, const char *node,
                                    TF_Output input_dataset, const TF_Output *other_arguments,
                                    int other_arguments_count, TF_Output cycle_length,
                                    TF_Output block_length, TF_Output num_parallel_calls,
                                    const char *f, const TF_DataType *output_types,
                                    int output_types_count, const weir_dims *output_shapes,
                                    int output_shapes_count,
                                    const weir_parallel_interleave_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParallelInterleaveDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    weir_build_input(builder, made, cycle_length);
    weir_build_input(builder, made, block_length);
    weir_build_input(builder, made, num_parallel_calls);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "sloppy", options->sloppy);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* ParallelInterleaveDatasetV3(input_dataset: variant, other_arguments: Targuments, cycle_length:
 * int64, block_length: int64, num_parallel_calls: int64) -> handle: variant: elements of several
 * datasets in turn, read by several threads. */
typedef struct weir_parallel_interleave_dataset_v3_options {
    const char *deterministic; /* null: "default" */
    const char *metadata; /* null: "" */
} weir_parallel_interleave_dataset_v3_options;
static inline TF_Output
weir_parallel_interleave_dataset_v3(weir_builder *builder, const char *node,
                                    TF_Output input_dataset, const TF_Output *other_arguments,
                                    int other_arguments_count, TF_Output cycle_length,
                                    TF_Output block_length, TF_Output num_parallel_calls,
                                    const char *f, const TF_DataType *output_types,
                                    int output_types_count, const weir_dims *output_shapes,
                                    int output_shapes_count,
                                    const weir_parallel_interleave_dataset_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParallelInterleaveDatasetV3", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    weir_build_input(builder, made, cycle_length);
    weir_build_input(builder, made, block_length);
    weir_build_input(builder, made, num_parallel_calls);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->deterministic)
            weir_attr_string(made, "deterministic", options->deterministic);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* ParallelInterleaveDatasetV4(input_dataset: variant, other_arguments: Targuments, cycle_length:
 * int64, block_length: int64, buffer_output_elements: int64, prefetch_input_elements: int64,
 * num_parallel_calls: int64) -> handle: variant: elements of several datasets in turn, read by
 * several threads. */
typedef struct weir_parallel_interleave_dataset_v4_options {
    const char *deterministic; /* null: "default" */
    const char *metadata; /* null: "" */
} weir_parallel_interleave_dataset_v4_options;
static inline TF_Output
weir_parallel_interleave_dataset_v4(weir_builder *builder, const char *node,
                                    TF_Output input_dataset, const TF_Output *other_arguments,
                                    int other_arguments_count, TF_Output cycle_length,
                                    TF_Output block_length, TF_Output buffer_output_elements,
                                    TF_Output prefetch_input_elements, TF_Output num_parallel_calls,
                                    const char *f, const TF_DataType *output_types,
                                    int output_types_count, const weir_dims *output_shapes,
                                    int output_shapes_count,
                                    const weir_parallel_interleave_dataset_v4_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParallelInterleaveDatasetV4", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    weir_build_input(builder, made, cycle_length);
    weir_build_input(builder, made, block_length);
    weir_build_input(builder, made, buffer_output_elements);
    weir_build_input(builder, made, prefetch_input_elements);
    weir_build_input(builder, made, num_parallel_calls);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->deterministic)
            weir_attr_string(made, "deterministic", options->deterministic);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* ParallelMapDataset(input_dataset: variant, other_arguments: Targuments, num_parallel_calls:
 * int32) -> handle: variant: what a function makes of each element. */
typedef struct weir_parallel_map_dataset_options {
    bool not_use_inter_op_parallelism;
    bool sloppy;
    bool preserve_cardinality;
    const char *metadata; /* null: "" */
} weir_parallel_map_dataset_options;
static inline TF_Output weir_parallel_map_dataset(weir_builder *builder, const char *node,
                                                  TF_Output input_dataset,
                                                  const TF_Output *other_arguments,
                                                  int other_arguments_count,
                                                  TF_Output num_parallel_calls, const char *f,
                                                  const TF_DataType *output_types,
                                                  int output_types_count,
                                                  const weir_dims *output_shapes,
                                                  int output_shapes_count,
                                                  const weir_parallel_map_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParallelMapDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    weir_build_input(builder, made, num_parallel_calls);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_inter_op_parallelism", !options->not_use_inter_op_parallelism);
        TF_SetAttrBool(made, "sloppy", options->sloppy);
        TF_SetAttrBool(made, "preserve_cardinality", options->preserve_cardinality);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* ParallelMapDatasetV2(input_dataset: variant, other_arguments: Targuments, num_parallel_calls:
 * int64) -> handle: variant: what a function makes of each element. */
typedef struct weir_parallel_map_dataset_v2_options {
    bool not_use_inter_op_parallelism;
    const char *deterministic; /* null: "default" */
    bool preserve_cardinality;
    bool use_unbounded_threadpool;
    const char *metadata; /* null: "" */
} weir_parallel_map_dataset_v2_options;
static inline TF_Output
weir_parallel_map_dataset_v2(weir_builder *builder, const char *node, TF_Output input_dataset,
                             const TF_Output *other_arguments, int other_arguments_count,
                             TF_Output num_parallel_calls, const char *f,
                             const TF_DataType *output_types, int output_types_count,
                             const weir_dims *output_shapes, int output_shapes_count,
                             const weir_parallel_map_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParallelMapDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    weir_build_input(builder, made, num_parallel_calls);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_inter_op_parallelism", !options->not_use_inter_op_parallelism);
        if (options->deterministic)
            weir_attr_string(made, "deterministic", options->deterministic);
        TF_SetAttrBool(made, "preserve_cardinality", options->preserve_cardinality);
        TF_SetAttrBool(made, "use_unbounded_threadpool", options->use_unbounded_threadpool);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* PrefetchDataset(input_dataset: variant, buffer_size: int64) -> handle: variant: the same
 * elements, made before they are asked for. */
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

/* RandomDataset(seed: int64, seed2: int64) -> handle: variant: random 32-bit numbers without end.
 * */
typedef struct weir_random_dataset_options {
    const char *metadata; /* null: "" */
} weir_random_dataset_options;
static inline TF_Output weir_random_dataset(weir_builder *builder, const char *node, TF_Output seed,
                                            TF_Output seed2, const TF_DataType *output_types,
                                            int output_types_count, const weir_dims *output_shapes,
                                            int output_shapes_count,
                                            const weir_random_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomDataset", node);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, seed2);
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

/* RandomDatasetV2(seed: int64, seed2: int64, seed_generator: resource) -> handle: variant: random
 * 32-bit numbers without end. */
typedef struct weir_random_dataset_v2_options {
    bool rerandomize_each_iteration;
    const char *metadata; /* null: "" */
} weir_random_dataset_v2_options;
static inline TF_Output weir_random_dataset_v2(weir_builder *builder, const char *node,
                                               TF_Output seed, TF_Output seed2,
                                               TF_Output seed_generator,
                                               const TF_DataType *output_types,
                                               int output_types_count,
                                               const weir_dims *output_shapes,
                                               int output_shapes_count,
                                               const weir_random_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomDatasetV2", node);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, seed2);
    weir_build_input(builder, made, seed_generator);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "rerandomize_each_iteration", options->rerandomize_each_iteration);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* RangeDataset(start: int64, stop: int64, step: int64) -> handle: variant: start, start + step, ...
 * up to stop. */
typedef struct weir_range_dataset_options {
    const char *metadata; /* null: "" */
    bool replicate_on_split;
} weir_range_dataset_options;
static inline TF_Output weir_range_dataset(weir_builder *builder, const char *node, TF_Output start,
                                           TF_Output stop, TF_Output step,
                                           const TF_DataType *output_types, int output_types_count,
                                           const weir_dims *output_shapes, int output_shapes_count,
                                           const weir_range_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RangeDataset", node);
    weir_build_input(builder, made, start);
    weir_build_input(builder, made, stop);
    weir_build_input(builder, made, step);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
        TF_SetAttrBool(made, "replicate_on_split", options->replicate_on_split);
    }
    return weir_build_end(builder, made);
}

/* ReduceDataset(input_dataset: variant, initial_state: Tstate, other_arguments: Targuments) ->
 * components: output_types: ops that use up a dataset. */
typedef struct weir_reduce_dataset_options {
    bool not_use_inter_op_parallelism;
    const char *metadata; /* null: "" */
} weir_reduce_dataset_options;
static inline weir_outputs weir_reduce_dataset(weir_builder *builder, const char *node,
                                               TF_Output input_dataset,
                                               const TF_Output *initial_state,
                                               int initial_state_count,
                                               const TF_Output *other_arguments,
                                               int other_arguments_count, const char *f,
                                               const TF_DataType *output_types,
                                               int output_types_count,
                                               const weir_dims *output_shapes,
                                               int output_shapes_count,
                                               const weir_reduce_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ReduceDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, initial_state, initial_state_count);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_inter_op_parallelism", !options->not_use_inter_op_parallelism);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
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

/* SaveDataset(input_dataset: variant, path: string, shard_func_other_args: Tshard_func_args):
 * writes the elements of a dataset to files, spread by a function. */
typedef struct weir_save_dataset_options {
    const char *compression; /* null: "" */
    bool not_use_shard_func;
} weir_save_dataset_options;
static inline TF_Operation *weir_save_dataset(weir_builder *builder, const char *node,
                                              TF_Output input_dataset, TF_Output path,
                                              const TF_Output *shard_func_other_args,
                                              int shard_func_other_args_count,
                                              const char *shard_func,
                                              const weir_save_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SaveDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input(builder, made, path);
    weir_build_input_list(builder, made, shard_func_other_args, shard_func_other_args_count);
    if (made) {
        weir_attr_func(made, "shard_func", shard_func);
    }
    if (made && options) {
        if (options->compression)
            weir_attr_string(made, "compression", options->compression);
        TF_SetAttrBool(made, "use_shard_func", !options->not_use_shard_func);
    }
    return weir_build_end(builder, made).oper;
}

/* ScanDataset(input_dataset: variant, initial_state: Tstate, other_arguments: Targuments) ->
 * handle: variant: a function of a state and an element gives both anew. */
typedef struct weir_scan_dataset_options {
    bool preserve_cardinality;
    bool not_use_default_device;
    const char *metadata; /* null: "" */
} weir_scan_dataset_options;
static inline TF_Output weir_scan_dataset(weir_builder *builder, const char *node,
                                          TF_Output input_dataset, const TF_Output *initial_state,
                                          int initial_state_count, const TF_Output *other_arguments,
                                          int other_arguments_count, const char *f,
                                          const TF_DataType *output_types, int output_types_count,
                                          const weir_dims *output_shapes, int output_shapes_count,
                                          const weir_scan_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScanDataset", node);
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
        TF_SetAttrBool(made, "use_default_device", !options->not_use_default_device);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* SerializeIterator(resource_handle: resource) -> serialized: variant: an iterator's place as a
 * value. */
typedef struct weir_serialize_iterator_options {
    int64_t external_state_policy;
} weir_serialize_iterator_options;
static inline TF_Output weir_serialize_iterator(weir_builder *builder, const char *node,
                                                TF_Output resource_handle,
                                                const weir_serialize_iterator_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SerializeIterator", node);
    weir_build_input(builder, made, resource_handle);
    if (made && options) {
        TF_SetAttrInt(made, "external_state_policy", options->external_state_policy);
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
 * count: int64) -> handle: variant: ShuffleDataset, over and over. */
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
 * count: int64, seed_generator: resource) -> handle: variant: ShuffleDataset, over and over. */
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

/* TFRecordDataset(filenames: string, compression_type: string, buffer_size: int64) -> handle:
 * variant: the records of a list of files. */
typedef struct weir_tf_record_dataset_options {
    const char *metadata; /* null: "" */
} weir_tf_record_dataset_options;
static inline TF_Output weir_tf_record_dataset(weir_builder *builder, const char *node,
                                               TF_Output filenames, TF_Output compression_type,
                                               TF_Output buffer_size,
                                               const weir_tf_record_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TFRecordDataset", node);
    weir_build_input(builder, made, filenames);
    weir_build_input(builder, made, compression_type);
    weir_build_input(builder, made, buffer_size);
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* TFRecordDatasetV2(filenames: string, compression_type: string, buffer_size: int64, byte_offsets:
 * int64) -> handle: variant: the records of a list of files. */
typedef struct weir_tf_record_dataset_v2_options {
    const char *metadata; /* null: "" */
} weir_tf_record_dataset_v2_options;
static inline TF_Output weir_tf_record_dataset_v2(weir_builder *builder, const char *node,
                                                  TF_Output filenames, TF_Output compression_type,
                                                  TF_Output buffer_size, TF_Output byte_offsets,
                                                  const weir_tf_record_dataset_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TFRecordDatasetV2", node);
    weir_build_input(builder, made, filenames);
    weir_build_input(builder, made, compression_type);
    weir_build_input(builder, made, buffer_size);
    weir_build_input(builder, made, byte_offsets);
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

/* TakeWhileDataset(input_dataset: variant, other_arguments: Targuments) -> handle: variant:
 * elements that a predicate lets through. */
typedef struct weir_take_while_dataset_options {
    const char *metadata; /* null: "" */
} weir_take_while_dataset_options;
static inline TF_Output weir_take_while_dataset(weir_builder *builder, const char *node,
                                                TF_Output input_dataset,
                                                const TF_Output *other_arguments,
                                                int other_arguments_count, const char *predicate,
                                                const TF_DataType *output_types,
                                                int output_types_count,
                                                const weir_dims *output_shapes,
                                                int output_shapes_count,
                                                const weir_take_while_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TakeWhileDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    if (made) {
        weir_attr_func(made, "predicate", predicate);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* TensorDataset(components: Toutput_types) -> handle: variant: one element; TensorSliceDataset: one
 * for each row of it. */
typedef struct weir_tensor_dataset_options {
    const char *metadata; /* null: "" */
} weir_tensor_dataset_options;
static inline TF_Output weir_tensor_dataset(weir_builder *builder, const char *node,
                                            const TF_Output *components, int components_count,
                                            const weir_dims *output_shapes, int output_shapes_count,
                                            const weir_tensor_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorDataset", node);
    weir_build_input_list(builder, made, components, components_count);
    if (made) {
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* TensorSliceDataset(components: Toutput_types) -> handle: variant: the rows of tensors. */
typedef struct weir_tensor_slice_dataset_options {
    bool is_files;
    const char *metadata; /* null: "" */
    bool replicate_on_split;
} weir_tensor_slice_dataset_options;
static inline TF_Output weir_tensor_slice_dataset(weir_builder *builder, const char *node,
                                                  const TF_Output *components, int components_count,
                                                  const weir_dims *output_shapes,
                                                  int output_shapes_count,
                                                  const weir_tensor_slice_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorSliceDataset", node);
    weir_build_input_list(builder, made, components, components_count);
    if (made) {
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "is_files", options->is_files);
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
        TF_SetAttrBool(made, "replicate_on_split", options->replicate_on_split);
    }
    return weir_build_end(builder, made);
}

/* TextLineDataset(filenames: string, compression_type: string, buffer_size: int64) -> handle:
 * variant: the records of a list of files. */
typedef struct weir_text_line_dataset_options {
    const char *metadata; /* null: "" */
} weir_text_line_dataset_options;
static inline TF_Output weir_text_line_dataset(weir_builder *builder, const char *node,
                                               TF_Output filenames, TF_Output compression_type,
                                               TF_Output buffer_size,
                                               const weir_text_line_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TextLineDataset", node);
    weir_build_input(builder, made, filenames);
    weir_build_input(builder, made, compression_type);
    weir_build_input(builder, made, buffer_size);
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
