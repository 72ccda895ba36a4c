"""What a saver can save beside variables: objects of one or more tensors."""


class SaveSpec:
    """A tensor (or a function that gives one), the slice that it is, and its name in the checkpoint."""

    def __init__(self, tensor, slice_spec, name, dtype=None, device=None):
        self._tensor, self.slice_spec, self.name, self.device = tensor, slice_spec, name, device
        self.dtype = tensor.dtype if dtype is None else dtype

    @property
    def tensor(self):
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """Tensors by `specs`; a subclass puts back what was read by restore(tensors, shapes)."""

    def __init__(self, op, specs, name):
        self.op, self.specs, self.name = op, specs, name
        self._device = None

    @property
    def device(self):
        return self.specs[0].tensor.device if self._device is None else self._device

    def restore(self, restored_tensors, restored_shapes):
        raise ValueError('Calling an abstract method.')
