/* capi/eager_handle.c - TFE_TensorHandle: a value and its location. */
#include "capi/eager_impl.h"

static void destroy(weir_ref *ref)
{
    TFE_TensorHandle *handle = (TFE_TensorHandle *)ref;
    weir_tensor_release(&handle->t);
    weir_free(handle->device);
    weir_free(handle);
}

TFE_TensorHandle *weir_eager_handle(weir_tensor tensor, const char *device)
{
    TFE_TensorHandle *handle = WEIR_NEW(TFE_TensorHandle);
    weir_ref_init(&handle->ref, destroy);
    handle->t = tensor;
    handle->device = weir_strdup(device);
    return handle;
}

/* Strings created by a client are copied: they may be freed before the handle. */
TFE_TensorHandle *TFE_NewTensorHandle(const TF_Tensor *tensor, TF_Status *status)
{
    weir_tensor value;
    weir_status result = WEIR_OK;
    if (tensor->t.dtype == WEIR_STRING && tensor->t.buffer && !tensor->t.buffer->fini)
        result = weir_tensor_clone(&tensor->t, &value);
    else
        value = weir_tensor_share(&tensor->t);
    return weir_capi_end(status, result) ? weir_eager_handle(value, weir_eager_host) : NULL;
}

void TFE_DeleteTensorHandle(TFE_TensorHandle *handle)
{
    weir_ref_release((weir_ref *)handle);
}

/* True if the handle is not null; else sets TensorFlow's error. */
static bool given(const TFE_TensorHandle *handle, TF_Status *status)
{
    return weir_capi_end(status,
                         handle ? WEIR_OK : weir_error(WEIR_INVALID_ARGUMENT, "Invalid handle"));
}

TF_DataType TFE_TensorHandleDataType(TFE_TensorHandle *handle)
{
    return (TF_DataType)handle->t.dtype;
}

int TFE_TensorHandleNumDims(TFE_TensorHandle *handle, TF_Status *status)
{
    return given(handle, status) ? handle->t.shape.rank : -1;
}

int64_t TFE_TensorHandleNumElements(TFE_TensorHandle *handle, TF_Status *status)
{
    return given(handle, status) ? weir_tensor_count(&handle->t) : -1;
}

int64_t TFE_TensorHandleDim(TFE_TensorHandle *handle, int dim_index, TF_Status *status)
{
    if (!given(handle, status))
        return -1;
    if (dim_index >= 0 && dim_index < handle->t.shape.rank)
        return handle->t.shape.dims[dim_index];
    weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT,
                                     "Dimension %d of a tensor of rank %d was asked for", dim_index,
                                     handle->t.shape.rank));
    return -1;
}

const char *TFE_TensorHandleDeviceName(TFE_TensorHandle *handle, TF_Status *status)
{
    return given(handle, status) ? handle->device : NULL;
}

const char *TFE_TensorHandleBackingDeviceName(TFE_TensorHandle *handle, TF_Status *status)
{
    return TFE_TensorHandleDeviceName(handle, status);
}

TFE_TensorHandle *TFE_TensorHandleCopySharingTensor(TFE_TensorHandle *handle, TF_Status *status)
{
    return given(handle, status) ? weir_eager_handle(weir_tensor_share(&handle->t), handle->device)
                                 : NULL;
}

TF_Tensor *TFE_TensorHandleResolve(TFE_TensorHandle *handle, TF_Status *status)
{
    return given(handle, status) ? weir_capi_tensor(weir_tensor_share(&handle->t)) : NULL;
}

TFE_TensorHandle *TFE_TensorHandleCopyToDevice(TFE_TensorHandle *handle, TFE_Context *ctx,
                                               const char *device_name, TF_Status *status)
{
    if (!given(handle, status))
        return NULL;
    const char *device = weir_eager_find_device(ctx, device_name);
    if (device)
        return weir_eager_handle(weir_tensor_share(&handle->t), device);
    weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT, "%s unknown device.", device_name));
    return NULL;
}

/* ---- debug information ----------------------------------------------------------------------- */

struct TFE_TensorDebugInfo {
    weir_shape shape;
};

TFE_TensorDebugInfo *TFE_TensorHandleTensorDebugInfo(TFE_TensorHandle *handle, TF_Status *status)
{
    if (!given(handle, status))
        return NULL;
    TFE_TensorDebugInfo *info = WEIR_NEW(TFE_TensorDebugInfo);
    info->shape = handle->t.shape;
    return info;
}

void TFE_DeleteTensorDebugInfo(TFE_TensorDebugInfo *info)
{
    weir_free(info);
}

int TFE_TensorDebugInfoOnDeviceNumDims(TFE_TensorDebugInfo *info)
{
    return info->shape.rank;
}

int64_t TFE_TensorDebugInfoOnDeviceDim(TFE_TensorDebugInfo *info, int dim_index)
{
    bool inside = dim_index >= 0 && dim_index < info->shape.rank;
    return inside ? info->shape.dims[dim_index] : -1;
}
