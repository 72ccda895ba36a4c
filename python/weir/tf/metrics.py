"""tf.metrics: values over many steps. Each returns what the sums so far give, and an op that adds a batch to them."""
from . import array_ops, dtypes, math_ops
from .convert import convert_to_tensor
from .losses import check_weights, fit_weights, squeeze_pair
from .scopes import GraphKeys, add_to_collections, control_dependencies
from .variable_scope import variable_scope
from .variables import Variable, assign_add


def _variable(shape, dtype, name):
    """A local variable of zeros."""
    return Variable(lambda: array_ops.zeros(shape, dtype), trainable=False, name=name,
                    collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES])


def _collect(value, update, metrics_collections, updates_collections):
    if metrics_collections:
        add_to_collections(metrics_collections, value)
    if updates_collections:
        add_to_collections(updates_collections, update)
    return value, update


def _spread(weights, values):
    """Weights as float32, of the values' shape."""
    weights = fit_weights(math_ops.cast(convert_to_tensor(weights), dtypes.float32), values)
    check_weights(weights, values)
    return weights * array_ops.ones_like(values, dtype=dtypes.float32)


def mean(values, weights=None, metrics_collections=None, updates_collections=None, name=None):
    with variable_scope(name, 'mean', (values, weights)):
        values = math_ops.cast(convert_to_tensor(values), dtypes.float32)
        total, count = _variable([], dtypes.float32, 'total'), _variable([], dtypes.float32, 'count')
        if weights is None:
            number = math_ops.cast(array_ops.size(values), dtypes.float32)
        else:
            weights = _spread(weights, values)
            values, number = values * weights, math_ops.reduce_sum(weights)
        more = assign_add(total, math_ops.reduce_sum(values))
        with control_dependencies([values]):
            further = assign_add(count, number)
        return _collect(math_ops.div_no_nan(convert_to_tensor(total), convert_to_tensor(count), name='value'),
                        math_ops.div_no_nan(more, further, name='update_op'), metrics_collections, updates_collections)


def _pair(labels, predictions, dtype=None):
    labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
    if dtype is not None:
        labels, predictions = math_ops.cast(labels, dtype), math_ops.cast(predictions, dtype)
    labels, predictions = squeeze_pair(labels, predictions)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return labels, predictions


