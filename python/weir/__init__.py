"""Weir: runs programs written for TensorFlow 1.x, without TensorFlow.

    python -m weir train.py --steps 100

The API itself is weir.tf; weir.hook lets `import tensorflow` find it.
"""
__version__ = '0.1.0'


def load_ipython_extension(shell):
    """%load_ext weir: `import tensorflow` gives weir.tf in this notebook."""
    from . import hook
    hook.install()
    hook.soft_placement = True


def unload_ipython_extension(shell):
    """%unload_ext weir: later imports find what is installed; what was imported stays."""
    from . import hook
    hook.uninstall()
