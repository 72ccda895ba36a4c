/* native/event_writer.c - weir/events.h: values, graphs and runs into an event file. */
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
    weir_status failed WEIR_GUARDED_BY(lock); /* the first failure */
    int64_t flushed_ns WEIR_GUARDED_BY(lock); /* when */
};

weir_event_writer *weir_event_writer_new(const char *dir, const char *suffix, TF_Status *status)
{
    weir_events *file;
    if (!weir_capi_end(status, weir_events_create(dir, suffix ? suffix : "", &file)))
        return NULL;
    weir_event_writer *w = WEIR_NEW(weir_event_writer);
    weir_mutex_init(&w->lock);
    w->file = file;
    w->flushed_ns = weir_now_ns();
    return w;
}

const char *weir_event_writer_path(const weir_event_writer *w)
{
    return weir_events_path(w->file);
}

void weir_event_writer_flush(weir_event_writer *w, TF_Status *status)
{
    weir_mutex_lock(&w->lock);
    if (!w->failed)
        w->failed = weir_events_flush(w->file);
    w->flushed_ns = weir_now_ns();
    weir_status s = weir_status_copy(w->failed);
    weir_mutex_unlock(&w->lock);
    weir_capi_end(status, s);
}

void weir_event_writer_close(weir_event_writer *w, TF_Status *status)
{
    if (!w)
        return;
    weir_status closed = weir_events_close(w->file);
    weir_status first = w->failed ? w->failed : closed;
    if (w->failed)
        weir_status_free(closed);
    if (status)
        weir_capi_end(status, first);
    else
        weir_status_free(first);
    weir_mutex_fini(&w->lock);
    weir_free(w);
}

/* ---- events ---------------------------------------------------------------------------------- */

static double now(void)
{
    return (double)weir_wall_us() / 1e6;
}

/* Ends one event: writes it, or keeps why it could not be made. Takes both. */
static void finish(weir_event_writer *w, weir_status made, weir_buf *event)
{
    weir_mutex_lock(&w->lock);
    if (w->failed) {
        weir_status_free(made);
    } else {
        w->failed = made ? made : weir_events_add(w->file, (weir_str){event->at, event->length});
        int64_t ns = weir_now_ns();
        if (!w->failed && ns - w->flushed_ns > flush_ns) {
            w->failed = weir_events_flush(w->file);
            w->flushed_ns = ns;
        }
    }
    weir_mutex_unlock(&w->lock);
    weir_buf_fini(event);
}

static void finish_summary(weir_event_writer *w, int64_t step, weir_status made, weir_buf *summary)
{
    weir_buf event = {0};
    weir_event_summary(&event, now(), step, (weir_str){summary->at, summary->length});
    weir_buf_fini(summary);
    finish(w, made, &event);
}

void weir_event_scalar(weir_event_writer *w, int64_t step, const char *tag, float value)
{
    weir_buf summary = {0};
    weir_summary_scalar(&summary, weir_str_of(tag), value);
    finish_summary(w, step, WEIR_OK, &summary);
}

static bool is_number(weir_dtype t)
{
    return weir_dtype_is_float(t) || weir_dtype_is_int(t);
}

void weir_event_histogram(weir_event_writer *w, int64_t step, const char *tag,
                          const TF_Tensor *values)
{
    weir_buf summary = {0};
    weir_status s = is_number(weir_capi_tensor_of(values)->dtype)
                        ? weir_summary_add_histogram(tag, weir_str_of(tag),
                                                     weir_capi_tensor_of(values), &summary)
                        : weir_error(WEIR_INVALID_ARGUMENT, "%s: a histogram of %s", tag,
                                     weir_dtype_name(weir_capi_tensor_of(values)->dtype));
    finish_summary(w, step, s, &summary);
}

