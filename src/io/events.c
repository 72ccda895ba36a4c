/* io/events.c - event messages and event files. */
#include "io/events.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "io/event_folders.h"
#include "io/file.h"
#include "io/record.h"
#include "wire/messages.h"

void weir_event_version(weir_buf *out, double wall_time)
{
    weir_msg_source_metadata source = {.writer = WEIR_STR("tensorflow.core.util.events_writer")};
    weir_msg_event_write(&(weir_msg_event){.wall_time = wall_time,
                                           .which_what = WEIR_FIELD_event_file_version,
                                           .file_version = WEIR_STR("brain.Event:2"),
                                           .source_metadata = &source},
                         out);
}

static void put_event(weir_buf *out, double wall_time, int64_t step, uint32_t field,
                      weir_str payload)
{
    weir_msg_event_write(&(weir_msg_event){.wall_time = wall_time, .step = step}, out);
    weir_message_put_bytes(out, field, payload);
}

void weir_event_summary(weir_buf *out, double wall_time, int64_t step, weir_str summary)
{
    put_event(out, wall_time, step, WEIR_FIELD_event_summary, summary);
}

void weir_event_graph(weir_buf *out, double wall_time, int64_t step, weir_str graph)
{
    put_event(out, wall_time, step, WEIR_FIELD_event_graph_def, graph);
}

void weir_event_meta_graph(weir_buf *out, double wall_time, int64_t step, weir_str meta_graph)
{
    put_event(out, wall_time, step, WEIR_FIELD_event_meta_graph_def, meta_graph);
}

void weir_event_session_log(weir_buf *out, double wall_time, int64_t step, weir_session_log what,
                            const char *checkpoint_path)
{
    weir_msg_session_log log = {
        .status = what, .checkpoint_path = weir_str_of(checkpoint_path ? checkpoint_path : "")};
    weir_msg_event_write(&(weir_msg_event){.wall_time = wall_time,
                                           .step = step,
                                           .which_what = WEIR_FIELD_event_session_log,
                                           .session_log = &log},
                         out);
}

void weir_event_run_metadata(weir_buf *out, double wall_time, int64_t step, const char *tag,
                             weir_str run_metadata)
{
    weir_msg_tagged_run_metadata tagged = {.tag = weir_str_of(tag ? tag : ""),
                                           .run_metadata = run_metadata};
    weir_msg_event_write(&(weir_msg_event){.wall_time = wall_time,
                                           .step = step,
                                           .which_what = WEIR_FIELD_event_tagged_run_metadata,
                                           .tagged_run_metadata = &tagged},
                         out);
}

void weir_summary_scalar(weir_buf *summary, weir_str tag, float value)
{
    weir_msg_summary_value scalar = {
        .tag = tag, .which_value = WEIR_FIELD_summary_value_simple_value, .simple_value = value};
    weir_msg_summary_write(&(weir_msg_summary){.value = {&scalar, 1}}, summary);
}

weir_status weir_event_read(weir_str bytes, weir_arena *arena, weir_msg_event *out_event)
{
    return weir_file_damaged(weir_msg_event_read(bytes, arena, out_event));
}

struct weir_events {
    char *path;
    weir_record_writer *writer;
};

static char *file_name(const char *dir, const char *suffix, int64_t seconds)
{
    char host[256] = "localhost";
    gethostname(host, sizeof host - 1);
    weir_buf name = {0};
    weir_buf_addf(&name, "%s%sevents.out.tfevents.%010lld.%s%s", dir, *dir ? "/" : "",
                  (long long)seconds, host, suffix);
    return weir_buf_take(&name);
}

weir_status weir_events_create(const char *dir, const char *suffix, weir_events **out_events)
{
    WEIR_OWNED(weir_events) events = WEIR_NEW(weir_events);
    int64_t seconds = weir_wall_us() / 1000000;
    if (*dir)
        WEIR_TRY(weir_dir_create_all(dir));
    events->path = file_name(dir, suffix, seconds);
    WEIR_TRY(weir_record_writer_open(events->path, WEIR_PACKING_NONE, true, &events->writer));
    WEIR_BUF(first);
    weir_event_version(&first, (double)seconds);
    WEIR_TRY(weir_events_add(events, weir_view(&first)));
    WEIR_TRY(weir_events_flush(events));
    weir_event_folder_note(dir);
    *out_events = WEIR_TAKE(events);
    return WEIR_OK;
}

const char *weir_events_path(const weir_events *events)
{
    return events->path;
}

weir_status weir_events_add(weir_events *events, weir_str event)
{
    return weir_record_writer_add(events->writer, event);
}

weir_status weir_events_flush(weir_events *events)
{
    return weir_record_writer_flush(events->writer);
}

weir_status weir_events_close(weir_events *events)
{
    weir_status status = weir_record_writer_close(WEIR_TAKE(events->writer));
    weir_events_destroy(events);
    return status;
}

void weir_events_destroy(weir_events *events)
{
    if (!events)
        return;
    weir_record_writer_destroy(events->writer);
    weir_free(events->path);
    weir_free(events);
}
