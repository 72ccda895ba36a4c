"""Variables whose first values come from a checkpoint."""
from .. import _ops
from ..graph import get_default_graph
from ..partitioned_variables import PartitionedVariable
from ..scopes import GraphKeys
from ..variables import Variable
from .checkpoint_management import _prefix_of, list_variables, load_checkpoint, load_variable  # noqa: F401
from .saver import _Saved


def init_from_checkpoint(ckpt_dir_or_file, assignment_map):
    prefix, shapes = _prefix_of(ckpt_dir_or_file), load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map()
    graph = get_default_graph()
    known = {}
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for var in graph.get_collection(key):
            known.setdefault(_name_of(var), []).append(var)
    pairs = assignment_map.items() if hasattr(assignment_map, 'items') else assignment_map
    for name, target in sorted(pairs, key=lambda pair: pair[0]):
        for source, parts in _matches(name, target, known):
            if source not in shapes:
                raise ValueError('Tensor %s is not found in %s checkpoint %s' % (source, ckpt_dir_or_file, shapes))
            for part in parts:
                _set_first_value(part, prefix, source, shapes[source])


def _name_of(var):
    info = var._get_save_slice_info()
    return info.full_name if info else var.op.name


def _matches(name, target, known):
    """[(name in the checkpoint, variables)] of one row of the map."""
    if isinstance(target, Variable):
        return [(name, [target])]
    if isinstance(target, (PartitionedVariable, list, tuple)):
        return [(name, list(target))]
    if target in known:
        return [(name, known[target])]
    scope = target.rstrip('/')
    begin, source = scope + '/' if scope else '', name.rstrip('/')
    rows = [((source + '/' if source else '') + found[len(begin):], parts) for found, parts in known.items()
            if found.startswith(begin)]
    if not rows and not target.endswith('/'):
        raise ValueError('Assignment map with scope only name %s should map to scope only %s. Should be \'scope/\': \'other_scope/\'.'
                         % (name, target))
    return rows


def _set_first_value(var, prefix, source, shape):
    info = var._get_save_slice_info()
    whole = list(info.full_shape) if info else var.get_shape()
    if info and whole != list(shape) or not info and not whole.is_compatible_with(shape):
        raise ValueError("Shape of variable %s (%s) doesn't match with shape of tensor %s (%s) from checkpoint reader."
                         % (var.name, whole, source, shape))
    spec = info.spec if info else ''
    value = _ops.restore_v2(prefix, [source], [spec], [var.dtype.base_dtype], name='checkpoint_initializer')[0]
    var._initializer_op = _Saved(source, spec, var).restored(value, False)
    var._initial_value = value
