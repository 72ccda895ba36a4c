/* ops/common/index.h - tensors of indices, and the words for one that points nowhere. */
#ifndef WEIR_OPS_COMMON_INDEX_H
#define WEIR_OPS_COMMON_INDEX_H

#include <inttypes.h>

#include "tensor/tensor.h"

/* Element |i| of an int64, int32 or 16-bit index tensor. */
static inline int64_t weir_index_get(const weir_tensor *t, int64_t i)
{
    if (t->dtype == WEIR_INT64)
        return ((const int64_t *)t->data)[i];
    if (t->dtype == WEIR_INT32)
        return ((const int32_t *)t->data)[i];
    return t->dtype == WEIR_INT16 ? ((const int16_t *)t->data)[i] : ((const uint16_t *)t->data)[i];
}

/* Every index lies in [0, limit), or "indices[1,2] = 7 is not in [0, 5)". */
WEIR_CHECKED weir_status weir_index_check(const weir_tensor *indices, int64_t limit);

/* Writes the place of flat element |i| as "[1,2]"; "" for a scalar, as TensorFlow does. */
char *weir_index_text(const weir_shape *s, int64_t i, char text[WEIR_SHAPE_TEXT]);
#define WEIR_INDEX_STR(s, i) weir_index_text((s), (i), (char[WEIR_SHAPE_TEXT]){0})

#endif
