/* weir/ops/data/iterator.h - iterators, and what is made of a dataset.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_ITERATOR_OPS_H
#define WEIR_DATA_ITERATOR_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AnonymousIterator() -> handle: resource: an iterator that is known only by its handle. */
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

/* AnonymousIteratorV2() -> handle: resource, deleter: variant: an iterator that is known only by
 * its handle. */
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

/* AnonymousIteratorV3() -> handle: resource: an iterator that is known only by its handle. */
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

/* AnonymousMemoryCache() -> handle: resource, deleter: variant: a cache for the elements of a
 * dataset. */
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

/* AnonymousMultiDeviceIterator() -> handle: resource, deleter: variant. */
typedef struct weir_anonymous_multi_device_iterator_outputs {
    TF_Output handle;
    TF_Output deleter;
} weir_anonymous_multi_device_iterator_outputs;
static inline weir_anonymous_multi_device_iterator_outputs
weir_anonymous_multi_device_iterator(weir_builder *builder, const char *node,
                                     const char *const *devices, int devices_count,
                                     const TF_DataType *output_types, int output_types_count,
                                     const weir_dims *output_shapes, int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AnonymousMultiDeviceIterator", node);
    if (made) {
        weir_attr_strings(made, "devices", devices, devices_count);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_anonymous_multi_device_iterator_outputs out;
    out.handle = weir_output(op, 0);
    out.deleter = weir_output(op, 1);
    return out;
}

/* AnonymousMultiDeviceIteratorV3() -> handle: resource. */
static inline TF_Output weir_anonymous_multi_device_iterator_v3(weir_builder *builder,
                                                                const char *node,
                                                                const char *const *devices,
                                                                int devices_count,
                                                                const TF_DataType *output_types,
                                                                int output_types_count,
                                                                const weir_dims *output_shapes,
                                                                int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "AnonymousMultiDeviceIteratorV3", node);
    if (made) {
        weir_attr_strings(made, "devices", devices, devices_count);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
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

/* DatasetCardinality(input_dataset: variant) -> cardinality: int64: ops that consume a dataset. */
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

/* DatasetFromGraph(graph_def: string) -> handle: variant: conversion between a dataset and the
 * graph that creates it. */
static inline TF_Output weir_dataset_from_graph(weir_builder *builder, const char *node,
                                                TF_Output graph_def)
{
    const TF_Output inputs[] = {graph_def};
    return weir_build_op(builder, "DatasetFromGraph", node, inputs, 1);
}

/* DatasetToGraph(input_dataset: variant) -> graph: string: conversion between a dataset and the
 * graph that creates it. */
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

/* DatasetToGraphV2(input_dataset: variant) -> graph: string: conversion between a dataset and the
 * graph that creates it. */
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

/* DatasetToSingleElement(dataset: variant) -> components: output_types: ops that consume a dataset.
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

/* DatasetToTFRecord(input_dataset: variant, filename: string, compression_type: string): ops on
 * datasets, elements and iterators. */
static inline TF_Operation *weir_dataset_to_tf_record(weir_builder *builder, const char *node,
                                                      TF_Output input_dataset, TF_Output filename,
                                                      TF_Output compression_type)
{
    const TF_Output inputs[] = {input_dataset, filename, compression_type};
    return weir_build_op(builder, "DatasetToTFRecord", node, inputs, 3).oper;
}

/* DeleteIterator(handle: resource, deleter: variant): deletes an iterator. */
static inline TF_Operation *weir_delete_iterator(weir_builder *builder, const char *node,
                                                 TF_Output handle, TF_Output deleter)
{
    const TF_Output inputs[] = {handle, deleter};
    return weir_build_op(builder, "DeleteIterator", node, inputs, 2).oper;
}

/* DeleteMemoryCache(handle: resource, deleter: variant): deletes a cache. */
static inline TF_Operation *weir_delete_memory_cache(weir_builder *builder, const char *node,
                                                     TF_Output handle, TF_Output deleter)
{
    const TF_Output inputs[] = {handle, deleter};
    return weir_build_op(builder, "DeleteMemoryCache", node, inputs, 2).oper;
}

/* DeleteMultiDeviceIterator(multi_device_iterator: resource, iterators: N * resource, deleter:
 * variant). */
static inline TF_Operation *weir_delete_multi_device_iterator(weir_builder *builder,
                                                              const char *node,
                                                              TF_Output multi_device_iterator,
                                                              const TF_Output *iterators,
                                                              int iterators_count,
                                                              TF_Output deleter)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DeleteMultiDeviceIterator", node);
    weir_build_input(builder, made, multi_device_iterator);
    weir_build_input_list(builder, made, iterators, iterators_count);
    weir_build_input(builder, made, deleter);
    return weir_build_end(builder, made).oper;
}

/* DeleteRandomSeedGenerator(handle: resource, deleter: variant): deletes a source of seeds. */
static inline TF_Operation *weir_delete_random_seed_generator(weir_builder *builder,
                                                              const char *node, TF_Output handle,
                                                              TF_Output deleter)
{
    const TF_Output inputs[] = {handle, deleter};
    return weir_build_op(builder, "DeleteRandomSeedGenerator", node, inputs, 2).oper;
}

/* DeleteSeedGenerator(handle: resource, deleter: variant): deletes a source of seeds. */
static inline TF_Operation *weir_delete_seed_generator(weir_builder *builder, const char *node,
                                                       TF_Output handle, TF_Output deleter)
{
    const TF_Output inputs[] = {handle, deleter};
    return weir_build_op(builder, "DeleteSeedGenerator", node, inputs, 2).oper;
}

/* DeserializeIterator(resource_handle: resource, serialized: variant): the position of an iterator
 * as a value. */
static inline TF_Operation *weir_deserialize_iterator(weir_builder *builder, const char *node,
                                                      TF_Output resource_handle,
                                                      TF_Output serialized)
{
    const TF_Output inputs[] = {resource_handle, serialized};
    return weir_build_op(builder, "DeserializeIterator", node, inputs, 2).oper;
}

/* DummyMemoryCache() -> handle: resource: a placeholder for a cache. */
static inline TF_Output weir_dummy_memory_cache(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "DummyMemoryCache", node, NULL, 0);
}

