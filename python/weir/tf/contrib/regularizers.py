"""Regularizers and initializers of tf.contrib.layers."""
import math
import numbers

from .. import dtypes, init_ops, math_ops, nn_ops, random_ops  # noqa: F401
from ..convert import constant, convert_to_tensor
from ..scopes import GraphKeys, add_to_collection, get_collection, name_scope


def _check_scale(scale):
    if isinstance(scale, numbers.Integral):
        raise ValueError('scale cannot be an integer: %s' % scale)
    if isinstance(scale, numbers.Real):
        if scale < 0.:
            raise ValueError('Setting a scale less than 0 on a regularizer: %g' % scale)
        return scale == 0.
    return False


def _nothing(_):
    return None


def l1_regularizer(scale, scope=None):
    if _check_scale(scale):
        return _nothing

    def l1(weights, name=None):
        with name_scope(scope, 'l1_regularizer', [weights]) as name:
            factor = convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name='scale')
            return math_ops.multiply(factor, math_ops.reduce_sum(math_ops.abs(weights)), name=name)
    return l1


def l2_regularizer(scale, scope=None):
    if _check_scale(scale):
        return _nothing

    def l2(weights):
        with name_scope(scope, 'l2_regularizer', [weights]) as name:
            factor = convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name='scale')
            return math_ops.multiply(factor, nn_ops.l2_loss(weights), name=name)
    return l2


def l1_l2_regularizer(scale_l1=1.0, scale_l2=1.0, scope=None):
    for scale in (scale_l1, scale_l2):
        if isinstance(scale, int):
            raise ValueError('scale cannot be an integer: %s' % scale)
    scope = scope or 'l1_l2_regularizer'
    if scale_l1 is None or scale_l1 == 0.:
        return l2_regularizer(scale_l2, scope) if scale_l2 is not None else _nothing
    if scale_l2 is None or scale_l2 == 0.:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


def sum_regularizer(regularizer_list, scope=None):
    regularizer_list = [item for item in regularizer_list if item is not None]
    if not regularizer_list:
        return None

    def sum_reg(weights):
        with name_scope(scope, 'sum_regularizer', [weights]) as name:
            found = [item for item in (act(weights) for act in regularizer_list) if item is not None]
            if not found:
                return None
            return math_ops.add_n(found, name=name) if len(found) > 1 else found[0]
    return sum_reg


def apply_regularization(regularizer, weights_list=None):
    if not weights_list:
        weights_list = get_collection(GraphKeys.WEIGHTS)
    if not weights_list:
        raise ValueError('No weights to regularize.')
    with name_scope('get_regularization_penalty', values=weights_list) as scope:
        found = [regularizer(item) for item in weights_list]
        found = [item if item is not None else constant(0.0) for item in found]
        for item in found:
            if item.get_shape().ndims != 0:
                raise ValueError('regularizer must return a scalar Tensor instead of a Tensor with rank %d.' % item.get_shape().ndims)
        total = math_ops.add_n(found, name=scope)
        add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
        return total


def xavier_initializer(uniform=True, seed=None, dtype=dtypes.float32):
    return variance_scaling_initializer(factor=1.0, mode='FAN_AVG', uniform=uniform, seed=seed, dtype=dtype)


xavier_initializer_conv2d = xavier_initializer


def _fans(shape):
    fan_in = float(shape[-2]) if len(shape) > 1 else float(shape[-1])
    fan_out = float(shape[-1])
    for dim in shape[:-2]:
        fan_in *= float(dim)
        fan_out *= float(dim)
    return fan_in, fan_out


def variance_scaling_initializer(factor=2.0, mode='FAN_IN', uniform=False, seed=None, dtype=dtypes.float32):
    if not dtypes.as_dtype(dtype).is_floating:
        raise TypeError('Cannot create initializer for non-floating point type.')
    if mode not in ('FAN_IN', 'FAN_OUT', 'FAN_AVG'):
        raise TypeError('Unknown mode %s [FAN_IN, FAN_OUT, FAN_AVG]' % mode)

    def _initializer(shape, dtype=dtype, partition_info=None):
        if not dtypes.as_dtype(dtype).is_floating:
            raise TypeError('Cannot create initializer for non-floating point type.')
        whole = partition_info.full_shape if partition_info is not None else shape
        whole = whole.as_list() if hasattr(whole, 'as_list') else list(whole)
        fan_in, fan_out = _fans([int(dim) for dim in whole]) if whole else (1.0, 1.0)
        size = {'FAN_IN': fan_in, 'FAN_OUT': fan_out, 'FAN_AVG': (fan_in + fan_out) / 2.0}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / size)
            return random_ops.random_uniform(shape, -limit, limit, dtype, seed=seed)
        return random_ops.truncated_normal(shape, 0.0, math.sqrt(1.3 * factor / size), dtype, seed=seed)
    return _initializer
