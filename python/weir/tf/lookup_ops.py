"""Tables: from keys to values, from words to numbers."""
import collections

from . import _ops, array_ops, dtypes, math_ops
from .control_flow_ops import group, no_op
from .convert import constant_value, convert_to_tensor
from .graph import get_default_graph
from .scopes import GraphKeys, add_to_collection, colocate_with, control_dependencies, get_collection, name_scope
from .sparse_tensor import SparseTensor
from .tensor import Tensor
from .training.saveable_object import SaveableObject, SaveSpec


class HasherSpec(collections.namedtuple('HasherSpec', ['hasher', 'key'])):
    __slots__ = ()


FastHashSpec = HasherSpec('fasthash', None)


class StrongHashSpec(HasherSpec):
    __slots__ = ()

    def __new__(cls, key):
        if len(key) != 2:
            raise ValueError('key must have size 2, got %s.' % len(key))
        if not all(isinstance(item, int) for item in key):
            raise TypeError('Invalid key %s. Must be unsigned integer values.' % (key,))
        return super().__new__(cls, 'stronghash', key)


def tables_initializer(name='init_all_tables'):
    found = get_collection(GraphKeys.TABLE_INITIALIZERS)
    return group(*found, name=name) if found else no_op(name=name)


def initialize_all_tables(name='init_all_tables'):
    return tables_initializer(name)


class LookupInterface:
    """A table in the graph."""

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)
    resource_handle = property(lambda self: self._handle)
    table_ref = property(lambda self: self._handle)
    default_value = property(lambda self: self._default)

    @property
    def name(self):
        return self._handle.op.name.rpartition('/')[2]

    def size(self, name=None):
        with name_scope(name, '%s_Size' % self.name):
            return _ops.lookup_table_size_v2(self._handle)

    def lookup(self, keys, name=None):
        given = keys
        if isinstance(keys, SparseTensor):
            keys = keys.values
        keys = convert_to_tensor(keys, dtype=self._key_dtype, name='keys')
        with name_scope(name, '%s_Lookup' % self.name, [keys]):
            found = _ops.lookup_table_find_v2(self._handle, keys, self._default)
        found.set_shape(keys.get_shape().concatenate(self._default.get_shape()))
        return SparseTensor(given.indices, found, given.dense_shape) if isinstance(given, SparseTensor) else found


class StaticHashTable(LookupInterface):
    def __init__(self, initializer, default_value, shared_name=None, name=None):
        super().__init__(initializer.key_dtype, initializer.value_dtype)
        with name_scope(name, 'hash_table', []) as scope:
            self._handle = _ops.hash_table_v2(self._key_dtype, self._value_dtype, shared_name=shared_name or '',
                                              use_node_name_sharing=shared_name is None, name=scope)
        self._default = convert_to_tensor(default_value, dtype=self._value_dtype)
        self._init = initializer.initialize(self)

    initializer = property(lambda self: self._init)
    init = property(lambda self: self._init)

    def export(self, name=None):
        with name_scope(name, '%s_Export' % self.name):
            return tuple(_ops.lookup_table_export_v2(self._handle, self._key_dtype, self._value_dtype))


HashTable = StaticHashTableV1 = StaticHashTable


class TableInitializerBase:
    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)


class KeyValueTensorInitializer(TableInitializerBase):
    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None):
        with name_scope(name, 'key_value_init', [keys, values]) as scope:
            self._keys = convert_to_tensor(keys, dtype=key_dtype, name='keys')
            self._values = convert_to_tensor(values, dtype=value_dtype, name='values')
            self._name = scope
        super().__init__(self._keys.dtype, self._values.dtype)

    def initialize(self, table):
        made = _ops.initialize_table_v2(table.resource_handle, self._keys, self._values, name=self._name)
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, made)
        return made


