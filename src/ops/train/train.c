/* ops/train/train.c - Apply*, SparseApply*, ResourceApply*, ResourceSparseApply*.
 *
 * A row is an optimiser: its slots, what its signature has before and after the gradient, its own
 * attr and the types of its kernels. The rule of the same name is in math/train.
 */
#include "ops/train/apply_impl.h"

#define NUMBERS                                                                                    \
    "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "      \
    "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}; "
#define INDEX_TYPES "Tindices: {int32, int64}; "
#define LOCKING "use_locking: bool = false"
#define NESTEROV "; use_nesterov: bool = false"
#define UPDATE_SLOTS "; update_slots: bool = true"
#define LINEAR_BY_LR "; multiply_linear_by_lr: bool = false"

#define COMPLEX_TOO "T: float, double, half, bfloat16, complex64, complex128"
#define NO_BFLOAT16 "T: float, double, half, complex64, complex128"
#define REAL "T: float, double, half, bfloat16"
#define THREE "T: float, double, half"
#define WIDE "T: float, double"

/* Slots, with the type that the form gives them. */
#define VAR(R) "var: " R
#define VAR_ACCUM(R) VAR(R) "; accum: " R
#define VAR_SUMS(R) VAR(R) "; gradient_accumulator: " R "; gradient_squared_accumulator: " R
#define VAR_DELTAS(R) VAR_ACCUM(R) "; accum_update: " R
#define VAR_MS(R) VAR(R) "; ms: " R "; mom: " R
#define VAR_MG(R) VAR(R) "; mg: " R "; ms: " R "; mom: " R
#define VAR_M(R) VAR(R) "; m: " R
#define VAR_MV(R) VAR_M(R) "; v: " R
#define VAR_MVV(R) VAR_MV(R) "; vhat: " R
#define VAR_LINEAR(R) VAR_ACCUM(R) "; linear: " R

#define KERNEL(rule, types, own)                                                                   \
    .infer = weir_apply_infer, .no_grad = true, .update = 1 + WEIR_TRAIN_##rule,                   \
    .kernels = {{WEIR_CPU, types, run_##rule, own, .prepare = weir_apply_prepare,                  \
                 .cleanup = weir_apply_cleanup}}

#define REF_OP(id, text, rule, inputs, attr_text, types)                                           \
    const weir_op weir_op_##id = {                                                                 \
        .name = text,                                                                              \
        .in = inputs,                                                                              \
        .out = "out: Ref(T)",                                                                      \
        .attrs = attr_text,                                                                        \
        KERNEL(rule, types, WEIR_OWN_OUTPUTS),                                                     \
    };
#define RESOURCE_OP(id, text, rule, inputs, attr_text, types)                                      \
    const weir_op weir_op_##id = {                                                                 \
        .name = text,                                                                              \
        .in = inputs,                                                                              \
        .attrs = attr_text,                                                                        \
        .flags = WEIR_STATEFUL,                                                                    \
        KERNEL(rule, types, 0),                                                                    \
    };

