"""Ops: quant. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'QuantizeDownAndShrinkRange': 'input:Tinput input_min:1 input_max:1|output:out_type output_min:1 output_max:1|Tinput:t out_type:t|0',
    'QuantizedAdd': 'x:T1 y:T2 min_x:1 max_x:1 min_y:1 max_y:1|z:Toutput min_z:1 max_z:1|T1:t T2:t Toutput:t=13|0',
    'QuantizedAvgPool': 'input:T min_input:1 max_input:1|output:T min_output:1 max_output:1|T:t ksize:[i strides:[i padding:s|0',
    'QuantizedBiasAdd': 'input:T1 bias:T2 min_input:1 max_input:1 min_bias:1 max_bias:1|output:out_type min_out:1 max_out:1|T1:t T2:t out_type:t|0',
    'QuantizedConcat': 'concat_dim:3 values:N*T input_mins:N*1 input_maxes:N*1|output:T output_min:1 output_max:1|N:i T:t|0',
    'QuantizedConv2D': 'input:Tinput filter:Tfilter min_input:1 max_input:1 min_filter:1 max_filter:1|output:out_type min_output:1 max_output:1|Tinput:t Tfilter:t out_type:t=13 strides:[i padding:s dilations:[i|0',
    'QuantizedMatMul': 'a:T1 b:T2 min_a:1 max_a:1 min_b:1 max_b:1|out:Toutput min_out:1 max_out:1|T1:t T2:t Toutput:t=13 transpose_a:b transpose_b:b Tactivation:t=12|0',
    'QuantizedMaxPool': 'input:T min_input:1 max_input:1|output:T min_output:1 max_output:1|T:t ksize:[i strides:[i padding:s|0',
    'QuantizedMul': 'x:T1 y:T2 min_x:1 max_x:1 min_y:1 max_y:1|z:Toutput min_z:1 max_z:1|T1:t T2:t Toutput:t=13|0',
    'QuantizedRelu': 'features:Tinput min_features:1 max_features:1|activations:out_type min_activations:1 max_activations:1|Tinput:t out_type:t=12|0',
    'QuantizedRelu6': 'features:Tinput min_features:1 max_features:1|activations:out_type min_activations:1 max_activations:1|Tinput:t out_type:t=12|0',
    'QuantizedReshape': 'tensor:T shape:Tshape input_min:1 input_max:1|output:T output_min:1 output_max:1|T:t Tshape:t=3|0',
    'RequantizationRange': 'input:Tinput input_min:1 input_max:1|output_min:1 output_max:1|Tinput:t|0',
    'Requantize': 'input:Tinput input_min:1 input_max:1 requested_output_min:1 requested_output_max:1|output:out_type output_min:1 output_max:1|Tinput:t out_type:t|0',
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


def quantized_reshape(tensor, shape, input_min, input_max, name=None):
    return results(apply('QuantizedReshape', name, (tensor, shape, input_min, input_max), {}))


def requantization_range(input, input_min, input_max, name=None):
    return results(apply('RequantizationRange', name, (input, input_min, input_max), {}))


def requantize(input, input_min, input_max, requested_output_min, requested_output_max, out_type, name=None):
    return results(apply('Requantize', name, (input, input_min, input_max, requested_output_min, requested_output_max), {'out_type': out_type}))
