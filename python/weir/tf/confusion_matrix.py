"""tf.confusion_matrix."""
from . import array_ops, dtypes, math_ops
from .convert import convert_to_tensor
from .losses import squeeze_pair
from .scopes import name_scope


def remove_squeezable_dimensions(labels, predictions, expected_rank_diff=0, name=None):
    return squeeze_pair(convert_to_tensor(labels), convert_to_tensor(predictions), expected_rank_diff)


def confusion_matrix(labels=None, predictions=None, num_classes=None, dtype=dtypes.int32, name=None, weights=None):
    """How often each label (rows) was predicted as each class (columns)."""
    with name_scope(name, 'confusion_matrix', (predictions, labels, num_classes, weights)):
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        labels, predictions = math_ops.cast(labels, dtypes.int64), math_ops.cast(predictions, dtypes.int64)
        if num_classes is None:
            num_classes = math_ops.maximum(math_ops.reduce_max(predictions), math_ops.reduce_max(labels)) + 1
        size = math_ops.cast(num_classes, dtypes.int64)
        values = array_ops.ones_like(predictions, dtype) if weights is None else math_ops.cast(weights, dtype)
        at = array_ops.stack([labels, predictions], axis=1)
        return array_ops.scatter_nd(at, values, array_ops.stack([size, size]))
