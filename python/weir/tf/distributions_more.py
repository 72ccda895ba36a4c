"""Distributions beyond the first: counts, transforms of others, and those with a softplus around their parameters."""
import math

from .distributions import (NOT_REPARAMETERIZED, Beta, Distribution, Exponential, Gamma, Laplace, MultivariateNormalDiag, StudentT, _logits_probs,
                            _Pair)
from .public import tf
from .shapes import TensorShape

__all__ = ['BetaWithSoftplusConcentration', 'Binomial', 'Chi2', 'Chi2WithAbsDf', 'Deterministic', 'DirichletMultinomial', 'ExponentialWithSoftplusRate',
           'GammaWithSoftplusConcentrationRate', 'Geometric', 'Gumbel', 'HalfNormal', 'InverseGamma', 'LaplaceWithSoftplusScale',
           'Logistic', 'Multinomial', 'MultivariateNormalDiagWithSoftplusScale', 'StudentTWithAbsDfSoftplusScale']


def _floats(value):
    return tf.convert_to_tensor(value, dtype=None if hasattr(value, 'dtype') else tf.float32)


def _kept(self, **parameters):
    self._parameters = parameters


class LaplaceWithSoftplusScale(Laplace):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name='LaplaceWithSoftplusScale'):
        super().__init__(loc, tf.nn.softplus(scale, name='softplus_scale'), validate_args, allow_nan_stats, name)
        _kept(self, loc=loc, scale=scale)


class ExponentialWithSoftplusRate(Exponential):
    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name='ExponentialWithSoftplusRate'):
        super().__init__(tf.nn.softplus(rate, name='softplus_rate'), validate_args, allow_nan_stats, name)
        _kept(self, rate=rate)


class GammaWithSoftplusConcentrationRate(Gamma):
    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name='GammaWithSoftplusConcentrationRate'):
        super().__init__(tf.nn.softplus(concentration), tf.nn.softplus(rate), validate_args, allow_nan_stats, name)
        _kept(self, concentration=concentration, rate=rate)


class BetaWithSoftplusConcentration(Beta):
    def __init__(self, concentration1, concentration0, validate_args=False, allow_nan_stats=True, name='BetaWithSoftplusConcentration'):
        super().__init__(tf.nn.softplus(concentration1), tf.nn.softplus(concentration0), validate_args, allow_nan_stats, name)
        _kept(self, concentration1=concentration1, concentration0=concentration0)


class StudentTWithAbsDfSoftplusScale(StudentT):
    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name='StudentTWithAbsDfSoftplusScale'):
        super().__init__(tf.floor(tf.abs(df)), loc, tf.nn.softplus(scale, name='softplus_scale'), validate_args, allow_nan_stats, name)
        _kept(self, df=df, loc=loc, scale=scale)


class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    def __init__(self, loc, scale_diag, validate_args=False, allow_nan_stats=True, name='MultivariateNormalDiagWithSoftplusScale'):
        super().__init__(loc, tf.nn.softplus(scale_diag), validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=name)


class Chi2(Gamma):
    def __init__(self, df, validate_args=False, allow_nan_stats=True, name='Chi2'):
        self.df = _floats(df)
        super().__init__(0.5 * self.df, tf.constant(0.5, self.df.dtype), validate_args, allow_nan_stats, name)
        _kept(self, df=df)


class Chi2WithAbsDf(Chi2):
    def __init__(self, df, validate_args=False, allow_nan_stats=True, name='Chi2WithAbsDf'):
        super().__init__(tf.floor(tf.abs(df)), validate_args, allow_nan_stats, name)


class InverseGamma(Gamma):
    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name='InverseGamma'):
        super().__init__(concentration, rate, validate_args, allow_nan_stats, name)

    def _sample_n(self, n, seed):
        return 1. / super()._sample_n(n, seed)

    def _log_prob(self, x):
        a, b = self.concentration, self.rate
        return -(1. + a) * tf.log(x) - b / x - (tf.lgamma(a) - a * tf.log(b))

    def _cdf(self, x):
        return tf.igammac(self.concentration, self.rate / x)

    def _entropy(self):
        a = self.concentration
        return a + tf.log(self.rate) + tf.lgamma(a) - (1. + a) * tf.digamma(a)

    def _mean(self):
        return self.rate / (self.concentration - 1.)

    def _mode(self):
        return self.rate / (1. + self.concentration)

    def _variance(self):
        return tf.square(self.rate) / tf.square(self.concentration - 1.) / (self.concentration - 2.)


