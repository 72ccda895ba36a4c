"""tf.data.Dataset."""
import weakref

import numpy as np

from . import _ops, array_ops, dtypes, errors, math_ops
from . import data_structure as structures
from .convert import constant_value, convert_to_tensor
from .data_iterator import Iterator, make_initializable_iterator, make_one_shot_iterator  # noqa: F401
from .function import trace
from .scopes import get_seed, name_scope
from .shapes import TensorShape, as_shape
from .sparse_tensor import SparseTensor
from .tensor import Tensor

AUTOTUNE = -1


class Options:
    """Settings of a dataset; they are kept and do not change what it gives."""

    def __init__(self):
        self.__dict__.update(experimental_deterministic=None, experimental_slack=None, experimental_stats=None,
                             experimental_optimization=_Settings(), experimental_threading=_Settings(),
                             experimental_distribute=_Settings())

    def __eq__(self, other):
        return isinstance(other, Options) and self.__dict__ == other.__dict__

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def merge(self, options):
        made = Options()
        made.__dict__.update(self.__dict__)
        made.__dict__.update({key: value for key, value in options.__dict__.items() if value is not None})
        return made


class _Settings:
    def __eq__(self, other):
        return isinstance(other, _Settings) and self.__dict__ == other.__dict__

    __hash__ = None

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return None


def _int64(value, name):
    value = convert_to_tensor(value, name=name)
    return math_ops.cast(value, dtypes.int64)


def _normalized(value, name):
    """structures.normalize of what a function gave; |name| is that of the dataset's method."""
    if value is None or any(item is None for item in structures.flatten(value)):
        raise TypeError('Unsupported return value from function passed to %s(): %s.' % (name.replace('_', '.', 1), value))
    return structures.normalize(value)


class _Function:
    """A traced function of elements, with the structure of what it gives."""

    def __init__(self, act, structure, name, convert=True):
        leaves = structures.flatten(structure)
        self.structure = None

        def body(*flat):
            values = structures.pack_sequence_as(structure, [leaf.from_tensor(item) for leaf, item in zip(leaves, flat)])
            found = act(*values) if type(values) is tuple else act(values)
            self.structure, found = _normalized(tuple(found) if isinstance(found, list) else found, name)
            return [leaf.to_tensor(item) for leaf, item in zip(structures.flatten(self.structure), structures.flatten(found))]
        self.traced = trace(body, [leaf.flat_dtype for leaf in leaves], [leaf.flat_shape for leaf in leaves], name)

    @property
    def captured(self):
        return self.traced.captured_inputs


_made = weakref.WeakValueDictionary()  # {variant tensor: dataset}


class DatasetV2:
    """What all datasets are."""

    def __init__(self, variant_tensor):
        self._variant = variant_tensor


