/* weir/ops/data/source.h - datasets of files, tensors and numbers.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_SOURCE_OPS_H
#define WEIR_DATA_SOURCE_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* RandomDataset(seed: int64, seed2: int64) -> handle: variant: an infinite sequence of random
 * 32-bit numbers. */
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

/* RandomDatasetV2(seed: int64, seed2: int64, seed_generator: resource) -> handle: variant: an
 * infinite sequence of random 32-bit numbers. */
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

/* SparseTensorSliceDataset(indices: int64, values: Tvalues, dense_shape: int64) -> handle: variant:
 * splits a sparse tensor into rows, and batches elements into a sparse tensor. */
static inline TF_Output weir_sparse_tensor_slice_dataset(weir_builder *builder, const char *node,
                                                         TF_Output indices, TF_Output values,
                                                         TF_Output dense_shape)
{
    const TF_Output inputs[] = {indices, values, dense_shape};
    return weir_build_op(builder, "SparseTensorSliceDataset", node, inputs, 3);
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

/* TensorDataset(components: Toutput_types) -> handle: variant: one element; TensorSliceDataset: one
 * per row. */
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

#ifdef __cplusplus
}
#endif
#endif
