"""Ops: train, row. Written by tools/python_ops."""
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'ResourceSparseApplyAdadelta': 'var:20 accum:20 accum_update:20 lr:T rho:T epsilon:T grad:T indices:Tindices||T:t Tindices:t use_locking:b|1',
    'ResourceSparseApplyAdagrad': 'var:20 accum:20 lr:T grad:T indices:Tindices||T:t Tindices:t use_locking:b update_slots:b|1',
    'ResourceSparseApplyAdagradDA': 'var:20 gradient_accumulator:20 gradient_squared_accumulator:20 grad:T indices:Tindices lr:T l1:T l2:T global_step:9||T:t Tindices:t use_locking:b|1',
    'ResourceSparseApplyAdagradV2': 'var:20 accum:20 lr:T epsilon:T grad:T indices:Tindices||T:t Tindices:t use_locking:b update_slots:b|1',
    'ResourceSparseApplyCenteredRMSProp': 'var:20 mg:20 ms:20 mom:20 lr:T rho:T momentum:T epsilon:T grad:T indices:Tindices||T:t Tindices:t use_locking:b|1',
    'ResourceSparseApplyFtrl': 'var:20 accum:20 linear:20 grad:T indices:Tindices lr:T l1:T l2:T lr_power:T||T:t Tindices:t use_locking:b multiply_linear_by_lr:b|1',
    'ResourceSparseApplyFtrlV2': 'var:20 accum:20 linear:20 grad:T indices:Tindices lr:T l1:T l2:T l2_shrinkage:T lr_power:T||T:t Tindices:t use_locking:b multiply_linear_by_lr:b|1',
    'ResourceSparseApplyKerasMomentum': 'var:20 accum:20 lr:T grad:T indices:Tindices momentum:T||T:t Tindices:t use_locking:b use_nesterov:b|1',
    'ResourceSparseApplyMomentum': 'var:20 accum:20 lr:T grad:T indices:Tindices momentum:T||T:t Tindices:t use_locking:b use_nesterov:b|1',
    'ResourceSparseApplyProximalAdagrad': 'var:20 accum:20 lr:T l1:T l2:T grad:T indices:Tindices||T:t Tindices:t use_locking:b|1',
    'ResourceSparseApplyProximalGradientDescent': 'var:20 alpha:T l1:T l2:T grad:T indices:Tindices||T:t Tindices:t use_locking:b|1',
    'ResourceSparseApplyRMSProp': 'var:20 ms:20 mom:20 lr:T rho:T momentum:T epsilon:T grad:T indices:Tindices||T:t Tindices:t use_locking:b|1',
    'SparseApplyAdadelta': 'var:&T accum:&T accum_update:&T lr:T rho:T epsilon:T grad:T indices:Tindices|out:&T|T:t Tindices:t use_locking:b|0',
    'SparseApplyAdagrad': 'var:&T accum:&T lr:T grad:T indices:Tindices|out:&T|T:t Tindices:t use_locking:b update_slots:b|0',
    'SparseApplyAdagradDA': 'var:&T gradient_accumulator:&T gradient_squared_accumulator:&T grad:T indices:Tindices lr:T l1:T l2:T global_step:9|out:&T|T:t Tindices:t use_locking:b|0',
    'SparseApplyAdagradV2': 'var:&T accum:&T lr:T epsilon:T grad:T indices:Tindices|out:&T|T:t Tindices:t use_locking:b update_slots:b|0',
    'SparseApplyCenteredRMSProp': 'var:&T mg:&T ms:&T mom:&T lr:T rho:T momentum:T epsilon:T grad:T indices:Tindices|out:&T|T:t Tindices:t use_locking:b|0',
    'SparseApplyFtrl': 'var:&T accum:&T linear:&T grad:T indices:Tindices lr:T l1:T l2:T lr_power:T|out:&T|T:t Tindices:t use_locking:b multiply_linear_by_lr:b|0',
    'SparseApplyFtrlV2': 'var:&T accum:&T linear:&T grad:T indices:Tindices lr:T l1:T l2:T l2_shrinkage:T lr_power:T|out:&T|T:t Tindices:t use_locking:b multiply_linear_by_lr:b|0',
    'SparseApplyMomentum': 'var:&T accum:&T lr:T grad:T indices:Tindices momentum:T|out:&T|T:t Tindices:t use_locking:b use_nesterov:b|0',
    'SparseApplyProximalAdagrad': 'var:&T accum:&T lr:T l1:T l2:T grad:T indices:Tindices|out:&T|T:t Tindices:t use_locking:b|0',
    'SparseApplyProximalGradientDescent': 'var:&T alpha:T l1:T l2:T grad:T indices:Tindices|out:&T|T:t Tindices:t use_locking:b|0',
    'SparseApplyRMSProp': 'var:&T ms:&T mom:&T lr:T rho:T momentum:T epsilon:T grad:T indices:Tindices|out:&T|T:t Tindices:t use_locking:b|0',
}


def resource_sparse_apply_adadelta(var, accum, accum_update, lr, rho, epsilon, grad, indices, use_locking=False, name=None):
    return apply('ResourceSparseApplyAdadelta', name, (var, accum, accum_update, lr, rho, epsilon, grad, indices), {'use_locking': use_locking})