class TextFileIndex:
    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TextFileInitializer(TableInitializerBase):
    def __init__(self, filename, key_dtype, key_index, value_dtype, value_index, vocab_size=None, delimiter='\t', name=None):
        super().__init__(key_dtype, value_dtype)
        if key_index == TextFileIndex.LINE_NUMBER and self._key_dtype != dtypes.int64:
            raise ValueError('Signature mismatch. Keys must be dtype %s, got %s.' % (dtypes.int64, key_dtype))
        if value_index == TextFileIndex.LINE_NUMBER and self._value_dtype != dtypes.int64:
            raise ValueError('Signature mismatch. Values must be dtype %s, got %s.' % (dtypes.int64, value_dtype))
        if key_index == TextFileIndex.WHOLE_LINE and not (self._key_dtype.is_integer or self._key_dtype == dtypes.string):
            raise ValueError('Signature mismatch. Keys must be integer or string, got %s.' % key_dtype)
        if value_index == TextFileIndex.WHOLE_LINE and self._value_dtype != dtypes.string:
            raise ValueError('Signature mismatch. Values must be dtype %s, got %s.' % (dtypes.string, value_dtype))
        if isinstance(filename, str) and not filename:
            raise ValueError('Filename required for %s.' % name)
        if isinstance(filename, (list, tuple)):
            raise ValueError('Filename must be one string, not %s' % (filename,))
        _check_size(vocab_size, filename)
        self._filename, self._indices = filename, (key_index, value_index)
        self._size, self._delimiter, self._name = -1 if vocab_size is None else vocab_size, delimiter, name

    @property
    def _shared_name(self):
        """The name under which tables of the same file are shared."""
        name = self._filename if isinstance(self._filename, (str, bytes)) else getattr(self._filename, 'name', '')
        name = name.decode() if isinstance(name, bytes) else name
        return '_'.join(str(part) for part in ('hash_table', name) + ((self._size,) if self._size >= 0 else ()) + self._indices)

    def initialize(self, table):
        with name_scope(self._name, 'text_file_init', [table.resource_handle]):
            filename = convert_to_tensor(self._filename, dtypes.string, name='asset_filepath')
            made = _ops.initialize_table_from_text_file_v2(table.resource_handle, filename, self._indices[0], self._indices[1],
                                                           self._size, self._delimiter)
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, made)
        add_to_collection(GraphKeys.ASSET_FILEPATHS, filename)
        return made


class TextFileStringTableInitializer(TextFileInitializer):
    def __init__(self, filename, key_column_index=TextFileIndex.LINE_NUMBER, value_column_index=TextFileIndex.WHOLE_LINE,
                 vocab_size=None, delimiter='\t', name='text_file_string_table_init'):
        super().__init__(filename, dtypes.int64, key_column_index, dtypes.string, value_column_index, vocab_size, delimiter, name)


class TextFileIdTableInitializer(TextFileInitializer):
    def __init__(self, filename, key_column_index=TextFileIndex.WHOLE_LINE, value_column_index=TextFileIndex.LINE_NUMBER,
                 vocab_size=None, delimiter='\t', name='text_file_id_table_init', key_dtype=dtypes.string):
        super().__init__(filename, key_dtype, key_column_index, dtypes.int64, value_column_index, vocab_size, delimiter, name)


class StaticVocabularyTable(LookupInterface):
    """Numbers of a table, and buckets of a hash for words that it does not have."""

    def __init__(self, initializer, num_oov_buckets, lookup_key_dtype=None, name=None, _table=None, _spec=FastHashSpec):
        if not isinstance(_spec, HasherSpec):
            raise TypeError('hasher_spec must be of type HasherSpec, got %s' % (_spec,))
        if initializer is None and _table is None and lookup_key_dtype is not None and \
                dtypes.as_dtype(lookup_key_dtype) not in (dtypes.string, dtypes.int32, dtypes.int64):
            raise TypeError('Invalid key_dtype, expected one of (string, int64, int32), received %s.' % lookup_key_dtype)
        self._buckets, self._spec = num_oov_buckets, _spec
        self._table = _table if _table is not None else HashTable(initializer, default_value=-1) if initializer else None
        kind = lookup_key_dtype or (self._table.key_dtype if self._table is not None else dtypes.string)
        super().__init__(kind, dtypes.int64)

    name = property(lambda self: 'string_to_index_hash_table' if self._table is None else self._table.name)
    init = initializer = property(lambda self: no_op() if self._table is None else self._table.init)
    resource_handle = table_ref = property(lambda self: None if self._table is None else self._table.resource_handle)

    def size(self, name=None):
        base = self._table.size() if self._table is not None else convert_to_tensor(0, dtypes.int64)
        return base + self._buckets

    def lookup(self, keys, name=None):
        given = keys
        if isinstance(keys, SparseTensor):
            keys = keys.values
        keys = convert_to_tensor(keys)
        if self._table is not None and self._table.key_dtype == dtypes.int64:
            keys = math_ops.cast(keys, dtypes.int64)
        with name_scope(name, '%s_Lookup' % self.name):
            found = self._table.lookup(keys) if self._table is not None else None
            if self._buckets:
                text = keys if keys.dtype.base_dtype == dtypes.string else _ops.as_string(keys)
                bucket = self._hash(text)
                found = bucket if found is None else array_ops.where(
                    math_ops.not_equal(found, self._table.default_value), found, bucket + self._table.size())
        found.set_shape(keys.get_shape())
        return SparseTensor(given.indices, found, given.dense_shape) if isinstance(given, SparseTensor) else found

    def _hash(self, text):
        if self._spec.hasher == 'fasthash':
            return _ops.string_to_hash_bucket_fast(text, self._buckets)
        if self._spec.hasher == 'legacy':
            return _ops.string_to_hash_bucket(text, self._buckets)
        if self._spec.hasher != 'stronghash':
            raise ValueError('Unknown hasher %s' % self._spec.hasher)
        return _ops.string_to_hash_bucket_strong(text, self._buckets, self._spec.key)


