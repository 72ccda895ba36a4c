/* math/unary/unary_impl.h - the tables behind unary.c. */
#ifndef WEIR_MATH_UNARY_IMPL_H
#define WEIR_MATH_UNARY_IMPL_H

#include <tgmath.h>

#include "math/isa.h"
#include "math/special/special.h"
#include "math/unary/unary.h"
#include "math/vec.h"

/* Loops over float and double, per instruction set: tables of WEIR_UNARY_COUNT functions. */
typedef struct weir_unary_floats {
    const weir_unary_fn *f32, *f64;
} weir_unary_floats;

WEIR_ISA_DECLARE(const weir_unary_floats, weir_unary_floats);

/* Loops over integers and complex numbers: a table for each of these types, null for the others. */
extern const weir_unary_fn *const weir_unary_tables[WEIR_ELEM_COUNT];

/* Functions with a vectorized form for float. */
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

/* Suppresses warnings: expressions are shared by signed and unsigned types. */
#pragma GCC diagnostic ignored "-Wtype-limits"

/* NO marks an absent class: its loop is compiled, but is not in the table. */
#define NO x
#define WEIR_HAS(text) (sizeof(text) != sizeof "NO" || (text)[0] != 'N')

#endif
