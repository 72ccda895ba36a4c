/* ops/common/elements.h - moving and reading elements whatever their type.
 *
 * Array ops depend on the size of an element and, for strings and handles, on how one is
 * copied; never on its value. Everything here takes any dtype and is safe to call from several
 * threads on disjoint memory.
 */
#ifndef WEIR_OPS_COMMON_ELEMENTS_H
#define WEIR_OPS_COMMON_ELEMENTS_H

#include "base/pool.h"
#include "tensor/tensor.h"

/* A place |count| elements further. */
static inline void *weir_at(const weir_tensor *tensor, int64_t count)
{
    return (char *)tensor->data + count * (int64_t)weir_dtype_size(tensor->dtype);
}

/* Element |i| of a tensor of integers (any width, bool too) as int64. */
int64_t weir_int_at(const weir_tensor *tensor, int64_t i);
/* The reverse; |value| is cut to the width of the type. */
void weir_int_set(weir_tensor *tensor, int64_t i, int64_t value);

/* Writes |count| copies of the element at |value|. */
void weir_elements_fill(weir_dtype dtype, void *dst, const void *value, int64_t count);
/* The same over the whole tensor, spread over threads when that pays. */
void weir_tensor_fill(const weir_par *par, weir_tensor *tensor, const void *value);
void weir_tensor_zero(const weir_par *par, weir_tensor *tensor); /* 0, "", no handle */

#endif
