/*
 * io/trace.c - StepStats into trace events.
 *
 *   {"traceEvents": [
 *     {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "/...device:CPU:0"}},
 *     {"ph": "X", "cat": "Op", "name": "MatMul", "pid": 0, "tid": 3, "ts": 12.5, "dur": 3.0,
 *      "args": {"name": "layer1/y", "label": "layer1/y = MatMul(x, w)"}}, ...
 */
#include "io/trace.h"

#include <inttypes.h>

#include "base/mem.h"
#include "io/file.h"
#include "wire/json.h"
#include "wire/pb.h"

enum { METADATA_STATS = 1, STATS_DEVICE = 1 };
enum { DEVICE_NAME = 1, DEVICE_NODE = 2, DEVICE_THREAD = 3 };
enum {
    NODE_NAME = 1,
    NODE_START_US = 2,
    NODE_END_REL_US = 5,
    NODE_LABEL = 8,
    NODE_THREAD = 10,
    NODE_START_NS = 13,
    NODE_END_REL_NS = 16
};

/* One op of a step; views into the message. */
typedef struct event {
    weir_str name, label;
    int64_t start_ns, took_ns;
    uint64_t thread;
} event;

typedef struct trace {
    weir_buf *out;
    int64_t first_ns; /* the earliest start of all */
    bool started;     /* an event was written */
} trace;

/* Calls |each| with every LEN field |field| of |message|. */
typedef weir_status (*each_fn)(void *arg, int index, weir_str bytes);
static weir_status for_each(weir_str message, uint32_t field, each_fn each, void *arg)
{
    int index = 0;
    weir_pb r = weir_pb_reader(message);
    while (weir_pb_next(&r))
        if (r.field == field && r.type == WEIR_PB_LEN)
            WEIR_TRY(each(arg, index++, r.bytes));
    if (weir_pb_ok(&r))
        return WEIR_OK;
    return weir_error(WEIR_DATA_LOSS,
                      "Unparseable RunMetadata: its bytes make no sense at %zu of %zu",
                      (size_t)((const char *)r.at - message.at), message.length);
}

static weir_status read_event(weir_str node, event *out)
{
    event e = {0};
    int64_t start_us = 0, took_us = 0;
    weir_pb r = weir_pb_reader(node);
    while (weir_pb_next(&r)) {
        bool number = r.type == WEIR_PB_VARINT, bytes = r.type == WEIR_PB_LEN;
        if (r.field == NODE_NAME && bytes)
            e.name = r.bytes;
        else if (r.field == NODE_LABEL && bytes)
            e.label = r.bytes;
        else if (r.field == NODE_START_US && number)
            start_us = weir_pb_int(&r);
        else if (r.field == NODE_END_REL_US && number)
            took_us = weir_pb_int(&r);
        else if (r.field == NODE_THREAD && number)
            e.thread = r.value;
        else if (r.field == NODE_START_NS && number)
            e.start_ns = weir_pb_int(&r);
        else if (r.field == NODE_END_REL_NS && number)
            e.took_ns = weir_pb_int(&r);
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_DATA_LOSS, "Unparseable NodeExecStats");
    /* Unsigned: any number may be in a file. */
    if (!e.start_ns)
        e.start_ns = (int64_t)((uint64_t)start_us * 1000);
    if (!e.took_ns)
        e.took_ns = (int64_t)((uint64_t)took_us * 1000);
    *out = e;
    return WEIR_OK;
}

static weir_status note_start(void *arg, int index, weir_str node)
{
    trace *t = arg;
    event e;
    WEIR_TRY(read_event(node, &e));
    if (e.start_ns < t->first_ns)
        t->first_ns = e.start_ns;
    return WEIR_OK;
}

static weir_status note_device(void *arg, int index, weir_str device)
{
    return for_each(device, DEVICE_NODE, note_start, arg);
}

static void begin_event(trace *t)
{
    weir_buf_adds(t->out, t->started ? ",\n" : "\n");
    t->started = true;
}

