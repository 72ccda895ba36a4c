"""Candidate samplers, and losses over sampled classes."""
from . import _ops, array_ops, dtypes, math_ops
from .convert import convert_to_tensor
from .scopes import get_seed, name_scope


def _sampler(act):
    def sample(true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None):
        first, second = get_seed(seed)
        return act(true_classes, num_true, num_sampled, unique, range_max, seed=first or 0, seed2=second or 0, name=name)
    return sample


uniform_candidate_sampler = _sampler(_ops.uniform_candidate_sampler)
log_uniform_candidate_sampler = _sampler(_ops.log_uniform_candidate_sampler)
learned_unigram_candidate_sampler = _sampler(_ops.learned_unigram_candidate_sampler)


def fixed_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, vocab_file='', distortion=1.0,
                                    num_reserved_ids=0, num_shards=1, shard=0, unigrams=(), seed=None, name=None):
    first, second = get_seed(seed)
    return _ops.fixed_unigram_candidate_sampler(
        true_classes, num_true, num_sampled, unique, range_max, vocab_file=vocab_file, distortion=distortion,
        num_reserved_ids=num_reserved_ids, num_shards=num_shards, shard=shard, unigrams=list(unigrams), seed=first or 0,
        seed2=second or 0, name=name)


def all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=None, name=None):
    first, second = get_seed(seed)
    return _ops.all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=first or 0, seed2=second or 0, name=name)


def compute_accidental_hits(true_classes, sampled_candidates, num_true, seed=None, name=None):
    first, second = get_seed(seed)
    return _ops.compute_accidental_hits(true_classes, sampled_candidates, num_true, seed=first or 0, seed2=second or 0, name=name)


def _hits_removed(logits, labels, sampled, num_true, num_sampled, dtype):
    """Sampled logits from which those that are labels are taken out."""
    rows, ids, weights = compute_accidental_hits(labels, sampled, num_true=num_true)
    where = array_ops.concat([array_ops.reshape(rows, [-1, 1]), math_ops.cast(array_ops.reshape(ids, [-1, 1]), dtypes.int32)], 1,
                             'sparse_indices')
    whole = array_ops.concat([array_ops.shape(labels)[:1], array_ops.expand_dims(num_sampled, 0)], 0)
    weights = math_ops.cast(weights, dtype)
    return logits + _ops.sparse_to_dense(where, whole, weights, convert_to_tensor(0.0, dtype), validate_indices=False)


def _compute_sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
                            subtract_log_q=True, remove_accidental_hits=False, partition_strategy='mod', name=None, seed=None):
    """The logits of the labels and of sampled classes, and their labels."""
    from .nn_ops import embedding_lookup
    weights = weights if isinstance(weights, list) else [weights]
    with name_scope(name, 'compute_sampled_logits', weights + [biases, inputs, labels]):
        labels = math_ops.cast(labels, dtypes.int64)
        flat = array_ops.reshape(labels, [-1])
        if sampled_values is None:
            sampled_values = log_uniform_candidate_sampler(labels, num_true, num_sampled, True, num_classes, seed=seed)
        sampled, true_count, sampled_count = (array_ops.stop_gradient(item) for item in sampled_values)
        sampled = math_ops.cast(sampled, dtypes.int64)
        ids = array_ops.concat([flat, sampled], 0)
        rows = embedding_lookup(weights, ids, partition_strategy)
        if rows.dtype.base_dtype != inputs.dtype.base_dtype:
            rows = math_ops.cast(rows, inputs.dtype)
        true_w = array_ops.slice(rows, [0, 0], array_ops.stack([array_ops.shape(flat)[0], -1]))
        sampled_w = array_ops.slice(rows, array_ops.stack([array_ops.shape(flat)[0], 0]), [-1, -1])
        sampled_logits = math_ops.matmul(inputs, sampled_w, transpose_b=True)
        all_b = embedding_lookup(biases, ids, partition_strategy)
        true_b = array_ops.slice(all_b, [0], array_ops.shape(flat))
        sampled_b = array_ops.slice(all_b, array_ops.shape(flat), [-1])
        dim = array_ops.shape(true_w)[1:2]
        dots = math_ops.multiply(array_ops.expand_dims(inputs, 1),
                                 array_ops.reshape(true_w, array_ops.concat([[-1, num_true], dim], 0)))
        dots = array_ops.reshape(dots, array_ops.concat([[-1], dim], 0))
        true_logits = array_ops.reshape(math_ops.reduce_sum(dots, 1), [-1, num_true]) + array_ops.reshape(true_b, [-1, num_true])
        sampled_logits = sampled_logits + sampled_b
        if remove_accidental_hits:
            sampled_logits = _hits_removed(sampled_logits, labels, sampled, num_true, num_sampled, sampled_logits.dtype)
        if subtract_log_q:
            true_logits -= math_ops.log(true_count)
            sampled_logits -= math_ops.log(sampled_count)
        out_logits = array_ops.concat([true_logits, sampled_logits], 1)
        out_labels = array_ops.concat([array_ops.ones_like(true_logits) / num_true, array_ops.zeros_like(sampled_logits)], 1)
        return out_logits, out_labels


def nce_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
             remove_accidental_hits=False, partition_strategy='mod', name='nce_loss'):
    from .nn_ops import sigmoid_cross_entropy_with_logits
    logits, wanted = _compute_sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes, num_true,
                                             sampled_values, True, remove_accidental_hits, partition_strategy, name)
    losses = sigmoid_cross_entropy_with_logits(labels=wanted, logits=logits, name='sampled_losses')
    return math_ops.reduce_sum(losses, 1)


def sampled_softmax_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
                         remove_accidental_hits=True, partition_strategy='mod', name='sampled_softmax_loss', seed=None):
    from .nn_ops import softmax_cross_entropy_with_logits_v2
    logits, wanted = _compute_sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes, num_true,
                                             sampled_values, True, remove_accidental_hits, partition_strategy, name, seed)
    return softmax_cross_entropy_with_logits_v2(labels=array_ops.stop_gradient(wanted), logits=logits)