class DatasetV1(DatasetV2):
    """Elements that are computed one after the other."""

    def __init__(self):
        raise TypeError('Datasets are made by the functions of tf.data.Dataset')

    def _set(self, variant, structure):
        self._variant, self._structure, self._options = variant, structure, Options()
        self._parents = [_made[item] for item in getattr(variant, 'op', self).inputs if item in _made] if hasattr(variant, 'op') else []
        _made[variant] = self
        return self

    def _inputs(self):
        """The datasets that this one was made from."""
        return list(self._parents)

    _variant_tensor = property(lambda self: self._variant)

    # ---- what it gives ----

    @property
    def _flat(self):
        leaves = structures.flatten(self._structure)
        return {'output_types': [leaf.flat_dtype for leaf in leaves], 'output_shapes': [leaf.flat_shape for leaf in leaves]}

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

    def _as_variant_tensor(self):
        return self._variant

    def options(self):
        return self._options

    def with_options(self, options):
        made = _Variant(self._variant, self._structure)
        made._options = self._options.merge(options)
        return made

    def __repr__(self):
        return '<Dataset shapes: %s, types: %s>' % (self.output_shapes, self.output_types)

    def __iter__(self):
        raise RuntimeError('dataset.__iter__() is only supported when eager execution is enabled.')

    # ---- sources ----

    @staticmethod
    def from_tensors(tensors):
        structure, values = structures.normalize(tensors)
        flat = [leaf.to_tensor(item) for leaf, item in zip(structures.flatten(structure), structures.flatten(values))]
        return _Variant(_ops.tensor_dataset(flat, [leaf.flat_shape for leaf in structures.flatten(structure)]), structure)

    @staticmethod
    def from_tensor_slices(tensors):
        structure, values = structures.normalize(tensors)
        flat, leaves = [], []
        for leaf, item in zip(structures.flatten(structure), structures.flatten(values)):
            if leaf.kind == 'sparse':
                item = _ops.serialize_many_sparse(item.indices, item.values, item.dense_shape, out_type=dtypes.variant)
            elif leaf.shape.ndims == 0:
                raise ValueError('Unbatching a tensor is only supported for rank >= 1')
            flat.append(item)
            leaves.append(leaf.unbatched())
        first = [leaf.shape.as_list()[0] for leaf in structures.flatten(structure) if leaf.shape.ndims]
        if len({size for size in first if size is not None}) > 1:
            raise ValueError('Dimension 0 in both shapes must be equal, but are %s.' % ' and '.join(map(str, first)))
        made = _ops.tensor_slice_dataset(flat, [leaf.flat_shape for leaf in leaves])
        return _Variant(made, structures.pack_sequence_as(structure, leaves))

    @staticmethod
    def from_sparse_tensor_slices(sparse_tensor):
        raise NotImplementedError('weir has no from_sparse_tensor_slices; use from_tensor_slices')

    @staticmethod
    def from_generator(generator, output_types, output_shapes=None, args=None):
        from .data_generator import from_generator
        return from_generator(generator, output_types, output_shapes, args)

    @staticmethod
    def range(*args):
        start, stop, step = (0, args[0], 1) if len(args) == 1 else (args[0], args[1], 1) if len(args) == 2 else args
        leaf = structures.Leaf('dense', dtypes.int64, TensorShape([]))
        return _Variant(_ops.range_dataset(_int64(start, 'start'), _int64(stop, 'stop'), _int64(step, 'step'), [dtypes.int64],
                                           [TensorShape([])]), leaf)

    @staticmethod
    def zip(datasets):
        flat = structures.flatten(datasets)
        for item in flat:
            if not isinstance(item, DatasetV1):
                raise TypeError('The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects.')
        structure = structures.pack_sequence_as(datasets, [item._structure for item in flat])
        leaves = structures.flatten(structure)
        return _Variant(_ops.zip_dataset([item._variant for item in flat], [leaf.flat_dtype for leaf in leaves],
                                         [leaf.flat_shape for leaf in leaves]), structure)

    @staticmethod
    def list_files(file_pattern, shuffle=None, seed=None):
        shuffle = True if shuffle is None else shuffle
        with name_scope('list_files'):
            found = _ops.matching_files(convert_to_tensor(file_pattern, dtypes.string))
            made = Dataset.from_tensor_slices(found)
            if shuffle:
                made = made.shuffle(math_ops.maximum(array_ops.shape(found, out_type=dtypes.int64)[0], 1), seed=seed)
            return made

    # ---- order and amount ----

    def _same(self, op, *args, **kwargs):
        return _Variant(op(self._variant, *args, **self._flat, **kwargs), self._structure)

    def concatenate(self, dataset):
        mine, other = structures.flatten(self._structure), structures.flatten(dataset._structure)
        same = structures.same_structure(self._structure, dataset._structure)
        if not same or [leaf.dtype for leaf in mine] != [leaf.dtype for leaf in other]:
            raise TypeError('Two datasets to concatenate have different types %s and %s' % (self.output_types, dataset.output_types))
        leaves = [structures.Leaf(a.kind, a.dtype, _common(a.shape, b.shape), a.inner) for a, b in zip(mine, other)]
        made = _ops.concatenate_dataset(self._variant, dataset._variant, [leaf.flat_dtype for leaf in leaves],
                                        [leaf.flat_shape for leaf in leaves])
        return _Variant(made, structures.pack_sequence_as(self._structure, leaves))

    def prefetch(self, buffer_size):
        return self._same(_ops.prefetch_dataset, _int64(buffer_size, 'buffer_size'))

    def repeat(self, count=None):
        return self._same(_ops.repeat_dataset, _int64(-1 if count is None else count, 'count'))

    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=None):
        first, second = _seeds(seed)
        again = True if reshuffle_each_iteration is None else reshuffle_each_iteration
        return self._same(_ops.shuffle_dataset, _int64(buffer_size, 'buffer_size'), first, second, reshuffle_each_iteration=again)

    def cache(self, filename=''):
        return self._same(_ops.cache_dataset, convert_to_tensor(filename, dtypes.string, name='filename'))

    def take(self, count):
        return self._same(_ops.take_dataset, _int64(count, 'count'))

    def skip(self, count):
        return self._same(_ops.skip_dataset, _int64(count, 'count'))

    def shard(self, num_shards, index):
        known, at = (constant_value(item) if isinstance(item, Tensor) else item for item in (num_shards, index))
        if known is not None and known < 1:
            raise ValueError('num_shards must be >= 1; got: %s' % known)
        if known is not None and at is not None and not 0 <= at < known:
            raise ValueError('index must be < num_shards; got: %s >= %s' % (at, known))
        return self._same(_ops.shard_dataset, _int64(num_shards, 'num_shards'), _int64(index, 'index'))

    def enumerate(self, start=0):
        most = np.iinfo(np.int64).max
        return Dataset.zip((Dataset.range(start, most), self))

    def apply(self, transformation_func):
        made = transformation_func(self)
        if not isinstance(made, DatasetV1):
            raise TypeError('`transformation_func` must return a Dataset.')
        return made

    # ---- batches ----

    def batch(self, batch_size, drop_remainder=False):
        size = constant_value(convert_to_tensor(batch_size))
        fixed = int(size) if drop_remainder is True and size is not None else None
        leaves = [leaf.batched(fixed) for leaf in structures.flatten(self._structure)]
        made = _ops.batch_dataset_v2(self._variant, _int64(batch_size, 'batch_size'),
                                     convert_to_tensor(drop_remainder, dtypes.bool), [leaf.flat_dtype for leaf in leaves],
                                     [leaf.flat_shape for leaf in leaves])
        return _Variant(made, structures.pack_sequence_as(self._structure, leaves))

    def padded_batch(self, batch_size, padded_shapes, padding_values=None, drop_remainder=False):
        leaves = structures.flatten(self._structure)
        shapes = [_padded_shape(item, leaf.shape) for item, leaf in zip(_padded(self._structure, padded_shapes), leaves)]
        values = structures.flatten_up_to(self._structure, padding_values) if padding_values is not None else [None] * len(leaves)
        values = [_padding(value, leaf.dtype) for value, leaf in zip(values, leaves)]
        size = constant_value(convert_to_tensor(batch_size))
        fixed = int(size) if drop_remainder is True and size is not None else None
        from .convert import constant_value_as_shape
        made_leaves = [structures.Leaf('dense', leaf.dtype, TensorShape([fixed]).concatenate(constant_value_as_shape(shape)))
                       for leaf, shape in zip(leaves, shapes)]
        made = _ops.padded_batch_dataset_v2(self._variant, _int64(batch_size, 'batch_size'), shapes, values,
                                            convert_to_tensor(drop_remainder, dtypes.bool), [leaf.shape for leaf in made_leaves])
        return _Variant(made, structures.pack_sequence_as(self._structure, made_leaves))

    def unbatch(self):
        counts = {leaf.rows() for leaf in structures.flatten(self._structure)} - {None}
        if len(counts) > 1:
            raise ValueError('The components of a batch have different numbers of elements: %s' % sorted(counts))
        leaves = [leaf.unbatched() for leaf in structures.flatten(self._structure)]
        made = _ops.unbatch_dataset(self._variant, [leaf.flat_dtype for leaf in leaves], [leaf.flat_shape for leaf in leaves])
        return _Variant(made, structures.pack_sequence_as(self._structure, leaves))

    def window(self, size, shift=None, stride=1, drop_remainder=False):
        leaves = structures.flatten(self._structure)
        inner = [structures.Leaf('dataset', dtypes.variant, TensorShape([]), leaf) for leaf in leaves]
        made = _ops.window_dataset(self._variant, _int64(size, 'size'), _int64(size if shift is None else shift, 'shift'),
                                   _int64(stride, 'stride'), convert_to_tensor(drop_remainder, dtypes.bool),
                                   [leaf.flat_dtype for leaf in inner], [leaf.flat_shape for leaf in inner])
        return _Variant(made, structures.pack_sequence_as(self._structure, inner))

    # ---- functions ----

    def map(self, map_func, num_parallel_calls=None):
        act = _Function(map_func, self._structure, 'Dataset_map')
        leaves = structures.flatten(act.structure)
        flat = [leaf.flat_dtype for leaf in leaves], [leaf.flat_shape for leaf in leaves]
        if num_parallel_calls is None:
            made = _ops.map_dataset(self._variant, act.captured, act.traced.name, *flat)
        else:
            made = _ops.parallel_map_dataset(self._variant, act.captured,
                                             math_ops.cast(convert_to_tensor(num_parallel_calls), dtypes.int32),
                                             act.traced.name, *flat)
        return _Variant(made, act.structure)

    map_with_legacy_function = map

    def flat_map(self, map_func):
        act = self._inner(map_func, 'Dataset_flat_map')
        made = _ops.flat_map_dataset(self._variant, act.captured, act.traced.name, *act.flat)
        return _Variant(made, act.structure.inner)

    def _inner(self, map_func, name):
        """A function whose result is a dataset."""
        act = _Function(map_func, self._structure, name)
        if structures.is_sequence(act.structure) or act.structure.kind != 'dataset':
            raise TypeError('`map_func` must return a `Dataset` object.')
        leaves = structures.flatten(act.structure.inner)
        act.flat = [leaf.flat_dtype for leaf in leaves], [leaf.flat_shape for leaf in leaves]
        return act

    def interleave(self, map_func, cycle_length=AUTOTUNE, block_length=1, num_parallel_calls=None):
        act = self._inner(map_func, 'Dataset_interleave')
        cycle = 4 if isinstance(cycle_length, int) and cycle_length == AUTOTUNE else cycle_length
        sizes = _int64(cycle, 'cycle_length'), _int64(block_length, 'block_length')
        if num_parallel_calls is None:
            made = _ops.interleave_dataset(self._variant, act.captured, *sizes, act.traced.name, *act.flat)
        else:
            made = _ops.parallel_interleave_dataset_v2(self._variant, act.captured, *sizes,
                                                       _int64(num_parallel_calls, 'num_parallel_calls'), act.traced.name, *act.flat)
        return _Variant(made, act.structure.inner)

    def filter(self, predicate):
        act = _Function(predicate, self._structure, 'Dataset_filter')
        if structures.is_sequence(act.structure) or act.structure.dtype != dtypes.bool:
            raise ValueError('`predicate` must return a scalar boolean tensor.')
        return self._same(lambda variant, **flat: _ops.filter_dataset(variant, act.captured, act.traced.name, **flat))

    filter_with_legacy_function = filter

    def reduce(self, initial_state, reduce_func):
        state, values = structures.normalize(initial_state)
        act = _Function(reduce_func, (state, self._structure), 'Dataset_reduce')
        if not structures.same_structure(state, act.structure):
            raise errors.InvalidArgumentError(None, None, 'The new state of Dataset.reduce() has another structure than the first one.')
        state = structures.pack_sequence_as(state, [structures.Leaf(a.kind, a.dtype, _common(a.shape, b.shape)) for a, b in
                                        zip(structures.flatten(state), structures.flatten(act.structure))])
        leaves = structures.flatten(state)
        flat = [leaf.to_tensor(item) for leaf, item in zip(leaves, structures.flatten(values))]
        made = _ops.reduce_dataset(self._variant, flat, act.captured, act.traced.name, [leaf.flat_dtype for leaf in leaves],
                                   [leaf.flat_shape for leaf in leaves])
        made = made if isinstance(made, (list, tuple)) else [made]
        return structures.pack_sequence_as(state, [leaf.from_tensor(item) for leaf, item in zip(leaves, made)])

    # ---- iterators ----

    def make_one_shot_iterator(self):
        return make_one_shot_iterator(self)

    def make_initializable_iterator(self, shared_name=None):
        return make_initializable_iterator(self, shared_name)


