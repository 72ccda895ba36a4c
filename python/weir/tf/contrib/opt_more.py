"""tf.contrib.opt: AdaMax, AddSign, weight decay beside any optimizer, LARS, and optimizers around others."""
import math

from ..public import tf
from ..training.adaptive import AdagradOptimizer
from ..training.basic import AdamOptimizer, MomentumOptimizer
from ..training.optimizer import Optimizer


class AdaMaxOptimizer(AdamOptimizer):
    """Adam with the largest gradient in place of the second moment."""

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08, use_locking=False, name='AdaMax'):
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _get_beta_accumulators(self):
        return self._get_non_slot_variable('beta1_power', graph=tf.get_default_graph())

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda var: var.name)
        self._create_non_slot_variable(initial_value=self._beta1, name='beta1_power', colocate_with=first)
        for var in var_list:
            self._zeros_slot(var, 'm', self._name)
            self._zeros_slot(var, 'v', self._name)

    def _numbers(self, var):
        values = (self._get_beta_accumulators(), self._lr, self._beta1, self._beta2, self._epsilon)
        return [tf.cast(tf.convert_to_tensor(value), var.dtype.base_dtype) for value in values]

    def _apply_dense(self, grad, var):
        power, rate, beta1, beta2, epsilon = self._numbers(var)
        m, v = self.get_slot(var, 'm'), self.get_slot(var, 'v')
        m_new = m.assign(beta1 * m + (1 - beta1) * grad, use_locking=self._use_locking)
        v_new = v.assign(tf.maximum(beta2 * v, tf.abs(grad)), use_locking=self._use_locking)
        step = rate / (1 - power) * m_new / (v_new + epsilon)
        return tf.group(var.assign_sub(step, use_locking=self._use_locking), m_new, v_new)

    _resource_apply_dense = _apply_dense

    def _sparse(self, values, indices, var):
        power, rate, beta1, beta2, epsilon = self._numbers(var)
        m, v = self.get_slot(var, 'm'), self.get_slot(var, 'v')
        m_new = beta1 * tf.gather(m, indices) + (1 - beta1) * values
        v_new = tf.maximum(beta2 * tf.gather(v, indices), tf.abs(values))
        with tf.control_dependencies([m_new, v_new]):
            kept = [tf.scatter_update(m, indices, m_new), tf.scatter_update(v, indices, v_new)]
        return tf.group(tf.scatter_sub(var, indices, rate / (1 - power) * m_new / (v_new + epsilon)), *kept)

    def _apply_sparse(self, grad, var):
        return self._sparse(grad.values, grad.indices, var)

    def _resource_apply_sparse(self, grad, handle, indices):
        return self._sparse(grad, indices, handle)

    def _finish(self, update_ops, name_scope):
        power = self._get_beta_accumulators()
        with tf.control_dependencies(update_ops), tf.colocate_with(power):
            moved = power.assign(power * tf.cast(self._beta1, power.dtype.base_dtype), use_locking=self._use_locking)
        return tf.group(*(list(update_ops) + [moved]), name=name_scope)


class AddSignOptimizer(Optimizer):
    """Steps that are larger where the gradient agrees with its average."""

    def __init__(self, learning_rate=0.1, alpha=1.0, beta=0.9, sign_decay_fn=None, use_locking=False, name='AddSignOptimizer'):
        super().__init__(use_locking, name)
        self._lr, self._alpha, self._beta, self._sign_decay_fn = learning_rate, alpha, beta, sign_decay_fn
        self._decay = 1.0

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        if self._sign_decay_fn is not None:
            self._decay = self._sign_decay_fn(global_step)
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _create_slots(self, var_list):
        for var in var_list:
            self._zeros_slot(var, 'm', self._name)

    def _apply_dense(self, grad, var):
        cast = lambda value: tf.cast(tf.convert_to_tensor(value), var.dtype.base_dtype)
        m = self.get_slot(var, 'm')
        m_new = m.assign(cast(self._beta) * m + (1 - cast(self._beta)) * grad, use_locking=self._use_locking)
        scale = cast(self._alpha) + cast(self._decay) * tf.sign(grad) * tf.sign(m_new)
        return tf.group(var.assign_sub(cast(self._lr) * scale * grad, use_locking=self._use_locking), m_new)

    _resource_apply_dense = _apply_dense

    def _apply_sparse(self, grad, var):
        return self._resource_apply_sparse(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad, handle, indices):
        cast = lambda value: tf.cast(tf.convert_to_tensor(value), handle.dtype.base_dtype)
        m = self.get_slot(handle, 'm')
        m_new = cast(self._beta) * tf.gather(m, indices) + (1 - cast(self._beta)) * grad
        scale = cast(self._alpha) + cast(self._decay) * tf.sign(grad) * tf.sign(m_new)
        with tf.control_dependencies([m_new]):
            kept = tf.scatter_update(m, indices, m_new)
        return tf.group(tf.scatter_sub(handle, indices, cast(self._lr) * scale * grad), kept)


