"""cond, while_loop, case, group and others: control flow by Switch and Merge."""
import collections.abc

from . import _ops, dtypes, nest
from .build import apply
from .convert import constant_value, convert_to_tensor
from .flow_context import CondContext, WhileContext
from .graph import get_default_graph
from .scopes import colocate_with, control_dependencies, device, name_scope
from .shapes import TensorShape, as_shape
from .sparse_tensor import SparseTensor
from .tensor import IndexedSlices, Operation, Tensor


# ---- order ----

def no_op(name=None):
    return _ops.no_op(name=name)


def _op_of(item):
    item = getattr(item, '_control_op', item)
    return item.op if hasattr(item, 'op') and not isinstance(item, Operation) else item


def group(*inputs, **kwargs):
    """A node that runs after all of `inputs`."""
    name = kwargs.pop('name', None)
    if kwargs:
        raise ValueError('Unknown keyword arguments: ' + ', '.join(kwargs))
    leaves = [leaf for item in inputs for leaf in nest.flatten(item)]
    with name_scope(name, 'group_deps', leaves) as scope:
        by_device = collections.OrderedDict()
        for leaf in leaves:
            if leaf is None or not hasattr(leaf, 'device') and not isinstance(leaf, (Operation, Tensor)):
                raise TypeError("Expected tf.group() expected Tensor objects not None or '%s'" % type(leaf))
            by_device.setdefault(_op_of(leaf).device, []).append(_op_of(leaf))
        if len(by_device) <= 1:
            ops = [op for ops in by_device.values() for op in ops]
            where = next(iter(by_device), '')
            with control_dependencies(ops), device(where) if where else _nothing():
                return no_op(name=scope)
        parts = []
        for where, ops in by_device.items():
            with control_dependencies(ops), device(where) if where else _nothing():
                parts.append(no_op())
        with control_dependencies(parts):
            return no_op(name=scope)


class _nothing:
    def __enter__(self):
        return None

    def __exit__(self, *unused):
        return False


def with_dependencies(dependencies, output_tensor, name=None):
    with name_scope(name, 'control_dependency', list(dependencies) + [output_tensor]) as scope:
        with colocate_with(_op_of(output_tensor)), control_dependencies(dependencies):
            if isinstance(output_tensor, IndexedSlices):
                return IndexedSlices(_ops.identity(output_tensor.values, name=scope), output_tensor.indices,
                                     output_tensor.dense_shape)
            return _ops.identity(convert_to_tensor(output_tensor), name=scope)


def tuple(tensors, name=None, control_inputs=None):
    """The tensors again, each available when all are."""
    with name_scope(name, 'tuple', tensors):
        tensors = list(tensors)
        gates = [_op_of(t) for t in tensors if t is not None]
        for item in control_inputs or []:
            gates.append(_op_of(item))
        if not gates:
            raise ValueError('Must have at least one Tensor: %s' % tensors)
        gate = group(*sorted(set(gates), key=lambda op: op._id))
        return [None if t is None else gate if isinstance(t, Operation) else with_dependencies([gate], t) for t in tensors]


def Assert(condition, data, summarize=None, name=None):
    with name_scope(name, 'Assert', [condition, data]):
        condition = convert_to_tensor(condition, name='condition')
        data = [convert_to_tensor(item) for item in data]
        if all(item.dtype in (dtypes.string, dtypes.int32) for item in data):
            return _ops.assert_(condition, data, summarize=3 if summarize is None else summarize, name='Assert')
        guarded = cond(condition, no_op, lambda: _ops.assert_(condition, data, summarize=3 if summarize is None else summarize,
                                                             name='Assert'), name='AssertGuard')
        return _op_of(guarded)


# ---- cond ----

def switch(data, pred, dtype=None, name=None):
    with name_scope(name, 'Switch', [data, pred]) as scope:
        data = convert_to_tensor(data, dtype=dtype, name='data')
        return _ops.switch(data, convert_to_tensor(pred, name='pred'), name=scope)


