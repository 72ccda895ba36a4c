/* dist/master_ready.h - delays the reply to report_uninitialized_variables until the model is
 * ready.
 *
 * TensorFlow's session managers let a worker that is not the chief query the uninitialised
 * variables once, and sleep for 30 seconds if there are some. Here the query blocks until the chief
 * has initialised them, but no longer than the worker would have slept.
 */
#ifndef WEIR_DIST_MASTER_READY_H
#define WEIR_DIST_MASTER_READY_H

#include "dist/master_impl.h"

/* Whether a request is that query: one fetch of strings, no feeds, computed only from whether
 * variables are initialised; on a server that is no job's first task but has other tasks to wait
 * for. */
bool weir_master_is_readiness_query(const weir_server *server, master_session *session,
                                    const weir_request *request);
/* Repeats the step until it lists no variable, its time is nearly up (|timeout_ms|, 0: none) or the
 * caller has disconnected. */
WEIR_CHECKED weir_status weir_master_run_until_ready(master_session *session,
                                                     const weir_request *request,
                                                     int64_t timeout_ms, weir_tensor *fetched);

#endif
