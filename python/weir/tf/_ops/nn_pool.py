"""Ops: nn, pool. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AvgPool': 'value:T|output:T|ksize:[i strides:[i padding:s data_format:s T:t|0',
    'AvgPool3D': 'input:T|output:T|ksize:[i strides:[i padding:s data_format:s T:t|0',
    'AvgPool3DGrad': 'orig_input_shape:3 grad:T|output:T|ksize:[i strides:[i padding:s data_format:s T:t|0',
    'AvgPoolGrad': 'orig_input_shape:3 grad:T|output:T|ksize:[i strides:[i padding:s data_format:s T:t|0',
    'FractionalAvgPool': 'value:T|output:T row_pooling_sequence:9 col_pooling_sequence:9|pooling_ratio:[f pseudo_random:b overlapping:b deterministic:b seed:i seed2:i T:t|0',
    'FractionalAvgPoolGrad': 'orig_input_tensor_shape:9 out_backprop:T row_pooling_sequence:9 col_pooling_sequence:9|output:T|overlapping:b T:t|0',
    'FractionalMaxPool': 'value:T|output:T row_pooling_sequence:9 col_pooling_sequence:9|pooling_ratio:[f pseudo_random:b overlapping:b deterministic:b seed:i seed2:i T:t|0',
    'FractionalMaxPoolGrad': 'orig_input:T orig_output:T out_backprop:T row_pooling_sequence:9 col_pooling_sequence:9|output:T|overlapping:b T:t|0',
    'MaxPool': 'input:T|output:T|T:t=1 ksize:[i strides:[i padding:s explicit_paddings:[i data_format:s|0',
    'MaxPool3D': 'input:T|output:T|ksize:[i strides:[i padding:s data_format:s T:t|0',
    'MaxPool3DGrad': 'orig_input:TInput orig_output:TInput grad:T|output:T|ksize:[i strides:[i padding:s data_format:s T:t=1 TInput:t=1|0',
    'MaxPool3DGradGrad': 'orig_input:T orig_output:T grad:T|output:T|ksize:[i strides:[i padding:s data_format:s T:t|0',
    'MaxPoolGrad': 'orig_input:T orig_output:T grad:T|output:T|ksize:[i strides:[i padding:s explicit_paddings:[i data_format:s T:t=1|0',
    'MaxPoolGradGrad': 'orig_input:T orig_output:T grad:T|output:T|ksize:[i strides:[i padding:s data_format:s T:t|0',
    'MaxPoolGradGradV2': 'orig_input:T orig_output:T grad:T ksize:3 strides:3|output:T|padding:s data_format:s T:t|0',
    'MaxPoolGradGradWithArgmax': 'input:T grad:T argmax:Targmax|output:T|ksize:[i strides:[i padding:s include_batch_in_index:b Targmax:t T:t|0',
    'MaxPoolGradV2': 'orig_input:T orig_output:T grad:T ksize:3 strides:3|output:T|padding:s data_format:s T:t=1|0',
    'MaxPoolGradWithArgmax': 'input:T grad:T argmax:Targmax|output:T|ksize:[i strides:[i padding:s include_batch_in_index:b Targmax:t T:t|0',
    'MaxPoolV2': 'input:T ksize:3 strides:3|output:T|T:t=1 padding:s data_format:s|0',
    'MaxPoolWithArgmax': 'input:T|output:T argmax:Targmax|ksize:[i strides:[i Targmax:t=9 padding:s include_batch_in_index:b T:t|0',
}


def avg_pool(value, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('AvgPool', name, (value,), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def avg_pool3d(input, ksize, strides, padding, data_format='NDHWC', name=None):
    return apply('AvgPool3D', name, (input,), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def avg_pool3d_grad(orig_input_shape, grad, ksize, strides, padding, data_format='NDHWC', name=None):
    return apply('AvgPool3DGrad', name, (orig_input_shape, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def avg_pool_grad(orig_input_shape, grad, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('AvgPoolGrad', name, (orig_input_shape, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def fractional_avg_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0, name=None):
    return results(apply('FractionalAvgPool', name, (value,), {'pooling_ratio': pooling_ratio, 'pseudo_random': pseudo_random, 'overlapping': overlapping, 'deterministic': deterministic, 'seed': seed, 'seed2': seed2}))


def fractional_avg_pool_grad(orig_input_tensor_shape, out_backprop, row_pooling_sequence, col_pooling_sequence, overlapping=False, name=None):
    return apply('FractionalAvgPoolGrad', name, (orig_input_tensor_shape, out_backprop, row_pooling_sequence, col_pooling_sequence), {'overlapping': overlapping}).outputs[0]


def fractional_max_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0, name=None):
    return results(apply('FractionalMaxPool', name, (value,), {'pooling_ratio': pooling_ratio, 'pseudo_random': pseudo_random, 'overlapping': overlapping, 'deterministic': deterministic, 'seed': seed, 'seed2': seed2}))


def fractional_max_pool_grad(orig_input, orig_output, out_backprop, row_pooling_sequence, col_pooling_sequence, overlapping=False, name=None):
    return apply('FractionalMaxPoolGrad', name, (orig_input, orig_output, out_backprop, row_pooling_sequence, col_pooling_sequence), {'overlapping': overlapping}).outputs[0]


def max_pool(input, ksize, strides, padding, explicit_paddings=[], data_format='NHWC', name=None):
    return apply('MaxPool', name, (input,), {'ksize': ksize, 'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format}).outputs[0]


def max_pool3d(input, ksize, strides, padding, data_format='NDHWC', name=None):
    return apply('MaxPool3D', name, (input,), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool3d_grad(orig_input, orig_output, grad, ksize, strides, padding, data_format='NDHWC', name=None):
    return apply('MaxPool3DGrad', name, (orig_input, orig_output, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool3d_grad_grad(orig_input, orig_output, grad, ksize, strides, padding, data_format='NDHWC', name=None):
    return apply('MaxPool3DGradGrad', name, (orig_input, orig_output, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool_grad(orig_input, orig_output, grad, ksize, strides, padding, explicit_paddings=[], data_format='NHWC', name=None):
    return apply('MaxPoolGrad', name, (orig_input, orig_output, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format}).outputs[0]


def max_pool_grad_grad(orig_input, orig_output, grad, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('MaxPoolGradGrad', name, (orig_input, orig_output, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool_grad_grad_v2(orig_input, orig_output, grad, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('MaxPoolGradGradV2', name, (orig_input, orig_output, grad, ksize, strides), {'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool_grad_grad_with_argmax(input, grad, argmax, ksize, strides, padding, include_batch_in_index=False, name=None):
    return apply('MaxPoolGradGradWithArgmax', name, (input, grad, argmax), {'ksize': ksize, 'strides': strides, 'padding': padding, 'include_batch_in_index': include_batch_in_index}).outputs[0]


def max_pool_grad_v2(orig_input, orig_output, grad, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('MaxPoolGradV2', name, (orig_input, orig_output, grad, ksize, strides), {'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool_grad_with_argmax(input, grad, argmax, ksize, strides, padding, include_batch_in_index=False, name=None):
    return apply('MaxPoolGradWithArgmax', name, (input, grad, argmax), {'ksize': ksize, 'strides': strides, 'padding': padding, 'include_batch_in_index': include_batch_in_index}).outputs[0]


def max_pool_v2(input, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('MaxPoolV2', name, (input, ksize, strides), {'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool_with_argmax(input, ksize, strides, padding, Targmax=dtypes.int64, include_batch_in_index=False, name=None):
    return results(apply('MaxPoolWithArgmax', name, (input,), {'ksize': ksize, 'strides': strides, 'padding': padding, 'Targmax': Targmax, 'include_batch_in_index': include_batch_in_index}))
