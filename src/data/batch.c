/* data/batch.c - tensors of a batch. */
#include "data/batch.h"

weir_status weir_batch_alloc(const weir_fit *f, int64_t room, weir_batch *out_batch)
{
    weir_batch b = {0};
    weir_shape shape = weir_fit_shape(f, false, room), labels = weir_fit_shape(f, true, room);
    WEIR_TRY(weir_tensor_alloc(f->type, &shape, &b.x));
    weir_status s = f->label_type ? weir_tensor_alloc(f->label_type, &labels, &b.y) : WEIR_OK;
    if (s)
        weir_batch_release(&b);
    else
        *out_batch = b;
    return s;
}

void weir_batch_release(weir_batch *b)
{
    weir_tensor_release(&b->x);
    weir_tensor_release(&b->y);
}

static void release_buffer(void *data, size_t bytes, void *buffer)
{
    weir_buffer_release(buffer);
}

/* Takes the tensor's reference; the first |count| examples of it are shown. */
static TF_Tensor *give(weir_tensor *t, int64_t count)
{
    if (!t->buffer)
        return NULL;
    t->shape.dims[0] = count;
    TF_Tensor *out = TF_NewTensor((TF_DataType)t->dtype, t->shape.dims, t->shape.rank, t->data,
                                  weir_tensor_bytes(t), release_buffer, t->buffer);
    t->buffer = NULL;
    return out;
}

void weir_batch_give(weir_batch *b, TF_Tensor **out_x, TF_Tensor **out_y)
{
    *out_x = give(&b->x, b->count);
    if (out_y)
        *out_y = give(&b->y, b->count);
    weir_batch_release(b);
}
