"""tf.contrib.learn: its estimators over tf.estimator's, Experiment and learn_runner."""
import collections
import functools
import inspect
import os
import time

import numpy as np

from ..estimator import run_config
from ..estimator.canned import optimizer_of
from ..estimator.estimator import Estimator as CoreEstimator
from ..estimator.model_fn import EstimatorSpec, ModeKeys as CoreModes, PredictOutput, ServingInputReceiver
from ..public import tf


class ModeKeys:
    TRAIN, EVAL, INFER = 'train', 'eval', 'infer'


class PredictionKey:
    CLASSES, PROBABILITIES, LOGITS, LOGISTIC, SCORES, TOP_K, GENERIC = \
        'classes', 'probabilities', 'logits', 'logistic', 'scores', 'top_k', 'output'


class ProblemType:
    UNSPECIFIED, CLASSIFICATION, LINEAR_REGRESSION, LOGISTIC_REGRESSION = 0, 1, 2, 3


class RunConfig(run_config.RunConfig):
    def __init__(self, master=None, num_cores=0, log_device_placement=False, gpu_memory_fraction=1, tf_random_seed=None,
                 save_summary_steps=100, save_checkpoints_secs=0, save_checkpoints_steps=None, keep_checkpoint_max=5,
                 keep_checkpoint_every_n_hours=10000, log_step_count_steps=100, protocol=None, evaluation_master='', model_dir=None,
                 session_config=None, session_creation_timeout_secs=7200):
        secs = None if save_checkpoints_steps else 600 if save_checkpoints_secs == 0 else save_checkpoints_secs
        super().__init__(model_dir=model_dir, tf_random_seed=tf_random_seed, save_summary_steps=save_summary_steps,
                         save_checkpoints_steps=save_checkpoints_steps, save_checkpoints_secs=secs, session_config=session_config,
                         keep_checkpoint_max=keep_checkpoint_max, keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
                         log_step_count_steps=log_step_count_steps)
        self._master = self._master or master or ''
        self._evaluation_master = evaluation_master
        self._environment = 'local'

    environment = property(lambda self: self._environment)
    tf_config = property(lambda self: self._session_config or tf.ConfigProto())


class ModelFnOps(collections.namedtuple('ModelFnOps', (
        'mode', 'predictions', 'loss', 'train_op', 'eval_metric_ops', 'output_alternatives', 'training_chief_hooks', 'training_hooks',
        'scaffold'))):
    """What a model function of contrib.learn gives."""

    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metric_ops=None, output_alternatives=None,
                training_chief_hooks=None, training_hooks=None, scaffold=None):
        return super().__new__(cls, mode, predictions, loss, train_op, eval_metric_ops or {}, output_alternatives,
                               tuple(training_chief_hooks or ()), tuple(training_hooks or ()), scaffold)

    def as_estimator_spec(self):
        outputs = None
        if self.predictions is not None:
            outputs = {tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(self.predictions)}
        return EstimatorSpec(mode=self.mode, predictions=self.predictions, loss=self.loss, train_op=self.train_op,
                             eval_metric_ops=self.eval_metric_ops, export_outputs=outputs,
                             training_chief_hooks=self.training_chief_hooks, training_hooks=self.training_hooks, scaffold=self.scaffold)


class MetricSpec:
    """A metric by the keys of its predictions and labels."""

    def __init__(self, metric_fn, prediction_key=None, label_key=None, weight_key=None):
        self._metric_fn, self._keys = metric_fn, (prediction_key, label_key, weight_key)

    metric_fn = property(lambda self: self._metric_fn)
    prediction_key = property(lambda self: self._keys[0])
    label_key = property(lambda self: self._keys[1])
    weight_key = property(lambda self: self._keys[2])

    def create_metric_ops(self, inputs, labels, predictions):
        pick = lambda values, key: values[key] if key is not None and isinstance(values, dict) else \
            next(iter(values.values())) if isinstance(values, dict) and len(values) == 1 else values
        named = list(inspect.signature(self._metric_fn).parameters)
        given = {}
        for names, value in ((('predictions', 'prediction'), pick(predictions, self.prediction_key)),
                             (('labels', 'label', 'targets', 'target'), pick(labels, self.label_key))):
            found = [name for name in names if name in named]
            if found:
                given[found[0]] = value
        if self.weight_key is not None:
            given['weights'] = inputs[self.weight_key]
        return self._metric_fn(**given)


