"""tf.layers: dense, convolutions, pooling, dropout, flatten."""
from . import array_ops, init_ops, math_ops, nn_ops
from .layers_base import Layer, smart_cond, smart_constant_value  # noqa: F401
from .shapes import TensorShape


def sizes(value, count, what):
    """A number or a sequence of `count` numbers, as a tuple."""
    if isinstance(value, int):
        return (value,) * count
    value = tuple(int(v) for v in value)
    if len(value) != count:
        raise ValueError('The `%s` argument must be a tuple of %d integers. Received: %s' % (what, count, value))
    return value


def _first(data_format):
    data_format = data_format or 'channels_last'
    if data_format.lower() not in ('channels_last', 'channels_first'):
        raise ValueError('The `data_format` argument must be one of "channels_first", "channels_last". Received: %s' % data_format)
    return data_format.lower() == 'channels_first'


def _padding(padding):
    if padding.lower() not in ('valid', 'same'):
        raise ValueError('The `padding` argument must be one of "valid", "same". Received: %s' % padding)
    return padding.upper()


def _channels(shape, axis, layer):
    size = TensorShape(shape).as_list()[axis]
    if size is None:
        raise ValueError('The channel dimension of the inputs to `%s` should be defined. Found `None`.' % type(layer).__name__)
    return size


class _Weighted(Layer):
    """A layer with a kernel and perhaps a bias."""

    def __init__(self, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
                 activity_regularizer, kernel_constraint, bias_constraint, trainable, name, kwargs):
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        self.activation, self.use_bias = activation, use_bias
        self.kernel_initializer, self.bias_initializer = kernel_initializer, bias_initializer
        self.kernel_regularizer, self.bias_regularizer = kernel_regularizer, bias_regularizer
        self.kernel_constraint, self.bias_constraint = kernel_constraint, bias_constraint
        self.kernel = self.bias = None

    def _make(self, shape, units):
        self.kernel = self.add_weight('kernel', shape, initializer=self.kernel_initializer,
                                      regularizer=self.kernel_regularizer, constraint=self.kernel_constraint)
        if self.use_bias:
            self.bias = self.add_weight('bias', [units], initializer=self.bias_initializer,
                                        regularizer=self.bias_regularizer, constraint=self.bias_constraint)
        self.built = True

    def _finish(self, outputs, data_format=None):
        if self.use_bias:
            outputs = nn_ops.bias_add(outputs, self.bias, data_format=data_format)
        return outputs if self.activation is None else self.activation(outputs)


class Dense(_Weighted):
    def __init__(self, units, activation=None, use_bias=True, kernel_initializer=None, bias_initializer=init_ops.Zeros(),
                 kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
                         activity_regularizer, kernel_constraint, bias_constraint, trainable, name, kwargs)
        self.units = int(units)

    def build(self, input_shape):
        shape = TensorShape(input_shape)
        if shape.ndims is None or shape.as_list()[-1] is None:
            raise ValueError('The last dimension of the inputs to `Dense` should be defined. Found `None`.')
        self._make([shape.as_list()[-1], self.units], self.units)

    def call(self, inputs):
        rank = inputs.shape.ndims
        if rank > 2:
            outputs = math_ops.tensordot(inputs, self.kernel, [[rank - 1], [0]])
            outputs.set_shape(inputs.shape.as_list()[:-1] + [self.units])
        else:
            outputs = math_ops.matmul(inputs, self.kernel)
        return self._finish(outputs)

    def compute_output_shape(self, input_shape):
        return TensorShape(TensorShape(input_shape).as_list()[:-1] + [self.units])


class _Conv(_Weighted):
    """A convolution along `rank` dimensions."""

    def _settle(self, rank, filters, kernel_size, strides, padding, data_format, dilation_rate):
        self.rank, self.filters, self.data_format = rank, int(filters), data_format
        self.kernel_size, self.strides = sizes(kernel_size, rank, 'kernel_size'), sizes(strides, rank, 'strides')
        self.dilation_rate = sizes(dilation_rate, rank, 'dilation_rate')
        self.padding, self._first = _padding(padding).lower(), _first(data_format)

    def build(self, input_shape):
        channels = _channels(input_shape, 1 if self._first else -1, self)
        self._make(list(self.kernel_size) + [channels, self.filters], self.filters)


