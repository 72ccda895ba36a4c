/* weir/ops/summary.h - summaries for event files.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_SUMMARY_OPS_H
#define WEIR_SUMMARY_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AudioSummary(tag: string, tensor: float) -> summary: string: a batch of sounds as WAV. */
typedef struct weir_audio_summary_options {
    int64_t max_outputs; /* 0: 3 */
} weir_audio_summary_options;
static inline TF_Output weir_audio_summary(weir_builder *builder, const char *node, TF_Output tag,
                                           TF_Output tensor, float sample_rate,
                                           const weir_audio_summary_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AudioSummary", node);
    weir_build_input(builder, made, tag);
    weir_build_input(builder, made, tensor);
    if (made) {
        TF_SetAttrFloat(made, "sample_rate", sample_rate);
    }
    if (made && options) {
        if (options->max_outputs != 0)
            TF_SetAttrInt(made, "max_outputs", weir_int_of(options->max_outputs));
    }
    return weir_build_end(builder, made);
}

/* AudioSummaryV2(tag: string, tensor: float, sample_rate: float) -> summary: string: a batch of
 * sounds as WAV. */
typedef struct weir_audio_summary_v2_options {
    int64_t max_outputs; /* 0: 3 */
} weir_audio_summary_v2_options;
static inline TF_Output weir_audio_summary_v2(weir_builder *builder, const char *node,
                                              TF_Output tag, TF_Output tensor,
                                              TF_Output sample_rate,
                                              const weir_audio_summary_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AudioSummaryV2", node);
    weir_build_input(builder, made, tag);
    weir_build_input(builder, made, tensor);
    weir_build_input(builder, made, sample_rate);
    if (made && options) {
        if (options->max_outputs != 0)
            TF_SetAttrInt(made, "max_outputs", weir_int_of(options->max_outputs));
    }
    return weir_build_end(builder, made);
}

/* CloseSummaryWriter(writer: resource): closes a writer of events. */
static inline TF_Operation *weir_close_summary_writer(weir_builder *builder, const char *node,
                                                      TF_Output writer)
{
    const TF_Output inputs[] = {writer};
    return weir_build_op(builder, "CloseSummaryWriter", node, inputs, 1).oper;
}

/* CreateSummaryFileWriter(writer: resource, logdir: string, max_queue: int32, flush_millis: int32,
 * filename_suffix: string): opens an event file. */
static inline TF_Operation *weir_create_summary_file_writer(weir_builder *builder, const char *node,
                                                            TF_Output writer, TF_Output logdir,
                                                            TF_Output max_queue,
                                                            TF_Output flush_millis,
                                                            TF_Output filename_suffix)
{
    const TF_Output inputs[] = {writer, logdir, max_queue, flush_millis, filename_suffix};
    return weir_build_op(builder, "CreateSummaryFileWriter", node, inputs, 5).oper;
}

/* FlushSummaryWriter(writer: resource): flushes written events to the file. */
static inline TF_Operation *weir_flush_summary_writer(weir_builder *builder, const char *node,
                                                      TF_Output writer)
{
    const TF_Output inputs[] = {writer};
    return weir_build_op(builder, "FlushSummaryWriter", node, inputs, 1).oper;
}

/* HistogramSummary(tag: string, values: T) -> summary: string: the distribution of values. T:
 * float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_histogram_summary(weir_builder *builder, const char *node,
                                               TF_Output tag, TF_Output values)
{
    const TF_Output inputs[] = {tag, values};
    return weir_build_op(builder, "HistogramSummary", node, inputs, 2);
}

/* ImageSummary(tag: string, tensor: T) -> summary: string: a batch of images as PNG. T: uint8,
 * float, half, double. */
