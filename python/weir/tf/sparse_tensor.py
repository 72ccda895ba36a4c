"""SparseTensor: indices, values and a dense shape."""
import collections

import numpy as np

from . import dtypes
from .convert import constant_value_as_shape, convert_to_tensor
from .graph import get_default_graph
from .shapes import TensorShape
from .tensor import Tensor

SparseTensorValue = collections.namedtuple('SparseTensorValue', ['indices', 'values', 'dense_shape'])


class SparseTensor:
    """The elements values[i] at indices[i] of a tensor of shape dense_shape."""

    def __init__(self, indices, values, dense_shape):
        with get_default_graph().name_scope('SparseTensor'):
            self._indices = convert_to_tensor(indices, dtypes.int64, 'indices')
            self._values = convert_to_tensor(values, name='values')
            self._dense_shape = convert_to_tensor(dense_shape, dtypes.int64, 'dense_shape')
        self._indices.get_shape().with_rank(2)
        self._values.get_shape().with_rank(1)
        self._dense_shape.get_shape().with_rank(1)

    @classmethod
    def from_value(cls, sparse_tensor_value):
        value = sparse_tensor_value
        if isinstance(value, SparseTensor):
            return value
        if not isinstance(value, SparseTensorValue) and not hasattr(value, 'dense_shape'):
            raise TypeError('Neither a SparseTensor nor SparseTensorValue: %s.' % (value,))
        return cls(indices=value.indices, values=value.values, dense_shape=value.dense_shape)

    indices = property(lambda self: self._indices)
    values = property(lambda self: self._values)
    dense_shape = property(lambda self: self._dense_shape)
    op = property(lambda self: self._values.op)
    dtype = property(lambda self: self._values.dtype)
    graph = property(lambda self: self._indices.graph)

    @property
    def shape(self):
        return self.get_shape()

    def get_shape(self):
        return constant_value_as_shape(self._dense_shape) if isinstance(self._dense_shape, Tensor) else \
            TensorShape(np.asarray(self._dense_shape).tolist())

    def consumers(self):
        return list(dict.fromkeys(op for part in (self._indices, self._values, self._dense_shape)
                                  for op in part.consumers()))

    def eval(self, feed_dict=None, session=None):
        from .session import _eval
        return _eval(self, feed_dict, self.graph, session)

    def __str__(self):
        return 'SparseTensor(indices=%s, values=%s, dense_shape=%s)' % (self._indices, self._values, self._dense_shape)

    def __mul__(self, other):
        from . import sparse_ops
        return sparse_ops.sparse_dense_mul(self, other)

    def __truediv__(self, other):
        from . import sparse_ops
        return sparse_ops.sparse_dense_div(self, other)


def is_sparse(x):
    return isinstance(x, (SparseTensor, SparseTensorValue))


def convert_to_tensor_or_sparse_tensor(value, dtype=None, name=None):
    if isinstance(value, SparseTensorValue):
        value = SparseTensor.from_value(value)
    if isinstance(value, SparseTensor):
        if dtype and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise RuntimeError('Sparse dtype: requested = %s, actual = %s' % (dtypes.as_dtype(dtype).name, value.dtype.name))
        return value
    return convert_to_tensor(value, dtype=dtype, name=name)
