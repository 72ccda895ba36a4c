"""Learning rates that fall with the steps."""
import math

from .. import _ops, array_ops, dtypes, math_ops
from ..control_flow_ops import case, cond
from ..convert import convert_to_tensor
from ..scopes import name_scope


def _need(global_step, what):
    if global_step is None:
        raise ValueError('global_step is required for %s.' % what)


def _exponential(learning_rate, global_step, decay_steps, decay_rate, staircase, name):
    with name_scope(name, 'ExponentialDecay', [learning_rate, global_step, decay_steps, decay_rate]) as scope:
        rate = convert_to_tensor(learning_rate, name='initial_learning_rate')
        decay_steps = math_ops.cast(decay_steps, rate.dtype)
        decay_rate = math_ops.cast(decay_rate, rate.dtype)
        passed = math_ops.cast(global_step, rate.dtype) / decay_steps
        if staircase:
            passed = math_ops.floor(passed)
        return math_ops.multiply(rate, math_ops.pow(decay_rate, passed), name=scope)


def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    _need(global_step, 'exponential_decay')
    return _exponential(learning_rate, global_step, decay_steps, decay_rate, staircase, name)


def natural_exp_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    _need(global_step, 'natural_exp_decay')
    factor = math_ops.exp(math_ops.negative(decay_rate))
    return _exponential(learning_rate, global_step, decay_steps, factor, staircase, name)


def inverse_time_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None):
    _need(global_step, 'inverse_time_decay')
    with name_scope(name, 'InverseTimeDecay', [learning_rate, global_step, decay_rate]) as scope:
        rate = convert_to_tensor(learning_rate, name='initial_learning_rate')
        decay_steps = math_ops.cast(decay_steps, rate.dtype)
        decay_rate = math_ops.cast(decay_rate, rate.dtype)
        passed = math_ops.cast(global_step, rate.dtype) / decay_steps
        if staircase:
            passed = math_ops.floor(passed)
        one = math_ops.cast(convert_to_tensor(1), rate.dtype)
        return _ops.real_div(rate, math_ops.add(one, math_ops.multiply(decay_rate, passed)), name=scope)


def polynomial_decay(learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False, name=None):
    _need(global_step, 'polynomial_decay')
    with name_scope(name, 'PolynomialDecay', [learning_rate, global_step, decay_steps, end_learning_rate, power]) as scope:
        rate = convert_to_tensor(learning_rate, name='initial_learning_rate')
        end = math_ops.cast(end_learning_rate, rate.dtype)
        power = math_ops.cast(power, rate.dtype)
        step = math_ops.cast(global_step, rate.dtype)
        steps = math_ops.cast(decay_steps, rate.dtype)
        if cycle:
            one = convert_to_tensor(1, rate.dtype)
            steps = math_ops.multiply(steps, array_ops.where(math_ops.equal(step, 0), one, math_ops.ceil(step / steps)))
        else:
            step = math_ops.minimum(step, steps)
        left = math_ops.pow(1 - step / steps, power)
        return math_ops.add(math_ops.multiply(rate - end, left), end, name=scope)


def piecewise_constant(x, boundaries, values, name=None):
    if len(boundaries) != len(values) - 1:
        raise ValueError('The length of boundaries should be 1 less than the length of values')
    with name_scope(name, 'PiecewiseConstant', [x, boundaries, values]):
        x = convert_to_tensor(x)
        limits = [_limit(limit, x.dtype.base_dtype) for limit in boundaries]
        values = [convert_to_tensor(value) for value in values]
        for value in values[1:]:
            if value.dtype.base_dtype != values[0].dtype.base_dtype:
                raise ValueError('Values must have elements all with the same dtype (%s vs %s).'
                                 % (values[0].dtype.base_dtype, value.dtype.base_dtype))
        pairs = [(x <= limits[0], lambda: values[0])] if limits else []
        if limits:
            pairs.append((x > limits[-1], lambda: values[-1]))
        for low, high, value in zip(limits[:-1], limits[1:], values[1:-1]):
            pairs.append((math_ops.logical_and(x > low, x <= high, name='and'), lambda value=value: value))
        if not pairs:
            return values[0]
        return case(pairs, default=lambda: values[0], exclusive=True)


