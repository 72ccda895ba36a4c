"""tf.random.stateless_*: random values that are a function of a seed alone."""
from . import _ops, array_ops, dtypes, math_ops
from .convert import convert_to_tensor
from .scopes import name_scope


def _shape(shape):
    return convert_to_tensor(shape, dtype=None if hasattr(shape, 'dtype') else dtypes.int32, name='shape')


def stateless_random_uniform(shape, seed, minval=0, maxval=None, dtype=dtypes.float32, name=None):
    dtype = dtypes.as_dtype(dtype)
    if maxval is None:
        if dtype.is_integer:
            raise ValueError('Must specify maxval for integer dtype %r' % dtype)
        maxval = 1
    with name_scope(name, 'stateless_random_uniform', [shape, seed, minval, maxval]) as scope:
        shape = _shape(shape)
        minval, maxval = convert_to_tensor(minval, dtype, name='min'), convert_to_tensor(maxval, dtype, name='max')
        if dtype.is_integer:
            return _ops.stateless_random_uniform_int(shape, seed, minval, maxval, name=scope)
        return math_ops.add(_ops.stateless_random_uniform(shape, seed, dtype) * (maxval - minval), minval, name=scope)


def _scaled(make, label, shape, seed, mean, stddev, dtype, name):
    with name_scope(name, label, [shape, seed, mean, stddev]) as scope:
        mean, stddev = convert_to_tensor(mean, dtype, name='mean'), convert_to_tensor(stddev, dtype, name='stddev')
        return math_ops.add(make(_shape(shape), seed, dtype) * stddev, mean, name=scope)


def stateless_random_normal(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
    return _scaled(_ops.stateless_random_normal, 'stateless_random_normal', shape, seed, mean, stddev, dtype, name)


def stateless_truncated_normal(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
    return _scaled(_ops.stateless_truncated_normal, 'stateless_truncated_normal', shape, seed, mean, stddev, dtype, name)


def stateless_multinomial(logits, num_samples, seed, output_dtype=dtypes.int64, name=None):
    with name_scope(name, 'stateless_multinomial', [logits, seed]):
        return _ops.stateless_multinomial(convert_to_tensor(logits, name='logits'), num_samples, seed, output_dtype)


def stateless_categorical(logits, num_samples, seed, dtype=dtypes.int64, name=None):
    with name_scope(name, 'stateless_categorical', [logits, seed]):
        return _ops.stateless_multinomial(convert_to_tensor(logits, name='logits'), num_samples, seed, dtype)
