/* ops/common/variants.h - arithmetic of variant tensors, as far as what they hold has it. */
#ifndef WEIR_OPS_COMMON_VARIANTS_H
#define WEIR_OPS_COMMON_VARIANTS_H

#include "op/op.h"

/* Kernels with WEIR_OWN_OUTPUTS: output 0 is the sum of all inputs, or the zero beside input 0. */
weir_status weir_variants_add(weir_call *c);
weir_status weir_variants_zero(weir_call *c);

#endif
