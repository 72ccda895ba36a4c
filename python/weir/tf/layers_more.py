"""tf.layers: convolutions and pooling of three dimensions, separable convolutions."""
from . import array_ops, init_ops, math_ops, nn_ops
from .layers import Layer, _channels, _Conv, _first, _padding, _Pooling, _Weighted, sizes
from .shapes import TensorShape


class Conv3D(_Conv):
    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding='valid', data_format='channels_last',
                 dilation_rate=(1, 1, 1), activation=None, use_bias=True, kernel_initializer=None,
                 bias_initializer=init_ops.Zeros(), kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
                         activity_regularizer, kernel_constraint, bias_constraint, trainable, name, kwargs)
        self._settle(3, filters, kernel_size, strides, padding, data_format, dilation_rate)

    def call(self, inputs):
        form = 'NCDHW' if self._first else 'NDHWC'
        if max(self.dilation_rate) > 1 or self._first:
            outputs = nn_ops.convolution(inputs, self.kernel, self.padding.upper(), self.strides, self.dilation_rate,
                                         name='Conv3D', data_format=form)
        else:
            outputs = nn_ops.conv3d(inputs, self.kernel, [1, *self.strides, 1], self.padding.upper(), form, name='Conv3D')
        return _biased(self, outputs)


def _biased(layer, outputs):
    """The bias of a layer over volumes, and its activation."""
    if layer.use_bias:
        if layer._first:
            outputs = outputs + array_ops.reshape(layer.bias, [1, layer.filters, 1, 1, 1])
        else:
            outputs = nn_ops.bias_add(outputs, layer.bias)
    return outputs if layer.activation is None else layer.activation(outputs)


class Conv3DTranspose(_Conv):
    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding='valid', data_format='channels_last', activation=None,
                 use_bias=True, kernel_initializer=None, bias_initializer=init_ops.Zeros(), kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 trainable=True, name=None, **kwargs):
        super().__init__(activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
                         activity_regularizer, kernel_constraint, bias_constraint, trainable, name, kwargs)
        self._settle(3, filters, kernel_size, strides, padding, data_format, 1)

    def build(self, input_shape):
        channels = _channels(input_shape, 1 if self._first else -1, self)
        self._make(list(self.kernel_size) + [self.filters, channels], self.filters)

    def _length(self, size, at):
        if size is None:
            return None
        more = max(self.kernel_size[at] - self.strides[at], 0) if self.padding == 'valid' else 0
        return size * self.strides[at] + more

    def call(self, inputs):
        if self._first:
            inputs = array_ops.transpose(inputs, [0, 2, 3, 4, 1])
        known, shape = inputs.shape.as_list(), array_ops.shape(inputs)
        size = [shape[i] if known[i] is None else known[i] for i in range(4)]
        wanted = array_ops.stack([size[0]] + [self._length(size[i + 1], i) for i in range(3)] + [self.filters])
        outputs = nn_ops.conv3d_transpose(inputs, self.kernel, wanted, [1, *self.strides, 1], self.padding.upper())
        outputs.set_shape([known[0]] + [self._length(known[i + 1], i) for i in range(3)] + [self.filters])
        if self._first:
            outputs = array_ops.transpose(outputs, [0, 4, 1, 2, 3])
        return _biased(self, outputs)


class _SeparableConv(Layer):
    """A convolution of each channel, then one over the channels."""
    rank = 2

    def __init__(self, filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
                 use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
                 pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint, pointwise_constraint,
                 bias_constraint, trainable, name, kwargs):
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        self.filters, self.depth_multiplier, self.data_format = int(filters), depth_multiplier, data_format
        self.kernel_size, self.strides = sizes(kernel_size, self.rank, 'kernel_size'), sizes(strides, self.rank, 'strides')
        self.dilation_rate = sizes(dilation_rate, self.rank, 'dilation_rate')
        self.padding, self._first = _padding(padding).lower(), _first(data_format)
        self.activation, self.use_bias = activation, use_bias
        self._rows = ((depthwise_initializer, depthwise_regularizer, depthwise_constraint),
                      (pointwise_initializer, pointwise_regularizer, pointwise_constraint),
                      (bias_initializer, bias_regularizer, bias_constraint))
        self.depthwise_kernel = self.pointwise_kernel = self.bias = None

    def _weight(self, name, shape, row):
        initializer, regularizer, constraint = self._rows[row]
        return self.add_weight(name, shape, initializer=initializer, regularizer=regularizer, constraint=constraint)

    def build(self, input_shape):
        channels = _channels(input_shape, 1 if self._first else -1, self)
        self.depthwise_kernel = self._weight('depthwise_kernel', list(self.kernel_size) + [channels, self.depth_multiplier], 0)
        self.pointwise_kernel = self._weight('pointwise_kernel', [1] * self.rank + [channels * self.depth_multiplier, self.filters], 1)
        if self.use_bias:
            self.bias = self._weight('bias', [self.filters], 2)
        self.built = True

    def _apply(self, inputs, depthwise, pointwise, strides, rate):
        form = 'NCHW' if self._first else 'NHWC'
        steps = [1, 1, *strides] if self._first else [1, *strides, 1]
        return nn_ops.separable_conv2d(inputs, depthwise, pointwise, steps, self.padding.upper(), rate, data_format=form)

    def _end(self, outputs):
        if self.use_bias:
            form = ('NCHW' if self._first else 'NHWC') if self.rank == 2 else None
            outputs = nn_ops.bias_add(outputs, self.bias, data_format=form)
        return outputs if self.activation is None else self.activation(outputs)


