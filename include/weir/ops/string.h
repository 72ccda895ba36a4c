/* weir/ops/string.h - strings.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_STRING_OPS_H
#define WEIR_STRING_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AsString(input: T) -> output: string: numbers as text. T: float, double, int32, uint8, int16,
 * int8, int64, bfloat16, uint16, half, uint32, uint64, complex64, complex128, bool, variant,
 * string. */
typedef struct weir_as_string_options {
    int64_t precision; /* 0: -1 */
    bool scientific;
    bool shortest;
    int64_t width; /* 0: -1 */
    const char *fill; /* null: "" */
} weir_as_string_options;
static inline TF_Output weir_as_string(weir_builder *builder, const char *node, TF_Output input,
                                       const weir_as_string_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AsString", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->precision != 0)
            TF_SetAttrInt(made, "precision", weir_int_of(options->precision));
        TF_SetAttrBool(made, "scientific", options->scientific);
        TF_SetAttrBool(made, "shortest", options->shortest);
        if (options->width != 0)
            TF_SetAttrInt(made, "width", weir_int_of(options->width));
        if (options->fill)
            weir_attr_string(made, "fill", options->fill);
    }
    return weir_build_end(builder, made);
}

/* DecodeBase64(input: string) -> output: string: bytes from Base64. */
static inline TF_Output weir_decode_base64(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "DecodeBase64", node, inputs, 1);
}

/* EncodeBase64(input: string) -> output: string: bytes as web-safe Base64. */
typedef struct weir_encode_base64_options {
    bool pad;
} weir_encode_base64_options;
static inline TF_Output weir_encode_base64(weir_builder *builder, const char *node, TF_Output input,
                                           const weir_encode_base64_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "EncodeBase64", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        TF_SetAttrBool(made, "pad", options->pad);
    }
    return weir_build_end(builder, made);
}

/* Fingerprint(data: T, method: string) -> fingerprint: uint8: a hash of a few bytes for each row.
 * */
static inline TF_Output weir_fingerprint(weir_builder *builder, const char *node, TF_Output data,
                                         TF_Output method)
{
    const TF_Output inputs[] = {data, method};
    return weir_build_op(builder, "Fingerprint", node, inputs, 2);
}

/* ReduceJoin(inputs: string, reduction_indices: int32) -> output: string: concatenation of strings.
 * */
typedef struct weir_reduce_join_options {
    bool keep_dims;
    const char *separator; /* null: "" */
} weir_reduce_join_options;
static inline TF_Output weir_reduce_join(weir_builder *builder, const char *node, TF_Output inputs,
                                         TF_Output reduction_indices,
                                         const weir_reduce_join_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ReduceJoin", node);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
        if (options->separator)
            weir_attr_string(made, "separator", options->separator);
    }
    return weir_build_end(builder, made);
}

/* RegexFullMatch(input: string, pattern: string) -> output: bool: whether a pattern matches the
 * whole string. */
static inline TF_Output weir_regex_full_match(weir_builder *builder, const char *node,
                                              TF_Output input, TF_Output pattern)
{
    const TF_Output inputs[] = {input, pattern};
    return weir_build_op(builder, "RegexFullMatch", node, inputs, 2);
}

/* RegexReplace(input: string, pattern: string, rewrite: string) -> output: string: strings with
 * matches of a pattern replaced. */
typedef struct weir_regex_replace_options {
    bool not_replace_global;
} weir_regex_replace_options;
static inline TF_Output weir_regex_replace(weir_builder *builder, const char *node, TF_Output input,
                                           TF_Output pattern, TF_Output rewrite,
                                           const weir_regex_replace_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RegexReplace", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, pattern);
    weir_build_input(builder, made, rewrite);
    if (made && options) {
        TF_SetAttrBool(made, "replace_global", !options->not_replace_global);
    }
    return weir_build_end(builder, made);
}

/* StaticRegexFullMatch(input: string) -> output: bool: RegexFullMatch, the pattern an attr. */
static inline TF_Output weir_static_regex_full_match(weir_builder *builder, const char *node,
                                                     TF_Output input, const char *pattern)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StaticRegexFullMatch", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_string(made, "pattern", pattern);
    }
    return weir_build_end(builder, made);
}

