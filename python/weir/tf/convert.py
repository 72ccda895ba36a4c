"""Values to tensors: constants, registered conversions, and back to values where they are known."""
import numpy as np

from .. import _native
from . import dtypes
from .build import apply
from .graph import get_default_graph
from .shapes import Dimension, TensorShape, as_shape, unknown_shape
from .tensor import IndexedSlices, Tensor

_conversions = {}  # priority -> [(types, function)]
_found = {}        # type -> functions in order


def register_tensor_conversion_function(base_type, conversion_func, priority=100):
    if not callable(conversion_func):
        raise TypeError('conversion_func must be callable.')
    _conversions.setdefault(priority, []).append((base_type, conversion_func))
    _found.clear()


def _functions(value):
    kind = type(value)
    if kind not in _found:
        rows = [row for priority in sorted(_conversions) for row in _conversions[priority]]
        _found[kind] = [act for base, act in rows if isinstance(value, base)]
    return _found[kind]


def convert_to_tensor(value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None):
    """A tensor with the value of `value`."""
    return internal_convert_to_tensor(value, dtype, name, False, preferred_dtype or dtype_hint)


def internal_convert_to_tensor(value, dtype=None, name=None, as_ref=False, preferred_dtype=None, ctx=None):
    """The same; with as_ref a variable gives its buffer."""
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if isinstance(value, Tensor):
        if dtype is not None and not dtype.is_compatible_with(value._dtype):
            raise ValueError('Tensor conversion requested dtype %s for Tensor with dtype %s: %r' %
                             (dtype.name, value._dtype.name, str(value)))
        return value
    if preferred_dtype is not None and dtype is None:
        made = _try(value, dtypes.as_dtype(preferred_dtype), name, as_ref)
        if made is not None:
            return made
    for act in _functions(value):
        made = act(value, dtype=dtype, name=name, as_ref=as_ref)
        if made is not NotImplemented:
            return made
    return constant(value, dtype, name=name or 'Const')


def _try(value, dtype, name, as_ref):
    try:
        for act in _functions(value):
            made = act(value, dtype=dtype, name=name, as_ref=as_ref)
            if made is not NotImplemented:
                return made if dtype.is_compatible_with(made.dtype) else None
        return constant(value, dtype, name=name or 'Const')
    except (TypeError, ValueError):
        return None


def convert_n_to_tensor(values, dtype=None, name=None, preferred_dtype=None):
    return [convert_to_tensor(value, dtype, None if name is None else '%s_%d' % (name, i), preferred_dtype)
            for i, value in enumerate(values)]


def convert_to_tensor_or_indexed_slices(value, dtype=None, name=None):
    if isinstance(value, IndexedSlices):
        if dtype and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError('Tensor conversion requested dtype %s for Tensor with dtype %s: %r' %
                             (dtypes.as_dtype(dtype).name, value.dtype.name, str(value)))
        return value
    return convert_to_tensor(value, dtype=dtype, name=name)


# ---- constants ----

_KINDS = {'i': (int, np.integer), 'b': (bool, np.bool_), 'f': (int, float, np.integer, np.floating),
          's': (str, bytes, np.str_, np.bytes_)}


def _leaves(value):
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, np.ndarray):
        yield from value.ravel().tolist() if value.dtype.kind == 'O' else iter([value.ravel()[0].item()] if value.size else [])
    else:
        yield value


def _check(value, dtype):
    """TypeError where a plain value is no instance of `dtype`."""
    kind = 'i' if dtype.is_integer or dtype.is_quantized else 'b' if dtype.is_bool else 'f' if dtype.is_floating else \
        's' if dtype == dtypes.string else None
    if kind is None:
        return
    allowed = _KINDS[kind]
    for leaf in _leaves(value):
        if isinstance(leaf, Dimension) and kind == 'i':
            continue
        if not isinstance(leaf, allowed) or kind == 'i' and isinstance(leaf, (bool, np.bool_)):
            if kind == 'f' and (hasattr(leaf, '__float__') or hasattr(leaf, '__array__')) and not isinstance(leaf, (complex, str)):
                continue
            raise TypeError("Expected %s, got %r of type '%s' instead." % (dtype.name, leaf, type(leaf).__name__))