typedef struct weir_image_summary_options {
    int64_t max_images; /* 0: 3 */
    TF_Tensor *bad_color; /* null: uint8[255,0,0,255] */
} weir_image_summary_options;
static inline TF_Output weir_image_summary(weir_builder *builder, const char *node, TF_Output tag,
                                           TF_Output tensor,
                                           const weir_image_summary_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ImageSummary", node);
    weir_build_input(builder, made, tag);
    weir_build_input(builder, made, tensor);
    if (made && options) {
        if (options->max_images != 0)
            TF_SetAttrInt(made, "max_images", weir_int_of(options->max_images));
        if (options->bad_color)
            weir_attr_tensor(builder, made, "bad_color", options->bad_color);
    }
    return weir_build_end(builder, made);
}

/* ImportEvent(writer: resource, event: string): writes a serialised event. */
static inline TF_Operation *weir_import_event(weir_builder *builder, const char *node,
                                              TF_Output writer, TF_Output event)
{
    const TF_Output inputs[] = {writer, event};
    return weir_build_op(builder, "ImportEvent", node, inputs, 2).oper;
}

/* MergeSummary(inputs: N * string) -> summary: string: merges the values of several summaries. */
static inline TF_Output weir_merge_summary(weir_builder *builder, const char *node,
                                           const TF_Output *inputs, int inputs_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MergeSummary", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    return weir_build_end(builder, made);
}

/* ScalarSummary(tags: string, values: T) -> summary: string: tags with numbers. T: float, double,
 * int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_scalar_summary(weir_builder *builder, const char *node, TF_Output tags,
                                            TF_Output values)
{
    const TF_Output inputs[] = {tags, values};
    return weir_build_op(builder, "ScalarSummary", node, inputs, 2);
}

/* SummaryWriter() -> writer: resource: event files written by the graph. */
typedef struct weir_summary_writer_options {
    const char *shared_name; /* null: "" */
    const char *container; /* null: "" */
} weir_summary_writer_options;
static inline TF_Output weir_summary_writer(weir_builder *builder, const char *node,
                                            const weir_summary_writer_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SummaryWriter", node);
    if (made && options) {
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        if (options->container)
            weir_attr_string(made, "container", options->container);
    }
    return weir_build_end(builder, made);
}

/* TensorSummary(tensor: T) -> summary: string: any tensor. */
typedef struct weir_tensor_summary_options {
    const char *description; /* null: "" */
    const char *const *labels;
    int labels_count; /* null: [] */
    const char *display_name; /* null: "" */
} weir_tensor_summary_options;
static inline TF_Output weir_tensor_summary(weir_builder *builder, const char *node,
                                            TF_Output tensor,
                                            const weir_tensor_summary_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorSummary", node);
    weir_build_input(builder, made, tensor);
    if (made && options) {
        if (options->description)
            weir_attr_string(made, "description", options->description);
        if (options->labels)
            weir_attr_strings(made, "labels", options->labels, options->labels_count);
        if (options->display_name)
            weir_attr_string(made, "display_name", options->display_name);
    }
    return weir_build_end(builder, made);
}

/* TensorSummaryV2(tag: string, tensor: T, serialized_summary_metadata: string) -> summary: string:
 * any tensor. */
static inline TF_Output weir_tensor_summary_v2(weir_builder *builder, const char *node,
                                               TF_Output tag, TF_Output tensor,
                                               TF_Output serialized_summary_metadata)
{
    const TF_Output inputs[] = {tag, tensor, serialized_summary_metadata};
    return weir_build_op(builder, "TensorSummaryV2", node, inputs, 3);
}

/* WriteAudioSummary(writer: resource, step: int64, tag: string, tensor: float, sample_rate: float):
 * writes sound. */
