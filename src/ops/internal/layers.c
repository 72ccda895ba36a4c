/* ops/internal/layers.c - fused layer ops created by pass/layers.c: a convolution with its bias and
 * Relu, and the gradients through Relu and the bias.
 *
 *   _ConvBias         Relu(BiasAdd(Conv2D(input, filter), bias)), the Relu only with attr relu
 *   _MaxPoolReluGrad  ReluGrad(MaxPoolGrad(x, y, grad), x), and BiasAddGrad of that
 *   _ReluBiasGrad     ReluGrad(gradients, features), and BiasAddGrad of that
 *   _SliceReluBiasGrad  the same for the gradients' channels from |first| on; devices only
 *   _MaxPoolPlaces    MaxPool, and one byte per result: the maximum's position in its window
 *   _PlacesGrad       MaxPoolGrad by these bytes, or, with attr sums, _MaxPoolReluGrad
 *
 * Floats and channels last only; the pass has checked the shapes. 16-bit floats have kernels on
 * devices only; the sums for their bias may be float (B).
 */
#include "math/conv/epilogue.h"
#include "ops/nn/conv.h"
#include "ops/nn/pool.h"

#define SLIDE                                                                                      \
    "padding: {'SAME', 'VALID', 'EXPLICIT'}; explicit_paddings: list(int) = []; "                  \
    "data_format: {'NHWC'} = \"NHWC\""

static weir_status infer_conv(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 2, 1));
    return weir_conv_infer(infer, false);
}

static weir_status conv_bias(weir_call *call)
{
    weir_conv_plan plan;
    weir_tensor *x = &call->in[0].tensor, *w = &call->in[1].tensor, *y = weir_out(call, 0);
    const weir_tensor *bias = weir_in(call, 2);
    WEIR_TRY(weir_conv_plan_make(call->site, false, &x->shape, &w->shape, false, &plan));
    if (weir_tensor_count(bias) != plan.conv.out_c || weir_tensor_count(w) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "_ConvBias: a bias of %s for a filter of %s",
                          WEIR_SHAPE_STR(&bias->shape), WEIR_SHAPE_STR(&w->shape));
    weir_epilogue then = {.bias = bias->data,
                          .relu =
                              weir_site_bool(call->site, weir_opdef_attr(call->site->def, "relu"))};
    plan.conv.epilogue = &then;
    return weir_conv_plan_run(&call->run->par, &plan, WEIR_CONV_FORWARD, false, x, w, y);
}

const weir_op weir_op_conv_bias = {
    .name = "_ConvBias",
    .in = "input: T; filter: T; bias: T",
    .out = "output: T",
    .attrs = "T: {half, bfloat16, float}; relu: bool = false; strides: list(int); " SLIDE
             "; dilations: list(int) = [1, 1, 1, 1]",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_conv,
    .kernels = {{WEIR_CPU, "T: float", conv_bias}},
};

static weir_status infer_grad(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    infer->out[1] = weir_shape_vector(weir_infer_dim(infer, 0, -1));
    return WEIR_OK;
}

static weir_status max_pool_relu_grad(weir_call *call)
{
    weir_pool_plan plan;
    const weir_tensor *x = weir_in(call, 0), *dy = weir_in(call, 2);
    WEIR_TRY(weir_pool_plan_of_call(call, &x->shape, -1, &plan));
    if (!weir_shape_eq(&dy->shape, &plan.out) || plan.window.channels != x->shape.dims[3])
        return weir_error(WEIR_INVALID_ARGUMENT, "_MaxPoolReluGrad: a gradient of %s for %s",
                          WEIR_SHAPE_STR(&dy->shape), WEIR_SHAPE_STR(&plan.out));
    weir_max_pool_relu_grad(&call->run->par, &plan.window, x->data, dy->data,
                            weir_out(call, 0)->data, weir_out(call, 1)->data);
    return WEIR_OK;
}

const weir_op weir_op_max_pool_relu_grad = {
    .name = "_MaxPoolReluGrad",
    .in = "orig_input: T; orig_output: T; grad: T",
    .out = "output: T; bias: B",
    .attrs = "T: {half, bfloat16, float}; B: {half, bfloat16, float} = DT_FLOAT; ksize: list(int) "
             ">= 4; strides: list(int) >= 4; " SLIDE,
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_grad,
    .kernels = {{WEIR_CPU, "T: float", max_pool_relu_grad}},
};

static weir_status relu_bias_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *y = weir_in(call, 1);
    weir_tensor *dx = weir_out(call, 0), *sum = weir_out(call, 1);
    if (!weir_shape_eq(&dy->shape, &y->shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "_ReluBiasGrad: a gradient of %s for %s",
                          WEIR_SHAPE_STR(&dy->shape), WEIR_SHAPE_STR(&y->shape));
    int64_t channels = weir_tensor_count(sum);
    weir_epilogue_grad(&call->run->par, channels ? weir_tensor_count(dx) / channels : 0, channels,
                       dy->data, y->data, dx->data, sum->data);
    return WEIR_OK;
}

const weir_op weir_op_relu_bias_grad = {
    .name = "_ReluBiasGrad",
    .in = "gradients: T; features: T",
    .out = "backprops: T; bias: B",
    .attrs = "T: {half, bfloat16, float}; B: {half, bfloat16, float} = DT_FLOAT",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "T: float", relu_bias_grad}},
};

/* The two ops on positions are for devices only: a CPU finds the maxima as fast as it reads the
 * positions. */
static weir_status infer_places(weir_infer *infer)
{
    bool known;
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_infer_plan(infer, infer->in[0], -1, &known, &plan));
    if (known)
        infer->out[0] = infer->out[1] = plan.out;
    return WEIR_OK;
}

const weir_op weir_op_max_pool_places = {
    .name = "_MaxPoolPlaces",
    .in = "input: T",
    .out = "output: T; places: uint8",
    .attrs = "T: {half, bfloat16, float}; relu: bool = false; ksize: list(int) >= 4; "
             "strides: list(int) >= 4; " SLIDE,
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_places,
};

static weir_status infer_places_grad(weir_infer *infer)
{
    bool sums = weir_site_bool(infer->site, weir_opdef_attr(infer->site->def, "sums"));
    infer->out[0] = *infer->in[0];
    infer->out[1] = weir_shape_vector(sums ? weir_infer_dim(infer, 0, -1) : 0);
    return WEIR_OK;
}

const weir_op weir_op_places_grad = {
    .name = "_PlacesGrad",
    .in = "orig_input: T; places: uint8; grad: T",
    .out = "output: T; bias: B",
    .attrs = "T: {half, bfloat16, float}; B: {half, bfloat16, float} = DT_FLOAT; "
             "sums: bool = false; ksize: list(int) >= 4; strides: list(int) >= 4; " SLIDE,
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_places_grad,
};

static weir_status infer_slice_grad(weir_infer *infer)
{
    infer->out[0] = *infer->in[1];
    infer->out[1] = weir_shape_vector(weir_infer_dim(infer, 1, -1));
    return WEIR_OK;
}

const weir_op weir_op_slice_relu_bias_grad = {
    .name = "_SliceReluBiasGrad",
    .in = "gradients: T; features: T",
    .out = "backprops: T; bias: B",
    .attrs = "T: {half, bfloat16, float}; B: {half, bfloat16, float} = DT_FLOAT; first: int >= 0",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_slice_grad,
};
