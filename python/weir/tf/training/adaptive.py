"""Optimizers that scale by past gradients: Adagrad, Adadelta, RMSProp, Ftrl, and the proximal ones."""
from .. import _ops, array_ops, dtypes, init_ops, math_ops
from ..convert import convert_to_tensor
from ..scopes import colocate_with
from .optimizer import Optimizer


class _Applied(Optimizer):
    """An optimizer whose step is one op: a subclass names the op, its slots and its settings in order of inputs.

    _op: the op's name without Apply, such as 'adagrad'; _inputs: slots in the op's order; _grad_first: whether the gradient
    stands before the settings.
    """
    _op, _inputs, _grad_first = '', (), False

    def _set(self, **settings):
        self._given = settings
        self._learning_rate = settings.get('learning_rate', settings.get('lr'))

    def _prepare(self):
        self._tensors = [convert_to_tensor(self._call_if_callable(value), name=name) for name, value in self._given.items()]

    def _values(self, var):
        return [math_ops.cast(tensor, var.dtype.base_dtype) for tensor in self._tensors]

    def _act(self, prefix, var, grad, indices=None):
        resource = hasattr(var, 'handle')
        of = (lambda held: held.handle) if resource else (lambda held: held._ref())
        held = [of(var)] + [of(self.get_slot(var, name)) for name in self._inputs]
        change = [grad] if indices is None else [grad, indices]
        values = self._values(var)
        inputs = held + (change + values if self._grad_first else values + change)
        made = getattr(_ops, ('resource_' if resource else '') + prefix + self._op)(*inputs, use_locking=self._use_locking)
        return made if resource else made.op

    def _apply_dense(self, grad, var):
        return self._act('apply_', var, grad)

    def _resource_apply_dense(self, grad, handle):
        return self._act('apply_', handle, grad)

    def _apply_sparse(self, grad, var):
        return self._act('sparse_apply_', var, grad.values, grad.indices)

    def _resource_apply_sparse(self, grad, handle, indices):
        return self._act('sparse_apply_', handle, grad, indices)

    def _filled_slot(self, var, value, slot_name):
        """A slot of one value, by an initializer."""
        dtype = var.dtype.base_dtype
        shape = var.get_shape()
        if shape.is_fully_defined():
            first = init_ops.constant_initializer(value, dtype=dtype)
            self._get_or_make_slot_with_initializer(var, first, shape, dtype, slot_name, self._name)
        else:
            self._constant_slot(var, value, slot_name, self._name)

    def _constant_slot(self, var, value, slot_name, op_name):
        """A slot of one value, by a constant beside the variable."""
        with colocate_with(var):
            shape = var.get_shape()
            first = array_ops.fill(shape.as_list() if shape.is_fully_defined() else array_ops.shape(var),
                                   convert_to_tensor(value, var.dtype.base_dtype))
        return self._get_or_make_slot(var, first, slot_name, op_name)


class AdagradOptimizer(_Applied):
    """Steps divided by the root of the sum of squared gradients."""
    _op, _inputs = 'adagrad', ('accumulator',)

    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name='Adagrad'):
        if initial_accumulator_value <= 0.0:
            raise ValueError('initial_accumulator_value must be positive: %s' % initial_accumulator_value)
        super().__init__(use_locking, name)
        self._initial_accumulator_value = initial_accumulator_value
        self._set(learning_rate=learning_rate)

    def _create_slots(self, var_list):
        for var in var_list:
            self._filled_slot(var, self._initial_accumulator_value, 'accumulator')


class AdadeltaOptimizer(_Applied):
    """Steps by the ratio of running averages of past steps and gradients."""
    _op, _inputs = 'adadelta', ('accum', 'accum_update')

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-08, use_locking=False, name='Adadelta'):
        super().__init__(use_locking, name)
        self._set(lr=learning_rate, rho=rho, epsilon=epsilon)

    def _create_slots(self, var_list):
        for var in var_list:
            self._zeros_slot(var, 'accum', self._name)
            self._zeros_slot(var, 'accum_update', self._name)


class RMSPropOptimizer(_Applied):
    """Steps divided by the root of a running average of squared gradients, with momentum."""

    def __init__(self, learning_rate, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False, centered=False, name='RMSProp'):
        super().__init__(use_locking, name)
        self._centered = centered
        self._op = 'centered_rms_prop' if centered else 'rms_prop'
        self._inputs = ('mg', 'rms', 'momentum') if centered else ('rms', 'momentum')
        self._set(learning_rate=learning_rate, decay=decay, momentum=momentum, epsilon=epsilon)

    def _create_slots(self, var_list):
        for var in var_list:
            dtype, shape = var.dtype.base_dtype, var.get_shape()
            if shape.is_fully_defined():
                self._get_or_make_slot_with_initializer(var, init_ops.ones_initializer(dtype=dtype), shape, dtype, 'rms', self._name)
            else:
                self._get_or_make_slot(var, array_ops.ones_like(var), 'rms', self._name)
            if self._centered:
                self._zeros_slot(var, 'mg', self._name)
            self._zeros_slot(var, 'momentum', self._name)


