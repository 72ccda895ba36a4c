"""tf.estimator.Estimator: trains, evaluates, predicts with and exports a model function."""
import copy
import inspect
import os
import tempfile
import time

import numpy as np

from ..public import tf
from .model_fn import EstimatorSpec, ModeKeys, PredictOutput, ServingInputReceiver, TensorServingInputReceiver  # noqa: F401
from .run_config import RunConfig
from ..shown import shows


class VocabInfo(tuple):
    pass


class WarmStartSettings:
    """Which variables start from a checkpoint."""

    def __init__(self, ckpt_to_initialize_from, vars_to_warm_start='.*', var_name_to_vocab_info=None, var_name_to_prev_var_name=None):
        self.ckpt_to_initialize_from, self.vars_to_warm_start = ckpt_to_initialize_from, vars_to_warm_start
        self.var_name_to_vocab_info = var_name_to_vocab_info or {}
        self.var_name_to_prev_var_name = var_name_to_prev_var_name or {}


def _call(function, given):
    """Calls with those of the given arguments that the function has."""
    named = inspect.signature(function).parameters
    if any(item.kind == item.VAR_KEYWORD for item in named.values()):
        return function(**given)
    return function(**{name: value for name, value in given.items() if name in named})


class _DatasetHook(tf.train.SessionRunHook):
    """Initializes the iterator of a dataset that an input function returned."""

    def __init__(self, iterator):
        self._iterator = iterator

    def begin(self):
        self._initializer = self._iterator.initializer

    def after_create_session(self, session, coord):
        session.run(self._initializer)


def parse_input_fn_result(result):
    """(features, labels, hooks) of a dataset, of tensors or of a pair of them."""
    hooks = []
    if isinstance(result, tf.data.Dataset):
        iterator = result.make_initializable_iterator()
        hooks.append(_DatasetHook(iterator))
        result = iterator.get_next()
    if isinstance(result, (list, tuple)):
        if len(result) != 2:
            raise ValueError('input_fn should return (features, labels) as a len 2 tuple.')
        return result[0], result[1], hooks
    return result, None, hooks


