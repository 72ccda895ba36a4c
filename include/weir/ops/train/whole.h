/* weir/ops/train/whole.h - updates of whole variables.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_TRAIN_WHOLE_OPS_H
#define WEIR_TRAIN_WHOLE_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ApplyAdaMax(var: Ref(T), m: Ref(T), v: Ref(T), beta1_power: T, lr: T, beta1: T, beta2: T,
 * epsilon: T, grad: T) -> out: Ref(T): a step of AdaMax. T: float, double, int32, uint8, int16,
 * int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128,
 * half, uint32, uint64. */
typedef struct weir_apply_ada_max_options {
    bool use_locking;
} weir_apply_ada_max_options;
static inline TF_Output weir_apply_ada_max(weir_builder *builder, const char *node, TF_Output var,
                                           TF_Output m, TF_Output v, TF_Output beta1_power,
                                           TF_Output lr, TF_Output beta1, TF_Output beta2,
                                           TF_Output epsilon, TF_Output grad,
                                           const weir_apply_ada_max_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyAdaMax", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, m);
    weir_build_input(builder, made, v);
    weir_build_input(builder, made, beta1_power);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, beta1);
    weir_build_input(builder, made, beta2);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ApplyAdadelta(var: Ref(T), accum: Ref(T), accum_update: Ref(T), lr: T, rho: T, epsilon: T, grad:
 * T) -> out: Ref(T): a step of Adadelta. T: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. */
typedef struct weir_apply_adadelta_options {
    bool use_locking;
} weir_apply_adadelta_options;
static inline TF_Output weir_apply_adadelta(weir_builder *builder, const char *node, TF_Output var,
                                            TF_Output accum, TF_Output accum_update, TF_Output lr,
                                            TF_Output rho, TF_Output epsilon, TF_Output grad,
                                            const weir_apply_adadelta_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyAdadelta", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, accum_update);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ApplyAdagrad(var: Ref(T), accum: Ref(T), lr: T, grad: T) -> out: Ref(T): a step of Adagrad. T:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_apply_adagrad_options {
    bool use_locking;
    bool not_update_slots;
} weir_apply_adagrad_options;
static inline TF_Output weir_apply_adagrad(weir_builder *builder, const char *node, TF_Output var,
                                           TF_Output accum, TF_Output lr, TF_Output grad,
                                           const weir_apply_adagrad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyAdagrad", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "update_slots", !options->not_update_slots);
    }
    return weir_build_end(builder, made);
}