#define RULE(rule)                                                                                 \
    static weir_status run_##rule(weir_call *c)                                                    \
    {                                                                                              \
        return weir_apply_run(c, WEIR_TRAIN_##rule);                                               \
    }

#define DENSE_IN(slots, R, before, grad, after) slots(R) "; " before grad ": T" after
#define SPARSE_IN(slots, R, before, after) slots(R) "; " before "grad: T; indices: Tindices" after

#define REF_DENSE(rule, text, slots, before, grad, after, own, types)                              \
    REF_OP(apply_##rule, "Apply" text, rule, DENSE_IN(slots, "Ref(T)", before, grad, after),       \
           NUMBERS LOCKING own, types)
#define REF_SPARSE(rule, text, slots, before, after, own, types)                                   \
    REF_OP(sparse_apply_##rule, "SparseApply" text, rule,                                          \
           SPARSE_IN(slots, "Ref(T)", before, after), NUMBERS INDEX_TYPES LOCKING own, types)
#define RES_DENSE(rule, text, slots, before, grad, after, own, types)                              \
    RESOURCE_OP(resource_apply_##rule, "ResourceApply" text, rule,                                 \
                DENSE_IN(slots, "resource", before, grad, after), NUMBERS LOCKING own, types)
#define RES_SPARSE(rule, text, slots, before, after, own, types)                                   \
    RESOURCE_OP(resource_sparse_apply_##rule, "ResourceSparseApply" text, rule,                    \
                SPARSE_IN(slots, "resource", before, after), NUMBERS INDEX_TYPES LOCKING own,      \
                types)

#define DENSE(rule, text, slots, before, grad, after, own, types)                                  \
    RULE(rule)                                                                                     \
    REF_DENSE(rule, text, slots, before, grad, after, own, types)                                  \
    RES_DENSE(rule, text, slots, before, grad, after, own, types)
#define SPARSE(rule, text, slots, before, after, own, types)                                       \
    REF_SPARSE(rule, text, slots, before, after, own, types)                                       \
    RES_SPARSE(rule, text, slots, before, after, own, types)
#define BOTH(rule, text, slots, before, grad, after, own, types)                                   \
    DENSE(rule, text, slots, before, grad, after, own, types)                                      \
    SPARSE(rule, text, slots, before, after, own, types)

/* clang-format off */
DENSE(gradient_descent, "GradientDescent", VAR, "alpha: T; ", "delta", "", "", COMPLEX_TOO)
BOTH(proximal_gradient_descent, "ProximalGradientDescent", VAR, "alpha: T; l1: T; l2: T; ", "delta", "", "", WIDE)
BOTH(momentum, "Momentum", VAR_ACCUM, "lr: T; ", "grad", "; momentum: T", NESTEROV, COMPLEX_TOO)
RULE(keras_momentum)
RES_DENSE(keras_momentum, "KerasMomentum", VAR_ACCUM, "lr: T; ", "grad", "; momentum: T", NESTEROV, COMPLEX_TOO)
RES_SPARSE(keras_momentum, "KerasMomentum", VAR_ACCUM, "lr: T; ", "; momentum: T", NESTEROV, COMPLEX_TOO)
BOTH(adagrad, "Adagrad", VAR_ACCUM, "lr: T; ", "grad", "", UPDATE_SLOTS, COMPLEX_TOO)
BOTH(adagrad_v2, "AdagradV2", VAR_ACCUM, "lr: T; epsilon: T; ", "grad", "", UPDATE_SLOTS, COMPLEX_TOO)
BOTH(adagrad_da, "AdagradDA", VAR_SUMS, "", "grad", "; lr: T; l1: T; l2: T; global_step: int64", "", WIDE)
BOTH(proximal_adagrad, "ProximalAdagrad", VAR_ACCUM, "lr: T; l1: T; l2: T; ", "grad", "", "", WIDE)
BOTH(adadelta, "Adadelta", VAR_DELTAS, "lr: T; rho: T; epsilon: T; ", "grad", "", "", COMPLEX_TOO)
DENSE(rms_prop, "RMSProp", VAR_MS, "lr: T; rho: T; momentum: T; epsilon: T; ", "grad", "", "", COMPLEX_TOO)
SPARSE(rms_prop, "RMSProp", VAR_MS, "lr: T; rho: T; momentum: T; epsilon: T; ", "", "", NO_BFLOAT16)
DENSE(centered_rms_prop, "CenteredRMSProp", VAR_MG, "lr: T; rho: T; momentum: T; epsilon: T; ", "grad", "", "", COMPLEX_TOO)
SPARSE(centered_rms_prop, "CenteredRMSProp", VAR_MG, "lr: T; rho: T; momentum: T; epsilon: T; ", "", "", NO_BFLOAT16)
DENSE(adam, "Adam", VAR_MV, "beta1_power: T; beta2_power: T; lr: T; beta1: T; beta2: T; epsilon: T; ", "grad", "", NESTEROV, COMPLEX_TOO)
RULE(adam_with_amsgrad)
RES_DENSE(adam_with_amsgrad, "AdamWithAmsgrad", VAR_MVV, "beta1_power: T; beta2_power: T; lr: T; beta1: T; beta2: T; epsilon: T; ", "grad", "", "", REAL)
DENSE(ada_max, "AdaMax", VAR_MV, "beta1_power: T; lr: T; beta1: T; beta2: T; epsilon: T; ", "grad", "", "", THREE)
DENSE(add_sign, "AddSign", VAR_M, "lr: T; alpha: T; sign_decay: T; beta: T; ", "grad", "", "", REAL)
DENSE(power_sign, "PowerSign", VAR_M, "lr: T; logbase: T; sign_decay: T; beta: T; ", "grad", "", "", REAL)
BOTH(ftrl, "Ftrl", VAR_LINEAR, "", "grad", "; lr: T; l1: T; l2: T; lr_power: T", LINEAR_BY_LR, REAL)
BOTH(ftrl_v2, "FtrlV2", VAR_LINEAR, "", "grad", "; lr: T; l1: T; l2: T; l2_shrinkage: T; lr_power: T", LINEAR_BY_LR, REAL)
/* clang-format on */
