"""Ops: collective. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'CollectiveAllToAllV2': 'input:T group_size:3 group_key:3 instance_key:3 ordering_token:Nordering_token*20|data:T|T:t communication_hint:s timeout_seconds:f is_stateless:b Nordering_token:i|1',
    'CollectiveAllToAllV3': 'input:T communicator:20 group_assignment:3|data:T|T:t timeout_seconds:f|1',
    'CollectiveBcastRecv': '|data:T|T:t group_size:i group_key:i instance_key:i shape:S communication_hint:s timeout_seconds:f|1',
    'CollectiveBcastRecvV2': 'group_size:3 group_key:3 instance_key:3 shape:Tshape|data:T|T:t Tshape:t=3 communication_hint:s timeout_seconds:f|1',
    'CollectiveBcastSend': 'input:T|data:T|T:t group_size:i group_key:i instance_key:i shape:S communication_hint:s timeout_seconds:f|1',
    'CollectiveBcastSendV2': 'input:T group_size:3 group_key:3 instance_key:3|data:T|T:t communication_hint:s timeout_seconds:f|1',
    'CollectiveGather': 'input:T|data:T|T:t group_size:i group_key:i instance_key:i shape:S communication_hint:s timeout_seconds:f|1',
    'CollectiveGatherV2': 'input:T group_size:3 group_key:3 instance_key:3 ordering_token:Nordering_token*20|data:T|T:t communication_hint:s timeout_seconds:f is_stateless:b Nordering_token:i|1',
    'CollectiveInitializeCommunicator': 'group_key:3 rank:3 group_size:3|communicator:20|communication_hint:s timeout_seconds:f|1',
    'CollectiveReduce': 'input:T|data:T|T:t group_size:i group_key:i instance_key:i merge_op:s final_op:s subdiv_offsets:[i wait_for:[i communication_hint:s timeout_seconds:f|1',
    'CollectiveReduceScatterV2': 'input:T group_size:3 group_key:3 instance_key:3 ordering_token:Nordering_token*20|data:T|T:t merge_op:s final_op:s communication_hint:s timeout_seconds:f is_stateless:b Nordering_token:i max_subdivs_per_device:i|1',
    'CollectiveReduceV2': 'input:T group_size:3 group_key:3 instance_key:3 ordering_token:Nordering_token*20|data:T|T:t merge_op:s final_op:s communication_hint:s timeout_seconds:f is_stateless:b Nordering_token:i max_subdivs_per_device:i|1',
    'CollectiveReduceV3': 'input:T communicator:20 group_assignment:3|data:T|T:t reduction:s timeout_seconds:f|1',
}


def collective_all_to_all_v2(input, group_size, group_key, instance_key, ordering_token, communication_hint='auto', timeout_seconds=0.0, is_stateless=False, name=None):
    return apply('CollectiveAllToAllV2', name, (input, group_size, group_key, instance_key, ordering_token), {'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds, 'is_stateless': is_stateless}).outputs[0]


def collective_all_to_all_v3(input, communicator, group_assignment, timeout_seconds=0.0, name=None):
    return apply('CollectiveAllToAllV3', name, (input, communicator, group_assignment), {'timeout_seconds': timeout_seconds}).outputs[0]


def collective_bcast_recv(T, group_size, group_key, instance_key, shape, communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveBcastRecv', name, (), {'T': T, 'group_size': group_size, 'group_key': group_key, 'instance_key': instance_key, 'shape': shape, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_bcast_recv_v2(group_size, group_key, instance_key, shape, T, communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveBcastRecvV2', name, (group_size, group_key, instance_key, shape), {'T': T, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_bcast_send(input, group_size, group_key, instance_key, shape, communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveBcastSend', name, (input,), {'group_size': group_size, 'group_key': group_key, 'instance_key': instance_key, 'shape': shape, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_bcast_send_v2(input, group_size, group_key, instance_key, communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveBcastSendV2', name, (input, group_size, group_key, instance_key), {'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_gather(input, group_size, group_key, instance_key, shape, communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveGather', name, (input,), {'group_size': group_size, 'group_key': group_key, 'instance_key': instance_key, 'shape': shape, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_gather_v2(input, group_size, group_key, instance_key, ordering_token, communication_hint='auto', timeout_seconds=0.0, is_stateless=False, name=None):
    return apply('CollectiveGatherV2', name, (input, group_size, group_key, instance_key, ordering_token), {'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds, 'is_stateless': is_stateless}).outputs[0]


def collective_initialize_communicator(group_key, rank, group_size, communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveInitializeCommunicator', name, (group_key, rank, group_size), {'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_reduce(input, group_size, group_key, instance_key, merge_op, final_op, subdiv_offsets, wait_for=[], communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveReduce', name, (input,), {'group_size': group_size, 'group_key': group_key, 'instance_key': instance_key, 'merge_op': merge_op, 'final_op': final_op, 'subdiv_offsets': subdiv_offsets, 'wait_for': wait_for, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_reduce_scatter_v2(input, group_size, group_key, instance_key, ordering_token, merge_op, final_op, communication_hint='auto', timeout_seconds=0.0, is_stateless=False, max_subdivs_per_device=-1, name=None):
    return apply('CollectiveReduceScatterV2', name, (input, group_size, group_key, instance_key, ordering_token), {'merge_op': merge_op, 'final_op': final_op, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds, 'is_stateless': is_stateless, 'max_subdivs_per_device': max_subdivs_per_device}).outputs[0]


def collective_reduce_v2(input, group_size, group_key, instance_key, ordering_token, merge_op, final_op, communication_hint='auto', timeout_seconds=0.0, is_stateless=False, max_subdivs_per_device=-1, name=None):
    return apply('CollectiveReduceV2', name, (input, group_size, group_key, instance_key, ordering_token), {'merge_op': merge_op, 'final_op': final_op, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds, 'is_stateless': is_stateless, 'max_subdivs_per_device': max_subdivs_per_device}).outputs[0]


def collective_reduce_v3(input, communicator, group_assignment, reduction, timeout_seconds=0.0, name=None):
    return apply('CollectiveReduceV3', name, (input, communicator, group_assignment), {'reduction': reduction, 'timeout_seconds': timeout_seconds}).outputs[0]
