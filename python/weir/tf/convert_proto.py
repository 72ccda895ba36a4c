"""Arrays to TensorProto messages and back."""
import numpy as np

from . import dtypes
from .convert import _as_array, _reshape, as_bytes
from .messages import TensorProto
from .shapes import TensorShape, as_shape

_FIELDS = {1: 'float_val', 2: 'double_val', 3: 'int_val', 4: 'int_val', 5: 'int_val', 6: 'int_val', 7: 'string_val',
           9: 'int64_val', 10: 'bool_val', 14: 'half_val', 17: 'int_val', 19: 'half_val', 22: 'uint32_val', 23: 'uint64_val'}


def make_tensor_proto(values, dtype=None, shape=None, verify_shape=False, allow_broadcast=False):
    if isinstance(values, TensorProto):
        return values
    dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    array, dtype = _as_array(values, dtype)
    if shape is not None:
        shape = tuple(int(dim) for dim in as_shape(shape).as_list())
        if verify_shape and array.shape != shape:
            raise TypeError("Expected Tensor's shape: %s, got %s." % (shape, array.shape))
        array = _reshape(array, shape)
    made = TensorProto()
    made.dtype = dtype._number
    made.tensor_shape.CopyFrom(TensorShape(list(array.shape)).as_proto())
    if dtype == dtypes.string:
        made.string_val.extend([as_bytes(item) for item in array.ravel().tolist()])
    elif array.size > 1 or dtype._number not in _FIELDS:
        made.tensor_content = np.ascontiguousarray(array).tobytes()
    elif array.size:
        value = array.ravel()[:1]
        value = value.view(np.uint16) if _FIELDS[dtype._number] == 'half_val' else value
        getattr(made, _FIELDS[dtype._number]).append(value.tolist()[0])
    return made


def MakeNdarray(tensor):
    """The array of a TensorProto."""
    shape = [int(dim.size) for dim in tensor.tensor_shape.dim]
    size, dtype = int(np.prod(shape)), dtypes.as_dtype(tensor.dtype)
    if tensor.tensor_content:
        return np.frombuffer(tensor.tensor_content, dtype=dtype.as_numpy_dtype).copy().reshape(shape)
    if dtype == dtypes.string:
        items = list(tensor.string_val)
        items = items * size if len(items) == 1 else items
        out = np.empty(size, dtype=object)
        out[:] = items
        return out.reshape(shape)
    items = list(getattr(tensor, _FIELDS[dtype._number]))
    if not items:
        return np.zeros(shape, dtype=dtype.as_numpy_dtype)
    kind = dtype.as_numpy_dtype
    array = np.array(items, dtype=np.uint16).view(kind) if _FIELDS[dtype._number] == 'half_val' else np.array(items, dtype=kind)
    if array.size < size:
        array = np.concatenate([array, np.repeat(array[-1:], size - array.size)])
    return array.reshape(shape)


make_ndarray = MakeNdarray
