/* ops/nn/activation.c - Relu, Relu6, Elu, Selu, Softplus and Softsign with their gradient ops. */
#include "ops/math/elementwise.h"
#include "ops/math/gradient.h"

#define FLOAT_TYPES "T: {half, bfloat16, float, double}"

GRADIENT(relu_grad, OP2("ReluGrad", DY, Y))
GRADIENT(relu6_grad, OP2("Relu6Grad", DY, Y))
GRADIENT(elu_grad, OP2("EluGrad", DY, Y))
GRADIENT(selu_grad, OP2("SeluGrad", DY, Y))
GRADIENT(softplus_grad, OP2("SoftplusGrad", DY, X))
GRADIENT(softsign_grad, OP2("SoftsignGrad", DY, X))

/* f(features). */
#define ACTIVATION(id, op_name, types)                                                             \
    UNARY_LOOP_OP(id, op_name, "features: T", "activations: T", types, id, .grad = id##_grad)

ACTIVATION(relu, "Relu", "T: {" REALS ", qint8}");
ACTIVATION(relu6, "Relu6", "T: {" REALS "}");
ACTIVATION(elu, "Elu", FLOAT_TYPES);
ACTIVATION(selu, "Selu", FLOAT_TYPES);
ACTIVATION(softplus, "Softplus", FLOAT_TYPES);
ACTIVATION(softsign, "Softsign", FLOAT_TYPES);

/* Gradient ops are linear in the gradient; where they are not constant in the other argument, its
 * second derivative follows. */
#define NO_SECOND(id, op_name)                                                                     \
    static weir_status id##_grad(weir_grad *grad)                                                  \
    {                                                                                              \
        weir_grad_set(grad, 0, OP2(op_name, DY, X1));                                              \
        weir_grad_set(grad, 1, OP1("ZerosLike", X1));                                              \
        return WEIR_OK;                                                                            \
    }
NO_SECOND(relu_grad, "ReluGrad")
NO_SECOND(relu6_grad, "Relu6Grad")

static weir_edge where_negative(weir_grad *grad, weir_edge y, weir_edge value)
{
    weir_edge zero = LIKE(y, 0);
    return WHERE(OP2("Less", y, zero), value, zero);
}

static weir_status elu_grad_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0, OP2("EluGrad", DY, X1));
    weir_grad_set(grad, 1, where_negative(grad, X1, MUL(DY, X)));
    return WEIR_OK;
}

static weir_status selu_grad_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0, OP2("SeluGrad", DY, X1));
    weir_grad_set(grad, 1, where_negative(grad, X1, MUL(DY, X)));
    return WEIR_OK;
}

/* sigmoid' = 1 / (e^-x + 2 + e^x) */
static weir_status softplus_grad_grad(weir_grad *grad)
{
    weir_edge x = X1, both = ADD(OP1("Exp", NEG(x)), OP1("Exp", x));
    weir_grad_set(grad, 0, OP2("SoftplusGrad", DY, x));
    weir_grad_set(grad, 1, DIV(MUL(DY, X), PLUS(2, both)));
    return WEIR_OK;
}

static weir_status infer_both(weir_infer *i)
{
    return weir_infer_merge(i->in[0], i->in[1], &i->out[0]);
}

#define ACTIVATION_GRAD(id, op_name, second, types, ...)                                           \
    BINARY_LOOP_OP(id, op_name, "gradients: T; " second ": T", "backprops: T", types, infer_both,  \
                   id, __VA_ARGS__)

ACTIVATION_GRAD(relu_grad, "ReluGrad", "features", "T: {" REALS "}", .grad = relu_grad_grad);
ACTIVATION_GRAD(relu6_grad, "Relu6Grad", "features", "T: {" REALS "}", .grad = relu6_grad_grad);
ACTIVATION_GRAD(elu_grad, "EluGrad", "outputs", FLOAT_TYPES, .grad = elu_grad_grad);
ACTIVATION_GRAD(selu_grad, "SeluGrad", "outputs", FLOAT_TYPES, .grad = selu_grad_grad);
ACTIVATION_GRAD(softplus_grad, "SoftplusGrad", "features", FLOAT_TYPES, .grad = softplus_grad_grad);
ACTIVATION_GRAD(softsign_grad, "SoftsignGrad", "features", FLOAT_TYPES, );
