"""Packages that came with TensorFlow, for programs that import them: absl and google.protobuf, where they are not installed.

The finder stands last, so whatever is installed is found before.
"""
import importlib
import importlib.machinery
import sys
import types

_MODULES = {
    'absl': '', 'absl.flags': 'flags', 'absl.app': 'app', 'absl.logging': 'tf_logging',
    'google': '', 'google.protobuf': '', 'google.protobuf.text_format': 'text_format', 'google.protobuf.message': 'text_format',
}


class _Answer(types.ModuleType):
    """Names of one of our modules."""

    def __init__(self, name, source):
        super().__init__(name)
        self.__dict__['_source'] = source
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        inner = self.__name__ + '.' + name
        if inner in _MODULES:
            return importlib.import_module(inner)
        if self._source:
            return getattr(importlib.import_module('weir.tf.' + self._source), name)
        raise AttributeError('weir has no %s' % inner)


class Beside:
    """Answers for packages that are not here."""

    def find_spec(self, name, path=None, target=None):
        if name not in _MODULES:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return _Answer(spec.name, _MODULES[spec.name])

    def exec_module(self, module):
        pass


def install():
    if not any(isinstance(finder, Beside) for finder in sys.meta_path):
        sys.meta_path.append(Beside())


def uninstall():
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, Beside)]
