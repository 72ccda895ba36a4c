"""tf.losses.mean_pairwise_squared_error."""
from . import array_ops, math_ops
from .convert import convert_to_tensor
from .losses import add_loss
from .scopes import GraphKeys, name_scope


def mean_pairwise_squared_error(labels, predictions, weights=1.0, scope=None, loss_collection=GraphKeys.LOSSES):
    """The squares of differences between pairs of errors of one example, averaged."""
    if labels is None or predictions is None:
        raise ValueError('labels and predictions must not be None.')
    with name_scope(scope, 'mean_pairwise_squared_error', (predictions, labels, weights)) as scope:
        predictions = math_ops.cast(convert_to_tensor(predictions), 'float32')
        labels = math_ops.cast(convert_to_tensor(labels), 'float32')
        weights = math_ops.cast(convert_to_tensor(weights), 'float32')
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        apart = predictions - labels
        axes = math_ops.range(1, array_ops.rank(apart))
        count = math_ops.cast(math_ops.reduce_prod(array_ops.shape(apart)[1:]), 'float32')
        squares = math_ops.reduce_sum(math_ops.square(apart), axis=axes, keepdims=True)
        total = math_ops.reduce_sum(apart, axis=axes, keepdims=True)
        pairs = math_ops.maximum(count - 1, 1.0)
        each = 2.0 * squares / pairs - 2.0 * math_ops.square(total) / math_ops.maximum(count * (count - 1), 1.0)
        rank = weights.get_shape().ndims
        weighted = each * (weights if rank == 0 else array_ops.reshape(weights, array_ops.shape(each)))
        present = math_ops.reduce_sum(math_ops.cast(math_ops.not_equal(weights, 0), 'float32') + array_ops.zeros_like(each))
        loss = math_ops.div_no_nan(math_ops.reduce_sum(weighted), present)
        add_loss(loss, loss_collection)
        return loss
