/* dist/master_impl.h - MasterService's types, for dist/master*.c only. */
#ifndef WEIR_DIST_MASTER_IMPL_H
#define WEIR_DIST_MASTER_IMPL_H

#include "base/mutex.h"
#include "dist/master_remote.h"
#include "dist/server_impl.h"
#include "wire/messages.h"

/* A client's session. Held by the table and by every call in progress. */
typedef struct master_session {
    weir_ref ref;
    char handle[MASTER_HANDLE];
    weir_peer *user; /* the last user; under the server's lock. Null: in this process */
    weir_graph *graph;
    weir_mutex graph_lock;
    weir_cluster *cluster;      /* the server's, or one given by the client */
    weir_master_remote *remote; /* the other tasks; null: none */
    weir_resources *resources;  /* the server's, or its own */
    bool owns_resources;
    weir_session *session;
    int64_t version;                /* of the graph; under graph_lock */
    struct weir_kept_answers *kept; /* null: a retried request is ABORTED */
    weir_mutex lock;
    WEIR_VEC(struct callable *) callables WEIR_GUARDED_BY(lock); /* by handle */
} master_session;

typedef struct callable {
    weir_ref ref; /* held by its session, until it is released, and by calls in progress */
    size_t held;  /* bytes in base/room.h */
    weir_edge *feeds, *fetches;
    weir_node **targets;
    int feed_count, fetch_count, target_count;
    weir_run_options options;
} callable;

/* ---- master_table.c; |peer| is the caller, null: this process ----------------------------------
 */

/* ABORTED if this peer has no such session. Retained for the caller. */
WEIR_CHECKED weir_status weir_master_find_session(weir_server *server, weir_str handle,
                                                  weir_peer *peer, master_session **out);
void weir_master_new_handle(char handle[MASTER_HANDLE]); /* unguessable */
/* RESOURCE_EXHAUSTED when there are too many; then the caller keeps the session. */
WEIR_CHECKED weir_status weir_master_list_session(weir_server *server, master_session *session,
                                                  weir_peer *peer);
/* Removes the session, which the caller is to end; null: this peer has no such session. */
master_session *weir_master_unlist_session(weir_server *server, weir_str handle, weir_peer *peer);
/* PERMISSION_DENIED when other clients have sessions, unless the server permits it. */
WEIR_CHECKED weir_status weir_master_check_reset(weir_server *server, const weir_peer *peer);

/* Of master.c: cancels the session's steps, ends it on the other tasks, and releases it. */
void weir_master_end_session(master_session *session);

/* Methods of master_run.c. */
void weir_master_run_step(weir_rpc *call, void *ctx);
void weir_master_run_callable(weir_rpc *call, void *ctx);
WEIR_CHECKED weir_status weir_master_partial_setup(weir_server *server, weir_str bytes,
                                                   weir_peer *peer, weir_cancel *cancel,
                                                   weir_buf *out);
WEIR_CHECKED weir_status weir_master_make_callable(weir_server *server, weir_str bytes,
                                                   weir_peer *peer, weir_cancel *cancel,
                                                   weir_buf *out);
WEIR_CHECKED weir_status weir_master_release_callable(weir_server *server, weir_str bytes,
                                                      weir_peer *peer, weir_cancel *cancel,
                                                      weir_buf *out);

#endif
