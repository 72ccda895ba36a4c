"""ClusterSpec and Server: the tasks of a cluster, and one of them in this process."""
import threading

from ... import _native
from .. import errors  # noqa: F401


class ClusterSpec:
    """Addresses of tasks by job: {'ps': ['a:1'], 'worker': ['b:1', 'c:1']}, or {'worker': {1: 'c:1'}} when some are not known."""

    def __init__(self, cluster):
        from ..messages import ClusterDef
        if isinstance(cluster, dict):
            self._cluster_spec = {self._name(job): self._tasks(job, tasks) for job, tasks in cluster.items()}
        elif isinstance(cluster, ClusterDef):
            self._cluster_spec = {job.name: dict(job.tasks.items()) for job in cluster.job}
        elif isinstance(cluster, ClusterSpec):
            self._cluster_spec = {job: dict(tasks) for job, tasks in cluster._cluster_spec.items()}
        else:
            raise TypeError('`cluster` must be a dictionary mapping one or more job names to lists of network addresses, or a '
                            '`ClusterDef` protocol buffer')

    @staticmethod
    def _name(job):
        if not isinstance(job, (str, bytes)):
            raise TypeError('Job name must be a string, got %r' % (job,))
        return job.decode() if isinstance(job, bytes) else job

    @staticmethod
    def _tasks(job, tasks):
        if isinstance(tasks, (list, tuple)):
            tasks = dict(enumerate(tasks))
        elif not isinstance(tasks, dict):
            raise TypeError('The tasks for job %r must be a list or a dictionary from integers to strings.' % (job,))
        for index, address in tasks.items():
            if not isinstance(index, int):
                raise TypeError('Task index must be an integer: %r' % (index,))
            if not isinstance(address, (str, bytes)):
                raise TypeError('Task address must be a string, got %r' % (address,))
        return {index: address.decode() if isinstance(address, bytes) else address for index, address in sorted(tasks.items())}

    def __bool__(self):
        return bool(self._cluster_spec)

    def __eq__(self, other):
        return isinstance(other, ClusterSpec) and self._cluster_spec == other._cluster_spec

    __hash__ = None

    def __repr__(self):
        return 'ClusterSpec({%s})' % ', '.join('%r: %r' % (job, tasks) for job, tasks in sorted(self.as_dict().items()))

    def as_dict(self):
        """Lists of addresses; a dictionary for a job some of whose tasks are missing."""
        return {job: list(tasks.values()) if list(tasks) == list(range(len(tasks))) else dict(tasks)
                for job, tasks in self._cluster_spec.items()}

    @property
    def jobs(self):
        return list(self._cluster_spec)

    def _job(self, job_name):
        if job_name not in self._cluster_spec:
            raise ValueError('No such job in cluster: %r' % (job_name,))
        return self._cluster_spec[job_name]

    def num_tasks(self, job_name):
        return len(self._job(job_name))

    def task_indices(self, job_name):
        return sorted(self._job(job_name))

    def task_address(self, job_name, task_index):
        tasks = self._job(job_name)
        if task_index not in tasks:
            raise ValueError('No task with index %r in job %r' % (task_index, job_name))
        return tasks[task_index]

    def job_tasks(self, job_name):
        tasks = self._job(job_name)
        return [tasks.get(index) for index in range(max(tasks) + 1)] if tasks else []

    def as_cluster_def(self):
        from ..messages import ClusterDef
        proto = ClusterDef()
        for job, tasks in sorted(self._cluster_spec.items()):
            row = proto.job.add()
            row.name = job
            for index, address in tasks.items():
                row.tasks[index] = address
        return proto


def _server_def(given, job_name, task_index, protocol, config):
    """A ServerDef from what tf.train.Server takes."""
    from ..messages import ServerDef
    proto = ServerDef()
    if isinstance(given, ServerDef):
        proto.MergeFrom(given)
        if job_name is not None:
            proto.job_name = job_name
        if task_index is not None:
            proto.task_index = task_index
    else:
        try:
            proto.cluster.CopyFrom(ClusterSpec(given).as_cluster_def())
        except TypeError:
            raise TypeError('Could not convert `server_or_cluster_def` to a `tf.train.ServerDef` or `tf.train.ClusterSpec`.') from None
        proto.job_name, proto.task_index = _place(proto.cluster, job_name, task_index)
    proto.protocol = protocol or proto.protocol or 'grpc'
    if config is not None:
        proto.default_session_config.MergeFrom(config)
    return proto


def _place(cluster, job_name, task_index):
    """Job and task; both may be left out where there is only one."""
    if job_name is None:
        if len(cluster.job) != 1:
            raise ValueError('Must specify an explicit `job_name`, because the cluster has %d jobs.' % len(cluster.job))
        job_name = cluster.job[0].name
    if task_index is None:
        tasks = [list(job.tasks) for job in cluster.job if job.name == job_name]
        if not tasks or len(tasks[0]) != 1:
            raise ValueError('Must specify an explicit `task_index`, because the job has several tasks.')
        task_index = tasks[0][0]
    return job_name, task_index


_make_server_def = _server_def  # as `weir run` calls it


_started = []  # a server that was started serves until the process ends, as TensorFlow's does, though nothing refers to it


class Server:
    """A task of a cluster in this process. Sessions go to `target`."""

    def __init__(self, server_or_cluster_def, job_name=None, task_index=None, protocol=None, config=None, start=True):
        self._server_def = _server_def(server_or_cluster_def, job_name, task_index, protocol, config)
        self._server = _native.server_new(self._server_def.SerializeToString())
        self._joined = None
        if start:
            self.start()

    def start(self):
        _native.server_start(self._server)
        if self._server not in _started:
            _started.append(self._server)

    def join(self):
        """Waits until the server stops; a keyboard interrupt ends the wait."""
        if self._joined is None:
            self._joined, self._failure = threading.Event(), None
            threading.Thread(target=self._wait, daemon=True, name='server_join').start()
        self._joined.wait()
        if self._failure is not None:
            raise self._failure

    def _wait(self):
        try:
            _native.server_join(self._server)
        except Exception as error:
            self._failure = error
        self._joined.set()

    @property
    def server_def(self):
        return self._server_def

    @property
    def target(self):
        return _native.server_target(self._server)

    @staticmethod
    def create_local_server(config=None, start=True):
        return Server({'localhost': ['localhost:0']}, protocol='grpc', config=config, start=start)
