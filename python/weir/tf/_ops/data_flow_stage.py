"""Ops: data, flow, stage. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AccumulatorApplyGradient': 'handle:&7 local_step:9 gradient:dtype||dtype:t|0',
    'AccumulatorNumAccumulated': 'handle:&7|num_accumulated:3||0',
    'AccumulatorSetGlobalStep': 'handle:&7 new_global_step:9|||0',
    'AccumulatorTakeGradient': 'handle:&7 num_required:3|average:dtype|dtype:t|0',
    'ConditionalAccumulator': '|handle:&7|dtype:t shape:S container:s shared_name:s reduction_type:s|1',
    'ConsumeMutexLock': 'mutex_lock:21|||1',
    'DeleteSessionTensor': 'handle:7|||1',
    'GetSessionHandle': 'value:T|handle:7|T:t|1',
    'GetSessionHandleV2': 'value:T|handle:20|T:t|1',
    'GetSessionTensor': 'handle:7|value:dtype|dtype:t|1',
    'MapClear': '||capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'MapIncompleteSize': '|size:3|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'MapPeek': 'key:9 indices:3|values:*dtypes|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'MapSize': '|size:3|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'MapStage': 'key:9 indices:3 values:*fake_dtypes||capacity:i memory_limit:i dtypes:[t fake_dtypes:[t container:s shared_name:s|1',
    'MapUnstage': 'key:9 indices:3|values:*dtypes|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'MapUnstageNoKey': 'indices:3|key:9 values:*dtypes|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'MutexLock': 'mutex:20|mutex_lock:21||1',
    'MutexV2': '|resource:20|container:s shared_name:s|1',
    'OrderedMapClear': '||capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'OrderedMapIncompleteSize': '|size:3|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'OrderedMapPeek': 'key:9 indices:3|values:*dtypes|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'OrderedMapSize': '|size:3|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'OrderedMapStage': 'key:9 indices:3 values:*fake_dtypes||capacity:i memory_limit:i dtypes:[t fake_dtypes:[t container:s shared_name:s|1',
    'OrderedMapUnstage': 'key:9 indices:3|values:*dtypes|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'OrderedMapUnstageNoKey': 'indices:3|key:9 values:*dtypes|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'ResourceAccumulatorApplyGradient': 'handle:20 local_step:9 gradient:dtype||dtype:t|1',
    'ResourceAccumulatorNumAccumulated': 'handle:20|num_accumulated:3||1',
    'ResourceAccumulatorSetGlobalStep': 'handle:20 new_global_step:9|||1',
    'ResourceAccumulatorTakeGradient': 'handle:20 num_required:3|average:dtype|dtype:t|1',
    'ResourceConditionalAccumulator': '|handle:20|dtype:t shape:S container:s shared_name:s reduction_type:s|1',
    'SparseAccumulatorApplyGradient': 'handle:&7 local_step:9 gradient_indices:9 gradient_values:dtype gradient_shape:9||dtype:t has_known_shape:b|0',
    'SparseAccumulatorTakeGradient': 'handle:&7 num_required:3|indices:9 values:dtype shape:9|dtype:t|0',
    'SparseConditionalAccumulator': '|handle:&7|dtype:t shape:S container:s shared_name:s reduction_type:s|1',
    'Stage': 'values:*dtypes||capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'StageClear': '||capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'StagePeek': 'index:3|values:*dtypes|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'StageSize': '|size:3|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
    'Unstage': '|values:*dtypes|capacity:i memory_limit:i dtypes:[t container:s shared_name:s|1',
}


def accumulator_apply_gradient(handle, local_step, gradient, name=None):
    return apply('AccumulatorApplyGradient', name, (handle, local_step, gradient), {})


def accumulator_num_accumulated(handle, name=None):
    return apply('AccumulatorNumAccumulated', name, (handle,), {}).outputs[0]


def accumulator_set_global_step(handle, new_global_step, name=None):
    return apply('AccumulatorSetGlobalStep', name, (handle, new_global_step), {})


def accumulator_take_gradient(handle, num_required, dtype, name=None):
    return apply('AccumulatorTakeGradient', name, (handle, num_required), {'dtype': dtype}).outputs[0]


def conditional_accumulator(dtype, shape, container='', shared_name='', reduction_type='MEAN', name=None):
    return apply('ConditionalAccumulator', name, (), {'dtype': dtype, 'shape': shape, 'container': container, 'shared_name': shared_name, 'reduction_type': reduction_type}).outputs[0]


def consume_mutex_lock(mutex_lock, name=None):
    return apply('ConsumeMutexLock', name, (mutex_lock,), {})


def delete_session_tensor(handle, name=None):
    return apply('DeleteSessionTensor', name, (handle,), {})


def get_session_handle(value, name=None):
    return apply('GetSessionHandle', name, (value,), {}).outputs[0]


def get_session_handle_v2(value, name=None):
    return apply('GetSessionHandleV2', name, (value,), {}).outputs[0]


def get_session_tensor(handle, dtype, name=None):
    return apply('GetSessionTensor', name, (handle,), {'dtype': dtype}).outputs[0]


def map_clear(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapClear', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def map_incomplete_size(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapIncompleteSize', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs[0]


def map_peek(key, indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapPeek', name, (key, indices), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs


def map_size(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapSize', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs[0]


def map_stage(key, indices, values, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapStage', name, (key, indices, values), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def map_unstage(key, indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapUnstage', name, (key, indices), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs


def map_unstage_no_key(indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return results(apply('MapUnstageNoKey', name, (indices,), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}))


def mutex_lock(mutex, name=None):
    return apply('MutexLock', name, (mutex,), {}).outputs[0]


def mutex_v2(container='', shared_name='', name=None):
    return apply('MutexV2', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def ordered_map_clear(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapClear', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def ordered_map_incomplete_size(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapIncompleteSize', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs[0]


def ordered_map_peek(key, indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapPeek', name, (key, indices), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs


def ordered_map_size(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapSize', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs[0]


def ordered_map_stage(key, indices, values, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapStage', name, (key, indices, values), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def ordered_map_unstage(key, indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapUnstage', name, (key, indices), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs


def ordered_map_unstage_no_key(indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return results(apply('OrderedMapUnstageNoKey', name, (indices,), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}))


def resource_accumulator_apply_gradient(handle, local_step, gradient, name=None):
    return apply('ResourceAccumulatorApplyGradient', name, (handle, local_step, gradient), {})


def resource_accumulator_num_accumulated(handle, name=None):
    return apply('ResourceAccumulatorNumAccumulated', name, (handle,), {}).outputs[0]


def resource_accumulator_set_global_step(handle, new_global_step, name=None):
    return apply('ResourceAccumulatorSetGlobalStep', name, (handle, new_global_step), {})


def resource_accumulator_take_gradient(handle, num_required, dtype, name=None):
    return apply('ResourceAccumulatorTakeGradient', name, (handle, num_required), {'dtype': dtype}).outputs[0]


def resource_conditional_accumulator(dtype, shape, container='', shared_name='', reduction_type='MEAN', name=None):
    return apply('ResourceConditionalAccumulator', name, (), {'dtype': dtype, 'shape': shape, 'container': container, 'shared_name': shared_name, 'reduction_type': reduction_type}).outputs[0]


def sparse_accumulator_apply_gradient(handle, local_step, gradient_indices, gradient_values, gradient_shape, has_known_shape, name=None):
    return apply('SparseAccumulatorApplyGradient', name, (handle, local_step, gradient_indices, gradient_values, gradient_shape), {'has_known_shape': has_known_shape})


def sparse_accumulator_take_gradient(handle, num_required, dtype, name=None):
    return results(apply('SparseAccumulatorTakeGradient', name, (handle, num_required), {'dtype': dtype}))


def sparse_conditional_accumulator(dtype, shape, container='', shared_name='', reduction_type='MEAN', name=None):
    return apply('SparseConditionalAccumulator', name, (), {'dtype': dtype, 'shape': shape, 'container': container, 'shared_name': shared_name, 'reduction_type': reduction_type}).outputs[0]


def stage(values, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('Stage', name, (values,), {'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def stage_clear(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('StageClear', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def stage_peek(index, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('StagePeek', name, (index,), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs


def stage_size(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('StageSize', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs[0]


def unstage(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('Unstage', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs
