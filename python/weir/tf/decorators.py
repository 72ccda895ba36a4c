"""tensorflow.python.util: tf_decorator, tf_inspect, tf_contextlib and tf_export."""
import collections
import contextlib
import functools
import inspect
import sys

# ---- tf_decorator ----

class TFDecorator:
    """What wraps `target`: the name of the decorator, what it says, and the arguments it takes if they are others."""

    def __init__(self, decorator_name, target, decorator_doc='', decorator_argspec=None):
        self._decorated_target, self._decorator_name = target, decorator_name
        self._decorator_doc, self._decorator_argspec = decorator_doc, decorator_argspec
        for name in ('__name__', '__qualname__', '__module__'):
            if hasattr(target, name):
                setattr(self, name, getattr(target, name))
        self.__doc__ = getattr(target, '__doc__', None) or decorator_doc or ''

    def __get__(self, instance, owner):
        return self._decorated_target.__get__(instance, owner)

    def __call__(self, *args, **kwargs):
        return self._decorated_target(*args, **kwargs)

    decorated_target = property(lambda self: self._decorated_target)
    decorator_name = property(lambda self: self._decorator_name)
    decorator_doc = property(lambda self: self._decorator_doc)
    decorator_argspec = property(lambda self: self._decorator_argspec)

    @decorated_target.setter
    def decorated_target(self, target):
        self._decorated_target = target


def make_decorator(target, decorator_func, decorator_name=None, decorator_doc='', decorator_argspec=None):
    """decorator_func, which calls target, with the name and the documentation of target."""
    if decorator_name is None:
        decorator_name = sys._getframe(1).f_code.co_name
    made = TFDecorator(decorator_name, target, decorator_doc, decorator_argspec)
    decorator_func._tf_decorator = made
    for name in ('__name__', '__qualname__', '__module__', '__signature__'):
        if hasattr(target, name):
            setattr(decorator_func, name, getattr(target, name))
    decorator_func.__doc__ = made.__doc__
    decorator_func.__wrapped__ = target
    return decorator_func


def _layer(target):
    """The decorator that `target` is or has, or None."""
    return target if isinstance(target, TFDecorator) else getattr(target, '__dict__', {}).get('_tf_decorator')


def unwrap(maybe_tf_decorator):
    """(decorators from outermost to innermost, what they wrap)"""
    target, found = maybe_tf_decorator, []
    while isinstance(_layer(target), TFDecorator):
        found.append(_layer(target))
        target = found[-1].decorated_target
    return found, target


def rewrap(decorator_func, previous_target, new_target):
    """Puts new_target where previous_target is inside of decorator_func."""
    outer, target = None, decorator_func
    while target is not previous_target and isinstance(_layer(target), TFDecorator):
        outer, target = target, _layer(target).decorated_target
    if outer is None or target is not previous_target:
        return new_target
    _layer(outer).decorated_target = new_target
    if hasattr(outer, '__wrapped__'):
        outer.__wrapped__ = new_target
    return decorator_func


def contextmanager(target):
    return make_decorator(target, contextlib.contextmanager(target), 'contextmanager')


# ---- tf_inspect ----

FullArgSpec = inspect.FullArgSpec
ArgSpec = collections.namedtuple('ArgSpec', ['args', 'varargs', 'keywords', 'defaults'])


def _given(obj):
    """The arguments that the outermost decorator with some of its own has, else None."""
    return next((item.decorator_argspec for item in unwrap(obj)[0] if item.decorator_argspec is not None), None)


def getfullargspec(obj):
    given = _given(obj)
    if isinstance(given, ArgSpec):
        return FullArgSpec(given.args, given.varargs, given.keywords, given.defaults, [], None, {})
    return inspect.getfullargspec(unwrap(obj)[1]) if given is None else given


def _of_partial(obj):
    """What is left for a functools.partial."""
    spec = getargspec(obj.func)
    args = spec.args[len(obj.args):]
    values = dict(zip(spec.args[len(spec.args) - len(spec.defaults or ()):], spec.defaults or ()))
    values.update(obj.keywords or {})
    first = next((i for i, name in enumerate(args) if name in values), len(args))
    bare = [name for name in args[first:] if name not in values]
    if bare:
        raise ValueError('Some arguments %s do not have default value, but they are positioned after those with default values. '
                         'This can not be expressed with ArgSpec.' % bare)
    return ArgSpec(args, spec.varargs, spec.keywords, tuple(values[name] for name in args[first:]) or None)


