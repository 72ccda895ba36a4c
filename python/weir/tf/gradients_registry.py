"""Gradients that programs register by op type."""
_registered = {}


class RegisterGradient:
    """@RegisterGradient('MyOp') registers a function (op, *grads) -> grads of the inputs."""

    def __init__(self, op_type):
        if not isinstance(op_type, str):
            raise TypeError('op_type must be a string')
        self._op_type = op_type

    def __call__(self, f):
        if self._op_type in _registered:
            raise KeyError("Registering two gradient with name '%s'!" % self._op_type)
        _registered[self._op_type] = f
        return f


def NotDifferentiable(op_type):
    if not isinstance(op_type, str):
        raise TypeError('op_type must be a string')
    _registered.setdefault(op_type, None)


NoGradient = NotDifferentiable


class RegisterShape:
    """Kept for programs that name it: the library infers shapes."""

    def __init__(self, op_type):
        self._op_type = op_type

    def __call__(self, f):
        return f


def lookup(name):
    return _registered.get(name)


def has(name):
    return name in _registered


def get_gradient_function(op):
    """The function registered for an op, or None."""
    try:
        name = op.get_attr('_gradient_op_type').decode()
    except ValueError:
        name = op.type
    return _registered.get(name)
