/* ops/nn/conv3d.c - Conv3D and the ops that compute its gradients. Their first version takes the
 * input and the filter, the second one their shapes. */
#include "grad/grad.h"
#include "ops/nn/conv.h"

#define TYPES "{half, bfloat16, float, double}"
#define OLD_ATTRS                                                                                  \
    "T: {half, float, double}; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; dilations: "   \
    "list(int) = [1, 1, 1, 1, 1]"
#define ATTRS                                                                                      \
    "T: " TYPES "; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; data_format: {'NDHWC', "   \
    "'NCDHW'} = \"NDHWC\"; dilations: list(int) = [1, 1, 1, 1, 1]"

static weir_status infer(weir_infer *infer)
{
    return weir_conv_infer(infer, false);
}

static weir_status infer_grad_x(weir_infer *infer)
{
    return weir_conv_infer_grad_x(infer, false);
}

static weir_status infer_as_input(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    return WEIR_OK;
}

static weir_status infer_as_filter(weir_infer *infer)
{
    infer->out[0] = *infer->in[1];
    return WEIR_OK;
}

static weir_status conv(weir_call *call)
{
    return weir_conv_kernel(call, false);
}

static weir_status conv_grad_x(weir_call *call)
{
    return weir_conv_kernel_grad_x(call, false);
}

static weir_status conv_grad_w(weir_call *call)
{
    return weir_conv_kernel_grad_w(call, false);
}

/* A convolution op over |in| with the geometry of the forward node. */
static weir_edge emit(weir_grad *grad, const char *op, const weir_edge *in, int in_count)
{
    return weir_grad_op(grad, op, in, in_count,
                        WEIR_ATTRS(weir_grad_attr(grad, "strides"), weir_grad_attr(grad, "padding"),
                                   weir_grad_attr(grad, "data_format"),
                                   weir_grad_attr(grad, "dilations")));
}

static weir_status grad(weir_grad *grad)
{
    weir_edge x = weir_grad_x(grad, 0), w = weir_grad_x(grad, 1), dy = weir_grad_dy(grad, 0);
    weir_grad_set(grad, 0,
                  emit(grad, "Conv3DBackpropInputV2", WEIR_IN(weir_grad_shape_of(grad, x), w, dy)));
    weir_grad_set(
        grad, 1, emit(grad, "Conv3DBackpropFilterV2", WEIR_IN(x, weir_grad_shape_of(grad, w), dy)));
    return WEIR_OK;
}

/* Inputs: the sizes of x, w, dy. The result is linear in w and in dy. */
static weir_status grad_of_grad_x(weir_grad *grad)
{
    weir_edge w = weir_grad_x(grad, 1), dy = weir_grad_x(grad, 2), d = weir_grad_dy(grad, 0);
    weir_grad_set(
        grad, 1, emit(grad, "Conv3DBackpropFilterV2", WEIR_IN(d, weir_grad_shape_of(grad, w), dy)));
    weir_grad_set(grad, 2, emit(grad, "Conv3D", WEIR_IN(d, w)));
    return WEIR_OK;
}

/* Inputs: x, the sizes of w, dy. */
static weir_status grad_of_grad_w(weir_grad *grad)
{
    weir_edge x = weir_grad_x(grad, 0), dy = weir_grad_x(grad, 2), d = weir_grad_dy(grad, 0);
    weir_grad_set(grad, 0,
                  emit(grad, "Conv3DBackpropInputV2", WEIR_IN(weir_grad_shape_of(grad, x), d, dy)));
    weir_grad_set(grad, 2, emit(grad, "Conv3D", WEIR_IN(x, d)));
    return WEIR_OK;
}

const weir_op weir_op_conv3d = {
    .name = "Conv3D",
    .in = "input: T; filter: T",
    .out = "output: T",
    .attrs = ATTRS,
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", conv, WEIR_EXPENSIVE}},
};

const weir_op weir_op_conv3d_backprop_input_v2 = {
    .name = "Conv3DBackpropInputV2",
    .in = "input_sizes: Tshape; filter: T; out_backprop: T",
    .out = "output: T",
    .attrs = ATTRS "; Tshape: {int32, int64} = DT_INT32",
    .host = "input_sizes",
    .infer = infer_grad_x,
    .grad = grad_of_grad_x,
    .kernels = {{WEIR_CPU, "*", conv_grad_x, WEIR_EXPENSIVE}},
};

const weir_op weir_op_conv3d_backprop_filter_v2 = {
    .name = "Conv3DBackpropFilterV2",
    .in = "input: T; filter_sizes: int32; out_backprop: T",
    .out = "output: T",
    .attrs = ATTRS,
    .host = "filter_sizes",
    .infer = weir_conv_infer_grad_w,
    .grad = grad_of_grad_w,
    .kernels = {{WEIR_CPU, "*", conv_grad_w, WEIR_EXPENSIVE}},
};

const weir_op weir_op_conv3d_backprop_input = {
    .name = "Conv3DBackpropInput",
    .in = "input: T; filter: T; out_backprop: T",
    .out = "output: T",
    .attrs = OLD_ATTRS,
    .deprecated_at = 10,
    .deprecation = "Use Conv3DBackpropInputV2",
    .infer = infer_as_input,
    .kernels = {{WEIR_CPU, "*", conv_grad_x, WEIR_EXPENSIVE}},
};

const weir_op weir_op_conv3d_backprop_filter = {
    .name = "Conv3DBackpropFilter",
    .in = "input: T; filter: T; out_backprop: T",
    .out = "output: T",
    .attrs = OLD_ATTRS,
    .deprecated_at = 10,
    .deprecation = "Use Conv3DBackpropFilterV2",
    .infer = infer_as_filter,
    .kernels = {{WEIR_CPU, "*", conv_grad_w, WEIR_EXPENSIVE}},
};
