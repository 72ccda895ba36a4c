"""tf.metrics: the kinds beyond means, counts and auc."""
from . import array_ops, dtypes, math_ops, nn_ops
from .convert import convert_to_tensor
from .sparse_ops import sparse_tensor_to_dense
from .sparse_tensor import SparseTensor, SparseTensorValue
from .metrics import _at_thresholds, _collect, _pair, _spread, _variable, mean
from .variable_scope import variable_scope
from .variables import assign_add


def mean_relative_error(labels, predictions, normalizer, weights=None, metrics_collections=None, updates_collections=None, name=None):
    labels, predictions = _pair(labels, predictions, dtypes.float32)
    normalizer = math_ops.cast(convert_to_tensor(normalizer), dtypes.float32)
    errors = array_ops.where(math_ops.equal(normalizer, 0.0), array_ops.zeros_like(labels),
                             math_ops.div(math_ops.abs(labels - predictions), normalizer))
    return mean(errors, weights, metrics_collections, updates_collections, name or 'mean_relative_error')


def mean_cosine_distance(labels, predictions, dim, weights=None, metrics_collections=None, updates_collections=None, name=None):
    labels, predictions = _pair(labels, predictions, dtypes.float32)
    near = math_ops.reduce_sum(predictions * labels, axis=[dim], keepdims=True)
    value, update = mean(near, weights, None, None, name or 'mean_cosine_distance')
    return _collect(1.0 - value, 1.0 - update, metrics_collections, updates_collections)


def percentage_below(values, threshold, weights=None, metrics_collections=None, updates_collections=None, name=None):
    below = math_ops.cast(math_ops.less(values, threshold), dtypes.float32)
    return mean(below, weights, metrics_collections, updates_collections, name or 'percentage_below_threshold')


