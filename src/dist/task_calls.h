/* dist/task_calls.h - functions that a session's steps call on other tasks. */
#ifndef WEIR_DIST_TASK_CALLS_H
#define WEIR_DIST_TASK_CALLS_H

#include "dist/cluster.h"
#include "session/remote.h"

typedef struct weir_task_calls {
    weir_remote_calls base;
    const weir_cluster *cluster;
    const char *handle; /* of the session, known to every task */
} weir_task_calls;

/* Both must outlive |calls|. */
void weir_task_calls_init(weir_task_calls *calls, const weir_cluster *cluster, const char *handle);

#endif
