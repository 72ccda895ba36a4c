/* ops/math/trigonometric.c - trigonometric functions and their inverses. */
#include "ops/math/elementwise.h"
#include "ops/math/gradient.h"

GRADIENT(sin_grad, MUL(DY, OP1("Cos", CONJ(X))))
GRADIENT(cos_grad, MUL(NEG(DY), OP1("Sin", CONJ(X))))
GRADIENT(tan_grad, MUL(SQUARE(RECIPROCAL(OP1("Cos", CONJ(X)))), DY))
GRADIENT(atan_grad, MUL(DY, RECIPROCAL(PLUS(1, SQUARE(CONJ(X))))))

/* 1 / sqrt(1 - x^2) */
static weir_edge arc_slope(weir_grad *grad)
{
    weir_edge square = SQUARE(CONJ(X));
    return RECIPROCAL(OP1("Sqrt", SUB(LIKE(square, 1), square)));
}
GRADIENT(asin_grad, MUL(DY, arc_slope(grad)))
GRADIENT(acos_grad, NEG(MUL(DY, arc_slope(grad))))

UNARY_OP(sin, "Sin", FLOATS_COMPLEX, sin, .flags = WEIR_KEEPS_FINITE, .grad = sin_grad);
UNARY_OP(cos, "Cos", FLOATS_COMPLEX, cos, .flags = WEIR_KEEPS_FINITE, .grad = cos_grad);
UNARY_OP(tan, "Tan", FLOATS_COMPLEX, tan, .grad = tan_grad);
UNARY_OP(asin, "Asin", FLOATS_COMPLEX, asin, .grad = asin_grad);
UNARY_OP(acos, "Acos", FLOATS_COMPLEX, acos, .grad = acos_grad);
UNARY_OP(atan, "Atan", FLOATS_COMPLEX, atan, .flags = WEIR_KEEPS_FINITE, .grad = atan_grad);

/* Atan2(y, x): both derivatives are divided by x^2 + y^2. */
static weir_status atan2_grad(weir_grad *grad)
{
    weir_edge y = X, x = X1, over = DIV(DY, ADD(SQUARE(x), SQUARE(y)));
    weir_grad_set_broadcast(grad, MUL(x, over), MUL(NEG(y), over));
    return WEIR_OK;
}
BINARY_OP(atan2, "Atan2", "y: T; x: T", "z: T", "T: {" FLOATS "}", atan2, .grad = atan2_grad);