def mean_tensor(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    values = math_ops.cast(convert_to_tensor(values), dtypes.float32)
    with variable_scope(name, 'mean', (values, weights)):
        total = _variable(values.get_shape(), dtypes.float32, 'total_tensor')
        count = _variable(values.get_shape(), dtypes.float32, 'count_tensor')
        weighted, counted = values, array_ops.ones_like(values)
        if weights is not None:
            weights = _spread(weights, values)
            weighted, counted = values * weights, counted * weights
        add, more = assign_add(total, weighted), assign_add(count, counted)
        return _collect(math_ops.div_no_nan(total, count), math_ops.div_no_nan(add, more), metrics_collections, updates_collections)


# ---- by class ----------------------------------------------------------------------------------

def _confusion(labels, predictions, num_classes, weights=None):
    """(matrix, update) of counts, rows labels and columns predictions."""
    from .confusion_matrix import confusion_matrix
    matrix = _variable([num_classes, num_classes], dtypes.float64, 'total_confusion_matrix')
    flat = [math_ops.cast(array_ops.reshape(convert_to_tensor(item), [-1]), dtypes.int64) for item in (labels, predictions)]
    if weights is not None:
        weights = array_ops.reshape(convert_to_tensor(weights), [-1])
    current = confusion_matrix(flat[0], flat[1], num_classes, weights=weights, dtype=dtypes.float64)
    return matrix, assign_add(matrix, current)


_streaming_confusion_matrix = _confusion


def mean_iou(labels, predictions, num_classes, weights=None, metrics_collections=None, updates_collections=None, name=None):
    with variable_scope(name, 'mean_iou', (predictions, labels, weights)):
        matrix, update = _confusion(labels, predictions, num_classes, weights)

        def value():
            rows = math_ops.cast(math_ops.reduce_sum(matrix, 0), dtypes.float32)
            columns = math_ops.cast(math_ops.reduce_sum(matrix, 1), dtypes.float32)
            hits = math_ops.cast(array_ops.diag_part(matrix), dtypes.float32)
            union = rows + columns - hits
            valid = math_ops.reduce_sum(math_ops.cast(math_ops.not_equal(union, 0), dtypes.float32))
            ious = math_ops.div_no_nan(hits, array_ops.where(math_ops.greater(union, 0), union, array_ops.ones_like(union)))
            return array_ops.where(math_ops.greater(valid, 0), math_ops.reduce_sum(ious, name='mean_iou') / valid,
                                   array_ops.zeros_like(valid))
        return _collect(value(), update, metrics_collections, updates_collections)


def mean_per_class_accuracy(labels, predictions, num_classes, weights=None, metrics_collections=None, updates_collections=None,
                            name=None):
    with variable_scope(name, 'mean_accuracy', (predictions, labels, weights)):
        labels = array_ops.reshape(math_ops.cast(convert_to_tensor(labels), dtypes.int64), [-1])
        predictions = array_ops.reshape(math_ops.cast(convert_to_tensor(predictions), dtypes.int64), [-1])
        total = _variable([num_classes], dtypes.float32, 'total')
        count = _variable([num_classes], dtypes.float32, 'count')
        ones = array_ops.ones([array_ops.size(labels)], dtypes.float32)
        right = math_ops.cast(math_ops.equal(predictions, labels), dtypes.float32)
        if weights is not None:
            weights = array_ops.reshape(math_ops.cast(convert_to_tensor(weights), dtypes.float32), [-1])
            ones, right = ones * weights, right * weights
        seen = assign_add(total, math_ops.unsorted_segment_sum(ones, labels, num_classes))
        hits = assign_add(count, math_ops.unsorted_segment_sum(right, labels, num_classes))
        value = math_ops.reduce_mean(math_ops.div_no_nan(count, total), name='mean_accuracy')
        update = math_ops.div_no_nan(hits, seen, name='update_op')
        return _collect(value, update, metrics_collections, updates_collections)


# ---- at thresholds -----------------------------------------------------------------------------

_COUNTS = ('true_positives', 'false_negatives', 'true_negatives', 'false_positives')


def _at(which, scope, only=None):
    def metric(labels, predictions, thresholds, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with variable_scope(name, scope, (predictions, labels, weights)):
            values, updates = _counts_at(labels, predictions, thresholds, weights, only)
            return _collect(which(values), which(updates), metrics_collections, updates_collections)
    metric.__name__ = scope
    return metric


def _counts_at(labels, predictions, thresholds, weights, only=None):
    """Two dicts of the four counts: values and updates."""
    found = _at_thresholds(labels, predictions, thresholds, weights, only)
    return dict(zip(_COUNTS, (item[0] for item in found))), dict(zip(_COUNTS, (item[1] for item in found)))


def _ratio(part, other):
    return lambda counts: math_ops.div(counts[part], 1e-7 + counts[part] + counts[other])


true_positives_at_thresholds = _at(lambda counts: counts['true_positives'], 'true_positives', ['true_positives'])
false_negatives_at_thresholds = _at(lambda counts: counts['false_negatives'], 'false_negatives', ['false_negatives'])
true_negatives_at_thresholds = _at(lambda counts: counts['true_negatives'], 'true_negatives', ['true_negatives'])
false_positives_at_thresholds = _at(lambda counts: counts['false_positives'], 'false_positives', ['false_positives'])
precision_at_thresholds = _at(_ratio('true_positives', 'false_positives'), 'precision_at_thresholds',
                              ['true_positives', 'false_positives'])
recall_at_thresholds = _at(_ratio('true_positives', 'false_negatives'), 'recall_at_thresholds', ['true_positives', 'false_negatives'])


def _best_under(name, sought, held, bound, labels, predictions, weights, num_thresholds, metrics_collections, updates_collections,
                scope, last=False):
    """`sought` at the threshold where `held` is nearest to `bound`: the first, or the last of several."""
    thresholds = [0.0 - 1e-7] + [(i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)] + [1.0 + 1e-7]
    with variable_scope(name, scope, (predictions, labels, weights)):
        values, updates = _counts_at(labels, predictions, thresholds, weights)

        def at(counts):
            distance = math_ops.abs(held(counts) - bound)
            index = math_ops.argmin(distance, 0)
            if last:
                nearest = math_ops.cast(math_ops.equal(distance, math_ops.reduce_min(distance)), dtypes.int64)
                index = math_ops.argmax(math_ops.cumsum(nearest), 0)
            index = math_ops.cast(index, dtypes.int32)
            return sought({key: value[index] for key, value in counts.items()})
        return _collect(at(values), at(updates), metrics_collections, updates_collections)


def sensitivity_at_specificity(labels, predictions, specificity, weights=None, num_thresholds=200, metrics_collections=None,
                               updates_collections=None, name=None):
    return _best_under(name, _ratio('true_positives', 'false_negatives'), _ratio('true_negatives', 'false_positives'), specificity,
                       labels, predictions, weights, num_thresholds, metrics_collections, updates_collections,
                       'sensitivity_at_specificity')


def specificity_at_sensitivity(labels, predictions, sensitivity, weights=None, num_thresholds=200, metrics_collections=None,
                               updates_collections=None, name=None):
    return _best_under(name, _ratio('true_negatives', 'false_positives'), _ratio('true_positives', 'false_negatives'), sensitivity,
                       labels, predictions, weights, num_thresholds, metrics_collections, updates_collections,
                       'specificity_at_sensitivity', last=True)


# ---- at k --------------------------------------------------------------------------------------

_NO_LABEL = -2**63  # where a row of sparse labels has fewer than others


def _hits(labels, predictions, k, class_id):
    """[rows, k] whether each of the k best predictions is a label, and the ids of both."""
    best = math_ops.cast(nn_ops.top_k(predictions, k)[1] if k is not None else predictions, dtypes.int64)
    if isinstance(labels, (SparseTensor, SparseTensorValue)):
        labels = SparseTensor(labels.indices, math_ops.cast(labels.values, dtypes.int64), labels.dense_shape)
        labels = sparse_tensor_to_dense(labels, default_value=_NO_LABEL, validate_indices=False)
    labels = math_ops.cast(convert_to_tensor(labels), dtypes.int64)
    if labels.get_shape().ndims == best.get_shape().ndims - 1:
        labels = array_ops.expand_dims(labels, -1)
    match = math_ops.reduce_any(math_ops.equal(array_ops.expand_dims(best, -1), array_ops.expand_dims(labels, -2)), -1)
    return best, labels, match


def _summed(values, weights, name):
    if weights is not None:
        values = values * math_ops.cast(_spread(weights, values), values.dtype)
    total = _variable([], dtypes.float64, name)
    return total, assign_add(total, math_ops.cast(math_ops.reduce_sum(values), dtypes.float64))


def _share_at_k(found, wanted, weights, metrics_collections, updates_collections, names):
    hits, more_hits = _summed(found, weights, names[0])
    rest, more_rest = _summed(wanted - found, weights, names[1])
    value = math_ops.div(hits, hits + rest)
    return _collect(value, math_ops.div(more_hits, more_hits + more_rest), metrics_collections, updates_collections)


def _recall(labels, predictions, k, chosen, class_id, weights, metrics_collections, updates_collections, scope):
    with variable_scope(*scope, (predictions, labels, weights)):
        best, labels, match = _hits(labels, predictions, None if chosen else k, class_id)
        inside = math_ops.not_equal(labels, _NO_LABEL) if class_id is None else math_ops.equal(labels, class_id)
        kept = match if class_id is None else math_ops.logical_and(match, math_ops.equal(best, class_id))
        found = math_ops.reduce_sum(math_ops.cast(kept, dtypes.float64), -1)
        wanted = math_ops.reduce_sum(math_ops.cast(inside, dtypes.float64), -1)
        return _share_at_k(found, wanted, weights, metrics_collections, updates_collections,
                           ('true_positive_at_%s' % k, 'false_negative_at_%s' % k))

def recall_at_k(labels, predictions, k, class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None):
    return _recall(labels, predictions, k, False, class_id, weights, metrics_collections, updates_collections, (name, 'recall_at_%d' % k))


def recall_at_top_k(labels, predictions_idx, k=None, class_id=None, weights=None, metrics_collections=None, updates_collections=None,
                   name=None):
    return _recall(labels, predictions_idx, k, True, class_id, weights, metrics_collections, updates_collections,
                   (name, 'recall_at_top_%s' % k))


def _precision(labels, predictions, k, chosen, class_id, weights, metrics_collections, updates_collections, scope):
    with variable_scope(*scope, (predictions, labels, weights)):
        best, labels, match = _hits(labels, predictions, None if chosen else k, class_id)
        inside = array_ops.ones_like(best) if class_id is None else math_ops.cast(math_ops.equal(best, class_id), dtypes.int64)
        kept = match if class_id is None else math_ops.logical_and(match, math_ops.equal(best, class_id))
        found = math_ops.reduce_sum(math_ops.cast(kept, dtypes.float64), -1)
        wanted = math_ops.reduce_sum(math_ops.cast(inside, dtypes.float64), -1)
        return _share_at_k(found, wanted, weights, metrics_collections, updates_collections,
                           ('true_positive_at_%s' % k, 'false_positive_at_%s' % k))

def precision_at_k(labels, predictions, k, class_id=None, weights=None, metrics_collections=None, updates_collections=None, name=None):
    return _precision(labels, predictions, k, False, class_id, weights, metrics_collections, updates_collections, (name, 'precision_at_%d' % k))


def precision_at_top_k(labels, predictions_idx, k=None, class_id=None, weights=None, metrics_collections=None, updates_collections=None,
                      name=None):
    return _precision(labels, predictions_idx, k, True, class_id, weights, metrics_collections, updates_collections,
                      (name, 'precision_at_top_%s' % k))


def average_precision_at_k(labels, predictions, k, weights=None, metrics_collections=None, updates_collections=None, name=None):
    with variable_scope(name, 'average_precision_at_%d' % k, (predictions, labels, weights)):
        sparse = isinstance(labels, (SparseTensor, SparseTensorValue))
        _, labels, match = _hits(labels, predictions, k, None)
        relevant = math_ops.cast(match, dtypes.float64)
        so_far = math_ops.cumsum(relevant, -1) / math_ops.cast(math_ops.range(1, k + 1), dtypes.float64)
        given = math_ops.cast(math_ops.not_equal(labels, _NO_LABEL) if sparse else labels >= 0, dtypes.float64)
        count = math_ops.minimum(math_ops.reduce_sum(given, -1), k)
        each = math_ops.reduce_sum(relevant * so_far, -1) / count
        total, more = _summed(each, weights, 'average_precision/total')
        ones = array_ops.ones_like(each)
        number, more_number = _summed(ones, weights, 'average_precision/max')
        return _collect(math_ops.div_no_nan(total, number), math_ops.div_no_nan(more, more_number), metrics_collections,
                        updates_collections)
