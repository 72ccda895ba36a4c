/* math/cast/half.isa.c - 16-bit floats to float and back. */
#include "base/half.h"

#include "math/cast/cast_impl.h"

#define LOOPS "math/cast/half.inc"
#include "math/each_half.inc"

const weir_half_loops WEIR_ISA_NAME(weir_half_loops) = {
    .to_float = {[WEIR_E_f16] = to_float_f16, [WEIR_E_bf16] = to_float_bf16},
    .from_float = {[WEIR_E_f16] = from_float_f16, [WEIR_E_bf16] = from_float_bf16},
};
