/* math/unary/unary.isa.c - loops over float and double. */
#include "math/unary/unary_impl.h"

#define WEIR_UNARY(name, f, i, c)                                                                  \
    WEIR_LOOP(name##_f32, float, float, float, f) WEIR_LOOP(name##_f64, double, double, double, f)
#define WEIR_PREDICATE(name, f)                                                                    \
    WEIR_LOOP(name##_f32, float, bool, float, f) WEIR_LOOP(name##_f64, double, bool, double, f)
/* Large arguments (and NaN) send the whole block to libm, block by block. */
#define WEIR_TRIG(name)                                                                            \
    WEIR_LOOP(name##_small, float, float, float, weir_v_##name(x))                                 \
    WEIR_LOOP(name##_large, float, float, float, (name##f)(x))                                     \
    static void name##_f32(int64_t count, const void *x, void *y)                                  \
    {                                                                                              \
        trig(count, x, y, name##_small, name##_large);                                             \
    }                                                                                              \
    WEIR_LOOP(name##_f64, double, double, double, (name)(x))

static inline bool all_small(int64_t count, const float *x)
{
    int large = 0;
    for (int64_t i = 0; i < count; i++)
        large |= !(fabsf(x[i]) <= WEIR_V_TRIG_MAX);
    return !large;
}

static inline void trig(int64_t count, const float *x, float *y, weir_unary_fn small,
                        weir_unary_fn large)
{
    enum { BLOCK = 512 };
    for (int64_t i = 0; i < count; i += BLOCK) {
        int64_t n = count - i < BLOCK ? count - i : BLOCK;
        (all_small(n, x + i) ? small : large)(n, x + i, y + i);
    }
}

#include "math/unary/unary.inc"

const weir_unary_floats WEIR_ISA_NAME(weir_unary_floats) = {
    .f32 =
        {
#define WEIR_UNARY(name, f, i, c) [WEIR_U_##name] = WEIR_HAS(#f) ? name##_f32 : NULL,
#define WEIR_TRIG(name) [WEIR_U_##name] = name##_f32,
#define WEIR_PREDICATE(name, f) [WEIR_U_##name] = name##_f32,
#include "math/unary/unary.inc"
        },
    .f64 =
        {
#define WEIR_UNARY(name, f, i, c) [WEIR_U_##name] = WEIR_HAS(#f) ? name##_f64 : NULL,
#define WEIR_TRIG(name) [WEIR_U_##name] = name##_f64,
#define WEIR_PREDICATE(name, f) [WEIR_U_##name] = name##_f64,
#include "math/unary/unary.inc"
        },
};
