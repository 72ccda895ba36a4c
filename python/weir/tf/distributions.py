"""tf.distributions and the distributions of tf.contrib.distributions that programs use."""
import inspect
import math

import numpy as np

from . import dtypes
from .public import tf
from .shapes import TensorShape

FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED = 'FULLY_REPARAMETERIZED', 'NOT_REPARAMETERIZED'
_divergences = {}


class ReparameterizationType(str):
    pass


class RegisterKL:
    """A decorator: the function is the divergence of two kinds of distributions."""

    def __init__(self, dist_cls_a, dist_cls_b):
        self._key = dist_cls_a, dist_cls_b

    def __call__(self, kl_fn):
        if not callable(kl_fn):
            raise TypeError('kl_fn must be callable, received: %s' % kl_fn)
        if self._key in _divergences:
            raise ValueError('KL(%s || %s) has already been registered' % tuple(kind.__name__ for kind in self._key))
        _divergences[self._key] = kl_fn
        return kl_fn


def kl_divergence(distribution_a, distribution_b, allow_nan_stats=True, name=None):
    for first in type(distribution_a).__mro__:
        for second in type(distribution_b).__mro__:
            if (first, second) in _divergences:
                act = _divergences[first, second]
                with tf.name_scope('KullbackLeibler'):
                    named = 'name' in inspect.signature(act).parameters
                    found = act(distribution_a, distribution_b, **({'name': name} if named else {}))
                    if allow_nan_stats or not isinstance(found, tf.Tensor):
                        return found
                    said = ('KL calculation between %s and %s returned NaN values (and was called with allow_nan_stats=False). Values:'
                            % (distribution_a.name, distribution_b.name))
                    with tf.control_dependencies([tf.Assert(tf.logical_not(tf.reduce_any(tf.is_nan(found))), [said, found])]):
                        return tf.identity(found, name='checked_kl')
    raise NotImplementedError('No KL(distribution_a || distribution_b) registered for distribution_a type %s and distribution_b '
                              'type %s' % (type(distribution_a).__name__, type(distribution_b).__name__))


def cross_entropy(ref, other, allow_nan_stats=True, name=None):
    with tf.name_scope(name, 'cross_entropy'):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)


class Distribution:
    """Sampling and densities. A kind defines _sample_n, _log_prob and the like."""
    reparameterization_type = FULLY_REPARAMETERIZED
    _event_ndims = 0

    def __init__(self, dtype, name, validate_args=False, allow_nan_stats=True, **parameters):
        self._dtype, self._name, self._parameters = tf.as_dtype(dtype), name, parameters
        self._validate_args, self._allow_nan_stats = validate_args, allow_nan_stats

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    parameters = property(lambda self: dict(self._parameters))
    allow_nan_stats = property(lambda self: self._allow_nan_stats)
    validate_args = property(lambda self: self._validate_args)
    batch_shape = property(lambda self: self._batch_shape())
    event_shape = property(lambda self: self._event_shape())

    def _event_shape(self):
        return TensorShape([])

    def event_shape_tensor(self, name='event_shape_tensor'):
        return tf.constant(self.event_shape.as_list(), tf.int32)

    def batch_shape_tensor(self, name='batch_shape_tensor'):
        known = self.batch_shape
        return tf.constant(known.as_list(), tf.int32) if known.is_fully_defined() else self._batch_shape_tensor()

    def copy(self, **override_parameters_kwargs):
        return type(self)(**{**self._parameters, **override_parameters_kwargs})

    def sample(self, sample_shape=(), seed=None, name='sample'):
        with tf.name_scope(self._name + '/' + name if self._name else name):
            shape = tf.convert_to_tensor(sample_shape, tf.int32)
            shape = tf.reshape(shape, [-1])
            known = tf.contrib.util.constant_value(shape)
            made = self._sample_n(tf.reduce_prod(shape) if known is None else int(np.prod(known)), seed)
            made = tf.reshape(made, tf.concat([shape, tf.shape(made)[1:]], 0))
            if known is not None:
                made.set_shape(TensorShape([int(size) for size in known]).concatenate(self.batch_shape).concatenate(self.event_shape))
            return made

    def log_prob(self, value, name='log_prob'):
        with tf.name_scope(name):
            return self._log_prob(self._value(value))

    def prob(self, value, name='prob'):
        with tf.name_scope(name):
            return tf.exp(self._log_prob(self._value(value)))

    def _value(self, value):
        return tf.convert_to_tensor(value, preferred_dtype=self._dtype, name='value')

    def cdf(self, value, name='cdf'):
        return self._cdf(self._value(value))

    def log_cdf(self, value, name='log_cdf'):
        return tf.log(self._cdf(self._value(value)))

    def log_survival_function(self, value, name='log_survival_function'):
        value = self._value(value)
        return self._log_survival(value) if hasattr(self, '_log_survival') else tf.log1p(-self._cdf(value))

    def covariance(self, name='covariance'):
        return self._covariance()

    @classmethod
    def param_shapes(cls, sample_shape, name='DistributionParamShapes'):
        with tf.name_scope(name):
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape):
        if isinstance(sample_shape, TensorShape):
            if not sample_shape.is_fully_defined():
                raise ValueError('TensorShape sample_shape must be fully defined')
            sample_shape = sample_shape.as_list()
        return {name: TensorShape(tf.contrib.util.constant_value(shape)) for name, shape in cls.param_shapes(sample_shape).items()}

    def _checked(self, wrong, value, bound):
        """`value`, or where it has no meaning NaN; an error instead when allow_nan_stats is false."""
        if self._allow_nan_stats:
            nan = np.array(np.nan, self._dtype.as_numpy_dtype)
            return tf.where(wrong, tf.fill(tf.shape(value), nan), value)
        with tf.control_dependencies([bound()]):
            return tf.identity(value)

    def survival_function(self, value, name='survival_function'):
        return 1. - self._cdf(self._value(value))

    def entropy(self, name='entropy'):
        with tf.name_scope(name):
            return self._entropy()

    def mean(self, name='mean'):
        return self._mean()

    def mode(self, name='mode'):
        return self._mode()

    def variance(self, name='variance'):
        return self._variance()

    def stddev(self, name='stddev'):
        return tf.sqrt(self._variance())

    def kl_divergence(self, other, name='kl_divergence'):
        return kl_divergence(self, other)

    def cross_entropy(self, other, name='cross_entropy'):
        return self.entropy() + kl_divergence(self, other)

    def quantile(self, value, name='quantile'):
        return self._quantile(self._value(value))

    def is_scalar_event(self, name='is_scalar_event'):
        return self.event_shape.ndims == 0

    def is_scalar_batch(self, name='is_scalar_batch'):
        return self.batch_shape.ndims == 0