/* ApplyAdagradDA(var: Ref(T), gradient_accumulator: Ref(T), gradient_squared_accumulator: Ref(T),
 * grad: T, lr: T, l1: T, l2: T, global_step: int64) -> out: Ref(T): a step of Adagrad by dual
 * averaging. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_apply_adagrad_da_options {
    bool use_locking;
} weir_apply_adagrad_da_options;
static inline TF_Output weir_apply_adagrad_da(weir_builder *builder, const char *node,
                                              TF_Output var, TF_Output gradient_accumulator,
                                              TF_Output gradient_squared_accumulator,
                                              TF_Output grad, TF_Output lr, TF_Output l1,
                                              TF_Output l2, TF_Output global_step,
                                              const weir_apply_adagrad_da_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyAdagradDA", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, gradient_accumulator);
    weir_build_input(builder, made, gradient_squared_accumulator);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, global_step);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ApplyAdagradV2(var: Ref(T), accum: Ref(T), lr: T, epsilon: T, grad: T) -> out: Ref(T): a step of
 * Adagrad. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_apply_adagrad_v2_options {
    bool use_locking;
    bool not_update_slots;
} weir_apply_adagrad_v2_options;
static inline TF_Output weir_apply_adagrad_v2(weir_builder *builder, const char *node,
                                              TF_Output var, TF_Output accum, TF_Output lr,
                                              TF_Output epsilon, TF_Output grad,
                                              const weir_apply_adagrad_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyAdagradV2", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "update_slots", !options->not_update_slots);
    }
    return weir_build_end(builder, made);
}

/* ApplyAdam(var: Ref(T), m: Ref(T), v: Ref(T), beta1_power: T, beta2_power: T, lr: T, beta1: T,
 * beta2: T, epsilon: T, grad: T) -> out: Ref(T): a step of Adam. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_apply_adam_options {
    bool use_locking;
    bool use_nesterov;
} weir_apply_adam_options;
static inline TF_Output weir_apply_adam(weir_builder *builder, const char *node, TF_Output var,
                                        TF_Output m, TF_Output v, TF_Output beta1_power,
                                        TF_Output beta2_power, TF_Output lr, TF_Output beta1,
                                        TF_Output beta2, TF_Output epsilon, TF_Output grad,
                                        const weir_apply_adam_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyAdam", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, m);
    weir_build_input(builder, made, v);
    weir_build_input(builder, made, beta1_power);
    weir_build_input(builder, made, beta2_power);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, beta1);
    weir_build_input(builder, made, beta2);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "use_nesterov", options->use_nesterov);
    }
    return weir_build_end(builder, made);
}

/* ApplyAddSign(var: Ref(T), m: Ref(T), lr: T, alpha: T, sign_decay: T, beta: T, grad: T) -> out:
 * Ref(T): a step of AddSign. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_apply_add_sign_options {
    bool use_locking;
} weir_apply_add_sign_options;
static inline TF_Output weir_apply_add_sign(weir_builder *builder, const char *node, TF_Output var,
                                            TF_Output m, TF_Output lr, TF_Output alpha,
                                            TF_Output sign_decay, TF_Output beta, TF_Output grad,
                                            const weir_apply_add_sign_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyAddSign", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, m);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, alpha);
    weir_build_input(builder, made, sign_decay);
    weir_build_input(builder, made, beta);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ApplyCenteredRMSProp(var: Ref(T), mg: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, momentum:
 * T, epsilon: T, grad: T) -> out: Ref(T): a step of RMSProp with the mean gradient subtracted. T:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_apply_centered_rms_prop_options {
    bool use_locking;
} weir_apply_centered_rms_prop_options;
static inline TF_Output
weir_apply_centered_rms_prop(weir_builder *builder, const char *node, TF_Output var, TF_Output mg,
                             TF_Output ms, TF_Output mom, TF_Output lr, TF_Output rho,
                             TF_Output momentum, TF_Output epsilon, TF_Output grad,
                             const weir_apply_centered_rms_prop_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyCenteredRMSProp", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, mg);
    weir_build_input(builder, made, ms);
    weir_build_input(builder, made, mom);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, momentum);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ApplyFtrl(var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, lr: T, l1: T, l2: T, lr_power: T)
 * -> out: Ref(T): a step of FTRL-Proximal. T: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. */
