"""Neural networks: convolutions, pooling, activations, losses of logits."""
import numbers

import numpy as np

from . import _ops, array_ops, dtypes, math_ops, random_ops
from .build import apply
from .convert import constant_value, convert_to_tensor
from .scopes import name_scope
from .shapes import TensorShape
from .tensor import Tensor

relu6, elu, selu, softplus, softsign, l2_loss = _ops.relu6, _ops.elu, _ops.selu, _ops.softplus, _ops.softsign, _ops.l2_loss
lrn = local_response_normalization = _ops.lrn
sigmoid, tanh = math_ops.sigmoid, math_ops.tanh
log_sigmoid = math_ops.log_sigmoid


def relu(features, name=None):
    return apply('Relu', name, (features,), {}).outputs[0]


def leaky_relu(features, alpha=0.2, name=None):
    with name_scope(name, 'LeakyRelu', [features, alpha]) as scope:
        features = convert_to_tensor(features, name='features')
        if features.dtype.is_integer:
            features = math_ops.cast(features, dtypes.float32)
        if isinstance(alpha, Tensor):
            return math_ops.maximum(alpha * features, features, name=scope)
        return _ops.leaky_relu(features, alpha=float(alpha), name=scope)


def crelu(features, name=None, axis=-1):
    with name_scope(name, 'CRelu', [features]) as scope:
        features = convert_to_tensor(features, name='features')
        return relu(array_ops.concat([features, -features], axis, name=scope))


def swish(features):
    return features * sigmoid(features)


def relu_layer(x, weights, biases, name=None):
    with name_scope(name, 'relu_layer', [x, weights, biases]) as scope:
        return relu(bias_add(math_ops.matmul(x, weights), biases), name=scope)


def xw_plus_b(x, weights, biases, name=None):
    with name_scope(name, 'xw_plus_b', [x, weights, biases]) as scope:
        return bias_add(math_ops.matmul(x, weights), biases, name=scope)


def bias_add(value, bias, data_format=None, name=None):
    with name_scope(name, 'BiasAdd', [value, bias]) as scope:
        data_format = 'NHWC' if data_format is None or not data_format.startswith('NC') else 'NCHW'
        value = convert_to_tensor(value, name='input')
        return apply('BiasAdd', scope, (value, convert_to_tensor(bias, dtype=value.dtype, name='bias')),
                     {'data_format': data_format}).outputs[0]


# ---- convolutions and pooling ----

def _padding(padding):
    """(padding, explicit paddings) of a name or of pairs."""
    if isinstance(padding, (list, tuple)):
        return 'EXPLICIT', [int(item) for pair in padding for item in pair]
    return padding, []


def _sizes(value, data_format, count=2):
    """Sizes of the spatial dimensions as four (or five) numbers."""
    items = [value] if isinstance(value, numbers.Integral) else list(value)
    if len(items) == count + 2:
        return items
    items = items * count if len(items) == 1 else items
    return [1, 1] + items if data_format.startswith('NC') else [1] + items + [1]


def conv2d(input, filter=None, strides=None, padding=None, use_cudnn_on_gpu=True, data_format='NHWC', dilations=[1, 1, 1, 1],
           name=None, filters=None):
    data_format = data_format or 'NHWC'
    padding, explicit = _padding(padding)
    return apply('Conv2D', name, (input, filter if filter is not None else filters),
                 {'strides': _sizes(1 if strides is None else strides, data_format), 'padding': padding,
                  'explicit_paddings': explicit, 'use_cudnn_on_gpu': use_cudnn_on_gpu, 'data_format': data_format,
                  'dilations': _sizes(dilations, data_format)}).outputs[0]


def conv2d_backprop_input(input_sizes, filter=None, out_backprop=None, strides=None, padding=None, use_cudnn_on_gpu=True,
                          data_format='NHWC', dilations=[1, 1, 1, 1], name=None, filters=None):
    padding, explicit = _padding(padding)
    return _ops.conv2d_backprop_input(input_sizes, filter if filter is not None else filters, out_backprop, strides, padding,
                                      use_cudnn_on_gpu, explicit, data_format, dilations, name=name)


def conv2d_backprop_filter(input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu=True, data_format='NHWC',
                           dilations=[1, 1, 1, 1], name=None):
    padding, explicit = _padding(padding)
    return _ops.conv2d_backprop_filter(input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu, explicit,
                                       data_format, dilations, name=name)


