/* base/half.h - 16-bit floats to float and back, rounding to nearest even. Branch-free, so that
 * compilers vectorise loops over them where the processor has no instruction for it. */
#ifndef WEIR_BASE_HALF_H
#define WEIR_BASE_HALF_H

#include <stdint.h>

static inline float weir_bits_float(uint32_t u)
{
    union {
        uint32_t u;
        float f;
    } v = {u};
    return v.f;
}

static inline uint32_t weir_float_bits(float f)
{
    union {
        float f;
        uint32_t u;
    } v = {f};
    return v.u;
}

static inline float weir_f16_f32(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13;
    uint32_t normal = rest + 0x38000000, special = rest | 0x7f800000;
    /* Denormal floats count as zeros, as they do where kernels run. */
    uint32_t tiny = weir_float_bits(weir_bits_float(rest + 0x38800000) - 0x1p-14f);
    uint32_t finite = rest < 0x00800000 ? tiny : normal;
    return weir_bits_float(sign | (rest >= 0x0f800000 ? special : finite));
}

static inline uint16_t weir_f32_f16(float f)
{
    uint32_t u = weir_float_bits(f), sign = u >> 16 & 0x8000, a = u & 0x7fffffff;
    uint32_t normal = (a + 0xfff + (a >> 13 & 1) - 0x38000000) >> 13;
    uint32_t tiny = weir_float_bits(weir_bits_float(a) + 0.5f) - 0x3f000000;
    uint32_t large = a > 0x7f800000 ? 0x7e00 : 0x7c00;
    uint32_t r = a < 0x38800000 ? tiny : normal;
    return (uint16_t)(sign | (a >= 0x47800000 ? large : r));
}

static inline float weir_bf16_f32(uint16_t h)
{
    return weir_bits_float((uint32_t)h << 16);
}

static inline uint16_t weir_f32_bf16(float f)
{
    uint32_t u = weir_float_bits(f);
    uint32_t rounded = (u + 0x7fff + (u >> 16 & 1)) >> 16;
    uint32_t quiet = 0x7fc0 | (u >> 16 & 0x8000);
    return (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? quiet : rounded);
}

#endif
