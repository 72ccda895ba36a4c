"""tf.contrib.seq2seq.BeamSearchDecoder."""
import collections

import numpy as np

from .. import nest
from ..public import tf
from ..shapes import TensorShape
from ..tensor_array import TensorArray
from .attention import AttentionWrapperState  # noqa: F401
from .seq2seq import Decoder, output_size_of, tile_batch


class BeamSearchDecoderState(collections.namedtuple(
        'BeamSearchDecoderState', ('cell_state', 'log_probs', 'finished', 'lengths', 'accumulated_attention_probs'))):
    pass


class BeamSearchDecoderOutput(collections.namedtuple('BeamSearchDecoderOutput', ('scores', 'predicted_ids', 'parent_ids'))):
    pass


class FinalBeamSearchDecoderOutput(collections.namedtuple(
        'FinalBeamDecoderOutput', ('predicted_ids', 'beam_search_decoder_output'))):
    pass


def gather_tree(step_ids, parent_ids, max_sequence_lengths, end_token, name=None):
    """Follows parents from the last step back: [time, batch, beam] ids of whole sequences."""
    with tf.name_scope(name, 'GatherTree', [step_ids, parent_ids]):
        step_ids, parent_ids = tf.convert_to_tensor(step_ids), tf.convert_to_tensor(parent_ids)
        steps = tf.shape(step_ids)[0]
        batch, beam = tf.shape(step_ids)[1], tf.shape(step_ids)[2]
        last = tf.expand_dims(tf.minimum(max_sequence_lengths, steps) - 1, 1)
        own = tf.tile(tf.expand_dims(tf.range(beam), 0), [batch, 1])

        def body(t, parents, array):
            inside = tf.tile(t <= last, [1, beam])
            ids = tf.where(inside, tf.batch_gather(step_ids[t], parents), tf.fill([batch, beam], end_token))
            parents = tf.where(inside, tf.batch_gather(parent_ids[t], parents), parents)
            return t - 1, parents, array.write(t, ids)
        array = TensorArray(tf.int32, size=steps, element_shape=step_ids.get_shape()[1:])
        _, _, array = tf.while_loop(lambda t, *_: t >= 0, body, (steps - 1, own, array))
        ids = array.stack()
        ended = tf.cumsum(tf.cast(tf.equal(ids, end_token), tf.int32), axis=0, exclusive=True) > 0
        found = tf.where(ended, tf.fill(tf.shape(ids), end_token), ids)
        found.set_shape(step_ids.get_shape())
        return found


def gather_tree_from_array(t, parent_ids, sequence_length):
    """What each beam of [time, batch, beam, ...] (or [time, batch * beam, ...]) held along the way that ends in it."""
    t, parent_ids, lengths = tf.convert_to_tensor(t), tf.convert_to_tensor(parent_ids), tf.cast(sequence_length, tf.int32)
    steps, batch, beam = (parent_ids.shape[i].value or tf.shape(parent_ids)[i] for i in range(3))
    own = tf.tile(tf.reshape(tf.range(beam), [1, 1, -1]), [steps, batch, 1])
    followed = gather_tree(own, parent_ids, max_sequence_lengths=tf.reduce_max(lengths, axis=1), end_token=beam + 1)
    inside = tf.transpose(tf.sequence_mask(lengths, maxlen=steps), perm=[2, 0, 1])
    followed = tf.where(inside, followed, own)
    parts = tf.reshape(t, tf.stack([steps * batch * beam, -1]))
    first = tf.reshape(tf.range(steps * batch) * beam, tf.stack([steps, batch, 1]))
    found = tf.reshape(tf.gather(parts, tf.reshape(first + followed, [-1])), tf.shape(t))
    found.set_shape(t.get_shape())
    return found


def _length_penalty(lengths, weight):
    if tf.contrib.util.constant_value(tf.convert_to_tensor(weight)) == 0.0:
        return 1.0
    return tf.div((5. + tf.to_float(lengths)) ** weight, (5. + 1.) ** weight)


