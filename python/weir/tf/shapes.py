"""Shapes: TensorShape of Dimensions, either of which may be unknown."""


class Dimension:
    """A size, or None when it is not known. Operators give None when an operand is unknown."""
    __slots__ = ('_value',)

    def __init__(self, value):
        if isinstance(value, Dimension):
            value = value._value
        elif value is not None:
            number = int(value) if not hasattr(value, '__index__') else value.__index__()
            if not isinstance(value, (str, bytes)) and number != value and not isinstance(value, bytes):
                raise ValueError('Ambiguous dimension: %s' % (value,))
            if number < 0:
                raise ValueError('Dimension %d must be >= 0' % number)
            value = number
        self._value = value

    @property
    def value(self):
        return self._value

    def __repr__(self):
        return 'Dimension(%r)' % self._value

    def __str__(self):
        return '?' if self._value is None else str(self._value)

    def __int__(self):
        if self._value is None:
            raise TypeError('__int__ returned non-int (type NoneType)')
        return self._value

    __long__ = __int__

    def __index__(self):
        if self._value is None:
            raise TypeError('an unknown Dimension cannot be used as an index')
        return self._value

    def __hash__(self):
        return hash(self._value)

    def __bool__(self):
        return bool(self._value)

    def __eq__(self, other):
        return _compare(self, other, lambda a, b: a == b)

    def __ne__(self, other):
        return _compare(self, other, lambda a, b: a != b)

    def __lt__(self, other):
        return _compare(self, other, lambda a, b: a < b)

    def __le__(self, other):
        return _compare(self, other, lambda a, b: a <= b)

    def __gt__(self, other):
        return _compare(self, other, lambda a, b: a > b)

    def __ge__(self, other):
        return _compare(self, other, lambda a, b: a >= b)

    def __add__(self, other):
        return _combine(self, other, lambda a, b: a + b)

    def __sub__(self, other):
        return _combine(self, other, lambda a, b: a - b)

    def __mul__(self, other):
        return _combine(self, other, lambda a, b: a * b)

    def __floordiv__(self, other):
        return _combine(self, other, lambda a, b: a // b)

    def __mod__(self, other):
        return _combine(self, other, lambda a, b: a % b)

    def __rsub__(self, other):
        return as_dimension(other) - self

    def __rfloordiv__(self, other):
        return as_dimension(other) // self

    def __rmod__(self, other):
        return as_dimension(other) % self

    __radd__, __rmul__, __div__ = __add__, __mul__, __floordiv__

    def __truediv__(self, other):
        raise TypeError("unsupported operand type(s) for /: 'Dimension' and '%s', please use // instead" %
                        type(other).__name__)

    def __rtruediv__(self, other):
        raise TypeError("unsupported operand type(s) for /: '%s' and 'Dimension', please use // instead" %
                        type(other).__name__)

    def is_compatible_with(self, other):
        other = as_dimension(other)
        return self._value is None or other._value is None or self._value == other._value

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError('Dimensions %s and %s are not compatible' % (self, other))

    def merge_with(self, other):
        other = as_dimension(other)
        self.assert_is_compatible_with(other)
        return Dimension(other._value if self._value is None else self._value)


def _combine(a, b, act):
    try:
        b = as_dimension(b)
    except (TypeError, ValueError):
        return NotImplemented
    return Dimension(None if a._value is None or b._value is None else act(a._value, b._value))


def _compare(a, b, act):
    try:
        b = as_dimension(b)
    except (TypeError, ValueError):
        return NotImplemented
    return None if a._value is None or b._value is None else act(a._value, b._value)


def as_dimension(value):
    return value if isinstance(value, Dimension) else Dimension(value)


def dimension_value(dimension):
    return dimension.value if isinstance(dimension, Dimension) else dimension


def dimension_at_index(shape, index):
    return Dimension(None) if shape.rank is None else shape.dims[index]


class TensorShape:
    """Dimensions in order, or None when not even their number is known."""
    __slots__ = ('_dims',)

    def __init__(self, dims):
        if dims is None:
            self._dims = None
        elif isinstance(dims, TensorShape):
            self._dims = dims._dims
        elif hasattr(dims, 'unknown_rank'):
            self._dims = None if dims.unknown_rank else tuple(d.size if d.size != -1 else None for d in dims.dim)
        else:
            try:
                items = iter(dims)
            except TypeError:
                items = iter([dims])
            self._dims = tuple(as_dimension(item)._value for item in items)

    @classmethod
    def _of(cls, dims):
        """Of a tuple of ints and None, or None, without checks."""
        shape = cls.__new__(cls)
        shape._dims = dims
        return shape

    @property
    def dims(self):
        return None if self._dims is None else [Dimension(dim) for dim in self._dims]

    @property
    def ndims(self):
        return None if self._dims is None else len(self._dims)

    rank = ndims

    def __len__(self):
        if self._dims is None:
            raise ValueError('Cannot take the length of shape with unknown rank.')
        return len(self._dims)

    def __bool__(self):
        return self._dims is not None

    def __iter__(self):
        if self._dims is None:
            raise ValueError('Cannot iterate over a shape with unknown rank.')
        return iter([Dimension(dim) for dim in self._dims])

    def __getitem__(self, key):
        if self._dims is not None:
            return TensorShape._of(self._dims[key]) if isinstance(key, slice) else Dimension(self._dims[key])
        if not isinstance(key, slice):
            return Dimension(None)
        start, stop = key.start or 0, key.stop
        if key.step is not None:
            raise ValueError('Steps are not yet handled')
        if stop is None or start < 0 or stop < 0:
            return unknown_shape()
        return unknown_shape(ndims=stop - start)

    def __repr__(self):
        return 'TensorShape(%r)' % (None if self._dims is None else self.dims,)

    def __str__(self):
        if self._dims is None:
            return '<unknown>'
        if len(self._dims) == 1:
            return '(%s,)' % Dimension(self._dims[0])
        return '(%s)' % ', '.join(str(Dimension(dim)) for dim in self._dims)

    def __eq__(self, other):
        try:
            other = as_shape(other)
        except (TypeError, ValueError):
            return NotImplemented
        return self._dims == other._dims

    def __ne__(self, other):
        try:
            other = as_shape(other)
        except (TypeError, ValueError):
            return NotImplemented
        if self._dims is None or other._dims is None:
            raise ValueError('The inequality of unknown TensorShapes is undefined.')
        return self._dims != other._dims

    def __hash__(self):
        return hash(self._dims)

    def __add__(self, other):
        return self.concatenate(other)

    def __reduce__(self):
        return TensorShape, (None if self._dims is None else list(self._dims),)

    def as_list(self):
        if self._dims is None:
            raise ValueError('as_list() is not defined on an unknown TensorShape.')
        return list(self._dims)

    def as_proto(self):
        from .messages import TensorShapeProto
        proto = TensorShapeProto()
        if self._dims is None:
            proto.unknown_rank = True
            return proto
        for dim in self._dims:
            proto.dim.add(size=-1 if dim is None else dim)
        return proto

    def num_elements(self):
        if not self.is_fully_defined():
            return None
        total = 1
        for dim in self._dims:
            total *= dim
        return total

    def is_fully_defined(self):
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self):
        if not self.is_fully_defined():
            raise ValueError('Shape %s is not fully defined' % self)

    def is_compatible_with(self, other):
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return True
        return len(self._dims) == len(other._dims) and all(
            a is None or b is None or a == b for a, b in zip(self._dims, other._dims))

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError('Shapes %s and %s are incompatible' % (self, as_shape(other)))

    def most_specific_compatible_shape(self, other):
        other = as_shape(other)
        if self._dims is None or other._dims is None or len(self._dims) != len(other._dims):
            return unknown_shape()
        return TensorShape._of(tuple(a if a == b else None for a, b in zip(self._dims, other._dims)))

    def merge_with(self, other):
        other = as_shape(other)
        if self._dims is None:
            return other
        if other._dims is None:
            return self
        try:
            self.assert_same_rank(other)
            return TensorShape([a.merge_with(b) for a, b in zip(self.dims, other.dims)])
        except ValueError:
            raise ValueError('Shapes %s and %s are not compatible' % (self, other))

    def concatenate(self, other):
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return unknown_shape()
        return TensorShape._of(self._dims + other._dims)

    def assert_same_rank(self, other):
        other = as_shape(other)
        if self._dims is not None and other._dims is not None and len(self._dims) != len(other._dims):
            raise ValueError('Shapes %s and %s must have the same rank' % (self, other))

    def assert_has_rank(self, rank):
        if self.ndims not in (None, rank):
            raise ValueError('Shape %s must have rank %d' % (self, rank))

    def with_rank(self, rank):
        try:
            return self.merge_with(unknown_shape(ndims=rank))
        except ValueError:
            raise ValueError('Shape %s must have rank %d' % (self, rank))

    def with_rank_at_least(self, rank):
        if self.ndims is not None and self.ndims < rank:
            raise ValueError('Shape %s must have rank at least %d' % (self, rank))
        return self

    def with_rank_at_most(self, rank):
        if self.ndims is not None and self.ndims > rank:
            raise ValueError('Shape %s must have rank at most %d' % (self, rank))
        return self


def as_shape(shape):
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def unknown_shape(rank=None, **kwargs):
    rank = kwargs.get('ndims', rank)
    return TensorShape._of(None if rank is None else (None,) * rank)


def scalar():
    return TensorShape._of(())


def vector(length):
    return TensorShape([length])


def matrix(rows, cols):
    return TensorShape([rows, cols])
