"""Assertions on tensors, checked while the graph is built where values are known, else in a step."""
from . import array_ops, dtypes, math_ops
from .control_flow_ops import Assert, no_op
from .convert import constant_value, convert_to_tensor
from .errors import InvalidArgumentError
from .scopes import name_scope
from .tensor import Tensor


def _compare(word, symbol, test, known):
    def act(x, y, data=None, summarize=None, message=None, name=None):
        with name_scope(name, 'assert_' + word, [x, y, data]):
            x, y = convert_to_tensor(x, name='x'), convert_to_tensor(y, name='y')
            left, right = constant_value(x), constant_value(y)
            if left is not None and right is not None and not known(left, right).all():
                raise InvalidArgumentError(None, None, '%s\nCondition x %s y did not hold element-wise:\nx = %s\ny = %s' %
                                           (message or '', symbol, left, right))
            if data is None:
                data = [message or '', 'Condition x %s y did not hold element-wise:' % symbol, 'x (%s) = ' % x.name, x,
                        'y (%s) = ' % y.name, y]
            return Assert(math_ops.reduce_all(test(x, y)), data, summarize=summarize)
    act.__name__ = 'assert_' + word
    return act


assert_equal = _compare('equal', '==', math_ops.equal, lambda a, b: a == b)
assert_none_equal = _compare('none_equal', '!=', math_ops.not_equal, lambda a, b: a != b)
assert_less = _compare('less', '<', math_ops.less, lambda a, b: a < b)
assert_less_equal = _compare('less_equal', '<=', math_ops.less_equal, lambda a, b: a <= b)
assert_greater = _compare('greater', '>', math_ops.greater, lambda a, b: a > b)
assert_greater_equal = _compare('greater_equal', '>=', math_ops.greater_equal, lambda a, b: a >= b)


def _against_zero(word, check):
    def act(x, data=None, summarize=None, message=None, name=None):
        with name_scope(name, 'assert_' + word, [x, data]):
            x = convert_to_tensor(x, name='x')
            zero = convert_to_tensor(0, dtype=x.dtype)
            if data is None:
                data = [message or '', 'Condition x is %s did not hold element-wise:' % word.replace('_', '-'), 'x (%s) = ' % x.name, x]
            return check(x, zero, data=data, summarize=summarize)
    act.__name__ = 'assert_' + word
    return act


assert_positive, assert_negative = _against_zero('positive', assert_greater), _against_zero('negative', assert_less)
assert_non_negative, assert_non_positive = _against_zero('non_negative', assert_greater_equal), _against_zero('non_positive', assert_less_equal)


def _rank_check(word, test, symbol):
    def act(x, rank, data=None, summarize=None, message=None, name=None):
        with name_scope(name, 'assert_' + word, [x] + list(data or [])):
            x = convert_to_tensor(x, name='x')
            wanted = constant_value(rank) if isinstance(rank, Tensor) else rank
            if x._rank() is not None and wanted is not None:
                if not test(x._rank(), int(wanted)):
                    raise ValueError('%s.  Tensor %s must have rank %s %d.  Received rank %d, shape %s' %
                                     (message or '', x.name, symbol, wanted, x._rank(), x.get_shape()))
                return no_op(name='static_checks_determined_all_ok')
            found = array_ops.rank(x)
            holds = {'': math_ops.equal, 'at least': math_ops.greater_equal, 'at most': math_ops.less_equal}[symbol](found, rank)
            return Assert(holds, data or [message or '', 'Tensor %s must have rank %s' % (x.name, symbol), rank, 'Received shape: ',
                                          array_ops.shape(x)], summarize=summarize)
    act.__name__ = 'assert_' + word
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
    for tensor in tensors or []:
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
    if isinstance(values, (Tensor, str, bytes)) or not hasattr(values, '__iter__'):
        raise TypeError('Expected argument "values" to be iterable.  Found: %s' % type(values))
