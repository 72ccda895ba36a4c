"""Nested structures: lists, tuples, named tuples and dicts of anything."""
import collections.abc

from .sparse_tensor import SparseTensorValue
from .tensor import IndexedSlices


def is_sequence(o):
    return isinstance(o, (list, tuple, dict, collections.abc.MappingView)) and not isinstance(o, (str, bytes, SparseTensorValue)) or \
        isinstance(o, collections.abc.Mapping) and not isinstance(o, IndexedSlices)


is_nested = is_sequence


def _items(structure):
    if isinstance(structure, collections.abc.Mapping):
        try:
            return [structure[key] for key in sorted(structure)]
        except TypeError:
            raise TypeError('nest only supports dicts with sortable keys.')
    return list(structure)


def flatten(structure, expand_composites=False):
    """The leaves in order; those of a dict by sorted key."""
    if not is_sequence(structure):
        return [structure]
    return [leaf for item in _items(structure) for leaf in flatten(item)]


def _rebuild(structure, values):
    if isinstance(structure, collections.abc.Mapping):
        found = dict(zip(sorted(structure), values))
        return type(structure)((key, found[key]) for key in structure)
    if hasattr(structure, '_fields'):
        return type(structure)(*values)
    if isinstance(structure, collections.abc.MappingView):
        return list(values)
    return type(structure)(values)


def _pack(structure, leaves):
    if not is_sequence(structure):
        return next(leaves)
    return _rebuild(structure, [_pack(item, leaves) for item in _items(structure)])


def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    """A structure like `structure` with the leaves `flat_sequence`."""
    if not isinstance(flat_sequence, (list, tuple)):
        raise TypeError('flat_sequence must be a sequence')
    count = len(flatten(structure))
    if count != len(flat_sequence):
        if not is_sequence(structure):
            raise ValueError('Structure is a scalar but len(flat_sequence) == %d > 1' % len(flat_sequence))
        raise ValueError('Could not pack sequence. Structure had %d elements, but flat_sequence had %d elements.  Structure: '
                         '%s, flat_sequence: %s.' % (count, len(flat_sequence), structure, flat_sequence))
    return _pack(structure, iter(flat_sequence))


def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False):
    if is_sequence(nest1) != is_sequence(nest2):
        raise ValueError("The two structures don't have the same nested structure.\n\nFirst structure: %s\n\nSecond structure: "
                         "%s" % (nest1, nest2))
    if not is_sequence(nest1):
        return
    if check_types and type(nest1) is not type(nest2) and not (
            hasattr(nest1, '_fields') and hasattr(nest2, '_fields') and nest1._fields == nest2._fields):
        raise TypeError("The two structures don't have the same sequence type. First structure has type %s, while second "
                        "structure has type %s." % (type(nest1), type(nest2)))
    first, second = _items(nest1), _items(nest2)
    if len(first) != len(second):
        raise ValueError("The two structures don't have the same number of elements.\n\nFirst structure: %s\n\nSecond "
                         "structure: %s" % (nest1, nest2))
    for left, right in zip(first, second):
        assert_same_structure(left, right, check_types)


def map_structure(func, *structure, **kwargs):
    if not callable(func):
        raise TypeError('func must be callable, got: %s' % func)
    if not structure:
        raise ValueError('Must provide at least one structure')
    check = kwargs.pop('check_types', True)
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check)
    return pack_sequence_as(structure[0], [func(*leaves) for leaves in zip(*(flatten(item) for item in structure))])


def flatten_up_to(shallow_tree, input_tree):
    if not is_sequence(shallow_tree):
        return [input_tree]
    return [leaf for left, right in zip(_items(shallow_tree), _items(input_tree)) for leaf in flatten_up_to(left, right)]


def map_structure_up_to(shallow_tree, func, *inputs):
    rows = zip(*(flatten_up_to(shallow_tree, item) for item in inputs))
    return pack_sequence_as(shallow_tree, [func(*row) for row in rows])


def yield_flattened_items(structure):
    return iter(flatten(structure))