def resource_sparse_apply_adagrad(var, accum, lr, grad, indices, use_locking=False, update_slots=True, name=None):
    return apply('ResourceSparseApplyAdagrad', name, (var, accum, lr, grad, indices), {'use_locking': use_locking, 'update_slots': update_slots})


def resource_sparse_apply_adagrad_da(var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step, use_locking=False, name=None):
    return apply('ResourceSparseApplyAdagradDA', name, (var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step), {'use_locking': use_locking})


def resource_sparse_apply_adagrad_v2(var, accum, lr, epsilon, grad, indices, use_locking=False, update_slots=True, name=None):
    return apply('ResourceSparseApplyAdagradV2', name, (var, accum, lr, epsilon, grad, indices), {'use_locking': use_locking, 'update_slots': update_slots})


def resource_sparse_apply_centered_rms_prop(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices, use_locking=False, name=None):
    return apply('ResourceSparseApplyCenteredRMSProp', name, (var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices), {'use_locking': use_locking})


def resource_sparse_apply_ftrl(var, accum, linear, grad, indices, lr, l1, l2, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ResourceSparseApplyFtrl', name, (var, accum, linear, grad, indices, lr, l1, l2, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr})


def resource_sparse_apply_ftrl_v2(var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ResourceSparseApplyFtrlV2', name, (var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr})


def resource_sparse_apply_keras_momentum(var, accum, lr, grad, indices, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('ResourceSparseApplyKerasMomentum', name, (var, accum, lr, grad, indices, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov})


def resource_sparse_apply_momentum(var, accum, lr, grad, indices, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('ResourceSparseApplyMomentum', name, (var, accum, lr, grad, indices, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov})


def resource_sparse_apply_proximal_adagrad(var, accum, lr, l1, l2, grad, indices, use_locking=False, name=None):
    return apply('ResourceSparseApplyProximalAdagrad', name, (var, accum, lr, l1, l2, grad, indices), {'use_locking': use_locking})


def resource_sparse_apply_proximal_gradient_descent(var, alpha, l1, l2, grad, indices, use_locking=False, name=None):
    return apply('ResourceSparseApplyProximalGradientDescent', name, (var, alpha, l1, l2, grad, indices), {'use_locking': use_locking})


def resource_sparse_apply_rms_prop(var, ms, mom, lr, rho, momentum, epsilon, grad, indices, use_locking=False, name=None):
    return apply('ResourceSparseApplyRMSProp', name, (var, ms, mom, lr, rho, momentum, epsilon, grad, indices), {'use_locking': use_locking})


def sparse_apply_adadelta(var, accum, accum_update, lr, rho, epsilon, grad, indices, use_locking=False, name=None):
    return apply('SparseApplyAdadelta', name, (var, accum, accum_update, lr, rho, epsilon, grad, indices), {'use_locking': use_locking}).outputs[0]


def sparse_apply_adagrad(var, accum, lr, grad, indices, use_locking=False, update_slots=True, name=None):
    return apply('SparseApplyAdagrad', name, (var, accum, lr, grad, indices), {'use_locking': use_locking, 'update_slots': update_slots}).outputs[0]


def sparse_apply_adagrad_da(var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step, use_locking=False, name=None):
    return apply('SparseApplyAdagradDA', name, (var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step), {'use_locking': use_locking}).outputs[0]


def sparse_apply_adagrad_v2(var, accum, lr, epsilon, grad, indices, use_locking=False, update_slots=True, name=None):
    return apply('SparseApplyAdagradV2', name, (var, accum, lr, epsilon, grad, indices), {'use_locking': use_locking, 'update_slots': update_slots}).outputs[0]


def sparse_apply_centered_rms_prop(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices, use_locking=False, name=None):
    return apply('SparseApplyCenteredRMSProp', name, (var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices), {'use_locking': use_locking}).outputs[0]


def sparse_apply_ftrl(var, accum, linear, grad, indices, lr, l1, l2, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('SparseApplyFtrl', name, (var, accum, linear, grad, indices, lr, l1, l2, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr}).outputs[0]


def sparse_apply_ftrl_v2(var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('SparseApplyFtrlV2', name, (var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr}).outputs[0]


def sparse_apply_momentum(var, accum, lr, grad, indices, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('SparseApplyMomentum', name, (var, accum, lr, grad, indices, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov}).outputs[0]


def sparse_apply_proximal_adagrad(var, accum, lr, l1, l2, grad, indices, use_locking=False, name=None):
    return apply('SparseApplyProximalAdagrad', name, (var, accum, lr, l1, l2, grad, indices), {'use_locking': use_locking}).outputs[0]


def sparse_apply_proximal_gradient_descent(var, alpha, l1, l2, grad, indices, use_locking=False, name=None):
    return apply('SparseApplyProximalGradientDescent', name, (var, alpha, l1, l2, grad, indices), {'use_locking': use_locking}).outputs[0]


def sparse_apply_rms_prop(var, ms, mom, lr, rho, momentum, epsilon, grad, indices, use_locking=False, name=None):
    return apply('SparseApplyRMSProp', name, (var, ms, mom, lr, rho, momentum, epsilon, grad, indices), {'use_locking': use_locking}).outputs[0]
