"""tf.TensorSpec: a dtype and a shape."""
import numpy as np

from . import dtypes
from .shapes import TensorShape


class TensorSpec:
    """What tensors may be given."""
    __slots__ = ('_shape', '_dtype', '_name')

    def __init__(self, shape, dtype=dtypes.float32, name=None):
        self._shape, self._dtype, self._name = TensorShape(shape), dtypes.as_dtype(dtype), name

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)

    @classmethod
    def from_spec(cls, spec, name=None):
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor, name=None):
        return cls(tensor.shape, tensor.dtype, name or tensor.op.name)

    def is_compatible_with(self, spec_or_tensor):
        dtype = dtypes.as_dtype(spec_or_tensor.dtype)
        return self._dtype.is_compatible_with(dtype) and self._shape.is_compatible_with(spec_or_tensor.shape)

    def __repr__(self):
        return 'TensorSpec(shape=%s, dtype=%r, name=%r)' % (self._shape, self._dtype, self._name)

    def __hash__(self):
        return hash((str(self._shape), self._dtype))

    def __eq__(self, other):
        return isinstance(other, TensorSpec) and str(self._shape) == str(other._shape) and self._dtype == other._dtype and \
            self._name == other._name

    def __ne__(self, other):
        return not self == other

    def __reduce__(self):
        return type(self), (self._shape.as_list() if self._shape.ndims is not None else None, self._dtype, self._name)


class BoundedTensorSpec(TensorSpec):
    """A TensorSpec with the least and the greatest value of every element."""
    __slots__ = ('_minimum', '_maximum')

    def __init__(self, shape, dtype, minimum, maximum, name=None):
        super().__init__(shape, dtype, name)
        if minimum is None or maximum is None:
            raise ValueError('minimum and maximum must be provided; but saw %r and %r' % (minimum, maximum))
        known = self.shape.as_list() if self.shape.ndims is not None else []
        for value, word in ((minimum, 'minimum'), (maximum, 'maximum')):
            try:
                np.broadcast_shapes(tuple(np.shape(value)), tuple(size or 1 for size in known))
            except ValueError as error:
                raise ValueError('%s is not compatible with shape. Message: %r.' % (word, error)) from None
        self._minimum = np.array(minimum, dtype=self.dtype.as_numpy_dtype)
        self._maximum = np.array(maximum, dtype=self.dtype.as_numpy_dtype)
        self._minimum.setflags(write=False)
        self._maximum.setflags(write=False)

    minimum = property(lambda self: self._minimum)
    maximum = property(lambda self: self._maximum)

    @classmethod
    def from_spec(cls, spec):
        dtype = dtypes.as_dtype(spec.dtype)
        return cls(spec.shape, dtype, getattr(spec, 'minimum', dtype.min), getattr(spec, 'maximum', dtype.max), spec.name)

    def __repr__(self):
        return 'BoundedTensorSpec(shape=%s, dtype=%r, name=%r, minimum=%r, maximum=%r)' % (
            self.shape, self.dtype, self.name, self.minimum, self.maximum)

    def __eq__(self, other):
        return super().__eq__(other) and np.allclose(self.minimum, other.minimum) and np.allclose(self.maximum, other.maximum)

    __hash__ = TensorSpec.__hash__
