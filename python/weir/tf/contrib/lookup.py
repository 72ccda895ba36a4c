"""tf.contrib.lookup: tables under their older signatures."""
from .. import dtypes, lookup_ops
from ..lookup_ops import (FastHashSpec, HashTable, HasherSpec, IdTableWithHashBuckets, KeyValueTensorInitializer,  # noqa: F401
                          LookupInterface, MutableHashTable, MutableDenseHashTable, StrongHashSpec, TableInitializerBase, TextFileIdTableInitializer,
                          TextFileIndex, TextFileInitializer, TextFileStringTableInitializer, index_table_from_file,
                          index_to_string_table_from_file)


def index_table_from_tensor(mapping, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec, dtype=dtypes.string, name=None):
    if mapping is None:
        raise ValueError('mapping must be specified.')
    return lookup_ops.index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, dtype, name)


def index_to_string_table_from_tensor(mapping, default_value='UNK', name=None):
    return lookup_ops.index_to_string_table_from_tensor(mapping, default_value, name)


def string_to_index_table_from_tensor(mapping, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec, name=None):
    return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, name=name)


def string_to_index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None, default_value=-1,
                                    hasher_spec=FastHashSpec, name=None):
    return index_table_from_file(vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, name=name)


def index_to_string(tensor, mapping, default_value='UNK', name=None):
    return index_to_string_table_from_tensor(mapping, default_value).lookup(tensor, name)


def string_to_index(tensor, mapping, default_value=-1, name=None):
    return index_table_from_tensor(mapping, default_value=default_value).lookup(tensor, name)
