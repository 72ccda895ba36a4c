/* math/random/sample.c - gamma, Poisson and multinomial samples.
 *
 * Every output of gamma and Poisson starts 256 blocks after the one before, so that rejection in
 * one does not affect the others. Rejection uses uniforms in pairs from a block, last one first.
 */
#include "math/random/sample.h"

#include <float.h>
#include <math.h>

#include "base/half.h"
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

/* The largest value of a result type that a double holds: what does not fit is drawn again. */
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
        return 0x1p63 - 0x1p10;
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
    source source = {.gen = *gen};
    weir_philox_skip(&source.gen, (uint64_t)output * WEIR_PHILOX_RESERVE);
    return source;
}

static double uniform(source *source)
{
    if (source->uniforms == 0) {
        weir_philox_block block = weir_philox_next(&source->gen);
        source->uniform[0] = weir_u32_f64(block.u[0], block.u[1]);
        source->uniform[1] = weir_u32_f64(block.u[2], block.u[3]);
        source->uniforms = 2;
    }
    return source->uniform[--source->uniforms];
}

static double normal(source *source)
{
    if (source->normals == 0) {
        weir_random_normal(NULL, source->gen, WEIR_E_f64, 2, source->normal);
        weir_philox_skip(&source->gen, 1);
        source->normals = 2;
    }
    return source->normal[--source->normals];
}

/* Marsaglia and Tsang's method. For shapes below 1 the shape is raised by one and the sample scaled
 * by a power of a uniform. */
static double gamma_sample(source *source, double alpha)
{
    if (alpha == 1)
        return -log1p(-uniform(source));
    double d = alpha + (alpha < 1 ? 2.0 / 3 : -1.0 / 3), c = 1.0 / 3 / sqrt(d);
    for (;;) {
        double x = normal(source), v = 1 + c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        double u = uniform(source);
        if (u >= 1 - 0.0331 * (x * x) * (x * x) && log(u) >= 0.5 * x * x + d * (1 - v + log(v)))
            continue;
        double sample = d * v;
        return alpha < 1 ? sample * pow(uniform(source), 1 / alpha) : sample;
    }
}

/* Small rates: multiply uniforms until the product falls below e^-rate. */
static double poisson_small(source *source, double rate, double most)
{
    double limit = exp(-rate), product = 1;
    for (double x = 0;; x++) {
        product *= uniform(source);
        if (product <= limit && x <= most)
            return x;
    }
}

/* Large rates: Hoermann's transformed rejection, with the constants of his paper. */
static double poisson_large(source *source, double rate, double most)
{
    double log_rate = log(rate), b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b;
    double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    for (;;) {
        double u = uniform(source) - 0.5, v = uniform(source), shifted = 0.5 - fabs(u);
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

/* Where hardly a draw would fit, it is the largest value. */
static double poisson_sample(source *source, double rate, double most)
{
    if (!(rate >= 0))
        return NAN;
    if (rate < 10)
        return poisson_small(source, rate, most);
    if (isinf(rate))
        return INFINITY;
    return rate > most ? most : poisson_large(source, rate, most);
}

static void gamma_part(void *ctx, int64_t begin, int64_t end)
{
    const weir_sampling *sampling = ctx;
    for (int64_t i = begin; i < end; i++) {
        int64_t p = i / sampling->samples, k = i % sampling->samples;
        source source = source_of(&sampling->gen, i);
        store(sampling->out, sampling->y, k * sampling->parameters + p,
              gamma_sample(&source, load(sampling->in, sampling->x, p)));
    }
}

static void poisson_part(void *ctx, int64_t begin, int64_t end)
{
    const weir_sampling *sampling = ctx;
    double most = highest(sampling->out);
    for (int64_t i = begin; i < end; i++) {
        int64_t p = i / sampling->samples, k = i % sampling->samples;
        source source = source_of(&sampling->gen, i);
        store(sampling->out, sampling->y, k * sampling->parameters + p,
              poisson_sample(&source, load(sampling->in, sampling->x, p), most));
    }
}

void weir_random_gamma(const weir_par *par, const weir_sampling *what)
{
    weir_par_for_long(par, what->parameters * what->samples, 256, gamma_part, (void *)what);
}

void weir_random_poisson(const weir_par *par, const weir_sampling *what)
{
    weir_par_for_long(par, what->parameters * what->samples, 256, poisson_part, (void *)what);
}

/* The cumulative sums of e^(logit - max); infinite logits have no weight. */
static double fill_cdf(const weir_multinomial *multinomial, int64_t row)
{
    double max = -DBL_MAX, total = 0;
    for (int64_t c = 0; c < multinomial->classes; c++) {
        double v = load(multinomial->in, multinomial->logits, row * multinomial->classes + c);
        max = isfinite(v) && v > max ? v : max;
    }
    for (int64_t c = 0; c < multinomial->classes; c++) {
        double v = load(multinomial->in, multinomial->logits, row * multinomial->classes + c);
        total += isfinite(v) ? exp(v - max) : 0;
        multinomial->cdf[c] = total;
    }
    return total;
}

/* The number of entries not greater than |v|. */
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

void weir_random_multinomial(const weir_multinomial *multinomial)
{
    weir_philox gen = multinomial->gen;
    weir_philox_single single = weir_philox_singles(&gen);
    for (int64_t row = 0; row < multinomial->rows; row++) {
        double total = fill_cdf(multinomial, row);
        for (int64_t k = 0; k < multinomial->samples; k++) {
            int64_t class = upper_bound(multinomial->cdf, multinomial->classes,
                                        weir_philox_f64(&single) * total);
            store(multinomial->out, multinomial->y, row * multinomial->samples + k, (double)class);
        }
    }
}
