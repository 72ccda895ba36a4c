"""tf.contrib.losses: tf.losses with predictions before labels."""
from .. import losses as core
from ..losses import (add_loss, compute_weighted_loss, get_losses, get_regularization_losses,  # noqa: F401
                      get_total_loss)
from ..public import tf


def absolute_difference(predictions, labels=None, weights=1.0, scope=None):
    return core.absolute_difference(labels, predictions, weights, scope)


def mean_squared_error(predictions, labels=None, weights=1.0, scope=None):
    return core.mean_squared_error(labels, predictions, weights, scope)


def mean_pairwise_squared_error(predictions, labels=None, weights=1.0, scope=None):
    from ..losses_more import mean_pairwise_squared_error as pairwise
    return pairwise(labels, predictions, weights, scope)


def log_loss(predictions, labels=None, weights=1.0, epsilon=1e-7, scope=None):
    return core.log_loss(labels, predictions, weights, epsilon, scope)


def hinge_loss(logits, labels=None, scope=None):
    with tf.name_scope(scope, 'hinge_loss', [logits, labels]):
        labels = tf.to_float(labels)
        return tf.nn.relu(tf.ones_like(labels) - (2 * labels - tf.ones_like(labels)) * logits)


def sigmoid_cross_entropy(logits, multi_class_labels, weights=1.0, label_smoothing=0, scope=None):
    return core.sigmoid_cross_entropy(multi_class_labels, logits, weights, label_smoothing, scope)


def softmax_cross_entropy(logits, onehot_labels, weights=1.0, label_smoothing=0, scope=None):
    return core.softmax_cross_entropy(onehot_labels, logits, weights, label_smoothing, scope)


def sparse_softmax_cross_entropy(logits, labels, weights=1.0, scope=None):
    return core.sparse_softmax_cross_entropy(labels, logits, weights, scope)


def cosine_distance(predictions, labels=None, axis=None, weights=1.0, scope=None, dim=None):
    return core.cosine_distance(labels, predictions, dim if axis is None else axis, weights, scope)


def get_total_loss(add_regularization_losses=True, name='total_loss'):
    from ..losses import get_total_loss as act
    return act(add_regularization_losses, name)
