/* native/event_writer.c - weir/events.h: writes values, graphs and runs to an event file. */
#include "weir/events.h"

#include "base/clock.h"
#include "capi/capi.h"
#include "io/events.h"
#include "io/image.h"
#include "io/trace.h"
#include "ops/summary/summary.h"
#include "tensor/proto.h"
#include "tensor/tstring.h"

static const int64_t flush_ns = 120ll * 1000 * 1000 * 1000;

struct weir_event_writer {
    weir_mutex lock;
    weir_events *file;
    weir_status failed WEIR_GUARDED_BY(lock); /* the first error */
    int64_t flushed_ns WEIR_GUARDED_BY(lock); /* time of the last flush */
};

weir_event_writer *weir_event_writer_new(const char *dir, const char *suffix, TF_Status *status)
{
    weir_events *file;
    if (!weir_capi_end(status, weir_events_create(dir, suffix ? suffix : "", &file)))
        return NULL;
    weir_event_writer *writer = WEIR_NEW(weir_event_writer);
    weir_mutex_init(&writer->lock);
    writer->file = file;
    writer->flushed_ns = weir_now_ns();
    return writer;
}

const char *weir_event_writer_path(const weir_event_writer *writer)
{
    return weir_events_path(writer->file);
}

void weir_event_writer_flush(weir_event_writer *writer, TF_Status *status)
{
    weir_mutex_lock(&writer->lock);
    if (!writer->failed)
        writer->failed = weir_events_flush(writer->file);
    writer->flushed_ns = weir_now_ns();
    weir_status result = weir_status_copy(writer->failed);
    weir_mutex_unlock(&writer->lock);
    weir_capi_end(status, result);
}

void weir_event_writer_close(weir_event_writer *writer, TF_Status *status)
{
    if (!writer)
        return;
    weir_status closed = weir_events_close(writer->file);
    weir_status first = writer->failed ? writer->failed : closed;
    if (writer->failed)
        weir_status_free(closed);
    if (status)
        weir_capi_end(status, first);
    else
        weir_status_free(first);
    weir_mutex_fini(&writer->lock);
    weir_free(writer);
}

/* ---- events ---------------------------------------------------------------------------------- */

static double now(void)
{
    return (double)weir_wall_us() / 1e6;
}

/* Completes an event: writes it, or records why it could not be created. Owns both arguments. */
static void finish(weir_event_writer *writer, weir_status made, weir_buf *event)
{
    weir_mutex_lock(&writer->lock);
    if (writer->failed) {
        weir_status_free(made);
    } else {
        writer->failed =
            made ? made : weir_events_add(writer->file, (weir_str){event->at, event->length});
        int64_t ns = weir_now_ns();
        if (!writer->failed && ns - writer->flushed_ns > flush_ns) {
            writer->failed = weir_events_flush(writer->file);
            writer->flushed_ns = ns;
        }
    }
    weir_mutex_unlock(&writer->lock);
    weir_buf_fini(event);
}

static void finish_summary(weir_event_writer *writer, int64_t step, weir_status made,
                           weir_buf *summary)
{
    weir_buf event = {0};
    weir_event_summary(&event, now(), step, (weir_str){summary->at, summary->length});
    weir_buf_fini(summary);
    finish(writer, made, &event);
}

void weir_event_scalar(weir_event_writer *writer, int64_t step, const char *tag, float value)
{
    weir_buf summary = {0};
    weir_summary_scalar(&summary, weir_str_of(tag), value);
    finish_summary(writer, step, WEIR_OK, &summary);
}

static bool is_number(weir_dtype dtype)
{
    return weir_dtype_is_float(dtype) || weir_dtype_is_int(dtype);
}

void weir_event_histogram(weir_event_writer *writer, int64_t step, const char *tag,
                          const TF_Tensor *values)
{
    weir_buf summary = {0};
    weir_status status = is_number(weir_capi_tensor_of(values)->dtype)
                             ? weir_summary_add_histogram(tag, weir_str_of(tag),
                                                          weir_capi_tensor_of(values), &summary)
                             : weir_error(WEIR_INVALID_ARGUMENT, "%s: a histogram of %s", tag,
                                          weir_dtype_name(weir_capi_tensor_of(values)->dtype));
    finish_summary(writer, step, status, &summary);
}

