"""safe_embedding_lookup_sparse: rows without ids give zeros, and ids below zero are left out."""
from .public import tf


def safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights=None, combiner='mean', default_id=None, name=None,
                                 partition_strategy='div', max_norm=None):
    if embedding_weights is None:
        raise ValueError('Missing embedding_weights %s.' % embedding_weights)
    tables = list(embedding_weights) if hasattr(embedding_weights, '__iter__') and not hasattr(embedding_weights, 'op') else [embedding_weights]
    if not tables:
        raise ValueError('Missing embedding_weights %s.' % embedding_weights)
    with tf.name_scope(name, 'embedding_lookup', tables):
        shape = sparse_ids.dense_shape
        known = sparse_ids.get_shape().ndims
        rank = known if known is not None else tf.size(shape)
        flat = tf.stack([tf.reduce_prod(shape[:rank - 1]), shape[rank - 1]])
        ids = tf.sparse_reshape(sparse_ids, flat)
        weights = None if sparse_weights is None else tf.SparseTensor(ids.indices, sparse_weights.values, ids.dense_shape)
        valid = tf.greater_equal(ids.values, 0)
        if weights is not None and combiner != 'sum':
            valid = tf.logical_and(valid, tf.greater(weights.values, 0))
        ids = tf.sparse_retain(ids, valid)
        weights = None if weights is None else tf.sparse_retain(weights, valid)
        ids, is_empty = tf.sparse_fill_empty_rows(ids, default_id or 0)
        if weights is not None:
            weights, _ = tf.sparse_fill_empty_rows(weights, 1.0)
        found = tf.nn.embedding_lookup_sparse(embedding_weights, ids, weights, combiner=combiner, partition_strategy=partition_strategy,
                                              max_norm=max_norm)
        if default_id is None:
            mask = tf.tile(tf.reshape(is_empty, [-1, 1]), tf.stack([1, tf.shape(found)[1]]))
            found = tf.where(mask, tf.zeros_like(found), found)
        if known == 2:
            return found
        made = tf.reshape(found, tf.concat([tf.cast(shape[:rank - 1], tf.int32), tf.shape(found)[1:]], 0))
        if known is not None:
            made.set_shape(tf.TensorShape([None] * (known - 1)).concatenate(found.get_shape()[1:]))
        return made
