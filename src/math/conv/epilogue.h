/* math/conv/epilogue.h - what is done to a layer's results while they are at hand, and back.
 *
 * Pixels are rows of |channels| floats.
 */
#ifndef WEIR_MATH_CONV_EPILOGUE_H
#define WEIR_MATH_CONV_EPILOGUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "math/isa.h"

/* y + bias, then, with |relu|, what is not above 0 becomes 0 (a NaN stays). */
typedef struct weir_epilogue {
    const float *bias;
    bool relu;
} weir_epilogue;

/* Applies it to |pixels| rows that start |pitch| elements apart; |bias| is that of their first. */
void weir_epilogue_run(const weir_par *par, const weir_epilogue *e, int64_t pixels,
                       int64_t channels, float *y, int64_t pitch);

/* dx = dy where y is above 0 and 0 elsewhere, and its sum over pixels: back through both. dx may be
 * dy. Sums do not depend on the number of threads. */
void weir_epilogue_grad(const weir_par *par, int64_t pixels, int64_t channels, const float *dy,
                        const float *y, float *dx, float *sum);

typedef struct weir_epilogue_loops {
    void (*run)(const weir_epilogue *e, int64_t pixels, int64_t channels, float *y, int64_t pitch);
    /* Adds nothing: |sum| is written. */
    void (*grad)(int64_t pixels, int64_t channels, const float *dy, const float *y, float *dx,
                 float *sum);
} weir_epilogue_loops;
WEIR_ISA_DECLARE(const weir_epilogue_loops, weir_epilogue_loops);

#endif
