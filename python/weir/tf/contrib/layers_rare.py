"""tf.contrib.layers: what few programs use."""
from ..public import tf


def poincare_normalize(x, axis=1, epsilon=1e-5, name=None):
    """Vectors along `axis`, scaled into the ball of radius 1 - epsilon."""
    with tf.name_scope(name, 'poincare_normalize', [x]) as scope:
        x = tf.convert_to_tensor(x, name='x')
        square = tf.reduce_sum(tf.square(x), axis, keepdims=True)
        scale = tf.minimum((1. - epsilon) * tf.rsqrt(square), 1.)
        return tf.multiply(x, scale, name=scope)


def dense_to_sparse(tensor, eos_token=0, outputs_collections=None, scope=None):
    """What is not eos_token, as a sparse tensor."""
    with tf.variable_scope(scope, 'dense_to_sparse', [tensor]):
        tensor = tf.convert_to_tensor(tensor)
        places = tf.where(tf.not_equal(tensor, tf.constant(eos_token, tensor.dtype)))
        found = tf.SparseTensor(places, tf.gather_nd(tensor, places), tf.shape(tensor, out_type=tf.int64))
        if outputs_collections is not None:
            tf.add_to_collections([outputs_collections] if isinstance(outputs_collections, str) else outputs_collections, found)
        return found


def _bounded(x, bound):
    """max(x, bound), whose gradient also leads back from below the bound."""
    @tf.custom_gradient
    def act(x):
        def grad(dy):
            return tf.where(tf.logical_or(x >= bound, dy < 0), dy, tf.zeros_like(dy))
        return tf.maximum(x, bound), grad
    return act(x)


def _not_negative(name, start, least, offset, trainable):
    """A variable whose square, less a small number, is what is used: it stays above `least`."""
    pedestal = offset ** 2
    made = tf.get_variable('reparam_' + name, initializer=tf.sqrt(start + pedestal), trainable=trainable)
    return tf.square(_bounded(made, (least + pedestal) ** .5)) - pedestal


def gdn(inputs, inverse=False, beta_min=1e-6, gamma_init=.1, reparam_offset=2 ** -18, data_format='channels_last',
        activity_regularizer=None, trainable=True, reuse=None, scope=None):
    """Generalized divisive normalization (Balle and others, 2016): x / sqrt(beta + gamma x^2) over the channels."""
    if data_format not in ('channels_last', 'channels_first'):
        raise ValueError('Unknown data format: %s' % data_format)
    inputs = tf.convert_to_tensor(inputs)
    rank, first = inputs.get_shape().ndims, data_format == 'channels_first'
    if rank is None or not 3 <= rank <= 5:
        raise ValueError('`GDN` expects inputs of rank 3 to 5, not %s.' % rank)
    channels = inputs.get_shape().as_list()[1 if first else -1]
    if channels is None:
        raise ValueError('The channel dimension of the inputs to `GDN` must be defined.')
    with tf.variable_scope(scope, 'GDN', [inputs], reuse=reuse):
        beta = _not_negative('beta', tf.ones([channels], inputs.dtype), beta_min, reparam_offset, trainable)
        gamma = _not_negative('gamma', gamma_init * tf.eye(channels, dtype=inputs.dtype), 0., reparam_offset, trainable)
        x = tf.transpose(inputs, [0] + list(range(2, rank)) + [1]) if first else inputs
        flat = tf.reshape(tf.square(x), [-1, channels])
        norm = tf.reshape(tf.nn.bias_add(tf.matmul(flat, gamma), beta), tf.shape(x))
        y = x * (tf.sqrt(norm) if inverse else tf.rsqrt(norm))
        y = tf.transpose(y, [0, rank - 1] + list(range(1, rank - 1))) if first else y
        y.set_shape(inputs.get_shape())
        if activity_regularizer is not None:
            tf.losses.add_loss(activity_regularizer(y), tf.GraphKeys.REGULARIZATION_LOSSES)
        return y
