/* math/norm/norm_impl.h - the loops over rows of floats. */
#ifndef WEIR_MATH_NORM_IMPL_H
#define WEIR_MATH_NORM_IMPL_H

#include "math/isa.h"
#include "math/norm/norm.h"

typedef struct weir_norm_loops {
    /* One row. |scratch| has 2 * channels + 2 * radius floats. */
    void (*lrn)(const weir_lrn *lrn, const float *x, float *y, float *scratch);
    /* |scratch| has 3 * channels + 2 * radius floats. */
    void (*lrn_grad)(const weir_lrn *lrn, const float *dy, const float *x, const float *y,
                     float *dx, float *scratch);
    /* sum[c] += x[r][c], and += (x[r][c] - mean[c])^2 */
    void (*sum)(int64_t rows, int64_t channels, const float *x, float *sum);
    void (*squares)(int64_t rows, int64_t channels, const float *x, const float *mean, float *sum);
    /* sum[c] += dy[r][c] and dot[c] += dy[r][c] * (x[r][c] - mean[c]) */
    void (*dots)(int64_t rows, int64_t channels, const float *dy, const float *x, const float *mean,
                 float *sum, float *dot);
    /* y[r][c] = (x[r][c] - from[c]) * a[c] + b[c] */
    void (*scale)(int64_t rows, int64_t channels, const float *x, const float *from, const float *a,
                  const float *b, float *y);
    /* dx[r][c] = (dy[r][c] - b[c] - (x[r][c] - mean[c]) * k[c]) * a[c] */
    void (*back)(int64_t rows, int64_t channels, const float *dy, const float *x, const float *mean,
                 const float *a, const float *b, const float *k, float *dx);
} weir_norm_loops;

WEIR_ISA_DECLARE(const weir_norm_loops, weir_norm_loops);

#endif
