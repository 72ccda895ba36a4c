/* math/unary/unary_impl.h - the tables behind unary.c. */
#ifndef WEIR_MATH_UNARY_IMPL_H
#define WEIR_MATH_UNARY_IMPL_H

#include <tgmath.h>

#include "math/isa.h"
#include "math/special/special.h"
#include "math/unary/unary.h"
#include "math/vec.h"

/* Loops over float and double, per instruction set. */
typedef struct weir_unary_floats {
    weir_unary_fn f32[WEIR_UNARY_COUNT];
    weir_unary_fn f64[WEIR_UNARY_COUNT];
} weir_unary_floats;

WEIR_ISA_DECLARE(const weir_unary_floats, weir_unary_floats);

/* Loops over integers and complex numbers, indexed by elem - WEIR_E_i8. */
enum { WEIR_UNARY_OTHERS = WEIR_E_c128 - WEIR_E_i8 + 1 };
extern const weir_unary_fn weir_unary_others[WEIR_UNARY_COUNT][WEIR_UNARY_OTHERS];

/* Functions with a vector form for float. */
#define EXP(x) _Generic((x), float : weir_v_exp, double : (exp))(x)
#define EXPM1(x) _Generic((x), float : weir_v_expm1, double : (expm1))(x)
#define LOG(x) _Generic((x), float : weir_v_log, double : (log))(x)
#define LOG1P(x) _Generic((x), float : weir_v_log1p, double : (log1p))(x)
#define TANH(x) _Generic((x), float : weir_v_tanh, double : (tanh))(x)
#define SIGMOID(x) _Generic((x), float : weir_v_sigmoid, double : weir_sigmoid)(x)
#define SOFTPLUS(x) _Generic((x), float : weir_v_softplus, double : weir_softplus)(x)

static inline double weir_sigmoid(double x)
{
    return 1 / (1 + (exp)(-x));
}

static inline double weir_softplus(double x)
{
    return (x > 0 ? x : 0) + (log1p)((exp)(-(fabs)(x)));
}

/* Expressions are written once for signed and unsigned types. */
#pragma GCC diagnostic ignored "-Wtype-limits"

/* One loop. An absent class is spelt NO: the loop is then never referred to. */
#define NO x
#define WEIR_LOOP(id, X, Y, W_, expr)                                                              \
    static void id(int64_t count, const void *xs, void *ys)                                        \
    {                                                                                              \
        typedef X T;                                                                               \
        typedef W_ W;                                                                              \
        (void)sizeof(W);                                                                           \
        const T *px = xs;                                                                          \
        Y *py = ys;                                                                                \
        for (int64_t i = 0; i < count; i++) {                                                      \
            T x = px[i];                                                                           \
            py[i] = expr;                                                                          \
        }                                                                                          \
    }
#define WEIR_HAS(text) (sizeof(text) != sizeof "NO" || (text)[0] != 'N')

#endif