class BeamSearchDecoder(Decoder):
    def __init__(self, cell, embedding, start_tokens, end_token, initial_state, beam_width, output_layer=None,
                 length_penalty_weight=0.0, coverage_penalty_weight=0.0, reorder_tensor_arrays=True):
        self._cell, self._output_layer, self._beam_width = cell, output_layer, beam_width
        self._reorder_tensor_arrays = reorder_tensor_arrays
        self._embedding_fn = embedding if callable(embedding) else lambda ids: tf.nn.embedding_lookup(embedding, ids)
        self._start_tokens = tf.convert_to_tensor(start_tokens, dtype=tf.int32, name='start_tokens')
        self._end_token = tf.convert_to_tensor(end_token, dtype=tf.int32, name='end_token')
        if self._start_tokens.get_shape().ndims != 1:
            raise ValueError('start_tokens must be a vector')
        self._batch_size = tf.size(start_tokens)
        self._length_penalty_weight = length_penalty_weight
        self._initial_cell_state = nest.map_structure(self._maybe_split, initial_state)
        self._start_inputs = self._embedding_fn(tf.tile(tf.expand_dims(self._start_tokens, 1), [1, beam_width]))
        self._finished = tf.one_hot(tf.zeros([self._batch_size], dtype=tf.int32), depth=beam_width, on_value=False, off_value=True,
                                    dtype=tf.bool)

    batch_size = property(lambda self: self._batch_size)
    tracks_own_finished = property(lambda self: True)

    @property
    def output_size(self):
        width = TensorShape([self._beam_width])
        return BeamSearchDecoderOutput(scores=width, predicted_ids=width, parent_ids=width)

    @property
    def output_dtype(self):
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        return BeamSearchDecoderOutput(scores=dtype, predicted_ids=tf.int32, parent_ids=tf.int32)

    def _maybe_split(self, t):
        """[batch * beam, ...] to [batch, beam, ...]."""
        if isinstance(t, TensorArray) or t.get_shape().ndims == 0:
            return t
        known = t.get_shape()[1:]
        made = tf.reshape(t, tf.concat(([self._batch_size, self._beam_width], tf.shape(t)[1:]), 0))
        made.set_shape(TensorShape([None, self._beam_width]).concatenate(known))
        return made

    def _maybe_merge(self, t):
        if isinstance(t, TensorArray) or t.get_shape().ndims == 0:
            return t
        known = t.get_shape()[2:]
        made = tf.reshape(t, tf.concat(([self._batch_size * self._beam_width], tf.shape(t)[2:]), 0))
        made.set_shape(TensorShape([None]).concatenate(known))
        return made

    def initialize(self, name=None):
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        start = tf.one_hot(tf.zeros([self._batch_size], dtype=tf.int32), depth=self._beam_width,
                           on_value=tf.convert_to_tensor(0.0, dtype), off_value=tf.convert_to_tensor(-np.inf, dtype), dtype=dtype)
        state = BeamSearchDecoderState(
            cell_state=self._initial_cell_state, log_probs=start, finished=self._finished,
            lengths=tf.zeros([self._batch_size, self._beam_width], dtype=tf.int64), accumulated_attention_probs=())
        return self._finished, self._start_inputs, state

    def finalize(self, outputs, final_state, sequence_lengths):
        longest = tf.cast(tf.reduce_max(final_state.lengths, axis=1), tf.int32)
        ids = gather_tree(outputs.predicted_ids, outputs.parent_ids, max_sequence_lengths=longest, end_token=self._end_token)
        if self._reorder_tensor_arrays:
            final_state = final_state._replace(cell_state=nest.map_structure(
                lambda t: self._sorted(t, outputs.parent_ids, final_state.lengths), final_state.cell_state))
        return FinalBeamSearchDecoderOutput(beam_search_decoder_output=outputs, predicted_ids=ids), final_state

    def _sorted(self, t, parent_ids, lengths):
        """The steps of an array of beams, each beam with the history that it has in the end."""
        if not isinstance(t, TensorArray):
            return t
        history = t.stack()
        known = history.get_shape()
        if known.ndims is not None and known.ndims < 2:
            return t
        return gather_tree_from_array(history, parent_ids, lengths)

    def step(self, time, inputs, state, name=None):
        with tf.name_scope(name, 'BeamSearchDecoderStep', (time,)):
            cell_state = nest.map_structure(self._maybe_merge, state.cell_state)
            outputs, cell_state = self._cell(nest.map_structure(self._maybe_merge, inputs), cell_state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            logits = self._maybe_split(outputs)
            cell_state = nest.map_structure(self._maybe_split, cell_state)
            output, state = self._search(logits, cell_state, state)
            following = tf.cond(tf.reduce_all(state.finished), lambda: self._start_inputs,
                                lambda: self._embedding_fn(output.predicted_ids))
        return output, state, following, state.finished

    def _search(self, logits, cell_state, state):
        """The best beam_width continuations of all beams."""
        classes = logits.get_shape().as_list()[-1] or tf.shape(logits)[-1]
        width = self._beam_width
        probs = tf.nn.log_softmax(logits)
        only_end = tf.one_hot(self._end_token, classes, on_value=tf.zeros([], logits.dtype), off_value=logits.dtype.min,
                              dtype=logits.dtype)
        finished = tf.tile(tf.expand_dims(state.finished, 2), tf.stack([1, 1, classes]))
        probs = tf.where(finished, tf.zeros_like(probs) + only_end, probs)
        total = tf.expand_dims(state.log_probs, 2) + probs
        not_end = tf.one_hot(self._end_token, classes, on_value=np.int64(0), off_value=np.int64(1), dtype=tf.int64)
        grows = tf.expand_dims(tf.cast(tf.logical_not(state.finished), tf.int64), 2) * not_end
        lengths = tf.expand_dims(state.lengths, 2) + grows
        scores = total / tf.cast(_length_penalty(lengths, self._length_penalty_weight), total.dtype)
        flat = tf.reshape(scores, [self._batch_size, -1])
        best, at = tf.nn.top_k(flat, k=width)
        best.set_shape([None, width])
        at.set_shape([None, width])
        words, beams = tf.mod(at, classes), tf.div(at, classes)
        pick = lambda values: tf.batch_gather(values, beams)
        chosen_probs = tf.batch_gather(tf.reshape(total, [self._batch_size, -1]), at)
        before = pick(state.finished)
        now = tf.logical_or(before, tf.equal(words, self._end_token))
        grown = pick(state.lengths) + tf.cast(tf.logical_not(before), tf.int64)
        for made in (chosen_probs, now, grown):
            made.set_shape([None, width])

        def moved(item):
            if isinstance(item, TensorArray) or item.get_shape().ndims < 2:
                return item
            made = pick(item)
            made.set_shape(item.get_shape())
            return made
        cell_state = nest.map_structure(moved, cell_state)
        following = BeamSearchDecoderState(cell_state=cell_state, log_probs=chosen_probs, lengths=grown, finished=now,
                                           accumulated_attention_probs=())
        return BeamSearchDecoderOutput(scores=best, predicted_ids=tf.to_int32(words), parent_ids=tf.to_int32(beams)), following


__all__ = ['BeamSearchDecoder', 'BeamSearchDecoderOutput', 'BeamSearchDecoderState', 'FinalBeamSearchDecoderOutput', 'gather_tree',
           'tile_batch', 'output_size_of']
