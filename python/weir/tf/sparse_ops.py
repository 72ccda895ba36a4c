"""Functions over SparseTensor."""
from . import _ops, array_ops, dtypes, math_ops
from .convert import constant_value, convert_to_tensor
from .scopes import name_scope
from .sparse_tensor import SparseTensor, SparseTensorValue
from .tensor import Tensor


def _sparse(value):
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError('Input must be a SparseTensor.')
    return value


def from_dense(tensor, name=None):
    with name_scope(name, 'dense_to_sparse'):
        tensor = convert_to_tensor(tensor)
        indices = array_ops.where(math_ops.not_equal(tensor, array_ops.zeros_like(tensor)))
        return SparseTensor(indices, array_ops.gather_nd(tensor, indices), array_ops.shape(tensor, out_type=dtypes.int64))


def sparse_to_dense(sparse_indices, output_shape, sparse_values, default_value=0, validate_indices=True, name=None):
    values = convert_to_tensor(sparse_values)
    default = convert_to_tensor(default_value, dtype=values.dtype.base_dtype) if not (
        values.dtype.base_dtype == dtypes.string and default_value == 0) else convert_to_tensor('', dtypes.string)
    return _ops.sparse_to_dense(sparse_indices, output_shape, values, default, validate_indices, name)


def sparse_tensor_to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    sp_input = _sparse(sp_input)
    if default_value is None:
        default_value = '' if sp_input.dtype == dtypes.string else array_ops.zeros([], dtype=sp_input.dtype)
    made = sparse_to_dense(sp_input.indices, sp_input.dense_shape, sp_input.values, default_value, validate_indices, name)
    made.set_shape(sp_input.get_shape())
    return made


def sparse_tensor_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    sp_a = _sparse(sp_a)
    with name_scope(name, 'SparseTensorDenseMatMul', [sp_a.indices, sp_a.values, b]) as name:
        b = convert_to_tensor(b, name='b')
        return _ops.sparse_tensor_dense_mat_mul(sp_a.indices, sp_a.values, sp_a.dense_shape, b, adjoint_a, adjoint_b, name)


def sparse_concat(axis, sp_inputs, name=None, expand_nonconcat_dim=False, concat_dim=None, expand_nonconcat_dims=None):
    axis = concat_dim if axis is None else axis
    inputs = [_sparse(item) for item in sp_inputs]
    if len(inputs) == 1:
        return inputs[0]
    shapes = [math_ops.cast(item.dense_shape, dtypes.int64) for item in inputs]
    if expand_nonconcat_dim or expand_nonconcat_dims:
        biggest = math_ops.reduce_max(array_ops.stack(shapes), 0)
        at = axis % int(shapes[0].get_shape().as_list()[0])
        shapes = [array_ops.concat([biggest[:at], shape[at:at + 1], biggest[at + 1:]], 0) for shape in shapes]
    made = _ops.sparse_concat([item.indices for item in inputs], [item.values for item in inputs], shapes, axis, name)
    return SparseTensor(*made)


def sparse_reorder(sp_input, name=None):
    sp_input = _sparse(sp_input)
    made = _ops.sparse_reorder(sp_input.indices, sp_input.values, sp_input.dense_shape, name)
    return SparseTensor(made[0], made[1], sp_input.dense_shape)


def _check_reshape(sp_input, wanted):
    """Sizes that are known must go together."""
    if wanted is None:
        return
    sizes = [int(size) for size in wanted.ravel()]
    if sizes.count(-1) > 1:
        raise ValueError('At most one dimension can be inferred (-1). Found: %s' % sizes)
    old = sp_input.get_shape()
    if not old.is_fully_defined():
        return
    import math
    have, want = math.prod(old.as_list()), math.prod(size for size in sizes if size != -1)
    if -1 in sizes and (want == 0 or have % want) or -1 not in sizes and have != want:
        raise ValueError('Cannot reshape a tensor with %d elements to shape %s (%d elements).' % (have, sizes, want))


