/* math/binary/binary_impl.h - the tables behind binary.c, and what their expressions use. */
#ifndef WEIR_MATH_BINARY_IMPL_H
#define WEIR_MATH_BINARY_IMPL_H

#include <tgmath.h>

#include "math/binary/binary.h"
#include "math/isa.h"
#include "math/special/special.h"
#include "math/unary/unary.h"
#include "math/vec.h"

typedef struct weir_binary_floats {
    weir_binary_fn f32[WEIR_BINARY_COUNT];
    weir_binary_fn f64[WEIR_BINARY_COUNT];
} weir_binary_floats;

WEIR_ISA_DECLARE(const weir_binary_floats, weir_binary_floats);

/* Loops over integers, complex numbers and bool, indexed by elem - WEIR_E_i8. */
enum { WEIR_BINARY_OTHERS = WEIR_E_b8 - WEIR_E_i8 + 1 };
extern const weir_binary_fn weir_binary_others[WEIR_BINARY_COUNT][WEIR_BINARY_OTHERS];

/* Expressions are written once for signed and unsigned types. */
#pragma GCC diagnostic ignored "-Wtype-limits"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wbool-compare"
#endif

#define FAIL (ok = false, (T)0)
/* The most negative number over -1 wraps instead of trapping. */
#define MINUS_ONE(y) ((T)-1 < 0 && (y) == (T)-1)
#define QUOTIENT(x, y) (MINUS_ONE(y) ? (T)(0 - (W)(x)) : (x) / (MINUS_ONE(y) ? 1 : (y)))
#define REMAINDER(x, y) (MINUS_ONE(y) ? 0 : (x) % (MINUS_ONE(y) ? 1 : (y)))
#define FLOOR_DIV(x, y)                                                                            \
    (T)(QUOTIENT(x, y) - (REMAINDER(x, y) != 0 && ((REMAINDER(x, y) < 0) != ((y) < 0))))
#define FLOOR_MOD(x, y)                                                                            \
    (REMAINDER(x, y) != 0 && ((REMAINDER(x, y) < 0) != ((y) < 0)) ? REMAINDER(x, y) + (y)          \
                                                                  : REMAINDER(x, y))
/* A shift by less than nothing or more than there is has no meaning in C: it is brought in range.
 */
#define SHIFT(T, y)                                                                                \
    ((y) < 0 ? 0 : (y) > (T)(sizeof(T) * 8 - 1) ? (int)(sizeof(T) * 8 - 1) : (int)(y))

/* With a vector form for float. */
#define SIGMOID(x) _Generic((x), float : weir_v_sigmoid, double : weir_binary_sigmoid)(x)
static inline double weir_binary_sigmoid(double x)
{
    return 1 / (1 + (exp)(-x));
}

static inline uint64_t weir_int_pow(uint64_t x, uint64_t n)
{
    uint64_t r = 1;
    for (; n; n >>= 1, x *= x)
        if (n & 1)
            r *= x;
    return r;
}

/* The remainder with the sign of y. */
static inline double weir_floor_mod(double x, double y)
{
    double r = (fmod)(x, y);
    return r != 0 && (y < 0) != (r < 0) ? r + y : r;
}

/* The plain product, without C's rescue of infinities. */
static inline weir_c64 weir_mul_c64(weir_c64 x, weir_c64 y)
{
    float a = crealf(x), b = cimagf(x), c = crealf(y), d = cimagf(y);
    return CMPLXF(a * c - b * d, a * d + b * c);
}
static inline weir_c128 weir_mul_c128(weir_c128 x, weir_c128 y)
{
    double a = (creal)(x), b = (cimag)(x), c = (creal)(y), d = (cimag)(y);
    return CMPLX(a * c - b * d, a * d + b * c);
}
#define CMUL(x, y) _Generic((x) + (y), weir_c64 : weir_mul_c64, weir_c128 : weir_mul_c128)(x, y)
#define CPOW(x, y) ((y) == 0 ? (T)1 : (x) == 0 ? (T)0 : pow(x, y))

/* One loop in its three forms. An absent class is spelt NO: the loop is then never referred to. */
#define NO x
#define WEIR_LOOP2(id, X, Z, W_, expr)                                                             \
    static bool id(int64_t count, const void *xs, const void *ys, void *zs, weir_binary_mode mode) \
    {                                                                                              \
        typedef X T;                                                                               \
        typedef W_ W;                                                                              \
        (void)sizeof(W);                                                                           \
        const T *px = xs, *py = ys;                                                                \
        Z *pz = zs;                                                                                \
        bool ok = true;                                                                            \
        if (mode == WEIR_BOTH_VARY) {                                                              \
            for (int64_t i = 0; i < count; i++) {                                                  \
                T x = px[i], y = py[i];                                                            \
                (void)y;                                                                           \
                pz[i] = expr;                                                                      \
            }                                                                                      \
        } else if (mode == WEIR_X_REPEATS) {                                                       \
            const T x = px[0];                                                                     \
            for (int64_t i = 0; i < count; i++) {                                                  \
                T y = py[i];                                                                       \
                (void)y;                                                                           \
                pz[i] = expr;                                                                      \
            }                                                                                      \
        } else {                                                                                   \
            const T y = py[0];                                                                     \
            (void)y;                                                                               \
            for (int64_t i = 0; i < count; i++) {                                                  \
                T x = px[i];                                                                       \
                pz[i] = expr;                                                                      \
            }                                                                                      \
        }                                                                                          \
        return ok;                                                                                 \
    }
#define WEIR_HAS(text) (sizeof(text) != sizeof "NO" || (text)[0] != 'N')

#endif
