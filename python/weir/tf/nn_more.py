"""Losses of logits, normalization, embeddings and sampled losses."""
from . import _ops, array_ops, dtypes, math_ops
from .convert import constant_value, convert_to_tensor
from .scopes import colocate_with, name_scope
from .tensor import Tensor

__all__ = ['sigmoid_cross_entropy_with_logits', 'weighted_cross_entropy_with_logits', 'log_poisson_loss', 'l2_normalize', 'moments',
           'normalize_moments', 'sufficient_statistics', 'weighted_moments', 'batch_normalization', 'fused_batch_norm',
           'batch_norm_with_global_normalization', 'zero_fraction', 'top_k', 'nth_element', 'in_top_k', 'embedding_lookup',
           'embedding_lookup_sparse', 'sampled_softmax_loss', 'nce_loss', 'log_uniform_candidate_sampler',
           'uniform_candidate_sampler', 'learned_unigram_candidate_sampler', 'fixed_unigram_candidate_sampler',
           'compute_accidental_hits', 'all_candidate_sampler']


def sigmoid_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    if _sentinel is not None:
        if labels is None or logits is not None:
            raise ValueError('Only call `sigmoid_cross_entropy_with_logits` with named arguments (labels=..., logits=..., ...)')
        logits = _sentinel
    with name_scope(name, 'logistic_loss', [logits, labels]) as scope:
        logits = convert_to_tensor(logits, name='logits')
        labels = convert_to_tensor(labels, dtype=logits.dtype.base_dtype, name='labels')
        try:
            labels.get_shape().merge_with(logits.get_shape())
        except ValueError:
            raise ValueError('logits and labels must have the same shape (%s vs %s)' % (logits.get_shape(), labels.get_shape()))
        zeros = array_ops.zeros_like(logits, dtype=logits.dtype)
        positive = logits >= zeros
        clipped = array_ops.where(positive, logits, zeros)
        negated = array_ops.where(positive, -logits, logits)
        return math_ops.add(clipped - logits * labels, math_ops.log1p(math_ops.exp(negated)), name=scope)


def weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=None, name=None, targets=None):
    labels = labels if labels is not None else targets
    with name_scope(name, 'logistic_loss', [logits, labels]) as scope:
        logits, labels = convert_to_tensor(logits, name='logits'), convert_to_tensor(labels, name='labels')
        weight = 1 + (pos_weight - 1) * labels
        tail = math_ops.log1p(math_ops.exp(-math_ops.abs(logits))) + _ops.relu(-logits)
        return math_ops.add((1 - labels) * logits, weight * tail, name=scope)


def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    with name_scope(name, 'log_poisson_loss', [log_input, targets]):
        log_input, targets = convert_to_tensor(log_input, name='log_input'), convert_to_tensor(targets, name='targets')
        result = math_ops.exp(log_input) - log_input * targets
        if compute_full_loss:
            stirling = targets * math_ops.log(targets) - targets + 0.5 * math_ops.log(2 * 3.141592653589793 * targets)
            zeros, ones = array_ops.zeros_like(targets), array_ops.ones_like(targets)
            within = math_ops.logical_and(targets >= zeros, targets <= ones)
            result += array_ops.where(within, zeros, stirling)
        return result


# ---- normalization ----

def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    with name_scope(name, 'l2_normalize', [x]) as scope:
        x = convert_to_tensor(x, name='x')
        total = math_ops.reduce_sum(math_ops.square(x), axis if axis is not None else dim, keepdims=True)
        return math_ops.multiply(x, math_ops.rsqrt(math_ops.maximum(total, epsilon)), name=scope)


def moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None):
    keep = bool(keepdims if keepdims is not None else keep_dims)
    with name_scope(name, 'moments', [x, axes]):
        x = convert_to_tensor(x)
        y = math_ops.cast(x, dtypes.float32) if x.dtype.base_dtype == dtypes.float16 else x
        mean = math_ops.reduce_mean(y, axes, keepdims=True, name='mean')
        variance = math_ops.reduce_mean(math_ops.squared_difference(y, array_ops.stop_gradient(mean)), axes, keepdims=True,
                                        name='variance')
        if not keep:
            mean, variance = array_ops.squeeze(mean, axes), array_ops.squeeze(variance, axes)
        if y is not x:
            return math_ops.cast(mean, dtypes.float16), math_ops.cast(variance, dtypes.float16)
        return mean, variance


