"""tf.contrib.slim's data: decoders of examples, datasets of record files, and the readers that feed queues."""
import contextlib

from ..public import tf


# ---- tfexample_decoder -------------------------------------------------------------------------

class ItemHandler:
    """Makes an item from tensors that were parsed."""

    def __init__(self, keys):
        self._keys = list(keys) if isinstance(keys, (list, tuple)) else [keys]

    keys = property(lambda self: self._keys)

    def tensors_to_item(self, keys_to_tensors):
        raise NotImplementedError


class ItemHandlerCallback(ItemHandler):
    def __init__(self, keys, func):
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors):
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """[boxes, (ymin, xmin, ymax, xmax)]."""

    def __init__(self, keys=None, prefix=''):
        keys = ['ymin', 'xmin', 'ymax', 'xmax'] if keys is None else keys
        if len(keys) != 4:
            raise ValueError('`BoundingBox` expects 4 keys but got %d' % len(keys))
        self._full_keys = [prefix + key for key in keys]
        super().__init__(self._full_keys)

    def tensors_to_item(self, keys_to_tensors):
        sides = []
        for key in self._full_keys:
            side = keys_to_tensors[key]
            side = side.values if isinstance(side, tf.SparseTensor) else side
            sides.append(tf.expand_dims(side, 0))
        return tf.transpose(tf.concat(sides, 0))


def _shape_of(keys_to_tensors, shape, shape_keys):
    if shape is not None:
        return shape
    if not shape_keys:
        return None
    parts = []
    for key in shape_keys:
        part = keys_to_tensors[key]
        part = tf.sparse_tensor_to_dense(part) if isinstance(part, tf.SparseTensor) else part
        parts.append(part)
    return tf.reshape(tf.stack(parts), [-1])


class Tensor(ItemHandler):
    """A tensor, given a shape."""

    def __init__(self, tensor_key, shape_keys=None, shape=None, default_value=0):
        if shape_keys and shape is not None:
            raise ValueError('Cannot specify both shape_keys and shape parameters.')
        if shape_keys and not isinstance(shape_keys, list):
            shape_keys = [shape_keys]
        self._tensor_key, self._shape_keys, self._shape, self._default_value = tensor_key, shape_keys, shape, default_value
        super().__init__([tensor_key] + list(shape_keys or []))

    def tensors_to_item(self, keys_to_tensors):
        tensor = keys_to_tensors[self._tensor_key]
        shape = _shape_of(keys_to_tensors, self._shape, self._shape_keys)
        if isinstance(tensor, tf.SparseTensor):
            if shape is not None:
                tensor = tf.sparse_reshape(tensor, shape)
            tensor = tf.sparse_tensor_to_dense(tensor, self._default_value)
        elif shape is not None:
            tensor = tf.reshape(tensor, shape)
        return tensor


class LookupTensor(Tensor):
    def __init__(self, tensor_key, table, shape_keys=None, shape=None, default_value=''):
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors):
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    def __init__(self, handler, backup):
        self._handler, self._backup = handler, backup
        super().__init__(handler.keys + backup.keys)

    def tensors_to_item(self, keys_to_tensors):
        item = self._handler.tensors_to_item(keys_to_tensors)
        return tf.cond(tf.equal(tf.reduce_prod(tf.shape(item)), 0), lambda: self._backup.tensors_to_item(keys_to_tensors), lambda: item)


class SparseTensor(ItemHandler):
    def __init__(self, indices_key=None, values_key=None, shape_key=None, shape=None, densify=False, default_value=0):
        self._indices_key, self._values_key = indices_key or 'indices', values_key or 'values'
        self._shape_key, self._shape, self._densify, self._default_value = shape_key, shape, densify, default_value
        super().__init__([self._indices_key, self._values_key] + ([shape_key] if shape_key else []))

    def tensors_to_item(self, keys_to_tensors):
        indices, values = keys_to_tensors[self._indices_key], keys_to_tensors[self._values_key]
        shape = keys_to_tensors[self._shape_key] if self._shape_key else self._shape or indices.dense_shape
        found = tf.SparseTensor(tf.expand_dims(tf.sparse_tensor_to_dense(indices), 1), values.values, shape)
        return tf.sparse_tensor_to_dense(found, self._default_value) if self._densify else found