def _missing(self, *args):
    raise NotImplementedError('%s has no such function' % type(self).__name__)


for _word in ('_cdf', '_entropy', '_mean', '_mode', '_variance', '_quantile', '_sample_n', '_log_prob',
              '_covariance'):
    setattr(Distribution, _word, _missing)


class _Pair(Distribution):
    """A kind with two parameters that are broadcast against each other."""

    def _take(self, names, values, positive=(), validate_args=False):
        values = [tf.convert_to_tensor(value, dtype=None if hasattr(value, 'dtype') else tf.float32) for value in values]
        checks = [tf.assert_positive(value) for name, value in zip(names, values) if validate_args and name in positive]
        with tf.control_dependencies(checks):
            self._values = [tf.identity(value, name=name) for name, value in zip(names, values)]

    def _batch_shape(self):
        return tf.broadcast_static_shape(self._values[0].get_shape(), self._values[1].get_shape())

    def _batch_shape_tensor(self):
        return tf.broadcast_dynamic_shape(tf.shape(self._values[0]), tf.shape(self._values[1]))

    def _shape(self, n):
        return tf.concat([tf.reshape(n, [1]), self.batch_shape_tensor()], 0)

    def _spread(self, value):
        return value * tf.ones(self.batch_shape_tensor(), self._dtype)


class Normal(_Pair):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name='Normal'):
        with tf.name_scope(name):
            self._take(('loc', 'scale'), (loc, scale), ('scale',), validate_args)
        super().__init__(self._values[1].dtype, name, validate_args, allow_nan_stats, loc=loc, scale=scale)

    loc = property(lambda self: self._values[0])
    scale = property(lambda self: self._values[1])

    def _sample_n(self, n, seed):
        return tf.random_normal(self._shape(n), mean=0., stddev=1., dtype=self._dtype, seed=seed) * self.scale + self.loc

    def _log_prob(self, x):
        return -0.5 * tf.square((x - self.loc) / self.scale) - (0.5 * math.log(2. * math.pi) + tf.log(self.scale))

    @staticmethod
    def _param_shapes(sample_shape):
        return dict(zip(('loc', 'scale'), [tf.convert_to_tensor(sample_shape, dtype=tf.int32)] * 2))

    def _cdf(self, x):
        return ndtr((x - self.loc) / self.scale)

    def log_cdf(self, value, name='log_cdf'):
        return log_ndtr((self._value(value) - self.loc) / self.scale)

    def _log_survival(self, x):
        return log_ndtr(-(x - self.loc) / self.scale)

    def _quantile(self, p):
        return ndtri(p) * self.scale + self.loc

    def _entropy(self):
        return 0.5 * math.log(2. * math.pi) + 0.5 + tf.log(self.scale * tf.ones_like(self.loc))

    def _mean(self):
        return self.loc * tf.ones_like(self.scale)

    _mode = _mean

    def _variance(self):
        return tf.square(self.scale * tf.ones_like(self.loc))

    def stddev(self, name='stddev'):
        return self.scale * tf.ones_like(self.loc)


class NormalWithSoftplusScale(Normal):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name='NormalWithSoftplusScale'):
        super().__init__(loc, tf.nn.softplus(scale), validate_args, allow_nan_stats, name)


