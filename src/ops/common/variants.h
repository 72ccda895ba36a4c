/* ops/common/variants.h - variant tensors: types that can be serialised, and arithmetic on types
 * that define it. */
#ifndef WEIR_OPS_COMMON_VARIANTS_H
#define WEIR_OPS_COMMON_VARIANTS_H

#include "op/op.h"
#include "tensor/handle.h"

/* Kernels with WEIR_OWN_OUTPUTS: output 0 is the sum of all inputs, or the zero beside input 0. */
weir_status weir_variants_add(weir_call *call);
weir_status weir_variants_zero(weir_call *call);

/* Types that can be read back (ops/common/variants.inc). */
#define WEIR_VARIANT(name) extern const weir_variant_type weir_variant_##name;
#include "ops/common/variants.inc"
#undef WEIR_VARIANT

enum { WEIR_VARIANT_DEPTH = 32 }; /* lists within lists that a peer may send, at most */

/* Serialised elements become the objects that they encode, nested ones too; those of types that
 * cannot be read back stay. |tensor| is of variant type; it is replaced when needed, its buffer
 * never changed. */
WEIR_CHECKED weir_status weir_variants_revive(weir_tensor *tensor);

#endif
