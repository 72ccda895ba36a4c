"""Functions of arrays that few programs use: repeat, scattered updates of values, quantization, histograms, handles of sessions."""
import numpy as np

from . import _ops, array_ops, dtypes, math_ops
from .convert import constant_value, convert_to_tensor
from .scopes import name_scope


def repeat(input, repeats, axis=None, name=None):
    """Each element along `axis`, as often as `repeats` says."""
    with name_scope(name, 'Repeat', [input, repeats]):
        if axis is None:
            input, axis = array_ops.reshape(input, [-1]), 0
        input = convert_to_tensor(input, name='input')
        repeats = convert_to_tensor(repeats, name='repeats')
        repeats = math_ops.cast(repeats, dtypes.int32) if repeats.dtype.base_dtype != dtypes.int32 else repeats
        rank = input.shape.ndims
        if axis < 0:
            axis += rank
        length = array_ops.shape(input)[axis]
        counts = array_ops.broadcast_to(repeats, array_ops.expand_dims(length, 0))
        most = math_ops.maximum(0, math_ops.reduce_max(counts))
        mask = array_ops.sequence_mask(counts, most)
        indices = array_ops.boolean_mask(array_ops.tile(array_ops.expand_dims(math_ops.range(length), 1),
                                                        array_ops.stack([1, most])), mask)
        made = array_ops.gather(input, indices, axis=axis)
        shape = input.shape.as_list()
        known = constant_value(repeats)
        if known is not None and shape[axis] is not None:
            shape[axis] = int(np.broadcast_to(known, [shape[axis]]).sum())
        else:
            shape[axis] = None
        made.set_shape(shape)
        return made


def tensor_scatter_add(tensor, indices, updates, name=None):
    return _ops.tensor_scatter_add(tensor, indices, updates, name=name)


tensor_scatter_nd_add = tensor_scatter_add


def tensor_scatter_sub(tensor, indices, updates, name=None):
    return _ops.tensor_scatter_sub(tensor, indices, updates, name=name)


tensor_scatter_nd_sub = tensor_scatter_sub


def tensor_scatter_nd_update(tensor, indices, updates, name=None):
    return _ops.tensor_scatter_update(tensor, indices, updates, name=name)


def required_space_to_batch_paddings(input_shape, block_shape, base_paddings=None, name=None):
    """(paddings, crops) that make every dimension a multiple of its block."""
    with name_scope(name, 'required_space_to_batch_paddings', [input_shape, block_shape]):
        input_shape = convert_to_tensor(input_shape, dtype=dtypes.int32, name='input_shape')
        block_shape = convert_to_tensor(block_shape, dtype=dtypes.int32, name='block_shape')
        block_shape.shape.assert_has_rank(1)
        count = block_shape.shape.dims[0].value
        input_shape.shape.assert_is_compatible_with([count])
        if base_paddings is None:
            base_paddings = np.zeros((count, 2), np.int32)
        base_paddings = convert_to_tensor(base_paddings, dtype=dtypes.int32, name='base_paddings')
        known = [constant_value(each) for each in (input_shape, block_shape, base_paddings)]
        if all(each is not None for each in known):
            paddings, crops = _paddings(np.stack, *known)
            return (convert_to_tensor(paddings.astype(np.int32), name='paddings'),
                    convert_to_tensor(crops.astype(np.int32), name='crops'))
        return _paddings(array_ops.stack, input_shape, block_shape, base_paddings)


def _paddings(stack, sizes, blocks, base):
    start, end = base[:, 0], base[:, 1]
    extra = (blocks - (sizes + start + end) % blocks) % blocks
    zeros = extra * 0
    return stack([start, end + extra], 1), stack([zeros, extra], 1)


def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """The number of the bin of each value, values beyond the range in the first and the last."""
    with name_scope(name, 'histogram_fixed_width_bins', [values, value_range, nbins]):
        values = convert_to_tensor(values, name='values')
        flat = array_ops.reshape(values, [-1])
        value_range = convert_to_tensor(value_range, name='value_range')
        nbins = convert_to_tensor(nbins, dtype=dtypes.int32, name='nbins')
        count = math_ops.cast(nbins, flat.dtype)
        scaled = math_ops.truediv(flat - value_range[0], value_range[1] - value_range[0])
        bins = math_ops.cast(math_ops.floor(math_ops.cast(count, scaled.dtype) * scaled), dtypes.int32)
        bins = math_ops.cast(math_ops.maximum(0, math_ops.minimum(bins, nbins - 1)), dtype)
        return array_ops.reshape(bins, array_ops.shape(values))


def histogram_fixed_width(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    with name_scope(name, 'histogram_fixed_width', [values, value_range, nbins]) as scope:
        return _ops.histogram_fixed_width(values, value_range, nbins, dtype=dtype, name=scope)


def quantize(input, min_range, max_range, T, mode='MIN_COMBINED', round_mode='HALF_AWAY_FROM_ZERO', name=None):
    return _ops.quantize_v2(input, min_range, max_range, T, mode, round_mode, name=name)


def quantize_and_dequantize(input, input_min, input_max, signed_input=True, num_bits=8, range_given=False, round_mode='HALF_TO_EVEN',
                            name=None, narrow_range=False):
    return _ops.quantize_and_dequantize_v2(input, input_min, input_max, signed_input, num_bits, range_given, round_mode,
                                           narrow_range, name=name)


def fingerprint(data, method='farmhash64', name=None):
    return _ops.fingerprint(data, method, name=name)


def verify_tensor_all_finite(t=None, msg=None, name=None, x=None, message=None):
    """The tensor, once all of its values were found to be finite."""
    tensor, text = t if t is not None else x, msg if msg is not None else message
    with name_scope(name, 'VerifyFinite', [tensor]):
        tensor = convert_to_tensor(tensor, name='x')
        checked = array_ops.check_numerics(tensor, message=text)
        from .scopes import control_dependencies
        with control_dependencies([checked]):
            return array_ops.identity(tensor)


def add_check_numerics_ops():
    """A node that fails when a float tensor of the graph is not finite."""
    from .control_flow_ops import group
    from .scopes import control_dependencies, get_default_graph
    checks = []
    for op in get_default_graph().get_operations():
        for output in op.outputs:
            if output.dtype in (dtypes.float16, dtypes.float32, dtypes.float64):
                if op._get_control_flow_context() is not None:
                    raise ValueError('`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow operations such as '
                                     '`tf.cond()` or `tf.while_loop()`.')
                with control_dependencies(list(checks)):
                    checks = [array_ops.check_numerics(output, message='%s:%d' % (op.name, output.value_index))]
    return group(*checks)


def no_gradient(op_type):
    from .framework import NotDifferentiable
    return NotDifferentiable(op_type)


def grad_pass_through(f):
    """A function whose gradient is that of the identity."""
    from .gradients import custom_gradient

    @custom_gradient
    def wrapper(*args):
        def grad(*dy):
            return dy[0] if len(dy) == 1 else dy
        return f(*args), grad
    return wrapper


def recompute_grad(f):
    """f itself; its values are kept for the gradient, which costs memory and changes no result."""
    import functools

    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapper


def vectorized_map(fn, elems):
    from .functional_ops import map_fn
    from .nest import map_structure
    first = map_structure(lambda elem: convert_to_tensor(elem)[0], elems)
    kinds = map_structure(lambda made: convert_to_tensor(made).dtype, fn(first))
    return map_fn(fn, elems, dtype=kinds)