class Laplace(_Pair):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name='Laplace'):
        with tf.name_scope(name):
            self._take(('loc', 'scale'), (loc, scale), ('scale',), validate_args)
        super().__init__(self._values[0].dtype, name, validate_args, allow_nan_stats, loc=loc, scale=scale)

    loc = property(lambda self: self._values[0])
    scale = property(lambda self: self._values[1])

    def _sample_n(self, n, seed):
        u = tf.random_uniform(self._shape(n), np.nextafter(self._dtype.as_numpy_dtype(-1.), self._dtype.as_numpy_dtype(0.)), 1.,
                              dtype=self._dtype, seed=seed)
        return self.loc - self.scale * tf.sign(u) * tf.log1p(-tf.abs(u))

    def _log_prob(self, x):
        return -tf.abs((x - self.loc) / self.scale) - math.log(2.) - tf.log(self.scale)

    def _cdf(self, x):
        z = (x - self.loc) / self.scale
        return 0.5 + 0.5 * tf.sign(z) * (1. - tf.exp(-tf.abs(z)))

    def log_cdf(self, value, name='log_cdf'):
        return log_cdf_laplace((self._value(value) - self.loc) / self.scale)

    def _log_survival(self, x):
        return log_cdf_laplace(-(x - self.loc) / self.scale)

    def stddev(self, name='stddev'):
        return math.sqrt(2.) * (self.scale + tf.zeros_like(self.loc))

    def _entropy(self):
        return math.log(2.) + 1. + tf.log(self.scale + tf.zeros_like(self.loc))

    def _mean(self):
        return self.loc + tf.zeros_like(self.scale)

    _mode = _mean

    def _variance(self):
        return 2. * tf.square(self.scale + tf.zeros_like(self.loc))


class Cauchy(_Pair):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name='Cauchy'):
        self._take(('loc', 'scale'), (loc, scale), ('scale',), validate_args)
        super().__init__(self._values[0].dtype, name, validate_args, allow_nan_stats, loc=loc, scale=scale)

    loc = property(lambda self: self._values[0])
    scale = property(lambda self: self._values[1])

    def _sample_n(self, n, seed):
        return self.loc + self.scale * tf.tan(math.pi * (tf.random_uniform(self._shape(n), dtype=self._dtype, seed=seed) - 0.5))

    def _log_prob(self, x):
        return -tf.log1p(tf.square((x - self.loc) / self.scale)) - math.log(math.pi) - tf.log(self.scale)

    def _mode(self):
        return self._spread(self.loc)


class Uniform(_Pair):
    def __init__(self, low=0.0, high=1.0, validate_args=False, allow_nan_stats=True, name='Uniform'):
        with tf.name_scope(name):
            self._take(('low', 'high'), (low, high))
            if validate_args:
                with tf.control_dependencies([tf.assert_less(*self._values, message='uniform not defined when low >= high.')]):
                    self._values = [tf.identity(value) for value in self._values]
        super().__init__(self._values[0].dtype, name, validate_args, allow_nan_stats, low=low, high=high)

    low = property(lambda self: self._values[0])
    high = property(lambda self: self._values[1])

    def range(self, name='range'):
        return self.high - self.low

    def _sample_n(self, n, seed):
        return self.low + self.range() * tf.random_uniform(self._shape(n), dtype=self._dtype, seed=seed)

    def _log_prob(self, x):
        inside = tf.logical_and(x >= self.low, x < self.high)
        x = x + tf.zeros(self.batch_shape_tensor(), self._dtype)
        density = tf.ones_like(x) / (self.range() + tf.zeros_like(x))
        return tf.log(tf.where(tf.is_nan(x), x, tf.where(inside, density, tf.zeros_like(x))))

    def _cdf(self, x):
        return tf.clip_by_value((x - self.low) / self.range(), 0., 1.)

    def _quantile(self, p):
        return (1. - p) * self.low + p * self.high

    def _entropy(self):
        return tf.log(self.range())

    def _mean(self):
        return (self.low + self.high) / 2.

    def _variance(self):
        return tf.square(self.range()) / 12.


class Gamma(_Pair):
    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name='Gamma'):
        with tf.name_scope(name):
            self._take(('concentration', 'rate'), (concentration, rate), ('concentration', 'rate'), validate_args)
        super().__init__(self._values[0].dtype, name, validate_args, allow_nan_stats, concentration=concentration, rate=rate)

    concentration = property(lambda self: self._values[0])
    rate = property(lambda self: self._values[1])

    def _sample_n(self, n, seed):
        return tf.random_gamma([n], alpha=self._spread(self.concentration), beta=self._spread(self.rate), dtype=self._dtype, seed=seed)

    def _log_prob(self, x):
        a, b = self.concentration, self.rate
        return tf.math.xlogy(a - 1., x) - b * x - (tf.lgamma(a) - a * tf.log(b))

    def _cdf(self, x):
        return tf.igamma(self.concentration + tf.zeros_like(self.rate), self.rate * x)

    def _entropy(self):
        a = self.concentration
        return a - tf.log(self.rate) + tf.lgamma(a) + (1. - a) * tf.digamma(a)

    def _mean(self):
        return self.concentration / self.rate

    def _mode(self):
        mode = (self.concentration - 1.) / self.rate
        return self._checked(tf.broadcast_to(self.concentration <= 1., tf.shape(mode)), mode,
                             lambda: tf.assert_less(tf.ones([], self._dtype), self.concentration, message='mode not defined when any concentration <= 1'))

    def _variance(self):
        return self.concentration / tf.square(self.rate)


class Exponential(Gamma):
    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name='Exponential'):
        rate = tf.convert_to_tensor(rate, dtype=None if hasattr(rate, 'dtype') else tf.float32)
        super().__init__(tf.ones([], rate.dtype), rate, validate_args, allow_nan_stats, name)
        self._parameters = {'rate': rate}

    def _cdf(self, x):
        return -tf.expm1(-self.rate * x)

    def _log_survival(self, x):
        return -self.rate * x

    def _sample_n(self, n, seed):
        u = tf.random_uniform(self._shape(n), np.finfo(self._dtype.as_numpy_dtype).tiny, 1., dtype=self._dtype, seed=seed)
        return -tf.log(u) / self.rate