typedef struct weir_apply_ftrl_options {
    bool use_locking;
    bool multiply_linear_by_lr;
} weir_apply_ftrl_options;
static inline TF_Output weir_apply_ftrl(weir_builder *builder, const char *node, TF_Output var,
                                        TF_Output accum, TF_Output linear, TF_Output grad,
                                        TF_Output lr, TF_Output l1, TF_Output l2,
                                        TF_Output lr_power, const weir_apply_ftrl_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyFtrl", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, linear);
    weir_build_input(builder, made, grad);
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

/* ApplyFtrlV2(var: Ref(T), accum: Ref(T), linear: Ref(T), grad: T, lr: T, l1: T, l2: T,
 * l2_shrinkage: T, lr_power: T) -> out: Ref(T): a step of FTRL-Proximal. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_apply_ftrl_v2_options {
    bool use_locking;
    bool multiply_linear_by_lr;
} weir_apply_ftrl_v2_options;
static inline TF_Output weir_apply_ftrl_v2(weir_builder *builder, const char *node, TF_Output var,
                                           TF_Output accum, TF_Output linear, TF_Output grad,
                                           TF_Output lr, TF_Output l1, TF_Output l2,
                                           TF_Output l2_shrinkage, TF_Output lr_power,
                                           const weir_apply_ftrl_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyFtrlV2", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, linear);
    weir_build_input(builder, made, grad);
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

/* ApplyGradientDescent(var: Ref(T), alpha: T, delta: T) -> out: Ref(T): var -= alpha * delta. T:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_apply_gradient_descent_options {
    bool use_locking;
} weir_apply_gradient_descent_options;
static inline TF_Output
weir_apply_gradient_descent(weir_builder *builder, const char *node, TF_Output var, TF_Output alpha,
                            TF_Output delta, const weir_apply_gradient_descent_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyGradientDescent", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, alpha);
    weir_build_input(builder, made, delta);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ApplyMomentum(var: Ref(T), accum: Ref(T), lr: T, grad: T, momentum: T) -> out: Ref(T): a step
 * with momentum. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_apply_momentum_options {
    bool use_locking;
    bool use_nesterov;
} weir_apply_momentum_options;
static inline TF_Output weir_apply_momentum(weir_builder *builder, const char *node, TF_Output var,
                                            TF_Output accum, TF_Output lr, TF_Output grad,
                                            TF_Output momentum,
                                            const weir_apply_momentum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyMomentum", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, momentum);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "use_nesterov", options->use_nesterov);
    }
    return weir_build_end(builder, made);
}

/* ApplyPowerSign(var: Ref(T), m: Ref(T), lr: T, logbase: T, sign_decay: T, beta: T, grad: T) ->
 * out: Ref(T): a step of PowerSign. T: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_apply_power_sign_options {
    bool use_locking;
} weir_apply_power_sign_options;
static inline TF_Output weir_apply_power_sign(weir_builder *builder, const char *node,
                                              TF_Output var, TF_Output m, TF_Output lr,
                                              TF_Output logbase, TF_Output sign_decay,
                                              TF_Output beta, TF_Output grad,
                                              const weir_apply_power_sign_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyPowerSign", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, m);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, logbase);
    weir_build_input(builder, made, sign_decay);
    weir_build_input(builder, made, beta);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ApplyProximalAdagrad(var: Ref(T), accum: Ref(T), lr: T, l1: T, l2: T, grad: T) -> out: Ref(T): a
 * step of Adagrad, then L1 and L2 shrinkage. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. */
typedef struct weir_apply_proximal_adagrad_options {
    bool use_locking;
} weir_apply_proximal_adagrad_options;
static inline TF_Output
weir_apply_proximal_adagrad(weir_builder *builder, const char *node, TF_Output var, TF_Output accum,
                            TF_Output lr, TF_Output l1, TF_Output l2, TF_Output grad,
                            const weir_apply_proximal_adagrad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyProximalAdagrad", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ApplyProximalGradientDescent(var: Ref(T), alpha: T, l1: T, l2: T, delta: T) -> out: Ref(T): a
 * step of gradient descent, then L1 and L2 shrinkage. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. */
typedef struct weir_apply_proximal_gradient_descent_options {
    bool use_locking;
} weir_apply_proximal_gradient_descent_options;
static inline TF_Output
weir_apply_proximal_gradient_descent(weir_builder *builder, const char *node, TF_Output var,
                                     TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output delta,
                                     const weir_apply_proximal_gradient_descent_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyProximalGradientDescent", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, alpha);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, delta);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ApplyRMSProp(var: Ref(T), ms: Ref(T), mom: Ref(T), lr: T, rho: T, momentum: T, epsilon: T, grad:
 * T) -> out: Ref(T): a step of RMSProp. T: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. */
typedef struct weir_apply_rms_prop_options {
    bool use_locking;
} weir_apply_rms_prop_options;
static inline TF_Output weir_apply_rms_prop(weir_builder *builder, const char *node, TF_Output var,
                                            TF_Output ms, TF_Output mom, TF_Output lr,
                                            TF_Output rho, TF_Output momentum, TF_Output epsilon,
                                            TF_Output grad,
                                            const weir_apply_rms_prop_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApplyRMSProp", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, ms);
    weir_build_input(builder, made, mom);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, momentum);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made);
}

/* ResourceApplyAdaMax(var: resource, m: resource, v: resource, beta1_power: T, lr: T, beta1: T,
 * beta2: T, epsilon: T, grad: T): a step of AdaMax; by a resource handle. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_ada_max_options {
    bool use_locking;
} weir_resource_apply_ada_max_options;
static inline TF_Operation *
weir_resource_apply_ada_max(weir_builder *builder, const char *node, TF_Output var, TF_Output m,
                            TF_Output v, TF_Output beta1_power, TF_Output lr, TF_Output beta1,
                            TF_Output beta2, TF_Output epsilon, TF_Output grad,
                            const weir_resource_apply_ada_max_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyAdaMax", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, m);
    weir_build_input(builder, made, v);
    weir_build_input(builder, made, beta1_power);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, beta1);
    weir_build_input(builder, made, beta2);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyAdadelta(var: resource, accum: resource, accum_update: resource, lr: T, rho: T,
 * epsilon: T, grad: T): a step of Adadelta; by a resource handle. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_adadelta_options {
    bool use_locking;
} weir_resource_apply_adadelta_options;
static inline TF_Operation *
weir_resource_apply_adadelta(weir_builder *builder, const char *node, TF_Output var,
                             TF_Output accum, TF_Output accum_update, TF_Output lr, TF_Output rho,
                             TF_Output epsilon, TF_Output grad,
                             const weir_resource_apply_adadelta_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyAdadelta", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, accum_update);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyAdagrad(var: resource, accum: resource, lr: T, grad: T): a step of Adagrad; by a
 * resource handle. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_adagrad_options {
    bool use_locking;
    bool not_update_slots;
} weir_resource_apply_adagrad_options;
static inline TF_Operation *
weir_resource_apply_adagrad(weir_builder *builder, const char *node, TF_Output var, TF_Output accum,
                            TF_Output lr, TF_Output grad,
                            const weir_resource_apply_adagrad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyAdagrad", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "update_slots", !options->not_update_slots);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyAdagradDA(var: resource, gradient_accumulator: resource,
 * gradient_squared_accumulator: resource, grad: T, lr: T, l1: T, l2: T, global_step: int64): a step
 * of Adagrad by dual averaging; by a resource handle. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. */
