/* tensorflow/c/eager/c_api.h - ops run one by one, at once.
 *
 * A TFE_Context holds devices and functions, a TFE_TensorHandle a value, a TFE_Op a call being put
 * together. Contexts may be used by many threads at once, the others by one at a time.
 */
#ifndef TENSORFLOW_C_EAGER_C_API_H_
#define TENSORFLOW_C_EAGER_C_API_H_

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- contexts -------------------------------------------------------------------------------- */

typedef struct TFE_ContextOptions TFE_ContextOptions;
typedef struct TFE_Context TFE_Context;

/* What happens when an input lies on another device than its op. */
typedef enum TFE_ContextDevicePlacementPolicy {
    TFE_DEVICE_PLACEMENT_EXPLICIT = 0,
    TFE_DEVICE_PLACEMENT_WARN = 1,
    TFE_DEVICE_PLACEMENT_SILENT = 2,
    TFE_DEVICE_PLACEMENT_SILENT_FOR_INT32 = 3
} TFE_ContextDevicePlacementPolicy;

/* The caller ends them with TFE_DeleteContextOptions. One thread at a time. */
TF_CAPI_EXPORT extern TFE_ContextOptions *TFE_NewContextOptions(void);
/* A serialised ConfigProto. */
TF_CAPI_EXPORT extern void TFE_ContextOptionsSetConfig(TFE_ContextOptions *options,
                                                       const void *proto, size_t proto_len,
                                                       TF_Status *status);
/* Kept; ops are always done when TFE_Execute returns. */
TF_CAPI_EXPORT extern void TFE_ContextOptionsSetAsync(TFE_ContextOptions *, unsigned char enable);
/* Kept for TFE_ContextGetDevicePlacementPolicy; it decides nothing, since every device of a context
 * sees the host's memory. */
TF_CAPI_EXPORT extern void
TFE_ContextOptionsSetDevicePlacementPolicy(TFE_ContextOptions *, TFE_ContextDevicePlacementPolicy);
/* Takes null. Contexts that were made with them stay. */
TF_CAPI_EXPORT extern void TFE_DeleteContextOptions(TFE_ContextOptions *);

/* A context with the devices of this process; the caller ends it with TFE_DeleteContext. |opts|
 * are read, not kept. Null on failure. */
TF_CAPI_EXPORT extern TFE_Context *TFE_NewContext(const TFE_ContextOptions *opts,
                                                  TF_Status *status);
/* Takes null. No op of the context may be running; handles stay valid. */
TF_CAPI_EXPORT extern void TFE_DeleteContext(TFE_Context *ctx);
/* The caller ends the list with TF_DeleteDeviceList. */
TF_CAPI_EXPORT extern TF_DeviceList *TFE_ContextListDevices(TFE_Context *ctx, TF_Status *status);
/* Forgets what was prepared for calls that ran before; the next ones prepare it again. */
TF_CAPI_EXPORT extern void TFE_ContextClearCaches(TFE_Context *ctx);
/* Sets the context's policy, for all threads alike. */
TF_CAPI_EXPORT extern void
TFE_ContextSetThreadLocalDevicePlacementPolicy(TFE_Context *ctx,
                                               TFE_ContextDevicePlacementPolicy policy);
/* The policy that was set last. */
TF_CAPI_EXPORT extern TFE_ContextDevicePlacementPolicy
TFE_ContextGetDevicePlacementPolicy(TFE_Context *ctx);
/* UNIMPLEMENTED: an eager context has only the devices of its own process. */
TF_CAPI_EXPORT extern void TFE_ContextSetServerDef(TFE_Context *ctx, int keep_alive_secs,
                                                   const void *proto, size_t proto_len,
                                                   TF_Status *status);

/* Functions that ops may call. */
TF_CAPI_EXPORT extern void TFE_ContextAddFunctionDef(TFE_Context *ctx,
                                                     const char *serialized_function_def,
                                                     size_t size, TF_Status *status);
/* Copies the function, which stays the caller's. INVALID_ARGUMENT when another function of that
 * name is there. */
TF_CAPI_EXPORT extern void TFE_ContextAddFunction(TFE_Context *ctx, TF_Function *function,
                                                  TF_Status *status);
/* INVALID_ARGUMENT when there is none of that name. Calls that were prepared are forgotten. */
TF_CAPI_EXPORT extern void TFE_ContextRemoveFunction(TFE_Context *ctx, const char *name,
                                                     TF_Status *status);
/* 1 when a function of that name was added and not removed. */
TF_CAPI_EXPORT extern unsigned char TFE_ContextHasFunction(TFE_Context *ctx, const char *name);

/* Collects a RunMetadata of what runs while enabled. */
TF_CAPI_EXPORT extern void TFE_ContextEnableRunMetadata(TFE_Context *ctx);
/* Ends collecting; what was collected stays to be exported. */
TF_CAPI_EXPORT extern void TFE_ContextDisableRunMetadata(TFE_Context *ctx);
/* Writes what was collected, a serialised RunMetadata, to the empty buffer |buf| and forgets it. */
TF_CAPI_EXPORT extern void TFE_ContextExportRunMetadata(TFE_Context *ctx, TF_Buffer *buf,
                                                        TF_Status *status);
