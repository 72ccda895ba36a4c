"""tf.estimator.inputs: input functions over arrays and data frames."""
import collections

import numpy as np

from ..public import tf


def _batches(arrays, order_of, batch_size, num_epochs):
    """Gives batches of rows; epochs follow each other without a gap."""
    count = len(arrays[0])
    left, epoch = np.empty([0], dtype=np.int64), 0
    while num_epochs is None or epoch < num_epochs:
        left = np.concatenate([left, order_of(count)])
        epoch += 1
        while len(left) >= batch_size:
            rows, left = left[:batch_size], left[batch_size:]
            yield tuple(array[rows] for array in arrays)
    if len(left):
        yield tuple(array[left] for array in arrays)


def _dataset(arrays, batch_size, num_epochs, shuffle):
    def order(count):
        return np.random.permutation(count) if shuffle else np.arange(count)

    def generate():
        return _batches(arrays, order, batch_size, num_epochs)
    types = tuple(tf.string if array.dtype.kind in 'OSU' else tf.as_dtype(array.dtype) for array in arrays)
    shapes = tuple(tf.TensorShape([None]).concatenate(array.shape[1:]) for array in arrays)
    return tf.data.Dataset.from_generator(generate, types, shapes)


def _tensors(arrays, batch_size, num_epochs, shuffle):
    iterator = _dataset(arrays, batch_size, num_epochs, shuffle).make_initializable_iterator()
    tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
    return iterator.get_next()


def numpy_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000, num_threads=1):
    if not isinstance(shuffle, bool):
        raise ValueError('shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for '
                         'training); got %s' % shuffle)

    def input_fn():
        features = collections.OrderedDict(sorted(x.items())) if isinstance(x, dict) else {'__x': x}
        if not features:
            raise ValueError('x cannot be an empty dict')
        labels = {} if y is None else y if isinstance(y, dict) else {'__y': y}
        arrays = [np.asarray(value) for value in list(features.values()) + list(labels.values())]
        if len({len(array) for array in arrays}) > 1:
            raise ValueError('Length of tensors in x and y is mismatched. All elements in x and y must have the same length.')
        found = _tensors(arrays, batch_size, num_epochs, shuffle)
        values = dict(zip(features, found[:len(features)]))
        values = values if isinstance(x, dict) else values['__x']
        if y is None:
            return values
        targets = dict(zip(labels, found[len(features):]))
        return values, targets if isinstance(y, dict) else targets['__y']
    return input_fn


def pandas_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000, num_threads=1,
                    target_column='target'):
    if not isinstance(shuffle, bool):
        raise ValueError('shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for '
                         'training); got %s' % shuffle)

    def input_fn():
        names = list(x.columns)
        arrays = [x[name].values for name in names]
        several = y is not None and hasattr(y, 'columns')
        targets = list(y.columns) if several else [target_column] if y is not None else []
        arrays += [y[name].values for name in targets] if several else [y.values] if y is not None else []
        found = _tensors(arrays, batch_size, num_epochs, shuffle)
        features = dict(zip(names, found[:len(names)]))
        if y is None:
            return features
        return features, dict(zip(targets, found[len(names):])) if several else found[-1]
    return input_fn
