/* math/cast/cast_impl.h - loops between float and the 16-bit floats, per instruction set. */
#ifndef WEIR_MATH_CAST_IMPL_H
#define WEIR_MATH_CAST_IMPL_H

#include "math/elem.h"
#include "math/isa.h"

typedef struct weir_half_loops {
    void (*to_float[2])(int64_t count, const uint16_t *x, float *y); /* by WEIR_E_f16, _bf16 */
    void (*from_float[2])(int64_t count, const float *x, uint16_t *y);
} weir_half_loops;

WEIR_ISA_DECLARE(const weir_half_loops, weir_half_loops);

#endif
