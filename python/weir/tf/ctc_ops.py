"""Connectionist temporal classification."""
from . import _ops, array_ops, dtypes
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
