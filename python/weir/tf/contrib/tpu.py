"""tf.contrib.tpu without a TPU: TPUEstimator with use_tpu=False is an Estimator whose functions get a batch size."""
import enum
import collections
import contextlib
import copy

from ..estimator import run_config
from ..estimator.estimator import Estimator
from ..estimator.model_fn import EstimatorSpec, ModeKeys
from ..public import tf


class InputPipelineConfig:
    PER_SHARD_V1, PER_HOST_V1, PER_HOST_V2, BROADCAST, SLICED = 1, 2, 3, 4, 5


TPUConfig = collections.namedtuple('TPUConfig', (
    'iterations_per_loop', 'num_shards', 'num_cores_per_replica', 'per_host_input_for_training', 'tpu_job_name',
    'initial_infeed_sleep_secs', 'input_partition_dims', 'eval_training_input_configuration', 'experimental_host_call_every_n_steps'))
TPUConfig.__new__.__defaults__ = (2, None, None, True, None, None, None, 4, 1)


class RunConfig(run_config.RunConfig):
    def __init__(self, tpu_config=None, evaluation_master=None, master=None, cluster=None, **kwargs):
        super().__init__(**kwargs)
        self._tpu_config, self._cluster = tpu_config or TPUConfig(), None
        self._master = master or self._master
        self._evaluation_master = evaluation_master or self._evaluation_master

    tpu_config = property(lambda self: self._tpu_config)
    cluster = property(lambda self: self._cluster)

    def replace(self, **kwargs):
        tpu_config = kwargs.pop('tpu_config', None)
        made = super().replace(**kwargs)
        if tpu_config is not None:
            made._tpu_config = tpu_config
        return made


_FIELDS = ('mode', 'predictions', 'loss', 'train_op', 'eval_metrics', 'export_outputs', 'scaffold_fn', 'host_call', 'training_hooks',
           'evaluation_hooks', 'prediction_hooks')


class ExportSavedModelApiVersion(enum.Enum):
    """How a model is exported."""
    V1, V2 = 1, 2


class TPUEstimatorSpec(collections.namedtuple('TPUEstimatorSpec', _FIELDS)):
    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metrics=None, export_outputs=None, scaffold_fn=None,
                host_call=None, training_hooks=None, evaluation_hooks=None, prediction_hooks=None):
        return super().__new__(cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn, host_call,
                               tuple(training_hooks or ()), tuple(evaluation_hooks or ()), tuple(prediction_hooks or ()))

    def as_estimator_spec(self):
        hooks = []
        if self.host_call is not None:
            hooks.append(_HostCall(_call(self.host_call)))
        metrics = None if self.eval_metrics is None else _call(self.eval_metrics)
        return EstimatorSpec(mode=self.mode, predictions=self.predictions, loss=self.loss, train_op=self.train_op,
                             eval_metric_ops=metrics, export_outputs=self.export_outputs,
                             scaffold=self.scaffold_fn() if self.scaffold_fn else None,
                             training_hooks=self.training_hooks + tuple(hooks),
                             evaluation_hooks=self.evaluation_hooks + (tuple(hooks) if self.mode == ModeKeys.EVAL else ()),
                             prediction_hooks=self.prediction_hooks)


def _call(pair):
    function, given = pair
    return function(**given) if isinstance(given, dict) else function(*given)


class _HostCall(tf.train.SessionRunHook):
    """Runs what a host call made with each step."""

    def __init__(self, tensors):
        self._tensors = tensors if tensors is not None else []

    def begin(self):
        self._writers = tf.get_collection('_SUMMARY_WRITER_INIT_OP_V2')

    def after_create_session(self, session, coord):
        session.run(self._writers)

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._tensors)


class TPUEstimator(Estimator):
    def __init__(self, model_fn=None, model_dir=None, config=None, params=None, use_tpu=True, train_batch_size=None,
                 eval_batch_size=None, predict_batch_size=None, batch_axis=None, eval_on_tpu=True, export_to_tpu=True,
                 export_to_cpu=True, warm_start_from=None, embedding_config_spec=None, export_saved_model_api_version=ExportSavedModelApiVersion.V1):
        if params is not None and any(key in params for key in ('batch_size', 'context')):
            raise ValueError("batch_size and context are reserved keys of params")
        if use_tpu:
            tf.logging.warning('weir has no TPU: the model runs on the CPU')
        self._sizes = {ModeKeys.TRAIN: train_batch_size, ModeKeys.EVAL: eval_batch_size or train_batch_size,
                       ModeKeys.PREDICT: predict_batch_size or train_batch_size}
        self._mode = ModeKeys.TRAIN
        super().__init__(model_fn, model_dir, config or RunConfig(), params, warm_start_from)

    @property
    def params(self):
        made = copy.deepcopy(self._params)
        size = self._sizes.get(self._mode)
        if size is not None:
            if hasattr(made, 'add_hparam'):
                made.add_hparam('batch_size', size) if 'batch_size' not in made else made.set_hparam('batch_size', size)
            else:
                made['batch_size'] = size
        return made

    def _call_input_fn(self, input_fn, mode):
        self._mode = mode
        return super()._call_input_fn(input_fn, mode)

    def _call_model_fn(self, features, labels, mode, config=None):
        self._mode = mode
        return super()._call_model_fn(features, labels, mode, config)


class CrossShardOptimizer(tf.train.Optimizer):
    """Another optimizer: with one shard there is nothing to sum."""

    def __init__(self, opt, reduction='weighted_mean', name='CrossShardOptimizer', group_assignment=None):
        super().__init__(False, name)
        self._opt = opt

    def compute_gradients(self, loss, var_list=None, **kwargs):
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        return self._opt.apply_gradients(grads_and_vars, global_step, name)

    def get_slot(self, *args, **kwargs):
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self):
        return self._opt.variables()


@contextlib.contextmanager
def bfloat16_scope():
    with tf.variable_scope('', use_resource=False) as scope:
        yield scope


def cross_replica_sum(x, group_assignment=None, name=None):
    return tf.identity(x, name=name)


def initialize_system(embedding_config=None, job=None):
    raise NotImplementedError('weir has no TPU')


def shutdown_system(job=None):
    return initialize_system(job=job)


class TPUClusterResolver:
    """The address of a TPU; there is none here."""

    def __init__(self, tpu=None, zone=None, project=None, job_name='worker', coordinator_name=None, coordinator_address=None,
                 credentials='default', service=None, discovery_url=None):
        self._tpu = tpu

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        return self._tpu if self._tpu and '://' in str(self._tpu) else ''

    def get_master(self):
        return self.master()

    def cluster_spec(self):
        return None
