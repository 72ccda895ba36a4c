"""Ops: state. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'Assign': 'ref:&T value:T|output_ref:&T|T:t validate_shape:b use_locking:b|0',
    'AssignAdd': 'ref:&T value:T|output_ref:&T|T:t use_locking:b|0',
    'AssignAddVariableOp': 'resource:20 value:dtype||dtype:t|1',
    'AssignSub': 'ref:&T value:T|output_ref:&T|T:t use_locking:b|0',
    'AssignSubVariableOp': 'resource:20 value:dtype||dtype:t|1',
    'AssignVariableOp': 'resource:20 value:dtype||dtype:t validate_shape:b|1',
    'CountUpTo': 'ref:&T|output:T|limit:i T:t|0',
    'DestroyResourceOp': 'resource:20||ignore_lookup_error:b|1',
    'DestroyTemporaryVariable': 'ref:&T|value:T|T:t var_name:s|0',
    'DisableCopyOnRead': 'resource:20|||1',
    'IsVariableInitialized': 'ref:&dtype|is_initialized:10|dtype:t|0',
    'ReadVariableOp': 'resource:20|value:dtype|dtype:t|1',
    'ResourceCountUpTo': 'resource:20|output:T|limit:i T:t|1',
    'ResourceGather': 'resource:20 indices:Tindices|output:dtype|batch_dims:i validate_indices:b dtype:t Tindices:t|1',
    'ResourceGatherNd': 'resource:20 indices:Tindices|output:dtype|dtype:t Tindices:t|1',
    'ResourceScatterAdd': 'resource:20 indices:Tindices updates:dtype||dtype:t Tindices:t|1',
    'ResourceScatterDiv': 'resource:20 indices:Tindices updates:dtype||dtype:t Tindices:t|1',
    'ResourceScatterMax': 'resource:20 indices:Tindices updates:dtype||dtype:t Tindices:t|1',
    'ResourceScatterMin': 'resource:20 indices:Tindices updates:dtype||dtype:t Tindices:t|1',
    'ResourceScatterMul': 'resource:20 indices:Tindices updates:dtype||dtype:t Tindices:t|1',
    'ResourceScatterNdAdd': 'ref:20 indices:Tindices updates:T||T:t Tindices:t use_locking:b bad_indices_policy:s|1',
    'ResourceScatterNdMax': 'ref:20 indices:Tindices updates:T||T:t Tindices:t use_locking:b bad_indices_policy:s|1',
    'ResourceScatterNdMin': 'ref:20 indices:Tindices updates:T||T:t Tindices:t use_locking:b bad_indices_policy:s|1',
    'ResourceScatterNdSub': 'ref:20 indices:Tindices updates:T||T:t Tindices:t use_locking:b bad_indices_policy:s|1',
    'ResourceScatterNdUpdate': 'ref:20 indices:Tindices updates:T||T:t Tindices:t use_locking:b bad_indices_policy:s|1',
    'ResourceScatterSub': 'resource:20 indices:Tindices updates:dtype||dtype:t Tindices:t|1',
    'ResourceScatterUpdate': 'resource:20 indices:Tindices updates:dtype||dtype:t Tindices:t|1',
    'ScatterAdd': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b|0',
    'ScatterDiv': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b|0',
    'ScatterMax': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b|0',
    'ScatterMin': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b|0',
    'ScatterMul': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b|0',
    'ScatterNdAdd': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b bad_indices_policy:s|0',
    'ScatterNdMax': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b bad_indices_policy:s|0',
    'ScatterNdMin': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b bad_indices_policy:s|0',
    'ScatterNdSub': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b bad_indices_policy:s|0',
    'ScatterNdUpdate': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b bad_indices_policy:s|0',
    'ScatterSub': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b|0',
    'ScatterUpdate': 'ref:&T indices:Tindices updates:T|output_ref:&T|T:t Tindices:t use_locking:b|0',
    'TemporaryVariable': '|ref:&dtype|shape:S dtype:t var_name:s|1',
    'VarHandleOp': '|resource:20|container:s shared_name:s debug_name:s dtype:t shape:S allowed_devices:[s|1',
    'VarIsInitializedOp': 'resource:20|is_initialized:10||1',
    'Variable': '|ref:&dtype|shape:S dtype:t container:s shared_name:s|1',
    'VariableShape': 'input:20|output:out_type|out_type:t=3|1',
    'VariableV2': '|ref:&dtype|shape:S dtype:t container:s shared_name:s|1',
}


def assign(ref, value, validate_shape=True, use_locking=True, name=None):
    return apply('Assign', name, (ref, value), {'validate_shape': validate_shape, 'use_locking': use_locking}).outputs[0]


def assign_add(ref, value, use_locking=False, name=None):
    return apply('AssignAdd', name, (ref, value), {'use_locking': use_locking}).outputs[0]


def assign_add_variable_op(resource, value, name=None):
    return apply('AssignAddVariableOp', name, (resource, value), {})


def assign_sub(ref, value, use_locking=False, name=None):
    return apply('AssignSub', name, (ref, value), {'use_locking': use_locking}).outputs[0]


def assign_sub_variable_op(resource, value, name=None):
    return apply('AssignSubVariableOp', name, (resource, value), {})


def assign_variable_op(resource, value, validate_shape=False, name=None):
    return apply('AssignVariableOp', name, (resource, value), {'validate_shape': validate_shape})


def count_up_to(ref, limit, name=None):
    return apply('CountUpTo', name, (ref,), {'limit': limit}).outputs[0]


def destroy_resource_op(resource, ignore_lookup_error=True, name=None):
    return apply('DestroyResourceOp', name, (resource,), {'ignore_lookup_error': ignore_lookup_error})


def destroy_temporary_variable(ref, var_name, name=None):
    return apply('DestroyTemporaryVariable', name, (ref,), {'var_name': var_name}).outputs[0]


def disable_copy_on_read(resource, name=None):
    return apply('DisableCopyOnRead', name, (resource,), {})


def is_variable_initialized(ref, name=None):
    return apply('IsVariableInitialized', name, (ref,), {}).outputs[0]


def read_variable_op(resource, dtype, name=None):
    return apply('ReadVariableOp', name, (resource,), {'dtype': dtype}).outputs[0]


def resource_count_up_to(resource, limit, T, name=None):
    return apply('ResourceCountUpTo', name, (resource,), {'limit': limit, 'T': T}).outputs[0]


def resource_gather(resource, indices, dtype, batch_dims=0, validate_indices=True, name=None):
    return apply('ResourceGather', name, (resource, indices), {'dtype': dtype, 'batch_dims': batch_dims, 'validate_indices': validate_indices}).outputs[0]


def resource_gather_nd(resource, indices, dtype, name=None):
    return apply('ResourceGatherNd', name, (resource, indices), {'dtype': dtype}).outputs[0]


def resource_scatter_add(resource, indices, updates, name=None):
    return apply('ResourceScatterAdd', name, (resource, indices, updates), {})


def resource_scatter_div(resource, indices, updates, name=None):
    return apply('ResourceScatterDiv', name, (resource, indices, updates), {})


def resource_scatter_max(resource, indices, updates, name=None):
    return apply('ResourceScatterMax', name, (resource, indices, updates), {})


def resource_scatter_min(resource, indices, updates, name=None):
    return apply('ResourceScatterMin', name, (resource, indices, updates), {})


def resource_scatter_mul(resource, indices, updates, name=None):
    return apply('ResourceScatterMul', name, (resource, indices, updates), {})


def resource_scatter_nd_add(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ResourceScatterNdAdd', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy})


def resource_scatter_nd_max(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ResourceScatterNdMax', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy})


def resource_scatter_nd_min(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ResourceScatterNdMin', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy})


def resource_scatter_nd_sub(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ResourceScatterNdSub', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy})


def resource_scatter_nd_update(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ResourceScatterNdUpdate', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy})


def resource_scatter_sub(resource, indices, updates, name=None):
    return apply('ResourceScatterSub', name, (resource, indices, updates), {})


def resource_scatter_update(resource, indices, updates, name=None):
    return apply('ResourceScatterUpdate', name, (resource, indices, updates), {})


def scatter_add(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterAdd', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_div(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterDiv', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_max(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterMax', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_min(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterMin', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_mul(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterMul', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_nd_add(ref, indices, updates, use_locking=False, bad_indices_policy='', name=None):
    return apply('ScatterNdAdd', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_nd_max(ref, indices, updates, use_locking=False, bad_indices_policy='', name=None):
    return apply('ScatterNdMax', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_nd_min(ref, indices, updates, use_locking=False, bad_indices_policy='', name=None):
    return apply('ScatterNdMin', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_nd_sub(ref, indices, updates, use_locking=False, bad_indices_policy='', name=None):
    return apply('ScatterNdSub', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_nd_update(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ScatterNdUpdate', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_sub(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterSub', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_update(ref, indices, updates, use_locking=True, name=None):
    return apply('ScatterUpdate', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def temporary_variable(shape, dtype, var_name='', name=None):
    return apply('TemporaryVariable', name, (), {'shape': shape, 'dtype': dtype, 'var_name': var_name}).outputs[0]


def var_handle_op(dtype, shape, container='', shared_name='', debug_name='', allowed_devices=[], name=None):
    return apply('VarHandleOp', name, (), {'dtype': dtype, 'shape': shape, 'container': container, 'shared_name': shared_name, 'debug_name': debug_name, 'allowed_devices': allowed_devices}).outputs[0]


def var_is_initialized_op(resource, name=None):
    return apply('VarIsInitializedOp', name, (resource,), {}).outputs[0]


def variable(shape, dtype, container='', shared_name='', name=None):
    return apply('Variable', name, (), {'shape': shape, 'dtype': dtype, 'container': container, 'shared_name': shared_name}).outputs[0]


def variable_shape(input, out_type=dtypes.int32, name=None):
    return apply('VariableShape', name, (input,), {'out_type': out_type}).outputs[0]


def variable_v2(shape, dtype, container='', shared_name='', name=None):
    return apply('VariableV2', name, (), {'shape': shape, 'dtype': dtype, 'container': container, 'shared_name': shared_name}).outputs[0]
