"""tensorflow.python.framework.test_util: decorators that say in which mode a test runs, and helpers of tests.

Weir runs graphs: what asks for graphs and for eager execution runs as a graph, what asks for eager execution alone is skipped.
"""
import contextlib
import functools
import inspect
import unittest

import numpy as np

from . import test as _test
from .test import (TestCase, assert_equal_graph_def, gpu_device_name, is_gpu_available, main)  # noqa: F401

TensorFlowTestCase = TestCase
NO_EAGER = 'weir runs graphs only'


# ---- modes ----

def _decorator(wrap):
    """A decorator that can be used with arguments and without, on a function and on a class's test methods."""
    def decorator(func=None, *args, **kwargs):
        if func is None or not callable(func):
            return wrap
        return wrap(func)
    return decorator


def _methods(cls, wrap):
    for name in dir(cls):
        value = getattr(cls, name)
        if callable(value) and name.startswith(unittest.TestLoader.testMethodPrefix) and name != 'test_session':
            setattr(cls, name, wrap(value))
    return cls


def _as_it_is(func):
    return func


def _skipped(reason):
    def wrap(func):
        if inspect.isclass(func):
            return unittest.skip(reason)(func)

        @functools.wraps(func)
        def skip(self, *args, **kwargs):
            self.skipTest(reason)
        return skip
    return wrap


def run_in_graph_and_eager_modes(func=None, config=None, use_gpu=True, reset_test=True, assert_no_eager_garbage=False):
    """Runs as a graph within a session of the test."""
    def wrap(method):
        if inspect.isclass(method):
            raise ValueError('`run_in_graph_and_eager_modes` only supports test methods. Did you mean to use '
                             '`run_all_in_graph_and_eager_modes`?')

        @functools.wraps(method)
        def run(self, *args, **kwargs):
            try:
                with self.test_session(use_gpu=use_gpu, config=config):
                    method(self, *args, **kwargs)
            except unittest.SkipTest:
                pass
        return run
    return wrap if func is None else wrap(func)


def for_all_test_methods(decorator, *args, **kwargs):
    """A class decorator: `decorator` on every test method."""
    return lambda cls: _methods(cls, lambda method: decorator(method, *args, **kwargs))


def run_all_in_graph_and_eager_modes(cls):
    return _methods(cls, run_in_graph_and_eager_modes)


def also_run_as_tf_function(func):
    return func


def run_v1_only(reason='', func=None):
    """Runs: Weir is version 1."""
    if callable(reason):
        return reason
    return func if func is not None else _as_it_is


run_deprecated_v1 = _decorator(_as_it_is)
deprecated_graph_mode_only = _decorator(_as_it_is)
run_all_in_deprecated_graph_mode_only = _decorator(_as_it_is)
run_in_async_and_sync_mode = _decorator(_as_it_is)
with_control_flow_v2 = _decorator(_as_it_is)
disable_control_flow_v2 = run_v1_only
no_xla_auto_jit = disable_xla = disable_all_xla = xla_allow_fallback = run_without_tensor_float_32 = run_v1_only
add_graph_building_optimization_tests = _decorator(_as_it_is)
enable_output_all_intermediates = enable_control_flow_v2 = _decorator(_as_it_is)
assert_no_new_pyobjects_executing_eagerly = assert_no_garbage_created = assert_no_new_tensors = _decorator(_as_it_is)
run_v2_only = _decorator(_skipped('needs TensorFlow 2'))
run_gpu_only = run_cuda_only = run_gpu_or_tpu = _decorator(_skipped('needs a GPU'))


def build_as_function_and_v1_graph(func=None):
    return func


def skip_if(condition):
    """Skips where `condition`, or what it returns, is true."""
    def wrap(func):
        @functools.wraps(func)
        def run(self, *args, **kwargs):
            if not (condition() if callable(condition) else condition):
                func(self, *args, **kwargs)
        return run
    return wrap


def is_xla_enabled():
    return False


def IsMklEnabled():
    return False


def IsGoogleCudaEnabled():
    return False


def CudaSupportsHalfMatMulAndConv():
    return False


