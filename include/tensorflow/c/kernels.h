/* tensorflow/c/kernels.h - kernels of ops, written against the C interface.
 *
 * A kernel is three functions: one makes an object for a node of a graph, from its attrs; one
 * computes, as often as steps run the node, possibly on several threads at once; one ends the
 * object. A library registers them with a builder when it is loaded (tensorflow/c/ops.h).
 */
#ifndef TENSORFLOW_C_KERNELS_H_
#define TENSORFLOW_C_KERNELS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_buffer.h"
#include "tensorflow/c/tf_datatype.h"
#include "tensorflow/c/tf_status.h"
#include "tensorflow/c/tf_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_KernelBuilder TF_KernelBuilder;
typedef struct TF_OpKernelConstruction TF_OpKernelConstruction;
typedef struct TF_OpKernelContext TF_OpKernelContext;
typedef struct TF_AsyncOpKernelDoneCallback TF_AsyncOpKernelDoneCallback;
typedef struct SP_Stream_st *SP_Stream;

/* A library that exports it is asked to register its kernels there. */
void TF_InitKernel(void);

/* ---- registering ----------------------------------------------------------------------------- */

/* A kernel of |op_name| for devices of type |device_name| ("CPU"). Of the functions, create and
 * delete may be null. The builder ends by being registered or deleted. */
TF_CAPI_EXPORT extern TF_KernelBuilder *TF_NewKernelBuilder(
    const char *op_name, const char *device_name, void *(*create_func)(TF_OpKernelConstruction *),
    void (*compute_func)(void *, TF_OpKernelContext *), void (*delete_func)(void *));
/* The node is done when |done| is called, by any thread, once. */
TF_CAPI_EXPORT extern TF_KernelBuilder *TF_NewAsyncKernelBuilder(
    const char *op_name, const char *device_name, void *(*create_func)(TF_OpKernelConstruction *),
    void (*compute_async_func)(void *, TF_OpKernelContext *, TF_AsyncOpKernelDoneCallback *done),
    void (*delete_func)(void *));
/* Ends the node with its outputs, or with what TF_OpKernelContext_Failure said, and ends |done|
 * and the context of the call. */
TF_CAPI_EXPORT extern void TF_RunAsyncOpKernelDoneCallback(TF_AsyncOpKernelDoneCallback *done);
/* Serves only nodes whose attr |attr_name| is |type|. */
TF_CAPI_EXPORT extern void TF_KernelBuilder_TypeConstraint(TF_KernelBuilder *kernel_builder,
                                                           const char *attr_name, TF_DataType type,
                                                           TF_Status *status);
/* The argument is in host memory, on devices that have memory of their own. */
TF_CAPI_EXPORT extern void TF_KernelBuilder_HostMemory(TF_KernelBuilder *kernel_builder,
                                                       const char *arg_name);
/* Of several kernels that fit a node, the one with the highest number serves it. Those of the
 * library itself have 0. */
TF_CAPI_EXPORT extern void TF_KernelBuilder_Priority(TF_KernelBuilder *kernel_builder,
                                                     int32_t priority_number);
/* Serves only nodes whose attr "_kernel" is |label|, which is copied. */
TF_CAPI_EXPORT extern void TF_KernelBuilder_Label(TF_KernelBuilder *kernel_builder,
                                                  const char *label);
/* Ends the builder, also on failure. The op may be registered later. */
TF_CAPI_EXPORT extern void TF_RegisterKernelBuilder(const char *kernel_name,
                                                    TF_KernelBuilder *builder, TF_Status *status);
/* The same, with what a serialised KernelDef says in the place of what the builder was told. */
TF_CAPI_EXPORT extern void TF_RegisterKernelBuilderWithKernelDef(const char *serialized_kernel_def,
                                                                 const char *name,
                                                                 TF_KernelBuilder *builder,
                                                                 TF_Status *status);
TF_CAPI_EXPORT extern void TF_DeleteKernelBuilder(TF_KernelBuilder *builder); /* takes null */

