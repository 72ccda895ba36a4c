"""Dataset.from_generator: a Python generator whose elements the library asks for by py_func."""
import itertools
import threading

import numpy as np

from . import _ops, dtypes
from . import data_structure as structures
from .convert import convert_to_tensor
from .data import _Variant
from .function import trace
from .py_func import py_func
from .shapes import TensorShape


class _Iterators:
    """Running iterators by number: every pass over the dataset has its own."""

    def __init__(self, make):
        self._make, self._numbers, self._running, self._lock = make, itertools.count(), {}, threading.Lock()

    def start(self, *args):
        number = next(self._numbers)
        with self._lock:
            self._running[number] = iter(self._make(*args))
        return np.int64(number)

    def next(self, number):
        return next(self._running[int(number)])

    def end(self, number):
        with self._lock:
            self._running.pop(int(number), None)
        return np.int64(0)


def _array(value, leaf):
    """An element's component as an array of the declared type and shape."""
    try:
        if leaf.dtype == dtypes.string:
            made = np.asarray(value, dtype=object)
        else:
            made = np.asarray(value, dtype=leaf.dtype.as_numpy_dtype)
    except (TypeError, ValueError):
        raise TypeError('`generator` yielded an element that could not be converted to the expected type. The expected type '
                        'was %s, but the yielded element was %s.' % (leaf.dtype.name, value)) from None
    if not leaf.shape.is_compatible_with(made.shape):
        raise ValueError('`generator` yielded an element of shape %s where an element of shape %s was expected.' %
                         (made.shape, leaf.shape))
    return made


def from_generator(generator, output_types, output_shapes=None, args=None):
    if not callable(generator):
        raise TypeError('`generator` must be callable.')
    structure = structures.from_types(output_types, output_shapes)
    leaves = structures.flatten(structure)
    given = [convert_to_tensor(item) for item in args or ()]
    running = _Iterators(generator)

    def element(number):
        found = running.next(number)
        if structures.is_sequence(structure):
            if isinstance(found, list):
                found = tuple(found)
            if not structures.is_sequence(found) or len(found) != len(structure):
                raise TypeError('`generator` yielded an element that did not match the expected structure. The expected '
                                'structure was %s, but the yielded element was %s.' % (output_types, found))
        return [_array(item, leaf) for item, leaf in zip(structures.flatten_up_to(structure, found), leaves)]

    def start(*values):
        return [py_func(running.start, values, dtypes.int64)]

    def following(number):
        found = py_func(element, [number], [leaf.dtype for leaf in leaves])
        for item, leaf in zip(found, leaves):
            item.set_shape(leaf.shape)
        return found

    def end(number):
        return [py_func(running.end, [number], dtypes.int64)]
    scalar = TensorShape([])
    first = trace(start, [item.dtype for item in given], [item.get_shape() for item in given], 'generator_start')
    then = trace(following, [dtypes.int64], [scalar], 'generator_next')
    last = trace(end, [dtypes.int64], [scalar], 'generator_end')
    made = _ops.generator_dataset(given + first.captured_inputs, then.captured_inputs, last.captured_inputs, first.name, then.name,
                                  last.name, [leaf.dtype for leaf in leaves], [leaf.shape for leaf in leaves])
    return _Variant(made, structure)