Dataset = DatasetV1


def _Variant(variant, structure):
    """A dataset from its tensor."""
    return DatasetV1.__new__(DatasetV1)._set(variant, structure)


def _seeds(seed):
    first, second = get_seed(seed)
    first, second = (0 if item is None else item for item in (first, second))
    seeds = [convert_to_tensor(item, dtypes.int64, name=name) for item, name in ((first, 'seed'), (second, 'seed2'))]
    if isinstance(seed, Tensor):  # two zeros mean a seed of the op's own choice
        both_zero = math_ops.logical_and(math_ops.equal(seeds[0], 0), math_ops.equal(seeds[1], 0))
        seeds[1] = array_ops.where(both_zero, convert_to_tensor(2 ** 31 - 1, dtypes.int64), seeds[1])
    return tuple(seeds)


def _common(one, other):
    """The most exact shape that both fit."""
    if one.ndims is None or one.ndims != other.ndims:
        return TensorShape(None)
    return TensorShape([a if a == b else None for a, b in zip(one.as_list(), other.as_list())])


def _padded(structure, shapes):
    if not structures.is_sequence(structure):
        return [shapes]
    if hasattr(structure, 'keys'):
        return [leaf for key in sorted(structure) for leaf in _padded(structure[key], shapes[key])]
    return [leaf for one, other in zip(structure, shapes) for leaf in _padded(one, other)]


