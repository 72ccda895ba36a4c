"""Functions of the normal and the Laplace distribution that stay exact in their tails."""
import math

import numpy as np

from .public import tf


def ndtr(x, name='ndtr'):
    """The share of a standard normal below x."""
    with tf.name_scope(name):
        x = tf.convert_to_tensor(x, name='x')
        half = 0.5 * math.sqrt(2.)
        w = x * half
        z = tf.abs(w)
        y = tf.where(tf.less(z, half * tf.ones_like(z)), 1. + tf.erf(w), tf.where(tf.greater(w, 0.), 2. - tf.erfc(z), tf.erfc(z)))
        return 0.5 * y


def log_ndtr(x, series_order=3, name='log_ndtr'):
    """log(ndtr(x)): by a series far below, by -ndtr(-x) far above."""
    with tf.name_scope(name):
        x = tf.convert_to_tensor(x, name='x')
        low, high = (-10., 5.) if x.dtype == tf.float32 else (-20., 8.)
        return tf.where(tf.greater(x, high), -ndtr(-x),
                        tf.where(tf.greater(x, low), tf.log(ndtr(tf.maximum(x, low))), _below(tf.minimum(x, low), series_order)))


def _below(x, order):
    squared, sums, sign, factor = tf.square(x), tf.ones_like(x), -1., 1.
    for n in range(1, order + 1):
        factor *= 2. * n - 1.
        sums += sign * factor / squared ** n
        sign = -sign
    return -0.5 * squared - tf.log(-x) - 0.5 * math.log(2. * math.pi) + tf.log(sums)


def ndtri(p, name='ndtri'):
    """The value below which a share p of a standard normal lies."""
    from . import _ops
    with tf.name_scope(name):
        p = tf.convert_to_tensor(p, name='p')
        return _ops.ndtri(p)


def log_cdf_laplace(x, name='log_cdf_laplace'):
    with tf.name_scope(name):
        x = tf.convert_to_tensor(x, name='x')
        lower = -np.log(2.) + x
        return tf.where(x < 0., lower, tf.log1p(-0.5 * tf.exp(-tf.abs(x))))


def softplus_inverse(x, name=None):
    with tf.name_scope(name, 'softplus_inverse'):
        x = tf.convert_to_tensor(x, name='x')
        edge = np.log(np.finfo(x.dtype.as_numpy_dtype).eps) + 2.
        small, large = tf.less(x, np.exp(edge)), tf.greater(x, -edge)
        x = tf.where(tf.logical_or(small, large), tf.ones_like(x), x)
        return tf.where(small, tf.log(x), tf.where(large, x, x + tf.log(-tf.expm1(-x))))