def _plain(value):
    """Dimensions and shapes within lists become numbers."""
    if isinstance(value, Dimension):
        return value.value
    if isinstance(value, TensorShape):
        return value.as_list()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _as_array(value, dtype):
    """An array of `value` in TensorFlow's dtype for it, and that dtype."""
    if isinstance(value, (np.ndarray, np.generic)):
        if dtype is None:
            dtype = dtypes.as_dtype(value.dtype if value.dtype.kind != 'O' else object)
        if dtype == dtypes.string:
            return np.asarray(value), dtype
        if dtype == dtypes.bfloat16:
            return dtypes.bfloat16_bits(value), dtype
        return np.asarray(value).astype(dtype.as_numpy_dtype, copy=False), dtype
    if value is None or isinstance(value, (list, tuple)) and any(leaf is None for leaf in _leaves(value)):
        raise ValueError('None values not supported.')
    value = _plain(value)
    if dtype is not None:
        _check(value, dtype)
        if dtype == dtypes.string:
            return np.array(value, dtype=object) if not isinstance(value, (str, bytes)) else np.asarray(value), dtype
        if dtype == dtypes.bfloat16:
            return dtypes.bfloat16_bits(_array(value, np.float32)), dtype
        return _array(value, dtype.as_numpy_dtype), dtype
    array = _array(value, None)
    if array.dtype == np.float64:
        array = array.astype(np.float32)
    elif array.dtype == np.int64:
        small = array.astype(np.int32)
        array = small if np.array_equal(small, array) else array
    elif array.dtype.kind in 'SUO':
        _check(value, dtypes.string)
        return np.array(value, dtype=object), dtypes.string
    return array, dtypes.as_dtype(array.dtype)


def _array(value, dtype):
    try:
        return np.array(value, dtype=dtype)
    except (TypeError, OverflowError) as error:
        raise TypeError(str(error)) from None
    except ValueError as error:
        raise ValueError('Argument must be a dense tensor: %s - %s' % (value, error)) from None


def as_bytes(item):
    return item.encode() if isinstance(item, str) else bytes(item)


def feed_value(array, dtype):
    """What the extension takes for a tensor of `dtype`: an array in C order, or (shape, list of bytes)."""
    if dtype == dtypes.string:
        return array.shape, [as_bytes(item) for item in array.ravel().tolist()]
    return np.ascontiguousarray(array).reshape(array.shape)


def constant(value, dtype=None, shape=None, name='Const', verify_shape=False):
    """A node that holds `value`."""
    dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    array, dtype = _as_array(value, dtype)
    if shape is not None:
        shape = tuple(int(dim) for dim in as_shape(shape).as_list())
        if verify_shape and array.shape != shape:
            raise TypeError("Expected Tensor's shape: %s, got %s." % (shape, array.shape))
        empty = 0 in shape and not isinstance(value, np.ndarray)
        array = np.empty(shape, dtype=array.dtype) if empty else _reshape(array, shape)
    graph = get_default_graph()
    with graph._lock:
        rows = [('value', 'T', (dtype._number, feed_value(array, dtype))), ('dtype', 't', dtype._number)]
        return graph._add_node('Const', graph._op_name(name), (), rows)._outputs[0]


def _reshape(array, shape):
    size = int(np.prod(shape))
    if array.size == size:
        return array.reshape(shape)
    if array.size > size:
        raise ValueError('Too many elements provided. Needed at most %d, but received %d' % (size, array.size))
    if array.size == 0:
        raise ValueError('Cannot create a tensor with shape %s from no elements' % (shape,))
    flat = array.ravel()
    return np.concatenate([flat, np.repeat(flat[-1:], size - array.size)]).reshape(shape)


# ---- conversions of the other types ----

def _of_shape(value, dtype=None, name=None, as_ref=False):
    if not value.is_fully_defined():
        raise ValueError('Cannot convert a partially known TensorShape to a Tensor: %s' % value)
    dims = value.as_list()
    dtype = dtype or (dtypes.int64 if any(dim > 2**31 - 1 for dim in dims) else dtypes.int32)
    return constant(dims, dtype, shape=[len(dims)], name=name or 'shape_as_tensor')


def _of_dimension(value, dtype=None, name=None, as_ref=False):
    if value.value is None:
        raise ValueError('Cannot convert an unknown Dimension to a Tensor: %s' % value)
    return constant(value.value, dtype or dtypes.int32, name=name or 'shape_as_tensor')


