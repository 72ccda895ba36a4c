/* math/conv/epilogue.h - bias and Relu of a layer, applied while its results are in the cache, and
 * their gradient.
 *
 * Pixels are rows of |channels| floats.
 */
#ifndef WEIR_MATH_CONV_EPILOGUE_H
#define WEIR_MATH_CONV_EPILOGUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "math/isa.h"

/* Adds the bias, then, with |relu|, replaces values that are not above 0 by 0 (a NaN stays). */
typedef struct weir_epilogue {
    const float *bias;
    bool relu;
} weir_epilogue;

/* Applies it to |pixels| rows that start |pitch| elements apart; bias[0] is that of y[0]. */
void weir_epilogue_run(const weir_par *par, const weir_epilogue *epilogue, int64_t pixels,
                       int64_t channels, float *y, int64_t pitch);

/* The gradient of Relu, dx = dy where y is above 0 and 0 elsewhere, and that of the bias, which is
 * the sum of dx over pixels. dx may be dy. Sums do not depend on the number of threads. */
void weir_epilogue_grad(const weir_par *par, int64_t pixels, int64_t channels, const float *dy,
                        const float *y, float *dx, float *sum);

typedef struct weir_epilogue_loops {
    void (*run)(const weir_epilogue *epilogue, int64_t pixels, int64_t channels, float *y,
                int64_t pitch);
    /* Overwrites |sum|. */
    void (*grad)(int64_t pixels, int64_t channels, const float *dy, const float *y, float *dx,
                 float *sum);
} weir_epilogue_loops;
WEIR_ISA_DECLARE(const weir_epilogue_loops, weir_epilogue_loops);

#endif
