"""tf.losses: losses with weights, and their collection."""
from . import array_ops, dtypes, math_ops, nn_ops
from .convert import constant, convert_to_tensor
from .scopes import GraphKeys, add_to_collection, get_collection, name_scope


class Reduction:
    """How the losses of a batch become one."""
    NONE = 'none'
    SUM = 'weighted_sum'
    SUM_OVER_BATCH_SIZE = 'weighted_sum_over_batch_size'
    MEAN = 'weighted_mean'
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS = 'weighted_sum_by_nonzero_weights'

    @classmethod
    def all(cls):
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS, cls.SUM_BY_NONZERO_WEIGHTS)

    @classmethod
    def validate(cls, key):
        if key not in cls.all():
            raise ValueError('Invalid Reduction Key %s.' % key)


_DEFAULT = Reduction.SUM_BY_NONZERO_WEIGHTS


def _need(**given):
    for name, value in given.items():
        if value is None:
            raise ValueError('%s must not be None.' % name)


def check_weights(weights, values):
    """Weights are a scalar, or have the rank of the values and sizes that are theirs or 1."""
    own, other = weights.shape, values.shape
    if own.ndims in (None, 0) or other.ndims is None:
        return
    fits = own.ndims == other.ndims and all(
        a is None or b is None or a in (1, b) for a, b in zip(own.as_list(), other.as_list()))
    if not fits:
        raise ValueError('weights can not be broadcast to values. values.shape=%s. weights.shape=%s.' % (other, own))


def squeeze_pair(labels, predictions, expected=0):
    """Takes a last dimension of 1 away where one of the two has it and the other does not."""
    ranks = labels.shape.ndims, predictions.shape.ndims
    if None in ranks:
        return labels, predictions
    more = ranks[1] - ranks[0]
    if more == expected + 1 and predictions.shape.as_list()[-1] in (1, None):
        predictions = array_ops.squeeze(predictions, [-1])
    elif more == expected - 1 and labels.shape.as_list()[-1] in (1, None):
        labels = array_ops.squeeze(labels, [-1])
    return labels, predictions


def fit_weights(weights, values):
    """Weights of one dimension more or less than the values, brought to their rank."""
    own, other = weights.shape.ndims, values.shape.ndims
    if own == 0:
        return weights
    if own is None or other is None:
        return _fitted_in_a_step(weights, values)
    if own == other + 1 and weights.shape.as_list()[-1] in (1, None):
        return array_ops.squeeze(weights, [-1])
    return array_ops.expand_dims(weights, -1) if own == other - 1 else weights


def _fitted_in_a_step(weights, values):
    """The same where the ranks are known in a step only."""
    from .control_flow_ops import cond
    more = array_ops.rank(weights) - array_ops.rank(values)

    def wider():
        return cond(math_ops.equal(more, -1), lambda: array_ops.expand_dims(weights, -1), lambda: weights)
    last = weights.shape[-1].value if weights.shape.ndims else None
    fitted = wider() if last not in (None, 1) else cond(math_ops.equal(more, 1), lambda: array_ops.squeeze(weights, [-1]), wider)
    return cond(math_ops.equal(array_ops.rank(weights), 0), lambda: weights, lambda: fitted)


def _spread(weights, values):
    return weights if weights.shape.ndims == values.shape.ndims and weights.shape.is_fully_defined() \
        and weights.shape.as_list() == values.shape.as_list() else weights * array_ops.ones_like(values)


def _reduce(values, weights, kind):
    """`values` have their weights already."""
    if kind == Reduction.NONE:
        return values
    total = math_ops.reduce_sum(values)
    if kind == Reduction.SUM:
        return total
    if kind == Reduction.MEAN:
        count = math_ops.reduce_sum(_spread(weights, values))
    elif kind == Reduction.SUM_OVER_BATCH_SIZE:
        count = math_ops.cast(array_ops.size(values, name='num_elements'), values.dtype)
    else:
        present = math_ops.cast(math_ops.not_equal(weights, 0.), values.dtype)
        count = math_ops.reduce_sum(_spread(present, values), name='num_present')
    return math_ops.div_no_nan(total, count, name='value')


def compute_weighted_loss(losses, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT):
    Reduction.validate(reduction)
    with name_scope(scope, 'weighted_loss', (losses, weights)):
        losses = convert_to_tensor(losses)
        given = losses.dtype
        losses = math_ops.cast(losses, dtypes.float32)
        weights = math_ops.cast(convert_to_tensor(weights), dtypes.float32)
        check_weights(weights, losses)
        loss = math_ops.cast(_reduce(losses * weights, weights, reduction), given)
        add_loss(loss, loss_collection)
        return loss


def _pair(labels, predictions):
    """Both as float32, of one shape."""
    predictions = math_ops.cast(convert_to_tensor(predictions), dtypes.float32)
    labels = math_ops.cast(convert_to_tensor(labels), dtypes.float32)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return labels, predictions


