"""tf.feature_column: how columns of data become inputs of a model."""
import collections

import numpy as np

from .public import tf
from .shown import shows


def _as_key(key):
    return key if isinstance(key, str) else key.name


class _Transformed(dict):
    """The features of one call, with what columns made of them."""

    def __init__(self, features):
        super().__init__()
        self._features = features

    def get(self, key):
        if key in self:
            return self[key]
        if isinstance(key, str):
            if key not in self._features:
                raise ValueError('Feature %s is not in features dictionary.' % key)
            found = self._features[key]
            if not isinstance(found, tf.SparseTensor):
                found = tf.convert_to_tensor(found)
                if found.get_shape().ndims == 1:
                    found = tf.expand_dims(found, -1)
                elif found.get_shape().ndims == 0:
                    found = tf.reshape(found, [1, 1])
        else:
            found = key.transform(self)
        self[key] = found
        return found


def _to_sparse(value, ignore=None):
    """A sparse tensor of what is not `ignore`: '' of texts and -1 of numbers."""
    if isinstance(value, tf.SparseTensor):
        return value
    if ignore is None:
        ignore = '' if value.dtype == tf.string else -1
    at = tf.where(tf.not_equal(value, tf.constant(ignore, value.dtype)))
    return tf.SparseTensor(at, tf.gather_nd(value, at), tf.shape(value, out_type=tf.int64))


class _Dense:
    """A column that gives [batch, n] numbers."""
    is_dense, is_categorical = True, False


class _Categorical:
    """A column that gives sparse ids."""
    is_dense, is_categorical = False, True


class NumericColumn(_Dense, collections.namedtuple('NumericColumn', ('key', 'shape', 'default_value', 'dtype', 'normalizer_fn'))):
    name = property(lambda self: self.key)

    @property
    def parse_example_spec(self):
        return {self.key: tf.FixedLenFeature(self.shape, self.dtype, self.default_value)}

    def transform(self, inputs):
        value = inputs.get(self.key)
        if isinstance(value, tf.SparseTensor):
            raise ValueError('The corresponding Tensor of numerical column must be a Tensor. SparseTensor is not supported. key: %s' %
                             self.key)
        if self.normalizer_fn is not None:
            value = self.normalizer_fn(value)
        return tf.to_float(value)

    variable_shape = property(lambda self: tf.TensorShape(self.shape))

    def dense(self, inputs, trainable=True, weight_collections=None):
        return inputs.get(self)


class BucketizedColumn(_Dense, collections.namedtuple('BucketizedColumn', ('source_column', 'boundaries'))):
    is_categorical = True
    name = property(lambda self: self.source_column.name + '_bucketized')
    parse_example_spec = property(lambda self: self.source_column.parse_example_spec)
    num_buckets = property(lambda self: (len(self.boundaries) + 1) * int(np.prod(self.source_column.shape)))
    variable_shape = property(lambda self: tf.TensorShape(tuple(self.source_column.shape) + (len(self.boundaries) + 1,)))

    def transform(self, inputs):
        from . import _ops
        return _ops.bucketize(inputs.get(self.source_column), boundaries=list(self.boundaries))

    def dense(self, inputs, trainable=True, weight_collections=None):
        return tf.one_hot(tf.to_int64(inputs.get(self)), len(self.boundaries) + 1, 1., 0.)

    def ids(self, inputs):
        value = inputs.get(self)
        batch = tf.shape(value)[0]
        size = int(np.prod(self.source_column.shape))
        flat = tf.reshape(value, (-1,))
        column = tf.tile(tf.range(0, size), [batch])
        rows = tf.reshape(tf.tile(tf.expand_dims(tf.range(0, batch), -1), [1, size]), (-1,))
        at = tf.to_int64(tf.transpose(tf.stack((rows, column))))
        return tf.SparseTensor(at, tf.to_int64(flat + (len(self.boundaries) + 1) * column), tf.to_int64(tf.stack([batch, size]))), None


class _Sparse(_Categorical):
    """Ids that a transformation of one key gives."""
    name = property(lambda self: self.key)

    @property
    def parse_example_spec(self):
        return {self.key: tf.VarLenFeature(self.dtype)}

    def ids(self, inputs):
        return inputs.get(self), None