class Beta(_Pair):
    def __init__(self, concentration1=None, concentration0=None, validate_args=False, allow_nan_stats=True, name='Beta'):
        with tf.name_scope(name):
            names = 'concentration1', 'concentration0'
            self._take(names, (concentration1, concentration0), names, validate_args)
        super().__init__(self._values[0].dtype, name, validate_args, allow_nan_stats, concentration1=concentration1,
                         concentration0=concentration0)

    concentration1 = property(lambda self: self._values[0])
    concentration0 = property(lambda self: self._values[1])
    total_concentration = property(lambda self: self._values[0] + self._values[1])

    def _sample_n(self, n, seed):
        one = tf.random_gamma([n], alpha=self._spread(self.concentration1), dtype=self._dtype, seed=seed)
        other = tf.random_gamma([n], alpha=self._spread(self.concentration0), dtype=self._dtype, seed=None if seed is None else seed + 1)
        return one / (one + other)

    def _norm(self):
        return tf.lgamma(self.concentration1) + tf.lgamma(self.concentration0) - tf.lgamma(self.total_concentration)

    def _log_prob(self, x):
        if self._validate_args:
            with tf.control_dependencies([tf.assert_positive(x, message='sample must be positive'),
                                          tf.assert_less(x, tf.ones([], x.dtype), message='sample must be less than `1`.')]):
                x = tf.identity(x)
        return tf.math.xlogy(self.concentration1 - 1., x) + (self.concentration0 - 1.) * tf.log1p(-x) - self._norm()

    def _cdf(self, x):
        shape = tf.ones(tf.broadcast_dynamic_shape(tf.shape(x), self.batch_shape_tensor()), self._dtype)
        return tf.betainc(self.concentration1 * shape, self.concentration0 * shape, x * shape)

    def _entropy(self):
        a, b, total = self.concentration1, self.concentration0, self.total_concentration
        return self._norm() - (a - 1.) * tf.digamma(a) - (b - 1.) * tf.digamma(b) + (total - 2.) * tf.digamma(total)

    def _mean(self):
        return self.concentration1 / self.total_concentration

    def _mode(self):
        mode, one = (self.concentration1 - 1.) / (self.total_concentration - 2.), tf.ones([], self._dtype)
        wrong = tf.logical_or(self.concentration1 <= 1., self.concentration0 <= 1.)
        bounds = lambda: tf.group(*(tf.assert_less(one, value, message='Mode undefined for concentration <= 1.') for value in self._values))
        return self._checked(wrong, mode, bounds)

    def _variance(self):
        return self._mean() * (1. - self._mean()) / (1. + self.total_concentration)


def _logits_probs(logits, probs, several, validate_args=False):
    """(logits, probs) where one of them is given."""
    if (logits is None) == (probs is None):
        raise ValueError('Must pass probs or logits, but not both.')
    if probs is None:
        logits = tf.convert_to_tensor(logits, dtype=None if hasattr(logits, 'dtype') else tf.float32, name='logits')
        return logits, tf.nn.softmax(logits) if several else tf.nn.sigmoid(logits)
    probs = tf.convert_to_tensor(probs, dtype=None if hasattr(probs, 'dtype') else tf.float32, name='probs')
    if validate_args:
        one = tf.ones([], probs.dtype)
        checks = [tf.assert_non_negative(probs)]
        checks.append(tf.assert_near(tf.reduce_sum(probs, -1), one, message='probs does not sum to 1.') if several else
                      tf.assert_less_equal(probs, one, message='probs has components greater than 1.'))
        with tf.control_dependencies(checks):
            probs = tf.identity(probs)
    return tf.log(probs) if several else tf.log(probs) - tf.log1p(-1. * probs), probs


class Bernoulli(Distribution):
    reparameterization_type = NOT_REPARAMETERIZED

    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True, name='Bernoulli'):
        with tf.name_scope(name):
            self.logits, self.probs = _logits_probs(logits, probs, False, validate_args)
        super().__init__(dtype or tf.int32, name, validate_args, allow_nan_stats, logits=logits, probs=probs)

    def _batch_shape(self):
        return self.logits.get_shape()

    def _batch_shape_tensor(self):
        return tf.shape(self.logits)

    def _sample_n(self, n, seed):
        u = tf.random_uniform(tf.concat([[n], tf.shape(self.probs)], 0), seed=seed, dtype=self.probs.dtype)
        return tf.cast(u < self.probs, self._dtype)

    def _value(self, value):
        return tf.convert_to_tensor(value, name='value')

    def _log_prob(self, x):
        x = tf.cast(x, self.logits.dtype)
        if self._validate_args:
            with tf.control_dependencies([tf.assert_non_negative(x, message='Elements must be non-negative.'),
                                          tf.assert_less_equal(x, tf.ones([], x.dtype), message='Elements cannot exceed 1.')]):
                x = tf.identity(x)
        return -tf.nn.sigmoid_cross_entropy_with_logits(labels=x + tf.zeros_like(self.logits), logits=self.logits + tf.zeros_like(x))

    def _entropy(self):
        return -self.logits * (tf.sigmoid(self.logits) - 1) + tf.nn.softplus(-self.logits)

    def _mean(self):
        return tf.identity(self.probs)

    def _mode(self):
        return tf.cast(self.probs > 0.5, self._dtype)

    def _variance(self):
        return self.probs * (1. - self.probs)


