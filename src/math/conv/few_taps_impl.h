/* math/conv/few_taps_impl.h - the loops of a filter's gradient with few taps. */
#ifndef WEIR_MATH_CONV_FEW_TAPS_IMPL_H
#define WEIR_MATH_CONV_FEW_TAPS_IMPL_H

#include <stdint.h>

#include "math/isa.h"

enum { WEIR_FEW_TAPS_MAX = 32 }; /* maximum taps times input channels */

/* One image, padded with zeros, and its dy. */
typedef struct weir_few_taps {
    int64_t lines, pixels; /* of dy */
    int64_t line, step;    /* elements of the image per line and per pixel of dy */
    int64_t out_c;         /* a multiple of 16 */
    const float *x, *dy;
} weir_few_taps;

typedef struct weir_few_taps_loops {
    /* A filter reads |runs| runs of |depth| adjacent elements; run i starts |at[i]| elements after
     * the first element under a pixel of dy. Adds the products of dy with element k of run i to
     * sums[i * depth + k][out_c]. */
    void (*add)(const weir_few_taps *taps, int64_t runs, int64_t depth, const int64_t *at,
                float *sums);
} weir_few_taps_loops;
WEIR_ISA_DECLARE(const weir_few_taps_loops, weir_few_taps_loops);

#endif
