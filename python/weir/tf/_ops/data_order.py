"""Ops: data, order. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'CSVDataset': 'filenames:7 compression_type:7 buffer_size:9 header:10 field_delim:7 use_quote_delim:10 na_value:7 select_cols:9 record_defaults:*output_types|handle:21|output_types:[t output_shapes:[S|1',
    'CSVDatasetV2': 'filenames:7 compression_type:7 buffer_size:9 header:10 field_delim:7 use_quote_delim:10 na_value:7 select_cols:9 record_defaults:*output_types exclude_cols:9|handle:21|output_types:[t output_shapes:[S|1',
    'CacheDataset': 'input_dataset:21 filename:7|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'CacheDatasetV2': 'input_dataset:21 filename:7 cache:20|handle:21|output_types:[t output_shapes:[S metadata:s|1',
    'ChooseFastestBranchDataset': 'input_dataset:21 ratio_numerator:9 ratio_denominator:9 other_arguments:*Targuments|handle:21|Targuments:[t num_elements_per_branch:i branches:[n other_arguments_lengths:[i output_types:[t output_shapes:[S|0',
    'ChooseFastestDataset': 'input_datasets:N*21|handle:21|N:i num_experiments:i output_types:[t output_shapes:[S|0',
    'CompressElement': 'components:*input_types|compressed:21|input_types:[t|0',
    'ConcatenateDataset': 'input_dataset:21 another_dataset:21|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'DatasetFingerprint': 'input_dataset:21|fingerprint:23||0',
    'GlobalShuffleDataset': 'input_dataset:21 seed:9 seed2:9 seed_generator:20|handle:21|reshuffle_each_iteration:b output_types:[t output_shapes:[S metadata:s|1',
    'IgnoreErrorsDataset': 'input_dataset:21|handle:21|output_types:[t output_shapes:[S log_warning:b|0',
    'InitializeTableFromDataset': 'table_handle:20 dataset:21|||1',
    'ListDataset': 'tensors:*Tinput_types|handle:21|Tinput_types:[t output_types:[t output_shapes:[S metadata:s|1',
    'MatchingFilesDataset': 'patterns:7|handle:21||1',
    'ParseExampleDataset': 'input_dataset:21 num_parallel_calls:9 dense_defaults:*Tdense|handle:21|sparse_keys:[s dense_keys:[s sparse_types:[t Tdense:[t dense_shapes:[S output_types:[t output_shapes:[S sloppy:b ragged_keys:[s ragged_value_types:[t ragged_split_types:[t|0',
    'ParseExampleDatasetV2': 'input_dataset:21 num_parallel_calls:9 dense_defaults:*Tdense|handle:21|sparse_keys:[s dense_keys:[s sparse_types:[t Tdense:[t dense_shapes:[S output_types:[t output_shapes:[S deterministic:s ragged_keys:[s ragged_value_types:[t ragged_split_types:[t|0',
    'PrefetchDataset': 'input_dataset:21 buffer_size:9|handle:21|output_types:[t output_shapes:[S slack_period:i legacy_autotune:b buffer_size_min:i metadata:s|0',
    'RebatchDataset': 'input_dataset:21 num_replicas:9|handle:21|output_types:[t output_shapes:[S use_fallback:b|0',
    'RebatchDatasetV2': 'input_dataset:21 batch_sizes:9 drop_remainder:10|handle:21|output_types:[t output_shapes:[S|0',
    'RepeatDataset': 'input_dataset:21 count:9|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'SamplingDataset': 'input_dataset:21 rate:1 seed:9 seed2:9|handle:21|output_types:[t output_shapes:[S|0',
    'ShuffleAndRepeatDataset': 'input_dataset:21 buffer_size:9 seed:9 seed2:9 count:9|handle:21|output_types:[t output_shapes:[S reshuffle_each_iteration:b metadata:s|0',
    'ShuffleAndRepeatDatasetV2': 'input_dataset:21 buffer_size:9 seed:9 seed2:9 count:9 seed_generator:20|handle:21|reshuffle_each_iteration:b output_types:[t output_shapes:[S metadata:s|1',
    'ShuffleDataset': 'input_dataset:21 buffer_size:9 seed:9 seed2:9|handle:21|reshuffle_each_iteration:b output_types:[t output_shapes:[S metadata:s|0',
    'ShuffleDatasetV2': 'input_dataset:21 buffer_size:9 seed_generator:20|handle:21|output_types:[t output_shapes:[S metadata:s|1',
    'ShuffleDatasetV3': 'input_dataset:21 buffer_size:9 seed:9 seed2:9 seed_generator:20|handle:21|reshuffle_each_iteration:b output_types:[t output_shapes:[S metadata:s|1',
    'SkipDataset': 'input_dataset:21 count:9|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'SleepDataset': 'input_dataset:21 sleep_microseconds:9|handle:21|output_types:[t output_shapes:[S|0',
    'TakeDataset': 'input_dataset:21 count:9|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'ThreadPoolDataset': 'input_dataset:21 thread_pool:20|handle:21|output_types:[t output_shapes:[S|1',
    'ThreadPoolHandle': '|handle:20|num_threads:i max_intra_op_parallelism:i display_name:s container:s shared_name:s|1',
    'UnbatchDataset': 'input_dataset:21|handle:21|output_types:[t output_shapes:[S metadata:s|0',
    'UncompressElement': 'compressed:21|components:*output_types|output_types:[t output_shapes:[S|0',
    'UnwrapDatasetVariant': 'input_handle:21|output_handle:21||0',
    'WrapDatasetVariant': 'input_handle:21|output_handle:21||0',
    'ZipDataset': 'input_datasets:N*21|handle:21|output_types:[t output_shapes:[S N:i metadata:s|0',
}


def csv_dataset(filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value, select_cols, record_defaults, output_shapes, name=None):
    return apply('CSVDataset', name, (filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value, select_cols, record_defaults), {'output_shapes': output_shapes}).outputs[0]


def csv_dataset_v2(filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value, select_cols, record_defaults, exclude_cols, output_shapes, name=None):
    return apply('CSVDatasetV2', name, (filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value, select_cols, record_defaults, exclude_cols), {'output_shapes': output_shapes}).outputs[0]


def cache_dataset(input_dataset, filename, output_types, output_shapes, metadata='', name=None):
    return apply('CacheDataset', name, (input_dataset, filename), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def cache_dataset_v2(input_dataset, filename, cache, output_types, output_shapes, metadata='', name=None):
    return apply('CacheDatasetV2', name, (input_dataset, filename, cache), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def choose_fastest_branch_dataset(input_dataset, ratio_numerator, ratio_denominator, other_arguments, num_elements_per_branch, branches, other_arguments_lengths, output_types, output_shapes, name=None):
    return apply('ChooseFastestBranchDataset', name, (input_dataset, ratio_numerator, ratio_denominator, other_arguments), {'num_elements_per_branch': num_elements_per_branch, 'branches': branches, 'other_arguments_lengths': other_arguments_lengths, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def choose_fastest_dataset(input_datasets, num_experiments, output_types, output_shapes, name=None):
    return apply('ChooseFastestDataset', name, (input_datasets,), {'num_experiments': num_experiments, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def compress_element(components, name=None):
    return apply('CompressElement', name, (components,), {}).outputs[0]


def concatenate_dataset(input_dataset, another_dataset, output_types, output_shapes, metadata='', name=None):
    return apply('ConcatenateDataset', name, (input_dataset, another_dataset), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def dataset_fingerprint(input_dataset, name=None):
    return apply('DatasetFingerprint', name, (input_dataset,), {}).outputs[0]


def global_shuffle_dataset(input_dataset, seed, seed2, seed_generator, output_types, output_shapes, reshuffle_each_iteration=True, metadata='', name=None):
    return apply('GlobalShuffleDataset', name, (input_dataset, seed, seed2, seed_generator), {'output_types': output_types, 'output_shapes': output_shapes, 'reshuffle_each_iteration': reshuffle_each_iteration, 'metadata': metadata}).outputs[0]


def ignore_errors_dataset(input_dataset, output_types, output_shapes, log_warning=False, name=None):
    return apply('IgnoreErrorsDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'log_warning': log_warning}).outputs[0]


def initialize_table_from_dataset(table_handle, dataset, name=None):
    return apply('InitializeTableFromDataset', name, (table_handle, dataset), {})


def list_dataset(tensors, output_types, output_shapes, metadata='', name=None):
    return apply('ListDataset', name, (tensors,), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def matching_files_dataset(patterns, name=None):
    return apply('MatchingFilesDataset', name, (patterns,), {}).outputs[0]


def parse_example_dataset(input_dataset, num_parallel_calls, dense_defaults, sparse_keys, dense_keys, sparse_types, dense_shapes, output_types, output_shapes, sloppy=False, ragged_keys=[], ragged_value_types=[], ragged_split_types=[], name=None):
    return apply('ParseExampleDataset', name, (input_dataset, num_parallel_calls, dense_defaults), {'sparse_keys': sparse_keys, 'dense_keys': dense_keys, 'sparse_types': sparse_types, 'dense_shapes': dense_shapes, 'output_types': output_types, 'output_shapes': output_shapes, 'sloppy': sloppy, 'ragged_keys': ragged_keys, 'ragged_value_types': ragged_value_types, 'ragged_split_types': ragged_split_types}).outputs[0]


def parse_example_dataset_v2(input_dataset, num_parallel_calls, dense_defaults, sparse_keys, dense_keys, sparse_types, dense_shapes, output_types, output_shapes, deterministic='default', ragged_keys=[], ragged_value_types=[], ragged_split_types=[], name=None):
    return apply('ParseExampleDatasetV2', name, (input_dataset, num_parallel_calls, dense_defaults), {'sparse_keys': sparse_keys, 'dense_keys': dense_keys, 'sparse_types': sparse_types, 'dense_shapes': dense_shapes, 'output_types': output_types, 'output_shapes': output_shapes, 'deterministic': deterministic, 'ragged_keys': ragged_keys, 'ragged_value_types': ragged_value_types, 'ragged_split_types': ragged_split_types}).outputs[0]


def prefetch_dataset(input_dataset, buffer_size, output_types, output_shapes, slack_period=0, legacy_autotune=True, buffer_size_min=0, metadata='', name=None):
    return apply('PrefetchDataset', name, (input_dataset, buffer_size), {'output_types': output_types, 'output_shapes': output_shapes, 'slack_period': slack_period, 'legacy_autotune': legacy_autotune, 'buffer_size_min': buffer_size_min, 'metadata': metadata}).outputs[0]


def rebatch_dataset(input_dataset, num_replicas, output_types, output_shapes, use_fallback=True, name=None):
    return apply('RebatchDataset', name, (input_dataset, num_replicas), {'output_types': output_types, 'output_shapes': output_shapes, 'use_fallback': use_fallback}).outputs[0]


def rebatch_dataset_v2(input_dataset, batch_sizes, drop_remainder, output_types, output_shapes, name=None):
    return apply('RebatchDatasetV2', name, (input_dataset, batch_sizes, drop_remainder), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def repeat_dataset(input_dataset, count, output_types, output_shapes, metadata='', name=None):
    return apply('RepeatDataset', name, (input_dataset, count), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def sampling_dataset(input_dataset, rate, seed, seed2, output_types, output_shapes, name=None):
    return apply('SamplingDataset', name, (input_dataset, rate, seed, seed2), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


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


def sleep_dataset(input_dataset, sleep_microseconds, output_types, output_shapes, name=None):
    return apply('SleepDataset', name, (input_dataset, sleep_microseconds), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def take_dataset(input_dataset, count, output_types, output_shapes, metadata='', name=None):
    return apply('TakeDataset', name, (input_dataset, count), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def thread_pool_dataset(input_dataset, thread_pool, output_types, output_shapes, name=None):
    return apply('ThreadPoolDataset', name, (input_dataset, thread_pool), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def thread_pool_handle(num_threads, display_name, max_intra_op_parallelism=1, container='', shared_name='', name=None):
    return apply('ThreadPoolHandle', name, (), {'num_threads': num_threads, 'display_name': display_name, 'max_intra_op_parallelism': max_intra_op_parallelism, 'container': container, 'shared_name': shared_name}).outputs[0]


def unbatch_dataset(input_dataset, output_types, output_shapes, metadata='', name=None):
    return apply('UnbatchDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def uncompress_element(compressed, output_types, output_shapes, name=None):
    return apply('UncompressElement', name, (compressed,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs


def unwrap_dataset_variant(input_handle, name=None):
    return apply('UnwrapDatasetVariant', name, (input_handle,), {}).outputs[0]


def wrap_dataset_variant(input_handle, name=None):
    return apply('WrapDatasetVariant', name, (input_handle,), {}).outputs[0]


def zip_dataset(input_datasets, output_types, output_shapes, metadata='', name=None):
    return apply('ZipDataset', name, (input_datasets,), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]
