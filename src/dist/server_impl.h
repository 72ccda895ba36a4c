/* dist/server_impl.h - a task's private types, for dist/ only. */
#ifndef WEIR_DIST_SERVER_IMPL_H
#define WEIR_DIST_SERVER_IMPL_H

#include "base/mutex.h"

#include "dist/server.h"
#include "dist/worker.h"
#include "net/rpc.h"
#include "session/session.h"

enum { REMEMBERED_REQUESTS = 10000 }; /* in MasterService */

struct weir_server {
    weir_cluster *cluster;
    const char *task; /* "/job:worker/replica:0/task:0" */
    weir_buf config;  /* a ConfigProto: defaults of every session */
    char *target;
    uint64_t incarnation; /* of the first device */
    weir_devices devices;
    weir_resources *resources;
    weir_steps *steps;
    weir_task_collectives *collectives;
    weir_worker *worker;
    struct weir_dash *dash;   /* null: no HTTP/1.1 */
    weir_rpc_method *methods; /* of both services */
    weir_rpc_server *rpc;
    weir_mutex lock;
    weir_map sessions WEIR_GUARDED_BY(lock); /* handle -> master_session */
    bool ending WEIR_GUARDED_BY(lock);       /* no new sessions */
    int64_t session_count WEIR_GUARDED_BY(lock);
    int64_t lease_timer WEIR_GUARDED_BY(lock); /* 0: none */
    bool allow_reset;                          /* Reset may end sessions of other clients */
    struct weir_seen_ids *seen;                /* requests of MasterService */
};

extern const weir_rpc_method weir_master_methods[];
extern const size_t weir_master_method_count;

void weir_master_close_all(weir_server *server);
/* Closes the sessions of clients that do not reconnect, from now on until: */
void weir_master_watch_leases(weir_server *server);
void weir_master_forget_leases(weir_server *server);

#endif