class Estimator:
    def __init__(self, model_fn, model_dir=None, config=None, params=None, warm_start_from=None):
        self._config = config if config is not None else RunConfig()
        if isinstance(self._config, tf.ConfigProto):
            self._config = RunConfig(session_config=self._config)
        if model_dir is not None and self._config.model_dir is not None and model_dir != self._config.model_dir:
            raise ValueError('`model_dir` are set both in constructor and `RunConfig`, but with different values.')
        model_dir = model_dir or self._config.model_dir
        if model_dir is None:
            model_dir = tempfile.mkdtemp()
            tf.logging.warning('Using temporary folder as model directory: %s', model_dir)
        if self._config.model_dir is None and hasattr(self._config, 'replace'):
            self._config = self._config.replace(model_dir=os.fspath(model_dir))
        self._model_dir = os.fspath(model_dir)
        if model_fn is None:
            raise ValueError('model_fn must be provided to Estimator.')
        self._model_fn, self._params = model_fn, copy.deepcopy(params) if params is not None else {}
        if warm_start_from is not None and not isinstance(warm_start_from, WarmStartSettings):
            warm_start_from = WarmStartSettings(warm_start_from)
        self._warm_start = warm_start_from

    model_dir = property(lambda self: self._model_dir)
    config = property(lambda self: copy.deepcopy(self._config))
    params = property(lambda self: copy.deepcopy(self._params))

    @property
    def model_fn(self):
        return lambda features, labels, mode, config: self._call_model_fn(features, labels, mode, config)

    def get_variable_value(self, name):
        return tf.train.load_variable(self._model_dir, name)

    def get_variable_names(self):
        return [name for name, _ in tf.train.list_variables(self._model_dir)]

    def latest_checkpoint(self):
        return tf.train.latest_checkpoint(self._model_dir)

    def eval_dir(self, name=None):
        return os.path.join(self._model_dir, 'eval' if not name else 'eval_' + name)

    # ---- calling the program's functions ----

    def _call_input_fn(self, input_fn, mode):
        return _call(input_fn, {'mode': mode, 'params': self.params, 'config': self.config})

    def _call_model_fn(self, features, labels, mode, config=None):
        named = inspect.signature(self._model_fn).parameters
        given = {}
        if 'labels' in named:
            given['labels'] = labels
        elif labels is not None and not any(item.kind == item.VAR_KEYWORD for item in named.values()) and len(named) > 1 and \
                list(named)[1] not in ('mode', 'params', 'config'):
            given[list(named)[1]] = labels
        for name, value in (('mode', mode), ('params', self.params), ('config', self._config)):
            if name in named:
                given[name] = value
        spec = self._model_fn(features, **given) if 'features' not in named else self._model_fn(features=features, **given)
        if hasattr(spec, 'as_estimator_spec'):
            spec = spec.as_estimator_spec()
        if not isinstance(spec, EstimatorSpec):
            raise ValueError('model_fn should return an EstimatorSpec.')
        return spec

    def _create_global_step(self, graph):
        return tf.train.get_or_create_global_step(graph)

    # ---- training ----

    def train(self, input_fn, hooks=None, steps=None, max_steps=None, saving_listeners=None):
        if steps is not None and max_steps is not None:
            raise ValueError('Can not provide both steps and max_steps.')
        for what, value in (('steps', steps), ('max_steps', max_steps)):
            if value is not None and value <= 0:
                raise ValueError('Must specify %s > 0, given: %s' % (what, value))
        if max_steps is not None:
            start = _step_of(self._model_dir)
            if max_steps <= start:
                tf.logging.info('Skipping training since max_steps has already saved.')
                return self
        hooks = list(hooks or [])
        if steps is not None or max_steps is not None:
            hooks.append(tf.train.StopAtStepHook(num_steps=steps, last_step=max_steps))
        loss = self._train_model(input_fn, hooks, saving_listeners)
        tf.logging.info('Loss for final step: %s.', loss)
        return self

    def _device(self):
        config = self._config
        if config.device_fn:
            return config.device_fn
        if config.num_ps_replicas:
            return tf.train.replica_device_setter(ps_tasks=config.num_ps_replicas, cluster=config.cluster_spec, merge_devices=True,
                                                  worker_device='/job:%s/task:%d' % (config.task_type, config.task_id))
        return None

    def _train_model(self, input_fn, hooks, saving_listeners):
        config = self._config
        with tf.Graph().as_default() as graph, graph.device(self._device()):
            tf.set_random_seed(config.tf_random_seed)
            step = self._create_global_step(graph)
            features, labels, more = parse_input_fn_result(self._call_input_fn(input_fn, ModeKeys.TRAIN))
            hooks = more + hooks
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN)
            if self._warm_start is not None and self.latest_checkpoint() is None:
                _warm(self._warm_start)
            if spec.loss is not None and not tf.get_collection(tf.GraphKeys.LOSSES):
                tf.add_to_collection(tf.GraphKeys.LOSSES, spec.loss)
            _loss_summary(spec.loss)
            hooks += [tf.train.NanTensorHook(spec.loss)]
            if config.log_step_count_steps is not None:
                hooks.append(tf.train.LoggingTensorHook({'loss': spec.loss, 'step': step}, every_n_iter=config.log_step_count_steps))
            hooks += spec.training_hooks
            if not (spec.scaffold.saver or tf.get_collection(tf.GraphKeys.SAVERS)):
                tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver(
                    sharded=True, max_to_keep=config.keep_checkpoint_max, defer_build=True, save_relative_paths=True,
                    keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours))
            chief = list(spec.training_chief_hooks) + self._saving_hooks(hooks, spec, saving_listeners)
            loss = None
            with tf.train.MonitoredTrainingSession(
                    master=config.master, is_chief=config.is_chief, checkpoint_dir=self._model_dir, scaffold=spec.scaffold,
                    hooks=hooks, chief_only_hooks=chief, save_checkpoint_secs=0, save_summaries_steps=config.save_summary_steps,
                    config=config.session_config, log_step_count_steps=config.log_step_count_steps) as session:
                while not session.should_stop():
                    _, loss = session.run([spec.train_op, spec.loss])
            return loss

    def _saving_hooks(self, hooks, spec, saving_listeners):
        config = self._config
        mine = [hook for hook in list(hooks) + list(spec.training_chief_hooks) if isinstance(hook, tf.train.CheckpointSaverHook)]
        listeners = list(saving_listeners or [])
        if mine:
            mine[0]._listeners.extend(listeners)
            return []
        if not (config.save_checkpoints_secs or config.save_checkpoints_steps):
            return []
        return [tf.train.CheckpointSaverHook(self._model_dir, save_secs=config.save_checkpoints_secs,
                                             save_steps=config.save_checkpoints_steps, scaffold=spec.scaffold, listeners=listeners)]

    # ---- evaluation ----

    def evaluate(self, input_fn, steps=None, hooks=None, checkpoint_path=None, name=None):
        if steps is not None and steps <= 0:
            raise ValueError('Must specify steps > 0, given: %s' % steps)
        path = checkpoint_path or self.latest_checkpoint()
        if not path:
            tf.logging.info('Could not find trained model in model_dir: %s, running initialization to evaluate.', self._model_dir)
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(self._config.tf_random_seed)
            step = self._create_global_step(graph)
            features, labels, more = parse_input_fn_result(self._call_input_fn(input_fn, ModeKeys.EVAL))
            spec = self._call_model_fn(features, labels, ModeKeys.EVAL)
            metrics = dict(spec.eval_metric_ops)
            for key, value in list(metrics.items()):
                if hasattr(value, 'result'):
                    metrics[key] = value.result(), tf.group(*value.updates)
            if 'loss' not in metrics:
                metrics['loss'] = tf.metrics.mean(spec.loss)
            updates = tf.group(*[update for _, update in metrics.values()])
            values = {key: value for key, (value, _) in metrics.items()}
            values['global_step'] = step
            hooks = more + list(hooks or []) + list(spec.evaluation_hooks)
            return self._run_evaluation(path, spec, updates, values, steps, hooks, name)

    def _run_evaluation(self, path, spec, updates, values, steps, hooks, name):
        done = tf.contrib.training.get_or_create_eval_step()
        count = tf.assign_add(done, 1, use_locking=True)
        if steps is not None:
            stop = tf.contrib.training.StopAfterNEvalsHook(steps)
            stop._set_evals_completed_tensor(count)
            hooks = hooks + [stop]
        final = tf.train.FinalOpsHook(values)
        tf.logging.info('Starting evaluation at %s', time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime()))
        creator = tf.train.ChiefSessionCreator(scaffold=spec.scaffold, checkpoint_filename_with_path=path,
                                               master=self._config.evaluation_master, config=self._config.session_config)
        with tf.train.MonitoredSession(session_creator=creator, hooks=hooks + [final]) as session:
            while not session.should_stop():
                session.run([updates, count])
        found = final.final_ops_values
        tf.logging.info('Saving dict for global step %s: %s', found['global_step'],
                        ', '.join('%s = %s' % item for item in sorted(found.items())))
        _write_values(self.eval_dir(name), found)
        return found

    # ---- prediction ----

    def predict(self, input_fn, predict_keys=None, hooks=None, checkpoint_path=None, yield_single_examples=True):
        path = checkpoint_path or self.latest_checkpoint()
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(self._config.tf_random_seed)
            self._create_global_step(graph)
            features, _, more = _features_only(self._call_input_fn(input_fn, ModeKeys.PREDICT))
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT)
            predictions = spec.predictions
            if predict_keys and isinstance(predictions, dict):
                predictions = {key: value for key, value in predictions.items() if key in predict_keys}
            hooks = more + list(hooks or []) + list(spec.prediction_hooks)
            creator = tf.train.ChiefSessionCreator(checkpoint_filename_with_path=path, master=self._config.master,
                                                   scaffold=spec.scaffold, config=self._config.session_config)
            with tf.train.MonitoredSession(session_creator=creator, hooks=hooks) as session:
                while not session.should_stop():
                    found = session.run(predictions)
                    if not yield_single_examples:
                        yield found
                    elif not isinstance(predictions, dict):
                        yield from found
                    else:
                        for i in range(len(next(iter(found.values())))):
                            yield {key: value[i] for key, value in found.items()}

    # ---- export ----

    @shows(lambda self, export_dir_base, serving_input_receiver_fn, assets_extra=None, as_text=False, checkpoint_path=None,
           experimental_mode=ModeKeys.PREDICT: None)
    def export_saved_model(self, export_dir_base, serving_input_receiver_fn, assets_extra=None, as_text=False, checkpoint_path=None,
                           experimental_mode=ModeKeys.PREDICT, strip_default_attrs=False):
        if serving_input_receiver_fn is None:
            raise ValueError('An input_receiver_fn must be defined.')
        path = checkpoint_path or self.latest_checkpoint()
        if not path:
            raise ValueError("Couldn't find trained model at %s." % self._model_dir)
        folder = _export_folder(export_dir_base)
        with tf.Graph().as_default() as graph:
            self._create_global_step(graph)
            tf.set_random_seed(self._config.tf_random_seed)
            receiver = serving_input_receiver_fn()
            spec = self._call_model_fn(receiver.features, None, ModeKeys.PREDICT)
            outputs = spec.export_outputs
            if outputs is None:
                raise ValueError('export_outputs must be specified to export a model')
            signatures = _signatures(outputs, receiver)
            with tf.Session(config=self._config.session_config) as session:
                scaffold = spec.scaffold
                saver = scaffold.saver or tf.train.Saver(sharded=True)
                saver.restore(session, path)
                session.run(tf.group(tf.local_variables_initializer(), tf.tables_initializer()))
                builder = tf.saved_model.Builder(folder)
                builder.add_meta_graph_and_variables(session, [tf.saved_model.SERVING], signature_def_map=signatures,
                                                     assets_collection=tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS),
                                                     main_op=tf.tables_initializer() if tf.get_collection(
                                                         tf.GraphKeys.TABLE_INITIALIZERS) else None)
                builder.save(as_text)
        for name, source in (assets_extra or {}).items():
            target = os.path.join(folder, 'assets.extra', name)
            tf.gfile.MakeDirs(os.path.dirname(target))
            tf.gfile.Copy(source, target)
        return folder.encode()

    def export_savedmodel(self, export_dir_base, serving_input_receiver_fn, assets_extra=None, as_text=False, checkpoint_path=None,
                          strip_default_attrs=False):
        return self.export_saved_model(export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path)