class Gumbel(_Pair):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name='Gumbel'):
        self._take(('loc', 'scale'), (loc, scale), ('scale',), validate_args)
        super().__init__(self._values[1].dtype, name, validate_args, allow_nan_stats, loc=loc, scale=scale)

    loc = property(lambda self: self._values[0])
    scale = property(lambda self: self._values[1])

    def _sample_n(self, n, seed):
        u = tf.random_uniform(self._shape(n), 1e-30, 1., dtype=self._dtype, seed=seed)
        return self.loc - self.scale * tf.log(-tf.log(u))

    def _log_prob(self, x):
        z = (x - self.loc) / self.scale
        return -(z + tf.exp(-z)) - tf.log(self.scale)

    def _cdf(self, x):
        return tf.exp(-tf.exp(-(x - self.loc) / self.scale))

    def _entropy(self):
        return 1. + tf.log(self._spread(self.scale)) + 0.5772156649015329

    def _mean(self):
        return self.loc + self.scale * 0.5772156649015329

    def _mode(self):
        return self._spread(self.loc)

    def _variance(self):
        return tf.square(self._spread(self.scale) * math.pi / math.sqrt(6.))


class Logistic(_Pair):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name='Logistic'):
        self._take(('loc', 'scale'), (loc, scale), ('scale',), validate_args)
        super().__init__(self._values[1].dtype, name, validate_args, allow_nan_stats, loc=loc, scale=scale)

    loc = property(lambda self: self._values[0])
    scale = property(lambda self: self._values[1])

    def _sample_n(self, n, seed):
        u = tf.random_uniform(self._shape(n), 1e-30, 1., dtype=self._dtype, seed=seed)
        return self.loc + self.scale * (tf.log(u) - tf.log1p(-u))

    def _log_prob(self, x):
        z = (x - self.loc) / self.scale
        return -z - 2. * tf.nn.softplus(-z) - tf.log(self.scale)

    def _cdf(self, x):
        return tf.sigmoid((x - self.loc) / self.scale)

    def _entropy(self):
        return 2. + tf.log(self._spread(self.scale))

    def _mean(self):
        return self._spread(self.loc)

    _mode = _mean

    def _variance(self):
        return tf.square(self._spread(self.scale) * math.pi / math.sqrt(3.))


class _OfOne(Distribution):
    """A kind whose batch has the shape of one parameter."""

    def _batch_shape(self):
        return self._value_of.get_shape()

    def _batch_shape_tensor(self):
        return tf.shape(self._value_of)


class HalfNormal(_OfOne):
    def __init__(self, scale, validate_args=False, allow_nan_stats=True, name='HalfNormal'):
        self.scale = self._value_of = _floats(scale)
        super().__init__(self.scale.dtype, name, validate_args, allow_nan_stats, scale=scale)

    def _sample_n(self, n, seed):
        shape = tf.concat([tf.reshape(n, [1]), tf.shape(self.scale)], 0)
        return tf.abs(tf.random_normal(shape, dtype=self._dtype, seed=seed) * self.scale)

    def _log_prob(self, x):
        found = 0.5 * math.log(2. / math.pi) - tf.log(self.scale) - 0.5 * tf.square(x / self.scale)
        return tf.where(x + tf.zeros_like(found) < 0., tf.log(tf.zeros_like(found)), found)

    def _cdf(self, x):
        return tf.erf(tf.maximum(x, 0.) / self.scale / math.sqrt(2.))

    def _entropy(self):
        return 0.5 * tf.log(math.pi * self.scale ** 2. / 2.) + 0.5

    def _mean(self):
        return self.scale * math.sqrt(2. / math.pi)

    def _mode(self):
        return tf.zeros_like(self.scale)

    def _variance(self):
        return self.scale ** 2. * (1. - 2. / math.pi)


