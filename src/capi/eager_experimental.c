/* capi/eager_experimental.c - executors, attrs as an object, memory of handles. */
#include "tensorflow/c/eager/c_api_experimental.h"

#include <stdlib.h>

#include "capi/eager_impl.h"
#include "graph/proto.h"
#include "wire/messages.h"

/* ---- contexts -------------------------------------------------------------------------------- */

static bool fine(TF_Status *status)
{
    return weir_capi_end(status, WEIR_OK);
}

void TFE_ContextOptionsSetTfrt(TFE_ContextOptions *options, bool use_tfrt)
{
}

uint64_t TFE_GetContextId(TFE_Context *ctx)
{
    return (uint64_t)(uintptr_t)ctx;
}

/* Run metadata includes the executed graphs. */
void TFE_ContextEnableGraphCollection(TFE_Context *ctx)
{
    TFE_ContextEnableRunMetadata(ctx);
}

void TFE_ContextDisableGraphCollection(TFE_Context *ctx)
{
    TFE_ContextDisableRunMetadata(ctx);
}

void TFE_ContextAsyncWait(TFE_Context *ctx, TF_Status *status)
{
    fine(status);
}

void TFE_ContextSetSoftDevicePlacement(TFE_Context *ctx, unsigned char enable, TF_Status *status)
{
    fine(status);
}

void TFE_ContextSetLogDevicePlacement(TFE_Context *ctx, unsigned char enable, TF_Status *status)
{
    fine(status);
}

void TFE_ContextSetRunEagerOpAsFunction(TFE_Context *ctx, unsigned char enable, TF_Status *status)
{
    fine(status);
}

void TFE_ContextSetJitCompileRewrite(TFE_Context *ctx, unsigned char enable, TF_Status *status)
{
    fine(status);
}

TF_Function *TFE_ContextGetFunction(TFE_Context *ctx, const char *name, TF_Status *status)
{
    weir_capi_lock(ctx->graph);
    weir_function *function =
        (weir_function *)weir_graph_find_function(ctx->graph->graph, weir_str_of(name));
    if (function)
        weir_ref_retain(&function->ref);
    weir_capi_unlock(ctx->graph);
    if (!weir_capi_end(status, function ? WEIR_OK
                                        : weir_error(WEIR_NOT_FOUND,
                                                     "Unable to find FunctionDef with "
                                                     "name: %s",
                                                     name)))
        return NULL;
    TF_Function *out = WEIR_NEW(TF_Function);
    out->f = function;
    return out;
}

void TFE_ContextGetFunctionDef(TFE_Context *ctx, const char *function_name, TF_Buffer *buf,
                               TF_Status *status)
{
    TF_Function *function = TFE_ContextGetFunction(ctx, function_name, status);
    if (function)
        TF_FunctionToFunctionDef(function, buf, status);
    TF_DeleteFunction(function);
}

/* ---- executors ------------------------------------------------------------------------------- */

struct TFE_Executor {
    bool async; /* as requested */
};

TFE_Executor *TFE_NewExecutor(bool is_async, bool enable_streaming_enqueue,
                              int in_flight_nodes_limit)
{
    TFE_Executor *executor = WEIR_NEW(TFE_Executor);
    executor->async = is_async;
    return executor;
}

void TFE_DeleteExecutor(TFE_Executor *executor)
{
    weir_free(executor);
}

bool TFE_ExecutorIsAsync(TFE_Executor *executor)
{
    return executor->async;
}

void TFE_ExecutorWaitForAllPendingNodes(TFE_Executor *executor, TF_Status *status)
{
    fine(status);
}

void TFE_ExecutorClearError(TFE_Executor *executor)
{
}

void TFE_ContextSetExecutorForThread(TFE_Context *ctx, TFE_Executor *executor)
{
}

