"""Averages that forget exponentially."""
from .. import dtypes, init_ops, math_ops
from ..control_flow_ops import group
from ..convert import convert_to_tensor
from ..graph import get_default_graph
from ..scopes import GraphKeys, colocate_with, control_dependencies, init_scope, name_scope
from ..variable_scope import get_variable, get_variable_scope, variable_scope
from ..variables import Variable, assign, assign_add, assign_sub, global_variables, moving_average_variables, trainable_variables
from . import slot_creator


def assign_moving_average(variable, value, decay, zero_debias=True, name=None):
    """variable -= (1 - decay) * (variable - value)."""
    with name_scope(name, 'AssignMovingAvg', [variable, value, decay]) as scope, colocate_with(variable):
        dtype = variable.dtype.base_dtype
        decay = convert_to_tensor(1.0 - decay, name='decay')
        if decay.dtype.base_dtype != dtype:
            decay = math_ops.cast(decay, dtype)
        if zero_debias:
            return _without_bias(variable, value, decay, scope)
        return _changed(variable, value, decay, scope)


def _changed(variable, value, share, name=None):
    own = variable.value() if hasattr(variable, 'handle') else variable
    return assign_sub(variable, (own - value) * share, name=None if hasattr(variable, 'handle') else name)


def _without_bias(variable, value, share, scope):
    """The average from zeros, divided by the weight of what was seen."""
    resource = hasattr(variable, 'handle')
    with init_scope(), variable_scope(variable.op.name):
        biased = get_variable(_free_name('biased'), shape=variable.get_shape(), dtype=variable.dtype.base_dtype,
                              initializer=init_ops.zeros_initializer(), trainable=False, use_resource=resource)
        step = get_variable(_free_name('local_step'), shape=[], dtype=variable.dtype.base_dtype, initializer=init_ops.zeros_initializer(),
                            trainable=False, use_resource=resource)
    new, count = _changed(biased, value, share), assign_add(step, 1)
    with control_dependencies([new, count]):
        weight = 1 - math_ops.pow(1.0 - share, _tensor(count))
        return assign(variable, _tensor(new) / weight, name=None if resource else scope)


def _free_name(name):
    """`name`, with a number where the scope has such a variable: an average may be assigned in several places."""
    scope = get_variable_scope()
    if scope.reuse:
        return name
    taken = {var.op.name[len(scope.name) + 1:] for var in scope.global_variables()}
    count, free = 0, name
    while free in taken:
        count += 1
        free = '%s_%d' % (name, count)
    return free


def _tensor(value):
    return convert_to_tensor(value)


class ExponentialMovingAverage:
    """Averages of variables and tensors; num_updates makes early steps weigh more."""

    def __init__(self, decay, num_updates=None, zero_debias=False, name='ExponentialMovingAverage'):
        self._decay, self._num_updates, self._zero_debias, self._name = decay, num_updates, zero_debias, name
        self._averages = {}

    @property
    def name(self):
        return self._name

    def apply(self, var_list=None):
        var_list = trainable_variables() if var_list is None else var_list
        debiased = set()
        for var in var_list:
            if var.dtype.base_dtype not in (dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64):
                raise TypeError('The variables must be half, float, or double: %s' % var.name)
            if var not in self._averages:
                self._averages[var] = self._made(var)
            if self._zero_debias and not isinstance(var, Variable):
                debiased.add(var)
        with name_scope(self._name) as scope:
            decay = self._decay_now()
            updates = [assign_moving_average(self._averages[var], var, decay, zero_debias=var in debiased) for var in var_list]
            return group(*[update.op for update in updates], name=scope)

    def _made(self, var):
        with init_scope():
            if not isinstance(var, Variable):
                return slot_creator.create_zeros_slot(var, self._name, colocate_with_primary=var.op.type in (
                    'Variable', 'VariableV2', 'VarHandleOp'))
            average = slot_creator.create_slot(var, var.initialized_value(), self._name)
            listed = get_default_graph().get_collection_ref(GraphKeys.MOVING_AVERAGE_VARIABLES)
            if not any(other is var for other in listed):
                listed.append(var)
            return average

    def _decay_now(self):
        decay = convert_to_tensor(self._decay, name='decay')
        if self._num_updates is None:
            return decay
        count = math_ops.cast(self._num_updates, dtypes.float32, name='num_updates')
        return math_ops.minimum(decay, (1.0 + count) / (10.0 + count))

    def average(self, var):
        return self._averages.get(var)

    def average_name(self, var):
        if var in self._averages:
            return self._averages[var].op.name
        return get_default_graph().unique_name(var.op.name + '/' + self._name, mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables=None):
        if moving_avg_variables is None:
            moving_avg_variables = trainable_variables() + moving_average_variables()
        names = {self.average_name(var): var for var in dict.fromkeys(moving_avg_variables)}
        averaged = {var.name for var in names.values()}
        for var in dict.fromkeys(global_variables()):
            if var.name not in averaged and var.op.name not in names:
                names[var.op.name] = var
        return names
