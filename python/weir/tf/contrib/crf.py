"""tf.contrib.crf: linear chains of tags."""
import numpy as np

from ..public import tf


def _potentials(inputs, transition_params):
    return tf.convert_to_tensor(inputs), tf.convert_to_tensor(transition_params)


def crf_unary_score(tag_indices, sequence_lengths, inputs):
    tags = tf.shape(inputs)[2]
    hot = tf.one_hot(tag_indices, tags, dtype=inputs.dtype)
    mask = tf.sequence_mask(sequence_lengths, maxlen=tf.shape(tag_indices)[1], dtype=inputs.dtype)
    return tf.reduce_sum(tf.reduce_sum(inputs * hot, 2) * mask, 1)


def crf_binary_score(tag_indices, sequence_lengths, transition_params):
    tags = transition_params.get_shape().as_list()[0]
    steps = tf.shape(tag_indices)[1] - 1
    at = tf.slice(tag_indices, [0, 0], [-1, steps]) * tags + tf.slice(tag_indices, [0, 1], [-1, steps])
    scores = tf.gather(tf.reshape(transition_params, [-1]), at)
    mask = tf.sequence_mask(sequence_lengths, maxlen=tf.shape(tag_indices)[1], dtype=transition_params.dtype)
    return tf.reduce_sum(scores * tf.slice(mask, [0, 1], [-1, -1]), 1)


def crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params):
    def single():
        rows = tf.range(tf.shape(inputs)[0])
        return tf.gather_nd(tf.squeeze(inputs, [1]), tf.stack([rows, tf.cast(tf.squeeze(tag_indices, [1]), tf.int32)], 1))

    def several():
        return crf_unary_score(tag_indices, sequence_lengths, inputs) + \
            crf_binary_score(tag_indices, sequence_lengths, transition_params)
    known = inputs.get_shape().as_list()[1]
    if known is not None:
        return single() if known == 1 else several()
    return tf.cond(tf.equal(tf.shape(inputs)[1], 1), single, several)


def _forward(inputs, sequence_lengths, transition_params, reduce):
    """alpha of the last step of each sequence; reduce takes the step over the tags before."""
    transitions = tf.expand_dims(transition_params, 0)
    steps = tf.transpose(inputs, [1, 0, 2])

    def step(state, item):
        at, emitted = item
        following = emitted + reduce(tf.expand_dims(state, 2) + transitions)
        return tf.where(at < sequence_lengths, following, state)
    rest = tf.shape(steps)[0] - 1
    return tf.foldl(step, (1 + tf.range(rest), steps[1:]), initializer=steps[0])


def crf_log_norm(inputs, sequence_lengths, transition_params):
    lengths = tf.cast(sequence_lengths, tf.int32)
    final = _forward(inputs, lengths, transition_params, lambda scores: tf.reduce_logsumexp(scores, [1]))
    found = tf.reduce_logsumexp(final, [1])
    return tf.where(tf.less_equal(lengths, 0), tf.zeros_like(found), found)


def crf_log_likelihood(inputs, tag_indices, sequence_lengths, transition_params=None):
    tags = inputs.get_shape().as_list()[2]
    if transition_params is None:
        transition_params = tf.get_variable('transitions', [tags, tags])
    score = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return score - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


def viterbi_decode(score, transition_params):
    """The best tags of one sequence, with NumPy."""
    trellis, back = np.zeros_like(score), np.zeros_like(score, dtype=np.int32)
    trellis[0] = score[0]
    for t in range(1, score.shape[0]):
        v = np.expand_dims(trellis[t - 1], 1) + transition_params
        trellis[t], back[t] = score[t] + np.max(v, 0), np.argmax(v, 0)
    found = [np.argmax(trellis[-1])]
    for row in reversed(back[1:]):
        found.append(row[found[-1]])
    found.reverse()
    return found, np.max(trellis[-1])


def crf_decode(potentials, transition_params, sequence_length):
    """The best tags of a batch and their scores."""
    potentials, transition_params = _potentials(potentials, transition_params)
    lengths = tf.cast(sequence_length, tf.int32)
    steps, transitions = tf.transpose(potentials, [1, 0, 2]), tf.expand_dims(transition_params, 0)
    batch, count = tf.shape(steps)[1], tf.shape(steps)[0]
    tags = potentials.get_shape().as_list()[2]
    own = tf.tile(tf.expand_dims(tf.range(tags), 0), tf.stack([batch, 1]))

    def forward(state, item):
        at, emitted = item
        scores = tf.expand_dims(state[0], 2) + transitions
        inside = at < lengths
        return tf.where(inside, emitted + tf.reduce_max(scores, [1]), state[0]), \
            tf.where(inside, tf.cast(tf.argmax(scores, 1), tf.int32), own)
    alphas, back = tf.scan(forward, (1 + tf.range(count - 1), steps[1:]), initializer=(steps[0], own))
    final = tf.cond(tf.equal(count, 1), lambda: steps[0], lambda: alphas[-1])
    last = tf.cast(tf.argmax(final, 1), tf.int32)

    def backward(tag, row):
        return tf.reshape(tf.batch_gather(row, tf.expand_dims(tag, 1)), [-1])
    path = tf.scan(backward, tf.reverse(back, [0]), initializer=last)
    found = tf.transpose(tf.concat([tf.reverse(path, [0]), tf.expand_dims(last, 0)], 0))
    mask = tf.sequence_mask(lengths, maxlen=tf.shape(found)[1])
    return tf.where(mask, found, tf.zeros_like(found)), tf.reduce_max(final, 1)
