"""py_func: a Python function as a node. It runs in this process, on threads of the library, with the interpreter's lock."""
import itertools
import threading
import traceback
import weakref

import numpy as np

from .. import _native
from . import dtypes, errors
from .convert import feed_value
from .graph import apply, get_default_graph

_functions = weakref.WeakValueDictionary()  # token: _Function; graphs keep them alive
_numbers, _lock = itertools.count(), threading.Lock()
_listening = False

_CODES = ((StopIteration, errors.OUT_OF_RANGE), (NotImplementedError, errors.UNIMPLEMENTED),
          (MemoryError, errors.RESOURCE_EXHAUSTED), (TypeError, errors.INVALID_ARGUMENT), (ValueError, errors.INVALID_ARGUMENT))


class _Function:
    """A function that nodes call; `convert` makes arrays of what it returns."""

    def __init__(self, call, convert):
        self.call, self.convert = call, convert


def _code_of(error):
    if isinstance(error, errors.OpError):
        return error.error_code
    return next((code for kind, code in _CODES if isinstance(error, kind)), errors.UNKNOWN)


def _numbers_of(array):
    """(number of the dtype, value) as the extension takes it."""
    if array.dtype.kind in 'SUO':
        return dtypes.string._number, feed_value(array.astype(object), dtypes.string)
    return dtypes.as_dtype(array.dtype)._number, np.ascontiguousarray(array).reshape(array.shape)


def _answer(token, arrays, count):
    """Called by the library: (code, message, [(dtype, value)])."""
    try:
        function = _functions.get(token)
        if function is None:
            return errors.UNAVAILABLE, 'callback %s is not found' % token, ()
        values = function.convert(function.call(*arrays))
        if len(values) != count:
            return errors.INVALID_ARGUMENT, '%s returns %d values, but expects to see %d values.' % (token, len(values), count), ()
        return 0, '', [_numbers_of(value) for value in values]
    except BaseException as error:
        text = ''.join(traceback.format_exception(type(error), error, error.__traceback__))
        return _code_of(error), '%s: %s\n%s' % (type(error).__name__, error, text), ()


def _listen():
    """From now on the library's nodes reach _answer, until the interpreter ends."""
    global _listening
    with _lock:
        if not _listening:
            _native.set_function(_answer)
            _listening = True


def _token(function):
    _listen()
    token = 'pyfunc_%d' % next(_numbers)
    _functions[token] = function
    graph = get_default_graph()
    while graph is not None:  # a function's graph ends before the graph that calls it
        graph.__dict__.setdefault('_py_funcs_used_in_graph', []).append(function)
        graph = graph._outer_graph
    return token


def _as_arrays(result):
    """What a py_func returned: a value, or a list with one for each output."""
    if result is None:
        return []
    if isinstance(result, (list, tuple)):
        return [np.asarray(item, order='C') for item in result]
    return [np.asarray(result, order='C')]


def py_func(func, inp, Tout, stateful=True, name=None):
    several = isinstance(Tout, (list, tuple))
    types = [dtypes.as_dtype(dtype) for dtype in (Tout if several else [Tout])]
    attrs = {'token': _token(_Function(func, _as_arrays)), 'Tout': types}
    op = apply('PyFunc' if stateful else 'PyFuncStateless', name, (list(inp),), attrs)
    return op.outputs[0] if not several else op.outputs or op


def numpy_function(func, inp, Tout, name=None):
    return py_func(func, inp, Tout, stateful=True, name=name)


class _Value(np.ndarray):
    """An argument of a py_function: an array that also has the methods of an eager tensor that functions use."""

    def numpy(self):
        return np.asarray(self)[()]


def _with_types(types):
    def convert(result):
        result = [] if result is None else result if isinstance(result, (list, tuple)) else [result]
        return [np.asarray(item, dtype=None if dtype == dtypes.string else dtype.as_numpy_dtype) for item, dtype in zip(result, types)]
    return convert


def py_function(func, inp, Tout, name=None):
    several = isinstance(Tout, (list, tuple))
    types = [dtypes.as_dtype(dtype) for dtype in (Tout if several else [Tout])]

    def call(*arrays):
        return func(*[np.asarray(item).view(_Value) for item in arrays])
    op = apply('EagerPyFunc', name, (list(inp),), {'token': _token(_Function(call, _with_types(types))), 'Tout': types})
    return op.outputs[0] if not several else op.outputs or op
