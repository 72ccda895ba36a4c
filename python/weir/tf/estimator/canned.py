"""Ready-made estimators: linear models, networks and both together."""
import math

from .. import feature_column
from ..public import tf
from .estimator import Estimator
from .head import RegressionHead, binary_or_multi_class
from .model_fn import ModeKeys

_OPTIMIZERS = {'Adagrad': tf.train.AdagradOptimizer, 'Adam': tf.train.AdamOptimizer, 'Ftrl': tf.train.FtrlOptimizer,
               'RMSProp': tf.train.RMSPropOptimizer, 'SGD': tf.train.GradientDescentOptimizer}


def optimizer_of(given, learning_rate):
    if isinstance(given, str):
        return _OPTIMIZERS[given](learning_rate=learning_rate)
    return given() if callable(given) and not isinstance(given, tf.train.Optimizer) else given


def _partitioner(config, given):
    return given or (tf.min_max_variable_partitioner(max_partitions=config.num_ps_replicas, min_slice_size=64 << 20)
                     if config is not None and config.num_ps_replicas > 1 else None)


def dnn_logits(features, mode, head, hidden_units, columns, activation_fn, dropout, config, input_layer_partitioner=None,
               batch_norm=False, name='dnn'):
    with tf.variable_scope(name, values=tuple(features.values()), partitioner=_partitioner(config, None)):
        with tf.variable_scope('input_from_feature_columns', partitioner=_partitioner(config, input_layer_partitioner)):
            net = feature_column.input_layer(features, columns)
        for i, units in enumerate(hidden_units):
            with tf.variable_scope('hiddenlayer_%d' % i, values=(net,)) as scope:
                net = tf.layers.dense(net, units=units, activation=activation_fn, kernel_initializer=tf.glorot_uniform_initializer(),
                                      name=scope)
                if dropout is not None and mode == ModeKeys.TRAIN:
                    net = tf.layers.dropout(net, rate=dropout, training=True)
                if batch_norm:
                    net = tf.layers.batch_normalization(net, momentum=0.999, training=mode == ModeKeys.TRAIN,
                                                        name='batchnorm_%d' % i)
            _summaries(net, scope.name)
        with tf.variable_scope('logits', values=(net,)) as scope:
            logits = tf.layers.dense(net, units=head.logits_dimension, activation=None,
                                     kernel_initializer=tf.glorot_uniform_initializer(), name=scope)
        _summaries(logits, scope.name)
        return logits


def _summaries(value, tag):
    tf.summary.scalar('%s/fraction_of_zero_values' % tag, tf.nn.zero_fraction(value))
    tf.summary.histogram('%s/activation' % tag, value)


def linear_logits(features, head, columns, config, partitioner=None, sparse_combiner='sum', name='linear'):
    with tf.variable_scope(name, values=tuple(features.values()), partitioner=_partitioner(config, partitioner)):
        return feature_column.linear_model(features, columns, units=head.logits_dimension, sparse_combiner=sparse_combiner)


def _need_dict(features):
    if not isinstance(features, dict):
        raise ValueError('features should be a dictionary of `Tensor`s. Given type: %s' % type(features))


def _linear_rate(columns):
    return min(0.2, 1.0 / math.sqrt(len(columns)))


class _Linear(Estimator):
    def __init__(self, head, feature_columns, model_dir, optimizer, config, partitioner, warm_start_from, sparse_combiner):
        columns = list(feature_columns)

        def model_fn(features, labels, mode, config):
            _need_dict(features)
            logits = linear_logits(features, head, columns, config, partitioner, sparse_combiner)
            return head.create_estimator_spec(features, mode, logits, labels, optimizer_of(optimizer, _linear_rate(columns)))
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class LinearClassifier(_Linear):
    def __init__(self, feature_columns, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None, optimizer='Ftrl',
                 config=None, partitioner=None, warm_start_from=None, loss_reduction='weighted_sum', sparse_combiner='sum'):
        super().__init__(binary_or_multi_class(n_classes, weight_column, label_vocabulary, loss_reduction), feature_columns, model_dir,
                         optimizer, config, partitioner, warm_start_from, sparse_combiner)


