/* math/finite/finite_impl.h - the loops behind weir_finite, by the number of bits of an element. */
#ifndef WEIR_MATH_FINITE_FINITE_IMPL_H
#define WEIR_MATH_FINITE_FINITE_IMPL_H

#include "math/finite/finite.h"
#include "math/isa.h"

/* |infinity|: all exponent bits set, sign bit clear. */
typedef struct weir_finite_loops {
    bool (*of_16)(const int16_t *at, int64_t count, int16_t infinity);
    bool (*of_32)(const int32_t *at, int64_t count, int32_t infinity);
    bool (*of_64)(const int64_t *at, int64_t count, int64_t infinity);
} weir_finite_loops;

WEIR_ISA_DECLARE(const weir_finite_loops, weir_finite_loops);

#endif