class Image(ItemHandler):
    """An image from its encoding, or from raw bytes."""

    def __init__(self, image_key=None, format_key=None, shape=None, channels=3, dtype=tf.uint8, repeated=False, dct_method=''):
        self._image_key, self._format_key = image_key or 'image/encoded', format_key or 'image/format'
        self._shape, self._channels, self._dtype = shape, channels, dtype
        self._repeated, self._dct_method = repeated, dct_method
        super().__init__([self._image_key, self._format_key])

    def tensors_to_item(self, keys_to_tensors):
        buffer, kind = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if self._repeated:
            return tf.map_fn(lambda item: self._decode(item, kind), buffer, dtype=self._dtype)
        return self._decode(buffer, kind)

    def _decode(self, buffer, kind):
        def encoded():
            found = tf.image.decode_image(buffer, channels=self._channels)
            return found if self._dtype == tf.uint8 else tf.cast(found, self._dtype)

        def raw():
            return tf.decode_raw(buffer, out_type=self._dtype)
        is_raw = tf.logical_or(tf.equal(kind, 'raw'), tf.equal(kind, 'RAW'))
        image = tf.cond(is_raw, raw, encoded)
        image.set_shape([None, None, self._channels])
        return image if self._shape is None else tf.reshape(image, self._shape)


class DataDecoder:
    def decode(self, data, items):
        raise NotImplementedError

    def list_items(self):
        raise NotImplementedError


class TFExampleDecoder(DataDecoder):
    """Parses an Example and makes its items by their handlers."""

    def __init__(self, keys_to_features, items_to_handlers):
        self._keys_to_features, self._items_to_handlers = keys_to_features, items_to_handlers

    def list_items(self):
        return list(self._items_to_handlers.keys())

    def decode(self, serialized_example, items=None):
        example = tf.parse_single_example(serialized_example, self._keys_to_features)
        for key in sorted(self._keys_to_features):
            if isinstance(self._keys_to_features[key], tf.FixedLenFeature):
                example[key] = tf.reshape(example[key], self._keys_to_features[key].shape)
        found = []
        for item in items or self._items_to_handlers:
            handler = self._items_to_handlers[item]
            found.append(handler.tensors_to_item({key: example[key] for key in handler.keys}))
        return found


# ---- dataset, parallel_reader, data_provider ---------------------------------------------------

class Dataset:
    """What a dataset is: files, their reader, a decoder and a count."""

    def __init__(self, data_sources, reader, decoder, num_samples, items_to_descriptions, **kwargs):
        kwargs.update(data_sources=data_sources, reader=reader, decoder=decoder, num_samples=num_samples,
                      items_to_descriptions=items_to_descriptions)
        self.__dict__.update(kwargs)


def get_data_files(data_sources):
    if isinstance(data_sources, (list, tuple)):
        found = [name for source in data_sources for name in get_data_files(source)]
    else:
        found = tf.gfile.Glob(data_sources) if any(letter in data_sources for letter in '*?[') else [data_sources]
    if not found:
        raise ValueError('No data files found in %s' % (data_sources,))
    return found


def parallel_read(data_sources, reader_class, num_epochs=None, num_readers=4, reader_kwargs=None, shuffle=True, dtypes=None,
                  capacity=256, min_after_dequeue=128, seed=None, scope=None):
    """(key, record) of files that several readers read at once."""
    files = get_data_files(data_sources)
    with tf.name_scope(scope, 'parallel_read'):
        names = tf.train.string_input_producer(files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name='filenames')
        kinds = dtypes or [tf.string, tf.string]
        if shuffle:
            common = tf.RandomShuffleQueue(capacity=capacity, min_after_dequeue=min_after_dequeue, dtypes=kinds, seed=seed,
                                           name='common_queue')
        else:
            common = tf.FIFOQueue(capacity=capacity, dtypes=kinds, name='common_queue')
        tf.summary.scalar('fraction_of_%d_full' % capacity, tf.to_float(common.size()) * (1. / capacity))
        puts = [common.enqueue(reader_class(**(reader_kwargs or {})).read(names)) for _ in range(num_readers)]
        tf.train.add_queue_runner(tf.train.QueueRunner(common, puts))
        return common.dequeue(name='read')


def single_pass_read(data_sources, reader_class, reader_kwargs=None, scope=None):
    with tf.name_scope(scope, 'single_pass_read'):
        names = tf.train.string_input_producer(get_data_files(data_sources), num_epochs=1, shuffle=False, capacity=1, name='filenames')
        return reader_class(**(reader_kwargs or {})).read(names)


class DataProvider:
    def __init__(self, items_to_tensors, num_samples):
        self._items_to_tensors, self._num_samples = items_to_tensors, num_samples

    def get(self, items):
        valid = self.list_items()
        for item in items:
            if item not in valid:
                raise ValueError('Item %s not found. Valid items: %s' % (item, valid))
        return [self._items_to_tensors[item] for item in items]

    def list_items(self):
        return list(self._items_to_tensors)

    def num_samples(self):
        return self._num_samples


