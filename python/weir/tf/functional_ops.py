"""map_fn, scan, foldl and foldr: loops over the first dimension."""
from . import array_ops, nest
from .control_flow_ops import while_loop
from .convert import convert_to_tensor
from .scopes import name_scope
from .shapes import TensorShape
from .tensor_array import TensorArray


def _length(tensors):
    static = next((t._shape[0] for t in tensors if t._shape), None)
    return static if static is not None else array_ops.shape(tensors[0])[0]


def _arrays(tensors, count):
    return [TensorArray(t.dtype, count, dynamic_size=False, infer_shape=True).unstack(t) for t in tensors]


def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False, infer_shape=True, name=None):
    """fn of every element of the first dimension, stacked."""
    if not callable(fn):
        raise TypeError('fn must be callable.')
    dtype = nest.map_structure(lambda t: convert_to_tensor(t).dtype.base_dtype, elems) if dtype is None else dtype
    with name_scope(name, 'map', nest.flatten(elems)):
        tensors = [convert_to_tensor(t, name='elem') for t in nest.flatten(elems)]
        count = _length(tensors)
        inputs = _arrays(tensors, count)
        outputs = [TensorArray(kind, count, dynamic_size=False, infer_shape=infer_shape) for kind in nest.flatten(dtype)]

        def step(i, arrays):
            values = nest.pack_sequence_as(elems, [array.read(i) for array in inputs])
            found = fn(values)
            nest.assert_same_structure(dtype, found)
            return i + 1, [array.write(i, value) for array, value in zip(arrays, nest.flatten(found))]
        _, outputs = while_loop(lambda i, _: i < count, step, (0, outputs), parallel_iterations=parallel_iterations or 10,
                                back_prop=back_prop, swap_memory=swap_memory)
        stacked = [_stacked(array, tensors) for array in outputs]
        return nest.pack_sequence_as(dtype, stacked)


def _stacked(array, tensors):
    value = array.stack()
    if tensors[0]._shape is not None and value._shape is not None:
        value.set_shape(TensorShape([tensors[0]._shape[0]]).concatenate(value.get_shape()[1:]))
    return value


def _start(tensors, initializer, elems, arrays, last):
    """(first index, first accumulator) of a fold."""
    if initializer is not None:
        return 0, nest.map_structure(convert_to_tensor, initializer)
    at = 0 if not last else _length(tensors) - 1
    return 1, nest.pack_sequence_as(elems, [array.read(at) for array in arrays])


def _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, last):
    if not callable(fn):
        raise TypeError('fn must be callable.')
    with name_scope(name, 'foldr' if last else 'foldl', nest.flatten(elems)):
        tensors = [convert_to_tensor(t, name='elem') for t in nest.flatten(elems)]
        count = _length(tensors)
        arrays = _arrays(tensors, count)
        first, value = _start(tensors, initializer, elems, arrays, last)

        def step(i, value):
            at = count - 1 - i if last else i
            return i + 1, fn(value, nest.pack_sequence_as(elems, [array.read(at) for array in arrays]))
        return while_loop(lambda i, _: i < count, step, (first, value), parallel_iterations=parallel_iterations or 10,
                          back_prop=back_prop, swap_memory=swap_memory)[1]


def foldl(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    return _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, False)


def foldr(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    return _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, True)


def scan(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, infer_shape=True, reverse=False,
         name=None):
    """Every accumulator of a fold, stacked."""
    if not callable(fn):
        raise TypeError('fn must be callable.')
    with name_scope(name, 'scan', nest.flatten(elems)):
        tensors = [convert_to_tensor(t, name='elem') for t in nest.flatten(elems)]
        count = _length(tensors)
        arrays = _arrays(tensors, count)
        first, value = _start(tensors, initializer, elems, arrays, reverse)
        outputs = [TensorArray(convert_to_tensor(leaf).dtype.base_dtype, count, dynamic_size=False,
                               element_shape=leaf.get_shape() if infer_shape and initializer is not None else None,
                               infer_shape=infer_shape) for leaf in nest.flatten(value)]
        place = (lambda i: count - 1 - i) if reverse else (lambda i: i)
        if first:
            outputs = [array.write(place(0), leaf) for array, leaf in zip(outputs, nest.flatten(value))]

        def step(i, value, made):
            found = fn(value, nest.pack_sequence_as(elems, [array.read(place(i)) for array in arrays]))
            nest.assert_same_structure(value, found)
            return i + 1, found, [array.write(place(i), leaf) for array, leaf in zip(made, nest.flatten(found))]
        _, _, outputs = while_loop(lambda i, *unused: i < count, step, (first, value, outputs),
                                   parallel_iterations=parallel_iterations, back_prop=back_prop, swap_memory=swap_memory)
        return nest.pack_sequence_as(value, [_stacked(array, tensors) for array in outputs])
