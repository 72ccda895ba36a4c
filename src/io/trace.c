/*
 * io/trace.c - StepStats as trace events.
 *
 *   {"traceEvents": [
 *     {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "/...device:CPU:0"}},
 *     {"ph": "X", "cat": "Op", "name": "MatMul", "pid": 0, "tid": 3, "ts": 12.5, "dur": 3.0,
 *      "args": {"name": "layer1/y", "label": "layer1/y = MatMul(x, w)"}}, ...
 */
#include "io/trace.h"

#include <inttypes.h>

#include "base/arith.h"
#include "io/file.h"
#include "wire/json.h"
#include "wire/messages.h"

typedef struct trace {
    weir_buf *out;
    int64_t first_ns; /* the earliest start */
    bool started;     /* an event was written */
} trace;

/* Unsigned: a file may contain any number. */
static int64_t nanoseconds(int64_t nanos, int64_t micros)
{
    return nanos ? nanos : (int64_t)((uint64_t)micros * 1000);
}

static int64_t start_of(const weir_msg_node_exec_stats *node)
{
    return nanoseconds(node->all_start_nanos, node->all_start_micros);
}

/* The earliest start of all. */
static int64_t first_start(weir_msgs_device_step_stats devices)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < devices.count; i++) {
        const weir_msg_device_step_stats *device = &devices.at[i];
        for (size_t j = 0; j < device->node_stats.count; j++)
            first = weir_min(first, start_of(&device->node_stats.at[j]));
    }
    return first;
}

static void begin_event(trace *trace)
{
    weir_buf_adds(trace->out, trace->started ? ",\n" : "\n");
    trace->started = true;
}

static void put_metadata(trace *trace, const char *what, int pid, uint32_t tid, weir_str name)
{
    begin_event(trace);
    weir_buf_addf(trace->out,
                  "{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %d, \"tid\": %" PRIu32
                  ", \"args\": {\"name\": ",
                  what, pid, tid);
    weir_json_put_string(trace->out, name);
    weir_buf_adds(trace->out, "}}");
}

/* The op of "name = Op(inputs)", or the whole label, or else the node's name. */
static weir_str op_of(const weir_msg_node_exec_stats *node)
{
    weir_str label = node->timeline_label;
    const char *from = label.length ? memmem(label.at, label.length, " = ", 3) : NULL;
    if (!from)
        return label.length ? label : node->node_name;
    weir_str op = {from + 3, (size_t)(label.at + label.length - from - 3)};
    const char *bracket = memchr(op.at, '(', op.length);
    op.length = bracket ? (size_t)(bracket - op.at) : op.length;
    return op;
}

static void put_node(trace *trace, int pid, const weir_msg_node_exec_stats *node)
{
    double start = ((double)start_of(node) - (double)trace->first_ns) / 1e3;
    int64_t took_ns = nanoseconds(node->all_end_rel_nanos, node->all_end_rel_micros);
    begin_event(trace);
    weir_buf_adds(trace->out, "{\"ph\": \"X\", \"cat\": \"Op\", \"name\": ");
    weir_json_put_string(trace->out, op_of(node));
    weir_buf_addf(trace->out, ", \"pid\": %d, \"tid\": %" PRIu32 ", \"ts\": %.3f, \"dur\": %.3f",
                  pid, node->thread_id, start, (double)took_ns / 1e3);
    weir_buf_adds(trace->out, ", \"args\": {\"name\": ");
    weir_json_put_string(trace->out, node->node_name);
    weir_buf_adds(trace->out, ", \"label\": ");
    weir_json_put_string(trace->out, node->timeline_label);
    weir_buf_adds(trace->out, "}}");
}

static void put_device(trace *trace, int pid, const weir_msg_device_step_stats *device)
{
    if (device->device.length)
        put_metadata(trace, "process_name", pid, 0, device->device);
    for (size_t i = 0; i < device->thread_names.count; i++)
        put_metadata(trace, "thread_name", pid, device->thread_names.at[i].key,
                     device->thread_names.at[i].value);
    for (size_t i = 0; i < device->node_stats.count; i++)
        put_node(trace, pid, &device->node_stats.at[i]);
}

weir_status weir_trace_print(weir_str run_metadata, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_run_metadata metadata;
    WEIR_TRY(weir_file_damaged(weir_msg_run_metadata_read(run_metadata, &arena, &metadata)));
    weir_msgs_device_step_stats devices = {0};
    if (metadata.step_stats)
        devices = metadata.step_stats->dev_stats;
    trace trace = {.out = out, .first_ns = first_start(devices)};
    weir_buf_adds(out, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
    for (size_t i = 0; i < devices.count; i++)
        put_device(&trace, (int)i, &devices.at[i]);
    weir_buf_adds(out, "\n]}\n");
    return WEIR_OK;
}

weir_status weir_trace_to_file(const char *path, weir_str run_metadata)
{
    WEIR_BUF(text);
    WEIR_TRY(weir_trace_print(run_metadata, &text));
    return weir_file_write_all(path, text.at, text.length);
}
