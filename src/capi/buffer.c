/* capi/buffer.c - TF_Buffer: bytes passed through the API. */
#include "capi/capi_impl.h"

static void free_bytes(void *data, size_t length)
{
    weir_free(data);
}

TF_Buffer *TF_NewBuffer(void)
{
    return WEIR_NEW(TF_Buffer);
}

TF_Buffer *TF_NewBufferFromString(const void *proto, size_t proto_len)
{
    TF_Buffer *buffer = TF_NewBuffer();
    *buffer = (TF_Buffer){weir_strndup(proto, proto_len), proto_len, free_bytes};
    return buffer;
}

void TF_DeleteBuffer(TF_Buffer *buffer)
{
    if (!buffer)
        return;
    if (buffer->data_deallocator)
        buffer->data_deallocator((void *)buffer->data, buffer->length);
    weir_free(buffer);
}

TF_Buffer TF_GetBuffer(TF_Buffer *buffer)
{
    return *buffer;
}

weir_status weir_capi_fill(TF_Buffer *out, weir_buf *bytes)
{
    if (out->data) {
        weir_buf_fini(bytes);
        return weir_error(WEIR_INVALID_ARGUMENT, "Passing non-empty TF_Buffer is invalid.");
    }
    size_t length = bytes->length;
    *out = (TF_Buffer){weir_buf_take(bytes), length, free_bytes};
    return WEIR_OK;
}

TF_Buffer *weir_capi_buffer(weir_buf *bytes)
{
    TF_Buffer *buffer = TF_NewBuffer();
    size_t length = bytes->length;
    *buffer = (TF_Buffer){weir_buf_take(bytes), length, free_bytes};
    return buffer;
}
