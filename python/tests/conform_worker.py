"""Runs the methods of one of TensorFlow 1.15's test files against the package and writes a line of JSON for each.

Modules of tensorflow that the package does not have become stubs: they can be imported, subclassed and used as decorators
while a file is loaded, and fail when a test uses them.
"""
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import re
import signal
import sys
import traceback
import types
import unittest


class StubUsed(Exception):
    """A test used a module that the package does not have."""


class MethodTime(BaseException):
    """A method ran past its limit."""


_loading = [False]


class _StubMeta(type):
    def __call__(cls, *args, **kwargs):
        if not _loading[0] or cls.__dict__.get('_stub') is None:
            if cls.__dict__.get('_stub') is None and not issubclass(cls, Exception):
                return super().__call__(*args, **kwargs)
            raise StubUsed(cls._stub)
        only = args[0] if len(args) == 1 and not kwargs else None
        if isinstance(only, types.FunctionType) or isinstance(only, type):
            return only
        return stub(cls._stub + '()')

    def __getattr__(cls, name):
        if name.startswith('__') or '_stub' not in cls.__dict__:
            raise AttributeError(name)
        if not _loading[0]:
            raise StubUsed(cls._stub + '.' + name)
        return stub(cls._stub + '.' + name)

    def __iter__(cls):
        if not _loading[0]:
            raise StubUsed(cls._stub)
        return iter(())


def stub(path):
    """A class that stands for something missing: it fails on use, apart from while a file is loaded."""
    return _StubMeta(path.rpartition('.')[2], (), {'_stub': path})


class StubModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        if _loading[0]:
            return stub(self.__name__ + '.' + name)
        raise StubUsed(self.__name__ + '.' + name)


class StubFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Comes last: what nobody has below tensorflow is a stub."""

    def find_spec(self, name, path=None, target=None):
        if name.startswith('tensorflow.') or name.startswith('google.protobuf'):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        made = StubModule(spec.name)
        made.__path__ = []
        return made

    def exec_module(self, module):
        pass


def _answer_missing_names():
    """`from tensorflow.python.x import y` gives a stub where the package has no y."""
    from weir.tf import _names
    for kind in (_names.Alias, _names.Namespace):
        def wrapped(self, name, plain=kind.__getattr__):
            try:
                return plain(self, name)
            except AttributeError:
                if name.startswith('__') or not _loading[0]:
                    raise
                return stub(self.__name__ + '.' + name)
        kind.__getattr__ = wrapped


def _old_unittest():
    case = unittest.TestCase
    for old, new in (('assertRaisesRegexp', 'assertRaisesRegex'), ('assertRegexpMatches', 'assertRegex'),
                     ('assertItemsEqual', 'assertCountEqual'), ('assertEquals', 'assertEqual'),
                     ('assertNotEquals', 'assertNotEqual'), ('assertAlmostEquals', 'assertAlmostEqual'), ('assert_', 'assertTrue'),
                     ('assertNotRegexpMatches', 'assertNotRegex'), ('assertDictContainsSubset', '_subset')):
        if not hasattr(case, old):
            setattr(case, old, getattr(case, new, None) or
                    (lambda self, part, whole, msg=None: self.assertEqual({**whole, **part}, whole, msg)))


def _old_numpy():
    """Arguments and sequences that NumPy 1 took."""
    import numpy
    plain = numpy.reshape

    def reshape(a, shape=None, order='C', **kwargs):
        return plain(a, kwargs.pop('newshape', shape), order=order, **kwargs)
    numpy.reshape = reshape
    for name in ('hstack', 'vstack', 'stack', 'concatenate'):
        def listed(items, *args, act=getattr(numpy, name), **kwargs):
            return act(list(items) if isinstance(items, types.GeneratorType) else items, *args, **kwargs)
        setattr(numpy, name, listed)


def _text_format():
    """google.protobuf.text_format over the package's own messages, where protobuf is not installed."""
    from weir.tf import text_format
    google = sys.modules.setdefault('google', types.ModuleType('google'))
    if not hasattr(google, '__path__'):
        google.__path__ = []
    protobuf = types.ModuleType('google.protobuf')
    protobuf.__path__ = []
    protobuf.text_format = text_format
    google.protobuf = protobuf
    sys.modules['google.protobuf'] = protobuf
    sys.modules['google.protobuf.text_format'] = text_format


