"""Ops: nn, norm. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'BatchNormWithGlobalNormalization': 't:T m:T v:T beta:T gamma:T|result:T|T:t variance_epsilon:f scale_after_normalization:b|0',
    'BatchNormWithGlobalNormalizationGrad': 't:T m:T v:T gamma:T backprop:T|dx:T dm:T dv:T db:T dg:T|T:t variance_epsilon:f scale_after_normalization:b|0',
    'FusedBatchNorm': 'x:T scale:T offset:T mean:T variance:T|y:T batch_mean:T batch_variance:T reserve_space_1:T reserve_space_2:T|T:t epsilon:f exponential_avg_factor:f data_format:s is_training:b|0',
    'FusedBatchNormGrad': 'y_backprop:T x:T scale:T reserve_space_1:T reserve_space_2:T|x_backprop:T scale_backprop:T offset_backprop:T reserve_space_3:T reserve_space_4:T|T:t epsilon:f data_format:s is_training:b|0',
    'FusedBatchNormGradV2': 'y_backprop:T x:T scale:1 reserve_space_1:U reserve_space_2:U|x_backprop:T scale_backprop:U offset_backprop:U reserve_space_3:U reserve_space_4:U|T:t U:t epsilon:f data_format:s is_training:b|0',
    'FusedBatchNormGradV3': 'y_backprop:T x:T scale:1 reserve_space_1:U reserve_space_2:U reserve_space_3:U|x_backprop:T scale_backprop:U offset_backprop:U reserve_space_4:U reserve_space_5:U|T:t U:t epsilon:f data_format:s is_training:b|0',
    'FusedBatchNormV2': 'x:T scale:U offset:U mean:U variance:U|y:T batch_mean:U batch_variance:U reserve_space_1:U reserve_space_2:U|T:t U:t epsilon:f exponential_avg_factor:f data_format:s is_training:b|0',
    'FusedBatchNormV3': 'x:T scale:U offset:U mean:U variance:U|y:T batch_mean:U batch_variance:U reserve_space_1:U reserve_space_2:U reserve_space_3:U|T:t U:t epsilon:f exponential_avg_factor:f data_format:s is_training:b|0',
    'L2Loss': 't:T|output:T|T:t|0',
    'LRN': 'input:T|output:T|depth_radius:i bias:f alpha:f beta:f T:t=1|0',
    'LRNGrad': 'input_grads:T input_image:T output_image:T|output:T|depth_radius:i bias:f alpha:f beta:f T:t=1|0',
}


def batch_norm_with_global_normalization(t, m, v, beta, gamma, variance_epsilon, scale_after_normalization, name=None):
    return apply('BatchNormWithGlobalNormalization', name, (t, m, v, beta, gamma), {'variance_epsilon': variance_epsilon, 'scale_after_normalization': scale_after_normalization}).outputs[0]


def batch_norm_with_global_normalization_grad(t, m, v, gamma, backprop, variance_epsilon, scale_after_normalization, name=None):
    return results(apply('BatchNormWithGlobalNormalizationGrad', name, (t, m, v, gamma, backprop), {'variance_epsilon': variance_epsilon, 'scale_after_normalization': scale_after_normalization}))


def fused_batch_norm(x, scale, offset, mean, variance, epsilon=9.99999975e-05, exponential_avg_factor=1.0, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNorm', name, (x, scale, offset, mean, variance), {'epsilon': epsilon, 'exponential_avg_factor': exponential_avg_factor, 'data_format': data_format, 'is_training': is_training}))


def fused_batch_norm_grad(y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon=9.99999975e-05, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNormGrad', name, (y_backprop, x, scale, reserve_space_1, reserve_space_2), {'epsilon': epsilon, 'data_format': data_format, 'is_training': is_training}))


def fused_batch_norm_grad_v2(y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon=9.99999975e-05, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNormGradV2', name, (y_backprop, x, scale, reserve_space_1, reserve_space_2), {'epsilon': epsilon, 'data_format': data_format, 'is_training': is_training}))


def fused_batch_norm_grad_v3(y_backprop, x, scale, reserve_space_1, reserve_space_2, reserve_space_3, epsilon=9.99999975e-05, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNormGradV3', name, (y_backprop, x, scale, reserve_space_1, reserve_space_2, reserve_space_3), {'epsilon': epsilon, 'data_format': data_format, 'is_training': is_training}))


def fused_batch_norm_v2(x, scale, offset, mean, variance, epsilon=9.99999975e-05, exponential_avg_factor=1.0, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNormV2', name, (x, scale, offset, mean, variance), {'epsilon': epsilon, 'exponential_avg_factor': exponential_avg_factor, 'data_format': data_format, 'is_training': is_training}))


def fused_batch_norm_v3(x, scale, offset, mean, variance, epsilon=9.99999975e-05, exponential_avg_factor=1.0, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNormV3', name, (x, scale, offset, mean, variance), {'epsilon': epsilon, 'exponential_avg_factor': exponential_avg_factor, 'data_format': data_format, 'is_training': is_training}))


def l2_loss(t, name=None):
    return apply('L2Loss', name, (t,), {}).outputs[0]


def lrn(input, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, name=None):
    return apply('LRN', name, (input,), {'depth_radius': depth_radius, 'bias': bias, 'alpha': alpha, 'beta': beta}).outputs[0]


def lrn_grad(input_grads, input_image, output_image, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, name=None):
    return apply('LRNGrad', name, (input_grads, input_image, output_image), {'depth_radius': depth_radius, 'bias': bias, 'alpha': alpha, 'beta': beta}).outputs[0]
