/* ops/math/basic.c - negation, sign, roots, powers and rounding. */
#include "ops/math/elementwise.h"
#include "ops/math/gradient.h"

GRADIENT(neg_grad, NEG(DY))
GRADIENT(abs_grad, MUL(DY, OP1("Sign", X)))
GRADIENT(sign_grad, OP1("ZerosLike", X))
GRADIENT(square_grad, MUL(DY, TIMES(2, CONJ(X))))
GRADIENT(reciprocal_grad, OP2("ReciprocalGrad", Y, DY))
GRADIENT(sqrt_grad, OP2("SqrtGrad", Y, DY))
GRADIENT(rsqrt_grad, OP2("RsqrtGrad", Y, DY))

UNARY_OP(neg, "Neg", FLOATS_INTS_COMPLEX, neg, .flags = WEIR_KEEPS_FINITE, .grad = neg_grad);
UNARY_OP(abs, "Abs", FLOATS_INTS, abs, .flags = WEIR_KEEPS_FINITE, .grad = abs_grad);
UNARY_OP(sign, "Sign", FLOATS_INTS_COMPLEX, sign, .flags = WEIR_KEEPS_FINITE, .grad = sign_grad);
UNARY_OP(square, "Square", FLOATS_INTS ", uint8, uint16, uint32, uint64, complex64, complex128",
         square, .grad = square_grad);
UNARY_OP(reciprocal, "Reciprocal", FLOATS_INTS_COMPLEX, reciprocal, .grad = reciprocal_grad);
UNARY_OP(inv, "Inv", FLOATS_INTS_COMPLEX, reciprocal, .grad = reciprocal_grad);
UNARY_OP(sqrt, "Sqrt", FLOATS_COMPLEX, sqrt, .grad = sqrt_grad);
UNARY_OP(rsqrt, "Rsqrt", FLOATS_COMPLEX, rsqrt, .grad = rsqrt_grad);
UNARY_OP(floor, "Floor", FLOATS, floor, .flags = WEIR_KEEPS_FINITE, .no_grad = true);
UNARY_OP(ceil, "Ceil", FLOATS, ceil, .flags = WEIR_KEEPS_FINITE, .no_grad = true);
UNARY_OP(rint, "Rint", FLOATS, rint, .flags = WEIR_KEEPS_FINITE, .no_grad = true);
UNARY_OP(round, "Round", FLOATS_INTS_COMPLEX, rint, .flags = WEIR_KEEPS_FINITE, .no_grad = true);

/* Gradient ops take the forward result and the incoming gradient. Their own gradients: */
static weir_status reciprocal_grad_grad(weir_grad *grad)
{
    weir_edge y = CONJ(X), dy = X1;
    weir_grad_set(grad, 0, MUL(MUL(TIMES(-2, CONJ(DY)), dy), y));
    weir_grad_set(grad, 1, OP2("ReciprocalGrad", y, DY));
    return WEIR_OK;
}

static weir_status sqrt_grad_grad(weir_grad *grad)
{
    weir_edge slope = DIV(DY, X);
    weir_grad_set(grad, 0, MUL(NEG(CONJ(slope)), Y));
    weir_grad_set(grad, 1, TIMES(0.5, slope));
    return WEIR_OK;
}

static weir_status rsqrt_grad_grad(weir_grad *grad)
{
    weir_edge y = CONJ(X), dy = X1;
    weir_grad_set(grad, 0, MUL(MUL(TIMES(-1.5, CONJ(DY)), dy), SQUARE(y)));
    weir_grad_set(grad, 1, OP2("RsqrtGrad", y, DY));
    return WEIR_OK;
}

#define TYPES "T: {" FLOATS_COMPLEX "}"
GRADIENT_OP(reciprocal_grad, "ReciprocalGrad", TYPES, reciprocal_grad,
            .grad = reciprocal_grad_grad);
GRADIENT_OP(inv_grad, "InvGrad", TYPES, reciprocal_grad, .grad = reciprocal_grad_grad);
GRADIENT_OP(sqrt_grad, "SqrtGrad", TYPES, sqrt_grad, .grad = sqrt_grad_grad);
GRADIENT_OP(rsqrt_grad, "RsqrtGrad", TYPES, rsqrt_grad, .grad = rsqrt_grad_grad);
