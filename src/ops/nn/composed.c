/* ops/nn/composed.c - Conv, FusedPadConv2D, FusedResizeAndPadConv2D, Conv2DBackpropInputV2,
 * Conv2DBackpropFilterV2: convolutions composed of other ops. */
#include "ops/common/catalogue.h"
#include "ops/common/elements.h"
#include "ops/common/inner.h"
#include "ops/declare.h"

static const weir_attr *attr(const weir_call *call, const char *name)
{
    return &call->site->attrs[weir_opdef_attr(call->site->def, name)];
}

static weir_named_attr same_attr(const weir_call *call, const char *name)
{
    return weir_a_attr(name, attr(call, name));
}

/* ---- padding, then convolution --------------------------------------------------------------- */

static weir_status mirror_pad(const weir_call *call, const weir_tensor *x,
                              const weir_tensor *paddings, weir_tensor *out)
{
    const weir_named_attr attrs[] = {weir_a_type("T", x->dtype),
                                     weir_a_type("Tpaddings", WEIR_INT32), same_attr(call, "mode")};
    return weir_inner_compute(call, &weir_op_mirror_pad, attrs, 3,
                              (const weir_tensor *[]){x, paddings}, out);
}

/* The convolution of |x|, which is released, by input |filter|. */
static weir_status convolve(weir_call *call, weir_tensor x, int filter)
{
    const weir_named_attr attrs[] = {weir_a_type("T", x.dtype), same_attr(call, "strides"),
                                     same_attr(call, "padding")};
    weir_tensor y;
    weir_status status = weir_inner_compute(call, &weir_op_conv2d, attrs, 3,
                                            (const weir_tensor *[]){&x, weir_in(call, filter)}, &y);
    weir_tensor_release(&x);
    WEIR_TRY(status);
    weir_call_set(call, 0, y);
    return WEIR_OK;
}

static weir_status pad_conv(weir_call *call)
{
    weir_tensor padded;
    WEIR_TRY(mirror_pad(call, weir_in(call, 0), weir_in(call, 1), &padded));
    return convolve(call, padded, 2);
}

/* Resizing returns floats for any type. */
static weir_status resize(const weir_call *call, weir_tensor *out)
{
    const weir_tensor *x = weir_in(call, 0);
    const weir_named_attr attrs[] = {
        weir_a_type("T", x->dtype),
        weir_a_attr("align_corners", attr(call, "resize_align_corners"))};
    weir_tensor floats;
    WEIR_TRY(weir_inner_compute(call, &weir_op_resize_bilinear, attrs, 2,
                                (const weir_tensor *[]){x, weir_in(call, 1)}, &floats));
    const weir_named_attr types[] = {weir_a_type("SrcT", WEIR_FLOAT),
                                     weir_a_type("DstT", x->dtype)};
    weir_status status =
        weir_inner_compute(call, &weir_op_cast, types, 2, (const weir_tensor *[]){&floats}, out);
    weir_tensor_release(&floats);
    return status;
}

static weir_status resize_pad_conv(weir_call *call)
{
    weir_tensor resized, padded;
    WEIR_TRY(resize(call, &resized));
    weir_status status = mirror_pad(call, &resized, weir_in(call, 2), &padded);
    weir_tensor_release(&resized);
    WEIR_TRY(status);
    return convolve(call, padded, 3);
}

/* ---- gradients that take a tensor instead of its shape --------------------------------------- */

enum { OF_INPUT, OF_FILTER };

static weir_status backprop_infer(weir_infer *infer)
{
    infer->out[0] = *infer->in[weir_site_mode(infer->site)];
    return WEIR_OK;
}

static weir_tensor shape_tensor(const weir_shape *shape)
{
    weir_shape vector = weir_shape_vector(shape->rank);
    int32_t dims[WEIR_MAX_RANK] = {0};
    for (int i = 0; i < shape->rank; i++)
        dims[i] = (int32_t)shape->dims[i];
    return weir_tensor_from(WEIR_INT32, &vector, dims);
}

static weir_status backprop(weir_call *call)
{
    const weir_op *ops[] = {&weir_op_conv2d_backprop_input, &weir_op_conv2d_backprop_filter};
    int which = weir_site_mode(call->site);
    weir_named_attr attrs[8];
    for (int i = 0; i < call->site->def->attr_count && i < 8; i++)
        attrs[i] = weir_a_attr(call->site->def->attrs[i].name, &call->site->attrs[i]);
    weir_tensor shape = shape_tensor(&weir_in(call, which)->shape), y;
    const weir_tensor *in[] = {which == OF_INPUT ? &shape : weir_in(call, 0),
                               which == OF_INPUT ? weir_in(call, 1) : &shape, weir_in(call, 2)};
    weir_status status =
        weir_inner_compute(call, ops[which], attrs, call->site->def->attr_count, in, &y);
    weir_tensor_release(&shape);
    WEIR_TRY(status);
    weir_call_set(call, 0, y);
    return WEIR_OK;
}

/* ---- Conv ------------------------------------------------------------------------------------ */

static bool channels_first(const weir_call *call)
{
    return weir_str_is(attr(call, "data_format")->s, "CHANNELS_FIRST");
}

