"""Shapes, slices, joins and other rearrangements."""
import builtins

import numpy as np

from . import _ops, dtypes
from .build import apply
from .convert import constant, convert_to_tensor
from .scopes import name_scope
from .shapes import Dimension, TensorShape, as_shape
from .sparse_tensor import SparseTensor
from .tensor import Tensor

newaxis = None


def placeholder(dtype, shape=None, name=None):
    shape = None if shape is None else as_shape(shape)
    return apply('Placeholder', name, (), {'dtype': dtype, 'shape': shape}).outputs[0]


def placeholder_with_default(input, shape, name=None):
    return apply('PlaceholderWithDefault', name, (input,), {'shape': as_shape(shape)}).outputs[0]


def sparse_placeholder(dtype, shape=None, name=None):
    name = '' if name is None else name + '/'
    if shape is None:
        whole = placeholder(dtypes.int64, shape=[None], name=name + 'shape')
    else:
        whole = convert_to_tensor(tuple(-1 if dim is None else dim for dim in as_shape(shape).as_list()), dtypes.int64)
    rank = None if shape is None else as_shape(shape).ndims
    return SparseTensor(values=placeholder(dtype, shape=[None], name=name + 'values'),
                        indices=placeholder(dtypes.int64, shape=[None, rank], name=name + 'indices'), dense_shape=whole)


def identity(input, name=None):
    return apply('Identity', name, (input,), {}).outputs[0]


identity_n, stop_gradient, check_numerics = _ops.identity_n, _ops.stop_gradient, _ops.check_numerics


def prevent_gradient(input, message='', name=None):
    return _ops.prevent_gradient(input, message=message, name=name)


# ---- shapes ----

def shape(input, name=None, out_type=dtypes.int32):
    out_type = dtypes.as_dtype(out_type)
    if isinstance(input, SparseTensor):
        from .math_ops import cast
        return cast(input.dense_shape, out_type)
    with name_scope(name, 'Shape', [input]) as scope:
        input = convert_to_tensor(input)
        if input._shape is not None and None not in input._shape:
            return constant(list(input._shape), out_type, shape=[len(input._shape)], name=scope)
        return _ops.shape(input, out_type=out_type, name=scope)


def shape_n(input, out_type=dtypes.int32, name=None):
    return _ops.shape_n(input, out_type=out_type, name=name)


def shape_internal(input, optimize=True, out_type=dtypes.int32):
    return shape(input, out_type=out_type) if optimize else _ops.shape(convert_to_tensor(input), out_type=out_type)


def size(input, name=None, out_type=dtypes.int32):
    with name_scope(name, 'Size', [input]) as scope:
        if isinstance(input, SparseTensor):
            from .math_ops import cast, reduce_prod
            return reduce_prod(cast(input.dense_shape, out_type), 0, name=scope)
        input = convert_to_tensor(input)
        count = input.get_shape().num_elements()
        if count is not None:
            return constant(count, out_type, name=scope)
        return _ops.size(input, out_type=out_type, name=scope)


def rank(input, name=None):
    with name_scope(name, 'Rank', [input]) as scope:
        if isinstance(input, SparseTensor):
            return _ops.size(input.dense_shape, name=scope)
        input = convert_to_tensor(input)
        if input._shape is not None:
            return constant(len(input._shape), dtypes.int32, name=scope)
        return _ops.rank(input, name=scope)


def reshape(tensor, shape, name=None):
    return apply('Reshape', name, (tensor, shape), {}).outputs[0]


def _single(axis, old, default=None):
    if axis is not None and old is not None:
        raise ValueError("Cannot specify both 'axis' and its deprecated alias")
    return axis if axis is not None else old if old is not None else default


def expand_dims(input, axis=None, name=None, dim=None):
    axis = _single(axis, dim)
    if axis is None:
        raise ValueError('Must specify an axis argument to tf.expand_dims()')
    return apply('ExpandDims', name, (input, axis), {}).outputs[0]


def squeeze(input, axis=None, name=None, squeeze_dims=None):
    axis = _single(axis, squeeze_dims, [])
    axis = [int(axis)] if np.isscalar(axis) or isinstance(axis, Dimension) else list(axis)
    return apply('Squeeze', name, (input,), {'squeeze_dims': axis}).outputs[0]


broadcast_to = _ops.broadcast_to


def broadcast_dynamic_shape(shape_x, shape_y):
    return _ops.broadcast_args(shape_x, shape_y)



