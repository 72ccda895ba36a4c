"""Assertions on tensors, checked while the graph is built where values are known, else in a step."""
from . import array_ops, dtypes, math_ops
from .control_flow_ops import Assert, no_op
from .convert import constant_value, convert_to_tensor
from .errors import InvalidArgumentError
from .scopes import name_scope
from .tensor import Tensor


def _fails_now(x, y, known):
    """The values of x and y where both are known and break the condition, else None."""
    left, right = constant_value(x), constant_value(y)
    if left is None or right is None:
        return None
    try:
        return None if known(left, right).all() else (left, right)
    except ValueError:  # shapes that do not go together: the op that compares says so
        return None


def _compare(word, symbol, test, known, default=None):
    def act(x, y, data=None, summarize=None, message=None, name=None):
        with name_scope(name, 'assert_' + word, [x, y, data]):
            x, y = convert_to_tensor(x, name='x'), convert_to_tensor(y, name='y')
            if x is y and symbol == '==':
                return no_op('static_checks_determined_all_ok')
            holds = math_ops.reduce_all(test(x, y))
            broken = _fails_now(x, y, known)
            if broken is not None:
                raise InvalidArgumentError(holds.op, None, _static_message(message, data, symbol, x, y, broken, summarize))
            if data is None:
                data = [message or '', 'Condition x %s y did not hold element-wise:' % symbol, 'x (%s) = ' % x.name, x,
                        'y (%s) = ' % y.name, y]
            return Assert(holds, data, summarize=summarize)
    act.__name__ = act.__qualname__ = 'assert_' + word
    return act


def _static_message(message, data, symbol, x, y, values, summarize):
    if data is not None:
        words = [str(constant_value(item) if isinstance(item, Tensor) else item) for item in data]
        return '\n'.join(words)
    left, right = values
    lines = [message or '', 'Condition x %s y did not hold.' % symbol]
    if symbol == '==' and left.shape == right.shape and left.shape:
        lines += _first_differences(left, right, 3 if summarize is None else summarize)
    count = 3 if summarize is None else summarize
    for letter, tensor, value in (('x', x, left), ('y', y, right)):
        flat = value.ravel() if count < 0 else value.ravel()[:count]
        lines.append('First %d elements of %s:\n%s' % (flat.size, letter, flat))
    lines.append('x (%s) = %s\ny (%s) = %s\nCondition x %s y did not hold element-wise:' % (x.name, left, y.name, right, symbol))
    return '\n'.join(lines)


def _first_differences(left, right, count):
    import numpy as np
    where = np.argwhere(left != right)
    where = where if count < 0 else where[:count]
    found, other = left[tuple(where.T)], right[tuple(where.T)]
    return ['Indices of first %d different values:\n%s' % (len(where), where),
            'Corresponding x values:\n%s' % found, 'Corresponding y values:\n%s' % other]


assert_equal = _compare('equal', '==', math_ops.equal, lambda a, b: a == b)
assert_none_equal = _compare('none_equal', '!=', math_ops.not_equal, lambda a, b: a != b)
assert_less = _compare('less', '<', math_ops.less, lambda a, b: a < b)
assert_less_equal = _compare('less_equal', '<=', math_ops.less_equal, lambda a, b: a <= b)
assert_greater = _compare('greater', '>', math_ops.greater, lambda a, b: a > b)
assert_greater_equal = _compare('greater_equal', '>=', math_ops.greater_equal, lambda a, b: a >= b)


def _against_zero(word, symbol, check):
    def act(x, data=None, summarize=None, message=None, name=None):
        with name_scope(name, 'assert_' + word, [x, data]):
            x = convert_to_tensor(x, name='x')
            zero = convert_to_tensor(0, dtype=x.dtype)
            if data is None:
                data = [message or '', 'Condition x %s 0 did not hold element-wise:' % symbol, 'x (%s) = ' % x.name, x]
            return check(x, zero, data=data, summarize=summarize)
    act.__name__ = act.__qualname__ = 'assert_' + word
    return act


