"""tensordot: a product of matrices after transposing and reshaping."""
import numpy as np

from . import array_ops
from .convert import convert_to_tensor
from .math_ops import matmul
from .scopes import name_scope


def _split_axes(a, b, axes):
    if isinstance(axes, (int, np.integer)):
        if axes < 0:
            raise ValueError('axes must be at least 0')
        return list(range(a._rank() - axes, a._rank())), list(range(axes))
    left, right = axes
    left = [left] if isinstance(left, (int, np.integer)) else [int(axis) for axis in left]
    right = [right] if isinstance(right, (int, np.integer)) else [int(axis) for axis in right]
    if len(left) != len(right):
        raise ValueError('Different number of contraction axes a and b, %s != %s.' % (len(left), len(right)))
    return left, right


def _as_matrix(x, axes, last):
    """x with `axes` joined into one, last or first; and the dims of the others."""
    axes = [axis % x._rank() for axis in axes]
    free = [axis for axis in range(x._rank()) if axis not in axes]
    order = free + axes if last else axes + free
    moved = array_ops.transpose(x, order) if order != list(range(x._rank())) else x
    static = [x._shape[axis] for axis in free]
    if None in x._shape:
        dims = array_ops.shape(x)
        kept = [static[i] if static[i] is not None else dims[axis] for i, axis in enumerate(free)]
        joined = [x._shape[axis] for axis in axes]
        size = int(np.prod(joined)) if None not in joined else -1
        rest = -1 if size != -1 else array_ops.shape(x)[free[0]] if len(free) == 1 else 1
    else:
        kept = static
        size, rest = int(np.prod([x._shape[axis] for axis in axes])), int(np.prod(static))
    return array_ops.reshape(moved, [rest, size] if last else [size, rest]), kept, static


def tensordot(a, b, axes, name=None):
    with name_scope(name, 'Tensordot', [a, b]) as scope:
        a, b = convert_to_tensor(a, name='a'), convert_to_tensor(b, name='b')
        left, right = _split_axes(a, b, axes)
        x, kept, static = _as_matrix(a, left, True)
        y, more, more_static = _as_matrix(b, right, False)
        out = array_ops.reshape(matmul(x, y), kept + more, name=scope) if kept + more else \
            array_ops.reshape(matmul(x, y), array_ops.zeros([0], 'int32'), name=scope)
        out.set_shape(static + more_static)
        return out
