"""The hook of an environment: a .pth file, which Python reads at its start, lets `import tensorflow` find weir where
TensorFlow is not installed. It costs nothing until then."""
import os
import sysconfig

_NAME = 'weir_tensorflow.pth'
_LINE = 'import weir.lazy\n'


def _path():
    return os.path.join(sysconfig.get_path('purelib'), _NAME)


def install():
    """Writes the file; says what was done."""
    path = _path()
    with open(path, 'w') as file:
        file.write(_LINE)
    return 'weir: %s written: `import tensorflow` finds weir in this environment unless TensorFlow is installed' % path


def remove():
    path = _path()
    if not os.path.exists(path):
        return 'weir: there is no %s' % path
    os.remove(path)
    return 'weir: %s removed' % path
