"""replica_device_setter: variables on parameter servers, everything else on the worker."""
import random

from .. import tf_logging as logging
from ..device import DeviceSpec
from .server_lib import ClusterSpec

STANDARD_PS_OPS = ('Variable', 'VariableV2', 'AutoReloadVariable', 'MutableHashTable', 'MutableHashTableV2',
                   'MutableHashTableOfTensors', 'MutableHashTableOfTensorsV2', 'MutableDenseHashTable', 'MutableDenseHashTableV2',
                   'VarHandleOp', 'BoostedTreesEnsembleResourceHandleOp', 'BoostedTreesQuantileStreamResourceHandleOp')


class _RoundRobinStrategy:
    """The next task for each variable."""

    def __init__(self, num_tasks):
        self._num_tasks, self._next_task = num_tasks, 0

    def __call__(self, unused_op):
        task = self._next_task
        self._next_task = (task + 1) % self._num_tasks
        return task


class RandomStrategy:
    """A random task for each variable, the same in every process of one seed."""

    def __init__(self, num_ps_tasks, seed=0):
        self._num_tasks, self._random = num_ps_tasks, random.Random(seed)

    def __call__(self, op):
        return self._random.randrange(self._num_tasks)


class GreedyLoadBalancingStrategy:
    """The task that has least so far, where load_fn says what a variable weighs."""

    def __init__(self, num_tasks, load_fn):
        self._num_tasks, self._load_fn = num_tasks, load_fn
        self._ps_loads = [0.0] * num_tasks

    def __call__(self, op):
        task = self._ps_loads.index(min(self._ps_loads))
        self._ps_loads[task] += self._load_fn(op)
        return task


def byte_size_load_fn(op):
    """The bytes of a variable."""
    if op.type not in ('Variable', 'VariableV2', 'VarHandleOp'):
        raise ValueError('Expected an op of a variable, not %s' % op.type)
    if op.type == 'VarHandleOp':
        from ..dtypes import as_dtype
        from ..shapes import TensorShape
        dtype, shape = as_dtype(op.get_attr('dtype')), TensorShape(op.get_attr('shape'))
    else:
        dtype, shape = op.outputs[0].dtype, op.outputs[0].get_shape()
    shape.assert_is_fully_defined()
    return dtype.size * shape.num_elements()


class _ReplicaDeviceChooser:
    """The device function: what a node names itself is kept."""

    def __init__(self, ps_device, worker_device, merge_devices, ps_ops, ps_strategy):
        self._ps, self._worker = DeviceSpec.from_string(ps_device or ''), DeviceSpec.from_string(worker_device or '')
        self._has_ps, self._merge = bool(ps_device), merge_devices
        self._ps_ops, self._ps_strategy = frozenset(ps_ops), ps_strategy

    def device_function(self, op):
        if not self._merge and op.device:
            return op.device
        current = DeviceSpec.from_string(op.device or '')
        kind = op.type if hasattr(op, 'type') else op.op
        if self._has_ps and kind in self._ps_ops:
            if self._ps.job and (not current.job or current.job == self._ps.job):
                placed = self._ps.replace(task=self._ps_strategy(op))
            else:
                placed = self._ps
            return placed.make_merged_spec(current).to_string()
        return self._worker.make_merged_spec(current).to_string()


def replica_device_setter(ps_tasks=0, ps_device='/job:ps', worker_device='/job:worker', merge_devices=True, cluster=None,
                          ps_ops=None, ps_strategy=None):
    if cluster is not None:
        spec = ClusterSpec(cluster).as_dict()
        job = DeviceSpec.from_string(ps_device).job
        if job not in spec or spec[job] is None:
            return None
        ps_tasks = len(spec[job])
    if ps_tasks == 0:
        return None
    if not merge_devices:
        logging.warning('DEPRECATION: It is recommended to set merge_devices=true in replica_device_setter')
    if ps_strategy is None:
        ps_strategy = _RoundRobinStrategy(ps_tasks)
    if not callable(ps_strategy):
        raise TypeError('ps_strategy must be callable')
    return _ReplicaDeviceChooser(ps_device, worker_device, merge_devices, ps_ops or STANDARD_PS_OPS, ps_strategy).device_function
