/* math/cast/half.isa.c - 16-bit floats to float and back. */
#include "math/half.h"

#include "math/cast/cast_impl.h"

#define LOOP(name, X, Y, convert)                                                                  \
    static void name(int64_t count, const X *x, Y *y)                                              \
    {                                                                                              \
        for (int64_t i = 0; i < count; i++)                                                        \
            y[i] = convert(x[i]);                                                                  \
    }
LOOP(f16_to, uint16_t, float, weir_f16_f32)
LOOP(bf16_to, uint16_t, float, weir_bf16_f32)
LOOP(f16_from, float, uint16_t, weir_f32_f16)
LOOP(bf16_from, float, uint16_t, weir_f32_bf16)

const weir_half_loops WEIR_ISA_NAME(weir_half_loops) = {
    .to_float = {[WEIR_E_f16] = f16_to, [WEIR_E_bf16] = bf16_to},
    .from_float = {[WEIR_E_f16] = f16_from, [WEIR_E_bf16] = bf16_from},
};