/* StaticRegexReplace(input: string) -> output: string: RegexReplace, the pattern an attr. */
typedef struct weir_static_regex_replace_options {
    bool not_replace_global;
} weir_static_regex_replace_options;
static inline TF_Output weir_static_regex_replace(weir_builder *builder, const char *node,
                                                  TF_Output input, const char *pattern,
                                                  const char *rewrite,
                                                  const weir_static_regex_replace_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StaticRegexReplace", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_string(made, "pattern", pattern);
        weir_attr_string(made, "rewrite", rewrite);
    }
    if (made && options) {
        TF_SetAttrBool(made, "replace_global", !options->not_replace_global);
    }
    return weir_build_end(builder, made);
}

/* StringFormat(inputs: T) -> output: string: inserts tensors into a text. */
typedef struct weir_string_format_options {
    const char *template_; /* null: "%s" */
    const char *placeholder; /* null: "%s" */
    int64_t summarize; /* 0: 3 */
} weir_string_format_options;
static inline TF_Output weir_string_format(weir_builder *builder, const char *node,
                                           const TF_Output *inputs, int inputs_count,
                                           const weir_string_format_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringFormat", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made && options) {
        if (options->template_)
            weir_attr_string(made, "template", options->template_);
        if (options->placeholder)
            weir_attr_string(made, "placeholder", options->placeholder);
        if (options->summarize != 0)
            TF_SetAttrInt(made, "summarize", weir_int_of(options->summarize));
    }
    return weir_build_end(builder, made);
}

/* StringJoin(inputs: N * string) -> output: string: concatenation of strings. */
typedef struct weir_string_join_options {
    const char *separator; /* null: "" */
} weir_string_join_options;
static inline TF_Output weir_string_join(weir_builder *builder, const char *node,
                                         const TF_Output *inputs, int inputs_count,
                                         const weir_string_join_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringJoin", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made && options) {
        if (options->separator)
            weir_attr_string(made, "separator", options->separator);
    }
    return weir_build_end(builder, made);
}

/* StringLength(input: string) -> output: int32: bytes or characters of each string. */
typedef struct weir_string_length_options {
    const char *unit; /* null: "BYTE"; 'BYTE', 'UTF8_CHAR' */
} weir_string_length_options;
static inline TF_Output weir_string_length(weir_builder *builder, const char *node, TF_Output input,
                                           const weir_string_length_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringLength", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->unit)
            weir_attr_string(made, "unit", options->unit);
    }
    return weir_build_end(builder, made);
}

/* StringLower(input: string) -> output: string: strings in lower case. */
typedef struct weir_string_lower_options {
    const char *encoding; /* null: "" */
} weir_string_lower_options;
static inline TF_Output weir_string_lower(weir_builder *builder, const char *node, TF_Output input,
                                          const weir_string_lower_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringLower", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->encoding)
            weir_attr_string(made, "encoding", options->encoding);
    }
    return weir_build_end(builder, made);
}

/* StringNGrams(data: string, data_splits: Tsplits) -> ngrams: string, ngrams_splits: Tsplits: joins
 * every n adjacent strings of a row. Tsplits: int32, int64. */
typedef struct weir_string_n_grams_outputs {
    TF_Output ngrams;
    TF_Output ngrams_splits;
} weir_string_n_grams_outputs;
static inline weir_string_n_grams_outputs weir_string_n_grams(weir_builder *builder,
                                                              const char *node, TF_Output data,
                                                              TF_Output data_splits,
                                                              const char *separator,
                                                              const int64_t *ngram_widths,
                                                              int ngram_widths_count,
                                                              const char *left_pad,
                                                              const char *right_pad,
                                                              int64_t pad_width,
                                                              bool preserve_short_sequences)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringNGrams", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, data_splits);
    if (made) {
        weir_attr_string(made, "separator", separator);
        TF_SetAttrIntList(made, "ngram_widths", ngram_widths, ngram_widths_count);
        weir_attr_string(made, "left_pad", left_pad);
        weir_attr_string(made, "right_pad", right_pad);
        TF_SetAttrInt(made, "pad_width", pad_width);
        TF_SetAttrBool(made, "preserve_short_sequences", preserve_short_sequences);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_string_n_grams_outputs out;
    out.ngrams = weir_output(op, 0);
    out.ngrams_splits = weir_output(op, 1);
    return out;
}

