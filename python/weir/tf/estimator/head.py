"""Heads of the canned estimators: labels, losses, metrics and outputs of a model's logits."""
from ..public import tf
from .model_fn import ClassificationOutput, EstimatorSpec, ModeKeys, PredictOutput, RegressionOutput

_SERVING = 'serving_default'


class _Head:
    """What a kind of label needs."""

    def __init__(self, weight_column, loss_reduction, name=None):
        self._weight_column, self._reduction, self._name = weight_column, loss_reduction, name

    name = property(lambda self: self._name)

    def _weights(self, features):
        if self._weight_column is None:
            return 1.0
        column = self._weight_column
        value = features[column if isinstance(column, str) else column.key]
        value = tf.to_float(value)
        return tf.expand_dims(value, -1) if value.get_shape().ndims == 1 else value

    def create_loss(self, features, mode, logits, labels):
        losses, labels = self._losses(labels, logits)
        weights = self._weights(features)
        loss = tf.losses.compute_weighted_loss(losses, weights=weights, reduction=self._reduction)
        return loss, losses, weights, labels

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None, train_op_fn=None,
                              regularization_losses=None):
        with tf.name_scope(self._name or 'head'):
            predictions, outputs = self._predictions(logits)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions=predictions, export_outputs=outputs)
            loss, losses, weights, labels = self.create_loss(features, mode, logits, labels)
            if regularization_losses:
                loss = loss + tf.add_n(regularization_losses)
            if mode == ModeKeys.EVAL:
                metrics = self._metrics(labels, predictions, logits, losses, weights)
                metrics['average_loss'] = tf.metrics.mean(losses, weights=weights)
                return EstimatorSpec(mode, predictions=predictions, loss=loss, eval_metric_ops=metrics)
            if optimizer is not None:
                train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
            else:
                train_op = train_op_fn(loss)
            updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
            if updates:
                train_op = tf.group(train_op, *updates)
        with tf.name_scope(''):
            tf.summary.scalar('average_loss', tf.losses.compute_weighted_loss(
                losses, weights, reduction=tf.losses.Reduction.MEAN, loss_collection=None))
        return EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=train_op)


def _column_of(labels, size=1):
    labels = tf.convert_to_tensor(labels) if not isinstance(labels, tf.SparseTensor) else tf.sparse_tensor_to_dense(labels)
    return tf.expand_dims(labels, -1) if labels.get_shape().ndims == 1 and size == 1 else labels


class _Vocabulary(_Head):
    _label_vocabulary = None

    def _ids(self, labels):
        labels = _column_of(labels)
        if self._label_vocabulary:
            table = tf.contrib.lookup.index_table_from_tensor(tuple(self._label_vocabulary), name='class_id_lookup')
            return table.lookup(labels)
        return labels

    def _classes(self, ids):
        if self._label_vocabulary:
            table = tf.contrib.lookup.index_to_string_table_from_tensor(tuple(self._label_vocabulary), name='class_string_lookup')
            return table.lookup(tf.to_int64(ids))
        return tf.as_string(ids, name='str_classes')


class BinaryHead(_Vocabulary):
    def __init__(self, weight_column=None, thresholds=None, label_vocabulary=None, loss_reduction='weighted_sum', loss_fn=None, name=None):
        super().__init__(weight_column, loss_reduction, name)
        self._label_vocabulary, self._thresholds = label_vocabulary, tuple(thresholds or ())

    logits_dimension = 1

    def _losses(self, labels, logits):
        labels = tf.to_float(self._ids(labels))
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits), labels

    def _predictions(self, logits):
        logistic = tf.sigmoid(logits, name='logistic')
        both = tf.concat((tf.zeros_like(logits), logits), axis=-1, name='two_class_logits')
        probabilities = tf.nn.softmax(both, name='probabilities')
        ids = tf.expand_dims(tf.argmax(both, axis=-1), axis=-1)
        classes = self._classes(ids)
        found = {'logits': logits, 'logistic': logistic, 'probabilities': probabilities, 'class_ids': ids, 'classes': classes}
        names = tf.tile(tf.expand_dims(tf.constant(list(self._label_vocabulary or ('0', '1'))), 0), [tf.shape(logits)[0], 1])
        classified = ClassificationOutput(scores=probabilities, classes=names)
        return found, {_SERVING: classified, 'classification': classified, 'regression': RegressionOutput(value=logistic),
                       'predict': PredictOutput(found)}

    def _metrics(self, labels, predictions, logits, losses, weights):
        given = None if isinstance(weights, float) else weights
        logistic, ids = predictions['logistic'], predictions['class_ids']
        found = {'accuracy': tf.metrics.accuracy(tf.to_int64(labels), ids, weights=given),
                 'precision': tf.metrics.precision(labels, ids, weights=given),
                 'recall': tf.metrics.recall(labels, ids, weights=given),
                 'prediction/mean': tf.metrics.mean(logistic, weights=given),
                 'label/mean': tf.metrics.mean(labels, weights=given),
                 'accuracy_baseline': _baseline(labels, given),
                 'auc': tf.metrics.auc(labels, logistic, weights=given),
                 'auc_precision_recall': tf.metrics.auc(labels, logistic, weights=given, curve='PR')}
        for threshold in self._thresholds:
            above = tf.to_float(logistic >= threshold)
            found['accuracy/positive_threshold_%f' % threshold] = tf.metrics.accuracy(labels, above, weights=given)
        return found


