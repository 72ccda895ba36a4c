/* weir/ops/nn/conv.h - convolutions, products of matrices, biases.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_NN_CONV_OPS_H
#define WEIR_NN_CONV_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* BatchMatMul(x: T, y: T) -> output: T: products of matrices in the last two axes. T: bfloat16,
 * half, float, double, int32, int64, complex64, complex128. */
typedef struct weir_batch_mat_mul_options {
    bool adj_x;
    bool adj_y;
    bool grad_x;
    bool grad_y;
} weir_batch_mat_mul_options;
static inline TF_Output weir_batch_mat_mul(weir_builder *builder, const char *node, TF_Output x,
                                           TF_Output y, const weir_batch_mat_mul_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchMatMul", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made && options) {
        TF_SetAttrBool(made, "adj_x", options->adj_x);
        TF_SetAttrBool(made, "adj_y", options->adj_y);
        TF_SetAttrBool(made, "grad_x", options->grad_x);
        TF_SetAttrBool(made, "grad_y", options->grad_y);
    }
    return weir_build_end(builder, made);
}

/* BatchMatMulV2(x: T, y: T) -> output: T: products of matrices in the last two axes. T: bfloat16,
 * half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128.
 * */
typedef struct weir_batch_mat_mul_v2_options {
    bool adj_x;
    bool adj_y;
    bool grad_x;
    bool grad_y;
} weir_batch_mat_mul_v2_options;
static inline TF_Output weir_batch_mat_mul_v2(weir_builder *builder, const char *node, TF_Output x,
                                              TF_Output y,
                                              const weir_batch_mat_mul_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchMatMulV2", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made && options) {
        TF_SetAttrBool(made, "adj_x", options->adj_x);
        TF_SetAttrBool(made, "adj_y", options->adj_y);
        TF_SetAttrBool(made, "grad_x", options->grad_x);
        TF_SetAttrBool(made, "grad_y", options->grad_y);
    }
    return weir_build_end(builder, made);
}

/* BatchMatMulV3(x: Ta, y: Tb) -> output: Tout: products of matrices in the last two axes. Ta:
 * bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128. Tb:
 * bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128. Tout:
 * bfloat16, half, float, double, int16, int32, int64, complex64, complex128. */
typedef struct weir_batch_mat_mul_v3_options {
    bool adj_x;
    bool adj_y;
    bool grad_x;
    bool grad_y;
} weir_batch_mat_mul_v3_options;
static inline TF_Output weir_batch_mat_mul_v3(weir_builder *builder, const char *node, TF_Output x,
                                              TF_Output y, TF_DataType Tout,
                                              const weir_batch_mat_mul_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchMatMulV3", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made) {
        TF_SetAttrType(made, "Tout", Tout);
    }
    if (made && options) {
        TF_SetAttrBool(made, "adj_x", options->adj_x);
        TF_SetAttrBool(made, "adj_y", options->adj_y);
        TF_SetAttrBool(made, "grad_x", options->grad_x);
        TF_SetAttrBool(made, "grad_y", options->grad_y);
    }
    return weir_build_end(builder, made);
}

/* BiasAdd(value: T, bias: T) -> output: T: a vector added along the channels. T: float, double,
 * int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16,
 * uint16, complex128, half, uint32, uint64. */
