"""Names that only tensorflow.python.ops.* has: second versions of functions, and helpers that programs and tests reach for."""
from . import _ops, array_ops, dtypes, math_ops
from .convert import constant_value, convert_to_tensor
from .scopes import name_scope


# ---- arrays ----

def where_v2(condition, x=None, y=None, name=None):
    """tf.where whose arguments are broadcast."""
    if (x is None) != (y is None):
        raise ValueError('x and y must both be non-None or both be None.')
    if x is None:
        return array_ops.where(condition, name=name)
    with name_scope(name, 'SelectV2', [condition, x, y]) as scope:
        condition = convert_to_tensor(condition, dtypes.bool, name='condition')
        x = convert_to_tensor(x, name='t')
        return _ops.select_v2(condition, x, convert_to_tensor(y, x.dtype.base_dtype, name='e'), name=scope)


def squeeze_v2(input, axis=None, name=None):
    return array_ops.squeeze(input, axis, name)


def expand_dims_v2(input, axis, name=None):
    return array_ops.expand_dims(input, axis, name)


def gather_v2(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    return array_ops.gather(params, indices, name=name, axis=axis, batch_dims=batch_dims)


def zeros_like_v2(input, dtype=None, name=None):
    return array_ops.zeros_like(input, dtype, name)


def ones_like_v2(input, dtype=None, name=None):
    return array_ops.ones_like(input, dtype, name)


def shape_v2(input, out_type=dtypes.int32, name=None):
    return array_ops.shape(input, name, out_type)


def size_v2(input, out_type=dtypes.int32, name=None):
    return array_ops.size(input, name, out_type)


def shape_internal(input, name=None, optimize=True, out_type=dtypes.int32):
    return array_ops.shape(input, name, out_type) if optimize else _ops.shape(input, out_type=out_type, name=name)


def size_internal(input, name=None, optimize=True, out_type=dtypes.int32):
    return array_ops.size(input, name, out_type) if optimize else _ops.size(input, out_type=out_type, name=name)


def rank_internal(input, name=None, optimize=True):
    return array_ops.rank(input, name) if optimize else _ops.rank(input, name=name)


def reverse_sequence_v2(input, seq_lengths, seq_axis=None, batch_axis=None, name=None):
    return array_ops.reverse_sequence(input, seq_lengths, seq_axis=seq_axis, batch_axis=batch_axis, name=name)


def boolean_mask_v2(tensor, mask, axis=None, name='boolean_mask'):
    return array_ops.boolean_mask(tensor, mask, name, axis)


def constant_v1(value, dtype=None, shape=None, name='Const', verify_shape=False):
    from .convert import constant
    return constant(value, dtype, shape, name, verify_shape)


# ---- mathematics ----

def reciprocal_no_nan(x, name=None):
    with name_scope(name, 'reciprocal_no_nan', [x]) as scope:
        x = convert_to_tensor(x, name='x')
        return _ops.div_no_nan(convert_to_tensor(1, x.dtype.base_dtype, name='one'), x, name=scope)


def multiply_no_nan(x, y, name=None):
    with name_scope(name, 'multiply_no_nan', [x, y]) as scope:
        x = convert_to_tensor(x, name='x')
        return _ops.mul_no_nan(x, convert_to_tensor(y, x.dtype.base_dtype, name='y'), name=scope)


def nextafter(x1, x2, name=None):
    return _ops.next_after(x1, x2, name=name)


def _bucketize(input, boundaries, name=None):
    return _ops.bucketize(input, boundaries, name=name)


def reduced_shape(input_shape, axes):
    """The shape after a reduction that keeps its dimensions."""
    import numpy as np
    static_shape, static_axes = constant_value(convert_to_tensor(input_shape)), constant_value(convert_to_tensor(axes))
    if static_shape is not None and static_axes is not None:
        sizes = static_shape.copy()
        sizes[np.asarray(static_axes, dtype=np.int64)] = 1
        return convert_to_tensor(sizes)
    input_shape = math_ops.cast(input_shape, dtypes.int32)
    axes = math_ops.cast(axes, dtypes.int32)
    rank = array_ops.size(input_shape)
    axes = array_ops.reshape((axes + rank) % rank, [-1])
    return _ops.dynamic_stitch([math_ops.range(rank), axes], [input_shape, array_ops.ones_like(axes)])


# ---- execution ----

def enable_eager_execution_internal(config=None, device_policy=None, execution_mode=None, server_def=None):
    from .toplevel import enable_eager_execution
    enable_eager_execution(config, device_policy, execution_mode)


def _NodeDef(op_type, name, device=None, attrs=None):
    """A NodeDef message; `device`: a string, a DeviceSpec, or a function of the message."""
    from .messages import NodeDef
    made = NodeDef(op=op_type, name=name)
    for key, value in (attrs or {}).items():
        made.attr[key].CopyFrom(value)
    if device is not None:
        made.device = device(made) if callable(device) else device.to_string() if hasattr(device, 'to_string') else device
    return made


# ---- state ----

def variable_op(shape, dtype, name='Variable', set_shape=True, container='', shared_name=''):
    from .shapes import TensorShape
    return _ops.variable_v2(TensorShape(shape) if set_shape else TensorShape(None), dtype, container=container,
                            shared_name=shared_name, name=name)


def variable_op_v2(shape, dtype, name='Variable', container='', shared_name=''):
    return variable_op(shape, dtype, name, True, container, shared_name)


def batch_scatter_update(ref, indices, updates, use_locking=True, name=None):
    """ref[i, indices[i, j]] = updates[i, j] for any number of leading dimensions i."""
    from . import variables
    with name_scope(name, 'batch_scatter_update', [ref, indices, updates]):
        indices = convert_to_tensor(indices, name='indices')
        shape = array_ops.shape(indices)
        rank = indices._rank() - 1
        parts = []
        for axis in range(rank):
            size = array_ops.gather(shape, axis)
            line = array_ops.reshape(math_ops.range(size, dtype=indices.dtype), [-1 if i == axis else 1 for i in range(rank + 1)])
            parts.append(array_ops.broadcast_to(line, shape))
        full = array_ops.stack(parts + [indices], axis=-1)
        return variables.scatter_nd_update(ref, full, updates, use_locking, name)


# ---- neural networks ----

def _fractional(op, value, pooling_ratio, pseudo_random, overlapping, seed, name):
    ratio = [1.0, pooling_ratio, pooling_ratio, 1.0] if isinstance(pooling_ratio, (int, float)) else list(pooling_ratio)
    if len(ratio) < 4:
        ratio = [1.0] + (ratio * 2 if len(ratio) == 1 else ratio) + [1.0]
    if not seed:
        return op(value, ratio, pseudo_random, overlapping, deterministic=False, seed=0, seed2=0, name=name)
    from .scopes import get_seed
    first, second = get_seed(seed)
    return op(value, ratio, pseudo_random, overlapping, deterministic=True, seed=first, seed2=second, name=name)


def fractional_max_pool_v2(value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None):
    return _fractional(_ops.fractional_max_pool, value, pooling_ratio, pseudo_random, overlapping, seed, name)


def fractional_avg_pool_v2(value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None):
    return _fractional(_ops.fractional_avg_pool, value, pooling_ratio, pseudo_random, overlapping, seed, name)


def erosion2d(value, kernel, strides, rates, padding, name=None):
    with name_scope(name, 'erosion2d', [value, kernel]) as scope:
        return math_ops.negative(_ops.dilation2d(math_ops.negative(value), array_ops.reverse(kernel, [0, 1]), strides, rates, padding),
                                 name=scope)


# ---- graphs ----

def _extract_graph_summary(graph_def):
    """({name: inputs' names}, {name: NodeDef}, {name: its place})."""
    inputs, nodes, places = {}, {}, {}
    for place, node in enumerate(graph_def.node):
        name = node.name.partition(':')[0].lstrip('^')
        nodes[name], places[name] = node, place
        inputs[name] = [given.partition(':')[0].lstrip('^') for given in node.input]
    return inputs, nodes, places


def _bfs_for_reachable_nodes(target_nodes, name_to_input_name):
    """The names that the targets need, their own included."""
    found, waiting = set(), list(target_nodes)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += name_to_input_name[name]
    return found


# ---- slices, variables, averages ----

def _as_indexed_slices_list(inputs, optimize=True):
    """Slices of tensors and slices, all with indices of one type."""
    from .tensor import IndexedSlices
    if not isinstance(inputs, (list, tuple)):
        raise TypeError('Expected a list or tuple, not a %s' % type(inputs))
    found = [item if isinstance(item, IndexedSlices) else
             IndexedSlices(convert_to_tensor(item), math_ops.range(array_ops.shape(item)[0])) for item in inputs]
    if len({item.indices.dtype for item in found}) > 1:
        found = [IndexedSlices(item.values, math_ops.cast(item.indices, dtypes.int64), item.dense_shape) for item in found]
    return found


def init_variable(v, init, name='init'):
    """Assigns to `v` what `init` is, or gives for the variable's shape."""
    from .variables import assign
    with name_scope(None, v.op.name + '/', [v, init]), name_scope(name) as scope:
        value = init(v.get_shape().as_list(), v.dtype.base_dtype) if callable(init) else convert_to_tensor(init, name='init')
        return assign(v, value, name=scope)


def weighted_moving_average(value, decay, weight, truediv=True, collections=None, name=None):
    """The moving average of value * weight over that of weight."""
    from . import init_ops, variable_scope
    from .training.moving_averages import assign_moving_average
    keys = ['variables'] if collections is None else collections
    with variable_scope.variable_scope(name, 'WeightedMovingAvg', [value, weight, decay]) as scope:
        def average(key, shape, now):
            held = variable_scope.get_variable(key, shape=shape, initializer=init_ops.zeros_initializer(), trainable=False,
                                               collections=keys, dtype=value.dtype)
            return assign_moving_average(held, now, decay, zero_debias=False)
        above = average('value_x_weight', value.get_shape(), value * weight)
        below = average('weight', weight.get_shape(), weight)
        return (math_ops.truediv if truediv else math_ops.div)(above, below, name=scope.name)
