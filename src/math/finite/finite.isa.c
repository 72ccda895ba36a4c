/* math/finite/finite.isa.c - without the sign bit, infinity is above all finite numbers and NaN
 * above infinity: the maximum of the bit patterns decides. */
#include "math/finite/finite_impl.h"

#define FINITE_LOOP(bits)                                                                          \
    static bool of_##bits(const int##bits##_t *at, int64_t count, int##bits##_t infinity)          \
    {                                                                                              \
        int##bits##_t most = 0;                                                                    \
        _Pragma("GCC unroll 4") for (int64_t i = 0; i < count; i++)                                \
        {                                                                                          \
            int##bits##_t bare = at[i] & INT##bits##_MAX;                                          \
            most = bare > most ? bare : most;                                                      \
        }                                                                                          \
        return most < infinity;                                                                    \
    }

FINITE_LOOP(16)
FINITE_LOOP(32)
FINITE_LOOP(64)

const weir_finite_loops WEIR_ISA_NAME(weir_finite_loops) = {of_16, of_32, of_64};
