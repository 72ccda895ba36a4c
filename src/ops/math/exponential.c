/* ops/math/exponential.c - exponentials, logarithms, sigmoid and the hyperbolic functions. */
#include "ops/math/elementwise.h"
#include "ops/math/gradient.h"

GRADIENT(exp_grad, MUL(DY, CONJ(Y)))
GRADIENT(expm1_grad, MUL(DY, OP1("Exp", CONJ(X))))
GRADIENT(log_grad, MUL(DY, RECIPROCAL(CONJ(X))))
GRADIENT(log1p_grad, MUL(DY, RECIPROCAL(PLUS(1, CONJ(X)))))
GRADIENT(sigmoid_grad, OP2("SigmoidGrad", CONJ(Y), DY))
GRADIENT(tanh_grad, OP2("TanhGrad", CONJ(Y), DY))
GRADIENT(sinh_grad, MUL(DY, OP1("Cosh", CONJ(X))))
GRADIENT(cosh_grad, MUL(DY, OP1("Sinh", CONJ(X))))
GRADIENT(asinh_grad, DIV(DY, OP1("Cosh", CONJ(Y))))
GRADIENT(acosh_grad, DIV(DY, OP1("Sinh", CONJ(Y))))
static weir_status atanh_grad(weir_grad *grad)
{
    weir_edge square = SQUARE(CONJ(X));
    weir_grad_set(grad, 0, MUL(DY, RECIPROCAL(SUB(LIKE(square, 1), square))));
    return WEIR_OK;
}

UNARY_OP(exp, "Exp", FLOATS_COMPLEX, exp, .grad = exp_grad);
UNARY_OP(expm1, "Expm1", FLOATS_COMPLEX, expm1, .grad = expm1_grad);
UNARY_OP(log, "Log", FLOATS_COMPLEX, log, .grad = log_grad);
UNARY_OP(log1p, "Log1p", FLOATS_COMPLEX, log1p, .grad = log1p_grad);
UNARY_OP(sigmoid, "Sigmoid", FLOATS_COMPLEX, sigmoid, .flags = WEIR_KEEPS_FINITE,
         .grad = sigmoid_grad);
UNARY_OP(tanh, "Tanh", FLOATS_COMPLEX, tanh, .flags = WEIR_KEEPS_FINITE, .grad = tanh_grad);
UNARY_OP(sinh, "Sinh", FLOATS_COMPLEX, sinh, .grad = sinh_grad);
UNARY_OP(cosh, "Cosh", FLOATS_COMPLEX, cosh, .grad = cosh_grad);
UNARY_OP(asinh, "Asinh", FLOATS_COMPLEX, asinh, .flags = WEIR_KEEPS_FINITE, .grad = asinh_grad);
UNARY_OP(acosh, "Acosh", FLOATS_COMPLEX, acosh, .grad = acosh_grad);
UNARY_OP(atanh, "Atanh", FLOATS_COMPLEX, atanh, .grad = atanh_grad);

static weir_status sigmoid_grad_grad(weir_grad *grad)
{
    weir_edge y = CONJ(X), dy = CONJ(X1), both = MUL(DY, dy);
    weir_grad_set(grad, 0, SUB(both, MUL(TIMES(2, both), y)));
    weir_grad_set(grad, 1, OP2("SigmoidGrad", y, DY));
    return WEIR_OK;
}

static weir_status tanh_grad_grad(weir_grad *grad)
{
    weir_edge y = CONJ(X), dy = CONJ(X1);
    weir_grad_set(grad, 0, MUL(MUL(TIMES(-2, DY), dy), y));
    weir_grad_set(grad, 1, OP2("TanhGrad", y, DY));
    return WEIR_OK;
}

GRADIENT_OP(sigmoid_grad, "SigmoidGrad", "T: {" FLOATS_COMPLEX "}", sigmoid_grad,
            .grad = sigmoid_grad_grad);
GRADIENT_OP(tanh_grad, "TanhGrad", "T: {" FLOATS_COMPLEX "}", tanh_grad, .grad = tanh_grad_grad);
