/* cli/watch/cluster.h - what the tasks of a live cluster say of themselves, read from one of them.
 */
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
    WEIR_VEC(watch_number) numbers; /* of /api/task, by its keys */
    WEIR_VEC(watch_cause) causes;
    WEIR_VEC(watch_cause) queues; /* |seconds| is the length, |count| the capacity */
    double received, sent;        /* bytes, of all peers */
} watch_task;

typedef struct watch_cluster {
    WEIR_VEC(watch_task) tasks;
    weir_buf json; /* as it was read */
} watch_cluster;

/* |address| is "host:port" or "unix:path", with "grpc://" or "http://" before it or not; null:
 * localhost:2222. */
WEIR_CHECKED weir_status watch_cluster_get(const char *address, watch_cluster *out);
void watch_cluster_fini(watch_cluster *cluster);
/* The object of /api/task that |json| stands before. */
watch_task watch_task_read(weir_json *json);
void watch_task_fini(watch_task *task);
double watch_value(const watch_task *task, const char *key); /* NaN: it says none */
/* The same task in another reading; null: not up there, or started anew since. */
const watch_task *watch_before(const watch_cluster *before, const watch_task *task);
/* Growth a second of a number between two readings; NaN when one is missing. */
double watch_rate(const watch_task *task, const watch_task *before, const char *key);

/* Where a task's time went between two readings: shares of it. */
typedef struct watch_shares {
    double compute, recv, resource, other, send, schedule, between;
} watch_shares;
watch_shares watch_shares_of(const watch_task *task, const watch_task *before);

/* "host:port" or "unix:path" without a scheme; static storage. */
const char *watch_address(const char *given);

#endif
