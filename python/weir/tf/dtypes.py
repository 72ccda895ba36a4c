"""The types of tensors' elements: tf.float32 and the others."""
import numpy as np

_NAMES = {1: 'float32', 2: 'float64', 3: 'int32', 4: 'uint8', 5: 'int16', 6: 'int8', 7: 'string', 8: 'complex64', 9: 'int64',
          10: 'bool', 11: 'qint8', 12: 'quint8', 13: 'qint32', 14: 'bfloat16', 15: 'qint16', 16: 'quint16', 17: 'uint16',
          18: 'complex128', 19: 'float16', 20: 'resource', 21: 'variant', 22: 'uint32', 23: 'uint64'}
_NUMPY = {1: np.float32, 2: np.float64, 3: np.int32, 4: np.uint8, 5: np.int16, 6: np.int8, 7: np.object_, 8: np.complex64,
          9: np.int64, 10: np.bool_, 11: np.int8, 12: np.uint8, 13: np.int32, 14: np.uint16, 15: np.int16, 16: np.uint16,
          17: np.uint16, 18: np.complex128, 19: np.float16, 20: np.object_, 21: np.object_, 22: np.uint32, 23: np.uint64}
_FLOATS, _COMPLEX, _QUANTIZED = {1, 2, 14, 19}, {8, 18}, {11, 12, 13, 15, 16}
_INTEGERS, _UNSIGNED = {3, 4, 5, 6, 9, 17, 22, 23}, {4, 17, 22, 23}


class DType:
    """The type of a tensor's elements; a reference type is that of a variable's buffer."""
    __slots__ = ('_number', '__weakref__')

    def __init__(self, type_enum):
        number = int(type_enum)
        if number % 100 not in _NAMES or number >= 200:
            raise TypeError('type_enum is not a valid types_pb2.DataType: %s' % (type_enum,))
        self._number = number

    @property
    def as_datatype_enum(self):
        return self._number

    @property
    def name(self):
        return _NAMES[self._number % 100] + ('_ref' if self._number > 100 else '')

    @property
    def base_dtype(self):
        return _BY_NUMBER[self._number % 100]

    @property
    def _is_ref_dtype(self):
        return self._number > 100

    @property
    def _as_ref(self):
        return _BY_NUMBER[self._number % 100 + 100]

    @property
    def real_dtype(self):
        return {8: float32, 18: float64}.get(self._number % 100, self)

    @property
    def as_numpy_dtype(self):
        return _NUMPY[self._number % 100]

    @property
    def is_numpy_compatible(self):
        return self._number % 100 not in (20, 21)

    @property
    def is_floating(self):
        return self._number % 100 in _FLOATS

    @property
    def is_complex(self):
        return self._number % 100 in _COMPLEX

    @property
    def is_integer(self):
        return self._number % 100 in _INTEGERS

    @property
    def is_unsigned(self):
        return self._number % 100 in _UNSIGNED

    @property
    def is_quantized(self):
        return self._number % 100 in _QUANTIZED

    @property
    def is_bool(self):
        return self._number % 100 == 10

    @property
    def size(self):
        return 1 if self.base_dtype in (string, resource, variant) else np.dtype(self.as_numpy_dtype).itemsize

    @property
    def limits(self):
        return self.min, self.max

    @property
    def min(self):
        return self._limit('min')

    @property
    def max(self):
        return self._limit('max')

    def _limit(self, which):
        if self.is_quantized or self.base_dtype in (bool, string, complex64, complex128):
            raise TypeError('Cannot find %simum value of %s.' % (which, self))
        if self.base_dtype == bfloat16:
            return float.fromhex('0x1.FEp127') * (-1 if which == 'min' else 1)
        info = np.finfo if self.is_floating else np.iinfo
        return getattr(info(self.as_numpy_dtype), which)

    def is_compatible_with(self, other):
        other = as_dtype(other)
        return self._number in (other._number, other.base_dtype._number)

    def __eq__(self, other):
        if other is self:
            return True
        if other is None:
            return False
        if not isinstance(other, DType):
            try:
                other = as_dtype(other)
            except TypeError:
                return False
        return self._number == other._number

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return self._number

    def __int__(self):
        return self._number

    def __str__(self):
        return "<dtype: '%s'>" % self.name

    def __repr__(self):
        return 'tf.' + self.name

    def __reduce__(self):
        return as_dtype, (self.name,)


_BY_NUMBER = {number: DType(number) for base in _NAMES for number in (base, base + 100)}

float16 = half = _BY_NUMBER[19]
float32 = _BY_NUMBER[1]
float64 = double = _BY_NUMBER[2]
bfloat16 = _BY_NUMBER[14]

int8, int16, int32, int64 = (_BY_NUMBER[number] for number in (6, 5, 3, 9))
uint8, uint16, uint32, uint64 = (_BY_NUMBER[number] for number in (4, 17, 22, 23))
string, bool, complex64, complex128 = (_BY_NUMBER[number] for number in (7, 10, 8, 18))
qint8, quint8, qint16, quint16, qint32 = (_BY_NUMBER[number] for number in (11, 12, 15, 16, 13))
resource, variant = _BY_NUMBER[20], _BY_NUMBER[21]

globals().update({dtype.name: dtype for number, dtype in _BY_NUMBER.items() if number > 100})  # float32_ref and the others
half_ref, double_ref = float16._as_ref, float64._as_ref
QUANTIZED_DTYPES = frozenset([qint8, quint8, qint16, quint16, qint32] +
                             [dtype._as_ref for dtype in (qint8, quint8, qint16, quint16, qint32)])

_BY_NAME = {dtype.name: dtype for dtype in _BY_NUMBER.values()}
_BY_NAME.update(half=float16, double=float64, half_ref=float16._as_ref, double_ref=float64._as_ref, float=float32)
_BY_PYTHON = {float: float32, int: int32, __builtins__['bool'] if isinstance(__builtins__, dict) else __builtins__.bool: bool,
              str: string, bytes: string, complex: complex128}
_BY_NUMPY = {np.dtype(_NUMPY[number]): _BY_NUMBER[number] for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 18, 19, 22, 23)}


def as_dtype(type_value):
    """The DType of a DType, a number, a name, a NumPy type or a Python type."""
    if isinstance(type_value, DType):
        return type_value
    try:
        found = _BY_PYTHON.get(type_value) or _BY_NUMBER.get(type_value) or _BY_NAME.get(type_value)
    except TypeError:
        found = None
    if found is not None:
        return found
    try:
        dtype = np.dtype(type_value)
    except TypeError:
        dtype = None
    if dtype is not None and type_value is not None:
        dtype = dtype if dtype.isnative else dtype.newbyteorder('=')
        if dtype in _BY_NUMPY:
            return _BY_NUMPY[dtype]
        if dtype.kind in 'SU':
            return string
        if dtype.kind == 'i' and dtype.itemsize == 8:
            return int64
        if dtype.kind == 'u' and dtype.itemsize == 8:
            return uint64
    raise TypeError('Cannot convert value %r to a TensorFlow DType.' % (type_value,))


def bfloat16_bits(values):
    """Numbers as the integers that stand for bfloat16, rounded to the nearest; arrays of such integers stay as they are."""
    if isinstance(values, (np.ndarray, np.generic)) and values.dtype == np.uint16:
        return np.asarray(values)
    single = np.asarray(values, dtype=np.float32)
    bits = np.ascontiguousarray(single).view(np.uint32).reshape(single.shape)
    rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(single), (bits >> 16) | 0x40, rounded).astype(np.uint16)