# ---- weight decay ----

class DecoupledWeightDecayExtension:
    """Weights shrink by a share of themselves before each step, apart from the gradient."""

    def __init__(self, weight_decay, **kwargs):
        self._decay_var_list, self._weight_decay = None, weight_decay
        super().__init__(**kwargs)

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=1, aggregation_method=None,
                 colocate_gradients_with_ops=False, name=None, grad_loss=None, decay_var_list=None):
        self._decay_var_list = set(decay_var_list) if decay_var_list else None
        return super().minimize(loss, global_step=global_step, var_list=var_list, gate_gradients=gate_gradients,
                                aggregation_method=aggregation_method, colocate_gradients_with_ops=colocate_gradients_with_ops,
                                name=name, grad_loss=grad_loss)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None, decay_var_list=None):
        self._decay_var_list = set(decay_var_list) if decay_var_list else self._decay_var_list
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _prepare(self):
        decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        self._weight_decay_tensor = tf.convert_to_tensor(decay, name='weight_decay')
        super()._prepare()

    def _decayed(self, var):
        if self._decay_var_list is not None and var not in self._decay_var_list:
            return tf.no_op()
        return var.assign_sub(tf.cast(self._weight_decay_tensor, var.dtype.base_dtype) * var, use_locking=self._use_locking)

    def _decayed_rows(self, var, indices):
        if self._decay_var_list is not None and var not in self._decay_var_list:
            return tf.no_op()
        return tf.scatter_sub(var, indices, tf.cast(self._weight_decay_tensor, var.dtype.base_dtype) * tf.gather(var, indices))

    def _apply_dense(self, grad, var):
        with tf.control_dependencies([self._decayed(var)]):
            return super()._apply_dense(grad, var)

    def _resource_apply_dense(self, grad, handle):
        with tf.control_dependencies([self._decayed(handle)]):
            return super()._resource_apply_dense(grad, handle)

    def _apply_sparse(self, grad, var):
        with tf.control_dependencies([self._decayed_rows(var, grad.indices)]):
            return super()._apply_sparse(grad, var)

    def _resource_apply_sparse(self, grad, handle, indices):
        with tf.control_dependencies([self._decayed_rows(handle, indices)]):
            return super()._resource_apply_sparse(grad, handle, indices)


def extend_with_decoupled_weight_decay(base_optimizer):
    """A class: base_optimizer with weight decay, whose first argument is the rate of decay."""
    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        def __init__(self, weight_decay, *args, **kwargs):
            self._decay_var_list, self._weight_decay = None, weight_decay
            base_optimizer.__init__(self, *args, **kwargs)
    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    def __init__(self, weight_decay, learning_rate, momentum, use_locking=False, name='MomentumW', use_nesterov=False):
        super().__init__(weight_decay, learning_rate=learning_rate, momentum=momentum, use_locking=use_locking, name=name,
                         use_nesterov=use_nesterov)


class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    def __init__(self, weight_decay, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08, use_locking=False, name='AdamW'):
        super().__init__(weight_decay, learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon,
                         use_locking=use_locking, name=name)


