/* math/random/sample.c - gamma, Poisson and multinomial samples.
 *
 * Every output of gamma and Poisson starts 256 blocks after the one before, so that rejection in
 * one does not move the others. Rejection takes uniforms in pairs from a block, last one first.
 */
#include "math/random/sample.h"

#include <float.h>
#include <math.h>

#include "math/half.h"
#include "math/random/fill.h"
#include "math/special/special.h"

static double load(weir_elem elem, const void *x, int64_t i)
{
    switch (elem) {
    case WEIR_E_f16:
        return weir_f16_f32(((const uint16_t *)x)[i]);
    case WEIR_E_bf16:
        return weir_bf16_f32(((const uint16_t *)x)[i]);
    case WEIR_E_f32:
        return ((const float *)x)[i];
    case WEIR_E_i32:
        return ((const int32_t *)x)[i];
    case WEIR_E_i64:
        return (double)((const int64_t *)x)[i];
    case WEIR_E_i16:
        return ((const int16_t *)x)[i];
    case WEIR_E_i8:
        return ((const int8_t *)x)[i];
    case WEIR_E_u8:
        return ((const uint8_t *)x)[i];
    case WEIR_E_u16:
        return ((const uint16_t *)x)[i];
    case WEIR_E_u32:
        return ((const uint32_t *)x)[i];
    case WEIR_E_u64:
        return (double)((const uint64_t *)x)[i];
    default:
        return ((const double *)x)[i];
    }
}

static void store(weir_elem elem, void *y, int64_t i, double v)
{
    switch (elem) {
    case WEIR_E_f16:
        ((uint16_t *)y)[i] = weir_f32_f16((float)v);
        break;
    case WEIR_E_bf16:
        ((uint16_t *)y)[i] = weir_f32_bf16((float)v);
        break;
    case WEIR_E_f32:
        ((float *)y)[i] = (float)v;
        break;
    case WEIR_E_i32:
        ((int32_t *)y)[i] = (int32_t)v;
        break;
    case WEIR_E_i64:
        ((int64_t *)y)[i] = (int64_t)v;
        break;
    default:
        ((double *)y)[i] = v;
    }
}

/* The largest value of a result type: what does not fit is drawn again. */
static double highest(weir_elem elem)
{
    switch (elem) {
    case WEIR_E_f16:
        return 65504;
    case WEIR_E_bf16:
        return 3.3895313892515355e38;
    case WEIR_E_f32:
        return FLT_MAX;
    case WEIR_E_i32:
        return INT32_MAX;
    case WEIR_E_i64:
        return (double)INT64_MAX;
    default:
        return DBL_MAX;
    }
}

/* Uniforms and normals of one output's part of the stream. */
typedef struct source {
    weir_philox gen;
    double uniform[2], normal[2];
    int uniforms, normals; /* left */
} source;

static source source_of(const weir_philox *gen, int64_t output)
{
    source s = {.gen = *gen};
    weir_philox_skip(&s.gen, (uint64_t)output * WEIR_PHILOX_RESERVE);
    return s;
}

static double uniform(source *s)
{
    if (s->uniforms == 0) {
        weir_philox_block b = weir_philox_next(&s->gen);
        s->uniform[0] = weir_u32_f64(b.u[0], b.u[1]);
        s->uniform[1] = weir_u32_f64(b.u[2], b.u[3]);
        s->uniforms = 2;
    }
    return s->uniform[--s->uniforms];
}

static double normal(source *s)
{
    if (s->normals == 0) {
        weir_random_normal(NULL, s->gen, WEIR_E_f64, 2, s->normal);
        weir_philox_skip(&s->gen, 1);
        s->normals = 2;
    }
    return s->normal[--s->normals];
}

/* Marsaglia and Tsang: a cubed normal, squeezed. Below 1 the shape is raised by one and the sample
 * scaled by a power of a uniform. */