class LinearRegressor(_Linear):
    def __init__(self, feature_columns, model_dir=None, label_dimension=1, weight_column=None, optimizer='Ftrl', config=None,
                 partitioner=None, warm_start_from=None, loss_reduction='weighted_sum', sparse_combiner='sum'):
        super().__init__(RegressionHead(weight_column, label_dimension, loss_reduction), feature_columns, model_dir, optimizer, config,
                         partitioner, warm_start_from, sparse_combiner)


class LinearEstimator(_Linear):
    def __init__(self, head, feature_columns, model_dir=None, optimizer='Ftrl', config=None, partitioner=None, sparse_combiner='sum',
                 warm_start_from=None):
        super().__init__(head, feature_columns, model_dir, optimizer, config, partitioner, warm_start_from, sparse_combiner)


class _Network(Estimator):
    def __init__(self, head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout, partitioner, config,
                 warm_start_from, batch_norm):
        def model_fn(features, labels, mode, config):
            _need_dict(features)
            logits = dnn_logits(features, mode, head, hidden_units, feature_columns, activation_fn, dropout, config, partitioner,
                                batch_norm)
            return head.create_estimator_spec(features, mode, logits, labels, optimizer_of(optimizer, 0.05))
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNClassifier(_Network):
    def __init__(self, hidden_units, feature_columns, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None,
                 optimizer='Adagrad', activation_fn=tf.nn.relu, dropout=None, input_layer_partitioner=None, config=None,
                 warm_start_from=None, loss_reduction='weighted_sum', batch_norm=False):
        super().__init__(binary_or_multi_class(n_classes, weight_column, label_vocabulary, loss_reduction), hidden_units,
                         feature_columns, model_dir, optimizer, activation_fn, dropout, input_layer_partitioner, config,
                         warm_start_from, batch_norm)


class DNNRegressor(_Network):
    def __init__(self, hidden_units, feature_columns, model_dir=None, label_dimension=1, weight_column=None, optimizer='Adagrad',
                 activation_fn=tf.nn.relu, dropout=None, input_layer_partitioner=None, config=None, warm_start_from=None,
                 loss_reduction='weighted_sum', batch_norm=False):
        super().__init__(RegressionHead(weight_column, label_dimension, loss_reduction), hidden_units, feature_columns, model_dir,
                         optimizer, activation_fn, dropout, input_layer_partitioner, config, warm_start_from, batch_norm)


class DNNEstimator(_Network):
    def __init__(self, head, hidden_units, feature_columns, model_dir=None, optimizer='Adagrad', activation_fn=tf.nn.relu, dropout=None,
                 input_layer_partitioner=None, config=None, warm_start_from=None, batch_norm=False):
        super().__init__(head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout, input_layer_partitioner,
                         config, warm_start_from, batch_norm)


