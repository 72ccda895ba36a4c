"""Functions of tensorflow.python.* that show other arguments there than as public names; they take those of both."""
from . import convert, reduce_ops, variables
from .shown import shows


def _second(act, pattern):
    @shows(pattern)
    def call(*args, **kwargs):
        return act(*args, **kwargs)
    call.__name__ = call.__qualname__ = act.__name__
    return call


def _reduction(act):
    return _second(act, lambda input_tensor, axis=None, keepdims=False, name=None: None)


reduce_sum, reduce_max, reduce_min, reduce_all = (_reduction(act) for act in (
    reduce_ops.reduce_sum, reduce_ops.reduce_max, reduce_ops.reduce_min, reduce_ops.reduce_all))
constant = _second(convert.constant, lambda value, dtype=None, shape=None, name='Const': None)


class _Made(type(variables.Variable)):
    """Makes variables of the usual classes, and knows them as its own."""

    def __call__(cls, *args, **kwargs):
        return variables.Variable(*args, **kwargs) if cls is Variable else super().__call__(*args, **kwargs)

    def __instancecheck__(cls, item):
        return isinstance(item, variables.Variable)

    def __subclasscheck__(cls, kind):
        return issubclass(kind, variables.Variable)


class Variable(variables.Variable, metaclass=_Made):
    """tf.Variable with the arguments of version 2."""

    def __init__(self, initial_value=None, trainable=None, validate_shape=True, caching_device=None, name=None, variable_def=None,
                 dtype=None, import_scope=None, constraint=None, synchronization=variables.VariableSynchronization.AUTO,
                 aggregation=variables.VariableAggregation.NONE, shape=None):
        raise NotImplementedError
