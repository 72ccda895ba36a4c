"""Element types: TensorFlow's numbers, numpy's types and the short names used in test tables."""
import numpy as np

try:
    import ml_dtypes
except ImportError:  # a Python with NumPy alone: the small types have no numpy type then
    ml_dtypes = None


def _small(name):
    return ml_dtypes and getattr(ml_dtypes, name)


# number, short name, TensorFlow's name, numpy type, kind
_ROWS = [
    (1, "f32", "float", np.float32, "f"),
    (2, "f64", "double", np.float64, "f"),
    (3, "i32", "int32", np.int32, "i"),
    (4, "u8", "uint8", np.uint8, "u"),
    (5, "i16", "int16", np.int16, "i"),
    (6, "i8", "int8", np.int8, "i"),
    (7, "str", "string", np.object_, "s"),
    (8, "c64", "complex64", np.complex64, "c"),
    (9, "i64", "int64", np.int64, "i"),
    (10, "bool", "bool", np.bool_, "b"),
    (11, "qi8", "qint8", np.int8, "i"),
    (12, "qu8", "quint8", np.uint8, "u"),
    (13, "qi32", "qint32", np.int32, "i"),
    (14, "bf16", "bfloat16", _small("bfloat16"), "f"),
    (15, "qi16", "qint16", np.int16, "i"),
    (16, "qu16", "quint16", np.uint16, "u"),
    (17, "u16", "uint16", np.uint16, "u"),
    (18, "c128", "complex128", np.complex128, "c"),
    (19, "f16", "half", np.float16, "f"),
    (20, "resource", "resource", None, "h"),
    (21, "variant", "variant", None, "h"),
    (22, "u32", "uint32", np.uint32, "u"),
    (23, "u64", "uint64", np.uint64, "u"),
    (24, "f8e5m2", "float8_e5m2", _small("float8_e5m2"), "f"),
    (25, "f8e4m3fn", "float8_e4m3fn", _small("float8_e4m3fn"), "f"),
    (29, "i4", "int4", _small("int4"), "i"),
    (30, "u4", "uint4", _small("uint4"), "u"),
]

NUMPY = {n: t for n, _, _, t, _ in _ROWS}
KIND = {n: k for n, _, _, _, k in _ROWS}
SHORT = {n: s for n, s, _, _, _ in _ROWS}
NUMBER = {}
for _n, _s, _l, _t, _k in _ROWS:
    NUMBER[_s] = NUMBER[_l] = _n
_BY_NUMPY = {}
for _n, _s, _l, _t, _k in _ROWS:
    if _t is not None and not _s.startswith("q"):
        _BY_NUMPY[np.dtype(_t)] = _n


def number(dtype):
    """The DataType number of a short name, a TensorFlow name, a number or a numpy type."""
    if isinstance(dtype, (int, np.integer)):
        return int(dtype)
    if isinstance(dtype, str):
        return NUMBER[dtype]
    d = np.dtype(dtype)
    return 7 if d.kind in "SUO" else _BY_NUMPY[d]


def short(dtype):
    n = number(dtype)
    return SHORT.get(n, "dtype%d" % n)


class Value:
    """A tensor value: a DataType number and a numpy array (strings: object array of bytes)."""

    __slots__ = ("dtype", "array")

    def __init__(self, array, dtype=None):
        if isinstance(array, Value):
            array, dtype = array.array, array.dtype if dtype is None else dtype
        if dtype is None:
            a = np.asarray(array)
            if a.dtype.kind in "SUO":
                dtype = 7
            elif not isinstance(array, (np.ndarray, np.generic)):
                dtype = {"f": 1, "i": 3}.get(a.dtype.kind) or number(a.dtype)
            else:
                dtype = number(a.dtype)
        self.dtype = number(dtype)
        if self.dtype == 7:
            self.array = _strings(array)
        else:
            with np.errstate(invalid="ignore", over="ignore"):
                self.array = np.asarray(array).astype(NUMPY[self.dtype], copy=False)

    @property
    def shape(self):
        return self.array.shape

    def __reduce__(self):
        return (Value, (self.array, self.dtype))

    def __repr__(self):
        text = np.array2string(self.array, threshold=12, precision=6).replace("\n", "")
        return "%s%s %s" % (short(self.dtype), list(self.shape), text)


def _strings(array):
    a = np.asarray(array, dtype=object)
    out = np.empty(a.shape, dtype=object)
    for i in np.ndindex(a.shape):
        s = a[i]
        out[i] = s.encode() if isinstance(s, str) else bytes(s)
    return out
