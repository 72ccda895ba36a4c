"""Ops: quant. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'QuantizeDownAndShrinkRange': 'input:Tinput input_min:1 input_max:1|output:out_type output_min:1 output_max:1|Tinput:t out_type:t|0',
    'QuantizedAdd': 'x:T1 y:T2 min_x:1 max_x:1 min_y:1 max_y:1|z:Toutput min_z:1 max_z:1|T1:t T2:t Toutput:t=13|0',
    'QuantizedAvgPool': 'input:T min_input:1 max_input:1|output:T min_output:1 max_output:1|T:t ksize:[i strides:[i padding:s|0',
    'QuantizedBiasAdd': 'input:T1 bias:T2 min_input:1 max_input:1 min_bias:1 max_bias:1|output:out_type min_out:1 max_out:1|T1:t T2:t out_type:t|0',
    'QuantizedConcat': 'concat_dim:3 values:N*T input_mins:N*1 input_maxes:N*1|output:T output_min:1 output_max:1|N:i T:t|0',
    'QuantizedConcatV2': 'values:N*T axis:Tidx input_mins:N*1 input_maxes:N*1|output:T output_min:1 output_max:1|N:i T:t Tidx:t=3|0',
    'QuantizedConv2D': 'input:Tinput filter:Tfilter min_input:1 max_input:1 min_filter:1 max_filter:1|output:out_type min_output:1 max_output:1|Tinput:t Tfilter:t out_type:t=13 strides:[i padding:s dilations:[i|0',
    'QuantizedMatMul': 'a:T1 b:T2 min_a:1 max_a:1 min_b:1 max_b:1|out:Toutput min_out:1 max_out:1|T1:t T2:t Toutput:t=13 transpose_a:b transpose_b:b Tactivation:t=12|0',
    'QuantizedMaxPool': 'input:T min_input:1 max_input:1|output:T min_output:1 max_output:1|T:t ksize:[i strides:[i padding:s|0',
    'QuantizedMul': 'x:T1 y:T2 min_x:1 max_x:1 min_y:1 max_y:1|z:Toutput min_z:1 max_z:1|T1:t T2:t Toutput:t=13|0',
    'QuantizedRelu': 'features:Tinput min_features:1 max_features:1|activations:out_type min_activations:1 max_activations:1|Tinput:t out_type:t=12|0',
    'QuantizedRelu6': 'features:Tinput min_features:1 max_features:1|activations:out_type min_activations:1 max_activations:1|Tinput:t out_type:t=12|0',
    'QuantizedReluX': 'features:Tinput max_value:1 min_features:1 max_features:1|activations:out_type min_activations:1 max_activations:1|Tinput:t out_type:t=12|0',
    'QuantizedReshape': 'tensor:T shape:Tshape input_min:1 input_max:1|output:T output_min:1 output_max:1|T:t Tshape:t=3|0',
    'RequantizationRange': 'input:Tinput input_min:1 input_max:1|output_min:1 output_max:1|Tinput:t|0',
    'Requantize': 'input:Tinput input_min:1 input_max:1 requested_output_min:1 requested_output_max:1|output:out_type output_min:1 output_max:1|Tinput:t out_type:t|0',
    'UniformDequantize': 'input:Tin scales:1 zero_points:3|output:Tout|Tin:t Tout:t quantization_axis:i quantization_min_val:i quantization_max_val:i|0',
    'UniformQuantize': 'input:Tin scales:1 zero_points:3|output:Tout|Tin:t Tout:t quantization_axis:i quantization_min_val:i quantization_max_val:i|0',
    'UniformQuantizedAdd': 'lhs:T rhs:T lhs_scales:1 lhs_zero_points:3 rhs_scales:1 rhs_zero_points:3 output_scales:1 output_zero_points:3|output:T|lhs_quantization_axis:i lhs_quantization_min_val:i lhs_quantization_max_val:i rhs_quantization_axis:i rhs_quantization_min_val:i rhs_quantization_max_val:i output_quantization_axis:i output_quantization_min_val:i output_quantization_max_val:i T:t|0',
    'UniformQuantizedClipByValue': 'operand:T min:T max:T scales:1 zero_points:3|output:T|T:t quantization_axis:i quantization_min_val:i quantization_max_val:i|0',
    'UniformQuantizedDot': 'lhs:Tin rhs:Tin lhs_scales:1 lhs_zero_points:3 rhs_scales:1 rhs_zero_points:3 output_scales:1 output_zero_points:3|output:Tout|Tin:t Tout:t lhs_quantization_axis:i lhs_quantization_min_val:i lhs_quantization_max_val:i rhs_quantization_axis:i rhs_quantization_min_val:i rhs_quantization_max_val:i output_quantization_axis:i output_quantization_min_val:i output_quantization_max_val:i|0',
    'UniformQuantizedDotHybrid': 'lhs:Tlhs rhs:Trhs rhs_scales:1 rhs_zero_points:3|output:Tout|Tlhs:t Trhs:t Tout:t rhs_quantization_axis:i rhs_quantization_min_val:i rhs_quantization_max_val:i|0',
    'UniformRequantize': 'input:Tin input_scales:1 input_zero_points:3 output_scales:1 output_zero_points:3|output:Tout|Tin:t Tout:t input_quantization_axis:i input_quantization_min_val:i input_quantization_max_val:i output_quantization_axis:i output_quantization_min_val:i output_quantization_max_val:i|0',
}


def quantize_down_and_shrink_range(input, input_min, input_max, out_type, name=None):
    return results(apply('QuantizeDownAndShrinkRange', name, (input, input_min, input_max), {'out_type': out_type}))


def quantized_add(x, y, min_x, max_x, min_y, max_y, Toutput=dtypes.qint32, name=None):
    return results(apply('QuantizedAdd', name, (x, y, min_x, max_x, min_y, max_y), {'Toutput': Toutput}))


def quantized_avg_pool(input, min_input, max_input, ksize, strides, padding, name=None):
    return results(apply('QuantizedAvgPool', name, (input, min_input, max_input), {'ksize': ksize, 'strides': strides, 'padding': padding}))


def quantized_bias_add(input, bias, min_input, max_input, min_bias, max_bias, out_type, name=None):
    return results(apply('QuantizedBiasAdd', name, (input, bias, min_input, max_input, min_bias, max_bias), {'out_type': out_type}))


def quantized_concat(concat_dim, values, input_mins, input_maxes, name=None):
    return results(apply('QuantizedConcat', name, (concat_dim, values, input_mins, input_maxes), {}))


def quantized_concat_v2(values, axis, input_mins, input_maxes, name=None):
    return results(apply('QuantizedConcatV2', name, (values, axis, input_mins, input_maxes), {}))


def quantized_conv2d(input, filter, min_input, max_input, min_filter, max_filter, strides, padding, out_type=dtypes.qint32, dilations=[1, 1, 1, 1], name=None):
    return results(apply('QuantizedConv2D', name, (input, filter, min_input, max_input, min_filter, max_filter), {'strides': strides, 'padding': padding, 'out_type': out_type, 'dilations': dilations}))


def quantized_mat_mul(a, b, min_a, max_a, min_b, max_b, Toutput=dtypes.qint32, transpose_a=False, transpose_b=False, Tactivation=dtypes.quint8, name=None):
    return results(apply('QuantizedMatMul', name, (a, b, min_a, max_a, min_b, max_b), {'Toutput': Toutput, 'transpose_a': transpose_a, 'transpose_b': transpose_b, 'Tactivation': Tactivation}))


def quantized_max_pool(input, min_input, max_input, ksize, strides, padding, name=None):
    return results(apply('QuantizedMaxPool', name, (input, min_input, max_input), {'ksize': ksize, 'strides': strides, 'padding': padding}))


def quantized_mul(x, y, min_x, max_x, min_y, max_y, Toutput=dtypes.qint32, name=None):
    return results(apply('QuantizedMul', name, (x, y, min_x, max_x, min_y, max_y), {'Toutput': Toutput}))


def quantized_relu(features, min_features, max_features, out_type=dtypes.quint8, name=None):
    return results(apply('QuantizedRelu', name, (features, min_features, max_features), {'out_type': out_type}))


def quantized_relu6(features, min_features, max_features, out_type=dtypes.quint8, name=None):
    return results(apply('QuantizedRelu6', name, (features, min_features, max_features), {'out_type': out_type}))


def quantized_relu_x(features, max_value, min_features, max_features, out_type=dtypes.quint8, name=None):
    return results(apply('QuantizedReluX', name, (features, max_value, min_features, max_features), {'out_type': out_type}))


def quantized_reshape(tensor, shape, input_min, input_max, name=None):
    return results(apply('QuantizedReshape', name, (tensor, shape, input_min, input_max), {}))


def requantization_range(input, input_min, input_max, name=None):
    return results(apply('RequantizationRange', name, (input, input_min, input_max), {}))


def requantize(input, input_min, input_max, requested_output_min, requested_output_max, out_type, name=None):
    return results(apply('Requantize', name, (input, input_min, input_max, requested_output_min, requested_output_max), {'out_type': out_type}))


def uniform_dequantize(input, scales, zero_points, Tout, quantization_min_val, quantization_max_val, quantization_axis=-1, name=None):
    return apply('UniformDequantize', name, (input, scales, zero_points), {'Tout': Tout, 'quantization_min_val': quantization_min_val, 'quantization_max_val': quantization_max_val, 'quantization_axis': quantization_axis}).outputs[0]


def uniform_quantize(input, scales, zero_points, Tout, quantization_min_val, quantization_max_val, quantization_axis=-1, name=None):
    return apply('UniformQuantize', name, (input, scales, zero_points), {'Tout': Tout, 'quantization_min_val': quantization_min_val, 'quantization_max_val': quantization_max_val, 'quantization_axis': quantization_axis}).outputs[0]


def uniform_quantized_add(lhs, rhs, lhs_scales, lhs_zero_points, rhs_scales, rhs_zero_points, output_scales, output_zero_points, lhs_quantization_min_val, lhs_quantization_max_val, rhs_quantization_min_val, rhs_quantization_max_val, output_quantization_min_val, output_quantization_max_val, lhs_quantization_axis=-1, rhs_quantization_axis=-1, output_quantization_axis=-1, name=None):
    return apply('UniformQuantizedAdd', name, (lhs, rhs, lhs_scales, lhs_zero_points, rhs_scales, rhs_zero_points, output_scales, output_zero_points), {'lhs_quantization_min_val': lhs_quantization_min_val, 'lhs_quantization_max_val': lhs_quantization_max_val, 'rhs_quantization_min_val': rhs_quantization_min_val, 'rhs_quantization_max_val': rhs_quantization_max_val, 'output_quantization_min_val': output_quantization_min_val, 'output_quantization_max_val': output_quantization_max_val, 'lhs_quantization_axis': lhs_quantization_axis, 'rhs_quantization_axis': rhs_quantization_axis, 'output_quantization_axis': output_quantization_axis}).outputs[0]


def uniform_quantized_clip_by_value(operand, min, max, scales, zero_points, quantization_min_val, quantization_max_val, quantization_axis=-1, name=None):
    return apply('UniformQuantizedClipByValue', name, (operand, min, max, scales, zero_points), {'quantization_min_val': quantization_min_val, 'quantization_max_val': quantization_max_val, 'quantization_axis': quantization_axis}).outputs[0]


def uniform_quantized_dot(lhs, rhs, lhs_scales, lhs_zero_points, rhs_scales, rhs_zero_points, output_scales, output_zero_points, Tout, lhs_quantization_min_val, lhs_quantization_max_val, rhs_quantization_min_val, rhs_quantization_max_val, output_quantization_min_val, output_quantization_max_val, lhs_quantization_axis=-1, rhs_quantization_axis=-1, output_quantization_axis=-1, name=None):
    return apply('UniformQuantizedDot', name, (lhs, rhs, lhs_scales, lhs_zero_points, rhs_scales, rhs_zero_points, output_scales, output_zero_points), {'Tout': Tout, 'lhs_quantization_min_val': lhs_quantization_min_val, 'lhs_quantization_max_val': lhs_quantization_max_val, 'rhs_quantization_min_val': rhs_quantization_min_val, 'rhs_quantization_max_val': rhs_quantization_max_val, 'output_quantization_min_val': output_quantization_min_val, 'output_quantization_max_val': output_quantization_max_val, 'lhs_quantization_axis': lhs_quantization_axis, 'rhs_quantization_axis': rhs_quantization_axis, 'output_quantization_axis': output_quantization_axis}).outputs[0]


def uniform_quantized_dot_hybrid(lhs, rhs, rhs_scales, rhs_zero_points, Tout, rhs_quantization_min_val, rhs_quantization_max_val, rhs_quantization_axis=-1, name=None):
    return apply('UniformQuantizedDotHybrid', name, (lhs, rhs, rhs_scales, rhs_zero_points), {'Tout': Tout, 'rhs_quantization_min_val': rhs_quantization_min_val, 'rhs_quantization_max_val': rhs_quantization_max_val, 'rhs_quantization_axis': rhs_quantization_axis}).outputs[0]


def uniform_requantize(input, input_scales, input_zero_points, output_scales, output_zero_points, Tout, input_quantization_min_val, input_quantization_max_val, output_quantization_min_val, output_quantization_max_val, input_quantization_axis=-1, output_quantization_axis=-1, name=None):
    return apply('UniformRequantize', name, (input, input_scales, input_zero_points, output_scales, output_zero_points), {'Tout': Tout, 'input_quantization_min_val': input_quantization_min_val, 'input_quantization_max_val': input_quantization_max_val, 'output_quantization_min_val': output_quantization_min_val, 'output_quantization_max_val': output_quantization_max_val, 'input_quantization_axis': input_quantization_axis, 'output_quantization_axis': output_quantization_axis}).outputs[0]