typedef struct weir_resource_apply_adagrad_da_options {
    bool use_locking;
} weir_resource_apply_adagrad_da_options;
static inline TF_Operation *
weir_resource_apply_adagrad_da(weir_builder *builder, const char *node, TF_Output var,
                               TF_Output gradient_accumulator,
                               TF_Output gradient_squared_accumulator, TF_Output grad, TF_Output lr,
                               TF_Output l1, TF_Output l2, TF_Output global_step,
                               const weir_resource_apply_adagrad_da_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyAdagradDA", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, gradient_accumulator);
    weir_build_input(builder, made, gradient_squared_accumulator);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, global_step);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyAdagradV2(var: resource, accum: resource, lr: T, epsilon: T, grad: T): a step of
 * Adagrad; by a resource handle. T: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_adagrad_v2_options {
    bool use_locking;
    bool not_update_slots;
} weir_resource_apply_adagrad_v2_options;
static inline TF_Operation *
weir_resource_apply_adagrad_v2(weir_builder *builder, const char *node, TF_Output var,
                               TF_Output accum, TF_Output lr, TF_Output epsilon, TF_Output grad,
                               const weir_resource_apply_adagrad_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyAdagradV2", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "update_slots", !options->not_update_slots);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyAdam(var: resource, m: resource, v: resource, beta1_power: T, beta2_power: T, lr: T,
 * beta1: T, beta2: T, epsilon: T, grad: T): a step of Adam; by a resource handle. T: float, double,
 * int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16,
 * uint16, complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_adam_options {
    bool use_locking;
    bool use_nesterov;
} weir_resource_apply_adam_options;
static inline TF_Operation *
weir_resource_apply_adam(weir_builder *builder, const char *node, TF_Output var, TF_Output m,
                         TF_Output v, TF_Output beta1_power, TF_Output beta2_power, TF_Output lr,
                         TF_Output beta1, TF_Output beta2, TF_Output epsilon, TF_Output grad,
                         const weir_resource_apply_adam_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyAdam", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, m);
    weir_build_input(builder, made, v);
    weir_build_input(builder, made, beta1_power);
    weir_build_input(builder, made, beta2_power);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, beta1);
    weir_build_input(builder, made, beta2);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "use_nesterov", options->use_nesterov);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyAdamWithAmsgrad(var: resource, m: resource, v: resource, vhat: resource,
 * beta1_power: T, beta2_power: T, lr: T, beta1: T, beta2: T, epsilon: T, grad: T): a step of Adam
 * that keeps the largest second moment; by a resource handle. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_adam_with_amsgrad_options {
    bool use_locking;
} weir_resource_apply_adam_with_amsgrad_options;
static inline TF_Operation *
weir_resource_apply_adam_with_amsgrad(weir_builder *builder, const char *node, TF_Output var,
                                      TF_Output m, TF_Output v, TF_Output vhat,
                                      TF_Output beta1_power, TF_Output beta2_power, TF_Output lr,
                                      TF_Output beta1, TF_Output beta2, TF_Output epsilon,
                                      TF_Output grad,
                                      const weir_resource_apply_adam_with_amsgrad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyAdamWithAmsgrad", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, m);
    weir_build_input(builder, made, v);
    weir_build_input(builder, made, vhat);
    weir_build_input(builder, made, beta1_power);
    weir_build_input(builder, made, beta2_power);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, beta1);
    weir_build_input(builder, made, beta2);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyAddSign(var: resource, m: resource, lr: T, alpha: T, sign_decay: T, beta: T, grad:
 * T): a step of AddSign; by a resource handle. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. */