class DatasetDataProvider(DataProvider):
    """The items of a Dataset as tensors, one example a step."""

    def __init__(self, dataset, num_readers=1, reader_kwargs=None, shuffle=True, num_epochs=None, common_queue_capacity=256,
                 common_queue_min=128, record_key='record_key', seed=None, scope=None):
        key, data = parallel_read(dataset.data_sources, reader_class=dataset.reader, num_epochs=num_epochs, num_readers=num_readers,
                                  reader_kwargs=reader_kwargs, shuffle=shuffle, capacity=common_queue_capacity,
                                  min_after_dequeue=common_queue_min, seed=seed, scope=scope)
        items = dataset.decoder.list_items()
        tensors = dataset.decoder.decode(data, items)
        found = dict(zip(items, tensors))
        if record_key in found:
            raise ValueError('The item name used for `record_key` cannot also be used for a dataset item: %s' % record_key)
        found[record_key] = key
        super().__init__(items_to_tensors=found, num_samples=dataset.num_samples)


def prefetch_queue(tensors, capacity=8, num_threads=1, dynamic_pad=False, shared_name=None, name=None):
    """A queue that other threads keep full of what tensors give."""
    keys = sorted(tensors) if isinstance(tensors, dict) else None
    flat = [tensors[key] for key in keys] if keys is not None else list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]
    with tf.name_scope(name, 'prefetch_queue', flat):
        flat = [tf.convert_to_tensor(item) for item in flat]
        make = tf.PaddingFIFOQueue if dynamic_pad else tf.FIFOQueue
        shapes = [item.get_shape() for item in flat]
        known = dynamic_pad or all(shape.is_fully_defined() for shape in shapes)
        queue = make(capacity=capacity, dtypes=[item.dtype for item in flat], shapes=shapes if known else None, names=keys,
                     shared_name=shared_name)
        put = queue.enqueue(dict(zip(keys, flat)) if keys is not None else flat)
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put] * num_threads))
        tf.summary.scalar('fraction_of_%d_full' % capacity, tf.to_float(queue.size()) * (1. / capacity))
        return queue


@contextlib.contextmanager
def QueueRunners(session):
    """The queue runners of a session, while the block runs."""
    coordinator = tf.train.Coordinator()
    threads = [thread for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
               for thread in runner.create_threads(session, coord=coordinator, daemon=True, start=True)]
    try:
        yield
    finally:
        coordinator.request_stop()
        try:
            coordinator.join(threads, stop_grace_period_secs=120)
        except RuntimeError:
            session.close()


# ---- model_analyzer, summaries -----------------------------------------------------------------

def analyze_vars(variables, print_info=False):
    """(values, bytes) of all variables."""
    if print_info:
        print('---------')
        print('Variables: name (type shape) [size]')
        print('---------')
    count = total = 0
    for var in variables:
        values = var.get_shape().num_elements() or 0
        size = values * var.dtype.size
        count, total = count + values, total + size
        if print_info:
            print(var.name, '(%s %s) [%d, bytes: %d]' % (var.dtype.base_dtype.name, 'x'.join(map(str, var.get_shape().as_list())), values, size))
    if print_info:
        print('Total size of variables: %d' % count)
        print('Total bytes of variables: %d' % total)
    return count, total


def analyze_ops(graph, print_info=False):
    total = 0
    for op in graph.get_operations():
        for output in op.outputs:
            total += output.get_shape().num_elements() or 0
    if print_info:
        print('Total size: %d' % total)
    return total


def _named(tensor, name, prefix):
    name = tensor.op.name if name is None else name
    return '%s/%s' % (prefix, name) if prefix else name


def add_scalar_summary(tensor, name=None, prefix=None, print_summary=False):
    made = tf.summary.scalar(name=_named(tensor, name, prefix), tensor=tensor, collections=[])
    if print_summary:
        tensor = tf.Print(tensor, [tensor], _named(tensor, name, prefix))
    tf.add_to_collection(tf.GraphKeys.SUMMARIES, made)
    return made


def add_histogram_summary(tensor, name=None, prefix=None):
    return tf.summary.histogram(_named(tensor, name, prefix), tensor)


def add_image_summary(tensor, name=None, prefix=None, print_summary=False):
    return tf.summary.image(_named(tensor, name, prefix), tensor)


def add_scalar_summaries(tensors, prefix=None):
    return [add_scalar_summary(tensor, prefix=prefix) for tensor in tensors]


def add_histogram_summaries(tensors, prefix=None):
    return [add_histogram_summary(tensor, prefix=prefix) for tensor in tensors]


def add_image_summaries(tensors, prefix=None):
    return [add_image_summary(tensor, prefix=prefix) for tensor in tensors]


def add_zero_fraction_summary(tensor, name=None, prefix=None, print_summary=False):
    return tf.summary.scalar(_named(tensor, name, prefix or 'Fraction of Zero Values'), tf.nn.zero_fraction(tensor))