def merge(inputs, name=None):
    inputs = [convert_to_tensor(item) for item in inputs]
    kind = 'RefMerge' if all(item.dtype._is_ref_dtype for item in inputs) else 'Merge'
    made = apply(kind, name, (inputs,), {})
    return collections.namedtuple('Merge', ['output', 'value_index'])(*made.outputs)


def _leaf(value, pivot):
    """What a branch's result contributes: operations and None become the pivot after them."""
    if value is None or isinstance(value, Operation):
        with control_dependencies([value] if value is not None else []):
            return _ops.identity(pivot)
    return _ops.identity(convert_to_tensor(value))


def _parts(value):
    """(leaves, function that makes the value of as many tensors)."""
    if isinstance(value, SparseTensor):
        return [value.indices, value.values, value.dense_shape], lambda t: SparseTensor(*t)
    if isinstance(value, IndexedSlices):
        parts = [value.values, value.indices] + ([value.dense_shape] if value.dense_shape is not None else [])
        return parts, lambda t: IndexedSlices(*t)
    if _is_array(value):
        return [value.flow], lambda t: value._with_flow(t[0])
    return [value], lambda t: t[0]


def _is_array(value):
    return hasattr(value, '_with_flow')


def _branch(context, act):
    with context:
        result = act()
        leaves, makers = [], []
        for leaf in nest.flatten(result):
            parts, make = _parts(leaf)
            leaves.append([_leaf(part, context.pivot) for part in parts])
            makers.append(make)
    return result, leaves, makers


def cond(pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None):
    """true_fn() where pred holds, else false_fn()."""
    true_fn, false_fn = true_fn if true_fn is not None else fn1, false_fn if false_fn is not None else fn2
    if not callable(true_fn):
        raise TypeError('true_fn must be callable.')
    if not callable(false_fn):
        raise TypeError('false_fn must be callable.')
    if isinstance(pred, bool):
        raise TypeError('pred must not be a Python bool')
    graph = get_default_graph()
    with graph._lock, name_scope(name, 'cond', [pred]):
        pred = convert_to_tensor(pred, name='pred')
        sides = _ops.switch(pred, pred)
        true_pivot, false_pivot = _ops.identity(sides[1], name='switch_t'), _ops.identity(sides[0], name='switch_f')
        pred = _ops.identity(pred, name='pred_id')
        for tensor in (true_pivot, false_pivot, pred, sides[0], sides[1]):
            graph.prevent_fetching(tensor.op)
        yes, yes_leaves, makers = _branch(CondContext(graph, pred, true_pivot, 1), true_fn)
        no, no_leaves, _ = _branch(CondContext(graph, pred, false_pivot, 0), false_fn)
        return _joined(yes, no, yes_leaves, no_leaves, makers, strict)


def _joined(yes, no, yes_leaves, no_leaves, makers, strict):
    if len(yes_leaves) != len(no_leaves):
        raise ValueError('true_fn and false_fn must return the same number of results: %s, %s' % (yes, no))
    try:
        nest.assert_same_structure(yes, no, check_types=False)
    except (ValueError, TypeError) as error:
        raise TypeError('Incompatible return types of true_fn and false_fn: %s' % error) from None
    out = []
    for left, right, make in zip(yes_leaves, no_leaves, makers):
        merged = []
        for a, b in zip(left, right):
            if a.dtype.base_dtype != b.dtype.base_dtype:
                raise ValueError('Outputs of true_fn and false_fn must have the same type: %s, %s' % (a.dtype.name, b.dtype.name))
            merged.append(merge([b, a]).output)
        out.append(make(merged))
    if yes is None or isinstance(yes, (Operation, Tensor)) or not nest.is_sequence(yes):
        return out[0]
    packed = nest.pack_sequence_as(yes, out)
    if not strict and isinstance(packed, collections.abc.Sequence) and len(packed) == 1 and not hasattr(packed, '_fields'):
        return packed[0]
    return packed


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    value = pred if isinstance(pred, (bool, int)) else constant_value(pred) if isinstance(pred, Tensor) else pred
    if value is None:
        return cond(pred, true_fn, false_fn, name=name)
    return true_fn() if value else false_fn()


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name='case'):
    """The function of the first predicate that holds, else the default."""
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else list(pred_fn_pairs)
    if isinstance(pred_fn_pairs, dict) and not isinstance(pred_fn_pairs, collections.OrderedDict):
        pairs.sort(key=lambda pair: pair[0].name)
    for pred, act in pairs:
        if not isinstance(pred, Tensor) or pred.dtype.base_dtype != dtypes.bool:
            raise TypeError('pred must be Tensor of type bool')
        if not callable(act):
            raise TypeError('fn for pred %s must be callable.' % pred.name)
    if default is not None and not callable(default):
        raise TypeError('default must be callable.')
    with name_scope(name, 'case', [pred for pred, _ in pairs]):
        if default is None:
            (pred, act), pairs = pairs[-1], pairs[:-1]

            def default():
                with control_dependencies([Assert(pred, ['None of the conditions evaluated as True'])]):
                    return act()
        chain = default
        for pred, act in reversed(pairs):
            chain = _linked(pred, act, chain, strict)
        return chain()