typedef struct weir_resource_apply_add_sign_options {
    bool use_locking;
} weir_resource_apply_add_sign_options;
static inline TF_Operation *
weir_resource_apply_add_sign(weir_builder *builder, const char *node, TF_Output var, TF_Output m,
                             TF_Output lr, TF_Output alpha, TF_Output sign_decay, TF_Output beta,
                             TF_Output grad, const weir_resource_apply_add_sign_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyAddSign", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, m);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, alpha);
    weir_build_input(builder, made, sign_decay);
    weir_build_input(builder, made, beta);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyCenteredRMSProp(var: resource, mg: resource, ms: resource, mom: resource, lr: T,
 * rho: T, momentum: T, epsilon: T, grad: T): a step of RMSProp with the mean gradient subtracted;
 * by a resource handle. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_centered_rms_prop_options {
    bool use_locking;
} weir_resource_apply_centered_rms_prop_options;
static inline TF_Operation *
weir_resource_apply_centered_rms_prop(weir_builder *builder, const char *node, TF_Output var,
                                      TF_Output mg, TF_Output ms, TF_Output mom, TF_Output lr,
                                      TF_Output rho, TF_Output momentum, TF_Output epsilon,
                                      TF_Output grad,
                                      const weir_resource_apply_centered_rms_prop_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyCenteredRMSProp", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, mg);
    weir_build_input(builder, made, ms);
    weir_build_input(builder, made, mom);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, momentum);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyFtrl(var: resource, accum: resource, linear: resource, grad: T, lr: T, l1: T, l2: T,
 * lr_power: T): a step of FTRL-Proximal; by a resource handle. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_ftrl_options {
    bool use_locking;
    bool multiply_linear_by_lr;
} weir_resource_apply_ftrl_options;
static inline TF_Operation *
weir_resource_apply_ftrl(weir_builder *builder, const char *node, TF_Output var, TF_Output accum,
                         TF_Output linear, TF_Output grad, TF_Output lr, TF_Output l1, TF_Output l2,
                         TF_Output lr_power, const weir_resource_apply_ftrl_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyFtrl", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, linear);
    weir_build_input(builder, made, grad);
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

/* ResourceApplyFtrlV2(var: resource, accum: resource, linear: resource, grad: T, lr: T, l1: T, l2:
 * T, l2_shrinkage: T, lr_power: T): a step of FTRL-Proximal; by a resource handle. T: float,
 * double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16,
 * quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_ftrl_v2_options {
    bool use_locking;
    bool multiply_linear_by_lr;
} weir_resource_apply_ftrl_v2_options;
static inline TF_Operation *
weir_resource_apply_ftrl_v2(weir_builder *builder, const char *node, TF_Output var, TF_Output accum,
                            TF_Output linear, TF_Output grad, TF_Output lr, TF_Output l1,
                            TF_Output l2, TF_Output l2_shrinkage, TF_Output lr_power,
                            const weir_resource_apply_ftrl_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyFtrlV2", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, linear);
    weir_build_input(builder, made, grad);
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

/* ResourceApplyGradientDescent(var: resource, alpha: T, delta: T): var -= alpha * delta; by a
 * resource handle. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_gradient_descent_options {
    bool use_locking;
} weir_resource_apply_gradient_descent_options;
static inline TF_Operation *
weir_resource_apply_gradient_descent(weir_builder *builder, const char *node, TF_Output var,
                                     TF_Output alpha, TF_Output delta,
                                     const weir_resource_apply_gradient_descent_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyGradientDescent", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, alpha);
    weir_build_input(builder, made, delta);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyKerasMomentum(var: resource, accum: resource, lr: T, grad: T, momentum: T): a step
 * with momentum that includes the learning rate; by a resource handle. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_keras_momentum_options {
    bool use_locking;
    bool use_nesterov;
} weir_resource_apply_keras_momentum_options;
static inline TF_Operation *
weir_resource_apply_keras_momentum(weir_builder *builder, const char *node, TF_Output var,
                                   TF_Output accum, TF_Output lr, TF_Output grad,
                                   TF_Output momentum,
                                   const weir_resource_apply_keras_momentum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyKerasMomentum", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, momentum);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "use_nesterov", options->use_nesterov);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyMomentum(var: resource, accum: resource, lr: T, grad: T, momentum: T): a step with
 * momentum; by a resource handle. T: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_momentum_options {
    bool use_locking;
    bool use_nesterov;
} weir_resource_apply_momentum_options;
static inline TF_Operation *
weir_resource_apply_momentum(weir_builder *builder, const char *node, TF_Output var,
                             TF_Output accum, TF_Output lr, TF_Output grad, TF_Output momentum,
                             const weir_resource_apply_momentum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyMomentum", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, momentum);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
        TF_SetAttrBool(made, "use_nesterov", options->use_nesterov);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyPowerSign(var: resource, m: resource, lr: T, logbase: T, sign_decay: T, beta: T,
 * grad: T): a step of PowerSign; by a resource handle. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. */
typedef struct weir_resource_apply_power_sign_options {
    bool use_locking;
} weir_resource_apply_power_sign_options;
static inline TF_Operation *
weir_resource_apply_power_sign(weir_builder *builder, const char *node, TF_Output var, TF_Output m,
                               TF_Output lr, TF_Output logbase, TF_Output sign_decay,
                               TF_Output beta, TF_Output grad,
                               const weir_resource_apply_power_sign_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyPowerSign", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, m);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, logbase);
    weir_build_input(builder, made, sign_decay);
    weir_build_input(builder, made, beta);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyProximalAdagrad(var: resource, accum: resource, lr: T, l1: T, l2: T, grad: T): a
 * step of Adagrad, then L1 and L2 shrinkage; by a resource handle. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_proximal_adagrad_options {
    bool use_locking;
} weir_resource_apply_proximal_adagrad_options;
static inline TF_Operation *
weir_resource_apply_proximal_adagrad(weir_builder *builder, const char *node, TF_Output var,
                                     TF_Output accum, TF_Output lr, TF_Output l1, TF_Output l2,
                                     TF_Output grad,
                                     const weir_resource_apply_proximal_adagrad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyProximalAdagrad", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, accum);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyProximalGradientDescent(var: resource, alpha: T, l1: T, l2: T, delta: T): a step of
 * gradient descent, then L1 and L2 shrinkage; by a resource handle. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_proximal_gradient_descent_options {
    bool use_locking;
} weir_resource_apply_proximal_gradient_descent_options;
static inline TF_Operation *
weir_resource_apply_proximal_gradient_descent(weir_builder *builder, const char *node,
    TF_Output var, TF_Output alpha, TF_Output l1, TF_Output l2, TF_Output delta,
    const weir_resource_apply_proximal_gradient_descent_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ResourceApplyProximalGradientDescent", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, alpha);
    weir_build_input(builder, made, l1);
    weir_build_input(builder, made, l2);
    weir_build_input(builder, made, delta);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* ResourceApplyRMSProp(var: resource, ms: resource, mom: resource, lr: T, rho: T, momentum: T,
 * epsilon: T, grad: T): a step of RMSProp; by a resource handle. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
typedef struct weir_resource_apply_rms_prop_options {
    bool use_locking;
} weir_resource_apply_rms_prop_options;
static inline TF_Operation *
weir_resource_apply_rms_prop(weir_builder *builder, const char *node, TF_Output var, TF_Output ms,
                             TF_Output mom, TF_Output lr, TF_Output rho, TF_Output momentum,
                             TF_Output epsilon, TF_Output grad,
                             const weir_resource_apply_rms_prop_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceApplyRMSProp", node);
    weir_build_input(builder, made, var);
    weir_build_input(builder, made, ms);
    weir_build_input(builder, made, mom);
    weir_build_input(builder, made, lr);
    weir_build_input(builder, made, rho);
    weir_build_input(builder, made, momentum);
    weir_build_input(builder, made, epsilon);
    weir_build_input(builder, made, grad);
    if (made && options) {
        TF_SetAttrBool(made, "use_locking", options->use_locking);
    }
    return weir_build_end(builder, made).oper;
}

/* SdcaShrinkL1(weights: num_features * Ref(float)): soft thresholding of weights by l1 / l2. */
static inline TF_Operation *weir_sdca_shrink_l1(weir_builder *builder, const char *node,
                                                const TF_Output *weights, int weights_count,
                                                float l1, float l2)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SdcaShrinkL1", node);
    weir_build_input_list(builder, made, weights, weights_count);
    if (made) {
        TF_SetAttrFloat(made, "l1", l1);
        TF_SetAttrFloat(made, "l2", l2);
    }
    return weir_build_end(builder, made).oper;
}

#ifdef __cplusplus
}
#endif
#endif
