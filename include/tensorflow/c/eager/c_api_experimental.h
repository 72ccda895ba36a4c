/* tensorflow/c/eager/c_api_experimental.h - more of eager execution.
 *
 * The part of TensorFlow's experimental eager API that this library has: executors, attrs as a
 * whole, functions of a context, memory of handles.
 */
#ifndef TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_H_
#define TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_H_

#include <stdbool.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/eager/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- contexts -------------------------------------------------------------------------------- */

/* Kept for clients that set it; there is one runtime. */
TF_CAPI_EXPORT extern void TFE_ContextOptionsSetTfrt(TFE_ContextOptions *, bool use_tfrt);
/* A number that no other context has while this one lives. */
TF_CAPI_EXPORT extern uint64_t TFE_GetContextId(TFE_Context *ctx);
/* The same as TFE_ContextEnableRunMetadata. */
TF_CAPI_EXPORT extern void TFE_ContextEnableGraphCollection(TFE_Context *ctx);
/* The same as TFE_ContextDisableRunMetadata. */
TF_CAPI_EXPORT extern void TFE_ContextDisableGraphCollection(TFE_Context *ctx);
/* Waits for nothing: ops are done when TFE_Execute returns. */
TF_CAPI_EXPORT extern void TFE_ContextAsyncWait(TFE_Context *ctx, TF_Status *status);
/* Does nothing and succeeds: an op without a kernel on its device is an error. */
TF_CAPI_EXPORT extern void TFE_ContextSetSoftDevicePlacement(TFE_Context *ctx, unsigned char enable,
                                                             TF_Status *status);
/* Does nothing and succeeds. */
TF_CAPI_EXPORT extern void TFE_ContextSetLogDevicePlacement(TFE_Context *ctx, unsigned char enable,
                                                            TF_Status *status);
/* Does nothing and succeeds. */
TF_CAPI_EXPORT extern void
TFE_ContextSetRunEagerOpAsFunction(TFE_Context *ctx, unsigned char enable, TF_Status *status);
/* Does nothing and succeeds. */
TF_CAPI_EXPORT extern void TFE_ContextSetJitCompileRewrite(TFE_Context *ctx, unsigned char enable,
                                                           TF_Status *status);
/* A serialised FunctionDef, or a new TF_Function; NOT_FOUND when there is none of that name. */
TF_CAPI_EXPORT extern void TFE_ContextGetFunctionDef(TFE_Context *ctx, const char *function_name,
                                                     TF_Buffer *buf, TF_Status *status);
/* The caller ends it with TF_DeleteFunction. */
TF_CAPI_EXPORT extern TF_Function *TFE_ContextGetFunction(TFE_Context *ctx, const char *name,
                                                          TF_Status *status);

/* ---- executors: all of them run ops at once -------------------------------------------------- */

typedef struct TFE_Executor TFE_Executor;

/* The caller ends it with TFE_DeleteExecutor. Only |is_async| is kept. */
TF_CAPI_EXPORT extern TFE_Executor *TFE_NewExecutor(bool is_async, bool enable_streaming_enqueue,
                                                    int in_flight_nodes_limit);
/* Takes null. */
TF_CAPI_EXPORT extern void TFE_DeleteExecutor(TFE_Executor *);
/* What TFE_NewExecutor was told. */
TF_CAPI_EXPORT extern bool TFE_ExecutorIsAsync(TFE_Executor *);
/* Succeeds at once: nothing is ever pending. */
TF_CAPI_EXPORT extern void TFE_ExecutorWaitForAllPendingNodes(TFE_Executor *, TF_Status *status);
/* Does nothing: errors are those of TFE_Execute. */
TF_CAPI_EXPORT extern void TFE_ExecutorClearError(TFE_Executor *);
/* Does nothing; the executor stays the caller's. */
TF_CAPI_EXPORT extern void TFE_ContextSetExecutorForThread(TFE_Context *, TFE_Executor *);
TF_CAPI_EXPORT extern TFE_Executor *TFE_ContextGetExecutorForThread(TFE_Context *); /* a new one */

/* ---- cancellation ---------------------------------------------------------------------------- */

typedef struct TFE_CancellationManager TFE_CancellationManager;
typedef int64_t TFE_CancellationToken;

typedef struct TFE_CancelCallback {
    void (*callback)(void *context);
    void *context;
} TFE_CancelCallback;

