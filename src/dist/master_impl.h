/* dist/master_impl.h - MasterService's own types, for dist/master*.c only. */
#ifndef WEIR_DIST_MASTER_IMPL_H
#define WEIR_DIST_MASTER_IMPL_H

#include "base/mutex.h"
#include "dist/master_remote.h"
#include "dist/server_impl.h"
#include "wire/messages.h"

/* A client's session. Shared: the table, and every call in progress. */
typedef struct master_session {
    weir_ref ref;
    char handle[20];
    weir_graph *graph;
    weir_mutex graph_lock;
    weir_cluster *cluster;      /* the server's, or the one that the client gave */
    weir_master_remote *remote; /* the other tasks; null: none */
    weir_resources *resources;  /* the server's, or its own */
    weir_session *session;
    int64_t version; /* of the graph; under graph_lock */
    weir_mutex lock;
    WEIR_VEC(struct callable *) callables WEIR_GUARDED_BY(lock); /* by handle */
} master_session;

typedef struct callable {
    weir_edge *feeds, *fetches;
    weir_node **targets;
    int feed_count, fetch_count, target_count;
    weir_run_options options;
} callable;

void weir_master_free_callable(callable *callable); /* takes null */

/* ABORTED when there is none. Retained for the caller. */
WEIR_CHECKED weir_status weir_master_find_session(weir_server *server, weir_str handle,
                                                  master_session **out);

/* Methods of master_run.c. */
void weir_master_run_step(weir_rpc *call, void *ctx);
WEIR_CHECKED weir_status weir_master_run_callable(weir_server *server, weir_str bytes,
                                                  weir_cancel *cancel, weir_buf *out);
WEIR_CHECKED weir_status weir_master_partial_setup(weir_server *server, weir_str bytes,
                                                   weir_cancel *cancel, weir_buf *out);
WEIR_CHECKED weir_status weir_master_make_callable(weir_server *server, weir_str bytes,
                                                   weir_cancel *cancel, weir_buf *out);
WEIR_CHECKED weir_status weir_master_release_callable(weir_server *server, weir_str bytes,
                                                      weir_cancel *cancel, weir_buf *out);

#endif
