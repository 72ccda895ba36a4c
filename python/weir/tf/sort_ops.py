"""sort, argsort and order statistics."""
from . import _ops, array_ops, dtypes, math_ops
from .convert import constant_value, convert_to_tensor
from .scopes import name_scope


def sort(values, axis=-1, direction='ASCENDING', name=None):
    with name_scope(name, 'sort'):
        return _sorted(values, axis, direction, return_indices=False)


def argsort(values, axis=-1, direction='ASCENDING', stable=False, name=None):
    with name_scope(name, 'argsort'):
        return _sorted(values, axis, direction, return_indices=True)


def _sorted(values, axis, direction, return_indices):
    if direction not in ('ASCENDING', 'DESCENDING'):
        raise ValueError('Direction should be one of ASCENDING, DESCENDING: %s' % direction)
    values = convert_to_tensor(values)
    at = axis if isinstance(axis, int) else constant_value(axis)
    if at is None:
        raise ValueError('axis must be constant')
    rank = values.get_shape().ndims
    at = int(at) + (rank if int(at) < 0 else 0)
    last = at == rank - 1
    order = [i for i in range(rank) if i != at] + [at]
    back = [order.index(i) for i in range(rank)]
    moved = values if last else array_ops.transpose(values, order)
    found = _descending(moved, return_indices) if direction == 'DESCENDING' else _ascending(moved, return_indices)
    return found if last else array_ops.transpose(found, back)


def _descending(values, return_indices):
    made = _ops.top_kv2(values, array_ops.shape(values)[-1], sorted=True)
    return made.indices if return_indices else made.values


def _ascending(values, return_indices):
    """The largest of the opposite values first."""
    if values.dtype.base_dtype in (dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64):
        opposite = values.dtype.max - values
    elif values.dtype.is_integer:
        opposite = -1 - values
    else:
        opposite = math_ops.negative(values)
    made = _ops.top_kv2(opposite, array_ops.shape(values)[-1], sorted=True)
    if return_indices:
        return made.indices
    return array_ops.reverse(_descending(values, False), [-1])
