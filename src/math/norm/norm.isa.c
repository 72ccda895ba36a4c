/* math/norm/norm.isa.c - rows of normalisations, in float. */
#include <string.h>

#include "math/norm/norm_impl.h"
#include "math/vec.h"

/* norm[c] = bias + alpha * sum of x^2 over the window; |padded| has scratch for x^2 and its
 * margins.
 */
static void window_norms(const weir_lrn *w, const float *x, float *restrict padded,
                         float *restrict norm)
{
    int64_t n = w->channels, r = w->radius < n ? w->radius : n;
    memset(padded, 0, sizeof(float) * (size_t)(n + 2 * r));
    for (int64_t c = 0; c < n; c++)
        padded[r + c] = x[c] * x[c];
    for (int64_t c = 0; c < n; c++)
        norm[c] = 0;
    for (int64_t o = 0; o <= 2 * r; o++)
        for (int64_t c = 0; c < n; c++)
            norm[c] += padded[c + o];
    for (int64_t c = 0; c < n; c++)
        norm[c] = w->bias + w->alpha * norm[c];
}

static inline float power(float x, float p)
{
    return weir_v_exp(p * weir_v_log(x));
}

static void lrn(const weir_lrn *w, const float *x, float *y, float *scratch)
{
    float *norm = scratch + w->channels + 2 * w->radius;
    window_norms(w, x, scratch, norm);
    for (int64_t c = 0; c < w->channels; c++)
        y[c] = x[c] * power(norm[c], -w->beta);
}

/* dx[c] = norm[c]^-beta dy[c] - 2 alpha beta x[c] * sum over the window of dy y / norm */
static void lrn_grad(const weir_lrn *w, const float *dy, const float *x, const float *y, float *dx,
                     float *scratch)
{
    int64_t n = w->channels, r = w->radius < n ? w->radius : n;
    float *padded = scratch, *restrict norm = scratch + n + 2 * w->radius, *restrict sum = norm + n;
    window_norms(w, x, padded, norm);
    memset(padded, 0, sizeof(float) * (size_t)(n + 2 * r));
    for (int64_t c = 0; c < n; c++) {
        padded[r + c] = dy[c] * y[c] / norm[c];
        sum[c] = 0;
    }
    for (int64_t o = 0; o <= 2 * r; o++)
        for (int64_t c = 0; c < n; c++)
            sum[c] += padded[c + o];
    float k = -2 * w->alpha * w->beta;
    for (int64_t c = 0; c < n; c++)
        dx[c] = power(norm[c], -w->beta) * dy[c] + k * x[c] * sum[c];
}

static void sum(int64_t rows, int64_t channels, const float *x, float *restrict to)
{
    for (int64_t r = 0; r < rows; r++, x += channels)
        for (int64_t c = 0; c < channels; c++)
            to[c] += x[c];
}

static void squares(int64_t rows, int64_t channels, const float *x, const float *mean,
                    float *restrict to)
{
    for (int64_t r = 0; r < rows; r++, x += channels)
        for (int64_t c = 0; c < channels; c++)
            to[c] += (x[c] - mean[c]) * (x[c] - mean[c]);
}

static void dots(int64_t rows, int64_t channels, const float *dy, const float *x, const float *mean,
                 float *restrict to, float *restrict dot)
{
    for (int64_t r = 0; r < rows; r++, x += channels, dy += channels)
        for (int64_t c = 0; c < channels; c++) {
            to[c] += dy[c];
            dot[c] += dy[c] * (x[c] - mean[c]);
        }
}

static void scale(int64_t rows, int64_t channels, const float *x, const float *from, const float *a,
                  const float *b, float *y)
{
    for (int64_t r = 0; r < rows; r++, x += channels, y += channels)
        for (int64_t c = 0; c < channels; c++)
            y[c] = (x[c] - from[c]) * a[c] + b[c];
}

static void back(int64_t rows, int64_t channels, const float *dy, const float *x, const float *mean,
                 const float *a, const float *b, const float *k, float *dx)
{
    for (int64_t r = 0; r < rows; r++, x += channels, dy += channels, dx += channels)
        for (int64_t c = 0; c < channels; c++)
            dx[c] = (dy[c] - b[c] - (x[c] - mean[c]) * k[c]) * a[c];
}

const weir_norm_loops WEIR_ISA_NAME(weir_norm_loops) = {lrn,  lrn_grad, sum, squares,
                                                        dots, scale,    back};
