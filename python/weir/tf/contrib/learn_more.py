"""tf.contrib.learn: wide and deep models together, estimators as scikit-learn has them, run_n."""
import numpy as np

from ..estimator.canned import _Combined
from ..public import tf
from .learn import Estimator, _Canned, _classes_head


class _WideAndDeep(_Canned):
    def __init__(self, head, linear_columns, linear_optimizer, dnn_columns, dnn_optimizer, hidden_units, activation_fn, dropout, model_dir,
                 config, feature_engineering_fn):
        inner = _Combined(head, linear_columns, linear_optimizer or 'Ftrl', dnn_columns, dnn_optimizer or 'Adagrad', hidden_units,
                          activation_fn, dropout, None, model_dir, config, None, False, 'sum')

        def model_fn(features, labels, mode, config):
            return inner._model_fn(features=features, labels=labels, mode=mode, config=config)
        Estimator.__init__(self, model_fn, model_dir or inner.model_dir, config, None, feature_engineering_fn)


class DNNLinearCombinedClassifier(_WideAndDeep):
    _simple_key = 'class_ids'

    def __init__(self, model_dir=None, n_classes=2, weight_column_name=None, linear_feature_columns=None, linear_optimizer=None,
                 _joint_linear_weights=False, dnn_feature_columns=None, dnn_optimizer=None, dnn_hidden_units=None,
                 dnn_activation_fn=tf.nn.relu, dnn_dropout=None, gradient_clip_norm=None, enable_centered_bias=False, config=None,
                 feature_engineering_fn=None, embedding_lr_multipliers=None, input_layer_min_slice_size=None, label_keys=None,
                 fix_global_step_increment_bug=False):
        super().__init__(_classes_head(n_classes, weight_column_name), linear_feature_columns, linear_optimizer, dnn_feature_columns,
                         dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, model_dir, config, feature_engineering_fn)


class DNNLinearCombinedRegressor(_WideAndDeep):
    _simple_key = 'predictions'

    def __init__(self, model_dir=None, weight_column_name=None, linear_feature_columns=None, linear_optimizer=None,
                 _joint_linear_weights=False, dnn_feature_columns=None, dnn_optimizer=None, dnn_hidden_units=None,
                 dnn_activation_fn=tf.nn.relu, dnn_dropout=None, gradient_clip_norm=None, enable_centered_bias=False, label_dimension=1,
                 config=None, feature_engineering_fn=None, embedding_lr_multipliers=None, input_layer_min_slice_size=None,
                 fix_global_step_increment_bug=False):
        from ..estimator.head import RegressionHead
        super().__init__(RegressionHead(weight_column_name, label_dimension, 'weighted_mean'), linear_feature_columns, linear_optimizer,
                         dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, model_dir, config,
                         feature_engineering_fn)


class SKCompat:
    """An estimator with fit, predict and score on arrays."""

    def __init__(self, estimator):
        self._estimator = estimator

    def fit(self, x, y, batch_size=128, steps=None, max_steps=None, monitors=None):
        self._estimator.fit(x, y, batch_size=batch_size, steps=steps, max_steps=max_steps, monitors=monitors)
        return self

    def score(self, x, y, batch_size=128, steps=None, metrics=None, name=None):
        found = self._estimator.evaluate(x, y, batch_size=batch_size, steps=steps, metrics=metrics, name=name)
        return {key: value for key, value in found.items() if key != 'global_step'}

    def predict(self, x, batch_size=128, outputs=None):
        rows = list(Estimator.predict(self._estimator, x, batch_size=batch_size, outputs=outputs))
        if rows and isinstance(rows[0], dict):
            return {key: np.array([row[key] for row in rows]) for key in rows[0]}
        return np.array(rows)

    def __getattr__(self, name):
        return getattr(self._estimator, name)


class NotFittedError(ValueError, AttributeError):
    """An estimator that was not trained yet is asked for something."""


def run_feeds_iter(output_dict, feed_dicts, restore_checkpoint_path=None):
    """Yields what each feed gives, in one session with restored or initialized variables and its queues running."""
    if not output_dict:
        raise ValueError('output_dict is invalid: %s.' % (output_dict,))
    if not feed_dicts:
        raise ValueError('feed_dicts is invalid: %s.' % (feed_dicts,))
    graph = next(iter(output_dict.values())).graph
    with graph.as_default(), tf.Session() as session:
        if restore_checkpoint_path:
            tf.train.Saver().restore(session, restore_checkpoint_path)
        else:
            session.run(tf.global_variables_initializer())
        session.run([tf.local_variables_initializer(), tf.tables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord=coordinator)
        try:
            for feed in feed_dicts:
                yield session.run(output_dict, feed)
        finally:
            coordinator.request_stop()
            coordinator.join(threads, stop_grace_period_secs=120, ignore_live_threads=True)


def run_feeds(*args, **kwargs):
    return list(run_feeds_iter(*args, **kwargs))


def run_n(output_dict, feed_dict=None, restore_checkpoint_path=None, n=1):
    return run_feeds(output_dict, [feed_dict] * n, restore_checkpoint_path)
