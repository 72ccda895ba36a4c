/* weir/ops/data/function.h - datasets that call functions.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_FUNCTION_OPS_H
#define WEIR_DATA_FUNCTION_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* DirectedInterleaveDataset(selector_input_dataset: variant, data_input_datasets: N * variant) ->
 * handle: variant: a selector dataset chooses the input of each element. */
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

/* FilterByLastComponentDataset(input_dataset: variant) -> output: variant: random selection,
 * selection by the last component, delay. */
static inline TF_Output weir_filter_by_last_component_dataset(weir_builder *builder,
                                                              const char *node,
                                                              TF_Output input_dataset,
                                                              const TF_DataType *output_types,
                                                              int output_types_count,
                                                              const weir_dims *output_shapes,
                                                              int output_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FilterByLastComponentDataset", node);
    weir_build_input(builder, made, input_dataset);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    return weir_build_end(builder, made);
}

/* FilterDataset(input_dataset: variant, other_arguments: Targuments) -> handle: variant: elements
 * that satisfy a predicate. */
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

/* FlatMapDataset(input_dataset: variant, other_arguments: Targuments) -> handle: variant: a
 * function maps each element to a dataset; several of these are interleaved. */
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
 * finalize_func_other_args: Tfinalize_func_args) -> handle: variant: one function creates a state,
 * another returns elements from it until OUT_OF_RANGE, a third finalises it. */
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

/* IndexFlatMapDataset(input_dataset: variant, map_func_other_args: Tmap_func_args,
 * index_map_func_other_args: Tindex_map_func_args, output_cardinality: int64) -> handle: variant:
 * rows of the mapped input elements; a second function maps output indices to element and row. */
typedef struct weir_index_flat_map_dataset_options {
    const char *metadata; /* null: "" */
} weir_index_flat_map_dataset_options;
static inline TF_Output
weir_index_flat_map_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                            const TF_Output *map_func_other_args, int map_func_other_args_count,
                            const TF_Output *index_map_func_other_args,
                            int index_map_func_other_args_count, TF_Output output_cardinality,
                            const char *map_func, const char *index_map_func,
                            const TF_DataType *output_types, int output_types_count,
                            const weir_dims *output_shapes, int output_shapes_count,
                            const weir_index_flat_map_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IndexFlatMapDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, map_func_other_args, map_func_other_args_count);
    weir_build_input_list(builder, made, index_map_func_other_args, index_map_func_other_args_count);
    weir_build_input(builder, made, output_cardinality);
    if (made) {
        weir_attr_func(made, "map_func", map_func);
        weir_attr_func(made, "index_map_func", index_map_func);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
    }
    if (made && options) {
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* InterleaveDataset(input_dataset: variant, other_arguments: Targuments, cycle_length: int64,
 * block_length: int64) -> handle: variant: a function maps each element to a dataset; several of
 * these are interleaved. */
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

/* LegacyParallelInterleaveDatasetV2(input_dataset: variant, other_arguments: Targuments,
 * cycle_length: int64, block_length: int64, buffer_output_elements: int64, prefetch_input_elements:
 * int64) -> handle: variant. */
typedef struct weir_legacy_parallel_interleave_dataset_v2_options {
    const char *deterministic; /* null: "default" */
    const char *metadata; /* null: "" */
} weir_legacy_parallel_interleave_dataset_v2_options;
static inline TF_Output
weir_legacy_parallel_interleave_dataset_v2(weir_builder *builder, const char *node,
    TF_Output input_dataset, const TF_Output *other_arguments, int other_arguments_count,
    TF_Output cycle_length, TF_Output block_length, TF_Output buffer_output_elements,
    TF_Output prefetch_input_elements, const char *f, const TF_DataType *output_types,
    int output_types_count, const weir_dims *output_shapes, int output_shapes_count,
    const weir_legacy_parallel_interleave_dataset_v2_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "LegacyParallelInterleaveDatasetV2", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    weir_build_input(builder, made, cycle_length);
    weir_build_input(builder, made, block_length);
    weir_build_input(builder, made, buffer_output_elements);
    weir_build_input(builder, made, prefetch_input_elements);
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

/* MapAndBatchDataset(input_dataset: variant, other_arguments: Targuments, batch_size: int64,
 * num_parallel_calls: int64, drop_remainder: bool) -> handle: variant: applies a function and
 * batches the results. */
typedef struct weir_map_and_batch_dataset_options {
    bool preserve_cardinality;
    const char *metadata; /* null: "" */
} weir_map_and_batch_dataset_options;
static inline TF_Output
weir_map_and_batch_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                           const TF_Output *other_arguments, int other_arguments_count,
                           TF_Output batch_size, TF_Output num_parallel_calls,
                           TF_Output drop_remainder, const char *f, const TF_DataType *output_types,
                           int output_types_count, const weir_dims *output_shapes,
                           int output_shapes_count,
                           const weir_map_and_batch_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MapAndBatchDataset", node);
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
        if (options->metadata)
            weir_attr_string(made, "metadata", options->metadata);
    }
    return weir_build_end(builder, made);
}