class _Combined(Estimator):
    def __init__(self, head, linear_columns, linear_optimizer, dnn_columns, dnn_optimizer, hidden_units, activation_fn, dropout,
                 partitioner, model_dir, config, warm_start_from, batch_norm, sparse_combiner):
        linear_columns, dnn_columns = list(linear_columns or []), list(dnn_columns or [])
        if not linear_columns and not dnn_columns:
            raise ValueError('Either linear_feature_columns or dnn_feature_columns must be defined.')

        def model_fn(features, labels, mode, config):
            _need_dict(features)
            deep = dnn_logits(features, mode, head, hidden_units, dnn_columns, activation_fn, dropout, config, partitioner,
                              batch_norm) if dnn_columns else None
            wide = linear_logits(features, head, linear_columns, config, None, sparse_combiner) if linear_columns else None
            logits = deep + wide if deep is not None and wide is not None else deep if wide is None else wide

            def train_op_fn(loss):
                steps, global_step = [], tf.train.get_global_step()
                if deep is not None:
                    steps.append(optimizer_of(dnn_optimizer, 0.05).minimize(
                        loss, var_list=tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='dnn')))
                if wide is not None:
                    steps.append(optimizer_of(linear_optimizer, min(0.005, 1.0 / math.sqrt(len(linear_columns)))).minimize(
                        loss, var_list=tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='linear')))
                with tf.control_dependencies([tf.group(*steps)]):
                    return tf.assign_add(global_step, 1).op
            return head.create_estimator_spec(features, mode, logits, labels, train_op_fn=train_op_fn)
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNLinearCombinedClassifier(_Combined):
    def __init__(self, model_dir=None, linear_feature_columns=None, linear_optimizer='Ftrl', dnn_feature_columns=None,
                 dnn_optimizer='Adagrad', dnn_hidden_units=None, dnn_activation_fn=tf.nn.relu, dnn_dropout=None, n_classes=2,
                 weight_column=None, label_vocabulary=None, input_layer_partitioner=None, config=None, warm_start_from=None,
                 loss_reduction='weighted_sum', batch_norm=False, linear_sparse_combiner='sum'):
        super().__init__(binary_or_multi_class(n_classes, weight_column, label_vocabulary, loss_reduction), linear_feature_columns,
                         linear_optimizer, dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout,
                         input_layer_partitioner, model_dir, config, warm_start_from, batch_norm, linear_sparse_combiner)


class DNNLinearCombinedRegressor(_Combined):
    def __init__(self, model_dir=None, linear_feature_columns=None, linear_optimizer='Ftrl', dnn_feature_columns=None,
                 dnn_optimizer='Adagrad', dnn_hidden_units=None, dnn_activation_fn=tf.nn.relu, dnn_dropout=None, label_dimension=1,
                 weight_column=None, input_layer_partitioner=None, config=None, warm_start_from=None, loss_reduction='weighted_sum',
                 batch_norm=False, linear_sparse_combiner='sum'):
        super().__init__(RegressionHead(weight_column, label_dimension, loss_reduction), linear_feature_columns, linear_optimizer,
                         dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, input_layer_partitioner,
                         model_dir, config, warm_start_from, batch_norm, linear_sparse_combiner)


class DNNLinearCombinedEstimator(_Combined):
    def __init__(self, head, model_dir=None, linear_feature_columns=None, linear_optimizer='Ftrl', dnn_feature_columns=None,
                 dnn_optimizer='Adagrad', dnn_hidden_units=None, dnn_activation_fn=tf.nn.relu, dnn_dropout=None,
                 input_layer_partitioner=None, config=None, batch_norm=False, linear_sparse_combiner='sum'):
        super().__init__(head, linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer, dnn_hidden_units,
                         dnn_activation_fn, dnn_dropout, input_layer_partitioner, model_dir, config, None, batch_norm,
                         linear_sparse_combiner)


class _Baseline(Estimator):
    def __init__(self, head, model_dir, optimizer, config):
        def model_fn(features, labels, mode, config):
            batch = tf.shape(next(iter(features.values())))[0]
            with tf.variable_scope('baseline'):
                bias = tf.get_variable('bias', initializer=tf.zeros([head.logits_dimension]))
            logits = tf.multiply(tf.ones([batch, 1]), bias)
            return head.create_estimator_spec(features, mode, logits, labels, optimizer_of(optimizer, 0.3))
        super().__init__(model_fn, model_dir, config)


class BaselineClassifier(_Baseline):
    def __init__(self, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None, optimizer='Ftrl', config=None,
                 loss_reduction='weighted_sum'):
        super().__init__(binary_or_multi_class(n_classes, weight_column, label_vocabulary, loss_reduction), model_dir, optimizer, config)


class BaselineRegressor(_Baseline):
    def __init__(self, model_dir=None, label_dimension=1, weight_column=None, optimizer='Ftrl', config=None, loss_reduction='weighted_sum'):
        super().__init__(RegressionHead(weight_column, label_dimension, loss_reduction), model_dir, optimizer, config)
