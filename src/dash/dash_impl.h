/* dash/dash_impl.h - a site's private types, for dash/ only. */
#ifndef WEIR_DASH_DASH_IMPL_H
#define WEIR_DASH_DASH_IMPL_H

#include <stdatomic.h>

#include "dash/dash.h"

typedef struct dash_task {
    char *job, *address;
    int index;
} dash_task;

struct weir_dash {
    weir_http_site site;
    dash_task *tasks;
    int task_count, own;
    _Atomic(char *) listens; /* the own task's address if its own has no port; null: not yet */
    weir_resources *resources;
    int64_t start_us; /* of the epoch */
};

/* Handlers: |request| is answered in |reply|. */
typedef void dash_handler(weir_dash *dash, const weir_http_request *request,
                          weir_http_reply *reply);
dash_handler dash_get_task, dash_get_steps, dash_get_host, dash_get_marks, dash_get_log,
    dash_get_resources, dash_get_metrics, dash_get_cluster;
/* "/api/tasks/JOB/INDEX/REST": forwards to /api/REST of that task. */
dash_handler dash_get_of_task;

void dash_json(weir_http_reply *reply); /* sets its type */
/* An integer of the query; |otherwise| if missing. */
int64_t dash_number(const weir_http_request *request, const char *name, int64_t otherwise);
int64_t dash_wall_offset_us(void); /* adds to weir_now_ns() / 1000 to give time since the epoch */
/* {"name":..., ...} of the task, as in /api/task. */
void dash_put_task(weir_dash *dash, weir_buf *out);
/* Appends the newest steps, samples and marks for an event stream. */
void dash_put_event(weir_dash *dash, int64_t *cursor, weir_buf *out);

typedef struct dash_queue_sums {
    int64_t variables, variable_bytes, queues;
} dash_queue_sums;
/* Appends the queues as a JSON array, and sums up the variables. */
dash_queue_sums dash_put_queues(weir_dash *dash, weir_buf *out);
/* Calls |fn| for each queue and accumulator. */
void dash_each_queue(weir_dash *dash,
                     void (*fn)(void *arg, weir_str name, int64_t size, int64_t capacity),
                     void *arg);

#endif