def accuracy(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    labels, predictions = _pair(labels, predictions)
    if labels.dtype.base_dtype != predictions.dtype.base_dtype:
        predictions = math_ops.cast(predictions, labels.dtype)
    correct = math_ops.cast(math_ops.equal(predictions, labels), dtypes.float32)
    return mean(correct, weights, metrics_collections, updates_collections, name or 'accuracy')


def mean_squared_error(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    labels, predictions = _pair(labels, predictions, dtypes.float32)
    error = math_ops.squared_difference(labels, predictions)
    return mean(error, weights, metrics_collections, updates_collections, name or 'mean_squared_error')


def mean_absolute_error(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    labels, predictions = _pair(labels, predictions, dtypes.float32)
    error = math_ops.abs(predictions - labels)
    return mean(error, weights, metrics_collections, updates_collections, name or 'mean_absolute_error')


def root_mean_squared_error(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    value, update = mean_squared_error(labels, predictions, weights, None, None, name or 'root_mean_squared_error')
    return _collect(math_ops.sqrt(value), math_ops.sqrt(update), metrics_collections, updates_collections)


def _count(holds, weights, metrics_collections, updates_collections):
    """How often `holds` was true, with weights."""
    total = _variable([], dtypes.float32, 'count')
    values = math_ops.cast(holds, dtypes.float32)
    if weights is not None:
        values = values * _spread(weights, values)
    return _collect(array_ops.identity(total), assign_add(total, math_ops.reduce_sum(values)),
                    metrics_collections, updates_collections)


def _counted(scope, label, prediction):
    def act(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
        with variable_scope(name, scope, (predictions, labels, weights)):
            labels, predictions = _pair(labels, predictions, dtypes.bool)
            holds = math_ops.logical_and(math_ops.equal(labels, label), math_ops.equal(predictions, prediction))
            return _count(holds, weights, metrics_collections, updates_collections)
    act.__name__ = act.__qualname__ = scope
    return act


true_positives, false_positives = _counted('true_positives', True, True), _counted('false_positives', False, True)
true_negatives, false_negatives = _counted('true_negatives', False, False), _counted('false_negatives', True, False)


def _share(scope, other, labels, predictions, weights, metrics_collections, updates_collections, name):
    """True positives among them and the others."""
    with variable_scope(name, scope, (predictions, labels, weights)):
        hits, more_hits = true_positives(labels, predictions, weights)
        misses, more_misses = other(labels, predictions, weights)
        return _collect(math_ops.div_no_nan(hits, hits + misses, name='value'),
                        math_ops.div_no_nan(more_hits, more_hits + more_misses, name='update_op'),
                        metrics_collections, updates_collections)


def precision(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    return _share('precision', false_positives, labels, predictions, weights, metrics_collections, updates_collections, name)


def recall(labels, predictions, weights=None, metrics_collections=None, updates_collections=None, name=None):
    return _share('recall', false_negatives, labels, predictions, weights, metrics_collections, updates_collections, name)


def _at_thresholds(labels, predictions, thresholds, weights, only=None):
    """[(sums so far, op that adds)] of true positives, false negatives, true negatives, false positives, by threshold; None for
    those that are not among `only`."""
    labels, predictions = _pair(math_ops.cast(convert_to_tensor(labels), dtypes.bool),
                                math_ops.cast(convert_to_tensor(predictions), dtypes.float32))
    flat = lambda v: array_ops.reshape(v, [1, -1])
    weights = None if weights is None else flat(_spread(weights, predictions))
    labels = flat(labels)
    above = math_ops.greater(flat(predictions), array_ops.reshape(convert_to_tensor(thresholds, dtypes.float32), [-1, 1]))
    no, below = math_ops.logical_not(labels), math_ops.logical_not(above)
    out = []
    for name, truth, said in (('true_positives', labels, above), ('false_negatives', labels, below),
                              ('true_negatives', no, below), ('false_positives', no, above)):
        if only is not None and name not in only:
            out.append((None, None))
            continue
        total = _variable([len(thresholds)], dtypes.float32, name)
        values = math_ops.cast(math_ops.logical_and(truth, said), dtypes.float32)
        values = values if weights is None else values * weights
        out.append((convert_to_tensor(total), assign_add(total, math_ops.reduce_sum(values, 1))))
    return out


def _interpolated_area(tp, fn, fp, name):
    """Below precision over recall. Between thresholds the true positives are linear in what was said to be positive (a slope and
    an intercept), so precision is not; the integral has a logarithm."""
    said = tp + fp
    gained, more = tp[:-1] - tp[1:], said[:-1] - said[1:]
    slope = math_ops.div_no_nan(gained, math_ops.maximum(more, 0.))
    intercept = tp[1:] - slope * said[1:]
    both = math_ops.logical_and(said[:-1] > 0., said[1:] > 0.)
    ratio = array_ops.where(both, math_ops.div_no_nan(said[:-1], math_ops.maximum(said[1:], 0.)), array_ops.ones_like(said[1:]))
    parts = math_ops.div_no_nan(slope * (gained + intercept * math_ops.log(ratio)), math_ops.maximum(tp[1:] + fn[1:], 0.))
    return math_ops.reduce_sum(parts, name=name)


def _area(tp, fn, tn, fp, curve, method, name):
    if method == 'careful_interpolation' and curve == 'PR':
        return _interpolated_area(tp, fn, fp, name)
    small = 1e-6
    rate = (tp + small) / (tp + fn + small)
    x, y = (fp / (fp + tn + small), rate) if curve == 'ROC' else (rate, (tp + small) / (tp + fp + small))
    ahead, behind = y[:-1], y[1:]
    middle = lambda: (ahead + behind) / 2.
    height = {'trapezoidal': middle, 'careful_interpolation': middle, 'minoring': lambda: math_ops.minimum(ahead, behind),
              'majoring': lambda: math_ops.maximum(ahead, behind)}[method]()
    return math_ops.reduce_sum((x[:-1] - x[1:]) * height, name=name)


def auc(labels, predictions, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, curve='ROC',
        name=None, summation_method='trapezoidal', thresholds=None):
    if curve not in ('ROC', 'PR'):
        raise ValueError('curve must be either ROC or PR, %s unknown' % curve)
    if summation_method not in ('trapezoidal', 'minoring', 'majoring', 'careful_interpolation'):
        raise ValueError('Invalid summation_method: %s' % summation_method)
    with variable_scope(name, 'auc', (labels, predictions, weights)):
        inner = sorted(thresholds) if thresholds is not None else [(i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        sums = _at_thresholds(labels, predictions, [-1e-7, *inner, 1 + 1e-7], weights)
        return _collect(_area(*[now for now, _ in sums], curve, summation_method, 'value'),
                        _area(*[then for _, then in sums], curve, summation_method, 'update_op'),
                        metrics_collections, updates_collections)