class Deterministic(_OfOne):
    def __init__(self, loc, atol=None, rtol=None, validate_args=False, allow_nan_stats=True, name='Deterministic'):
        self.loc = self._value_of = _floats(loc)
        self._near = (0. if atol is None else atol) + (0. if rtol is None else rtol * tf.abs(self.loc))
        super().__init__(self.loc.dtype, name, validate_args, allow_nan_stats, loc=loc, atol=atol, rtol=rtol)

    def _sample_n(self, n, seed):
        return self.loc + tf.zeros(tf.concat([tf.reshape(n, [1]), tf.shape(self.loc)], 0), self._dtype)

    def prob(self, value, name='prob'):
        return tf.cast(tf.abs(self._value(value) - self.loc) <= self._near, self._dtype)

    def _log_prob(self, x):
        return tf.log(self.prob(x))

    def _cdf(self, x):
        return tf.cast(x >= self.loc - self._near, self._dtype)

    def _entropy(self):
        return tf.zeros_like(self.loc)

    def _mean(self):
        return tf.identity(self.loc)

    _mode = _mean

    def _variance(self):
        return tf.zeros_like(self.loc)


class Geometric(_OfOne):
    reparameterization_type = NOT_REPARAMETERIZED

    def __init__(self, logits=None, probs=None, validate_args=False, allow_nan_stats=True, name='Geometric'):
        self.logits, self.probs = _logits_probs(logits, probs, False, validate_args)
        self._value_of = self.probs
        super().__init__(self.probs.dtype, name, validate_args, allow_nan_stats, logits=logits, probs=probs)

    def _sample_n(self, n, seed):
        u = tf.random_uniform(tf.concat([tf.reshape(n, [1]), tf.shape(self.probs)], 0), 1e-30, 1., dtype=self._dtype, seed=seed)
        return tf.floor(tf.log(u) / tf.log1p(-self.probs))

    def _log_prob(self, x):
        return tf.math.xlogy(x, 1. - self.probs) + tf.log(self.probs)

    def _cdf(self, x):
        return 1. - tf.pow(1. - self.probs, tf.floor(x) + 1.)

    def _entropy(self):
        return (-self.logits * (1. - self.probs) + tf.nn.softplus(self.logits)) / self.probs

    def _mean(self):
        return tf.exp(-self.logits)

    def _mode(self):
        return tf.zeros_like(self.probs)

    def _variance(self):
        return self._mean() / self.probs


class Binomial(_OfOne):
    reparameterization_type = NOT_REPARAMETERIZED

    def __init__(self, total_count, logits=None, probs=None, validate_args=False, allow_nan_stats=True, name='Binomial'):
        self.total_count = _floats(total_count)
        self.logits, self.probs = _logits_probs(logits, probs, False, validate_args)
        self._value_of = self.total_count * self.probs
        super().__init__(self.probs.dtype, name, validate_args, allow_nan_stats, total_count=total_count, logits=logits, probs=probs)

    def _log_prob(self, x):
        n = self.total_count
        choices = tf.lgamma(1. + n) - tf.lgamma(1. + x) - tf.lgamma(1. + n - x)
        return choices + tf.math.xlogy(x, self.probs) + tf.math.xlogy(n - x, 1. - self.probs)

    def _cdf(self, x):
        return tf.betainc(self.total_count - x, 1. + x, 1. - self.probs)

    def _mean(self):
        return self.total_count * self.probs

    def _mode(self):
        return tf.floor((1. + self.total_count) * self.probs)

    def _variance(self):
        return self._mean() * (1. - self.probs)


