"""Weir: runs programs written for TensorFlow 1.x, without TensorFlow.

    python -m weir train.py --steps 100

    from weir import tensorflow as tf

The API itself is weir.tensorflow, made of the families of weir.tf; weir.hook lets `import tensorflow` find it.
"""
__version__ = '0.1.0'


def __getattr__(name):
    if name == 'tensorflow':
        from .tf import _names
        return _names.module('')
    raise AttributeError('module %r has no attribute %r' % (__name__, name))


def load_ipython_extension(shell):
    """%load_ext weir: `import tensorflow` gives weir.tf in this notebook."""
    from . import hook
    hook.install()
    hook.soft_placement = True


def unload_ipython_extension(shell):
    """%unload_ext weir: later imports find what is installed; what was imported stays."""
    from . import hook
    hook.uninstall()
