/* weir/ops/train/row.h - updates of the rows that indices name.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_TRAIN_ROW_OPS_H
#define WEIR_TRAIN_ROW_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ResourceSparseApplyAdadelta(var: resource, accum: resource, accum_update: resource, lr: T, rho:
 * T, epsilon: T, grad: T, indices: Tindices): a step of Adadelta, of the rows that indices name; by
 * a resource handle. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32,
 * int64. */
typedef struct weir_resource_sparse_apply_adadelta_options {
    bool use_locking;
} weir_resource_sparse_apply_adadelta_options;
static inline TF_Operation *
weir_resource_sparse_apply_adadelta(weir_builder *builder, const char *node, TF_Output var,
                                    TF_Output accum, TF_Output accum_update, TF_Output lr,
                                    TF_Output rho, TF_Output epsilon, TF_Output grad,
                                    TF_Output indices,
                                    const weir_resource_sparse_apply_adadelta_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceSparseApplyAdadelta", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, accum_update);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceSparseApplyAdagrad(var: resource, accum: resource, lr: T, grad: T, indices: Tindices): a
 * step of Adagrad, of the rows that indices name; by a resource handle. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_resource_sparse_apply_adagrad_options {
    bool use_locking;
    bool not_update_slots;
} weir_resource_sparse_apply_adagrad_options;
static inline TF_Operation *
weir_resource_sparse_apply_adagrad(weir_builder *builder, const char *node, TF_Output var,
                                   TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices,
                                   const weir_resource_sparse_apply_adagrad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceSparseApplyAdagrad", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "update_slots", !options->not_update_slots);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceSparseApplyAdagradDA(var: resource, gradient_accumulator: resource,
 * gradient_squared_accumulator: resource, grad: T, indices: Tindices, lr: T, l1: T, l2: T,
 * global_step: int64): a step of Adagrad by dual averaging, of the rows that indices name; by a
 * resource handle. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32,
 * int64. */
typedef struct weir_resource_sparse_apply_adagrad_da_options {
    bool use_locking;
} weir_resource_sparse_apply_adagrad_da_options;
static inline TF_Operation *
weir_resource_sparse_apply_adagrad_da(weir_builder *builder, const char *node, TF_Output var,
                                      TF_Output gradient_accumulator,
                                      TF_Output gradient_squared_accumulator, TF_Output grad,
                                      TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2,
                                      TF_Output global_step,
                                      const weir_resource_sparse_apply_adagrad_da_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceSparseApplyAdagradDA", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, gradient_accumulator);
    weir_build_input(builder, made, gradient_squared_accumulator);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, global_step);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceSparseApplyAdagradV2(var: resource, accum: resource, lr: T, epsilon: T, grad: T, indices:
 * Tindices): a step of Adagrad, of the rows that indices name; by a resource handle. T: float,
 * double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16,
 * quint16, uint16, complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_resource_sparse_apply_adagrad_v2_options {
    bool use_locking;
    bool not_update_slots;
} weir_resource_sparse_apply_adagrad_v2_options;
static inline TF_Operation *
weir_resource_sparse_apply_adagrad_v2(weir_builder *builder, const char *node, TF_Output var,
                                      TF_Output accum, TF_Output lr, TF_Output epsilon,
                                      TF_Output grad, TF_Output indices,
                                      const weir_resource_sparse_apply_adagrad_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceSparseApplyAdagradV2", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "update_slots", !options->not_update_slots);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceSparseApplyCenteredRMSProp(var: resource, mg: resource, ms: resource, mom: resource, lr:
 * T, rho: T, momentum: T, epsilon: T, grad: T, indices: Tindices): a step of RMSProp with the mean
 * gradient subtracted, of the rows that indices name; by a resource handle. T: float, double,
 * int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16,
 * uint16, complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_resource_sparse_apply_centered_rms_prop_options {
    bool use_locking;
} weir_resource_sparse_apply_centered_rms_prop_options;
static inline TF_Operation *
weir_resource_sparse_apply_centered_rms_prop(weir_builder *builder, const char *node, TF_Output var,
    TF_Output mg, TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum,
    TF_Output epsilon, TF_Output grad, TF_Output indices,
    const weir_resource_sparse_apply_centered_rms_prop_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ResourceSparseApplyCenteredRMSProp", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, mg);
    weir_build_input(builder, made, ms);
    weir_build_input(builder, made, mom);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, momentum);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceSparseApplyFtrl(var: resource, accum: resource, linear: resource, grad: T, indices:
 * Tindices, lr: T, l1: T, l2: T, lr_power: T): a step of FTRL-Proximal, of the rows that indices
 * name; by a resource handle. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. */
typedef struct weir_resource_sparse_apply_ftrl_options {
    bool use_locking;
    bool multiply_linear_by_lr;
} weir_resource_sparse_apply_ftrl_options;
static inline TF_Operation *
weir_resource_sparse_apply_ftrl(weir_builder *builder, const char *node, TF_Output var,
                                TF_Output accum, TF_Output linear, TF_Output grad,
                                TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2,
                                TF_Output lr_power,
                                const weir_resource_sparse_apply_ftrl_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceSparseApplyFtrl", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, linear);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, lr_power);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "multiply_linear_by_lr", options->multiply_linear_by_lr);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceSparseApplyFtrlV2(var: resource, accum: resource, linear: resource, grad: T, indices:
 * Tindices, lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T): a step of FTRL-Proximal, of the
 * rows that indices name; by a resource handle. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. Tindices: int32, int64. */
typedef struct weir_resource_sparse_apply_ftrl_v2_options {
    bool use_locking;
    bool multiply_linear_by_lr;
} weir_resource_sparse_apply_ftrl_v2_options;
static inline TF_Operation *
weir_resource_sparse_apply_ftrl_v2(weir_builder *builder, const char *node, TF_Output var,
                                   TF_Output accum, TF_Output linear, TF_Output grad,
                                   TF_Output indices, TF_Output lr, TF_Output l1, TF_Output l2,
                                   TF_Output l2_shrinkage, TF_Output lr_power,
                                   const weir_resource_sparse_apply_ftrl_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceSparseApplyFtrlV2", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, linear);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, l2_shrinkage);
    weir_build_input(builder, made, lr_power);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "multiply_linear_by_lr", options->multiply_linear_by_lr);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceSparseApplyKerasMomentum(var: resource, accum: resource, lr: T, grad: T, indices:
 * Tindices, momentum: T): a step with momentum that includes the learning rate, of the rows that
 * indices name; by a resource handle. T: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. Tindices: int32, int64. */
typedef struct weir_resource_sparse_apply_keras_momentum_options {
    bool use_locking;
    bool use_nesterov;
} weir_resource_sparse_apply_keras_momentum_options;
static inline TF_Operation *
weir_resource_sparse_apply_keras_momentum(weir_builder *builder, const char *node, TF_Output var,
    TF_Output accum, TF_Output lr, TF_Output grad, TF_Output indices, TF_Output momentum,
    const weir_resource_sparse_apply_keras_momentum_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ResourceSparseApplyKerasMomentum", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, momentum);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "use_nesterov", options->use_nesterov);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceSparseApplyMomentum(var: resource, accum: resource, lr: T, grad: T, indices: Tindices,
 * momentum: T): a step with momentum, of the rows that indices name; by a resource handle. T:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_resource_sparse_apply_momentum_options {
    bool use_locking;
    bool use_nesterov;
} weir_resource_sparse_apply_momentum_options;
static inline TF_Operation *
weir_resource_sparse_apply_momentum(weir_builder *builder, const char *node, TF_Output var,
                                    TF_Output accum, TF_Output lr, TF_Output grad,
                                    TF_Output indices, TF_Output momentum,
                                    const weir_resource_sparse_apply_momentum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceSparseApplyMomentum", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, momentum);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "use_nesterov", options->use_nesterov);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceSparseApplyProximalAdagrad(var: resource, accum: resource, lr: T, l1: T, l2: T, grad: T,
 * indices: Tindices): a step of Adagrad, then L1 and L2 shrinkage, of the rows that indices name;
 * by a resource handle. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. */
typedef struct weir_resource_sparse_apply_proximal_adagrad_options {
    bool use_locking;
} weir_resource_sparse_apply_proximal_adagrad_options;
static inline TF_Operation *
weir_resource_sparse_apply_proximal_adagrad(weir_builder *builder, const char *node, TF_Output var,
    TF_Output accum, TF_Output lr, TF_Output l1, TF_Output l2, TF_Output grad, TF_Output indices,
    const weir_resource_sparse_apply_proximal_adagrad_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ResourceSparseApplyProximalAdagrad", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceSparseApplyProximalGradientDescent(var: resource, alpha: T, l1: T, l2: T, grad: T,
 * indices: Tindices): a step of gradient descent, then L1 and L2 shrinkage, of the rows that
 * indices name; by a resource handle. T: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. Tindices: int32, int64. */
typedef struct weir_resource_sparse_apply_proximal_gradient_descent_options {
    bool use_locking;
} weir_resource_sparse_apply_proximal_gradient_descent_options;
static inline TF_Operation *
weir_resource_sparse_apply_proximal_gradient_descent(weir_builder *builder, const char *node,
    TF_Output var, TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output grad, TF_Output indices,
    const weir_resource_sparse_apply_proximal_gradient_descent_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ResourceSparseApplyProximalGradientDescent", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, alpha);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceSparseApplyRMSProp(var: resource, ms: resource, mom: resource, lr: T, rho: T, momentum:
 * T, epsilon: T, grad: T, indices: Tindices): a step of RMSProp, of the rows that indices name; by
 * a resource handle. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32,
 * int64. */
typedef struct weir_resource_sparse_apply_rms_prop_options {
    bool use_locking;
} weir_resource_sparse_apply_rms_prop_options;
static inline TF_Operation *
weir_resource_sparse_apply_rms_prop(weir_builder *builder, const char *node, TF_Output var,
                                    TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho,
                                    TF_Output momentum, TF_Output epsilon, TF_Output grad,
                                    TF_Output indices,
                                    const weir_resource_sparse_apply_rms_prop_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceSparseApplyRMSProp", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, ms);
    weir_build_input(builder, made, mom);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, momentum);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* SparseApplyAdadelta(var: Ref(T), accum: Ref(T), accum_update: Ref(T), lr: T, rho: T, epsilon: T,
 * grad: T, indices: Tindices) -> out: Ref(T): a step of Adadelta, of the rows that indices name. T:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_sparse_apply_adadelta_options {
    bool use_locking;
} weir_sparse_apply_adadelta_options;
static inline TF_Output
weir_sparse_apply_adadelta(weir_builder *builder, const char *node, TF_Output var, TF_Output accum,
                           TF_Output accum_update, TF_Output lr, TF_Output rho, TF_Output epsilon,
                           TF_Output grad, TF_Output indices,
                           const weir_sparse_apply_adadelta_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseApplyAdadelta", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, accum_update);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* SparseApplyAdagrad(var: Ref(T), accum: Ref(T), lr: T, grad: T, indices: Tindices) -> out: Ref(T):
 * a step of Adagrad, of the rows that indices name. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. Tindices: int32, int64. */
typedef struct weir_sparse_apply_adagrad_options {
    bool use_locking;
    bool not_update_slots;
} weir_sparse_apply_adagrad_options;
static inline TF_Output weir_sparse_apply_adagrad(weir_builder *builder, const char *node,
                                                  TF_Output var, TF_Output accum, TF_Output lr,
                                                  TF_Output grad, TF_Output indices,
                                                  const weir_sparse_apply_adagrad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseApplyAdagrad", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "update_slots", !options->not_update_slots);
    }
    return weir_build_end(builder, made);
}

/* SparseApplyAdagradDA(var: Ref(T), gradient_accumulator: Ref(T), gradient_squared_accumulator:
 * Ref(T), grad: T, indices: Tindices, lr: T, l1: T, l2: T, global_step: int64) -> out: Ref(T): a
 * step of Adagrad by dual averaging, of the rows that indices name. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_sparse_apply_adagrad_da_options {
    bool use_locking;
} weir_sparse_apply_adagrad_da_options;
static inline TF_Output
weir_sparse_apply_adagrad_da(weir_builder *builder, const char *node, TF_Output var,
                             TF_Output gradient_accumulator, TF_Output gradient_squared_accumulator,
                             TF_Output grad, TF_Output indices, TF_Output lr, TF_Output l1,
                             TF_Output l2, TF_Output global_step,
                             const weir_sparse_apply_adagrad_da_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseApplyAdagradDA", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, gradient_accumulator);
    weir_build_input(builder, made, gradient_squared_accumulator);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, global_step);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* SparseApplyAdagradV2(var: Ref(T), accum: Ref(T), lr: T, epsilon: T, grad: T, indices: Tindices)
 * -> out: Ref(T): a step of Adagrad, of the rows that indices name. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_sparse_apply_adagrad_v2_options {
    bool use_locking;
    bool not_update_slots;
} weir_sparse_apply_adagrad_v2_options;
static inline TF_Output
weir_sparse_apply_adagrad_v2(weir_builder *builder, const char *node, TF_Output var,
                             TF_Output accum, TF_Output lr, TF_Output epsilon, TF_Output grad,
                             TF_Output indices, const weir_sparse_apply_adagrad_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseApplyAdagradV2", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "update_slots", !options->not_update_slots);
    }
    return weir_build_end(builder, made);
}

/* SparseApplyCenteredRMSProp(var: Ref(T), mg: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T,
 * momentum: T, epsilon: T, grad: T, indices: Tindices) -> out: Ref(T): a step of RMSProp with the
 * mean gradient subtracted, of the rows that indices name. T: float, double, int32, uint8, int16,
 * int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128,
 * half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_sparse_apply_centered_rms_prop_options {
    bool use_locking;
} weir_sparse_apply_centered_rms_prop_options;
static inline TF_Output
weir_sparse_apply_centered_rms_prop(weir_builder *builder, const char *node, TF_Output var,
                                    TF_Output mg, TF_Output ms, TF_Output mom, TF_Output lr,
                                    TF_Output rho, TF_Output momentum, TF_Output epsilon,
                                    TF_Output grad, TF_Output indices,
                                    const weir_sparse_apply_centered_rms_prop_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseApplyCenteredRMSProp", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, mg);
    weir_build_input(builder, made, ms);
    weir_build_input(builder, made, mom);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, momentum);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* SparseApplyFtrl(var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, indices: Tindices, lr: T,
 * l1: T, l2: T, lr_power: T) -> out: Ref(T): a step of FTRL-Proximal, of the rows that indices
 * name. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_sparse_apply_ftrl_options {
    bool use_locking;
    bool multiply_linear_by_lr;
} weir_sparse_apply_ftrl_options;
static inline TF_Output weir_sparse_apply_ftrl(weir_builder *builder, const char *node,
                                               TF_Output var, TF_Output accum, TF_Output linear,
                                               TF_Output grad, TF_Output indices, TF_Output lr,
                                               TF_Output l1, TF_Output l2, TF_Output lr_power,
                                               const weir_sparse_apply_ftrl_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseApplyFtrl", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, linear);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, lr_power);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "multiply_linear_by_lr", options->multiply_linear_by_lr);
    }
    return weir_build_end(builder, made);
}

/* SparseApplyFtrlV2(var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, indices: Tindices, lr: T,
 * l1: T, l2: T, l2_shrinkage: T, lr_power: T) -> out: Ref(T): a step of FTRL-Proximal, of the rows
 * that indices name. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32,
 * int64. */
typedef struct weir_sparse_apply_ftrl_v2_options {
    bool use_locking;
    bool multiply_linear_by_lr;
} weir_sparse_apply_ftrl_v2_options;
static inline TF_Output weir_sparse_apply_ftrl_v2(weir_builder *builder, const char *node,
                                                  TF_Output var, TF_Output accum, TF_Output linear,
                                                  TF_Output grad, TF_Output indices, TF_Output lr,
                                                  TF_Output l1, TF_Output l2,
                                                  TF_Output l2_shrinkage, TF_Output lr_power,
                                                  const weir_sparse_apply_ftrl_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseApplyFtrlV2", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, linear);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, l2_shrinkage);
    weir_build_input(builder, made, lr_power);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "multiply_linear_by_lr", options->multiply_linear_by_lr);
    }
    return weir_build_end(builder, made);
}

