"""Ops: data, order. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'BatchDataset': 'input_dataset:21 batch_size:9|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'BatchDatasetV2': 'input_dataset:21 batch_size:9 drop_remainder:10|handle:21|parallel_copy:b output_types:[t output_shapes:[S metadata:s|0',
    'CacheDataset': 'input_dataset:21 filename:7|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'CacheDatasetV2': 'input_dataset:21 filename:7 cache:20|handle:21|output_types:[t output_shapes:[S metadata:s|1',
    'ConcatenateDataset': 'input_dataset:21 another_dataset:21|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'GlobalShuffleDataset': 'input_dataset:21 seed:9 seed2:9 seed_generator:20|handle:21|reshuffle_each_iteration:b output_types:[t output_shapes:[S metadata:s|1',
    'PaddedBatchDataset': 'input_dataset:21 batch_size:9 padded_shapes:N*9 padding_values:*Toutput_types|handle:21|Toutput_types:[t output_shapes:[S N:i metadata:s|0',
    'PaddedBatchDatasetV2': 'input_dataset:21 batch_size:9 padded_shapes:N*9 padding_values:*Toutput_types drop_remainder:10|handle:21|parallel_copy:b Toutput_types:[t output_shapes:[S N:i metadata:s|0',
    'ParallelBatchDataset': 'input_dataset:21 batch_size:9 num_parallel_calls:9 drop_remainder:10|handle:21|parallel_copy:b output_types:[t output_shapes:[S deterministic:s metadata:s|0',
    'PrefetchDataset': 'input_dataset:21 buffer_size:9|handle:21|output_types:[t output_shapes:[S slack_period:i legacy_autotune:b buffer_size_min:i metadata:s|0',
    'RepeatDataset': 'input_dataset:21 count:9|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'ShardDataset': 'input_dataset:21 num_shards:9 index:9|handle:21|require_non_empty:b output_types:[t output_shapes:[S metadata:s|0',
    'ShuffleAndRepeatDataset': 'input_dataset:21 buffer_size:9 seed:9 seed2:9 count:9|handle:21|output_types:[t output_shapes:[S reshuffle_each_iteration:b metadata:s|0',
    'ShuffleAndRepeatDatasetV2': 'input_dataset:21 buffer_size:9 seed:9 seed2:9 count:9 seed_generator:20|handle:21|reshuffle_each_iteration:b output_types:[t output_shapes:[S metadata:s|1',
    'ShuffleDataset': 'input_dataset:21 buffer_size:9 seed:9 seed2:9|handle:21|reshuffle_each_iteration:b output_types:[t output_shapes:[S metadata:s|0',
    'ShuffleDatasetV2': 'input_dataset:21 buffer_size:9 seed_generator:20|handle:21|output_types:[t output_shapes:[S metadata:s|1',
    'ShuffleDatasetV3': 'input_dataset:21 buffer_size:9 seed:9 seed2:9 seed_generator:20|handle:21|reshuffle_each_iteration:b output_types:[t output_shapes:[S metadata:s|1',
    'SkipDataset': 'input_dataset:21 count:9|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'TakeDataset': 'input_dataset:21 count:9|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'UnbatchDataset': 'input_dataset:21|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'WindowDataset': 'input_dataset:21 size:9 shift:9 stride:9 drop_remainder:10|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'ZipDataset': 'input_datasets:N*21|handle:21|output_types:[t output_shapes:[S N:i metadata:s|0',
}


def batch_dataset(input_dataset, batch_size, output_types, output_shapes, metadata='', name=None):
    return apply('BatchDataset', name, (input_dataset, batch_size), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def batch_dataset_v2(input_dataset, batch_size, drop_remainder, output_types, output_shapes, parallel_copy=False, metadata='', name=None):
    return apply('BatchDatasetV2', name, (input_dataset, batch_size, drop_remainder), {'output_types': output_types, 'output_shapes': output_shapes, 'parallel_copy': parallel_copy, 'metadata': metadata}).outputs[0]


def cache_dataset(input_dataset, filename, output_types, output_shapes, metadata='', name=None):
    return apply('CacheDataset', name, (input_dataset, filename), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def cache_dataset_v2(input_dataset, filename, cache, output_types, output_shapes, metadata='', name=None):
    return apply('CacheDatasetV2', name, (input_dataset, filename, cache), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def concatenate_dataset(input_dataset, another_dataset, output_types, output_shapes, metadata='', name=None):
    return apply('ConcatenateDataset', name, (input_dataset, another_dataset), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def global_shuffle_dataset(input_dataset, seed, seed2, seed_generator, output_types, output_shapes, reshuffle_each_iteration=True, metadata='', name=None):
    return apply('GlobalShuffleDataset', name, (input_dataset, seed, seed2, seed_generator), {'output_types': output_types, 'output_shapes': output_shapes, 'reshuffle_each_iteration': reshuffle_each_iteration, 'metadata': metadata}).outputs[0]


def padded_batch_dataset(input_dataset, batch_size, padded_shapes, padding_values, output_shapes, metadata='', name=None):
    return apply('PaddedBatchDataset', name, (input_dataset, batch_size, padded_shapes, padding_values), {'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def padded_batch_dataset_v2(input_dataset, batch_size, padded_shapes, padding_values, drop_remainder, output_shapes, parallel_copy=False, metadata='', name=None):
    return apply('PaddedBatchDatasetV2', name, (input_dataset, batch_size, padded_shapes, padding_values, drop_remainder), {'output_shapes': output_shapes, 'parallel_copy': parallel_copy, 'metadata': metadata}).outputs[0]


def parallel_batch_dataset(input_dataset, batch_size, num_parallel_calls, drop_remainder, output_types, output_shapes, parallel_copy=False, deterministic='default', metadata='', name=None):
    return apply('ParallelBatchDataset', name, (input_dataset, batch_size, num_parallel_calls, drop_remainder), {'output_types': output_types, 'output_shapes': output_shapes, 'parallel_copy': parallel_copy, 'deterministic': deterministic, 'metadata': metadata}).outputs[0]


def prefetch_dataset(input_dataset, buffer_size, output_types, output_shapes, slack_period=0, legacy_autotune=True, buffer_size_min=0, metadata='', name=None):
    return apply('PrefetchDataset', name, (input_dataset, buffer_size), {'output_types': output_types, 'output_shapes': output_shapes, 'slack_period': slack_period, 'legacy_autotune': legacy_autotune, 'buffer_size_min': buffer_size_min, 'metadata': metadata}).outputs[0]


def repeat_dataset(input_dataset, count, output_types, output_shapes, metadata='', name=None):
    return apply('RepeatDataset', name, (input_dataset, count), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def shard_dataset(input_dataset, num_shards, index, output_types, output_shapes, require_non_empty=False, metadata='', name=None):
    return apply('ShardDataset', name, (input_dataset, num_shards, index), {'output_types': output_types, 'output_shapes': output_shapes, 'require_non_empty': require_non_empty, 'metadata': metadata}).outputs[0]


def shuffle_and_repeat_dataset(input_dataset, buffer_size, seed, seed2, count, output_types, output_shapes, reshuffle_each_iteration=True, metadata='', name=None):
    return apply('ShuffleAndRepeatDataset', name, (input_dataset, buffer_size, seed, seed2, count), {'output_types': output_types, 'output_shapes': output_shapes, 'reshuffle_each_iteration': reshuffle_each_iteration, 'metadata': metadata}).outputs[0]


def shuffle_and_repeat_dataset_v2(input_dataset, buffer_size, seed, seed2, count, seed_generator, output_types, output_shapes, reshuffle_each_iteration=True, metadata='', name=None):
    return apply('ShuffleAndRepeatDatasetV2', name, (input_dataset, buffer_size, seed, seed2, count, seed_generator), {'output_types': output_types, 'output_shapes': output_shapes, 'reshuffle_each_iteration': reshuffle_each_iteration, 'metadata': metadata}).outputs[0]


def shuffle_dataset(input_dataset, buffer_size, seed, seed2, output_types, output_shapes, reshuffle_each_iteration=True, metadata='', name=None):
    return apply('ShuffleDataset', name, (input_dataset, buffer_size, seed, seed2), {'output_types': output_types, 'output_shapes': output_shapes, 'reshuffle_each_iteration': reshuffle_each_iteration, 'metadata': metadata}).outputs[0]


def shuffle_dataset_v2(input_dataset, buffer_size, seed_generator, output_types, output_shapes, metadata='', name=None):
    return apply('ShuffleDatasetV2', name, (input_dataset, buffer_size, seed_generator), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def shuffle_dataset_v3(input_dataset, buffer_size, seed, seed2, seed_generator, output_types, output_shapes, reshuffle_each_iteration=True, metadata='', name=None):
    return apply('ShuffleDatasetV3', name, (input_dataset, buffer_size, seed, seed2, seed_generator), {'output_types': output_types, 'output_shapes': output_shapes, 'reshuffle_each_iteration': reshuffle_each_iteration, 'metadata': metadata}).outputs[0]


def skip_dataset(input_dataset, count, output_types, output_shapes, metadata='', name=None):
    return apply('SkipDataset', name, (input_dataset, count), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def take_dataset(input_dataset, count, output_types, output_shapes, metadata='', name=None):
    return apply('TakeDataset', name, (input_dataset, count), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def unbatch_dataset(input_dataset, output_types, output_shapes, metadata='', name=None):
    return apply('UnbatchDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def window_dataset(input_dataset, size, shift, stride, drop_remainder, output_types, output_shapes, metadata='', name=None):
    return apply('WindowDataset', name, (input_dataset, size, shift, stride, drop_remainder), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def zip_dataset(input_datasets, output_types, output_shapes, metadata='', name=None):
    return apply('ZipDataset', name, (input_datasets,), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]
