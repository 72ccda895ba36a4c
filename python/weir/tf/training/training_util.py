"""The global step, and graphs as files."""
import os

from .. import dtypes, init_ops
from ..graph import get_default_graph
from ..scopes import GraphKeys
from ..tensor import Tensor
from ..variable_scope import get_variable


def global_step(sess, global_step_tensor):
    return int(sess.run(global_step_tensor))


def get_global_step(graph=None):
    graph = graph or get_default_graph()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(found) == 1:
        step = found[0]
    elif not found:
        try:
            step = graph.get_tensor_by_name('global_step:0')
        except KeyError:
            return None
    else:
        return None
    assert_global_step(step)
    return step


def create_global_step(graph=None):
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with graph.as_default(), graph.name_scope(None):
        return get_variable(GraphKeys.GLOBAL_STEP, shape=[], dtype=dtypes.int64, initializer=init_ops.zeros_initializer(),
                            trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP])


def get_or_create_global_step(graph=None):
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def assert_global_step(global_step_tensor):
    dtype = global_step_tensor.dtype.base_dtype
    if not dtype.is_integer:
        raise TypeError('Existing "global_step" does not have integer type: %s' % dtype)
    if not isinstance(global_step_tensor, Tensor) and not hasattr(global_step_tensor, 'get_shape'):
        raise TypeError('Existing "global_step" must be a Variable or Tensor')
    if global_step_tensor.get_shape().ndims not in (0, None):
        raise TypeError('Existing "global_step" is not scalar: %s' % global_step_tensor.get_shape())


# ---- what hooks use ----

_READ = 'global_step_read_op_cache'


def _get_or_create_global_step_read(graph=None):
    """A copy of the global step as a tensor of its own, or None when there is no global step."""
    graph = graph or get_default_graph()
    found = graph.get_collection(_READ)
    if found:
        return found[0]
    step = get_global_step(graph)
    if step is None:
        return None
    from .. import array_ops
    with graph.as_default(), graph.name_scope(None), graph.name_scope(step.op.name + '/'), graph.control_dependencies(None):
        read = array_ops.identity(step) + 0
    graph.add_to_collection(_READ, read)
    return read


def write_graph(graph_or_graph_def, logdir, name, as_text=True):
    """Writes a graph to a file, and gives its path."""
    graph_def = graph_or_graph_def.as_graph_def() if hasattr(graph_or_graph_def, 'as_graph_def') else graph_or_graph_def
    os.makedirs(logdir or '.', exist_ok=True)
    path = os.path.join(logdir, name)
    mode, data = ('w', str(graph_def)) if as_text else ('wb', graph_def.SerializeToString())
    with open(path + '.tmp', mode) as file:
        file.write(data)
    os.replace(path + '.tmp', path)
    return path


def _increment_global_step(increment, graph=None):
    """An op that adds to the global step; its value afterwards."""
    step = get_global_step(graph)
    if step is None:
        raise ValueError('Global step tensor should be created by tf.train.get_or_create_global_step before calling increment.')
    from ..framework import control_dependencies
    from ..array_ops import identity
    read = _get_or_create_global_step_read(graph)
    with step.graph.as_default(), control_dependencies([read]):
        added = step.assign_add(increment)
        return identity(added)