class Conv1D(_Conv):
    def __init__(self, filters, kernel_size, strides=1, padding='valid', data_format='channels_last', dilation_rate=1,
                 activation=None, use_bias=True, kernel_initializer=None, bias_initializer=init_ops.Zeros(),
                 kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
                         activity_regularizer, kernel_constraint, bias_constraint, trainable, name, kwargs)
        self._settle(1, filters, kernel_size, strides, padding, data_format, dilation_rate)

    def call(self, inputs):
        if self._first:
            inputs = array_ops.transpose(inputs, [0, 2, 1])
        outputs = nn_ops.conv1d(inputs, self.kernel, self.strides[0], self.padding.upper(), name='conv1d',
                                dilations=self.dilation_rate[0])
        outputs = self._finish(outputs)
        return array_ops.transpose(outputs, [0, 2, 1]) if self._first else outputs


class Conv2D(_Conv):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding='valid', data_format='channels_last',
                 dilation_rate=(1, 1), activation=None, use_bias=True, kernel_initializer=None,
                 bias_initializer=init_ops.Zeros(), kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None, **kwargs):
        super().__init__(activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
                         activity_regularizer, kernel_constraint, bias_constraint, trainable, name, kwargs)
        self._settle(2, filters, kernel_size, strides, padding, data_format, dilation_rate)

    def call(self, inputs):
        form = 'NCHW' if self._first else 'NHWC'
        outputs = nn_ops.convolution(inputs, self.kernel, self.padding.upper(), self.strides, self.dilation_rate,
                                     name='Conv2D', data_format=form)
        return self._finish(outputs, form)


class Conv2DTranspose(_Conv):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding='valid', data_format='channels_last', activation=None,
                 use_bias=True, kernel_initializer=None, bias_initializer=init_ops.Zeros(), kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 trainable=True, name=None, **kwargs):
        super().__init__(activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
                         activity_regularizer, kernel_constraint, bias_constraint, trainable, name, kwargs)
        self._settle(2, filters, kernel_size, strides, padding, data_format, 1)

    def build(self, input_shape):
        channels = _channels(input_shape, 1 if self._first else -1, self)
        self._make(list(self.kernel_size) + [self.filters, channels], self.filters)

    def _length(self, size, at):
        if size is None:
            return None
        more = max(self.kernel_size[at] - self.strides[at], 0) if self.padding == 'valid' else 0
        return size * self.strides[at] + more

    def call(self, inputs):
        form, (h, w) = ('NCHW', (2, 3)) if self._first else ('NHWC', (1, 2))
        known, shape = inputs.shape.as_list(), array_ops.shape(inputs)
        size = lambda axis: shape[axis] if known[axis] is None else known[axis]
        place = lambda n, high, wide: [n, self.filters, high, wide] if self._first else [n, high, wide, self.filters]
        wanted = array_ops.stack(place(size(0), self._length(size(h), 0), self._length(size(w), 1)))
        steps = [1, 1, *self.strides] if self._first else [1, *self.strides, 1]
        outputs = nn_ops.conv2d_transpose(inputs, self.kernel, wanted, steps, self.padding.upper(), form,
                                          name='conv2d_transpose')
        outputs.set_shape(place(known[0], self._length(known[h], 0), self._length(known[w], 1)))
        return self._finish(outputs, form)