def broadcast_static_shape(shape_x, shape_y):
    x, y = as_shape(shape_x), as_shape(shape_y)
    if x.ndims is None or y.ndims is None:
        return TensorShape(None)
    count = builtins.max(x.ndims, y.ndims)
    left, right = ([1] * (count - part.ndims) + part.as_list() for part in (x, y))
    dims = []
    for a, b in zip(left, right):
        if a != b and 1 not in (a, b) and None not in (a, b):
            raise ValueError('Incompatible shapes for broadcasting: %s and %s' % (x, y))
        dims.append(b if a == 1 else a if b == 1 else a if b is None else b)
    return TensorShape(dims)


# ---- fills ----

def _small(dims):
    return dims is not None and None not in dims and int(np.prod(dims)) < 1000


def _filled(value, shape, dtype, name, default):
    dtype = dtypes.as_dtype(dtype).base_dtype
    with name_scope(name, default, [shape]) as scope:
        zero = value if dtype != dtypes.bool else bool(value)
        zero = '' if dtype == dtypes.string else zero
        if not isinstance(shape, Tensor) and not (isinstance(shape, (list, tuple)) and any(isinstance(d, Tensor) for d in shape)) \
                and not hasattr(shape, '_AsTensor'):
            try:
                dims = as_shape(shape).as_list() if not isinstance(shape, np.ndarray) else shape.tolist()
                dims = dims if isinstance(dims, list) else [dims]
            except (TypeError, ValueError):
                dims = None
            if _small(dims):
                return constant(zero, dtype, shape=dims, name=scope)
            if dims is not None and None not in dims:
                shape = constant(dims, dtypes.int32 if builtins.max(dims + [0]) < 2**31 else dtypes.int64, shape=[len(dims)], name='shape_as_tensor')
        shape = convert_to_tensor(shape, dtype=None if isinstance(shape, Tensor) else dtypes.int32)
        if shape._rank() not in (1, None):
            shape = reshape(shape, [-1])
        return apply('Fill', scope, (shape, constant(zero, dtype, name='Const')), {}).outputs[0]


def zeros(shape, dtype=dtypes.float32, name=None):
    return _filled(0, shape, dtype, name, 'zeros')


def ones(shape, dtype=dtypes.float32, name=None):
    return _filled(1, shape, dtype, name, 'ones')


def fill(dims, value, name=None):
    return apply('Fill', name, (dims, value), {}).outputs[0]