def sufficient_statistics(x, axes, shift=None, keep_dims=None, name=None, keepdims=None):
    keep = bool(keepdims if keepdims is not None else keep_dims)
    axes = sorted(set(axes))
    with name_scope(name, 'sufficient_statistics', [x, shift]):
        x = convert_to_tensor(x, name='x')
        if x._shape is not None and all(x._shape[axis] is not None for axis in axes):
            counts = 1
            for axis in axes:
                counts *= x._shape[axis]
            counts = convert_to_tensor(counts, dtype=x.dtype.base_dtype)
        else:
            counts = math_ops.cast(math_ops.reduce_prod(array_ops.gather(array_ops.shape(x), axes)), x.dtype, name='count')
        shift = None if shift is None else convert_to_tensor(shift, name='shift')
        first = x if shift is None else x - shift
        second = math_ops.square(x) if shift is None else math_ops.squared_difference(x, shift)
        return (counts, math_ops.reduce_sum(first, axes, keepdims=keep, name='mean_ss'),
                math_ops.reduce_sum(second, axes, keepdims=keep, name='var_ss'), shift)


def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    with name_scope(name, 'normalize', [counts, mean_ss, variance_ss, shift]):
        divisor = math_ops.reciprocal(counts, name='divisor')
        shifted = math_ops.multiply(mean_ss, divisor, name='shifted_mean' if shift is not None else 'mean')
        mean = math_ops.add(shifted, shift, name='mean') if shift is not None else shifted
        return mean, math_ops.subtract(math_ops.multiply(variance_ss, divisor), math_ops.square(shifted), name='variance')


def weighted_moments(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None):
    keep = bool(keepdims if keepdims is not None else keep_dims)
    with name_scope(name, 'weighted_moments', [x, frequency_weights, axes]):
        x = convert_to_tensor(x, name='x')
        weights = math_ops.cast(convert_to_tensor(frequency_weights), x.dtype.base_dtype)
        total = math_ops.reduce_sum(weights + array_ops.zeros_like(x), axes, keepdims=True)
        mean = math_ops.reduce_sum(weights * x, axes, keepdims=True) / total
        variance = math_ops.reduce_sum(weights * math_ops.squared_difference(x, mean), axes, keepdims=True) / total
        if not keep:
            mean, variance = array_ops.squeeze(mean, axes), array_ops.squeeze(variance, axes)
        return mean, variance


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    with name_scope(name, 'batchnorm', [x, mean, variance, scale, offset]):
        inverse = math_ops.rsqrt(variance + variance_epsilon)
        if scale is not None:
            inverse = inverse * scale
        shift = offset - mean * inverse if offset is not None else -mean * inverse
        return x * math_ops.cast(inverse, x.dtype) + math_ops.cast(shift, x.dtype)


def batch_norm_with_global_normalization(t=None, m=None, v=None, beta=None, gamma=None, variance_epsilon=None,
                                         scale_after_normalization=None, name=None, input=None, mean=None, variance=None):
    t, m, v = (t if t is not None else input), (m if m is not None else mean), (v if v is not None else variance)
    return batch_normalization(t, m, v, beta, gamma if scale_after_normalization else None, variance_epsilon, name)


def fused_batch_norm(x, scale, offset, mean=None, variance=None, epsilon=0.001, data_format='NHWC', is_training=True,
                     name=None):
    x = convert_to_tensor(x, name='input')
    if is_training and (mean is not None or variance is not None):
        raise ValueError("Both 'mean' and 'variance' must be None if is_training is True.")
    none = convert_to_tensor([], dtype=dtypes.float32)
    out = _ops.fused_batch_norm_v3(x, scale, offset, none if mean is None else mean, none if variance is None else variance,
                                   epsilon=max(epsilon, 1.001e-5), data_format=data_format, is_training=is_training, name=name)
    return out[0], out[1], out[2]


def zero_fraction(value, name=None):
    with name_scope(name, 'zero_fraction', [value]):
        value = convert_to_tensor(value, name='value')
        zero = math_ops.cast(0, value.dtype)
        return math_ops.reduce_mean(math_ops.cast(math_ops.equal(value, zero), dtypes.float32), name='fraction')


def top_k(input, k=1, sorted=True, name=None):
    return _ops.top_kv2(input, k, sorted=sorted, name=name)


def nth_element(input, n, reverse=False, name=None):
    return _ops.nth_element(input, n, reverse=reverse, name=name)


def in_top_k(predictions, targets, k, name=None):
    with name_scope(name, 'in_top_k'):
        return _ops.in_top_kv2(predictions, targets, k, name=name)