def _padded_shape(shape, component):
    """The shape that components are padded to, as a tensor; -1 stands for the longest of a batch."""
    from .convert import constant_value_as_shape
    if isinstance(shape, Tensor):
        made = shape
    elif _holds_numbers(shape) or not isinstance(shape, (list, tuple)):
        dims = shape if _holds_numbers(shape) else as_shape(shape).as_list()
        made = convert_to_tensor(np.array([-1 if dim is None else int(dim) for dim in dims], dtype=np.int64))
    else:
        made = convert_to_tensor(shape, name='padded_shape')
    if made.shape.ndims is not None and made.shape.ndims != 1:
        raise ValueError('Padded shape %s must be a 1-D tensor of tf.int64 values, but its shape was %s.' % (made, made.shape))
    if not made.dtype.is_integer:
        raise TypeError('Padded shape %s must be a 1-D tensor of tf.int64 values, but its element type was %s.' % (made, made.dtype.name))
    made = math_ops.cast(made, dtypes.int64)
    padded = constant_value_as_shape(made)
    if padded.ndims is not None and component.ndims is not None and (padded.ndims != component.ndims or any(
            a is not None and b is not None and a < b for a, b in zip(padded.as_list(), component.as_list()))):
        raise ValueError('The padded shape %s is not compatible with the corresponding input component shape %s.' % (padded, component))
    return made


