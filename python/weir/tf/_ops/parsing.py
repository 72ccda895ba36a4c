"""Ops: parsing. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'DecodeCSV': 'records:7 record_defaults:*OUT_TYPE|output:*OUT_TYPE|OUT_TYPE:[t field_delim:s use_quote_delim:b na_value:s select_cols:[i|0',
    'DecodeCompressed': 'bytes:7|output:7|compression_type:s|0',
    'DecodeJSONExample': 'json_examples:7|binary_examples:7||0',
    'DecodePaddedRaw': 'input_bytes:7 fixed_length:3|output:out_type|out_type:t little_endian:b|0',
    'DecodeProtoV2': 'bytes:7|sizes:3 values:*output_types|message_type:s field_names:[s output_types:[t descriptor_source:s message_format:s sanitize:b|0',
    'DecodeRaw': 'bytes:7|output:out_type|out_type:t little_endian:b|0',
    'EncodeProto': 'sizes:3 values:*Tinput_types|bytes:7|field_names:[s message_type:s descriptor_source:s Tinput_types:[t|0',
    'ParseExample': 'serialized:7 names:7 sparse_keys:Nsparse*7 dense_keys:Ndense*7 dense_defaults:*Tdense|sparse_indices:Nsparse*9 sparse_values:*sparse_types sparse_shapes:Nsparse*9 dense_values:*Tdense|Nsparse:i Ndense:i sparse_types:[t Tdense:[t dense_shapes:[S|0',
    'ParseExampleV2': 'serialized:7 names:7 sparse_keys:7 dense_keys:7 ragged_keys:7 dense_defaults:*Tdense|sparse_indices:num_sparse*9 sparse_values:*sparse_types sparse_shapes:num_sparse*9 dense_values:*Tdense ragged_values:*ragged_value_types ragged_row_splits:*ragged_split_types|Tdense:[t num_sparse:i sparse_types:[t ragged_value_types:[t ragged_split_types:[t dense_shapes:[S|0',
    'ParseSequenceExample': 'serialized:7 debug_name:7 context_dense_defaults:*Tcontext_dense|context_sparse_indices:Ncontext_sparse*9 context_sparse_values:*context_sparse_types context_sparse_shapes:Ncontext_sparse*9 context_dense_values:*Tcontext_dense feature_list_sparse_indices:Nfeature_list_sparse*9 feature_list_sparse_values:*feature_list_sparse_types feature_list_sparse_shapes:Nfeature_list_sparse*9 feature_list_dense_values:*feature_list_dense_types feature_list_dense_lengths:Nfeature_list_dense*9|feature_list_dense_missing_assumed_empty:[s context_sparse_keys:[s context_dense_keys:[s feature_list_sparse_keys:[s feature_list_dense_keys:[s Ncontext_sparse:i Ncontext_dense:i Nfeature_list_sparse:i Nfeature_list_dense:i context_sparse_types:[t Tcontext_dense:[t feature_list_dense_types:[t context_dense_shapes:[S feature_list_sparse_types:[t feature_list_dense_shapes:[S|0',
    'ParseSequenceExampleV2': 'serialized:7 debug_name:7 context_sparse_keys:7 context_dense_keys:7 context_ragged_keys:7 feature_list_sparse_keys:7 feature_list_dense_keys:7 feature_list_ragged_keys:7 feature_list_dense_missing_assumed_empty:10 context_dense_defaults:*Tcontext_dense|context_sparse_indices:Ncontext_sparse*9 context_sparse_values:*context_sparse_types context_sparse_shapes:Ncontext_sparse*9 context_dense_values:*Tcontext_dense context_ragged_values:*context_ragged_value_types context_ragged_row_splits:*context_ragged_split_types feature_list_sparse_indices:Nfeature_list_sparse*9 feature_list_sparse_values:*feature_list_sparse_types feature_list_sparse_shapes:Nfeature_list_sparse*9 feature_list_dense_values:*feature_list_dense_types feature_list_dense_lengths:Nfeature_list_dense*9 feature_list_ragged_values:*feature_list_ragged_value_types feature_list_ragged_outer_splits:*feature_list_ragged_split_types feature_list_ragged_inner_splits:*feature_list_ragged_split_types|Ncontext_sparse:i Tcontext_dense:[t context_sparse_types:[t context_ragged_value_types:[t context_ragged_split_types:[t context_dense_shapes:[S Nfeature_list_sparse:i Nfeature_list_dense:i feature_list_dense_types:[t feature_list_sparse_types:[t feature_list_ragged_value_types:[t feature_list_ragged_split_types:[t feature_list_dense_shapes:[S|0',
    'ParseSingleExample': 'serialized:7 dense_defaults:*Tdense|sparse_indices:num_sparse*9 sparse_values:*sparse_types sparse_shapes:num_sparse*9 dense_values:*Tdense|num_sparse:i sparse_keys:[s dense_keys:[s sparse_types:[t Tdense:[t dense_shapes:[S|0',
    'ParseSingleSequenceExample': 'serialized:7 feature_list_dense_missing_assumed_empty:7 context_sparse_keys:Ncontext_sparse*7 context_dense_keys:Ncontext_dense*7 feature_list_sparse_keys:Nfeature_list_sparse*7 feature_list_dense_keys:Nfeature_list_dense*7 context_dense_defaults:*Tcontext_dense debug_name:7|context_sparse_indices:Ncontext_sparse*9 context_sparse_values:*context_sparse_types context_sparse_shapes:Ncontext_sparse*9 context_dense_values:*Tcontext_dense feature_list_sparse_indices:Nfeature_list_sparse*9 feature_list_sparse_values:*feature_list_sparse_types feature_list_sparse_shapes:Nfeature_list_sparse*9 feature_list_dense_values:*feature_list_dense_types|Ncontext_sparse:i Ncontext_dense:i Nfeature_list_sparse:i Nfeature_list_dense:i context_sparse_types:[t Tcontext_dense:[t feature_list_dense_types:[t context_dense_shapes:[S feature_list_sparse_types:[t feature_list_dense_shapes:[S|0',
    'ParseTensor': 'serialized:7|output:out_type|out_type:t|0',
    'SerializeTensor': 'tensor:T|serialized:7|T:t|0',
}


def decode_csv(records, record_defaults, field_delim=',', use_quote_delim=True, na_value='', select_cols=[], name=None):
    return apply('DecodeCSV', name, (records, record_defaults), {'field_delim': field_delim, 'use_quote_delim': use_quote_delim, 'na_value': na_value, 'select_cols': select_cols}).outputs


def decode_compressed(bytes, compression_type='', name=None):
    return apply('DecodeCompressed', name, (bytes,), {'compression_type': compression_type}).outputs[0]


def decode_json_example(json_examples, name=None):
    return apply('DecodeJSONExample', name, (json_examples,), {}).outputs[0]


def decode_padded_raw(input_bytes, fixed_length, out_type, little_endian=True, name=None):
    return apply('DecodePaddedRaw', name, (input_bytes, fixed_length), {'out_type': out_type, 'little_endian': little_endian}).outputs[0]


def decode_proto_v2(bytes, message_type, field_names, output_types, descriptor_source='local://', message_format='binary', sanitize=False, name=None):
    return results(apply('DecodeProtoV2', name, (bytes,), {'message_type': message_type, 'field_names': field_names, 'output_types': output_types, 'descriptor_source': descriptor_source, 'message_format': message_format, 'sanitize': sanitize}))


def decode_raw(bytes, out_type, little_endian=True, name=None):
    return apply('DecodeRaw', name, (bytes,), {'out_type': out_type, 'little_endian': little_endian}).outputs[0]


def encode_proto(sizes, values, field_names, message_type, descriptor_source='local://', name=None):
    return apply('EncodeProto', name, (sizes, values), {'field_names': field_names, 'message_type': message_type, 'descriptor_source': descriptor_source}).outputs[0]


def parse_example(serialized, names, sparse_keys, dense_keys, dense_defaults, sparse_types, dense_shapes, name=None):
    return results(apply('ParseExample', name, (serialized, names, sparse_keys, dense_keys, dense_defaults), {'sparse_types': sparse_types, 'dense_shapes': dense_shapes}))


def parse_example_v2(serialized, names, sparse_keys, dense_keys, ragged_keys, dense_defaults, num_sparse, sparse_types, ragged_value_types, ragged_split_types, dense_shapes, name=None):
    return results(apply('ParseExampleV2', name, (serialized, names, sparse_keys, dense_keys, ragged_keys, dense_defaults), {'num_sparse': num_sparse, 'sparse_types': sparse_types, 'ragged_value_types': ragged_value_types, 'ragged_split_types': ragged_split_types, 'dense_shapes': dense_shapes}))


def parse_sequence_example(serialized, debug_name, context_dense_defaults, feature_list_dense_missing_assumed_empty, context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys, Ncontext_sparse=0, Ncontext_dense=0, Nfeature_list_sparse=0, Nfeature_list_dense=0, context_sparse_types=[], feature_list_dense_types=[], context_dense_shapes=[], feature_list_sparse_types=[], feature_list_dense_shapes=[], name=None):
    return results(apply('ParseSequenceExample', name, (serialized, debug_name, context_dense_defaults), {'feature_list_dense_missing_assumed_empty': feature_list_dense_missing_assumed_empty, 'context_sparse_keys': context_sparse_keys, 'context_dense_keys': context_dense_keys, 'feature_list_sparse_keys': feature_list_sparse_keys, 'feature_list_dense_keys': feature_list_dense_keys, 'Ncontext_sparse': Ncontext_sparse, 'Ncontext_dense': Ncontext_dense, 'Nfeature_list_sparse': Nfeature_list_sparse, 'Nfeature_list_dense': Nfeature_list_dense, 'context_sparse_types': context_sparse_types, 'feature_list_dense_types': feature_list_dense_types, 'context_dense_shapes': context_dense_shapes, 'feature_list_sparse_types': feature_list_sparse_types, 'feature_list_dense_shapes': feature_list_dense_shapes}))


def parse_sequence_example_v2(serialized, debug_name, context_sparse_keys, context_dense_keys, context_ragged_keys, feature_list_sparse_keys, feature_list_dense_keys, feature_list_ragged_keys, feature_list_dense_missing_assumed_empty, context_dense_defaults, Ncontext_sparse=0, context_sparse_types=[], context_ragged_value_types=[], context_ragged_split_types=[], context_dense_shapes=[], Nfeature_list_sparse=0, Nfeature_list_dense=0, feature_list_dense_types=[], feature_list_sparse_types=[], feature_list_ragged_value_types=[], feature_list_ragged_split_types=[], feature_list_dense_shapes=[], name=None):
    return results(apply('ParseSequenceExampleV2', name, (serialized, debug_name, context_sparse_keys, context_dense_keys, context_ragged_keys, feature_list_sparse_keys, feature_list_dense_keys, feature_list_ragged_keys, feature_list_dense_missing_assumed_empty, context_dense_defaults), {'Ncontext_sparse': Ncontext_sparse, 'context_sparse_types': context_sparse_types, 'context_ragged_value_types': context_ragged_value_types, 'context_ragged_split_types': context_ragged_split_types, 'context_dense_shapes': context_dense_shapes, 'Nfeature_list_sparse': Nfeature_list_sparse, 'Nfeature_list_dense': Nfeature_list_dense, 'feature_list_dense_types': feature_list_dense_types, 'feature_list_sparse_types': feature_list_sparse_types, 'feature_list_ragged_value_types': feature_list_ragged_value_types, 'feature_list_ragged_split_types': feature_list_ragged_split_types, 'feature_list_dense_shapes': feature_list_dense_shapes}))


def parse_single_example(serialized, dense_defaults, num_sparse, sparse_keys, dense_keys, sparse_types, dense_shapes, name=None):
    return results(apply('ParseSingleExample', name, (serialized, dense_defaults), {'num_sparse': num_sparse, 'sparse_keys': sparse_keys, 'dense_keys': dense_keys, 'sparse_types': sparse_types, 'dense_shapes': dense_shapes}))


def parse_single_sequence_example(serialized, feature_list_dense_missing_assumed_empty, context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys, context_dense_defaults, debug_name, context_sparse_types=[], feature_list_dense_types=[], context_dense_shapes=[], feature_list_sparse_types=[], feature_list_dense_shapes=[], name=None):
    return results(apply('ParseSingleSequenceExample', name, (serialized, feature_list_dense_missing_assumed_empty, context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys, context_dense_defaults, debug_name), {'context_sparse_types': context_sparse_types, 'feature_list_dense_types': feature_list_dense_types, 'context_dense_shapes': context_dense_shapes, 'feature_list_sparse_types': feature_list_sparse_types, 'feature_list_dense_shapes': feature_list_dense_shapes}))


def parse_tensor(serialized, out_type, name=None):
    return apply('ParseTensor', name, (serialized,), {'out_type': out_type}).outputs[0]


def serialize_tensor(tensor, name=None):
    return apply('SerializeTensor', name, (tensor,), {}).outputs[0]
