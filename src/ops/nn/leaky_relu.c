/* ops/nn/leaky_relu.c - LeakyRelu: x where x > 0, alpha * x elsewhere. */
#include "base/half.h"
#include "grad/grad.h"
#include "math/binary/binary.h"
#include "op/op.h"
#include "ops/common/elem_of.h"

enum { ALPHA }; /* index into .attrs */

#define ATTRS "alpha: float = 0.20000000298023224; T: {half, bfloat16, float, double} = DT_FLOAT"

/* alpha as an element of the tensor's type. */
typedef union one {
    uint16_t half;
    float f32;
    double f64;
} one;

static one alpha_of(const weir_call *call, weir_elem elem)
{
    float alpha = weir_site_float(call->site, ALPHA);
    switch (elem) {
    case WEIR_E_f64:
        return (one){.f64 = alpha};
    case WEIR_E_f32:
        return (one){.f32 = alpha};
    case WEIR_E_f16:
        return (one){.half = weir_f32_f16(alpha)};
    default:
        return (one){.half = weir_f32_bf16(alpha)};
    }
}

static weir_status leaky_relu(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_elem elem = weir_elem_of(x->dtype);
    one alpha = alpha_of(call, elem);
    weir_binary_flat(&call->run->par, WEIR_B_leaky_relu, elem, weir_tensor_count(x), x->data,
                     &alpha, weir_out(call, 0)->data, WEIR_Y_REPEATS);
    return WEIR_OK;
}

#define LOOPS "ops/nn/leaky_relu.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"

typedef struct back {
    weir_elem elem;
    float alpha;
    const char *dy, *x;
    char *dx;
} back;

static void back_part(void *ctx, int64_t begin, int64_t end)
{
    const back *back = ctx;
    int64_t at = begin * weir_elem_size(back->elem), n = end - begin;
    const void *dy = back->dy + at, *x = back->x + at;
    void *dx = back->dx + at;
    switch (back->elem) {
    case WEIR_E_f64:
        back_f64(n, back->alpha, dy, x, dx);
        break;
    case WEIR_E_f32:
        back_f32(n, back->alpha, dy, x, dx);
        break;
    case WEIR_E_f16:
        back_f16(n, back->alpha, dy, x, dx);
        break;
    default:
        back_bf16(n, back->alpha, dy, x, dx);
    }
}

static weir_status leaky_relu_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *x = weir_in(call, 1);
    back back = {weir_elem_of(x->dtype), weir_site_float(call->site, ALPHA), dy->data, x->data,
                 weir_out(call, 0)->data};
    weir_par_for(&call->run->par, weir_tensor_count(x), weir_elem_grain(back.elem), back_part,
                 &back);
    return WEIR_OK;
}

static weir_edge emit(weir_grad *grad, weir_edge dy, weir_edge x)
{
    return weir_grad_op(grad, "LeakyReluGrad", WEIR_IN(dy, x),
                        WEIR_ATTRS(weir_grad_attr(grad, "alpha")));
}

/* dx is alpha * dy on the side where x <= 0, so the gradient needs x, not y. */
static weir_status grad(weir_grad *grad)
{
    weir_grad_set(grad, 0, emit(grad, weir_grad_dy(grad, 0), weir_grad_x(grad, 0)));
    return WEIR_OK;
}

static weir_status grad_of_grad(weir_grad *grad)
{
    weir_edge x = weir_grad_x(grad, 1);
    weir_grad_set(grad, 0, emit(grad, weir_grad_dy(grad, 0), x));
    weir_grad_set(grad, 1, weir_grad_op(grad, "ZerosLike", WEIR_IN(x), WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status infer_both(weir_infer *infer)
{
    return weir_infer_merge(infer->in[0], infer->in[1], &infer->out[0]);
}

const weir_op weir_op_leaky_relu = {
    .name = "LeakyRelu",
    .in = "features: T",
    .out = "activations: T",
    .attrs = ATTRS,
    .infer = weir_infer_same_shape,
    .grad = grad,
    .inplace = WEIR_INPLACE(0, 0),
    .elementwise = {.arity = 2, .loop = WEIR_B_leaky_relu, .attr = "alpha"},
    .kernels = {{WEIR_CPU, "*", leaky_relu}},
};

const weir_op weir_op_leaky_relu_grad = {
    .name = "LeakyReluGrad",
    .in = "gradients: T; features: T",
    .out = "backprops: T",
    .attrs = ATTRS,
    .infer = infer_both,
    .grad = grad_of_grad,
    .inplace = WEIR_INPLACE(0, 0) | WEIR_INPLACE(1, 0),
    .elementwise = {.arity = 2, .loop = WEIR_B_leaky_slope, .attr = "alpha", .scales = true},
    .kernels = {{WEIR_CPU, "*", leaky_relu_grad}},
};
