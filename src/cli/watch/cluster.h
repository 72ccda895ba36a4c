/* cli/watch/cluster.h - the state of a live cluster's tasks, read from one of them. */
#ifndef WEIR_CLI_WATCH_CLUSTER_H
#define WEIR_CLI_WATCH_CLUSTER_H

#include "base/mem.h"
#include "base/str.h"
#include "wire/json.h"

typedef struct watch_cause {
    char *kind, *name, *op;
    double seconds, count;
} watch_cause;

typedef struct watch_number {
    char *key;
    double value;
} watch_number;

typedef struct watch_task {
    char *job, *address, *problem;
    int index;
    bool up;
    WEIR_VEC(watch_number) numbers; /* of /api/task, by key */
    WEIR_VEC(watch_cause) causes;
    WEIR_VEC(watch_cause) queues; /* |seconds| is the length, |count| the capacity */
    double received, sent;        /* bytes, over all peers */
} watch_task;

typedef struct watch_cluster {
    WEIR_VEC(watch_task) tasks;
    weir_buf json; /* the raw text */
} watch_cluster;

/* |address| is "host:port" or "unix:path", optionally with "grpc://" or "http://"; null:
 * localhost:2222. */
WEIR_CHECKED weir_status watch_cluster_get(const char *address, watch_cluster *out);
void watch_cluster_fini(watch_cluster *cluster);
/* Parses the /api/task object at |json|. */
watch_task watch_task_read(weir_json *json);
void watch_task_fini(watch_task *task);
double watch_value(const watch_task *task, const char *key); /* NaN: not present */
/* The same task in another snapshot; null: absent there, or restarted since. */
const watch_task *watch_before(const watch_cluster *before, const watch_task *task);
/* Rate of growth per second of a number between two snapshots; NaN when one is missing. */
double watch_rate(const watch_task *task, const watch_task *before, const char *key);

/* Breakdown of a task's time between two snapshots, as fractions. */
typedef struct watch_shares {
    double compute, recv, resource, other, send, schedule, between;
} watch_shares;
watch_shares watch_shares_of(const watch_task *task, const watch_task *before);

/* "host:port" or "unix:path" without a scheme; static storage. */
const char *watch_address(const char *given);

#endif
