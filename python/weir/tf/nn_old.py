"""tf.nn.pool, max_pool2d and names of versions before 1.0; op libraries, which need TensorFlow's own binary interface."""
from .public import tf


def pool(input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, name=None, data_format=None, dilations=None):
    """MAX or AVG of windows over one, two or three dimensions."""
    rates = dilation_rate or dilations or [1] * len(window_shape)
    if any(rate != 1 for rate in rates):
        raise NotImplementedError('weir has no dilation of tf.nn.pool')
    steps, count = strides or [1] * len(window_shape), len(window_shape)
    first = data_format is not None and data_format.startswith('NC')
    if count == 1:
        axis = 3 if first else 1
        wide = tf.expand_dims(input, 2 if first else 1)
        found = pool(wide, [1] + list(window_shape), pooling_type, padding, None, [1] + list(steps), name,
                     None if data_format is None else {'NCW': 'NCHW', 'NWC': 'NHWC'}[data_format])
        return tf.squeeze(found, [2 if first else 1]) if axis else found
    whole = lambda sizes: [1, 1] + list(sizes) if first else [1] + list(sizes) + [1]
    ops = {('MAX', 2): tf.nn.max_pool, ('AVG', 2): tf.nn.avg_pool, ('MAX', 3): tf.nn.max_pool3d, ('AVG', 3): tf.nn.avg_pool3d}
    if (pooling_type, count) not in ops:
        raise ValueError('pooling_type must be MAX or AVG over at most three dimensions')
    given = {} if data_format is None else {'data_format': data_format}
    return ops[pooling_type, count](input, whole(window_shape), whole(steps), padding, name=name, **given)


def max_pool2d(input, ksize, strides, padding, data_format='NHWC', name=None):
    def four(sizes):
        sizes = [sizes] * 2 if isinstance(sizes, int) else list(sizes)
        sizes = sizes * 2 if len(sizes) == 1 else sizes
        return sizes if len(sizes) == 4 else [1, 1] + sizes if data_format == 'NCHW' else [1] + sizes + [1]
    return tf.nn.max_pool(input, four(ksize), four(strides), padding, data_format=data_format, name=name)


def concat_v2(values, axis, name='concat_v2'):
    return tf.concat(values, axis, name=name)


def deconv2d(value, filter, output_shape, strides, padding='SAME', name=None):
    return tf.nn.conv2d_transpose(value, filter, output_shape, strides, padding, name=name)


def load_op_library(library_filename):
    raise NotImplementedError('weir cannot load %s: libraries of ops need TensorFlow\'s own binary interface' % library_filename)


load_file_system_library = load_library = load_op_library