def prepare():
    """Everything that all files share, before the first fork."""
    from weir import hook
    hook.install()
    from weir.old_names import restore_names
    restore_names()
    import tensorflow
    import numpy  # noqa: F401
    import numpy.testing  # noqa: F401
    for name in ('absl.testing.parameterized', 'six.moves', 'weir.tf.test', 'weir.tf.test_util'):
        try:
            importlib.import_module(name)
        except ImportError:
            pass
    assert tensorflow
    if importlib.util.find_spec('google') is None:
        _text_format()
    _old_unittest()
    _old_numpy()
    _answer_missing_names()
    sys.meta_path.append(StubFinder())


def load(path):
    name = 'conform_' + re.sub(r'\W', '_', os.path.basename(path)[:-3])
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    _loading[0] = True
    try:
        spec.loader.exec_module(module)
    finally:
        _loading[0] = False
    return module


def _flatten(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _flatten(item)
        else:
            yield item


def cases(module):
    _loading[0] = True
    try:
        found = list(_flatten(unittest.TestLoader().loadTestsFromModule(module)))
    finally:
        _loading[0] = False
    return [case for case in found if case.id().rpartition('.')[2] not in ('test_session', 'runTest')]


class _Result(unittest.TestResult):
    def __init__(self, write):
        super().__init__()
        self.write = write
        self.sub = None

    def _put(self, test, status, error=None):
        self.write({'test': _name(test), 'status': status, **(describe(error) if error else {})})

    def addSuccess(self, test):
        if self.sub is not None:
            self._put(test, *self.sub)
        else:
            self._put(test, 'pass')

    def addFailure(self, test, error):
        self._put(test, kind_of(error), error)

    addError = addFailure

    def addSkip(self, test, reason):
        self.write({'test': _name(test), 'status': 'skip', 'cause': reason})

    def addExpectedFailure(self, test, error):
        self._put(test, 'pass')

    def addUnexpectedSuccess(self, test):
        self._put(test, 'fail')

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.sub = kind_of(error), error

    def startTest(self, test):
        self.sub = None
        self.write({'test': _name(test), 'status': 'start'})
        signal.alarm(self.limit)

    def stopTest(self, test):
        signal.alarm(0)


def _name(test):
    return '.'.join(test.id().split('.')[1:])


def _chain(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def kind_of(error):
    for item in _chain(error[1]):
        if isinstance(item, StubUsed):
            return 'stub'
        if 'weir runs graphs only' in str(item):
            return 'eager'
        if isinstance(item, ModuleNotFoundError) or _asks_for_test_op(str(item)):
            return 'stub'
    if error[0] is MethodTime:
        return 'hang'
    return 'fail'


def _asks_for_test_op(message):
    """True when an op is not there that no release has: TensorFlow's tests load such ops from a library of their own."""
    found = re.search("Op type not registered '([^']*)'", message)
    if not found:
        return False
    if not _released:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tools', 'tensorflow_ops.txt')
        _released.update(line.split()[0] for line in open(path) if line.strip() and not line.startswith('#'))
    return found.group(1) not in _released


_released = set()


def describe(error):
    kind, value, trace = error
    text = str(value).strip().split('\n')
    frames = traceback.extract_tb(trace)
    ours = [frame for frame in frames if '/weir/' in frame.filename]
    tests = [frame for frame in frames if '_test.py' in frame.filename]
    return {'cause': ('%s: %s' % (kind.__name__, text[0]))[:300], 'more': '\n'.join(text[1:8])[:600],
            'where': '%s:%d' % (os.path.basename(ours[-1].filename), ours[-1].lineno) if ours else '',
            'line': '%d %s' % (tests[-1].lineno, tests[-1].line) if tests else ''}


def _alarm(signum, frame):
    raise MethodTime('past its time limit')


def run_file(path, out, done, limit):
    """Runs what is not in `done`; lines go to the file `out`."""
    sink = open(out, 'a')

    def write(row):
        sink.write(json.dumps(row) + '\n')
        sink.flush()
    sys.argv = [path]
    try:
        from weir.tf import flags
        flags.FLAGS(sys.argv)
    except Exception:
        pass
    try:
        found = cases(load(path))
    except BaseException:
        write({'test': '', 'status': 'load', **describe(sys.exc_info())})
        return
    write({'test': '', 'status': 'count', 'cause': str(len(found))})
    signal.signal(signal.SIGALRM, _alarm)
    result = _Result(write)
    result.limit = limit
    rest = unittest.TestSuite(case for case in found if _name(case) not in done)
    try:
        rest.run(result)
    except MethodTime:
        pass
    write({'test': '', 'status': 'end'})
