"""Slots: variables beside a variable, named after it."""
from .. import dtypes, init_ops
from ..scopes import colocate_with
from ..variables import SaveSliceInfo
from ..variable_scope import get_variable, get_variable_scope, variable_scope


class _within:
    """A block that may be left out."""

    def __init__(self, block, wanted):
        self._block = block if wanted else None

    def __enter__(self):
        return self._block.__enter__() if self._block else None

    def __exit__(self, *details):
        return self._block.__exit__(*details) if self._block else False


def _make(primary, first, shape, dtype):
    scope = get_variable_scope()
    partitioner = scope.partitioner
    scope.set_partitioner(None)
    slot = get_variable('', initializer=first, trainable=False, use_resource=hasattr(primary, 'handle'), shape=shape, dtype=dtype,
                        validate_shape=True if shape is None else shape.is_fully_defined())
    scope.set_partitioner(partitioner)
    _share_slice(primary, slot, scope.name)
    return slot


def _share_slice(primary, slot, scope):
    """A slot of a part of a variable is that part of the variable's slot: checkpoints have it under the whole name."""
    info = getattr(primary, '_save_slice_info', None)
    if info is None or not scope.startswith(primary.op.name) or slot.shape != primary.shape:
        return
    slot._set_save_slice_info(SaveSliceInfo(info.full_name + scope[len(primary.op.name):], info.full_shape, info.var_offset, info.var_shape))


def create_slot(primary, val, name, colocate_with_primary=True):
    with variable_scope(None, primary.op.name + '/' + name):
        with _within(colocate_with(primary), colocate_with_primary):
            return _make(primary, val, None, None)


def create_slot_with_initializer(primary, initializer, shape, dtype, name, colocate_with_primary=True):
    with variable_scope(None, primary.op.name + '/' + name):
        with _within(colocate_with(primary), colocate_with_primary):
            return _make(primary, initializer, shape, dtype)


def create_zeros_slot(primary, name, dtype=None, colocate_with_primary=True):
    dtype = dtypes.as_dtype(dtype or primary.dtype).base_dtype
    shape = primary.get_shape()
    if shape.is_fully_defined():
        return create_slot_with_initializer(primary, init_ops.zeros_initializer(), shape, dtype, name, colocate_with_primary)
    from ..array_ops import shape as shape_of, zeros
    return create_slot(primary, zeros(shape_of(primary), dtype), name, colocate_with_primary)
