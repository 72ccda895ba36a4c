"""tf.estimator.RunConfig and the cluster of TF_CONFIG."""
import copy
import json
import os

from ..public import tf

_UNSET = object()
_FIELDS = ('model_dir', 'tf_random_seed', 'save_summary_steps', 'save_checkpoints_steps', 'save_checkpoints_secs', 'session_config',
           'keep_checkpoint_max', 'keep_checkpoint_every_n_hours', 'log_step_count_steps', 'train_distribute', 'device_fn', 'protocol',
           'eval_distribute', 'experimental_distribute', 'experimental_max_worker_delay_secs', 'session_creation_timeout_secs')


class TaskType:
    MASTER, PS, WORKER, CHIEF, EVALUATOR = 'master', 'ps', 'worker', 'chief', 'evaluator'


class RunConfig:
    """How an Estimator runs."""

    def __init__(self, model_dir=None, tf_random_seed=None, save_summary_steps=100, save_checkpoints_steps=_UNSET,
                 save_checkpoints_secs=_UNSET, session_config=None, keep_checkpoint_max=5, keep_checkpoint_every_n_hours=10000,
                 log_step_count_steps=100, train_distribute=None, device_fn=None, protocol=None, eval_distribute=None,
                 experimental_distribute=None, experimental_max_worker_delay_secs=None, session_creation_timeout_secs=7200):
        if save_checkpoints_steps is _UNSET and save_checkpoints_secs is _UNSET:
            save_checkpoints_steps, save_checkpoints_secs = None, 600
        elif save_checkpoints_secs is _UNSET:
            save_checkpoints_secs = None
        elif save_checkpoints_steps is _UNSET:
            save_checkpoints_steps = None
        elif save_checkpoints_steps is not None and save_checkpoints_secs is not None:
            raise ValueError('`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set.')
        given = dict(locals())
        for field in _FIELDS:
            setattr(self, '_' + field, given[field])
        self._tf_random_seed = 1 if tf_random_seed is None else tf_random_seed
        self._read_cluster(json.loads(os.environ.get('TF_CONFIG') or '{}'))

    def _read_cluster(self, config):
        task = config.get('task', {})
        self._cluster_spec = tf.train.ClusterSpec(config.get('cluster', {}))
        self._service = config.get('service')
        jobs = self._cluster_spec.as_dict()
        self._task_type, self._task_id = task.get('type', TaskType.WORKER), int(task.get('index', 0))
        self._evaluation_master = ''
        if not jobs or list(jobs) == [TaskType.WORKER] and len(jobs[TaskType.WORKER]) < 2 and not task:
            self._master, self._is_chief, self._num_ps_replicas, self._num_worker_replicas = '', True, 0, 1
            return
        if self._task_type == TaskType.EVALUATOR:
            self._master, self._is_chief, self._num_ps_replicas, self._num_worker_replicas = '', False, 0, 0
            return
        self._num_ps_replicas = len(jobs.get(TaskType.PS, []))
        self._num_worker_replicas = len(jobs.get(TaskType.WORKER, [])) + len(jobs.get(TaskType.CHIEF, [])) + \
            len(jobs.get(TaskType.MASTER, []))
        self._is_chief = self._task_type in (TaskType.CHIEF, TaskType.MASTER)
        self._master = 'grpc://' + self._cluster_spec.task_address(self._task_type, self._task_id)

    def replace(self, **kwargs):
        made = copy.copy(self)
        for name, value in kwargs.items():
            if name not in _FIELDS:
                raise ValueError('Replacing %s is not supported.' % name)
            setattr(made, '_' + name, value)
        if 'save_checkpoints_steps' in kwargs and kwargs['save_checkpoints_steps'] is not None and 'save_checkpoints_secs' not in kwargs:
            made._save_checkpoints_secs = None
        if 'save_checkpoints_secs' in kwargs and kwargs['save_checkpoints_secs'] is not None and 'save_checkpoints_steps' not in kwargs:
            made._save_checkpoints_steps = None
        return made

    @property
    def global_id_in_cluster(self):
        order = [TaskType.CHIEF, TaskType.MASTER, TaskType.WORKER, TaskType.PS]
        before = 0
        for job in order:
            if job == self._task_type:
                return before + self._task_id
            before += len(self._cluster_spec.as_dict().get(job, []))
        return self._task_id


for _field in _FIELDS + ('cluster_spec', 'task_type', 'task_id', 'master', 'is_chief', 'num_ps_replicas', 'num_worker_replicas',
                         'evaluation_master', 'service'):
    setattr(RunConfig, _field, property(lambda self, _name='_' + _field: getattr(self, _name)))
