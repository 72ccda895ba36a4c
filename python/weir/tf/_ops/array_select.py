"""Ops: array, select. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'DynamicPartition': 'data:T partitions:3|outputs:num_partitions*T|num_partitions:i T:t|0',
    'DynamicStitch': 'indices:N*3 data:N*T|merged:T|N:i T:t|0',
    'Gather': 'params:Tparams indices:Tindices|output:Tparams|validate_indices:b Tparams:t Tindices:t|0',
    'GatherNd': 'params:Tparams indices:Tindices|output:Tparams|Tparams:t Tindices:t bad_indices_policy:s|0',
    'GatherV2': 'params:Tparams indices:Tindices axis:Taxis|output:Tparams|batch_dims:i Tparams:t Tindices:t Taxis:t|0',
    'InplaceAdd': 'x:T i:3 v:T|y:T|T:t|0',
    'InplaceSub': 'x:T i:3 v:T|y:T|T:t|0',
    'InplaceUpdate': 'x:T i:3 v:T|y:T|T:t|0',
    'ListDiff': 'x:T y:T|out:T idx:out_idx|T:t out_idx:t=3|0',
    'LowerBound': 'sorted_inputs:T values:T|output:out_type|T:t out_type:t=3|0',
    'OneHot': 'indices:TI depth:3 on_value:T off_value:T|output:T|axis:i T:t TI:t=9|0',
    'ParallelDynamicStitch': 'indices:N*3 data:N*T|merged:T|N:i T:t|0',
    'ResourceStridedSliceAssign': 'ref:20 begin:Index end:Index strides:Index value:T||T:t Index:t begin_mask:i end_mask:i ellipsis_mask:i new_axis_mask:i shrink_axis_mask:i|1',
    'ScatterNd': 'indices:Tindices updates:T shape:Tindices|output:T|T:t Tindices:t bad_indices_policy:s|0',
    'ScatterNdNonAliasingAdd': 'input:T indices:Tindices updates:T|output:T|T:t Tindices:t bad_indices_policy:s|0',
    'Slice': 'input:T begin:Index size:Index|output:T|T:t Index:t|0',
    'StridedSlice': 'input:T begin:Index end:Index strides:Index|output:T|T:t Index:t begin_mask:i end_mask:i ellipsis_mask:i new_axis_mask:i shrink_axis_mask:i|0',
    'StridedSliceAssign': 'ref:&T begin:Index end:Index strides:Index value:T|output_ref:&T|T:t Index:t begin_mask:i end_mask:i ellipsis_mask:i new_axis_mask:i shrink_axis_mask:i|0',
    'StridedSliceGrad': 'shape:Index begin:Index end:Index strides:Index dy:T|output:T|T:t Index:t begin_mask:i end_mask:i ellipsis_mask:i new_axis_mask:i shrink_axis_mask:i|0',
    'TensorScatterAdd': 'tensor:T indices:Tindices updates:T|output:T|T:t Tindices:t bad_indices_policy:s|0',
    'TensorScatterMax': 'tensor:T indices:Tindices updates:T|output:T|T:t Tindices:t bad_indices_policy:s|0',
    'TensorScatterMin': 'tensor:T indices:Tindices updates:T|output:T|T:t Tindices:t bad_indices_policy:s|0',
    'TensorScatterSub': 'tensor:T indices:Tindices updates:T|output:T|T:t Tindices:t bad_indices_policy:s|0',
    'TensorScatterUpdate': 'tensor:T indices:Tindices updates:T|output:T|T:t Tindices:t bad_indices_policy:s|0',
    'TensorStridedSliceUpdate': 'input:T begin:Index end:Index strides:Index value:T|output:T|T:t Index:t begin_mask:i end_mask:i ellipsis_mask:i new_axis_mask:i shrink_axis_mask:i|0',
    'Unique': 'x:T|y:T idx:out_idx|T:t out_idx:t=3|0',
    'UniqueV2': 'x:T axis:Taxis|y:T idx:out_idx|T:t Taxis:t=9 out_idx:t=3|0',
    'UniqueWithCounts': 'x:T|y:T idx:out_idx count:out_idx|T:t out_idx:t=3|0',
    'UniqueWithCountsV2': 'x:T axis:Taxis|y:T idx:out_idx count:out_idx|T:t Taxis:t=9 out_idx:t=3|0',
    'UpperBound': 'sorted_inputs:T values:T|output:out_type|T:t out_type:t=3|0',
    'Where': 'input:T|index:9|T:t=10|0',
    'XlaSetBound': 'input:3 bound:3|output:3||0',
}


def dynamic_partition(data, partitions, num_partitions, name=None):
    return apply('DynamicPartition', name, (data, partitions), {'num_partitions': num_partitions}).outputs


def dynamic_stitch(indices, data, name=None):
    return apply('DynamicStitch', name, (indices, data), {}).outputs[0]


def gather(params, indices, validate_indices=True, name=None):
    return apply('Gather', name, (params, indices), {'validate_indices': validate_indices}).outputs[0]


def gather_nd(params, indices, bad_indices_policy='', name=None):
    return apply('GatherNd', name, (params, indices), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def gather_v2(params, indices, axis, batch_dims=0, name=None):
    return apply('GatherV2', name, (params, indices, axis), {'batch_dims': batch_dims}).outputs[0]


def inplace_add(x, i, v, name=None):
    return apply('InplaceAdd', name, (x, i, v), {}).outputs[0]


def inplace_sub(x, i, v, name=None):
    return apply('InplaceSub', name, (x, i, v), {}).outputs[0]


def inplace_update(x, i, v, name=None):
    return apply('InplaceUpdate', name, (x, i, v), {}).outputs[0]


def list_diff(x, y, out_idx=dtypes.int32, name=None):
    return results(apply('ListDiff', name, (x, y), {'out_idx': out_idx}))


def lower_bound(sorted_inputs, values, out_type=dtypes.int32, name=None):
    return apply('LowerBound', name, (sorted_inputs, values), {'out_type': out_type}).outputs[0]


def one_hot(indices, depth, on_value, off_value, axis=-1, name=None):
    return apply('OneHot', name, (indices, depth, on_value, off_value), {'axis': axis}).outputs[0]


def parallel_dynamic_stitch(indices, data, name=None):
    return apply('ParallelDynamicStitch', name, (indices, data), {}).outputs[0]


def resource_strided_slice_assign(ref, begin, end, strides, value, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, name=None):
    return apply('ResourceStridedSliceAssign', name, (ref, begin, end, strides, value), {'begin_mask': begin_mask, 'end_mask': end_mask, 'ellipsis_mask': ellipsis_mask, 'new_axis_mask': new_axis_mask, 'shrink_axis_mask': shrink_axis_mask})


def scatter_nd(indices, updates, shape, bad_indices_policy='', name=None):
    return apply('ScatterNd', name, (indices, updates, shape), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_nd_non_aliasing_add(input, indices, updates, bad_indices_policy='', name=None):
    return apply('ScatterNdNonAliasingAdd', name, (input, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def slice(input, begin, size, name=None):
    return apply('Slice', name, (input, begin, size), {}).outputs[0]


def strided_slice(input, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, name=None):
    return apply('StridedSlice', name, (input, begin, end, strides), {'begin_mask': begin_mask, 'end_mask': end_mask, 'ellipsis_mask': ellipsis_mask, 'new_axis_mask': new_axis_mask, 'shrink_axis_mask': shrink_axis_mask}).outputs[0]


def strided_slice_assign(ref, begin, end, strides, value, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, name=None):
    return apply('StridedSliceAssign', name, (ref, begin, end, strides, value), {'begin_mask': begin_mask, 'end_mask': end_mask, 'ellipsis_mask': ellipsis_mask, 'new_axis_mask': new_axis_mask, 'shrink_axis_mask': shrink_axis_mask}).outputs[0]


def strided_slice_grad(shape, begin, end, strides, dy, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, name=None):
    return apply('StridedSliceGrad', name, (shape, begin, end, strides, dy), {'begin_mask': begin_mask, 'end_mask': end_mask, 'ellipsis_mask': ellipsis_mask, 'new_axis_mask': new_axis_mask, 'shrink_axis_mask': shrink_axis_mask}).outputs[0]


def tensor_scatter_add(tensor, indices, updates, bad_indices_policy='', name=None):
    return apply('TensorScatterAdd', name, (tensor, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def tensor_scatter_max(tensor, indices, updates, bad_indices_policy='', name=None):
    return apply('TensorScatterMax', name, (tensor, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def tensor_scatter_min(tensor, indices, updates, bad_indices_policy='', name=None):
    return apply('TensorScatterMin', name, (tensor, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def tensor_scatter_sub(tensor, indices, updates, bad_indices_policy='', name=None):
    return apply('TensorScatterSub', name, (tensor, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def tensor_scatter_update(tensor, indices, updates, bad_indices_policy='', name=None):
    return apply('TensorScatterUpdate', name, (tensor, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def tensor_strided_slice_update(input, begin, end, strides, value, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, name=None):
    return apply('TensorStridedSliceUpdate', name, (input, begin, end, strides, value), {'begin_mask': begin_mask, 'end_mask': end_mask, 'ellipsis_mask': ellipsis_mask, 'new_axis_mask': new_axis_mask, 'shrink_axis_mask': shrink_axis_mask}).outputs[0]


def unique(x, out_idx=dtypes.int32, name=None):
    return results(apply('Unique', name, (x,), {'out_idx': out_idx}))


def unique_v2(x, axis, out_idx=dtypes.int32, name=None):
    return results(apply('UniqueV2', name, (x, axis), {'out_idx': out_idx}))


def unique_with_counts(x, out_idx=dtypes.int32, name=None):
    return results(apply('UniqueWithCounts', name, (x,), {'out_idx': out_idx}))


def unique_with_counts_v2(x, axis, out_idx=dtypes.int32, name=None):
    return results(apply('UniqueWithCountsV2', name, (x, axis), {'out_idx': out_idx}))


def upper_bound(sorted_inputs, values, out_type=dtypes.int32, name=None):
    return apply('UpperBound', name, (sorted_inputs, values), {'out_type': out_type}).outputs[0]


def where(input, name=None):
    return apply('Where', name, (input,), {}).outputs[0]


def xla_set_bound(input, bound, name=None):
    return apply('XlaSetBound', name, (input, bound), {}).outputs[0]
