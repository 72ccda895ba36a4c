"""Ops: data, older. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'ExperimentalAssertNextDataset': 'input_dataset:21 transformations:7|handle:21|output_types:[t output_shapes:[S|0',
    'ExperimentalAutoShardDataset': 'input_dataset:21 num_workers:9 index:9|handle:21|auto_shard_policy:i output_types:[t output_shapes:[S|0',
    'ExperimentalBytesProducedStatsDataset': 'input_dataset:21 tag:7|handle:21|output_types:[t output_shapes:[S|0',
    'ExperimentalCSVDataset': 'filenames:7 compression_type:7 buffer_size:9 header:10 field_delim:7 use_quote_delim:10 na_value:7 select_cols:9 record_defaults:*output_types|handle:21|output_types:[t output_shapes:[S|1',
    'ExperimentalChooseFastestDataset': 'input_datasets:N*21|handle:21|N:i num_experiments:i output_types:[t output_shapes:[S|0',
    'ExperimentalDatasetCardinality': 'input_dataset:21|cardinality:9||0',
    'ExperimentalDatasetToTFRecord': 'input_dataset:21 filename:7 compression_type:7|||1',
    'ExperimentalDenseToSparseBatchDataset': 'input_dataset:21 batch_size:9 row_shape:9|handle:21|output_types:[t output_shapes:[S|0',
    'ExperimentalDirectedInterleaveDataset': 'selector_input_dataset:21 data_input_datasets:N*21|handle:21|output_types:[t output_shapes:[S N:i|0',
    'ExperimentalGroupByReducerDataset': 'input_dataset:21 key_func_other_arguments:*Tkey_func_other_arguments init_func_other_arguments:*Tinit_func_other_arguments reduce_func_other_arguments:*Treduce_func_other_arguments finalize_func_other_arguments:*Tfinalize_func_other_arguments|handle:21|key_func:n init_func:n reduce_func:n finalize_func:n Tkey_func_other_arguments:[t Tinit_func_other_arguments:[t Treduce_func_other_arguments:[t Tfinalize_func_other_arguments:[t output_types:[t output_shapes:[S|1',
    'ExperimentalGroupByWindowDataset': 'input_dataset:21 key_func_other_arguments:*Tkey_func_other_arguments reduce_func_other_arguments:*Treduce_func_other_arguments window_size_func_other_arguments:*Twindow_size_func_other_arguments|handle:21|key_func:n reduce_func:n window_size_func:n Tkey_func_other_arguments:[t Treduce_func_other_arguments:[t Twindow_size_func_other_arguments:[t output_types:[t output_shapes:[S|0',
    'ExperimentalIgnoreErrorsDataset': 'input_dataset:21|handle:21|output_types:[t output_shapes:[S log_warning:b|0',
    'ExperimentalIteratorGetDevice': 'resource:20|device:7||1',
    'ExperimentalLatencyStatsDataset': 'input_dataset:21 tag:7|handle:21|output_types:[t output_shapes:[S|0',
    'ExperimentalMapAndBatchDataset': 'input_dataset:21 other_arguments:*Targuments batch_size:9 num_parallel_calls:9 drop_remainder:10|handle:21|f:n Targuments:[t output_types:[t output_shapes:[S preserve_cardinality:b|0',
    'ExperimentalMapDataset': 'input_dataset:21 other_arguments:*Targuments|handle:21|f:n Targuments:[t output_types:[t output_shapes:[S use_inter_op_parallelism:b preserve_cardinality:b force_synchronous:b|0',
    'ExperimentalMatchingFilesDataset': 'patterns:7|handle:21||1',
    'ExperimentalMaxIntraOpParallelismDataset': 'input_dataset:21 max_intra_op_parallelism:9|handle:21|output_types:[t output_shapes:[S|0',
    'ExperimentalNonSerializableDataset': 'input_dataset:21|handle:21|output_types:[t output_shapes:[S|0',
    'ExperimentalParallelInterleaveDataset': 'input_dataset:21 other_arguments:*Targuments cycle_length:9 block_length:9 sloppy:10 buffer_output_elements:9 prefetch_input_elements:9|handle:21|f:n Targuments:[t output_types:[t output_shapes:[S|0',
    'ExperimentalParseExampleDataset': 'input_dataset:21 num_parallel_calls:9 dense_defaults:*Tdense|handle:21|sparse_keys:[s dense_keys:[s sparse_types:[t Tdense:[t dense_shapes:[S output_types:[t output_shapes:[S sloppy:b|0',
    'ExperimentalPrivateThreadPoolDataset': 'input_dataset:21 num_threads:9|handle:21|output_types:[t output_shapes:[S|0',
    'ExperimentalRandomDataset': 'seed:9 seed2:9|handle:21|output_types:[t output_shapes:[S|1',
    'ExperimentalRebatchDataset': 'input_dataset:21 num_replicas:9|handle:21|output_types:[t output_shapes:[S use_fallback:b|0',
    'ExperimentalScanDataset': 'input_dataset:21 initial_state:*Tstate other_arguments:*Targuments|handle:21|f:n Tstate:[t Targuments:[t output_types:[t output_shapes:[S preserve_cardinality:b|0',
    'ExperimentalSetStatsAggregatorDataset': 'input_dataset:21 stats_aggregator:20 tag:7 counter_prefix:7|handle:21|output_types:[t output_shapes:[S|1',
    'ExperimentalSleepDataset': 'input_dataset:21 sleep_microseconds:9|handle:21|output_types:[t output_shapes:[S|0',
    'ExperimentalSlidingWindowDataset': 'input_dataset:21 window_size:9 window_shift:9 window_stride:9|handle:21|output_types:[t output_shapes:[S|0',
    'ExperimentalStatsAggregatorHandle': '|handle:20|container:s shared_name:s|1',
    'ExperimentalStatsAggregatorSummary': 'iterator:20|summary:7||1',
    'ExperimentalTakeWhileDataset': 'input_dataset:21 other_arguments:*Targuments|handle:21|predicate:n Targuments:[t output_types:[t output_shapes:[S|0',
    'ExperimentalThreadPoolDataset': 'input_dataset:21 thread_pool:20|handle:21|output_types:[t output_shapes:[S|1',
    'ExperimentalThreadPoolHandle': '|handle:20|num_threads:i max_intra_op_parallelism:i display_name:s container:s shared_name:s|1',
    'ExperimentalUnbatchDataset': 'input_dataset:21|handle:21|output_types:[t output_shapes:[S|0',
    'ExperimentalUniqueDataset': 'input_dataset:21|handle:21|output_types:[t output_shapes:[S|0',
}


def experimental_assert_next_dataset(input_dataset, transformations, output_types, output_shapes, name=None):
    return apply('ExperimentalAssertNextDataset', name, (input_dataset, transformations), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_auto_shard_dataset(input_dataset, num_workers, index, output_types, output_shapes, auto_shard_policy=0, name=None):
    return apply('ExperimentalAutoShardDataset', name, (input_dataset, num_workers, index), {'output_types': output_types, 'output_shapes': output_shapes, 'auto_shard_policy': auto_shard_policy}).outputs[0]


def experimental_bytes_produced_stats_dataset(input_dataset, tag, output_types, output_shapes, name=None):
    return apply('ExperimentalBytesProducedStatsDataset', name, (input_dataset, tag), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_csv_dataset(filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value, select_cols, record_defaults, output_shapes, name=None):
    return apply('ExperimentalCSVDataset', name, (filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value, select_cols, record_defaults), {'output_shapes': output_shapes}).outputs[0]


def experimental_choose_fastest_dataset(input_datasets, num_experiments, output_types, output_shapes, name=None):
    return apply('ExperimentalChooseFastestDataset', name, (input_datasets,), {'num_experiments': num_experiments, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_dataset_cardinality(input_dataset, name=None):
    return apply('ExperimentalDatasetCardinality', name, (input_dataset,), {}).outputs[0]


def experimental_dataset_to_tf_record(input_dataset, filename, compression_type, name=None):
    return apply('ExperimentalDatasetToTFRecord', name, (input_dataset, filename, compression_type), {})


def experimental_dense_to_sparse_batch_dataset(input_dataset, batch_size, row_shape, output_types, output_shapes, name=None):
    return apply('ExperimentalDenseToSparseBatchDataset', name, (input_dataset, batch_size, row_shape), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_directed_interleave_dataset(selector_input_dataset, data_input_datasets, output_types, output_shapes, name=None):
    return apply('ExperimentalDirectedInterleaveDataset', name, (selector_input_dataset, data_input_datasets), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_group_by_reducer_dataset(input_dataset, key_func_other_arguments, init_func_other_arguments, reduce_func_other_arguments, finalize_func_other_arguments, key_func, init_func, reduce_func, finalize_func, output_types, output_shapes, name=None):
    return apply('ExperimentalGroupByReducerDataset', name, (input_dataset, key_func_other_arguments, init_func_other_arguments, reduce_func_other_arguments, finalize_func_other_arguments), {'key_func': key_func, 'init_func': init_func, 'reduce_func': reduce_func, 'finalize_func': finalize_func, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_group_by_window_dataset(input_dataset, key_func_other_arguments, reduce_func_other_arguments, window_size_func_other_arguments, key_func, reduce_func, window_size_func, output_types, output_shapes, name=None):
    return apply('ExperimentalGroupByWindowDataset', name, (input_dataset, key_func_other_arguments, reduce_func_other_arguments, window_size_func_other_arguments), {'key_func': key_func, 'reduce_func': reduce_func, 'window_size_func': window_size_func, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_ignore_errors_dataset(input_dataset, output_types, output_shapes, log_warning=False, name=None):
    return apply('ExperimentalIgnoreErrorsDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'log_warning': log_warning}).outputs[0]


def experimental_iterator_get_device(resource, name=None):
    return apply('ExperimentalIteratorGetDevice', name, (resource,), {}).outputs[0]


def experimental_latency_stats_dataset(input_dataset, tag, output_types, output_shapes, name=None):
    return apply('ExperimentalLatencyStatsDataset', name, (input_dataset, tag), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_map_and_batch_dataset(input_dataset, other_arguments, batch_size, num_parallel_calls, drop_remainder, f, output_types, output_shapes, preserve_cardinality=False, name=None):
    return apply('ExperimentalMapAndBatchDataset', name, (input_dataset, other_arguments, batch_size, num_parallel_calls, drop_remainder), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'preserve_cardinality': preserve_cardinality}).outputs[0]


def experimental_map_dataset(input_dataset, other_arguments, f, output_types, output_shapes, use_inter_op_parallelism=True, preserve_cardinality=False, force_synchronous=False, name=None):
    return apply('ExperimentalMapDataset', name, (input_dataset, other_arguments), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'use_inter_op_parallelism': use_inter_op_parallelism, 'preserve_cardinality': preserve_cardinality, 'force_synchronous': force_synchronous}).outputs[0]


def experimental_matching_files_dataset(patterns, name=None):
    return apply('ExperimentalMatchingFilesDataset', name, (patterns,), {}).outputs[0]


def experimental_max_intra_op_parallelism_dataset(input_dataset, max_intra_op_parallelism, output_types, output_shapes, name=None):
    return apply('ExperimentalMaxIntraOpParallelismDataset', name, (input_dataset, max_intra_op_parallelism), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_non_serializable_dataset(input_dataset, output_types, output_shapes, name=None):
    return apply('ExperimentalNonSerializableDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_parallel_interleave_dataset(input_dataset, other_arguments, cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements, f, output_types, output_shapes, name=None):
    return apply('ExperimentalParallelInterleaveDataset', name, (input_dataset, other_arguments, cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_parse_example_dataset(input_dataset, num_parallel_calls, dense_defaults, sparse_keys, dense_keys, sparse_types, dense_shapes, output_types, output_shapes, sloppy=False, name=None):
    return apply('ExperimentalParseExampleDataset', name, (input_dataset, num_parallel_calls, dense_defaults), {'sparse_keys': sparse_keys, 'dense_keys': dense_keys, 'sparse_types': sparse_types, 'dense_shapes': dense_shapes, 'output_types': output_types, 'output_shapes': output_shapes, 'sloppy': sloppy}).outputs[0]


def experimental_private_thread_pool_dataset(input_dataset, num_threads, output_types, output_shapes, name=None):
    return apply('ExperimentalPrivateThreadPoolDataset', name, (input_dataset, num_threads), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_random_dataset(seed, seed2, output_types, output_shapes, name=None):
    return apply('ExperimentalRandomDataset', name, (seed, seed2), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_rebatch_dataset(input_dataset, num_replicas, output_types, output_shapes, use_fallback=True, name=None):
    return apply('ExperimentalRebatchDataset', name, (input_dataset, num_replicas), {'output_types': output_types, 'output_shapes': output_shapes, 'use_fallback': use_fallback}).outputs[0]


def experimental_scan_dataset(input_dataset, initial_state, other_arguments, f, output_types, output_shapes, preserve_cardinality=False, name=None):
    return apply('ExperimentalScanDataset', name, (input_dataset, initial_state, other_arguments), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'preserve_cardinality': preserve_cardinality}).outputs[0]


def experimental_set_stats_aggregator_dataset(input_dataset, stats_aggregator, tag, counter_prefix, output_types, output_shapes, name=None):
    return apply('ExperimentalSetStatsAggregatorDataset', name, (input_dataset, stats_aggregator, tag, counter_prefix), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_sleep_dataset(input_dataset, sleep_microseconds, output_types, output_shapes, name=None):
    return apply('ExperimentalSleepDataset', name, (input_dataset, sleep_microseconds), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_sliding_window_dataset(input_dataset, window_size, window_shift, window_stride, output_types, output_shapes, name=None):
    return apply('ExperimentalSlidingWindowDataset', name, (input_dataset, window_size, window_shift, window_stride), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_stats_aggregator_handle(container='', shared_name='', name=None):
    return apply('ExperimentalStatsAggregatorHandle', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def experimental_stats_aggregator_summary(iterator, name=None):
    return apply('ExperimentalStatsAggregatorSummary', name, (iterator,), {}).outputs[0]


def experimental_take_while_dataset(input_dataset, other_arguments, predicate, output_types, output_shapes, name=None):
    return apply('ExperimentalTakeWhileDataset', name, (input_dataset, other_arguments), {'predicate': predicate, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_thread_pool_dataset(input_dataset, thread_pool, output_types, output_shapes, name=None):
    return apply('ExperimentalThreadPoolDataset', name, (input_dataset, thread_pool), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_thread_pool_handle(num_threads, display_name, max_intra_op_parallelism=1, container='', shared_name='', name=None):
    return apply('ExperimentalThreadPoolHandle', name, (), {'num_threads': num_threads, 'display_name': display_name, 'max_intra_op_parallelism': max_intra_op_parallelism, 'container': container, 'shared_name': shared_name}).outputs[0]


def experimental_unbatch_dataset(input_dataset, output_types, output_shapes, name=None):
    return apply('ExperimentalUnbatchDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def experimental_unique_dataset(input_dataset, output_types, output_shapes, name=None):
    return apply('ExperimentalUniqueDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]