def absolute_difference(labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT):
    _need(labels=labels, predictions=predictions)
    with name_scope(scope, 'absolute_difference', (predictions, labels, weights)) as scope:
        labels, predictions = _pair(labels, predictions)
        return compute_weighted_loss(math_ops.abs(predictions - labels), weights, scope, loss_collection, reduction)


def mean_squared_error(labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT):
    _need(labels=labels, predictions=predictions)
    with name_scope(scope, 'mean_squared_error', (predictions, labels, weights)) as scope:
        labels, predictions = _pair(labels, predictions)
        return compute_weighted_loss(math_ops.squared_difference(predictions, labels), weights, scope, loss_collection, reduction)


def huber_loss(labels, predictions, weights=1.0, delta=1.0, scope=None, loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT):
    _need(labels=labels, predictions=predictions)
    with name_scope(scope, 'huber_loss', (predictions, labels, weights)) as scope:
        labels, predictions = _pair(labels, predictions)
        size = math_ops.abs(predictions - labels)
        inner = math_ops.minimum(size, delta)
        return compute_weighted_loss(0.5 * inner * inner + delta * (size - inner), weights, scope, loss_collection, reduction)


def log_loss(labels, predictions, weights=1.0, epsilon=1e-7, scope=None, loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT):
    _need(labels=labels, predictions=predictions)
    with name_scope(scope, 'log_loss', (predictions, labels, weights)) as scope:
        labels, predictions = _pair(labels, predictions)
        losses = -labels * math_ops.log(predictions + epsilon) - (1 - labels) * math_ops.log(1 - predictions + epsilon)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def hinge_loss(labels, logits, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT):
    _need(labels=labels, logits=logits)
    with name_scope(scope, 'hinge_loss', (logits, labels, weights)) as scope:
        labels, logits = _pair(labels, logits)
        losses = nn_ops.relu(1 - (2 * labels - 1) * logits)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def cosine_distance(labels, predictions, axis=None, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                    reduction=_DEFAULT, dim=None):
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    _need(labels=labels, predictions=predictions)
    with name_scope(scope, 'cosine_distance_loss', (predictions, labels, weights)) as scope:
        labels, predictions = _pair(labels, predictions)
        losses = 1 - math_ops.reduce_sum(predictions * labels, axis=(axis,), keepdims=True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sigmoid_cross_entropy(multi_class_labels, logits, weights=1.0, label_smoothing=0, scope=None,
                          loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT):
    _need(multi_class_labels=multi_class_labels, logits=logits)
    with name_scope(scope, 'sigmoid_cross_entropy_loss', (logits, multi_class_labels, weights)) as scope:
        logits = convert_to_tensor(logits)
        labels = math_ops.cast(convert_to_tensor(multi_class_labels), logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = nn_ops.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name='xentropy')
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def softmax_cross_entropy(onehot_labels, logits, weights=1.0, label_smoothing=0, scope=None,
                          loss_collection=GraphKeys.LOSSES, reduction=_DEFAULT):
    _need(onehot_labels=onehot_labels, logits=logits)
    with name_scope(scope, 'softmax_cross_entropy_loss', (logits, onehot_labels, weights)) as scope:
        logits = convert_to_tensor(logits)
        labels = math_ops.cast(convert_to_tensor(onehot_labels), logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            classes = math_ops.cast(array_ops.shape(labels)[-1], logits.dtype)
            labels = labels * (1 - label_smoothing) + label_smoothing / classes
        labels = array_ops.stop_gradient(labels, name='labels_stop_gradient')
        losses = nn_ops.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, name='xentropy')
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(labels, logits, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES,
                                 reduction=_DEFAULT):
    _need(labels=labels, logits=logits)
    with name_scope(scope, 'sparse_softmax_cross_entropy_loss', (logits, labels, weights)) as scope:
        labels, logits = squeeze_pair(convert_to_tensor(labels), convert_to_tensor(logits), 1)
        weights = convert_to_tensor(weights)
        losses = nn_ops.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name='xentropy')
        if weights.shape.ndims is not None and losses.shape.ndims is not None and weights.shape.ndims > losses.shape.ndims:
            weights = fit_weights(weights, losses)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def add_loss(loss, loss_collection=GraphKeys.LOSSES):
    if loss_collection:
        add_to_collection(loss_collection, loss)


def get_losses(scope=None, loss_collection=GraphKeys.LOSSES):
    return get_collection(loss_collection, scope)


def get_regularization_losses(scope=None):
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope=None, name='total_regularization_loss'):
    losses = get_regularization_losses(scope)
    return math_ops.add_n(losses, name=name) if losses else constant(0.0)


def get_total_loss(add_regularization_losses=True, name='total_loss', scope=None):
    losses = get_losses(scope)
    if add_regularization_losses:
        losses = losses + get_regularization_losses(scope)
    return math_ops.add_n(losses, name=name)