/* StringSplit(input: string, delimiter: string) -> indices: int64, values: string, shape: int64:
 * words of strings as a sparse matrix. */
typedef struct weir_string_split_options {
    bool not_skip_empty;
} weir_string_split_options;
typedef struct weir_string_split_outputs {
    TF_Output indices;
    TF_Output values;
    TF_Output shape;
} weir_string_split_outputs;
static inline weir_string_split_outputs weir_string_split(weir_builder *builder, const char *node,
                                                          TF_Output input, TF_Output delimiter,
                                                          const weir_string_split_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringSplit", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, delimiter);
    if (made && options) {
        TF_SetAttrBool(made, "skip_empty", !options->not_skip_empty);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_string_split_outputs out;
    out.indices = weir_output(op, 0);
    out.values = weir_output(op, 1);
    out.shape = weir_output(op, 2);
    return out;
}

/* StringSplitV2(input: string, sep: string) -> indices: int64, values: string, shape: int64: words
 * of strings as a sparse matrix. */
typedef struct weir_string_split_v2_options {
    int64_t maxsplit; /* 0: -1 */
} weir_string_split_v2_options;
typedef struct weir_string_split_v2_outputs {
    TF_Output indices;
    TF_Output values;
    TF_Output shape;
} weir_string_split_v2_outputs;
static inline weir_string_split_v2_outputs
weir_string_split_v2(weir_builder *builder, const char *node, TF_Output input, TF_Output sep,
                     const weir_string_split_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringSplitV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, sep);
    if (made && options) {
        if (options->maxsplit != 0)
            TF_SetAttrInt(made, "maxsplit", weir_int_of(options->maxsplit));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_string_split_v2_outputs out;
    out.indices = weir_output(op, 0);
    out.values = weir_output(op, 1);
    out.shape = weir_output(op, 2);
    return out;
}

/* StringStrip(input: string) -> output: string: strings without white space at their ends. */
static inline TF_Output weir_string_strip(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "StringStrip", node, inputs, 1);
}

/* StringToHashBucket(string_tensor: string) -> output: int64: a hash below a bound for each string.
 * */
static inline TF_Output weir_string_to_hash_bucket(weir_builder *builder, const char *node,
                                                   TF_Output string_tensor, int64_t num_buckets)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringToHashBucket", node);
    weir_build_input(builder, made, string_tensor);
    if (made) {
        TF_SetAttrInt(made, "num_buckets", num_buckets);
    }
    return weir_build_end(builder, made);
}

/* StringToHashBucketFast(input: string) -> output: int64: a hash below a bound for each string, by
 * a fast function. */
static inline TF_Output weir_string_to_hash_bucket_fast(weir_builder *builder, const char *node,
                                                        TF_Output input, int64_t num_buckets)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringToHashBucketFast", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "num_buckets", num_buckets);
    }
    return weir_build_end(builder, made);
}

/* StringToHashBucketStrong(input: string) -> output: int64: a hash below a bound for each string,
 * by a keyed function. */
static inline TF_Output weir_string_to_hash_bucket_strong(weir_builder *builder, const char *node,
                                                          TF_Output input, int64_t num_buckets,
                                                          const int64_t *key, int key_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringToHashBucketStrong", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "num_buckets", num_buckets);
        TF_SetAttrIntList(made, "key", key, key_count);
    }
    return weir_build_end(builder, made);
}

/* StringToNumber(string_tensor: string) -> output: out_type: parses numbers. out_type: float,
 * double, int32, int64, uint32, uint64. */