/* DummySeedGenerator() -> handle: resource: a placeholder for a source of seeds. */
static inline TF_Output weir_dummy_seed_generator(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "DummySeedGenerator", node, NULL, 0);
}

/* GetElementAtIndex(dataset: variant, index: int64) -> components: output_types: ops that consume a
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

/* GetOptions(input_dataset: variant) -> serialized_options: string: ops that consume a dataset. */
static inline TF_Output weir_get_options(weir_builder *builder, const char *node,
                                         TF_Output input_dataset)
{
    const TF_Output inputs[] = {input_dataset};
    return weir_build_op(builder, "GetOptions", node, inputs, 1);
}

/* Iterator() -> handle: resource: a named iterator. */
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
 * string names. */
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
 * a string names. */
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

/* IteratorGetDevice(resource: resource) -> device: string: ops on datasets, elements and iterators.
 * */
static inline TF_Output weir_iterator_get_device(weir_builder *builder, const char *node,
                                                 TF_Output resource)
{
    const TF_Output inputs[] = {resource};
    return weir_build_op(builder, "IteratorGetDevice", node, inputs, 1);
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

/* IteratorToStringHandle(resource_handle: resource) -> string_handle: string: a string that names
 * an iterator. */
static inline TF_Output weir_iterator_to_string_handle(weir_builder *builder, const char *node,
                                                       TF_Output resource_handle)
{
    const TF_Output inputs[] = {resource_handle};
    return weir_build_op(builder, "IteratorToStringHandle", node, inputs, 1);
}

/* IteratorV2() -> handle: resource: a named iterator. */
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

/* MakeIterator(dataset: variant, iterator: resource): starts an iterator at the beginning of a
 * dataset. */
static inline TF_Operation *weir_make_iterator(weir_builder *builder, const char *node,
                                               TF_Output dataset, TF_Output iterator)
{
    const TF_Output inputs[] = {dataset, iterator};
    return weir_build_op(builder, "MakeIterator", node, inputs, 2).oper;
}

/* MultiDeviceIterator() -> handle: resource: distributes one dataset over several devices, element
 * i to shard i modulo their number. */
static inline TF_Output weir_multi_device_iterator(weir_builder *builder, const char *node,
                                                   const char *const *devices, int devices_count,
                                                   const char *shared_name, const char *container,
                                                   const TF_DataType *output_types,
                                                   int output_types_count,
                                                   const weir_dims *output_shapes,
                                                   int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MultiDeviceIterator", node);
    if (made) {
        weir_attr_strings(made, "devices", devices, devices_count);
        weir_attr_string(made, "shared_name", shared_name);
        weir_attr_string(made, "container", container);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* MultiDeviceIteratorFromStringHandle(string_handle: string) -> multi_device_iterator: resource. */
typedef struct weir_multi_device_iterator_from_string_handle_options {
    const TF_DataType *output_types;
    int output_types_count; /* null: [] */
    const weir_dims *output_shapes;
    int output_shapes_count; /* null: [] */
} weir_multi_device_iterator_from_string_handle_options;
static inline TF_Output
weir_multi_device_iterator_from_string_handle(weir_builder *builder, const char *node,
    TF_Output string_handle, const weir_multi_device_iterator_from_string_handle_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "MultiDeviceIteratorFromStringHandle", node);
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

/* MultiDeviceIteratorGetNextFromShard(multi_device_iterator: resource, shard_num: int32,
 * incarnation_id: int64) -> components: output_types. */
static inline weir_outputs
weir_multi_device_iterator_get_next_from_shard(weir_builder *builder, const char *node,
                                               TF_Output multi_device_iterator, TF_Output shard_num,
                                               TF_Output incarnation_id,
                                               const TF_DataType *output_types,
                                               int output_types_count,
                                               const weir_dims *output_shapes,
                                               int output_shapes_count)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "MultiDeviceIteratorGetNextFromShard", node);
    weir_build_input(builder, made, multi_device_iterator);
    weir_build_input(builder, made, shard_num);
    weir_build_input(builder, made, incarnation_id);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "components", 0);
}

