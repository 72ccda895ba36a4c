/* math/conv/thin_impl.h - tiles of a thin filter. */
#ifndef WEIR_MATH_CONV_THIN_IMPL_H
#define WEIR_MATH_CONV_THIN_IMPL_H

#include <stdint.h>

#include "math/isa.h"

enum { WEIR_THIN_ROWS = 32 }; /* most elements of a filter for each output channel */

/* One image with zeros around it, and its dy. */
typedef struct weir_thin {
    int64_t lines, pixels; /* of dy */
    int64_t line, step; /* elements of the image from one line, and one pixel, of dy to the next */
    int64_t out_c;      /* a multiple of 16 */
    const float *x, *dy;
} weir_thin;

typedef struct weir_thin_loops {
    /* Adds to sums[i * depth + k][out_c] the products of dy with what lies |at[i]| + k from its
     * pixels, for |runs| such runs of |depth| elements. */
    void (*add)(const weir_thin *t, int64_t runs, int64_t depth, const int64_t *at, float *sums);
} weir_thin_loops;
WEIR_ISA_DECLARE(const weir_thin_loops, weir_thin_loops);

#endif
