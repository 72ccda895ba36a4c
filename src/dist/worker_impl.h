/* dist/worker_impl.h - a worker's private types, for dist/worker*.c only.
 *
 * Locks: weir_worker.lock (the table of sessions), worker_session.lock (its graphs and partial
 * runs); neither is held while acquiring the other, nor while anything runs.
 */
#ifndef WEIR_DIST_WORKER_IMPL_H
#define WEIR_DIST_WORKER_IMPL_H

#include "base/mutex.h"

#include "base/mem.h"
#include "dist/ids.h"
#include "dist/task_calls.h"
#include "dist/worker.h"
#include "session/part.h"
#include "wire/messages.h"

enum { REMEMBERED_CALLS = 100000 };

struct weir_worker {
    weir_worker_options options;
    weir_seen_ids *seen;       /* of RunGraph and RecvTensor */
    atomic_llong partial_runs; /* of all sessions */
    weir_mutex lock;
    weir_map sessions WEIR_GUARDED_BY(lock);             /* handle -> worker_session */
    struct worker_session *legacy WEIR_GUARDED_BY(lock); /* for masters that open no session */
    int partial_threads WEIR_GUARDED_BY(lock);
    weir_cond no_threads; /* of partial runs any more */
};

/* A master's session. Held by the table and by every call in progress. */
typedef struct worker_session {
    weir_ref ref;
    weir_worker *worker;
    char *handle, *master_task;
    int64_t master_incarnation;
    weir_cluster *cluster; /* the worker's, or as sent by the master */
    weir_resources *resources, *own;
    weir_task_calls calls; /* of functions on other tasks */
    weir_cancel *cancel;   /* of every step */
    weir_mutex lock;
    weir_map graphs WEIR_GUARDED_BY(lock); /* handle -> weir_registered */
    uint64_t next_graph WEIR_GUARDED_BY(lock);
    weir_map partial WEIR_GUARDED_BY(lock); /* step id -> partial_run */
} worker_session;

/* A request's session, retained. ABORTED, and flagged as restarted, when it is unknown; |opened| is
 * false in requests of masters that open no sessions. */
WEIR_CHECKED weir_status weir_worker_find_session(weir_worker *worker, weir_str handle, bool opened,
                                                  worker_session **out_session);
/* ABORTED when there is no such graph. Retained. */
WEIR_CHECKED weir_status weir_worker_find_graph(worker_session *session, weir_str handle,
                                                weir_registered **out_graph);
/* Records the id of a request; ABORTED for a duplicate. */
WEIR_CHECKED weir_status weir_worker_check_new(weir_worker *worker, int64_t id, const char *what);

/* Methods: each parses its request from |bytes| and appends its response. */
weir_status weir_worker_create_session(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                                       weir_buf *out);
weir_status weir_worker_delete_session(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                                       weir_buf *out);
weir_status weir_worker_register_graph(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                                       weir_buf *out);
weir_status weir_worker_deregister_graph(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                                         weir_buf *out);
void weir_worker_run_graph(weir_rpc *call, void *ctx); /* never blocks */
void weir_worker_recv_tensor(weir_rpc *call, void *ctx);
void weir_worker_recv_buf(weir_rpc *call, void *ctx);

void weir_worker_free_partial(worker_session *session);
void weir_worker_forget_partial(worker_session *session, int64_t step_id);
/* The step was cleaned up: no session has a partial run of it any more. */
void weir_worker_forget_step(weir_worker *worker, int64_t step_id);

#endif
