"""tf.data.experimental and tf.contrib.data: transformations that `Dataset.apply` takes, and datasets over files."""
import csv

import numpy as np

from . import _ops, array_ops, dtypes, math_ops, parsing_ops, random_ops
from . import data_structure as structures
from .convert import convert_to_tensor
from .data import AUTOTUNE, Dataset, DatasetV1, TextLineDataset, TFRecordDataset, _Function, _int64, _Variant  # noqa: F401
from .scopes import get_seed
from .shapes import TensorShape


def map_and_batch(map_func, batch_size, num_parallel_batches=None, drop_remainder=False, num_parallel_calls=None):
    if num_parallel_batches is not None and num_parallel_calls is not None:
        raise ValueError('The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive.')
    calls = num_parallel_calls if num_parallel_calls is not None else None if num_parallel_batches is None else 2

    def apply(dataset):
        return dataset.map(map_func, calls).batch(batch_size, drop_remainder)
    return apply


def parallel_interleave(map_func, cycle_length, block_length=1, sloppy=False, buffer_output_elements=None,
                        prefetch_input_elements=None):
    def apply(dataset):
        return dataset.interleave(map_func, cycle_length, block_length, num_parallel_calls=cycle_length)
    return apply


def shuffle_and_repeat(buffer_size, count=None, seed=None):
    def apply(dataset):
        return dataset.shuffle(buffer_size, seed).repeat(count)
    return apply


def unbatch():
    def apply(dataset):
        return dataset.unbatch()
    return apply


def batch_and_drop_remainder(batch_size):
    def apply(dataset):
        return dataset.batch(batch_size, drop_remainder=True)
    return apply


def padded_batch_and_drop_remainder(batch_size, padded_shapes, padding_values=None):
    def apply(dataset):
        return dataset.padded_batch(batch_size, padded_shapes, padding_values, drop_remainder=True)
    return apply


def prefetch_to_device(device, buffer_size=None):
    def apply(dataset):
        return dataset.prefetch(1 if buffer_size is None else buffer_size)
    return apply


def copy_to_device(target_device, source_device='/cpu:0'):
    def apply(dataset):
        return dataset
    return apply


def enumerate_dataset(start=0):
    def apply(dataset):
        return dataset.enumerate(start)
    return apply


def Counter(start=0, step=1, dtype=dtypes.int64):
    most = np.iinfo(np.int64).max if step > 0 else np.iinfo(np.int64).min
    made = Dataset.range(start, most, step)
    return made if dtype == dtypes.int64 else made.map(lambda item: math_ops.cast(item, dtype))


def ignore_errors():
    def apply(dataset):
        return dataset._same(_ops.ignore_errors_dataset)
    return apply


def take_while(predicate):
    def apply(dataset):
        act = _Function(predicate, dataset._structure, 'Dataset_take_while')
        return dataset._same(lambda variant, **flat: _ops.take_while_dataset(variant, act.captured, act.traced.name, **flat))
    return apply


def get_single_element(dataset):
    leaves = structures.flatten(dataset._structure)
    found = _ops.dataset_to_single_element(dataset._variant, [leaf.flat_dtype for leaf in leaves],
                                           [leaf.flat_shape for leaf in leaves])
    found = list(found) if isinstance(found, (list, tuple)) else [found]
    return structures.pack_sequence_as(dataset._structure, [leaf.from_tensor(item) for leaf, item in zip(leaves, found)])


def scan(initial_state, scan_func):
    """Each element and the state give the next state and what the dataset gives."""
    def apply(dataset):
        state, values = structures.normalize(initial_state)
        act = _Function(scan_func, (state, dataset._structure), 'Dataset_scan')
        if not structures.is_sequence(act.structure) or len(act.structure) != 2:
            raise TypeError('The scan function must return a pair comprising the new state and the output value.')
        leaves, out = structures.flatten(state), structures.flatten(act.structure[1])
        flat = [leaf.to_tensor(item) for leaf, item in zip(leaves, structures.flatten(values))]
        made = _ops.scan_dataset(dataset._variant, flat, act.captured, act.traced.name, [leaf.flat_dtype for leaf in out],
                                 [leaf.flat_shape for leaf in out])
        return _Variant(made, act.structure[1])
    return apply


# ---- several datasets ----

def _directed(selector, datasets):
    first = datasets[0]
    made = _ops.directed_interleave_dataset(selector._variant, [item._variant for item in datasets], **first._flat)
    return _Variant(made, first._structure)