typedef struct weir_bias_add_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_bias_add_options;
static inline TF_Output weir_bias_add(weir_builder *builder, const char *node, TF_Output value,
                                      TF_Output bias, const weir_bias_add_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BiasAdd", node);
    weir_build_input(builder, made, value);
    weir_build_input(builder, made, bias);
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* BiasAddGrad(out_backprop: T) -> output: T: the gradient of BiasAdd. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_bias_add_grad_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_bias_add_grad_options;
static inline TF_Output weir_bias_add_grad(weir_builder *builder, const char *node,
                                           TF_Output out_backprop,
                                           const weir_bias_add_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BiasAddGrad", node);
    weir_build_input(builder, made, out_backprop);
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* BiasAddV1(value: T, bias: T) -> output: T: a vector added along the last axis. T: float, double,
 * int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16,
 * uint16, complex128, half, uint32, uint64. */
static inline TF_Output weir_bias_add_v1(weir_builder *builder, const char *node, TF_Output value,
                                         TF_Output bias)
{
    const TF_Output inputs[] = {value, bias};
    return weir_build_op(builder, "BiasAddV1", node, inputs, 2);
}

/* Conv(input: T, filter: T) -> output: T: convolutions composed of other ops. T: half, bfloat16,
 * float, double, int32. padding: 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_conv_options {
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: 'CHANNELS_LAST'; 'CHANNELS_FIRST', 'CHANNELS_LAST' */
    const int64_t *dilations;
    int dilations_count; /* null: [] */
    int64_t batch_dims; /* 0: 1 */
    int64_t groups; /* 0: 1 */
} weir_conv_options;
static inline TF_Output weir_conv(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output filter, const int64_t *strides, int strides_count,
                                  const char *padding, const weir_conv_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
        if (options->batch_dims != 0)
            TF_SetAttrInt(made, "batch_dims", weir_int_of(options->batch_dims));
        if (options->groups != 0)
            TF_SetAttrInt(made, "groups", weir_int_of(options->groups));
    }
    return weir_build_end(builder, made);
}

/* Conv2D(input: T, filter: T) -> output: T: every window of an image times a filter. T: half,
 * bfloat16, float, double, int32. padding: 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_conv2d_options {
    bool not_use_cudnn_on_gpu;
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_conv2d_options;
static inline TF_Output weir_conv2d(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output filter, const int64_t *strides, int strides_count,
                                    const char *padding, const weir_conv2d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv2D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_cudnn_on_gpu", !options->not_use_cudnn_on_gpu);
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv2DBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> output: T: the gradient
 * of Conv2D by its filter. T: half, bfloat16, float, double. padding: 'SAME', 'VALID', 'EXPLICIT'.
 * */
