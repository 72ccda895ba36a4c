"""Connectionist temporal classification."""
from . import _ops, array_ops, dtypes, math_ops
from .convert import convert_to_tensor
from .scopes import name_scope
from .sparse_tensor import SparseTensor


def ctc_loss(labels, inputs=None, sequence_length=None, preprocess_collapse_repeated=False, ctc_merge_repeated=True,
             ignore_longer_outputs_than_inputs=False, time_major=True, logits=None):
    inputs = logits if inputs is None else inputs
    if not isinstance(labels, SparseTensor):
        raise TypeError('Expected labels (first argument) to be a SparseTensor')
    if not time_major:
        inputs = array_ops.transpose(inputs, [1, 0, 2])
    return _ops.ctc_loss(inputs, labels.indices, labels.values, sequence_length, preprocess_collapse_repeated,
                         ctc_merge_repeated, ignore_longer_outputs_than_inputs)[0]


def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=True):
    made = _ops.ctc_greedy_decoder(inputs, sequence_length, merge_repeated=merge_repeated)
    return [SparseTensor(made[0], made[1], made[2])], made[3]


def ctc_beam_search_decoder(inputs, sequence_length, beam_width=100, top_paths=1, merge_repeated=True):
    made = _ops.ctc_beam_search_decoder(inputs, sequence_length, beam_width=beam_width, top_paths=top_paths,
                                        merge_repeated=merge_repeated)
    return [SparseTensor(*row) for row in zip(made[0], made[1], made[2])], made[3]


def ctc_beam_search_decoder_v2(inputs, sequence_length, beam_width=100, top_paths=1):
    return ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, merge_repeated=False)


def dense_labels_to_sparse(dense, length):
    """The first length[i] labels of each row, as int32."""
    with name_scope('dense_labels_to_sparse', values=[dense, length]):
        dense = convert_to_tensor(dense, name='dense')
        length = convert_to_tensor(length, name='length')
        places = array_ops.where(array_ops.sequence_mask(length, maxlen=array_ops.shape(dense)[1]))
        shape = array_ops.stack([array_ops.shape(dense, out_type=dtypes.int64)[0],
                                 math_ops.cast(math_ops.reduce_max(length), dtypes.int64)])
        return SparseTensor(places, math_ops.cast(array_ops.gather_nd(dense, places), dtypes.int32), shape)


def _blank_last(labels, logits, blank):
    """Labels and logits [time, batch, class] with the blank as the last class, where the op expects it."""
    classes = logits.shape.as_list()[2]
    if blank < 0:
        blank += classes
    if blank != classes - 1:
        logits = array_ops.concat([logits[:, :, :blank], logits[:, :, blank + 1:], logits[:, :, blank:blank + 1]], axis=2)
        values = array_ops.where(math_ops.less(labels.values, blank), labels.values, labels.values - 1)
        labels = SparseTensor(labels.indices, values, labels.dense_shape)
    return labels, logits


def ctc_loss_dense(labels, logits, label_length, logit_length, logits_time_major=True, unique=None, blank_index=0, name=None):
    """The loss for labels as a padded matrix. `unique` is not needed here: the op finds repeated labels itself."""
    with name_scope(name, 'ctc_loss_dense', [logits, labels, label_length, logit_length]):
        logits = convert_to_tensor(logits, name='logits')
        if not logits_time_major:
            logits = array_ops.transpose(logits, [1, 0, 2])
        labels, logits = _blank_last(dense_labels_to_sparse(labels, label_length), logits, blank_index or 0)
        return ctc_loss(labels, logits, math_ops.cast(logit_length, dtypes.int32))


def ctc_loss_v2(labels, logits, label_length, logit_length, logits_time_major=True, unique=None, blank_index=None, name=None):
    """The loss for labels as a sparse tensor, or as a padded matrix with lengths."""
    if not isinstance(labels, SparseTensor):
        return ctc_loss_dense(labels, logits, label_length, logit_length, logits_time_major, unique, blank_index or 0, name)
    if blank_index is None:
        raise ValueError('blank_index must be given when using SparseTensor labels.')
    logits = convert_to_tensor(logits, name='logits')
    if not logits_time_major:
        logits = array_ops.transpose(logits, [1, 0, 2])
    labels, logits = _blank_last(labels, logits, blank_index)
    return ctc_loss(labels, logits, logit_length)