/* MapDataset(input_dataset: variant, other_arguments: Targuments) -> handle: variant: applies a
 * function to each element. */
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

/* MapDefun(arguments: Targuments, captured_inputs: Tcaptured) -> output: output_types: ops on
 * datasets, elements and iterators. */
typedef struct weir_map_defun_options {
    int64_t max_intra_op_parallelism; /* 0: 1 */
} weir_map_defun_options;
static inline weir_outputs weir_map_defun(weir_builder *builder, const char *node,
                                          const TF_Output *arguments, int arguments_count,
                                          const TF_Output *captured_inputs,
                                          int captured_inputs_count,
                                          const TF_DataType *output_types, int output_types_count,
                                          const weir_dims *output_shapes, int output_shapes_count,
                                          const char *f, const weir_map_defun_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MapDefun", node);
    weir_build_input_list(builder, made, arguments, arguments_count);
    weir_build_input_list(builder, made, captured_inputs, captured_inputs_count);
    if (made) {
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
        weir_attr_shapes(made, "output_shapes", output_shapes, output_shapes_count);
        weir_attr_func(made, "f", f);
    }
    if (made && options) {
        if (options->max_intra_op_parallelism != 0)
            TF_SetAttrInt(made, "max_intra_op_parallelism",
                weir_int_of(options->max_intra_op_parallelism));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* ParallelFilterDataset(input_dataset: variant, other_arguments: Targuments, num_parallel_calls:
 * int64) -> handle: variant. */
typedef struct weir_parallel_filter_dataset_options {
    const char *deterministic; /* null: "default" */
    const char *metadata; /* null: "" */
} weir_parallel_filter_dataset_options;
static inline TF_Output
weir_parallel_filter_dataset(weir_builder *builder, const char *node, TF_Output input_dataset,
                             const TF_Output *other_arguments, int other_arguments_count,
                             TF_Output num_parallel_calls, const char *predicate,
                             const TF_DataType *output_types, int output_types_count,
                             const weir_dims *output_shapes, int output_shapes_count,
                             const weir_parallel_filter_dataset_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParallelFilterDataset", node);
    weir_build_input(builder, made, input_dataset);
    weir_build_input_list(builder, made, other_arguments, other_arguments_count);
    weir_build_input(builder, made, num_parallel_calls);
    if (made) {
        weir_attr_func(made, "predicate", predicate);
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

/* ParallelInterleaveDataset(input_dataset: variant, other_arguments: Targuments, cycle_length:
 * int64, block_length: int64, sloppy: bool, buffer_output_elements: int64, prefetch_input_elements:
 * int64) -> handle: variant: elements of several datasets interleaved, read by several threads. */
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
 * datasets interleaved, read by several threads. */
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
 * datasets interleaved, read by several threads. */
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
 * num_parallel_calls: int64) -> handle: variant: elements of several datasets interleaved, read by
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
 * int32) -> handle: variant: applies a function to each element. */
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
 * int64) -> handle: variant: applies a function to each element. */
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

/* ScanDataset(input_dataset: variant, initial_state: Tstate, other_arguments: Targuments) ->
 * handle: variant: a function maps state and element to a new state and element. */
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

/* TakeWhileDataset(input_dataset: variant, other_arguments: Targuments) -> handle: variant:
 * elements that satisfy a predicate. */
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

#ifdef __cplusplus
}
#endif
#endif