typedef struct weir_conv2d_backprop_filter_options {
    bool not_use_cudnn_on_gpu;
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_conv2d_backprop_filter_options;
static inline TF_Output
weir_conv2d_backprop_filter(weir_builder *builder, const char *node, TF_Output input,
                            TF_Output filter_sizes, TF_Output out_backprop, const int64_t *strides,
                            int strides_count, const char *padding,
                            const weir_conv2d_backprop_filter_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv2DBackpropFilter", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter_sizes);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_cudnn_on_gpu", !options->not_use_cudnn_on_gpu);
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv2DBackpropFilterV2(input: T, filter: T, out_backprop: T) -> output: T: convolutions composed
 * of other ops. T: half, bfloat16, float, double. padding: 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_conv2d_backprop_filter_v2_options {
    bool not_use_cudnn_on_gpu;
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: 'NHWC'; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_conv2d_backprop_filter_v2_options;
static inline TF_Output
weir_conv2d_backprop_filter_v2(weir_builder *builder, const char *node, TF_Output input,
                               TF_Output filter, TF_Output out_backprop, const int64_t *strides,
                               int strides_count, const char *padding,
                               const weir_conv2d_backprop_filter_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv2DBackpropFilterV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_cudnn_on_gpu", !options->not_use_cudnn_on_gpu);
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv2DBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> output: T: the gradient of
 * Conv2D by its input: a transposed convolution. T: half, bfloat16, float, double, int32. padding:
 * 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_conv2d_backprop_input_options {
    bool not_use_cudnn_on_gpu;
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_conv2d_backprop_input_options;
static inline TF_Output
weir_conv2d_backprop_input(weir_builder *builder, const char *node, TF_Output input_sizes,
                           TF_Output filter, TF_Output out_backprop, const int64_t *strides,
                           int strides_count, const char *padding,
                           const weir_conv2d_backprop_input_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv2DBackpropInput", node);
    weir_build_input(builder, made, input_sizes);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_cudnn_on_gpu", !options->not_use_cudnn_on_gpu);
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv2DBackpropInputV2(input: T, filter: T, out_backprop: T) -> output: T: convolutions composed
 * of other ops. T: half, bfloat16, float, double, int32. padding: 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_conv2d_backprop_input_v2_options {
    bool not_use_cudnn_on_gpu;
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: 'NHWC'; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_conv2d_backprop_input_v2_options;
static inline TF_Output
weir_conv2d_backprop_input_v2(weir_builder *builder, const char *node, TF_Output input,
                              TF_Output filter, TF_Output out_backprop, const int64_t *strides,
                              int strides_count, const char *padding,
                              const weir_conv2d_backprop_input_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv2DBackpropInputV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "use_cudnn_on_gpu", !options->not_use_cudnn_on_gpu);
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv3D(input: T, filter: T) -> output: T: every window of a volume times a filter. T: half,
 * bfloat16, float, double. padding: 'SAME', 'VALID'. */
typedef struct weir_conv3d_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1, 1] */
} weir_conv3d_options;
static inline TF_Output weir_conv3d(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output filter, const int64_t *strides, int strides_count,
                                    const char *padding, const weir_conv3d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv3D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv3DBackpropFilter(input: T, filter: T, out_backprop: T) -> output: T: the gradient of Conv3D
 * by its filter. T: half, float, double. padding: 'SAME', 'VALID'. */
typedef struct weir_conv3d_backprop_filter_options {
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1, 1] */
} weir_conv3d_backprop_filter_options;
static inline TF_Output
weir_conv3d_backprop_filter(weir_builder *builder, const char *node, TF_Output input,
                            TF_Output filter, TF_Output out_backprop, const int64_t *strides,
                            int strides_count, const char *padding,
                            const weir_conv3d_backprop_filter_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv3DBackpropFilter", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv3DBackpropFilterV2(input: T, filter_sizes: int32, out_backprop: T) -> output: T: the gradient
 * of Conv3D by its filter. T: half, bfloat16, float, double. padding: 'SAME', 'VALID'. */
typedef struct weir_conv3d_backprop_filter_v2_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1, 1] */
} weir_conv3d_backprop_filter_v2_options;
static inline TF_Output
weir_conv3d_backprop_filter_v2(weir_builder *builder, const char *node, TF_Output input,
                               TF_Output filter_sizes, TF_Output out_backprop,
                               const int64_t *strides, int strides_count, const char *padding,
                               const weir_conv3d_backprop_filter_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv3DBackpropFilterV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter_sizes);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv3DBackpropInput(input: T, filter: T, out_backprop: T) -> output: T: the gradient of Conv3D by
 * its input. T: half, float, double. padding: 'SAME', 'VALID'. */
typedef struct weir_conv3d_backprop_input_options {
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1, 1] */
} weir_conv3d_backprop_input_options;
static inline TF_Output
weir_conv3d_backprop_input(weir_builder *builder, const char *node, TF_Output input,
                           TF_Output filter, TF_Output out_backprop, const int64_t *strides,
                           int strides_count, const char *padding,
                           const weir_conv3d_backprop_input_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv3DBackpropInput", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Conv3DBackpropInputV2(input_sizes: Tshape, filter: T, out_backprop: T) -> output: T: the gradient
 * of Conv3D by its input. T: half, bfloat16, float, double. padding: 'SAME', 'VALID'. Tshape:
 * int32, int64. */
typedef struct weir_conv3d_backprop_input_v2_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1, 1] */
} weir_conv3d_backprop_input_v2_options;
static inline TF_Output
weir_conv3d_backprop_input_v2(weir_builder *builder, const char *node, TF_Output input_sizes,
                              TF_Output filter, TF_Output out_backprop, const int64_t *strides,
                              int strides_count, const char *padding,
                              const weir_conv3d_backprop_input_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Conv3DBackpropInputV2", node);
    weir_build_input(builder, made, input_sizes);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* DataFormatDimMap(x: T) -> y: T: conversion between layouts of an image's dimensions. T: int32,
 * int64. */
typedef struct weir_data_format_dim_map_options {
    const char *src_format; /* null: "NHWC" */
    const char *dst_format; /* null: "NCHW" */
} weir_data_format_dim_map_options;
static inline TF_Output weir_data_format_dim_map(weir_builder *builder, const char *node,
                                                 TF_Output x,
                                                 const weir_data_format_dim_map_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DataFormatDimMap", node);
    weir_build_input(builder, made, x);
    if (made && options) {
        if (options->src_format)
            weir_attr_string(made, "src_format", options->src_format);
        if (options->dst_format)
            weir_attr_string(made, "dst_format", options->dst_format);
    }
    return weir_build_end(builder, made);
}

/* DataFormatVecPermute(x: T) -> y: T: conversion between layouts of an image's dimensions. T:
 * int32, int64. */
typedef struct weir_data_format_vec_permute_options {
    const char *src_format; /* null: "NHWC" */
    const char *dst_format; /* null: "NCHW" */
} weir_data_format_vec_permute_options;
static inline TF_Output
weir_data_format_vec_permute(weir_builder *builder, const char *node, TF_Output x,
                             const weir_data_format_vec_permute_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DataFormatVecPermute", node);
    weir_build_input(builder, made, x);
    if (made && options) {
        if (options->src_format)
            weir_attr_string(made, "src_format", options->src_format);
        if (options->dst_format)
            weir_attr_string(made, "dst_format", options->dst_format);
    }
    return weir_build_end(builder, made);
}

/* DepthwiseConv2dNative(input: T, filter: T) -> output: T: every channel of an image convolved with
 * its own filters. T: half, bfloat16, float, double. padding: 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_depthwise_conv2d_native_options {
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_depthwise_conv2d_native_options;
static inline TF_Output
weir_depthwise_conv2d_native(weir_builder *builder, const char *node, TF_Output input,
                             TF_Output filter, const int64_t *strides, int strides_count,
                             const char *padding,
                             const weir_depthwise_conv2d_native_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DepthwiseConv2dNative", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* DepthwiseConv2dNativeBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> output: T:
 * the gradient of DepthwiseConv2dNative by its filter. T: half, bfloat16, float, double. padding:
 * 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_depthwise_conv2d_native_backprop_filter_options {
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_depthwise_conv2d_native_backprop_filter_options;
static inline TF_Output
weir_depthwise_conv2d_native_backprop_filter(weir_builder *builder, const char *node,
    TF_Output input, TF_Output filter_sizes, TF_Output out_backprop, const int64_t *strides,
    int strides_count, const char *padding,
    const weir_depthwise_conv2d_native_backprop_filter_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "DepthwiseConv2dNativeBackpropFilter", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter_sizes);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* DepthwiseConv2dNativeBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> output: T:
 * the gradient of DepthwiseConv2dNative by its input. T: half, bfloat16, float, double. padding:
 * 'SAME', 'VALID', 'EXPLICIT'. */
typedef struct weir_depthwise_conv2d_native_backprop_input_options {
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_depthwise_conv2d_native_backprop_input_options;
static inline TF_Output
weir_depthwise_conv2d_native_backprop_input(weir_builder *builder, const char *node,
    TF_Output input_sizes, TF_Output filter, TF_Output out_backprop, const int64_t *strides,
    int strides_count, const char *padding,
    const weir_depthwise_conv2d_native_backprop_input_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "DepthwiseConv2dNativeBackpropInput", node);
    weir_build_input(builder, made, input_sizes);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* Dilation2D(input: T, filter: T) -> output: T: grey-scale morphological dilation, and its
 * gradients. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32,
 * uint64. padding: 'SAME', 'VALID'. */
static inline TF_Output weir_dilation2d(weir_builder *builder, const char *node, TF_Output input,
                                        TF_Output filter, const int64_t *strides, int strides_count,
                                        const int64_t *rates, int rates_count, const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Dilation2D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        TF_SetAttrIntList(made, "rates", rates, rates_count);
        weir_attr_string(made, "padding", padding);
    }
    return weir_build_end(builder, made);
}

/* Dilation2DBackpropFilter(input: T, filter: T, out_backprop: T) -> filter_backprop: T: the
 * gradient of Dilation2D by its filter. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. padding: 'SAME', 'VALID'. */
static inline TF_Output weir_dilation2d_backprop_filter(weir_builder *builder, const char *node,
                                                        TF_Output input, TF_Output filter,
                                                        TF_Output out_backprop,
                                                        const int64_t *strides, int strides_count,
                                                        const int64_t *rates, int rates_count,
                                                        const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Dilation2DBackpropFilter", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        TF_SetAttrIntList(made, "rates", rates, rates_count);
        weir_attr_string(made, "padding", padding);
    }
    return weir_build_end(builder, made);
}

/* Dilation2DBackpropInput(input: T, filter: T, out_backprop: T) -> in_backprop: T: the gradient of
 * Dilation2D by its input. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16,
 * half, uint32, uint64. padding: 'SAME', 'VALID'. */
static inline TF_Output weir_dilation2d_backprop_input(weir_builder *builder, const char *node,
                                                       TF_Output input, TF_Output filter,
                                                       TF_Output out_backprop,
                                                       const int64_t *strides, int strides_count,
                                                       const int64_t *rates, int rates_count,
                                                       const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Dilation2DBackpropInput", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, out_backprop);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        TF_SetAttrIntList(made, "rates", rates, rates_count);
        weir_attr_string(made, "padding", padding);
    }
    return weir_build_end(builder, made);
}

