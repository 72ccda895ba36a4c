"""Examples, CSV lines and raw bytes as tensors."""
import collections

import numpy as np

from . import _ops, array_ops, dtypes, math_ops
from .convert import convert_to_tensor
from .scopes import name_scope
from .shapes import TensorShape
from .sparse_tensor import SparseTensor


class VarLenFeature(collections.namedtuple('VarLenFeature', ['dtype'])):
    __slots__ = ()


class SparseFeature(collections.namedtuple('SparseFeature', ['index_key', 'value_key', 'dtype', 'size', 'already_sorted'])):
    __slots__ = ()

    def __new__(cls, index_key, value_key, dtype, size, already_sorted=False):
        return super().__new__(cls, index_key, value_key, dtype, size, already_sorted)


class FixedLenFeature(collections.namedtuple('FixedLenFeature', ['shape', 'dtype', 'default_value'])):
    __slots__ = ()

    def __new__(cls, shape, dtype, default_value=None):
        return super().__new__(cls, shape, dtype, default_value)


class FixedLenSequenceFeature(collections.namedtuple('FixedLenSequenceFeature',
                                                     ['shape', 'dtype', 'allow_missing', 'default_value'])):
    __slots__ = ()

    def __new__(cls, shape, dtype, allow_missing=False, default_value=None):
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


class _Spec:
    """Features sorted by kind, in the order of their keys."""

    def __init__(self, features):
        if not features:
            raise ValueError('Missing: features was %s.' % features)
        self.sparse, self.dense, self.composed = [], [], {}
        for key in sorted(features):
            self._add(key, features[key])

    def _add(self, key, feature):
        if isinstance(feature, VarLenFeature):
            self._sparse(key, feature.dtype)
        elif isinstance(feature, SparseFeature):
            self.composed[key] = feature
            keys = feature.index_key if isinstance(feature.index_key, (list, tuple)) else [feature.index_key]
            for item in keys:
                self._sparse(item, dtypes.int64)
            self._sparse(feature.value_key, feature.dtype)
        elif isinstance(feature, FixedLenFeature):
            self.dense.append((key, dtypes.as_dtype(feature.dtype), TensorShape(feature.shape), feature.default_value))
        elif isinstance(feature, FixedLenSequenceFeature):
            if not feature.allow_missing:
                raise ValueError('Unsupported: FixedLenSequenceFeature requires allow_missing to be True.')
            shape = TensorShape([None]).concatenate(TensorShape(feature.shape))
            default = feature.default_value
            if default is None:
                default = '' if dtypes.as_dtype(feature.dtype) == dtypes.string else 0
            self.dense.append((key, dtypes.as_dtype(feature.dtype), shape, [default] if not isinstance(default, list) else default))
        else:
            raise ValueError('Invalid feature %s:%s.' % (key, feature))

    def _sparse(self, key, dtype):
        if dtype is None:
            raise ValueError('Missing type for feature %s.' % key)
        if key not in [item for item, _ in self.sparse]:
            self.sparse.append((key, dtypes.as_dtype(dtype)))

    def defaults(self):
        return [self._default(*row) for row in self.dense]

    @staticmethod
    def _default(key, dtype, shape, value):
        if value is None:
            return np.asarray([], dtype=dtype.as_numpy_dtype) if dtype != dtypes.string else convert_to_tensor([], dtypes.string)
        name = 'key_' + ''.join(c if c.isalnum() else '_' for c in key)
        made = convert_to_tensor(value, dtype=dtype, name=name)
        return array_ops.reshape(made, shape) if shape.is_fully_defined() else array_ops.reshape(made, [-1])[:1] \
            if made.get_shape().ndims else made

    def finish(self, found):
        for key, feature in self.composed.items():
            found[key] = _composed(feature, found)
        used = {item for f in self.composed.values()
                for item in (f.index_key if isinstance(f.index_key, (list, tuple)) else [f.index_key]) + [f.value_key]} - self.plain
        return {key: value for key, value in found.items() if key not in used}

    plain = frozenset()


def _composed(feature, found):
    from .sparse_ops import sparse_merge
    keys = feature.index_key if isinstance(feature.index_key, (list, tuple)) else [feature.index_key]
    sizes = feature.size if isinstance(feature.size, (list, tuple)) else [feature.size]
    return sparse_merge([found[key] for key in keys], found[feature.value_key], list(sizes), already_sorted=feature.already_sorted)