class FtrlOptimizer(_Applied):
    """Follow the regularized leader."""
    _op, _inputs, _grad_first = 'ftrl', ('accum', 'linear'), True

    def __init__(self, learning_rate, learning_rate_power=-0.5, initial_accumulator_value=0.1, l1_regularization_strength=0.0,
                 l2_regularization_strength=0.0, use_locking=False, name='Ftrl', accum_name=None, linear_name=None,
                 l2_shrinkage_regularization_strength=0.0):
        super().__init__(use_locking, name)
        for what, value in (('initial_accumulator_value', initial_accumulator_value),
                            ('l1_regularization_strength', l1_regularization_strength),
                            ('l2_regularization_strength', l2_regularization_strength),
                            ('l2_shrinkage_regularization_strength', l2_shrinkage_regularization_strength)):
            if value < 0.0:
                raise ValueError('%s %f needs to be positive or zero' % (what, value))
        if learning_rate_power > 0.0:
            raise ValueError('learning_rate_power %f needs to be negative or zero' % learning_rate_power)
        self._initial_accumulator_value, self._accum_name, self._linear_name = initial_accumulator_value, accum_name, linear_name
        settings = {'learning_rate': learning_rate, 'l1_regularization_strength': l1_regularization_strength,
                    'l2_regularization_strength': l2_regularization_strength}
        if l2_shrinkage_regularization_strength > 0:
            self._op = 'ftrl_v2'
            settings['l2_shrinkage_regularization_strength'] = l2_shrinkage_regularization_strength
        self._set(**settings, learning_rate_power=learning_rate_power)

    def _create_slots(self, var_list):
        for var in var_list:
            self._ones_times(var, self._accum_name or self._name)
            self._zeros_slot(var, 'linear', self._linear_name or self._name)

    def _ones_times(self, var, op_name):
        value = self._initial_accumulator_value

        def first(shape, dtype=dtypes.float32, partition_info=None):
            return array_ops.ones(shape, dtype) * value
        self._get_or_make_slot_with_initializer(var, first, var.get_shape(), var.dtype.base_dtype, 'accum', op_name)


class ProximalGradientDescentOptimizer(_Applied):
    """Descent, then shrinking by L1 and L2."""
    _op = 'proximal_gradient_descent'

    def __init__(self, learning_rate, l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False,
                 name='ProximalGradientDescent'):
        super().__init__(use_locking, name)
        self._set(learning_rate=learning_rate, l1_regularization_strength=l1_regularization_strength,
                  l2_regularization_strength=l2_regularization_strength)


class ProximalAdagradOptimizer(_Applied):
    """Adagrad, then shrinking by L1 and L2."""
    _op, _inputs = 'proximal_adagrad', ('accumulator',)

    def __init__(self, learning_rate, initial_accumulator_value=0.1, l1_regularization_strength=0.0, l2_regularization_strength=0.0,
                 use_locking=False, name='ProximalAdagrad'):
        if initial_accumulator_value <= 0.0:
            raise ValueError('initial_accumulator_value must be positive: %s' % initial_accumulator_value)
        super().__init__(use_locking, name)
        self._initial_accumulator_value = initial_accumulator_value
        self._set(learning_rate=learning_rate, l1_regularization_strength=l1_regularization_strength,
                  l2_regularization_strength=l2_regularization_strength)

    def _create_slots(self, var_list):
        for var in var_list:
            self._constant_slot(var, self._initial_accumulator_value, 'accumulator', self._name)


class AdagradDAOptimizer(_Applied):
    """Adagrad by dual averaging: needs the global step."""
    _op, _inputs, _grad_first = 'adagrad_da', ('gradient_accumulator', 'gradient_squared_accumulator'), True

    def __init__(self, learning_rate, global_step, initial_gradient_squared_accumulator_value=0.1, l1_regularization_strength=0.0,
                 l2_regularization_strength=0.0, use_locking=False, name='AdagradDA'):
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError('initial_gradient_squared_accumulator_value must be positive: %s'
                             % initial_gradient_squared_accumulator_value)
        super().__init__(use_locking, name)
        self._initial, self._global_step = initial_gradient_squared_accumulator_value, global_step
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength
        self._set(learning_rate=learning_rate)

    def _create_slots(self, var_list):
        for var in var_list:
            with colocate_with(var):
                zeros = array_ops.zeros(var.get_shape().as_list(), var.dtype.base_dtype)
            self._get_or_make_slot(var, zeros, 'gradient_accumulator', self._name)
            self._constant_slot(var, self._initial, 'gradient_squared_accumulator', self._name)

    def _prepare(self):
        super()._prepare()
        step = array_ops.identity(self._global_step)
        self._step_at_work = step + convert_to_tensor(1, step.dtype.base_dtype)

    def _values(self, var):
        step, dtype = array_ops.identity(self._step_at_work), var.dtype.base_dtype
        return super()._values(var) + [math_ops.cast(self._l1, dtype), math_ops.cast(self._l2, dtype), math_ops.cast(step, dtypes.int64)]
