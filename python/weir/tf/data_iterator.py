"""Iterators over datasets."""
import warnings

from . import _ops, dtypes
from . import data_structure as structures
from .control_flow_ops import group  # noqa: F401
from .convert import convert_to_tensor
from .function import trace
from .scopes import colocate_with, name_scope
from .shapes import TensorShape
from .shown import shows


# A program that calls get_next in its training loop adds a node in each step.
GET_NEXT_CALL_WARNING_THRESHOLD = 32
GET_NEXT_CALL_WARNING_MESSAGE = (
    'An unusually high number of `Iterator.get_next()` calls was detected. Call it once, outside of the loop: each call adds nodes to '
    'the graph, which grows and becomes slow.')


class Iterator:
    """Gives the elements of a dataset, one in each step."""

    @shows(lambda self, iterator_resource, initializer, output_types, output_shapes, output_classes: None)
    def __init__(self, iterator_resource, initializer, output_types, output_shapes, output_classes, _structure=None):
        self._resource, self._initializer = iterator_resource, initializer
        self._structure = _structure if _structure is not None else structures.from_types(output_types, output_shapes, output_classes)
        self._string_handle, self._calls = None, 0

    @classmethod
    def _of(cls, resource, initializer, structure):
        return cls(resource, initializer, None, None, None, structure)

    @staticmethod
    def from_structure(output_types, output_shapes=None, shared_name=None, output_classes=None):
        structure = structures.from_types(output_types, output_shapes, output_classes)
        return Iterator._of(_resource(structure, shared_name), None, structure)

    @staticmethod
    def from_string_handle(string_handle, output_types, output_shapes=None, output_classes=None):
        structure = structures.from_types(output_types, output_shapes, output_classes)
        leaves = structures.flatten(structure)
        handle = convert_to_tensor(string_handle, dtypes.string)
        resource = _ops.iterator_from_string_handle_v2(handle, [leaf.flat_dtype for leaf in leaves],
                                                       [leaf.flat_shape for leaf in leaves])
        return Iterator._of(resource, None, structure)

    @property
    def initializer(self):
        if self._initializer is None:
            raise ValueError('Iterator does not have an initializer.')
        return self._initializer

    def make_initializer(self, dataset, name=None):
        if not structures.same_structure(self._structure, dataset._structure):
            raise ValueError("The two structures don't have the same nested structure: %r and %r." %
                             (self.output_types, dataset.output_types))
        for one, other in zip(structures.flatten(self._structure), structures.flatten(dataset._structure)):
            if one.dtype != other.dtype:
                raise TypeError('Expected output types %r but got dataset with output types %r.' %
                                (self.output_types, dataset.output_types))
            if not one.shape.is_compatible_with(other.shape):
                raise TypeError('Expected output shapes compatible with %r but got dataset with output shapes %r.' %
                                (self.output_shapes, dataset.output_shapes))
        with colocate_with(self._resource.op):
            return _ops.make_iterator(dataset._variant, self._resource, name=name)

    def get_next(self, name=None):
        self._calls += 1
        if self._calls > GET_NEXT_CALL_WARNING_THRESHOLD:
            warnings.warn(GET_NEXT_CALL_WARNING_MESSAGE)
        leaves = structures.flatten(self._structure)
        found = _ops.iterator_get_next(self._resource, [leaf.flat_dtype for leaf in leaves],
                                       [leaf.flat_shape for leaf in leaves], name=name)
        found = list(found) if isinstance(found, (list, tuple)) else [found]
        return structures.pack_sequence_as(self._structure, [leaf.from_tensor(item) for leaf, item in zip(leaves, found)])

    def string_handle(self, name=None):
        if name is None:
            if self._string_handle is None:
                self._string_handle = _ops.iterator_to_string_handle(self._resource)
            return self._string_handle
        return _ops.iterator_to_string_handle(self._resource, name=name)

    @property
    def output_types(self):
        return structures.map_structure(lambda leaf: leaf.dtype, self._structure)

    @property
    def output_shapes(self):
        return structures.map_structure(lambda leaf: leaf.shape, self._structure)

    @property
    def output_classes(self):
        return structures.map_structure(lambda leaf: leaf.cls, self._structure)

    element_spec = property(lambda self: self._structure)


def _resource(structure, shared_name=None):
    leaves = structures.flatten(structure)
    return _ops.iterator_v2(shared_name or '', '', [leaf.flat_dtype for leaf in leaves], [leaf.flat_shape for leaf in leaves])


def make_initializable_iterator(dataset, shared_name=None):
    resource = _resource(dataset._structure, shared_name)
    with colocate_with(resource.op):
        initializer = _ops.make_iterator(dataset._variant, resource)
    return Iterator._of(resource, initializer, dataset._structure)


def make_one_shot_iterator(dataset):
    try:
        made = trace(lambda: [dataset._variant], [], [], 'make_dataset', by_value=True)
    except ValueError as error:
        if 'Cannot capture' in str(error):
            raise ValueError('Failed to create a one-shot iterator for a dataset. `tf.compat.v1.data.make_initializable_iterator` '
                             'should be used instead. The original error: %s' % error) from None
        raise
    leaves = structures.flatten(dataset._structure)
    resource = _ops.one_shot_iterator(made.name, [leaf.flat_dtype for leaf in leaves], [leaf.flat_shape for leaf in leaves])
    return Iterator._of(resource, None, dataset._structure)
