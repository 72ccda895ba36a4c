/* math/finite/finite_impl.h - the loops behind weir_finite, by the number of bits of an element. */
#ifndef WEIR_MATH_FINITE_FINITE_IMPL_H
#define WEIR_MATH_FINITE_FINITE_IMPL_H

#include "math/finite/finite.h"
#include "math/isa.h"

/* |lowest| is the lowest bit of the exponent. */
typedef struct weir_finite_loops {
    bool (*of_16)(const uint16_t *at, int64_t count, uint16_t lowest);
    bool (*of_32)(const uint32_t *at, int64_t count, uint32_t lowest);
    bool (*of_64)(const uint64_t *at, int64_t count, uint64_t lowest);
} weir_finite_loops;

WEIR_ISA_DECLARE(const weir_finite_loops, weir_finite_loops);

#endif