/* ---- making a kernel ------------------------------------------------------------------------- */

/* The kernel cannot be made: every step that would run the node fails with |status|. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_Failure(TF_OpKernelConstruction *ctx,
                                                           TF_Status *status);
/* The name of the node. Lives as long as the kernel. */
TF_CAPI_EXPORT extern TF_StringView TF_OpKernelConstruction_GetName(TF_OpKernelConstruction *ctx);
/* A serialised NodeDef without inputs. The caller's to delete. */
TF_CAPI_EXPORT extern TF_Buffer *TF_OpKernelConstruction_GetNodeDef(TF_OpKernelConstruction *ctx,
                                                                    TF_Status *status);
/* Whether the op's signature has the attr. */
TF_CAPI_EXPORT extern bool TF_OpKernelConstruction_HasAttr(TF_OpKernelConstruction *ctx,
                                                           const char *attr_name,
                                                           TF_Status *status);
/* The attr's length as a list, -1 when it is none; the bytes of its strings or the dims of its
 * shapes, -1 for other kinds. */
TF_CAPI_EXPORT extern void
TF_OpKernelConstruction_GetAttrSize(TF_OpKernelConstruction *ctx, const char *attr_name,
                                    int32_t *list_size, int32_t *total_size, TF_Status *status);

/* Attrs by name: NOT_FOUND when the op has no such one, INVALID_ARGUMENT when it is of another
 * kind. Lists are cut to |max_vals|; strings to |max_length| bytes, without a zero at their end. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrType(TF_OpKernelConstruction *ctx,
                                                               const char *attr_name,
                                                               TF_DataType *val, TF_Status *status);
/* INVALID_ARGUMENT also when the number does not fit. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrInt32(TF_OpKernelConstruction *ctx,
                                                                const char *attr_name, int32_t *val,
                                                                TF_Status *status);
/* An attr of kind int. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrInt64(TF_OpKernelConstruction *ctx,
                                                                const char *attr_name, int64_t *val,
                                                                TF_Status *status);
/* An attr of kind float. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrFloat(TF_OpKernelConstruction *ctx,
                                                                const char *attr_name, float *val,
                                                                TF_Status *status);
/* An attr of kind bool. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrBool(TF_OpKernelConstruction *ctx,
                                                               const char *attr_name, TF_Bool *val,
                                                               TF_Status *status);
/* An attr of kind string, copied to |val|. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrString(TF_OpKernelConstruction *ctx,
                                                                 const char *attr_name, char *val,
                                                                 size_t max_length,
                                                                 TF_Status *status);
/* A tensor that shares the elements, which are not to be changed; the caller deletes it. Null on
 * failure. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrTensor(TF_OpKernelConstruction *ctx,
                                                                 const char *attr_name,
                                                                 TF_Tensor **val,
                                                                 TF_Status *status);
/* An attr of kind list(type), copied to |vals|. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrTypeList(TF_OpKernelConstruction *ctx,
                                                                   const char *attr_name,
                                                                   TF_DataType *vals, int max_vals,
                                                                   TF_Status *status);
/* An attr of kind list(int), copied to |vals|; INVALID_ARGUMENT also when a number does not fit. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrInt32List(TF_OpKernelConstruction *ctx,
                                                                    const char *attr_name,
                                                                    int32_t *vals, int max_vals,
                                                                    TF_Status *status);
/* An attr of kind list(int), copied to |vals|. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrInt64List(TF_OpKernelConstruction *ctx,
                                                                    const char *attr_name,
                                                                    int64_t *vals, int max_vals,
                                                                    TF_Status *status);
/* An attr of kind list(float), copied to |vals|. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrFloatList(TF_OpKernelConstruction *ctx,
                                                                    const char *attr_name,
                                                                    float *vals, int max_vals,
                                                                    TF_Status *status);
/* An attr of kind list(bool), copied to |vals|. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrBoolList(TF_OpKernelConstruction *ctx,
                                                                   const char *attr_name,
                                                                   TF_Bool *vals, int max_vals,
                                                                   TF_Status *status);
/* The strings' bytes go to |storage|. */
TF_CAPI_EXPORT extern void
TF_OpKernelConstruction_GetAttrStringList(TF_OpKernelConstruction *ctx, const char *attr_name,
                                          char **values, size_t *lengths, int max_values,
                                          void *storage, size_t storage_size, TF_Status *status);
