"""tf.contrib.opt: optimizers beyond tf.train's."""
import numpy as np

from ..public import tf
from ..training.basic import AdamOptimizer
from ..training.optimizer import Optimizer


class LazyAdamOptimizer(AdamOptimizer):
    """Adam that touches only the rows of a sparse gradient."""

    def _apply_sparse(self, grad, var):
        beta1_power, beta2_power = self._get_beta_accumulators()
        cast = lambda value: tf.cast(value, var.dtype.base_dtype)
        beta1, beta2, epsilon = (cast(tf.convert_to_tensor(item)) for item in (self._beta1, self._beta2, self._epsilon))
        rate = cast(tf.convert_to_tensor(self._lr)) * tf.sqrt(1 - cast(beta2_power)) / (1 - cast(beta1_power))
        m, v = self.get_slot(var, 'm'), self.get_slot(var, 'v')
        rows, values = grad.indices, grad.values
        new_m = beta1 * tf.gather(m, rows) + (1 - beta1) * values
        new_v = beta2 * tf.gather(v, rows) + (1 - beta2) * tf.square(values)
        m_update = tf.scatter_update(m, rows, new_m, use_locking=self._use_locking)
        v_update = tf.scatter_update(v, rows, new_v, use_locking=self._use_locking)
        var_update = tf.scatter_sub(var, rows, rate * new_m / (tf.sqrt(new_v) + epsilon), use_locking=self._use_locking)
        return tf.group(var_update, m_update, v_update)



class MovingAverageOptimizer(Optimizer):
    """Another optimizer whose variables are averaged after each step."""

    def __init__(self, opt, average_decay=0.9999, num_updates=None, sequential_update=True):
        self._optimizer, self._sequential_update = opt, sequential_update
        self._ema = tf.train.ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped_variable_name_map = None

    def compute_gradients(self, *args, **kwargs):
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = list(grads_and_vars)
        train = self._optimizer.apply_gradients(grads_and_vars, global_step=global_step, name=name)
        variables = [var for grad, var in grads_and_vars if grad is not None]
        with tf.control_dependencies([train] if self._sequential_update else []):
            average = self._ema.apply(variables)
        self._swapped_variable_name_map = {}
        for var in variables:
            shadow = self._ema.average(var)
            self._swapped_variable_name_map[var.op.name] = shadow.op.name
            self._swapped_variable_name_map[shadow.op.name] = var.op.name
        return tf.group(train, average, name='train_with_avg')

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=1, aggregation_method=None,
                 colocate_gradients_with_ops=False, name=None, grad_loss=None):
        return self.apply_gradients(self.compute_gradients(loss, var_list=var_list), global_step=global_step, name=name)

    def swapping_saver(self, var_list=None, name='swapping_saver', **kwargs):
        """A saver that stores averages under the names of the variables."""
        if self._swapped_variable_name_map is None:
            raise RuntimeError('Must call apply_gradients or minimize before creating the swapping_saver')
        found = {var.op.name: var for var in (tf.global_variables() if var_list is None else var_list)}
        swapped = {self._swapped_variable_name_map.get(name, name): var for name, var in found.items()}
        return tf.train.Saver(swapped, name=name, **kwargs)

    def get_slot_names(self):
        return self._optimizer.get_slot_names()

    def variables(self):
        return self._optimizer.variables()