class _OfClasses(Distribution):
    def _take(self, name, logits, probs):
        with tf.name_scope(name):
            self.logits, self.probs = _logits_probs(logits, probs, True)
        size = self.logits.get_shape().as_list()[-1] if self.logits.get_shape().ndims is not None else None
        self._classes = size if size is not None else tf.shape(self.logits)[-1]
        self._known = size

    event_size = property(lambda self: tf.convert_to_tensor(self._classes))

    def _batch_shape(self):
        return self.logits.get_shape()[:-1]

    def _batch_shape_tensor(self):
        return tf.shape(self.logits)[:-1]

    def _draw(self, n, seed):
        flat = tf.reshape(self.logits, [-1, self._classes])
        drawn = tf.multinomial(flat, n, seed=seed)
        return tf.reshape(tf.transpose(drawn), tf.concat([[n], tf.shape(self.logits)[:-1]], 0))

    def _entropy(self):
        return -tf.reduce_sum(tf.nn.log_softmax(self.logits) * self.probs, axis=-1)


class Categorical(_OfClasses):
    reparameterization_type = NOT_REPARAMETERIZED

    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True, name='Categorical'):
        self._take(name, logits, probs)
        super().__init__(dtype or tf.int32, name, validate_args, allow_nan_stats, logits=logits, probs=probs)

    def _sample_n(self, n, seed):
        return tf.cast(self._draw(n, seed), self._dtype)

    def _log_prob(self, k):
        k = tf.cast(k, tf.int32) if k.dtype not in (tf.int32, tf.int64) else k
        shape = tf.broadcast_dynamic_shape(tf.shape(k), tf.shape(self.logits)[:-1])
        known = tf.broadcast_static_shape(k.get_shape(), self.logits.get_shape()[:-1])
        k = tf.broadcast_to(k, shape)
        logits = self.logits + tf.zeros(tf.concat([shape, [1]], 0), self.logits.dtype)
        found = -tf.nn.sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)
        found.set_shape(known)
        return found

    def _value(self, value):
        return tf.convert_to_tensor(value, name='value')

    def _cdf(self, k):
        k = tf.cast(k, tf.int32) if k.dtype not in (tf.int32, tf.int64) else k
        shape = tf.broadcast_dynamic_shape(tf.shape(k), tf.shape(self.logits)[:-1])
        probs = self.probs + tf.zeros(tf.concat([shape, [1]], 0), self.probs.dtype)
        below = tf.sequence_mask(tf.broadcast_to(k, shape), self._classes, dtype=probs.dtype)
        found = tf.reduce_sum(probs * below, -1)
        found.set_shape(tf.broadcast_static_shape(k.get_shape(), self.logits.get_shape()[:-1]))
        return found

    def _mode(self):
        return tf.cast(tf.argmax(self.logits, axis=-1), self._dtype)


class OneHotCategorical(_OfClasses):
    reparameterization_type = NOT_REPARAMETERIZED

    def __init__(self, logits=None, probs=None, dtype=None, validate_args=False, allow_nan_stats=True, name='OneHotCategorical'):
        self._take(name, logits, probs)
        super().__init__(dtype or tf.int32, name, validate_args, allow_nan_stats, logits=logits, probs=probs)

    def _event_shape(self):
        return TensorShape([self._known])

    def _sample_n(self, n, seed):
        return tf.one_hot(self._draw(n, seed), self._classes, dtype=self._dtype)

    def _log_prob(self, x):
        return tf.reduce_sum(tf.cast(x, self.logits.dtype) * tf.nn.log_softmax(self.logits), -1)

    def _mean(self):
        return tf.identity(self.probs)

    def _mode(self):
        return tf.one_hot(tf.argmax(self.logits, -1), self._classes, dtype=self._dtype)


class RelaxedOneHotCategorical(_OfClasses):
    """The Gumbel softmax."""

    def __init__(self, temperature, logits=None, probs=None, dtype=None, validate_args=False, allow_nan_stats=True,
                 name='RelaxedOneHotCategorical'):
        self._take(name, logits, probs)
        self.temperature = tf.convert_to_tensor(temperature, self.logits.dtype)
        super().__init__(dtype or self.logits.dtype, name, validate_args, allow_nan_stats, temperature=temperature, logits=logits,
                         probs=probs)

    def _event_shape(self):
        return TensorShape([self._known])

    def _sample_n(self, n, seed):
        u = tf.random_uniform(tf.concat([[n], tf.shape(self.logits)], 0), np.finfo(np.float32).tiny, 1., dtype=self._dtype, seed=seed)
        return tf.nn.softmax((self.logits - tf.log(-tf.log(u))) / self.temperature)

    def _log_prob(self, x):
        size, t = tf.cast(self._classes, self._dtype), self.temperature
        log_x = tf.log(x)
        return tf.lgamma(size) + (size - 1.) * tf.log(t) + tf.reduce_sum(self.logits - (t + 1.) * log_x, -1) - \
            size * tf.reduce_logsumexp(self.logits - t * log_x, -1)


