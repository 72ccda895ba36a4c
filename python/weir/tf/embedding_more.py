"""safe_embedding_lookup_sparse: rows without ids get a default."""
from . import _ops, array_ops, dtypes, math_ops
from .convert import convert_to_tensor
from .nn_more import embedding_lookup_sparse
from .scopes import name_scope
from .shapes import TensorShape
from .sparse_ops import sparse_fill_empty_rows, sparse_reshape, sparse_retain
from .sparse_tensor import SparseTensor


def _prune_ids(ids, weights):
    """Without ids below 0."""
    valid = math_ops.greater_equal(ids.values, 0)
    if weights is not None:
        valid = math_ops.logical_and(valid, array_ops.ones_like(weights.values, dtype=dtypes.bool))
    ids = sparse_retain(ids, valid)
    return ids, None if weights is None else sparse_retain(weights, valid)


def _prune_weights(ids, weights):
    """Without weights that are not above 0."""
    if weights is None:
        return ids, None
    valid = math_ops.greater(weights.values, 0)
    return sparse_retain(ids, valid), sparse_retain(weights, valid)


def _checked(embedding_weights, sparse_weights):
    from .variables import Variable
    from .partitioned_variables import PartitionedVariable
    if embedding_weights is None or isinstance(embedding_weights, (list, tuple)) and not embedding_weights:
        raise ValueError('Missing embedding_weights %s.' % (embedding_weights,))
    if isinstance(embedding_weights, PartitionedVariable):
        embedding_weights = list(embedding_weights)
    if not isinstance(embedding_weights, (list, tuple)):
        embedding_weights = [embedding_weights]
    dtype = sparse_weights.dtype if sparse_weights is not None else None
    return [item if isinstance(item, Variable) and dtype in (None, item.dtype.base_dtype) or hasattr(item, 'handle') and
            dtype in (None, item.dtype.base_dtype) else convert_to_tensor(item, dtype=dtype) for item in embedding_weights]


def safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights=None, combiner='mean', default_id=None, name=None,
                                 partition_strategy='div', max_norm=None):
    weights = _checked(embedding_weights, sparse_weights)
    with name_scope(name, 'embedding_lookup', weights + [sparse_ids, sparse_weights]) as scope:
        original = sparse_ids.dense_shape
        rank = sparse_ids.dense_shape.get_shape().as_list()[0] or None
        rank = array_ops.size(original) if rank is None else rank
        sparse_ids = sparse_reshape(sparse_ids, [math_ops.reduce_prod(array_ops.slice(original, [0], [rank - 1])),
                                                 array_ops.gather(original, rank - 1)])
        if sparse_weights is not None:
            sparse_weights = SparseTensor(sparse_ids.indices, sparse_weights.values, sparse_ids.dense_shape)
        sparse_ids, sparse_weights = _prune_ids(sparse_ids, sparse_weights)
        if combiner != 'sum':
            sparse_ids, sparse_weights = _prune_weights(sparse_ids, sparse_weights)
        sparse_ids, empty = sparse_fill_empty_rows(sparse_ids, default_id or 0)
        if sparse_weights is not None:
            sparse_weights, _ = sparse_fill_empty_rows(sparse_weights, 1.0)
        result = embedding_lookup_sparse(weights, sparse_ids, sparse_weights, combiner=combiner, partition_strategy=partition_strategy,
                                         name=None if default_id is None else scope, max_norm=max_norm)
        if default_id is None:
            mask = array_ops.tile(array_ops.reshape(empty, [-1, 1]), array_ops.stack([1, array_ops.shape(result)[1]]))
            result = _ops.select(mask, array_ops.zeros_like(result), result, name=scope)
        final = array_ops.reshape(result, array_ops.concat([array_ops.slice(math_ops.cast(original, dtypes.int32), [0], [rank - 1]),
                                                            array_ops.slice(array_ops.shape(result), [1], [-1])], 0))
        if isinstance(rank, int):
            final.set_shape(TensorShape([None] * (rank - 1)).concatenate(result.get_shape()[1:]))
        return final


def safe_embedding_lookup_sparse_v2(embedding_weights, sparse_ids, sparse_weights=None, combiner='mean', default_id=None, max_norm=None,
                                    name=None):
    return safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights, combiner, default_id, name, 'div', max_norm)
