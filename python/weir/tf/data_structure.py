"""The elements of datasets: nested tuples and dicts of tensors, and how they pass through the ops."""
import collections.abc

from . import _ops, dtypes
from .convert import convert_to_tensor
from .shapes import TensorShape, as_shape
from .sparse_tensor import SparseTensor, SparseTensorValue
from .tensor import Tensor


def is_sequence(value):
    return isinstance(value, (tuple, collections.abc.Mapping)) and not isinstance(value, (SparseTensorValue, TensorShape))


def _items(value):
    return [value[key] for key in sorted(value)] if isinstance(value, collections.abc.Mapping) else list(value)


def flatten(nested):
    """The leaves; a list is a leaf, too."""
    return [leaf for item in _items(nested) for leaf in flatten(item)] if is_sequence(nested) else [nested]


def pack_sequence_as(structure, flat_sequence):
    return _pack(structure, iter(flat_sequence))


def _pack(structure, leaves):
    if not is_sequence(structure):
        return next(leaves)
    made = [_pack(item, leaves) for item in _items(structure)]
    if isinstance(structure, collections.abc.Mapping):
        found = dict(zip(sorted(structure), made))
        return type(structure)((key, found[key]) for key in structure)
    return type(structure)(*made) if hasattr(structure, '_fields') else tuple(made)


def map_structure(act, structure, *others):
    rows = zip(flatten(structure), *[flatten_up_to(structure, item) for item in others])
    return pack_sequence_as(structure, [act(*row) for row in rows])


def same_structure(one, other):
    """True when both have tuples and dictionaries in the same places, of the same lengths and keys."""
    if not is_sequence(one) or not is_sequence(other):
        return is_sequence(one) == is_sequence(other)
    mappings = [isinstance(item, collections.abc.Mapping) for item in (one, other)]
    if mappings[0] != mappings[1] or (set(one) != set(other) if mappings[0] else len(one) != len(other)):
        return False
    return all(same_structure(a, b) for a, b in zip(_items(one), _items(other)))


def flatten_up_to(shallow, value):
    if not is_sequence(shallow):
        return [value]
    return [leaf for one, other in zip(_items(shallow), _items(value)) for leaf in flatten_up_to(one, other)]


class Leaf:
    """One component: a dense tensor, a sparse one or a dataset."""
    __slots__ = ('kind', 'dtype', 'shape', 'inner')

    def __init__(self, kind, dtype, shape, inner=None):
        self.kind, self.dtype, self.shape, self.inner = kind, dtypes.as_dtype(dtype).base_dtype, shape, inner

    @property
    def flat_dtype(self):
        return self.dtype if self.kind == 'dense' else dtypes.variant

    @property
    def flat_shape(self):
        if self.kind == 'dense':
            return self.shape
        if self.kind == 'sparse':
            extra = self.inner or []
            return TensorShape(list(extra) + [3])
        return TensorShape([])

    @property
    def cls(self):
        return {'dense': Tensor, 'sparse': SparseTensor}.get(self.kind) or _dataset_class()

    def to_tensor(self, value):
        if self.kind == 'sparse':
            return _ops.serialize_sparse(value.indices, value.values, value.dense_shape, out_type=dtypes.variant)
        return value._variant if self.kind == 'dataset' else value

    def from_tensor(self, tensor):
        if self.kind == 'dense':
            tensor.set_shape(self.shape)
            return tensor
        if self.kind == 'sparse':
            made = _ops.deserialize_sparse(tensor, self.dtype)
            made[0].set_shape([None, self.shape.ndims])
            made[2].set_shape([self.shape.ndims])
            return SparseTensor(made[0], made[1], made[2])
        from .data import _Variant
        return _Variant(tensor, self.inner)

    def batched(self, size):
        """The component of a batch of elements."""
        if self.kind == 'sparse':
            return Leaf('sparse', self.dtype, TensorShape([size]).concatenate(self.shape), [size] + list(self.inner or []))
        return Leaf(self.kind, self.dtype, TensorShape([size]).concatenate(self.shape), self.inner)

    def rows(self):
        """How many elements a component holds, where that is known."""
        return self.shape.as_list()[0] if self.shape.ndims else None

    def unbatched(self):
        return Leaf(self.kind, self.dtype, self.shape[1:] if self.shape.ndims is not None else self.shape, None)


def _dataset_class():
    from .data import Dataset
    return Dataset


def leaf_of(value):
    """(component, value as a tensor, a sparse tensor or a dataset)."""
    if isinstance(value, (SparseTensor, SparseTensorValue)):
        value = SparseTensor.from_value(value)
        return Leaf('sparse', value.dtype, value.get_shape()), value
    if hasattr(value, '_variant'):
        return Leaf('dataset', dtypes.variant, TensorShape([]), value._structure), value
    value = convert_to_tensor(value, name='component')
    return Leaf('dense', value.dtype, value.get_shape()), value


def normalize(value):
    """(structure of components, structure of values) of anything that a function of a dataset gives."""
    leaves = [leaf_of(item) for item in flatten(value)]
    return pack_sequence_as(value, [leaf for leaf, _ in leaves]), pack_sequence_as(value, [item for _, item in leaves])


def from_types(output_types, output_shapes=None, output_classes=None):
    """The structure that types, shapes and classes describe."""
    kinds = flatten(output_types)
    shapes = [TensorShape(None)] * len(kinds) if output_shapes is None else flatten_shapes(output_types, output_shapes)
    classes = [Tensor] * len(kinds) if output_classes is None else flatten_up_to(output_types, output_classes)
    return pack_sequence_as(output_types, [Leaf('sparse' if cls is SparseTensor else 'dense', kind, as_shape(shape))
                                           for kind, shape, cls in zip(kinds, shapes, classes)])


def flatten_shapes(structure, shapes):
    """Shapes for the leaves of a structure; a shape may be a list or a tuple of numbers."""
    if not is_sequence(structure):
        return [as_shape(shapes)]
    if isinstance(structure, collections.abc.Mapping):
        return [leaf for key in sorted(structure) for leaf in flatten_shapes(structure[key], shapes[key])]
    if not isinstance(shapes, (tuple, list)) or len(shapes) != len(structure):
        raise TypeError('The shapes %r do not fit the structure %r.' % (shapes, structure))
    return [leaf for one, other in zip(structure, shapes) for leaf in flatten_shapes(one, other)]