def _mapped(sparse, act):
    return tf.SparseTensor(sparse.indices, act(sparse.values), sparse.dense_shape)


class HashedCategoricalColumn(_Sparse, collections.namedtuple('HashedCategoricalColumn', ('key', 'hash_bucket_size', 'dtype'))):
    num_buckets = property(lambda self: self.hash_bucket_size)

    def transform(self, inputs):
        sparse = _to_sparse(inputs.get(self.key))
        texts = lambda values: values if values.dtype == tf.string else tf.as_string(values)
        return _mapped(sparse, lambda values: tf.string_to_hash_bucket_fast(texts(values), self.hash_bucket_size))


class VocabularyListCategoricalColumn(_Sparse, collections.namedtuple(
        'VocabularyListCategoricalColumn', ('key', 'vocabulary_list', 'dtype', 'default_value', 'num_oov_buckets'))):
    num_buckets = property(lambda self: len(self.vocabulary_list) + self.num_oov_buckets)

    def transform(self, inputs):
        sparse = _to_sparse(inputs.get(self.key))
        table = tf.contrib.lookup.index_table_from_tensor(
            tuple(self.vocabulary_list), default_value=self.default_value, num_oov_buckets=self.num_oov_buckets,
            dtype=tf.int64 if self.dtype.is_integer else self.dtype, name='%s_lookup' % self.key)
        cast = tf.to_int64 if self.dtype.is_integer else (lambda values: values)
        return _mapped(sparse, lambda values: table.lookup(cast(values)))


class VocabularyFileCategoricalColumn(_Sparse, collections.namedtuple(
        'VocabularyFileCategoricalColumn', ('key', 'vocabulary_file', 'vocabulary_size', 'num_oov_buckets', 'dtype', 'default_value'))):
    num_buckets = property(lambda self: self.vocabulary_size + self.num_oov_buckets)

    def transform(self, inputs):
        sparse = _to_sparse(inputs.get(self.key))
        table = tf.contrib.lookup.index_table_from_file(
            self.vocabulary_file, num_oov_buckets=self.num_oov_buckets, vocab_size=self.vocabulary_size,
            default_value=self.default_value, key_dtype=tf.int64 if self.dtype.is_integer else self.dtype, name='%s_lookup' % self.key)
        cast = tf.to_int64 if self.dtype.is_integer else (lambda values: values)
        return _mapped(sparse, lambda values: table.lookup(cast(values)))


class IdentityCategoricalColumn(_Sparse, collections.namedtuple('IdentityCategoricalColumn', ('key', 'num_buckets', 'default_value'))):
    dtype = tf.int64

    def transform(self, inputs):
        sparse = _to_sparse(inputs.get(self.key))

        def inside(values):
            values = tf.to_int64(values)
            if self.default_value is None:
                with tf.control_dependencies([
                        tf.assert_less(values, tf.constant(self.num_buckets, tf.int64)), tf.assert_greater_equal(values, tf.constant(0, tf.int64))]):
                    return tf.identity(values)
            outside = tf.logical_or(values < 0, values >= self.num_buckets)
            return tf.where(outside, tf.fill(tf.shape(values), tf.constant(self.default_value, tf.int64)), values)
        return _mapped(sparse, inside)


class WeightedCategoricalColumn(_Categorical, collections.namedtuple(
        'WeightedCategoricalColumn', ('categorical_column', 'weight_feature_key', 'dtype'))):
    name = property(lambda self: '%s_weighted_by_%s' % (self.categorical_column.name, self.weight_feature_key))
    num_buckets = property(lambda self: self.categorical_column.num_buckets)

    @property
    def parse_example_spec(self):
        return {**self.categorical_column.parse_example_spec, self.weight_feature_key: tf.VarLenFeature(self.dtype)}

    def transform(self, inputs):
        weights = inputs.get(self.weight_feature_key)
        weights = weights if isinstance(weights, tf.SparseTensor) else _to_sparse(weights, 0.0)
        return inputs.get(self.categorical_column), _mapped(weights, tf.to_float)

    def ids(self, inputs):
        return inputs.get(self)