def parse_example(serialized, features, name=None, example_names=None):
    """{key: tensor} of a batch of serialised Examples."""
    spec = _Spec(features)
    spec.plain = frozenset(key for key in features)
    with name_scope(name, 'ParseExample', [serialized, example_names]):
        serialized = convert_to_tensor(serialized, dtypes.string)
        names = convert_to_tensor([] if example_names is None else example_names, dtypes.string)
        made = _ops.parse_example(serialized, names, [key for key, _ in spec.sparse], [row[0] for row in spec.dense],
                                  spec.defaults(), [dtype for _, dtype in spec.sparse], [row[2] for row in spec.dense])
        return spec.finish(_collect(spec, made))


def _collect(spec, made):
    out = {}
    for i, (key, _) in enumerate(spec.sparse):
        out[key] = SparseTensor(made.sparse_indices[i], made.sparse_values[i], made.sparse_shapes[i])
    for (key, *_), value in zip(spec.dense, made.dense_values):
        out[key] = value
    return out


def parse_single_example(serialized, features, name=None, example_names=None):
    """{key: tensor} of one serialised Example."""
    spec = _Spec(features)
    spec.plain = frozenset(key for key in features)
    with name_scope(name, 'ParseSingleExample', [serialized]):
        serialized = convert_to_tensor(serialized, dtypes.string)
        made = _ops.parse_single_example(serialized, spec.defaults(), len(spec.sparse), [key for key, _ in spec.sparse],
                                         [row[0] for row in spec.dense], [dtype for _, dtype in spec.sparse],
                                         [row[2] for row in spec.dense])
        return spec.finish(_collect(spec, made))


def parse_single_sequence_example(serialized, context_features=None, sequence_features=None, example_name=None, name=None):
    """({key: tensor} of the context, {key: tensor} of the sequences) of one serialised SequenceExample."""
    if not (context_features or sequence_features):
        raise ValueError('Missing features.')
    context = _Spec(context_features) if context_features else _Empty()
    sequence = _Sequences(sequence_features or {})
    with name_scope(name, 'ParseSingleSequenceExample', [serialized]):
        made = _ops.parse_single_sequence_example(
            convert_to_tensor(serialized, dtypes.string), convert_to_tensor(sequence.missing, dtypes.string),
            _texts([key for key, _ in context.sparse]), _texts([row[0] for row in context.dense]),
            _texts([key for key, _ in sequence.sparse]), _texts([row[0] for row in sequence.dense]), context.defaults(),
            convert_to_tensor('' if example_name is None else example_name, dtypes.string),
            [dtype for _, dtype in context.sparse], [row[1] for row in sequence.dense], [row[2] for row in context.dense],
            [dtype for _, dtype in sequence.sparse], [row[2] for row in sequence.dense])
        return _side(context, made, 'context'), _side(sequence, made, 'feature_list')


class _Empty:
    sparse, dense = (), ()

    def defaults(self):
        return []


class _Sequences:
    def __init__(self, features):
        self.sparse = [(key, dtypes.as_dtype(f.dtype)) for key, f in sorted(features.items()) if isinstance(f, VarLenFeature)]
        self.dense = [(key, dtypes.as_dtype(f.dtype), TensorShape(f.shape)) for key, f in sorted(features.items())
                      if not isinstance(f, VarLenFeature)]
        self.missing = [key for key, f in sorted(features.items()) if getattr(f, 'allow_missing', False)]


def _texts(keys):
    return [convert_to_tensor(key, dtypes.string) for key in keys]


def _side(spec, made, word):
    part = lambda kind: getattr(made, '%s_%s' % (word, kind))
    out = {key: SparseTensor(part('sparse_indices')[i], part('sparse_values')[i], part('sparse_shapes')[i])
           for i, (key, _) in enumerate(spec.sparse)}
    out.update({row[0]: part('dense_values')[i] for i, row in enumerate(spec.dense)})
    return out


def decode_raw(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None):
    return _ops.decode_raw(input_bytes if input_bytes is not None else bytes, out_type, little_endian, name)


def decode_csv(records, record_defaults, field_delim=',', use_quote_delim=True, name=None, na_value='', select_cols=None):
    if select_cols is not None and any(a >= b for a, b in zip(select_cols, select_cols[1:])):
        raise ValueError('select_cols is not strictly increasing.')
    if select_cols is not None and len(select_cols) != len(record_defaults):
        raise ValueError('Length of select_cols and record_defaults do not match.')
    defaults = [_csv_default(item) for item in record_defaults]
    return _ops.decode_csv(records, defaults, field_delim, use_quote_delim, na_value, select_cols or [], name)


def _csv_default(item):
    try:
        dtype = dtypes.as_dtype(item)
    except TypeError:
        return convert_to_tensor(item)
    return array_ops.constant([], dtype=dtype)


def parse_tensor(serialized, out_type, name=None):
    return _ops.parse_tensor(serialized, out_type, name)
