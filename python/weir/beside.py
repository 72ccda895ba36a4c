"""Packages that came with TensorFlow, for programs that import them: absl, google.protobuf and six, where they are not installed.

The finder stands last, so whatever is installed is found before.
"""
import importlib
import importlib.machinery
import sys
import types

_MODULES = {
    'absl': '', 'absl.flags': 'flags', 'absl.app': 'app', 'absl.logging': 'tf_logging',
    'google': '', 'google.protobuf': '', 'google.protobuf.text_format': 'text_format', 'google.protobuf.message': 'text_format',
    'six': 'six', 'six.moves': '',
}


class _Answer(types.ModuleType):
    """Names of a module: one of ours, or one of Python's for six.moves."""

    def __init__(self, name, source):
        super().__init__(name)
        self.__dict__['_source'] = source
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        if self.__name__ == 'six.moves':
            return importlib.import_module('weir.tf.six').moved(name)
        inner = self.__name__ + '.' + name
        if inner in _MODULES:
            return importlib.import_module(inner)
        if self._source:
            return getattr(importlib.import_module(self._source), name)
        raise AttributeError('weir has no %s' % inner)


class Beside:
    """Answers for packages that are not here."""

    def find_spec(self, name, path=None, target=None):
        if name not in _MODULES and not self._moved(name):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    @staticmethod
    def _moved(name):
        """The module of Python 3 that six.moves calls `name`, or None."""
        if not name.startswith('six.moves.'):
            return None
        head, _, rest = name[len('six.moves.'):].partition('.')
        own = importlib.import_module('weir.tf.six').moved_modules().get(head)
        return own and own + (rest and '.' + rest)

    def create_module(self, spec):
        if self._moved(spec.name):
            return _Answer(spec.name, self._moved(spec.name))
        return _Answer(spec.name, 'weir.tf.' + _MODULES[spec.name] if _MODULES[spec.name] else '')

    def exec_module(self, module):
        pass


def install():
    if not any(isinstance(finder, Beside) for finder in sys.meta_path):
        sys.meta_path.append(Beside())


def uninstall():
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, Beside)]