/* Does nothing: values between ops belong to their handles. */
TF_CAPI_EXPORT extern void TFE_ContextStartStep(TFE_Context *ctx);
/* Does nothing, as TFE_ContextStartStep. */
TF_CAPI_EXPORT extern void TFE_ContextEndStep(TFE_Context *ctx);

/* ---- values ---------------------------------------------------------------------------------- */

typedef struct TFE_TensorHandle TFE_TensorHandle;
typedef struct TFE_TensorDebugInfo TFE_TensorDebugInfo;

/* Shares the tensor's bytes. */
TF_CAPI_EXPORT extern TFE_TensorHandle *TFE_NewTensorHandle(const TF_Tensor *t, TF_Status *status);
/* Takes null. */
TF_CAPI_EXPORT extern void TFE_DeleteTensorHandle(TFE_TensorHandle *h);
/* The handle must not be null. */
TF_CAPI_EXPORT extern TF_DataType TFE_TensorHandleDataType(TFE_TensorHandle *h);
/* -1 with INVALID_ARGUMENT for a null handle. */
TF_CAPI_EXPORT extern int TFE_TensorHandleNumDims(TFE_TensorHandle *h, TF_Status *status);
/* -1 with INVALID_ARGUMENT for a null handle. */
TF_CAPI_EXPORT extern int64_t TFE_TensorHandleNumElements(TFE_TensorHandle *h, TF_Status *status);
/* -1 with INVALID_ARGUMENT for a null handle or a dimension that it has not. */
TF_CAPI_EXPORT extern int64_t TFE_TensorHandleDim(TFE_TensorHandle *h, int dim_index,
                                                  TF_Status *status);
/* Names live as long as the handle. */
TF_CAPI_EXPORT extern const char *TFE_TensorHandleDeviceName(TFE_TensorHandle *h,
                                                             TF_Status *status);
/* The same name as TFE_TensorHandleDeviceName. */
TF_CAPI_EXPORT extern const char *TFE_TensorHandleBackingDeviceName(TFE_TensorHandle *h,
                                                                    TF_Status *status);
/* A second handle of the same bytes; the caller deletes it. Null with INVALID_ARGUMENT for a null
 * handle. */
TF_CAPI_EXPORT extern TFE_TensorHandle *TFE_TensorHandleCopySharingTensor(TFE_TensorHandle *h,
                                                                          TF_Status *status);
/* A tensor that shares the handle's bytes, which are not to be changed; the caller deletes it.
 * Null with INVALID_ARGUMENT for a null handle. */
TF_CAPI_EXPORT extern TF_Tensor *TFE_TensorHandleResolve(TFE_TensorHandle *h, TF_Status *status);
/* A handle on the device, which the caller deletes; where memory is shared, the bytes are too.
 * Null with INVALID_ARGUMENT when there is no such device. */
TF_CAPI_EXPORT extern TFE_TensorHandle *TFE_TensorHandleCopyToDevice(TFE_TensorHandle *h,
                                                                     TFE_Context *ctx,
                                                                     const char *device_name,
                                                                     TF_Status *status);

/* The dims as the device keeps them. */
TF_CAPI_EXPORT extern TFE_TensorDebugInfo *TFE_TensorHandleTensorDebugInfo(TFE_TensorHandle *h,
                                                                           TF_Status *status);
/* Takes null. */
TF_CAPI_EXPORT extern void TFE_DeleteTensorDebugInfo(TFE_TensorDebugInfo *debug_info);
/* The rank. */
TF_CAPI_EXPORT extern int TFE_TensorDebugInfoOnDeviceNumDims(TFE_TensorDebugInfo *debug_info);
/* -1 for a dimension that it has not. */
TF_CAPI_EXPORT extern int64_t TFE_TensorDebugInfoOnDeviceDim(TFE_TensorDebugInfo *debug_info,
                                                             int dim_index);

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct TFE_Op TFE_Op;

/* An op type or a function of the context. */
TF_CAPI_EXPORT extern TFE_Op *TFE_NewOp(TFE_Context *ctx, const char *op_or_function_name,
                                        TF_Status *status);
/* Takes null. Handles that were its inputs stay. */
TF_CAPI_EXPORT extern void TFE_DeleteOp(TFE_Op *op);
/* The op or function that is called. Lives as long as |op|, until TFE_OpReset. */
TF_CAPI_EXPORT extern const char *TFE_OpGetName(const TFE_Op *op, TF_Status *status);
/* The context that |op| was made in. */
TF_CAPI_EXPORT extern TFE_Context *TFE_OpGetContext(const TFE_Op *op, TF_Status *status);
/* Where to run; "" or null: wherever there is a kernel. INVALID_ARGUMENT when the context has no
 * such device. */
TF_CAPI_EXPORT extern void TFE_OpSetDevice(TFE_Op *op, const char *device_name, TF_Status *status);
/* The full name of the device that was set, else "". Lives until another one is set. */
TF_CAPI_EXPORT extern const char *TFE_OpGetDevice(const TFE_Op *op, TF_Status *status);