def getargspec(obj):
    if isinstance(obj, functools.partial):
        return _of_partial(obj)
    given = _given(obj)
    if isinstance(given, ArgSpec):
        return given
    full = getfullargspec(obj)
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)


def getcallargs(*func_and_positional, **named):
    """{argument: value} of a call."""
    func, positional = func_and_positional[0], func_and_positional[1:]
    spec = getfullargspec(func)
    if inspect.ismethod(func):
        positional = (func.__self__,) + positional
    values = dict(zip(spec.args[len(spec.args) - len(spec.defaults or ()):], spec.defaults or ()))
    values.update(named)
    values.update(zip([name for name in spec.args if name not in named], positional))
    return values


def _inside(act):
    """`act` on what decorators wrap."""
    @functools.wraps(act)
    def called(obj):
        return act(unwrap(obj)[1])
    return called


getfile, getsource, getsourcefile, getsourcelines, getmodule = map(_inside, (
    inspect.getfile, inspect.getsource, inspect.getsourcefile, inspect.getsourcelines, inspect.getmodule))
isbuiltin, isclass, isfunction, isframe, isgenerator, isgeneratorfunction, ismethod, ismodule, isroutine = map(_inside, (
    inspect.isbuiltin, inspect.isclass, inspect.isfunction, inspect.isframe, inspect.isgenerator, inspect.isgeneratorfunction,
    inspect.ismethod, inspect.ismodule, inspect.isroutine))
getdoc, getmembers, getmro, stack = inspect.getdoc, inspect.getmembers, inspect.getmro, inspect.stack


def currentframe():
    return sys._getframe(1)


# ---- tf_export ----

class SymbolAlreadyExposedError(Exception):
    """A symbol has names already."""


class InvalidSymbolNameError(Exception):
    """A name that this package may not export."""


class _Export:
    """Notes the public names of a symbol, of TensorFlow or of its estimators."""
    _kind = '_tf_api'

    def __init__(self, *args, **kwargs):
        self._names = args
        self._names_v1 = kwargs['v1'] if 'v1' in kwargs else args
        self._overrides = kwargs.get('overrides', [])
        self._many = kwargs.get('allow_multiple_exports', False)
        for name in tuple(self._names) + tuple(self._names_v1):
            if self._refuses(name):
                raise InvalidSymbolNameError('%s cannot be exported here' % name)

    @staticmethod
    def _refuses(name):
        return name.startswith('estimator.')

    def __call__(self, func):
        for other in self._overrides:
            other = unwrap(other)[1]
            for name in (self._kind + '_names', self._kind + '_names_v1'):
                if hasattr(other, name):
                    delattr(other, name)
        symbol = unwrap(func)[1]
        for name, names in ((self._kind + '_names', self._names), (self._kind + '_names_v1', self._names_v1)):
            if name in symbol.__dict__ and not self._many:
                raise SymbolAlreadyExposedError('Symbol %s is already exposed as %s.' % (symbol.__name__, symbol.__dict__[name]))
            setattr(symbol, name, names)
        return func

    def export_constant(self, module_name, name):
        module = sys.modules[module_name]
        for kind, names in (('_constants', self._names), ('_constants_v1', self._names_v1)):
            module.__dict__.setdefault(self._kind + kind, []).append((names, name))


class tf_export(_Export):
    pass


class keras_export(_Export):
    _kind = '_keras_api'


class estimator_export(_Export):
    _kind = '_estimator_api'

    @staticmethod
    def _refuses(name):
        return not name.startswith('estimator.')


def _collected(symbol, ending):
    return [name for kind in ('_tf_api', '_estimator_api') for name in symbol.__dict__.get(kind + ending, ())]


def get_v1_names(symbol):
    return _collected(symbol, '_names_v1')


def get_v2_names(symbol):
    return _collected(symbol, '_names')


def get_v1_constants(module):
    return _collected(module, '_constants_v1')


def get_v2_constants(module):
    return _collected(module, '_constants')
