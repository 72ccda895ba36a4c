/* dist/client.h - a session that runs elsewhere: MasterService from the client's side.
 *
 * A client stands for one graph and one remote session. The session is made with the first call
 * that needs it; what the graph gained since then is sent before the next step. Calls wait for a
 * server that is not there, unless the config or the step sets a time limit, and are repeated with
 * the same request id when the connection is lost. Thread-safe: many steps at once.
 */
#ifndef WEIR_DIST_CLIENT_H
#define WEIR_DIST_CLIENT_H

#include "session/session.h"

typedef struct weir_grpc_session weir_grpc_session;

/* True for "grpc://host:port". */
bool weir_grpc_session_serves(const char *target);

/* Sends nothing. |graph| is read under |graph_lock|; both must outlive the client. INVALID_ARGUMENT
 * for a target without an address. */
WEIR_CHECKED weir_status weir_grpc_session_create(weir_graph *graph, pthread_mutex_t *graph_lock,
                                                  const char *target, weir_str config,
                                                  weir_grpc_session **out_client);
/* Ends the remote session, if there is one, and the steps that run in it. */
WEIR_CHECKED weir_status weir_grpc_session_close(weir_grpc_session *c);
/* Closes first, without waiting for a server that is not there; takes null. */
void weir_grpc_session_destroy(weir_grpc_session *c);

/* Makes the remote session, or sends what is new in the graph. Steps do so by themselves. */
WEIR_CHECKED weir_status weir_grpc_session_extend(weir_grpc_session *c);

/* As weir_session_run and its family. */
WEIR_CHECKED weir_status weir_grpc_session_run(weir_grpc_session *c, const weir_request *request,
                                               weir_tensor *out_fetched);
WEIR_CHECKED weir_status weir_grpc_session_partial_setup(weir_grpc_session *c,
                                                         const weir_request *request,
                                                         char **out_handle);
WEIR_CHECKED weir_status weir_grpc_session_partial_run(weir_grpc_session *c, const char *handle,
                                                       const weir_request *request,
                                                       weir_tensor *out_fetched);

/* A step that is described once and then run by its number. */
WEIR_CHECKED weir_status weir_grpc_session_make_callable(weir_grpc_session *c,
                                                         const weir_request *request,
                                                         int64_t *out_callable);
/* |values| and |out_fetched| are in the order of make_callable's feeds and fetches. */
WEIR_CHECKED weir_status weir_grpc_session_run_callable(weir_grpc_session *c, int64_t callable,
                                                        const weir_tensor *values, int value_count,
                                                        weir_cancel *cancel,
                                                        weir_tensor *out_fetched, int fetch_count);
WEIR_CHECKED weir_status weir_grpc_session_release_callable(weir_grpc_session *c, int64_t callable);

/* The devices that the remote session sees. The array and its strings are the caller's to free. */
WEIR_CHECKED weir_status weir_grpc_session_devices(weir_grpc_session *c,
                                                   weir_device_info **out_devices, int *out_count);
/* Forgets every session of the master and empties containers (none given: the default one). */
WEIR_CHECKED weir_status weir_grpc_session_reset(const char *target, weir_str config,
                                                 const weir_str *containers, size_t count);

#endif
