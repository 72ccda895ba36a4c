"""Ops: data, iterator. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AnonymousIterator': '|handle:20|output_types:[t output_shapes:[S|1',
    'AnonymousIteratorV2': '|handle:20 deleter:21|output_types:[t output_shapes:[S|1',
    'AnonymousIteratorV3': '|handle:20|output_types:[t output_shapes:[S|1',
    'AnonymousMemoryCache': '|handle:20 deleter:21||1',
    'AnonymousMultiDeviceIterator': '|handle:20 deleter:21|devices:[s output_types:[t output_shapes:[S|1',
    'AnonymousMultiDeviceIteratorV3': '|handle:20|devices:[s output_types:[t output_shapes:[S|1',
    'AnonymousRandomSeedGenerator': 'seed:9 seed2:9|handle:20 deleter:21||1',
    'AnonymousSeedGenerator': 'seed:9 seed2:9 reshuffle:10|handle:20 deleter:21||1',
    'DatasetCardinality': 'input_dataset:21|cardinality:9|cardinality_options:s|0',
    'DatasetFromGraph': 'graph_def:7|handle:21||0',
    'DatasetToGraph': 'input_dataset:21|graph:7|stateful_whitelist:[s allow_stateful:b strip_device_assignment:b|0',
    'DatasetToGraphV2': 'input_dataset:21|graph:7|external_state_policy:i strip_device_assignment:b|0',
    'DatasetToSingleElement': 'dataset:21|components:*output_types|output_types:[t output_shapes:[S metadata:s|1',
    'DatasetToTFRecord': 'input_dataset:21 filename:7 compression_type:7|||1',
    'DeleteIterator': 'handle:20 deleter:21|||1',
    'DeleteMemoryCache': 'handle:20 deleter:21|||1',
    'DeleteMultiDeviceIterator': 'multi_device_iterator:20 iterators:N*20 deleter:21||N:i|1',
    'DeleteRandomSeedGenerator': 'handle:20 deleter:21|||1',
    'DeleteSeedGenerator': 'handle:20 deleter:21|||1',
    'DeserializeIterator': 'resource_handle:20 serialized:21|||1',
    'DummyMemoryCache': '|handle:20||1',
    'DummySeedGenerator': '|handle:20||1',
    'GetElementAtIndex': 'dataset:21 index:9|components:*output_types|output_types:[t output_shapes:[S|0',
    'GetOptions': 'input_dataset:21|serialized_options:7||0',
    'Iterator': '|handle:20|shared_name:s container:s output_types:[t output_shapes:[S|1',
    'IteratorFromStringHandle': 'string_handle:7|resource_handle:20|output_types:[t output_shapes:[S|1',
    'IteratorFromStringHandleV2': 'string_handle:7|resource_handle:20|output_types:[t output_shapes:[S|1',
    'IteratorGetDevice': 'resource:20|device:7||1',
    'IteratorGetNext': 'iterator:20|components:*output_types|output_types:[t output_shapes:[S|1',
    'IteratorGetNextAsOptional': 'iterator:20|optional:21|output_types:[t output_shapes:[S|1',
    'IteratorGetNextSync': 'iterator:20|components:*output_types|output_types:[t output_shapes:[S|1',
    'IteratorToStringHandle': 'resource_handle:20|string_handle:7||1',
    'IteratorV2': '|handle:20|shared_name:s container:s output_types:[t output_shapes:[S|1',
    'MakeIterator': 'dataset:21 iterator:20|||1',
    'MultiDeviceIterator': '|handle:20|devices:[s shared_name:s container:s output_types:[t output_shapes:[S|1',
    'MultiDeviceIteratorFromStringHandle': 'string_handle:7|multi_device_iterator:20|output_types:[t output_shapes:[S|1',
    'MultiDeviceIteratorGetNextFromShard': 'multi_device_iterator:20 shard_num:3 incarnation_id:9|components:*output_types|output_types:[t output_shapes:[S|1',
    'MultiDeviceIteratorInit': 'dataset:21 multi_device_iterator:20 max_buffer_size:9|incarnation_id:9||1',
    'MultiDeviceIteratorToStringHandle': 'multi_device_iterator:20|string_handle:7||1',
    'OneShotIterator': '|handle:20|dataset_factory:n output_types:[t output_shapes:[S container:s shared_name:s|1',
    'OptionalFromValue': 'components:*Toutput_types|optional:21|Toutput_types:[t|0',
    'OptionalGetValue': 'optional:21|components:*output_types|output_types:[t output_shapes:[S|0',
    'OptionalHasValue': 'optional:21|has_value:10||0',
    'OptionalNone': '|optional:21||0',
    'ReduceDataset': 'input_dataset:21 initial_state:*Tstate other_arguments:*Targuments|components:*output_types|f:n Tstate:[t Targuments:[t output_types:[t output_shapes:[S use_inter_op_parallelism:b metadata:s|1',
    'SerializeIterator': 'resource_handle:20|serialized:21|external_state_policy:i|1',
}


def anonymous_iterator(output_types, output_shapes, name=None):
    return apply('AnonymousIterator', name, (), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def anonymous_iterator_v2(output_types, output_shapes, name=None):
    return results(apply('AnonymousIteratorV2', name, (), {'output_types': output_types, 'output_shapes': output_shapes}))


def anonymous_iterator_v3(output_types, output_shapes, name=None):
    return apply('AnonymousIteratorV3', name, (), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def anonymous_memory_cache(name=None):
    return results(apply('AnonymousMemoryCache', name, (), {}))


def anonymous_multi_device_iterator(devices, output_types, output_shapes, name=None):
    return results(apply('AnonymousMultiDeviceIterator', name, (), {'devices': devices, 'output_types': output_types, 'output_shapes': output_shapes}))


def anonymous_multi_device_iterator_v3(devices, output_types, output_shapes, name=None):
    return apply('AnonymousMultiDeviceIteratorV3', name, (), {'devices': devices, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def anonymous_random_seed_generator(seed, seed2, name=None):
    return results(apply('AnonymousRandomSeedGenerator', name, (seed, seed2), {}))


def anonymous_seed_generator(seed, seed2, reshuffle, name=None):
    return results(apply('AnonymousSeedGenerator', name, (seed, seed2, reshuffle), {}))


def dataset_cardinality(input_dataset, cardinality_options='', name=None):
    return apply('DatasetCardinality', name, (input_dataset,), {'cardinality_options': cardinality_options}).outputs[0]


def dataset_from_graph(graph_def, name=None):
    return apply('DatasetFromGraph', name, (graph_def,), {}).outputs[0]


def dataset_to_graph(input_dataset, stateful_whitelist=[], allow_stateful=False, strip_device_assignment=False, name=None):
    return apply('DatasetToGraph', name, (input_dataset,), {'stateful_whitelist': stateful_whitelist, 'allow_stateful': allow_stateful, 'strip_device_assignment': strip_device_assignment}).outputs[0]


def dataset_to_graph_v2(input_dataset, external_state_policy=0, strip_device_assignment=False, name=None):
    return apply('DatasetToGraphV2', name, (input_dataset,), {'external_state_policy': external_state_policy, 'strip_device_assignment': strip_device_assignment}).outputs[0]


def dataset_to_single_element(dataset, output_types, output_shapes, metadata='', name=None):
    return apply('DatasetToSingleElement', name, (dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs


def dataset_to_tf_record(input_dataset, filename, compression_type, name=None):
    return apply('DatasetToTFRecord', name, (input_dataset, filename, compression_type), {})


def delete_iterator(handle, deleter, name=None):
    return apply('DeleteIterator', name, (handle, deleter), {})


def delete_memory_cache(handle, deleter, name=None):
    return apply('DeleteMemoryCache', name, (handle, deleter), {})


def delete_multi_device_iterator(multi_device_iterator, iterators, deleter, name=None):
    return apply('DeleteMultiDeviceIterator', name, (multi_device_iterator, iterators, deleter), {})


def delete_random_seed_generator(handle, deleter, name=None):
    return apply('DeleteRandomSeedGenerator', name, (handle, deleter), {})


def delete_seed_generator(handle, deleter, name=None):
    return apply('DeleteSeedGenerator', name, (handle, deleter), {})


def deserialize_iterator(resource_handle, serialized, name=None):
    return apply('DeserializeIterator', name, (resource_handle, serialized), {})


def dummy_memory_cache(name=None):
    return apply('DummyMemoryCache', name, (), {}).outputs[0]


def dummy_seed_generator(name=None):
    return apply('DummySeedGenerator', name, (), {}).outputs[0]


def get_element_at_index(dataset, index, output_types, output_shapes, name=None):
    return apply('GetElementAtIndex', name, (dataset, index), {'output_types': output_types, 'output_shapes': output_shapes}).outputs


def get_options(input_dataset, name=None):
    return apply('GetOptions', name, (input_dataset,), {}).outputs[0]


def iterator(shared_name, container, output_types, output_shapes, name=None):
    return apply('Iterator', name, (), {'shared_name': shared_name, 'container': container, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def iterator_from_string_handle(string_handle, output_types=[], output_shapes=[], name=None):
    return apply('IteratorFromStringHandle', name, (string_handle,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def iterator_from_string_handle_v2(string_handle, output_types=[], output_shapes=[], name=None):
    return apply('IteratorFromStringHandleV2', name, (string_handle,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def iterator_get_device(resource, name=None):
    return apply('IteratorGetDevice', name, (resource,), {}).outputs[0]


def iterator_get_next(iterator, output_types, output_shapes, name=None):
    return apply('IteratorGetNext', name, (iterator,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs


def iterator_get_next_as_optional(iterator, output_types, output_shapes, name=None):
    return apply('IteratorGetNextAsOptional', name, (iterator,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def iterator_get_next_sync(iterator, output_types, output_shapes, name=None):
    return apply('IteratorGetNextSync', name, (iterator,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs


def iterator_to_string_handle(resource_handle, name=None):
    return apply('IteratorToStringHandle', name, (resource_handle,), {}).outputs[0]


def iterator_v2(shared_name, container, output_types, output_shapes, name=None):
    return apply('IteratorV2', name, (), {'shared_name': shared_name, 'container': container, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def make_iterator(dataset, iterator, name=None):
    return apply('MakeIterator', name, (dataset, iterator), {})


def multi_device_iterator(devices, shared_name, container, output_types, output_shapes, name=None):
    return apply('MultiDeviceIterator', name, (), {'devices': devices, 'shared_name': shared_name, 'container': container, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def multi_device_iterator_from_string_handle(string_handle, output_types=[], output_shapes=[], name=None):
    return apply('MultiDeviceIteratorFromStringHandle', name, (string_handle,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def multi_device_iterator_get_next_from_shard(multi_device_iterator, shard_num, incarnation_id, output_types, output_shapes, name=None):
    return apply('MultiDeviceIteratorGetNextFromShard', name, (multi_device_iterator, shard_num, incarnation_id), {'output_types': output_types, 'output_shapes': output_shapes}).outputs


def multi_device_iterator_init(dataset, multi_device_iterator, max_buffer_size, name=None):
    return apply('MultiDeviceIteratorInit', name, (dataset, multi_device_iterator, max_buffer_size), {}).outputs[0]


def multi_device_iterator_to_string_handle(multi_device_iterator, name=None):
    return apply('MultiDeviceIteratorToStringHandle', name, (multi_device_iterator,), {}).outputs[0]


def one_shot_iterator(dataset_factory, output_types, output_shapes, container='', shared_name='', name=None):
    return apply('OneShotIterator', name, (), {'dataset_factory': dataset_factory, 'output_types': output_types, 'output_shapes': output_shapes, 'container': container, 'shared_name': shared_name}).outputs[0]


def optional_from_value(components, name=None):
    return apply('OptionalFromValue', name, (components,), {}).outputs[0]


def optional_get_value(optional, output_types, output_shapes, name=None):
    return apply('OptionalGetValue', name, (optional,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs


def optional_has_value(optional, name=None):
    return apply('OptionalHasValue', name, (optional,), {}).outputs[0]


def optional_none(name=None):
    return apply('OptionalNone', name, (), {}).outputs[0]


def reduce_dataset(input_dataset, initial_state, other_arguments, f, output_types, output_shapes, use_inter_op_parallelism=True, metadata='', name=None):
    return apply('ReduceDataset', name, (input_dataset, initial_state, other_arguments), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'use_inter_op_parallelism': use_inter_op_parallelism, 'metadata': metadata}).outputs


def serialize_iterator(resource_handle, external_state_policy=0, name=None):
    return apply('SerializeIterator', name, (resource_handle,), {'external_state_policy': external_state_policy}).outputs[0]
