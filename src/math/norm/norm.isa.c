/* math/norm/norm.isa.c - rows of normalisations, in float. */
#include <string.h>

#include "math/norm/norm_impl.h"
#include "math/vec.h"

/* norm[c] = bias + alpha * sum of x^2 over the window; |padded| has scratch for x^2 and its
 * margins.
 */
static void window_norms(const weir_lrn *lrn, const float *x, float *restrict padded,
                         float *restrict norm)
{
    int64_t n = lrn->channels, r = lrn->radius < n ? lrn->radius : n;
    memset(padded, 0, sizeof(float) * (size_t)(n + 2 * r));
    for (int64_t c = 0; c < n; c++)
        padded[r + c] = x[c] * x[c];
    for (int64_t c = 0; c < n; c++)
        norm[c] = 0;
    for (int64_t o = 0; o <= 2 * r; o++)
        for (int64_t c = 0; c < n; c++)
            norm[c] += padded[c + o];
    for (int64_t c = 0; c < n; c++)
        norm[c] = lrn->bias + lrn->alpha * norm[c];
}

static inline float power(float x, float p)
{
    return weir_v_exp(p * weir_v_log(x));
}

static void lrn(const weir_lrn *work, const float *x, float *y, float *scratch)
{
    float *norm = scratch + work->channels + 2 * work->radius;
    window_norms(work, x, scratch, norm);
    for (int64_t channel = 0; channel < work->channels; channel++)
        y[channel] = x[channel] * power(norm[channel], -work->beta);
}

/* dx[c] = norm[c]^-beta dy[c] - 2 alpha beta x[c] * sum over the window of dy y / norm */
static void lrn_grad(const weir_lrn *lrn, const float *dy, const float *x, const float *y,
                     float *dx, float *scratch)
{
    int64_t n = lrn->channels, r = lrn->radius < n ? lrn->radius : n;
    float *padded = scratch, *restrict norm = scratch + n + 2 * lrn->radius,
          *restrict sum = norm + n;
    window_norms(lrn, x, padded, norm);
    memset(padded, 0, sizeof(float) * (size_t)(n + 2 * r));
    for (int64_t c = 0; c < n; c++) {
        padded[r + c] = dy[c] * y[c] / norm[c];
        sum[c] = 0;
    }
    for (int64_t o = 0; o <= 2 * r; o++)
        for (int64_t c = 0; c < n; c++)
            sum[c] += padded[c + o];
    float k = -2 * lrn->alpha * lrn->beta;
    for (int64_t c = 0; c < n; c++)
        dx[c] = power(norm[c], -lrn->beta) * dy[c] + k * x[c] * sum[c];
}

static void sum(int64_t rows, int64_t channels, const float *x, float *restrict to)
{
    for (int64_t row = 0; row < rows; row++, x += channels)
        for (int64_t channel = 0; channel < channels; channel++)
            to[channel] += x[channel];
}

static void squares(int64_t rows, int64_t channels, const float *x, const float *mean,
                    float *restrict to)
{
    for (int64_t row = 0; row < rows; row++, x += channels)
        for (int64_t channel = 0; channel < channels; channel++)
            to[channel] += (x[channel] - mean[channel]) * (x[channel] - mean[channel]);
}

static void dots(int64_t rows, int64_t channels, const float *dy, const float *x, const float *mean,
                 float *restrict to, float *restrict dot)
{
    for (int64_t row = 0; row < rows; row++, x += channels, dy += channels)
        for (int64_t channel = 0; channel < channels; channel++) {
            to[channel] += dy[channel];
            dot[channel] += dy[channel] * (x[channel] - mean[channel]);
        }
}

static void scale(int64_t rows, int64_t channels, const float *x, const float *from, const float *a,
                  const float *b, float *y)
{
    for (int64_t row = 0; row < rows; row++, x += channels, y += channels)
        for (int64_t channel = 0; channel < channels; channel++)
            y[channel] = (x[channel] - from[channel]) * a[channel] + b[channel];
}

static void back(int64_t rows, int64_t channels, const float *dy, const float *x, const float *mean,
                 const float *a, const float *b, const float *k, float *dx)
{
    for (int64_t row = 0; row < rows; row++, x += channels, dy += channels, dx += channels)
        for (int64_t channel = 0; channel < channels; channel++)
            dx[channel] =
                (dy[channel] - b[channel] - (x[channel] - mean[channel]) * k[channel]) * a[channel];
}

const weir_norm_loops WEIR_ISA_NAME(weir_norm_loops) = {lrn,  lrn_grad, sum, squares,
                                                        dots, scale,    back};
