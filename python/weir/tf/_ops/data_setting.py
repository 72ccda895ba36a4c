"""Ops: data, setting. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AssertCardinalityDataset': 'input_dataset:21 cardinality:9|handle:21|output_types:[t output_shapes:[S|0',
    'AssertNextDataset': 'input_dataset:21 transformations:7|handle:21|output_types:[t output_shapes:[S|0',
    'AssertPrevDataset': 'input_dataset:21 transformations:7|handle:21|output_types:[t output_shapes:[S|0',
    'BytesProducedStatsDataset': 'input_dataset:21 tag:7|handle:21|output_types:[t output_shapes:[S|0',
    'FinalizeDataset': 'input_dataset:21|handle:21|has_captured_ref:b output_types:[t output_shapes:[S|0',
    'LatencyStatsDataset': 'input_dataset:21 tag:7|handle:21|output_types:[t output_shapes:[S|0',
    'MaxIntraOpParallelismDataset': 'input_dataset:21 max_intra_op_parallelism:9|handle:21|output_types:[t output_shapes:[S|0',
    'ModelDataset': 'input_dataset:21|handle:21|algorithm:i cpu_budget:i ram_budget:i output_types:[t output_shapes:[S|0',
    'NonSerializableDataset': 'input_dataset:21|handle:21|output_types:[t output_shapes:[S|0',
    'OptimizeDataset': 'input_dataset:21 optimizations:7|handle:21|output_types:[t output_shapes:[S optimization_configs:[s|0',
    'OptimizeDatasetV2': 'input_dataset:21 optimizations_enabled:7 optimizations_disabled:7 optimizations_default:7|handle:21|output_types:[t output_shapes:[S optimization_configs:[s|0',
    'OptionsDataset': 'input_dataset:21|handle:21|serialized_options:s output_types:[t output_shapes:[S metadata:s|0',
    'PrivateThreadPoolDataset': 'input_dataset:21 num_threads:9|handle:21|output_types:[t output_shapes:[S|0',
    'RewriteDataset': 'input_dataset:21 rewrite_name:7|handle:21|output_types:[t output_shapes:[S|0',
    'SetStatsAggregatorDataset': 'input_dataset:21 stats_aggregator:20 tag:7 counter_prefix:7|handle:21|output_types:[t output_shapes:[S|1',
    'StatsAggregatorHandle': '|handle:20|container:s shared_name:s|1',
    'StatsAggregatorHandleV2': '|handle:20|container:s shared_name:s|1',
    'StatsAggregatorSetSummaryWriter': 'stats_aggregator:20 summary:20|||1',
    'StatsAggregatorSummary': 'iterator:20|summary:7||1',
}


def assert_cardinality_dataset(input_dataset, cardinality, output_types, output_shapes, name=None):
    return apply('AssertCardinalityDataset', name, (input_dataset, cardinality), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def assert_next_dataset(input_dataset, transformations, output_types, output_shapes, name=None):
    return apply('AssertNextDataset', name, (input_dataset, transformations), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def assert_prev_dataset(input_dataset, transformations, output_types, output_shapes, name=None):
    return apply('AssertPrevDataset', name, (input_dataset, transformations), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def bytes_produced_stats_dataset(input_dataset, tag, output_types, output_shapes, name=None):
    return apply('BytesProducedStatsDataset', name, (input_dataset, tag), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def finalize_dataset(input_dataset, output_types, output_shapes, has_captured_ref=False, name=None):
    return apply('FinalizeDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'has_captured_ref': has_captured_ref}).outputs[0]


def latency_stats_dataset(input_dataset, tag, output_types, output_shapes, name=None):
    return apply('LatencyStatsDataset', name, (input_dataset, tag), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def max_intra_op_parallelism_dataset(input_dataset, max_intra_op_parallelism, output_types, output_shapes, name=None):
    return apply('MaxIntraOpParallelismDataset', name, (input_dataset, max_intra_op_parallelism), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def model_dataset(input_dataset, output_types, output_shapes, algorithm=0, cpu_budget=0, ram_budget=0, name=None):
    return apply('ModelDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'algorithm': algorithm, 'cpu_budget': cpu_budget, 'ram_budget': ram_budget}).outputs[0]


def non_serializable_dataset(input_dataset, output_types, output_shapes, name=None):
    return apply('NonSerializableDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def optimize_dataset(input_dataset, optimizations, output_types, output_shapes, optimization_configs=[], name=None):
    return apply('OptimizeDataset', name, (input_dataset, optimizations), {'output_types': output_types, 'output_shapes': output_shapes, 'optimization_configs': optimization_configs}).outputs[0]


def optimize_dataset_v2(input_dataset, optimizations_enabled, optimizations_disabled, optimizations_default, output_types, output_shapes, optimization_configs=[], name=None):
    return apply('OptimizeDatasetV2', name, (input_dataset, optimizations_enabled, optimizations_disabled, optimizations_default), {'output_types': output_types, 'output_shapes': output_shapes, 'optimization_configs': optimization_configs}).outputs[0]


def options_dataset(input_dataset, serialized_options, output_types, output_shapes, metadata='', name=None):
    return apply('OptionsDataset', name, (input_dataset,), {'serialized_options': serialized_options, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def private_thread_pool_dataset(input_dataset, num_threads, output_types, output_shapes, name=None):
    return apply('PrivateThreadPoolDataset', name, (input_dataset, num_threads), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def rewrite_dataset(input_dataset, rewrite_name, output_types, output_shapes, name=None):
    return apply('RewriteDataset', name, (input_dataset, rewrite_name), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def set_stats_aggregator_dataset(input_dataset, stats_aggregator, tag, counter_prefix, output_types, output_shapes, name=None):
    return apply('SetStatsAggregatorDataset', name, (input_dataset, stats_aggregator, tag, counter_prefix), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def stats_aggregator_handle(container='', shared_name='', name=None):
    return apply('StatsAggregatorHandle', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def stats_aggregator_handle_v2(container='', shared_name='', name=None):
    return apply('StatsAggregatorHandleV2', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def stats_aggregator_set_summary_writer(stats_aggregator, summary, name=None):
    return apply('StatsAggregatorSetSummaryWriter', name, (stats_aggregator, summary), {})


def stats_aggregator_summary(iterator, name=None):
    return apply('StatsAggregatorSummary', name, (iterator,), {}).outputs[0]
