"""tf.contrib.distributions.bijectors and TransformedDistribution: invertible functions and densities through them."""
import math

from ..distributions import Distribution
from ..public import tf
from ..shapes import TensorShape


class Bijector:
    """An invertible function. A kind defines _forward, _inverse and one log-determinant of its Jacobian, summed over an event by
    _ndims of its own dimensions."""
    _ndims = 0

    def __init__(self, graph_parents=None, is_constant_jacobian=False, validate_args=False, dtype=None, forward_min_event_ndims=None,
                 inverse_min_event_ndims=None, name=None):
        self._name = name or type(self).__name__.lower()
        self._validate_args, self._dtype, self._constant = validate_args, dtype, is_constant_jacobian
        if forward_min_event_ndims is not None or inverse_min_event_ndims is not None:
            self._ndims = forward_min_event_ndims if forward_min_event_ndims is not None else inverse_min_event_ndims

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    validate_args = property(lambda self: self._validate_args)
    is_constant_jacobian = property(lambda self: self._constant)
    forward_min_event_ndims = inverse_min_event_ndims = property(lambda self: self._ndims)

    def _converted(self, value, name):
        return tf.convert_to_tensor(value, dtype=None if hasattr(value, 'dtype') else self._dtype or tf.float32, name=name)

    def forward(self, x, name='forward', **kwargs):
        with tf.name_scope(self._name + '/' + name):
            return self._forward(self._converted(x, 'x'), **kwargs)

    def inverse(self, y, name='inverse', **kwargs):
        with tf.name_scope(self._name + '/' + name):
            return self._inverse(self._converted(y, 'y'), **kwargs)

    def _summed(self, value, event_ndims, like):
        """A log-determinant summed over the dimensions of an event beyond the bijector's own."""
        extra = int(event_ndims) - self._ndims
        if extra <= 0:
            return value
        rank = like.get_shape().ndims
        if value.get_shape().ndims is not None and rank is not None and value.get_shape().ndims < rank - self._ndims:
            first = rank - self._ndims - extra if value.get_shape().ndims == 0 else 0
            value = value + tf.zeros(tf.shape(like)[first:rank - self._ndims], value.dtype)
        return tf.reduce_sum(value, list(range(-extra, 0)))

    def forward_log_det_jacobian(self, x, event_ndims, name='forward_log_det_jacobian', **kwargs):
        with tf.name_scope(self._name + '/' + name):
            x = self._converted(x, 'x')
            if hasattr(self, '_forward_log_det_jacobian'):
                return self._summed(self._forward_log_det_jacobian(x, **kwargs), event_ndims, x)
            return -self._summed(self._inverse_log_det_jacobian(self._forward(x, **kwargs), **kwargs), event_ndims, x)

    def inverse_log_det_jacobian(self, y, event_ndims, name='inverse_log_det_jacobian', **kwargs):
        with tf.name_scope(self._name + '/' + name):
            y = self._converted(y, 'y')
            if hasattr(self, '_inverse_log_det_jacobian'):
                return self._summed(self._inverse_log_det_jacobian(y, **kwargs), event_ndims, y)
            return -self._summed(self._forward_log_det_jacobian(self._inverse(y, **kwargs), **kwargs), event_ndims, y)

    def forward_event_shape(self, input_shape):
        return TensorShape(input_shape)

    inverse_event_shape = forward_event_shape


ConditionalBijector = Bijector


class Identity(Bijector):
    def __init__(self, validate_args=False, name='identity'):
        super().__init__(is_constant_jacobian=True, validate_args=validate_args, name=name)

    def _forward(self, x):
        return x

    _inverse = _forward

    def _forward_log_det_jacobian(self, x):
        return tf.zeros([], x.dtype)


class PowerTransform(Bijector):
    """(1 + x c) ** (1 / c); exp(x) when c is 0."""

    def __init__(self, power=0.0, validate_args=False, name='power_transform'):
        super().__init__(validate_args=validate_args, name=name)
        if power < 0:
            raise ValueError('`power` must be a non-negative TF constant.')
        self.power = power

    def _forward(self, x):
        return tf.exp(x) if self.power == 0. else tf.exp(tf.log1p(x * self.power) / self.power)

    def _inverse(self, y):
        return tf.log(y) if self.power == 0. else tf.expm1(tf.log(y) * self.power) / self.power

    def _inverse_log_det_jacobian(self, y):
        return (self.power - 1.) * tf.log(y)

    def _forward_log_det_jacobian(self, x):
        return x if self.power == 0. else (1. / self.power - 1.) * tf.log1p(x * self.power)


class Exp(PowerTransform):
    def __init__(self, validate_args=False, name='exp'):
        super().__init__(validate_args=validate_args, name=name)


