"""Ops: nn, conv. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'BatchMatMul': 'x:T y:T|output:T|T:t adj_x:b adj_y:b grad_x:b grad_y:b|0',
    'BatchMatMulV2': 'x:T y:T|output:T|T:t adj_x:b adj_y:b grad_x:b grad_y:b|0',
    'BatchMatMulV3': 'x:Ta y:Tb|output:Tout|Ta:t Tb:t Tout:t adj_x:b adj_y:b grad_x:b grad_y:b|0',
    'BiasAdd': 'value:T bias:T|output:T|T:t data_format:s|0',
    'BiasAddGrad': 'out_backprop:T|output:T|T:t data_format:s|0',
    'BiasAddV1': 'value:T bias:T|output:T|T:t|0',
    'Conv': 'input:T filter:T|output:T|T:t strides:[i padding:s explicit_paddings:[i data_format:s dilations:[i batch_dims:i groups:i|0',
    'Conv2D': 'input:T filter:T|output:T|T:t strides:[i use_cudnn_on_gpu:b padding:s explicit_paddings:[i data_format:s dilations:[i|0',
    'Conv2DBackpropFilter': 'input:T filter_sizes:3 out_backprop:T|output:T|T:t strides:[i use_cudnn_on_gpu:b padding:s explicit_paddings:[i data_format:s dilations:[i|0',
    'Conv2DBackpropFilterV2': 'input:T filter:T out_backprop:T|output:T|T:t strides:[i use_cudnn_on_gpu:b padding:s explicit_paddings:[i data_format:s dilations:[i|0',
    'Conv2DBackpropInput': 'input_sizes:3 filter:T out_backprop:T|output:T|T:t strides:[i use_cudnn_on_gpu:b padding:s explicit_paddings:[i data_format:s dilations:[i|0',
    'Conv2DBackpropInputV2': 'input:T filter:T out_backprop:T|output:T|T:t strides:[i use_cudnn_on_gpu:b padding:s explicit_paddings:[i data_format:s dilations:[i|0',
    'Conv3D': 'input:T filter:T|output:T|T:t strides:[i padding:s data_format:s dilations:[i|0',
    'Conv3DBackpropFilter': 'input:T filter:T out_backprop:T|output:T|T:t strides:[i padding:s dilations:[i|0',
    'Conv3DBackpropFilterV2': 'input:T filter_sizes:3 out_backprop:T|output:T|T:t strides:[i padding:s data_format:s dilations:[i|0',
    'Conv3DBackpropInput': 'input:T filter:T out_backprop:T|output:T|T:t strides:[i padding:s dilations:[i|0',
    'Conv3DBackpropInputV2': 'input_sizes:Tshape filter:T out_backprop:T|output:T|T:t strides:[i padding:s data_format:s dilations:[i Tshape:t=3|0',
    'DataFormatDimMap': 'x:T|y:T|T:t=3 src_format:s dst_format:s|0',
    'DataFormatVecPermute': 'x:T|y:T|T:t=3 src_format:s dst_format:s|0',
    'DepthwiseConv2dNative': 'input:T filter:T|output:T|T:t strides:[i padding:s explicit_paddings:[i data_format:s dilations:[i|0',
    'DepthwiseConv2dNativeBackpropFilter': 'input:T filter_sizes:3 out_backprop:T|output:T|T:t strides:[i padding:s explicit_paddings:[i data_format:s dilations:[i|0',
    'DepthwiseConv2dNativeBackpropInput': 'input_sizes:3 filter:T out_backprop:T|output:T|T:t strides:[i padding:s explicit_paddings:[i data_format:s dilations:[i|0',
    'Dilation2D': 'input:T filter:T|output:T|T:t strides:[i rates:[i padding:s|0',
    'Dilation2DBackpropFilter': 'input:T filter:T out_backprop:T|filter_backprop:T|T:t strides:[i rates:[i padding:s|0',
    'Dilation2DBackpropInput': 'input:T filter:T out_backprop:T|in_backprop:T|T:t strides:[i rates:[i padding:s|0',
    'FusedPadConv2D': 'input:T paddings:3 filter:T|output:T|T:t mode:s strides:[i padding:s|0',
    'FusedResizeAndPadConv2D': 'input:T size:3 paddings:3 filter:T|output:T|T:t resize_align_corners:b mode:s strides:[i padding:s|0',
    'MatMul': 'a:T b:T|product:T|transpose_a:b transpose_b:b T:t grad_a:b grad_b:b|0',
}


def batch_mat_mul(x, y, adj_x=False, adj_y=False, grad_x=False, grad_y=False, name=None):
    return apply('BatchMatMul', name, (x, y), {'adj_x': adj_x, 'adj_y': adj_y, 'grad_x': grad_x, 'grad_y': grad_y}).outputs[0]


def batch_mat_mul_v2(x, y, adj_x=False, adj_y=False, grad_x=False, grad_y=False, name=None):
    return apply('BatchMatMulV2', name, (x, y), {'adj_x': adj_x, 'adj_y': adj_y, 'grad_x': grad_x, 'grad_y': grad_y}).outputs[0]


def batch_mat_mul_v3(x, y, Tout, adj_x=False, adj_y=False, grad_x=False, grad_y=False, name=None):
    return apply('BatchMatMulV3', name, (x, y), {'Tout': Tout, 'adj_x': adj_x, 'adj_y': adj_y, 'grad_x': grad_x, 'grad_y': grad_y}).outputs[0]


def bias_add(value, bias, data_format='NHWC', name=None):
    return apply('BiasAdd', name, (value, bias), {'data_format': data_format}).outputs[0]


def bias_add_grad(out_backprop, data_format='NHWC', name=None):
    return apply('BiasAddGrad', name, (out_backprop,), {'data_format': data_format}).outputs[0]


def bias_add_v1(value, bias, name=None):
    return apply('BiasAddV1', name, (value, bias), {}).outputs[0]


def conv(input, filter, strides, padding, explicit_paddings=[], data_format='CHANNELS_LAST', dilations=[], batch_dims=1, groups=1, name=None):
    return apply('Conv', name, (input, filter), {'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations, 'batch_dims': batch_dims, 'groups': groups}).outputs[0]


def conv2d(input, filter, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('Conv2D', name, (input, filter), {'strides': strides, 'padding': padding, 'use_cudnn_on_gpu': use_cudnn_on_gpu, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv2d_backprop_filter(input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('Conv2DBackpropFilter', name, (input, filter_sizes, out_backprop), {'strides': strides, 'padding': padding, 'use_cudnn_on_gpu': use_cudnn_on_gpu, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv2d_backprop_filter_v2(input, filter, out_backprop, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('Conv2DBackpropFilterV2', name, (input, filter, out_backprop), {'strides': strides, 'padding': padding, 'use_cudnn_on_gpu': use_cudnn_on_gpu, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv2d_backprop_input(input_sizes, filter, out_backprop, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('Conv2DBackpropInput', name, (input_sizes, filter, out_backprop), {'strides': strides, 'padding': padding, 'use_cudnn_on_gpu': use_cudnn_on_gpu, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv2d_backprop_input_v2(input, filter, out_backprop, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('Conv2DBackpropInputV2', name, (input, filter, out_backprop), {'strides': strides, 'padding': padding, 'use_cudnn_on_gpu': use_cudnn_on_gpu, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv3d(input, filter, strides, padding, data_format='NDHWC', dilations=[1, 1, 1, 1, 1], name=None):
    return apply('Conv3D', name, (input, filter), {'strides': strides, 'padding': padding, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv3d_backprop_filter(input, filter, out_backprop, strides, padding, dilations=[1, 1, 1, 1, 1], name=None):
    return apply('Conv3DBackpropFilter', name, (input, filter, out_backprop), {'strides': strides, 'padding': padding, 'dilations': dilations}).outputs[0]


def conv3d_backprop_filter_v2(input, filter_sizes, out_backprop, strides, padding, data_format='NDHWC', dilations=[1, 1, 1, 1, 1], name=None):
    return apply('Conv3DBackpropFilterV2', name, (input, filter_sizes, out_backprop), {'strides': strides, 'padding': padding, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv3d_backprop_input(input, filter, out_backprop, strides, padding, dilations=[1, 1, 1, 1, 1], name=None):
    return apply('Conv3DBackpropInput', name, (input, filter, out_backprop), {'strides': strides, 'padding': padding, 'dilations': dilations}).outputs[0]


def conv3d_backprop_input_v2(input_sizes, filter, out_backprop, strides, padding, data_format='NDHWC', dilations=[1, 1, 1, 1, 1], name=None):
    return apply('Conv3DBackpropInputV2', name, (input_sizes, filter, out_backprop), {'strides': strides, 'padding': padding, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def data_format_dim_map(x, src_format='NHWC', dst_format='NCHW', name=None):
    return apply('DataFormatDimMap', name, (x,), {'src_format': src_format, 'dst_format': dst_format}).outputs[0]


def data_format_vec_permute(x, src_format='NHWC', dst_format='NCHW', name=None):
    return apply('DataFormatVecPermute', name, (x,), {'src_format': src_format, 'dst_format': dst_format}).outputs[0]


def depthwise_conv2d_native(input, filter, strides, padding, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('DepthwiseConv2dNative', name, (input, filter), {'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def depthwise_conv2d_native_backprop_filter(input, filter_sizes, out_backprop, strides, padding, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('DepthwiseConv2dNativeBackpropFilter', name, (input, filter_sizes, out_backprop), {'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def depthwise_conv2d_native_backprop_input(input_sizes, filter, out_backprop, strides, padding, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('DepthwiseConv2dNativeBackpropInput', name, (input_sizes, filter, out_backprop), {'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def dilation2d(input, filter, strides, rates, padding, name=None):
    return apply('Dilation2D', name, (input, filter), {'strides': strides, 'rates': rates, 'padding': padding}).outputs[0]


def dilation2d_backprop_filter(input, filter, out_backprop, strides, rates, padding, name=None):
    return apply('Dilation2DBackpropFilter', name, (input, filter, out_backprop), {'strides': strides, 'rates': rates, 'padding': padding}).outputs[0]


def dilation2d_backprop_input(input, filter, out_backprop, strides, rates, padding, name=None):
    return apply('Dilation2DBackpropInput', name, (input, filter, out_backprop), {'strides': strides, 'rates': rates, 'padding': padding}).outputs[0]


def fused_pad_conv2d(input, paddings, filter, mode, strides, padding, name=None):
    return apply('FusedPadConv2D', name, (input, paddings, filter), {'mode': mode, 'strides': strides, 'padding': padding}).outputs[0]


def fused_resize_and_pad_conv2d(input, size, paddings, filter, mode, strides, padding, resize_align_corners=False, name=None):
    return apply('FusedResizeAndPadConv2D', name, (input, size, paddings, filter), {'mode': mode, 'strides': strides, 'padding': padding, 'resize_align_corners': resize_align_corners}).outputs[0]


def mat_mul(a, b, transpose_a=False, transpose_b=False, grad_a=False, grad_b=False, name=None):
    return apply('MatMul', name, (a, b), {'transpose_a': transpose_a, 'transpose_b': transpose_b, 'grad_a': grad_a, 'grad_b': grad_b}).outputs[0]
