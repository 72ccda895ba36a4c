"""tf.contrib.framework: variables by collection and name, and values from checkpoints."""
import functools
import re

import numpy as np

from .. import array_ops, dtypes, math_ops, nest  # noqa: F401
from ..convert import convert_to_tensor, is_tensor  # noqa: F401
from ..graph import get_default_graph
from ..scopes import GraphKeys, add_to_collection, add_to_collections, get_collection, device as device_block, name_scope
from ..training import checkpoint_management, training_util
from ..training.checkpoint_management import list_variables as _list_variables
from ..variable_scope import VariableScope, get_variable, get_variable_scope
from ..variables import Variable, VariableAggregation, VariableSynchronization
from .arg_scope import add_arg_scope, arg_scope, arg_scoped_arguments, current_arg_scope, has_arg_scope  # noqa: F401


# ---- variables ----

@add_arg_scope
def variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True, collections=None,
             caching_device=None, device=None, partitioner=None, custom_getter=None, use_resource=None,
             synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE):
    collections = list(collections if collections is not None else [GraphKeys.GLOBAL_VARIABLES])
    collections = list(dict.fromkeys(collections))
    act = get_variable
    if custom_getter is not None:
        act = functools.partial(custom_getter, reuse=get_variable_scope().reuse)
    with device_block(device or ''):
        return act(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=trainable,
                   collections=collections, caching_device=caching_device, partitioner=partitioner, use_resource=use_resource,
                   synchronization=synchronization, aggregation=aggregation)


@add_arg_scope
def model_variable(name, shape=None, dtype=dtypes.float32, initializer=None, regularizer=None, trainable=True, collections=None,
                   caching_device=None, device=None, partitioner=None, custom_getter=None, use_resource=None,
                   synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE):
    collections = list(collections or []) + [GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    return variable(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=trainable,
                    collections=collections, caching_device=caching_device, device=device, partitioner=partitioner,
                    custom_getter=custom_getter, use_resource=use_resource, synchronization=synchronization,
                    aggregation=aggregation)


def local_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    return Variable(initial_value, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], validate_shape=validate_shape,
                    name=name, use_resource=use_resource)


def global_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    return Variable(initial_value, trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES], validate_shape=validate_shape,
                    name=name, use_resource=use_resource)


def add_model_variable(var):
    if var not in get_collection(GraphKeys.MODEL_VARIABLES):
        add_to_collection(GraphKeys.MODEL_VARIABLES, var)


def get_variables(scope=None, suffix=None, collection=GraphKeys.GLOBAL_VARIABLES):
    if isinstance(scope, VariableScope):
        scope = scope.name
    if suffix is not None:
        if ':' not in suffix:
            suffix += ':'
        scope = (scope or '') + '.*' + suffix
    return get_collection(collection, scope)


def get_model_variables(scope=None, suffix=None):
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope=None, suffix=None):
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope=None, suffix=None):
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_variables_by_suffix(suffix, scope=None):
    return get_variables(scope=scope, suffix=suffix)


def get_variables_by_name(given_name, scope=None):
    suffix = '/' + given_name + ':|^' + given_name + ':'
    return get_variables(scope=scope, suffix=suffix)


def get_unique_variable(var_op_name):
    found = get_variables(scope=re.escape(var_op_name) + ':')
    if not found:
        raise ValueError('Couldn\'t find variable %s' % var_op_name)
    for item in found:
        if item.op.name == var_op_name:
            return item
    raise ValueError('Variable %s does not uniquely identify a variable' % var_op_name)


def get_variable_full_name(var):
    return var._save_slice_info.full_name if getattr(var, '_save_slice_info', None) else var.op.name


def get_variables_to_restore(include=None, exclude=None):
    for given in (include, exclude):
        if given is not None and not isinstance(given, (list, tuple)):
            raise TypeError('include and exclude must be lists or tuples.')
    found = get_variables() if include is None else [v for scope in include for v in get_variables(scope)]
    found = list(dict.fromkeys(found))
    left_out = {v for scope in exclude or [] for v in get_variables(scope)}
    return [v for v in found if v not in left_out]


def filter_variables(var_list, include_patterns=None, exclude_patterns=None, reg_search=True):
    act = re.search if reg_search else re.match
    out = []
    for item in var_list:
        name = item.op.name
        if include_patterns is not None and not any(act(p, name) for p in include_patterns):
            continue
        if exclude_patterns is not None and any(act(p, name) for p in exclude_patterns):
            continue
        out.append(item)
    return out


class VariableDeviceChooser:
    """Puts variables on parameter servers in turn."""

    def __init__(self, num_tasks=0, job_name='ps', device_type='CPU', device_index=0, replica=None):
        self._num_tasks, self._job, self._type, self._index, self._replica = num_tasks, job_name, device_type, device_index, replica
        self._next = 0

    def __call__(self, op):
        spec = '/job:%s' % self._job if self._num_tasks > 0 else ''
        spec += '' if self._replica is None else '/replica:%d' % self._replica
        if self._num_tasks > 0:
            if op.type in ('Variable', 'VariableV2', 'VarHandleOp'):
                task, self._next = self._next, (self._next + 1) % self._num_tasks
                spec += '/task:%d' % task
        return spec + '/device:%s:%d' % (self._type, self._index)


# ---- global step ----

