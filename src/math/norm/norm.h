/* math/norm/norm.h - normalisations: local response (over neighbouring channels) and batch.
 *
 * Arrays are rows x channels, channels last. f32, f16 and bf16; everything is computed in float.
 * Results do not depend on the number of threads. y may alias x, and dx may alias dy or x.
 */
#ifndef WEIR_MATH_NORM_H
#define WEIR_MATH_NORM_H

#include "base/pool.h"
#include "math/elem.h"

/* y[c] = x[c] * (bias + alpha * sum of x^2 over channels within |radius| of c) ^ -beta */
typedef struct weir_lrn {
    weir_elem elem;
    int64_t rows, channels, radius;
    float bias, alpha, beta;
} weir_lrn;

void weir_lrn_run(const weir_par *par, const weir_lrn *lrn, const void *x, void *y);
void weir_lrn_grad(const weir_par *par, const weir_lrn *lrn, const void *dy, const void *x,
                   const void *y, void *dx);

/* y = (x - mean) / sqrt(variance + epsilon) * scale + offset, per channel. */
typedef struct weir_batch_norm {
    weir_elem elem; /* of x, y and their gradients; the rest is float */
    int64_t rows, channels;
    float epsilon;
} weir_batch_norm;

/* Mean and (biased) variance of each channel; rows > 0. */
void weir_batch_moments(const weir_par *par, const weir_batch_norm *norm, const void *x,
                        float *mean, float *variance);
void weir_batch_norm_run(const weir_par *par, const weir_batch_norm *norm, const void *x,
                         const float *scale, const float *offset, const float *mean,
                         const float *variance, void *y);
/* Gradients. With |training|, mean and variance are functions of x; otherwise they are
 * constants. */
void weir_batch_norm_grad(const weir_par *par, const weir_batch_norm *norm, bool training,
                          const void *dy, const void *x, const float *scale, const float *mean,
                          const float *variance, void *dx, float *dscale, float *doffset);

#endif