StaticVocabularyTableV1 = StaticVocabularyTable


class IdTableWithHashBuckets(StaticVocabularyTable):
    def __init__(self, table, num_oov_buckets, hasher_spec=FastHashSpec, name=None, key_dtype=None):
        super().__init__(None, num_oov_buckets, key_dtype or (table.key_dtype if table is not None else dtypes.string),
                         name, _table=table, _spec=hasher_spec)


class _SavedTable(SaveableObject):
    """The keys and the values of a table."""

    def __init__(self, table):
        name = table._handle.op.name
        keys, values = table.export()
        super().__init__(table._handle, [SaveSpec(keys, '', name + '-keys'), SaveSpec(values, '', name + '-values')], name)

    def restore(self, restored_tensors, restored_shapes):
        with name_scope('%s_table_restore' % self.name.rpartition('/')[2]), colocate_with(self.op.op):
            return _ops.lookup_table_import_v2(self.op, *restored_tensors)


class _Changing(LookupInterface):
    """A table that steps change: savers keep it."""

    def _keep(self, checkpoint):
        self._saved = None
        if checkpoint:
            get_default_graph().add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self._saveable())

    def _saveable(self):
        if self._saved is None:
            self._saved = _SavedTable(self)
        return self._saved


class MutableHashTable(_Changing):
    def __init__(self, key_dtype, value_dtype, default_value, shared_name=None, name='MutableHashTable', checkpoint=True):
        super().__init__(key_dtype, value_dtype)
        self._default = convert_to_tensor(default_value, dtype=self._value_dtype)
        shape = self._default.get_shape()
        make = _ops.mutable_hash_table_v2 if shape.ndims == 0 else _ops.mutable_hash_table_of_tensors_v2
        more = {} if shape.ndims == 0 else {'value_shape': shape}
        self._handle = make(self._key_dtype, self._value_dtype, shared_name=shared_name or '',
                            use_node_name_sharing=shared_name is None, name=name, **more)
        self._keep(checkpoint)

    def insert(self, keys, values, name=None):
        with name_scope(name, '%s_lookup_table_insert' % self.name):
            return _ops.lookup_table_insert_v2(self._handle, convert_to_tensor(keys, self._key_dtype),
                                               convert_to_tensor(values, self._value_dtype))

    def remove(self, keys, name=None):
        return _ops.lookup_table_remove_v2(self._handle, convert_to_tensor(keys, self._key_dtype), name=name)

    def export(self, name=None):
        return tuple(_ops.lookup_table_export_v2(self._handle, self._key_dtype, self._value_dtype, name=name))


class MutableDenseHashTable(MutableHashTable):
    """Open addressing: two keys say that a bucket is empty or was deleted."""

    def __init__(self, key_dtype, value_dtype, default_value, empty_key, deleted_key, initial_num_buckets=None, shared_name=None,
                 name='MutableDenseHashTable', checkpoint=True):
        LookupInterface.__init__(self, key_dtype, value_dtype)
        self._default = convert_to_tensor(default_value, dtype=self._value_dtype)
        self._handle = _ops.mutable_dense_hash_table_v2(
            convert_to_tensor(empty_key, self._key_dtype), convert_to_tensor(deleted_key, self._key_dtype), self._value_dtype,
            shared_name=shared_name or '', use_node_name_sharing=shared_name is None, value_shape=self._default.get_shape(),
            initial_num_buckets=initial_num_buckets or 131072, name=name)
        self._keep(checkpoint)


# ---- from words to numbers and back ----

def _check_size(vocab_size, file):
    if vocab_size is not None and vocab_size < 1:
        known = constant_value(file) if isinstance(file, Tensor) else None
        file = known.item() if known is not None else file
        raise ValueError('vocab_size must be greater than 0, got %d. vocabulary_file: %s' % (vocab_size, file))


def _with_buckets(table, buckets, hasher_spec, dtype):
    return IdTableWithHashBuckets(table, buckets, hasher_spec=hasher_spec, key_dtype=dtype) if buckets else table


def index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None, default_value=-1, hasher_spec=FastHashSpec,
                          key_dtype=dtypes.string, name=None, key_column_index=TextFileIndex.WHOLE_LINE,
                          value_column_index=TextFileIndex.LINE_NUMBER, delimiter='\t'):
    if vocabulary_file is None or isinstance(vocabulary_file, str) and not vocabulary_file:
        raise ValueError('vocabulary_file must be specified and must not be empty.')
    if num_oov_buckets < 0:
        raise ValueError('num_oov_buckets must be greater or equal than 0, got %d.' % num_oov_buckets)
    _check_size(vocab_size, vocabulary_file)
    with name_scope(name, 'string_to_index'):
        kind = dtypes.as_dtype(key_dtype)
        init = TextFileIdTableInitializer(vocabulary_file, key_column_index, value_column_index, vocab_size, delimiter,
                                          'table_init', dtypes.int64 if kind.is_integer else kind)
        return _with_buckets(HashTable(init, default_value), num_oov_buckets, hasher_spec, kind)


