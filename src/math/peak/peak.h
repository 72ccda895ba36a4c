/* math/peak/peak.h - peak performance of this machine: loops that are purely arithmetic or
 * memory-bound. */
#ifndef WEIR_MATH_PEAK_PEAK_H
#define WEIR_MATH_PEAK_PEAK_H

#include <stddef.h>
#include <stdint.h>

#include "math/isa.h"

typedef struct weir_peak_loops {
    /* |rounds| of fused multiply-adds in registers; returns the operations (two per
     * multiply-add). */
    double (*multiply_add)(int64_t rounds);
    /* a[i] = b[i] + c[i] / 2; returns the bytes read and written. */
    double (*triad)(float *a, const float *b, const float *c, size_t count);
} weir_peak_loops;

WEIR_ISA_DECLARE(const weir_peak_loops, weir_peak_loops);

#endif
