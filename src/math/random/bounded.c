/* math/random/bounded.c - three rejection samplers: of normals where the bounds leave room, of
 * uniforms where they are close together, of exponentials in the tail. */
#include "math/random/bounded.h"

#include <math.h>
#include <tgmath.h>

#include "math/half.h"
#include "math/random/fill.h"

/* Enough of the distribution lies inside for plain normals when a bound is so far out. */
#define ROOM 1.3

static weir_status gave_up(const char *sampler)
{
    return weir_error(WEIR_INTERNAL,
                      "TruncatedNormal %s rejection sampler failed to accept a sample.", sampler);
}

#define SAMPLERS(T, e, per_block)                                                                  \
    typedef struct row_##e {                                                                       \
        T mean, scale, low, high; /* bounds in deviations from the mean */                         \
        weir_philox *gen;                                                                          \
        int64_t count;                                                                             \
        T *out;                                                                                    \
    } row_##e;                                                                                     \
    static void block_##e(weir_philox *gen, bool normal, T *v)                                     \
    {                                                                                              \
        (normal ? weir_random_normal : weir_random_uniform)(NULL, *gen, WEIR_E_##e, per_block, v); \
        weir_philox_skip(gen, 1);                                                                  \
    }                                                                                              \
    static weir_status by_normals_##e(const row_##e *r)                                            \
    {                                                                                              \
        int64_t n = 0;                                                                             \
        for (int tries = 0; n < r->count;) {                                                       \
            T v[per_block];                                                                        \
            block_##e(r->gen, true, v);                                                            \
            for (int i = 0; i < per_block && n < r->count; i++) {                                  \
                if (v[i] >= r->low && v[i] <= r->high) {                                           \
                    r->out[n++] = v[i] * r->scale + r->mean;                                       \
                    tries = 0;                                                                     \
                } else if (++tries > WEIR_BOUNDED_TRIES) {                                         \
                    return gave_up("randn");                                                       \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        return WEIR_OK;                                                                            \
    }                                                                                              \
    static weir_status by_uniforms_##e(const row_##e *r)                                           \
    {                                                                                              \
        T top = r->low < 0 ? (T)0 : r->low * r->low, span = r->high - r->low;                      \
        int64_t n = 0;                                                                             \
        for (int tries = 0; n < r->count;) {                                                       \
            T z[per_block], u[per_block];                                                          \
            block_##e(r->gen, false, z);                                                           \
            block_##e(r->gen, false, u);                                                           \
            for (int i = 0; i < per_block && n < r->count; i++) {                                  \
                T at = z[i] * span + r->low;                                                       \
                if (u[i] <= exp((top - at * at) / (T)2)) {                                         \
                    r->out[n++] = at * r->scale + r->mean;                                         \
                    tries = 0;                                                                     \
                } else if (++tries >= WEIR_BOUNDED_TRIES) {                                        \
                    return gave_up("uniform");                                                     \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        return WEIR_OK;                                                                            \
    }                                                                                              \
    static weir_status by_exponentials_##e(const row_##e *r)                                       \
    {                                                                                              \
        T rate = (r->low + sqrt(r->low * r->low + (T)4)) / (T)2;                                   \
        int64_t n = 0;                                                                             \
        for (int tries = 0; n < r->count;) {                                                       \
            T v[per_block];                                                                        \
            block_##e(r->gen, false, v);                                                           \
            for (int i = 0; i < per_block && n < r->count; i += 2) {                               \
                T at = -log(v[i]) / rate + r->low;                                                 \
                T x = r->low < rate ? rate - at : r->low - rate;                                   \
                if (v[i + 1] <= exp(-x * x / (T)2) && at < r->high) {                              \
                    r->out[n++] = at * r->scale + r->mean;                                         \
                    tries = 0;                                                                     \
                } else if (++tries >= WEIR_BOUNDED_TRIES) {                                        \
                    return gave_up("exponential distribution");                                    \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        return WEIR_OK;                                                                            \
    }                                                                                              \
    static weir_status sample_##e(weir_philox *gen, weir_bounded with, int64_t count, T *out)      \
    {                                                                                              \
        T mean = (T)with.mean, scale = (T)with.deviation, low = (T)with.low, high = (T)with.high;  \
        /* Mirrored where that makes the one bound, or the near one, the lower. */                 \
        if ((isinf(low) && low < 0) || high < mean) {                                              \
            T t = low;                                                                             \
            low = high;                                                                            \
            high = t;                                                                              \
            scale = -scale;                                                                        \
        }                                                                                          \
        row_##e r = {mean, scale, (low - mean) / scale, (high - mean) / scale, gen, count, out};   \
        T root = sqrt(r.low * r.low + (T)4);                                                       \
        T cutoff = (T)2 * exp((T)0.5 + r.low * (r.low - root) / (T)4) / (r.low + root);            \
        if ((r.low < -(T)ROOM && r.high >= 0) || (r.high > (T)ROOM && r.low <= 0))                 \
            return by_normals_##e(&r);                                                             \
        return r.high - r.low < cutoff ? by_uniforms_##e(&r) : by_exponentials_##e(&r);            \
    }
SAMPLERS(float, f32, 4)
SAMPLERS(double, f64, 2)

/* 16-bit samples are drawn in float, tile by tile. */
static weir_status sample_halves(weir_philox *gen, weir_elem elem, weir_bounded with, int64_t count,
                                 uint16_t *out)
{
    enum { TILE = 256 };
    float tile[TILE];
    for (int64_t i = 0; i < count; i += TILE) {
        int64_t n = count - i < TILE ? count - i : TILE;
        WEIR_TRY(sample_f32(gen, with, n, tile));
        for (int64_t k = 0; k < n; k++)
            out[i + k] = elem == WEIR_E_f16 ? weir_f32_f16(tile[k]) : weir_f32_bf16(tile[k]);
    }
    return WEIR_OK;
}

weir_status weir_random_bounded(weir_philox *gen, weir_elem elem, weir_bounded with, int64_t count,
                                void *out)
{
    if (!(with.deviation > 0) || !(with.low < with.high) ||
        (!isfinite(with.low) && !isfinite(with.high)))
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid parameters");
    if (elem == WEIR_E_f32)
        return sample_f32(gen, with, count, out);
    if (elem == WEIR_E_f64)
        return sample_f64(gen, with, count, out);
    return sample_halves(gen, elem, with, count, out);
}
