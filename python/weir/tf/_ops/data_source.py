"""Ops: data, source. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'FixedLengthRecordDataset': 'filenames:7 header_bytes:9 record_bytes:9 footer_bytes:9 buffer_size:9|handle:21|metadata:s|1',
    'FixedLengthRecordDatasetV2': 'filenames:7 header_bytes:9 record_bytes:9 footer_bytes:9 buffer_size:9 compression_type:7|handle:21|metadata:s|1',
    'RandomDataset': 'seed:9 seed2:9|handle:21|output_types:[t output_shapes:[S metadata:s|1',
    'RandomDatasetV2': 'seed:9 seed2:9 seed_generator:20|handle:21|rerandomize_each_iteration:b output_types:[t output_shapes:[S metadata:s|1',
    'RangeDataset': 'start:9 stop:9 step:9|handle:21|output_types:[t output_shapes:[S metadata:s replicate_on_split:b|1',
    'SparseTensorSliceDataset': 'indices:9 values:Tvalues dense_shape:9|handle:21|Tvalues:t|1',
    'TFRecordDataset': 'filenames:7 compression_type:7 buffer_size:9|handle:21|metadata:s|1',
    'TFRecordDatasetV2': 'filenames:7 compression_type:7 buffer_size:9 byte_offsets:9|handle:21|metadata:s|1',
    'TensorDataset': 'components:*Toutput_types|handle:21|Toutput_types:[t output_shapes:[S metadata:s|1',
    'TensorSliceDataset': 'components:*Toutput_types|handle:21|Toutput_types:[t output_shapes:[S is_files:b metadata:s replicate_on_split:b|1',
    'TextLineDataset': 'filenames:7 compression_type:7 buffer_size:9|handle:21|metadata:s|1',
}


def fixed_length_record_dataset(filenames, header_bytes, record_bytes, footer_bytes, buffer_size, metadata='', name=None):
    return apply('FixedLengthRecordDataset', name, (filenames, header_bytes, record_bytes, footer_bytes, buffer_size), {'metadata': metadata}).outputs[0]


def fixed_length_record_dataset_v2(filenames, header_bytes, record_bytes, footer_bytes, buffer_size, compression_type, metadata='', name=None):
    return apply('FixedLengthRecordDatasetV2', name, (filenames, header_bytes, record_bytes, footer_bytes, buffer_size, compression_type), {'metadata': metadata}).outputs[0]


def random_dataset(seed, seed2, output_types, output_shapes, metadata='', name=None):
    return apply('RandomDataset', name, (seed, seed2), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def random_dataset_v2(seed, seed2, seed_generator, output_types, output_shapes, rerandomize_each_iteration=False, metadata='', name=None):
    return apply('RandomDatasetV2', name, (seed, seed2, seed_generator), {'output_types': output_types, 'output_shapes': output_shapes, 'rerandomize_each_iteration': rerandomize_each_iteration, 'metadata': metadata}).outputs[0]


def range_dataset(start, stop, step, output_types, output_shapes, metadata='', replicate_on_split=False, name=None):
    return apply('RangeDataset', name, (start, stop, step), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata, 'replicate_on_split': replicate_on_split}).outputs[0]


def sparse_tensor_slice_dataset(indices, values, dense_shape, name=None):
    return apply('SparseTensorSliceDataset', name, (indices, values, dense_shape), {}).outputs[0]


def tf_record_dataset(filenames, compression_type, buffer_size, metadata='', name=None):
    return apply('TFRecordDataset', name, (filenames, compression_type, buffer_size), {'metadata': metadata}).outputs[0]


def tf_record_dataset_v2(filenames, compression_type, buffer_size, byte_offsets, metadata='', name=None):
    return apply('TFRecordDatasetV2', name, (filenames, compression_type, buffer_size, byte_offsets), {'metadata': metadata}).outputs[0]


def tensor_dataset(components, output_shapes, metadata='', name=None):
    return apply('TensorDataset', name, (components,), {'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def tensor_slice_dataset(components, output_shapes, is_files=False, metadata='', replicate_on_split=False, name=None):
    return apply('TensorSliceDataset', name, (components,), {'output_shapes': output_shapes, 'is_files': is_files, 'metadata': metadata, 'replicate_on_split': replicate_on_split}).outputs[0]


def text_line_dataset(filenames, compression_type, buffer_size, metadata='', name=None):
    return apply('TextLineDataset', name, (filenames, compression_type, buffer_size), {'metadata': metadata}).outputs[0]
