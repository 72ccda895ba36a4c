"""Names and signatures of versions before 1.0."""
from . import _ops, array_ops, math_ops, nn_ops, summary
from .scopes import GraphKeys, add_to_collections, name_scope


def _text(tag):
    """A summary's name from a tag: text, or a constant tensor."""
    if hasattr(tag, 'op'):
        from .convert import constant_value
        tag = constant_value(tag)
        tag = tag.item() if tag is not None else 'summary'
    if isinstance(tag, (list, tuple)) and len(tag) == 1:
        tag = tag[0]
    return tag.decode() if isinstance(tag, bytes) else str(tag)


def scalar_summary(tags, values, collections=None, name=None):
    if not isinstance(tags, (list, tuple)) or len(tags) == 1:
        return summary.scalar(_text(tags), values, collections=collections)
    with name_scope(name, 'ScalarSummary', [values]) as scope:
        made = _ops.scalar_summary(list(tags), values, name=scope)  # a value for each tag
    add_to_collections([GraphKeys.SUMMARIES] if collections is None else collections, made)
    return made


def histogram_summary(tag, values, collections=None, name=None):
    return summary.histogram(_text(tag), values, collections=collections)


def image_summary(tag, tensor, max_images=3, collections=None, name=None):
    return summary.image(_text(tag), tensor, max_outputs=max_images, collections=collections)


def audio_summary(tag, tensor, sample_rate, max_outputs=3, collections=None, name=None):
    return summary.audio(_text(tag), tensor, sample_rate, max_outputs=max_outputs, collections=collections)


def merge_summary(inputs, collections=None, name=None):
    return summary.merge(inputs, collections, name)


def merge_all_summaries(key=GraphKeys.SUMMARIES):
    return summary.merge_all(key)


def batch_matrix_diag(diagonal, name=None):
    return array_ops.matrix_diag(diagonal)


def batch_svd(tensor, compute_uv=True, full_matrices=False, name=None):
    from .linalg_ops import svd
    return svd(tensor, full_matrices, compute_uv, name)


def complex_abs(x, name=None):
    return math_ops.abs(x, name)


def select(condition, t, e, name=None):
    return array_ops.where(condition, t, e, name)


def inv(x, name=None):
    return math_ops.reciprocal(x, name)


def deprecated_flipped_softmax_cross_entropy_with_logits(logits, labels, dim=-1, name=None):
    return nn_ops.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(logits, labels, name=None):
    return nn_ops.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(logits, targets, name=None):
    return nn_ops.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)
