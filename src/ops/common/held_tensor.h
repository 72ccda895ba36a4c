/* ops/common/held_tensor.h - a whole tensor as one element of a variant tensor. */
#ifndef WEIR_OPS_COMMON_HELD_TENSOR_H
#define WEIR_OPS_COMMON_HELD_TENSOR_H

#include "tensor/handle.h"

/* Element |*element| becomes one that shares |tensor|; what was there is released. */
void weir_held_tensor_put(weir_variant **element, const weir_tensor *tensor);
/* The tensor that |variant| holds, shared; false when it holds none. Takes null. */
bool weir_held_tensor_get(const weir_variant *variant, weir_tensor *out);

#endif