/* FusedPadConv2D(input: T, paddings: int32, filter: T) -> output: T: convolutions composed of other
 * ops. T: half, bfloat16, float, double. mode: 'REFLECT', 'SYMMETRIC'. padding: 'SAME', 'VALID'. */
static inline TF_Output weir_fused_pad_conv2d(weir_builder *builder, const char *node,
                                              TF_Output input, TF_Output paddings, TF_Output filter,
                                              const char *mode, const int64_t *strides,
                                              int strides_count, const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedPadConv2D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, paddings);
    weir_build_input(builder, made, filter);
    if (made) {
        weir_attr_string(made, "mode", mode);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    return weir_build_end(builder, made);
}

/* FusedResizeAndPadConv2D(input: T, size: int32, paddings: int32, filter: T) -> output: T:
 * convolutions composed of other ops. T: half, float, double. mode: 'REFLECT', 'SYMMETRIC'.
 * padding: 'SAME', 'VALID'. */
typedef struct weir_fused_resize_and_pad_conv2d_options {
    bool resize_align_corners;
} weir_fused_resize_and_pad_conv2d_options;
static inline TF_Output
weir_fused_resize_and_pad_conv2d(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output size, TF_Output paddings, TF_Output filter,
                                 const char *mode, const int64_t *strides, int strides_count,
                                 const char *padding,
                                 const weir_fused_resize_and_pad_conv2d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedResizeAndPadConv2D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, size);
    weir_build_input(builder, made, paddings);
    weir_build_input(builder, made, filter);
    if (made) {
        weir_attr_string(made, "mode", mode);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "resize_align_corners", options->resize_align_corners);
    }
    return weir_build_end(builder, made);
}

/* MatMul(a: T, b: T) -> product: T: the product of two matrices. T: bfloat16, half, float, double,
 * int32, int64, uint8, uint16, uint32, uint64, complex64, complex128. */
typedef struct weir_mat_mul_options {
    bool transpose_a;
    bool transpose_b;
    bool grad_a;
    bool grad_b;
} weir_mat_mul_options;
static inline TF_Output weir_mat_mul(weir_builder *builder, const char *node, TF_Output a,
                                     TF_Output b, const weir_mat_mul_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatMul", node);
    weir_build_input(builder, made, a);
    weir_build_input(builder, made, b);
    if (made && options) {
        TF_SetAttrBool(made, "transpose_a", options->transpose_a);
        TF_SetAttrBool(made, "transpose_b", options->transpose_b);
        TF_SetAttrBool(made, "grad_a", options->grad_a);
        TF_SetAttrBool(made, "grad_b", options->grad_b);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