def _linked(pred, act, rest, strict):
    return lambda: cond(pred, true_fn=act, false_fn=rest, strict=strict)


# ---- loops ----

def _flat_vars(loop_vars):
    """Tensors of the loop variables, and the function that makes the structure of as many."""
    leaves, makers = [], []
    for leaf in nest.flatten(loop_vars):
        parts, make = _parts(leaf)
        if not _is_array(leaf) and not isinstance(leaf, (SparseTensor, IndexedSlices)):
            parts = [convert_to_tensor(leaf)]
        makers.append((len(parts), make))
        leaves.extend(parts)

    def pack(tensors):
        out, at = [], 0
        for count, make in makers:
            out.append(make(tensors[at:at + count]))
            at += count
        return nest.pack_sequence_as(loop_vars, out)
    return leaves, pack


def _body_results(result, loop_vars):
    if not nest.is_sequence(result):
        result = [result]
    if isinstance(loop_vars, list) and not isinstance(result, list):
        result = list(result)
    if len(nest.flatten(result)) != len(nest.flatten(loop_vars)) and len(result) == 1:
        result = result[0]
    nest.assert_same_structure(list(_listed(loop_vars)), list(_listed(result)), check_types=False)
    out = []
    for leaf in nest.flatten(result):
        parts, _ = _parts(leaf)
        out.extend(convert_to_tensor(part) for part in parts)
    return out


def _listed(value):
    return value if isinstance(value, (list, dict)) or nest.is_sequence(value) else [value]


def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None,
               maximum_iterations=None, return_same_structure=False):
    """Repeats body(*loop_vars) while cond(*loop_vars) holds."""
    if not callable(cond):
        raise TypeError('cond must be callable.')
    if not callable(body):
        raise TypeError('body must be callable.')
    if parallel_iterations < 1:
        raise TypeError('parallel_iterations must be a positive integer.')
    if not loop_vars:
        raise ValueError('No loop variables provided')
    if maximum_iterations is not None:
        return _limited(cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory, name,
                        maximum_iterations, return_same_structure)
    graph = get_default_graph()
    with graph._lock, name_scope(name, 'while') as scope:
        exits = _build_loop(graph, scope, cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory)
    if return_same_structure or nest.is_sequence(loop_vars) and len(loop_vars) > 1 or isinstance(loop_vars, dict):
        return exits
    return exits[0] if nest.is_sequence(exits) else exits


def _limited(cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory, name, limit, same):
    """A loop with a counter before its variables."""
    limit = convert_to_tensor(limit, name='maximum_iterations')
    zero = convert_to_tensor(0, dtype=limit.dtype)
    sequence = nest.is_sequence(loop_vars) and not hasattr(loop_vars, '_fields') and not isinstance(loop_vars, dict)
    call = (lambda act, lv: act(*lv)) if sequence else (lambda act, lv: act(lv))

    def go_on(i, lv):
        return _ops.logical_and(i < limit, call(cond, lv))

    def step(i, lv):
        result = call(body, lv)
        if sequence and not nest.is_sequence(result):
            result = [result]
        return i + 1, type(lv)(result) if sequence else result
    shapes = None if shape_invariants is None else (TensorShape([]), shape_invariants)
    out = while_loop(go_on, step, (zero, loop_vars), shapes, parallel_iterations, back_prop, swap_memory, name,
                     return_same_structure=True)[1]
    return out if same or not sequence or len(loop_vars) > 1 else out[0]