static weir_status put_image(weir_buf *summary, const char *tag, const weir_pixels *p)
{
    if (p->height <= 0 || p->width <= 0 ||
        (p->channels != 1 && p->channels != 3 && p->channels != 4))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s: an image of %lld x %lld pixels and %d channels", tag,
                          (long long)p->height, (long long)p->width, p->channels);
    WEIR_BUF(png);
    WEIR_TRY(weir_png_encode(p, -1, &png));
    weir_msg_summary_image image = {.height = (int32_t)p->height,
                                    .width = (int32_t)p->width,
                                    .colorspace = p->channels,
                                    .encoded_image_string = weir_view(&png)};
    weir_summary_add(summary,
                     &(weir_msg_summary_value){.tag = weir_str_of(tag),
                                               .which_value = WEIR_FIELD_summary_value_image,
                                               .image = &image});
    return WEIR_OK;
}

void weir_event_image(weir_event_writer *w, int64_t step, const char *tag, int height, int width,
                      int channels, const uint8_t *pixels)
{
    weir_buf summary = {0};
    weir_status s = put_image(&summary, tag, &(weir_pixels){pixels, height, width, channels, 8});
    finish_summary(w, step, s, &summary);
}

void weir_event_text(weir_event_writer *w, int64_t step, const char *tag, const char *text)
{
    weir_buf summary = {0};
    WEIR_BUF(tensor);
    weir_tensor t = weir_tensor_string(weir_str_of(text));
    weir_status s = weir_tensor_encode(&t, &tensor);
    weir_tensor_release(&t);
    weir_msg_summary_metadata_plugin_data plugin = {.plugin_name = WEIR_STR("text")};
    weir_msg_summary_metadata metadata = {.plugin_data = &plugin};
    weir_summary_add(&summary,
                     &(weir_msg_summary_value){.tag = weir_str_of(tag),
                                               .which_value = WEIR_FIELD_summary_value_tensor,
                                               .tensor = weir_view(&tensor),
                                               .metadata = &metadata});
    finish_summary(w, step, s, &summary);
}

void weir_event_add_summary(weir_event_writer *w, int64_t step, const TF_Tensor *summary)
{
    weir_buf event = {0};
    weir_status s = WEIR_OK;
    const weir_tensor *t = weir_capi_tensor_of(summary);
    if (t->dtype == WEIR_STRING && weir_tensor_count(t) == 1)
        weir_event_summary(&event, now(), step, weir_tstring_get(t->data));
    else
        s = weir_error(WEIR_INVALID_ARGUMENT, "A summary is one string, not %s of shape %s",
                       weir_dtype_name(t->dtype), WEIR_SHAPE_STR(&t->shape));
    finish(w, s, &event);
}

void weir_event_graph_of(weir_event_writer *w, TF_Graph *graph)
{
    weir_buf def = {0}, event = {0};
    weir_capi_lock(graph);
    weir_graph_export(weir_capi_graph(graph), &def);
    weir_capi_unlock(graph);
    weir_event_graph(&event, now(), 0, (weir_str){def.at, def.length});
    weir_buf_fini(&def);
    finish(w, WEIR_OK, &event);
}

void weir_event_meta_graph_def(weir_event_writer *w, const TF_Buffer *meta_graph)
{
    weir_buf event = {0};
    weir_event_meta_graph(&event, now(), 0, weir_capi_bytes(meta_graph));
    finish(w, WEIR_OK, &event);
}

void weir_event_run(weir_event_writer *w, int64_t step, const char *tag,
                    const TF_Buffer *run_metadata)
{
    weir_buf event = {0};
    weir_event_run_metadata(&event, now(), step, tag, weir_capi_bytes(run_metadata));
    finish(w, WEIR_OK, &event);
}

void weir_event_session(weir_event_writer *w, int64_t step, weir_event_session_status what,
                        const char *checkpoint)
{
    weir_buf event = {0};
    weir_event_session_log(&event, now(), step, (weir_session_log)what, checkpoint);
    finish(w, WEIR_OK, &event);
}

/* ---- traces ---------------------------------------------------------------------------------- */

void weir_trace_write(const char *path, const TF_Buffer *run_metadata, TF_Status *status)
{
    weir_capi_end(status, weir_trace_to_file(path, weir_capi_bytes(run_metadata)));
}
