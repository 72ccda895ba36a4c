"""Gathers, and what works on sequences, spaces and edits."""
from . import _ops, dtypes
from .build import apply
from .convert import convert_to_tensor
from .scopes import name_scope
from .tensor import Tensor

__all__ = ['gather', 'gather_nd', 'batch_gather', 'sequence_mask', 'reverse_sequence', 'unique', 'unique_with_counts', 'setdiff1d',
           'space_to_batch', 'batch_to_space', 'space_to_batch_nd', 'batch_to_space_nd', 'space_to_depth', 'depth_to_space',
           'edit_distance', 'dynamic_partition', 'dynamic_stitch', 'extract_image_patches', 'quantize_v2', 'dequantize',
           'fake_quant_with_min_max_args', 'fake_quant_with_min_max_vars', 'listdiff', 'searchsorted', 'roll', 'tensor_scatter_update']

from ._ops import (batch_to_space_nd, dynamic_partition, dynamic_stitch, fake_quant_with_min_max_args,  # noqa: E402,F401
                   fake_quant_with_min_max_vars, roll, space_to_batch_nd)


def gather(params, indices, validate_indices=None, name=None, axis=None, batch_dims=0):
    if hasattr(params, 'sparse_read') and (axis is None or axis == 0) and batch_dims == 0:
        return params.sparse_read(indices, name=name)
    return _ops.gather_v2(params, indices, batch_dims if axis is None else axis, batch_dims=batch_dims, name=name)


def gather_nd(params, indices, name=None, batch_dims=0):
    if batch_dims:
        raise ValueError('gather_nd with batch_dims is not supported')
    return _ops.gather_nd(params, indices, name=name)


def batch_gather(params, indices, name=None):
    indices = convert_to_tensor(indices, name='indices')
    return gather(params, indices, name=name, axis=indices._rank() - 1, batch_dims=indices._rank() - 1)


def sequence_mask(lengths, maxlen=None, dtype=dtypes.bool, name=None):
    from .array_ops import expand_dims
    from .math_ops import cast, maximum, range as tensor_range, reduce_max
    with name_scope(name, 'SequenceMask', [lengths, maxlen]):
        lengths = convert_to_tensor(lengths)
        if maxlen is None:
            maxlen = maximum(convert_to_tensor(0, lengths.dtype), reduce_max(lengths))
        else:
            maxlen = convert_to_tensor(maxlen)
        row = tensor_range(convert_to_tensor(0, maxlen.dtype), maxlen, convert_to_tensor(1, maxlen.dtype))
        matrix = cast(expand_dims(lengths, -1), maxlen.dtype)
        result = row < matrix
        return result if dtypes.as_dtype(dtype) == dtypes.bool else cast(result, dtype)


def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None, batch_dim=None):
    seq = seq_axis if seq_axis is not None else seq_dim
    batch = batch_axis if batch_axis is not None else batch_dim
    return _ops.reverse_sequence(input, seq_lengths, seq_dim=seq, batch_dim=0 if batch is None else batch, name=name)


def unique(x, out_idx=dtypes.int32, name=None):
    return _ops.unique(x, out_idx=out_idx, name=name)


def unique_with_counts(x, out_idx=dtypes.int32, name=None):
    return _ops.unique_with_counts(x, out_idx=out_idx, name=name)


def setdiff1d(x, y, index_dtype=dtypes.int32, name=None):
    return _ops.list_diff(x, y, out_idx=index_dtype, name=name)


def listdiff(x, y, out_idx=None, name=None):
    return _ops.list_diff(x, y, out_idx=out_idx or dtypes.int32, name=name)


def space_to_batch(input, paddings, block_size=None, name=None, block_shape=None):
    if block_size is not None:
        import numpy as np
        block_shape = np.array([block_size, block_size], np.int64)
    return _ops.space_to_batch_nd(input, block_shape, paddings, name=name)


def batch_to_space(input, crops, block_size, name=None, block_shape=None):
    import numpy as np
    return _ops.batch_to_space_nd(input, np.array([block_size, block_size], np.int64), crops, name=name)


def space_to_depth(input, block_size, name=None, data_format='NHWC'):
    return _ops.space_to_depth(input, block_size, data_format=data_format, name=name)


def depth_to_space(input, block_size, name=None, data_format='NHWC'):
    return _ops.depth_to_space(input, block_size, data_format=data_format, name=name)


def edit_distance(hypothesis, truth, normalize=True, name='edit_distance'):
    return _ops.edit_distance(hypothesis.indices, hypothesis.values, hypothesis.dense_shape, truth.indices, truth.values,
                              truth.dense_shape, normalize=normalize, name=name)


def extract_image_patches(images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None):
    return _ops.extract_image_patches(images, ksizes if ksizes is not None else sizes, strides, rates, padding, name=name)


def searchsorted(sorted_sequence, values, side='left', out_type=dtypes.int32, name=None):
    from .array_ops import reshape, shape
    values = convert_to_tensor(values)
    last = shape(sorted_sequence)[-1]
    rows, wanted = reshape(sorted_sequence, [-1, last]), reshape(values, [-1, shape(values)[-1]])
    act = _ops.lower_bound if side == 'left' else _ops.upper_bound
    return reshape(act(rows, wanted, out_type=out_type, name=name), shape(values))


def dequantize(input, min_range, max_range, mode='MIN_COMBINED', name=None):
    return _ops.dequantize(input, min_range, max_range, mode=mode, name=name)


def quantize_v2(input, min_range, max_range, T, mode='MIN_COMBINED', name=None, round_mode='HALF_AWAY_FROM_ZERO'):
    return _ops.quantize_v2(input, min_range, max_range, T, mode, round_mode, name=name)


def tensor_scatter_update(tensor, indices, updates, name=None):
    return _ops.tensor_scatter_update(tensor, indices, updates, name=name)
