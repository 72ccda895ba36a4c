"""Ops: io. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'FixedLengthRecordReader': '|reader_handle:&7|header_bytes:i record_bytes:i footer_bytes:i hop_bytes:i container:s shared_name:s|1',
    'FixedLengthRecordReaderV2': '|reader_handle:20|header_bytes:i record_bytes:i footer_bytes:i hop_bytes:i container:s shared_name:s encoding:s|1',
    'GenerateVocabRemapping': 'new_vocab_file:7 old_vocab_file:7|remapping:9 num_present:3|new_vocab_offset:i num_new_vocab:i old_vocab_size:i|0',
    'IdentityReader': '|reader_handle:&7|container:s shared_name:s|1',
    'IdentityReaderV2': '|reader_handle:20|container:s shared_name:s|1',
    'LoadAndRemapMatrix': 'ckpt_path:7 old_tensor_name:7 row_remapping:9 col_remapping:9 initializing_values:1|output_matrix:1|num_rows:i num_cols:i max_rows_in_memory:i|1',
    'MatchingFiles': 'pattern:7|filenames:7||0',
    'MergeV2Checkpoints': 'checkpoint_prefixes:7 destination_prefix:7||delete_old_dirs:b allow_missing_files:b|1',
    'ReadFile': 'filename:7|contents:7||0',
    'ReaderNumRecordsProduced': 'reader_handle:&7|records_produced:9||0',
    'ReaderNumRecordsProducedV2': 'reader_handle:20|records_produced:9||1',
    'ReaderNumWorkUnitsCompleted': 'reader_handle:&7|units_completed:9||0',
    'ReaderNumWorkUnitsCompletedV2': 'reader_handle:20|units_completed:9||1',
    'ReaderRead': 'reader_handle:&7 queue_handle:&7|key:7 value:7||0',
    'ReaderReadUpTo': 'reader_handle:&7 queue_handle:&7 num_records:9|keys:7 values:7||0',
    'ReaderReadUpToV2': 'reader_handle:20 queue_handle:20 num_records:9|keys:7 values:7||1',
    'ReaderReadV2': 'reader_handle:20 queue_handle:20|key:7 value:7||1',
    'ReaderReset': 'reader_handle:&7|||0',
    'ReaderResetV2': 'reader_handle:20|||1',
    'ReaderRestoreState': 'reader_handle:&7 state:7|||0',
    'ReaderRestoreStateV2': 'reader_handle:20 state:7|||1',
    'ReaderSerializeState': 'reader_handle:&7|state:7||0',
    'ReaderSerializeStateV2': 'reader_handle:20|state:7||1',
    'RecordInput': '|records:7|file_pattern:s file_random_seed:i file_shuffle_shift_ratio:f file_buffer_size:i file_parallelism:i batch_size:i compression_type:s|1',
    'Restore': 'file_pattern:7 tensor_name:7|tensor:dt|dt:t preferred_shard:i|1',
    'RestoreSlice': 'file_pattern:7 tensor_name:7 shape_and_slice:7|tensor:dt|dt:t preferred_shard:i|1',
    'RestoreV2': 'prefix:7 tensor_names:7 shape_and_slices:7|tensors:*dtypes|dtypes:[t|1',
    'Save': 'filename:7 tensor_names:7 data:*T||T:[t|1',
    'SaveSlices': 'filename:7 tensor_names:7 shapes_and_slices:7 data:*T||T:[t|1',
    'SaveV2': 'prefix:7 tensor_names:7 shape_and_slices:7 tensors:*dtypes||dtypes:[t|1',
    'ShardedFilename': 'basename:7 shard:3 num_shards:3|filename:7||0',
    'ShardedFilespec': 'basename:7 num_shards:3|filename:7||0',
    'TFRecordReader': '|reader_handle:&7|container:s shared_name:s compression_type:s|1',
    'TFRecordReaderV2': '|reader_handle:20|container:s shared_name:s compression_type:s|1',
    'TextLineReader': '|reader_handle:&7|skip_header_lines:i container:s shared_name:s|1',
    'TextLineReaderV2': '|reader_handle:20|skip_header_lines:i container:s shared_name:s|1',
    'WholeFileReader': '|reader_handle:&7|container:s shared_name:s|1',
    'WholeFileReaderV2': '|reader_handle:20|container:s shared_name:s|1',
    'WriteFile': 'filename:7 contents:7|||1',
}


def fixed_length_record_reader(record_bytes, header_bytes=0, footer_bytes=0, hop_bytes=0, container='', shared_name='', name=None):
    return apply('FixedLengthRecordReader', name, (), {'record_bytes': record_bytes, 'header_bytes': header_bytes, 'footer_bytes': footer_bytes, 'hop_bytes': hop_bytes, 'container': container, 'shared_name': shared_name}).outputs[0]


def fixed_length_record_reader_v2(record_bytes, header_bytes=0, footer_bytes=0, hop_bytes=0, container='', shared_name='', encoding='', name=None):
    return apply('FixedLengthRecordReaderV2', name, (), {'record_bytes': record_bytes, 'header_bytes': header_bytes, 'footer_bytes': footer_bytes, 'hop_bytes': hop_bytes, 'container': container, 'shared_name': shared_name, 'encoding': encoding}).outputs[0]


def generate_vocab_remapping(new_vocab_file, old_vocab_file, new_vocab_offset, num_new_vocab, old_vocab_size=-1, name=None):
    return results(apply('GenerateVocabRemapping', name, (new_vocab_file, old_vocab_file), {'new_vocab_offset': new_vocab_offset, 'num_new_vocab': num_new_vocab, 'old_vocab_size': old_vocab_size}))


def identity_reader(container='', shared_name='', name=None):
    return apply('IdentityReader', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def identity_reader_v2(container='', shared_name='', name=None):
    return apply('IdentityReaderV2', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def load_and_remap_matrix(ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values, num_rows, num_cols, max_rows_in_memory=-1, name=None):
    return apply('LoadAndRemapMatrix', name, (ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values), {'num_rows': num_rows, 'num_cols': num_cols, 'max_rows_in_memory': max_rows_in_memory}).outputs[0]


def matching_files(pattern, name=None):
    return apply('MatchingFiles', name, (pattern,), {}).outputs[0]


def merge_v2_checkpoints(checkpoint_prefixes, destination_prefix, delete_old_dirs=True, allow_missing_files=False, name=None):
    return apply('MergeV2Checkpoints', name, (checkpoint_prefixes, destination_prefix), {'delete_old_dirs': delete_old_dirs, 'allow_missing_files': allow_missing_files})


def read_file(filename, name=None):
    return apply('ReadFile', name, (filename,), {}).outputs[0]


def reader_num_records_produced(reader_handle, name=None):
    return apply('ReaderNumRecordsProduced', name, (reader_handle,), {}).outputs[0]


def reader_num_records_produced_v2(reader_handle, name=None):
    return apply('ReaderNumRecordsProducedV2', name, (reader_handle,), {}).outputs[0]


def reader_num_work_units_completed(reader_handle, name=None):
    return apply('ReaderNumWorkUnitsCompleted', name, (reader_handle,), {}).outputs[0]


def reader_num_work_units_completed_v2(reader_handle, name=None):
    return apply('ReaderNumWorkUnitsCompletedV2', name, (reader_handle,), {}).outputs[0]


def reader_read(reader_handle, queue_handle, name=None):
    return results(apply('ReaderRead', name, (reader_handle, queue_handle), {}))


def reader_read_up_to(reader_handle, queue_handle, num_records, name=None):
    return results(apply('ReaderReadUpTo', name, (reader_handle, queue_handle, num_records), {}))


def reader_read_up_to_v2(reader_handle, queue_handle, num_records, name=None):
    return results(apply('ReaderReadUpToV2', name, (reader_handle, queue_handle, num_records), {}))


def reader_read_v2(reader_handle, queue_handle, name=None):
    return results(apply('ReaderReadV2', name, (reader_handle, queue_handle), {}))


def reader_reset(reader_handle, name=None):
    return apply('ReaderReset', name, (reader_handle,), {})


def reader_reset_v2(reader_handle, name=None):
    return apply('ReaderResetV2', name, (reader_handle,), {})


def reader_restore_state(reader_handle, state, name=None):
    return apply('ReaderRestoreState', name, (reader_handle, state), {})


def reader_restore_state_v2(reader_handle, state, name=None):
    return apply('ReaderRestoreStateV2', name, (reader_handle, state), {})


def reader_serialize_state(reader_handle, name=None):
    return apply('ReaderSerializeState', name, (reader_handle,), {}).outputs[0]


def reader_serialize_state_v2(reader_handle, name=None):
    return apply('ReaderSerializeStateV2', name, (reader_handle,), {}).outputs[0]


def record_input(file_pattern, file_random_seed=301, file_shuffle_shift_ratio=0.0, file_buffer_size=10000, file_parallelism=16, batch_size=32, compression_type='', name=None):
    return apply('RecordInput', name, (), {'file_pattern': file_pattern, 'file_random_seed': file_random_seed, 'file_shuffle_shift_ratio': file_shuffle_shift_ratio, 'file_buffer_size': file_buffer_size, 'file_parallelism': file_parallelism, 'batch_size': batch_size, 'compression_type': compression_type}).outputs[0]


def restore(file_pattern, tensor_name, dt, preferred_shard=-1, name=None):
    return apply('Restore', name, (file_pattern, tensor_name), {'dt': dt, 'preferred_shard': preferred_shard}).outputs[0]


def restore_slice(file_pattern, tensor_name, shape_and_slice, dt, preferred_shard=-1, name=None):
    return apply('RestoreSlice', name, (file_pattern, tensor_name, shape_and_slice), {'dt': dt, 'preferred_shard': preferred_shard}).outputs[0]


def restore_v2(prefix, tensor_names, shape_and_slices, dtypes_, name=None):
    return apply('RestoreV2', name, (prefix, tensor_names, shape_and_slices), {'dtypes': dtypes_}).outputs


def save(filename, tensor_names, data, name=None):
    return apply('Save', name, (filename, tensor_names, data), {})


def save_slices(filename, tensor_names, shapes_and_slices, data, name=None):
    return apply('SaveSlices', name, (filename, tensor_names, shapes_and_slices, data), {})


def save_v2(prefix, tensor_names, shape_and_slices, tensors, name=None):
    return apply('SaveV2', name, (prefix, tensor_names, shape_and_slices, tensors), {})


def sharded_filename(basename, shard, num_shards, name=None):
    return apply('ShardedFilename', name, (basename, shard, num_shards), {}).outputs[0]


def sharded_filespec(basename, num_shards, name=None):
    return apply('ShardedFilespec', name, (basename, num_shards), {}).outputs[0]


def tf_record_reader(container='', shared_name='', compression_type='', name=None):
    return apply('TFRecordReader', name, (), {'container': container, 'shared_name': shared_name, 'compression_type': compression_type}).outputs[0]


def tf_record_reader_v2(container='', shared_name='', compression_type='', name=None):
    return apply('TFRecordReaderV2', name, (), {'container': container, 'shared_name': shared_name, 'compression_type': compression_type}).outputs[0]


def text_line_reader(skip_header_lines=0, container='', shared_name='', name=None):
    return apply('TextLineReader', name, (), {'skip_header_lines': skip_header_lines, 'container': container, 'shared_name': shared_name}).outputs[0]


def text_line_reader_v2(skip_header_lines=0, container='', shared_name='', name=None):
    return apply('TextLineReaderV2', name, (), {'skip_header_lines': skip_header_lines, 'container': container, 'shared_name': shared_name}).outputs[0]


def whole_file_reader(container='', shared_name='', name=None):
    return apply('WholeFileReader', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def whole_file_reader_v2(container='', shared_name='', name=None):
    return apply('WholeFileReaderV2', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def write_file(filename, contents, name=None):
    return apply('WriteFile', name, (filename, contents), {})