GpuSupportsHalfMatMulAndConv = CudaSupportsHalfMatMulAndConv


def InstallStackTraceHandler():
    return None


# ---- devices ----

@contextlib.contextmanager
def device(use_gpu):
    from .framework import device as device_scope
    with device_scope(None if use_gpu and is_gpu_available() else '/device:CPU:0'):
        yield


@contextlib.contextmanager
def use_gpu():
    with device(use_gpu=True):
        yield


@contextlib.contextmanager
def force_gpu():
    from .framework import device as device_scope
    with device_scope('/device:GPU:0'):
        yield


@contextlib.contextmanager
def force_cpu():
    from .framework import device as device_scope
    with device_scope('/device:CPU:0'):
        yield


# ---- graphs ----

def assert_ops_in_graph(expected_ops, graph):
    """`expected_ops` is {name: type}; returns the nodes that were found."""
    found = {node.name: node for node in graph.as_graph_def().node if node.name in expected_ops}
    for name, kind in expected_ops.items():
        if name in found and found[name].op != kind:
            raise ValueError('Expected op for node %s is different. %s vs %s' % (name, kind, found[name].op))
    if set(expected_ops) - set(found):
        raise ValueError('Not all expected ops are present. Expected %s, found %s' % (list(expected_ops), list(found)))
    return found


def get_node_def_from_graph(node_name, graph_def):
    for node in graph_def.node:
        if node.name == node_name:
            return node
    return None


def assert_meta_graph_protos_equal(tester, a, b):
    if str(a) != str(b):
        tester.assertEqual(str(a), str(b))


def assert_new_graph_def(actual, expected):
    assert_equal_graph_def(actual, expected)


def create_identity_with_grad_check_fn(expected_gradient, expected_dtype=None):
    """A function that is the identity and checks the gradient that reaches it."""
    from .check_ops import assert_equal
    from .array_ops import identity
    from .gradients import custom_gradient
    from .framework import control_dependencies

    @custom_gradient
    def identity_with_grad_check(x):
        def grad(dx):
            if expected_dtype:
                assert dx.dtype == expected_dtype, 'dx.dtype should be %s but is: %s' % (expected_dtype, dx.dtype)
            with control_dependencies([assert_equal(dx, np.asarray(expected_gradient, dx.dtype.as_numpy_dtype))]):
                return 1.0 * dx
        return identity(x), grad
    return identity_with_grad_check


def gen_unique_strings(count):
    return ['s%d' % i for i in range(count)]


# ---- layouts of images ----

def NHWCToNCHW(input_tensor):
    from .array_ops import transpose
    orders = {4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]}
    if isinstance(input_tensor, (list, tuple)):
        return [input_tensor[i] for i in orders[len(input_tensor)]]
    return transpose(input_tensor, orders[input_tensor.shape.ndims])


def NCHWToNHWC(input_tensor):
    from .array_ops import transpose
    orders = {4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]}
    if isinstance(input_tensor, (list, tuple)):
        return [input_tensor[i] for i in orders[len(input_tensor)]]
    return transpose(input_tensor, orders[input_tensor.shape.ndims])


# ---- clusters ----

def create_local_cluster(num_workers, num_ps, protocol='grpc', worker_config=None, ps_config=None):
    """(workers, parameter servers): servers in this process on free ports."""
    import socket
    from .training.server_lib import ClusterSpec, Server
    holders = [socket.socket() for _ in range(num_workers + num_ps)]
    for holder in holders:
        holder.bind(('localhost', 0))
    ports = ['localhost:%d' % holder.getsockname()[1] for holder in holders]
    for holder in holders:
        holder.close()
    jobs = {'worker': ports[:num_workers], 'ps': ports[num_workers:]}
    cluster = ClusterSpec({job: addresses for job, addresses in jobs.items() if addresses})

    def servers(job, count, config):
        return [Server(cluster, job_name=job, task_index=i, protocol=protocol, config=config, start=True) for i in range(count)]
    return servers('worker', num_workers, worker_config), servers('ps', num_ps, ps_config)


def __getattr__(name):
    return getattr(_test, name)