class Sigmoid(Bijector):
    def __init__(self, validate_args=False, name='sigmoid'):
        super().__init__(validate_args=validate_args, name=name)

    def _forward(self, x):
        return tf.sigmoid(x)

    def _inverse(self, y):
        return tf.log(y) - tf.log1p(-y)

    def _inverse_log_det_jacobian(self, y):
        return -tf.log1p(-y) - tf.log(y)

    def _forward_log_det_jacobian(self, x):
        return -tf.nn.softplus(-x) - tf.nn.softplus(x)


class Softplus(Bijector):
    def __init__(self, hinge_softness=None, validate_args=False, name='softplus'):
        super().__init__(validate_args=validate_args, name=name)
        self.hinge_softness = hinge_softness

    def _soft(self, value):
        return 1. if self.hinge_softness is None else tf.cast(self.hinge_softness, value.dtype)

    def _forward(self, x):
        soft = self._soft(x)
        return soft * tf.nn.softplus(x / soft)

    def _inverse(self, y):
        from ..distribution_math import softplus_inverse
        soft = self._soft(y)
        return soft * softplus_inverse(y / soft)

    def _inverse_log_det_jacobian(self, y):
        return -tf.log(-tf.expm1(-y / self._soft(y)))

    def _forward_log_det_jacobian(self, x):
        return -tf.nn.softplus(-x / self._soft(x))


class Softsign(Bijector):
    def __init__(self, validate_args=False, name='softsign'):
        super().__init__(validate_args=validate_args, name=name)

    def _forward(self, x):
        return x / (1. + tf.abs(x))

    def _inverse(self, y):
        return y / (1. - tf.abs(y))

    def _forward_log_det_jacobian(self, x):
        return -2. * tf.log1p(tf.abs(x))

    def _inverse_log_det_jacobian(self, y):
        return -2. * tf.log1p(-tf.abs(y))


class Square(Bijector):
    def __init__(self, validate_args=False, name='square'):
        super().__init__(validate_args=validate_args, name=name)

    def _forward(self, x):
        return tf.square(x)

    def _inverse(self, y):
        return tf.sqrt(y)

    def _forward_log_det_jacobian(self, x):
        return math.log(2.) + tf.log(x)


class AffineScalar(Bijector):
    def __init__(self, shift=None, scale=None, validate_args=False, name='affine_scalar'):
        super().__init__(is_constant_jacobian=True, validate_args=validate_args, name=name)
        kind = lambda value: None if value is None else tf.convert_to_tensor(value, dtype=None if hasattr(value, 'dtype') else tf.float32)
        self.shift, self.scale = kind(shift), kind(scale)

    def _forward(self, x):
        x = x if self.scale is None else x * self.scale
        return x if self.shift is None else x + self.shift

    def _inverse(self, y):
        y = y if self.shift is None else y - self.shift
        return y if self.scale is None else y / self.scale

    def _forward_log_det_jacobian(self, x):
        return tf.zeros([], x.dtype) if self.scale is None else tf.log(tf.abs(self.scale))


class Affine(Bijector):
    """scale @ x + shift of vectors; the scale is the sum of a multiple of the identity, a diagonal and a lower triangle."""
    _ndims = 1

    def __init__(self, shift=None, scale_identity_multiplier=None, scale_diag=None, scale_tril=None, scale_perturb_factor=None,
                 scale_perturb_diag=None, validate_args=False, name='affine'):
        super().__init__(is_constant_jacobian=True, validate_args=validate_args, name=name)
        if scale_perturb_factor is not None or scale_perturb_diag is not None:
            raise NotImplementedError('weir has no Affine with a perturbation of low rank')
        kind = lambda value: None if value is None else tf.convert_to_tensor(value, dtype=None if hasattr(value, 'dtype') else tf.float32)
        self.shift, tril, diag, many = kind(shift), kind(scale_tril), kind(scale_diag), kind(scale_identity_multiplier)
        if many is not None:
            diag = many[..., tf.newaxis] if diag is None else diag + many[..., tf.newaxis]
        if tril is not None:
            tril = tf.matrix_band_part(tril, -1, 0)
            tril = tril if diag is None else tf.matrix_set_diag(tril, tf.matrix_diag_part(tril) + diag)
        self._tril, self._diag = tril, diag

    def _forward(self, x):
        if self._tril is not None:
            x = tf.squeeze(tf.matmul(self._tril + tf.zeros(tf.concat([tf.shape(x), [1]], 0), x.dtype), x[..., tf.newaxis]), -1)
        elif self._diag is not None:
            x = x * self._diag
        return x if self.shift is None else x + self.shift

    def _inverse(self, y):
        y = y if self.shift is None else y - self.shift
        if self._tril is not None:
            tril = self._tril + tf.zeros(tf.concat([tf.shape(y), [1]], 0), y.dtype)
            return tf.squeeze(tf.matrix_triangular_solve(tril, y[..., tf.newaxis]), -1)
        return y if self._diag is None else y / self._diag

    def _forward_log_det_jacobian(self, x):
        if self._tril is None and self._diag is None:
            return tf.zeros([], x.dtype)
        diag = tf.matrix_diag_part(self._tril) if self._tril is not None else self._diag + tf.zeros(tf.shape(x)[-1:], x.dtype)
        return tf.reduce_sum(tf.log(tf.abs(diag)), -1)


