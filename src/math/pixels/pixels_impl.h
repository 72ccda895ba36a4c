/* math/pixels/pixels_impl.h - the loops behind pixels.c, per instruction set. */
#ifndef WEIR_MATH_PIXELS_IMPL_H
#define WEIR_MATH_PIXELS_IMPL_H

#include <stdint.h>

#include "math/isa.h"

typedef struct weir_pixel_loops {
    void (*convert)(int64_t count, const uint8_t *x, float scale, float shift, float *y);
    /* y[i] = x[low[i]] + (x[high[i]] - x[low[i]]) * part[i] */
    void (*across)(int64_t count, const uint8_t *x, const int32_t *low, const int32_t *high,
                   const float *part, float *y);
    /* y[i] = (above[i] + (below[i] - above[i]) * part) * scale + shift */
    void (*down)(int64_t count, const float *above, const float *below, float part, float scale,
                 float shift, float *y);
} weir_pixel_loops;

WEIR_ISA_DECLARE(const weir_pixel_loops, weir_pixel_loops);

#endif
