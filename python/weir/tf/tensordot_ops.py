"""tensordot: a product of matrices after transposing and reshaping."""
import numpy as np

from . import array_ops, dtypes, math_ops
from .convert import constant_value, convert_to_tensor
from .scopes import name_scope
from .tensor import Tensor


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


def _as_matrix_unranked(x, axes, last):
    """The same of a tensor whose rank a step shows, or whose axes are a tensor."""
    rank, shape = array_ops.rank(x), array_ops.shape(x)
    axes = convert_to_tensor(axes, dtype=dtypes.int32)
    axes = array_ops.where(math_ops.less(axes, 0), axes + rank, axes)
    free, _ = array_ops.setdiff1d(math_ops.range(rank), axes)
    dims, joined = array_ops.gather(shape, free), array_ops.gather(shape, axes)
    both = [math_ops.reduce_prod(dims), math_ops.reduce_prod(joined)]
    moved = array_ops.transpose(x, array_ops.concat([free, axes] if last else [axes, free], 0))
    return array_ops.reshape(moved, array_ops.stack(both if last else both[::-1])), dims


def _unranked(a, b, axes, scope):
    if isinstance(axes, (int, np.integer)):
        rank = array_ops.rank(a)
        left, right = math_ops.range(rank - axes, rank), list(range(axes))
    elif isinstance(axes, Tensor):
        left, right = axes[0], axes[1]
    else:
        left, right = _split_axes(a, b, axes)
    x, kept = _as_matrix_unranked(a, left, True)
    y, more = _as_matrix_unranked(b, right, False)
    return array_ops.reshape(math_ops.matmul(x, y), array_ops.concat([kept, more], 0), name=scope)


def tensordot(a, b, axes, name=None):
    with name_scope(name, 'Tensordot', [a, b]) as scope:
        a, b = convert_to_tensor(a, name='a'), convert_to_tensor(b, name='b')
        axes = constant_value(axes).tolist() if isinstance(axes, Tensor) and constant_value(axes) is not None else axes
        if a._rank() is None or b._rank() is None or isinstance(axes, Tensor):
            return _unranked(a, b, axes, scope)
        left, right = _split_axes(a, b, axes)
        x, kept, static = _as_matrix(a, left, True)
        y, more, more_static = _as_matrix(b, right, False)
        out = array_ops.reshape(math_ops.matmul(x, y), kept + more, name=scope) if kept + more else \
            array_ops.reshape(math_ops.matmul(x, y), array_ops.zeros([0], 'int32'), name=scope)
        out.set_shape(static + more_static)
        return out
