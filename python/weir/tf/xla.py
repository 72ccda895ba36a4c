"""tf.xla and tf.contrib.compiler: marks for a compiler. Weir fuses what it can without them, so they only mark."""
import contextlib

from .array_ops import identity
from .convert import convert_to_tensor
from .graph import get_default_graph
from .messages import AttrValue
from .scopes import control_dependencies
from .tensor import Operation


@contextlib.contextmanager
def experimental_jit_scope(compile_ops=True, separate_compiled_gradients=False):
    """Marks the ops made within; `compile_ops` may be a function of the node."""
    if callable(compile_ops):
        yield
        return
    mark = AttrValue()
    mark.b = bool(compile_ops)
    with get_default_graph()._attr_scope_of({'_XlaCompile': mark}):
        yield


def compile(computation, inputs=None):
    """The results of computation(*inputs), which are there when all of it has run."""
    if not callable(computation):
        raise TypeError('computation must be a function, not %s' % type(computation))
    if inputs is not None and not isinstance(inputs, (list, tuple)):
        raise TypeError('inputs must be a list, not %s' % type(inputs))
    found = computation(*[identity(convert_to_tensor(value)) for value in inputs or ()])
    found = [] if found is None else list(found) if isinstance(found, (list, tuple)) else [found]
    ops = [item for item in found if isinstance(item, Operation)]
    with control_dependencies(ops):
        values = [identity(convert_to_tensor(item)) for item in found if not isinstance(item, Operation)]
    if values:
        return values
    return ops[0] if len(ops) == 1 else ops