def conv2d_transpose(value=None, filter=None, output_shape=None, strides=None, padding='SAME', data_format='NHWC', name=None,
                     input=None, filters=None, dilations=None):
    value = value if value is not None else input
    data_format = data_format or 'NHWC'
    with name_scope(name, 'conv2d_transpose', [value, filter, output_shape]) as scope:
        return conv2d_backprop_input(output_shape, filter if filter is not None else filters, value,
                                     _sizes(1 if strides is None else strides, data_format), padding,
                                     data_format=data_format, dilations=_sizes(dilations or 1, data_format), name=scope)


def conv3d(input, filter=None, strides=None, padding=None, data_format='NDHWC', dilations=[1, 1, 1, 1, 1], name=None,
           filters=None):
    return _ops.conv3d(input, filter if filter is not None else filters, strides, padding, data_format, dilations, name=name)


def conv3d_transpose(value, filter=None, output_shape=None, strides=None, padding='SAME', data_format='NDHWC', name=None,
                     input=None, filters=None, dilations=None):
    with name_scope(name, 'conv3d_transpose', [value, filter, output_shape]) as scope:
        return _ops.conv3d_backprop_input_v2(output_shape, filter if filter is not None else filters, value, strides, padding,
                                             data_format=data_format, name=scope)


def conv1d(value=None, filters=None, stride=None, padding=None, use_cudnn_on_gpu=None, data_format=None, name=None, input=None,
           dilations=None):
    value = value if value is not None else input
    with name_scope(name, 'conv1d', [value, filters]):
        first = data_format in ('NCHW', 'NCW')
        axis = 2 if first else 1
        stride = stride[0] if isinstance(stride, (list, tuple)) else stride
        strides = [1, 1, 1, stride] if first else [1, 1, stride, 1]
        wide = array_ops.expand_dims(value, axis)
        out = conv2d(wide, array_ops.expand_dims(filters, 0), strides, padding, True if use_cudnn_on_gpu is None else use_cudnn_on_gpu,
                     'NCHW' if first else 'NHWC', [1, 1, 1, 1] if not dilations else [1, 1, 1, dilations] if first else [1, 1, dilations, 1])
        return array_ops.squeeze(out, [axis])


def depthwise_conv2d(input, filter, strides, padding, rate=None, name=None, data_format=None, dilations=None):
    rate = dilations if rate is None else rate
    with name_scope(name, 'depthwise', [input, filter]) as scope:
        input, filter = convert_to_tensor(input, name='tensor_in'), convert_to_tensor(filter, name='filter_in')
        rate = [1, 1] if rate is None else [rate, rate] if isinstance(rate, int) else list(rate)
        wide = [1, 1] + rate if (data_format or 'NHWC') == 'NCHW' else [1] + rate + [1]
        return _ops.depthwise_conv2d_native(input, filter, strides, padding, data_format=data_format or 'NHWC', dilations=wide,
                                            name=scope)


def depthwise_conv2d_native(input, filter, strides, padding, data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return _ops.depthwise_conv2d_native(input, filter, strides, padding, data_format=data_format, dilations=dilations, name=name)


def separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, rate=None, name=None, data_format=None,
                     dilations=None):
    with name_scope(name, 'separable_conv2d', [input, depthwise_filter, pointwise_filter]) as scope:
        middle = depthwise_conv2d(input, depthwise_filter, strides, padding, rate, 'depthwise', data_format, dilations)
        return conv2d(middle, pointwise_filter, [1, 1, 1, 1], 'VALID', data_format=data_format or 'NHWC', name=scope)


def atrous_conv2d(value, filters, rate, padding, name=None):
    return conv2d(value, filters, [1, 1, 1, 1], padding, dilations=[1, rate, rate, 1], name=name or 'atrous_conv2d')


def convolution(input, filter, padding, strides=None, dilation_rate=None, name=None, data_format=None, filters=None,
                dilations=None):
    filter = filter if filter is not None else filters
    rank = convert_to_tensor(input)._rank()
    rank = convert_to_tensor(filter)._rank() if rank is None else rank
    if rank is None:
        raise ValueError('Cannot convolve: the rank of input and filter are unknown')
    rank -= 2
    strides = [1] * rank if strides is None else strides
    rates = [1] * rank if dilation_rate is None and dilations is None else dilation_rate or dilations
    first = data_format is not None and data_format.startswith('NC')
    if rank == 1:
        return conv1d(input, filter, strides if isinstance(strides, int) else strides[0], padding, data_format=data_format,
                      name=name or 'convolution', dilations=rates if isinstance(rates, int) else rates[0])
    act, plain = (conv2d, 'NHWC') if rank == 2 else (conv3d, 'NDHWC')
    data_format = data_format or plain
    spread = lambda v: _sizes(v, data_format, rank)
    return act(input, filter, spread(strides), padding, data_format=data_format, dilations=spread(rates), name=name or 'convolution')


