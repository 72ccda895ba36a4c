"""Random tensors. Seeds follow the rule of (graph seed, op seed)."""
from . import _ops, dtypes
from .convert import constant, convert_to_tensor
from .scopes import get_seed, name_scope
from .shapes import TensorShape
from .tensor import Tensor


def _shape(shape):
    if isinstance(shape, TensorShape):
        shape = shape.as_list()
    if isinstance(shape, (list, tuple)) and not shape:
        return constant([], dtypes.int32, shape=[0], name='shape')
    return convert_to_tensor(shape, dtype=None if isinstance(shape, Tensor) else dtypes.int32, name='shape')


def _seeds(seed):
    first, second = get_seed(seed)
    return {'seed': first or 0, 'seed2': second or 0}


def _scaled(kind, shape, mean, stddev, dtype, seed, scope):
    shape = _shape(shape)
    mean = convert_to_tensor(mean, dtype=dtype, name='mean')
    stddev = convert_to_tensor(stddev, dtype=dtype, name='stddev')
    raw = kind(shape, dtype, **_seeds(seed))
    return _ops.add(raw * stddev, mean, name=scope)


def random_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    with name_scope(name, 'random_normal', [shape, mean, stddev]) as scope:
        return _scaled(_ops.random_standard_normal, shape, mean, stddev, dtype, seed, scope)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    with name_scope(name, 'truncated_normal', [shape, mean, stddev]) as scope:
        return _scaled(_ops.truncated_normal, shape, mean, stddev, dtype, seed, scope)


def parameterized_truncated_normal(shape, means=0.0, stddevs=1.0, minvals=-2.0, maxvals=2.0, dtype=dtypes.float32, seed=None,
                                   name=None):
    with name_scope(name, 'parameterized_truncated_normal'):
        values = [convert_to_tensor(item, dtype=dtype) for item in (means, stddevs, minvals, maxvals)]
        return _ops.parameterized_truncated_normal(_shape(shape), *values, **_seeds(seed))


def random_uniform(shape, minval=0, maxval=None, dtype=dtypes.float32, seed=None, name=None):
    dtype = dtypes.as_dtype(dtype)
    if maxval is None:
        if dtype.is_integer:
            raise ValueError('Must specify maxval for integer dtype %r' % dtype)
        maxval = 1
    with name_scope(name, 'random_uniform', [shape, minval, maxval]) as scope:
        shape = _shape(shape)
        minval = convert_to_tensor(minval, dtype=dtype, name='min')
        maxval = convert_to_tensor(maxval, dtype=dtype, name='max')
        if dtype.is_integer:
            return _ops.random_uniform_int(shape, minval, maxval, name=scope, **_seeds(seed))
        raw = _ops.random_uniform(shape, dtype, **_seeds(seed))
        return _ops.add(raw * (maxval - minval), minval, name=scope)


def random_shuffle(value, seed=None, name=None):
    return _ops.random_shuffle(value, name=name, **_seeds(seed))


def random_crop(value, size, seed=None, name=None):
    from .array_ops import shape, slice
    from .control_flow_ops import Assert, with_dependencies
    from .math_ops import reduce_all
    with name_scope(name, 'random_crop', [value, size]) as scope:
        value = convert_to_tensor(value, name='value')
        size = convert_to_tensor(size, dtype=dtypes.int32, name='size')
        whole = shape(value)
        check = Assert(reduce_all(whole >= size), ['Need value.shape >= size, got ', whole, size])
        whole = with_dependencies([check], whole)
        limit = whole - size + 1
        offset = random_uniform(shape(whole), dtype=size.dtype, maxval=size.dtype.max, seed=seed) % limit
        return slice(value, offset, size, name=scope)


def multinomial(logits, num_samples, seed=None, name=None, output_dtype=None):
    with name_scope(name, 'multinomial', [logits]):
        return _ops.multinomial(convert_to_tensor(logits, name='logits'), num_samples, output_dtype=output_dtype or dtypes.int64,
                                **_seeds(seed))


def categorical(logits, num_samples, dtype=None, seed=None, name=None):
    with name_scope(name, 'categorical', [logits]):
        return _ops.multinomial(convert_to_tensor(logits, name='logits'), num_samples, output_dtype=dtype or dtypes.int64,
                                **_seeds(seed))


def random_gamma(shape, alpha, beta=None, dtype=dtypes.float32, seed=None, name=None):
    from .array_ops import ones_like
    from .math_ops import maximum
    import numpy as np
    with name_scope(name, 'random_gamma', [shape, alpha, beta]):
        shape = convert_to_tensor(shape, name='shape', dtype=dtypes.int32)
        alpha = convert_to_tensor(alpha, name='alpha', dtype=dtype)
        beta = convert_to_tensor(beta if beta is not None else 1, name='beta', dtype=dtype)
        alpha = alpha + (beta * 0)
        tiny = np.finfo(alpha.dtype.as_numpy_dtype).tiny
        return maximum(tiny, _ops.random_gamma(shape, alpha, **_seeds(seed)) / beta)


def random_poisson(lam, shape, dtype=dtypes.float32, seed=None, name=None):
    with name_scope(name, 'random_poisson', [lam, shape]):
        return _ops.random_poisson_v2(_shape(shape), convert_to_tensor(lam, name='lam'), dtype=dtype, **_seeds(seed))
