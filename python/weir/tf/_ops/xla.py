"""Ops: xla. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AssignVariableXlaConcatND': 'resource:20 inputs:N*T||T:t N:i num_concats:[i paddings:[i|1',
    'ReadVariableXlaSplitND': 'resource:20|outputs:N*T|T:t N:i num_splits:[i paddings:[i|1',
    'RiscSort': 'input:T axis:Index|output:T|Index:t=3 T:t direction:s|0',
    'SyncDevice': '|||1',
    'TPUCompilationResult': '|output:7||0',
    'TPUEmbeddingActivations': 'embedding_variable:1 sliced_activations:1|output:1|table_id:i lookup_id:i|0',
    'TPUPartitionedInput': 'inputs:N*T|output:T|N:i T:t partition_dim:i|0',
    'TPUPartitionedInputV2': 'inputs:N*T|output:T|N:i T:t partition_dims:[i is_packed:b|0',
    'TPUPartitionedOutput': 'inputs:T|output:num_splits*T|T:t num_splits:i partition_dim:i|0',
    'TPUPartitionedOutputV2': 'inputs:T|output:num_splits*T|T:t num_splits:i partition_dims:[i|0',
    'TPUReplicateMetadata': '||num_replicas:i num_cores_per_replica:i topology:s use_tpu:b device_assignment:[i computation_shape:[i host_compute_core:[s padding_map:[s step_marker_location:s allow_soft_placement:b use_spmd_for_xla_partitioning:b use_shardy_partitioner:b tpu_compile_options_proto:s|0',
    'TPUReplicatedInput': 'inputs:N*T|output:T|N:i T:t is_mirrored_variable:b index:i is_packed:b|0',
    'TPUReplicatedOutput': 'input:T|outputs:num_replicas*T|num_replicas:i T:t|0',
    'XlaBroadcastHelper': 'lhs:T rhs:T broadcast_dims:Tindices|lhs_output:T rhs_output:T|T:t Tindices:t|0',
    'XlaConcatND': 'inputs:N*T|output:T|T:t N:i num_concats:[i paddings:[i|0',
    'XlaConv': 'lhs:T rhs:T window_strides:Tindices padding:Tindices lhs_dilation:Tindices rhs_dilation:Tindices feature_group_count:Tindices|output:T|T:t Tindices:t dimension_numbers:s precision_config:s|0',
    'XlaConvV2': 'lhs:LhsT rhs:RhsT window_strides:Tindices padding:Tindices lhs_dilation:Tindices rhs_dilation:Tindices feature_group_count:Tindices|output:preferred_element_type|LhsT:t RhsT:t Tindices:t dimension_numbers:s precision_config:s preferred_element_type:t batch_group_count:i|0',
    'XlaDot': 'lhs:T rhs:T|output:T|T:t dimension_numbers:s precision_config:s|0',
    'XlaDotV2': 'lhs:LhsT rhs:RhsT|output:preferred_element_type|LhsT:t RhsT:t dimension_numbers:s precision_config:s preferred_element_type:t|0',
    'XlaDynamicSlice': 'input:T start_indices:Tindices size_indices:Tindices|output:T|T:t Tindices:t|0',
    'XlaDynamicUpdateSlice': 'input:T update:T indices:Tindices|output:T|T:t Tindices:t|0',
    'XlaEinsum': 'a:T b:T|product:T|equation:s T:t|0',
    'XlaGather': 'operand:T start_indices:Tindices slice_sizes:Tindices|output:T|dimension_numbers:s indices_are_sorted:b T:t Tindices:t|0',
    'XlaKeyValueSort': 'keys:K values:V|sorted_keys:K sorted_values:V|K:t V:t|0',
    'XlaPad': 'input:T padding_value:T padding_low:Tindices padding_high:Tindices padding_interior:Tindices|output:T|T:t Tindices:t|0',
    'XlaReduce': 'input:T init_value:T|output:T|T:t dimensions_to_reduce:[i reducer:n|0',
    'XlaReducePrecision': 'operand:T|output:T|T:t exponent_bits:i mantissa_bits:i|0',
    'XlaReduceWindow': 'input:T init_value:T window_dimensions:Tindices window_strides:Tindices base_dilations:Tindices window_dilations:Tindices padding:Tindices|output:T|T:t Tindices:t computation:n|0',
    'XlaReplicaId': '|id:3||0',
    'XlaScatter': 'operand:T scatter_indices:Tindices updates:T|output:T|update_computation:n dimension_numbers:s indices_are_sorted:b T:t Tindices:t|0',
    'XlaSelfAdjointEig': 'a:T|w:T v:T|lower:b max_iter:i epsilon:f T:t|0',
    'XlaSetDynamicDimensionSize': 'input:T dim_index:3 size:3|output:T|T:t|0',
    'XlaSort': 'input:T|output:T|T:t|0',
    'XlaSplitND': 'input:T|outputs:N*T|T:t N:i num_splits:[i paddings:[i|0',
    'XlaSvd': 'a:T|s:T u:T v:T|max_iter:i epsilon:f precision_config:s T:t|0',
    'XlaVariadicReduce': 'input:N*T init_value:N*T|output:N*T|N:i T:t dimensions_to_reduce:[i reducer:n|0',
    'XlaVariadicReduceV2': 'inputs:*T init_values:*T|outputs:*T|T:[t dimensions_to_reduce:[i reducer:n|0',
}


def assign_variable_xla_concat_nd(resource, inputs, num_concats, paddings=[], name=None):
    return apply('AssignVariableXlaConcatND', name, (resource, inputs), {'num_concats': num_concats, 'paddings': paddings})


def read_variable_xla_split_nd(resource, T, N, num_splits, paddings=[], name=None):
    return apply('ReadVariableXlaSplitND', name, (resource,), {'T': T, 'N': N, 'num_splits': num_splits, 'paddings': paddings}).outputs


def risc_sort(input, axis, direction, name=None):
    return apply('RiscSort', name, (input, axis), {'direction': direction}).outputs[0]


def sync_device(name=None):
    return apply('SyncDevice', name, (), {})


def tpu_compilation_result(name=None):
    return apply('TPUCompilationResult', name, (), {}).outputs[0]


def tpu_embedding_activations(embedding_variable, sliced_activations, table_id, lookup_id, name=None):
    return apply('TPUEmbeddingActivations', name, (embedding_variable, sliced_activations), {'table_id': table_id, 'lookup_id': lookup_id}).outputs[0]


def tpu_partitioned_input(inputs, partition_dim=0, name=None):
    return apply('TPUPartitionedInput', name, (inputs,), {'partition_dim': partition_dim}).outputs[0]


def tpu_partitioned_input_v2(inputs, partition_dims, is_packed=False, name=None):
    return apply('TPUPartitionedInputV2', name, (inputs,), {'partition_dims': partition_dims, 'is_packed': is_packed}).outputs[0]


def tpu_partitioned_output(inputs, num_splits, partition_dim=0, name=None):
    return apply('TPUPartitionedOutput', name, (inputs,), {'num_splits': num_splits, 'partition_dim': partition_dim}).outputs


def tpu_partitioned_output_v2(inputs, num_splits, partition_dims, name=None):
    return apply('TPUPartitionedOutputV2', name, (inputs,), {'num_splits': num_splits, 'partition_dims': partition_dims}).outputs


def tpu_replicate_metadata(num_replicas, num_cores_per_replica=1, topology='', use_tpu=True, device_assignment=[], computation_shape=[], host_compute_core=[], padding_map=[], step_marker_location='STEP_MARK_AT_ENTRY', allow_soft_placement=False, use_spmd_for_xla_partitioning=False, use_shardy_partitioner=False, tpu_compile_options_proto='', name=None):
    return apply('TPUReplicateMetadata', name, (), {'num_replicas': num_replicas, 'num_cores_per_replica': num_cores_per_replica, 'topology': topology, 'use_tpu': use_tpu, 'device_assignment': device_assignment, 'computation_shape': computation_shape, 'host_compute_core': host_compute_core, 'padding_map': padding_map, 'step_marker_location': step_marker_location, 'allow_soft_placement': allow_soft_placement, 'use_spmd_for_xla_partitioning': use_spmd_for_xla_partitioning, 'use_shardy_partitioner': use_shardy_partitioner, 'tpu_compile_options_proto': tpu_compile_options_proto})


def tpu_replicated_input(inputs, is_mirrored_variable=False, index=-1, is_packed=False, name=None):
    return apply('TPUReplicatedInput', name, (inputs,), {'is_mirrored_variable': is_mirrored_variable, 'index': index, 'is_packed': is_packed}).outputs[0]


def tpu_replicated_output(input, num_replicas, name=None):
    return apply('TPUReplicatedOutput', name, (input,), {'num_replicas': num_replicas}).outputs


def xla_broadcast_helper(lhs, rhs, broadcast_dims, name=None):
    return results(apply('XlaBroadcastHelper', name, (lhs, rhs, broadcast_dims), {}))


def xla_concat_nd(inputs, num_concats, paddings=[], name=None):
    return apply('XlaConcatND', name, (inputs,), {'num_concats': num_concats, 'paddings': paddings}).outputs[0]


def xla_conv(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, feature_group_count, dimension_numbers, precision_config, name=None):
    return apply('XlaConv', name, (lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, feature_group_count), {'dimension_numbers': dimension_numbers, 'precision_config': precision_config}).outputs[0]


def xla_conv_v2(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, feature_group_count, dimension_numbers, precision_config, preferred_element_type, batch_group_count=1, name=None):
    return apply('XlaConvV2', name, (lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, feature_group_count), {'dimension_numbers': dimension_numbers, 'precision_config': precision_config, 'preferred_element_type': preferred_element_type, 'batch_group_count': batch_group_count}).outputs[0]


def xla_dot(lhs, rhs, dimension_numbers, precision_config, name=None):
    return apply('XlaDot', name, (lhs, rhs), {'dimension_numbers': dimension_numbers, 'precision_config': precision_config}).outputs[0]


def xla_dot_v2(lhs, rhs, dimension_numbers, precision_config, preferred_element_type, name=None):
    return apply('XlaDotV2', name, (lhs, rhs), {'dimension_numbers': dimension_numbers, 'precision_config': precision_config, 'preferred_element_type': preferred_element_type}).outputs[0]


def xla_dynamic_slice(input, start_indices, size_indices, name=None):
    return apply('XlaDynamicSlice', name, (input, start_indices, size_indices), {}).outputs[0]


def xla_dynamic_update_slice(input, update, indices, name=None):
    return apply('XlaDynamicUpdateSlice', name, (input, update, indices), {}).outputs[0]


def xla_einsum(a, b, equation, name=None):
    return apply('XlaEinsum', name, (a, b), {'equation': equation}).outputs[0]


def xla_gather(operand, start_indices, slice_sizes, dimension_numbers, indices_are_sorted, name=None):
    return apply('XlaGather', name, (operand, start_indices, slice_sizes), {'dimension_numbers': dimension_numbers, 'indices_are_sorted': indices_are_sorted}).outputs[0]


def xla_key_value_sort(keys, values, name=None):
    return results(apply('XlaKeyValueSort', name, (keys, values), {}))


def xla_pad(input, padding_value, padding_low, padding_high, padding_interior, name=None):
    return apply('XlaPad', name, (input, padding_value, padding_low, padding_high, padding_interior), {}).outputs[0]


def xla_reduce(input, init_value, dimensions_to_reduce, reducer, name=None):
    return apply('XlaReduce', name, (input, init_value), {'dimensions_to_reduce': dimensions_to_reduce, 'reducer': reducer}).outputs[0]


def xla_reduce_precision(operand, exponent_bits, mantissa_bits, name=None):
    return apply('XlaReducePrecision', name, (operand,), {'exponent_bits': exponent_bits, 'mantissa_bits': mantissa_bits}).outputs[0]


def xla_reduce_window(input, init_value, window_dimensions, window_strides, base_dilations, window_dilations, padding, computation, name=None):
    return apply('XlaReduceWindow', name, (input, init_value, window_dimensions, window_strides, base_dilations, window_dilations, padding), {'computation': computation}).outputs[0]


def xla_replica_id(name=None):
    return apply('XlaReplicaId', name, (), {}).outputs[0]


def xla_scatter(operand, scatter_indices, updates, update_computation, dimension_numbers, indices_are_sorted, name=None):
    return apply('XlaScatter', name, (operand, scatter_indices, updates), {'update_computation': update_computation, 'dimension_numbers': dimension_numbers, 'indices_are_sorted': indices_are_sorted}).outputs[0]


def xla_self_adjoint_eig(a, lower, max_iter, epsilon, name=None):
    return results(apply('XlaSelfAdjointEig', name, (a,), {'lower': lower, 'max_iter': max_iter, 'epsilon': epsilon}))


def xla_set_dynamic_dimension_size(input, dim_index, size, name=None):
    return apply('XlaSetDynamicDimensionSize', name, (input, dim_index, size), {}).outputs[0]


def xla_sort(input, name=None):
    return apply('XlaSort', name, (input,), {}).outputs[0]


def xla_split_nd(input, N, num_splits, paddings=[], name=None):
    return apply('XlaSplitND', name, (input,), {'N': N, 'num_splits': num_splits, 'paddings': paddings}).outputs


def xla_svd(a, max_iter, epsilon, precision_config, name=None):
    return results(apply('XlaSvd', name, (a,), {'max_iter': max_iter, 'epsilon': epsilon, 'precision_config': precision_config}))


def xla_variadic_reduce(input, init_value, dimensions_to_reduce, reducer, name=None):
    return apply('XlaVariadicReduce', name, (input, init_value), {'dimensions_to_reduce': dimensions_to_reduce, 'reducer': reducer}).outputs


def xla_variadic_reduce_v2(inputs, init_values, dimensions_to_reduce, reducer, name=None):
    return apply('XlaVariadicReduceV2', name, (inputs, init_values), {'dimensions_to_reduce': dimensions_to_reduce, 'reducer': reducer}).outputs
