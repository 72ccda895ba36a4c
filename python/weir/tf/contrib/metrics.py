"""tf.contrib.metrics: streaming_* are tf.metrics with predictions before labels."""
from .. import metrics as core, metrics_more as more
from ..confusion_matrix import confusion_matrix  # noqa: F401
from ..metrics import mean
from ..public import tf


def _flipped(metric, name):
    def streaming(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
        return metric(labels, predictions, weights, metrics_collections, updates_collections, name)
    streaming.__name__ = streaming.__qualname__ = name
    return streaming


streaming_accuracy = _flipped(core.accuracy, 'streaming_accuracy')
streaming_precision = _flipped(core.precision, 'streaming_precision')
streaming_recall = _flipped(core.recall, 'streaming_recall')
streaming_mean_absolute_error = _flipped(core.mean_absolute_error, 'streaming_mean_absolute_error')
streaming_mean_squared_error = _flipped(core.mean_squared_error, 'streaming_mean_squared_error')
streaming_root_mean_squared_error = _flipped(core.root_mean_squared_error, 'streaming_root_mean_squared_error')
streaming_true_positives = _flipped(core.true_positives, 'streaming_true_positives')
streaming_false_positives = _flipped(core.false_positives, 'streaming_false_positives')
streaming_true_negatives = _flipped(core.true_negatives, 'streaming_true_negatives')
streaming_false_negatives = _flipped(core.false_negatives, 'streaming_false_negatives')


def streaming_mean(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    return mean(values, weights, metrics_collections, updates_collections, name)


def streaming_mean_tensor(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    return more.mean_tensor(values, weights, metrics_collections, updates_collections, name)


def streaming_auc(predictions, labels, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None,
                  curve='ROC', name=None):
    return core.auc(labels, predictions, weights, num_thresholds, metrics_collections, updates_collections, curve, name)


def streaming_mean_iou(predictions, labels, num_classes, weights=None, metrics_collections=None, updates_collections=None, name=None):
    return more.mean_iou(labels, predictions, num_classes, weights, metrics_collections, updates_collections, name)


def streaming_mean_relative_error(predictions, labels, normalizer, weights=None, metrics_collections=None, updates_collections=None,
                                  name=None):
    return more.mean_relative_error(labels, predictions, normalizer, weights, metrics_collections, updates_collections, name)


def streaming_mean_cosine_distance(predictions, labels, dim, weights=None, metrics_collections=None, updates_collections=None,
                                   name=None):
    return more.mean_cosine_distance(labels, predictions, dim, weights, metrics_collections, updates_collections, name)


def streaming_percentage_less(values, threshold, weights=None, metrics_collections=None, updates_collections=None, name=None):
    return more.percentage_below(values, threshold, weights, metrics_collections, updates_collections, name)


def streaming_recall_at_k(predictions, labels, k, weights=None, metrics_collections=None, updates_collections=None, name=None):
    inside = tf.to_float(tf.nn.in_top_k(predictions, labels, k))
    return mean(inside, weights, metrics_collections, updates_collections, name or 'recall_at_k')


def streaming_sparse_recall_at_k(predictions, labels, k, class_id=None, weights=None, metrics_collections=None,
                                 updates_collections=None, name=None):
    return more.recall_at_k(labels, predictions, k, class_id, weights, metrics_collections, updates_collections, name)


def streaming_sparse_precision_at_k(predictions, labels, k, class_id=None, weights=None, metrics_collections=None,
                                    updates_collections=None, name=None):
    return more.precision_at_k(labels, predictions, k, class_id, weights, metrics_collections, updates_collections, name)


def streaming_sparse_average_precision_at_k(predictions, labels, k, weights=None, metrics_collections=None,
                                            updates_collections=None, name=None):
    return more.average_precision_at_k(labels, predictions, k, weights, metrics_collections, updates_collections, name)


def streaming_precision_at_thresholds(predictions, labels, thresholds, weights=None, metrics_collections=None,
                                      updates_collections=None, name=None):
    return more.precision_at_thresholds(labels, predictions, thresholds, weights, metrics_collections, updates_collections, name)


def streaming_recall_at_thresholds(predictions, labels, thresholds, weights=None, metrics_collections=None,
                                   updates_collections=None, name=None):
    return more.recall_at_thresholds(labels, predictions, thresholds, weights, metrics_collections, updates_collections, name)


def streaming_covariance(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """The covariance of both, from sums in float64."""
    with tf.variable_scope(name, 'covariance', (predictions, labels, weights)):
        values, updates = _sums(predictions, labels, weights)
        return _collected(_covariance(values, 2), _covariance(updates, 2), metrics_collections, updates_collections)


def streaming_pearson_correlation(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
    with tf.variable_scope(name, 'pearson_r', (predictions, labels, weights)):
        values, updates = _sums(predictions, labels, weights)
        of = lambda sums: tf.div_no_nan(_covariance(sums, 2), tf.sqrt(_covariance(sums, 0)) * tf.sqrt(_covariance(sums, 1)))
        return _collected(of(values), of(updates), metrics_collections, updates_collections)


def _sums(predictions, labels, weights):
    """(variables, updates) of n, x, y, xx, yy, xy."""
    x, y = (tf.cast(tf.reshape(item, [-1]), tf.float64) for item in (predictions, labels))
    w = tf.ones_like(x) if weights is None else tf.cast(tf.reshape(weights * tf.ones_like(tf.to_float(predictions)), [-1]), tf.float64)
    values, updates = [], []
    for word, item in (('count', w), ('x', w * x), ('y', w * y), ('xx', w * x * x), ('yy', w * y * y), ('xy', w * x * y)):
        total = core._variable([], tf.float64, word)
        values.append(tf.convert_to_tensor(total))
        updates.append(tf.assign_add(total, tf.reduce_sum(item)))
    return values, updates


def _covariance(sums, which):
    n, x, y, xx, yy, xy = sums
    a, b, ab = ((x, x, xx), (y, y, yy), (x, y, xy))[which]
    return tf.cast(tf.div_no_nan(ab - tf.div_no_nan(a * b, n), n - 1), tf.float32)


def _collected(value, update, metrics_collections, updates_collections):
    return core._collect(value, update, metrics_collections, updates_collections)


def streaming_concat(values, axis=0, max_size=None, metrics_collections=None, updates_collections=None, name=None):
    raise NotImplementedError('weir has no tf.contrib.metrics.streaming_concat')


def f1_score(labels, predictions, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, name=None):
    """The best F1 over thresholds."""
    with tf.variable_scope(name, 'f1', (labels, predictions, weights)):
        inner = [(i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        values, updates = more._counts_at(labels, predictions, [-1e-7] + inner + [1.0 + 1e-7], weights)

        def best(counts):
            precise = counts['true_positives'] / (1e-7 + counts['true_positives'] + counts['false_positives'])
            recalled = counts['true_positives'] / (1e-7 + counts['true_positives'] + counts['false_negatives'])
            return tf.reduce_max(2.0 * precise * recalled / (precise + recalled + 1e-7))
        return _collected(best(values), best(updates), metrics_collections, updates_collections)


def accuracy(predictions, labels, weights=None, name=None):
    with tf.name_scope(name, 'accuracy', [predictions, labels]):
        right = tf.to_float(tf.equal(predictions, labels))
        return tf.reduce_mean(right) if weights is None else tf.div_no_nan(tf.reduce_sum(right * weights), tf.reduce_sum(
            weights * tf.ones_like(right)))


def aggregate_metrics(*value_update_tuples):
    if not value_update_tuples:
        raise ValueError('Expected at least one value_tensor/update_op pair')
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples):
    """({name: value}, {name: update})."""
    return {name: pair[0] for name, pair in names_to_tuples.items()}, {name: pair[1] for name, pair in names_to_tuples.items()}


def set_size(a, validate_indices=True):
    return tf.sets.set_size(a, validate_indices)


def _flipped_at(metric, name):
    def streaming(predictions, labels, thresholds, weights=None):
        return metric(labels, predictions, thresholds, weights)
    streaming.__name__ = streaming.__qualname__ = name
    return streaming


streaming_true_positives_at_thresholds = _flipped_at(more.true_positives_at_thresholds, 'streaming_true_positives_at_thresholds')
streaming_false_positives_at_thresholds = _flipped_at(more.false_positives_at_thresholds, 'streaming_false_positives_at_thresholds')
streaming_true_negatives_at_thresholds = _flipped_at(more.true_negatives_at_thresholds, 'streaming_true_negatives_at_thresholds')
streaming_false_negatives_at_thresholds = _flipped_at(more.false_negatives_at_thresholds, 'streaming_false_negatives_at_thresholds')


def streaming_sensitivity_at_specificity(predictions, labels, specificity, weights=None, num_thresholds=200, metrics_collections=None,
                                         updates_collections=None, name=None):
    return more.sensitivity_at_specificity(labels, predictions, specificity, weights, num_thresholds, metrics_collections,
                                           updates_collections, name)


def streaming_specificity_at_sensitivity(predictions, labels, sensitivity, weights=None, num_thresholds=200, metrics_collections=None,
                                         updates_collections=None, name=None):
    return more.specificity_at_sensitivity(labels, predictions, sensitivity, weights, num_thresholds, metrics_collections,
                                           updates_collections, name)


def streaming_sparse_precision_at_top_k(top_k_predictions, labels, class_id=None, weights=None, metrics_collections=None,
                                        updates_collections=None, name=None):
    return more.precision_at_top_k(labels, top_k_predictions, class_id=class_id, weights=weights,
                                   metrics_collections=metrics_collections, updates_collections=updates_collections, name=name)


def sparse_recall_at_top_k(labels, top_k_predictions, class_id=None, weights=None, metrics_collections=None, updates_collections=None,
                           name=None):
    return more.recall_at_top_k(labels, top_k_predictions, class_id=class_id, weights=weights,
                                metrics_collections=metrics_collections, updates_collections=updates_collections, name=name)


def _rate(part, other, default):
    """part / (part + other) of two counters, as a metric with its own variables."""
    def metric(predictions, labels, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with tf.variable_scope(name, default, (predictions, labels, weights)):
            hit, hit_update = part(labels, predictions, weights)
            miss, miss_update = other(labels, predictions, weights)
            value = tf.where(tf.greater(hit + miss, 0), tf.div(hit, hit + miss), 0., name='value')
            update = tf.where(tf.greater(hit_update + miss_update, 0), tf.div(hit_update, hit_update + miss_update), 0., name='update_op')
            tf.add_to_collections(metrics_collections, value) if metrics_collections else None
            tf.add_to_collections(updates_collections, update) if updates_collections else None
            return value, update
    metric.__name__ = metric.__qualname__ = 'streaming_' + default
    return metric


streaming_false_positive_rate = _rate(core.false_positives, core.true_negatives, 'false_positive_rate')
streaming_false_negative_rate = _rate(core.false_negatives, core.true_positives, 'false_negative_rate')


def count(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    """How many values there were, each as often as its weight says."""
    with tf.variable_scope(name, 'count', (values, weights)):
        total = tf.Variable(0., trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.METRIC_VARIABLES], name='count',
                            dtype=tf.float32)
        values = tf.to_float(values)
        seen = tf.to_float(tf.size(values)) if weights is None else tf.reduce_sum(tf.ones_like(values) * tf.to_float(weights))
        with tf.control_dependencies([values]):
            update = tf.assign_add(total, seen, name='update_op')
        value = tf.identity(total, name='value')
        tf.add_to_collections(metrics_collections, value) if metrics_collections else None
        tf.add_to_collections(updates_collections, update) if updates_collections else None
        return value, update
