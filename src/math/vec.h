/* math/vec.h - float functions that the compiler can vectorize.
 *
 * Each is straight-line: no branch, no call, no table. Within about 2 ulp of the exact result over
 * the whole range, NaN and infinities included, unless noted. Written for files built per
 * instruction set (math/isa.h); without FMA the last bit may differ.
 */
#ifndef WEIR_MATH_VEC_H
#define WEIR_MATH_VEC_H

#include <math.h>

#include "base/half.h"

/* x * 2^n by exponent bits; n in [-126, 127]. */
static inline float weir_v_pow2(int32_t n)
{
    return weir_bits_float((uint32_t)(n + 127) << 23);
}

/* Splits x into n * ln 2 + r, |r| <= ln 2 / 2. Adding 1.5 * 2^23 rounds to an integer that can be
 * read from the low bits, for NaN as well. */
static inline int32_t weir_v_split_ln2(float x, float *r)
{
    const float magic = 0x1.8p23f;
    float t = x * 0x1.715476p0f + magic;
    float n = t - magic;
    *r = (x - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
    return (int32_t)(weir_float_bits(t) - weir_float_bits(magic));
}

/* (e^r - 1 - r) / r^2 on [-0.35, 0.35]. */
static inline float weir_v_exp_tail(float r)
{
    float p = 0x1.a01a02p-13f;
    p = p * r + 0x1.6d7508p-10f;
    p = p * r + 0x1.111272p-7f;
    p = p * r + 0x1.555496p-5f;
    p = p * r + 0x1.555554p-3f;
    return p * r + 0.5f;
}

static inline float weir_v_exp(float x)
{
    float c = x < -104.0f ? -104.0f : x, r;
    c = c > 89.0f ? 89.0f : c;
    int32_t n = weir_v_split_ln2(c, &r), half = n >> 1;
    float p = r * r * weir_v_exp_tail(r) + r + 1.0f;
    /* Two factors, because 2^n alone may overflow or underflow. */
    return p * weir_v_pow2(half) * weir_v_pow2(n - half);
}

static inline float weir_v_expm1(float x)
{
    float c = x < -18.0f ? -18.0f : x, r;
    c = c > 89.0f ? 89.0f : c;
    int32_t n = weir_v_split_ln2(c, &r), half = n >> 1;
    float a = weir_v_pow2(half), b = weir_v_pow2(n - half);
    float q = r * r * weir_v_exp_tail(r) + r; /* e^r - 1 */
    /* 2^n (1 + q) - 1 without cancellation; beyond 2^24 the 1 is negligible. */
    float s = n > 24 ? a : a * b;
    float small = q * s + (s - 1.0f);
    float y = n > 24 ? (q * a + a) * b : small;
    return x == 0 ? x : y; /* keeps the sign of zero */
}

static inline float weir_v_log(float x)
{
    float tiny = x < 0x1p-126f ? 0x1p23f : 1.0f;
    uint32_t u = weir_float_bits(x * tiny);
    /* m in [sqrt 1/2, sqrt 2), x = m * 2^e */
    uint32_t shifted = u - 0x3f3504f3;
    int32_t e = (int32_t)shifted >> 23;
    float m = weir_bits_float((shifted & 0x007fffff) + 0x3f3504f3);
    float k = (float)(e - (tiny > 1.0f ? 23 : 0));
    float f = m - 1.0f, s = f / (2.0f + f), z = s * s;
    float p = 0x1.f13c4cp-3f;
    p = p * z + 0x1.23d3dcp-2f;
    p = p * z + 0x1.999c26p-2f;
    p = p * z + 0x1.555554p-1f;
    float t = p * z, h = 0.5f * f * f;
    float y = k * 0x1.62e3p-1f - ((h - (s * (h + t) + k * 0x1.2fefa2p-17f)) - f);
    y = x == 0 ? -INFINITY : y;
    y = x < 0 ? NAN : y;
    return x < INFINITY ? y : x; /* infinity and NaN are returned unchanged */
}

static inline float weir_v_log1p(float x)
{
    float u = 1.0f + x;
    float y = weir_v_log(u) + (x - (u - 1.0f)) / u; /* corrects u's rounding error */
    y = u == 1.0f ? x : y;
    y = u == 0.0f ? -INFINITY : y;
    return u == INFINITY ? u : y;
}

static inline float weir_v_tanh(float x)
{
    float a = fabsf(x), c = a > 9.1f ? 9.1f : a, r;
    int32_t n = weir_v_split_ln2(2.0f * c, &r);
    float s = weir_v_pow2(n);
    float q = r * r * weir_v_exp_tail(r) + r;
    float m = q * s + (s - 1.0f); /* e^2c - 1 */
    float y = m / (m + 2.0f);
    return a == a ? copysignf(y, x) : x;
}

static inline float weir_v_sigmoid(float x)
{
    return 1.0f / (1.0f + weir_v_exp(-x));
}

/* log(1 + e^x). Of t = e^-|x|, which is in [0, 1], log(1 + t) is 2 atanh(t / (2 + t)). */
static inline float weir_v_softplus(float x)
{
    float t = weir_v_exp(-fabsf(x)), s = t / (2.0f + t), z = s * s;
    float p = 0x1.dbf2ccp-3f;
    p = p * z + 0x1.bc7b3ep-3f;
    p = p * z + 0x1.24c9c2p-2f;
    p = p * z + 0x1.9998d2p-2f;
    p = p * z + 0x1.555556p-1f;
    float y = s * (p * z) + 2.0f * s;
    return (x > 0 ? x : 0.0f) + (x == x ? y : x);
}

/* Beyond this |x| the reduction by pi/2 loses bits: callers use libm. */
#define WEIR_V_TRIG_MAX 1024.0f

/* Sine of x + quarter * pi/2. Needs |x| <= WEIR_V_TRIG_MAX. */
static inline float weir_v_sin_from(float x, uint32_t quarter)
{
    const float magic = 0x1.8p23f;
    float t = x * 0x1.45f306p-1f + magic, n = t - magic;
    uint32_t q = weir_float_bits(t) + quarter;
    float r = ((x - n * 0x1.92p0f) - n * 0x1.fb4p-12f) - n * 0x1.4442d2p-24f;
    float z = r * r;
    float s = ((-0x1.994b38p-13f * z + 0x1.110756p-7f) * z - 0x1.555546p-3f) * z * r + r;
    float c = (0x1.99ff3ap-16f * z - 0x1.6c0c82p-10f) * z + 0x1.55554ap-5f;
    c = c * z * z - 0.5f * z + 1.0f;
    uint32_t bits = weir_float_bits(q & 1 ? c : s);
    return weir_bits_float(bits ^ (q & 2) << 30);
}

static inline float weir_v_sin(float x)
{
    return weir_v_sin_from(x, 0);
}

static inline float weir_v_cos(float x)
{
    return weir_v_sin_from(x, 1);
}

#endif
