"""tf.keras.layers that equal tf.layers: used as functions of tensors in a graph. Keras' own models are not here."""
from . import layers as core, layers_more as more
from .layers_base import Layer as _Base
from .public import tf

_ACTIVATIONS = {'linear': None, 'relu': 'relu', 'relu6': 'relu6', 'elu': 'elu', 'selu': 'selu', 'sigmoid': 'sigmoid', 'tanh': 'tanh',
                'softmax': 'softmax', 'softplus': 'softplus', 'softsign': 'softsign'}
_INITIALIZERS = {'zeros': 'zeros', 'ones': 'ones', 'glorot_uniform': 'glorot_uniform', 'glorot_normal': 'glorot_normal',
                 'he_normal': 'he_normal', 'he_uniform': 'he_uniform', 'lecun_normal': 'lecun_normal', 'lecun_uniform': 'lecun_uniform',
                 'orthogonal': 'orthogonal', 'uniform': 'random_uniform', 'normal': 'random_normal', 'random_uniform': 'random_uniform',
                 'random_normal': 'random_normal', 'truncated_normal': 'truncated_normal', 'identity': 'identity'}


def activation_of(given):
    if not isinstance(given, str):
        return given
    if given not in _ACTIVATIONS:
        raise ValueError('Unknown activation function:' + given)
    name = _ACTIVATIONS[given]
    return None if name is None else getattr(tf.nn, name)


def initializer_of(given):
    return getattr(tf.initializers, _INITIALIZERS[given.lower()])() if isinstance(given, str) else given


class _Keras:
    """Takes names for functions, and leaves out what only Keras' models use."""

    def __init__(self, *args, **kwargs):
        for word in ('input_shape', 'batch_input_shape', 'input_dim', 'batch_size', 'weights', 'dynamic', 'autocast'):
            kwargs.pop(word, None)
        for word, value in list(kwargs.items()):
            if word.endswith('activation'):
                kwargs[word] = activation_of(value)
            elif word.endswith('_initializer'):
                kwargs[word] = initializer_of(value)
        super().__init__(*args, **kwargs)


class Layer(_Keras, _Base):
    def add_weight(self, name=None, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None, constraint=None, **kwargs):
        if isinstance(name, (tuple, list)):  # shape first, as in old versions
            name, shape = shape, name
        return super().add_weight(name or 'variable', shape if shape is not None else (), dtype, initializer_of(initializer), regularizer,
                                  trainable, constraint, **kwargs)


class Dense(_Keras, core.Dense):
    def __init__(self, units, activation=None, *args, **kwargs):
        super().__init__(units, activation_of(activation), *args, **kwargs)


class Conv1D(_Keras, core.Conv1D):
    pass


class Conv2D(_Keras, core.Conv2D):
    pass


class Conv2DTranspose(_Keras, core.Conv2DTranspose):
    pass


class Conv3D(_Keras, more.Conv3D):
    pass


class SeparableConv2D(_Keras, more.SeparableConv2D):
    pass


class BatchNormalization(_Keras, core.BatchNormalization):
    pass


class Dropout(_Keras, core.Dropout):
    pass


class Flatten(_Keras, core.Flatten):
    pass


class MaxPooling1D(_Keras, core.MaxPooling1D):
    def __init__(self, pool_size=2, strides=None, padding='valid', **kwargs):
        super().__init__(pool_size, pool_size if strides is None else strides, padding, **kwargs)


class MaxPooling2D(_Keras, core.MaxPooling2D):
    def __init__(self, pool_size=(2, 2), strides=None, padding='valid', data_format=None, **kwargs):
        super().__init__(pool_size, pool_size if strides is None else strides, padding, data_format or 'channels_last', **kwargs)


class AveragePooling2D(_Keras, core.AveragePooling2D):
    def __init__(self, pool_size=(2, 2), strides=None, padding='valid', data_format=None, **kwargs):
        super().__init__(pool_size, pool_size if strides is None else strides, padding, data_format or 'channels_last', **kwargs)


class Activation(Layer):
    def __init__(self, activation, **kwargs):
        super().__init__(**kwargs)
        self._activation = activation_of(activation)

    def call(self, inputs):
        return inputs if self._activation is None else self._activation(inputs)


class Lambda(Layer):
    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        super().__init__(**kwargs)
        self._function, self._arguments = function, arguments or {}

    def call(self, inputs):
        return self._function(inputs, **self._arguments)


class Reshape(Layer):
    def __init__(self, target_shape, **kwargs):
        super().__init__(**kwargs)
        self._target = tuple(target_shape)

    def call(self, inputs):
        return tf.reshape(inputs, (tf.shape(inputs)[0],) + self._target)


class Permute(Layer):
    def __init__(self, dims, **kwargs):
        super().__init__(**kwargs)
        self._dims = tuple(dims)

    def call(self, inputs):
        return tf.transpose(inputs, (0,) + self._dims)


class Embedding(Layer):
    def __init__(self, input_dim, output_dim, embeddings_initializer='uniform', embeddings_regularizer=None, mask_zero=False,
                 input_length=None, **kwargs):
        super().__init__(**kwargs)
        self._size, self._initializer, self._regularizer = (input_dim, output_dim), embeddings_initializer, embeddings_regularizer

    def build(self, input_shape):
        initializer = tf.random_uniform_initializer(-0.05, 0.05) if self._initializer == 'uniform' else initializer_of(self._initializer)
        self.embeddings = self.add_weight('embeddings', self._size, tf.float32, initializer, self._regularizer)
        self.built = True

    def call(self, inputs):
        return tf.nn.embedding_lookup(self.embeddings, tf.to_int32(inputs))


class _Pooled(Layer):
    def call(self, inputs):
        return self._reduce(inputs, list(range(1, inputs.get_shape().ndims - 1)))


class GlobalAveragePooling2D(_Pooled):
    _reduce = staticmethod(lambda inputs, axes: tf.reduce_mean(inputs, axes))


class GlobalMaxPooling2D(_Pooled):
    _reduce = staticmethod(lambda inputs, axes: tf.reduce_max(inputs, axes))


class GlobalAveragePooling1D(GlobalAveragePooling2D):
    pass


class ReLU(Layer):
    def call(self, inputs):
        return tf.nn.relu(inputs)


class LeakyReLU(Layer):
    def __init__(self, alpha=0.3, **kwargs):
        super().__init__(**kwargs)
        self._alpha = alpha

    def call(self, inputs):
        return tf.nn.leaky_relu(inputs, self._alpha)


def _merged(act):
    def merge(inputs, **kwargs):
        return act(inputs)
    return merge


add = _merged(tf.add_n)
average = _merged(lambda inputs: tf.add_n(inputs) / float(len(inputs)))


def concatenate(inputs, axis=-1, **kwargs):
    return tf.concat(inputs, axis)


def l2(l=0.01):
    """tf.keras.regularizers.l2."""
    return lambda weights: l * tf.reduce_sum(tf.square(weights))


def l1(l=0.01):
    return lambda weights: l * tf.reduce_sum(tf.abs(weights))


def epsilon():
    return 1e-7


def floatx():
    return 'float32'
