/* io/events.c - event messages and the files that hold them. */
#include "io/events.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "io/file.h"
#include "io/record.h"
#include "wire/pb.h"

enum {
    WALL_TIME = 1,
    STEP,
    FILE_VERSION,
    GRAPH,
    SUMMARY,
    LOG,
    SESSION_LOG,
    RUN_METADATA,
    META_GRAPH,
    SOURCE
};

static void head(weir_buf *out, double wall_time, int64_t step)
{
    weir_pb_put_double(out, WALL_TIME, wall_time);
    weir_pb_put_varint_nz(out, STEP, (uint64_t)step);
}

void weir_event_version(weir_buf *out, double wall_time)
{
    head(out, wall_time, 0);
    weir_pb_put_str(out, FILE_VERSION, "brain.Event:2");
    size_t mark = weir_pb_begin(out, SOURCE);
    weir_pb_put_str(out, 1, "tensorflow.core.util.events_writer");
    weir_pb_end(out, mark);
}

static void with_bytes(weir_buf *out, double wall_time, int64_t step, uint32_t field, weir_str b)
{
    head(out, wall_time, step);
    weir_pb_put_bytes(out, field, b.at, b.length);
}

void weir_event_summary(weir_buf *out, double wall_time, int64_t step, weir_str summary)
{
    with_bytes(out, wall_time, step, SUMMARY, summary);
}

void weir_event_graph(weir_buf *out, double wall_time, int64_t step, weir_str graph)
{
    with_bytes(out, wall_time, step, GRAPH, graph);
}

void weir_event_meta_graph(weir_buf *out, double wall_time, int64_t step, weir_str meta_graph)
{
    with_bytes(out, wall_time, step, META_GRAPH, meta_graph);
}

void weir_event_session_log(weir_buf *out, double wall_time, int64_t step, weir_session_log what,
                            const char *checkpoint_path)
{
    head(out, wall_time, step);
    size_t mark = weir_pb_begin(out, SESSION_LOG);
    weir_pb_put_varint(out, 1, (uint64_t)what);
    weir_pb_put_str_nz(out, 2, checkpoint_path);
    weir_pb_end(out, mark);
}

void weir_event_run_metadata(weir_buf *out, double wall_time, int64_t step, const char *tag,
                             weir_str run_metadata)
{
    head(out, wall_time, step);
    size_t mark = weir_pb_begin(out, RUN_METADATA);
    weir_pb_put_str_nz(out, 1, tag);
    weir_pb_put_bytes(out, 2, run_metadata.at, run_metadata.length);
    weir_pb_end(out, mark);
}

void weir_summary_scalar(weir_buf *summary, weir_str tag, float value)
{
    size_t mark = weir_pb_begin(summary, 1);
    weir_pb_put_bytes(summary, 1, tag.at, tag.length);
    weir_pb_put_float(summary, 2, value);
    weir_pb_end(summary, mark);
}

weir_status weir_event_parse(weir_str event, weir_event_info *out_info)
{
    weir_event_info info = {0};
    weir_pb r = weir_pb_reader(event);
    while (weir_pb_next(&r)) {
        if (r.field == WALL_TIME && r.type == WEIR_PB_I64) {
            info.wall_time = weir_pb_double(&r);
        } else if (r.field == STEP && r.type == WEIR_PB_VARINT) {
            info.step = weir_pb_int(&r);
        } else if (r.field >= FILE_VERSION && r.field <= META_GRAPH && r.type == WEIR_PB_LEN) {
            info.what = (int)r.field;
            info.payload = r.bytes;
        }
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_DATA_LOSS, "Unparseable Event");
    *out_info = info;
    return WEIR_OK;
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
    WEIR_OWNED(weir_events) e = WEIR_NEW(weir_events);
    int64_t seconds = weir_wall_us() / 1000000;
    if (*dir)
        WEIR_TRY(weir_dir_create_all(dir));
    e->path = file_name(dir, suffix, seconds);
    WEIR_TRY(weir_record_writer_open(e->path, WEIR_PACKING_NONE, true, &e->writer));
    WEIR_BUF(first);
    weir_event_version(&first, (double)seconds);
    weir_status status = weir_events_add(e, weir_view(&first));
    WEIR_TRY(status);
    WEIR_TRY(weir_events_flush(e));
    *out_events = WEIR_TAKE(e);
    return WEIR_OK;
}

const char *weir_events_path(const weir_events *e)
{
    return e->path;
}

weir_status weir_events_add(weir_events *e, weir_str event)
{
    return weir_record_writer_add(e->writer, event);
}

weir_status weir_events_flush(weir_events *e)
{
    return weir_record_writer_flush(e->writer);
}

weir_status weir_events_close(weir_events *e)
{
    weir_status status = weir_record_writer_close(WEIR_TAKE(e->writer));
    weir_events_destroy(e);
    return status;
}

void weir_events_destroy(weir_events *e)
{
    if (!e)
        return;
    weir_record_writer_destroy(e->writer);
    weir_free(e->path);
    weir_free(e);
}
