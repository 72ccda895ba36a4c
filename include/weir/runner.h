/* weir/runner.h - a concise interface to sessions.
 *
 *   weir_runner *r = weir_runner_new(graph, NULL);
 *   weir_runner_do(r, initialize);
 *   weir_runner_feed(r, x, weir_make_tensor(TF_FLOAT, 1, (int64_t[]){3}, numbers));
 *   double y = weir_runner_number(r, mean);
 *   if (TF_GetCode(weir_runner_status(r)) != TF_OK) ...
 *   weir_runner_delete(r);
 *
 * A runner is a TF_Session that keeps its feeds and its first error: after it nothing is run
 * and every result is empty. It runs in this process, or in a server when it has a target:
 * `weir server`, another program's TF_NewServer, or TensorFlow's. Not thread-safe;
 * its session is.
 */
#ifndef WEIR_RUNNER_H
#define WEIR_RUNNER_H

#include <stdint.h>

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_runner weir_runner;

typedef struct weir_runner_options {
    const char *target;  /* "grpc://host:port"; null: this process */
    int threads;         /* of this process; 0: one per core */
    int64_t timeout_ms;  /* of each run; 0: unlimited */
    bool soft_placement; /* nodes on unavailable devices are placed elsewhere */
} weir_runner_options;

/* Never null. The caller still owns |graph|, which may grow between runs. |options| may be null. */
TF_CAPI_EXPORT extern weir_runner *weir_runner_new(TF_Graph *graph,
                                                   const weir_runner_options *options);
TF_CAPI_EXPORT extern void weir_runner_delete(weir_runner *r); /* takes null */
/* The session, owned by the runner. Null when creating it failed. */
TF_CAPI_EXPORT extern TF_Session *weir_runner_session(const weir_runner *r);
/* The first error, or TF_OK. */
TF_CAPI_EXPORT extern const TF_Status *weir_runner_status(const weir_runner *r);
/* Clears the error, for callers that expected it. */
TF_CAPI_EXPORT extern void weir_runner_forgive(weir_runner *r);

/* Feeds |value| for |x| in every later run, until it is replaced; null: no longer. Takes ownership
 * of |value|. */
TF_CAPI_EXPORT extern void weir_runner_feed(weir_runner *r, TF_Output x, TF_Tensor *value);
/* Runs an operation for its side effects. */
TF_CAPI_EXPORT extern void weir_runner_do(weir_runner *r, const TF_Operation *op);
/* Fetches values, which the caller deletes; null after a failure. */
TF_CAPI_EXPORT extern void weir_runner_get_all(weir_runner *r, const TF_Output *outputs, int count,
                                               TF_Tensor **values);
/* Fetches one value, which the caller deletes; null after a failure. */
TF_CAPI_EXPORT extern TF_Tensor *weir_runner_get(weir_runner *r, TF_Output output);
/* Fetches the first element of a numeric tensor, as a double; NaN after a failure. */
TF_CAPI_EXPORT extern double weir_runner_number(weir_runner *r, TF_Output output);

/* Runs an operation of any session repeatedly until a run fails, and returns that error: for
 * filling a queue, or for the chief's updates. In a server of this process, a run over several
 * tasks is started directly when the previous one ends, without waking this thread. */
TF_CAPI_EXPORT extern void weir_run_until_failure(TF_Session *session, const TF_Operation *op,
                                                  TF_Status *status);

/* A tensor of |rank| dims with a copy of as many elements of a numeric type. Null when out of
 * memory. */
TF_CAPI_EXPORT extern TF_Tensor *weir_make_tensor(TF_DataType type, int rank, const int64_t *dims,
                                                  const void *elements);
/* A scalar string. Deleted by weir_delete_made. */
TF_CAPI_EXPORT extern TF_Tensor *weir_make_string(const char *text);
/* For tensors made by a program: TF_DeleteTensor does not free their strings. */
TF_CAPI_EXPORT extern void weir_delete_made(TF_Tensor *made);

#ifdef __cplusplus
}
#endif
#endif
