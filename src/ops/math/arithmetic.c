/* ops/math/arithmetic.c - sums, products, quotients, remainders, extrema and powers. */
#include "ops/math/elementwise.h"
#include "ops/math/gradient.h"

#define SUM_TYPES                                                                                  \
    FLOATS ", uint8, uint16, uint32, uint64, int8, int16, int32, int64, "                          \
           "complex64, complex128"
#define SUB_TYPES                                                                                  \
    FLOATS ", uint8, int8, uint16, int16, int32, int64, complex64, complex128, "                   \
           "uint32, uint64"
#define ALL_TYPES                                                                                  \
    FLOATS ", uint8, int8, uint16, int16, int32, uint32, uint64, int64, "                          \
           "complex64, complex128"
#define ORDERED FLOATS ", int8, uint8, int16, uint16, int32, uint32, int64, uint64"
#define FLOATS_FIRST "half, bfloat16, float, double, complex64, complex128"

GRADIENT2(add_grad, DY, DY)
GRADIENT2(sub_grad, DY, NEG(DY))
GRADIENT2(mul_grad, MUL(DY, CONJ(X1)), MUL(CONJ(X), DY))
GRADIENT2(mul_no_nan_grad, OP2("MulNoNan", DY, X1), OP2("MulNoNan", X, DY))

ARITHMETIC_OP(add_v2, "AddV2", SUM_TYPES, add, .grad = add_grad,
              .flags = WEIR_COMMUTATIVE | WEIR_AGGREGATE);
ARITHMETIC_OP(sub, "Sub", SUB_TYPES, sub, .grad = sub_grad);
ARITHMETIC_OP(mul, "Mul", ALL_TYPES, mul, .grad = mul_grad, .flags = WEIR_COMMUTATIVE);
ARITHMETIC_OP(mul_no_nan, "MulNoNan", FLOATS_COMPLEX, mul_no_nan, .grad = mul_no_nan_grad);

/* d(x/y): dy / y for x, and dy * (-x / y) / y for y. */
static weir_status quotient_grad(weir_grad *grad, const char *division)
{
    weir_edge x = CONJ(X), y = CONJ(X1), dy = DY;
    weir_grad_set_broadcast(grad, OP2(division, dy, y),
                            MUL(dy, OP2(division, OP2(division, NEG(x), y), y)));
    return WEIR_OK;
}
static weir_status div_grad(weir_grad *grad)
{
    return quotient_grad(grad, "Div");
}
static weir_status real_div_grad(weir_grad *grad)
{
    return quotient_grad(grad, "RealDiv");
}
static weir_status div_no_nan_grad(weir_grad *grad)
{
    return quotient_grad(grad, "DivNoNan");
}

ARITHMETIC_OP(div, "Div", ALL_TYPES, div, .grad = div_grad);
ARITHMETIC_OP(real_div, "RealDiv", ALL_TYPES, div, .grad = real_div_grad);
ARITHMETIC_OP(div_no_nan, "DivNoNan", "half, float, bfloat16, double, complex64, complex128",
              div_no_nan, .grad = div_no_nan_grad);
ARITHMETIC_OP(truncate_div, "TruncateDiv", ALL_TYPES, trunc_div, .no_grad = true);
ARITHMETIC_OP(floor_div, "FloorDiv", ALL_TYPES, floor_div, .no_grad = true);

GRADIENT2(floor_mod_grad, DY, MUL(DY, NEG(OP2("FloorDiv", X, X1))))
GRADIENT2(trunc_mod_grad, DY, MUL(DY, NEG(OP2("TruncateDiv", X, X1))))
ARITHMETIC_OP(floor_mod, "FloorMod", INTS ", " FLOATS, floor_mod, .grad = floor_mod_grad);
ARITHMETIC_OP(mod, "Mod", "int32, int64, half, half, bfloat16, float, double", trunc_mod, );
ARITHMETIC_OP(truncate_mod, "TruncateMod", "int32, int64, " FLOATS, trunc_mod,
              .grad = trunc_mod_grad);