typedef struct weir_string_to_number_options {
    TF_DataType out_type; /* 0: TF_FLOAT; float, double, int32, int64, uint32, uint64 */
} weir_string_to_number_options;
static inline TF_Output weir_string_to_number(weir_builder *builder, const char *node,
                                              TF_Output string_tensor,
                                              const weir_string_to_number_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringToNumber", node);
    weir_build_input(builder, made, string_tensor);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    return weir_build_end(builder, made);
}

/* StringUpper(input: string) -> output: string: strings in upper case. */
typedef struct weir_string_upper_options {
    const char *encoding; /* null: "" */
} weir_string_upper_options;
static inline TF_Output weir_string_upper(weir_builder *builder, const char *node, TF_Output input,
                                          const weir_string_upper_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StringUpper", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->encoding)
            weir_attr_string(made, "encoding", options->encoding);
    }
    return weir_build_end(builder, made);
}

/* Substr(input: string, pos: T, len: T) -> output: string: a substring of each string, by bytes or
 * by code points. T: int32, int64. */
typedef struct weir_substr_options {
    const char *unit; /* null: "BYTE"; 'BYTE', 'UTF8_CHAR' */
} weir_substr_options;
static inline TF_Output weir_substr(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output pos, TF_Output len,
                                    const weir_substr_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Substr", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, pos);
    weir_build_input(builder, made, len);
    if (made && options) {
        if (options->unit)
            weir_attr_string(made, "unit", options->unit);
    }
    return weir_build_end(builder, made);
}

/* UnicodeDecode(input: string) -> row_splits: Tsplits, char_values: int32: converts between UTF-8,
 * UTF-16, UTF-32, ASCII and Latin-1; from others by iconv. Tsplits: int32, int64. */
typedef struct weir_unicode_decode_options {
    const char *errors; /* null: "replace"; 'strict', 'replace', 'ignore' */
    int64_t replacement_char; /* 0: 65533 */
    bool replace_control_characters;
    TF_DataType Tsplits; /* 0: TF_INT64; int32, int64 */
} weir_unicode_decode_options;
typedef struct weir_unicode_decode_outputs {
    TF_Output row_splits;
    TF_Output char_values;
} weir_unicode_decode_outputs;
static inline weir_unicode_decode_outputs
weir_unicode_decode(weir_builder *builder, const char *node, TF_Output input,
                    const char *input_encoding, const weir_unicode_decode_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UnicodeDecode", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_string(made, "input_encoding", input_encoding);
    }
    if (made && options) {
        if (options->errors)
            weir_attr_string(made, "errors", options->errors);
        if (options->replacement_char != 0)
            TF_SetAttrInt(made, "replacement_char", weir_int_of(options->replacement_char));
        TF_SetAttrBool(made, "replace_control_characters", options->replace_control_characters);
        if (options->Tsplits)
            TF_SetAttrType(made, "Tsplits", options->Tsplits);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_unicode_decode_outputs out;
    out.row_splits = weir_output(op, 0);
    out.char_values = weir_output(op, 1);
    return out;
}

/* UnicodeDecodeWithOffsets(input: string) -> row_splits: Tsplits, char_values: int32,
 * char_to_byte_starts: int64: converts between UTF-8, UTF-16, UTF-32, ASCII and Latin-1; from
 * others by iconv. Tsplits: int32, int64. */
typedef struct weir_unicode_decode_with_offsets_options {
    const char *errors; /* null: "replace"; 'strict', 'replace', 'ignore' */
    int64_t replacement_char; /* 0: 65533 */
    bool replace_control_characters;
    TF_DataType Tsplits; /* 0: TF_INT64; int32, int64 */
} weir_unicode_decode_with_offsets_options;
typedef struct weir_unicode_decode_with_offsets_outputs {
    TF_Output row_splits;
    TF_Output char_values;
    TF_Output char_to_byte_starts;
} weir_unicode_decode_with_offsets_outputs;
static inline weir_unicode_decode_with_offsets_outputs
weir_unicode_decode_with_offsets(weir_builder *builder, const char *node, TF_Output input,
                                 const char *input_encoding,
                                 const weir_unicode_decode_with_offsets_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UnicodeDecodeWithOffsets", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_string(made, "input_encoding", input_encoding);
    }
    if (made && options) {
        if (options->errors)
            weir_attr_string(made, "errors", options->errors);
        if (options->replacement_char != 0)
            TF_SetAttrInt(made, "replacement_char", weir_int_of(options->replacement_char));
        TF_SetAttrBool(made, "replace_control_characters", options->replace_control_characters);
        if (options->Tsplits)
            TF_SetAttrType(made, "Tsplits", options->Tsplits);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_unicode_decode_with_offsets_outputs out;
    out.row_splits = weir_output(op, 0);
    out.char_values = weir_output(op, 1);
    out.char_to_byte_starts = weir_output(op, 2);
    return out;
}

