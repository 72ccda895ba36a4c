/* math/random/bounded.c - three rejection samplers: normal proposals for wide bounds, uniform ones
 * for narrow bounds, exponential ones in the tail. */
#include "math/random/bounded.h"

#include <math.h>
#include <tgmath.h>

#include "base/half.h"
#include "math/random/fill.h"

/* With the mean inside and a bound more than this many deviations from it, enough normal proposals
 * are accepted. */
#define FAR_BOUND 1.3

static weir_status gave_up(const char *sampler)
{
    return weir_error(WEIR_INTERNAL,
                      "TruncatedNormal %s rejection sampler failed to accept a sample.", sampler);
}

#define ELEM float
#define NAME(x) x##_f32
#define PER_BLOCK 4
#include "math/random/bounded.inc"

#define ELEM double
#define NAME(x) x##_f64
#define PER_BLOCK 2
#include "math/random/bounded.inc"

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
