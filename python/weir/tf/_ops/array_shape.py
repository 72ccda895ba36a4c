"""Ops: array, shape. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'Bitcast': 'input:T|output:type|T:t type:t|0',
    'BroadcastTo': 'input:T shape:Tidx|output:T|T:t Tidx:t=3|0',
    'Concat': 'concat_dim:3 values:N*T|output:T|N:i T:t|0',
    'ConcatOffset': 'concat_dim:3 shape:N*shape_type|offset:N*shape_type|N:i shape_type:t=3|0',
    'ConcatV2': 'values:N*T axis:Tidx|output:T|N:i T:t Tidx:t=3|0',
    'ConjugateTranspose': 'x:T perm:Tperm|y:T|T:t Tperm:t=3|0',
    'Const': '|output:dtype|value:T dtype:t|0',
    'DeepCopy': 'x:T|y:T|T:t|1',
    'Dequantize': 'input:T min_range:1 max_range:1|output:dtype|T:t mode:s narrow_range:b axis:i dtype:t=1|0',
    'EditDistance': 'hypothesis_indices:9 hypothesis_values:T hypothesis_shape:9 truth_indices:9 truth_values:T truth_shape:9|output:1|normalize:b T:t|0',
    'Empty': 'shape:3|output:dtype|dtype:t init:b|1',
    'EnsureShape': 'input:T|output:T|shape:S T:t|0',
    'ExpandDims': 'input:T dim:Tdim|output:T|T:t Tdim:t=3|0',
    'Fill': 'dims:index_type value:T|output:T|T:t index_type:t=3|0',
    'GuaranteeConst': 'input:T|output:T|T:t|1',
    'Identity': 'input:T|output:T|T:t|0',
    'IdentityN': 'input:*T|output:*T|T:[t|0',
    'ImmutableConst': '|tensor:dtype|dtype:t shape:S memory_region_name:s|0',
    'InvertPermutation': 'x:T|y:T|T:t=3|0',
    'MirrorPad': 'input:T paddings:Tpaddings|output:T|T:t Tpaddings:t=3 mode:s|0',
    'MirrorPadGrad': 'input:T paddings:Tpaddings|output:T|T:t Tpaddings:t=3 mode:s|0',
    'NoOp': '|||0',
    'OnesLike': 'x:T|y:T|T:t|0',
    'Pack': 'values:N*T|output:T|N:i T:t axis:i|0',
    'Pad': 'input:T paddings:Tpaddings|output:T|T:t Tpaddings:t=3|0',
    'PadV2': 'input:T paddings:Tpaddings constant_values:T|output:T|T:t Tpaddings:t=3|0',
    'ParallelConcat': 'values:N*T|output:T|N:i T:t shape:S|0',
    'Placeholder': '|output:dtype|dtype:t shape:S|0',
    'PlaceholderV2': '|output:dtype|dtype:t shape:S|0',
    'PlaceholderWithDefault': 'input:dtype|output:dtype|dtype:t shape:S|0',
    'PreventGradient': 'input:T|output:T|T:t message:s|0',
    'Rank': 'input:T|output:3|T:t|0',
    'Reshape': 'tensor:T shape:Tshape|output:T|T:t Tshape:t=3|0',
    'Reverse': 'tensor:T dims:10|output:T|T:t|0',
    'ReverseSequence': 'input:T seq_lengths:Tlen|output:T|seq_dim:i batch_dim:i T:t Tlen:t=9|0',
    'ReverseV2': 'tensor:T axis:Tidx|output:T|Tidx:t=3 T:t|0',
    'Roll': 'input:T shift:Tshift axis:Taxis|output:T|T:t Tshift:t Taxis:t|0',
    'Shape': 'input:T|output:out_type|T:t out_type:t=3|0',
    'ShapeN': 'input:N*T|output:N*out_type|N:i T:t out_type:t=3|0',
    'Size': 'input:T|output:out_type|T:t out_type:t=3|0',
    'Snapshot': 'input:T|output:T|T:t|0',
    'Split': 'split_dim:3 value:T|output:num_split*T|num_split:i T:t|0',
    'SplitV': 'value:T size_splits:Tlen split_dim:3|output:num_split*T|num_split:i T:t Tlen:t=9|0',
    'Squeeze': 'input:T|output:T|T:t squeeze_dims:[i|0',
    'StopGradient': 'input:T|output:T|T:t|0',
    'Tile': 'input:T multiples:Tmultiples|output:T|T:t Tmultiples:t=3|0',
    'TileGrad': 'input:T multiples:3|output:T|T:t|0',
    'Timestamp': '|ts:2||1',
    'Transpose': 'x:T perm:Tperm|y:T|T:t Tperm:t=3|0',
    'Unpack': 'value:T|output:num*T|num:i T:t axis:i|0',
    'UnravelIndex': 'indices:Tidx dims:Tidx|output:Tidx|Tidx:t=3|0',
    'ZerosLike': 'x:T|y:T|T:t|0',
}


def bitcast(input, type, name=None):
    return apply('Bitcast', name, (input,), {'type': type}).outputs[0]


def broadcast_to(input, shape, name=None):
    return apply('BroadcastTo', name, (input, shape), {}).outputs[0]


def concat(concat_dim, values, name=None):
    return apply('Concat', name, (concat_dim, values), {}).outputs[0]


def concat_offset(concat_dim, shape, name=None):
    return apply('ConcatOffset', name, (concat_dim, shape), {}).outputs


def concat_v2(values, axis, name=None):
    return apply('ConcatV2', name, (values, axis), {}).outputs[0]


def conjugate_transpose(x, perm, name=None):
    return apply('ConjugateTranspose', name, (x, perm), {}).outputs[0]


def const(value, dtype, name=None):
    return apply('Const', name, (), {'value': value, 'dtype': dtype}).outputs[0]


def deep_copy(x, name=None):
    return apply('DeepCopy', name, (x,), {}).outputs[0]


def dequantize(input, min_range, max_range, mode='MIN_COMBINED', narrow_range=False, axis=-1, dtype=dtypes.float32, name=None):
    return apply('Dequantize', name, (input, min_range, max_range), {'mode': mode, 'narrow_range': narrow_range, 'axis': axis, 'dtype': dtype}).outputs[0]


def edit_distance(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape, normalize=True, name=None):
    return apply('EditDistance', name, (hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape), {'normalize': normalize}).outputs[0]


def empty(shape, dtype, init=False, name=None):
    return apply('Empty', name, (shape,), {'dtype': dtype, 'init': init}).outputs[0]


def ensure_shape(input, shape, name=None):
    return apply('EnsureShape', name, (input,), {'shape': shape}).outputs[0]


def expand_dims(input, dim, name=None):
    return apply('ExpandDims', name, (input, dim), {}).outputs[0]


def fill(dims, value, name=None):
    return apply('Fill', name, (dims, value), {}).outputs[0]


def guarantee_const(input, name=None):
    return apply('GuaranteeConst', name, (input,), {}).outputs[0]


def identity(input, name=None):
    return apply('Identity', name, (input,), {}).outputs[0]


def identity_n(input, name=None):
    return apply('IdentityN', name, (input,), {}).outputs


def immutable_const(dtype, shape, memory_region_name, name=None):
    return apply('ImmutableConst', name, (), {'dtype': dtype, 'shape': shape, 'memory_region_name': memory_region_name}).outputs[0]


def invert_permutation(x, name=None):
    return apply('InvertPermutation', name, (x,), {}).outputs[0]


def mirror_pad(input, paddings, mode, name=None):
    return apply('MirrorPad', name, (input, paddings), {'mode': mode}).outputs[0]


def mirror_pad_grad(input, paddings, mode, name=None):
    return apply('MirrorPadGrad', name, (input, paddings), {'mode': mode}).outputs[0]


def no_op(name=None):
    return apply('NoOp', name, (), {})


def ones_like(x, name=None):
    return apply('OnesLike', name, (x,), {}).outputs[0]


def pack(values, axis=0, name=None):
    return apply('Pack', name, (values,), {'axis': axis}).outputs[0]


def pad(input, paddings, name=None):
    return apply('Pad', name, (input, paddings), {}).outputs[0]


def pad_v2(input, paddings, constant_values, name=None):
    return apply('PadV2', name, (input, paddings, constant_values), {}).outputs[0]


def parallel_concat(values, shape, name=None):
    return apply('ParallelConcat', name, (values,), {'shape': shape}).outputs[0]


def placeholder(dtype, shape=None, name=None):
    return apply('Placeholder', name, (), {'dtype': dtype, 'shape': shape}).outputs[0]


def placeholder_v2(dtype, shape, name=None):
    return apply('PlaceholderV2', name, (), {'dtype': dtype, 'shape': shape}).outputs[0]


def placeholder_with_default(input, shape, name=None):
    return apply('PlaceholderWithDefault', name, (input,), {'shape': shape}).outputs[0]


def prevent_gradient(input, message='', name=None):
    return apply('PreventGradient', name, (input,), {'message': message}).outputs[0]


def rank(input, name=None):
    return apply('Rank', name, (input,), {}).outputs[0]


def reshape(tensor, shape, name=None):
    return apply('Reshape', name, (tensor, shape), {}).outputs[0]


def reverse(tensor, dims, name=None):
    return apply('Reverse', name, (tensor, dims), {}).outputs[0]


def reverse_sequence(input, seq_lengths, seq_dim, batch_dim=0, name=None):
    return apply('ReverseSequence', name, (input, seq_lengths), {'seq_dim': seq_dim, 'batch_dim': batch_dim}).outputs[0]


def reverse_v2(tensor, axis, name=None):
    return apply('ReverseV2', name, (tensor, axis), {}).outputs[0]


def roll(input, shift, axis, name=None):
    return apply('Roll', name, (input, shift, axis), {}).outputs[0]


def shape(input, out_type=dtypes.int32, name=None):
    return apply('Shape', name, (input,), {'out_type': out_type}).outputs[0]


def shape_n(input, out_type=dtypes.int32, name=None):
    return apply('ShapeN', name, (input,), {'out_type': out_type}).outputs


def size(input, out_type=dtypes.int32, name=None):
    return apply('Size', name, (input,), {'out_type': out_type}).outputs[0]


def snapshot(input, name=None):
    return apply('Snapshot', name, (input,), {}).outputs[0]


def split(split_dim, value, num_split, name=None):
    return apply('Split', name, (split_dim, value), {'num_split': num_split}).outputs


def split_v(value, size_splits, split_dim, num_split, name=None):
    return apply('SplitV', name, (value, size_splits, split_dim), {'num_split': num_split}).outputs


def squeeze(input, squeeze_dims=[], name=None):
    return apply('Squeeze', name, (input,), {'squeeze_dims': squeeze_dims}).outputs[0]


def stop_gradient(input, name=None):
    return apply('StopGradient', name, (input,), {}).outputs[0]


def tile(input, multiples, name=None):
    return apply('Tile', name, (input, multiples), {}).outputs[0]


def tile_grad(input, multiples, name=None):
    return apply('TileGrad', name, (input, multiples), {}).outputs[0]


def timestamp(name=None):
    return apply('Timestamp', name, (), {}).outputs[0]


def transpose(x, perm, name=None):
    return apply('Transpose', name, (x, perm), {}).outputs[0]


def unpack(value, num, axis=0, name=None):
    return apply('Unpack', name, (value,), {'num': num, 'axis': axis}).outputs


def unravel_index(indices, dims, name=None):
    return apply('UnravelIndex', name, (indices, dims), {}).outputs[0]


def zeros_like(x, name=None):
    return apply('ZerosLike', name, (x,), {}).outputs[0]
