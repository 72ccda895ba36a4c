"""The finder that answers `import tensorflow` and everything below it with weir.tf."""
import importlib
import importlib.machinery
import sys


soft_placement = False  # python -m weir: what asks for a device that is not here runs elsewhere


class Finder:
    """tensorflow is weir.tf; tensorflow.x.y is what weir.tf has under x.y."""

    def find_spec(self, name, path=None, target=None):
        if name != 'tensorflow' and not name.startswith('tensorflow.'):
            return None
        if name != 'tensorflow' and not self._known(name[11:]):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    @staticmethod
    def _known(path):
        from .tf import _names
        return _names.has_module(path)

    def create_module(self, spec):
        from .tf import _names
        return _names.module(spec.name[11:])

    def exec_module(self, module):
        pass


def install():
    """From now on `import tensorflow` gives weir.tf, whatever is installed."""
    from . import beside
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder())
    beside.install()


def uninstall():
    """Takes back install."""
    from . import beside
    beside.uninstall()
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, Finder)]


def install_if_absent():
    """The same where TensorFlow is not installed."""
    if importlib.machinery.PathFinder.find_spec('tensorflow') is None:
        install()
