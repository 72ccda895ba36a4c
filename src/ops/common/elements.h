/* ops/common/elements.h - type-agnostic moves and reads of elements.
 *
 * Array ops depend on the size of an element and, for strings and handles, on how to copy
 * it; never on its value. These functions take any dtype and are thread-safe on disjoint
 * memory.
 */
#ifndef WEIR_OPS_COMMON_ELEMENTS_H
#define WEIR_OPS_COMMON_ELEMENTS_H

#include "base/pool.h"
#include "tensor/tensor.h"

/* The address of element |count|. */
static inline void *weir_at(const weir_tensor *tensor, int64_t count)
{
    return (char *)tensor->data + count * (int64_t)weir_dtype_size(tensor->dtype);
}

/* Element |i| of an integer or bool tensor as int64. */
int64_t weir_int_at(const weir_tensor *tensor, int64_t i);
/* The reverse; |value| is truncated to the type. */
void weir_int_set(weir_tensor *tensor, int64_t i, int64_t value);

/* Writes |count| copies of the element at |value|. */
void weir_elements_fill(weir_dtype dtype, void *dst, const void *value, int64_t count);
/* Fills the whole tensor, in parallel if large enough. */
void weir_tensor_fill(const weir_par *par, weir_tensor *tensor, const void *value);
void weir_tensor_zero(const weir_par *par, weir_tensor *tensor); /* 0, "", no handle */

#endif
