/* weir/embed.h - for interpreters that host the library: functions of theirs as ops, steps that a
 * signal ends. */
#ifndef WEIR_EMBED_H
#define WEIR_EMBED_H

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the ops PyFunc, PyFuncStateless and EagerPyFunc call: |token| is the op's attr and says
 * which function. |inputs| belong to the call, which deletes them or keeps them; entries that it
 * leaves in place are deleted after it. It sets every one of |outputs| to a tensor that the library
 * takes over, or gives |status| an error: the step fails with it. Called on any thread, by several
 * at once. */
typedef void (*weir_function_call)(const char *token, TF_Tensor **inputs, int input_count,
                                   TF_Tensor **outputs, int output_count, TF_Status *status);

/* Sets the process's one function; null: such ops fail as UNAVAILABLE. Returns at once: calls that
 * have begun go on. Thread-safe. */
TF_CAPI_EXPORT extern void weir_set_function_call(weir_function_call call);

/* A tensor over memory that stays the caller's, without a copy where elements are aligned to their
 * own size. Nothing writes to it, and what outlives a step (variables, queues, datasets) holds a
 * copy, so the caller may change the memory between steps. |release| is called when it is no longer
 * read, on any thread; before it returns null, when |len| does not fit. */
TF_CAPI_EXPORT extern TF_Tensor *
weir_lend_tensor(TF_DataType dtype, const int64_t *dims, int num_dims, void *data, size_t len,
                 void (*release)(void *data, size_t len, void *arg), void *arg);

/* Ends the steps of one thread. */
typedef struct weir_interrupt weir_interrupt;

/* One that was not fired; the caller's. */
TF_CAPI_EXPORT extern weir_interrupt *weir_interrupt_new(void);
/* No thread may use it any more. Takes null. */
TF_CAPI_EXPORT extern void weir_interrupt_delete(weir_interrupt *interrupt);
/* From now on TF_SessionRun of this thread can be interrupted; null: no more. */
TF_CAPI_EXPORT extern void weir_interrupt_use(weir_interrupt *interrupt);
/* Ends the step that runs, if one does, as CANCELLED; a later one runs as usual. Any thread, not a
 * signal handler. */
TF_CAPI_EXPORT extern void weir_interrupt_fire(weir_interrupt *interrupt);

#ifdef __cplusplus
}
#endif
#endif
