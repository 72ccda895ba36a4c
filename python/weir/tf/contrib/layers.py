"""tf.contrib.layers: dense and convolutional layers, pooling and small layers."""
import functools

from .. import array_ops, dtypes, init_ops, layers as core_layers, layers_more, math_ops, nest, nn_ops  # noqa: F401
from ..convert import convert_to_tensor
from ..scopes import GraphKeys, add_to_collection, name_scope
from ..shapes import TensorShape
from ..sparse_tensor import SparseTensor
from ..variable_scope import get_variable_scope, variable_scope
from . import layer_utils as utils
from . import regularizers as initializers
from .arg_scope import add_arg_scope
from .framework import model_variable

_NAMES = {'bias': 'biases', 'kernel': 'weights'}


def _scope(scope, default, inputs, reuse, rename=_NAMES):
    return variable_scope(scope, default, [inputs], reuse=reuse, custom_getter=utils.variable_getter(rename))


def _finish(outputs, activation_fn, normalizer_fn, normalizer_params, collections, sc):
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return utils.collect_named_outputs(collections, sc.name, outputs)


def _note(layer, collections):
    utils.add_to_variable_collections(layer.kernel, collections, 'weights')
    if layer.use_bias:
        utils.add_to_variable_collections(layer.bias, collections, 'biases')