def _arrays_input(x, y, batch_size, shuffle, epochs):
    """An input function over arrays."""
    x = np.asarray(x) if not isinstance(x, dict) else x
    if not isinstance(x, dict) and x.dtype == np.float64:
        x = x.astype(np.float32)
    y = None if y is None else np.asarray(y)
    return tf.estimator.inputs.numpy_input_fn(x, y, batch_size=batch_size, num_epochs=epochs, shuffle=shuffle)


class Estimator(CoreEstimator):
    """fit, evaluate and predict with arrays or input functions."""

    def __init__(self, model_fn=None, model_dir=None, config=None, params=None, feature_engineering_fn=None):
        def called(features, labels, mode, params, config):
            if feature_engineering_fn is not None:
                features, labels = feature_engineering_fn(features, labels)
            named = inspect.signature(model_fn).parameters
            given = {name: value for name, value in (('mode', mode), ('params', params), ('config', config), ('model_dir', self._model_dir))
                     if name in named}
            found = model_fn(features, labels, **given)
            if isinstance(found, tuple) and not hasattr(found, '_fields'):
                predictions, loss, train_op = found
                found = ModelFnOps(mode, predictions, loss, train_op)
            return found
        super().__init__(called, model_dir, config, params)
        self._extra_metrics = self._labels = None

    def _call_model_fn(self, features, labels, mode, config=None):
        if labels is None and self._labels is not None:  # model functions of contrib.learn expect labels, whatever they are asked for
            labels = tf.contrib.framework.nest.map_structure(lambda make: make(), self._labels)
        elif labels is not None:
            self._labels = tf.contrib.framework.nest.map_structure(_placeholder_like, labels)
        spec = super()._call_model_fn(features, labels, mode, config)
        if mode == CoreModes.EVAL and self._extra_metrics:
            more = {name: metric.create_metric_ops(features, labels, spec.predictions) if isinstance(metric, MetricSpec)
                    else metric(spec.predictions, labels) for name, metric in self._extra_metrics.items()}
            spec = spec._replace(eval_metric_ops={**spec.eval_metric_ops, **more})
        return spec

    def fit(self, x=None, y=None, input_fn=None, steps=None, batch_size=None, monitors=None, max_steps=None):
        if input_fn is None:
            size = batch_size or len(next(iter(x.values())) if isinstance(x, dict) else x)
            input_fn = _arrays_input(x, y, size, True, None)
        return self.train(input_fn, hooks=monitors, steps=steps, max_steps=max_steps)

    partial_fit = fit

    def evaluate(self, x=None, y=None, input_fn=None, feed_fn=None, batch_size=None, steps=None, metrics=None, name=None,
                 checkpoint_path=None, hooks=None, log_progress=True):
        if callable(x) and input_fn is None:
            x, input_fn = None, x
        if input_fn is None:
            size = batch_size or len(next(iter(x.values())) if isinstance(x, dict) else x)
            input_fn = _arrays_input(x, y, size, False, 1)
        self._extra_metrics = metrics
        try:
            return super().evaluate(input_fn, steps=steps, hooks=hooks, checkpoint_path=checkpoint_path, name=name)
        finally:
            self._extra_metrics = None

    def score(self, *args, **kwargs):
        return self.evaluate(*args, **kwargs)

    def predict(self, x=None, input_fn=None, batch_size=None, outputs=None, as_iterable=True, iterate_batches=False):
        if callable(x) and input_fn is None:
            x, input_fn = None, x
        if input_fn is None:
            input_fn = _arrays_input(x, None, batch_size or len(x), False, 1)
        found = super().predict(input_fn, predict_keys=outputs)
        return found if as_iterable else np.array(list(found))

    def export_savedmodel(self, export_dir_base, serving_input_fn, default_output_alternative_key=None, assets_extra=None, as_text=False,
                          checkpoint_path=None, **kwargs):
        def receiver():
            found = serving_input_fn()
            return found if hasattr(found, 'receiver_tensors') else ServingInputReceiver(found.features, found.default_inputs)
        return self.export_saved_model(export_dir_base, receiver, assets_extra, as_text, checkpoint_path)


