/* cli/watch/trace_events.h - merges the events of several tasks into one trace in Chrome's format.
 *
 * Events are collected per task. Then steps missing in some traced task are dropped, every event is
 * assigned to a track on which events nest, and the trace is written.
 */
#ifndef WEIR_CLI_WATCH_TRACE_EVENTS_H
#define WEIR_CLI_WATCH_TRACE_EVENTS_H

#include "base/mem.h"
#include "base/str.h"
#include "wire/json.h"

typedef struct trace_event {
    char *name, *category, *node, *edge, *step_id; /* null: none */
    int pid;
    double tid, plan;
    int64_t at, took; /* in nanoseconds */
    int64_t ready;    /* time at which it became ready; 0: unknown */
    bool left_out;
} trace_event;

typedef struct trace_events {
    WEIR_VEC(trace_event) at;
    weir_map tasks; /* the traced tasks by name, "/job:worker/replica:0/task:0" */
    int steps, arrows;
    int64_t step_ns, unexplained_ns; /* in total; not covered by ops, waits and so on */
} trace_events;

void trace_events_fini(trace_events *events);
/* Adds a task's response to /api/trace; |ahead| nanoseconds are subtracted from its times. */
WEIR_CHECKED weir_status trace_events_add(trace_events *events, weir_str body, const char *job,
                                          int index, int pid, int64_t ahead);
/* Sets the origin |before| nanoseconds before the first event, and returns it as time since the
 * epoch: viewers store times as doubles, which cannot hold nanoseconds since the epoch. */
int64_t trace_events_set_zero(trace_events *events, int64_t before);
/* Drops incomplete steps, and appends the events, each followed by a comma and a newline. */
void trace_events_put(trace_events *events, weir_buf *out);

#endif
