"""Summaries of activations and tensors, and embeddings, of tf.contrib.layers."""
from .. import array_ops, dtypes, math_ops, nn_ops, summary
from ..convert import convert_to_tensor
from ..scopes import GraphKeys, get_collection, name_scope
from ..variable_scope import get_variable, variable_scope


def _kept(tensor):
    return tensor.op.name


def summarize_tensor(tensor, tag=None):
    if tensor.get_shape().ndims is None or tensor.get_shape().ndims != 0:
        return summary.histogram(tag or _kept(tensor), tensor)
    return summary.scalar(tag or _kept(tensor), tensor)


def summarize_activation(op):
    if op.op.type in ('Relu', 'Softplus', 'Relu6'):
        summary.scalar('%s/zeros' % op.op.name,
                       math_ops.reduce_mean(math_ops.cast(math_ops.equal(op, 0.), dtypes.float32)))
    if op.op.type == 'Sigmoid':
        summary.scalar('%s/saturated' % op.op.name, math_ops.reduce_mean(
            math_ops.cast(math_ops.logical_or(op < 0.05, op > 0.95), dtypes.float32)))
    return summary.histogram('%s/activation' % op.op.name, op)


def summarize_tensors(tensors, summarizer=summarize_tensor):
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(collection, name_filter=None, summarizer=summarize_tensor):
    return summarize_tensors(get_collection(collection, name_filter), summarizer)


def summarize_variables(name_filter=None, summarizer=summarize_tensor):
    return summarize_collection(GraphKeys.GLOBAL_VARIABLES, name_filter, summarizer)


def summarize_weights(name_filter=None, summarizer=summarize_tensor):
    return summarize_collection(GraphKeys.WEIGHTS, name_filter, summarizer)


def summarize_biases(name_filter=None, summarizer=summarize_tensor):
    return summarize_collection(GraphKeys.BIASES, name_filter, summarizer)


def summarize_activations(name_filter=None, summarizer=summarize_activation):
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)


# ---- embeddings ----

def embedding_lookup_unique(params, ids, partition_strategy='mod', name=None):
    with name_scope(name, 'EmbeddingLookupUnique', [params, ids]):
        ids = convert_to_tensor(ids)
        shape = array_ops.shape(ids)
        unique, places = array_ops.unique(array_ops.reshape(ids, [-1]))
        rows = nn_ops.embedding_lookup(params, unique, partition_strategy)
        found = array_ops.reshape(array_ops.gather(rows, places), array_ops.concat([shape, array_ops.shape(rows)[1:]], 0))
        found.set_shape(ids.get_shape().concatenate(rows.get_shape()[1:]))
        return found


def embed_sequence(ids, vocab_size=None, embed_dim=None, unique=False, initializer=None, regularizer=None, trainable=True,
                   scope=None, reuse=None):
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError('Must specify vocab size and embedding dimension when not reusing. Got vocab_size=%s and '
                         'embed_dim=%s' % (vocab_size, embed_dim))
    with variable_scope(scope, 'EmbedSequence', [ids], reuse=reuse):
        shape = [vocab_size, embed_dim] if vocab_size or embed_dim else None
        embeddings = get_variable('embeddings', shape=shape, initializer=initializer, regularizer=regularizer,
                                  trainable=trainable)
        if unique:
            return embedding_lookup_unique(embeddings, ids)
        return nn_ops.embedding_lookup(embeddings, ids)


def safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights=None, combiner=None, default_id=None, name=None,
                                 partition_strategy='div', max_norm=None):
    from ..embedding_more import safe_embedding_lookup_sparse as act
    return act(embedding_weights, sparse_ids, sparse_weights, combiner or 'mean', default_id, name, partition_strategy, max_norm)
