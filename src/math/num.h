/* math/num.h - the element types that loops know, and how the 16-bit floats widen.
 *
 * A weir_num has the number of TensorFlow's DataType (and so of weir_dtype), so that a tensor's
 * dtype is passed on as it is. half and bfloat16 are bit patterns; loops compute them in float and
 * round to nearest even when they store.
 */
#ifndef WEIR_MATH_NUM_H
#define WEIR_MATH_NUM_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__F16C__)
#include <immintrin.h>
#endif

typedef enum weir_num {
    WEIR_NUM_F32 = 1,
    WEIR_NUM_F64 = 2,
    WEIR_NUM_I32 = 3,
    WEIR_NUM_U8 = 4,
    WEIR_NUM_I16 = 5,
    WEIR_NUM_I8 = 6,
    WEIR_NUM_C64 = 8,
    WEIR_NUM_I64 = 9,
    WEIR_NUM_BOOL = 10,
    WEIR_NUM_BF16 = 14,
    WEIR_NUM_U16 = 17,
    WEIR_NUM_C128 = 18,
    WEIR_NUM_F16 = 19,
    WEIR_NUM_U32 = 22,
    WEIR_NUM_U64 = 23,
} weir_num;

/* X(suffix, C type in memory, NUM) for the types whose arithmetic is C's own. */
#define WEIR_NUM_INTS(X)                                                                           \
    X(i8, int8_t, I8)                                                                              \
    X(u8, uint8_t, U8)                                                                             \
    X(i16, int16_t, I16)                                                                           \
    X(u16, uint16_t, U16)                                                                          \
    X(i32, int32_t, I32)                                                                           \
    X(u32, uint32_t, U32)                                                                          \
    X(i64, int64_t, I64)                                                                           \
    X(u64, uint64_t, U64)
#define WEIR_NUM_FLOATS(X)                                                                         \
    X(f32, float, F32)                                                                             \
    X(f64, double, F64)
#define WEIR_NUM_COMPLEX(X)                                                                        \
    X(c64, float complex, C64)                                                                     \
    X(c128, double complex, C128)

static inline float weir_bf16_load(uint16_t h)
{
    uint32_t u = (uint32_t)h << 16;
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline uint16_t weir_bf16_store(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    uint32_t rounded = (u + 0x7fff + ((u >> 16) & 1)) >> 16;
    uint32_t nan = 0x7fc0 | ((u >> 16) & 0x8000);
    return (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? nan : rounded);
}

#if defined(__F16C__)
static inline float weir_f16_load(uint16_t h)
{
    return _cvtsh_ss(h);
}

static inline uint16_t weir_f16_store(float f)
{
    return _cvtss_sh(f, _MM_FROUND_TO_NEAREST_INT);
}
#else
static inline float weir_f16_load(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13, u;
    float f;
    if (rest >= 0x7c00u << 13) { /* infinity, or a NaN with its payload */
        u = rest + ((255u - 31u) << 23);
        memcpy(&f, &u, sizeof f);
    } else if (rest < 0x0400u << 13) { /* zero or subnormal: the value is rest * 2^-37 */
        f = (float)rest * 0x1p-37f;
        memcpy(&u, &f, sizeof u);
    } else {
        u = rest + ((127u - 15u) << 23);
    }
    u |= sign;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline uint16_t weir_f16_store(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    uint32_t sign = (u >> 16) & 0x8000, rest = u & 0x7fffffff;
    if (rest > 0x7f800000)
        return (uint16_t)(sign | 0x7e00 | ((rest >> 13) & 0x3ff));
    if (rest >= 0x47800000)
        return (uint16_t)(sign | 0x7c00);
    if (rest < 0x38800000) { /* subnormal: adding 0.5 aligns the mantissa and rounds */
        float a;
        memcpy(&a, &rest, sizeof a);
        a += 0.5f;
        memcpy(&u, &a, sizeof u);
        return (uint16_t)(sign | (u - 0x3f000000));
    }
    rest += ((uint32_t)(15 - 127) << 23) + 0xfff + ((rest >> 13) & 1);
    return (uint16_t)(sign | (rest >> 13));
}
#endif

/* Bytes of one element; 0 for a number that is not a weir_num. */
static inline size_t weir_num_size(int num)
{
    switch (num) {
    case WEIR_NUM_I8:
    case WEIR_NUM_U8:
    case WEIR_NUM_BOOL:
        return 1;
    case WEIR_NUM_I16:
    case WEIR_NUM_U16:
    case WEIR_NUM_F16:
    case WEIR_NUM_BF16:
        return 2;
    case WEIR_NUM_F32:
    case WEIR_NUM_I32:
    case WEIR_NUM_U32:
        return 4;
    case WEIR_NUM_F64:
    case WEIR_NUM_I64:
    case WEIR_NUM_U64:
    case WEIR_NUM_C64:
        return 8;
    case WEIR_NUM_C128:
        return 16;
    default:
        return 0;
    }
}

#endif
