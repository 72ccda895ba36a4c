"""tf.data.experimental.Optional: values that may be absent, like the element after a dataset's last."""
from . import _ops
from . import data_structure as structures
from .tensor_spec import TensorSpec


def _spec(leaf):
    return TensorSpec(leaf.shape, leaf.dtype) if leaf.kind == 'dense' else leaf


def _leaf(spec):
    return spec if isinstance(spec, structures.Leaf) else structures.Leaf('dense', spec.dtype, spec.shape)


class Optional:
    """A value, or none."""

    @staticmethod
    def from_value(value):
        structure, values = structures.normalize(value)
        flat = [leaf.to_tensor(item) for leaf, item in zip(structures.flatten(structure), structures.flatten(values))]
        return _OptionalImpl(_ops.optional_from_value(flat), structures.map_structure(_spec, structure))

    @staticmethod
    def none_from_structure(value_structure):
        return _OptionalImpl(_ops.optional_none(), value_structure)

    def has_value(self, name=None):
        raise NotImplementedError('Optional.has_value')

    def get_value(self, name=None):
        raise NotImplementedError('Optional.get_value')

    @property
    def value_structure(self):
        raise NotImplementedError('Optional.value_structure')


class _OptionalImpl(Optional):
    def __init__(self, variant_tensor, value_structure):
        self._variant_tensor, self._value_structure = variant_tensor, value_structure

    value_structure = property(lambda self: self._value_structure)

    def has_value(self, name=None):
        return _ops.optional_has_value(self._variant_tensor, name=name)

    def get_value(self, name=None):
        leaves = [_leaf(spec) for spec in structures.flatten(self._value_structure)]
        found = _ops.optional_get_value(self._variant_tensor, [leaf.flat_dtype for leaf in leaves],
                                        [leaf.flat_shape for leaf in leaves], name=name)
        found = list(found) if isinstance(found, (list, tuple)) else [found]
        return structures.pack_sequence_as(self._value_structure, [leaf.from_tensor(item) for leaf, item in zip(leaves, found)])


def get_next_as_optional(iterator):
    """The next element of an iterator; no value after the last."""
    leaves = structures.flatten(iterator._structure)
    made = _ops.iterator_get_next_as_optional(iterator._resource, [leaf.flat_dtype for leaf in leaves],
                                              [leaf.flat_shape for leaf in leaves])
    return _OptionalImpl(made, structures.map_structure(_spec, iterator._structure))


# ---- tensorflow.python.data.util.structure ----

def type_spec_from_value(value):
    return structures.map_structure(_spec, structures.normalize(value)[0])


def are_compatible(spec1, spec2):
    """True when values of one may be used where the other is wanted."""
    if not structures.same_structure(spec1, spec2):
        return False
    pairs = zip(*(map(_leaf, structures.flatten(spec)) for spec in (spec1, spec2)))
    return all(a.kind == b.kind and a.dtype == b.dtype and a.shape.is_compatible_with(b.shape) for a, b in pairs)