static void put_metadata(trace *t, const char *what, int pid, uint64_t tid, weir_str name)
{
    begin_event(t);
    weir_buf_addf(t->out,
                  "{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %d, \"tid\": %" PRIu64
                  ", \"args\": {\"name\": ",
                  what, pid, tid);
    weir_json_put_string(t->out, name);
    weir_buf_adds(t->out, "}}");
}

/* The op of "name = Op(inputs)", or the whole label, or else the node's name. */
static weir_str op_of(const event *e)
{
    const char *from = e->label.length ? memmem(e->label.at, e->label.length, " = ", 3) : NULL;
    if (!from)
        return e->label.length ? e->label : e->name;
    weir_str op = {from + 3, (size_t)(e->label.at + e->label.length - from - 3)};
    const char *bracket = memchr(op.at, '(', op.length);
    op.length = bracket ? (size_t)(bracket - op.at) : op.length;
    return op;
}

typedef struct process {
    trace *t;
    int pid;
} process;

static weir_status put_event(void *arg, int index, weir_str node)
{
    const process *p = arg;
    weir_buf *out = p->t->out;
    event e;
    WEIR_TRY(read_event(node, &e));
    begin_event(p->t);
    weir_buf_adds(out, "{\"ph\": \"X\", \"cat\": \"Op\", \"name\": ");
    weir_json_put_string(out, op_of(&e));
    double start = ((double)e.start_ns - (double)p->t->first_ns) / 1e3;
    weir_buf_addf(out, ", \"pid\": %d, \"tid\": %" PRIu64 ", \"ts\": %.3f, \"dur\": %.3f", p->pid,
                  e.thread, start, (double)e.took_ns / 1e3);
    weir_buf_adds(out, ", \"args\": {\"name\": ");
    weir_json_put_string(out, e.name);
    weir_buf_adds(out, ", \"label\": ");
    weir_json_put_string(out, e.label);
    weir_buf_adds(out, "}}");
    return WEIR_OK;
}

static weir_status put_thread(void *arg, int index, weir_str entry)
{
    const process *p = arg;
    uint64_t id = 0;
    weir_str name = WEIR_STR("");
    weir_pb r = weir_pb_reader(entry);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            id = r.value;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            name = r.bytes;
    }
    put_metadata(p->t, "thread_name", p->pid, id, name);
    return weir_pb_ok(&r) ? WEIR_OK : weir_error(WEIR_DATA_LOSS, "Unparseable thread name");
}

static weir_status put_name(void *arg, int index, weir_str name)
{
    const process *p = arg;
    put_metadata(p->t, "process_name", p->pid, 0, name);
    return WEIR_OK;
}

static weir_status put_device(void *arg, int index, weir_str device)
{
    process p = {arg, index};
    WEIR_TRY(for_each(device, DEVICE_NAME, put_name, &p));
    WEIR_TRY(for_each(device, DEVICE_THREAD, put_thread, &p));
    return for_each(device, DEVICE_NODE, put_event, &p);
}

/* What is done with each of the message's StepStats. */
static weir_status put_stats(void *arg, int index, weir_str stats)
{
    trace *t = arg;
    WEIR_TRY(for_each(stats, STATS_DEVICE, note_device, t));
    return for_each(stats, STATS_DEVICE, put_device, t);
}

weir_status weir_trace_print(weir_str run_metadata, weir_buf *out)
{
    trace t = {.out = out, .first_ns = INT64_MAX};
    weir_buf_adds(out, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
    WEIR_TRY(for_each(run_metadata, METADATA_STATS, put_stats, &t));
    weir_buf_adds(out, "\n]}\n");
    return WEIR_OK;
}

weir_status weir_trace_to_file(const char *path, weir_str run_metadata)
{
    WEIR_BUF(text);
    WEIR_TRY(weir_trace_print(run_metadata, &text));
    return weir_file_write_all(path, text.at, text.length);
}