class CrossedColumn(_Categorical, collections.namedtuple('CrossedColumn', ('keys', 'hash_bucket_size', 'hash_key'))):
    num_buckets = property(lambda self: self.hash_bucket_size)

    @property
    def name(self):
        return '_X_'.join(sorted(self._leaf_names()))

    def _leaf_names(self):
        for key in self.keys:
            if isinstance(key, CrossedColumn):
                yield from key._leaf_names()
            else:
                yield _as_key(key)

    @property
    def parse_example_spec(self):
        found = {}
        for key in self.keys:
            found.update({key: tf.VarLenFeature(tf.string)} if isinstance(key, str) else key.parse_example_spec)
        return found

    def _leaves(self):
        for key in self.keys:
            yield from key._leaves() if isinstance(key, CrossedColumn) else [key]

    def transform(self, inputs):
        from . import sparse_cross
        values = []
        for key in self._leaves():
            values.append(inputs.get(key) if isinstance(key, str) else key.ids(inputs)[0])
        return sparse_cross.cross_hashed(values, self.hash_bucket_size, self.hash_key)

    def ids(self, inputs):
        return inputs.get(self), None


class IndicatorColumn(_Dense, collections.namedtuple('IndicatorColumn', ('categorical_column',))):
    name = property(lambda self: self.categorical_column.name + '_indicator')
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)
    variable_shape = property(lambda self: tf.TensorShape([1, self.categorical_column.num_buckets]))

    def transform(self, inputs):
        ids, weights = self.categorical_column.ids(inputs)
        size = self.categorical_column.num_buckets
        if weights is not None:
            merged = tf.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=size)
            return tf.sparse_add(tf.zeros(tf.to_int64(tf.stack([merged.dense_shape[0], size]))), tf.SparseTensor(
                merged.indices, merged.values, tf.stack([merged.dense_shape[0], size])))
        dense = tf.sparse_tensor_to_dense(ids, default_value=-1)
        hot = tf.one_hot(dense, depth=size, on_value=1.0, off_value=0.0)
        return tf.reduce_sum(hot, axis=[-2])

    def dense(self, inputs, trainable=True, weight_collections=None):
        return inputs.get(self)


class EmbeddingColumn(_Dense, collections.namedtuple(
        'EmbeddingColumn', ('categorical_column', 'dimension', 'combiner', 'initializer', 'ckpt_to_load_from', 'tensor_name_in_ckpt',
                            'max_norm', 'trainable', 'shared_name'))):
    name = property(lambda self: self.shared_name or self.categorical_column.name + '_embedding')
    parse_example_spec = property(lambda self: self.categorical_column.parse_example_spec)
    variable_shape = property(lambda self: tf.TensorShape([self.dimension]))

    def dense(self, inputs, trainable=True, weight_collections=None):
        ids, weights = self.categorical_column.ids(inputs)
        shape = (self.categorical_column.num_buckets, self.dimension)

        def make():
            return tf.get_variable('embedding_weights', shape=shape, dtype=tf.float32, initializer=self.initializer,
                                   trainable=self.trainable and trainable, collections=weight_collections)
        if self.shared_name:
            with tf.variable_scope(tf.get_variable_scope(), reuse=tf.AUTO_REUSE):
                table = make()
        else:
            table = make()
        if self.ckpt_to_load_from is not None:
            tf.train.init_from_checkpoint(self.ckpt_to_load_from, {self.tensor_name_in_ckpt: table})
        return tf.contrib.layers.safe_embedding_lookup_sparse(table, ids, sparse_weights=weights, combiner=self.combiner,
                                                              max_norm=self.max_norm, name='%s_weights' % self.name)


# ---- the functions -----------------------------------------------------------------------------

def numeric_column(key, shape=(1,), default_value=None, dtype=tf.float32, normalizer_fn=None):
    shape = (shape,) if isinstance(shape, int) else tuple(int(size) for size in shape)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError('dtype must be convertible to float. dtype: %s, key: %s' % (dtype, key))
    if default_value is not None:
        default_value = tuple(np.broadcast_to(np.asarray(default_value), shape).ravel().tolist()) if len(shape) == 1 else \
            np.broadcast_to(np.asarray(default_value), shape).tolist()
    return NumericColumn(key, shape, default_value, dtype, normalizer_fn)


