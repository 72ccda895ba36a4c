/* dist/client.h - sessions of a target: in this process, or on a server.
 *
 * A session on a server (MasterService from the client's side) is created there with the first call
 * that needs it; additions to the graph are sent before the next step. Calls wait for an
 * unreachable server, unless the config or the step sets a time limit, and are retried with the
 * same request id when the connection is lost. If the server is in this process, steps bypass the
 * network: tensors are shared, not sent, and the nodes of a step are looked up when its feeds,
 * fetches and targets are first used. Thread-safe: many steps at once.
 */
#ifndef WEIR_DIST_CLIENT_H
#define WEIR_DIST_CLIENT_H

#include "base/mutex.h"
#include "session/session.h"

/* A session on |target|: "grpc://host:port" or "grpc://unix:path", or else in this process. |graph|
 * is read under |graph_lock|; both must outlive the session. Sends nothing. */
WEIR_CHECKED weir_status weir_session_open(weir_graph *graph, weir_mutex *graph_lock,
                                           const char *target, weir_str config,
                                           weir_session **out_session);

/* True for "grpc://host:port" or "grpc://unix:path". */
bool weir_grpc_session_serves(const char *target);
/* INVALID_ARGUMENT for a target without an address. */
WEIR_CHECKED weir_status weir_grpc_session_create(weir_graph *graph, weir_mutex *graph_lock,
                                                  const char *target, weir_str config,
                                                  weir_session **out_session);
/* Closes all sessions of the master and clears containers (none given: the default one). */
WEIR_CHECKED weir_status weir_grpc_session_reset(const char *target, weir_str config,
                                                 const weir_str *containers, size_t count);

#endif
