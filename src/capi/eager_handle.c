/* capi/eager_handle.c - TFE_TensorHandle: a value and where it lies. */
#include "capi/eager_impl.h"

static void destroy(weir_ref *ref)
{
    TFE_TensorHandle *h = (TFE_TensorHandle *)ref;
    weir_tensor_release(&h->t);
    weir_free(h->device);
    weir_free(h);
}

TFE_TensorHandle *weir_eager_handle(weir_tensor t, const char *device)
{
    TFE_TensorHandle *h = WEIR_NEW(TFE_TensorHandle);
    weir_ref_init(&h->ref, destroy);
    h->t = t;
    h->device = weir_strdup(device);
    return h;
}

/* Strings of a client's own making are copied: they may go before the handle does. */
TFE_TensorHandle *TFE_NewTensorHandle(const TF_Tensor *t, TF_Status *status)
{
    weir_tensor value;
    weir_status s = WEIR_OK;
    if (t->t.dtype == WEIR_STRING && t->t.buffer && !t->t.buffer->fini)
        s = weir_tensor_clone(&t->t, &value);
    else
        value = weir_tensor_share(&t->t);
    return weir_capi_end(status, s) ? weir_eager_handle(value, weir_eager_host) : NULL;
}

void TFE_DeleteTensorHandle(TFE_TensorHandle *h)
{
    weir_ref_release((weir_ref *)h);
}

/* True when there is a handle; otherwise the error that clients know. */
static bool given(const TFE_TensorHandle *h, TF_Status *status)
{
    return weir_capi_end(status, h ? WEIR_OK : weir_error(WEIR_INVALID_ARGUMENT, "Invalid handle"));
}

TF_DataType TFE_TensorHandleDataType(TFE_TensorHandle *h)
{
    return (TF_DataType)h->t.dtype;
}

int TFE_TensorHandleNumDims(TFE_TensorHandle *h, TF_Status *status)
{
    return given(h, status) ? h->t.shape.rank : -1;
}

int64_t TFE_TensorHandleNumElements(TFE_TensorHandle *h, TF_Status *status)
{
    return given(h, status) ? weir_tensor_count(&h->t) : -1;
}

int64_t TFE_TensorHandleDim(TFE_TensorHandle *h, int dim_index, TF_Status *status)
{
    if (!given(h, status))
        return -1;
    if (dim_index >= 0 && dim_index < h->t.shape.rank)
        return h->t.shape.dims[dim_index];
    weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT,
                                     "Dimension %d of a tensor of rank %d was asked for", dim_index,
                                     h->t.shape.rank));
    return -1;
}

const char *TFE_TensorHandleDeviceName(TFE_TensorHandle *h, TF_Status *status)
{
    return given(h, status) ? h->device : NULL;
}

const char *TFE_TensorHandleBackingDeviceName(TFE_TensorHandle *h, TF_Status *status)
{
    return TFE_TensorHandleDeviceName(h, status);
}

TFE_TensorHandle *TFE_TensorHandleCopySharingTensor(TFE_TensorHandle *h, TF_Status *status)
{
    return given(h, status) ? weir_eager_handle(weir_tensor_share(&h->t), h->device) : NULL;
}

TF_Tensor *TFE_TensorHandleResolve(TFE_TensorHandle *h, TF_Status *status)
{
    return given(h, status) ? weir_capi_tensor(weir_tensor_share(&h->t)) : NULL;
}

TFE_TensorHandle *TFE_TensorHandleCopyToDevice(TFE_TensorHandle *h, TFE_Context *ctx,
                                               const char *device_name, TF_Status *status)
{
    if (!given(h, status))
        return NULL;
    const char *device = weir_eager_find_device(ctx, device_name);
    if (device)
        return weir_eager_handle(weir_tensor_share(&h->t), device);
    weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT, "%s unknown device.", device_name));
    return NULL;
}

/* ---- how a device keeps it ------------------------------------------------------------------- */

struct TFE_TensorDebugInfo {
    weir_shape shape;
};

TFE_TensorDebugInfo *TFE_TensorHandleTensorDebugInfo(TFE_TensorHandle *h, TF_Status *status)
{
    if (!given(h, status))
        return NULL;
    TFE_TensorDebugInfo *info = WEIR_NEW(TFE_TensorDebugInfo);
    info->shape = h->t.shape;
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
