"""Ops: array, tool. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'Assert': 'condition:10 data:*T||T:[t summarize:i|1',
    'CheckNumerics': 'tensor:T|output:T|T:t message:s|1',
    'CheckNumericsV2': 'tensor:T|output:T|T:t message:s|1',
    'Copy': 'input:T|output:T|T:t tensor_name:s debug_ops_spec:[s|0',
    'CopyHost': 'input:T|output:T|T:t tensor_name:s debug_ops_spec:[s|0',
    'DebugGradientIdentity': 'input:T|output:T|T:t|0',
    'DebugIdentity': 'input:T|output:T|T:t device_name:s tensor_name:s debug_urls:[s gated_grpc:b|0',
    'DebugIdentityV2': 'input:T|output:T|T:t tfdbg_context_id:s op_name:s output_slot:i tensor_debug_mode:i debug_urls:[s circular_buffer_size:i tfdbg_run_id:s|1',
    'DebugIdentityV3': 'input:T|output:T|T:t device_name:s tensor_name:s io_of_node:s is_input:b io_index:i debug_urls:[s gated_grpc:b|1',
    'DebugNanCount': 'input:T|output:9|T:t device_name:s tensor_name:s debug_urls:[s gated_grpc:b|0',
    'DebugNumericSummary': 'input:T|output:2|T:t device_name:s tensor_name:s debug_urls:[s lower_bound:f upper_bound:f mute_if_healthy:b gated_grpc:b|0',
    'DebugNumericSummaryV2': 'input:T|output:output_dtype|output_dtype:t=1 T:t tensor_debug_mode:i tensor_id:i|0',
    'Print': 'input:T data:*U|output:T|T:t U:[t message:s first_n:i summarize:i|1',
    'PrintV2': 'input:7||output_stream:s end:s|1',
    'XlaClusterOutput': 'input:T|outputs:T|T:t|0',
    'XlaOptimizationBarrier': 'input:*T|output:*T|T:[t|0',
    'XlaRemoveDynamicDimensionSize': 'input:T dim_index:3|output:T|T:t|0',
    'XlaSharding': 'input:T|output:T|T:t sharding:s unspecified_dims:[i|0',
    'XlaSpmdFullToShardShape': 'input:T|output:T|T:t manual_sharding:s dim:i unspecified_dims:[i|0',
    'XlaSpmdShardToFullShape': 'input:T|output:T|T:t manual_sharding:s full_shape:S dim:i unspecified_dims:[i|0',
}


def assert_(condition, data, summarize=3, name=None):
    return apply('Assert', name, (condition, data), {'summarize': summarize})


def check_numerics(tensor, message, name=None):
    return apply('CheckNumerics', name, (tensor,), {'message': message}).outputs[0]


def check_numerics_v2(tensor, message, name=None):
    return apply('CheckNumericsV2', name, (tensor,), {'message': message}).outputs[0]


def copy(input, tensor_name='', debug_ops_spec=[], name=None):
    return apply('Copy', name, (input,), {'tensor_name': tensor_name, 'debug_ops_spec': debug_ops_spec}).outputs[0]


def copy_host(input, tensor_name='', debug_ops_spec=[], name=None):
    return apply('CopyHost', name, (input,), {'tensor_name': tensor_name, 'debug_ops_spec': debug_ops_spec}).outputs[0]


def debug_gradient_identity(input, name=None):
    return apply('DebugGradientIdentity', name, (input,), {}).outputs[0]


def debug_identity(input, device_name='', tensor_name='', debug_urls=[], gated_grpc=False, name=None):
    return apply('DebugIdentity', name, (input,), {'device_name': device_name, 'tensor_name': tensor_name, 'debug_urls': debug_urls, 'gated_grpc': gated_grpc}).outputs[0]


def debug_identity_v2(input, tfdbg_context_id='', op_name='', output_slot=-1, tensor_debug_mode=-1, debug_urls=[], circular_buffer_size=1000, tfdbg_run_id='', name=None):
    return apply('DebugIdentityV2', name, (input,), {'tfdbg_context_id': tfdbg_context_id, 'op_name': op_name, 'output_slot': output_slot, 'tensor_debug_mode': tensor_debug_mode, 'debug_urls': debug_urls, 'circular_buffer_size': circular_buffer_size, 'tfdbg_run_id': tfdbg_run_id}).outputs[0]


def debug_identity_v3(input, device_name='', tensor_name='', io_of_node='', is_input=False, io_index=-1, debug_urls=[], gated_grpc=False, name=None):
    return apply('DebugIdentityV3', name, (input,), {'device_name': device_name, 'tensor_name': tensor_name, 'io_of_node': io_of_node, 'is_input': is_input, 'io_index': io_index, 'debug_urls': debug_urls, 'gated_grpc': gated_grpc}).outputs[0]


def debug_nan_count(input, device_name='', tensor_name='', debug_urls=[], gated_grpc=False, name=None):
    return apply('DebugNanCount', name, (input,), {'device_name': device_name, 'tensor_name': tensor_name, 'debug_urls': debug_urls, 'gated_grpc': gated_grpc}).outputs[0]


def debug_numeric_summary(input, device_name='', tensor_name='', debug_urls=[], lower_bound=float('-inf'), upper_bound=float('inf'), mute_if_healthy=False, gated_grpc=False, name=None):
    return apply('DebugNumericSummary', name, (input,), {'device_name': device_name, 'tensor_name': tensor_name, 'debug_urls': debug_urls, 'lower_bound': lower_bound, 'upper_bound': upper_bound, 'mute_if_healthy': mute_if_healthy, 'gated_grpc': gated_grpc}).outputs[0]


def debug_numeric_summary_v2(input, output_dtype=dtypes.float32, tensor_debug_mode=-1, tensor_id=-1, name=None):
    return apply('DebugNumericSummaryV2', name, (input,), {'output_dtype': output_dtype, 'tensor_debug_mode': tensor_debug_mode, 'tensor_id': tensor_id}).outputs[0]


def print(input, data, message='', first_n=-1, summarize=3, name=None):
    return apply('Print', name, (input, data), {'message': message, 'first_n': first_n, 'summarize': summarize}).outputs[0]


def print_v2(input, output_stream='stderr', end='\n', name=None):
    return apply('PrintV2', name, (input,), {'output_stream': output_stream, 'end': end})


def xla_cluster_output(input, name=None):
    return apply('XlaClusterOutput', name, (input,), {}).outputs[0]


def xla_optimization_barrier(input, name=None):
    return apply('XlaOptimizationBarrier', name, (input,), {}).outputs


def xla_remove_dynamic_dimension_size(input, dim_index, name=None):
    return apply('XlaRemoveDynamicDimensionSize', name, (input, dim_index), {}).outputs[0]


def xla_sharding(input, sharding='', unspecified_dims=[], name=None):
    return apply('XlaSharding', name, (input,), {'sharding': sharding, 'unspecified_dims': unspecified_dims}).outputs[0]


def xla_spmd_full_to_shard_shape(input, manual_sharding, dim=-1, unspecified_dims=[], name=None):
    return apply('XlaSpmdFullToShardShape', name, (input,), {'manual_sharding': manual_sharding, 'dim': dim, 'unspecified_dims': unspecified_dims}).outputs[0]


def xla_spmd_shard_to_full_shape(input, manual_sharding, full_shape, dim=-1, unspecified_dims=[], name=None):
    return apply('XlaSpmdShardToFullShape', name, (input,), {'manual_sharding': manual_sharding, 'full_shape': full_shape, 'dim': dim, 'unspecified_dims': unspecified_dims}).outputs[0]