def bucketized_column(source_column, boundaries):
    if not isinstance(source_column, NumericColumn):
        raise ValueError('source_column must be a column generated with numeric_column(). Given: %s' % (source_column,))
    if len(source_column.shape) > 1:
        raise ValueError('source_column must be one-dimensional column. Given: %s' % (source_column,))
    boundaries = tuple(boundaries)
    if not boundaries or any(one >= two for one, two in zip(boundaries, boundaries[1:])):
        raise ValueError('boundaries must be a sorted list.')
    return BucketizedColumn(source_column, boundaries)


def categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=tf.string):
    if hash_bucket_size is None or hash_bucket_size < 1:
        raise ValueError('hash_bucket_size must be at least 1. hash_bucket_size: %s, key: %s' % (hash_bucket_size, key))
    return HashedCategoricalColumn(key, hash_bucket_size, dtype)


def categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None, default_value=-1, num_oov_buckets=0):
    if not len(vocabulary_list):
        raise ValueError('vocabulary_list %s must be non-empty, column_name: %s' % (vocabulary_list, key))
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError('Duplicate keys in vocabulary_list %s, column_name: %s' % (vocabulary_list, key))
    if num_oov_buckets and default_value != -1:
        raise ValueError("Can't specify both num_oov_buckets and default_value in %s." % key)
    dtype = tf.as_dtype(np.array(vocabulary_list).dtype) if dtype is None else dtype
    return VocabularyListCategoricalColumn(key, tuple(vocabulary_list), dtype, default_value, num_oov_buckets)


def categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size=None, num_oov_buckets=0, default_value=None,
                                            dtype=tf.string):
    if not vocabulary_file:
        raise ValueError('Missing vocabulary_file in %s.' % key)
    if vocabulary_size is None:
        with tf.gfile.GFile(vocabulary_file) as file:
            vocabulary_size = sum(1 for _ in file)
    return VocabularyFileCategoricalColumn(key, vocabulary_file, vocabulary_size, num_oov_buckets, dtype,
                                           -1 if default_value is None else default_value)


def categorical_column_with_identity(key, num_buckets, default_value=None):
    if num_buckets < 1:
        raise ValueError('num_buckets %s < 1, column_name %s' % (num_buckets, key))
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError('default_value %s not in range [0, %s), column_name %s' % (default_value, num_buckets, key))
    return IdentityCategoricalColumn(key, num_buckets, default_value)


def weighted_categorical_column(categorical_column, weight_feature_key, dtype=tf.float32):
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, dtype)


def crossed_column(keys, hash_bucket_size, hash_key=None):
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError('hash_bucket_size must be > 1. hash_bucket_size: %s' % hash_bucket_size)
    if not keys or len(keys) < 2:
        raise ValueError('keys must be a list with length > 1. Given: %s' % (keys,))
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)


def indicator_column(categorical_column):
    return IndicatorColumn(categorical_column)


def _embedding(column, dimension, combiner, initializer, path, name, max_norm, trainable, shared=None):
    if dimension is None or dimension < 1:
        raise ValueError('Invalid dimension %s.' % dimension)
    if (path is None) != (name is None):
        raise ValueError('Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.')
    if initializer is not None and not callable(initializer):
        raise ValueError('initializer must be callable if specified. Embedding of column_name: %s' % column.name)
    initializer = initializer or tf.truncated_normal_initializer(mean=0.0, stddev=1 / np.sqrt(dimension))
    return EmbeddingColumn(column, dimension, combiner, initializer, path, name, max_norm, trainable, shared)


def embedding_column(categorical_column, dimension, combiner='mean', initializer=None, ckpt_to_load_from=None, tensor_name_in_ckpt=None,
                     max_norm=None, trainable=True):
    return _embedding(categorical_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable)