class SeparableConv2D(_SeparableConv):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding='valid', data_format='channels_last',
                 dilation_rate=(1, 1), depth_multiplier=1, activation=None, use_bias=True, depthwise_initializer=None,
                 pointwise_initializer=None, bias_initializer=init_ops.Zeros(), depthwise_regularizer=None,
                 pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None,
                 pointwise_constraint=None, bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
                         use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
                         pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint,
                         pointwise_constraint, bias_constraint, trainable, name, kwargs)

    def call(self, inputs):
        return self._end(self._apply(inputs, self.depthwise_kernel, self.pointwise_kernel, self.strides, self.dilation_rate))


class SeparableConv1D(_SeparableConv):
    rank = 1

    def __init__(self, filters, kernel_size, strides=1, padding='valid', data_format='channels_last', dilation_rate=1,
                 depth_multiplier=1, activation=None, use_bias=True, depthwise_initializer=None, pointwise_initializer=None,
                 bias_initializer=init_ops.Zeros(), depthwise_regularizer=None, pointwise_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None, pointwise_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
                         use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
                         pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint,
                         pointwise_constraint, bias_constraint, trainable, name, kwargs)

    def call(self, inputs):
        axis = 2 if self._first else 1
        outputs = self._apply(array_ops.expand_dims(inputs, axis), array_ops.expand_dims(self.depthwise_kernel, 0),
                              array_ops.expand_dims(self.pointwise_kernel, 0), self.strides * 2, (1,) + self.dilation_rate)
        return self._end(array_ops.squeeze(outputs, [axis]))


class MaxPooling3D(_Pooling):
    rank, act = 3, 'max_pool3d'

    def call(self, inputs):
        spread = lambda v: [1, 1, *v] if self._first else [1, *v, 1]
        if self._first:
            inputs = array_ops.transpose(inputs, [0, 2, 3, 4, 1])
        outputs = getattr(nn_ops, self.act)(inputs, [1, *self.pool_size, 1], [1, *self.strides, 1], self.padding.upper())
        return array_ops.transpose(outputs, [0, 4, 1, 2, 3]) if self._first else outputs


class AveragePooling3D(MaxPooling3D):
    act = 'avg_pool3d'


class MaxOut(Layer):
    def __init__(self, num_units, axis=-1, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.num_units, self.axis = num_units, axis

    def call(self, inputs):
        return maxout_of(inputs, self.num_units, self.axis)


def maxout_of(inputs, num_units, axis=-1):
    known, dynamic = inputs.get_shape().as_list(), array_ops.shape(inputs)
    channels = known[axis]
    if channels % num_units:
        raise ValueError('number of features(%s) is not a multiple of num_units(%s)' % (channels, num_units))
    dims = [dynamic[i] if size is None else size for i, size in enumerate(known)]
    at = axis % len(known)
    split = dims[:at] + [num_units, channels // num_units] + dims[at + 1:]
    out = math_ops.reduce_max(array_ops.reshape(inputs, split), at + 1)
    out.set_shape(known[:at] + [num_units] + known[at + 1:])
    return out


def maxout(inputs, num_units, axis=-1, name=None):
    return MaxOut(num_units, axis, name)(inputs)


# ---- functions ----

def conv3d(inputs, filters, kernel_size, strides=(1, 1, 1), padding='valid', data_format='channels_last',
           dilation_rate=(1, 1, 1), activation=None, use_bias=True, kernel_initializer=None,
           bias_initializer=init_ops.Zeros(), kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
           kernel_constraint=None, bias_constraint=None, trainable=True, name=None, reuse=None):
    return Conv3D(filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
                  kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
                  kernel_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse)(inputs)


def conv3d_transpose(inputs, filters, kernel_size, strides=(1, 1, 1), padding='valid', data_format='channels_last',
                     activation=None, use_bias=True, kernel_initializer=None, bias_initializer=init_ops.Zeros(),
                     kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                     bias_constraint=None, trainable=True, name=None, reuse=None):
    return Conv3DTranspose(filters, kernel_size, strides, padding, data_format, activation, use_bias, kernel_initializer,
                           bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
                           bias_constraint, trainable, name, _scope=name, _reuse=reuse)(inputs)


def separable_conv2d(inputs, filters, kernel_size, strides=(1, 1), padding='valid', data_format='channels_last',
                     dilation_rate=(1, 1), depth_multiplier=1, activation=None, use_bias=True, depthwise_initializer=None,
                     pointwise_initializer=None, bias_initializer=init_ops.Zeros(), depthwise_regularizer=None,
                     pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None,
                     pointwise_constraint=None, bias_constraint=None, trainable=True, name=None, reuse=None):
    return SeparableConv2D(filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
                           use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
                           pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint,
                           pointwise_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse)(inputs)


def separable_conv1d(inputs, filters, kernel_size, strides=1, padding='valid', data_format='channels_last', dilation_rate=1,
                     depth_multiplier=1, activation=None, use_bias=True, depthwise_initializer=None,
                     pointwise_initializer=None, bias_initializer=init_ops.Zeros(), depthwise_regularizer=None,
                     pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None,
                     pointwise_constraint=None, bias_constraint=None, trainable=True, name=None, reuse=None):
    return SeparableConv1D(filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
                           use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
                           pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint,
                           pointwise_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse)(inputs)


def max_pooling3d(inputs, pool_size, strides, padding='valid', data_format='channels_last', name=None):
    return MaxPooling3D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling3d(inputs, pool_size, strides, padding='valid', data_format='channels_last', name=None):
    return AveragePooling3D(pool_size, strides, padding, data_format, name)(inputs)
