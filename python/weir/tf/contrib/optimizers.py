"""optimize_loss of tf.contrib.layers."""
from .. import array_ops, control_flow_ops, dtypes, init_ops, math_ops, random_ops, summary
from ..clip_ops import clip_by_global_norm, global_norm
from ..convert import convert_to_tensor
from ..scopes import GraphKeys, control_dependencies, get_collection, name_scope
from ..tensor import IndexedSlices
from ..training import optimizer as optimizer_base
from ..training.adaptive import AdagradOptimizer, FtrlOptimizer, RMSPropOptimizer
from ..training.basic import AdamOptimizer, GradientDescentOptimizer, MomentumOptimizer
from ..training.moving_averages import assign_moving_average
from ..training.training_util import assert_global_step, get_global_step
from ..variable_scope import get_variable, get_variable_scope, variable_scope
from ..variables import trainable_variables

OPTIMIZER_CLS_NAMES = {
    'Adagrad': AdagradOptimizer, 'Adam': AdamOptimizer, 'Ftrl': FtrlOptimizer,
    'Momentum': lambda learning_rate: MomentumOptimizer(learning_rate, momentum=0.9),
    'RMSProp': RMSPropOptimizer, 'SGD': GradientDescentOptimizer}
OPTIMIZER_SUMMARIES = ['learning_rate', 'loss', 'gradients', 'gradient_norm', 'global_gradient_norm']


def _optimizer(optimizer, rate):
    if isinstance(optimizer, str):
        if optimizer not in OPTIMIZER_CLS_NAMES:
            raise ValueError('Optimizer name should be one of [%s], you provided %s.' %
                             (', '.join(OPTIMIZER_CLS_NAMES), optimizer))
        optimizer = OPTIMIZER_CLS_NAMES[optimizer]
        return optimizer(learning_rate=rate)
    if isinstance(optimizer, type) and issubclass(optimizer, optimizer_base.Optimizer):
        if rate is None:
            raise ValueError('Learning rate is None, but should be specified if optimizer is class (%s).' % optimizer)
        return optimizer(learning_rate=rate)
    if isinstance(optimizer, optimizer_base.Optimizer):
        return optimizer
    if callable(optimizer):
        return optimizer(rate) if rate is not None else optimizer()
    raise ValueError('Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass of Optimizer '
                     'or function with one argument. Got %s.' % str(optimizer))


def _rate(learning_rate, decay_fn, step, summaries):
    rate = None
    if learning_rate is not None:
        if isinstance(learning_rate, (int, float)):
            if learning_rate < 0:
                raise ValueError('Invalid learning_rate %s.' % learning_rate)
            rate = get_variable('learning_rate', [], trainable=False, initializer=init_ops.constant_initializer(learning_rate))
        else:
            rate = convert_to_tensor(learning_rate)
            if rate.get_shape().ndims != 0:
                raise ValueError('Invalid learning_rate %s.' % learning_rate)
        if decay_fn is not None:
            if step is None:
                raise ValueError('global_step is required for learning_rate_decay_fn.')
            rate = decay_fn(rate, step)
            if 'learning_rate' in summaries:
                summary.scalar('learning_rate', rate)
    return rate


def optimize_loss(loss, global_step, learning_rate, optimizer, gradient_noise_scale=None, gradient_multipliers=None,
                  clip_gradients=None, learning_rate_decay_fn=None, update_ops=None, variables=None, name=None, summaries=None,
                  colocate_gradients_with_ops=False, increment_global_step=True):
    """A tensor of the loss whose evaluation makes one step of training."""
    loss = convert_to_tensor(loss)
    if global_step is None:
        global_step = get_global_step()
    else:
        assert_global_step(global_step)
    with variable_scope(name, 'OptimizeLoss', [loss, global_step]):
        update_ops = get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else update_ops
        if update_ops:
            with control_dependencies(list(update_ops)):
                loss = array_ops.identity(loss)
        summaries = ['loss', 'learning_rate', 'global_gradient_norm'] if summaries is None else summaries
        for item in summaries:
            if item not in OPTIMIZER_SUMMARIES:
                raise ValueError('Summaries should be one of [%s], you provided %s.' % (', '.join(OPTIMIZER_SUMMARIES), item))
        made = _optimizer(optimizer, _rate(learning_rate, learning_rate_decay_fn, global_step, summaries))
        variables = trainable_variables() if variables is None else variables
        pairs = made.compute_gradients(loss, variables, colocate_gradients_with_ops=colocate_gradients_with_ops)
        pairs = _changed(pairs, gradient_noise_scale, gradient_multipliers, clip_gradients, summaries)
        if 'loss' in summaries:
            summary.scalar('loss', loss)
        _summarize(pairs, summaries)
        updates = made.apply_gradients(pairs, global_step=global_step if increment_global_step else None, name='train')
        with control_dependencies([updates]):
            return array_ops.identity(loss)


