"""tf.estimator.train_and_evaluate, its specs and exporters; hooks of tf.contrib.estimator."""
import collections
import os
import time

from ..public import tf
from .estimator import Estimator
from .model_fn import ModeKeys


class TrainSpec(collections.namedtuple('TrainSpec', ('input_fn', 'max_steps', 'hooks'))):
    def __new__(cls, input_fn, max_steps=None, hooks=None):
        if max_steps is not None and max_steps <= 0:
            raise ValueError('Must specify max_steps > 0, given: %s' % max_steps)
        return super().__new__(cls, input_fn, max_steps, tuple(hooks or ()))


class EvalSpec(collections.namedtuple('EvalSpec', ('input_fn', 'steps', 'name', 'hooks', 'exporters', 'start_delay_secs',
                                                   'throttle_secs'))):
    def __new__(cls, input_fn, steps=100, name=None, hooks=None, exporters=None, start_delay_secs=120, throttle_secs=600):
        if steps is not None and steps <= 0:
            raise ValueError('Must specify steps > 0, given: %s' % steps)
        exporters = [] if exporters is None else [exporters] if isinstance(exporters, Exporter) else list(exporters)
        return super().__new__(cls, input_fn, steps, name, tuple(hooks or ()), tuple(exporters), start_delay_secs, throttle_secs)


class Exporter:
    @property
    def name(self):
        raise NotImplementedError

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        raise NotImplementedError


class _SavedModelExporter(Exporter):
    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False):
        self._name, self._receiver, self._assets_extra, self._as_text = name, serving_input_receiver_fn, assets_extra, as_text

    name = property(lambda self: self._name)

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        return estimator.export_saved_model(export_path, self._receiver, assets_extra=self._assets_extra, as_text=self._as_text,
                                            checkpoint_path=checkpoint_path)


class FinalExporter(_SavedModelExporter):
    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        if is_the_final_export:
            return super().export(estimator, export_path, checkpoint_path, eval_result, True)
        return None


class LatestExporter(_SavedModelExporter):
    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False, exports_to_keep=5):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        self._exports_to_keep = exports_to_keep

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        found = super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)
        _keep(export_path, self._exports_to_keep)
        return found


class BestExporter(_SavedModelExporter):
    """Exports when the evaluation is better than all before."""

    def __init__(self, name='best_exporter', serving_input_receiver_fn=None, event_file_pattern='eval/*.tfevents.*', compare_fn=None,
                 assets_extra=None, as_text=False, exports_to_keep=5):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        self._compare = compare_fn or (lambda best_eval_result, current_eval_result: best_eval_result['loss'] > current_eval_result['loss'])
        self._best, self._exports_to_keep = None, exports_to_keep

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        if self._best is not None and not self._compare(best_eval_result=self._best, current_eval_result=eval_result):
            return None
        self._best = eval_result
        found = super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)
        _keep(export_path, self._exports_to_keep)
        return found


def _keep(folder, count):
    if count is None or not tf.gfile.Exists(folder):
        return
    stamps = sorted((name for name in tf.gfile.ListDirectory(folder) if name.strip('/').isdigit()), key=lambda name: int(name.strip('/')))
    for name in stamps[:max(len(stamps) - count, 0)]:
        tf.gfile.DeleteRecursively(os.path.join(folder, name))


class _Evaluating(tf.train.CheckpointSaverListener):
    """Evaluates when a checkpoint was saved and enough time has passed."""

    def __init__(self, estimator, spec, max_steps):
        self._estimator, self._spec, self._max_steps, self._last = estimator, spec, max_steps, None
        self.result, self.exports, self._is_first = None, None, True

    def begin(self):
        self._last = time.time()

    def after_save(self, session, global_step_value):
        if self._is_first:  # the checkpoint before the first step
            self._is_first = False
            return
        if self._max_steps is not None and global_step_value >= self._max_steps:
            return
        if time.time() - self._last >= self._spec.throttle_secs:
            self._evaluate(global_step_value)

    def end(self, session, global_step_value):
        pass

    def _evaluate(self, step, final=False):
        self._last = time.time()
        spec = self._spec
        self.result = self._estimator.evaluate(spec.input_fn, steps=spec.steps, hooks=list(spec.hooks), name=spec.name)
        path = self._estimator.latest_checkpoint()
        self.exports = [exporter.export(self._estimator, os.path.join(self._estimator.model_dir, 'export', exporter.name), path,
                                        self.result, final) for exporter in spec.exporters]


def train_and_evaluate(estimator, train_spec, eval_spec):
    """Trains and evaluates in turns in one process, or does one task of a cluster."""
    config = estimator.config
    if config.cluster_spec and config.cluster_spec.as_dict() and config.task_type in ('ps', 'worker', 'chief', 'master'):
        jobs = config.cluster_spec.as_dict()
        if len(jobs) > 1 or any(len(hosts) > 1 for hosts in jobs.values()):
            return _task(estimator, train_spec, eval_spec, config)
    if config.task_type == 'evaluator':
        return _evaluator(estimator, train_spec, eval_spec)
    listener = _Evaluating(estimator, eval_spec, train_spec.max_steps)
    estimator.train(train_spec.input_fn, max_steps=train_spec.max_steps, hooks=list(train_spec.hooks), saving_listeners=[listener])
    listener._evaluate(None, final=True)
    return listener.result, listener.exports