def _baseline(labels, weights):
    value, update = tf.metrics.mean(labels, weights=weights)
    return tf.maximum(value, 1. - value), tf.maximum(update, 1. - update)


class MultiClassHead(_Vocabulary):
    def __init__(self, n_classes, weight_column=None, label_vocabulary=None, loss_reduction='weighted_sum', loss_fn=None, name=None):
        if n_classes is None or n_classes <= 2:
            raise ValueError('n_classes must be > 2: %s. For binary classification, use a binary head.' % n_classes)
        super().__init__(weight_column, loss_reduction, name)
        self._n_classes, self._label_vocabulary, self.logits_dimension = n_classes, label_vocabulary, n_classes

    def _losses(self, labels, logits):
        labels = self._ids(labels)
        losses = tf.losses.sparse_softmax_cross_entropy(tf.squeeze(labels, [-1]), logits, reduction=tf.losses.Reduction.NONE,
                                                        loss_collection=None)
        return tf.expand_dims(losses, axis=-1), labels

    def _predictions(self, logits):
        ids = tf.expand_dims(tf.argmax(logits, axis=-1), axis=-1)
        probabilities = tf.nn.softmax(logits, name='probabilities')
        found = {'logits': logits, 'probabilities': probabilities, 'class_ids': ids, 'classes': self._classes(ids)}
        words = list(self._label_vocabulary or [str(i) for i in range(self._n_classes)])
        names = tf.tile(tf.expand_dims(tf.constant(words), 0), [tf.shape(logits)[0], 1])
        classified = ClassificationOutput(scores=probabilities, classes=names)
        return found, {_SERVING: classified, 'classification': classified, 'predict': PredictOutput(found)}

    def _metrics(self, labels, predictions, logits, losses, weights):
        given = None if isinstance(weights, float) else weights
        return {'accuracy': tf.metrics.accuracy(tf.to_int64(labels), predictions['class_ids'], weights=given)}


class MultiLabelHead(_Head):
    def __init__(self, n_classes, weight_column=None, thresholds=None, label_vocabulary=None, loss_reduction='weighted_sum_over_batch_size',
                 loss_fn=None, classes_for_class_based_metrics=None, name=None):
        super().__init__(weight_column, loss_reduction, name)
        self.logits_dimension = n_classes

    def _losses(self, labels, logits):
        labels = tf.to_float(labels)
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        return tf.reduce_mean(losses, axis=-1, keepdims=True), labels

    def _predictions(self, logits):
        found = {'logits': logits, 'probabilities': tf.sigmoid(logits, name='probabilities')}
        return found, {_SERVING: ClassificationOutput(scores=found['probabilities']), 'predict': PredictOutput(found)}

    def _metrics(self, labels, predictions, logits, losses, weights):
        given = None if isinstance(weights, float) else weights
        return {'auc': tf.metrics.auc(labels, predictions['probabilities'], weights=given),
                'auc_precision_recall': tf.metrics.auc(labels, predictions['probabilities'], weights=given, curve='PR')}


class RegressionHead(_Head):
    def __init__(self, weight_column=None, label_dimension=1, loss_reduction='weighted_sum', loss_fn=None, inverse_link_fn=None, name=None):
        super().__init__(weight_column, loss_reduction, name)
        self.logits_dimension, self._link = label_dimension, inverse_link_fn

    def _losses(self, labels, logits):
        labels = tf.to_float(_column_of(labels, self.logits_dimension))
        predicted = self._link(logits) if self._link else logits
        return tf.losses.mean_squared_error(labels, predicted, reduction=tf.losses.Reduction.NONE, loss_collection=None), labels

    def _predictions(self, logits):
        value = self._link(logits) if self._link else logits
        found = {'predictions': value}
        regressed = RegressionOutput(value=value)
        return found, {_SERVING: regressed, 'regression': regressed, 'predict': PredictOutput(found)}

    def _metrics(self, labels, predictions, logits, losses, weights):
        given = None if isinstance(weights, float) else weights
        return {'prediction/mean': tf.metrics.mean(predictions['predictions'], weights=given),
                'label/mean': tf.metrics.mean(labels, weights=given)}


def binary_or_multi_class(n_classes, weight_column, label_vocabulary, loss_reduction):
    if n_classes == 2:
        return BinaryHead(weight_column, None, label_vocabulary, loss_reduction)
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction)


def binary_classification_head(weight_column=None, thresholds=None, label_vocabulary=None,
                               loss_reduction='weighted_sum_over_batch_size', loss_fn=None, name=None):
    return BinaryHead(weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name)


def multi_class_head(n_classes, weight_column=None, label_vocabulary=None, loss_reduction='weighted_sum_over_batch_size', loss_fn=None,
                     name=None):
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


def multi_label_head(n_classes, weight_column=None, thresholds=None, label_vocabulary=None,
                     loss_reduction='weighted_sum_over_batch_size', loss_fn=None, classes_for_class_based_metrics=None, name=None):
    return MultiLabelHead(n_classes, weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, None, name)


def regression_head(weight_column=None, label_dimension=1, loss_reduction='weighted_sum_over_batch_size', loss_fn=None,
                    inverse_link_fn=None, name=None):
    return RegressionHead(weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name)
