"""Ops: data, group. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AutoShardDataset': 'input_dataset:21 num_workers:9 index:9|handle:21|auto_shard_policy:i output_types:[t output_shapes:[S num_replicas:i|0',
    'BatchDataset': 'input_dataset:21 batch_size:9|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'BatchDatasetV2': 'input_dataset:21 batch_size:9 drop_remainder:10|handle:21|parallel_copy:b output_types:[t output_shapes:[S metadata:s|0',
    'ComputeBatchSize': 'input_dataset:21|batch_size:9||0',
    'DenseToSparseBatchDataset': 'input_dataset:21 batch_size:9 row_shape:9|handle:21|output_types:[t output_shapes:[S|0',
    'GroupByReducerDataset': 'input_dataset:21 key_func_other_arguments:*Tkey_func_other_arguments init_func_other_arguments:*Tinit_func_other_arguments reduce_func_other_arguments:*Treduce_func_other_arguments finalize_func_other_arguments:*Tfinalize_func_other_arguments|handle:21|key_func:n init_func:n reduce_func:n finalize_func:n Tkey_func_other_arguments:[t Tinit_func_other_arguments:[t Treduce_func_other_arguments:[t Tfinalize_func_other_arguments:[t output_types:[t output_shapes:[S|1',
    'GroupByWindowDataset': 'input_dataset:21 key_func_other_arguments:*Tkey_func_other_arguments reduce_func_other_arguments:*Treduce_func_other_arguments window_size_func_other_arguments:*Twindow_size_func_other_arguments|handle:21|key_func:n reduce_func:n window_size_func:n Tkey_func_other_arguments:[t Treduce_func_other_arguments:[t Twindow_size_func_other_arguments:[t output_types:[t output_shapes:[S metadata:s|0',
    'PaddedBatchDataset': 'input_dataset:21 batch_size:9 padded_shapes:N*9 padding_values:*Toutput_types|handle:21|Toutput_types:[t output_shapes:[S N:i metadata:s|0',
    'PaddedBatchDatasetV2': 'input_dataset:21 batch_size:9 padded_shapes:N*9 padding_values:*Toutput_types drop_remainder:10|handle:21|parallel_copy:b Toutput_types:[t output_shapes:[S N:i metadata:s|0',
    'ParallelBatchDataset': 'input_dataset:21 batch_size:9 num_parallel_calls:9 drop_remainder:10|handle:21|parallel_copy:b output_types:[t output_shapes:[S deterministic:s metadata:s|0',
    'ShardDataset': 'input_dataset:21 num_shards:9 index:9|handle:21|require_non_empty:b output_types:[t output_shapes:[S metadata:s|0',
    'SlidingWindowDataset': 'input_dataset:21 window_size:9 window_shift:9 window_stride:9|handle:21|drop_remainder:b output_types:[t output_shapes:[S|0',
    'UniqueDataset': 'input_dataset:21|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'WindowDataset': 'input_dataset:21 size:9 shift:9 stride:9 drop_remainder:10|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'WindowOp': 'inputs:*Tinputs|handle:21|output_types:[t output_shapes:[S Tinputs:[t|0',
}


def auto_shard_dataset(input_dataset, num_workers, index, output_types, output_shapes, auto_shard_policy=0, num_replicas=0, name=None):
    return apply('AutoShardDataset', name, (input_dataset, num_workers, index), {'output_types': output_types, 'output_shapes': output_shapes, 'auto_shard_policy': auto_shard_policy, 'num_replicas': num_replicas}).outputs[0]


def batch_dataset(input_dataset, batch_size, output_types, output_shapes, metadata='', name=None):
    return apply('BatchDataset', name, (input_dataset, batch_size), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def batch_dataset_v2(input_dataset, batch_size, drop_remainder, output_types, output_shapes, parallel_copy=False, metadata='', name=None):
    return apply('BatchDatasetV2', name, (input_dataset, batch_size, drop_remainder), {'output_types': output_types, 'output_shapes': output_shapes, 'parallel_copy': parallel_copy, 'metadata': metadata}).outputs[0]


def compute_batch_size(input_dataset, name=None):
    return apply('ComputeBatchSize', name, (input_dataset,), {}).outputs[0]


def dense_to_sparse_batch_dataset(input_dataset, batch_size, row_shape, output_types, output_shapes, name=None):
    return apply('DenseToSparseBatchDataset', name, (input_dataset, batch_size, row_shape), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def group_by_reducer_dataset(input_dataset, key_func_other_arguments, init_func_other_arguments, reduce_func_other_arguments, finalize_func_other_arguments, key_func, init_func, reduce_func, finalize_func, output_types, output_shapes, name=None):
    return apply('GroupByReducerDataset', name, (input_dataset, key_func_other_arguments, init_func_other_arguments, reduce_func_other_arguments, finalize_func_other_arguments), {'key_func': key_func, 'init_func': init_func, 'reduce_func': reduce_func, 'finalize_func': finalize_func, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def group_by_window_dataset(input_dataset, key_func_other_arguments, reduce_func_other_arguments, window_size_func_other_arguments, key_func, reduce_func, window_size_func, output_types, output_shapes, metadata='', name=None):
    return apply('GroupByWindowDataset', name, (input_dataset, key_func_other_arguments, reduce_func_other_arguments, window_size_func_other_arguments), {'key_func': key_func, 'reduce_func': reduce_func, 'window_size_func': window_size_func, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def padded_batch_dataset(input_dataset, batch_size, padded_shapes, padding_values, output_shapes, metadata='', name=None):
    return apply('PaddedBatchDataset', name, (input_dataset, batch_size, padded_shapes, padding_values), {'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def padded_batch_dataset_v2(input_dataset, batch_size, padded_shapes, padding_values, drop_remainder, output_shapes, parallel_copy=False, metadata='', name=None):
    return apply('PaddedBatchDatasetV2', name, (input_dataset, batch_size, padded_shapes, padding_values, drop_remainder), {'output_shapes': output_shapes, 'parallel_copy': parallel_copy, 'metadata': metadata}).outputs[0]


def parallel_batch_dataset(input_dataset, batch_size, num_parallel_calls, drop_remainder, output_types, output_shapes, parallel_copy=False, deterministic='default', metadata='', name=None):
    return apply('ParallelBatchDataset', name, (input_dataset, batch_size, num_parallel_calls, drop_remainder), {'output_types': output_types, 'output_shapes': output_shapes, 'parallel_copy': parallel_copy, 'deterministic': deterministic, 'metadata': metadata}).outputs[0]


def shard_dataset(input_dataset, num_shards, index, output_types, output_shapes, require_non_empty=False, metadata='', name=None):
    return apply('ShardDataset', name, (input_dataset, num_shards, index), {'output_types': output_types, 'output_shapes': output_shapes, 'require_non_empty': require_non_empty, 'metadata': metadata}).outputs[0]


def sliding_window_dataset(input_dataset, window_size, window_shift, window_stride, output_types, output_shapes, drop_remainder=True, name=None):
    return apply('SlidingWindowDataset', name, (input_dataset, window_size, window_shift, window_stride), {'output_types': output_types, 'output_shapes': output_shapes, 'drop_remainder': drop_remainder}).outputs[0]


def unique_dataset(input_dataset, output_types, output_shapes, metadata='', name=None):
    return apply('UniqueDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def window_dataset(input_dataset, size, shift, stride, drop_remainder, output_types, output_shapes, metadata='', name=None):
    return apply('WindowDataset', name, (input_dataset, size, shift, stride, drop_remainder), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def window_op(inputs, output_types, output_shapes, name=None):
    return apply('WindowOp', name, (inputs,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]
