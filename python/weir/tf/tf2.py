"""tensorflow.python.tf2: this is version 1."""


def enabled():
    return False


def enable():
    raise NotImplementedError('weir is TensorFlow 1.x: version 2 behaviour is not there')


def disable():
    """There is nothing to disable."""