/* Adds a value as the next input, or to the list that was begun by one; |op| keeps the handle
 * alive. INVALID_ARGUMENT when it takes no more. */
TF_CAPI_EXPORT extern void TFE_OpAddInput(TFE_Op *op, TFE_TensorHandle *input, TF_Status *status);
/* Adds values as the next input, which is a list. INVALID_ARGUMENT when the next input is none or
 * there are no more. */
TF_CAPI_EXPORT extern void TFE_OpAddInputList(TFE_Op *op, TFE_TensorHandle **inputs, int num_inputs,
                                              TF_Status *status);
/* How many values were added, lists counted by their length. */
TF_CAPI_EXPORT extern int TFE_OpGetFlatInputCount(const TFE_Op *op, TF_Status *status);
/* One of the values that were added; it is |op|'s, not the caller's. Null with INVALID_ARGUMENT
 * when there is none. */
TF_CAPI_EXPORT extern TFE_TensorHandle *TFE_OpGetFlatInput(const TFE_Op *op, int index,
                                                           TF_Status *status);

/* The kind of an attr in the signature. */
TF_CAPI_EXPORT extern TF_AttrType TFE_OpGetAttrType(TFE_Op *op, const char *attr_name,
                                                    unsigned char *is_list, TF_Status *status);
/* The same for an op type or a function by name. NOT_FOUND when there is none, INVALID_ARGUMENT
 * when it has no such attr; then TF_ATTR_INT is returned. */
TF_CAPI_EXPORT extern TF_AttrType TFE_OpNameGetAttrType(TFE_Context *ctx,
                                                        const char *op_or_function_name,
                                                        const char *attr_name,
                                                        unsigned char *is_list, TF_Status *status);

/* Attrs, as in c_api.h. Mistakes are told by TFE_Execute where there is no status. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrString(TFE_Op *op, const char *attr_name, const void *value,
                                               size_t length);
/* An attr of kind int. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrInt(TFE_Op *op, const char *attr_name, int64_t value);
/* An attr of kind float. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrFloat(TFE_Op *op, const char *attr_name, float value);
/* An attr of kind bool; anything but 0 is true. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrBool(TFE_Op *op, const char *attr_name,
                                             unsigned char value);
/* An attr of kind type. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrType(TFE_Op *op, const char *attr_name, TF_DataType value);
/* An attr of kind shape; |num_dims| -1: unknown rank. INVALID_ARGUMENT for more dimensions than a
 * tensor can have. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrShape(TFE_Op *op, const char *attr_name,
                                              const int64_t *dims, const int num_dims,
                                              TF_Status *out_status);
/* The name and attrs of |value|; its inputs do not count. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrFunction(TFE_Op *op, const char *attr_name,
                                                 const TFE_Op *value);
/* A function by its name of |length| bytes, without attrs. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrFunctionName(TFE_Op *op, const char *attr_name,
                                                     const char *data, size_t length);
/* An attr of kind tensor. The elements are shared; the tensor stays the caller's. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrTensor(TFE_Op *op, const char *attr_name, TF_Tensor *tensor,
                                               TF_Status *status);
/* An attr of kind list(string). The bytes are copied. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrStringList(TFE_Op *op, const char *attr_name,
                                                   const void *const *values, const size_t *lengths,
                                                   int num_values);
/* An attr of kind list(int). The values are copied. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrIntList(TFE_Op *op, const char *attr_name,
                                                const int64_t *values, int num_values);
/* An attr of kind list(float). The values are copied. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrFloatList(TFE_Op *op, const char *attr_name,
                                                  const float *values, int num_values);
/* An attr of kind list(bool). The values are copied. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrBoolList(TFE_Op *op, const char *attr_name,
                                                 const unsigned char *values, int num_values);
/* An attr of kind list(type). The values are copied. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrTypeList(TFE_Op *op, const char *attr_name,
                                                 const TF_DataType *values, int num_values);
/* An attr of kind list(shape), each as for TFE_OpSetAttrShape. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrShapeList(TFE_Op *op, const char *attr_name,
                                                  const int64_t **dims, const int *num_dims,
                                                  int num_values, TF_Status *out_status);
/* An attr of kind list(func): names and attrs of the calls in |value|, which stay the caller's. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrFunctionList(TFE_Op *op, const char *attr_name,
                                                     const TFE_Op **value, int num_values);

/* How many tensors an argument stands for, as far as inputs and attrs say. */
TF_CAPI_EXPORT extern int TFE_OpGetInputLength(TFE_Op *op, const char *input_name,
                                               TF_Status *status);
/* -1 with INVALID_ARGUMENT when there is no such output or the attrs that say so are not known
 * yet. */
TF_CAPI_EXPORT extern int TFE_OpGetOutputLength(TFE_Op *op, const char *output_name,
                                                TF_Status *status);

/* Runs |op|. *num_retvals is the room in |retvals|, and then how many there are. */
TF_CAPI_EXPORT extern void TFE_Execute(TFE_Op *op, TFE_TensorHandle **retvals, int *num_retvals,
                                       TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