def _task(estimator, train_spec, eval_spec, config):
    server = tf.train.Server(config.cluster_spec, job_name=config.task_type, task_index=config.task_id,
                             config=config.session_config)
    if config.task_type == 'ps':
        server.join()
        return None
    if config.task_type == 'worker':
        time.sleep(min(60, (config.task_id + 1) * 5) if config.experimental_max_worker_delay_secs is None
                   else min(config.experimental_max_worker_delay_secs, (config.task_id + 1) * 5))
    listeners = []
    if config.task_type == 'master':
        listeners = [_Evaluating(estimator, eval_spec, train_spec.max_steps)]
    estimator.train(train_spec.input_fn, max_steps=train_spec.max_steps, hooks=list(train_spec.hooks), saving_listeners=listeners)
    if listeners:
        listeners[0]._evaluate(None, final=True)
    return None


def _evaluator(estimator, train_spec, eval_spec):
    time.sleep(eval_spec.start_delay_secs)
    listener, last = _Evaluating(estimator, eval_spec, train_spec.max_steps), None
    while True:
        path = estimator.latest_checkpoint()
        if path is None or path == last:
            time.sleep(1)
            continue
        last = path
        listener._evaluate(None)
        step = listener.result['global_step']
        if train_spec.max_steps is not None and step >= train_spec.max_steps:
            listener._evaluate(None, final=True)
            return None


# ---- tf.contrib.estimator ----------------------------------------------------------------------

def add_metrics(estimator, metric_fn):
    """An estimator that also has the metrics of metric_fn."""
    from .estimator import _call

    def model_fn(features, labels, mode, config):
        spec = estimator._call_model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        given = {'features': features, 'labels': labels, 'predictions': spec.predictions, 'config': config}
        return spec._replace(eval_metric_ops={**spec.eval_metric_ops, **_call(metric_fn, given)})
    return Estimator(model_fn=model_fn, model_dir=estimator.model_dir, config=estimator.config)


def forward_features(estimator, keys=None, sparse_default_values=None):
    """An estimator whose predictions have some of the features, too."""
    keys = [keys] if isinstance(keys, str) else keys

    def model_fn(features, labels, mode, config):
        spec = estimator._call_model_fn(features, labels, mode, config)
        if mode == ModeKeys.TRAIN or not isinstance(spec.predictions, dict):
            return spec
        chosen = {key: features[key] for key in (keys or features)}
        for key, value in chosen.items():
            if isinstance(value, tf.SparseTensor):
                default = (sparse_default_values or {}).get(key)
                chosen[key] = tf.sparse_tensor_to_dense(value, default_value=default if default is not None else
                                                        '' if value.dtype == tf.string else 0)
        outputs = spec.export_outputs
        if outputs:
            from .model_fn import PredictOutput
            outputs = {name: PredictOutput({**output.outputs, **chosen}) if isinstance(output, PredictOutput) else output
                       for name, output in outputs.items()}
        return spec._replace(predictions={**spec.predictions, **chosen}, export_outputs=outputs)
    return Estimator(model_fn=model_fn, model_dir=estimator.model_dir, config=estimator.config)


class _StopHook(tf.train.SessionRunHook):
    def __init__(self, should_stop_fn, run_every_secs, run_every_steps):
        self._should_stop, self._secs, self._steps = should_stop_fn, run_every_secs, run_every_steps
        self._timer = tf.train.SecondOrStepTimer(every_secs=None if run_every_steps else run_every_secs, every_steps=run_every_steps)

    def begin(self):
        self._global_step = tf.train.get_global_step()

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._global_step)

    def after_run(self, run_context, run_values):
        step = run_values.results
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._should_stop():
                tf.logging.info('Requesting early stopping at global step %d', step)
                run_context.request_stop()


def make_early_stopping_hook(estimator, should_stop_fn, run_every_secs=60, run_every_steps=None):
    return _StopHook(should_stop_fn, run_every_secs, run_every_steps)


def read_eval_metrics(eval_dir):
    """{step: {tag: value}} of the event files of a folder."""
    found = {}
    for path in sorted(tf.gfile.Glob(os.path.join(eval_dir, '*.tfevents.*'))) if tf.gfile.Exists(eval_dir) else []:
        for event in tf.train.summary_iterator(path):
            for value in event.summary.value:
                if value.HasField('simple_value'):
                    found.setdefault(event.step, {})[value.tag] = value.simple_value
    return collections.OrderedDict(sorted(found.items()))


def _no_change(estimator, metric_name, steps, eval_dir, min_steps, better):
    eval_dir = eval_dir or estimator.eval_dir()

    def stop():
        best = at = None
        for step, values in read_eval_metrics(eval_dir).items():
            if step < min_steps or metric_name not in values:
                continue
            if best is None or better(values[metric_name], best):
                best, at = values[metric_name], step
            elif step - at >= steps:
                return True
        return False
    return stop


def stop_if_no_decrease_hook(estimator, metric_name, max_steps_without_decrease, eval_dir=None, min_steps=0, run_every_secs=60,
                             run_every_steps=None):
    stop = _no_change(estimator, metric_name, max_steps_without_decrease, eval_dir, min_steps, lambda new, old: new < old)
    return _StopHook(stop, run_every_secs, run_every_steps)


def stop_if_no_increase_hook(estimator, metric_name, max_steps_without_increase, eval_dir=None, min_steps=0, run_every_secs=60,
                             run_every_steps=None):
    stop = _no_change(estimator, metric_name, max_steps_without_increase, eval_dir, min_steps, lambda new, old: new > old)
    return _StopHook(stop, run_every_secs, run_every_steps)


def clip_gradients_by_norm(optimizer, clip_norm):
    """The optimizer with its gradients clipped by their common norm."""
    apply = optimizer.apply_gradients

    def clipped(grads_and_vars, *args, **kwargs):
        grads, variables = zip(*[(grad, var) for grad, var in grads_and_vars if grad is not None])
        grads, _ = tf.clip_by_global_norm(grads, clip_norm)
        return apply(list(zip(grads, variables)), *args, **kwargs)
    optimizer.apply_gradients = clipped
    return optimizer
