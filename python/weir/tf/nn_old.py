"""tf.nn.max_pool2d and names of versions before 1.0; op libraries, which need TensorFlow's own binary interface."""
from .public import tf


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
