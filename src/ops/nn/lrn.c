/* ops/nn/lrn.c - LRN: local response normalisation over neighbouring channels, and LRNGrad. */
#include "grad/grad.h"
#include "math/norm/norm.h"
#include "op/op.h"
#include "ops/common/elem_of.h"

enum { DEPTH_RADIUS, BIAS, ALPHA, BETA };

#define ATTRS                                                                                      \
    "depth_radius: int = 5; bias: float = 1.0; alpha: float = 1.0; beta: float = 0.5; T: {half, "  \
    "bfloat16, float} = DT_FLOAT"

static weir_status infer(weir_infer *infer)
{
    if (infer->in[0]->rank >= 0 && infer->in[0]->rank != 4)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "in must be 4-dimensional: Shape must be rank 4 but is rank %d",
                          infer->in[0]->rank);
    return weir_infer_same_shape(infer);
}

static weir_status infer_grad(weir_infer *infer)
{
    weir_shape all;
    WEIR_TRY(weir_infer_merge(infer->in[0], infer->in[1], &all));
    WEIR_TRY(weir_infer_merge(&all, infer->in[2], &all));
    infer->out[0] = all;
    if (all.rank >= 0 && all.rank != 4)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input_grads must be 4-dimensional: Shape must be rank 4 but is rank %d",
                          all.rank);
    return WEIR_OK;
}

static weir_status plan(const weir_call *call, const weir_tensor *x, weir_lrn *out)
{
    int64_t radius = weir_site_int(call->site, DEPTH_RADIUS);
    if (radius < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "depth_radius must be >= 0, got %lld",
                          (long long)radius);
    *out = (weir_lrn){
        .elem = weir_elem_of(x->dtype),
        .rows = weir_shape_product(&x->shape, 0, 3),
        .channels = x->shape.dims[3],
        .radius = radius,
        .bias = weir_site_float(call->site, BIAS),
        .alpha = weir_site_float(call->site, ALPHA),
        .beta = weir_site_float(call->site, BETA),
    };
    return WEIR_OK;
}

static weir_status lrn(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_lrn work;
    WEIR_TRY(plan(call, x, &work));
    weir_lrn_run(&call->run->par, &work, x->data, weir_out(call, 0)->data);
    return WEIR_OK;
}

static weir_status lrn_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *x = weir_in(call, 1), *y = weir_in(call, 2);
    weir_lrn lrn;
    WEIR_TRY(plan(call, x, &lrn));
    weir_lrn_grad(&call->run->par, &lrn, dy->data, x->data, y->data, weir_out(call, 0)->data);
    return WEIR_OK;
}

static weir_status grad(weir_grad *grad)
{
    weir_edge in[] = {weir_grad_dy(grad, 0), weir_grad_x(grad, 0), weir_grad_y(grad, 0)};
    weir_grad_set(
        grad, 0,
        weir_grad_op(grad, "LRNGrad", in, 3,
                     WEIR_ATTRS(weir_grad_attr(grad, "depth_radius"), weir_grad_attr(grad, "bias"),
                                weir_grad_attr(grad, "alpha"), weir_grad_attr(grad, "beta"))));
    return WEIR_OK;
}

const weir_op weir_op_lrn = {
    .name = "LRN",
    .in = "input: T",
    .out = "output: T",
    .attrs = ATTRS,
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", lrn}},
};

const weir_op weir_op_lrn_grad = {
    .name = "LRNGrad",
    .in = "input_grads: T; input_image: T; output_image: T",
    .out = "output: T",
    .attrs = ATTRS,
    .infer = infer_grad,
    .kernels = {{WEIR_CPU, "*", lrn_grad}},
};