/* The caller ends it with TFE_DeleteCancellationManager. Any number of threads may use it. */
TF_CAPI_EXPORT extern TFE_CancellationManager *TFE_NewCancellationManager(void);
/* Takes null. Callbacks that are registered are forgotten; ops under it run on. */
TF_CAPI_EXPORT extern void TFE_DeleteCancellationManager(TFE_CancellationManager *);
/* True when every callback has been called. */
TF_CAPI_EXPORT extern bool TFE_CancellationManagerIsCancelled(TFE_CancellationManager *);
/* True while callbacks are being called. */
TF_CAPI_EXPORT extern bool TFE_CancellationManagerIsCancelling(TFE_CancellationManager *);
/* Calls every callback and ends the ops that run under the manager. */
TF_CAPI_EXPORT extern void TFE_CancellationManagerStartCancel(TFE_CancellationManager *);
/* A token for one callback. */
TF_CAPI_EXPORT extern TFE_CancellationToken
TFE_CancellationManagerGetToken(TFE_CancellationManager *);
/* False when it was cancelled already: the callback is not and will not be called. */
TF_CAPI_EXPORT extern bool
TFE_CancellationManagerRegisterCallback(TFE_CancellationManager *, TFE_CancellationToken token,
                                        const TFE_CancelCallback *c_callback,
                                        const char *callback_name);
/* True: the callback was not and will not be called. The Try form does not wait for one that is
 * being called. */
TF_CAPI_EXPORT extern bool TFE_CancellationManagerDeregisterCallback(TFE_CancellationManager *,
                                                                     TFE_CancellationToken token);
/* The same, and false while callbacks are being called. */
TF_CAPI_EXPORT extern bool
TFE_CancellationManagerTryDeregisterCallback(TFE_CancellationManager *,
                                             TFE_CancellationToken token);
/* The next runs of |op| end with CANCELLED when the manager is cancelled. The manager may be
 * deleted before |op|. */
TF_CAPI_EXPORT extern void
TFE_OpSetCancellationManager(TFE_Op *op, TFE_CancellationManager *cancellation_manager,
                             TF_Status *status);

/* ---- calls ----------------------------------------------------------------------------------- */

/* Makes |op_to_reset| a fresh call of another op, as TFE_NewOp and TFE_OpSetDevice would. */
TF_CAPI_EXPORT extern void TFE_OpReset(TFE_Op *op_to_reset, const char *op_or_function_name,
                                       const char *raw_device_name, TF_Status *status);

/* The attrs that are set on a call; lives as long as the call, and changes with it. */
typedef struct TFE_OpAttrs TFE_OpAttrs;
/* Belongs to |op|. */
TF_CAPI_EXPORT extern const TFE_OpAttrs *TFE_OpGetAttrs(const TFE_Op *op);
/* Copies the attrs; those that |op| has already are replaced. */
TF_CAPI_EXPORT extern void TFE_OpAddAttrs(TFE_Op *op, const TFE_OpAttrs *attrs);
/* A serialised NameAttrList. */
TF_CAPI_EXPORT extern void TFE_OpAttrsSerialize(const TFE_OpAttrs *attrs, TF_Buffer *buf,
                                                TF_Status *status);
/* A serialised AttrValue. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrValueProto(const TFE_Op *op, const char *attr_name,
                                                   const void *proto, size_t proto_len,
                                                   TF_Status *status);

/* ---- values ---------------------------------------------------------------------------------- */

/* A tensor to be filled, which the caller deletes. Null with INVALID_ARGUMENT for a type or shape
 * that no tensor has, RESOURCE_EXHAUSTED when there is no memory. */
TF_CAPI_EXPORT extern TF_Tensor *TFE_AllocateHostTensor(TFE_Context *ctx, TF_DataType dtype,
                                                        const int64_t *dims, int num_dims,
                                                        TF_Status *status);
/* As TFE_NewTensorHandle. */
TF_CAPI_EXPORT extern TFE_TensorHandle *
TFE_NewTensorHandleFromTensor(TFE_Context *ctx, TF_Tensor *t, TF_Status *status);
/* Takes over |data| as TF_NewTensor does. */
TF_CAPI_EXPORT extern TFE_TensorHandle *
TFE_NewTensorHandleFromDeviceMemory(TFE_Context *ctx, const char *device_name, TF_DataType,
                                    const int64_t *dims, int num_dims, void *data, size_t len,
                                    void (*deallocator)(void *data, size_t len, void *arg),
                                    void *deallocator_arg, TF_Status *status);
/* The value's bytes, which live as long as the handle and are not to be changed. */
TF_CAPI_EXPORT extern void *TFE_TensorHandleDevicePointer(TFE_TensorHandle *, TF_Status *);
/* Of the value's bytes. */
TF_CAPI_EXPORT extern size_t TFE_TensorHandleDeviceMemorySize(TFE_TensorHandle *, TF_Status *);
/* "CPU", which lives as long as the process. */
TF_CAPI_EXPORT extern const char *TFE_TensorHandleDeviceType(TFE_TensorHandle *h,
                                                             TF_Status *status);
/* The number at the end of the device's name. */
TF_CAPI_EXPORT extern int TFE_TensorHandleDeviceID(TFE_TensorHandle *h, TF_Status *status);
/* OK: a handle always has its value. */
TF_CAPI_EXPORT extern void TFE_TensorHandleGetStatus(TFE_TensorHandle *h, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