@add_arg_scope
def fully_connected(inputs, num_outputs, activation_fn=nn_ops.relu, normalizer_fn=None, normalizer_params=None,
                    weights_initializer=initializers.xavier_initializer(), weights_regularizer=None,
                    biases_initializer=init_ops.zeros_initializer(), biases_regularizer=None, reuse=None,
                    variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    if not isinstance(num_outputs, int):
        num_outputs = int(num_outputs)
    with _scope(scope, 'fully_connected', inputs, reuse) as sc:
        inputs = convert_to_tensor(inputs)
        layer = core_layers.Dense(num_outputs, activation=None, use_bias=bool(not normalizer_fn and biases_initializer),
                                  kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
                                  kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
                                  trainable=trainable, name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse)
        outputs = layer.apply(inputs)
        _note(layer, variables_collections)
        return _finish(outputs, activation_fn, normalizer_fn, normalizer_params, outputs_collections, sc)


_CONVOLUTIONS = {1: (core_layers.Conv1D, 'NWC', 'NCW'), 2: (core_layers.Conv2D, 'NHWC', 'NCHW'),
                 3: (layers_more.Conv3D, 'NDHWC', 'NCDHW')}


@add_arg_scope
def convolution(inputs, num_outputs, kernel_size, stride=1, padding='SAME', data_format=None, rate=1,
                activation_fn=nn_ops.relu, normalizer_fn=None, normalizer_params=None,
                weights_initializer=initializers.xavier_initializer(), weights_regularizer=None,
                biases_initializer=init_ops.zeros_initializer(), biases_regularizer=None, reuse=None,
                variables_collections=None, outputs_collections=None, trainable=True, scope=None, conv_dims=None):
    with _scope(scope, 'Conv', inputs, reuse) as sc:
        inputs = convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if rank is None or rank - 2 not in _CONVOLUTIONS:
            raise ValueError('Convolution not supported for input with rank %s' % rank)
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError('Convolution expects input with rank %d, got %d' % (conv_dims + 2, rank))
        make, last, first = _CONVOLUTIONS[rank - 2]
        if data_format not in (None, last, first):
            raise ValueError('Invalid data_format: %s' % data_format)
        layer = make(filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding,
                     data_format='channels_first' if data_format == first else 'channels_last', dilation_rate=rate,
                     activation=None, use_bias=bool(not normalizer_fn and biases_initializer),
                     kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
                     kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer, trainable=trainable,
                     name=sc.name, dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse)
        outputs = layer.apply(inputs)
        _note(layer, variables_collections)
        return _finish(outputs, activation_fn, normalizer_fn, normalizer_params, outputs_collections, sc)


@add_arg_scope
def convolution1d(inputs, num_outputs, kernel_size, stride=1, padding='SAME', data_format=None, rate=1,
                  activation_fn=nn_ops.relu, normalizer_fn=None, normalizer_params=None,
                  weights_initializer=initializers.xavier_initializer(), weights_regularizer=None,
                  biases_initializer=init_ops.zeros_initializer(), biases_regularizer=None, reuse=None,
                  variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    return convolution(inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn,
                       normalizer_params, weights_initializer, weights_regularizer, biases_initializer, biases_regularizer,
                       reuse, variables_collections, outputs_collections, trainable, scope, conv_dims=1)


@add_arg_scope
def convolution2d(inputs, num_outputs, kernel_size, stride=1, padding='SAME', data_format=None, rate=1,
                  activation_fn=nn_ops.relu, normalizer_fn=None, normalizer_params=None,
                  weights_initializer=initializers.xavier_initializer(), weights_regularizer=None,
                  biases_initializer=init_ops.zeros_initializer(), biases_regularizer=None, reuse=None,
                  variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    return convolution(inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn,
                       normalizer_params, weights_initializer, weights_regularizer, biases_initializer, biases_regularizer,
                       reuse, variables_collections, outputs_collections, trainable, scope, conv_dims=2)


@add_arg_scope
def convolution3d(inputs, num_outputs, kernel_size, stride=1, padding='SAME', data_format=None, rate=1,
                  activation_fn=nn_ops.relu, normalizer_fn=None, normalizer_params=None,
                  weights_initializer=initializers.xavier_initializer(), weights_regularizer=None,
                  biases_initializer=init_ops.zeros_initializer(), biases_regularizer=None, reuse=None,
                  variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    return convolution(inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn, normalizer_fn,
                       normalizer_params, weights_initializer, weights_regularizer, biases_initializer, biases_regularizer,
                       reuse, variables_collections, outputs_collections, trainable, scope, conv_dims=3)


def _transposed(make, default, formats, inputs, num_outputs, kernel_size, stride, padding, data_format, activation_fn,
                normalizer_fn, normalizer_params, weights_initializer, weights_regularizer, biases_initializer,
                biases_regularizer, reuse, variables_collections, outputs_collections, trainable, scope):
    with _scope(scope, default, inputs, reuse) as sc:
        if data_format not in formats:
            raise ValueError('data_format has to be either %s or %s.' % formats)
        inputs = convert_to_tensor(inputs)
        layer = make(filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding,
                     data_format='channels_first' if data_format == formats[0] else 'channels_last', activation=None,
                     use_bias=bool(not normalizer_fn and biases_initializer), kernel_initializer=weights_initializer,
                     bias_initializer=biases_initializer, kernel_regularizer=weights_regularizer,
                     bias_regularizer=biases_regularizer, trainable=trainable, name=sc.name, dtype=inputs.dtype.base_dtype,
                     _scope=sc, _reuse=reuse)
        outputs = layer.apply(inputs)
        _note(layer, variables_collections)
        return _finish(outputs, activation_fn, normalizer_fn, normalizer_params, outputs_collections, sc)


@add_arg_scope
def convolution2d_transpose(inputs, num_outputs, kernel_size, stride=1, padding='SAME', data_format='NHWC',
                            activation_fn=nn_ops.relu, normalizer_fn=None, normalizer_params=None,
                            weights_initializer=initializers.xavier_initializer(), weights_regularizer=None,
                            biases_initializer=init_ops.zeros_initializer(), biases_regularizer=None, reuse=None,
                            variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    return _transposed(core_layers.Conv2DTranspose, 'Conv2d_transpose', ('NCHW', 'NHWC'), inputs, num_outputs, kernel_size,
                       stride, padding, data_format, activation_fn, normalizer_fn, normalizer_params, weights_initializer,
                       weights_regularizer, biases_initializer, biases_regularizer, reuse, variables_collections,
                       outputs_collections, trainable, scope)


@add_arg_scope
def convolution3d_transpose(inputs, num_outputs, kernel_size, stride=1, padding='SAME', data_format='NDHWC',
                            activation_fn=nn_ops.relu, normalizer_fn=None, normalizer_params=None,
                            weights_initializer=initializers.xavier_initializer(), weights_regularizer=None,
                            biases_initializer=init_ops.zeros_initializer(), biases_regularizer=None, reuse=None,
                            variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    return _transposed(layers_more.Conv3DTranspose, 'Conv3d_transpose', ('NCDHW', 'NDHWC'), inputs, num_outputs, kernel_size,
                       stride, padding, data_format, activation_fn, normalizer_fn, normalizer_params, weights_initializer,
                       weights_regularizer, biases_initializer, biases_regularizer, reuse, variables_collections,
                       outputs_collections, trainable, scope)


@add_arg_scope
def convolution2d_in_plane(inputs, kernel_size, stride=1, padding='SAME', activation_fn=nn_ops.relu, normalizer_fn=None,
                           normalizer_params=None, weights_initializer=initializers.xavier_initializer(),
                           weights_regularizer=None, biases_initializer=init_ops.zeros_initializer(), biases_regularizer=None,
                           reuse=None, variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    with variable_scope(scope, 'ConvInPlane', [inputs], reuse=reuse) as sc:
        high, wide = utils.two_element_tuple(kernel_size)
        down, right = utils.two_element_tuple(stride)
        channels = utils.last_dimension(inputs.get_shape(), min_rank=4)
        dtype = inputs.dtype.base_dtype
        weights = model_variable('weights', shape=[high, wide, 1, 1], dtype=dtype, initializer=weights_initializer,
                                 regularizer=weights_regularizer,
                                 collections=utils.get_variable_collections(variables_collections, 'weights'),
                                 trainable=trainable)
        outputs = nn_ops.depthwise_conv2d(inputs, array_ops.tile(weights, [1, 1, channels, 1]), [1, down, right, 1], padding)
        if normalizer_fn is None and biases_initializer is not None:
            biases = model_variable('biases', shape=[channels], dtype=dtype, initializer=biases_initializer,
                                    regularizer=biases_regularizer, trainable=trainable,
                                    collections=utils.get_variable_collections(variables_collections, 'biases'))
            outputs = nn_ops.bias_add(outputs, biases)
        return _finish(outputs, activation_fn, normalizer_fn, normalizer_params, outputs_collections, sc)


@add_arg_scope
def separable_convolution2d(inputs, num_outputs, kernel_size, depth_multiplier=1, stride=1, padding='SAME', data_format='NHWC',
                            rate=1, activation_fn=nn_ops.relu, normalizer_fn=None, normalizer_params=None,
                            weights_initializer=initializers.xavier_initializer(), pointwise_initializer=None,
                            weights_regularizer=None, biases_initializer=init_ops.zeros_initializer(), biases_regularizer=None,
                            reuse=None, variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    names = {'bias': 'biases', 'depthwise_kernel': 'depthwise_weights', 'pointwise_kernel': 'pointwise_weights'}
    with _scope(scope, 'SeparableConv2d', inputs, reuse, names) as sc:
        inputs = convert_to_tensor(inputs)
        if data_format not in ('NCHW', 'NHWC'):
            raise ValueError('data_format has to be either NCHW or NHWC.')
        first = 'channels_first' if data_format == 'NCHW' else 'channels_last'
        if num_outputs is None:
            outputs = _depthwise(inputs, kernel_size, depth_multiplier, stride, padding, data_format, rate, normalizer_fn,
                                 weights_initializer, weights_regularizer, biases_initializer, biases_regularizer,
                                 variables_collections, trainable)
        else:
            layer = layers_more.SeparableConv2D(
                filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding, data_format=first,
                dilation_rate=utils.two_element_tuple(rate), activation=None, depth_multiplier=depth_multiplier,
                use_bias=bool(not normalizer_fn and biases_initializer), depthwise_initializer=weights_initializer,
                pointwise_initializer=pointwise_initializer or weights_initializer, bias_initializer=biases_initializer,
                depthwise_regularizer=weights_regularizer, pointwise_regularizer=weights_regularizer,
                bias_regularizer=biases_regularizer, trainable=trainable, name=sc.name, dtype=inputs.dtype.base_dtype,
                _scope=sc, _reuse=reuse)
            outputs = layer.apply(inputs)
            utils.add_to_variable_collections(layer.depthwise_kernel, variables_collections, 'weights')
            utils.add_to_variable_collections(layer.pointwise_kernel, variables_collections, 'weights')
            if layer.use_bias:
                utils.add_to_variable_collections(layer.bias, variables_collections, 'biases')
        return _finish(outputs, activation_fn, normalizer_fn, normalizer_params, outputs_collections, sc)


def _depthwise(inputs, kernel_size, depth_multiplier, stride, padding, data_format, rate, normalizer_fn, weights_initializer,
               weights_regularizer, biases_initializer, biases_regularizer, variables_collections, trainable):
    """The first half of a separable convolution alone."""
    high, wide = utils.two_element_tuple(kernel_size)
    down, right = utils.two_element_tuple(stride)
    channels = utils.channel_dimension(inputs.get_shape(), data_format, min_rank=4)
    dtype = inputs.dtype.base_dtype
    weights = model_variable('depthwise_weights', shape=[high, wide, channels, depth_multiplier], dtype=dtype,
                             initializer=weights_initializer, regularizer=weights_regularizer, trainable=trainable,
                             collections=utils.get_variable_collections(variables_collections, 'weights'))
    steps = [1, 1, down, right] if data_format == 'NCHW' else [1, down, right, 1]
    outputs = nn_ops.depthwise_conv2d(inputs, weights, steps, padding, rate=utils.two_element_tuple(rate),
                                      data_format=data_format)
    if normalizer_fn is None and biases_initializer is not None:
        biases = model_variable('biases', shape=[depth_multiplier * channels], dtype=dtype, initializer=biases_initializer,
                                regularizer=biases_regularizer, trainable=trainable,
                                collections=utils.get_variable_collections(variables_collections, 'biases'))
        outputs = nn_ops.bias_add(outputs, biases, data_format=data_format)
    return outputs


# ---- pooling ----

def _pool(make, default, formats, inputs, kernel_size, stride, padding, data_format, collections, scope):
    if data_format not in formats:
        raise ValueError('data_format has to be either %s or %s.' % formats)
    with name_scope(scope, default, [inputs]) as sc:
        inputs = convert_to_tensor(inputs)
        layer = make(pool_size=kernel_size, strides=stride, padding=padding,
                     data_format='channels_first' if data_format == formats[0] else 'channels_last', _scope=sc)
        return utils.collect_named_outputs(collections, sc, layer.apply(inputs))


@add_arg_scope
def avg_pool2d(inputs, kernel_size, stride=2, padding='VALID', data_format='NHWC', outputs_collections=None, scope=None):
    return _pool(core_layers.AveragePooling2D, 'AvgPool2D', ('NCHW', 'NHWC'), inputs, kernel_size, stride, padding, data_format,
                 outputs_collections, scope)


@add_arg_scope
def max_pool2d(inputs, kernel_size, stride=2, padding='VALID', data_format='NHWC', outputs_collections=None, scope=None):
    return _pool(core_layers.MaxPooling2D, 'MaxPool2D', ('NCHW', 'NHWC'), inputs, kernel_size, stride, padding, data_format,
                 outputs_collections, scope)


@add_arg_scope
def avg_pool3d(inputs, kernel_size, stride=2, padding='VALID', data_format='NDHWC', outputs_collections=None, scope=None):
    return _pool(layers_more.AveragePooling3D, 'AvgPool3D', ('NCDHW', 'NDHWC'), inputs, kernel_size, stride, padding,
                 data_format, outputs_collections, scope)


@add_arg_scope
def max_pool3d(inputs, kernel_size, stride=2, padding='VALID', data_format='NDHWC', outputs_collections=None, scope=None):
    return _pool(layers_more.MaxPooling3D, 'MaxPool3D', ('NCDHW', 'NDHWC'), inputs, kernel_size, stride, padding, data_format,
                 outputs_collections, scope)


@add_arg_scope
def pool(inputs, kernel_size, pooling_type, padding='VALID', data_format=None, dilation_rate=1, stride=1,
         outputs_collections=None, scope=None):
    with name_scope(scope, '%s_pool' % pooling_type.lower(), [inputs]) as sc:
        inputs = convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if rank is None or rank < 3:
            raise ValueError('Rank of inputs must be at least 3')
        outputs = nn_ops.pool(inputs, utils.n_positive_integers(rank - 2, kernel_size), pooling_type, padding,
                              utils.n_positive_integers(rank - 2, dilation_rate), utils.n_positive_integers(rank - 2, stride),
                              data_format=data_format, name=sc)
        return utils.collect_named_outputs(outputs_collections, sc, outputs)


# ---- small layers ----

@add_arg_scope
def dropout(inputs, keep_prob=0.5, noise_shape=None, is_training=True, outputs_collections=None, scope=None, seed=None):
    with variable_scope(scope, 'Dropout', [inputs], custom_getter=utils.variable_getter()) as sc:
        inputs = convert_to_tensor(inputs)
        layer = core_layers.Dropout(rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=sc.name, _scope=sc)
        return utils.collect_named_outputs(outputs_collections, sc.name, layer.apply(inputs, training=is_training))


@add_arg_scope
def flatten(inputs, outputs_collections=None, scope=None):
    with name_scope(scope, 'Flatten', [inputs]) as sc:
        inputs = convert_to_tensor(inputs)
        return utils.collect_named_outputs(outputs_collections, sc, core_layers.flatten(inputs))


def _inner_flatten(inputs, new_rank, output_collections=None, scope=None):
    """Joins all but the first new_rank - 1 dimensions."""
    with name_scope(scope, 'InnerFlatten', [inputs, new_rank]) as sc:
        inputs = convert_to_tensor(inputs)
        known = inputs.get_shape().as_list()
        if new_rank < 1 or len(known) < new_rank:
            raise ValueError('Inputs has rank less than new_rank. inputs must have rank at least %d.' % new_rank)
        head = array_ops.shape(inputs)[:new_rank - 1]
        outputs = array_ops.reshape(inputs, array_ops.concat([head, [-1]], 0))
        size = 1
        for dim in known[new_rank - 1:]:
            size = None if dim is None or size is None else size * dim
        outputs.set_shape(known[:new_rank - 1] + [size])
        return utils.collect_named_outputs(output_collections, sc, outputs)


@add_arg_scope
def bias_add(inputs, activation_fn=None, initializer=init_ops.zeros_initializer(), regularizer=None, reuse=None,
             variables_collections=None, outputs_collections=None, trainable=True, data_format='NHWC', scope=None):
    with variable_scope(scope, 'BiasAdd', [inputs], reuse=reuse) as sc:
        inputs = convert_to_tensor(inputs)
        size = utils.channel_dimension(inputs.get_shape(), data_format, min_rank=2)
        biases = model_variable('biases', shape=[size], dtype=inputs.dtype.base_dtype, initializer=initializer,
                                regularizer=regularizer, trainable=trainable,
                                collections=utils.get_variable_collections(variables_collections, 'biases'))
        outputs = nn_ops.bias_add(inputs, biases, data_format=data_format)
        return _finish(outputs, activation_fn, None, None, outputs_collections, sc)


@add_arg_scope
def one_hot_encoding(labels, num_classes, on_value=1.0, off_value=0.0, outputs_collections=None, scope=None):
    with name_scope(scope, 'OneHotEncoding', [labels, num_classes]) as sc:
        labels = convert_to_tensor(labels)
        if labels.dtype == dtypes.int32:
            labels = math_ops.cast(labels, dtypes.int64)
        outputs = array_ops.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return utils.collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def softmax(logits, scope=None):
    with variable_scope(scope, 'softmax', [logits]):
        classes = utils.last_dimension(logits.get_shape(), min_rank=2)
        flat = array_ops.reshape(logits, [-1, classes])
        out = array_ops.reshape(nn_ops.softmax(flat), array_ops.shape(logits))
        out.set_shape(logits.get_shape())
        return out


@add_arg_scope
def spatial_softmax(features, temperature=None, name=None, variables_collections=None, trainable=True, data_format='NHWC'):
    """The expected image coordinates of each channel's softmax."""
    with variable_scope(name, 'spatial_softmax'):
        known = features.get_shape().as_list()
        size = array_ops.shape(features)
        if data_format == 'NHWC':
            high, wide, channels = (known[i] if known[i] is not None else size[i] for i in (1, 2, 3))
            features = array_ops.transpose(features, [0, 3, 1, 2])
        elif data_format == 'NCHW':
            channels, high, wide = (known[i] if known[i] is not None else size[i] for i in (1, 2, 3))
        else:
            raise ValueError('data_format has to be either NCHW or NHWC.')
        if not isinstance(channels, int):
            raise ValueError('`num_channels` must be `int` but is `Tensor`')
        x, y = array_ops.meshgrid(math_ops.lin_space(-1., 1., num=high), math_ops.lin_space(-1., 1., num=wide), indexing='ij')
        x, y = array_ops.reshape(x, [-1]), array_ops.reshape(y, [-1])
        if temperature is None:
            temperature = model_variable('temperature', shape=(), dtype=dtypes.float32,
                                         initializer=init_ops.ones_initializer(), trainable=trainable,
                                         collections=utils.get_variable_collections(variables_collections, 'temperature'))
        attention = nn_ops.softmax(array_ops.reshape(features, [-1, high * wide]) / temperature)
        at_x = math_ops.reduce_sum(x * attention, [1], keepdims=True)
        at_y = math_ops.reduce_sum(y * attention, [1], keepdims=True)
        found = array_ops.reshape(array_ops.concat([at_x, at_y], 1), [-1, channels * 2])
        found.set_shape([None, channels * 2])
        return found


@add_arg_scope
def maxout(inputs, num_units, axis=-1, scope=None):
    with variable_scope(scope, 'MaxOut', [inputs]):
        return layers_more.maxout(inputs, num_units, axis)


@add_arg_scope
def unit_norm(inputs, dim, epsilon=1e-7, scope=None):
    with variable_scope(scope, 'UnitNorm', [inputs]):
        rank = inputs.get_shape().ndims
        if rank is None:
            raise ValueError('The input rank must be known.')
        if dim < 0 or dim >= rank:
            raise ValueError('dim must be positive and smaller than the rank of the input.')
        return math_ops.div(inputs, math_ops.sqrt(epsilon + math_ops.reduce_sum(math_ops.square(inputs), dim, keepdims=True)))


def repeat(inputs, repetitions, layer, *args, **kwargs):
    """The layer several times, in scopes that are counted from 1."""
    scope = kwargs.pop('scope', None)
    with variable_scope(scope, 'Repeat', [inputs]):
        outputs = convert_to_tensor(inputs)
        if scope is None:
            scope = getattr(layer, '__name__', None) or getattr(getattr(layer, 'func', None), '__name__', 'repeat')
        for i in range(repetitions):
            kwargs['scope'] = scope + '_' + str(i + 1)
            outputs = layer(outputs, *args, **kwargs)
        return outputs


def stack(inputs, layer, stack_args, **kwargs):
    """The layer once for each of stack_args."""
    scope = kwargs.pop('scope', None)
    if not isinstance(stack_args, (list, tuple)):
        raise TypeError('stack_args need to be a list or tuple')
    with variable_scope(scope, 'Stack', [inputs]):
        outputs = convert_to_tensor(inputs)
        if scope is None:
            scope = getattr(layer, '__name__', None) or getattr(getattr(layer, 'func', None), '__name__', 'stack')
        for i, item in enumerate(stack_args):
            kwargs['scope'] = scope + '_' + str(i + 1)
            item = item if isinstance(item, (list, tuple)) else [item]
            outputs = layer(outputs, *item, **kwargs)
        return outputs


def scale_gradient(inputs, scale):
    return inputs * scale + array_ops.stop_gradient(inputs * (1 - scale))


@add_arg_scope
def sequence_to_images(inputs, height, output_data_format='channels_last', outputs_collections=None, scope=None):
    with name_scope(scope, 'SequenceToImages', [inputs]) as sc:
        inputs = convert_to_tensor(inputs)
        steps, _, depth = inputs.get_shape().as_list()
        outputs = array_ops.reshape(inputs, [steps if steps is not None else -1, -1, height, depth])
        order = [1, 3, 2, 0] if output_data_format == 'channels_first' else [1, 2, 0, 3]
        return utils.collect_named_outputs(outputs_collections, sc, array_ops.transpose(outputs, order))


@add_arg_scope
def images_to_sequence(inputs, data_format='NHWC', outputs_collections=None, scope=None):
    with name_scope(scope, 'ImagesToSequence', [inputs]) as sc:
        inputs = convert_to_tensor(inputs)
        if data_format == 'NCHW':
            inputs = array_ops.transpose(inputs, [0, 2, 3, 1])
        _, high, wide, depth = inputs.get_shape().as_list()
        outputs = array_ops.reshape(array_ops.transpose(inputs, [2, 0, 1, 3]), [wide or -1, -1 if wide else 0, depth])
        return utils.collect_named_outputs(outputs_collections, sc, outputs)


def legacy_fully_connected(x, num_output_units, activation_fn=None, weight_init=initializers.xavier_initializer(),
                           bias_init=init_ops.zeros_initializer(), name=None,
                           weight_collections=(GraphKeys.WEIGHTS,), bias_collections=(GraphKeys.BIASES,),
                           output_collections=(GraphKeys.ACTIVATIONS,), trainable=True, weight_regularizer=None,
                           bias_regularizer=None):
    with variable_scope(name, 'fully_connected', [x]):
        x = convert_to_tensor(x)
        from ..variable_scope import get_variable
        rank = x.get_shape().ndims
        if rank is None or rank < 2:
            raise ValueError('rank of x must be at least 2 not: %s' % rank)
        size = x.get_shape().as_list()[-1]
        if size is None:
            raise ValueError('last dimension of x must be known but is None')
        weights = get_variable('weights', [size, num_output_units], x.dtype.base_dtype, weight_init, weight_regularizer,
                               trainable, list(weight_collections) + [GraphKeys.GLOBAL_VARIABLES])
        y = math_ops.matmul(array_ops.reshape(x, [-1, size]), weights)
        if bias_init is not None:
            y = nn_ops.bias_add(y, get_variable('bias', [num_output_units], x.dtype.base_dtype, bias_init, bias_regularizer,
                                                trainable, list(bias_collections) + [GraphKeys.GLOBAL_VARIABLES]))
        if rank > 2:
            y = array_ops.reshape(y, array_ops.concat([array_ops.shape(x)[:-1], [num_output_units]], 0))
            y.set_shape(x.get_shape().as_list()[:-1] + [num_output_units])
        y = y if activation_fn is None else activation_fn(y)
        for item in output_collections:
            add_to_collection(item, y)
        return y


avg_pool_2d, max_pool_2d = avg_pool2d, max_pool2d
conv1d, conv2d, conv3d = convolution1d, convolution2d, convolution3d
conv2d_transpose, conv3d_transpose = convolution2d_transpose, convolution3d_transpose
conv2d_in_plane, separable_conv2d = convolution2d_in_plane, separable_convolution2d
elu = functools.partial(fully_connected, activation_fn=nn_ops.elu)
relu = functools.partial(fully_connected, activation_fn=nn_ops.relu)
relu6 = functools.partial(fully_connected, activation_fn=nn_ops.relu6)
linear = functools.partial(fully_connected, activation_fn=None)
legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
legacy_relu = functools.partial(legacy_fully_connected, activation_fn=nn_ops.relu)