typedef struct weir_write_audio_summary_options {
    int64_t max_outputs; /* 0: 3 */
} weir_write_audio_summary_options;
static inline TF_Operation *
weir_write_audio_summary(weir_builder *builder, const char *node, TF_Output writer, TF_Output step,
                         TF_Output tag, TF_Output tensor, TF_Output sample_rate,
                         const weir_write_audio_summary_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "WriteAudioSummary", node);
    weir_build_input(builder, made, writer);
    weir_build_input(builder, made, step);
    weir_build_input(builder, made, tag);
    weir_build_input(builder, made, tensor);
    weir_build_input(builder, made, sample_rate);
    if (made && options) {
        if (options->max_outputs != 0)
            TF_SetAttrInt(made, "max_outputs", weir_int_of(options->max_outputs));
    }
    return weir_build_end(builder, made).oper;
}

/* WriteGraphSummary(writer: resource, step: int64, tensor: string): writes a graph. */
static inline TF_Operation *weir_write_graph_summary(weir_builder *builder, const char *node,
                                                     TF_Output writer, TF_Output step,
                                                     TF_Output tensor)
{
    const TF_Output inputs[] = {writer, step, tensor};
    return weir_build_op(builder, "WriteGraphSummary", node, inputs, 3).oper;
}

/* WriteHistogramSummary(writer: resource, step: int64, tag: string, values: T): writes the
 * distribution of a tensor's elements. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64, bool. */
static inline TF_Operation *weir_write_histogram_summary(weir_builder *builder, const char *node,
                                                         TF_Output writer, TF_Output step,
                                                         TF_Output tag, TF_Output values)
{
    const TF_Output inputs[] = {writer, step, tag, values};
    return weir_build_op(builder, "WriteHistogramSummary", node, inputs, 4).oper;
}

/* WriteImageSummary(writer: resource, step: int64, tag: string, tensor: T, bad_color: uint8):
 * writes images. T: uint8, double, float, half. */
typedef struct weir_write_image_summary_options {
    int64_t max_images; /* 0: 3 */
} weir_write_image_summary_options;
static inline TF_Operation *
weir_write_image_summary(weir_builder *builder, const char *node, TF_Output writer, TF_Output step,
                         TF_Output tag, TF_Output tensor, TF_Output bad_color,
                         const weir_write_image_summary_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "WriteImageSummary", node);
    weir_build_input(builder, made, writer);
    weir_build_input(builder, made, step);
    weir_build_input(builder, made, tag);
    weir_build_input(builder, made, tensor);
    weir_build_input(builder, made, bad_color);
    if (made && options) {
        if (options->max_images != 0)
            TF_SetAttrInt(made, "max_images", weir_int_of(options->max_images));
    }
    return weir_build_end(builder, made).oper;
}

/* WriteRawProtoSummary(writer: resource, step: int64, tensor: string): writes a serialised summary.
 * */
static inline TF_Operation *weir_write_raw_proto_summary(weir_builder *builder, const char *node,
                                                         TF_Output writer, TF_Output step,
                                                         TF_Output tensor)
{
    const TF_Output inputs[] = {writer, step, tensor};
    return weir_build_op(builder, "WriteRawProtoSummary", node, inputs, 3).oper;
}

/* WriteScalarSummary(writer: resource, step: int64, tag: string, value: T): writes a number. T:
 * float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Operation *weir_write_scalar_summary(weir_builder *builder, const char *node,
                                                      TF_Output writer, TF_Output step,
                                                      TF_Output tag, TF_Output value)
{
    const TF_Output inputs[] = {writer, step, tag, value};
    return weir_build_op(builder, "WriteScalarSummary", node, inputs, 4).oper;
}

/* WriteSummary(writer: resource, step: int64, tensor: T, tag: string, summary_metadata: string):
 * writes a tensor. */
static inline TF_Operation *weir_write_summary(weir_builder *builder, const char *node,
                                               TF_Output writer, TF_Output step, TF_Output tensor,
                                               TF_Output tag, TF_Output summary_metadata)
{
    const TF_Output inputs[] = {writer, step, tensor, tag, summary_metadata};
    return weir_build_op(builder, "WriteSummary", node, inputs, 5).oper;
}

#ifdef __cplusplus
}
#endif
#endif