static weir_status check_conv(const weir_call *call, int64_t batch_dims)
{
    const weir_shape *x = &weir_in(call, 0)->shape, *filter = &weir_in(call, 1)->shape;
    int64_t spatial = x->rank - 1 - batch_dims;
    if (batch_dims < 1 || filter->rank != spatial + 2 || (spatial != 2 && spatial != 3))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Conv: two or three spatial dimensions are supported, not input %s, "
                          "filter %s with batch_dims %d",
                          WEIR_SHAPE_STR(x), WEIR_SHAPE_STR(filter), (int)batch_dims);
    if (spatial == 3 && weir_str_is(attr(call, "padding")->s, "EXPLICIT"))
        return weir_error(WEIR_UNIMPLEMENTED, "Conv: explicit padding of three dimensions");
    return WEIR_OK;
}

/* Merges the leading dimensions of |x|, keeping the last |rank| - 1. */
static weir_tensor one_batch(const weir_tensor *x, int rank)
{
    weir_shape shape = weir_infer_sub(&x->shape, x->shape.rank - rank, x->shape.rank);
    shape.dims[0] = weir_shape_product(&x->shape, 0, x->shape.rank - rank + 1);
    return weir_tensor_view(x, &shape);
}

static weir_status spatial_conv(const weir_call *call, const weir_tensor *x, weir_tensor *out)
{
    static const char *const formats[2][2] = {{"NHWC", "NCHW"}, {"NDHWC", "NCDHW"}};
    const int64_t ones[] = {1, 1, 1, 1, 1};
    bool flat = x->shape.rank == 4;
    weir_named_attr dilations = attr(call, "dilations")->count
                                    ? same_attr(call, "dilations")
                                    : weir_a_ints("dilations", ones, x->shape.rank);
    const weir_named_attr attrs[] = {
        weir_a_type("T", x->dtype),
        same_attr(call, "strides"),
        same_attr(call, "padding"),
        same_attr(call, "explicit_paddings"),
        dilations,
        weir_a_str("data_format", formats[!flat][channels_first(call)])};
    return weir_inner_compute(call, flat ? &weir_op_conv2d : &weir_op_conv3d, attrs, 6,
                              (const weir_tensor *[]){x, weir_in(call, 1)}, out);
}

static weir_status conv(weir_call *call)
{
    int64_t batch_dims = attr(call, "batch_dims")->i;
    const weir_tensor *x = weir_in(call, 0);
    WEIR_TRY(check_conv(call, batch_dims));
    weir_tensor joined = one_batch(x, x->shape.rank - (int)batch_dims + 1), y;
    weir_status status = spatial_conv(call, &joined, &y);
    weir_tensor_release(&joined);
    WEIR_TRY(status);
    weir_shape batch = weir_infer_sub(&x->shape, 0, (int)batch_dims), shape;
    weir_shape rest = weir_infer_sub(&y.shape, 1, y.shape.rank);
    status = weir_infer_concat(&batch, &rest, &shape);
    if (!status)
        weir_call_set(call, 0, weir_tensor_view(&y, &shape));
    weir_tensor_release(&y);
    return status;
}

#define COMPOSED(kernel) .kernels = {{WEIR_CPU, "*", kernel, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE}}
#define MIRRORED "mode: {'REFLECT', 'SYMMETRIC'}; strides: list(int); padding: {'SAME', 'VALID'}"
#define CONV_2D                                                                                    \
    "; strides: list(int); use_cudnn_on_gpu: bool = true; "                                        \
    "padding: {'SAME', 'VALID', 'EXPLICIT'}; explicit_paddings: list(int) = []; "                  \
    "data_format: {'NHWC', 'NCHW'} = 'NHWC'; dilations: list(int) = [1, 1, 1, 1]"
WEIR_DEFINE_OP(conv, "Conv", COMPOSED(conv), .in = "input: T; filter: T", .out = "output: T",
               .attrs = "T: {half, bfloat16, float, double, int32}; strides: list(int); "
                        "padding: {'SAME', 'VALID', 'EXPLICIT'}; "
                        "explicit_paddings: list(int) = []; "
                        "data_format: {'CHANNELS_FIRST', 'CHANNELS_LAST'} = 'CHANNELS_LAST'; "
                        "dilations: list(int) = []; batch_dims: int = 1; groups: int = 1");
WEIR_DEFINE_OP(fused_pad_conv2d, "FusedPadConv2D", COMPOSED(pad_conv),
               .in = "input: T; paddings: int32; filter: T", .out = "output: T",
               .attrs = "T: {half, bfloat16, float, double}; " MIRRORED, .host = "paddings");
WEIR_DEFINE_OP(fused_resize_and_pad_conv2d, "FusedResizeAndPadConv2D", COMPOSED(resize_pad_conv),
               .in = "input: T; size: int32; paddings: int32; filter: T", .out = "output: T",
               .attrs = "T: {half, float, double}; resize_align_corners: bool = false; " MIRRORED,
               .host = "size; paddings");
#define BACKPROP                                                                                   \
    COMPOSED(backprop), .in = "input: T; filter: T; out_backprop: T", .out = "output: T",          \
                        .infer = backprop_infer
WEIR_DEFINE_OP(conv2d_backprop_input_v2, "Conv2DBackpropInputV2", BACKPROP, .mode = OF_INPUT,
               .attrs = "T: {half, bfloat16, float, double, int32}" CONV_2D);
WEIR_DEFINE_OP(conv2d_backprop_filter_v2, "Conv2DBackpropFilterV2", BACKPROP, .mode = OF_FILTER,
               .attrs = "T: {half, bfloat16, float, double}" CONV_2D);