static double gamma_sample(source *s, double alpha)
{
    if (alpha == 1)
        return -log1p(-uniform(s));
    double d = alpha + (alpha < 1 ? 2.0 / 3 : -1.0 / 3), c = 1.0 / 3 / sqrt(d);
    for (;;) {
        double x = normal(s), v = 1 + c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        double u = uniform(s);
        if (u >= 1 - 0.0331 * (x * x) * (x * x) && log(u) >= 0.5 * x * x + d * (1 - v + log(v)))
            continue;
        double sample = d * v;
        return alpha < 1 ? sample * pow(uniform(s), 1 / alpha) : sample;
    }
}

/* Small rates: multiply uniforms until the product falls below e^-rate. */
static double poisson_small(source *s, double rate, double most)
{
    double limit = exp(-rate), product = 1;
    for (double x = 0;; x++) {
        product *= uniform(s);
        if (product <= limit && x <= most)
            return x;
    }
}

/* Large rates: Hoermann's transformed rejection, with the constants of his paper. */
static double poisson_large(source *s, double rate, double most)
{
    double log_rate = log(rate), b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b;
    double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    for (;;) {
        double u = uniform(s) - 0.5, v = uniform(s), shifted = 0.5 - fabs(u);
        double k = floor((2 * a / shifted + b) * u + rate + 0.43);
        if (k > most)
            continue;
        if (shifted >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2))
            return k;
        if (k < 0 || (shifted < 0.013 && v > shifted))
            continue;
        double left = log(v * inverse_alpha / (a / (shifted * shifted) + b));
        if (left <= -rate + k * log_rate - weir_lgamma(k + 1))
            return k;
    }
}

static double poisson_sample(source *s, double rate, double most)
{
    if (!(rate >= 0))
        return NAN;
    if (rate < 10)
        return poisson_small(s, rate, most);
    return isinf(rate) ? INFINITY : poisson_large(s, rate, most);
}

static void gamma_part(void *ctx, int64_t begin, int64_t end)
{
    const weir_sampling *w = ctx;
    for (int64_t i = begin; i < end; i++) {
        int64_t p = i / w->samples, k = i % w->samples;
        source s = source_of(&w->gen, i);
        store(w->out, w->y, k * w->parameters + p, gamma_sample(&s, load(w->in, w->x, p)));
    }
}

static void poisson_part(void *ctx, int64_t begin, int64_t end)
{
    const weir_sampling *w = ctx;
    double most = highest(w->out);
    for (int64_t i = begin; i < end; i++) {
        int64_t p = i / w->samples, k = i % w->samples;
        source s = source_of(&w->gen, i);
        store(w->out, w->y, k * w->parameters + p, poisson_sample(&s, load(w->in, w->x, p), most));
    }
}

void weir_random_gamma(const weir_par *par, const weir_sampling *what)
{
    weir_par_for(par, what->parameters * what->samples, 256, gamma_part, (void *)what);
}

void weir_random_poisson(const weir_par *par, const weir_sampling *what)
{
    weir_par_for(par, what->parameters * what->samples, 256, poisson_part, (void *)what);
}

/* The running sums of e^(logit - max); infinite logits have no weight. */
static double fill_cdf(const weir_multinomial *m, int64_t row)
{
    double max = -DBL_MAX, total = 0;
    for (int64_t c = 0; c < m->classes; c++) {
        double v = load(m->in, m->logits, row * m->classes + c);
        max = isfinite(v) && v > max ? v : max;
    }
    for (int64_t c = 0; c < m->classes; c++) {
        double v = load(m->in, m->logits, row * m->classes + c);
        total += isfinite(v) ? exp(v - max) : 0;
        m->cdf[c] = total;
    }
    return total;
}

/* How many entries are not above |v|. */
static int64_t upper_bound(const double *cdf, int64_t count, double v)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (v < cdf[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void weir_random_multinomial(const weir_multinomial *m)
{
    weir_philox gen = m->gen;
    weir_philox_single s = weir_philox_singles(&gen);
    for (int64_t row = 0; row < m->rows; row++) {
        double total = fill_cdf(m, row);
        for (int64_t k = 0; k < m->samples; k++) {
            int64_t class = upper_bound(m->cdf, m->classes, weir_philox_f64(&s) * total);
            store(m->out, m->y, row * m->samples + k, (double)class);
        }
    }
}