class LARSOptimizer(Optimizer):
    """Momentum whose rate is scaled, layer by layer, by the norms of weights and gradient."""

    def __init__(self, learning_rate, momentum=0.9, weight_decay=0.0001, eeta=0.001, epsilon=0.0, name='LARSOptimizer', skip_list=None,
                 use_nesterov=False):
        if momentum < 0.0:
            raise ValueError('momentum should be positive: %s' % momentum)
        if weight_decay < 0.0:
            raise ValueError('weight_decay should be positive: %s' % weight_decay)
        super().__init__(use_locking=False, name=name)
        self._learning_rate, self._momentum, self._weight_decay = learning_rate, momentum, weight_decay
        self._eeta, self._epsilon, self._skip_list, self._use_nesterov = eeta, epsilon, skip_list, use_nesterov

    def _create_slots(self, var_list):
        for var in var_list:
            self._zeros_slot(var, 'momentum', self._name)

    def compute_lr(self, grad, var):
        rate = self._learning_rate
        if self._skip_list is None or not any(word in var.name for word in self._skip_list):
            weights, steps = tf.norm(var, ord=2), tf.norm(grad, ord=2)
            ratio = self._eeta * weights / (steps + self._weight_decay * weights + self._epsilon)
            trust = tf.where(tf.greater(weights, 0), tf.where(tf.greater(steps, 0), ratio, 1.0), 1.0)
            rate, grad = rate * trust, grad + self._weight_decay * var
        return rate, grad

    def _apply_dense(self, grad, var):
        rate, grad = self.compute_lr(grad, var)
        momentum = self.get_slot(var, 'momentum')
        cast = lambda value: tf.cast(value, var.dtype.base_dtype)
        from .. import _ops
        return _ops.apply_momentum(var._ref(), momentum._ref(), cast(1.0), grad * cast(rate), cast(self._momentum), use_locking=False,
                                   use_nesterov=self._use_nesterov).op

    def _resource_apply_dense(self, grad, handle):
        rate, grad = self.compute_lr(grad, handle)
        momentum = self.get_slot(handle, 'momentum')
        cast = lambda value: tf.cast(value, handle.dtype.base_dtype)
        from .. import _ops
        return _ops.resource_apply_momentum(handle.handle, momentum.handle, cast(1.0), grad * cast(rate), cast(self._momentum),
                                            use_locking=False, use_nesterov=self._use_nesterov)

    def _apply_sparse(self, grad, var):
        from .. import _ops
        cast = lambda value: tf.cast(value, var.dtype.base_dtype)
        return _ops.sparse_apply_momentum(var._ref(), self.get_slot(var, 'momentum')._ref(), cast(self._learning_rate), grad.values,
                                          grad.indices, cast(self._momentum), use_nesterov=self._use_nesterov).op

    def _resource_apply_sparse(self, grad, handle, indices):
        from .. import _ops
        cast = lambda value: tf.cast(value, handle.dtype.base_dtype)
        return _ops.resource_sparse_apply_momentum(handle.handle, self.get_slot(handle, 'momentum').handle, cast(self._learning_rate),
                                                   grad, indices, cast(self._momentum), use_nesterov=self._use_nesterov)


class RegAdagradOptimizer(AdagradOptimizer):
    """Adagrad that can leave its accumulators alone for a while (should_use_regularization)."""

    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name='RegAdagrad'):
        super().__init__(learning_rate, initial_accumulator_value, use_locking, name)


# ---- around another optimizer ----

class _Around(Optimizer):
    def __init__(self, opt, use_locking, name):
        super().__init__(use_locking, name)
        self._opt = opt

    def compute_gradients(self, *args, **kwargs):
        return self._opt.compute_gradients(*args, **kwargs)

    def get_slot(self, *args, **kwargs):
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        return self._opt.get_slot_names(*args, **kwargs)


class VariableClippingOptimizer(_Around):
    """Keeps the norms of variables, along the named dimensions, below a bound after each step."""

    def __init__(self, opt, vars_to_clip_dims, max_norm, use_locking=False, colocate_clip_ops_with_vars=False, name='VariableClipping'):
        super().__init__(opt, use_locking, name)
        self._dims, self._max_norm = dict(vars_to_clip_dims), max_norm

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = list(grads_and_vars)
        with tf.name_scope(self._name):
            step = self._opt.apply_gradients(grads_and_vars, global_step=global_step)
            clips = []
            with tf.control_dependencies([step]):
                for grad, var in grads_and_vars:
                    if grad is not None and var in self._dims:
                        clips.append(self._clip_sparse(grad, var) if isinstance(grad, tf.IndexedSlices) else self._clip_dense(var))
            with tf.control_dependencies(clips):
                return tf.no_op(name=name)

    def _clip_dense(self, var):
        value = var.read_value() if hasattr(var, 'read_value') else tf.identity(var)
        return var.assign(tf.clip_by_norm(value, self._max_norm, axes=self._dims[var]), use_locking=self._use_locking)

    def _clip_sparse(self, grad, var):
        dims = self._dims[var]
        if 0 in dims:
            return self._clip_dense(var)
        rows = tf.gather(var, grad.indices)
        return tf.scatter_update(var, grad.indices, tf.clip_by_norm(rows, self._max_norm, axes=dims))


