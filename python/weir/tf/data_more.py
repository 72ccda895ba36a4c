"""tf.data.experimental: reductions by key, distinct elements, sparse batches, cardinality, datasets of parsed examples."""
import numpy as np

from . import _ops, array_ops, dtypes, math_ops, parsing_ops, random_ops
from . import data_structure as structures
from .convert import convert_to_tensor
from .data import _Function, _int64, _Variant
from .shapes import TensorShape

INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2


class Reducer:
    """A state for a key, what an element makes of it, and what is given at the end."""

    def __init__(self, init_func, reduce_func, finalize_func):
        self.init_func, self.reduce_func, self.finalize_func = init_func, reduce_func, finalize_func


def group_by_reducer(key_func, reducer):
    """One element for each key: what the reducer makes of the elements with it."""
    def apply(dataset):
        scalar = structures.Leaf('dense', dtypes.int64, TensorShape([]))
        key = _Function(lambda *item: math_ops.cast(key_func(*item), dtypes.int64), dataset._structure, 'Dataset_key')
        begin = _Function(reducer.init_func, scalar, 'Dataset_init')
        act = _Function(reducer.reduce_func, (begin.structure, dataset._structure), 'Dataset_reduce')
        end = _Function(reducer.finalize_func, begin.structure, 'Dataset_finalize')
        leaves = structures.flatten(end.structure)
        made = _ops.group_by_reducer_dataset(dataset._variant, key.captured, begin.captured, act.captured, end.captured,
                                             key.traced.name, begin.traced.name, act.traced.name, end.traced.name,
                                             [leaf.flat_dtype for leaf in leaves], [leaf.flat_shape for leaf in leaves])
        return _Variant(made, end.structure)
    return apply


def unique():
    """Each value once."""
    def apply(dataset):
        leaf = structures.flatten(dataset._structure)[0]
        if leaf.dtype not in (dtypes.int32, dtypes.int64, dtypes.string):
            raise TypeError('`tf.data.experimental.unique()` only supports inputs with a single `tf.int32`, `tf.int64`, or '
                            '`tf.string` component.')
        return dataset._same(_ops.unique_dataset)
    return apply


def dense_to_sparse_batch(batch_size, row_shape):
    """Batches of elements of several shapes, as SparseTensors."""
    def apply(dataset):
        leaf = structures.flatten(dataset._structure)[0]
        if leaf.kind != 'dense' or structures.is_sequence(dataset._structure):
            raise TypeError('DenseToSparseDataset requires an input whose elements have a single component')
        shape = TensorShape(row_shape)
        sizes = [-1 if dim is None else dim for dim in shape.as_list()]
        out = structures.Leaf('sparse', leaf.dtype, TensorShape([None]).concatenate(shape))
        made = _ops.dense_to_sparse_batch_dataset(dataset._variant, _int64(batch_size, 'batch_size'),
                                                  convert_to_tensor(np.array(sizes, np.int64)), [out.flat_dtype], [out.flat_shape])
        return _Variant(made, out)
    return apply


def cardinality(dataset):
    """The number of elements, as far as it is known without reading them."""
    return _ops.dataset_cardinality(dataset._variant)


def parse_example_dataset(features, num_parallel_calls=1):
    if features is None:
        raise ValueError('Missing: features was %s.' % features)

    def apply(dataset):
        return dataset.map(lambda item: parsing_ops.parse_example(item, features), num_parallel_calls)
    return apply


def map_and_batch_with_legacy_function(map_func, batch_size, num_parallel_batches=None, drop_remainder=False, num_parallel_calls=None):
    from .data_experimental import map_and_batch
    return map_and_batch(map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls)


def to_variant(dataset):
    return dataset._variant


def get_structure(dataset_or_iterator):
    return dataset_or_iterator.element_spec


def bytes_produced_stats(tag):
    return lambda dataset: dataset


def latency_stats(tag):
    return lambda dataset: dataset


def rejection_resample(class_func, target_dist, initial_dist=None, seed=None):
    """Pairs of class and element, some left out so that classes come as target_dist says. Without initial_dist the classes that came
    so far stand for it."""
    def apply(dataset):
        target = convert_to_tensor(target_dist, name='target_dist')
        count = target.shape.dims[0].value
        begin = array_ops.ones([count], dtypes.int64) if initial_dist is None else array_ops.zeros([count], dtypes.int64)

        def seen(counts, *item):
            label = math_ops.cast(class_func(*item), dtypes.int64)
            counts = counts + array_ops.one_hot(label, count, dtype=dtypes.int64)
            shares = math_ops.cast(counts, target.dtype) / math_ops.cast(math_ops.reduce_sum(counts), target.dtype)
            shares = convert_to_tensor(initial_dist, dtype=target.dtype) if initial_dist is not None else shares
            ratio = target / (shares + np.finfo(target.dtype.as_numpy_dtype).tiny)
            chance = array_ops.gather(ratio / math_ops.reduce_max(ratio), label)
            kept = random_ops.random_uniform([], seed=seed, dtype=target.dtype) < chance
            return counts, (kept, label, item if len(item) > 1 else item[0])
        from .data_experimental import scan
        made = dataset.apply(scan(begin, seen)).filter(lambda kept, label, item: kept)
        return made.map(lambda kept, label, item: (label, item))
    return apply


class TFRecordWriter:
    """Writes the elements of a dataset of strings to a file of records, as a node."""

    def __init__(self, filename, compression_type=None):
        self._name = convert_to_tensor(filename, dtypes.string, name='filename')
        self._compression = convert_to_tensor(compression_type or '', dtypes.string, name='compression_type')

    def write(self, dataset):
        return _ops.dataset_to_tf_record(dataset._variant, self._name, self._compression)


class OptimizationOptions:
    """Options of a dataset's optimisation: kept, without effect."""


MapVectorizationOptions = DistributeOptions = StatsOptions = ThreadingOptions = OptimizationOptions
