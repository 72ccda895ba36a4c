/* dist/master_remote.h - the other tasks of a client's session: their devices, their sessions for
 * it, the registered partitions of its graphs.
 */
#ifndef WEIR_DIST_MASTER_REMOTE_H
#define WEIR_DIST_MASTER_REMOTE_H

#include "dist/server_impl.h"
#include "dist/task_calls.h"
#include "session/remote.h"

typedef struct weir_msg_config_proto weir_msg_config_proto;

enum { MASTER_HANDLE = 33 }; /* bytes of a session's handle */

typedef struct weir_master_remote {
    weir_remote base;      /* the session's interface, and ... */
    weir_task_calls calls; /* ... this */
    weir_server *server;
    weir_cluster *cluster;   /* retained */
    const weir_task **tasks; /* the tasks that take part, except the own */
    int task_count;
    weir_device_info *devices; /* of those tasks; the names are owned */
    int device_count;
    char handle[MASTER_HANDLE]; /* of the session */
    weir_buf config;            /* its serialised ConfigProto, sent with registered partitions */
    bool propagated;            /* the client specified the cluster */
} weir_master_remote;

typedef struct weir_master_ask {
    weir_server *server;
    weir_cluster *cluster;
    const weir_msg_config_proto *config;
    weir_cancel *cancel;
    const char *what; /* the requesting method, for the log: "CreateSession" */
} weir_master_ask;

/* Requests the devices of every task that the device filters admit. Waits for tasks that do not
 * answer until the time limit or the cancellation. Null if the cluster has no other task. */
WEIR_CHECKED weir_status weir_master_remote_create(const weir_master_ask *ask,
                                                   weir_master_remote **out_remote);
void weir_master_remote_destroy(weir_master_remote *remote); /* takes null */

/* CreateWorkerSession on every task: all or nothing. */
WEIR_CHECKED weir_status weir_master_remote_open(weir_master_remote *remote, const char *handle,
                                                 bool isolated, weir_cancel *cancel);
/* DeleteWorkerSession on every task; errors are only logged. */
void weir_master_remote_close(weir_master_remote *remote);

/* master_step.c: sets the functions of |base|. */
void weir_master_remote_init(weir_master_remote *remote);

#endif