class DropStaleGradientOptimizer(_Around):
    """Leaves out gradients that were computed more than `staleness` steps ago."""

    def __init__(self, opt, staleness, use_locking=False, name='DropStaleGradient'):
        super().__init__(opt, use_locking, name)
        self._staleness = staleness

    def compute_gradients(self, loss, *args, **kwargs):
        step = tf.train.get_or_create_global_step()
        with tf.colocate_with(step):
            self._local_step = step.read_value() + 0 if hasattr(step, 'read_value') else step + 0
        with tf.control_dependencies([self._local_step]):
            loss = tf.identity(loss)
        return self._opt.compute_gradients(loss, *args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = list(grads_and_vars)
        with tf.control_dependencies([grad for grad, _ in grads_and_vars if grad is not None]):
            age = tf.train.get_or_create_global_step() - self._local_step
        stale = tf.Variable(0, name='stale_gradients', trainable=False, dtype=tf.int64, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        return tf.cond(tf.greater(age, self._staleness), lambda: tf.group(stale.assign_add(1)),
                       lambda: self._opt.apply_gradients(grads_and_vars, global_step=global_step, name=name))


class MultitaskOptimizerWrapper:
    """Slots of variables whose gradient is all zeros stay as they are: what another task's loss does not touch."""

    def __init__(self, opt):
        if not isinstance(opt, Optimizer):
            raise TypeError('Supplied optimizer must be an instance of tf.train.Optimizer')
        self._opt = opt
        for name in ('_apply_dense', '_apply_sparse', '_resource_apply_dense', '_resource_apply_sparse'):
            setattr(opt, name, self._guarded(getattr(opt, name)))

    @staticmethod
    def _guarded(act):
        def apply(grad, *args, **kwargs):
            values = grad.values if isinstance(grad, tf.IndexedSlices) else grad
            return tf.cond(tf.reduce_all(tf.equal(values, 0.)), lambda: tf.no_op(), lambda: tf.group(act(grad, *args, **kwargs)))
        return apply

    def __getattr__(self, name):
        return getattr(self._opt, name)


def clip_gradients_by_global_norm(gradients_variables, clip_norm=20.0):
    """Gradients of all variables clipped together; those that are all zeros count as missing."""
    gradients, variables = zip(*gradients_variables)

    def replaced(grad):
        if grad is None:
            return grad
        values = grad.values if isinstance(grad, tf.IndexedSlices) else grad
        nothing = tf.reduce_all(tf.equal(values, 0.))
        if isinstance(grad, tf.IndexedSlices):
            return tf.IndexedSlices(tf.cond(nothing, lambda: tf.zeros_like(values), lambda: values), grad.indices, grad.dense_shape)
        return tf.cond(nothing, lambda: tf.zeros_like(grad), lambda: grad)
    norm = tf.global_norm([replaced(grad) for grad in gradients if grad is not None])
    return list(zip(tf.clip_by_global_norm(list(gradients), clip_norm, use_norm=norm)[0], variables))


# ---- decays of AddSign and PowerSign ----

def get_linear_decay_fn(decay_steps):
    return lambda step: tf.maximum(1.0 - tf.to_float(step) / tf.to_float(decay_steps), 0.0)


def get_cosine_decay_fn(decay_steps, num_periods=0.5, zero_after=None):
    def decay(step):
        share = tf.to_float(step) / tf.to_float(decay_steps)
        made = 0.5 * (1.0 + tf.cos(2.0 * math.pi * num_periods * share))
        if zero_after is not None:
            made = tf.where(tf.greater_equal(2.0 * num_periods * share, zero_after), 0.0, made)
        return made
    return decay


def get_restart_decay_fn(decay_steps, num_periods=1, zero_after=None):
    def decay(step):
        share = tf.to_float(step * num_periods) / tf.to_float(decay_steps)
        share = share - tf.floor(share)
        made = 0.5 * (1.0 + tf.cos(math.pi * share))
        if zero_after is not None:
            made = tf.where(tf.greater_equal(share, zero_after), 0.0, made)
        return made
    return decay