/* Tensors as of TF_OpKernelConstruction_GetAttrTensor; the caller deletes each. */
TF_CAPI_EXPORT extern void
TF_OpKernelConstruction_GetAttrTensorList(TF_OpKernelConstruction *ctx, const char *attr_name,
                                          TF_Tensor **vals, int max_values, TF_Status *status);
/* A serialised NameAttrList. The caller's to delete. */
TF_CAPI_EXPORT extern TF_Buffer *
TF_OpKernelConstruction_GetAttrFunction(TF_OpKernelConstruction *ctx, const char *attr_name,
                                        TF_Status *status);

/* ---- computing ------------------------------------------------------------------------------- */

/* The step fails with |status|. */
TF_CAPI_EXPORT extern void TF_OpKernelContext_Failure(TF_OpKernelContext *ctx, TF_Status *status);
/* Values, lists counted by their length. */
TF_CAPI_EXPORT extern int TF_NumInputs(TF_OpKernelContext *ctx);
/* Values, lists counted by their length. */
TF_CAPI_EXPORT extern int TF_NumOutputs(TF_OpKernelContext *ctx);
/* A tensor that shares the input's elements, which are not to be changed. The caller's to delete.
 */
TF_CAPI_EXPORT extern void TF_GetInput(TF_OpKernelContext *ctx, int i, TF_Tensor **tensor,
                                       TF_Status *status);

typedef struct {
    size_t struct_size;
    void *priv;
    int start, stop;   /* out: the inputs [start, stop) are those of the argument */
    TF_Status *status; /* out */
} TF_InputRange_Args;
#define TF_InputRange_Args_STRUCT_SIZE TF_OFFSET_OF_END(TF_InputRange_Args, status)

/* Which inputs an argument stands for. INVALID_ARGUMENT in |args| when the op has no such one. */
TF_CAPI_EXPORT extern void TF_InputRange(TF_OpKernelContext *ctx, const char *name,
                                         TF_InputRange_Args *args);
/* 0 when there is no such input. */
TF_CAPI_EXPORT extern TF_DataType TF_InputDatatype(TF_OpKernelContext *ctx, int index);
/* 0 when there is no such output. */
TF_CAPI_EXPORT extern TF_DataType TF_ExpectedOutputDataType(TF_OpKernelContext *ctx, int i);
/* The output shares |tensor|'s elements. */
TF_CAPI_EXPORT extern void TF_SetOutput(TF_OpKernelContext *ctx, int i, const TF_Tensor *tensor,
                                        TF_Status *status);
/* What output |i| was set to; null when it was not. The caller's to delete. */
TF_CAPI_EXPORT extern TF_Tensor *TF_GetMutableOutput(TF_OpKernelContext *ctx, int i,
                                                     TF_Status *status);
/* Sets an output to a new tensor, to be filled. The caller deletes what it is given; the output
 * stays. */
TF_CAPI_EXPORT extern TF_Tensor *TF_AllocateOutput(TF_OpKernelContext *context, int index,
                                                   TF_DataType dtype, const int64_t *dims,
                                                   int num_dims, size_t len, TF_Status *status);
/* Takes the elements of one of the inputs for the output, when nobody else holds them and they are
 * as many; else a new tensor. |forwarded_input| may be null; -1: none was. */
TF_CAPI_EXPORT extern TF_Tensor *
TF_ForwardInputOrAllocateOutput(TF_OpKernelContext *context, const int *candidate_input_indices,
                                int num_candidate_input_indices, int output_index,
                                const int64_t *output_dims, int output_num_dims,
                                int *forwarded_input, TF_Status *status);