def _step_of(model_dir):
    try:
        return int(tf.train.NewCheckpointReader(tf.train.latest_checkpoint(model_dir)).get_tensor(tf.GraphKeys.GLOBAL_STEP))
    except Exception:
        return 0


def _features_only(result):
    hooks = []
    if isinstance(result, tf.data.Dataset):
        iterator = result.make_initializable_iterator()
        hooks.append(_DatasetHook(iterator))
        result = iterator.get_next()
    if isinstance(result, (list, tuple)):
        return result[0], None, hooks
    return result, None, hooks


def _loss_summary(loss):
    with tf.name_scope(''):
        if not any(getattr(item, 'op', None) is not None and item.op.name == 'loss' for item in tf.get_collection(tf.GraphKeys.SUMMARIES)):
            tf.summary.scalar('loss', loss)


def _warm(settings):
    """Variables that match start from the checkpoint."""
    import re
    path = settings.ckpt_to_initialize_from
    stored = {name for name, _ in tf.train.list_variables(path)}
    pattern = settings.vars_to_warm_start
    if pattern is None:
        return
    patterns = pattern if isinstance(pattern, (list, tuple)) else [pattern]
    for var in tf.trainable_variables():
        name = var.op.name
        old = settings.var_name_to_prev_var_name.get(name, name)
        if old in stored and any(not isinstance(item, str) or re.match(item, name) for item in patterns):
            tf.train.init_from_checkpoint(path, {old: var})


