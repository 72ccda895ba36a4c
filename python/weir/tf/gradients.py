"""gradients: derivatives added to the graph by one call of the library."""
import enum
from .. import _native
from . import dtypes, flow_context, gradients_registry
from .convert import convert_to_tensor, convert_to_tensor_or_indexed_slices
from .graph import get_default_graph
from .scopes import name_scope
from .tensor import IndexedSlices, Tensor


class AggregationMethod:
    """Kept for programs that name them: gradients that meet are added in one way."""
    ADD_N = DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


class UnconnectedGradients(str, enum.Enum):
    """What an x gets that no y depends on."""
    NONE, ZERO = 'none', 'zero'

    __str__ = enum.Enum.__str__


def _as_list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _source(x):
    """The tensor that stands for x: of a variable, what it is differentiated by."""
    if hasattr(x, 'handle') and hasattr(x, '_ref'):
        return x.handle
    if hasattr(x, '_ref') and not isinstance(x, Tensor):
        return x._ref()
    return convert_to_tensor(x)


def _weights(ys, grad_ys):
    grads = [None] * len(ys) if grad_ys is None else _as_list(grad_ys)
    if len(grads) != len(ys):
        raise ValueError('Passed %d grad_ys for %d ys' % (len(grads), len(ys)))
    out = []
    for y, grad in zip(ys, grads):
        grad = None if grad is None else convert_to_tensor(grad, dtype=y.dtype.base_dtype, name='grad_y')
        out.append(grad)
    return out


def _differentiable(tensor):
    return tensor.dtype.is_floating or tensor.dtype.is_complex or tensor.dtype.base_dtype in (dtypes.resource, dtypes.variant)


def gradients(ys, xs, grad_ys=None, name='gradients', colocate_gradients_with_ops=False, gate_gradients=False,
              aggregation_method=None, stop_gradients=None, unconnected_gradients=UnconnectedGradients.NONE):
    """The derivatives of the sum of `ys` by each of `xs`: tensors, IndexedSlices, or None."""
    if unconnected_gradients not in ('none', 'zero'):
        raise ValueError("Unknown value for unconnected_gradients: %r" % unconnected_gradients)
    ys, xs = [convert_to_tensor(y, name='y') for y in _as_list(ys)], _as_list(xs)
    sources = [_source(x) for x in xs]
    stops = [_source(x) for x in _as_list(stop_gradients)] if stop_gradients is not None else []
    graph = ys[0].graph if ys else get_default_graph()
    with graph._lock, graph.as_default(), graph.name_scope(name or 'gradients') as scope:
        for y in ys:
            if not (y.dtype.is_floating or y.dtype.is_complex or y.dtype.is_integer or y.dtype.base_dtype in (dtypes.resource, dtypes.variant)):
                raise TypeError('Gradients of tensors with dtype %s' % y.dtype)
        weights = _weights(ys, grad_ys)
        custom = _custom_nodes(graph, ys, sources) if gradients_registry._registered or graph._function_gradients else []
        find = _with_custom if custom else _plain
        found = find(graph, scope, ys, weights, sources, stops, custom)
        found = [grad if _differentiable(x) else None for x, grad in zip(sources, found)]
        if unconnected_gradients == 'zero':
            from .array_ops import zeros_like
            found = [zeros_like(x) if grad is None else grad for x, grad in zip(xs, found)]
    return found


def _tensor(graph, pair):
    return graph._op_at(pair[0])._outputs[pair[1]]


def _plain(graph, scope, ys, weights, xs, stops, custom):
    """One call of the library; its nodes get objects and the scopes' devices."""
    prefix = scope[:-1]
    if any(name.startswith(scope) for name in list(graph._by_name)[-64:]) or prefix in graph._by_name:
        with graph.name_scope('grad') as inner:
            prefix = inner[:-1]
    rows = _native.gradients(graph._native, prefix, ys, weights, xs, stops)
    made = graph._adopt(place=True)
    context = graph._control_flow_context
    if context is not None and context.GetWhileContext() is not None:
        flow_context.bring_in(context, made)
    elif context is not None:
        for op in made:
            op._control_flow_context = context
    out = []
    for row in rows:
        if row is None:
            out.append(None)
        elif len(row) == 1:
            out.append(_tensor(graph, row[0]))
        else:
            out.append(IndexedSlices(*[_tensor(graph, pair) for pair in row]))
    return out


# ---- registered gradients ----

def _ancestors(ys):
    seen, work = set(), [y.op for y in ys]
    while work:
        op = work.pop()
        if op in seen:
            continue
        seen.add(op)
        work.extend(tensor.op for tensor in op.inputs)
    return seen