def _of_slices(value, dtype=None, name=None, as_ref=False):
    if dtype is not None and not dtype.is_compatible_with(value.dtype):
        raise ValueError('Tensor conversion requested dtype %s for IndexedSlices with dtype %s' %
                         (dtype.name, value.dtype.name))
    if value.dense_shape is None:
        raise ValueError('Tensor conversion requested for IndexedSlices without dense_shape: %s' % value)
    from . import math_ops
    return math_ops.unsorted_segment_sum(value.values, value.indices, value.dense_shape[0], name=name)


def _holds_tensor(value):
    if isinstance(value, (list, tuple)):
        return any(_holds_tensor(item) for item in value)
    return isinstance(value, Tensor) or hasattr(value, '_as_graph_element') or hasattr(value, '_AsTensor')


def _of_list(value, dtype=None, name=None, as_ref=False):
    if not _holds_tensor(value):
        return NotImplemented
    return _pack(value, dtype or _dtype_within(value), name or 'packed')


def _dtype_within(value):
    for item in value:
        if isinstance(item, (list, tuple)):
            found = _dtype_within(item)
            if found is not None:
                return found
        elif hasattr(item, 'dtype') and hasattr(item, 'op'):
            return item.dtype.base_dtype
    return None


def _pack(value, dtype, name):
    with get_default_graph().name_scope(name) as scope:
        items = []
        for index, item in enumerate(value):
            if isinstance(item, (list, tuple)) and _holds_tensor(item):
                items.append(_pack(item, dtype, str(index)))
            else:
                items.append(convert_to_tensor(item, dtype=dtype, name=str(index)))
        return apply('Pack', scope, (items,), {'axis': 0}).outputs[0]


def _of_object(value, dtype=None, name=None, as_ref=False):
    """Objects that say themselves which tensor they stand for."""
    make = getattr(value, '_AsTensor', None)
    if make is None:
        return NotImplemented
    tensor = value._ref() if as_ref and hasattr(value, '_ref') else make()
    if dtype is not None and not dtype.is_compatible_with(tensor.dtype):
        raise ValueError("Incompatible type conversion requested to type '%s' for variable of type '%s'" %
                         (dtype.name, tensor.dtype.base_dtype.name))
    return tensor


register_tensor_conversion_function(TensorShape, _of_shape, 100)
register_tensor_conversion_function(Dimension, _of_dimension, 100)
register_tensor_conversion_function(IndexedSlices, _of_slices, 100)
register_tensor_conversion_function((list, tuple), _of_list, 99)
register_tensor_conversion_function(object, _of_object, 200)


# ---- values that are known while a graph is built ----

def constant_value(tensor, partial=False):
    """The value of a tensor as an array, or None when it depends on a step."""
    if not isinstance(tensor, Tensor):
        return np.asarray(tensor)
    op = tensor._op
    if op._type == 'Shape':
        source = op.inputs[0]._shape
        if source is None or None in source:
            return None
        return np.array(source, dtype=tensor._dtype.as_numpy_dtype)
    value = _native.constant_value(op._graph._native, tensor)
    return value if value is None else np.asarray(value)


def constant_value_as_shape(tensor):
    """The TensorShape that a vector stands for, as far as it is known."""
    value = constant_value(tensor)
    if value is not None:
        return TensorShape._of(tuple(None if dim < 0 else int(dim) for dim in value.ravel()))
    op = tensor._op
    if op._type == 'Shape':
        return op.inputs[0].get_shape()
    if op._type == 'Pack':
        dims = [constant_value(item) for item in op.inputs]
        return TensorShape._of(tuple(None if dim is None or dim < 0 else int(dim) for dim in dims))
    if op._type == 'ConcatV2':
        shape = TensorShape([])
        for item in op.inputs[:-1]:
            shape = shape.concatenate(constant_value_as_shape(item))
        return shape
    length = tensor._shape[0] if tensor._shape else None
    return unknown_shape(ndims=length)


def is_tensor(x):
    return isinstance(x, Tensor) or isinstance(x, IndexedSlices) or hasattr(x, '_as_graph_element') or \
        type(x).__name__ == 'SparseTensor'
