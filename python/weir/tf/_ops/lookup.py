"""Ops: lookup. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AnonymousHashTable': '|table_handle:20|key_dtype:t value_dtype:t|1',
    'AnonymousMutableDenseHashTable': 'empty_key:key_dtype deleted_key:key_dtype|table_handle:20|key_dtype:t value_dtype:t value_shape:S initial_num_buckets:i max_load_factor:f|1',
    'AnonymousMutableHashTable': '|table_handle:20|key_dtype:t value_dtype:t|1',
    'AnonymousMutableHashTableOfTensors': '|table_handle:20|key_dtype:t value_dtype:t value_shape:S|1',
    'HashTable': '|table_handle:&7|container:s shared_name:s use_node_name_sharing:b key_dtype:t value_dtype:t|1',
    'HashTableV2': '|table_handle:20|container:s shared_name:s use_node_name_sharing:b key_dtype:t value_dtype:t|1',
    'InitializeTable': 'table_handle:&7 keys:Tkey values:Tval||Tkey:t Tval:t|0',
    'InitializeTableFromTextFile': 'table_handle:&7 filename:7||key_index:i value_index:i vocab_size:i delimiter:s offset:i|0',
    'InitializeTableFromTextFileV2': 'table_handle:20 filename:7||key_index:i value_index:i vocab_size:i delimiter:s offset:i|1',
    'InitializeTableV2': 'table_handle:20 keys:Tkey values:Tval||Tkey:t Tval:t|1',
    'LookupTableExport': 'table_handle:&7|keys:Tkeys values:Tvalues|Tkeys:t Tvalues:t|0',
    'LookupTableExportV2': 'table_handle:20|keys:Tkeys values:Tvalues|Tkeys:t Tvalues:t|1',
    'LookupTableFind': 'table_handle:&7 keys:Tin default_value:Tout|values:Tout|Tin:t Tout:t|0',
    'LookupTableFindV2': 'table_handle:20 keys:Tin default_value:Tout|values:Tout|Tin:t Tout:t|1',
    'LookupTableImport': 'table_handle:&7 keys:Tin values:Tout||Tin:t Tout:t|0',
    'LookupTableImportV2': 'table_handle:20 keys:Tin values:Tout||Tin:t Tout:t|1',
    'LookupTableInsert': 'table_handle:&7 keys:Tin values:Tout||Tin:t Tout:t|0',
    'LookupTableInsertV2': 'table_handle:20 keys:Tin values:Tout||Tin:t Tout:t|1',
    'LookupTableRemoveV2': 'table_handle:20 keys:Tin||Tin:t|1',
    'LookupTableSize': 'table_handle:&7|size:9||0',
    'LookupTableSizeV2': 'table_handle:20|size:9||1',
    'MutableDenseHashTable': 'empty_key:key_dtype|table_handle:&7|container:s shared_name:s use_node_name_sharing:b key_dtype:t value_dtype:t value_shape:S initial_num_buckets:i max_load_factor:f|1',
    'MutableDenseHashTableV2': 'empty_key:key_dtype deleted_key:key_dtype|table_handle:20|container:s shared_name:s use_node_name_sharing:b key_dtype:t value_dtype:t value_shape:S initial_num_buckets:i max_load_factor:f|1',
    'MutableHashTable': '|table_handle:&7|container:s shared_name:s use_node_name_sharing:b key_dtype:t value_dtype:t|1',
    'MutableHashTableOfTensors': '|table_handle:&7|container:s shared_name:s use_node_name_sharing:b key_dtype:t value_dtype:t value_shape:S|1',
    'MutableHashTableOfTensorsV2': '|table_handle:20|container:s shared_name:s use_node_name_sharing:b key_dtype:t value_dtype:t value_shape:S|1',
    'MutableHashTableV2': '|table_handle:20|container:s shared_name:s use_node_name_sharing:b key_dtype:t value_dtype:t|1',
}


def anonymous_hash_table(key_dtype, value_dtype, name=None):
    return apply('AnonymousHashTable', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype}).outputs[0]


def anonymous_mutable_dense_hash_table(empty_key, deleted_key, value_dtype, value_shape=[], initial_num_buckets=131072, max_load_factor=0.800000012, name=None):
    return apply('AnonymousMutableDenseHashTable', name, (empty_key, deleted_key), {'value_dtype': value_dtype, 'value_shape': value_shape, 'initial_num_buckets': initial_num_buckets, 'max_load_factor': max_load_factor}).outputs[0]


def anonymous_mutable_hash_table(key_dtype, value_dtype, name=None):
    return apply('AnonymousMutableHashTable', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype}).outputs[0]


def anonymous_mutable_hash_table_of_tensors(key_dtype, value_dtype, value_shape=[], name=None):
    return apply('AnonymousMutableHashTableOfTensors', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'value_shape': value_shape}).outputs[0]


def hash_table(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, name=None):
    return apply('HashTable', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing}).outputs[0]


def hash_table_v2(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, name=None):
    return apply('HashTableV2', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing}).outputs[0]


def initialize_table(table_handle, keys, values, name=None):
    return apply('InitializeTable', name, (table_handle, keys, values), {})


def initialize_table_from_text_file(table_handle, filename, key_index, value_index, vocab_size=-1, delimiter='\t', offset=0, name=None):
    return apply('InitializeTableFromTextFile', name, (table_handle, filename), {'key_index': key_index, 'value_index': value_index, 'vocab_size': vocab_size, 'delimiter': delimiter, 'offset': offset})


def initialize_table_from_text_file_v2(table_handle, filename, key_index, value_index, vocab_size=-1, delimiter='\t', offset=0, name=None):
    return apply('InitializeTableFromTextFileV2', name, (table_handle, filename), {'key_index': key_index, 'value_index': value_index, 'vocab_size': vocab_size, 'delimiter': delimiter, 'offset': offset})


def initialize_table_v2(table_handle, keys, values, name=None):
    return apply('InitializeTableV2', name, (table_handle, keys, values), {})


def lookup_table_export(table_handle, Tkeys, Tvalues, name=None):
    return results(apply('LookupTableExport', name, (table_handle,), {'Tkeys': Tkeys, 'Tvalues': Tvalues}))


def lookup_table_export_v2(table_handle, Tkeys, Tvalues, name=None):
    return results(apply('LookupTableExportV2', name, (table_handle,), {'Tkeys': Tkeys, 'Tvalues': Tvalues}))


def lookup_table_find(table_handle, keys, default_value, name=None):
    return apply('LookupTableFind', name, (table_handle, keys, default_value), {}).outputs[0]


def lookup_table_find_v2(table_handle, keys, default_value, name=None):
    return apply('LookupTableFindV2', name, (table_handle, keys, default_value), {}).outputs[0]


def lookup_table_import(table_handle, keys, values, name=None):
    return apply('LookupTableImport', name, (table_handle, keys, values), {})


def lookup_table_import_v2(table_handle, keys, values, name=None):
    return apply('LookupTableImportV2', name, (table_handle, keys, values), {})


def lookup_table_insert(table_handle, keys, values, name=None):
    return apply('LookupTableInsert', name, (table_handle, keys, values), {})


def lookup_table_insert_v2(table_handle, keys, values, name=None):
    return apply('LookupTableInsertV2', name, (table_handle, keys, values), {})


def lookup_table_remove_v2(table_handle, keys, name=None):
    return apply('LookupTableRemoveV2', name, (table_handle, keys), {})


def lookup_table_size(table_handle, name=None):
    return apply('LookupTableSize', name, (table_handle,), {}).outputs[0]


def lookup_table_size_v2(table_handle, name=None):
    return apply('LookupTableSizeV2', name, (table_handle,), {}).outputs[0]


def mutable_dense_hash_table(empty_key, value_dtype, container='', shared_name='', use_node_name_sharing=False, value_shape=[], initial_num_buckets=131072, max_load_factor=0.800000012, name=None):
    return apply('MutableDenseHashTable', name, (empty_key,), {'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing, 'value_shape': value_shape, 'initial_num_buckets': initial_num_buckets, 'max_load_factor': max_load_factor}).outputs[0]


def mutable_dense_hash_table_v2(empty_key, deleted_key, value_dtype, container='', shared_name='', use_node_name_sharing=False, value_shape=[], initial_num_buckets=131072, max_load_factor=0.800000012, name=None):
    return apply('MutableDenseHashTableV2', name, (empty_key, deleted_key), {'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing, 'value_shape': value_shape, 'initial_num_buckets': initial_num_buckets, 'max_load_factor': max_load_factor}).outputs[0]


def mutable_hash_table(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, name=None):
    return apply('MutableHashTable', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing}).outputs[0]


def mutable_hash_table_of_tensors(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, value_shape=[], name=None):
    return apply('MutableHashTableOfTensors', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing, 'value_shape': value_shape}).outputs[0]


def mutable_hash_table_of_tensors_v2(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, value_shape=[], name=None):
    return apply('MutableHashTableOfTensorsV2', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing, 'value_shape': value_shape}).outputs[0]


def mutable_hash_table_v2(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, name=None):
    return apply('MutableHashTableV2', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing}).outputs[0]
