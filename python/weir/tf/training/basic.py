"""GradientDescent, Momentum and Adam."""
from .. import _ops, math_ops
from ..convert import convert_to_tensor
from ..graph import get_default_graph
from ..scopes import colocate_with, control_dependencies
from ..tensor import IndexedSlices
from ..variables import assign, scatter_add
from .optimizer import Optimizer


class GradientDescentOptimizer(Optimizer):
    """var -= learning_rate * grad."""

    def __init__(self, learning_rate, use_locking=False, name='GradientDescent'):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._learning_rate_tensor = None

    def _prepare(self):
        self._learning_rate_tensor = convert_to_tensor(self._call_if_callable(self._learning_rate), name='learning_rate')

    def _rate(self, var):
        return math_ops.cast(self._learning_rate_tensor, var.dtype.base_dtype)

    def _apply_dense(self, grad, var):
        return _ops.apply_gradient_descent(var._ref(), self._rate(var), grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad, handle):
        return _ops.resource_apply_gradient_descent(handle.handle, self._rate(handle), grad, use_locking=self._use_locking)

    def _apply_sparse_duplicate_indices(self, grad, var):
        delta = IndexedSlices(grad.values * self._rate(var), grad.indices, grad.dense_shape)
        return var.scatter_sub(delta, use_locking=self._use_locking)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        return _ops.resource_scatter_add(handle.handle, indices, -grad * self._rate(handle))


class MomentumOptimizer(Optimizer):
    """accumulation = momentum * accumulation + grad; var -= learning_rate * accumulation."""

    def __init__(self, learning_rate, momentum, use_locking=False, name='Momentum', use_nesterov=False):
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum, self._use_nesterov = learning_rate, momentum, use_nesterov

    def _create_slots(self, var_list):
        for var in var_list:
            self._zeros_slot(var, 'momentum', self._name)

    def _prepare(self):
        self._learning_rate_tensor = convert_to_tensor(self._call_if_callable(self._learning_rate), name='learning_rate')
        self._momentum_tensor = convert_to_tensor(self._call_if_callable(self._momentum), name='momentum')

    def _settings(self, var):
        dtype = var.dtype.base_dtype
        return math_ops.cast(self._learning_rate_tensor, dtype), math_ops.cast(self._momentum_tensor, dtype)

    def _apply_dense(self, grad, var):
        rate, momentum = self._settings(var)
        return _ops.apply_momentum(var._ref(), self.get_slot(var, 'momentum')._ref(), rate, grad, momentum,
                                   use_locking=self._use_locking, use_nesterov=self._use_nesterov).op

    def _resource_apply_dense(self, grad, handle):
        rate, momentum = self._settings(handle)
        return _ops.resource_apply_momentum(handle.handle, self.get_slot(handle, 'momentum').handle, rate, grad, momentum,
                                            use_locking=self._use_locking, use_nesterov=self._use_nesterov)

    def _apply_sparse(self, grad, var):
        rate, momentum = self._settings(var)
        return _ops.sparse_apply_momentum(var._ref(), self.get_slot(var, 'momentum')._ref(), rate, grad.values, grad.indices,
                                          momentum, use_locking=self._use_locking, use_nesterov=self._use_nesterov).op

    def _resource_apply_sparse(self, grad, handle, indices):
        rate, momentum = self._settings(handle)
        return _ops.resource_sparse_apply_momentum(handle.handle, self.get_slot(handle, 'momentum').handle, rate, grad, indices,
                                                   momentum, use_locking=self._use_locking, use_nesterov=self._use_nesterov)


class AdamOptimizer(Optimizer):
    """First and second moments of the gradient, with corrected bias."""

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08, use_locking=False, name='Adam'):
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon

    def _get_beta_accumulators(self):
        graph = get_default_graph()
        return self._get_non_slot_variable('beta1_power', graph), self._get_non_slot_variable('beta2_power', graph)

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda var: var.name)
        for name, value in (('beta1_power', self._beta1), ('beta2_power', self._beta2)):
            self._create_non_slot_variable(self._call_if_callable(value), name, first)
        for var in var_list:
            self._zeros_slot(var, 'm', self._name)
            self._zeros_slot(var, 'v', self._name)

    def _prepare(self):
        self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t = (
            convert_to_tensor(self._call_if_callable(value), name=name) for value, name in
            ((self._lr, 'learning_rate'), (self._beta1, 'beta1'), (self._beta2, 'beta2'), (self._epsilon, 'epsilon')))

    def _settings(self, var):
        dtype = var.dtype.base_dtype
        values = self._get_beta_accumulators() + (self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        return [math_ops.cast(value, dtype) for value in values]

    def _apply_dense(self, grad, var):
        return _ops.apply_adam(var._ref(), self.get_slot(var, 'm')._ref(), self.get_slot(var, 'v')._ref(), *self._settings(var),
                               grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad, handle):
        return _ops.resource_apply_adam(handle.handle, self.get_slot(handle, 'm').handle, self.get_slot(handle, 'v').handle,
                                        *self._settings(handle), grad, use_locking=self._use_locking)

    def _sparse_shared(self, grad, var, indices, add):
        power1, power2, rate, beta1, beta2, epsilon = self._settings(var)
        rate = rate * math_ops.sqrt(1 - power2) / (1 - power1)
        m, v = self.get_slot(var, 'm'), self.get_slot(var, 'v')
        scaled = grad * (1 - beta1)
        m_t = assign(m, m * beta1, use_locking=self._use_locking)
        with control_dependencies([m_t]):
            m_t = add(m, indices, scaled)
        squared = (grad * grad) * (1 - beta2)
        v_t = assign(v, v * beta2, use_locking=self._use_locking)
        with control_dependencies([v_t]):
            v_t = add(v, indices, squared)
        change = var.assign_sub(rate * m_t / (math_ops.sqrt(v_t) + epsilon), use_locking=self._use_locking)
        from ..control_flow_ops import group
        return group(change, m_t, v_t)

    def _apply_sparse(self, grad, var):
        return self._sparse_shared(grad.values, var, grad.indices,
                                   lambda x, i, v: scatter_add(x, i, v, use_locking=self._use_locking))

    def _resource_apply_sparse(self, grad, handle, indices):
        def add(x, i, v):
            with control_dependencies([_ops.resource_scatter_add(x.handle, i, v)]):
                return x.value()
        return self._sparse_shared(grad, handle, indices, add)

    def _finish(self, update_ops, name_scope):
        from ..control_flow_ops import group
        with control_dependencies(update_ops):
            power1, power2 = self._get_beta_accumulators()
            with colocate_with(power1):
                updates = [power1.assign(power1 * self._beta1_t, use_locking=self._use_locking),
                           power2.assign(power2 * self._beta2_t, use_locking=self._use_locking)]
        return group(*update_ops + updates, name=name_scope)

