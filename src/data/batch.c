/* data/batch.c - tensors of a batch. */
#include "data/batch.h"

weir_status weir_batch_alloc(const weir_fit *fit, int64_t room, weir_batch *out_batch)
{
    weir_batch batch = {0};
    weir_shape shape = weir_fit_shape(fit, false, room), labels = weir_fit_shape(fit, true, room);
    WEIR_TRY(weir_tensor_alloc(fit->type, &shape, &batch.x));
    weir_status status =
        fit->label_type ? weir_tensor_alloc(fit->label_type, &labels, &batch.y) : WEIR_OK;
    if (status)
        weir_batch_release(&batch);
    else
        *out_batch = batch;
    return status;
}

void weir_batch_release(weir_batch *batch)
{
    weir_tensor_release(&batch->x);
    weir_tensor_release(&batch->y);
}

static void release_buffer(void *data, size_t bytes, void *buffer)
{
    weir_buffer_release(buffer);
}

/* Transfers the tensor's reference; only the first |count| examples are visible. */
static TF_Tensor *give(weir_tensor *tensor, int64_t count)
{
    if (!tensor->buffer)
        return NULL;
    tensor->shape.dims[0] = count;
    TF_Tensor *out =
        TF_NewTensor((TF_DataType)tensor->dtype, tensor->shape.dims, tensor->shape.rank,
                     tensor->data, weir_tensor_bytes(tensor), release_buffer, tensor->buffer);
    tensor->buffer = NULL;
    return out;
}

void weir_batch_give(weir_batch *batch, TF_Tensor **out_x, TF_Tensor **out_y)
{
    *out_x = give(&batch->x, batch->count);
    if (out_y)
        *out_y = give(&batch->y, batch->count);
    weir_batch_release(batch);
}