class Dirichlet(Distribution):
    _event_ndims = 1

    def __init__(self, concentration, validate_args=False, allow_nan_stats=True, name='Dirichlet'):
        self.concentration = tf.convert_to_tensor(concentration, dtype=None if hasattr(concentration, 'dtype') else tf.float32)
        super().__init__(self.concentration.dtype, name, validate_args, allow_nan_stats, concentration=concentration)
        self.total_concentration = tf.reduce_sum(self.concentration, -1)

    def _batch_shape(self):
        return self.concentration.get_shape()[:-1]

    def _event_shape(self):
        return self.concentration.get_shape()[-1:]

    def _sample_n(self, n, seed):
        made = tf.random_gamma([n], self.concentration, dtype=self._dtype, seed=seed)
        return made / tf.reduce_sum(made, -1, keepdims=True)

    def _batch_shape_tensor(self):
        return tf.shape(self.total_concentration)

    def _norm(self):
        return tf.reduce_sum(tf.lgamma(self.concentration), -1) - tf.lgamma(self.total_concentration)

    def _entropy(self):
        count = tf.cast(tf.shape(self.concentration)[-1], self._dtype)
        return self._norm() + (self.total_concentration - count) * tf.digamma(self.total_concentration) - \
            tf.reduce_sum((self.concentration - 1.) * tf.digamma(self.concentration), -1)

    def _mode(self):
        count = tf.cast(tf.shape(self.concentration)[-1], self._dtype)
        mode = (self.concentration - 1.) / (tf.expand_dims(self.total_concentration, -1) - count)
        wrong = tf.broadcast_to(tf.reduce_any(self.concentration <= 1., -1, keepdims=True), tf.shape(mode))
        return self._checked(wrong, mode, lambda: tf.assert_less(tf.ones([], self._dtype), self.concentration,
                                                                 message='Mode undefined when any concentration <= 1'))

    def _scale(self):
        return tf.expand_dims(tf.sqrt(1. + self.total_concentration), -1)

    def _variance(self):
        return self._mean() * (1. - self._mean()) / tf.square(self._scale())

    def _covariance(self):
        x = self._mean() / self._scale()
        return tf.matrix_set_diag(-tf.matmul(x[..., tf.newaxis], x[..., tf.newaxis, :]), self._variance())

    def _log_prob(self, x):
        a = self.concentration
        if self._validate_args:
            with tf.control_dependencies([tf.assert_positive(x, message='samples must be positive'),
                                          tf.assert_near(tf.ones([], self._dtype), tf.reduce_sum(x, -1),
                                                         message='sample last-dimension must sum to `1`')]):
                x = tf.identity(x)
        return tf.reduce_sum(tf.math.xlogy(a - 1., x), -1) - (tf.reduce_sum(tf.lgamma(a), -1) - tf.lgamma(self.total_concentration))

    def _mean(self):
        return self.concentration / tf.expand_dims(self.total_concentration, -1)


class Poisson(Distribution):
    reparameterization_type = NOT_REPARAMETERIZED

    def __init__(self, rate=None, log_rate=None, validate_args=False, allow_nan_stats=True, name='Poisson'):
        rate = tf.exp(tf.convert_to_tensor(log_rate)) if rate is None else rate
        self.rate = tf.convert_to_tensor(rate, dtype=None if hasattr(rate, 'dtype') else tf.float32)
        super().__init__(self.rate.dtype, name, validate_args, allow_nan_stats, rate=rate)

    def _batch_shape(self):
        return self.rate.get_shape()

    def _sample_n(self, n, seed):
        return tf.random_poisson(self.rate, [n], dtype=self._dtype, seed=seed)

    def _log_prob(self, x):
        return tf.math.xlogy(x, self.rate) - tf.lgamma(1. + x) - self.rate

    def _mean(self):
        return tf.identity(self.rate)

    _variance = _mean


class MultivariateNormalDiag(Distribution):
    def __init__(self, loc=None, scale_diag=None, scale_identity_multiplier=None, validate_args=False, allow_nan_stats=True,
                 name='MultivariateNormalDiag'):
        kind = lambda value: tf.convert_to_tensor(value, dtype=None if hasattr(value, 'dtype') else tf.float32)
        with tf.name_scope(name):
            self._loc = None if loc is None else kind(loc)
            like = self._loc if self._loc is not None else kind(scale_diag)
            scale = tf.ones_like(like) if scale_diag is None else kind(scale_diag)
            if scale_identity_multiplier is not None:
                more = tf.expand_dims(kind(scale_identity_multiplier), -1)
                scale = scale * more if scale_diag is None else scale + more
            self._scale = scale
            self._loc = tf.zeros_like(scale) if self._loc is None else self._loc
        super().__init__(self._scale.dtype, name, validate_args, allow_nan_stats, loc=loc, scale_diag=scale_diag,
                         scale_identity_multiplier=scale_identity_multiplier)
        self._one = Normal(self._loc, self._scale)

    loc = property(lambda self: self._loc)

    def _batch_shape(self):
        return self._one.batch_shape[:-1]

    def _event_shape(self):
        return self._one.batch_shape[-1:]

    def _batch_shape_tensor(self):
        return self._one.batch_shape_tensor()[:-1]

    def _sample_n(self, n, seed):
        return self._one._sample_n(n, seed)

    def _log_prob(self, x):
        return tf.reduce_sum(self._one._log_prob(x), -1)

    def _entropy(self):
        return tf.reduce_sum(self._one._entropy(), -1)

    def _mean(self):
        return self._one._mean()

    _mode = _mean

    def _variance(self):
        return self._one._variance()

    def stddev(self, name='stddev'):
        return self._one.stddev()