def _pool(op_type, value, ksize, strides, padding, data_format, name):
    data_format = data_format or 'NHWC'
    with name_scope(name, op_type, [value]) as scope:
        return apply(op_type, scope, (value,), {'ksize': _sizes(ksize, data_format), 'strides': _sizes(strides, data_format),
                                                'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool(value, ksize, strides, padding, data_format='NHWC', name=None, input=None):
    return _pool('MaxPool', value if value is not None else input, ksize, strides, padding, data_format, name)


def avg_pool(value, ksize, strides, padding, data_format='NHWC', name=None, input=None):
    return _pool('AvgPool', value if value is not None else input, ksize, strides, padding, data_format, name)


def max_pool3d(input, ksize, strides, padding, data_format='NDHWC', name=None):
    return _ops.max_pool3d(input, ksize, strides, padding, data_format=data_format, name=name)


def avg_pool3d(input, ksize, strides, padding, data_format='NDHWC', name=None):
    return _ops.avg_pool3d(input, ksize, strides, padding, data_format=data_format, name=name)


def max_pool_with_argmax(input, ksize, strides, padding, data_format='NHWC', Targmax=None, name=None, output_dtype=None,
                         include_batch_in_index=False):
    return _ops.max_pool_with_argmax(input, ksize, strides, padding, Targmax=Targmax or output_dtype or dtypes.int64,
                                     include_batch_in_index=include_batch_in_index, name=name)


def dilation2d(input, filter=None, strides=None, rates=None, padding=None, name=None, filters=None, dilations=None):
    return _ops.dilation2d(input, filter if filter is not None else filters, strides, rates or dilations, padding, name=name)


# ---- dropout ----

def dropout(x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None):
    if keep_prob is not None and rate is not None:
        raise ValueError('Only one of keep_prob and rate may be given')
    if keep_prob is None and rate is None:
        raise ValueError('You must provide a rate to dropout.')
    if rate is None:
        rate = 1. - keep_prob if isinstance(keep_prob, numbers.Real) else 1. - convert_to_tensor(keep_prob)
    with name_scope(name, 'dropout', [x]):
        x = convert_to_tensor(x, name='x')
        if not x.dtype.is_floating:
            raise ValueError('x has to be a floating point tensor since it will be scaled. Got a %s tensor instead.' % x.dtype)
        if isinstance(rate, numbers.Real):
            if not 0 <= rate < 1:
                raise ValueError('rate must be a scalar tensor or a float in the range [0, 1), got %g' % rate)
            if rate == 0:
                return x
        rate = convert_to_tensor(rate, dtype=x.dtype.base_dtype, name='rate')
        noise = array_ops.shape(x) if noise_shape is None else _noise_shape(x, noise_shape)
        uniform = random_ops.random_uniform(noise, seed=seed, dtype=x.dtype.base_dtype)
        scale = 1 / (1 - rate)
        kept = math_ops.cast(uniform >= rate, x.dtype.base_dtype)
        out = x * scale * kept
        out.set_shape(x.get_shape())
        return out


def _noise_shape(x, noise_shape):
    if isinstance(noise_shape, (list, tuple, TensorShape)) and x._shape is not None:
        dims = list(noise_shape)
        if len(dims) == len(x._shape):
            whole = [x._shape[i] if dim is None or getattr(dim, 'value', 0) is None else dim for i, dim in enumerate(dims)]
            return whole
    return noise_shape


# ---- softmax ----

def _one_axis(axis, dim):
    if axis is not None and dim is not None:
        raise ValueError("Cannot specify both 'dim' and 'axis'")
    return axis if axis is not None else dim if dim is not None else -1


def _along_last(act, logits, axis, scope):
    """Applies `act` to the last dimension, after `axis` was moved there."""
    logits = convert_to_tensor(logits)
    rank = logits._rank()
    if axis in (-1, None) or rank is not None and axis == rank - 1:
        return act(logits, name=scope)
    if rank is not None and not -rank <= axis < rank:
        raise ValueError('`axis` must be in the range [%d, %d)' % (-rank, rank))
    axis = axis % rank
    perm = [i for i in range(rank)]
    perm[axis], perm[-1] = perm[-1], perm[axis]
    return array_ops.transpose(act(array_ops.transpose(logits, perm)), perm, name=scope)


def softmax(logits, axis=None, name=None, dim=None):
    with name_scope(name, 'Softmax', [logits]) as scope:
        return _along_last(_ops.softmax, logits, _one_axis(axis, dim), scope)


def log_softmax(logits, axis=None, name=None, dim=None):
    with name_scope(name, 'LogSoftmax', [logits]) as scope:
        return _along_last(_ops.log_softmax, logits, _one_axis(axis, dim), scope)


def _flatten_outer(logits):
    last = array_ops.shape(logits)[-1]
    flat = array_ops.reshape(logits, array_ops.concat([[-1], [last]] if not isinstance(last, Tensor) else [[-1], array_ops.reshape(last, [1])], 0))
    if logits._shape is not None and None not in logits._shape:
        flat.set_shape([int(np.prod(logits._shape[:-1])), logits._shape[-1]])
    return flat


def _need(name, sentinel, labels, logits):
    if sentinel is not None:
        raise ValueError('Only call `%s` with named arguments (labels=..., logits=..., ...)' % name)
    if labels is None or logits is None:
        raise ValueError('Both labels and logits must be provided.')


def _cross_entropy(labels, logits, axis, name):
    with name_scope(name, 'softmax_cross_entropy_with_logits', [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name='logits')
        labels = convert_to_tensor(labels, name='labels')
        rank = logits._rank()
        precise = math_ops.cast(logits, dtypes.float32) if logits.dtype.base_dtype == dtypes.float16 else logits
        labels = math_ops.cast(labels, precise.dtype.base_dtype)
        if rank is not None and axis not in (-1, rank - 1):
            perm = [i for i in range(rank) if i != axis % rank] + [axis % rank]
            precise, labels = array_ops.transpose(precise, perm), array_ops.transpose(labels, perm)
        whole = array_ops.shape(precise)
        out = _ops.softmax_cross_entropy_with_logits(_flatten_outer(precise), _flatten_outer(labels), name=scope).loss
        static = precise.get_shape()[:-1] if rank is not None else TensorShape(None)
        out = array_ops.reshape(out, whole[:-1])
        out.set_shape(static)
        return math_ops.cast(out, logits.dtype.base_dtype) if precise is not logits else out


def softmax_cross_entropy_with_logits_v2(labels, logits, axis=None, name=None, dim=None):
    return _cross_entropy(labels, logits, axis if axis is not None else dim if dim is not None else -1, name)


def softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, dim=-1, name=None, axis=None):
    if _sentinel is not None and labels is not None and logits is None:
        _sentinel, labels, logits = None, labels, _sentinel
    _need('softmax_cross_entropy_with_logits', _sentinel, labels, logits)
    with name_scope(name, 'softmax_cross_entropy_with_logits_sg', [logits, labels]) as scope:
        return _cross_entropy(array_ops.stop_gradient(labels, name='labels_stop_gradient'), logits,
                              dim if axis is None else axis, scope)


def sparse_softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    if _sentinel is not None and labels is not None and logits is None:
        _sentinel, labels, logits = None, labels, _sentinel
    _need('sparse_softmax_cross_entropy_with_logits', _sentinel, labels, logits)
    with name_scope(name, 'SparseSoftmaxCrossEntropyWithLogits', [labels, logits]):
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        whole = array_ops.shape(labels)
        if logits._rank() == 0:
            raise ValueError('Logits cannot be scalars - received shape %s.' % logits.get_shape())
        if logits._rank() is not None and labels._rank() is not None and labels._rank() != logits._rank() - 1:
            raise ValueError('Rank mismatch: Rank of labels (received %s) should equal rank of logits minus 1 (received %s).' %
                             (labels._rank(), logits._rank()))
        precise = math_ops.cast(logits, dtypes.float32) if logits.dtype.base_dtype == dtypes.float16 else logits
        if logits._rank() == 2:
            cost = _ops.sparse_softmax_cross_entropy_with_logits(precise, labels).loss
        else:
            static = labels.get_shape()
            cost = _ops.sparse_softmax_cross_entropy_with_logits(
                array_ops.reshape(precise, [-1, array_ops.shape(logits)[-1]]), array_ops.reshape(labels, [-1])).loss
            cost = array_ops.reshape(cost, whole)
            cost.set_shape(static)
        return math_ops.cast(cost, dtypes.float16) if precise is not logits else cost


from .nn_more import *  # noqa: E402,F401,F403


from .nn_pool import (avg_pool1d, avg_pool_v2, conv1d_transpose, conv_transpose, max_pool1d, max_pool_v2, pool)  # noqa: E402,F401
