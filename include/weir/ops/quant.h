/* weir/ops/quant.h - quantised numbers.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_QUANT_OPS_H
#define WEIR_QUANT_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* QuantizeDownAndShrinkRange(input: Tinput, input_min: float, input_max: float) -> output:
 * out_type, output_min: float, output_max: float: 32-bit numbers as 8-bit ones over the range that
 * is used. Tinput: qint8, quint8, qint32, qint16, quint16. out_type: qint8, quint8, qint32, qint16,
 * quint16. */
typedef struct weir_quantize_down_and_shrink_range_outputs {
    TF_Output output;
    TF_Output output_min;
    TF_Output output_max;
} weir_quantize_down_and_shrink_range_outputs;
static inline weir_quantize_down_and_shrink_range_outputs
weir_quantize_down_and_shrink_range(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output input_min, TF_Output input_max, TF_DataType out_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeDownAndShrinkRange", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, input_min);
    weir_build_input(builder, made, input_max);
    if (made) {
        TF_SetAttrType(made, "out_type", out_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantize_down_and_shrink_range_outputs out;
    out.output = weir_output(op, 0);
    out.output_min = weir_output(op, 1);
    out.output_max = weir_output(op, 2);
    return out;
}

/* QuantizedAdd(x: T1, y: T2, min_x: float, max_x: float, min_y: float, max_y: float) -> z: Toutput,
 * min_z: float, max_z: float: both operands are requantised to a range with room for their sum. T1:
 * qint8, quint8, qint32, qint16, quint16. T2: qint8, quint8, qint32, qint16, quint16. Toutput:
 * qint8, quint8, qint32, qint16, quint16. */
typedef struct weir_quantized_add_options {
    TF_DataType Toutput; /* 0: TF_QINT32; qint8, quint8, qint32, qint16, quint16 */
} weir_quantized_add_options;
typedef struct weir_quantized_add_outputs {
    TF_Output z;
    TF_Output min_z;
    TF_Output max_z;
} weir_quantized_add_outputs;
static inline weir_quantized_add_outputs
weir_quantized_add(weir_builder *builder, const char *node, TF_Output x, TF_Output y,
                   TF_Output min_x, TF_Output max_x, TF_Output min_y, TF_Output max_y,
                   const weir_quantized_add_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedAdd", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    weir_build_input(builder, made, min_x);
    weir_build_input(builder, made, max_x);
    weir_build_input(builder, made, min_y);
    weir_build_input(builder, made, max_y);
    if (made && options) {
        if (options->Toutput)
            TF_SetAttrType(made, "Toutput", options->Toutput);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_add_outputs out;
    out.z = weir_output(op, 0);
    out.min_z = weir_output(op, 1);
    out.max_z = weir_output(op, 2);
    return out;
}

/* QuantizedAvgPool(input: T, min_input: float, max_input: float) -> output: T, min_output: float,
 * max_output: float: ops whose result has the range of their input. T: qint8, quint8, qint32,
 * qint16, quint16. padding: 'SAME', 'VALID'. */
typedef struct weir_quantized_avg_pool_outputs {
    TF_Output output;
    TF_Output min_output;
    TF_Output max_output;
} weir_quantized_avg_pool_outputs;
static inline weir_quantized_avg_pool_outputs weir_quantized_avg_pool(weir_builder *builder,
                                                                      const char *node,
                                                                      TF_Output input,
                                                                      TF_Output min_input,
                                                                      TF_Output max_input,
                                                                      const int64_t *ksize,
                                                                      int ksize_count,
                                                                      const int64_t *strides,
                                                                      int strides_count,
                                                                      const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedAvgPool", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, min_input);
    weir_build_input(builder, made, max_input);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_avg_pool_outputs out;
    out.output = weir_output(op, 0);
    out.min_output = weir_output(op, 1);
    out.max_output = weir_output(op, 2);
    return out;
}

/* QuantizedBiasAdd(input: T1, bias: T2, min_input: float, max_input: float, min_bias: float,
 * max_bias: float) -> output: out_type, min_out: float, max_out: float: both operands are
 * requantised to a range with room for their sum. T1: qint8, quint8, qint32, qint16, quint16. T2:
 * qint8, quint8, qint32, qint16, quint16. out_type: qint8, quint8, qint32, qint16, quint16. */
typedef struct weir_quantized_bias_add_outputs {
    TF_Output output;
    TF_Output min_out;
    TF_Output max_out;
} weir_quantized_bias_add_outputs;
static inline weir_quantized_bias_add_outputs weir_quantized_bias_add(weir_builder *builder,
                                                                      const char *node,
                                                                      TF_Output input,
                                                                      TF_Output bias,
                                                                      TF_Output min_input,
                                                                      TF_Output max_input,
                                                                      TF_Output min_bias,
                                                                      TF_Output max_bias,
                                                                      TF_DataType out_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedBiasAdd", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, bias);
    weir_build_input(builder, made, min_input);
    weir_build_input(builder, made, max_input);
    weir_build_input(builder, made, min_bias);
    weir_build_input(builder, made, max_bias);
    if (made) {
        TF_SetAttrType(made, "out_type", out_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_bias_add_outputs out;
    out.output = weir_output(op, 0);
    out.min_out = weir_output(op, 1);
    out.max_out = weir_output(op, 2);
    return out;
}

/* QuantizedConcat(concat_dim: int32, values: N * T, input_mins: N * float, input_maxes: N * float)
 * -> output: T, output_min: float, output_max: float: quantised tensors concatenated along one
 * axis. */
typedef struct weir_quantized_concat_outputs {
    TF_Output output;
    TF_Output output_min;
    TF_Output output_max;
} weir_quantized_concat_outputs;
static inline weir_quantized_concat_outputs weir_quantized_concat(weir_builder *builder,
                                                                  const char *node,
                                                                  TF_Output concat_dim,
                                                                  const TF_Output *values,
                                                                  int values_count,
                                                                  const TF_Output *input_mins,
                                                                  int input_mins_count,
                                                                  const TF_Output *input_maxes,
                                                                  int input_maxes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedConcat", node);
    weir_build_input(builder, made, concat_dim);
    weir_build_input_list(builder, made, values, values_count);
    weir_build_input_list(builder, made, input_mins, input_mins_count);
    weir_build_input_list(builder, made, input_maxes, input_maxes_count);
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_concat_outputs out;
    out.output = weir_output(op, 0);
    out.output_min = weir_output(op, 1);
    out.output_max = weir_output(op, 2);
    return out;
}

/* QuantizedConcatV2(values: N * T, axis: Tidx, input_mins: N * float, input_maxes: N * float) ->
 * output: T, output_min: float, output_max: float: QuantizedConcat with its axis after the values.
 * Tidx: int32, int64. */
typedef struct weir_quantized_concat_v2_outputs {
    TF_Output output;
    TF_Output output_min;
    TF_Output output_max;
} weir_quantized_concat_v2_outputs;
static inline weir_quantized_concat_v2_outputs
weir_quantized_concat_v2(weir_builder *builder, const char *node, const TF_Output *values,
                         int values_count, TF_Output axis, const TF_Output *input_mins,
                         int input_mins_count, const TF_Output *input_maxes, int input_maxes_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedConcatV2", node);
    weir_build_input_list(builder, made, values, values_count);
    weir_build_input(builder, made, axis);
    weir_build_input_list(builder, made, input_mins, input_mins_count);
    weir_build_input_list(builder, made, input_maxes, input_maxes_count);
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_concat_v2_outputs out;
    out.output = weir_output(op, 0);
    out.output_min = weir_output(op, 1);
    out.output_max = weir_output(op, 2);
    return out;
}

/* QuantizedConv2D(input: Tinput, filter: Tfilter, min_input: float, max_input: float, min_filter:
 * float, max_filter: float) -> output: out_type, min_output: float, max_output: float: products of
 * 8-bit numbers, accumulated in 32 bits. Tinput: qint8, quint8, qint32, qint16, quint16. Tfilter:
 * qint8, quint8, qint32, qint16, quint16. out_type: qint8, quint8, qint32, qint16, quint16.
 * padding: 'SAME', 'VALID'. */
typedef struct weir_quantized_conv2d_options {
    TF_DataType out_type; /* 0: TF_QINT32; qint8, quint8, qint32, qint16, quint16 */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_quantized_conv2d_options;
typedef struct weir_quantized_conv2d_outputs {
    TF_Output output;
    TF_Output min_output;
    TF_Output max_output;
} weir_quantized_conv2d_outputs;
static inline weir_quantized_conv2d_outputs
weir_quantized_conv2d(weir_builder *builder, const char *node, TF_Output input, TF_Output filter,
                      TF_Output min_input, TF_Output max_input, TF_Output min_filter,
                      TF_Output max_filter, const int64_t *strides, int strides_count,
                      const char *padding, const weir_quantized_conv2d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedConv2D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    weir_build_input(builder, made, min_input);
    weir_build_input(builder, made, max_input);
    weir_build_input(builder, made, min_filter);
    weir_build_input(builder, made, max_filter);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_conv2d_outputs out;
    out.output = weir_output(op, 0);
    out.min_output = weir_output(op, 1);
    out.max_output = weir_output(op, 2);
    return out;
}

/* QuantizedMatMul(a: T1, b: T2, min_a: float, max_a: float, min_b: float, max_b: float) -> out:
 * Toutput, min_out: float, max_out: float: products of 8-bit numbers, accumulated in 32 bits. T1:
 * qint8, quint8, qint32, qint16, quint16. T2: qint8, quint8, qint32, qint16, quint16. Toutput:
 * qint8, quint8, qint32, qint16, quint16. */
typedef struct weir_quantized_mat_mul_options {
    TF_DataType Toutput; /* 0: TF_QINT32; qint8, quint8, qint32, qint16, quint16 */
    bool transpose_a;
    bool transpose_b;
    TF_DataType Tactivation; /* 0: TF_QUINT8; qint8, quint8, qint32, qint16, quint16 */
} weir_quantized_mat_mul_options;
typedef struct weir_quantized_mat_mul_outputs {
    TF_Output out;
    TF_Output min_out;
    TF_Output max_out;
} weir_quantized_mat_mul_outputs;
static inline weir_quantized_mat_mul_outputs
weir_quantized_mat_mul(weir_builder *builder, const char *node, TF_Output a, TF_Output b,
                       TF_Output min_a, TF_Output max_a, TF_Output min_b, TF_Output max_b,
                       const weir_quantized_mat_mul_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedMatMul", node);
    weir_build_input(builder, made, a);
    weir_build_input(builder, made, b);
    weir_build_input(builder, made, min_a);
    weir_build_input(builder, made, max_a);
    weir_build_input(builder, made, min_b);
    weir_build_input(builder, made, max_b);
    if (made && options) {
        if (options->Toutput)
            TF_SetAttrType(made, "Toutput", options->Toutput);
        TF_SetAttrBool(made, "transpose_a", options->transpose_a);
        TF_SetAttrBool(made, "transpose_b", options->transpose_b);
        if (options->Tactivation)
            TF_SetAttrType(made, "Tactivation", options->Tactivation);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_mat_mul_outputs out;
    out.out = weir_output(op, 0);
    out.min_out = weir_output(op, 1);
    out.max_out = weir_output(op, 2);
    return out;
}

/* QuantizedMaxPool(input: T, min_input: float, max_input: float) -> output: T, min_output: float,
 * max_output: float: ops whose result has the range of their input. T: qint8, quint8, qint32,
 * qint16, quint16. padding: 'SAME', 'VALID'. */
typedef struct weir_quantized_max_pool_outputs {
    TF_Output output;
    TF_Output min_output;
    TF_Output max_output;
} weir_quantized_max_pool_outputs;
static inline weir_quantized_max_pool_outputs weir_quantized_max_pool(weir_builder *builder,
                                                                      const char *node,
                                                                      TF_Output input,
                                                                      TF_Output min_input,
                                                                      TF_Output max_input,
                                                                      const int64_t *ksize,
                                                                      int ksize_count,
                                                                      const int64_t *strides,
                                                                      int strides_count,
                                                                      const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedMaxPool", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, min_input);
    weir_build_input(builder, made, max_input);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_max_pool_outputs out;
    out.output = weir_output(op, 0);
    out.min_output = weir_output(op, 1);
    out.max_output = weir_output(op, 2);
    return out;
}

/* QuantizedMul(x: T1, y: T2, min_x: float, max_x: float, min_y: float, max_y: float) -> z: Toutput,
 * min_z: float, max_z: float: products of 8-bit numbers, accumulated in 32 bits. T1: qint8, quint8,
 * qint32, qint16, quint16. T2: qint8, quint8, qint32, qint16, quint16. Toutput: qint8, quint8,
 * qint32, qint16, quint16. */
typedef struct weir_quantized_mul_options {
    TF_DataType Toutput; /* 0: TF_QINT32; qint8, quint8, qint32, qint16, quint16 */
} weir_quantized_mul_options;
typedef struct weir_quantized_mul_outputs {
    TF_Output z;
    TF_Output min_z;
    TF_Output max_z;
} weir_quantized_mul_outputs;
static inline weir_quantized_mul_outputs
weir_quantized_mul(weir_builder *builder, const char *node, TF_Output x, TF_Output y,
                   TF_Output min_x, TF_Output max_x, TF_Output min_y, TF_Output max_y,
                   const weir_quantized_mul_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedMul", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    weir_build_input(builder, made, min_x);
    weir_build_input(builder, made, max_x);
    weir_build_input(builder, made, min_y);
    weir_build_input(builder, made, max_y);
    if (made && options) {
        if (options->Toutput)
            TF_SetAttrType(made, "Toutput", options->Toutput);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_mul_outputs out;
    out.z = weir_output(op, 0);
    out.min_z = weir_output(op, 1);
    out.max_z = weir_output(op, 2);
    return out;
}

/* QuantizedRelu(features: Tinput, min_features: float, max_features: float) -> activations:
 * out_type, min_activations: float, max_activations: float: ops whose result has the range of their
 * input. Tinput: qint8, quint8, qint32, qint16, quint16. out_type: qint8, quint8, qint32, qint16,
 * quint16. */
typedef struct weir_quantized_relu_options {
    TF_DataType out_type; /* 0: TF_QUINT8; qint8, quint8, qint32, qint16, quint16 */
} weir_quantized_relu_options;
typedef struct weir_quantized_relu_outputs {
    TF_Output activations;
    TF_Output min_activations;
    TF_Output max_activations;
} weir_quantized_relu_outputs;
static inline weir_quantized_relu_outputs
weir_quantized_relu(weir_builder *builder, const char *node, TF_Output features,
                    TF_Output min_features, TF_Output max_features,
                    const weir_quantized_relu_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedRelu", node);
    weir_build_input(builder, made, features);
    weir_build_input(builder, made, min_features);
    weir_build_input(builder, made, max_features);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_relu_outputs out;
    out.activations = weir_output(op, 0);
    out.min_activations = weir_output(op, 1);
    out.max_activations = weir_output(op, 2);
    return out;
}

/* QuantizedRelu6(features: Tinput, min_features: float, max_features: float) -> activations:
 * out_type, min_activations: float, max_activations: float: ops whose result has the range of their
 * input. Tinput: qint8, quint8, qint32, qint16, quint16. out_type: qint8, quint8, qint32, qint16,
 * quint16. */
typedef struct weir_quantized_relu6_options {
    TF_DataType out_type; /* 0: TF_QUINT8; qint8, quint8, qint32, qint16, quint16 */
} weir_quantized_relu6_options;
typedef struct weir_quantized_relu6_outputs {
    TF_Output activations;
    TF_Output min_activations;
    TF_Output max_activations;
} weir_quantized_relu6_outputs;
static inline weir_quantized_relu6_outputs
weir_quantized_relu6(weir_builder *builder, const char *node, TF_Output features,
                     TF_Output min_features, TF_Output max_features,
                     const weir_quantized_relu6_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedRelu6", node);
    weir_build_input(builder, made, features);
    weir_build_input(builder, made, min_features);
    weir_build_input(builder, made, max_features);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_relu6_outputs out;
    out.activations = weir_output(op, 0);
    out.min_activations = weir_output(op, 1);
    out.max_activations = weir_output(op, 2);
    return out;
}

/* QuantizedReluX(features: Tinput, max_value: float, min_features: float, max_features: float) ->
 * activations: out_type, min_activations: float, max_activations: float: ops whose result has the
 * range of their input. Tinput: qint8, quint8, qint32, qint16, quint16. out_type: qint8, quint8,
 * qint32, qint16, quint16. */
typedef struct weir_quantized_relu_x_options {
    TF_DataType out_type; /* 0: TF_QUINT8; qint8, quint8, qint32, qint16, quint16 */
} weir_quantized_relu_x_options;
typedef struct weir_quantized_relu_x_outputs {
    TF_Output activations;
    TF_Output min_activations;
    TF_Output max_activations;
} weir_quantized_relu_x_outputs;
static inline weir_quantized_relu_x_outputs
weir_quantized_relu_x(weir_builder *builder, const char *node, TF_Output features,
                      TF_Output max_value, TF_Output min_features, TF_Output max_features,
                      const weir_quantized_relu_x_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizedReluX", node);
    weir_build_input(builder, made, features);
    weir_build_input(builder, made, max_value);
    weir_build_input(builder, made, min_features);
    weir_build_input(builder, made, max_features);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantized_relu_x_outputs out;
    out.activations = weir_output(op, 0);
    out.min_activations = weir_output(op, 1);
    out.max_activations = weir_output(op, 2);
    return out;
}

/* QuantizedReshape(tensor: T, shape: Tshape, input_min: float, input_max: float) -> output: T,
 * output_min: float, output_max: float: the same quantised elements in another shape. Tshape:
 * int32, int64. */
typedef struct weir_quantized_reshape_outputs {
    TF_Output output;
    TF_Output output_min;
    TF_Output output_max;
} weir_quantized_reshape_outputs;
static inline weir_quantized_reshape_outputs weir_quantized_reshape(weir_builder *builder,
                                                                    const char *node,
                                                                    TF_Output tensor,
                                                                    TF_Output shape,
                                                                    TF_Output input_min,
                                                                    TF_Output input_max)
{
    const TF_Output inputs[] = {tensor, shape, input_min, input_max};
    TF_Operation *op = weir_build_op(builder, "QuantizedReshape", node, inputs, 4).oper;
    weir_quantized_reshape_outputs out;
    out.output = weir_output(op, 0);
    out.output_min = weir_output(op, 1);
    out.output_max = weir_output(op, 2);
    return out;
}

/* RequantizationRange(input: Tinput, input_min: float, input_max: float) -> output_min: float,
 * output_max: float: the range that is used of 32-bit numbers. Tinput: qint8, quint8, qint32,
 * qint16, quint16. */
typedef struct weir_requantization_range_outputs {
    TF_Output output_min;
    TF_Output output_max;
} weir_requantization_range_outputs;
static inline weir_requantization_range_outputs weir_requantization_range(weir_builder *builder,
                                                                          const char *node,
                                                                          TF_Output input,
                                                                          TF_Output input_min,
                                                                          TF_Output input_max)
{
    const TF_Output inputs[] = {input, input_min, input_max};
    TF_Operation *op = weir_build_op(builder, "RequantizationRange", node, inputs, 3).oper;
    weir_requantization_range_outputs out;
    out.output_min = weir_output(op, 0);
    out.output_max = weir_output(op, 1);
    return out;
}

/* Requantize(input: Tinput, input_min: float, input_max: float, requested_output_min: float,
 * requested_output_max: float) -> output: out_type, output_min: float, output_max: float: 32-bit
 * numbers as 8-bit ones over a given range. Tinput: qint8, quint8, qint32, qint16, quint16.
 * out_type: qint8, quint8, qint32, qint16, quint16. */
typedef struct weir_requantize_outputs {
    TF_Output output;
    TF_Output output_min;
    TF_Output output_max;
} weir_requantize_outputs;
static inline weir_requantize_outputs weir_requantize(weir_builder *builder, const char *node,
                                                      TF_Output input, TF_Output input_min,
                                                      TF_Output input_max,
                                                      TF_Output requested_output_min,
                                                      TF_Output requested_output_max,
                                                      TF_DataType out_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Requantize", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, input_min);
    weir_build_input(builder, made, input_max);
    weir_build_input(builder, made, requested_output_min);
    weir_build_input(builder, made, requested_output_max);
    if (made) {
        TF_SetAttrType(made, "out_type", out_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_requantize_outputs out;
    out.output = weir_output(op, 0);
    out.output_min = weir_output(op, 1);
    out.output_max = weir_output(op, 2);
    return out;
}

/* UniformDequantize(input: Tin, scales: float, zero_points: int32) -> output: Tout: values (q -
 * zero point) * scale, with a per-tensor or per-axis scale. Tin: qint8, quint8, qint32. Tout:
 * float. */
typedef struct weir_uniform_dequantize_options {
    int64_t quantization_axis; /* 0: -1 */
} weir_uniform_dequantize_options;
static inline TF_Output weir_uniform_dequantize(weir_builder *builder, const char *node,
                                                TF_Output input, TF_Output scales,
                                                TF_Output zero_points, TF_DataType Tout,
                                                int64_t quantization_min_val,
                                                int64_t quantization_max_val,
                                                const weir_uniform_dequantize_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniformDequantize", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, scales);
    weir_build_input(builder, made, zero_points);
    if (made) {
        TF_SetAttrType(made, "Tout", Tout);
        TF_SetAttrInt(made, "quantization_min_val", quantization_min_val);
        TF_SetAttrInt(made, "quantization_max_val", quantization_max_val);
    }
    if (made && options) {
        if (options->quantization_axis != 0)
            TF_SetAttrInt(made, "quantization_axis", weir_int_of(options->quantization_axis));
    }
    return weir_build_end(builder, made);
}

/* UniformQuantize(input: Tin, scales: float, zero_points: int32) -> output: Tout: values (q - zero
 * point) * scale, with a per-tensor or per-axis scale. Tin: float. Tout: qint8, quint8, qint32. */
typedef struct weir_uniform_quantize_options {
    int64_t quantization_axis; /* 0: -1 */
} weir_uniform_quantize_options;
static inline TF_Output weir_uniform_quantize(weir_builder *builder, const char *node,
                                              TF_Output input, TF_Output scales,
                                              TF_Output zero_points, TF_DataType Tout,
                                              int64_t quantization_min_val,
                                              int64_t quantization_max_val,
                                              const weir_uniform_quantize_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniformQuantize", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, scales);
    weir_build_input(builder, made, zero_points);
    if (made) {
        TF_SetAttrType(made, "Tout", Tout);
        TF_SetAttrInt(made, "quantization_min_val", quantization_min_val);
        TF_SetAttrInt(made, "quantization_max_val", quantization_max_val);
    }
    if (made && options) {
        if (options->quantization_axis != 0)
            TF_SetAttrInt(made, "quantization_axis", weir_int_of(options->quantization_axis));
    }
    return weir_build_end(builder, made);
}

/* UniformQuantizedAdd(lhs: T, rhs: T, lhs_scales: float, lhs_zero_points: int32, rhs_scales: float,
 * rhs_zero_points: int32, output_scales: float, output_zero_points: int32) -> output: T: values (q
 * - zero point) * scale, with a per-tensor or per-axis scale. T: qint32. */
typedef struct weir_uniform_quantized_add_options {
    int64_t lhs_quantization_axis; /* 0: -1 */
    int64_t rhs_quantization_axis; /* 0: -1 */
    int64_t output_quantization_axis; /* 0: -1 */
} weir_uniform_quantized_add_options;
static inline TF_Output
weir_uniform_quantized_add(weir_builder *builder, const char *node, TF_Output lhs, TF_Output rhs,
                           TF_Output lhs_scales, TF_Output lhs_zero_points, TF_Output rhs_scales,
                           TF_Output rhs_zero_points, TF_Output output_scales,
                           TF_Output output_zero_points, int64_t lhs_quantization_min_val,
                           int64_t lhs_quantization_max_val, int64_t rhs_quantization_min_val,
                           int64_t rhs_quantization_max_val, int64_t output_quantization_min_val,
                           int64_t output_quantization_max_val,
                           const weir_uniform_quantized_add_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniformQuantizedAdd", node);
    weir_build_input(builder, made, lhs);
    weir_build_input(builder, made, rhs);
    weir_build_input(builder, made, lhs_scales);
    weir_build_input(builder, made, lhs_zero_points);
    weir_build_input(builder, made, rhs_scales);
    weir_build_input(builder, made, rhs_zero_points);
    weir_build_input(builder, made, output_scales);
    weir_build_input(builder, made, output_zero_points);
    if (made) {
        TF_SetAttrInt(made, "lhs_quantization_min_val", lhs_quantization_min_val);
        TF_SetAttrInt(made, "lhs_quantization_max_val", lhs_quantization_max_val);
        TF_SetAttrInt(made, "rhs_quantization_min_val", rhs_quantization_min_val);
        TF_SetAttrInt(made, "rhs_quantization_max_val", rhs_quantization_max_val);
        TF_SetAttrInt(made, "output_quantization_min_val", output_quantization_min_val);
        TF_SetAttrInt(made, "output_quantization_max_val", output_quantization_max_val);
    }
    if (made && options) {
        if (options->lhs_quantization_axis != 0)
            TF_SetAttrInt(made, "lhs_quantization_axis",
                weir_int_of(options->lhs_quantization_axis));
        if (options->rhs_quantization_axis != 0)
            TF_SetAttrInt(made, "rhs_quantization_axis",
                weir_int_of(options->rhs_quantization_axis));
        if (options->output_quantization_axis != 0)
            TF_SetAttrInt(made, "output_quantization_axis",
                weir_int_of(options->output_quantization_axis));
    }
    return weir_build_end(builder, made);
}

/* UniformQuantizedClipByValue(operand: T, min: T, max: T, scales: float, zero_points: int32) ->
 * output: T: values (q - zero point) * scale, with a per-tensor or per-axis scale. T: qint32. */
typedef struct weir_uniform_quantized_clip_by_value_options {
    int64_t quantization_axis; /* 0: -1 */
} weir_uniform_quantized_clip_by_value_options;
static inline TF_Output
weir_uniform_quantized_clip_by_value(weir_builder *builder, const char *node, TF_Output operand,
                                     TF_Output min, TF_Output max, TF_Output scales,
                                     TF_Output zero_points, int64_t quantization_min_val,
                                     int64_t quantization_max_val,
                                     const weir_uniform_quantized_clip_by_value_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniformQuantizedClipByValue", node);
    weir_build_input(builder, made, operand);
    weir_build_input(builder, made, min);
    weir_build_input(builder, made, max);
    weir_build_input(builder, made, scales);
    weir_build_input(builder, made, zero_points);
    if (made) {
        TF_SetAttrInt(made, "quantization_min_val", quantization_min_val);
        TF_SetAttrInt(made, "quantization_max_val", quantization_max_val);
    }
    if (made && options) {
        if (options->quantization_axis != 0)
            TF_SetAttrInt(made, "quantization_axis", weir_int_of(options->quantization_axis));
    }
    return weir_build_end(builder, made);
}

/* UniformQuantizedDot(lhs: Tin, rhs: Tin, lhs_scales: float, lhs_zero_points: int32, rhs_scales:
 * float, rhs_zero_points: int32, output_scales: float, output_zero_points: int32) -> output: Tout:
 * values (q - zero point) * scale, with a per-tensor or per-axis scale. Tin: qint8. Tout: qint32.
 * */
typedef struct weir_uniform_quantized_dot_options {
    int64_t lhs_quantization_axis; /* 0: -1 */
    int64_t rhs_quantization_axis; /* 0: -1 */
    int64_t output_quantization_axis; /* 0: -1 */
} weir_uniform_quantized_dot_options;
static inline TF_Output
weir_uniform_quantized_dot(weir_builder *builder, const char *node, TF_Output lhs, TF_Output rhs,
                           TF_Output lhs_scales, TF_Output lhs_zero_points, TF_Output rhs_scales,
                           TF_Output rhs_zero_points, TF_Output output_scales,
                           TF_Output output_zero_points, TF_DataType Tout,
                           int64_t lhs_quantization_min_val, int64_t lhs_quantization_max_val,
                           int64_t rhs_quantization_min_val, int64_t rhs_quantization_max_val,
                           int64_t output_quantization_min_val, int64_t output_quantization_max_val,
                           const weir_uniform_quantized_dot_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniformQuantizedDot", node);
    weir_build_input(builder, made, lhs);
    weir_build_input(builder, made, rhs);
    weir_build_input(builder, made, lhs_scales);
    weir_build_input(builder, made, lhs_zero_points);
    weir_build_input(builder, made, rhs_scales);
    weir_build_input(builder, made, rhs_zero_points);
    weir_build_input(builder, made, output_scales);
    weir_build_input(builder, made, output_zero_points);
    if (made) {
        TF_SetAttrType(made, "Tout", Tout);
        TF_SetAttrInt(made, "lhs_quantization_min_val", lhs_quantization_min_val);
        TF_SetAttrInt(made, "lhs_quantization_max_val", lhs_quantization_max_val);
        TF_SetAttrInt(made, "rhs_quantization_min_val", rhs_quantization_min_val);
        TF_SetAttrInt(made, "rhs_quantization_max_val", rhs_quantization_max_val);
        TF_SetAttrInt(made, "output_quantization_min_val", output_quantization_min_val);
        TF_SetAttrInt(made, "output_quantization_max_val", output_quantization_max_val);
    }
    if (made && options) {
        if (options->lhs_quantization_axis != 0)
            TF_SetAttrInt(made, "lhs_quantization_axis",
                weir_int_of(options->lhs_quantization_axis));
        if (options->rhs_quantization_axis != 0)
            TF_SetAttrInt(made, "rhs_quantization_axis",
                weir_int_of(options->rhs_quantization_axis));
        if (options->output_quantization_axis != 0)
            TF_SetAttrInt(made, "output_quantization_axis",
                weir_int_of(options->output_quantization_axis));
    }
    return weir_build_end(builder, made);
}

/* UniformQuantizedDotHybrid(lhs: Tlhs, rhs: Trhs, rhs_scales: float, rhs_zero_points: int32) ->
 * output: Tout: values (q - zero point) * scale, with a per-tensor or per-axis scale. Tlhs: float.
 * Trhs: qint8. Tout: float. */
typedef struct weir_uniform_quantized_dot_hybrid_options {
    int64_t rhs_quantization_axis; /* 0: -1 */
} weir_uniform_quantized_dot_hybrid_options;
static inline TF_Output
weir_uniform_quantized_dot_hybrid(weir_builder *builder, const char *node, TF_Output lhs,
                                  TF_Output rhs, TF_Output rhs_scales, TF_Output rhs_zero_points,
                                  TF_DataType Tout, int64_t rhs_quantization_min_val,
                                  int64_t rhs_quantization_max_val,
                                  const weir_uniform_quantized_dot_hybrid_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniformQuantizedDotHybrid", node);
    weir_build_input(builder, made, lhs);
    weir_build_input(builder, made, rhs);
    weir_build_input(builder, made, rhs_scales);
    weir_build_input(builder, made, rhs_zero_points);
    if (made) {
        TF_SetAttrType(made, "Tout", Tout);
        TF_SetAttrInt(made, "rhs_quantization_min_val", rhs_quantization_min_val);
        TF_SetAttrInt(made, "rhs_quantization_max_val", rhs_quantization_max_val);
    }
    if (made && options) {
        if (options->rhs_quantization_axis != 0)
            TF_SetAttrInt(made, "rhs_quantization_axis",
                weir_int_of(options->rhs_quantization_axis));
    }
    return weir_build_end(builder, made);
}

/* UniformRequantize(input: Tin, input_scales: float, input_zero_points: int32, output_scales:
 * float, output_zero_points: int32) -> output: Tout: values (q - zero point) * scale, with a
 * per-tensor or per-axis scale. Tin: qint8, qint32. Tout: qint8, qint32. */
typedef struct weir_uniform_requantize_options {
    int64_t input_quantization_axis; /* 0: -1 */
    int64_t output_quantization_axis; /* 0: -1 */
} weir_uniform_requantize_options;
static inline TF_Output weir_uniform_requantize(weir_builder *builder, const char *node,
                                                TF_Output input, TF_Output input_scales,
                                                TF_Output input_zero_points,
                                                TF_Output output_scales,
                                                TF_Output output_zero_points, TF_DataType Tout,
                                                int64_t input_quantization_min_val,
                                                int64_t input_quantization_max_val,
                                                int64_t output_quantization_min_val,
                                                int64_t output_quantization_max_val,
                                                const weir_uniform_requantize_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniformRequantize", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, input_scales);
    weir_build_input(builder, made, input_zero_points);
    weir_build_input(builder, made, output_scales);
    weir_build_input(builder, made, output_zero_points);
    if (made) {
        TF_SetAttrType(made, "Tout", Tout);
        TF_SetAttrInt(made, "input_quantization_min_val", input_quantization_min_val);
        TF_SetAttrInt(made, "input_quantization_max_val", input_quantization_max_val);
        TF_SetAttrInt(made, "output_quantization_min_val", output_quantization_min_val);
        TF_SetAttrInt(made, "output_quantization_max_val", output_quantization_max_val);
    }
    if (made && options) {
        if (options->input_quantization_axis != 0)
            TF_SetAttrInt(made, "input_quantization_axis",
                weir_int_of(options->input_quantization_axis));
        if (options->output_quantization_axis != 0)
            TF_SetAttrInt(made, "output_quantization_axis",
                weir_int_of(options->output_quantization_axis));
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
