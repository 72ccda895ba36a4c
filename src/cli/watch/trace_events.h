/* cli/watch/trace_events.h - the events of several tasks as one trace in Chrome's format.
 *
 * Events are gathered task by task; then steps of which a traced task lacks a part are left out,
 * every event gets a track on which events nest, and all is written.
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
    int64_t ready;    /* since when it could have begun; 0: not said */
    bool left_out;
} trace_event;

typedef struct trace_events {
    WEIR_VEC(trace_event) at;
    weir_map tasks; /* "/job:worker/replica:0/task:0" of those that were traced */
    int steps, arrows;
    int64_t step_ns, unexplained_ns; /* of all steps; in none of their ops, waits and so on */
} trace_events;

void trace_events_fini(trace_events *events);
/* The answer of a task to /api/trace; |ahead| nanoseconds are taken off its times. */
WEIR_CHECKED weir_status trace_events_add(trace_events *events, weir_str body, const char *job,
                                          int index, int pid, int64_t ahead);
/* Puts zero |before| nanoseconds before the first event, and gives what that was since the epoch:
 * viewers keep times as doubles, which have no room for nanoseconds since the epoch. */
int64_t trace_events_set_zero(trace_events *events, int64_t before);
/* Leaves out incomplete steps, and appends the events, each with a comma and a line end behind. */
void trace_events_put(trace_events *events, weir_buf *out);

#endif