assert_positive, assert_negative = _against_zero('positive', '>', assert_greater), _against_zero('negative', '<', assert_less)
assert_non_negative = _against_zero('non_negative', '>=', assert_greater_equal)
assert_non_positive = _against_zero('non_positive', '<=', assert_less_equal)


def assert_near(x, y, rtol=None, atol=None, data=None, summarize=None, message=None, name=None):
    with name_scope(name, 'assert_near', [x, y, rtol, atol, data]):
        import numpy as np
        x = convert_to_tensor(x, name='x')
        y = convert_to_tensor(y, dtype=x.dtype, name='y')
        eps = 10 * np.finfo(np.float32 if x.dtype == dtypes.bfloat16 else x.dtype.as_numpy_dtype).eps
        rtol = convert_to_tensor(eps if rtol is None else rtol, dtype=x.dtype.real_dtype, name='rtol')
        atol = convert_to_tensor(eps if atol is None else atol, dtype=x.dtype.real_dtype, name='atol')
        if data is None:
            data = [message or '', 'x and y not equal to tolerance rtol = %s, atol = %s' % (rtol, atol), 'x (%s) = ' % x.name, x,
                    'y (%s) = ' % y.name, y]
        return Assert(math_ops.reduce_all(math_ops.less_equal(math_ops.abs(x - y), atol + rtol * math_ops.abs(y))), data,
                      summarize=summarize)


def _checked_rank(rank, message):
    """A wanted rank as a tensor: an integer scalar."""
    rank = convert_to_tensor(rank, name='rank')
    if rank.dtype != dtypes.int32:
        raise TypeError('%s  %s must be of type %s' % (message or '', rank.name, dtypes.int32))
    if rank._rank() not in (0, None):
        raise ValueError('%s Rank must be a scalar.' % (message or ''))
    return rank


def _rank_assert(x, ranks, holds, words, data, summarize, message):
    """An Assert on the rank in a step, after one that every wanted rank is a scalar."""
    from .scopes import control_dependencies
    checks = [Assert(math_ops.equal(array_ops.rank(rank), 0), ['Rank must be a scalar.'], name='rank_scalar')
              for rank in ranks if rank._rank() is None]
    with control_dependencies(checks):
        return Assert(holds, data or [message or '', words, *ranks, 'Received shape: ', array_ops.shape(x)], summarize=summarize)


def assert_rank_in(x, ranks, data=None, summarize=None, message=None, name=None):
    with name_scope(name, 'assert_rank_in', [x] + list(ranks) + list(data or [])):
        x = convert_to_tensor(x, name='x')
        ranks = [_checked_rank(rank, message) for rank in ranks]
        known = [constant_value(rank) for rank in ranks]
        if x._rank() is not None and all(rank is not None for rank in known):
            if x._rank() not in [int(rank) for rank in known]:
                raise ValueError('%s.  Tensor %s must have rank in %s.  Received rank %d, shape %s' %
                                 (message or '', x.name, [int(rank) for rank in known], x._rank(), x.get_shape()))
            return no_op(name='static_checks_determined_all_ok')
        found = array_ops.rank(x)
        holds = math_ops.reduce_any(array_ops.stack([math_ops.equal(found, rank) for rank in ranks]))
        return _rank_assert(x, ranks, holds, 'Tensor %s must have rank in' % x.name, data, summarize, message)