/* A tensor for the kernel alone, which it deletes. |alloc_attrs| may be null and changes nothing:
 * the memory is the host's. Null on failure. */
TF_CAPI_EXPORT extern TF_Tensor *TF_AllocateTemp(TF_OpKernelContext *context, TF_DataType dtype,
                                                 const int64_t *dims, int num_dims,
                                                 TF_AllocatorAttributes *alloc_attrs,
                                                 TF_Status *status);
/* Whether TF_KernelBuilder_HostMemory named the argument; false with OUT_OF_RANGE when there is
 * no such input. */
TF_CAPI_EXPORT extern bool TF_IsHostMemoryInput(TF_OpKernelContext *ctx, int i, TF_Status *status);
/* The same for an output. */
TF_CAPI_EXPORT extern bool TF_IsHostMemoryOutput(TF_OpKernelContext *ctx, int i, TF_Status *status);
/* UNIMPLEMENTED: kernels of libraries run on processors, which have no streams. */
TF_CAPI_EXPORT extern SP_Stream TF_GetStream(TF_OpKernelContext *ctx, TF_Status *status);
/* A number that the calls of one step have in common. */
TF_CAPI_EXPORT extern int64_t TF_StepId(TF_OpKernelContext *ctx);
/* The same as TF_StepId. */
TF_CAPI_EXPORT extern int64_t TF_GetStepId(TF_OpKernelContext *ctx);
/* Which loop the call belongs to, and which iteration of it; 0 outside. */
TF_CAPI_EXPORT extern uint64_t TF_GetFrameId(TF_OpKernelContext *ctx);
/* The iteration of the loop that the call belongs to; 0 outside of loops. */
TF_CAPI_EXPORT extern int64_t TF_GetIterId(TF_OpKernelContext *ctx);
/* The number at the end of the device's name. */
TF_CAPI_EXPORT extern int TF_GetDeviceId(TF_OpKernelContext *ctx);
/* Texts live as long as the kernel. */
TF_CAPI_EXPORT extern TF_StringView TF_GetDeviceName(TF_OpKernelContext *ctx);
/* The name of the node. */
TF_CAPI_EXPORT extern TF_StringView TF_GetOpKernelName(TF_OpKernelContext *ctx);
/* "localhost". */
TF_CAPI_EXPORT extern TF_StringView TF_GetResourceMgrDefaultContainerName(TF_OpKernelContext *ctx);
/* The name of the argument that input |index| belongs to. */
TF_CAPI_EXPORT extern TF_StringView TF_GetOpKernelRequestedInput(TF_OpKernelContext *ctx,
                                                                 size_t index);
/* The version of GraphDefs that this library writes. */
TF_CAPI_EXPORT extern int TF_GetGraphDefVersion(TF_OpKernelContext *ctx);
/* Serialised messages, into an empty buffer: empty ones for the library and the configuration. */
TF_CAPI_EXPORT extern void
TF_GetSerializedFunctionDefLibrary(TF_OpKernelContext *ctx,
                                   TF_Buffer *serialized_function_def_library, TF_Status *status);
/* An empty message. */
TF_CAPI_EXPORT extern void TF_GetSerializedConfigProto(TF_OpKernelContext *ctx,
                                                       TF_Buffer *serialized_config_proto,
                                                       TF_Status *status);
/* The handle that input |i| holds. INVALID_ARGUMENT when it holds none. */
TF_CAPI_EXPORT extern void
TF_GetSerializedResourceHandleProto(TF_OpKernelContext *ctx, int i,
                                    TF_Buffer *serialized_resource_handle_proto, TF_Status *status);
/* What a kernel starts that outlives its computation; nothing waits for it. */
TF_CAPI_EXPORT extern void TF_IncNumDeferredOps(TF_OpKernelContext *context);
/* Does nothing, as TF_IncNumDeferredOps. */
TF_CAPI_EXPORT extern void TF_DecNumDeferredOps(TF_OpKernelContext *context);

#ifdef __cplusplus
}
#endif
#endif
