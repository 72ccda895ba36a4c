/* ops/common/held_tensor.h - a whole tensor as one element of a variant tensor. */
#ifndef WEIR_OPS_COMMON_HELD_TENSOR_H
#define WEIR_OPS_COMMON_HELD_TENSOR_H

#include "tensor/handle.h"

/* Sets |*element| to a variant that shares |tensor|; the old one is released. */
void weir_held_tensor_put(weir_variant **element, const weir_tensor *tensor);
/* The tensor that |variant| contains, shared; false if there is none. Takes null. */
bool weir_held_tensor_get(const weir_variant *variant, weir_tensor *out);

#endif