def choose_from_datasets(datasets, choice_dataset):
    return _directed(choice_dataset, datasets)


def sample_from_datasets(datasets, weights=None, seed=None):
    if weights is None:
        weights = [1.0 / len(datasets)] * len(datasets)
    if not isinstance(weights, DatasetV1):
        logits = math_ops.log(convert_to_tensor(weights, dtypes.float32))
        chosen = Dataset.range(np.iinfo(np.int64).max).map(
            lambda _: array_ops.squeeze(random_ops.multinomial([logits], 1, seed=seed), [0, 1]))
    else:
        chosen = weights.map(lambda item: array_ops.squeeze(
            random_ops.multinomial([math_ops.log(math_ops.cast(item, dtypes.float32))], 1, seed=seed), [0, 1]))
    return _directed(chosen, datasets)


# ---- groups ----

def group_by_window(key_func, reduce_func, window_size=None, window_size_func=None):
    """Elements of one key, window_size at a time, become the dataset that reduce_func gives."""
    if (window_size is None) == (window_size_func is None):
        raise ValueError('Must pass either window_size or window_size_func, but not both.')
    size_func = window_size_func or (lambda key: convert_to_tensor(window_size, dtypes.int64))

    def apply(dataset):
        scalar = structures.Leaf('dense', dtypes.int64, TensorShape([]))
        key = _Function(lambda *item: math_ops.cast(key_func(*item), dtypes.int64), dataset._structure, 'Dataset_key')
        size = _Function(lambda item: math_ops.cast(size_func(item), dtypes.int64), scalar, 'Dataset_size')
        window = structures.Leaf('dataset', dtypes.variant, TensorShape([]), dataset._structure)
        act = _Function(reduce_func, (scalar, window), 'Dataset_reduce')
        inner = act.structure.inner
        leaves = structures.flatten(inner)
        made = _ops.group_by_window_dataset(dataset._variant, key.captured, act.captured, size.captured, key.traced.name,
                                            act.traced.name, size.traced.name, [leaf.flat_dtype for leaf in leaves],
                                            [leaf.flat_shape for leaf in leaves])
        return _Variant(made, inner)
    return apply


def bucket_by_sequence_length(element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes=None,
                              padding_values=None, pad_to_bucket_boundary=False, no_padding=False, drop_remainder=False):
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError('len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1')
    sizes = convert_to_tensor(np.array(bucket_batch_sizes, np.int64))
    low = np.array([np.iinfo(np.int64).min] + list(bucket_boundaries), np.int64)
    high = np.array(list(bucket_boundaries) + [np.iinfo(np.int64).max], np.int64)

    def bucket(*item):
        length = math_ops.cast(element_length_func(*item), dtypes.int64)
        inside = math_ops.logical_and(math_ops.less_equal(low, length), math_ops.less(length, high))
        return math_ops.reduce_min(array_ops.where(inside))

    def shapes(structure, bound):
        wanted = padded_shapes if padded_shapes is not None else structures.map_structure(lambda leaf: leaf.shape, structure)
        if not pad_to_bucket_boundary:
            return wanted
        fill = lambda leaf, shape: [bound if dim is None else dim for dim in TensorShape(shape).as_list()]
        return structures.map_structure(fill, structure, wanted)

    def apply(dataset):
        def batched(key, window):
            size = sizes[key]
            if no_padding:
                return window.batch(size, drop_remainder)
            bound = array_ops.gather(convert_to_tensor(high - 1), key) if pad_to_bucket_boundary else None
            wanted = shapes(dataset._structure, bound)
            if pad_to_bucket_boundary:
                wanted = structures.map_structure(lambda leaf, shape: array_ops.stack([math_ops.cast(dim, dtypes.int64)
                                                                                      for dim in shape]), dataset._structure, wanted)
            return window.padded_batch(size, wanted, padding_values, drop_remainder)
        return dataset.apply(group_by_window(bucket, batched, window_size_func=lambda key: sizes[key]))
    return apply


# ---- files ----