def shared_embedding_columns(categorical_columns, dimension, combiner='mean', initializer=None, shared_embedding_collection_name=None,
                             ckpt_to_load_from=None, tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    name = shared_embedding_collection_name or '_'.join(sorted(column.name for column in categorical_columns)) + '_shared_embedding'
    return [_embedding(column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable, name)
            for column in categorical_columns]


def make_parse_example_spec(feature_columns):
    found = {}
    for column in feature_columns:
        for key, value in column.parse_example_spec.items():
            if key in found and found[key] != value:
                raise ValueError('feature_columns contain different parse_spec for key %s. Given %s and %s' % (key, value, found[key]))
            found[key] = value
    return found


def _columns(feature_columns):
    if isinstance(feature_columns, dict):
        raise ValueError('Expected feature_columns to be iterable, found dict.')
    columns = [feature_columns] if isinstance(feature_columns, (_Dense, _Categorical)) else list(feature_columns)
    if not columns:
        raise ValueError('feature_columns must not be empty.')
    return sorted(columns, key=lambda column: column.name)


def _column_scope(column):
    """A scope of the column's own; columns that share an embedding share it."""
    shared = getattr(column, 'shared_name', None)
    return tf.variable_scope(shared, reuse=tf.AUTO_REUSE) if shared else tf.variable_scope(None, default_name=column.name)


@shows(lambda features, feature_columns, weight_collections=None, trainable=True, cols_to_vars=None, cols_to_output_tensors=None: None)
def input_layer(features, feature_columns, weight_collections=None, trainable=True, cols_to_vars=None, cols_to_output_tensors=None,
                scope=None):
    """All columns side by side: [batch, n]."""
    columns = _columns(feature_columns)
    for column in columns:
        if not column.is_dense:
            raise ValueError('Items of feature_columns must be a _DenseColumn. You can wrap a categorical column with an '
                             'embedding_column or indicator_column. Given: %s' % (column,))
    collections_ = list(weight_collections or [])
    for name in (tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.MODEL_VARIABLES):
        if name not in collections_:
            collections_.append(name)
    inputs, outputs = _Transformed(features), []
    with tf.variable_scope(scope, default_name='input_layer', values=list(features.values())):
        for column in columns:
            with _column_scope(column):
                before = set(tf.global_variables())
                value = column.dense(inputs, trainable, collections_)
                value = tf.reshape(value, [tf.shape(value)[0], column.variable_shape.num_elements()])
                outputs.append(value)
                if cols_to_vars is not None:
                    cols_to_vars[column] = [var for var in tf.global_variables() if var not in before]
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = value
        return outputs[0] if len(outputs) == 1 else tf.concat(outputs, 1)


def linear_model(features, feature_columns, units=1, sparse_combiner='sum', weight_collections=None, trainable=True, cols_to_vars=None):
    """The sum of a linear model of each column, with a bias."""
    columns = _columns(feature_columns)
    collections_ = list(weight_collections or [])
    for name in (tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.MODEL_VARIABLES):
        if name not in collections_:
            collections_.append(name)
    inputs, sums = _Transformed(features), []
    with tf.variable_scope(None, default_name='linear_model', values=list(features.values())):
        for column in columns:
            with tf.variable_scope(None, default_name=column.name):
                sums.append(_weighted(column, inputs, units, sparse_combiner, collections_, trainable, cols_to_vars))
        bias = tf.get_variable('bias_weights', shape=[units], initializer=tf.zeros_initializer(), trainable=trainable,
                               collections=collections_)
        if cols_to_vars is not None:
            cols_to_vars['bias'] = [bias]
        return tf.nn.bias_add(tf.add_n(sums, name='weighted_sum_no_bias'), bias, name='weighted_sum')


def _weighted(column, inputs, units, combiner, collections_, trainable, cols_to_vars):
    if column.is_categorical:
        ids, weights = column.ids(inputs)
        table = tf.get_variable('weights', shape=(column.num_buckets, units), initializer=tf.zeros_initializer(), trainable=trainable,
                                collections=collections_)
        found = tf.contrib.layers.safe_embedding_lookup_sparse(table, _flat_ids(ids), sparse_weights=weights, combiner=combiner,
                                                               name='weighted_sum')
    else:
        value = column.dense(inputs, trainable, collections_)
        size = column.variable_shape.num_elements()
        table = tf.get_variable('weights', shape=[size, units], initializer=tf.zeros_initializer(), trainable=trainable,
                                collections=collections_)
        found = tf.matmul(tf.reshape(value, [tf.shape(value)[0], size]), table, name='weighted_sum')
    if cols_to_vars is not None:
        cols_to_vars[column] = [table]
    return found


def _flat_ids(ids):
    if ids.get_shape().ndims in (2, None):
        return ids
    return tf.sparse_reshape(ids, [ids.dense_shape[0], -1])
