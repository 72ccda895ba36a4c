/* math/unary/others.c - loops over integers and complex numbers. */
#include "math/unary/unary_impl.h"

/* e^x - 1 keeping the real part's accuracy near 0:
 * e^a cos b - 1 = expm1(a) cos b - 2 sin^2(b/2). */
static inline double _Complex complex_expm1(double _Complex x)
{
    double a = creal(x), b = cimag(x), s = (sin)(b / 2);
    return CMPLX((expm1)(a) * (cos)(b)-2 * s * s, (exp)(a) * (sin)(b));
}

static inline double _Complex complex_rint(double _Complex x)
{
    return CMPLX((rint)(creal(x)), (rint)(cimag(x)));
}

#define INTS(name, expr)                                                                           \
    WEIR_LOOP(name##_i8, int8_t, int8_t, uint32_t, expr)                                           \
    WEIR_LOOP(name##_i16, int16_t, int16_t, uint32_t, expr)                                        \
    WEIR_LOOP(name##_i32, int32_t, int32_t, uint32_t, expr)                                        \
    WEIR_LOOP(name##_i64, int64_t, int64_t, uint64_t, expr)                                        \
    WEIR_LOOP(name##_u8, uint8_t, uint8_t, uint32_t, expr)                                         \
    WEIR_LOOP(name##_u16, uint16_t, uint16_t, uint32_t, expr)                                      \
    WEIR_LOOP(name##_u32, uint32_t, uint32_t, uint32_t, expr)                                      \
    WEIR_LOOP(name##_u64, uint64_t, uint64_t, uint64_t, expr)
#define COMPLEXES(name, expr)                                                                      \
    WEIR_LOOP(name##_c64, weir_c64, weir_c64, weir_c64, expr)                                      \
    WEIR_LOOP(name##_c128, weir_c128, weir_c128, weir_c128, expr)
#define COUNTS(name, bits)                                                                         \
    WEIR_LOOP(name##_i##bits, uint##bits##_t, uint8_t, uint32_t, __builtin_popcountll(x))

#define WEIR_UNARY(name, f, i, c) INTS(name, i) COMPLEXES(name, c)
#define WEIR_TRIG(name) COMPLEXES(name, name(x))
#define WEIR_PART(name, c)                                                                         \
    WEIR_LOOP(name##_c64, weir_c64, float, weir_c64, c)                                            \
    WEIR_LOOP(name##_c128, weir_c128, double, weir_c128, c)
#define WEIR_COUNT_BITS(name) COUNTS(name, 8) COUNTS(name, 16) COUNTS(name, 32) COUNTS(name, 64)
#include "math/unary/unary.inc"

#define AT(e) [WEIR_E_##e - WEIR_E_i8]
#define INT_ROW(name, has)                                                                         \
    AT(i8) = has ? name##_i8 : NULL, AT(i16) = has ? name##_i16 : NULL,                            \
    AT(i32) = has ? name##_i32 : NULL, AT(i64) = has ? name##_i64 : NULL,                          \
    AT(u8) = has ? name##_u8 : NULL, AT(u16) = has ? name##_u16 : NULL,                            \
    AT(u32) = has ? name##_u32 : NULL, AT(u64) = has ? name##_u64 : NULL
#define COMPLEX_ROW(name, has)                                                                     \
    AT(c64) = has ? name##_c64 : NULL, AT(c128) = has ? name##_c128 : NULL

const weir_unary_fn weir_unary_others[WEIR_UNARY_COUNT][WEIR_UNARY_OTHERS] = {
#define WEIR_UNARY(name, f, i, c)                                                                  \
    [WEIR_U_##name] = {INT_ROW(name, WEIR_HAS(#i)), COMPLEX_ROW(name, WEIR_HAS(#c))},
#define WEIR_TRIG(name) [WEIR_U_##name] = {COMPLEX_ROW(name, true)},
#define WEIR_PART(name, c) [WEIR_U_##name] = {COMPLEX_ROW(name, true)},
#define WEIR_COUNT_BITS(name)                                                                      \
    [WEIR_U_##name] = {                                                                            \
        AT(i8) = name##_i8, AT(i16) = name##_i16, AT(i32) = name##_i32, AT(i64) = name##_i64,      \
        AT(u8) = name##_i8, AT(u16) = name##_i16, AT(u32) = name##_i32, AT(u64) = name##_i64,      \
    },
#include "math/unary/unary.inc"
};
