/* ops/common/index.h - integer tensors used as indices. */
#ifndef WEIR_OPS_COMMON_INDEX_H
#define WEIR_OPS_COMMON_INDEX_H

#include <inttypes.h>

#include "base/pool.h"
#include "tensor/tensor.h"

/* Element |i| of an int64, int32 or 16-bit tensor. */
static inline int64_t weir_index_at(const weir_tensor *tensor, int64_t i)
{
    if (tensor->dtype == WEIR_INT64)
        return ((const int64_t *)tensor->data)[i];
    if (tensor->dtype == WEIR_INT32)
        return ((const int32_t *)tensor->data)[i];
    return tensor->dtype == WEIR_INT16 ? ((const int16_t *)tensor->data)[i]
                                       : ((const uint16_t *)tensor->data)[i];
}

/* Fails, naming the first offender, when an element is not in [0, limit). */
WEIR_CHECKED weir_status weir_index_check(const weir_tensor *indices, int64_t limit);
/* The same in parallel, for many indices. */
WEIR_CHECKED weir_status weir_index_check_on(const weir_par *par, const weir_tensor *indices,
                                             int64_t limit);

/* The index of element |i| of a tensor of |shape|: "[1,2]", "" for a scalar. Returns |text|. */
char *weir_index_text(const weir_shape *shape, int64_t i, char text[WEIR_SHAPE_TEXT]);

/* Row offsets: for each row of the last dimension of |indices|, the number of elements before its
 * slice in a tensor of |shape|. Fails when one is out of range; with |skip_bad|, its offset is -1
 * instead. |out_offsets| has room for every row. */
WEIR_CHECKED weir_status weir_index_nd(const weir_tensor *indices, const weir_shape *shape,
                                       bool skip_bad, int64_t *out_offsets);

#endif