class _Counts(Distribution):
    """Counts of classes: the last dimension of a parameter is that of an event."""
    reparameterization_type = NOT_REPARAMETERIZED

    def _batch_shape(self):
        return self._mean_value.get_shape()[:-1]

    def _batch_shape_tensor(self):
        return tf.shape(self._mean_value)[:-1]

    def _event_shape(self):
        shape = self._mean_value.get_shape()
        return shape[-1:] if shape.ndims is not None else TensorShape([None])

    def _mean(self):
        return tf.identity(self._mean_value)

    def _choices(self, counts):
        return tf.lgamma(1. + self.total_count) - tf.reduce_sum(tf.lgamma(1. + counts), -1)

    def _tallied(self, logits, n, seed):
        """n tallies of total_count draws by logits; the count must be one number."""
        count = tf.contrib.util.constant_value(tf.reduce_max(self.total_count))
        count = tf.cast(tf.reduce_max(self.total_count), tf.int32) if count is None else int(count)
        classes = tf.shape(logits)[-1]
        flat = tf.reshape(logits, [-1, classes])
        drawn = tf.one_hot(tf.multinomial(flat, n * count, seed=seed), classes, dtype=self._dtype)
        tally = tf.reduce_sum(tf.reshape(drawn, [tf.shape(flat)[0], n, count, classes]), 2)
        return tf.reshape(tf.transpose(tally, [1, 0, 2]), tf.concat([tf.reshape(n, [1]), tf.shape(logits)], 0))


class Multinomial(_Counts):
    def __init__(self, total_count, logits=None, probs=None, validate_args=False, allow_nan_stats=True, name='Multinomial'):
        self.total_count = _floats(total_count)
        self.logits, self.probs = _logits_probs(logits, probs, True, validate_args)
        self._mean_value = self.total_count[..., tf.newaxis] * self.probs
        super().__init__(self.probs.dtype, name, validate_args, allow_nan_stats, total_count=total_count, logits=logits, probs=probs)

    def _sample_n(self, n, seed):
        spread = tf.zeros(tf.shape(self._mean_value), self._dtype)
        return self._tallied(self.logits + spread, n, seed)

    def _log_prob(self, counts):
        return self._choices(counts) + tf.reduce_sum(counts * tf.nn.log_softmax(self.logits), -1)

    def _variance(self):
        return self._mean_value - self._mean_value * self.probs

    def _covariance(self):
        p = self.probs * tf.ones_like(self.total_count)[..., tf.newaxis]
        outer = tf.matmul(self._mean_value[..., tf.newaxis], p[..., tf.newaxis, :])
        return tf.matrix_set_diag(-outer, self._variance())


class DirichletMultinomial(_Counts):
    def __init__(self, total_count, concentration, validate_args=False, allow_nan_stats=True, name='DirichletMultinomial'):
        self.concentration = _floats(concentration)
        self.total_count = tf.cast(_floats(total_count), self.concentration.dtype)
        self.total_concentration = tf.reduce_sum(self.concentration, -1)
        self._mean_value = self.total_count[..., tf.newaxis] * self.concentration / self.total_concentration[..., tf.newaxis]
        super().__init__(self.concentration.dtype, name, validate_args, allow_nan_stats, total_count=total_count,
                         concentration=concentration)

    def _sample_n(self, n, seed):
        alpha = self.concentration + tf.zeros(tf.shape(self._mean_value), self._dtype)
        drawn = tf.random_gamma([n], alpha, dtype=self._dtype, seed=seed)
        tallies = self._tallied(tf.log(drawn), 1, seed)
        return tallies[0]

    @staticmethod
    def _lbeta(x):
        return tf.reduce_sum(tf.lgamma(x), -1) - tf.lgamma(tf.reduce_sum(x, -1))

    def _log_prob(self, counts):
        return self._choices(counts) + self._lbeta(self.concentration + counts) - self._lbeta(self.concentration)

    def _scale_squared(self):
        total = self.total_concentration
        return ((self.total_count + total) / (1. + total))[..., tf.newaxis]

    def _variance(self):
        share = self.concentration / self.total_concentration[..., tf.newaxis]
        return self._mean_value * (1. - share) * self._scale_squared()

    def _covariance(self):
        share = self.concentration / self.total_concentration[..., tf.newaxis]
        outer = tf.matmul((self._mean_value * self._scale_squared())[..., tf.newaxis], share[..., tf.newaxis, :])
        return tf.matrix_set_diag(-outer, self._variance())
