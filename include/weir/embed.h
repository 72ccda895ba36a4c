/* weir/embed.h - for interpreters that embed the library: ops that call back into the interpreter,
 * steps that are run many times over its arrays, and steps that a signal can interrupt. */
#ifndef WEIR_EMBED_H
#define WEIR_EMBED_H

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Callback of the ops PyFunc, PyFuncStateless and EagerPyFunc: |token| is the op's attr and
 * identifies the function. The callee may delete or keep |inputs| and then clears the entries; the
 * library deletes the remaining ones afterwards. The callee sets every entry of |outputs| to a
 * tensor that the library then owns, or sets an error in |status|: the step fails with it. Called
 * on any thread, possibly concurrently. */
typedef void (*weir_function_call)(const char *token, TF_Tensor **inputs, int input_count,
                                   TF_Tensor **outputs, int output_count, TF_Status *status);

/* Sets the process-wide callback; null: such ops fail with UNAVAILABLE. Does not wait for calls in
 * progress. Thread-safe. */
TF_CAPI_EXPORT extern void weir_set_function_call(weir_function_call call);

/* A tensor over memory that the caller still owns, without a copy if elements are aligned to their
 * own size. The library never writes to it, and whatever outlives a step (variables, queues,
 * datasets) holds a copy, so the caller may change the memory between steps. |release| is called
 * after the last read, on any thread; if |len| is wrong, it is called before this returns null. */
TF_CAPI_EXPORT extern TF_Tensor *
weir_lend_tensor(TF_DataType dtype, const int64_t *dims, int num_dims, void *data, size_t len,
                 void (*release)(void *data, size_t len, void *arg), void *arg);

/* A step that is run many times: its feeds, fetches and targets are checked and looked up once. */
typedef struct weir_fixed_step weir_fixed_step;

/* What a run of it feeds: a tensor, or memory that the caller still owns. */
typedef struct weir_fed {
    TF_Tensor *tensor; /* the caller's; null: the memory, as of weir_lend_tensor */
    TF_DataType dtype;
    int num_dims;
    const int64_t *dims;
    void *data;
    size_t len;
    void (*release)(void *data, size_t len, void *arg);
    void *arg;
    int returned; /* set by the run: the memory is not used any more, and release is not called */
} weir_fed;

/* A step with the feeds, fetches and targets of a TF_SessionRun, which are copied. Null if there is
 * none, or the graph has no such outputs; |status| says which. The caller owns it; |session| must
 * outlive it. */
TF_CAPI_EXPORT extern weir_fixed_step *weir_fixed_step_new(TF_Session *session,
                                                           const TF_Output *inputs, int ninputs,
                                                           const TF_Output *outputs, int noutputs,
                                                           const TF_Operation *const *target_opers,
                                                           int ntargets, TF_Status *status);
/* No run may be in progress. Takes null. */
TF_CAPI_EXPORT extern void weir_fixed_step_delete(weir_fixed_step *step);
/* Runs it as TF_SessionRun does, with one of |feeds| for each input. The caller owns the outputs,
 * which are null if the run failed. Thread-safe: several runs may be in progress. */
TF_CAPI_EXPORT extern void weir_fixed_step_run(weir_fixed_step *step, weir_fed *feeds,
                                               TF_Tensor **output_values, TF_Status *status);

/* Interrupts the steps of one thread. */
typedef struct weir_interrupt weir_interrupt;

/* A new one, not fired; the caller owns it. */
TF_CAPI_EXPORT extern weir_interrupt *weir_interrupt_new(void);
/* No thread may use it any more. Takes null. */
TF_CAPI_EXPORT extern void weir_interrupt_delete(weir_interrupt *interrupt);
/* Makes TF_SessionRun of this thread interruptible from now on; null: no longer. */
TF_CAPI_EXPORT extern void weir_interrupt_use(weir_interrupt *interrupt);
/* Cancels the running step, if any, with CANCELLED; later steps are unaffected. Callable from any
 * thread, but not from a signal handler. */
TF_CAPI_EXPORT extern void weir_interrupt_fire(weir_interrupt *interrupt);

#ifdef __cplusplus
}
#endif
#endif
