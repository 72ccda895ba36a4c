/* dist/client.h - sessions that a target names: of this process, or of a server.
 *
 * A session of a server (MasterService from the client's side) is made there with the first call
 * that needs it; what the graph gained since then is sent before the next step. Calls wait for a
 * server that is not there, unless the config or the step sets a time limit, and are repeated with
 * the same request id when the connection is lost. When the server is of this process, steps go to
 * it without the network: tensors are shared, not sent, and the nodes of a step are looked up when
 * its feeds, fetches and targets are first seen. Thread-safe: many steps at once.
 */
#ifndef WEIR_DIST_CLIENT_H
#define WEIR_DIST_CLIENT_H

#include "base/mutex.h"
#include "session/session.h"

/* The session of |target|: "grpc://host:port" or "grpc://unix:path", or one of this process.
 * |graph| is read under |graph_lock|; both must outlive the session. Sends nothing. */
WEIR_CHECKED weir_status weir_session_open(weir_graph *graph, weir_mutex *graph_lock,
                                           const char *target, weir_str config,
                                           weir_session **out_session);

/* True for "grpc://host:port" or "grpc://unix:path". */
bool weir_grpc_session_serves(const char *target);
/* INVALID_ARGUMENT for a target without an address. */
WEIR_CHECKED weir_status weir_grpc_session_create(weir_graph *graph, weir_mutex *graph_lock,
                                                  const char *target, weir_str config,
                                                  weir_session **out_session);
/* Forgets every session of the master and empties containers (none given: the default one). */
WEIR_CHECKED weir_status weir_grpc_session_reset(const char *target, weir_str config,
                                                 const weir_str *containers, size_t count);

#endif
