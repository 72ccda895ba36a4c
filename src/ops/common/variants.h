/* ops/common/variants.h - variant tensors: types that can be serialised, and arithmetic for types
 * that define it. */
#ifndef WEIR_OPS_COMMON_VARIANTS_H
#define WEIR_OPS_COMMON_VARIANTS_H

#include "op/op.h"
#include "tensor/handle.h"

/* Kernels with WEIR_OWN_OUTPUTS: output 0 is the sum of all inputs, or zeros like input 0. */
weir_status weir_variants_add(weir_call *call);
weir_status weir_variants_zero(weir_call *call);

/* Types that can be deserialised (ops/common/variants.inc). */
#define WEIR_VARIANT(name) extern const weir_variant_type weir_variant_##name;
#include "ops/common/variants.inc"
#undef WEIR_VARIANT

enum { WEIR_VARIANT_DEPTH = 32 }; /* maximum nesting of lists received from a peer */

/* Deserialises elements, including nested ones; those of other types stay serialised.
 * |tensor| is of variant type; it is replaced if necessary, its buffer is never
 * modified. */
WEIR_CHECKED weir_status weir_variants_revive(weir_tensor *tensor);

#endif