def _like(tensor, dtype, name, optimize, default, make, op_type):
    with name_scope(name, default, [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name='tensor')
        wanted = tensor.dtype.base_dtype if dtype is None else dtypes.as_dtype(dtype).base_dtype
        static = tensor.get_shape()
        if optimize and static.is_fully_defined() and wanted != dtypes.variant:
            return make(static, dtype=wanted, name=scope)
        if wanted != tensor.dtype.base_dtype and wanted != dtypes.variant:
            return make(shape_internal(tensor, optimize), dtype=wanted, name=scope)
        return apply(op_type, scope, (tensor,), {}).outputs[0]


def zeros_like(tensor, dtype=None, name=None, optimize=True):
    return _like(tensor, dtype, name, optimize, 'zeros_like', zeros, 'ZerosLike')


def ones_like(tensor, dtype=None, name=None, optimize=True):
    return _like(tensor, dtype, name, optimize, 'ones_like', ones, 'OnesLike')


def eye(num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name=None):
    from .math_ops import minimum
    with name_scope(name, 'eye', [num_rows, num_columns, batch_shape]):
        square = num_columns is None
        columns = num_rows if square else num_columns
        diagonal = num_rows if square else minimum(num_rows, columns) if isinstance(num_rows, Tensor) or \
            isinstance(columns, Tensor) else builtins.min(num_rows, columns)
        batch = [] if batch_shape is None else batch_shape
        if isinstance(batch, (list, tuple, TensorShape)):
            batch = list(batch)
            ones_shape = batch + [diagonal]
        else:
            ones_shape = concat([batch, [diagonal]], 0)
        diag = ones(ones_shape, dtype=dtype)
        if square:
            return matrix_diag(diag)
        whole = batch + [num_rows, columns] if isinstance(batch, list) else concat([batch, [num_rows, columns]], 0)
        return _ops.matrix_set_diag(zeros(whole, dtype=dtype), diag)


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    with name_scope(name, 'one_hot', [indices, depth, on_value, off_value, axis, dtype]) as scope:
        on_dtype = None if on_value is None else convert_to_tensor(on_value, dtype_hint=dtype).dtype.base_dtype
        off_dtype = None if off_value is None else convert_to_tensor(off_value, dtype_hint=dtype).dtype.base_dtype
        if on_dtype is not None or off_dtype is not None:
            found = on_dtype if on_dtype is not None else off_dtype
            if dtype is not None and found != dtypes.as_dtype(dtype):
                raise TypeError('dtype %s of on_value does not match dtype parameter %s' % (found, dtype))
            dtype = found
        dtype = dtypes.float32 if dtype is None else dtypes.as_dtype(dtype)
        if on_value is None:
            on_value = convert_to_tensor(1, dtype, name='on_value')
        if off_value is None:
            off_value = convert_to_tensor(0, dtype, name='off_value')
        return _ops.one_hot(indices, depth, on_value, off_value, axis=-1 if axis is None else axis, name=scope)


# ---- joins and splits ----

def stack(values, axis=0, name='stack'):
    if axis == 0:
        if isinstance(values, Tensor):
            return values
        try:
            array = convert_to_tensor(values)
            if array._shape is not None and not any(isinstance(item, Tensor) or hasattr(item, '_AsTensor') for item in values):
                return identity(array, name=name) if name else array
        except (TypeError, ValueError):
            pass
    return apply('Pack', name, (list(values) if not isinstance(values, Tensor) else unstack(values),), {'axis': axis}).outputs[0]


def parallel_stack(values, name='parallel_stack'):
    return stack(values, 0, name)


def pack(values, axis=0, name='pack'):
    return stack(values, axis, name)


def unstack(value, num=None, axis=0, name='unstack'):
    if num is None:
        value = convert_to_tensor(value)
        dims = value._shape
        if dims is not None:
            if axis < -len(dims) or axis >= len(dims):
                raise ValueError('axis = %d not in [%d, %d)' % (axis, -len(dims), len(dims)))
            num = dims[axis]
    if num is None:
        raise ValueError('Cannot infer num from shape %s' % value.get_shape())
    return apply('Unpack', name, (value,), {'num': num, 'axis': axis}).outputs


unpack = unstack


def concat(values, axis, name='concat'):
    if isinstance(values, (int, np.integer)) and isinstance(axis, (list, tuple)):
        values, axis = axis, values
    if not isinstance(values, (list, tuple)):
        values = [values]
    if len(values) == 1:
        with name_scope(name) as scope:
            convert_to_tensor(axis, name='concat_dim', dtype=dtypes.int32)
            return identity(values[0], name=name)
    return apply('ConcatV2', name, (values, axis), {}).outputs[0]


def split(value, num_or_size_splits, axis=0, num=None, name='split'):
    if isinstance(value, (int, np.integer)) and not isinstance(num_or_size_splits, (list, tuple)) and isinstance(axis, Tensor):
        value, num_or_size_splits, axis = axis, num_or_size_splits, value
    if isinstance(num_or_size_splits, Dimension):
        num_or_size_splits = num_or_size_splits.value
    if isinstance(num_or_size_splits, (int, np.integer)):
        return apply('Split', name, (axis, value), {'num_split': int(num_or_size_splits)}).outputs
    sizes = convert_to_tensor(num_or_size_splits)
    if sizes._rank() == 0:
        raise ValueError('Rank-0 tensors are not supported as the num_or_size_splits argument to split.')
    num = sizes._shape[0] if num is None and sizes._shape else num
    if num is None:
        raise ValueError('Cannot infer num from shape %s' % num_or_size_splits)
    return apply('SplitV', name, (value, sizes, axis), {'num_split': num}).outputs


tile, matrix_band_part = _ops.tile, _ops.matrix_band_part
diag, diag_part, invert_permutation, bitcast = _ops.diag, _ops.diag_part, _ops.invert_permutation, _ops.bitcast
reverse_v2 = _ops.reverse_v2


def scatter_nd(indices, updates, shape, name=None):
    return _ops.scatter_nd(indices, updates, shape, name=name)


def matrix_diag(diagonal, name='diag', k=0, num_rows=-1, num_cols=-1, padding_value=0):
    if (k, num_rows, num_cols, padding_value) == (0, -1, -1, 0):
        return _ops.matrix_diag(diagonal, name=name)
    diagonal = convert_to_tensor(diagonal)
    return _ops.matrix_diag_v2(diagonal, k, num_rows, num_cols, convert_to_tensor(padding_value, diagonal.dtype), name=name)


def matrix_diag_part(input, name='diag_part', k=0, padding_value=0):
    if (k, padding_value) == (0, 0):
        return _ops.matrix_diag_part(input, name=name)
    input = convert_to_tensor(input)
    return _ops.matrix_diag_part_v2(input, k, convert_to_tensor(padding_value, input.dtype), name=name)


def matrix_set_diag(input, diagonal, name='set_diag', k=0):
    if k == 0:
        return _ops.matrix_set_diag(input, diagonal, name=name)
    return _ops.matrix_set_diag_v2(input, diagonal, k, name=name)


def reverse(tensor, axis, name=None):
    return _ops.reverse_v2(tensor, axis, name=name)


def meshgrid(*args, **kwargs):
    indexing, name = kwargs.pop('indexing', 'xy'), kwargs.pop('name', 'meshgrid')
    if kwargs:
        raise TypeError("'%s' is an invalid keyword argument for this function" % list(kwargs)[0])
    if indexing not in ('xy', 'ij'):
        raise ValueError("indexing parameter must be either 'xy' or 'ij'")
    with name_scope(name, 'meshgrid', args):
        count = len(args)
        parts = [reshape(stack(item), (1,) * i + (-1,) + (1,) * (count - i - 1)) for i, item in enumerate(args)]
        sizes = [size(item) for item in args]
        dtype = convert_to_tensor(args[0]).dtype.base_dtype if args else dtypes.float32
        if indexing == 'xy' and count > 1:
            parts[0] = reshape(parts[0], (1, -1) + (1,) * (count - 2))
            parts[1] = reshape(parts[1], (-1, 1) + (1,) * (count - 2))
            sizes[0], sizes[1] = sizes[1], sizes[0]
        whole = ones(sizes, dtype) if sizes else None
        return [part * whole for part in parts]


def transpose(a, perm=None, name='transpose', conjugate=False):
    with name_scope(name, 'transpose', [a]) as scope:
        a = convert_to_tensor(a, name='a')
        op_type = 'ConjugateTranspose' if conjugate and a.dtype.is_complex else 'Transpose'
        if perm is None:
            if a._shape is not None:
                perm = list(builtins.range(len(a._shape)))[::-1]
                perm = constant(perm, dtypes.int32, shape=[len(perm)], name='perm')
            else:
                from .math_ops import range as tensor_range
                count = _ops.rank(a)
                perm = (count - 1) - tensor_range(0, count, 1)
        return apply(op_type, scope, (a, perm), {}).outputs[0]


def matrix_transpose(a, name='matrix_transpose', conjugate=False):
    with name_scope(name, values=[a]) as scope:
        a = convert_to_tensor(a, name='a')
        count = a._rank()
        if count is None:
            from .math_ops import range as tensor_range
            total = rank(a)
            perm = concat([tensor_range(total - 2), [total - 1], [total - 2]], 0)
        else:
            if count < 2:
                raise ValueError('Argument `a` should be a (batch) matrix, with rank >= 2. Found: %s' % a.get_shape())
            perm = list(builtins.range(count - 2)) + [count - 1, count - 2]
        return transpose(a, perm=perm, conjugate=conjugate, name=scope)


def pad(tensor, paddings, mode='CONSTANT', name=None, constant_values=0):
    mode = mode.upper()
    if mode == 'CONSTANT':
        if isinstance(constant_values, Tensor) or constant_values != 0:
            return _ops.pad_v2(tensor, paddings, constant_values, name=name)
        return apply('Pad', name, (tensor, paddings), {}).outputs[0]
    if mode not in ('REFLECT', 'SYMMETRIC'):
        raise ValueError('Unknown padding mode: %s' % mode)
    return _ops.mirror_pad(tensor, paddings, mode=mode, name=name)


def where(condition, x=None, y=None, name=None):
    if x is None and y is None:
        with name_scope(name, 'Where', [condition]) as scope:
            return _ops.where(convert_to_tensor(condition, dtype_hint=dtypes.bool, name='condition'), name=scope)
    if x is None or y is None:
        raise ValueError('x and y must both be non-None or both be None.')
    return apply('Select', name, (condition, x, y), {}).outputs[0]


def boolean_mask(tensor, mask, name='boolean_mask', axis=None):
    with name_scope(name, values=[tensor, mask]):
        tensor, mask = convert_to_tensor(tensor, name='tensor'), convert_to_tensor(mask, name='mask')
        axis = 0 if axis is None else axis
        count = mask._rank()
        if count is None:
            raise ValueError('Number of mask dimensions must be specified, even if some dimensions are None.')
        if count == 0:
            raise ValueError('mask cannot be scalar.')
        tensor.get_shape()[axis:axis + count].assert_is_compatible_with(mask.get_shape())
        from .math_ops import reduce_prod
        whole = shape(tensor)
        leading = reduce_prod(whole[axis:axis + count], [0])
        tensor = reshape(tensor, concat([whole[:axis], [leading], whole[axis + count:]], 0))
        found = squeeze(_ops.where(reshape(mask, [-1])), axis=[1])
        return gather(tensor, found, axis=axis)


# ---- slices ----

def slice(input_, begin, size, name=None):
    return apply('Slice', name, (input_, begin, size), {}).outputs[0]


def strided_slice(input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0,
                  shrink_axis_mask=0, var=None, name=None):
    if strides is None:
        strides = ones_like(begin)
    out = apply('StridedSlice', name, (input_, begin, end, strides),
                {'begin_mask': begin_mask, 'end_mask': end_mask, 'ellipsis_mask': ellipsis_mask,
                 'new_axis_mask': new_axis_mask, 'shrink_axis_mask': shrink_axis_mask}).outputs[0]
    if var is not None:
        def assign(val, name=None):
            masks = dict(begin_mask=begin_mask, end_mask=end_mask, ellipsis_mask=ellipsis_mask, new_axis_mask=new_axis_mask,
                         shrink_axis_mask=shrink_axis_mask)
            if not hasattr(var, 'handle'):
                return _ops.strided_slice_assign(var._ref(), begin, end, strides, val, name=name, **masks)
            val = convert_to_tensor(val, dtype=var.dtype)
            return var._after(_ops.resource_strided_slice_assign(var.handle, begin, end, strides, val, name=name, **masks), True)
        out.assign = assign
    return out


def _check_index(item):
    if isinstance(item, (Tensor, int, np.integer, Dimension)) or hasattr(item, '_AsTensor'):
        return
    if isinstance(item, np.ndarray) and item.ndim == 0 and item.dtype.kind in 'iu':
        return
    raise TypeError('Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors '
                    'are valid indices, got %r' % (item,))


def _slice_helper(tensor, slice_spec, var=None):
    """tensor[...] as a StridedSlice."""
    if isinstance(slice_spec, Tensor) and slice_spec.dtype.base_dtype == dtypes.bool or \
            isinstance(slice_spec, np.ndarray) and slice_spec.dtype == bool:
        return boolean_mask(tensor, slice_spec)
    parts = slice_spec if isinstance(slice_spec, (list, tuple)) else [slice_spec]
    begin, end, strides = [], [], []
    masks = dict(begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0)
    for i, part in enumerate(parts):
        _add_part(part, 1 << i, begin, end, strides, masks)
    with name_scope(None, 'strided_slice', [tensor] + [x for x in begin + end + strides if isinstance(x, Tensor)]) as scope:
        if begin:
            wide = any(_is_wide(item) for item in begin + end + strides)
            begin, end, strides = stack_ints(begin, wide), stack_ints(end, wide), stack_ints(strides, wide)
        else:
            none = constant([], dtypes.int32)
            begin = end = strides = none
        return strided_slice(tensor, begin, end, strides, var=var, name=scope, **masks)


def _is_wide(item):
    """True for an index that needs int64."""
    if isinstance(item, Tensor):
        return item.dtype.base_dtype == dtypes.int64
    return not hasattr(item, '_AsTensor') and not -2**31 <= int(item) < 2**31


def stack_ints(items, wide=False):
    """Indices as one vector: a constant, or a Pack of tensors of one dtype."""
    wide = wide or any(_is_wide(item) for item in items)
    dtype = dtypes.int64 if wide else dtypes.int32
    if not any(isinstance(item, Tensor) or hasattr(item, '_AsTensor') for item in items):
        return constant(np.array([int(item) for item in items], dtype.as_numpy_dtype), name='stack')
    from .math_ops import cast
    return stack([cast(item, dtype) if isinstance(item, Tensor) or hasattr(item, '_AsTensor') else constant(int(item), dtype)
                  if wide else item for item in items])


def _add_part(part, bit, begin, end, strides, masks):
    if isinstance(part, builtins.slice):
        for bound, values, mask in ((part.start, begin, 'begin_mask'), (part.stop, end, 'end_mask')):
            if bound is None:
                masks[mask] |= bit
                values.append(0)
            else:
                _check_index(bound)
                values.append(bound)
        strides.append(1 if part.step is None else part.step)
        return
    if part is Ellipsis or part is None:
        masks['ellipsis_mask' if part is Ellipsis else 'new_axis_mask'] |= bit
        begin.append(0)
        end.append(0 if part is Ellipsis else 1)
    else:
        _check_index(part)
        begin.append(part)
        end.append(part + 1)
        masks['shrink_axis_mask'] |= bit
    strides.append(1)


from .gather_ops import *  # noqa: E402,F401,F403
from .gather_ops import gather  # noqa: E402