def _changed(pairs, noise, multipliers, clip, summaries):
    if noise is not None:
        pairs = _noisy(pairs, noise)
    if multipliers is not None:
        if not isinstance(multipliers, dict):
            raise ValueError('Gradient multipliers must be a dict')
        pairs = [(_scaled(grad, multipliers.get(var, multipliers.get(var.op.name))), var) for grad, var in pairs]
    if 'global_gradient_norm' in summaries or 'gradient_norm' in summaries:
        summary.scalar('global_norm/gradient_norm', global_norm([grad for grad, _ in pairs]))
    if isinstance(clip, float):
        clipped, _ = clip_by_global_norm([grad for grad, _ in pairs], clip)
        return list(zip(clipped, [var for _, var in pairs]))
    if callable(clip):
        return clip(pairs)
    if clip is not None:
        raise ValueError('Unknown type %s for clip_gradients' % type(clip))
    return pairs


def _scaled(grad, factor):
    if grad is None or factor is None:
        return grad
    factor = math_ops.cast(factor, grad.dtype)
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
    return grad * factor


def _noisy(pairs, scale):
    out = []
    for grad, var in pairs:
        if grad is not None:
            shape = grad.dense_shape if isinstance(grad, IndexedSlices) else grad.get_shape()
            grad = grad + random_ops.truncated_normal(shape) * scale
        out.append((grad, var))
    return out


def _summarize(pairs, summaries):
    for grad, var in pairs:
        values = grad.values if isinstance(grad, IndexedSlices) else grad
        if values is None:
            continue
        name = var.name.replace(':', '_')
        if 'gradients' in summaries:
            summary.histogram('gradients/%s' % name, values)
        if 'gradient_norm' in summaries:
            summary.scalar('gradient_norm/%s' % name, global_norm([values]))


def adaptive_clipping_fn(std_factor=2., decay=0.95, static_max_norm=None, global_step=None, report_summary=False,
                         epsilon=1e-8, name=None):
    """A function that clips gradients by what their norms have been."""
    def clip(pairs):
        grads, variables = zip(*pairs)
        norm = global_norm(grads)
        limit, mean = _adaptive_max_norm(norm, std_factor, decay, global_step, epsilon, name)
        factor = control_flow_ops.cond(norm < limit, lambda: array_ops.ones_like(norm), lambda: math_ops.exp(mean) / norm)
        if static_max_norm is not None:
            factor = math_ops.minimum(static_max_norm / norm, factor)
        return [(_scaled(grad, factor), var) for grad, var in zip(grads, variables)]
    return clip


def _adaptive_max_norm(norm, std_factor, decay, global_step, epsilon, name):
    with variable_scope(name, 'AdaptiveMaxNorm', [norm]):
        log_norm = math_ops.log(norm + epsilon)

        def average(word, value):
            made = get_variable(word, shape=value.get_shape(), dtype=value.dtype,
                                initializer=init_ops.zeros_initializer(), trainable=False)
            share = decay
            if global_step is not None:
                n = math_ops.cast(global_step, dtypes.float32)
                share = math_ops.minimum(decay, n / (n + 1.))
            return convert_to_tensor(assign_moving_average(made, value, share, zero_debias=False))
        mean, square = average('mean', log_norm), average('sq_mean', math_ops.square(log_norm))
        std = math_ops.sqrt(math_ops.maximum(epsilon, square - math_ops.square(mean)))
        return math_ops.exp(mean + std_factor * std), mean
