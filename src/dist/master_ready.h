/* dist/master_ready.h - delays the reply to report_uninitialized_variables until the model is
 * ready.
 *
 * TensorFlow's session managers let a worker that is not the chief ask once which variables are not
 * initialised, and sleep for 30 seconds when there are some. Here such a question waits until the
 * chief has done its work, or for as long as the worker would have slept.
 */
#ifndef WEIR_DIST_MASTER_READY_H
#define WEIR_DIST_MASTER_READY_H

#include "dist/master_impl.h"

/* Whether a request is that question: one fetch of strings, nothing fed, computed from nothing but
 * which variables are initialised; and the server is no job's first task but has others to wait
 * for. */
bool weir_master_is_readiness_query(const weir_server *server, master_session *session,
                                    const weir_request *request);
/* Runs the step until it names no variable, its time is nearly up (|timeout_ms|, 0: none) or the
 * caller is gone. */
WEIR_CHECKED weir_status weir_master_run_until_ready(master_session *session,
                                                     const weir_request *request,
                                                     int64_t timeout_ms, weir_tensor *fetched);

#endif