def _custom_nodes(graph, ys, xs):
    """The nodes above ys with a registered gradient, last first."""
    nodes = [op for op in _ancestors(ys) if _function_of(op) is not None]
    return sorted(nodes, key=lambda op: -op._id)


def _function_of(op):
    registered = gradients_registry._registered
    if op._type in op._graph._function_gradients:
        return op._graph._function_gradients[op._type]
    if op._type in registered and registered[op._type] is not None:
        return registered[op._type]
    if not _may_override(op):
        return None
    try:
        name = op.get_attr('_gradient_op_type').decode()
    except ValueError:
        return None
    if name not in registered:
        raise LookupError("No gradient defined for operation '%s' (op type: %s)" % (op.name, name))
    return registered[name]


def _may_override(op):
    return b'_gradient_op_type' in _native.node_def(op)


def _add_up(parts):
    from .math_ops import add_n
    parts = [part for part in parts if part is not None]
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, IndexedSlices) for part in parts):
        from .array_ops import concat
        return IndexedSlices(concat([part.values for part in parts], 0), concat([part.indices for part in parts], 0),
                             parts[0].dense_shape)
    return add_n([convert_to_tensor(part) for part in parts])


def _with_custom(graph, scope, ys, weights, xs, stops, custom):
    """Differentiates between registered nodes with the library, and through them with their functions."""
    from .array_ops import zeros_like
    cuts = [tensor for op in custom for tensor in op.outputs]
    fixed = [tensor for tensor in stops if tensor not in cuts]
    gathered = {tensor: [] for tensor in cuts + xs}

    def spread(tensors, grads):
        targets = list(dict.fromkeys(cuts + xs))
        direct = {tensor: grad for tensor, grad in zip(tensors, grads) if tensor in gathered}
        rest = [(t, g) for t, g in zip(tensors, grads) if t not in cuts]
        for tensor, grad in zip(tensors, grads):
            if tensor in cuts:
                gathered[tensor].append(_ones(tensor) if grad is None else grad)
        del direct
        if rest:
            found = _plain(graph, scope, [t for t, _ in rest], [g for _, g in rest], targets, fixed + cuts, None)
            for tensor, grad in zip(targets, found):
                gathered[tensor].append(grad)
    spread(ys, weights)
    for op in custom:
        outs = [_add_up(gathered[tensor]) for tensor in op.outputs]
        if all(grad is None for grad in outs):
            continue
        outs = [zeros_like(t) if g is None and t.dtype.is_floating else g for t, g in zip(op.outputs, outs)]
        with graph.name_scope(op.name + '_grad'):
            grads = _function_of(op)(op, *outs)
        pairs = [(t, convert_to_tensor_or_indexed_slices(g)) for t, g in zip(op.inputs, _as_list(grads)) if g is not None]
        pairs = [(t, convert_to_tensor(g)) for t, g in pairs]
        if pairs:
            spread([t for t, _ in pairs], [g for _, g in pairs])
    return [_add_up(gathered[x]) for x in xs]


def _ones(tensor):
    from .array_ops import ones_like
    return ones_like(tensor)


# ---- more ----

def hessians(ys, xs, name='hessians', colocate_gradients_with_ops=False, gate_gradients=False, aggregation_method=None):
    from .array_ops import concat, reshape, shape, size
    from .control_flow_ops import while_loop
    from .tensor_array import TensorArray
    with name_scope(name):
        out = []
        for grad, x in zip(gradients(ys, _as_list(xs)), _as_list(xs)):
            flat, count = reshape(grad, [-1]), size(x)
            rows = TensorArray(x.dtype.base_dtype, count)
            _, rows = while_loop(lambda j, _: j < count,
                                 lambda j, result: (j + 1, result.write(j, gradients(flat[j], x)[0])), [0, rows])
            out.append(reshape(rows.stack(), concat((shape(x), shape(x)), 0)))
        return out


def custom_gradient(f):
    """A function whose second result computes the gradient of its first."""
    def wrapped(*args, **kwargs):
        from ._ops import identity_n
        args = [convert_to_tensor(arg) for arg in args]
        name = 'CustomGradient-%d' % len(gradients_registry._registered)
        result, grad_fn = f(*args, **kwargs)
        many = isinstance(result, (list, tuple))
        flat = [convert_to_tensor(item) for item in _as_list(result)]

        def internal(op, *result_grads):
            given = _as_list(grad_fn(*result_grads[:len(flat)]))
            return [None] * len(flat) + given
        gradients_registry._registered[name] = internal
        graph = get_default_graph()
        with graph.gradient_override_map({'IdentityN': name}):
            outs = identity_n(flat + args)
        return list(outs[:len(flat)]) if many else outs[0]
    wrapped.__name__ = getattr(f, '__name__', 'wrapped')
    return wrapped
