/* weir/runner.h - sessions with fewer words.
 *
 *   weir_runner *r = weir_runner_new(graph, NULL);
 *   weir_runner_do(r, initialize);
 *   weir_runner_feed(r, x, weir_make_tensor(TF_FLOAT, 1, (int64_t[]){3}, numbers));
 *   double y = weir_runner_number(r, mean);
 *   if (TF_GetCode(weir_runner_status(r)) != TF_OK) ...
 *   weir_runner_delete(r);
 *
 * A runner is a TF_Session that keeps its feeds and its first failure: from then on nothing is run
 * and every result is empty. It runs here, or in a server when it has a target: `weir server`,
 * another program's TF_NewServer, or TensorFlow's. One thread at a time; the session behind it
 * serves any number.
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
    int threads;         /* of this process; 0: as many as there are cores */
    int64_t timeout_ms;  /* of each run; 0: none */
    bool soft_placement; /* nodes whose device is not there go elsewhere */
} weir_runner_options;

/* Never null. |graph| stays the caller's and may grow between runs. |options| may be null. */
TF_CAPI_EXPORT extern weir_runner *weir_runner_new(TF_Graph *graph,
                                                   const weir_runner_options *options);
TF_CAPI_EXPORT extern void weir_runner_delete(weir_runner *r); /* takes null */
/* The session; it is the runner's and ends with it. Null when it could not be made. */
TF_CAPI_EXPORT extern TF_Session *weir_runner_session(const weir_runner *r);
/* The first failure, or TF_OK. */
TF_CAPI_EXPORT extern const TF_Status *weir_runner_status(const weir_runner *r);
/* Forgets the failure, for those who expected it. */
TF_CAPI_EXPORT extern void weir_runner_forgive(weir_runner *r);

/* |x| is |value| in every later run, until it is fed something else; null: nothing. Takes over
 * |value|. */
TF_CAPI_EXPORT extern void weir_runner_feed(weir_runner *r, TF_Output x, TF_Tensor *value);
/* Runs an operation for what it does. */
TF_CAPI_EXPORT extern void weir_runner_do(weir_runner *r, const TF_Operation *op);
/* Runs for values: the caller's to delete; null after a failure. */
TF_CAPI_EXPORT extern void weir_runner_get_all(weir_runner *r, const TF_Output *outputs, int count,
                                               TF_Tensor **values);
/* Runs for one value: the caller's to delete; null after a failure. */
TF_CAPI_EXPORT extern TF_Tensor *weir_runner_get(weir_runner *r, TF_Output output);
/* The first element of a tensor of numbers, as a double; NaN after a failure. */
TF_CAPI_EXPORT extern double weir_runner_number(weir_runner *r, TF_Output output);

/* Runs an operation of any session again and again until a run fails, and gives that failure: how a
 * queue is filled, or a chief updates. In a server of this process a run over several tasks begins
 * where the one before ended, without this thread in between. */
TF_CAPI_EXPORT extern void weir_run_until_failure(TF_Session *session, const TF_Operation *op,
                                                  TF_Status *status);

/* A tensor of |rank| dims of as many elements of a type of numbers, which are copied. Null when
 * there is no memory for it. */
TF_CAPI_EXPORT extern TF_Tensor *weir_make_tensor(TF_DataType type, int rank, const int64_t *dims,
                                                  const void *elements);
/* A scalar string. Deleted by weir_delete_made. */
TF_CAPI_EXPORT extern TF_Tensor *weir_make_string(const char *text);
/* For tensors that a program made: TF_DeleteTensor leaves their strings to it. */
TF_CAPI_EXPORT extern void weir_delete_made(TF_Tensor *made);

#ifdef __cplusplus
}
#endif
#endif
