"""Ops: data, flow, array. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'Stack': '|handle:&7|elem_type:t stack_name:s|1',
    'StackClose': 'handle:&7|||0',
    'StackCloseV2': 'handle:20|||1',
    'StackPop': 'handle:&7|elem:elem_type|elem_type:t|0',
    'StackPopV2': 'handle:20|elem:elem_type|elem_type:t|1',
    'StackPush': 'handle:&7 elem:T|output:T|T:t swap_memory:b|0',
    'StackPushV2': 'handle:20 elem:T|output:T|T:t swap_memory:b|1',
    'StackV2': 'max_size:3|handle:20|elem_type:t stack_name:s|1',
    'TensorArray': 'size:3|handle:&7|dtype:t dynamic_size:b clear_after_read:b tensor_array_name:s element_shape:S|1',
    'TensorArrayClose': 'handle:&7|||0',
    'TensorArrayCloseV2': 'handle:7|||0',
    'TensorArrayCloseV3': 'handle:20|||1',
    'TensorArrayConcat': 'handle:&7 flow_in:1|value:dtype lengths:9|dtype:t element_shape_except0:S|0',
    'TensorArrayConcatV2': 'handle:7 flow_in:1|value:dtype lengths:9|dtype:t element_shape_except0:S|0',
    'TensorArrayConcatV3': 'handle:20 flow_in:1|value:dtype lengths:9|dtype:t element_shape_except0:S|1',
    'TensorArrayGather': 'handle:&7 indices:3 flow_in:1|value:dtype|dtype:t element_shape:S|0',
    'TensorArrayGatherV2': 'handle:7 indices:3 flow_in:1|value:dtype|dtype:t element_shape:S|0',
    'TensorArrayGatherV3': 'handle:20 indices:3 flow_in:1|value:dtype|dtype:t element_shape:S|1',
    'TensorArrayGrad': 'handle:7 flow_in:1|grad_handle:&7|source:s|1',
    'TensorArrayGradV2': 'handle:7 flow_in:1|grad_handle:7|source:s|1',
    'TensorArrayGradV3': 'handle:20 flow_in:1|grad_handle:20 flow_out:1|source:s|1',
    'TensorArrayGradWithShape': 'handle:20 flow_in:1 shape_to_prepend:3|grad_handle:20 flow_out:1|source:s|1',
    'TensorArrayPack': 'handle:&7 flow_in:1|value:dtype|dtype:t element_shape:S|0',
    'TensorArrayRead': 'handle:&7 index:3 flow_in:1|value:dtype|dtype:t|0',
    'TensorArrayReadV2': 'handle:7 index:3 flow_in:1|value:dtype|dtype:t|0',
    'TensorArrayReadV3': 'handle:20 index:3 flow_in:1|value:dtype|dtype:t|1',
    'TensorArrayScatter': 'handle:&7 indices:3 value:T flow_in:1|flow_out:1|T:t|0',
    'TensorArrayScatterV2': 'handle:7 indices:3 value:T flow_in:1|flow_out:1|T:t|0',
    'TensorArrayScatterV3': 'handle:20 indices:3 value:T flow_in:1|flow_out:1|T:t|1',
    'TensorArraySize': 'handle:&7 flow_in:1|size:3||0',
    'TensorArraySizeV2': 'handle:7 flow_in:1|size:3||0',
    'TensorArraySizeV3': 'handle:20 flow_in:1|size:3||1',
    'TensorArraySplit': 'handle:&7 value:T lengths:9 flow_in:1|flow_out:1|T:t|0',
    'TensorArraySplitV2': 'handle:7 value:T lengths:9 flow_in:1|flow_out:1|T:t|0',
    'TensorArraySplitV3': 'handle:20 value:T lengths:9 flow_in:1|flow_out:1|T:t|1',
    'TensorArrayUnpack': 'handle:&7 value:T flow_in:1|flow_out:1|T:t|0',
    'TensorArrayV2': 'size:3|handle:7|dtype:t element_shape:S dynamic_size:b clear_after_read:b tensor_array_name:s|1',
    'TensorArrayV3': 'size:3|handle:20 flow:1|dtype:t element_shape:S dynamic_size:b clear_after_read:b identical_element_shapes:b tensor_array_name:s|1',
    'TensorArrayWrite': 'handle:&7 index:3 value:T flow_in:1|flow_out:1|T:t|0',
    'TensorArrayWriteV2': 'handle:7 index:3 value:T flow_in:1|flow_out:1|T:t|0',
    'TensorArrayWriteV3': 'handle:20 index:3 value:T flow_in:1|flow_out:1|T:t|1',
}


def stack(elem_type, stack_name='', name=None):
    return apply('Stack', name, (), {'elem_type': elem_type, 'stack_name': stack_name}).outputs[0]


def stack_close(handle, name=None):
    return apply('StackClose', name, (handle,), {})


def stack_close_v2(handle, name=None):
    return apply('StackCloseV2', name, (handle,), {})


def stack_pop(handle, elem_type, name=None):
    return apply('StackPop', name, (handle,), {'elem_type': elem_type}).outputs[0]


def stack_pop_v2(handle, elem_type, name=None):
    return apply('StackPopV2', name, (handle,), {'elem_type': elem_type}).outputs[0]


def stack_push(handle, elem, swap_memory=False, name=None):
    return apply('StackPush', name, (handle, elem), {'swap_memory': swap_memory}).outputs[0]


def stack_push_v2(handle, elem, swap_memory=False, name=None):
    return apply('StackPushV2', name, (handle, elem), {'swap_memory': swap_memory}).outputs[0]


def stack_v2(max_size, elem_type, stack_name='', name=None):
    return apply('StackV2', name, (max_size,), {'elem_type': elem_type, 'stack_name': stack_name}).outputs[0]


def tensor_array(size, dtype, dynamic_size=False, clear_after_read=True, tensor_array_name='', element_shape=None, name=None):
    return apply('TensorArray', name, (size,), {'dtype': dtype, 'dynamic_size': dynamic_size, 'clear_after_read': clear_after_read, 'tensor_array_name': tensor_array_name, 'element_shape': element_shape}).outputs[0]


def tensor_array_close(handle, name=None):
    return apply('TensorArrayClose', name, (handle,), {})


def tensor_array_close_v2(handle, name=None):
    return apply('TensorArrayCloseV2', name, (handle,), {})


def tensor_array_close_v3(handle, name=None):
    return apply('TensorArrayCloseV3', name, (handle,), {})


def tensor_array_concat(handle, flow_in, dtype, element_shape_except0=None, name=None):
    return results(apply('TensorArrayConcat', name, (handle, flow_in), {'dtype': dtype, 'element_shape_except0': element_shape_except0}))


def tensor_array_concat_v2(handle, flow_in, dtype, element_shape_except0=None, name=None):
    return results(apply('TensorArrayConcatV2', name, (handle, flow_in), {'dtype': dtype, 'element_shape_except0': element_shape_except0}))


def tensor_array_concat_v3(handle, flow_in, dtype, element_shape_except0=None, name=None):
    return results(apply('TensorArrayConcatV3', name, (handle, flow_in), {'dtype': dtype, 'element_shape_except0': element_shape_except0}))


def tensor_array_gather(handle, indices, flow_in, dtype, element_shape=None, name=None):
    return apply('TensorArrayGather', name, (handle, indices, flow_in), {'dtype': dtype, 'element_shape': element_shape}).outputs[0]


def tensor_array_gather_v2(handle, indices, flow_in, dtype, element_shape=None, name=None):
    return apply('TensorArrayGatherV2', name, (handle, indices, flow_in), {'dtype': dtype, 'element_shape': element_shape}).outputs[0]


def tensor_array_gather_v3(handle, indices, flow_in, dtype, element_shape=None, name=None):
    return apply('TensorArrayGatherV3', name, (handle, indices, flow_in), {'dtype': dtype, 'element_shape': element_shape}).outputs[0]


def tensor_array_grad(handle, flow_in, source, name=None):
    return apply('TensorArrayGrad', name, (handle, flow_in), {'source': source}).outputs[0]


def tensor_array_grad_v2(handle, flow_in, source, name=None):
    return apply('TensorArrayGradV2', name, (handle, flow_in), {'source': source}).outputs[0]


def tensor_array_grad_v3(handle, flow_in, source, name=None):
    return results(apply('TensorArrayGradV3', name, (handle, flow_in), {'source': source}))


def tensor_array_grad_with_shape(handle, flow_in, shape_to_prepend, source, name=None):
    return results(apply('TensorArrayGradWithShape', name, (handle, flow_in, shape_to_prepend), {'source': source}))


def tensor_array_pack(handle, flow_in, dtype, element_shape=None, name=None):
    return apply('TensorArrayPack', name, (handle, flow_in), {'dtype': dtype, 'element_shape': element_shape}).outputs[0]


def tensor_array_read(handle, index, flow_in, dtype, name=None):
    return apply('TensorArrayRead', name, (handle, index, flow_in), {'dtype': dtype}).outputs[0]


def tensor_array_read_v2(handle, index, flow_in, dtype, name=None):
    return apply('TensorArrayReadV2', name, (handle, index, flow_in), {'dtype': dtype}).outputs[0]


def tensor_array_read_v3(handle, index, flow_in, dtype, name=None):
    return apply('TensorArrayReadV3', name, (handle, index, flow_in), {'dtype': dtype}).outputs[0]


def tensor_array_scatter(handle, indices, value, flow_in, name=None):
    return apply('TensorArrayScatter', name, (handle, indices, value, flow_in), {}).outputs[0]


def tensor_array_scatter_v2(handle, indices, value, flow_in, name=None):
    return apply('TensorArrayScatterV2', name, (handle, indices, value, flow_in), {}).outputs[0]


def tensor_array_scatter_v3(handle, indices, value, flow_in, name=None):
    return apply('TensorArrayScatterV3', name, (handle, indices, value, flow_in), {}).outputs[0]


def tensor_array_size(handle, flow_in, name=None):
    return apply('TensorArraySize', name, (handle, flow_in), {}).outputs[0]


def tensor_array_size_v2(handle, flow_in, name=None):
    return apply('TensorArraySizeV2', name, (handle, flow_in), {}).outputs[0]


def tensor_array_size_v3(handle, flow_in, name=None):
    return apply('TensorArraySizeV3', name, (handle, flow_in), {}).outputs[0]


def tensor_array_split(handle, value, lengths, flow_in, name=None):
    return apply('TensorArraySplit', name, (handle, value, lengths, flow_in), {}).outputs[0]


def tensor_array_split_v2(handle, value, lengths, flow_in, name=None):
    return apply('TensorArraySplitV2', name, (handle, value, lengths, flow_in), {}).outputs[0]


def tensor_array_split_v3(handle, value, lengths, flow_in, name=None):
    return apply('TensorArraySplitV3', name, (handle, value, lengths, flow_in), {}).outputs[0]


def tensor_array_unpack(handle, value, flow_in, name=None):
    return apply('TensorArrayUnpack', name, (handle, value, flow_in), {}).outputs[0]


def tensor_array_v2(size, dtype, element_shape=None, dynamic_size=False, clear_after_read=True, tensor_array_name='', name=None):
    return apply('TensorArrayV2', name, (size,), {'dtype': dtype, 'element_shape': element_shape, 'dynamic_size': dynamic_size, 'clear_after_read': clear_after_read, 'tensor_array_name': tensor_array_name}).outputs[0]


def tensor_array_v3(size, dtype, element_shape=None, dynamic_size=False, clear_after_read=True, identical_element_shapes=False, tensor_array_name='', name=None):
    return results(apply('TensorArrayV3', name, (size,), {'dtype': dtype, 'element_shape': element_shape, 'dynamic_size': dynamic_size, 'clear_after_read': clear_after_read, 'identical_element_shapes': identical_element_shapes, 'tensor_array_name': tensor_array_name}))


def tensor_array_write(handle, index, value, flow_in, name=None):
    return apply('TensorArrayWrite', name, (handle, index, value, flow_in), {}).outputs[0]


def tensor_array_write_v2(handle, index, value, flow_in, name=None):
    return apply('TensorArrayWriteV2', name, (handle, index, value, flow_in), {}).outputs[0]


def tensor_array_write_v3(handle, index, value, flow_in, name=None):
    return apply('TensorArrayWriteV3', name, (handle, index, value, flow_in), {}).outputs[0]