# ---- embeddings ----

def embedding_lookup(params, ids, partition_strategy='mod', name=None, validate_indices=True, max_norm=None):
    params = list(params) if isinstance(params, (list, tuple)) or hasattr(params, '_partitions') or \
        type(params).__name__ == 'PartitionedVariable' else [params]
    with name_scope(name, 'embedding_lookup', params + [ids]) as scope:
        ids = convert_to_tensor(ids, name='ids')
        if len(params) == 1:
            return _ops.identity(_clip(array_ops.gather(params[0], ids, name=scope), ids, max_norm))
        return _lookup_parts(params, ids, partition_strategy, max_norm, scope)


def _clip(found, ids, max_norm):
    if max_norm is None:
        return found
    from .clip_ops import clip_by_norm
    rank, inner = ids._rank(), found._rank()
    return clip_by_norm(found, max_norm, axes=list(range(rank, inner)))


def _lookup_parts(params, ids, strategy, max_norm, scope):
    count = len(params)
    flat = array_ops.reshape(ids, [-1])
    order = math_ops.range(array_ops.size(flat))
    if strategy == 'mod':
        where, rows = flat % count, flat // count
    elif strategy == 'div':
        sizes = [param.get_shape()[0].value for param in params]
        total = sum(sizes) if None not in sizes else math_ops.add_n([array_ops.shape(param)[0] for param in params])
        total = math_ops.cast(total, flat.dtype)
        each, extras = total // count, total % count
        where = math_ops.maximum(flat // (each + 1), (flat - extras) // each)
        first = math_ops.cast(where < extras, flat.dtype)
        rows = first * (flat % (each + 1)) + (1 - first) * ((flat - extras) % each)
    else:
        raise ValueError('Unrecognized partition strategy: ' + strategy)
    where = math_ops.cast(where, dtypes.int32)
    parts, places = _ops.dynamic_partition(rows, where, count), _ops.dynamic_partition(order, where, count)
    found = []
    for param, part in zip(params, parts):
        with colocate_with(param.op):
            found.append(array_ops.gather(param, part))
    joined = _ops.parallel_dynamic_stitch(places, found, name=scope)
    inner = array_ops.shape(params[0])[1:]
    out = array_ops.reshape(joined, array_ops.concat([array_ops.shape(ids), inner], 0))
    out.set_shape(ids.get_shape().concatenate(params[0].get_shape()[1:]))
    return _clip(out, ids, max_norm)


def embedding_lookup_sparse(params, sp_ids, sp_weights, partition_strategy='mod', name=None, combiner=None, max_norm=None):
    combiner = combiner or 'mean'
    if combiner not in ('mean', 'sqrtn', 'sum'):
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum'")
    params = list(params) if isinstance(params, (list, tuple)) else [params]
    with name_scope(name, 'embedding_lookup_sparse', params) as scope:
        segments = math_ops.cast(sp_ids.indices[:, 0], dtypes.int32)
        ids, places = _ops.unique(sp_ids.values)
        rows = embedding_lookup(params, ids, partition_strategy, max_norm=max_norm)
        if rows.dtype in (dtypes.float16, dtypes.bfloat16):
            rows = math_ops.cast(rows, dtypes.float32)  # sums of many
        if sp_weights is None:
            act = {'sum': _ops.sparse_segment_sum, 'mean': _ops.sparse_segment_mean, 'sqrtn': _ops.sparse_segment_sqrt_n}
            return act[combiner](rows, places, segments, name=scope)
        weights = sp_weights.values
        rows = array_ops.gather(rows, places)
        weights = math_ops.cast(weights, rows.dtype)
        wide = array_ops.reshape(weights, array_ops.concat([array_ops.shape(weights), array_ops.ones([array_ops.rank(rows) - 1], dtypes.int32)], 0))
        rows = rows * wide
        total = math_ops.segment_sum(rows, segments, name=scope if combiner == 'sum' else None)
        if combiner == 'sum':
            return total
        if combiner == 'mean':
            return math_ops.div(total, math_ops.segment_sum(wide, segments), name=scope)
        return math_ops.div(total, math_ops.sqrt(math_ops.segment_sum(wide * wide, segments)), name=scope)


from .sampling_ops import (all_candidate_sampler, compute_accidental_hits, fixed_unigram_candidate_sampler,  # noqa: E402,F401
                           learned_unigram_candidate_sampler, log_uniform_candidate_sampler, nce_loss, sampled_softmax_loss,
                           uniform_candidate_sampler)
