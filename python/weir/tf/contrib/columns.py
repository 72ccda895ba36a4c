"""tf.contrib.layers' feature columns: those of tf.feature_column under their older names."""
from .. import feature_column as core
from ..public import tf


def real_valued_column(column_name, dimension=1, default_value=None, dtype=tf.float32, normalizer=None):
    if dimension is None:
        raise ValueError('weir has no real_valued_column of unknown dimension')
    return core.numeric_column(column_name, (dimension,), default_value, dtype, normalizer)


def sparse_column_with_hash_bucket(column_name, hash_bucket_size, combiner='sum', dtype=tf.string, hash_keys=None):
    return core.categorical_column_with_hash_bucket(column_name, hash_bucket_size, dtype)


def sparse_column_with_keys(column_name, keys, default_value=-1, combiner='sum', dtype=tf.string):
    return core.categorical_column_with_vocabulary_list(column_name, keys, dtype, default_value)


def sparse_column_with_integerized_feature(column_name, bucket_size, combiner='sum', dtype=tf.int64):
    return core.categorical_column_with_identity(column_name, bucket_size)


def sparse_column_with_vocabulary_file(column_name, vocabulary_file, num_oov_buckets=0, vocab_size=None, default_value=-1,
                                       combiner='sum', dtype=tf.string):
    return core.categorical_column_with_vocabulary_file(column_name, vocabulary_file, vocab_size, num_oov_buckets,
                                                           None if num_oov_buckets else default_value, dtype)


def bucketized_column(source_column, boundaries):
    return core.bucketized_column(source_column, boundaries)


def crossed_column(columns, hash_bucket_size, combiner='sum', ckpt_to_load_from=None, tensor_name_in_ckpt=None, hash_key=None):
    keys = [column.key if hasattr(column, 'key') and not isinstance(column, core.BucketizedColumn) else column for column in columns]
    return core.crossed_column(keys, hash_bucket_size, hash_key)


def embedding_column(sparse_id_column, dimension, combiner='mean', initializer=None, ckpt_to_load_from=None, tensor_name_in_ckpt=None,
                     max_norm=None, trainable=True):
    return core.embedding_column(sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
                                    max_norm, trainable)


def shared_embedding_columns(sparse_id_columns, dimension, combiner='mean', shared_embedding_name=None, initializer=None,
                             ckpt_to_load_from=None, tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    return core.shared_embedding_columns(sparse_id_columns, dimension, combiner, initializer, shared_embedding_name,
                                            ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable)


def one_hot_column(sparse_id_column):
    return core.indicator_column(sparse_id_column)


def weighted_sparse_column(sparse_id_column, weight_column_name, dtype=tf.float32):
    return core.weighted_categorical_column(sparse_id_column, weight_column_name, dtype)


def create_feature_spec_for_parsing(feature_columns):
    return core.make_parse_example_spec(feature_columns)


def input_from_feature_columns(columns_to_tensors, feature_columns, weight_collections=None, trainable=True, scope=None,
                               cols_to_outs=None):
    with tf.variable_scope(scope, 'input_from_feature_columns', list(columns_to_tensors.values())):
        return core.input_layer(columns_to_tensors, feature_columns, weight_collections, trainable,
                                   cols_to_output_tensors=cols_to_outs)


def weighted_sum_from_feature_columns(columns_to_tensors, feature_columns, num_outputs, weight_collections=None, trainable=True,
                                      scope=None):
    """(the sum, the variables of each column, the bias)."""
    made = {}
    with tf.variable_scope(scope, 'weighted_sum_from_feature_columns', list(columns_to_tensors.values())):
        logits = core.linear_model(columns_to_tensors, feature_columns, num_outputs, weight_collections=weight_collections,
                                      trainable=trainable, cols_to_vars=made)
    bias = made.pop('bias', [None])
    return logits, made, bias[0] if isinstance(bias, list) else bias