TFE_Executor *TFE_ContextGetExecutorForThread(TFE_Context *ctx)
{
    return TFE_NewExecutor(ctx->async, false, 0);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Moves the new call into the old object. */
void TFE_OpReset(TFE_Op *op_to_reset, const char *op_or_function_name, const char *raw_device_name,
                 TF_Status *status)
{
    TFE_Op *fresh = TFE_NewOp(op_to_reset->ctx, op_or_function_name, status);
    if (!fresh)
        return;
    if (raw_device_name)
        TFE_OpSetDevice(fresh, raw_device_name, status);
    TFE_Op old = *op_to_reset;
    *op_to_reset = *fresh;
    *fresh = old;
    TFE_DeleteOp(fresh);
}

/* TFE_OpAttrs is the call itself. */
const TFE_OpAttrs *TFE_OpGetAttrs(const TFE_Op *op)
{
    return (const TFE_OpAttrs *)op;
}

void TFE_OpAddAttrs(TFE_Op *op, const TFE_OpAttrs *attrs)
{
    const weir_attr_set *from = &((const TFE_Op *)attrs)->set;
    for (size_t i = 0; i < from->attrs.count; i++)
        weir_attr_set_put(&op->set, from->attrs.at[i].name, &from->attrs.at[i].value);
}

void TFE_OpAttrsSerialize(const TFE_OpAttrs *attrs, TF_Buffer *buf, TF_Status *status)
{
    const TFE_Op *op = (const TFE_Op *)attrs;
    weir_buf bytes = {0};
    weir_msg_name_attr_list_write(&(weir_msg_name_attr_list){.name = weir_str_of(op->name)},
                                  &bytes);
    for (size_t i = 0; i < op->set.attrs.count; i++)
        weir_named_attr_write(&bytes, WEIR_FIELD_name_attr_list_attr, op->set.attrs.at[i].name,
                              &op->set.attrs.at[i].value);
    weir_capi_end(status, weir_capi_fill(buf, &bytes));
}

void TFE_OpSetAttrValueProto(const TFE_Op *op, const char *attr_name, const void *proto,
                             size_t proto_len, TF_Status *status)
{
    weir_attr_set *set = &((TFE_Op *)op)->set; /* the API's const is nominal */
    weir_capi_end(status, weir_attr_set_proto(set, attr_name, (weir_str){proto, proto_len}));
}

/* ---- values ---------------------------------------------------------------------------------- */

TF_Tensor *TFE_AllocateHostTensor(TFE_Context *ctx, TF_DataType dtype, const int64_t *dims,
                                  int num_dims, TF_Status *status)
{
    weir_shape shape;
    weir_tensor tensor;
    weir_status result = weir_shape_make(dims, num_dims, &shape);
    if (!result && (!weir_dtype_valid(dtype) || !weir_shape_known(&shape)))
        result = weir_error(WEIR_INVALID_ARGUMENT, "No tensor of type %d has the shape %s",
                            (int)dtype, WEIR_SHAPE_STR(&shape));
    if (!result)
        result = weir_tensor_alloc((weir_dtype)dtype, &shape, &tensor);
    return weir_capi_end(status, result) ? weir_capi_tensor(tensor) : NULL;
}

TFE_TensorHandle *TFE_NewTensorHandleFromTensor(TFE_Context *ctx, TF_Tensor *tensor,
                                                TF_Status *status)
{
    return TFE_NewTensorHandle(tensor, status);
}

TFE_TensorHandle *
TFE_NewTensorHandleFromDeviceMemory(TFE_Context *ctx, const char *device_name, TF_DataType dtype,
                                    const int64_t *dims, int num_dims, void *data, size_t len,
                                    void (*deallocator)(void *data, size_t len, void *arg),
                                    void *deallocator_arg, TF_Status *status)
{
    const char *device = weir_eager_find_device(ctx, device_name);
    if (!weir_capi_end(status, device ? WEIR_OK
                                      : weir_error(WEIR_INVALID_ARGUMENT, "%s unknown device.",
                                                   device_name))) {
        deallocator(data, len, deallocator_arg);
        return NULL;
    }
    TF_Tensor *tensor =
        TF_NewTensor(dtype, dims, num_dims, data, len, deallocator, deallocator_arg);
    if (!weir_capi_end(status,
                       tensor ? WEIR_OK
                              : weir_error(WEIR_INVALID_ARGUMENT,
                                           "%zu bytes are too few for the type and dims", len)))
        return NULL;
    TFE_TensorHandle *handle = weir_eager_handle(weir_tensor_share(&tensor->t), device);
    TF_DeleteTensor(tensor);
    return handle;
}

void *TFE_TensorHandleDevicePointer(TFE_TensorHandle *handle, TF_Status *status)
{
    if (!fine(status))
        return NULL;
    if (handle->t.buffer)
        weir_buffer_show(handle->t.buffer);
    return handle->t.data;
}

size_t TFE_TensorHandleDeviceMemorySize(TFE_TensorHandle *handle, TF_Status *status)
{
    return fine(status) ? weir_tensor_bytes(&handle->t) : 0;
}

const char *TFE_TensorHandleDeviceType(TFE_TensorHandle *handle, TF_Status *status)
{
    return fine(status) ? "CPU" : NULL;
}

int TFE_TensorHandleDeviceID(TFE_TensorHandle *handle, TF_Status *status)
{
    const char *colon = strrchr(handle->device, ':');
    return fine(status) && colon ? atoi(colon + 1) : 0;
}

void TFE_TensorHandleGetStatus(TFE_TensorHandle *handle, TF_Status *status)
{
    fine(status);
}
