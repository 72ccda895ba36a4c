/* math/unary/unary.isa.c - loops over float and double. */
#include "math/unary/unary_impl.h"

/* Sine and cosine of floats are vectorized for small arguments. A block with a large argument, or a
 * NaN, is computed by libm as a whole. */
static inline bool all_small(int64_t count, const float *x)
{
    int large = 0;
    for (int64_t i = 0; i < count; i++)
        large |= !(fabsf(x[i]) <= WEIR_V_TRIG_MAX);
    return !large;
}

static inline __attribute__((always_inline)) void trig(int64_t count, const float *x, float *y,
                                                       float (*small)(float), float (*large)(float))
{
    enum { BLOCK = 512 };
    for (int64_t begin = 0; begin < count; begin += BLOCK) {
        int64_t end = begin + BLOCK < count ? begin + BLOCK : count;
        if (all_small(end - begin, x + begin))
            for (int64_t i = begin; i < end; i++)
                y[i] = small(x[i]);
        else
            for (int64_t i = begin; i < end; i++)
                y[i] = large(x[i]);
    }
}

static void sin_f32(int64_t count, const void *x, void *y)
{
    trig(count, x, y, weir_v_sin, sinf);
}

static void cos_f32(int64_t count, const void *x, void *y)
{
    trig(count, x, y, weir_v_cos, cosf);
}

static void sin_f64(int64_t count, const void *x, void *y)
{
    for (int64_t i = 0; i < count; i++)
        ((double *)y)[i] = (sin)(((const double *)x)[i]);
}

static void cos_f64(int64_t count, const void *x, void *y)
{
    for (int64_t i = 0; i < count; i++)
        ((double *)y)[i] = (cos)(((const double *)x)[i]);
}

#define LOOPS "math/unary/unary_loops.inc"
#include "math/each_float.inc"

const weir_unary_floats WEIR_ISA_NAME(weir_unary_floats) = {table_f32, table_f64};
