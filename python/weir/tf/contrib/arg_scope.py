"""arg_scope: default values of arguments for functions within a block."""
import contextlib
import functools

_stack = [{}]
_decorated = set()


def _key(function):
    return getattr(function, '_key_op', str(function))


def current_arg_scope():
    return _stack[-1]


def _get_arg_stack():
    return _stack


def has_arg_scope(func):
    return _key(func) in _decorated


def arg_scoped_arguments(func):
    """The names of arguments that a scope may give: those with a default."""
    code, defaults = func.__wrapped__.__code__, func.__wrapped__.__defaults__ or ()
    names = code.co_varnames[:code.co_argcount]
    return names[len(names) - len(defaults):]


@contextlib.contextmanager
def arg_scope(list_ops_or_scope, **kwargs):
    """Within the block the functions take these values for arguments that are not given."""
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError('When attempting to re-use a scope by suppling a dictionary, kwargs must be empty.')
        merged = list_ops_or_scope.copy()
    else:
        if not isinstance(list_ops_or_scope, (list, tuple, set)):
            raise TypeError('list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)')
        merged = dict(current_arg_scope())
        for op in list_ops_or_scope:
            if not has_arg_scope(op):
                raise ValueError('%s is not decorated with @add_arg_scope' % (_key(op),))
            merged[_key(op)] = {**merged.get(_key(op), {}), **kwargs}
    _stack.append(merged)
    try:
        yield merged
    finally:
        _stack.pop()


def add_arg_scope(func):
    """A function whose defaults an arg_scope can change."""
    @functools.wraps(func)
    def call(*args, **kwargs):
        found = _stack[-1].get(key)
        if found:
            kwargs = {**found, **kwargs}
        return func(*args, **kwargs)
    key = call._key_op = '%s.%s' % (func.__module__, func.__qualname__)
    _decorated.add(key)
    return call
