/* math/pixels/pixels_impl.h - the loops behind pixels.c, per instruction set. */
#ifndef WEIR_MATH_PIXELS_IMPL_H
#define WEIR_MATH_PIXELS_IMPL_H

#include <stdint.h>

#include "math/isa.h"

/* Interpolation points of each output of a row: the two inputs, and the weight of the upper one. */
typedef struct weir_row_places {
    const int32_t *low, *high;
    const float *part;
} weir_row_places;

typedef struct weir_pixel_loops {
    /* y[i] = x[i] * scale + shift */
    void (*convert)(int64_t count, const uint8_t *x, float scale, float shift, float *y);
    /* y[i] = (above[i] + (below[i] - above[i]) * part) * scale + shift */
    void (*down_bytes)(int64_t count, const uint8_t *above, const uint8_t *below, float part,
                       float scale, float shift, float *y);
    void (*down)(int64_t count, const float *above, const float *below, float part, float *y);
    /* y[i] = x[low[i]] + (x[high[i]] - x[low[i]]) * part[i] */
    void (*across)(int64_t count, const float *x, weir_row_places at, float *y);
    /* The same for |count| pixels of 3 elements, with one point each: x[low[i]] is its first
     * element. Reads one element past the end of x. */
    void (*across3)(int64_t count, const float *x, weir_row_places at, float *y);
} weir_pixel_loops;

WEIR_ISA_DECLARE(const weir_pixel_loops, weir_pixel_loops);

#endif