class _Pooling(Layer):
    """Pooling along `rank` dimensions; one dimension is pooled as an image of width 1."""
    rank, act = 2, None

    def __init__(self, pool_size, strides, padding='valid', data_format='channels_last', name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.pool_size = sizes(pool_size, self.rank, 'pool_size')
        self.strides = self.pool_size if strides is None else sizes(strides, self.rank, 'strides')
        self.padding, self.data_format, self._first = _padding(padding).lower(), data_format, _first(data_format)

    def call(self, inputs):
        act = getattr(nn_ops, self.act)
        one = self.rank == 1
        spread = lambda v: [1, 1, *v, *[1] * one] if self._first else [1, *v, *[1] * one, 1]
        if one:
            inputs = array_ops.expand_dims(inputs, 3 if self._first else 2)
        outputs = act(inputs, spread(self.pool_size), spread(self.strides), self.padding.upper(),
                      'NCHW' if self._first else 'NHWC')
        return array_ops.squeeze(outputs, [3 if self._first else 2]) if one else outputs


class MaxPooling1D(_Pooling):
    rank, act = 1, 'max_pool'


class MaxPooling2D(_Pooling):
    act = 'max_pool'


class AveragePooling1D(_Pooling):
    rank, act = 1, 'avg_pool'


class AveragePooling2D(_Pooling):
    act = 'avg_pool'


class Flatten(Layer):
    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format, self._first = data_format or 'channels_last', _first(data_format)

    def call(self, inputs):
        shape = inputs.shape
        if self._first and shape.ndims is not None and shape.ndims > 2:
            inputs = array_ops.transpose(inputs, [0, *range(2, shape.ndims), 1])
        known = None if shape.ndims is None else shape.as_list()
        if known is None or known[0] is None:
            outputs = array_ops.reshape(inputs, [array_ops.shape(inputs)[0], -1])
        else:
            outputs = array_ops.reshape(inputs, [known[0], -1])
        outputs.set_shape(self.compute_output_shape(shape))
        return outputs

    def compute_output_shape(self, input_shape):
        known = TensorShape(input_shape)
        if known.ndims is None:
            return TensorShape([None, None])
        first, *others = known.as_list()
        total = 1
        for size in others:
            total = None if total is None or size is None else total * size
        return TensorShape([first, total])


class Dropout(Layer):
    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs, training=False):
        return smart_cond(training, lambda: nn_ops.dropout(inputs, noise_shape=self.noise_shape, seed=self.seed, rate=self.rate),
                          lambda: array_ops.identity(inputs))


# ---- functions ----


def dense(inputs, units, activation=None, use_bias=True, kernel_initializer=None, bias_initializer=init_ops.Zeros(),
          kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
          bias_constraint=None, trainable=True, name=None, reuse=None):
    return Dense(units, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
                 activity_regularizer, kernel_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse)(inputs)


def conv1d(inputs, filters, kernel_size, strides=1, padding='valid', data_format='channels_last', dilation_rate=1,
           activation=None, use_bias=True, kernel_initializer=None, bias_initializer=init_ops.Zeros(),
           kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
           bias_constraint=None, trainable=True, name=None, reuse=None):
    return Conv1D(filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
                  kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
                  kernel_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse)(inputs)


def conv2d(inputs, filters, kernel_size, strides=(1, 1), padding='valid', data_format='channels_last',
           dilation_rate=(1, 1), activation=None, use_bias=True, kernel_initializer=None,
           bias_initializer=init_ops.Zeros(), kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
           kernel_constraint=None, bias_constraint=None, trainable=True, name=None, reuse=None):
    return Conv2D(filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
                  kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
                  kernel_constraint, bias_constraint, trainable, name, _scope=name, _reuse=reuse)(inputs)


def conv2d_transpose(inputs, filters, kernel_size, strides=(1, 1), padding='valid', data_format='channels_last',
                     activation=None, use_bias=True, kernel_initializer=None, bias_initializer=init_ops.Zeros(),
                     kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                     bias_constraint=None, trainable=True, name=None, reuse=None):
    return Conv2DTranspose(filters, kernel_size, strides, padding, data_format, activation, use_bias, kernel_initializer,
                           bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
                           bias_constraint, trainable, name, _scope=name, _reuse=reuse)(inputs)


def max_pooling1d(inputs, pool_size, strides, padding='valid', data_format='channels_last', name=None):
    return MaxPooling1D(pool_size, strides, padding, data_format, name)(inputs)


def max_pooling2d(inputs, pool_size, strides, padding='valid', data_format='channels_last', name=None):
    return MaxPooling2D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling1d(inputs, pool_size, strides, padding='valid', data_format='channels_last', name=None):
    return AveragePooling1D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling2d(inputs, pool_size, strides, padding='valid', data_format='channels_last', name=None):
    return AveragePooling2D(pool_size, strides, padding, data_format, name)(inputs)


def flatten(inputs, name=None, data_format='channels_last'):
    return Flatten(data_format, name=name)(inputs)


def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None):
    return Dropout(rate, noise_shape, seed, name)(inputs, training=training)


from .layers_norm import BatchNormalization, batch_norm, batch_normalization  # noqa: E402,F401
