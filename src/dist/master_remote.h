/* dist/master_remote.h - the other tasks of a client's session: their devices, the sessions that
 * they keep for it, the parts of its graphs that they run.
 */
#ifndef WEIR_DIST_MASTER_REMOTE_H
#define WEIR_DIST_MASTER_REMOTE_H

#include "dist/server_impl.h"
#include "session/remote.h"

typedef struct weir_master_remote {
    weir_remote base; /* what the session sees */
    weir_server *server;
    weir_cluster *cluster;   /* retained */
    const weir_task **tasks; /* that take part, without the own */
    int task_count;
    weir_device_info *devices; /* theirs; the names are owned */
    int device_count;
    char handle[20]; /* of the session */
    weir_buf config; /* its ConfigProto, as parts are registered with */
    bool propagated; /* the client gave the cluster */
} weir_master_remote;

typedef struct weir_master_ask {
    weir_server *server;
    weir_cluster *cluster;
    weir_str config; /* device filters and the time limit are read from it */
    weir_cancel *cancel;
    const char *what; /* who asks, for the log: "CreateSession" */
} weir_master_ask;

/* Asks every task that the device filters let in for its devices. A task that does not answer is
 * waited for until the time limit or the cancellation. Null when the cluster has no other task. */
WEIR_CHECKED weir_status weir_master_remote_create(const weir_master_ask *ask,
                                                   weir_master_remote **out_remote);
void weir_master_remote_destroy(weir_master_remote *remote); /* takes null */

/* CreateWorkerSession on every task: all or nothing. */
WEIR_CHECKED weir_status weir_master_remote_open(weir_master_remote *remote, const char *handle,
                                                 bool isolated, weir_cancel *cancel);
/* DeleteWorkerSession on every task; what goes wrong is only logged. */
void weir_master_remote_close(weir_master_remote *remote);

/* The functions of |base|, of master_step.c. */
void weir_master_remote_init(weir_master_remote *remote);

#endif
