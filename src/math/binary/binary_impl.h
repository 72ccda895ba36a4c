/* math/binary/binary_impl.h - the tables behind binary.c, and what their expressions use. */
#ifndef WEIR_MATH_BINARY_IMPL_H
#define WEIR_MATH_BINARY_IMPL_H

#include <tgmath.h>

#include "math/binary/binary.h"
#include "math/isa.h"
#include "math/special/special.h"
#include "math/unary/unary.h"
#include "math/vec.h"

/* Loops over float and double, per instruction set: tables of WEIR_BINARY_COUNT functions. */
typedef struct weir_binary_floats {
    const weir_binary_fn *f32, *f64;
} weir_binary_floats;

WEIR_ISA_DECLARE(const weir_binary_floats, weir_binary_floats);

/* Loops over integers, complex numbers and bool: a table for each of these types, null for the
 * others. */
extern const weir_binary_fn *const weir_binary_tables[WEIR_ELEM_COUNT];

#define INLINE static inline __attribute__((always_inline))

/* Suppresses warnings: expressions are shared by signed and unsigned types. */
#pragma GCC diagnostic ignored "-Wtype-limits"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wbool-compare"
#endif

#define FAIL (*ok = false, (T)0)
/* The minimum divided by -1 wraps instead of trapping. */
#define MINUS_ONE(y) ((T)-1 < 0 && (y) == (T)-1)
#define QUOTIENT(x, y) (MINUS_ONE(y) ? (T)(0 - (W)(x)) : (x) / (MINUS_ONE(y) ? 1 : (y)))
#define REMAINDER(x, y) (MINUS_ONE(y) ? 0 : (x) % (MINUS_ONE(y) ? 1 : (y)))
/* Whether the quotient was rounded up, away from the floor. */
#define ROUNDED_UP(x, y) (REMAINDER(x, y) != 0 && (REMAINDER(x, y) < 0) != ((y) < 0))
#define FLOOR_DIV(x, y) (T)(QUOTIENT(x, y) - ROUNDED_UP(x, y))
#define FLOOR_MOD(x, y) (ROUNDED_UP(x, y) ? REMAINDER(x, y) + (y) : REMAINDER(x, y))
/* Shifts by a negative count or beyond the width are undefined in C: counts are clamped. */
#define BITS(T) ((int)sizeof(T) * 8)
#define SHIFT(T, y) ((y) < 0 ? 0 : (y) > (T)(BITS(T) - 1) ? BITS(T) - 1 : (int)(y))

/* With a vectorized form for float. */
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

/* The plain product, without C's special handling of infinities. */
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

/* NO marks an absent class: its loop is compiled, but is not in the table. */
#define NO x
#define WEIR_HAS(text) (sizeof(text) != sizeof "NO" || (text)[0] != 'N')

#endif