/* The gradient goes to the operand selected; to x on a tie. */
static weir_status extreme_grad(weir_grad *grad, const char *takes_x)
{
    weir_edge dy = DY, zero = OP1("ZerosLike", dy), mask = OP2(takes_x, X, X1);
    weir_grad_set_broadcast(grad, WHERE(mask, dy, zero), WHERE(mask, zero, dy));
    return WEIR_OK;
}
static weir_status maximum_grad(weir_grad *grad)
{
    return extreme_grad(grad, "GreaterEqual");
}
static weir_status minimum_grad(weir_grad *grad)
{
    return extreme_grad(grad, "LessEqual");
}
ARITHMETIC_OP(maximum, "Maximum", ORDERED, maximum, .flags = WEIR_KEEPS_FINITE,
              .grad = maximum_grad);
ARITHMETIC_OP(minimum, "Minimum", ORDERED, minimum, .flags = WEIR_KEEPS_FINITE,
              .grad = minimum_grad);

/* log x where it is real (or x != 0, complex), else 0: dz/dy = z log x. */
static weir_edge safe_log(weir_grad *grad, weir_edge x)
{
    bool is_complex = x.node && weir_dtype_is_complex(weir_edge_dtype(x));
    weir_edge zero = LIKE(x, 0);
    weir_edge mask = is_complex ? OP2("NotEqual", x, zero) : OP2("Greater", x, zero);
    weir_edge safe = WHERE(mask, x, OP1("OnesLike", x));
    return WHERE(mask, OP1("Log", safe), OP1("ZerosLike", x));
}

static weir_status pow_grad(weir_grad *grad)
{
    weir_edge x = CONJ(X), y = CONJ(X1), z = CONJ(Y), dy = DY;
    weir_edge dx = MUL(MUL(dy, y), OP2("Pow", x, SUB(y, LIKE(y, 1))));
    weir_grad_set_broadcast(grad, dx, MUL(MUL(dy, z), safe_log(grad, x)));
    return WEIR_OK;
}
ARITHMETIC_OP(pow, "Pow",
              "bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128",
              pow, .grad = pow_grad);

static weir_status squared_difference_grad(weir_grad *grad)
{
    weir_edge dx = MUL(TIMES(2, DY), SUB(X, X1));
    weir_grad_set_broadcast(grad, dx, NEG(dx));
    return WEIR_OK;
}
ARITHMETIC_OP(squared_difference, "SquaredDifference",
              FLOATS ", int32, int64, complex64, complex128", squared_difference,
              .grad = squared_difference_grad, .flags = WEIR_COMMUTATIVE);

/* 1 where x is not 0, in x's type: the functions below are 0 for x = 0 for any y. */
static weir_edge not_zero(weir_grad *grad, weir_edge x)
{
    weir_edge mask = OP2("NotEqual", x, LIKE(x, 0));
    return x.node ? weir_grad_cast(grad, mask, weir_edge_dtype(x)) : x;
}
GRADIENT2(xlogy_grad, MUL(OP2("Xlogy", not_zero(grad, X), X1), DY), MUL(OP2("Xdivy", X, X1), DY))
GRADIENT2(xlog1py_grad, MUL(OP2("Xlog1py", not_zero(grad, X), X1), DY),
          MUL(OP2("Xdivy", X, PLUS(1, X1)), DY))
GRADIENT2(xdivy_grad, MUL(OP2("Xdivy", not_zero(grad, X), X1), DY),
          MUL(OP2("Xdivy", NEG(X), SQUARE(X1)), DY))
ARITHMETIC_OP(xlogy, "Xlogy", FLOATS_FIRST, xlogy, .grad = xlogy_grad);
ARITHMETIC_OP(xlog1py, "Xlog1py", FLOATS_FIRST, xlog1py, .grad = xlog1py_grad);
ARITHMETIC_OP(xdivy, "Xdivy", FLOATS_FIRST, xdivy, .grad = xdivy_grad);

/* The gradient for x2 is zero: it only gives the direction. */
GRADIENT2(next_after_grad, DY, OP1("ZerosLike", DY))
BINARY_OP(next_after, "NextAfter", "x1: T; x2: T", "output: T", "T: {double, float} = DT_FLOAT",
          next_after, .grad = next_after_grad);