class MultivariateNormalTriL(Distribution):
    def __init__(self, loc=None, scale_tril=None, validate_args=False, allow_nan_stats=True, name='MultivariateNormalTriL'):
        self._tril = tf.convert_to_tensor(scale_tril, dtype=None if hasattr(scale_tril, 'dtype') else tf.float32)
        self.loc = tf.zeros(tf.shape(self._tril)[:-1], self._tril.dtype) if loc is None else tf.convert_to_tensor(loc, self._tril.dtype)
        super().__init__(self._tril.dtype, name, validate_args, allow_nan_stats, loc=loc, scale_tril=scale_tril)

    def _batch_shape(self):
        return tf.broadcast_static_shape(self.loc.get_shape()[:-1], self._tril.get_shape()[:-2])

    def _event_shape(self):
        return self._tril.get_shape()[-1:]

    def _sample_n(self, n, seed):
        shape = tf.concat([[n], tf.broadcast_dynamic_shape(tf.shape(self.loc), tf.shape(self._tril)[:-1])], 0)
        drawn = tf.random_normal(shape, dtype=self._dtype, seed=seed)
        return self.loc + tf.squeeze(tf.matmul(self._tril + tf.zeros(tf.concat([shape, [1]], 0), self._dtype), drawn[..., None]), [-1])

    def _log_prob(self, x):
        apart = (x - self.loc)[..., None]
        tril = self._tril + tf.zeros_like(apart)
        solved = tf.squeeze(tf.matrix_triangular_solve(tril, apart), [-1])
        size = tf.cast(tf.shape(self._tril)[-1], self._dtype)
        return -0.5 * tf.reduce_sum(tf.square(solved), -1) - 0.5 * size * math.log(2. * math.pi) - self._log_det()

    def _log_det(self):
        return tf.reduce_sum(tf.log(tf.abs(tf.matrix_diag_part(self._tril))), -1)

    def _entropy(self):
        return 0.5 * tf.cast(tf.shape(self._tril)[-1], self._dtype) * (1. + math.log(2. * math.pi)) + self._log_det()

    def _mean(self):
        return self.loc

    _mode = _mean


class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    def __init__(self, loc=None, covariance_matrix=None, validate_args=False, allow_nan_stats=True,
                 name='MultivariateNormalFullCovariance'):
        matrix = tf.convert_to_tensor(covariance_matrix, dtype=None if hasattr(covariance_matrix, 'dtype') else tf.float32)
        super().__init__(loc, tf.cholesky(matrix), validate_args, allow_nan_stats, name)


class Independent(Distribution):
    """Batch dimensions of another distribution as an event."""

    def __init__(self, distribution, reinterpreted_batch_ndims=None, validate_args=False, name=None):
        self.distribution = distribution
        self._count = distribution.batch_shape.ndims - 1 if reinterpreted_batch_ndims is None else reinterpreted_batch_ndims
        super().__init__(distribution.dtype, name or 'Independent' + distribution.name, validate_args)

    def _batch_shape(self):
        known = self.distribution.batch_shape
        return known[:known.ndims - self._count]

    def _event_shape(self):
        known = self.distribution.batch_shape
        return known[known.ndims - self._count:].concatenate(self.distribution.event_shape)

    def _sample_n(self, n, seed):
        return self.distribution._sample_n(n, seed)

    def _axes(self):
        return [-1 - i for i in range(self._count)]

    def _log_prob(self, x):
        return tf.reduce_sum(self.distribution._log_prob(x), self._axes())

    def _entropy(self):
        return tf.reduce_sum(self.distribution._entropy(), self._axes())

    def _mean(self):
        return self.distribution._mean()

    def _mode(self):
        return self.distribution._mode()


class Mixture(Distribution):
    """One of several components, chosen by a Categorical."""

    def __init__(self, cat, components, validate_args=False, allow_nan_stats=True, use_static_graph=False, name='Mixture'):
        self.cat, self.components = cat, list(components)
        super().__init__(self.components[0].dtype, name, validate_args, allow_nan_stats, cat=cat, components=components)

    def _batch_shape(self):
        return self.cat.batch_shape

    def _event_shape(self):
        return self.components[0].event_shape

    def _sample_n(self, n, seed):
        chosen = tf.one_hot(self.cat._sample_n(n, seed), len(self.components), dtype=self._dtype)
        drawn = tf.stack([item._sample_n(n, seed) for item in self.components], -1)
        for _ in range(self.event_shape.ndims):
            chosen = tf.expand_dims(chosen, -2)
        return tf.reduce_sum(drawn * chosen, -1)

    def _log_prob(self, x):
        weights = tf.unstack(tf.nn.log_softmax(self.cat.logits), axis=-1)
        return tf.reduce_logsumexp(tf.stack([item._log_prob(x) + weight for item, weight in zip(self.components, weights)], 0), 0)

    def _mean(self):
        weights = tf.unstack(self.cat.probs, axis=-1)
        return tf.add_n([item._mean() * weight for item, weight in zip(self.components, weights)])