class ExternalOptimizerInterface:
    """A minimizer outside of the graph: the loss and its gradient are run for it."""

    def __init__(self, loss, var_list=None, equalities=None, inequalities=None, var_to_bounds=None, **optimizer_kwargs):
        self._loss, self._equalities, self._inequalities = loss, equalities or [], inequalities or []
        self._vars = tf.trainable_variables() if var_list is None else list(var_list)
        bounds = None
        if var_to_bounds is not None:
            left, right = [], []
            for var in self._vars:
                low, high = var_to_bounds.get(var, (-np.inf, np.inf))
                shape = var.get_shape().as_list()
                left.append(np.broadcast_to(low, shape).ravel())
                right.append(np.broadcast_to(high, shape).ravel())
            bounds = list(zip(np.concatenate(left), np.concatenate(right)))
        self._packed_bounds = bounds
        self._update_placeholders = [tf.placeholder(var.dtype.base_dtype) for var in self._vars]
        self._var_updates = [var.assign(tf.reshape(given, var.get_shape().as_list()))
                             for var, given in zip(self._vars, self._update_placeholders)]
        self._packed_var = self._pack(self._vars)
        self._packed_loss_grad = self._pack(self._gradients(loss))
        self._packed_equality_grads = [self._pack(self._gradients(item)) for item in self._equalities]
        self._packed_inequality_grads = [self._pack(self._gradients(item)) for item in self._inequalities]
        sizes = [int(np.prod(var.get_shape().as_list())) for var in self._vars]
        ends = np.cumsum(sizes)
        self._packing_slices = [slice(int(end) - size, int(end)) for size, end in zip(sizes, ends)]
        self.optimizer_kwargs = optimizer_kwargs

    def _gradients(self, loss):
        return [tf.zeros_like(var) if grad is None else tf.convert_to_tensor(grad)
                for var, grad in zip(self._vars, tf.gradients(loss, self._vars))]

    @staticmethod
    def _pack(tensors):
        flat = [tf.reshape(item, shape=[-1]) for item in tensors]
        return flat[0] if len(flat) == 1 else tf.concat(flat, 0)

    def minimize(self, session=None, feed_dict=None, fetches=None, step_callback=None, loss_callback=None, **run_kwargs):
        session = session or tf.get_default_session()
        feed_dict, fetches = feed_dict or {}, fetches or []
        loss_callback = loss_callback or (lambda *values: None)
        step_callback = step_callback or (lambda values: None)

        def evaluate(tensors, callback=None, extra=()):
            def call(x):
                given = dict(feed_dict)
                given.update({var: x[at].reshape(var.get_shape().as_list()) for var, at in zip(self._vars, self._packing_slices)})
                found = session.run(list(tensors) + list(extra), feed_dict=given)
                if callback is not None:
                    callback(*found[len(tensors):])
                kept = [np.float64(item) if np.ndim(item) == 0 else np.asarray(item, dtype=np.float64)
                        for item in found[:len(tensors)]]
                return kept
            return call
        loss_grad = evaluate([self._loss, self._packed_loss_grad], loss_callback, fetches)
        packed = session.run(self._packed_var, feed_dict=feed_dict)
        found = self._minimize(
            initial_val=packed, loss_grad_func=loss_grad, equality_funcs=[evaluate([item]) for item in self._equalities],
            equality_grad_funcs=[evaluate([item]) for item in self._packed_equality_grads],
            inequality_funcs=[evaluate([item]) for item in self._inequalities],
            inequality_grad_funcs=[evaluate([item]) for item in self._packed_inequality_grads],
            packed_bounds=self._packed_bounds, step_callback=step_callback, optimizer_kwargs=self.optimizer_kwargs)
        values = [found[at] for at in self._packing_slices]
        session.run(self._var_updates, feed_dict=dict(zip(self._update_placeholders, values)), **run_kwargs)

    def _minimize(self, **kwargs):
        raise NotImplementedError('To use ExternalOptimizerInterface, subclass from it and implement the _minimize() method.')


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """scipy.optimize.minimize on a loss of the graph."""
    _DEFAULT_METHOD = 'L-BFGS-B'

    def _minimize(self, initial_val, loss_grad_func, equality_funcs, equality_grad_funcs, inequality_funcs, inequality_grad_funcs,
                  packed_bounds, step_callback, optimizer_kwargs):
        import scipy.optimize
        given = dict(optimizer_kwargs)
        method = given.pop('method', self._DEFAULT_METHOD)
        constraints = []
        for kind, functions, grads in (('eq', equality_funcs, equality_grad_funcs),
                                       ('ineq', inequality_funcs, inequality_grad_funcs)):
            for function, grad in zip(functions, grads):
                constraints.append({'type': kind, 'fun': lambda x, f=function: f(x)[0], 'jac': lambda x, g=grad: g(x)[0]})

        def loss(x):
            value, grad = loss_grad_func(x)
            return value, grad
        arguments = {'jac': True, 'callback': step_callback, 'method': method, 'bounds': packed_bounds}
        if constraints:
            arguments['constraints'] = constraints
        for key in arguments:
            if key in given:
                if key == 'bounds':
                    raise ValueError("Bounds must be set using the var_to_bounds argument")
                raise ValueError('Optimizer keyword arg \'%s\' is set automatically and cannot be injected manually' % key)
        arguments.update(given)
        result = scipy.optimize.minimize(loss, initial_val, **arguments)
        message = getattr(result, 'message', '')
        tf.logging.info('Optimization terminated with:\n  Message: %s\n  Objective function value: %f\n  Number of iterations: %d\n'
                        '  Number of functions evaluations: %d',
                        message.decode() if isinstance(message, bytes) else message, result.fun, getattr(result, 'nit', 0), result.nfev)
        return result.x