/* UnicodeEncode(input_values: int32, input_splits: Tsplits) -> output: string: converts between
 * UTF-8, UTF-16, UTF-32, ASCII and Latin-1; from others by iconv. output_encoding: 'UTF-8',
 * 'UTF-16-BE', 'UTF-32-BE'. Tsplits: int32, int64. */
typedef struct weir_unicode_encode_options {
    const char *errors; /* null: "replace"; 'ignore', 'replace', 'strict' */
    int64_t replacement_char; /* 0: 65533 */
} weir_unicode_encode_options;
static inline TF_Output weir_unicode_encode(weir_builder *builder, const char *node,
                                            TF_Output input_values, TF_Output input_splits,
                                            const char *output_encoding,
                                            const weir_unicode_encode_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UnicodeEncode", node);
    weir_build_input(builder, made, input_values);
    weir_build_input(builder, made, input_splits);
    if (made) {
        weir_attr_string(made, "output_encoding", output_encoding);
    }
    if (made && options) {
        if (options->errors)
            weir_attr_string(made, "errors", options->errors);
        if (options->replacement_char != 0)
            TF_SetAttrInt(made, "replacement_char", weir_int_of(options->replacement_char));
    }
    return weir_build_end(builder, made);
}

/* UnicodeScript(input: int32) -> output: int32: the script of code points, by the system's ICU. */
static inline TF_Output weir_unicode_script(weir_builder *builder, const char *node,
                                            TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "UnicodeScript", node, inputs, 1);
}

/* UnicodeTranscode(input: string) -> output: string: converts between UTF-8, UTF-16, UTF-32, ASCII
 * and Latin-1; from others by iconv. output_encoding: 'UTF-8', 'UTF-16-BE', 'UTF-32-BE'. */
typedef struct weir_unicode_transcode_options {
    const char *errors; /* null: "replace"; 'strict', 'replace', 'ignore' */
    int64_t replacement_char; /* 0: 65533 */
    bool replace_control_characters;
} weir_unicode_transcode_options;
static inline TF_Output weir_unicode_transcode(weir_builder *builder, const char *node,
                                               TF_Output input, const char *input_encoding,
                                               const char *output_encoding,
                                               const weir_unicode_transcode_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UnicodeTranscode", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_string(made, "input_encoding", input_encoding);
        weir_attr_string(made, "output_encoding", output_encoding);
    }
    if (made && options) {
        if (options->errors)
            weir_attr_string(made, "errors", options->errors);
        if (options->replacement_char != 0)
            TF_SetAttrInt(made, "replacement_char", weir_int_of(options->replacement_char));
        TF_SetAttrBool(made, "replace_control_characters", options->replace_control_characters);
    }
    return weir_build_end(builder, made);
}

/* UnsortedSegmentJoin(inputs: string, segment_ids: Tindices, num_segments: Tnumsegments) -> output:
 * string: concatenation of strings. Tindices: int32, int64. Tnumsegments: int32, int64. */
typedef struct weir_unsorted_segment_join_options {
    const char *separator; /* null: "" */
} weir_unsorted_segment_join_options;
static inline TF_Output
weir_unsorted_segment_join(weir_builder *builder, const char *node, TF_Output inputs,
                           TF_Output segment_ids, TF_Output num_segments,
                           const weir_unsorted_segment_join_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UnsortedSegmentJoin", node);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, segment_ids);
    weir_build_input(builder, made, num_segments);
    if (made && options) {
        if (options->separator)
            weir_attr_string(made, "separator", options->separator);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
