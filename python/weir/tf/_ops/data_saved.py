"""Ops: data, saved. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'ListSnapshotChunksDataset': 'snapshot_path:7|handle:21|output_types:[t output_shapes:[S|1',
    'LoadDataset': 'path:7 reader_func_other_args:*Treader_func_args|handle:21|output_types:[t output_shapes:[S compression:s reader_func:n Treader_func_args:[t|1',
    'SaveDataset': 'input_dataset:21 path:7 shard_func_other_args:*Tshard_func_args||compression:s shard_func:n use_shard_func:b Tshard_func_args:[t|1',
    'SaveDatasetV2': 'input_dataset:21 path:7 shard_func_other_args:*Tshard_func_args|handle:21|compression:s shard_func:n use_shard_func:b Tshard_func_args:[t output_types:[t output_shapes:[S|1',
    'SnapshotChunkDataset': 'chunk_file:7|handle:21|output_types:[t output_shapes:[S compression:s|0',
    'SnapshotDataset': 'input_dataset:21 path:7|handle:21|output_types:[t output_shapes:[S compression:s reader_path_prefix:s writer_path_prefix:s shard_size_bytes:i pending_snapshot_expiry_seconds:i num_reader_threads:i reader_buffer_size:i num_writer_threads:i writer_buffer_size:i shuffle_on_read:b seed:i seed2:i mode:s snapshot_name:s|0',
    'SnapshotDatasetReader': 'shard_dir:7 start_index:9|handle:21|output_types:[t output_shapes:[S compression:s version:i|0',
    'SnapshotDatasetV2': 'input_dataset:21 path:7 reader_func_other_args:*Treader_func_args shard_func_other_args:*Tshard_func_args|handle:21|output_types:[t output_shapes:[S compression:s reader_prefix:s writer_prefix:s hash_valid:b hash:i reader_func:n shard_func:n Treader_func_args:[t Tshard_func_args:[t metadata:s|0',
    'SnapshotNestedDatasetReader': 'inputs:N*21|handle:21|output_types:[t output_shapes:[S N:i|0',
}


def list_snapshot_chunks_dataset(snapshot_path, output_types, output_shapes, name=None):
    return apply('ListSnapshotChunksDataset', name, (snapshot_path,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def load_dataset(path, reader_func_other_args, output_types, output_shapes, reader_func, compression='', name=None):
    return apply('LoadDataset', name, (path, reader_func_other_args), {'output_types': output_types, 'output_shapes': output_shapes, 'reader_func': reader_func, 'compression': compression}).outputs[0]


def save_dataset(input_dataset, path, shard_func_other_args, shard_func, compression='', use_shard_func=True, name=None):
    return apply('SaveDataset', name, (input_dataset, path, shard_func_other_args), {'shard_func': shard_func, 'compression': compression, 'use_shard_func': use_shard_func})


def save_dataset_v2(input_dataset, path, shard_func_other_args, shard_func, output_types, output_shapes, compression='', use_shard_func=True, name=None):
    return apply('SaveDatasetV2', name, (input_dataset, path, shard_func_other_args), {'shard_func': shard_func, 'output_types': output_types, 'output_shapes': output_shapes, 'compression': compression, 'use_shard_func': use_shard_func}).outputs[0]


def snapshot_chunk_dataset(chunk_file, output_types, output_shapes, compression='', name=None):
    return apply('SnapshotChunkDataset', name, (chunk_file,), {'output_types': output_types, 'output_shapes': output_shapes, 'compression': compression}).outputs[0]


def snapshot_dataset(input_dataset, path, output_types, output_shapes, compression='', reader_path_prefix='', writer_path_prefix='', shard_size_bytes=10737418240, pending_snapshot_expiry_seconds=86400, num_reader_threads=1, reader_buffer_size=1, num_writer_threads=1, writer_buffer_size=1, shuffle_on_read=False, seed=0, seed2=0, mode='auto', snapshot_name='', name=None):
    return apply('SnapshotDataset', name, (input_dataset, path), {'output_types': output_types, 'output_shapes': output_shapes, 'compression': compression, 'reader_path_prefix': reader_path_prefix, 'writer_path_prefix': writer_path_prefix, 'shard_size_bytes': shard_size_bytes, 'pending_snapshot_expiry_seconds': pending_snapshot_expiry_seconds, 'num_reader_threads': num_reader_threads, 'reader_buffer_size': reader_buffer_size, 'num_writer_threads': num_writer_threads, 'writer_buffer_size': writer_buffer_size, 'shuffle_on_read': shuffle_on_read, 'seed': seed, 'seed2': seed2, 'mode': mode, 'snapshot_name': snapshot_name}).outputs[0]


def snapshot_dataset_reader(shard_dir, start_index, output_types, output_shapes, version, compression='', name=None):
    return apply('SnapshotDatasetReader', name, (shard_dir, start_index), {'output_types': output_types, 'output_shapes': output_shapes, 'version': version, 'compression': compression}).outputs[0]


def snapshot_dataset_v2(input_dataset, path, reader_func_other_args, shard_func_other_args, output_types, output_shapes, reader_func, shard_func, compression='', reader_prefix='', writer_prefix='', hash_valid=False, hash=0, metadata='', name=None):
    return apply('SnapshotDatasetV2', name, (input_dataset, path, reader_func_other_args, shard_func_other_args), {'output_types': output_types, 'output_shapes': output_shapes, 'reader_func': reader_func, 'shard_func': shard_func, 'compression': compression, 'reader_prefix': reader_prefix, 'writer_prefix': writer_prefix, 'hash_valid': hash_valid, 'hash': hash, 'metadata': metadata}).outputs[0]


def snapshot_nested_dataset_reader(inputs, output_types, output_shapes, name=None):
    return apply('SnapshotNestedDatasetReader', name, (inputs,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]