def index_table_from_tensor(vocabulary_list=None, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec,
                            dtype=dtypes.string, name=None):
    if vocabulary_list is None:
        raise ValueError('vocabulary_list must be specified.')
    with name_scope(name, 'string_to_index'):
        keys = convert_to_tensor(vocabulary_list)
        if keys.dtype.is_integer:
            keys = math_ops.cast(keys, dtypes.int64)
        values = math_ops.cast(math_ops.range(array_ops.size(keys)), dtypes.int64)
        init = KeyValueTensorInitializer(keys, values, keys.dtype, dtypes.int64, name='table_init')
        return _with_buckets(HashTable(init, default_value), num_oov_buckets, hasher_spec, dtypes.as_dtype(dtype))


def index_to_string_table_from_file(vocabulary_file, vocab_size=None, default_value='UNK', name=None,
                                    key_column_index=TextFileIndex.LINE_NUMBER, value_column_index=TextFileIndex.WHOLE_LINE,
                                    delimiter='\t'):
    if vocabulary_file is None or isinstance(vocabulary_file, str) and not vocabulary_file:
        raise ValueError('vocabulary_file must be specified and must not be empty.')
    _check_size(vocab_size, vocabulary_file)
    with name_scope(name, 'index_to_string'):
        init = TextFileStringTableInitializer(vocabulary_file, key_column_index, value_column_index, vocab_size, delimiter)
        return HashTable(init, default_value)


def index_to_string_table_from_tensor(vocabulary_list, default_value='UNK', name=None):
    with name_scope(name, 'index_to_string'):
        words = convert_to_tensor(vocabulary_list, dtypes.string)
        keys = math_ops.cast(math_ops.range(array_ops.size(words)), dtypes.int64)
        return HashTable(KeyValueTensorInitializer(keys, words, dtypes.int64, dtypes.string, name='table_init'), default_value)


class DenseHashTable(_Changing):
    """A table on two arrays: keys may be anything but `empty_key` and `deleted_key`."""

    def __init__(self, key_dtype, value_dtype, default_value, empty_key, deleted_key, initial_num_buckets=None, shared_name=None,
                 name='MutableDenseHashTable', checkpoint=True):
        super().__init__(key_dtype, value_dtype)
        self._default = convert_to_tensor(default_value, dtype=self._value_dtype, name='default_value')
        self._empty = convert_to_tensor(empty_key, dtype=self._key_dtype, name='empty_key')
        deleted = convert_to_tensor(deleted_key, dtype=self._key_dtype, name='deleted_key')
        more = {} if initial_num_buckets is None else {'initial_num_buckets': initial_num_buckets}
        self._handle = _ops.mutable_dense_hash_table_v2(
            self._empty, deleted, self._value_dtype, shared_name=shared_name or '', use_node_name_sharing=shared_name is None,
            value_shape=self._default.get_shape(), name=name, **more)
        self._name = self._handle.op.name.split('/')[-1]
        self._keep(checkpoint)

    name = property(lambda self: self._name)

    def lookup(self, keys, name=None):
        keys = convert_to_tensor(keys, dtype=self._key_dtype, name='keys')
        with name_scope(name, '%s_lookup_table_find' % self.name, [keys]):
            found = _ops.lookup_table_find_v2(self._handle, keys, self._default)
        shape = keys.get_shape()
        if self._empty.get_shape().ndims and shape.ndims is not None:
            shape = shape[:shape.ndims - self._empty.get_shape().ndims]
        found.set_shape(shape.concatenate(self._default.get_shape()))
        return found

    def insert_or_assign(self, keys, values, name=None):
        with name_scope(name, '%s_lookup_table_insert' % self.name, [keys, values]):
            return _ops.lookup_table_insert_v2(self._handle, convert_to_tensor(keys, self._key_dtype, name='keys'),
                                               convert_to_tensor(values, self._value_dtype, name='values'))

    insert = insert_or_assign

    def erase(self, keys, name=None):
        with name_scope(name, '%s_lookup_table_remove' % self.name, [keys]):
            return _ops.lookup_table_remove_v2(self._handle, convert_to_tensor(keys, self._key_dtype, name='keys'))

    remove = erase

    def export(self, name=None):
        with name_scope(name, '%s_lookup_table_export_values' % self.name):
            return tuple(_ops.lookup_table_export_v2(self._handle, self._key_dtype, self._value_dtype))
