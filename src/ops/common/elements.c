/* ops/common/elements.c - type-agnostic moves and reads of elements. */
#include "ops/common/elements.h"

#include "math/move/move.h"
#include "memory/device.h"

enum { PARALLEL_BYTES = 256 * 1024 }; /* minimum bytes per thread */

int64_t weir_int_at(const weir_tensor *tensor, int64_t i)
{
    switch (weir_dtype_size(tensor->dtype)) {
    case 1:
        return tensor->dtype == WEIR_INT8 || tensor->dtype == WEIR_QINT8
                   ? ((const int8_t *)tensor->data)[i]
                   : ((const uint8_t *)tensor->data)[i];
    case 2:
        return tensor->dtype == WEIR_INT16 ? ((const int16_t *)tensor->data)[i]
                                           : ((const uint16_t *)tensor->data)[i];
    case 4:
        return tensor->dtype == WEIR_UINT32 ? (int64_t)((const uint32_t *)tensor->data)[i]
                                            : ((const int32_t *)tensor->data)[i];
    default:
        return ((const int64_t *)tensor->data)[i];
    }
}

void weir_int_set(weir_tensor *tensor, int64_t i, int64_t value)
{
    switch (weir_dtype_size(tensor->dtype)) {
    case 1:
        ((int8_t *)tensor->data)[i] = (int8_t)value;
        break;
    case 2:
        ((int16_t *)tensor->data)[i] = (int16_t)value;
        break;
    case 4:
        ((int32_t *)tensor->data)[i] = (int32_t)value;
        break;
    default:
        ((int64_t *)tensor->data)[i] = value;
    }
}

void weir_elements_fill(weir_dtype dtype, void *dst, const void *value, int64_t count)
{
    size_t size = weir_dtype_size(dtype);
    if (!weir_dtype_is_plain(dtype)) {
        for (int64_t i = 0; i < count; i++)
            weir_elements_copy(dtype, (char *)dst + (size_t)i * size, value, 1);
        return;
    }
    if (size == 1)
        memset(dst, *(const uint8_t *)value, (size_t)count);
    else
        weir_move_repeat((int)size, count, dst, value);
}

typedef struct fill_work {
    weir_tensor *t;
    const void *value; /* null: zeros */
} fill_work;

static void fill_part(void *ctx, int64_t begin, int64_t end)
{
    fill_work *work = ctx;
    if (work->value)
        weir_elements_fill(work->t->dtype, weir_at(work->t, begin), work->value, end - begin);
    else
        weir_elements_zero(work->t->dtype, weir_at(work->t, begin), end - begin);
}

void weir_tensor_fill(const weir_par *par, weir_tensor *tensor, const void *value)
{
    fill_work work = {tensor, value};
    weir_par_for(par, weir_tensor_count(tensor),
                 PARALLEL_BYTES / (int64_t)weir_dtype_size(tensor->dtype), fill_part, &work);
}

void weir_tensor_zero(const weir_par *par, weir_tensor *tensor)
{
    if (weir_memory_current) /* thread-local: the work must not be split over threads */
        weir_elements_zero(tensor->dtype, tensor->data, weir_tensor_count(tensor));
    else
        weir_tensor_fill(par, tensor, NULL);
}
