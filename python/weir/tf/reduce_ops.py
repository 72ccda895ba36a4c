"""Reductions along axes."""
from . import _ops, dtypes
from .build import apply
from .convert import convert_to_tensor
from .scopes import name_scope
from .sparse_tensor import SparseTensor

__all__ = ['reduce_sum', 'reduce_mean', 'reduce_prod', 'reduce_max', 'reduce_min', 'reduce_all', 'reduce_any',
           'reduce_logsumexp', 'reduce_variance', 'reduce_std', 'reduce_euclidean_norm', 'count_nonzero', 'argmax', 'argmin', 'arg_max',
           'arg_min', 'trace']


def _one_of(new, old, what='axis'):
    if old is not None and new is not None:
        raise ValueError("Cannot specify both '%s' and its deprecated alias" % what)
    return old if new is None else new


def _axes(x, axis):
    """Axes of a reduction: all of them when none are named."""
    if axis is not None:
        return axis
    rank = x.dense_shape._shape[0] if isinstance(x, SparseTensor) else x._rank()
    if rank is not None:
        from .convert import constant
        return constant(list(range(rank)), dtypes.int32, shape=[rank], name='Const')
    from .math_ops import range as tensor_range
    return tensor_range(0, _ops.rank(x))


def _reduce(op_type, input_tensor, axis, keepdims, name, reduction_indices, keep_dims):
    axis = _one_of(axis, reduction_indices)
    keepdims = bool(_one_of(keepdims, keep_dims, 'keepdims'))
    x = input_tensor
    if not hasattr(x, '_rank'):
        x = convert_to_tensor(x, dtypes.bool if op_type in ('All', 'Any') else None, name='input_tensor')
    axes = _axes(x, axis)
    made = apply(op_type, name, (x, axes), {'keep_dims': keepdims}).outputs[0]
    if axis is None and not keepdims and made._rank() is None:
        made.set_shape(())
    return made


def reduce_sum(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    return _reduce('Sum', input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_mean(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    return _reduce('Mean', input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_prod(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    return _reduce('Prod', input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_max(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    return _reduce('Max', input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_min(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    return _reduce('Min', input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_all(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    return _reduce('All', input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_any(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    return _reduce('Any', input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_logsumexp(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
    from .array_ops import reshape, shape, stop_gradient, where, zeros_like
    from .math_ops import exp, is_finite, log
    axis = _one_of(axis, reduction_indices)
    keepdims = bool(_one_of(keepdims, keep_dims, 'keepdims'))
    x = convert_to_tensor(input_tensor, name='input_tensor')
    with name_scope(name, 'ReduceLogSumExp', [x]):
        raw = reduce_max(x, axis=axis, keepdims=True)
        top = stop_gradient(where(is_finite(raw), raw, zeros_like(raw)))
        result = log(reduce_sum(exp(apply('Sub', None, (x, top), {}).outputs[0]), axis=axis, keepdims=keepdims))
        if not keepdims:
            top = reshape(top, shape(result))
        return apply('Add', None, (result, top), {}).outputs[0]


def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
    with name_scope(name or 'reduce_variance'):
        x = convert_to_tensor(input_tensor)
        means = reduce_mean(x, axis=axis, keepdims=True)
        return reduce_mean(_ops.square(x - means), axis=axis, keepdims=keepdims)


def reduce_std(input_tensor, axis=None, keepdims=False, name=None):
    with name_scope(name or 'reduce_std'):
        return _ops.sqrt(reduce_variance(input_tensor, axis=axis, keepdims=keepdims))


def reduce_euclidean_norm(input_tensor, axis=None, keepdims=False, name=None):
    return _reduce('EuclideanNorm', input_tensor, axis, keepdims, name, None, None)


def count_nonzero(input_tensor=None, axis=None, keepdims=None, dtype=dtypes.int64, name=None, reduction_indices=None,
                  keep_dims=None, input=None):
    from .math_ops import cast, not_equal
    x = input_tensor if input_tensor is not None else input
    axis = _one_of(axis, reduction_indices)
    keepdims = bool(_one_of(keepdims, keep_dims, 'keepdims'))
    with name_scope(name, 'count_nonzero', [x]):
        x = convert_to_tensor(x, name='input')
        zero = '' if x.dtype.base_dtype == dtypes.string else x.dtype.as_numpy_dtype()
        return cast(reduce_sum(cast(not_equal(x, zero), dtypes.int64), axis=axis, keepdims=keepdims), dtype=dtype)


def argmax(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    axis = _one_of(axis, dimension)
    return _ops.arg_max(input, 0 if axis is None else axis, output_type=output_type, name=name)


def argmin(input, axis=None, name=None, dimension=None, output_type=dtypes.int64):
    axis = _one_of(axis, dimension)
    return _ops.arg_min(input, 0 if axis is None else axis, output_type=output_type, name=name)


def arg_max(input, dimension, output_type=dtypes.int64, name=None):
    return _ops.arg_max(input, dimension, output_type=output_type, name=name)


def arg_min(input, dimension, output_type=dtypes.int64, name=None):
    return _ops.arg_min(input, dimension, output_type=output_type, name=name)


def trace(x, name=None):
    from .array_ops import matrix_diag_part
    with name_scope(name, 'Trace', [x]) as scope:
        return reduce_sum(matrix_diag_part(convert_to_tensor(x, name='x')), [-1], name=scope)