/* MultiDeviceIteratorInit(dataset: variant, multi_device_iterator: resource, max_buffer_size:
 * int64) -> incarnation_id: int64. */
static inline TF_Output weir_multi_device_iterator_init(weir_builder *builder, const char *node,
                                                        TF_Output dataset,
                                                        TF_Output multi_device_iterator,
                                                        TF_Output max_buffer_size)
{
    const TF_Output inputs[] = {dataset, multi_device_iterator, max_buffer_size};
    return weir_build_op(builder, "MultiDeviceIteratorInit", node, inputs, 3);
}

/* MultiDeviceIteratorToStringHandle(multi_device_iterator: resource) -> string_handle: string. */
static inline TF_Output weir_multi_device_iterator_to_string_handle(weir_builder *builder,
                                                                    const char *node,
                                                                    TF_Output multi_device_iterator)
{
    const TF_Output inputs[] = {multi_device_iterator};
    return weir_build_op(builder, "MultiDeviceIteratorToStringHandle", node, inputs, 1);
}

/* OneShotIterator() -> handle: resource: an iterator over the dataset that a function returns. */
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

/* ReduceDataset(input_dataset: variant, initial_state: Tstate, other_arguments: Targuments) ->
 * components: output_types: ops that consume a dataset. */
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

/* SerializeIterator(resource_handle: resource) -> serialized: variant: the position of an iterator
 * as a value. */
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

#ifdef __cplusplus
}
#endif
#endif