class Permute(Bijector):
    _ndims = 1

    def __init__(self, permutation, validate_args=False, name=None):
        super().__init__(is_constant_jacobian=True, validate_args=validate_args, name=name or 'permute')
        self.permutation = tf.convert_to_tensor(permutation, name='permutation')

    def _forward(self, x):
        return tf.gather(x, self.permutation, axis=-1)

    def _inverse(self, y):
        return tf.gather(y, tf.invert_permutation(self.permutation), axis=-1)

    def _forward_log_det_jacobian(self, x):
        return tf.zeros([], x.dtype)


class Invert(Bijector):
    def __init__(self, bijector, validate_args=False, name=None):
        super().__init__(is_constant_jacobian=bijector.is_constant_jacobian, validate_args=validate_args,
                         name=name or 'invert_' + bijector.name)
        self.bijector, self._ndims = bijector, bijector._ndims

    def _forward(self, x, **kwargs):
        return self.bijector.inverse(x, **kwargs)

    def _inverse(self, y, **kwargs):
        return self.bijector.forward(y, **kwargs)

    def forward_log_det_jacobian(self, x, event_ndims, name='forward_log_det_jacobian', **kwargs):
        return self.bijector.inverse_log_det_jacobian(x, event_ndims, **kwargs)

    def inverse_log_det_jacobian(self, y, event_ndims, name='inverse_log_det_jacobian', **kwargs):
        return self.bijector.forward_log_det_jacobian(y, event_ndims, **kwargs)


class Chain(Bijector):
    """The last bijector is applied first."""

    def __init__(self, bijectors=None, validate_args=False, name=None):
        self.bijectors = list(bijectors or ())
        super().__init__(validate_args=validate_args, name=name or ('_of_'.join(['chain'] + [b.name for b in self.bijectors])
                                                                   if self.bijectors else 'identity'))
        self._ndims = max([b._ndims for b in self.bijectors] or [0])

    def _forward(self, x, **kwargs):
        for bijector in reversed(self.bijectors):
            x = bijector.forward(x, **kwargs.get(bijector.name, {}))
        return x

    def _inverse(self, y, **kwargs):
        for bijector in self.bijectors:
            y = bijector.inverse(y, **kwargs.get(bijector.name, {}))
        return y

    def forward_log_det_jacobian(self, x, event_ndims, name='forward_log_det_jacobian', **kwargs):
        x = self._converted(x, 'x')
        total = tf.zeros([], x.dtype)
        for bijector in reversed(self.bijectors):
            more = kwargs.get(bijector.name, {})
            total += bijector.forward_log_det_jacobian(x, event_ndims, **more)
            x = bijector.forward(x, **more)
        return total

    def inverse_log_det_jacobian(self, y, event_ndims, name='inverse_log_det_jacobian', **kwargs):
        y = self._converted(y, 'y')
        total = tf.zeros([], y.dtype)
        for bijector in self.bijectors:
            more = kwargs.get(bijector.name, {})
            total += bijector.inverse_log_det_jacobian(y, event_ndims, **more)
            y = bijector.inverse(y, **more)
        return total


class Inline(Bijector):
    """A bijector of given functions."""

    def __init__(self, forward_fn=None, inverse_fn=None, inverse_log_det_jacobian_fn=None, forward_log_det_jacobian_fn=None,
                 forward_event_shape_fn=None, forward_event_shape_tensor_fn=None, inverse_event_shape_fn=None,
                 inverse_event_shape_tensor_fn=None, is_constant_jacobian=False, validate_args=False, forward_min_event_ndims=None,
                 inverse_min_event_ndims=None, name='inline'):
        super().__init__(is_constant_jacobian=is_constant_jacobian, validate_args=validate_args,
                         forward_min_event_ndims=forward_min_event_ndims, inverse_min_event_ndims=inverse_min_event_ndims, name=name)
        for own, given in (('_forward', forward_fn), ('_inverse', inverse_fn), ('_inverse_log_det_jacobian', inverse_log_det_jacobian_fn),
                           ('_forward_log_det_jacobian', forward_log_det_jacobian_fn)):
            if given is not None:
                setattr(self, own, given)