/* SparseApplyMomentum(var: Ref(T), accum: Ref(T), lr: T, grad: T, indices: Tindices, momentum: T)
 * -> out: Ref(T): a step with momentum, of the rows that indices name. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_sparse_apply_momentum_options {
    bool use_locking;
    bool use_nesterov;
} weir_sparse_apply_momentum_options;
static inline TF_Output
weir_sparse_apply_momentum(weir_builder *builder, const char *node, TF_Output var, TF_Output accum,
                           TF_Output lr, TF_Output grad, TF_Output indices, TF_Output momentum,
                           const weir_sparse_apply_momentum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseApplyMomentum", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, momentum);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "use_nesterov", options->use_nesterov);
    }
    return weir_build_end(builder, made);
}

/* SparseApplyProximalAdagrad(var: Ref(T), accum: Ref(T), lr: T, l1: T, l2: T, grad: T, indices:
 * Tindices) -> out: Ref(T): a step of Adagrad, then L1 and L2 shrinkage, of the rows that indices
 * name. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_sparse_apply_proximal_adagrad_options {
    bool use_locking;
} weir_sparse_apply_proximal_adagrad_options;
static inline TF_Output
weir_sparse_apply_proximal_adagrad(weir_builder *builder, const char *node, TF_Output var,
                                   TF_Output accum, TF_Output lr, TF_Output l1, TF_Output l2,
                                   TF_Output grad, TF_Output indices,
                                   const weir_sparse_apply_proximal_adagrad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseApplyProximalAdagrad", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* SparseApplyProximalGradientDescent(var: Ref(T), alpha: T, l1: T, l2: T, grad: T, indices:
 * Tindices) -> out: Ref(T): a step of gradient descent, then L1 and L2 shrinkage, of the rows that
 * indices name. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32,
 * int64. */
typedef struct weir_sparse_apply_proximal_gradient_descent_options {
    bool use_locking;
} weir_sparse_apply_proximal_gradient_descent_options;
static inline TF_Output
weir_sparse_apply_proximal_gradient_descent(weir_builder *builder, const char *node, TF_Output var,
    TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output grad, TF_Output indices,
    const weir_sparse_apply_proximal_gradient_descent_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "SparseApplyProximalGradientDescent", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, alpha);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* SparseApplyRMSProp(var: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, momentum: T, epsilon: T,
 * grad: T, indices: Tindices) -> out: Ref(T): a step of RMSProp, of the rows that indices name. T:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32, int64. */
typedef struct weir_sparse_apply_rms_prop_options {
    bool use_locking;
} weir_sparse_apply_rms_prop_options;
static inline TF_Output
weir_sparse_apply_rms_prop(weir_builder *builder, const char *node, TF_Output var, TF_Output ms,
                           TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum,
                           TF_Output epsilon, TF_Output grad, TF_Output indices,
                           const weir_sparse_apply_rms_prop_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseApplyRMSProp", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, ms);
    weir_build_input(builder, made, mom);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, momentum);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
