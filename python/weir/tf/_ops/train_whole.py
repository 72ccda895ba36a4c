"""Ops: train, whole. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'ApplyAdaMax': 'var:&T m:&T v:&T beta1_power:T lr:T beta1:T beta2:T epsilon:T grad:T|out:&T|T:t use_locking:b|0',
    'ApplyAdadelta': 'var:&T accum:&T accum_update:&T lr:T rho:T epsilon:T grad:T|out:&T|T:t use_locking:b|0',
    'ApplyAdagrad': 'var:&T accum:&T lr:T grad:T|out:&T|T:t use_locking:b update_slots:b|0',
    'ApplyAdagradDA': 'var:&T gradient_accumulator:&T gradient_squared_accumulator:&T grad:T lr:T l1:T l2:T global_step:9|out:&T|T:t use_locking:b|0',
    'ApplyAdagradV2': 'var:&T accum:&T lr:T epsilon:T grad:T|out:&T|T:t use_locking:b update_slots:b|0',
    'ApplyAdam': 'var:&T m:&T v:&T beta1_power:T beta2_power:T lr:T beta1:T beta2:T epsilon:T grad:T|out:&T|T:t use_locking:b use_nesterov:b|0',
    'ApplyAddSign': 'var:&T m:&T lr:T alpha:T sign_decay:T beta:T grad:T|out:&T|T:t use_locking:b|0',
    'ApplyCenteredRMSProp': 'var:&T mg:&T ms:&T mom:&T lr:T rho:T momentum:T epsilon:T grad:T|out:&T|T:t use_locking:b|0',
    'ApplyFtrl': 'var:&T accum:&T linear:&T grad:T lr:T l1:T l2:T lr_power:T|out:&T|T:t use_locking:b multiply_linear_by_lr:b|0',
    'ApplyFtrlV2': 'var:&T accum:&T linear:&T grad:T lr:T l1:T l2:T l2_shrinkage:T lr_power:T|out:&T|T:t use_locking:b multiply_linear_by_lr:b|0',
    'ApplyGradientDescent': 'var:&T alpha:T delta:T|out:&T|T:t use_locking:b|0',
    'ApplyMomentum': 'var:&T accum:&T lr:T grad:T momentum:T|out:&T|T:t use_locking:b use_nesterov:b|0',
    'ApplyPowerSign': 'var:&T m:&T lr:T logbase:T sign_decay:T beta:T grad:T|out:&T|T:t use_locking:b|0',
    'ApplyProximalAdagrad': 'var:&T accum:&T lr:T l1:T l2:T grad:T|out:&T|T:t use_locking:b|0',
    'ApplyProximalGradientDescent': 'var:&T alpha:T l1:T l2:T delta:T|out:&T|T:t use_locking:b|0',
    'ApplyRMSProp': 'var:&T ms:&T mom:&T lr:T rho:T momentum:T epsilon:T grad:T|out:&T|T:t use_locking:b|0',
    'ResourceApplyAdaMax': 'var:20 m:20 v:20 beta1_power:T lr:T beta1:T beta2:T epsilon:T grad:T||T:t use_locking:b|1',
    'ResourceApplyAdadelta': 'var:20 accum:20 accum_update:20 lr:T rho:T epsilon:T grad:T||T:t use_locking:b|1',
    'ResourceApplyAdagrad': 'var:20 accum:20 lr:T grad:T||T:t use_locking:b update_slots:b|1',
    'ResourceApplyAdagradDA': 'var:20 gradient_accumulator:20 gradient_squared_accumulator:20 grad:T lr:T l1:T l2:T global_step:9||T:t use_locking:b|1',
    'ResourceApplyAdagradV2': 'var:20 accum:20 lr:T epsilon:T grad:T||T:t use_locking:b update_slots:b|1',
    'ResourceApplyAdam': 'var:20 m:20 v:20 beta1_power:T beta2_power:T lr:T beta1:T beta2:T epsilon:T grad:T||T:t use_locking:b use_nesterov:b|1',
    'ResourceApplyAdamWithAmsgrad': 'var:20 m:20 v:20 vhat:20 beta1_power:T beta2_power:T lr:T beta1:T beta2:T epsilon:T grad:T||T:t use_locking:b|1',
    'ResourceApplyAddSign': 'var:20 m:20 lr:T alpha:T sign_decay:T beta:T grad:T||T:t use_locking:b|1',
    'ResourceApplyCenteredRMSProp': 'var:20 mg:20 ms:20 mom:20 lr:T rho:T momentum:T epsilon:T grad:T||T:t use_locking:b|1',
    'ResourceApplyFtrl': 'var:20 accum:20 linear:20 grad:T lr:T l1:T l2:T lr_power:T||T:t use_locking:b multiply_linear_by_lr:b|1',
    'ResourceApplyFtrlV2': 'var:20 accum:20 linear:20 grad:T lr:T l1:T l2:T l2_shrinkage:T lr_power:T||T:t use_locking:b multiply_linear_by_lr:b|1',
    'ResourceApplyGradientDescent': 'var:20 alpha:T delta:T||T:t use_locking:b|1',
    'ResourceApplyKerasMomentum': 'var:20 accum:20 lr:T grad:T momentum:T||T:t use_locking:b use_nesterov:b|1',
    'ResourceApplyMomentum': 'var:20 accum:20 lr:T grad:T momentum:T||T:t use_locking:b use_nesterov:b|1',
    'ResourceApplyPowerSign': 'var:20 m:20 lr:T logbase:T sign_decay:T beta:T grad:T||T:t use_locking:b|1',
    'ResourceApplyProximalAdagrad': 'var:20 accum:20 lr:T l1:T l2:T grad:T||T:t use_locking:b|1',
    'ResourceApplyProximalGradientDescent': 'var:20 alpha:T l1:T l2:T delta:T||T:t use_locking:b|1',
    'ResourceApplyRMSProp': 'var:20 ms:20 mom:20 lr:T rho:T momentum:T epsilon:T grad:T||T:t use_locking:b|1',
    'SdcaShrinkL1': 'weights:&num_features*1||num_features:i l1:f l2:f|0',
}


def apply_ada_max(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad, use_locking=False, name=None):
    return apply('ApplyAdaMax', name, (var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad), {'use_locking': use_locking}).outputs[0]


def apply_adadelta(var, accum, accum_update, lr, rho, epsilon, grad, use_locking=False, name=None):
    return apply('ApplyAdadelta', name, (var, accum, accum_update, lr, rho, epsilon, grad), {'use_locking': use_locking}).outputs[0]


def apply_adagrad(var, accum, lr, grad, use_locking=False, update_slots=True, name=None):
    return apply('ApplyAdagrad', name, (var, accum, lr, grad), {'use_locking': use_locking, 'update_slots': update_slots}).outputs[0]


def apply_adagrad_da(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step, use_locking=False, name=None):
    return apply('ApplyAdagradDA', name, (var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step), {'use_locking': use_locking}).outputs[0]


def apply_adagrad_v2(var, accum, lr, epsilon, grad, use_locking=False, update_slots=True, name=None):
    return apply('ApplyAdagradV2', name, (var, accum, lr, epsilon, grad), {'use_locking': use_locking, 'update_slots': update_slots}).outputs[0]


def apply_adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, use_locking=False, use_nesterov=False, name=None):
    return apply('ApplyAdam', name, (var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad), {'use_locking': use_locking, 'use_nesterov': use_nesterov}).outputs[0]


def apply_add_sign(var, m, lr, alpha, sign_decay, beta, grad, use_locking=False, name=None):
    return apply('ApplyAddSign', name, (var, m, lr, alpha, sign_decay, beta, grad), {'use_locking': use_locking}).outputs[0]


def apply_centered_rms_prop(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, use_locking=False, name=None):
    return apply('ApplyCenteredRMSProp', name, (var, mg, ms, mom, lr, rho, momentum, epsilon, grad), {'use_locking': use_locking}).outputs[0]


def apply_ftrl(var, accum, linear, grad, lr, l1, l2, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ApplyFtrl', name, (var, accum, linear, grad, lr, l1, l2, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr}).outputs[0]


def apply_ftrl_v2(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ApplyFtrlV2', name, (var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr}).outputs[0]


def apply_gradient_descent(var, alpha, delta, use_locking=False, name=None):
    return apply('ApplyGradientDescent', name, (var, alpha, delta), {'use_locking': use_locking}).outputs[0]


def apply_momentum(var, accum, lr, grad, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('ApplyMomentum', name, (var, accum, lr, grad, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov}).outputs[0]


def apply_power_sign(var, m, lr, logbase, sign_decay, beta, grad, use_locking=False, name=None):
    return apply('ApplyPowerSign', name, (var, m, lr, logbase, sign_decay, beta, grad), {'use_locking': use_locking}).outputs[0]


def apply_proximal_adagrad(var, accum, lr, l1, l2, grad, use_locking=False, name=None):
    return apply('ApplyProximalAdagrad', name, (var, accum, lr, l1, l2, grad), {'use_locking': use_locking}).outputs[0]


def apply_proximal_gradient_descent(var, alpha, l1, l2, delta, use_locking=False, name=None):
    return apply('ApplyProximalGradientDescent', name, (var, alpha, l1, l2, delta), {'use_locking': use_locking}).outputs[0]


def apply_rms_prop(var, ms, mom, lr, rho, momentum, epsilon, grad, use_locking=False, name=None):
    return apply('ApplyRMSProp', name, (var, ms, mom, lr, rho, momentum, epsilon, grad), {'use_locking': use_locking}).outputs[0]


def resource_apply_ada_max(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad, use_locking=False, name=None):
    return apply('ResourceApplyAdaMax', name, (var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad), {'use_locking': use_locking})


def resource_apply_adadelta(var, accum, accum_update, lr, rho, epsilon, grad, use_locking=False, name=None):
    return apply('ResourceApplyAdadelta', name, (var, accum, accum_update, lr, rho, epsilon, grad), {'use_locking': use_locking})


def resource_apply_adagrad(var, accum, lr, grad, use_locking=False, update_slots=True, name=None):
    return apply('ResourceApplyAdagrad', name, (var, accum, lr, grad), {'use_locking': use_locking, 'update_slots': update_slots})


def resource_apply_adagrad_da(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step, use_locking=False, name=None):
    return apply('ResourceApplyAdagradDA', name, (var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step), {'use_locking': use_locking})


def resource_apply_adagrad_v2(var, accum, lr, epsilon, grad, use_locking=False, update_slots=True, name=None):
    return apply('ResourceApplyAdagradV2', name, (var, accum, lr, epsilon, grad), {'use_locking': use_locking, 'update_slots': update_slots})


def resource_apply_adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, use_locking=False, use_nesterov=False, name=None):
    return apply('ResourceApplyAdam', name, (var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad), {'use_locking': use_locking, 'use_nesterov': use_nesterov})


def resource_apply_adam_with_amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, use_locking=False, name=None):
    return apply('ResourceApplyAdamWithAmsgrad', name, (var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad), {'use_locking': use_locking})


def resource_apply_add_sign(var, m, lr, alpha, sign_decay, beta, grad, use_locking=False, name=None):
    return apply('ResourceApplyAddSign', name, (var, m, lr, alpha, sign_decay, beta, grad), {'use_locking': use_locking})


def resource_apply_centered_rms_prop(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, use_locking=False, name=None):
    return apply('ResourceApplyCenteredRMSProp', name, (var, mg, ms, mom, lr, rho, momentum, epsilon, grad), {'use_locking': use_locking})


def resource_apply_ftrl(var, accum, linear, grad, lr, l1, l2, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ResourceApplyFtrl', name, (var, accum, linear, grad, lr, l1, l2, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr})


def resource_apply_ftrl_v2(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ResourceApplyFtrlV2', name, (var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr})


def resource_apply_gradient_descent(var, alpha, delta, use_locking=False, name=None):
    return apply('ResourceApplyGradientDescent', name, (var, alpha, delta), {'use_locking': use_locking})


def resource_apply_keras_momentum(var, accum, lr, grad, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('ResourceApplyKerasMomentum', name, (var, accum, lr, grad, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov})


def resource_apply_momentum(var, accum, lr, grad, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('ResourceApplyMomentum', name, (var, accum, lr, grad, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov})


def resource_apply_power_sign(var, m, lr, logbase, sign_decay, beta, grad, use_locking=False, name=None):
    return apply('ResourceApplyPowerSign', name, (var, m, lr, logbase, sign_decay, beta, grad), {'use_locking': use_locking})


def resource_apply_proximal_adagrad(var, accum, lr, l1, l2, grad, use_locking=False, name=None):
    return apply('ResourceApplyProximalAdagrad', name, (var, accum, lr, l1, l2, grad), {'use_locking': use_locking})


def resource_apply_proximal_gradient_descent(var, alpha, l1, l2, delta, use_locking=False, name=None):
    return apply('ResourceApplyProximalGradientDescent', name, (var, alpha, l1, l2, delta), {'use_locking': use_locking})


def resource_apply_rms_prop(var, ms, mom, lr, rho, momentum, epsilon, grad, use_locking=False, name=None):
    return apply('ResourceApplyRMSProp', name, (var, ms, mom, lr, rho, momentum, epsilon, grad), {'use_locking': use_locking})


def sdca_shrink_l1(weights, l1, l2, name=None):
    return apply('SdcaShrinkL1', name, (weights,), {'l1': l1, 'l2': l2})