def _limit(limit, dtype):
    limit = convert_to_tensor(limit)
    if limit.dtype.base_dtype == dtype:
        return limit
    if limit.dtype.base_dtype == dtypes.int32 and dtype == dtypes.int64:
        return math_ops.cast(limit, dtypes.int64)
    raise ValueError('Boundaries (%s) must have the same dtype as x (%s).' % (limit.dtype.base_dtype, dtype))


piecewise_constant_decay = piecewise_constant


def _cosine(fraction):
    return 0.5 * (1.0 + math_ops.cos(convert_to_tensor(math.pi, fraction.dtype.base_dtype) * fraction))


def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None):
    _need(global_step, 'cosine decay')
    with name_scope(name, 'CosineDecay', [learning_rate, global_step]):
        rate = convert_to_tensor(learning_rate, name='initial_learning_rate')
        steps = math_ops.cast(decay_steps, rate.dtype)
        step = math_ops.minimum(math_ops.cast(global_step, rate.dtype), steps)
        return math_ops.multiply(rate, (1 - alpha) * _cosine(step / steps) + alpha)


def cosine_decay_restarts(learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None):
    _need(global_step, 'cosine decay restarts')
    with name_scope(name, 'SGDRDecay', [learning_rate, global_step]) as scope:
        rate = convert_to_tensor(learning_rate, name='initial_learning_rate')
        first, alpha, t_mul, m_mul = (math_ops.cast(value, rate.dtype) for value in (first_decay_steps, alpha, t_mul, m_mul))
        fraction = math_ops.cast(global_step, rate.dtype) / first

        def even():
            count = math_ops.floor(fraction)
            return count, fraction - count

        def growing():
            count = math_ops.floor(math_ops.log(1.0 - fraction * (1.0 - t_mul)) / math_ops.log(t_mul))
            begin = (1.0 - t_mul ** count) / (1.0 - t_mul)
            return count, (fraction - begin) / t_mul ** count
        count, within = cond(math_ops.equal(t_mul, 1.0), even, growing)
        return math_ops.multiply(rate, (1 - alpha) * (m_mul ** count * _cosine(within)) + alpha, name=scope)


def linear_cosine_decay(learning_rate, global_step, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None):
    return _linear_cosine(learning_rate, global_step, decay_steps, num_periods, alpha, beta, name, 'LinearCosineDecay', None)


def noisy_linear_cosine_decay(learning_rate, global_step, decay_steps, initial_variance=1.0, variance_decay=0.55, num_periods=0.5,
                              alpha=0.0, beta=0.001, name=None):
    return _linear_cosine(learning_rate, global_step, decay_steps, num_periods, alpha, beta, name, 'NoisyLinearCosineDecay',
                          (initial_variance, variance_decay))


def _linear_cosine(learning_rate, global_step, decay_steps, periods, alpha, beta, name, label, noise):
    """A cosine of `periods` under a line to 0; noise is (variance at first, the power of steps it falls with)."""
    _need(global_step, label)
    with name_scope(name, label, [learning_rate, global_step]) as scope:
        rate = convert_to_tensor(learning_rate, name='initial_learning_rate')
        kind = rate.dtype
        steps = math_ops.cast(decay_steps, kind)
        step = math_ops.minimum(math_ops.cast(global_step, kind), steps)
        left = (steps - step) / steps
        if noise is not None:
            from .. import array_ops, random_ops
            variance = math_ops.cast(noise[0], kind) / math_ops.pow(1.0 + step, math_ops.cast(noise[1], kind))
            left = left + random_ops.random_normal(array_ops.shape(left), stddev=math_ops.sqrt(variance), dtype=kind)
        wave = 0.5 * (1.0 + math_ops.cos(math.pi * (2.0 * math_ops.cast(periods, kind)) * (step / steps)))
        return math_ops.multiply(rate, (math_ops.cast(alpha, kind) + left) * wave + math_ops.cast(beta, kind), name=scope)