def _placeholder_like(labels):
    """What makes a placeholder for labels of any batch."""
    shape = labels.get_shape()
    rest = shape if not shape.ndims else tf.TensorShape([None]).concatenate(shape[1:])
    return functools.partial(tf.sparse_placeholder if isinstance(labels, tf.SparseTensor) else tf.placeholder, labels.dtype, rest)


def _named(features):
    return features if isinstance(features, dict) else {'': features}


class _Canned(Estimator):
    """A model over columns; columns of contrib.layers and of tf.feature_column."""

    def __init__(self, make, feature_columns, model_dir, config, optimizer, rate, gradient_clip_norm, feature_engineering_fn, head,
                 simple):
        columns = [column for column in feature_columns]

        def model_fn(features, labels, mode, config):
            features = _named(features)
            logits = make(features, mode, columns, config)
            chosen = optimizer_of(optimizer if optimizer is not None else simple, rate)
            if gradient_clip_norm is not None:
                from ..estimator.training import clip_gradients_by_norm
                chosen = clip_gradients_by_norm(chosen, gradient_clip_norm)
            return head.create_estimator_spec(features, mode, logits, labels, chosen)
        super().__init__(model_fn, model_dir, config, None, feature_engineering_fn)

    def predict(self, x=None, input_fn=None, batch_size=None, outputs=None, as_iterable=True, iterate_batches=False):
        found = super().predict(x, input_fn, batch_size, outputs)
        key = None if outputs else self._simple_key
        made = (item[key] if key else item for item in found)
        made = (item[0] if key and np.ndim(item) == 1 and len(item) == 1 else item for item in made)
        return made if as_iterable else np.array(list(made))

    def predict_classes(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        return self.predict(x, input_fn, batch_size, None, as_iterable)

    predict_scores = predict_classes

    def predict_proba(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        found = (item['probabilities'] for item in Estimator.predict(self, x, input_fn, batch_size))
        return found if as_iterable else np.array(list(found))


def _classes_head(n_classes, weight_column_name):
    from ..estimator.head import binary_or_multi_class
    return binary_or_multi_class(n_classes, weight_column_name, None, 'weighted_mean')


def _dnn(hidden_units, activation_fn, dropout, head):
    from ..estimator.canned import dnn_logits
    return lambda features, mode, columns, config: dnn_logits(features, mode, head, hidden_units, columns, activation_fn, dropout, config)


def _linear(head):
    from ..estimator.canned import linear_logits
    return lambda features, mode, columns, config: linear_logits(features, head, columns, config)


class DNNClassifier(_Canned):
    _simple_key = 'class_ids'

    def __init__(self, hidden_units, feature_columns, model_dir=None, n_classes=2, weight_column_name=None, optimizer=None,
                 activation_fn=tf.nn.relu, dropout=None, gradient_clip_norm=None, enable_centered_bias=False, config=None,
                 feature_engineering_fn=None, embedding_lr_multipliers=None, input_layer_min_slice_size=None, label_keys=None):
        head = _classes_head(n_classes, weight_column_name)
        super().__init__(_dnn(hidden_units, activation_fn, dropout, head), feature_columns, model_dir, config, optimizer, 0.05,
                         gradient_clip_norm, feature_engineering_fn, head, 'Adagrad')


class DNNRegressor(_Canned):
    _simple_key = 'predictions'

    def __init__(self, hidden_units, feature_columns, model_dir=None, weight_column_name=None, optimizer=None, activation_fn=tf.nn.relu,
                 dropout=None, gradient_clip_norm=None, enable_centered_bias=False, config=None, feature_engineering_fn=None,
                 label_dimension=1, embedding_lr_multipliers=None, input_layer_min_slice_size=None):
        from ..estimator.head import RegressionHead
        head = RegressionHead(weight_column_name, label_dimension, 'weighted_mean')
        super().__init__(_dnn(hidden_units, activation_fn, dropout, head), feature_columns, model_dir, config, optimizer, 0.05,
                         gradient_clip_norm, feature_engineering_fn, head, 'Adagrad')


class LinearClassifier(_Canned):
    _simple_key = 'class_ids'

    def __init__(self, feature_columns, model_dir=None, n_classes=2, weight_column_name=None, optimizer=None, gradient_clip_norm=None,
                 enable_centered_bias=False, _joint_weight=False, config=None, feature_engineering_fn=None, label_keys=None):
        head = _classes_head(n_classes, weight_column_name)
        super().__init__(_linear(head), feature_columns, model_dir, config, optimizer, min(0.2, 1.0 / max(len(list(feature_columns)), 1) ** 0.5),
                         gradient_clip_norm, feature_engineering_fn, head, 'Ftrl')


class LinearRegressor(_Canned):
    _simple_key = 'predictions'

    def __init__(self, feature_columns, model_dir=None, weight_column_name=None, optimizer=None, gradient_clip_norm=None,
                 enable_centered_bias=False, label_dimension=1, _joint_weights=False, config=None, feature_engineering_fn=None):
        from ..estimator.head import RegressionHead
        head = RegressionHead(weight_column_name, label_dimension, 'weighted_mean')
        super().__init__(_linear(head), feature_columns, model_dir, config, optimizer, min(0.2, 1.0 / max(len(list(feature_columns)), 1) ** 0.5),
                         gradient_clip_norm, feature_engineering_fn, head, 'Ftrl')


def infer_real_valued_columns_from_input(x):
    x = np.asarray(x)
    return [tf.feature_column.numeric_column('', shape=x.shape[1:] or (1,))]


def infer_real_valued_columns_from_input_fn(input_fn):
    with tf.Graph().as_default():
        features, _ = input_fn()
        return [tf.feature_column.numeric_column(key, shape=tuple(value.get_shape().as_list()[1:]) or (1,))
                for key, value in _named(features).items()]


# ---- experiments -------------------------------------------------------------------------------

class Experiment:
    """An estimator with the data to train and to evaluate it."""

    def __init__(self, estimator, train_input_fn, eval_input_fn, eval_metrics=None, train_steps=None, eval_steps=100, train_monitors=None,
                 eval_hooks=None, local_eval_frequency=None, eval_delay_secs=120, continuous_eval_throttle_secs=60, min_eval_frequency=None,
                 delay_workers_by_global_step=False, export_strategies=None, train_steps_per_iteration=None, checkpoint_and_export=False,
                 saving_listeners=None, check_interval_secs=5):
        self._estimator, self._train_input_fn, self._eval_input_fn = estimator, train_input_fn, eval_input_fn
        self._eval_metrics, self._train_steps, self._eval_steps = eval_metrics, train_steps, eval_steps
        self._hooks, self._eval_hooks = list(train_monitors or []), list(eval_hooks or [])
        found = export_strategies
        self._exports = [] if found is None else list(found) if isinstance(found, (list, tuple)) and not hasattr(found, 'export') else [found]
        self._every = min_eval_frequency

    estimator = property(lambda self: self._estimator)
    train_steps = property(lambda self: self._train_steps)
    eval_steps = property(lambda self: self._eval_steps)

    def extend_train_hooks(self, additional_hooks):
        self._hooks.extend(additional_hooks)

    def train(self, delay_secs=None):
        fit = getattr(self._estimator, 'fit', None) or self._estimator.train
        named = inspect.signature(fit).parameters
        given = {'input_fn': self._train_input_fn, 'max_steps': self._train_steps}
        given['monitors' if 'monitors' in named else 'hooks'] = self._hooks
        return fit(**given)

    def evaluate(self, delay_secs=None, name=None):
        given = {'metrics': self._eval_metrics} if 'metrics' in inspect.signature(self._estimator.evaluate).parameters else {}
        return self._estimator.evaluate(input_fn=self._eval_input_fn, steps=self._eval_steps, name=name, hooks=self._eval_hooks, **given)

    def train_and_evaluate(self):
        self.train()
        result = self.evaluate()
        return result, [strategy.export(self._estimator, os.path.join(self._estimator.model_dir, 'export', strategy.name), eval_result=result)
                        for strategy in self._exports]

    local_run = run_std_server = train_and_evaluate

    def continuous_eval(self, delay_secs=None, throttle_delay_secs=None, evaluate_checkpoint_only_once=True, **kwargs):
        last = None
        while True:
            path = self._estimator.latest_checkpoint()
            if path is not None and path != last:
                last = path
                self.evaluate()
            time.sleep(1)

    def test(self):
        self._train_steps = self._eval_steps = 1
        return self.train_and_evaluate()


class ExportStrategy(collections.namedtuple('ExportStrategy', ('name', 'export_fn', 'strip_default_attrs'))):
    def __new__(cls, name, export_fn, strip_default_attrs=None):
        return super().__new__(cls, name, export_fn, strip_default_attrs)

    def export(self, estimator, export_path, checkpoint_path=None, eval_result=None):
        return self.export_fn(estimator, export_path, checkpoint_path=checkpoint_path)


def make_export_strategy(serving_input_fn, default_output_alternative_key=None, assets_extra=None, as_text=False, exports_to_keep=5,
                         strip_default_attrs=None):
    def export(estimator, export_dir_base, checkpoint_path=None):
        from ..estimator.training import _keep
        found = estimator.export_savedmodel(export_dir_base, serving_input_fn, assets_extra=assets_extra, as_text=as_text,
                                            checkpoint_path=checkpoint_path)
        _keep(export_dir_base, exports_to_keep)
        return found
    return ExportStrategy('Servo', export, strip_default_attrs)


def run(experiment_fn, output_dir=None, schedule=None, run_config=None, hparams=None):
    """Does what the schedule says with the experiment that experiment_fn makes."""
    if run_config is not None and hasattr(run_config, 'replace'):
        if output_dir:
            run_config = run_config.replace(model_dir=output_dir)
        experiment = experiment_fn(run_config=run_config, hparams=hparams)
    else:
        experiment = experiment_fn(output_dir)
    return getattr(experiment, schedule or 'train_and_evaluate')()


def tune(experiment_fn, tuner):
    raise NotImplementedError('weir has no learn_runner.tune')


class InputFnOps(collections.namedtuple('InputFnOps', ('features', 'labels', 'default_inputs'))):
    pass


def build_parsing_serving_input_fn(feature_spec, default_batch_size=None):
    def input_fn():
        given = tf.placeholder(dtype=tf.string, shape=[default_batch_size], name='input_example_tensor')
        return InputFnOps(tf.parse_example(given, feature_spec), None, {'examples': given})
    return input_fn


def build_default_serving_input_fn(features, default_batch_size=None):
    def input_fn():
        made = {name: tf.placeholder(value.dtype, [default_batch_size] + value.get_shape().as_list()[1:], name=value.op.name)
                for name, value in features.items()}
        return InputFnOps(made, None, made)
    return input_fn
