"""Ops: data, function. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'DirectedInterleaveDataset': 'selector_input_dataset:21 data_input_datasets:N*21|handle:21|output_types:[t output_shapes:[S N:i stop_on_empty_dataset:b|0',
    'FilterByLastComponentDataset': 'input_dataset:21|output:21|output_types:[t output_shapes:[S|0',
    'FilterDataset': 'input_dataset:21 other_arguments:*Targuments|handle:21|predicate:n Targuments:[t output_types:[t output_shapes:[S metadata:s|0',
    'FlatMapDataset': 'input_dataset:21 other_arguments:*Targuments|handle:21|f:n Targuments:[t output_types:[t output_shapes:[S metadata:s|0',
    'GeneratorDataset': 'init_func_other_args:*Tinit_func_args next_func_other_args:*Tnext_func_args finalize_func_other_args:*Tfinalize_func_args|handle:21|init_func:n next_func:n finalize_func:n Tinit_func_args:[t Tnext_func_args:[t Tfinalize_func_args:[t output_types:[t output_shapes:[S metadata:s|1',
    'IndexFlatMapDataset': 'input_dataset:21 map_func_other_args:*Tmap_func_args index_map_func_other_args:*Tindex_map_func_args output_cardinality:9|handle:21|map_func:n index_map_func:n Tmap_func_args:[t Tindex_map_func_args:[t output_types:[t output_shapes:[S metadata:s|0',
    'InterleaveDataset': 'input_dataset:21 other_arguments:*Targuments cycle_length:9 block_length:9|handle:21|f:n Targuments:[t output_types:[t output_shapes:[S metadata:s|0',
    'LegacyParallelInterleaveDatasetV2': 'input_dataset:21 other_arguments:*Targuments cycle_length:9 block_length:9 buffer_output_elements:9 prefetch_input_elements:9|handle:21|f:n deterministic:s Targuments:[t output_types:[t output_shapes:[S metadata:s|0',
    'MapAndBatchDataset': 'input_dataset:21 other_arguments:*Targuments batch_size:9 num_parallel_calls:9 drop_remainder:10|handle:21|f:n Targuments:[t output_types:[t output_shapes:[S preserve_cardinality:b metadata:s|0',
    'MapDataset': 'input_dataset:21 other_arguments:*Targuments|handle:21|f:n Targuments:[t output_types:[t output_shapes:[S use_inter_op_parallelism:b preserve_cardinality:b force_synchronous:b metadata:s|0',
    'MapDefun': 'arguments:*Targuments captured_inputs:*Tcaptured|output:*output_types|Targuments:[t Tcaptured:[t output_types:[t output_shapes:[S f:n max_intra_op_parallelism:i|0',
    'ParallelFilterDataset': 'input_dataset:21 other_arguments:*Targuments num_parallel_calls:9|handle:21|predicate:n deterministic:s Targuments:[t output_types:[t output_shapes:[S metadata:s|0',
    'ParallelInterleaveDataset': 'input_dataset:21 other_arguments:*Targuments cycle_length:9 block_length:9 sloppy:10 buffer_output_elements:9 prefetch_input_elements:9|handle:21|f:n Targuments:[t output_types:[t output_shapes:[S metadata:s|0',
    'ParallelInterleaveDatasetV2': 'input_dataset:21 other_arguments:*Targuments cycle_length:9 block_length:9 num_parallel_calls:9|handle:21|f:n Targuments:[t output_types:[t output_shapes:[S sloppy:b metadata:s|0',
    'ParallelInterleaveDatasetV3': 'input_dataset:21 other_arguments:*Targuments cycle_length:9 block_length:9 num_parallel_calls:9|handle:21|f:n deterministic:s Targuments:[t output_types:[t output_shapes:[S metadata:s|0',
    'ParallelInterleaveDatasetV4': 'input_dataset:21 other_arguments:*Targuments cycle_length:9 block_length:9 buffer_output_elements:9 prefetch_input_elements:9 num_parallel_calls:9|handle:21|f:n deterministic:s Targuments:[t output_types:[t output_shapes:[S metadata:s|0',
    'ParallelMapDataset': 'input_dataset:21 other_arguments:*Targuments num_parallel_calls:3|handle:21|f:n Targuments:[t output_types:[t output_shapes:[S use_inter_op_parallelism:b sloppy:b preserve_cardinality:b metadata:s|0',
    'ParallelMapDatasetV2': 'input_dataset:21 other_arguments:*Targuments num_parallel_calls:9|handle:21|f:n Targuments:[t output_types:[t output_shapes:[S use_inter_op_parallelism:b deterministic:s preserve_cardinality:b use_unbounded_threadpool:b metadata:s|0',
    'ScanDataset': 'input_dataset:21 initial_state:*Tstate other_arguments:*Targuments|handle:21|f:n Tstate:[t Targuments:[t output_types:[t output_shapes:[S preserve_cardinality:b use_default_device:b metadata:s|0',
    'TakeWhileDataset': 'input_dataset:21 other_arguments:*Targuments|handle:21|predicate:n Targuments:[t output_types:[t output_shapes:[S metadata:s|0',
}


def directed_interleave_dataset(selector_input_dataset, data_input_datasets, output_types, output_shapes, stop_on_empty_dataset=False, name=None):
    return apply('DirectedInterleaveDataset', name, (selector_input_dataset, data_input_datasets), {'output_types': output_types, 'output_shapes': output_shapes, 'stop_on_empty_dataset': stop_on_empty_dataset}).outputs[0]


def filter_by_last_component_dataset(input_dataset, output_types, output_shapes, name=None):
    return apply('FilterByLastComponentDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def filter_dataset(input_dataset, other_arguments, predicate, output_types, output_shapes, metadata='', name=None):
    return apply('FilterDataset', name, (input_dataset, other_arguments), {'predicate': predicate, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def flat_map_dataset(input_dataset, other_arguments, f, output_types, output_shapes, metadata='', name=None):
    return apply('FlatMapDataset', name, (input_dataset, other_arguments), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def generator_dataset(init_func_other_args, next_func_other_args, finalize_func_other_args, init_func, next_func, finalize_func, output_types, output_shapes, metadata='', name=None):
    return apply('GeneratorDataset', name, (init_func_other_args, next_func_other_args, finalize_func_other_args), {'init_func': init_func, 'next_func': next_func, 'finalize_func': finalize_func, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def index_flat_map_dataset(input_dataset, map_func_other_args, index_map_func_other_args, output_cardinality, map_func, index_map_func, output_types, output_shapes, metadata='', name=None):
    return apply('IndexFlatMapDataset', name, (input_dataset, map_func_other_args, index_map_func_other_args, output_cardinality), {'map_func': map_func, 'index_map_func': index_map_func, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def interleave_dataset(input_dataset, other_arguments, cycle_length, block_length, f, output_types, output_shapes, metadata='', name=None):
    return apply('InterleaveDataset', name, (input_dataset, other_arguments, cycle_length, block_length), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def legacy_parallel_interleave_dataset_v2(input_dataset, other_arguments, cycle_length, block_length, buffer_output_elements, prefetch_input_elements, f, output_types, output_shapes, deterministic='default', metadata='', name=None):
    return apply('LegacyParallelInterleaveDatasetV2', name, (input_dataset, other_arguments, cycle_length, block_length, buffer_output_elements, prefetch_input_elements), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'deterministic': deterministic, 'metadata': metadata}).outputs[0]


def map_and_batch_dataset(input_dataset, other_arguments, batch_size, num_parallel_calls, drop_remainder, f, output_types, output_shapes, preserve_cardinality=False, metadata='', name=None):
    return apply('MapAndBatchDataset', name, (input_dataset, other_arguments, batch_size, num_parallel_calls, drop_remainder), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'preserve_cardinality': preserve_cardinality, 'metadata': metadata}).outputs[0]


def map_dataset(input_dataset, other_arguments, f, output_types, output_shapes, use_inter_op_parallelism=True, preserve_cardinality=False, force_synchronous=False, metadata='', name=None):
    return apply('MapDataset', name, (input_dataset, other_arguments), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'use_inter_op_parallelism': use_inter_op_parallelism, 'preserve_cardinality': preserve_cardinality, 'force_synchronous': force_synchronous, 'metadata': metadata}).outputs[0]


def map_defun(arguments, captured_inputs, output_types, output_shapes, f, max_intra_op_parallelism=1, name=None):
    return apply('MapDefun', name, (arguments, captured_inputs), {'output_types': output_types, 'output_shapes': output_shapes, 'f': f, 'max_intra_op_parallelism': max_intra_op_parallelism}).outputs


def parallel_filter_dataset(input_dataset, other_arguments, num_parallel_calls, predicate, output_types, output_shapes, deterministic='default', metadata='', name=None):
    return apply('ParallelFilterDataset', name, (input_dataset, other_arguments, num_parallel_calls), {'predicate': predicate, 'output_types': output_types, 'output_shapes': output_shapes, 'deterministic': deterministic, 'metadata': metadata}).outputs[0]


def parallel_interleave_dataset(input_dataset, other_arguments, cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements, f, output_types, output_shapes, metadata='', name=None):
    return apply('ParallelInterleaveDataset', name, (input_dataset, other_arguments, cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def parallel_interleave_dataset_v2(input_dataset, other_arguments, cycle_length, block_length, num_parallel_calls, f, output_types, output_shapes, sloppy=False, metadata='', name=None):
    return apply('ParallelInterleaveDatasetV2', name, (input_dataset, other_arguments, cycle_length, block_length, num_parallel_calls), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'sloppy': sloppy, 'metadata': metadata}).outputs[0]


def parallel_interleave_dataset_v3(input_dataset, other_arguments, cycle_length, block_length, num_parallel_calls, f, output_types, output_shapes, deterministic='default', metadata='', name=None):
    return apply('ParallelInterleaveDatasetV3', name, (input_dataset, other_arguments, cycle_length, block_length, num_parallel_calls), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'deterministic': deterministic, 'metadata': metadata}).outputs[0]


def parallel_interleave_dataset_v4(input_dataset, other_arguments, cycle_length, block_length, buffer_output_elements, prefetch_input_elements, num_parallel_calls, f, output_types, output_shapes, deterministic='default', metadata='', name=None):
    return apply('ParallelInterleaveDatasetV4', name, (input_dataset, other_arguments, cycle_length, block_length, buffer_output_elements, prefetch_input_elements, num_parallel_calls), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'deterministic': deterministic, 'metadata': metadata}).outputs[0]


def parallel_map_dataset(input_dataset, other_arguments, num_parallel_calls, f, output_types, output_shapes, use_inter_op_parallelism=True, sloppy=False, preserve_cardinality=False, metadata='', name=None):
    return apply('ParallelMapDataset', name, (input_dataset, other_arguments, num_parallel_calls), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'use_inter_op_parallelism': use_inter_op_parallelism, 'sloppy': sloppy, 'preserve_cardinality': preserve_cardinality, 'metadata': metadata}).outputs[0]


def parallel_map_dataset_v2(input_dataset, other_arguments, num_parallel_calls, f, output_types, output_shapes, use_inter_op_parallelism=True, deterministic='default', preserve_cardinality=False, use_unbounded_threadpool=False, metadata='', name=None):
    return apply('ParallelMapDatasetV2', name, (input_dataset, other_arguments, num_parallel_calls), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'use_inter_op_parallelism': use_inter_op_parallelism, 'deterministic': deterministic, 'preserve_cardinality': preserve_cardinality, 'use_unbounded_threadpool': use_unbounded_threadpool, 'metadata': metadata}).outputs[0]


def scan_dataset(input_dataset, initial_state, other_arguments, f, output_types, output_shapes, preserve_cardinality=False, use_default_device=True, metadata='', name=None):
    return apply('ScanDataset', name, (input_dataset, initial_state, other_arguments), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'preserve_cardinality': preserve_cardinality, 'use_default_device': use_default_device, 'metadata': metadata}).outputs[0]


def take_while_dataset(input_dataset, other_arguments, predicate, output_types, output_shapes, metadata='', name=None):
    return apply('TakeWhileDataset', name, (input_dataset, other_arguments), {'predicate': predicate, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]