def _holds_numbers(shape):
    return isinstance(shape, (list, tuple)) and all(dim is None or isinstance(dim, int) for dim in shape)


def _padding(value, dtype):
    if value is None:
        value = '' if dtype == dtypes.string else False if dtype == dtypes.bool else 0
    return convert_to_tensor(value, dtype=dtype, name='padding_value') if not isinstance(value, float) or dtype.is_floating \
        else convert_to_tensor(int(value), dtype=dtype)


# ---- files ----

def _files(filenames, make, num_parallel_reads):
    """A dataset of files: one reader, or several at once."""
    if isinstance(filenames, DatasetV1):
        source = filenames
    else:
        filenames = array_ops.reshape(convert_to_tensor(filenames, dtypes.string), [-1], name='flat_filenames')
        if num_parallel_reads is None:
            return make(filenames)
        source = Dataset.from_tensor_slices(filenames)
    read = lambda name: _Variant(make(name), structures.Leaf('dense', dtypes.string, TensorShape([])))
    if num_parallel_reads is None:
        return source.flat_map(read)._variant
    return source.interleave(read, cycle_length=num_parallel_reads, num_parallel_calls=num_parallel_reads)._variant


def _compression(kind):
    return convert_to_tensor('' if kind is None else kind, dtypes.string, name='compression_type')


class TextLineDataset(DatasetV1):
    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        size = _int64(256 * 1024 if buffer_size is None else buffer_size, 'buffer_size')
        make = lambda names: _ops.text_line_dataset(names, _compression(compression_type), size)
        self._set(_files(filenames, make, num_parallel_reads), structures.Leaf('dense', dtypes.string, TensorShape([])))


class TFRecordDataset(DatasetV1):
    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        size = _int64(256 * 1024 if buffer_size is None else buffer_size, 'buffer_size')
        make = lambda names: _ops.tf_record_dataset(names, _compression(compression_type), size)
        self._set(_files(filenames, make, num_parallel_reads), structures.Leaf('dense', dtypes.string, TensorShape([])))


class FixedLengthRecordDataset(DatasetV1):
    def __init__(self, filenames, record_bytes, header_bytes=None, footer_bytes=None, buffer_size=None, compression_type=None,
                 num_parallel_reads=None):
        sizes = [_int64(default if value is None else value, word) for word, value, default in (
            ('header_bytes', header_bytes, 0), ('record_bytes', record_bytes, 0), ('footer_bytes', footer_bytes, 0),
            ('buffer_size', buffer_size, 256 * 1024))]
        make = lambda names: _ops.fixed_length_record_dataset_v2(names, *sizes, _compression(compression_type))
        self._set(_files(filenames, make, num_parallel_reads), structures.Leaf('dense', dtypes.string, TensorShape([])))


DatasetV1Adapter = DatasetV1


def get_legacy_output_types(dataset_or_iterator):
    return dataset_or_iterator.output_types


def get_legacy_output_shapes(dataset_or_iterator):
    return dataset_or_iterator.output_shapes


def get_legacy_output_classes(dataset_or_iterator):
    return dataset_or_iterator.output_classes


def get_output_types(dataset_or_iterator):
    return dataset_or_iterator.output_types


def get_output_shapes(dataset_or_iterator):
    return dataset_or_iterator.output_shapes


def get_output_classes(dataset_or_iterator):
    return dataset_or_iterator.output_classes