class StudentT(Distribution):
    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name='StudentT'):
        kind = lambda value: tf.convert_to_tensor(value, dtype=None if hasattr(value, 'dtype') else tf.float32)
        self.df, self.loc, self.scale = kind(df), kind(loc), kind(scale)
        if validate_args:
            with tf.control_dependencies([tf.assert_positive(self.df)]):
                self.df = tf.identity(self.df)
        super().__init__(self.scale.dtype, name, validate_args, allow_nan_stats, df=df, loc=loc, scale=scale)

    def _batch_shape(self):
        return tf.broadcast_static_shape(tf.broadcast_static_shape(self.df.get_shape(), self.loc.get_shape()), self.scale.get_shape())

    def _sample_n(self, n, seed):
        shape = [n] + self.batch_shape.as_list()
        normal = tf.random_normal(shape, dtype=self._dtype, seed=seed)
        df = self.df + tf.zeros(self.batch_shape.as_list(), self._dtype)
        gamma = tf.random_gamma([n], 0.5 * df, beta=0.5, dtype=self._dtype, seed=None if seed is None else seed + 1)
        return normal * tf.rsqrt(gamma / df) * self.scale + self.loc

    def _log_prob(self, x):
        y = (x - self.loc) / self.scale
        norm = tf.log(tf.abs(self.scale)) + 0.5 * tf.log(self.df) + 0.5 * math.log(math.pi) + tf.lgamma(0.5 * self.df) - \
            tf.lgamma(0.5 * (self.df + 1.))
        return -0.5 * (self.df + 1.) * tf.log1p(y ** 2. / self.df) - norm

    def _batch_shape_tensor(self):
        return tf.broadcast_dynamic_shape(tf.shape(self.df), tf.broadcast_dynamic_shape(tf.shape(self.loc), tf.shape(self.scale)))

    def _ones(self):
        made = tf.ones(self.batch_shape_tensor(), self._dtype)
        made.set_shape(self.batch_shape)
        return made

    def _cdf(self, x):
        y = (x - self.loc) / tf.abs(self.scale)
        squared = self.df / (y ** 2. + self.df)
        half = 0.5 * tf.betainc(0.5 * self.df * tf.ones_like(squared), 0.5 * tf.ones_like(squared), squared)
        return tf.where(tf.less(y, 0.), half, 1. - half)

    def _entropy(self):
        df = self.df * self._ones()
        beta = tf.lgamma(0.5 * df) + math.lgamma(0.5) - tf.lgamma(0.5 * (df + 1.))
        return tf.log(tf.abs(self.scale * self._ones())) + 0.5 * tf.log(df) + beta + \
            0.5 * (df + 1.) * (tf.digamma(0.5 * (df + 1.)) - tf.digamma(0.5 * df))

    def _mean(self):
        return self._checked(self.df * self._ones() <= 1., self.loc * self._ones(), lambda: tf.assert_less(
            tf.ones([], self._dtype), self.df, message='mean not defined for components of df <= 1'))

    def _variance(self):
        ones = self._ones()
        df, safe = self.df * ones, tf.where(self.df * ones > 2., self.df * ones, 3. * ones)
        found = tf.square(self.scale * ones) * safe / (safe - 2.)
        found = tf.where(df > 2., found, tf.fill(tf.shape(df), np.array(np.inf, self._dtype.as_numpy_dtype)))
        return self._checked(df <= 1., found, lambda: tf.assert_less(
            tf.ones([], self._dtype), self.df, message='variance not defined for components of df <= 1'))

    def _mode(self):
        return self.loc * self._ones()


# ---- divergences -------------------------------------------------------------------------------

@RegisterKL(Normal, Normal)
def _normals(a, b):
    ratio = tf.square(a.scale) / tf.square(b.scale)
    return tf.square(a.loc - b.loc) / (2. * tf.square(b.scale)) + 0.5 * (ratio - 1. - tf.log(ratio))


@RegisterKL(MultivariateNormalDiag, MultivariateNormalDiag)
def _diagonals(a, b):
    return tf.reduce_sum(_normals(a._one, b._one), -1)


@RegisterKL(Independent, Independent)
def _independent(a, b):
    return tf.reduce_sum(kl_divergence(a.distribution, b.distribution), a._axes())


@RegisterKL(_OfClasses, _OfClasses)
def _classes(a, b):
    return tf.reduce_sum(tf.nn.softmax(a.logits) * (tf.nn.log_softmax(a.logits) - tf.nn.log_softmax(b.logits)), -1)


@RegisterKL(Bernoulli, Bernoulli)
def _bernoullis(a, b):
    softplus = tf.nn.softplus
    return tf.sigmoid(a.logits) * (softplus(-b.logits) - softplus(-a.logits)) + \
        tf.sigmoid(-a.logits) * (softplus(b.logits) - softplus(a.logits))


@RegisterKL(Gamma, Gamma)
def _gammas(a, b):
    return (a.concentration - b.concentration) * tf.digamma(a.concentration) + tf.lgamma(b.concentration) - \
        tf.lgamma(a.concentration) + b.concentration * tf.log(a.rate) - b.concentration * tf.log(b.rate) + \
        a.concentration * (b.rate / a.rate - 1.)


@RegisterKL(Beta, Beta)
def _betas(a, b):
    apart1, apart0 = a.concentration1 - b.concentration1, a.concentration0 - b.concentration0
    return b._norm() - a._norm() + apart1 * tf.digamma(a.concentration1) + apart0 * tf.digamma(a.concentration0) - \
        (apart1 + apart0) * tf.digamma(a.total_concentration)


@RegisterKL(Dirichlet, Dirichlet)
def _dirichlets(a, b):
    apart = tf.digamma(a.concentration) - tf.expand_dims(tf.digamma(a.total_concentration), -1)
    return tf.reduce_sum((a.concentration - b.concentration) * apart, -1) - a._norm() + b._norm()


from .distribution_math import log_cdf_laplace, log_ndtr, ndtr, ndtri  # noqa: E402
from .distributions_more import *  # noqa: E402,F401,F403