def _build_loop(graph, scope, cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory):
    flat, pack = _flat_vars(loop_vars)
    shapes = None if shape_invariants is None else [as_shape(s) for s in _flat_shapes(shape_invariants, loop_vars)]
    context = WhileContext(graph, scope, parallel_iterations, back_prop, swap_memory)
    enters = []
    for i, value in enumerate(flat):
        if context.outer_context is not None:
            value = context.outer_context.add_value(value)
        enters.append(context.enter(_start(value, None if shapes is None else shapes[i]), False))
    with context:
        graph._controllers = ()
        merges = [apply('Merge', None, ([enter, enter],), {}).outputs[0] for enter in enters]
        context.pivot = merges[0]
        keep = convert_to_tensor(_call(cond, pack(merges)), dtype=dtypes.bool)
        pivot = _ops.loop_cond(keep, name='LoopCond')
        context.loop_cond = pivot
        sides = [_ops.switch(merge_, pivot) for merge_ in merges]
        inputs = [_ops.identity(side[1]) for side in sides]
        context.pivot = inputs[0]
        result = _body_results(_call(body, pack(inputs)), loop_vars)
        if len(result) != len(merges):
            raise ValueError('The number of inputs and outputs of body must match loop_vars: %d, %d' % (len(merges), len(result)))
        for merge_, value in zip(merges, result):
            _close(merge_, context.add_value(value))
        exits = [_ops.exit(side[0]) for side in sides]
    for merge_, exit_ in zip(merges, exits):
        exit_.op._control_flow_context = context.outer_context
        exit_._refresh()
    return pack(exits)


def _start(value, shape):
    """What enters the loop; its shape is no more than the invariant says."""
    if shape is not None and shape._dims != value._shape:
        if not _is_within(value._shape, shape._dims):
            raise ValueError('The shape invariant specified for %s is not compatible with the initial shape of the loop '
                             'variable. It enters the loop with shape %s, but the specified shape invariant is %s.' %
                             (value.name, value.get_shape(), shape))
        return apply('PlaceholderWithDefault', None, (value,), {'shape': shape}).outputs[0]
    return value if not value._dtype._is_ref_dtype else _ops.identity(value)


def _is_within(dims, invariant):
    """True when `dims` says at least as much as `invariant`."""
    if invariant is None:
        return True
    return dims is not None and len(dims) == len(invariant) and all(b is None or a == b for a, b in zip(dims, invariant))


def _call(act, packed):
    return act(*packed) if nest.is_sequence(packed) and not isinstance(packed, dict) else act(packed)


def _flat_shapes(invariants, loop_vars):
    """The shapes in order of the variables' tensors."""
    if isinstance(invariants, TensorShape):
        invariants = [invariants]
    flat = _leaf_shapes(invariants, loop_vars if nest.is_sequence(loop_vars) else [loop_vars])
    return flat


def _leaf_shapes(invariants, structure):
    if not nest.is_sequence(structure):
        return [invariants]
    pairs = zip(nest._items(invariants), nest._items(structure))
    return [shape for left, right in pairs for shape in _leaf_shapes(left, right)]


def _close(merge_, value):
    following = _ops.next_iteration(value)
    if not _is_within(following._shape, merge_._shape):
        raise ValueError("The shape for %s is not an invariant for the loop. It enters the loop with shape %s, but has shape %s "
                         "after one iteration. Provide shape invariants using either the `shape_invariants` argument of "
                         "tf.while_loop or set_shape() on the loop variables." %
                         (merge_.name, merge_.get_shape(), following.get_shape()))
    if following._dtype.base_dtype != merge_._dtype.base_dtype:
        raise ValueError('A loop variable changes its dtype from %s to %s' % (merge_._dtype.name, following._dtype.name))
    merge_._op._update_input(1, following)
