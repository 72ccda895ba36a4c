"""tf.switch_case: one of several functions, by number."""
from . import dtypes, math_ops
from .control_flow_ops import case
from .convert import convert_to_tensor
from .scopes import name_scope


def switch_case(branch_index, branch_fns, default=None, name='switch_case'):
    branches = sorted(branch_fns.items()) if isinstance(branch_fns, dict) else list(branch_fns)
    if not branches:
        raise ValueError('Must have at least one branch.')
    if not isinstance(branches[0], (tuple, list)):
        branches = list(enumerate(branches))
    numbers = [number for number, _ in branches]
    if sorted(numbers) != list(range(len(numbers))) and default is None:
        raise ValueError('branch indices must form contiguous range of [0 to %d) but found {%s}'
                         % (len(numbers), ','.join(map(str, sorted(numbers)))))
    for _, act in branches:
        if not callable(act):
            raise TypeError('branch_fns must be callable, found %r' % (act,))
    branches.sort()
    if default is None:
        default = branches.pop()[1]
    with name_scope(name, 'switch_case', [branch_index]):
        index = convert_to_tensor(branch_index, dtype=dtypes.int32, name='branch_index')
        if not branches:
            return default()
        return case([(math_ops.equal(index, number), act) for number, act in branches], default=default)