class RealNVP(Bijector):
    """The first num_masked values stay; the others are scaled and shifted by what a network makes of them."""
    _ndims = 1

    def __init__(self, num_masked, shift_and_log_scale_fn, is_constant_jacobian=False, validate_args=False, name=None):
        super().__init__(is_constant_jacobian=is_constant_jacobian, validate_args=validate_args, name=name or 'real_nvp')
        if num_masked <= 0:
            raise ValueError('num_masked must be a positive integer.')
        self._masked, self._act = num_masked, shift_and_log_scale_fn

    def _parts(self, x):
        kept, rest = x[..., :self._masked], x[..., self._masked:]
        return (kept, rest) + tuple(self._act(kept, int(x.get_shape()[-1]) - self._masked))

    def _forward(self, x):
        kept, rest, shift, log_scale = self._parts(x)
        rest = rest if log_scale is None else rest * tf.exp(log_scale)
        return tf.concat([kept, rest if shift is None else rest + shift], -1)

    def _inverse(self, y):
        kept, rest, shift, log_scale = self._parts(y)
        rest = rest if shift is None else rest - shift
        return tf.concat([kept, rest if log_scale is None else rest * tf.exp(-log_scale)], -1)

    def _forward_log_det_jacobian(self, x):
        log_scale = self._parts(x)[3]
        return tf.zeros([], x.dtype) if log_scale is None else tf.reduce_sum(log_scale, -1)

    def _inverse_log_det_jacobian(self, y):
        return -self._forward_log_det_jacobian(y)


def real_nvp_default_template(hidden_layers, shift_only=False, activation=tf.nn.relu, name=None, *args, **kwargs):
    """A network for RealNVP: layers of tf.layers.dense, then shift and logarithm of the scale."""
    with tf.name_scope(name, 'real_nvp_default_template'):
        def act(x, output_units):
            for units in hidden_layers:
                x = tf.layers.dense(x, units, activation=activation, *args, **kwargs)
            x = tf.layers.dense(x, (1 if shift_only else 2) * output_units, activation=None, *args, **kwargs)
            return (x, None) if shift_only else tuple(tf.split(x, 2, axis=-1))
        return tf.make_template('real_nvp_default_template', act)


class TransformedDistribution(Distribution):
    """The distribution of what a bijector makes of another's samples."""

    def __init__(self, distribution, bijector=None, batch_shape=None, event_shape=None, validate_args=False, name=None):
        self.distribution, self.bijector = distribution, bijector or Identity()
        self._event = TensorShape(event_shape) if event_shape is not None else distribution.event_shape
        self._batch = TensorShape(batch_shape) if batch_shape is not None else distribution.batch_shape
        name = name or self.bijector.name + distribution.name
        super().__init__(distribution.dtype, name, validate_args, distribution.allow_nan_stats)
        self._wider = event_shape is not None, batch_shape is not None

    def _event_shape(self):
        return self._event

    def _batch_shape(self):
        return self._batch

    def _batch_shape_tensor(self):
        return self.distribution.batch_shape_tensor()

    def _sample_n(self, n, seed):
        shape = [n]
        if self._wider[1]:
            shape += self._batch.as_list()
        if self._wider[0]:
            shape += self._event.as_list()
        drawn = self.distribution.sample(shape, seed=seed)
        return self.bijector.forward(drawn)

    def _log_prob(self, y):
        x = self.bijector.inverse(y)
        ndims = self._event.ndims
        found = self.distribution.log_prob(x)
        extra = ndims - self.distribution.event_shape.ndims
        found = tf.reduce_sum(found, list(range(-extra, 0))) if extra > 0 else found
        return found + self.bijector.inverse_log_det_jacobian(y, event_ndims=ndims)

    def _cdf(self, y):
        return self.distribution.cdf(self.bijector.inverse(y))

    def _quantile(self, p):
        return self.bijector.forward(self.distribution.quantile(p))

    def _mean(self):
        if not self.bijector.is_constant_jacobian:
            raise NotImplementedError('a mean through %s, which is not affine, has no closed form: average samples'
                                      % self.bijector.name)
        return self.bijector.forward(self.distribution.mean())

    def _entropy(self):
        if not self.bijector.is_constant_jacobian:
            raise NotImplementedError('an entropy through %s, whose Jacobian varies, has no closed form: average '
                                      '-log_prob of samples' % self.bijector.name)
        found = self.distribution.entropy()
        return found + self.bijector.forward_log_det_jacobian(self.distribution.mean(), event_ndims=self._event.ndims)