class NadamOptimizer(AdamOptimizer):
    """Adam with Nesterov's momentum."""

    def _apply_dense(self, grad, var):
        from .. import _ops
        m, v = self.get_slot(var, 'm'), self.get_slot(var, 'v')
        beta1_power, beta2_power = self._get_beta_accumulators()
        cast = lambda value: tf.cast(value, var.dtype.base_dtype)
        return _ops.apply_adam(var, m, v, cast(beta1_power), cast(beta2_power), cast(self._lr), cast(self._beta1), cast(self._beta2),
                               cast(self._epsilon), grad, use_locking=self._use_locking, use_nesterov=True).op

    def _resource_apply_dense(self, grad, handle):
        from .. import _ops
        m, v = self.get_slot(handle, 'm'), self.get_slot(handle, 'v')
        beta1_power, beta2_power = self._get_beta_accumulators()
        cast = lambda value: tf.cast(tf.convert_to_tensor(value), handle.dtype.base_dtype)
        return _ops.resource_apply_adam(handle.handle, m.handle, v.handle, cast(beta1_power), cast(beta2_power), cast(self._lr),
                                        cast(self._beta1), cast(self._beta2), cast(self._epsilon), grad,
                                        use_locking=self._use_locking, use_nesterov=True)

    def _apply_sparse(self, grad, var):
        return self._resource_apply_sparse(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad, handle, indices):
        cast = lambda value: tf.cast(tf.convert_to_tensor(value), handle.dtype.base_dtype)
        beta1_power, beta2_power = (cast(item) for item in self._get_beta_accumulators())
        beta1, beta2, epsilon = cast(self._beta1), cast(self._beta2), cast(self._epsilon)
        rate = cast(self._lr) * tf.sqrt(1 - beta2_power) / (1 - beta1_power)
        m, v = self.get_slot(handle, 'm'), self.get_slot(handle, 'v')
        share = (1 - beta1) * grad
        m_new = m.assign(m * beta1)
        with tf.control_dependencies([m_new]):
            m_new = tf.scatter_add(m, indices, share)
        v_new = v.assign(v * beta2)
        with tf.control_dependencies([v_new]):
            v_new = tf.scatter_add(v, indices, tf.square(grad) * (1 - beta2))
        with tf.control_dependencies([m_new, v_new]):
            ahead = beta1 * tf.gather(m, indices) + share
            return tf.group(tf.scatter_sub(handle, indices, rate * ahead / (tf.sqrt(tf.gather(v, indices)) + epsilon)))


class PowerSignOptimizer(Optimizer):
    """Steps that grow while the gradient agrees with its average."""

    def __init__(self, learning_rate=0.1, base=np.e, beta=0.9, sign_decay_fn=None, use_locking=False, name='PowerSignOptimizer'):
        super().__init__(use_locking, name)
        self._lr, self._beta, self._logbase, self._decay = learning_rate, beta, float(np.log(base)), sign_decay_fn

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        self._step = global_step
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _create_slots(self, var_list):
        for var in var_list:
            self._zeros_slot(var, 'm', self._name)

    def _apply_dense(self, grad, var):
        m = self.get_slot(var, 'm')
        m_new = m.assign(self._beta * m + (1 - self._beta) * grad)
        decay = 1.0 if self._decay is None else self._decay(self._step)
        scale = tf.exp(self._logbase * decay * tf.sign(grad) * tf.sign(m_new))
        return tf.group(var.assign_sub(self._lr * scale * grad), m_new)

    _resource_apply_dense = _apply_dense

    def _apply_sparse(self, grad, var):
        return self._resource_apply_sparse(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad, handle, indices):
        m = self.get_slot(handle, 'm')
        m_new = self._beta * tf.gather(m, indices) + (1 - self._beta) * grad
        decay = 1.0 if self._decay is None else self._decay(self._step)
        scale = tf.exp(self._logbase * decay * tf.sign(grad) * tf.sign(m_new))
        with tf.control_dependencies([m_new]):
            kept = tf.scatter_update(m, indices, m_new)
        return tf.group(tf.scatter_sub(handle, indices, self._lr * scale * grad), kept)