static weir_status put_image(weir_buf *summary, const char *tag, const weir_pixels *pixels)
{
    if (pixels->height <= 0 || pixels->width <= 0 ||
        (pixels->channels != 1 && pixels->channels != 3 && pixels->channels != 4))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s: an image of %lld x %lld pixels and %d channels", tag,
                          (long long)pixels->height, (long long)pixels->width, pixels->channels);
    WEIR_BUF(png);
    WEIR_TRY(weir_png_encode(pixels, -1, &png));
    weir_msg_summary_image image = {.height = (int32_t)pixels->height,
                                    .width = (int32_t)pixels->width,
                                    .colorspace = pixels->channels,
                                    .encoded_image_string = weir_view(&png)};
    weir_summary_add(summary,
                     &(weir_msg_summary_value){.tag = weir_str_of(tag),
                                               .which_value = WEIR_FIELD_summary_value_image,
                                               .image = &image});
    return WEIR_OK;
}

void weir_event_image(weir_event_writer *writer, int64_t step, const char *tag, int height,
                      int width, int channels, const uint8_t *pixels)
{
    weir_buf summary = {0};
    weir_status status =
        put_image(&summary, tag, &(weir_pixels){pixels, height, width, channels, 8});
    finish_summary(writer, step, status, &summary);
}

void weir_event_text(weir_event_writer *writer, int64_t step, const char *tag, const char *text)
{
    weir_buf summary = {0};
    WEIR_BUF(tensor);
    weir_tensor value = weir_tensor_string(weir_str_of(text));
    weir_status status = weir_tensor_encode(&value, &tensor);
    weir_tensor_release(&value);
    weir_msg_summary_metadata_plugin_data plugin = {.plugin_name = WEIR_STR("text")};
    weir_msg_summary_metadata metadata = {.plugin_data = &plugin};
    weir_summary_add(&summary,
                     &(weir_msg_summary_value){.tag = weir_str_of(tag),
                                               .which_value = WEIR_FIELD_summary_value_tensor,
                                               .tensor = weir_view(&tensor),
                                               .metadata = &metadata});
    finish_summary(writer, step, status, &summary);
}

void weir_event_add_summary(weir_event_writer *writer, int64_t step, const TF_Tensor *summary)
{
    weir_buf event = {0};
    weir_status status = WEIR_OK;
    const weir_tensor *tensor = weir_capi_tensor_of(summary);
    if (tensor->dtype == WEIR_STRING && weir_tensor_count(tensor) == 1)
        weir_event_summary(&event, now(), step, weir_tstring_get(tensor->data));
    else
        status = weir_error(WEIR_INVALID_ARGUMENT, "A summary is one string, not %s of shape %s",
                            weir_dtype_name(tensor->dtype), WEIR_SHAPE_STR(&tensor->shape));
    finish(writer, status, &event);
}

void weir_event_graph_of(weir_event_writer *writer, TF_Graph *graph)
{
    WEIR_BUF(def);
    weir_buf event = {0};
    weir_capi_lock(graph);
    weir_graph_export(weir_capi_graph(graph), &def);
    weir_capi_unlock(graph);
    weir_event_graph(&event, now(), 0, (weir_str){def.at, def.length});
    finish(writer, WEIR_OK, &event);
}

void weir_event_meta_graph_def(weir_event_writer *writer, const TF_Buffer *meta_graph)
{
    weir_buf event = {0};
    weir_event_meta_graph(&event, now(), 0, weir_capi_bytes(meta_graph));
    finish(writer, WEIR_OK, &event);
}

void weir_event_run(weir_event_writer *writer, int64_t step, const char *tag,
                    const TF_Buffer *run_metadata)
{
    weir_buf event = {0};
    weir_event_run_metadata(&event, now(), step, tag, weir_capi_bytes(run_metadata));
    finish(writer, WEIR_OK, &event);
}

void weir_event_session(weir_event_writer *writer, int64_t step, weir_event_session_status what,
                        const char *checkpoint)
{
    weir_buf event = {0};
    weir_event_session_log(&event, now(), step, (weir_session_log)what, checkpoint);
    finish(writer, WEIR_OK, &event);
}

/* ---- traces ---------------------------------------------------------------------------------- */

void weir_trace_write(const char *path, const TF_Buffer *run_metadata, TF_Status *status)
{
    weir_capi_end(status, weir_trace_to_file(path, weir_capi_bytes(run_metadata)));
}
