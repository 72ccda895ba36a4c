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

#define ACTIVATION .in = "features: T", .out = "activations: T", .infer = weir_infer_same_shape
WEIR_DEFINE_OP(relu, "Relu", ACTIVATION, UNARY_LOOP(relu), .attrs = "T: {" REALS ", qint8}",
               .flags = WEIR_KEEPS_FINITE, .grad = relu_grad);
WEIR_DEFINE_OP(relu6, "Relu6", ACTIVATION, UNARY_LOOP(relu6), .attrs = "T: {" REALS "}",
               .flags = WEIR_KEEPS_FINITE, .grad = relu6_grad);
WEIR_DEFINE_OP(elu, "Elu", ACTIVATION, UNARY_LOOP(elu), .attrs = FLOAT_TYPES,
               .flags = WEIR_KEEPS_FINITE, .grad = elu_grad);
WEIR_DEFINE_OP(selu, "Selu", ACTIVATION, UNARY_LOOP(selu), .attrs = FLOAT_TYPES, .grad = selu_grad);
WEIR_DEFINE_OP(softplus, "Softplus", ACTIVATION, UNARY_LOOP(softplus), .attrs = FLOAT_TYPES,
               .flags = WEIR_KEEPS_FINITE, .grad = softplus_grad);
WEIR_DEFINE_OP(softsign, "Softsign", ACTIVATION, UNARY_LOOP(softsign), .attrs = FLOAT_TYPES,
               .flags = WEIR_KEEPS_FINITE, .grad = softsign_grad);

/* Gradient ops are linear in the gradient; these are the second derivatives of those that depend on
 * the other argument. */
static weir_status relu_grad_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0, OP2(weir_grad_site(grad)->op->name, DY, X1));
    weir_grad_set(grad, 1, OP1("ZerosLike", X1));
    return WEIR_OK;
}

static weir_edge where_negative(weir_grad *grad, weir_edge y, weir_edge value)
{
    weir_edge zero = LIKE(y, 0);
    return WHERE(OP2("Less", y, zero), value, zero);
}

static weir_status elu_grad_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0, OP2(weir_grad_site(grad)->op->name, DY, X1));
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

static weir_status infer_both(weir_infer *infer)
{
    return weir_infer_alike(infer, 2, &infer->out[0]);
}

#define BY_FEATURES .in = "gradients: T; features: T", .out = "backprops: T", .infer = infer_both
#define BY_OUTPUTS .in = "gradients: T; outputs: T", .out = "backprops: T", .infer = infer_both
WEIR_DEFINE_OP(relu_grad, "ReluGrad", BY_FEATURES, BINARY_LOOP(relu_grad),
               .attrs = "T: {" REALS "}", .flags = WEIR_KEEPS_FINITE, .grad = relu_grad_grad);
WEIR_DEFINE_OP(relu6_grad, "Relu6Grad", BY_FEATURES, BINARY_LOOP(relu6_grad),
               .attrs = "T: {" REALS "}", .flags = WEIR_KEEPS_FINITE, .grad = relu_grad_grad);
WEIR_DEFINE_OP(elu_grad, "EluGrad", BY_OUTPUTS, BINARY_LOOP(elu_grad), .attrs = FLOAT_TYPES,
               .grad = elu_grad_grad);
WEIR_DEFINE_OP(selu_grad, "SeluGrad", BY_OUTPUTS, BINARY_LOOP(selu_grad), .attrs = FLOAT_TYPES,
               .grad = elu_grad_grad);
WEIR_DEFINE_OP(softplus_grad, "SoftplusGrad", BY_FEATURES, BINARY_LOOP(softplus_grad),
               .attrs = FLOAT_TYPES, .grad = softplus_grad_grad);
WEIR_DEFINE_OP(softsign_grad, "SoftsignGrad", BY_FEATURES, BINARY_LOOP(softsign_grad),
               .attrs = FLOAT_TYPES);
