"""Initial values of variables."""
import math

import numpy as np

from . import dtypes
from .convert import constant
from .shapes import TensorShape


def _float(dtype):
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError('Expected floating point type, got %s.' % dtype)
    return dtype


class Initializer:
    """Makes a tensor of a shape: __call__(shape, dtype=None, partition_info=None)."""
    _settings = ()

    def __call__(self, shape, dtype=None, partition_info=None):
        raise NotImplementedError

    def get_config(self):
        return {name: getattr(self, name) if name != 'dtype' else self.dtype.name for name in self._settings}

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def _dims(self, shape):
        return shape.as_list() if isinstance(shape, TensorShape) else shape


class Zeros(Initializer):
    """Zeros."""
    _settings = ('dtype',)

    def __init__(self, dtype=dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        from .array_ops import zeros
        return zeros(shape, dtype or self.dtype)


class Ones(Initializer):
    """Ones."""
    _settings = ('dtype',)

    def __init__(self, dtype=dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        from .array_ops import ones
        return ones(shape, dtype or self.dtype)


class Constant(Initializer):
    """A value, or an array's values in order."""
    _settings = ('value', 'dtype')

    def __init__(self, value=0, dtype=dtypes.float32, verify_shape=False):
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError('Invalid type for initial value: %s (expected Python scalar, list or tuple of values, or '
                            'numpy.ndarray).' % type(value))
        self.value, self.dtype, self._verify_shape = value, dtypes.as_dtype(dtype), verify_shape

    def __call__(self, shape, dtype=None, partition_info=None, verify_shape=None):
        verify = self._verify_shape if verify_shape is None else verify_shape
        dtype = dtypes.as_dtype(dtype or self.dtype)
        value = self.value
        if not np.isscalar(value):
            value = np.asarray(value).astype(dtype.as_numpy_dtype) if dtype != dtypes.string else value
        elif dtype.is_floating and not isinstance(value, (str, bytes)):
            value = float(value)
        return constant(value, dtype=dtype, shape=shape, verify_shape=verify)


class RandomUniform(Initializer):
    """Numbers from [minval, maxval)."""
    _settings = ('minval', 'maxval', 'seed', 'dtype')

    def __init__(self, minval=0, maxval=None, seed=None, dtype=dtypes.float32):
        self.minval, self.maxval, self.seed, self.dtype = minval, maxval, seed, dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        from .random_ops import random_uniform
        return random_uniform(shape, self.minval, self.maxval, dtype or self.dtype, seed=self.seed)


class RandomNormal(Initializer):
    """Numbers from a normal distribution."""
    _settings = ('mean', 'stddev', 'seed', 'dtype')

    def __init__(self, mean=0.0, stddev=1.0, seed=None, dtype=dtypes.float32):
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, _float(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        from .random_ops import random_normal
        return random_normal(shape, self.mean, self.stddev, dtype or self.dtype, seed=self.seed)


class TruncatedNormal(Initializer):
    """Numbers from a normal distribution, drawn again beyond two standard deviations."""
    _settings = ('mean', 'stddev', 'seed', 'dtype')

    def __init__(self, mean=0.0, stddev=1.0, seed=None, dtype=dtypes.float32):
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, _float(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        from .random_ops import truncated_normal
        return truncated_normal(shape, self.mean, self.stddev, dtype or self.dtype, seed=self.seed)


class UniformUnitScaling(Initializer):
    """Uniform numbers that keep the scale of a product's input."""
    _settings = ('factor', 'seed', 'dtype')

    def __init__(self, factor=1.0, seed=None, dtype=dtypes.float32):
        self.factor, self.seed, self.dtype = factor, seed, _float(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        from .random_ops import random_uniform
        whole = partition_info.full_shape if partition_info is not None else self._dims(shape)
        size = 1.0
        for dim in whole[:-1]:
            size *= float(dim)
        limit = math.sqrt(3 / max(size, 1.0)) * self.factor
        return random_uniform(shape, -limit, limit, dtype or self.dtype, seed=self.seed)


def _compute_fans(shape):
    """How many values an element is computed from, and how many from it."""
    shape = [int(dim) for dim in shape]
    if len(shape) < 1:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    if len(shape) == 2:
        return shape[0], shape[1]
    field = 1
    for dim in shape[:-2]:
        field *= dim
    return shape[-2] * field, shape[-1] * field


class VarianceScaling(Initializer):
    """Numbers whose variance is `scale` over the fans."""
    _settings = ('scale', 'mode', 'distribution', 'seed', 'dtype')

    def __init__(self, scale=1.0, mode='fan_in', distribution='truncated_normal', seed=None, dtype=dtypes.float32):
        if scale <= 0.:
            raise ValueError('`scale` must be positive float.')
        if mode not in ('fan_in', 'fan_out', 'fan_avg'):
            raise ValueError('Invalid `mode` argument: %s' % mode)
        distribution = distribution.lower()
        if distribution not in ('normal', 'uniform', 'truncated_normal', 'untruncated_normal'):
            raise ValueError('Invalid `distribution` argument: %s' % distribution)
        self.scale, self.mode, self.distribution, self.seed, self.dtype = scale, mode, distribution, seed, _float(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        from . import random_ops
        dtype = dtype or self.dtype
        whole = partition_info.full_shape if partition_info is not None else self._dims(shape)
        fan_in, fan_out = _compute_fans(whole)
        fan = {'fan_in': fan_in, 'fan_out': fan_out, 'fan_avg': (fan_in + fan_out) / 2.}[self.mode]
        scale = self.scale / max(1., fan)
        if self.distribution in ('normal', 'truncated_normal'):
            return random_ops.truncated_normal(shape, 0.0, math.sqrt(scale) / .87962566103423978, dtype, seed=self.seed)
        if self.distribution == 'untruncated_normal':
            return random_ops.random_normal(shape, 0.0, math.sqrt(scale), dtype, seed=self.seed)
        limit = math.sqrt(3.0 * scale)
        return random_ops.random_uniform(shape, -limit, limit, dtype, seed=self.seed)


class GlorotUniform(VarianceScaling):
    """Uniform, by the mean of both fans."""
    _settings = ('seed', 'dtype')

    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(1.0, 'fan_avg', 'uniform', seed, dtype)


class GlorotNormal(VarianceScaling):
    """Normal, by the mean of both fans."""
    _settings = ('seed', 'dtype')

    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(1.0, 'fan_avg', 'truncated_normal', seed, dtype)


class Orthogonal(Initializer):
    """An orthogonal matrix, from the QR decomposition of random numbers."""
    _settings = ('gain', 'seed', 'dtype')

    def __init__(self, gain=1.0, seed=None, dtype=dtypes.float32):
        self.gain, self.seed, self.dtype = gain, seed, _float(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        from . import _ops, array_ops, math_ops, random_ops
        dims = [int(dim) for dim in self._dims(shape)]
        if len(dims) < 2:
            raise ValueError('The tensor to initialize must be at least two-dimensional')
        rows = int(np.prod(dims[:-1]))
        flat = (max(dims[-1], rows), min(dims[-1], rows))
        raw = random_ops.random_normal(flat, dtype=dtype or self.dtype, seed=self.seed)
        q, r = _ops.qr(raw, full_matrices=False)
        q = q * math_ops.sign(array_ops.diag_part(r))
        if rows < dims[-1]:
            q = array_ops.matrix_transpose(q)
        return self.gain * array_ops.reshape(q, dims)


class Identity(Initializer):
    """The identity matrix times a gain."""
    _settings = ('gain', 'dtype')

    def __init__(self, gain=1.0, dtype=dtypes.float32):
        self.gain, self.dtype = gain, _float(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        from .array_ops import eye
        dims = self._dims(shape if partition_info is None else partition_info.full_shape)
        if len(dims) != 2:
            raise ValueError('Identity matrix initializer can only be used for 2D matrices.')
        return self.gain * eye(*dims, dtype=dtype or self.dtype)


class LecunNormal(VarianceScaling):
    _settings = ('seed', 'dtype')

    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(1.0, 'fan_in', 'truncated_normal', seed, dtype)


class LecunUniform(VarianceScaling):
    _settings = ('seed', 'dtype')

    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(1.0, 'fan_in', 'uniform', seed, dtype)


class HeNormal(VarianceScaling):
    _settings = ('seed', 'dtype')

    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(2.0, 'fan_in', 'truncated_normal', seed, dtype)


class HeUniform(VarianceScaling):
    _settings = ('seed', 'dtype')

    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(2.0, 'fan_in', 'uniform', seed, dtype)


zeros_initializer, ones_initializer, constant_initializer = Zeros, Ones, Constant
random_uniform_initializer, random_normal_initializer, truncated_normal_initializer = RandomUniform, RandomNormal, TruncatedNormal
uniform_unit_scaling_initializer, variance_scaling_initializer = UniformUnitScaling, VarianceScaling
orthogonal_initializer, identity_initializer = Orthogonal, Identity
glorot_uniform_initializer, glorot_normal_initializer = GlorotUniform, GlorotNormal
lecun_normal, lecun_uniform, he_normal, he_uniform = LecunNormal, LecunUniform, HeNormal, HeUniform


def __getattr__(name):
    short = {'convolutional_delta_orthogonal': 'ConvolutionDeltaOrthogonal', 'convolutional_orthogonal_1d': 'ConvolutionOrthogonal1D',
             'convolutional_orthogonal_2d': 'ConvolutionOrthogonal2D', 'convolutional_orthogonal_3d': 'ConvolutionOrthogonal3D'}
    if name in short or name in short.values():
        from . import init_orthogonal
        return getattr(init_orthogonal, short.get(name, name))
    raise AttributeError(name)