def _rank_check(word, test, symbol):
    def act(x, rank, data=None, summarize=None, message=None, name=None):
        with name_scope(name, 'assert_' + word, [x] + list(data or [])):
            x = convert_to_tensor(x, name='x')
            rank = _checked_rank(rank, message)
            wanted = constant_value(rank)
            if x._rank() is not None and wanted is not None:
                if not test(x._rank(), int(wanted)):
                    raise ValueError('%s.  Tensor %s must have rank %s%d.  Received rank %d, shape %s' %
                                     (message or '', x.name, symbol and symbol + ' ', wanted, x._rank(), x.get_shape()))
                return no_op(name='static_checks_determined_all_ok')
            found = array_ops.rank(x)
            holds = {'': math_ops.equal, 'at least': math_ops.greater_equal, 'at most': math_ops.less_equal}[symbol](found, rank)
            return _rank_assert(x, [rank], holds, 'Tensor %s must have rank %s' % (x.name, symbol), data, summarize, message)
    act.__name__ = act.__qualname__ = 'assert_' + word
    return act


assert_rank = _rank_check('rank', lambda a, b: a == b, '')
assert_rank_at_least = _rank_check('rank_at_least', lambda a, b: a >= b, 'at least')
assert_rank_at_most = _rank_check('rank_at_most', lambda a, b: a <= b, 'at most')


def assert_type(tensor, tf_type, message=None, name=None):
    with name_scope(name, 'assert_type', [tensor]):
        tensor = convert_to_tensor(tensor, name='tensor')
        if tensor.dtype != tf_type:
            raise TypeError('%s  %s must be of type %s' % (message or '', tensor.name, tf_type))
        return no_op('statically_determined_correct_type')


def assert_integer(x, message=None, name=None):
    with name_scope(name, 'assert_integer', [x]):
        x = convert_to_tensor(x, name='x')
        if not x.dtype.is_integer:
            raise TypeError('%s  Expected "x" to be integer type.  Found: %s' % (message or '', x.dtype))
        return no_op('statically_determined_was_integer')


def assert_scalar(tensor, name=None, message=None):
    with name_scope(name, 'assert_scalar', [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name=scope)
        if tensor._rank() not in (0, None):
            raise ValueError('%sExpected scalar shape for %s, saw shape: %s.' % (message or '', tensor.name, tensor.get_shape()))
        return tensor


def assert_same_float_dtype(tensors=None, dtype=None):
    for tensor in [item for item in tensors or [] if item is not None]:
        found = tensor.dtype.base_dtype
        if dtype is None:
            dtype = found
        elif dtypes.as_dtype(dtype) != found:
            raise ValueError('%s, type=%s, must be of the same type (%s).' % (tensor.name, found, dtype))
    dtype = dtypes.float32 if dtype is None else dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError('Expected floating point type, got %s.' % dtype)
    return dtype


def is_numeric_tensor(tensor):
    return isinstance(tensor, Tensor) and (tensor.dtype.is_floating or tensor.dtype.is_integer or tensor.dtype.is_complex)


def _steps(x):
    x = array_ops.reshape(x, [-1])
    return x[1:] - x[:-1]


def is_non_decreasing(x, name=None):
    with name_scope(name, 'is_non_decreasing', [x]):
        steps = _steps(convert_to_tensor(x))
        return math_ops.reduce_all(steps >= convert_to_tensor(0, steps.dtype))


def is_strictly_increasing(x, name=None):
    with name_scope(name, 'is_strictly_increasing', [x]):
        steps = _steps(convert_to_tensor(x))
        return math_ops.reduce_all(steps > convert_to_tensor(0, steps.dtype))


def ensure_shape(x, shape, name=None):
    from . import _ops
    return _ops.ensure_shape(x, shape, name=name)


def assert_proper_iterable(values):
    import numpy as np
    from .sparse_tensor import SparseTensor
    if isinstance(values, (Tensor, SparseTensor, np.ndarray, str, bytes)):
        raise TypeError('Expected argument "values" to be a "proper" iterable.  Found: %s' % type(values))
    if not hasattr(values, '__iter__'):
        raise TypeError('Expected argument "values" to be iterable.  Found: %s' % type(values))


def assert_shapes(shapes, data=None, summarize=None, message=None, name=None):
    from .check_shapes import assert_shapes as check
    return check(shapes, data=data, summarize=summarize, message=message, name=name)
