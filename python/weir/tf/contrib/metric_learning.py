"""tf.contrib.losses.metric_learning: losses on distances between embeddings."""
from ..public import tf


def _distances(embeddings, squared):
    """Between all rows; 0 from a row to itself, and no root of 0, whose gradient is infinite."""
    norms = tf.reduce_sum(tf.square(embeddings), 1, keepdims=True)
    found = tf.maximum(norms + tf.transpose(norms) - 2. * tf.matmul(embeddings, embeddings, transpose_b=True), 0.)
    if not squared:
        near = tf.less_equal(found, 0.)
        found = tf.where(near, tf.zeros_like(found), tf.sqrt(tf.where(near, tf.ones_like(found), found)))
    return tf.matrix_set_diag(found, tf.zeros_like(found[0]))


def _same(labels):
    column = tf.reshape(labels, [-1, 1])
    return tf.equal(column, tf.transpose(column))


def _pairs(same):
    """1 where two different rows have the same label."""
    ones = tf.cast(same, tf.float32)
    return tf.matrix_set_diag(ones, tf.zeros_like(ones[0]))


def contrastive_loss(labels, embeddings_anchor, embeddings_positive, margin=1.0):
    """Pairs of label 1 are drawn together, those of label 0 are pushed apart as far as `margin`."""
    distances = tf.sqrt(tf.reduce_sum(tf.squared_difference(embeddings_anchor, embeddings_positive), 1))
    together = tf.to_float(labels)
    return tf.reduce_mean(together * tf.square(distances) + (1. - together) * tf.square(tf.maximum(margin - distances, 0.)),
                          name='contrastive_loss')


def triplet_semihard_loss(labels, embeddings, margin=1.0):
    """Of a pair with one label, the nearest of another that is farther than the pair is apart; else the farthest of another."""
    distances, same = _distances(embeddings, squared=True), _same(labels)
    other = tf.cast(tf.logical_not(same), tf.float32)
    count = tf.shape(distances)[0]
    of_anchor = tf.tile(tf.expand_dims(distances, 1), [1, count, 1])  # [anchor, positive, negative]
    farther = tf.logical_and(of_anchor > tf.expand_dims(distances, 2), tf.expand_dims(other, 1) > 0.)
    nearest = tf.reduce_min(tf.where(farther, of_anchor, tf.fill(tf.shape(of_anchor), distances.dtype.max)), 2)
    farthest = tf.reduce_max(distances * other, 1, keepdims=True) * tf.ones_like(distances)
    negative = tf.where(tf.reduce_any(farther, 2), nearest, farthest)
    pairs = _pairs(same)
    return tf.divide(tf.reduce_sum(tf.maximum(margin + distances - negative, 0.) * pairs), tf.reduce_sum(pairs),
                     name='triplet_semihard_loss')


def lifted_struct_loss(labels, embeddings, margin=1.0):
    """A pair with one label against all rows of others, smoothly: log of the sum of exp(margin - distance)."""
    distances, same = _distances(embeddings, squared=False), _same(labels)
    far = tf.where(same, tf.fill(tf.shape(distances), distances.dtype.min), margin - distances)
    most = tf.reduce_max(far, 1, keepdims=True)
    sums = tf.log(tf.reduce_sum(tf.where(same, tf.zeros_like(far), tf.exp(far - most)), 1, keepdims=True)) + most
    both = tf.reduce_logsumexp(tf.stack([sums * tf.ones_like(distances), tf.transpose(sums) * tf.ones_like(distances)]), 0)
    pairs = _pairs(same)
    return tf.truediv(0.25 * tf.reduce_sum(tf.square(tf.maximum((both + distances) * pairs, 0.))), tf.reduce_sum(pairs) / 2.,
                      name='liftedstruct_loss')


def _npairs(targets, embeddings_anchor, embeddings_positive, reg_lambda, print_losses):
    size = tf.reduce_mean(tf.reduce_sum(tf.square(embeddings_anchor), 1)) + \
        tf.reduce_mean(tf.reduce_sum(tf.square(embeddings_positive), 1))
    penalty = tf.multiply(0.25 * reg_lambda, size, name='l2loss')
    logits = tf.matmul(embeddings_anchor, embeddings_positive, transpose_b=True)
    targets /= tf.reduce_sum(targets, 1, keepdims=True)
    entropy = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=logits, labels=targets), name='xentropy')
    if print_losses:
        entropy = tf.Print(entropy, ['cross entropy:', entropy, 'l2loss:', penalty])
    return entropy + penalty


def npairs_loss(labels, embeddings_anchor, embeddings_positive, reg_lambda=0.002, print_losses=False):
    """Each anchor must be most like the positives of its label."""
    return _npairs(tf.cast(_same(labels), tf.float32), embeddings_anchor, embeddings_positive, reg_lambda, print_losses)


def npairs_loss_multilabel(sparse_labels, embeddings_anchor, embeddings_positive, reg_lambda=0.002, print_losses=False):
    """The same where a row has several labels, a SparseTensor each: rows are alike by the labels that they share."""
    dense = tf.cast(tf.stack([tf.sparse_tensor_to_dense(labels) for labels in sparse_labels]), tf.float32)
    flat = tf.reshape(dense, [len(sparse_labels), -1])
    return _npairs(tf.matmul(flat, flat, transpose_b=True), embeddings_anchor, embeddings_positive, reg_lambda, print_losses)
