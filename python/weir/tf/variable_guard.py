"""First values that are made of other variables: one step that initializes all of them reads what is initialized already, and
takes the first value of what is not."""
from .scopes import GraphKeys, name_scope

_VARIABLES = ('Variable', 'VariableV2')
_PLAIN = {'RefSwitch': 'Switch', 'RefIdentity': 'Identity', 'RefMerge': 'Merge'}  # what takes values
_KEPT = ('IsVariableInitialized', 'VarIsInitializedOp', 'ReadVariableOp', 'VarHandleOp', 'If')  # what is below them stays as it is


def guarded(name, value):
    """`value` for the initializer of the variable `name`, with nodes of its own where it depends on variables."""
    found, order = _above(value.op)
    if not found:
        return value
    made = {}
    for op in order:
        if op in found:
            made[op] = _first_or_present(op)
        elif op.type not in _KEPT and any(made.get(tensor.op) for tensor in op.inputs):
            made[op] = _again(op, [_replaced(tensor, made) for tensor in op.inputs], name)
    return _replaced(value, made)


def _above(op):
    """The variables that `op` depends on, and all it depends on, inputs first; nothing where there are loops."""
    found, order, state, waiting = set(), [], {}, [op]
    while waiting:
        at = waiting[-1]
        if state.get(at) is None:
            state[at] = 'open'
            if at.type in _VARIABLES:
                found.add(at)
            elif at.type not in _KEPT:
                for tensor in at.inputs:
                    above = tensor.op
                    if state.get(above) == 'open':
                        return set(), []
                    if above not in state:
                        waiting.append(above)
        else:
            waiting.pop()
            if state[at] == 'open':
                state[at] = 'done'
                order.append(at)
    return found, order


def _first_or_present(op):
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for var in op.graph.get_collection(key):
            if getattr(var, '_variable', None) is op.outputs[0] and var.initial_value is not None:
                return (var.initialized_value(),)
    return None


def _replaced(tensor, made):
    new = made.get(tensor.op)
    return new[tensor.value_index] if new else tensor


def _again(op, inputs, name):
    with name_scope(None):
        return op.graph.create_op(_PLAIN.get(op.type, op.type), inputs, name='%s_%s' % (op.name, name),
                                  attrs=dict(op.node_def.attr)).outputs
