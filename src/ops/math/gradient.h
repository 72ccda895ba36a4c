/* ops/math/gradient.h - a short notation for gradients of element-wise functions.
 *
 * Inside a function with a weir_grad *grad: X and X1 are the forward inputs, Y the output, DY its
 * gradient. Each use of a name adds nodes, so a gradient names only what it needs.
 */
#ifndef WEIR_OPS_MATH_GRADIENT_H
#define WEIR_OPS_MATH_GRADIENT_H

#include "grad/grad.h"

#define DY weir_grad_dy(grad, 0)
#define X weir_grad_x(grad, 0)
#define X1 weir_grad_x(grad, 1)
#define Y weir_grad_y(grad, 0)
#define CONJ(a) weir_grad_conj(grad, a)
#define NEG(a) weir_grad_neg(grad, a)
#define ADD(a, b) weir_grad_add(grad, a, b)
#define SUB(a, b) weir_grad_sub(grad, a, b)
#define MUL(a, b) weir_grad_mul(grad, a, b)
#define DIV(a, b) weir_grad_div(grad, a, b)
#define OP1(op, a) weir_grad_op1(grad, op, a)
#define OP2(op, a, b) weir_grad_op2(grad, op, a, b)
#define WHERE(c, a, b) weir_grad_where(grad, c, a, b)
/* v times, plus: v is cast to the type of a. */
#define TIMES(v, a) weir_grad_times(grad, v, a)
#define PLUS(v, a) weir_grad_plus(grad, v, a)
#define LIKE(a, v) weir_grad_scalar_like(grad, a, v)
#define SQUARE(a) OP1("Square", a)
#define RECIPROCAL(a) OP1("Reciprocal", a)

static inline weir_edge weir_grad_op1(weir_grad *grad, const char *op, weir_edge a)
{
    return weir_grad_op(grad, op, WEIR_IN(a), WEIR_NO_ATTRS);
}
static inline weir_edge weir_grad_op2(weir_grad *grad, const char *op, weir_edge a, weir_edge b)
{
    return weir_grad_op(grad, op, WEIR_IN(a, b), WEIR_NO_ATTRS);
}
static inline weir_edge weir_grad_where(weir_grad *grad, weir_edge c, weir_edge a, weir_edge b)
{
    return weir_grad_op(grad, "SelectV2", WEIR_IN(c, a, b), WEIR_NO_ATTRS);
}
static inline weir_edge weir_grad_times(weir_grad *grad, double value, weir_edge a)
{
    return weir_grad_mul(grad, weir_grad_scalar_like(grad, a, value), a);
}
static inline weir_edge weir_grad_plus(weir_grad *grad, double value, weir_edge a)
{
    return weir_grad_add(grad, weir_grad_scalar_like(grad, a, value), a);
}
static inline weir_edge weir_grad_cast(weir_grad *grad, weir_edge a, weir_dtype to)
{
    return weir_grad_op(grad, "Cast", WEIR_IN(a), WEIR_ATTRS(weir_a_type("DstT", to)));
}

/* Defines the gradient of a unary op by one expression, or of a broadcasting binary op by two. */
#define GRADIENT(name, dx)                                                                         \
    static weir_status name(weir_grad *grad)                                                       \
    {                                                                                              \
        weir_grad_set(grad, 0, dx);                                                                \
        return WEIR_OK;                                                                            \
    }
#define GRADIENT2(name, dx0, dx1)                                                                  \
    static weir_status name(weir_grad *grad)                                                       \
    {                                                                                              \
        weir_edge first = dx0, second = dx1;                                                       \
        weir_grad_set_broadcast(grad, first, second);                                              \
        return WEIR_OK;                                                                            \
    }
#define NO_EDGE ((weir_edge){0})

#endif
