"""Blocks that say what new nodes of the default graph get: name_scope, device, control_dependencies and others."""
import contextlib
import os
import sys

from .. import hook
from .graph import get_default_graph
from .tensor import Operation, Tensor


_said = set()


def _say_once(line):
    if line not in _said:
        _said.add(line)
        print(line, file=sys.stderr)


class name_scope:
    """A scope of names; of `name`, or of `default_name` when that is None."""

    def __init__(self, name, default_name=None, values=None):
        if default_name is not None and not isinstance(default_name, str):
            values, default_name = default_name, None
        self._name = default_name if name is None else name
        self._given, self._default, self._values = name, default_name, values
        self._stack = None

    @property
    def name(self):
        return self._name

    def _graph(self):
        default = get_default_graph()
        if default.building_function:
            return default
        for value in self._values or ():
            value = getattr(value, 'values', value) if not isinstance(value, Tensor) else value
            if isinstance(value, (Tensor, Operation)) and not callable(value):
                return value.graph
        return default

    def __enter__(self):
        if self._given is None and self._values is not None and self._default is None:
            raise ValueError('At least one of name (%s) and default_name (%s) must be provided.' %
                             (self._given, self._default))
        graph = self._graph()
        self._stack = contextlib.ExitStack()
        if graph is not get_default_graph():
            self._stack.enter_context(graph.as_default())
        try:
            return self._stack.enter_context(graph.name_scope(self._name))
        except BaseException:
            self._stack.close()
            raise

    def __exit__(self, *details):
        return self._stack.__exit__(*details)


@contextlib.contextmanager
def op_scope(values, name, default_name=None):
    """name_scope with its arguments in another order, as programs before 1.0 have it."""
    with name_scope(name, default_name, values) as scope:
        yield scope


def device(device_name_or_function):
    asks = isinstance(device_name_or_function, str) and 'gpu' in device_name_or_function.lower()
    if hook.soft_placement and asks and os.environ.get('WEIR_DEVICES', 'cpu') == 'cpu':
        _say_once('weir: there is no GPU here; what asks for one runs on the CPU')
    return get_default_graph().device(device_name_or_function)


def container(container_name):
    return get_default_graph().container(container_name)


def colocate_with(op, ignore_existing=False):
    return get_default_graph().colocate_with(op, ignore_existing)


def control_dependencies(control_inputs):
    return get_default_graph().control_dependencies(control_inputs)


@contextlib.contextmanager
def init_scope():
    """Outside of control flow, control dependencies and the bodies of functions."""
    graph = outer = get_default_graph()
    while outer._outer_graph is not None:
        outer = outer._outer_graph
    if outer is graph:
        with graph.control_dependencies(None):
            yield
        return
    scope = graph.get_name_scope()
    with outer.as_default(), outer.name_scope(scope + '/' if scope else None), outer.control_dependencies(None):
        yield


def add_to_collection(name, value):
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names, value):
    get_default_graph().add_to_collections(names, value)


def get_collection(key, scope=None):
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key):
    return get_default_graph().get_collection_ref(key)


def get_all_collection_keys():
    return get_default_graph().get_all_collection_keys()


def get_name_scope():
    return get_default_graph().get_name_scope()


class GraphKeys:
    """The names of collections that the API itself uses."""
    GLOBAL_VARIABLES = 'variables'
    LOCAL_VARIABLES = 'local_variables'
    METRIC_VARIABLES = 'metric_variables'
    MODEL_VARIABLES = 'model_variables'
    TRAINABLE_VARIABLES = 'trainable_variables'
    SUMMARIES = 'summaries'
    QUEUE_RUNNERS = 'queue_runners'
    TABLE_INITIALIZERS = 'table_initializer'
    ASSET_FILEPATHS = 'asset_filepaths'
    MOVING_AVERAGE_VARIABLES = 'moving_average_variables'
    REGULARIZATION_LOSSES = 'regularization_losses'
    CONCATENATED_VARIABLES = 'concatenated_variables'
    SAVERS = 'savers'
    WEIGHTS = 'weights'
    BIASES = 'biases'
    ACTIVATIONS = 'activations'
    UPDATE_OPS = 'update_ops'
    LOSSES = 'losses'
    SAVEABLE_OBJECTS = 'saveable_objects'
    RESOURCES = 'resources'
    LOCAL_RESOURCES = 'local_resources'
    TRAIN_OP = 'train_op'
    INIT_OP = 'init_op'
    LOCAL_INIT_OP = 'local_init_op'
    READY_OP = 'ready_op'
    READY_FOR_LOCAL_INIT_OP = 'ready_for_local_init_op'
    SUMMARY_OP = 'summary_op'
    GLOBAL_STEP = 'global_step'
    EVAL_STEP = 'eval_step'
    COND_CONTEXT = 'cond_context'
    WHILE_CONTEXT = 'while_context'
    VARIABLES = GLOBAL_VARIABLES
    _SUMMARY_COLLECTION = '_SUMMARY_V2'
    _STREAMING_MODEL_PORTS = 'streaming_model_ports'


# ---- seeds ----

DEFAULT_GRAPH_SEED = 87654321
_MAX = 2**31 - 1


def set_random_seed(seed):
    get_default_graph().seed = seed


def get_seed(op_seed):
    """(graph seed, op seed) for a random op; (None, None) when neither was set."""
    graph = get_default_graph()
    if graph.seed is not None:
        op_seed = graph._last_id if op_seed is None else op_seed
        seeds = graph.seed % _MAX, op_seed % _MAX
    elif op_seed is not None:
        seeds = DEFAULT_GRAPH_SEED, op_seed % _MAX
    else:
        return None, None
    return (0, _MAX) if seeds == (0, 0) else seeds
