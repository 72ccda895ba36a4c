/* weir/ops/parsing.h - bytes and text into tensors.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_PARSING_OPS_H
#define WEIR_PARSING_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* DecodeCSV(records: string, record_defaults: OUT_TYPE) -> output: OUT_TYPE: parses lines into one
 * tensor per column. OUT_TYPE: float, double, int32, int64, string. */
typedef struct weir_decode_csv_options {
    const char *field_delim; /* null: "," */
    bool not_use_quote_delim;
    const char *na_value; /* null: "" */
    const int64_t *select_cols;
    int select_cols_count; /* null: [] */
} weir_decode_csv_options;
static inline weir_outputs weir_decode_csv(weir_builder *builder, const char *node,
                                           TF_Output records, const TF_Output *record_defaults,
                                           int record_defaults_count,
                                           const weir_decode_csv_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DecodeCSV", node);
    weir_build_input(builder, made, records);
    weir_build_input_list(builder, made, record_defaults, record_defaults_count);
    if (made && options) {
        if (options->field_delim)
            weir_attr_string(made, "field_delim", options->field_delim);
        TF_SetAttrBool(made, "use_quote_delim", !options->not_use_quote_delim);
        if (options->na_value)
            weir_attr_string(made, "na_value", options->na_value);
        if (options->select_cols)
            TF_SetAttrIntList(made, "select_cols",
                options->select_cols, options->select_cols_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* DecodeCompressed(bytes: string) -> output: string: bytes of strings. */
typedef struct weir_decode_compressed_options {
    const char *compression_type; /* null: "" */
} weir_decode_compressed_options;
static inline TF_Output weir_decode_compressed(weir_builder *builder, const char *node,
                                               TF_Output bytes,
                                               const weir_decode_compressed_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DecodeCompressed", node);
    weir_build_input(builder, made, bytes);
    if (made && options) {
        if (options->compression_type)
            weir_attr_string(made, "compression_type", options->compression_type);
    }
    return weir_build_end(builder, made);
}

/* DecodeJSONExample(json_examples: string) -> binary_examples: string: serialises examples given as
 * JSON. */
static inline TF_Output weir_decode_json_example(weir_builder *builder, const char *node,
                                                 TF_Output json_examples)
{
    const TF_Output inputs[] = {json_examples};
    return weir_build_op(builder, "DecodeJSONExample", node, inputs, 1);
}

/* DecodePaddedRaw(input_bytes: string, fixed_length: int32) -> output: out_type: bytes of strings.
 * out_type: half, float, double, int32, uint16, uint8, int16, int8, int64, bfloat16. */
typedef struct weir_decode_padded_raw_options {
    bool not_little_endian;
} weir_decode_padded_raw_options;
static inline TF_Output weir_decode_padded_raw(weir_builder *builder, const char *node,
                                               TF_Output input_bytes, TF_Output fixed_length,
                                               TF_DataType out_type,
                                               const weir_decode_padded_raw_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DecodePaddedRaw", node);
    weir_build_input(builder, made, input_bytes);
    weir_build_input(builder, made, fixed_length);
    if (made) {
        TF_SetAttrType(made, "out_type", out_type);
    }
    if (made && options) {
        TF_SetAttrBool(made, "little_endian", !options->not_little_endian);
    }
    return weir_build_end(builder, made);
}

/* DecodeProtoV2(bytes: string) -> sizes: int32, values: output_types: converts fields of serialised
 * messages to tensors. */
typedef struct weir_decode_proto_v2_options {
    const char *descriptor_source; /* null: "local://" */
    const char *message_format; /* null: "binary" */
    bool sanitize;
} weir_decode_proto_v2_options;
typedef struct weir_decode_proto_v2_outputs {
    TF_Output sizes;
    weir_outputs values;
} weir_decode_proto_v2_outputs;
static inline weir_decode_proto_v2_outputs
weir_decode_proto_v2(weir_builder *builder, const char *node, TF_Output bytes,
                     const char *message_type, const char *const *field_names,
                     int field_names_count, const TF_DataType *output_types, int output_types_count,
                     const weir_decode_proto_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DecodeProtoV2", node);
    weir_build_input(builder, made, bytes);
    if (made) {
        weir_attr_string(made, "message_type", message_type);
        weir_attr_strings(made, "field_names", field_names, field_names_count);
        TF_SetAttrTypeList(made, "output_types", output_types, output_types_count);
    }
    if (made && options) {
        if (options->descriptor_source)
            weir_attr_string(made, "descriptor_source", options->descriptor_source);
        if (options->message_format)
            weir_attr_string(made, "message_format", options->message_format);
        TF_SetAttrBool(made, "sanitize", options->sanitize);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_decode_proto_v2_outputs out;
    int at = 0;
    out.sizes = weir_output(op, at++);
    out.values = weir_outputs_of(op, "values", at);
    return out;
}

/* DecodeRaw(bytes: string) -> output: out_type: bytes of strings. out_type: half, float, double,
 * int32, uint16, uint8, int16, int8, int64, complex64, complex128, bool, bfloat16. */
typedef struct weir_decode_raw_options {
    bool not_little_endian;
} weir_decode_raw_options;
static inline TF_Output weir_decode_raw(weir_builder *builder, const char *node, TF_Output bytes,
                                        TF_DataType out_type,
                                        const weir_decode_raw_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DecodeRaw", node);
    weir_build_input(builder, made, bytes);
    if (made) {
        TF_SetAttrType(made, "out_type", out_type);
    }
    if (made && options) {
        TF_SetAttrBool(made, "little_endian", !options->not_little_endian);
    }
    return weir_build_end(builder, made);
}

/* EncodeProto(sizes: int32, values: Tinput_types) -> bytes: string: serialises messages with
 * tensors as fields. */
typedef struct weir_encode_proto_options {
    const char *descriptor_source; /* null: "local://" */
} weir_encode_proto_options;
static inline TF_Output weir_encode_proto(weir_builder *builder, const char *node, TF_Output sizes,
                                          const TF_Output *values, int values_count,
                                          const char *const *field_names, int field_names_count,
                                          const char *message_type,
                                          const weir_encode_proto_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "EncodeProto", node);
    weir_build_input(builder, made, sizes);
    weir_build_input_list(builder, made, values, values_count);
    if (made) {
        weir_attr_strings(made, "field_names", field_names, field_names_count);
        weir_attr_string(made, "message_type", message_type);
    }
    if (made && options) {
        if (options->descriptor_source)
            weir_attr_string(made, "descriptor_source", options->descriptor_source);
    }
    return weir_build_end(builder, made);
}

/* ParseExample(serialized: string, names: string, sparse_keys: Nsparse * string, dense_keys: Ndense
 * * string, dense_defaults: Tdense) -> sparse_indices: Nsparse * int64, sparse_values:
 * sparse_types, sparse_shapes: Nsparse * int64, dense_values: Tdense: features of serialised
 * Examples as tensors. sparse_types: float, int64, string. Tdense: float, int64, string. */
typedef struct weir_parse_example_outputs {
    weir_outputs sparse_indices;
    weir_outputs sparse_values;
    weir_outputs sparse_shapes;
    weir_outputs dense_values;
} weir_parse_example_outputs;
static inline weir_parse_example_outputs weir_parse_example(weir_builder *builder, const char *node,
                                                            TF_Output serialized, TF_Output names,
                                                            const TF_Output *sparse_keys,
                                                            int sparse_keys_count,
                                                            const TF_Output *dense_keys,
                                                            int dense_keys_count,
                                                            const TF_Output *dense_defaults,
                                                            int dense_defaults_count,
                                                            const TF_DataType *sparse_types,
                                                            int sparse_types_count,
                                                            const weir_dims *dense_shapes,
                                                            int dense_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParseExample", node);
    weir_build_input(builder, made, serialized);
    weir_build_input(builder, made, names);
    weir_build_input_list(builder, made, sparse_keys, sparse_keys_count);
    weir_build_input_list(builder, made, dense_keys, dense_keys_count);
    weir_build_input_list(builder, made, dense_defaults, dense_defaults_count);
    if (made) {
        TF_SetAttrTypeList(made, "sparse_types", sparse_types, sparse_types_count);
        weir_attr_shapes(made, "dense_shapes", dense_shapes, dense_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_parse_example_outputs out;
    int at = 0;
    out.sparse_indices = weir_outputs_of(op, "sparse_indices", at);
    at += out.sparse_indices.count;
    out.sparse_values = weir_outputs_of(op, "sparse_values", at);
    at += out.sparse_values.count;
    out.sparse_shapes = weir_outputs_of(op, "sparse_shapes", at);
    at += out.sparse_shapes.count;
    out.dense_values = weir_outputs_of(op, "dense_values", at);
    return out;
}

/* ParseExampleV2(serialized: string, names: string, sparse_keys: string, dense_keys: string,
 * ragged_keys: string, dense_defaults: Tdense) -> sparse_indices: num_sparse * int64,
 * sparse_values: sparse_types, sparse_shapes: num_sparse * int64, dense_values: Tdense,
 * ragged_values: ragged_value_types, ragged_row_splits: ragged_split_types: features of serialised
 * Examples as tensors. Tdense: float, int64, string. sparse_types: float, int64, string.
 * ragged_value_types: float, int64, string. ragged_split_types: int32, int64. */
typedef struct weir_parse_example_v2_outputs {
    weir_outputs sparse_indices;
    weir_outputs sparse_values;
    weir_outputs sparse_shapes;
    weir_outputs dense_values;
    weir_outputs ragged_values;
    weir_outputs ragged_row_splits;
} weir_parse_example_v2_outputs;
static inline weir_parse_example_v2_outputs
weir_parse_example_v2(weir_builder *builder, const char *node, TF_Output serialized,
                      TF_Output names, TF_Output sparse_keys, TF_Output dense_keys,
                      TF_Output ragged_keys, const TF_Output *dense_defaults,
                      int dense_defaults_count, int64_t num_sparse, const TF_DataType *sparse_types,
                      int sparse_types_count, const TF_DataType *ragged_value_types,
                      int ragged_value_types_count, const TF_DataType *ragged_split_types,
                      int ragged_split_types_count, const weir_dims *dense_shapes,
                      int dense_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParseExampleV2", node);
    weir_build_input(builder, made, serialized);
    weir_build_input(builder, made, names);
    weir_build_input(builder, made, sparse_keys);
    weir_build_input(builder, made, dense_keys);
    weir_build_input(builder, made, ragged_keys);
    weir_build_input_list(builder, made, dense_defaults, dense_defaults_count);
    if (made) {
        TF_SetAttrInt(made, "num_sparse", num_sparse);
        TF_SetAttrTypeList(made, "sparse_types", sparse_types, sparse_types_count);
        TF_SetAttrTypeList(made, "ragged_value_types", ragged_value_types, ragged_value_types_count);
        TF_SetAttrTypeList(made, "ragged_split_types", ragged_split_types, ragged_split_types_count);
        weir_attr_shapes(made, "dense_shapes", dense_shapes, dense_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_parse_example_v2_outputs out;
    int at = 0;
    out.sparse_indices = weir_outputs_of(op, "sparse_indices", at);
    at += out.sparse_indices.count;
    out.sparse_values = weir_outputs_of(op, "sparse_values", at);
    at += out.sparse_values.count;
    out.sparse_shapes = weir_outputs_of(op, "sparse_shapes", at);
    at += out.sparse_shapes.count;
    out.dense_values = weir_outputs_of(op, "dense_values", at);
    at += out.dense_values.count;
    out.ragged_values = weir_outputs_of(op, "ragged_values", at);
    at += out.ragged_values.count;
    out.ragged_row_splits = weir_outputs_of(op, "ragged_row_splits", at);
    return out;
}

/* ParseSequenceExample(serialized: string, debug_name: string, context_dense_defaults:
 * Tcontext_dense) -> context_sparse_indices: Ncontext_sparse * int64, context_sparse_values:
 * context_sparse_types, context_sparse_shapes: Ncontext_sparse * int64, context_dense_values:
 * Tcontext_dense, feature_list_sparse_indices: Nfeature_list_sparse * int64,
 * feature_list_sparse_values: feature_list_sparse_types, feature_list_sparse_shapes:
 * Nfeature_list_sparse * int64, feature_list_dense_values: feature_list_dense_types,
 * feature_list_dense_lengths: Nfeature_list_dense * int64: features of serialised SequenceExamples
 * as tensors. context_sparse_types: float, int64, string. Tcontext_dense: float, int64, string.
 * feature_list_dense_types: float, int64, string. feature_list_sparse_types: float, int64, string.
 * */
typedef struct weir_parse_sequence_example_options {
    int64_t Ncontext_sparse;
    int64_t Ncontext_dense;
    int64_t Nfeature_list_sparse;
    int64_t Nfeature_list_dense;
    const TF_DataType *context_sparse_types;
    int context_sparse_types_count; /* null: []; float, int64, string */
    const TF_DataType *feature_list_dense_types;
    int feature_list_dense_types_count; /* null: []; float, int64, string */
    const weir_dims *context_dense_shapes;
    int context_dense_shapes_count; /* null: [] */
    const TF_DataType *feature_list_sparse_types;
    int feature_list_sparse_types_count; /* null: []; float, int64, string */
    const weir_dims *feature_list_dense_shapes;
    int feature_list_dense_shapes_count; /* null: [] */
} weir_parse_sequence_example_options;
typedef struct weir_parse_sequence_example_outputs {
    weir_outputs context_sparse_indices;
    weir_outputs context_sparse_values;
    weir_outputs context_sparse_shapes;
    weir_outputs context_dense_values;
    weir_outputs feature_list_sparse_indices;
    weir_outputs feature_list_sparse_values;
    weir_outputs feature_list_sparse_shapes;
    weir_outputs feature_list_dense_values;
    weir_outputs feature_list_dense_lengths;
} weir_parse_sequence_example_outputs;
static inline weir_parse_sequence_example_outputs
weir_parse_sequence_example(weir_builder *builder, const char *node, TF_Output serialized,
                            TF_Output debug_name, const TF_Output *context_dense_defaults,
                            int context_dense_defaults_count,
                            const char *const *feature_list_dense_missing_assumed_empty,
                            int feature_list_dense_missing_assumed_empty_count,
                            const char *const *context_sparse_keys, int context_sparse_keys_count,
                            const char *const *context_dense_keys, int context_dense_keys_count,
                            const char *const *feature_list_sparse_keys,
                            int feature_list_sparse_keys_count,
                            const char *const *feature_list_dense_keys,
                            int feature_list_dense_keys_count,
                            const weir_parse_sequence_example_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParseSequenceExample", node);
    weir_build_input(builder, made, serialized);
    weir_build_input(builder, made, debug_name);
    weir_build_input_list(builder, made, context_dense_defaults, context_dense_defaults_count);
    if (made) {
        weir_attr_strings(made, "feature_list_dense_missing_assumed_empty", feature_list_dense_missing_assumed_empty, feature_list_dense_missing_assumed_empty_count);
        weir_attr_strings(made, "context_sparse_keys", context_sparse_keys, context_sparse_keys_count);
        weir_attr_strings(made, "context_dense_keys", context_dense_keys, context_dense_keys_count);
        weir_attr_strings(made, "feature_list_sparse_keys", feature_list_sparse_keys, feature_list_sparse_keys_count);
        weir_attr_strings(made, "feature_list_dense_keys", feature_list_dense_keys, feature_list_dense_keys_count);
    }
    if (made && options) {
        TF_SetAttrInt(made, "Ncontext_sparse", options->Ncontext_sparse);
        TF_SetAttrInt(made, "Ncontext_dense", options->Ncontext_dense);
        TF_SetAttrInt(made, "Nfeature_list_sparse", options->Nfeature_list_sparse);
        TF_SetAttrInt(made, "Nfeature_list_dense", options->Nfeature_list_dense);
        if (options->context_sparse_types)
            TF_SetAttrTypeList(made, "context_sparse_types",
                options->context_sparse_types, options->context_sparse_types_count);
        if (options->feature_list_dense_types)
            TF_SetAttrTypeList(made, "feature_list_dense_types",
                options->feature_list_dense_types, options->feature_list_dense_types_count);
        if (options->context_dense_shapes)
            weir_attr_shapes(made, "context_dense_shapes",
                options->context_dense_shapes, options->context_dense_shapes_count);
        if (options->feature_list_sparse_types)
            TF_SetAttrTypeList(made, "feature_list_sparse_types",
                options->feature_list_sparse_types, options->feature_list_sparse_types_count);
        if (options->feature_list_dense_shapes)
            weir_attr_shapes(made, "feature_list_dense_shapes",
                options->feature_list_dense_shapes, options->feature_list_dense_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_parse_sequence_example_outputs out;
    int at = 0;
    out.context_sparse_indices = weir_outputs_of(op, "context_sparse_indices", at);
    at += out.context_sparse_indices.count;
    out.context_sparse_values = weir_outputs_of(op, "context_sparse_values", at);
    at += out.context_sparse_values.count;
    out.context_sparse_shapes = weir_outputs_of(op, "context_sparse_shapes", at);
    at += out.context_sparse_shapes.count;
    out.context_dense_values = weir_outputs_of(op, "context_dense_values", at);
    at += out.context_dense_values.count;
    out.feature_list_sparse_indices = weir_outputs_of(op, "feature_list_sparse_indices", at);
    at += out.feature_list_sparse_indices.count;
    out.feature_list_sparse_values = weir_outputs_of(op, "feature_list_sparse_values", at);
    at += out.feature_list_sparse_values.count;
    out.feature_list_sparse_shapes = weir_outputs_of(op, "feature_list_sparse_shapes", at);
    at += out.feature_list_sparse_shapes.count;
    out.feature_list_dense_values = weir_outputs_of(op, "feature_list_dense_values", at);
    at += out.feature_list_dense_values.count;
    out.feature_list_dense_lengths = weir_outputs_of(op, "feature_list_dense_lengths", at);
    return out;
}

/* ParseSequenceExampleV2(serialized: string, debug_name: string, context_sparse_keys: string,
 * context_dense_keys: string, context_ragged_keys: string, feature_list_sparse_keys: string,
 * feature_list_dense_keys: string, feature_list_ragged_keys: string,
 * feature_list_dense_missing_assumed_empty: bool, context_dense_defaults: Tcontext_dense) ->
 * context_sparse_indices: Ncontext_sparse * int64, context_sparse_values: context_sparse_types,
 * context_sparse_shapes: Ncontext_sparse * int64, context_dense_values: Tcontext_dense,
 * context_ragged_values: context_ragged_value_types, context_ragged_row_splits:
 * context_ragged_split_types, feature_list_sparse_indices: Nfeature_list_sparse * int64,
 * feature_list_sparse_values: feature_list_sparse_types, feature_list_sparse_shapes:
 * Nfeature_list_sparse * int64, feature_list_dense_values: feature_list_dense_types,
 * feature_list_dense_lengths: Nfeature_list_dense * int64, feature_list_ragged_values:
 * feature_list_ragged_value_types, feature_list_ragged_outer_splits:
 * feature_list_ragged_split_types, feature_list_ragged_inner_splits:
 * feature_list_ragged_split_types: features of serialised SequenceExamples as tensors.
 * Tcontext_dense: float, int64, string. context_sparse_types: float, int64, string.
 * context_ragged_value_types: float, int64, string. context_ragged_split_types: int32, int64.
 * feature_list_dense_types: float, int64, string. feature_list_sparse_types: float, int64, string.
 * feature_list_ragged_value_types: float, int64, string. feature_list_ragged_split_types: int32,
 * int64. */
typedef struct weir_parse_sequence_example_v2_options {
    int64_t Ncontext_sparse;
    const TF_DataType *context_sparse_types;
    int context_sparse_types_count; /* null: []; float, int64, string */
    const TF_DataType *context_ragged_value_types;
    int context_ragged_value_types_count; /* null: []; float, int64, string */
    const TF_DataType *context_ragged_split_types;
    int context_ragged_split_types_count; /* null: []; int32, int64 */
    const weir_dims *context_dense_shapes;
    int context_dense_shapes_count; /* null: [] */
    int64_t Nfeature_list_sparse;
    int64_t Nfeature_list_dense;
    const TF_DataType *feature_list_dense_types;
    int feature_list_dense_types_count; /* null: []; float, int64, string */
    const TF_DataType *feature_list_sparse_types;
    int feature_list_sparse_types_count; /* null: []; float, int64, string */
    const TF_DataType *feature_list_ragged_value_types;
    int feature_list_ragged_value_types_count; /* null: []; float, int64, string */
    const TF_DataType *feature_list_ragged_split_types;
    int feature_list_ragged_split_types_count; /* null: []; int32, int64 */
    const weir_dims *feature_list_dense_shapes;
    int feature_list_dense_shapes_count; /* null: [] */
} weir_parse_sequence_example_v2_options;
typedef struct weir_parse_sequence_example_v2_outputs {
    weir_outputs context_sparse_indices;
    weir_outputs context_sparse_values;
    weir_outputs context_sparse_shapes;
    weir_outputs context_dense_values;
    weir_outputs context_ragged_values;
    weir_outputs context_ragged_row_splits;
    weir_outputs feature_list_sparse_indices;
    weir_outputs feature_list_sparse_values;
    weir_outputs feature_list_sparse_shapes;
    weir_outputs feature_list_dense_values;
    weir_outputs feature_list_dense_lengths;
    weir_outputs feature_list_ragged_values;
    weir_outputs feature_list_ragged_outer_splits;
    weir_outputs feature_list_ragged_inner_splits;
} weir_parse_sequence_example_v2_outputs;
static inline weir_parse_sequence_example_v2_outputs
weir_parse_sequence_example_v2(weir_builder *builder, const char *node, TF_Output serialized,
                               TF_Output debug_name, TF_Output context_sparse_keys,
                               TF_Output context_dense_keys, TF_Output context_ragged_keys,
                               TF_Output feature_list_sparse_keys,
                               TF_Output feature_list_dense_keys,
                               TF_Output feature_list_ragged_keys,
                               TF_Output feature_list_dense_missing_assumed_empty,
                               const TF_Output *context_dense_defaults,
                               int context_dense_defaults_count,
                               const weir_parse_sequence_example_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParseSequenceExampleV2", node);
    weir_build_input(builder, made, serialized);
    weir_build_input(builder, made, debug_name);
    weir_build_input(builder, made, context_sparse_keys);
    weir_build_input(builder, made, context_dense_keys);
    weir_build_input(builder, made, context_ragged_keys);
    weir_build_input(builder, made, feature_list_sparse_keys);
    weir_build_input(builder, made, feature_list_dense_keys);
    weir_build_input(builder, made, feature_list_ragged_keys);
    weir_build_input(builder, made, feature_list_dense_missing_assumed_empty);
    weir_build_input_list(builder, made, context_dense_defaults, context_dense_defaults_count);
    if (made && options) {
        TF_SetAttrInt(made, "Ncontext_sparse", options->Ncontext_sparse);
        if (options->context_sparse_types)
            TF_SetAttrTypeList(made, "context_sparse_types",
                options->context_sparse_types, options->context_sparse_types_count);
        if (options->context_ragged_value_types)
            TF_SetAttrTypeList(made, "context_ragged_value_types",
                options->context_ragged_value_types, options->context_ragged_value_types_count);
        if (options->context_ragged_split_types)
            TF_SetAttrTypeList(made, "context_ragged_split_types",
                options->context_ragged_split_types, options->context_ragged_split_types_count);
        if (options->context_dense_shapes)
            weir_attr_shapes(made, "context_dense_shapes",
                options->context_dense_shapes, options->context_dense_shapes_count);
        TF_SetAttrInt(made, "Nfeature_list_sparse", options->Nfeature_list_sparse);
        TF_SetAttrInt(made, "Nfeature_list_dense", options->Nfeature_list_dense);
        if (options->feature_list_dense_types)
            TF_SetAttrTypeList(made, "feature_list_dense_types",
                options->feature_list_dense_types, options->feature_list_dense_types_count);
        if (options->feature_list_sparse_types)
            TF_SetAttrTypeList(made, "feature_list_sparse_types",
                options->feature_list_sparse_types, options->feature_list_sparse_types_count);
        if (options->feature_list_ragged_value_types)
            TF_SetAttrTypeList(made, "feature_list_ragged_value_types",
                options->feature_list_ragged_value_types, options->feature_list_ragged_value_types_count);
        if (options->feature_list_ragged_split_types)
            TF_SetAttrTypeList(made, "feature_list_ragged_split_types",
                options->feature_list_ragged_split_types, options->feature_list_ragged_split_types_count);
        if (options->feature_list_dense_shapes)
            weir_attr_shapes(made, "feature_list_dense_shapes",
                options->feature_list_dense_shapes, options->feature_list_dense_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_parse_sequence_example_v2_outputs out;
    int at = 0;
    out.context_sparse_indices = weir_outputs_of(op, "context_sparse_indices", at);
    at += out.context_sparse_indices.count;
    out.context_sparse_values = weir_outputs_of(op, "context_sparse_values", at);
    at += out.context_sparse_values.count;
    out.context_sparse_shapes = weir_outputs_of(op, "context_sparse_shapes", at);
    at += out.context_sparse_shapes.count;
    out.context_dense_values = weir_outputs_of(op, "context_dense_values", at);
    at += out.context_dense_values.count;
    out.context_ragged_values = weir_outputs_of(op, "context_ragged_values", at);
    at += out.context_ragged_values.count;
    out.context_ragged_row_splits = weir_outputs_of(op, "context_ragged_row_splits", at);
    at += out.context_ragged_row_splits.count;
    out.feature_list_sparse_indices = weir_outputs_of(op, "feature_list_sparse_indices", at);
    at += out.feature_list_sparse_indices.count;
    out.feature_list_sparse_values = weir_outputs_of(op, "feature_list_sparse_values", at);
    at += out.feature_list_sparse_values.count;
    out.feature_list_sparse_shapes = weir_outputs_of(op, "feature_list_sparse_shapes", at);
    at += out.feature_list_sparse_shapes.count;
    out.feature_list_dense_values = weir_outputs_of(op, "feature_list_dense_values", at);
    at += out.feature_list_dense_values.count;
    out.feature_list_dense_lengths = weir_outputs_of(op, "feature_list_dense_lengths", at);
    at += out.feature_list_dense_lengths.count;
    out.feature_list_ragged_values = weir_outputs_of(op, "feature_list_ragged_values", at);
    at += out.feature_list_ragged_values.count;
    out.feature_list_ragged_outer_splits = weir_outputs_of(op, "feature_list_ragged_outer_splits", at);
    at += out.feature_list_ragged_outer_splits.count;
    out.feature_list_ragged_inner_splits = weir_outputs_of(op, "feature_list_ragged_inner_splits", at);
    return out;
}

/* ParseSingleExample(serialized: string, dense_defaults: Tdense) -> sparse_indices: num_sparse *
 * int64, sparse_values: sparse_types, sparse_shapes: num_sparse * int64, dense_values: Tdense:
 * features of one serialised Example as tensors. sparse_types: float, int64, string. Tdense: float,
 * int64, string. */
typedef struct weir_parse_single_example_outputs {
    weir_outputs sparse_indices;
    weir_outputs sparse_values;
    weir_outputs sparse_shapes;
    weir_outputs dense_values;
} weir_parse_single_example_outputs;
static inline weir_parse_single_example_outputs
weir_parse_single_example(weir_builder *builder, const char *node, TF_Output serialized,
                          const TF_Output *dense_defaults, int dense_defaults_count,
                          int64_t num_sparse, const char *const *sparse_keys, int sparse_keys_count,
                          const char *const *dense_keys, int dense_keys_count,
                          const TF_DataType *sparse_types, int sparse_types_count,
                          const weir_dims *dense_shapes, int dense_shapes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParseSingleExample", node);
    weir_build_input(builder, made, serialized);
    weir_build_input_list(builder, made, dense_defaults, dense_defaults_count);
    if (made) {
        TF_SetAttrInt(made, "num_sparse", num_sparse);
        weir_attr_strings(made, "sparse_keys", sparse_keys, sparse_keys_count);
        weir_attr_strings(made, "dense_keys", dense_keys, dense_keys_count);
        TF_SetAttrTypeList(made, "sparse_types", sparse_types, sparse_types_count);
        weir_attr_shapes(made, "dense_shapes", dense_shapes, dense_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_parse_single_example_outputs out;
    int at = 0;
    out.sparse_indices = weir_outputs_of(op, "sparse_indices", at);
    at += out.sparse_indices.count;
    out.sparse_values = weir_outputs_of(op, "sparse_values", at);
    at += out.sparse_values.count;
    out.sparse_shapes = weir_outputs_of(op, "sparse_shapes", at);
    at += out.sparse_shapes.count;
    out.dense_values = weir_outputs_of(op, "dense_values", at);
    return out;
}

/* ParseSingleSequenceExample(serialized: string, feature_list_dense_missing_assumed_empty: string,
 * context_sparse_keys: Ncontext_sparse * string, context_dense_keys: Ncontext_dense * string,
 * feature_list_sparse_keys: Nfeature_list_sparse * string, feature_list_dense_keys:
 * Nfeature_list_dense * string, context_dense_defaults: Tcontext_dense, debug_name: string) ->
 * context_sparse_indices: Ncontext_sparse * int64, context_sparse_values: context_sparse_types,
 * context_sparse_shapes: Ncontext_sparse * int64, context_dense_values: Tcontext_dense,
 * feature_list_sparse_indices: Nfeature_list_sparse * int64, feature_list_sparse_values:
 * feature_list_sparse_types, feature_list_sparse_shapes: Nfeature_list_sparse * int64,
 * feature_list_dense_values: feature_list_dense_types: features of one serialised SequenceExample
 * as tensors. context_sparse_types: float, int64, string. Tcontext_dense: float, int64, string.
 * feature_list_dense_types: float, int64, string. feature_list_sparse_types: float, int64, string.
 * */
typedef struct weir_parse_single_sequence_example_options {
    const TF_DataType *context_sparse_types;
    int context_sparse_types_count; /* null: []; float, int64, string */
    const TF_DataType *feature_list_dense_types;
    int feature_list_dense_types_count; /* null: []; float, int64, string */
    const weir_dims *context_dense_shapes;
    int context_dense_shapes_count; /* null: [] */
    const TF_DataType *feature_list_sparse_types;
    int feature_list_sparse_types_count; /* null: []; float, int64, string */
    const weir_dims *feature_list_dense_shapes;
    int feature_list_dense_shapes_count; /* null: [] */
} weir_parse_single_sequence_example_options;
typedef struct weir_parse_single_sequence_example_outputs {
    weir_outputs context_sparse_indices;
    weir_outputs context_sparse_values;
    weir_outputs context_sparse_shapes;
    weir_outputs context_dense_values;
    weir_outputs feature_list_sparse_indices;
    weir_outputs feature_list_sparse_values;
    weir_outputs feature_list_sparse_shapes;
    weir_outputs feature_list_dense_values;
} weir_parse_single_sequence_example_outputs;
static inline weir_parse_single_sequence_example_outputs
weir_parse_single_sequence_example(weir_builder *builder, const char *node, TF_Output serialized,
                                   TF_Output feature_list_dense_missing_assumed_empty,
                                   const TF_Output *context_sparse_keys,
                                   int context_sparse_keys_count,
                                   const TF_Output *context_dense_keys,
                                   int context_dense_keys_count,
                                   const TF_Output *feature_list_sparse_keys,
                                   int feature_list_sparse_keys_count,
                                   const TF_Output *feature_list_dense_keys,
                                   int feature_list_dense_keys_count,
                                   const TF_Output *context_dense_defaults,
                                   int context_dense_defaults_count, TF_Output debug_name,
                                   const weir_parse_single_sequence_example_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParseSingleSequenceExample", node);
    weir_build_input(builder, made, serialized);
    weir_build_input(builder, made, feature_list_dense_missing_assumed_empty);
    weir_build_input_list(builder, made, context_sparse_keys, context_sparse_keys_count);
    weir_build_input_list(builder, made, context_dense_keys, context_dense_keys_count);
    weir_build_input_list(builder, made, feature_list_sparse_keys, feature_list_sparse_keys_count);
    weir_build_input_list(builder, made, feature_list_dense_keys, feature_list_dense_keys_count);
    weir_build_input_list(builder, made, context_dense_defaults, context_dense_defaults_count);
    weir_build_input(builder, made, debug_name);
    if (made && options) {
        if (options->context_sparse_types)
            TF_SetAttrTypeList(made, "context_sparse_types",
                options->context_sparse_types, options->context_sparse_types_count);
        if (options->feature_list_dense_types)
            TF_SetAttrTypeList(made, "feature_list_dense_types",
                options->feature_list_dense_types, options->feature_list_dense_types_count);
        if (options->context_dense_shapes)
            weir_attr_shapes(made, "context_dense_shapes",
                options->context_dense_shapes, options->context_dense_shapes_count);
        if (options->feature_list_sparse_types)
            TF_SetAttrTypeList(made, "feature_list_sparse_types",
                options->feature_list_sparse_types, options->feature_list_sparse_types_count);
        if (options->feature_list_dense_shapes)
            weir_attr_shapes(made, "feature_list_dense_shapes",
                options->feature_list_dense_shapes, options->feature_list_dense_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_parse_single_sequence_example_outputs out;
    int at = 0;
    out.context_sparse_indices = weir_outputs_of(op, "context_sparse_indices", at);
    at += out.context_sparse_indices.count;
    out.context_sparse_values = weir_outputs_of(op, "context_sparse_values", at);
    at += out.context_sparse_values.count;
    out.context_sparse_shapes = weir_outputs_of(op, "context_sparse_shapes", at);
    at += out.context_sparse_shapes.count;
    out.context_dense_values = weir_outputs_of(op, "context_dense_values", at);
    at += out.context_dense_values.count;
    out.feature_list_sparse_indices = weir_outputs_of(op, "feature_list_sparse_indices", at);
    at += out.feature_list_sparse_indices.count;
    out.feature_list_sparse_values = weir_outputs_of(op, "feature_list_sparse_values", at);
    at += out.feature_list_sparse_values.count;
    out.feature_list_sparse_shapes = weir_outputs_of(op, "feature_list_sparse_shapes", at);
    at += out.feature_list_sparse_shapes.count;
    out.feature_list_dense_values = weir_outputs_of(op, "feature_list_dense_values", at);
    return out;
}

/* ParseTensor(serialized: string) -> output: out_type: conversion of a TensorProto. */
static inline TF_Output weir_parse_tensor(weir_builder *builder, const char *node,
                                          TF_Output serialized, TF_DataType out_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParseTensor", node);
    weir_build_input(builder, made, serialized);
    if (made) {
        TF_SetAttrType(made, "out_type", out_type);
    }
    return weir_build_end(builder, made);
}

/* SerializeTensor(tensor: T) -> serialized: string: conversion of a TensorProto. */
static inline TF_Output weir_serialize_tensor(weir_builder *builder, const char *node,
                                              TF_Output tensor)
{
    const TF_Output inputs[] = {tensor};
    return weir_build_op(builder, "SerializeTensor", node, inputs, 1);
}

#ifdef __cplusplus
}
#endif
#endif
