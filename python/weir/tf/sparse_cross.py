"""tf.sparse.cross and cross_hashed: combinations of features as text or hashes."""
from . import _ops, dtypes, math_ops
from .convert import convert_to_tensor
from .sparse_tensor import SparseTensor

_KEY = 0xDECAFCAFFE


def _taken(values, hashed):
    """Text as it is; numbers as int64 where they are hashed, else as text."""
    if values.dtype.base_dtype == dtypes.string:
        return values
    return math_ops.cast(values, dtypes.int64) if hashed else _ops.as_string(values)


def _cross(inputs, hashed_output, num_buckets, hash_key, name):
    sparse = [item for item in inputs if isinstance(item, SparseTensor)]
    dense = [_taken(convert_to_tensor(item), hashed_output) for item in inputs if not isinstance(item, SparseTensor)]
    found = _ops.sparse_cross([item.indices for item in sparse], [_taken(item.values, hashed_output) for item in sparse],
                              [item.dense_shape for item in sparse], dense, hashed_output, num_buckets,
                              _KEY if hash_key is None else hash_key, dtypes.int64 if hashed_output else dtypes.string,
                              dtypes.int64 if hashed_output else dtypes.string, name=name)
    return SparseTensor(*found)


def cross_hashed(inputs, num_buckets=0, hash_key=None, name=None):
    return _cross(inputs, True, num_buckets, hash_key, name)


def cross(inputs, name=None):
    return _cross(inputs, False, 0, None, name)
