/* math/finite/finite.isa.c - exponents of ones: adding their lowest bit carries into the sign. */
#include "math/finite/finite_impl.h"

#define FINITE_LOOP(bits)                                                                          \
    static bool of_##bits(const uint##bits##_t *at, int64_t count, uint##bits##_t lowest)          \
    {                                                                                              \
        const uint##bits##_t sign = (uint##bits##_t)(UINT64_C(1) << (bits - 1));                   \
        uint##bits##_t carried = 0;                                                                \
        for (int64_t i = 0; i < count; i++)                                                        \
            carried |= (uint##bits##_t)((at[i] & (uint##bits##_t) ~sign) + lowest);                \
        return !(carried & sign);                                                                  \
    }

FINITE_LOOP(16)
FINITE_LOOP(32)
FINITE_LOOP(64)

const weir_finite_loops WEIR_ISA_NAME(weir_finite_loops) = {of_16, of_32, of_64};