def sparse_reshape(sp_input, shape, name=None):
    sp_input = _sparse(sp_input)
    with name_scope(name, 'SparseReshape', [sp_input.indices]) as name:
        shape = math_ops.cast(convert_to_tensor(shape), dtypes.int64)
        _check_reshape(sp_input, constant_value(shape))
        made = _ops.sparse_reshape(sp_input.indices, sp_input.dense_shape, shape, name)
        return SparseTensor(made[0], sp_input.values, made[1])


def sparse_split(keyword_required=None, sp_input=None, num_split=None, axis=None, name=None, split_dim=None):
    axis, sp_input = split_dim if axis is None else axis, _sparse(sp_input)
    made = _ops.sparse_split(axis, sp_input.indices, sp_input.values, sp_input.dense_shape, num_split, name)
    return [SparseTensor(*row) for row in zip(*made)]


def sparse_slice(sp_input, start, size, name=None):
    sp_input = _sparse(sp_input)
    made = _ops.sparse_slice(sp_input.indices, sp_input.values, sp_input.dense_shape, math_ops.cast(start, dtypes.int64),
                             math_ops.cast(size, dtypes.int64), name)
    return SparseTensor(*made)


def sparse_add(a, b, threshold=None, thresh=None):
    threshold = thresh if threshold is None else threshold
    threshold = 0 if threshold is None else threshold
    if not isinstance(a, (SparseTensor, SparseTensorValue)):
        a, b = b, a
    a = _sparse(a)
    if isinstance(b, (SparseTensor, SparseTensorValue)):
        b = _sparse(b)
        kind = a.dtype.real_dtype if hasattr(a.dtype, 'real_dtype') else a.dtype
        made = _ops.sparse_add(a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape,
                               convert_to_tensor(threshold, dtype=kind.base_dtype))
        return SparseTensor(*made)
    return _ops.sparse_tensor_dense_add(a.indices, a.values, a.dense_shape, b)


def sparse_softmax(sp_input, name=None):
    sp_input = _sparse(sp_input)
    return SparseTensor(sp_input.indices, _ops.sparse_softmax(sp_input.indices, sp_input.values, sp_input.dense_shape, name),
                        sp_input.dense_shape)


def _axes(sp_input, axis):
    if axis is None:
        rank = sp_input.get_shape().ndims
        return convert_to_tensor(list(range(rank)), dtypes.int32) if rank is not None else \
            math_ops.range(array_ops.rank(sp_input.values))
    return convert_to_tensor(axis, dtypes.int32) if not isinstance(axis, Tensor) else axis