def _write_values(folder, found):
    writer = tf.summary.FileWriterCache.get(folder)
    summary = tf.Summary()
    for key, value in found.items():
        if key != 'global_step' and np.ndim(value) == 0 and not isinstance(value, (bytes, str)):
            summary.value.add(tag=key, simple_value=float(value))
    writer.add_summary(summary, found['global_step'])
    writer.flush()


def _export_folder(base):
    if isinstance(base, bytes):
        base = base.decode()
    stamp = int(time.time())
    while os.path.exists(os.path.join(base, str(stamp))):
        stamp += 1
    return os.path.join(base, str(stamp))


def _signatures(outputs, receiver):
    default = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    made = {name: output.as_signature_def(receiver.receiver_tensors) for name, output in outputs.items()}
    if default not in made and len(made) == 1:
        made[default] = next(iter(made.values()))
    for name, tensors in (receiver.receiver_tensors_alternatives or {}).items():
        tensors = tensors if isinstance(tensors, dict) else {'input': tensors}
        for key, output in outputs.items():
            try:
                made['%s:%s' % (name, key)] = output.as_signature_def(tensors)
            except ValueError:
                continue
    return made


def _load_global_step_from_checkpoint_dir(checkpoint_dir):
    """The step of the latest checkpoint, 0 where there is none."""
    try:
        return int(tf.train.NewCheckpointReader(tf.train.latest_checkpoint(checkpoint_dir)).get_tensor(tf.GraphKeys.GLOBAL_STEP))
    except (TypeError, ValueError, tf.errors.OpError):
        return 0