def assert_global_step(global_step_tensor):
    training_util.assert_global_step(global_step_tensor)


def assert_or_get_global_step(graph=None, global_step_tensor=None):
    if global_step_tensor is None:
        return get_or_create_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor


def get_global_step(graph=None):
    return training_util.get_global_step(graph)


def create_global_step(graph=None):
    return training_util.create_global_step(graph)


def get_or_create_global_step(graph=None):
    return training_util.get_or_create_global_step(graph)


# ---- values from checkpoints and arrays ----

def load_checkpoint(filepattern):
    return checkpoint_management.load_checkpoint(filepattern)


def load_variable(checkpoint_dir, name):
    return checkpoint_management.load_variable(checkpoint_dir, name)


def list_variables(checkpoint_dir):
    return _list_variables(checkpoint_dir)


def init_from_checkpoint(checkpoint_dir, assignment_map):
    from ..training.checkpoint_utils import init_from_checkpoint as act
    return act(checkpoint_dir, assignment_map)


def assign_from_values(var_names_to_values):
    """(op, feed_dict) that gives variables these values."""
    feed, assigns = {}, []
    for name, value in var_names_to_values.items():
        var = get_unique_variable(name)
        place = array_ops.placeholder(var.dtype.base_dtype, np.asarray(value).shape)
        assigns.append(var.assign(place))
        feed[place] = np.asarray(value).reshape(var.get_shape().as_list())
    from ..control_flow_ops import group
    return group(*assigns), feed


def assign_from_values_fn(var_names_to_values):
    op, feed = assign_from_values(var_names_to_values)

    def callback(session):
        return session.run(op, feed)
    return callback


def _grouped(var_list):
    """{name in the checkpoint: list of variables}."""
    if isinstance(var_list, (list, tuple)):
        out = {}
        for var in var_list:
            out.setdefault(get_variable_full_name(var), []).append(var)
        return out
    return {name: var if isinstance(var, (list, tuple)) else [var] for name, var in var_list.items()}


def assign_from_checkpoint(model_path, var_list, ignore_missing_vars=False):
    """(op, feed_dict) that gives variables the values of a checkpoint."""
    reader, feed, assigns = checkpoint_management.NewCheckpointReader(model_path), {}, []
    for name, parts in _grouped(var_list).items():
        if not reader.has_tensor(name):
            if ignore_missing_vars:
                continue
            raise ValueError('Checkpoint is missing variable [%s]' % name)
        value = np.asarray(reader.get_tensor(name))
        for var in parts:
            info = getattr(var, '_save_slice_info', None)
            part = value if info is None or len(parts) == 1 else value[tuple(
                slice(at, at + size) for at, size in zip(info.var_offset, info.var_shape))]
            if var.get_shape().num_elements() == part.size:
                part = part.reshape(var.get_shape().as_list())
            else:
                raise ValueError('Total size of new array must be unchanged for %s lh_shape: [%s], rh_shape: [%s]' %
                                 (name, part.shape, var.get_shape()))
            place = array_ops.placeholder(var.dtype.base_dtype, part.shape)
            assigns.append(var.assign(place))
            feed[place] = part
    from ..control_flow_ops import group
    return group(*assigns), feed


def assign_from_checkpoint_fn(model_path, var_list, ignore_missing_vars=False, reshape_variables=False):
    """A function that restores the variables in a session."""
    if ignore_missing_vars:
        reader = checkpoint_management.NewCheckpointReader(model_path)
        named = var_list if isinstance(var_list, dict) else {var.op.name: var for var in var_list}
        var_list = {name: var for name, var in named.items() if reader.has_tensor(name)}
    if not var_list:
        return None
    from ..training.saver import Saver
    saver = Saver(var_list, reshape=reshape_variables)

    def callback(session):
        saver.restore(session, model_path)
    return callback


# ---- the rest ----

def argsort(values, axis=-1, direction='ASCENDING', stable=False, name=None):
    from ..sort_ops import argsort as act
    return act(values, axis, direction, stable, name)


def sort(values, axis=-1, direction='ASCENDING', name=None):
    from ..sort_ops import sort as act
    return act(values, axis, direction, name)


def deprecated(date, instructions, warn_once=True):
    """A decorator that changes nothing."""
    return lambda func: func


def deprecated_args(date, instructions, *deprecated_arg_names_or_tuples, **kwargs):
    return lambda func: func


def deprecated_arg_values(date, instructions, warn_once=True, **deprecated_kwargs):
    return lambda func: func


def with_shape(expected_shape, tensor):
    tensor = convert_to_tensor(tensor)
    tensor.set_shape(expected_shape)
    return tensor


def with_same_shape(expected_tensor, tensor):
    return with_shape(expected_tensor.get_shape(), tensor)


def reduce_sum_n(tensors, name=None):
    with name_scope(name, 'reduce_sum_n', tensors):
        return math_ops.add_n([math_ops.reduce_sum(item) for item in tensors])


def remove_squeezable_dimensions(predictions, labels, name=None):
    from ..losses import squeeze_pair
    labels, predictions = squeeze_pair(convert_to_tensor(labels), convert_to_tensor(predictions))
    return predictions, labels


def zero_initializer(ref, use_locking=True, name='zero_initializer'):
    return ref.assign(array_ops.zeros_like(ref), use_locking)