def sparse_reduce_sum(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
    sp_input, axis = _sparse(sp_input), reduction_axes if axis is None else axis
    return _ops.sparse_reduce_sum(sp_input.indices, sp_input.values, sp_input.dense_shape, _axes(sp_input, axis),
                                  bool(keepdims if keepdims is not None else keep_dims))


def sparse_reduce_max(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
    sp_input, axis = _sparse(sp_input), reduction_axes if axis is None else axis
    return _ops.sparse_reduce_max(sp_input.indices, sp_input.values, sp_input.dense_shape, _axes(sp_input, axis),
                                  bool(keepdims if keepdims is not None else keep_dims))


def sparse_retain(sp_input, to_retain):
    sp_input = _sparse(sp_input)
    to_retain = convert_to_tensor(to_retain)
    sp_input.values.get_shape()[:1].merge_with(to_retain.get_shape()[:1])
    where = array_ops.reshape(array_ops.where(convert_to_tensor(to_retain)), [-1])
    return SparseTensor(array_ops.gather(sp_input.indices, where), array_ops.gather(sp_input.values, where), sp_input.dense_shape)


def sparse_reset_shape(sp_input, new_shape=None):
    sp_input = _sparse(sp_input)
    if new_shape is None:
        last = math_ops.reduce_max(sp_input.indices, 0)
        shape = math_ops.maximum(convert_to_tensor(0, dtypes.int64), math_ops.add(last, array_ops.ones_like(sp_input.dense_shape)))
    else:
        shape = _checked_shape(sp_input, math_ops.cast(convert_to_tensor(new_shape), dtypes.int64))
    return SparseTensor(array_ops.identity(sp_input.indices), array_ops.identity(sp_input.values), shape)


def _checked_shape(sp_input, shape):
    """`shape`, which must hold everything of `sp_input`."""
    from . import check_ops
    from .scopes import control_dependencies
    from .convert import constant_value_as_shape
    shape.get_shape().merge_with(sp_input.dense_shape.get_shape())
    old, new = constant_value_as_shape(sp_input.dense_shape), constant_value_as_shape(shape)
    if old.ndims is not None and new.ndims is not None:
        old.assert_same_rank(new)
        if old.is_fully_defined() and new.is_fully_defined() and any(a > b for a, b in zip(old.as_list(), new.as_list())):
            raise ValueError('Requested new_shape should have dimension sizes >= sp_input.shape.  Found new_shape (%s), '
                             'sp_input.shape (%s).' % (old, new))
    with control_dependencies([check_ops.assert_equal(array_ops.shape(sp_input.dense_shape), array_ops.shape(shape),
                                                      message='shape')]):
        shape = array_ops.identity(shape)
    with control_dependencies([check_ops.assert_less_equal(sp_input.dense_shape, shape)]):
        return array_ops.identity(shape)


def sparse_fill_empty_rows(sp_input, default_value, name=None):
    sp_input = _sparse(sp_input)
    with name_scope(name, 'SparseFillEmptyRows', [sp_input.indices]):
        default = convert_to_tensor(default_value, dtype=sp_input.values.dtype)
        made = _ops.sparse_fill_empty_rows(sp_input.indices, sp_input.values, sp_input.dense_shape, default)
        return SparseTensor(made[0], made[1], sp_input.dense_shape), made[2]


def sparse_to_indicator(sp_input, vocab_size, name=None):
    sp_input = _sparse(sp_input)
    with name_scope(name, 'SparseToIndicator', [sp_input.indices]) as name:
        ones = array_ops.fill(array_ops.shape(sp_input.values), True)
        merged = sparse_merge(sp_input, SparseTensor(sp_input.indices, ones, sp_input.dense_shape), vocab_size)
        return sparse_tensor_to_dense(merged, default_value=False, validate_indices=False, name=name)


def sparse_merge(sp_ids, sp_values, vocab_size, name=None, already_sorted=False):
    sp_ids, sp_values = sp_ids if isinstance(sp_ids, list) else [sp_ids], _sparse(sp_values)
    sizes = vocab_size if isinstance(vocab_size, list) else [vocab_size]
    with name_scope(name, 'SparseMerge'):
        columns = [array_ops.expand_dims(math_ops.cast(_sparse(item).values, dtypes.int64), 1) for item in sp_ids]
        indices = array_ops.concat([sp_ids[0].indices[:, :-1]] + columns, 1)
        last = [math_ops.cast(array_ops.reshape(convert_to_tensor(size), [1]), dtypes.int64) for size in sizes]
        shape = array_ops.concat([sp_ids[0].dense_shape[:-1]] + last, 0)
        made = SparseTensor(indices, sp_values.values, shape)
        if already_sorted:
            return made
        ordered = sparse_reorder(made)
        return SparseTensor(ordered.indices, ordered.values, ordered.dense_shape)


def sparse_transpose(sp_input, perm=None, name=None):
    sp_input = _sparse(sp_input)
    with name_scope(name, 'SparseTranspose'):
        if perm is None:
            rank = sp_input.get_shape().ndims
            perm = list(range(rank - 1, -1, -1)) if rank is not None else \
                math_ops.range(array_ops.size(sp_input.dense_shape) - 1, -1, -1)
        indices = array_ops.gather(sp_input.indices, perm, axis=1)
        shape = array_ops.gather(sp_input.dense_shape, perm)
        return sparse_reorder(SparseTensor(indices, sp_input.values, shape))


def sparse_expand_dims(sp_input, axis=None, name=None):
    sp_input = _sparse(sp_input)
    rank = sp_input.get_shape().ndims
    at = (rank if axis is None else axis) % (rank + 1)
    zeros = array_ops.zeros(array_ops.stack([array_ops.shape(sp_input.indices)[0], 1]), dtypes.int64)
    indices = array_ops.concat([sp_input.indices[:, :at], zeros, sp_input.indices[:, at:]], 1)
    one = array_ops.ones([1], dtypes.int64)
    return SparseTensor(indices, sp_input.values, array_ops.concat([sp_input.dense_shape[:at], one, sp_input.dense_shape[at:]], 0))


def sparse_maximum(sp_a, sp_b, name=None):
    return _pairwise(_ops.sparse_sparse_maximum, sp_a, sp_b, name)


def sparse_minimum(sp_a, sp_b, name=None):
    return _pairwise(_ops.sparse_sparse_minimum, sp_a, sp_b, name)


def _pairwise(act, sp_a, sp_b, name):
    made = act(sp_a.indices, sp_a.values, sp_a.dense_shape, sp_b.indices, sp_b.values, sp_b.dense_shape, name=name)
    return SparseTensor(made[0], made[1], sp_a.dense_shape)


def serialize_sparse(sp_input, name=None, out_type=dtypes.string):
    sp_input = _sparse(sp_input)
    return _ops.serialize_sparse(sp_input.indices, sp_input.values, sp_input.dense_shape, out_type, name)


def serialize_many_sparse(sp_input, name=None, out_type=dtypes.string):
    sp_input = _sparse(sp_input)
    return _ops.serialize_many_sparse(sp_input.indices, sp_input.values, sp_input.dense_shape, out_type, name)


def deserialize_sparse(serialized_sparse, dtype, rank=None, name=None):
    made = _ops.deserialize_sparse(serialized_sparse, dtype, name)
    made[0].set_shape([None, rank])
    made[2].set_shape([rank])
    return SparseTensor(*made)


def deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None):
    made = _ops.deserialize_many_sparse(serialized_sparse, dtype, name)
    made[0].set_shape([None, rank])
    made[2].set_shape([rank])
    return SparseTensor(*made)


# ---- segments ----

def _segment(act, data, indices, segment_ids, name, num_segments):
    if num_segments is not None:
        return getattr(_ops, act + '_with_num_segments')(data, indices, segment_ids, num_segments, name=name)
    return getattr(_ops, act)(data, indices, segment_ids, name=name)


def sparse_segment_sum(data, indices, segment_ids, name=None, num_segments=None):
    return _segment('sparse_segment_sum', data, indices, segment_ids, name, num_segments)


def sparse_segment_mean(data, indices, segment_ids, name=None, num_segments=None):
    return _segment('sparse_segment_mean', data, indices, segment_ids, name, num_segments)


def sparse_segment_sqrt_n(data, indices, segment_ids, name=None, num_segments=None):
    return _segment('sparse_segment_sqrt_n', data, indices, segment_ids, name, num_segments)


# ---- sets ----

def _set_operation(a, b, kind, validate_indices):
    from .sparse_tensor import SparseTensor as Sparse
    if isinstance(a, Sparse) and isinstance(b, Sparse):
        made = _ops.sparse_to_sparse_set_operation(a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, kind,
                                                   validate_indices)
    elif isinstance(b, Sparse):
        made = _ops.dense_to_sparse_set_operation(a, b.indices, b.values, b.dense_shape, kind, validate_indices)
    elif isinstance(a, Sparse):
        if kind in ('intersection', 'union'):
            return _set_operation(b, a, kind, validate_indices)
        return _set_operation(b, a, {'a-b': 'b-a', 'b-a': 'a-b'}[kind], validate_indices)
    else:
        made = _ops.dense_to_dense_set_operation(a, b, kind, validate_indices)
    return SparseTensor(*made)


def set_size(a, validate_indices=True):
    a = _sparse(a)
    return _ops.set_size(a.indices, a.values, a.dense_shape, validate_indices)


def set_intersection(a, b, validate_indices=True):
    return _set_operation(a, b, 'intersection', validate_indices)


def set_difference(a, b, aminusb=True, validate_indices=True):
    return _set_operation(a, b, 'a-b' if aminusb else 'b-a', validate_indices)


def set_union(a, b, validate_indices=True):
    return _set_operation(a, b, 'union', validate_indices)


def _with_dense(op, sparse, dense, name):
    dense = convert_to_tensor(dense, dtype=sparse.dtype)
    return SparseTensor(sparse.indices, op(sparse.indices, sparse.values, sparse.dense_shape, dense, name=name), sparse.dense_shape)


def sparse_dense_mul(sparse, dense, name=None):
    """A sparse tensor times a dense one that is broadcast to it."""
    return _with_dense(_ops.sparse_dense_cwise_mul, sparse, dense, name)


def sparse_dense_div(sparse, dense, name=None):
    return _with_dense(_ops.sparse_dense_cwise_div, sparse, dense, name)


_DEFAULT_HASH_KEY = 0xDECAFCAFFE


def sparse_cross(inputs, name=None):
    from .sparse_cross import cross
    return cross(inputs, name=name)


def sparse_cross_hashed(inputs, num_buckets=0, hash_key=None, name=None):
    from .sparse_cross import cross_hashed
    return cross_hashed(inputs, num_buckets, hash_key, name)


def _reduced_sparse(make, sp_input, axis, keepdims, reduction_axes, keep_dims):
    sp_input, axis = _sparse(sp_input), reduction_axes if axis is None else axis
    made = make(sp_input.indices, sp_input.values, sp_input.dense_shape, _axes(sp_input, axis),
                bool(keepdims if keepdims is not None else keep_dims))
    return SparseTensor(made[0], made[1], made[2])


def sparse_reduce_sum_sparse(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
    return _reduced_sparse(_ops.sparse_reduce_sum_sparse, sp_input, axis, keepdims, reduction_axes, keep_dims)


def sparse_reduce_max_sparse(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
    return _reduced_sparse(_ops.sparse_reduce_max_sparse, sp_input, axis, keepdims, reduction_axes, keep_dims)


def sparse_eye(num_rows, num_columns=None, dtype=dtypes.float32, name=None):
    """The identity, of which only the diagonal is stored."""
    with name_scope(name, 'eye', [num_rows, num_columns]):
        rows = math_ops.cast(convert_to_tensor(num_rows, name='num_rows'), dtypes.int64)
        columns = rows if num_columns is None else math_ops.cast(convert_to_tensor(num_columns, name='num_columns'), dtypes.int64)
        diagonal = math_ops.range(math_ops.minimum(rows, columns), dtype=dtypes.int64)
        return SparseTensor(array_ops.stack([diagonal, diagonal], axis=1), array_ops.ones_like(diagonal, dtype=dtype),
                            array_ops.stack([rows, columns]))


def sparse_mask(a, mask_indices, name=None):
    """IndexedSlices without the slices of these indices."""
    from .framework import IndexedSlices
    with name_scope(name, 'sparse_mask', [a.values, mask_indices]) as scope:
        kept, places = array_ops.setdiff1d(a.indices, mask_indices)
        return IndexedSlices(array_ops.gather(a.values, places, name=scope), kept, a.dense_shape)