def make_batched_features_dataset(file_pattern, batch_size, features, reader=TFRecordDataset, label_key=None, reader_args=None,
                                  num_epochs=None, shuffle=True, shuffle_buffer_size=10000, shuffle_seed=None,
                                  prefetch_buffer_size=None, reader_num_threads=None, parser_num_threads=None,
                                  sloppy_ordering=False, drop_final_batch=False):
    files = Dataset.list_files(file_pattern, shuffle, shuffle_seed)
    made = files.interleave(lambda name: reader(name, *(reader_args or [])), cycle_length=reader_num_threads or 1)
    made = made.map(lambda *item: item[-1]) if structures.is_sequence(made._structure) else made
    made = made.shuffle(shuffle_buffer_size, shuffle_seed).repeat(num_epochs) if shuffle else made.repeat(num_epochs)
    made = made.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    made = made.map(lambda item: parsing_ops.parse_example(item, features), parser_num_threads or 2)
    if label_key:
        made = made.map(lambda item: ({key: value for key, value in item.items() if key != label_key}, item[label_key]))
    return made.prefetch(prefetch_buffer_size or 1)


def _default(kind):
    """A default value of a column from what it may hold: a type means that the value must be there."""
    return array_ops.zeros([0], dtypes.as_dtype(kind)) if isinstance(kind, (dtypes.DType, type)) else kind


def CsvDataset(filenames, record_defaults, compression_type=None, buffer_size=None, header=False, field_delim=',',
               use_quote_delim=True, na_value='', select_cols=None):
    defaults = [_default(kind) for kind in record_defaults]
    names = Dataset.from_tensor_slices(array_ops.reshape(convert_to_tensor(filenames, dtypes.string), [-1]))
    lines = names.flat_map(lambda name: TextLineDataset(name, compression_type, buffer_size).skip(1 if header else 0))
    return lines.map(lambda line: tuple(parsing_ops.decode_csv(line, defaults, field_delim, use_quote_delim, na_value=na_value,
                                                               select_cols=select_cols)))


def _kind(values, na_value):
    """The narrowest type of all texts of a column."""
    present = [text for text in values if text not in ('', na_value)]
    for kind, made in ((int, dtypes.int32), (float, dtypes.float32)):
        try:
            found = [kind(text) for text in present]
        except ValueError:
            continue
        if made == dtypes.int32 and any(abs(item) >= 2 ** 31 for item in found):
            made = dtypes.int64
        return made
    return dtypes.string


def make_csv_dataset(file_pattern, batch_size, column_names=None, column_defaults=None, label_name=None, select_columns=None,
                     field_delim=',', use_quote_delim=True, na_value='', header=True, num_epochs=None, shuffle=True,
                     shuffle_buffer_size=10000, shuffle_seed=None, prefetch_buffer_size=None, num_parallel_reads=None,
                     sloppy=False, num_rows_for_inference=100, compression_type=None, ignore_errors=False):
    from . import gfile
    patterns = [file_pattern] if isinstance(file_pattern, str) else list(file_pattern)
    files = sorted(name for pattern in patterns for name in gfile.Glob(pattern))
    if not files:
        raise ValueError('No files match `file_pattern` %s' % (file_pattern,))
    with open(files[0], newline='') as file:
        rows = [row for row, _ in zip(csv.reader(file, delimiter=field_delim), range((num_rows_for_inference or 100) + 1))]
    if column_names is None:
        column_names = rows[0]
    rows = rows[1:] if header else rows
    chosen = list(range(len(column_names))) if select_columns is None else \
        [column_names.index(item) if isinstance(item, str) else item for item in select_columns]
    names = [column_names[at] for at in chosen]
    if column_defaults is None:
        kinds = [_kind([row[at] for row in rows], na_value) for at in chosen]
        column_defaults = [np.array([''], object) if kind == dtypes.string else np.zeros([1], kind.as_numpy_dtype) for kind in kinds]
    made = Dataset.from_tensor_slices(files)
    made = made.shuffle(len(files), shuffle_seed) if shuffle else made
    made = made.flat_map(lambda name: CsvDataset(name, column_defaults, compression_type, None, header, field_delim,
                                                 use_quote_delim, na_value, chosen))
    made = made.apply(globals()['ignore_errors']()) if ignore_errors else made
    made = made.shuffle(shuffle_buffer_size, shuffle_seed).repeat(num_epochs) if shuffle else made.repeat(num_epochs)

    def named(*columns):
        found = dict(zip(names, columns))
        return (found, found.pop(label_name)) if label_name is not None else found
    made = made.batch(batch_size, drop_remainder=num_epochs is None).map(named)
    return made.prefetch(prefetch_buffer_size or 1)


def RandomDataset(seed=None):
    first, second = (_int64(item or 0, 'seed') for item in get_seed(seed))
    return _Variant(_ops.random_dataset(first, second, [dtypes.int64], [TensorShape([])]),
                    structures.Leaf('dense', dtypes.int64, TensorShape([])))
