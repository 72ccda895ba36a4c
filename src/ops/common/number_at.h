/* ops/common/number_at.h - one element of a numeric tensor of any real type as a double. */
#ifndef WEIR_OPS_COMMON_NUMBER_AT_H
#define WEIR_OPS_COMMON_NUMBER_AT_H

#include "tensor/tensor.h"

/* Element |i|; 0 for types that are not real numbers. For small tensors and slow paths only. */
static inline double weir_number_at(const weir_tensor *tensor, int64_t i)
{
    switch (tensor->dtype) {
    case WEIR_FLOAT:
        return ((const float *)tensor->data)[i];
    case WEIR_DOUBLE:
        return ((const double *)tensor->data)[i];
    case WEIR_HALF:
        return weir_f16_f32(((const uint16_t *)tensor->data)[i]);
    case WEIR_BFLOAT16:
        return weir_bf16_f32(((const uint16_t *)tensor->data)[i]);
    case WEIR_INT8:
        return ((const int8_t *)tensor->data)[i];
    case WEIR_UINT8:
    case WEIR_BOOL:
        return ((const uint8_t *)tensor->data)[i];
    case WEIR_INT16:
        return ((const int16_t *)tensor->data)[i];
    case WEIR_UINT16:
        return ((const uint16_t *)tensor->data)[i];
    case WEIR_INT32:
        return ((const int32_t *)tensor->data)[i];
    case WEIR_UINT32:
        return ((const uint32_t *)tensor->data)[i];
    case WEIR_INT64:
        return (double)((const int64_t *)tensor->data)[i];
    case WEIR_UINT64:
        return (double)((const uint64_t *)tensor->data)[i];
    default:
        return 0;
    }
}

#endif
