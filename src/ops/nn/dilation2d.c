/* ops/nn/dilation2d.c - Dilation2D: grey-scale morphological dilation, and its gradients. */
#include "grad/grad.h"
#include "math/window/dilation.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/math/types.h"
#include "ops/nn/window.h"

#define ATTRS                                                                                      \
    "T: {" REALS "}; strides: list(int) >= 4; rates: list(int) >= 4; padding: {'SAME', 'VALID'}"

static weir_status read_rates(const weir_site *site, weir_slide *slide)
{
    const weir_attr *rates = weir_site_list(site, weir_opdef_attr(site->def, "rates"));
    if (rates->count != 4)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Dilation2D requires the rates attribute to contain 4 values, but got: %d",
            rates->count);
    for (int axis = 0; axis < 4; axis++) {
        if (rates->is[axis] <= 0 || rates->is[axis] > INT32_MAX)
            return weir_error(WEIR_INVALID_ARGUMENT, "rates must be > 0, got %lld",
                              (long long)rates->is[axis]);
        slide->dilation[axis] = rates->is[axis];
    }
    if (slide->stride[0] != 1 || slide->stride[3] != 1 || slide->dilation[0] != 1 ||
        slide->dilation[3] != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Dilation2D requires strides and rates of 1 along batch and channels");
    return WEIR_OK;
}

/* Plans the window; unknown sizes are -1. */
static weir_status plan(const weir_site *site, bool building, const weir_shape *x,
                        const weir_shape *w, weir_dilation *out, weir_shape *out_shape)
{
    weir_slide slide;
    WEIR_TRY(weir_slide_read(site, building, &slide));
    WEIR_TRY(read_rates(site, &slide));
    WEIR_TRY(weir_slide_check(site, &slide));
    if ((x->rank >= 0 && x->rank != 4) || (w->rank >= 0 && w->rank != 3))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input must be 4-dimensional and filter 3-dimensional: %s, %s",
                          WEIR_SHAPE_STR(x), WEIR_SHAPE_STR(w));
    weir_dilation dilation = {.batch = x->rank < 0 ? -1 : x->dims[0]};
    WEIR_TRY(weir_infer_merge_dim(x->rank < 0 ? -1 : x->dims[3], w->rank < 0 ? -1 : w->dims[2],
                                  &dilation.channels));
    for (int axis = 0; axis < 2; axis++) {
        dilation.in[axis] = x->rank < 0 ? -1 : x->dims[1 + axis];
        dilation.size[axis] = w->rank < 0 ? -1 : w->dims[axis];
        dilation.stride[axis] = slide.stride[1 + axis];
        dilation.rate[axis] = slide.dilation[1 + axis];
        if (dilation.size[axis] == 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "filter must not be empty: %s",
                              WEIR_SHAPE_STR(w));
        WEIR_TRY(weir_slide_dim(&slide, 1 + axis, dilation.in[axis], dilation.size[axis],
                                &dilation.out[axis], &dilation.pad[axis]));
    }
    *out_shape =
        (weir_shape){4, {dilation.batch, dilation.out[0], dilation.out[1], dilation.channels}};
    *out = dilation;
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    weir_dilation dilation;
    return plan(infer->site, weir_infer_building(infer), infer->in[0], infer->in[1], &dilation,
                &infer->out[0]);
}

static weir_status infer_grad_x(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    return WEIR_OK;
}

static weir_status infer_grad_w(weir_infer *infer)
{
    infer->out[0] = *infer->in[1];
    return WEIR_OK;
}

static weir_status dilation(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *w = weir_in(call, 1);
    weir_dilation g;
    weir_shape shape;
    WEIR_TRY(plan(call->site, false, &x->shape, &w->shape, &g, &shape));
    g.elem = weir_elem_of(x->dtype);
    weir_dilation_run(&call->run->par, &g, x->data, w->data, weir_out(call, 0)->data);
    return WEIR_OK;
}

static weir_status back(weir_call *call, bool to_image)
{
    const weir_tensor *x = weir_in(call, 0), *w = weir_in(call, 1), *dy = weir_in(call, 2);
    weir_dilation dilation;
    weir_shape shape;
    WEIR_TRY(plan(call->site, false, &x->shape, &w->shape, &dilation, &shape));
    dilation.elem = weir_elem_of(x->dtype);
    if (!weir_shape_eq(&dy->shape, &shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "out_backprop has incompatible size: %s, not %s",
                          WEIR_SHAPE_STR(&dy->shape), WEIR_SHAPE_STR(&shape));
    (to_image ? weir_dilation_grad_x : weir_dilation_grad_w)(&dilation, x->data, w->data, dy->data,
                                                             weir_out(call, 0)->data);
    return WEIR_OK;
}

static weir_status dilation_grad_x(weir_call *call)
{
    return back(call, true);
}

static weir_status dilation_grad_w(weir_call *call)
{
    return back(call, false);
}

static weir_status grad(weir_grad *grad)
{
    static const char *const ops[] = {"Dilation2DBackpropInput", "Dilation2DBackpropFilter"};
    weir_edge in[] = {weir_grad_x(grad, 0), weir_grad_x(grad, 1), weir_grad_dy(grad, 0)};
    for (int i = 0; i < 2; i++)
        weir_grad_set(
            grad, i,
            weir_grad_op(grad, ops[i], in, 3,
                         WEIR_ATTRS(weir_grad_attr(grad, "strides"), weir_grad_attr(grad, "rates"),
                                    weir_grad_attr(grad, "padding"))));
    return WEIR_OK;
}

const weir_op weir_op_dilation2d = {
    .name = "Dilation2D",
    .in = "input: T; filter: T",
    .out = "output: T",
    .attrs = ATTRS,
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", dilation}},
};

const weir_op weir_op_dilation2d_backprop_input = {
    .name = "Dilation2DBackpropInput",
    .in = "input: T; filter: T; out_backprop: T",
    .out = "in_backprop: T",
    .attrs = ATTRS,
    .infer = infer_grad_x,
    .kernels = {{WEIR_CPU, "*", dilation_grad_x}},
};

const weir_op weir_op_dilation2d_backprop_filter = {
    .name = "Dilation2DBackpropFilter",
    .in = "input: T; filter: T; out_backprop: T",
    .out = "filter_backprop: T",
    .attrs = ATTRS,
    .infer = infer_grad_w,
    .kernels = {{WEIR_CPU, "*", dilation_grad_w}},
};
