/* ops/train/train.c - Apply*, SparseApply*, ResourceApply*, ResourceSparseApply*.
 *
 * A row is an optimiser, whose variables (slots) are references or resources: the slots' names, the
 * inputs that follow them, its own attr and the types of its kernels. The rule of the same name is
 * in math/train.
 */
#include "ops/declare.h"
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

/* Slots, with the type given by the variant. */
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

#define STATE .prepare = weir_apply_prepare, .cleanup = weir_apply_cleanup
#define UPDATE(rule) .infer = weir_apply_infer, .no_grad = true, .update = 1 + WEIR_TRAIN_##rule
#define KERNEL(types, flags) WEIR_CPU, types, weir_apply_run, flags, STATE
#define OF_REF(types) .out = "out: Ref(T)", .kernels = {{KERNEL(types, WEIR_OWN_OUTPUTS)}}
#define OF_RESOURCE(types) .flags = WEIR_STATEFUL, .kernels = {{KERNEL(types, 0)}}

/* The two dense ops of an optimiser ... */
#define DENSE(rule, text, slots, inputs, own_attr, types)                                          \
    WEIR_DEFINE_OP(apply_##rule, "Apply" text, UPDATE(rule), OF_REF(types),                        \
                   .in = slots("Ref(T)") inputs, .attrs = NUMBERS LOCKING own_attr);               \
    WEIR_DEFINE_OP(resource_apply_##rule, "ResourceApply" text, UPDATE(rule), OF_RESOURCE(types),  \
                   .in = slots("resource") inputs, .attrs = NUMBERS LOCKING own_attr)
/* ... and the two sparse ones, with indices of rows. */
#define SPARSE(rule, text, slots, inputs, own_attr, types)                                         \
    WEIR_DEFINE_OP(sparse_apply_##rule, "SparseApply" text, UPDATE(rule), OF_REF(types),           \
                   .in = slots("Ref(T)") inputs, .attrs = NUMBERS INDEX_TYPES LOCKING own_attr);   \
    WEIR_DEFINE_OP(resource_sparse_apply_##rule, "ResourceSparseApply" text, UPDATE(rule),         \
                   OF_RESOURCE(types), .in = slots("resource") inputs,                             \
                   .attrs = NUMBERS INDEX_TYPES LOCKING own_attr)

DENSE(gradient_descent, "GradientDescent", VAR, "; alpha: T; delta: T", "", COMPLEX_TOO);
DENSE(proximal_gradient_descent, "ProximalGradientDescent", VAR,
      "; alpha: T; l1: T; l2: T; delta: T", "", WIDE);
SPARSE(proximal_gradient_descent, "ProximalGradientDescent", VAR,
       "; alpha: T; l1: T; l2: T; grad: T; indices: Tindices", "", WIDE);
DENSE(momentum, "Momentum", VAR_ACCUM, "; lr: T; grad: T; momentum: T", NESTEROV, COMPLEX_TOO);
SPARSE(momentum, "Momentum", VAR_ACCUM, "; lr: T; grad: T; indices: Tindices; momentum: T",
       NESTEROV, COMPLEX_TOO);
WEIR_DEFINE_OP(resource_apply_keras_momentum, "ResourceApplyKerasMomentum", UPDATE(keras_momentum),
               OF_RESOURCE(COMPLEX_TOO),
               .in = VAR_ACCUM("resource") "; lr: T; grad: T; momentum: T",
               .attrs = NUMBERS LOCKING NESTEROV);
WEIR_DEFINE_OP(resource_sparse_apply_keras_momentum, "ResourceSparseApplyKerasMomentum",
               UPDATE(keras_momentum), OF_RESOURCE(COMPLEX_TOO),
               .in = VAR_ACCUM("resource") "; lr: T; grad: T; indices: Tindices; momentum: T",
               .attrs = NUMBERS INDEX_TYPES LOCKING NESTEROV);
DENSE(adagrad, "Adagrad", VAR_ACCUM, "; lr: T; grad: T", UPDATE_SLOTS, COMPLEX_TOO);
SPARSE(adagrad, "Adagrad", VAR_ACCUM, "; lr: T; grad: T; indices: Tindices", UPDATE_SLOTS,
       COMPLEX_TOO);
DENSE(adagrad_v2, "AdagradV2", VAR_ACCUM, "; lr: T; epsilon: T; grad: T", UPDATE_SLOTS,
      COMPLEX_TOO);
SPARSE(adagrad_v2, "AdagradV2", VAR_ACCUM, "; lr: T; epsilon: T; grad: T; indices: Tindices",
       UPDATE_SLOTS, COMPLEX_TOO);
DENSE(adagrad_da, "AdagradDA", VAR_SUMS, "; grad: T; lr: T; l1: T; l2: T; global_step: int64", "",
      WIDE);
SPARSE(adagrad_da, "AdagradDA", VAR_SUMS,
       "; grad: T; indices: Tindices; lr: T; l1: T; l2: T; global_step: int64", "", WIDE);
DENSE(proximal_adagrad, "ProximalAdagrad", VAR_ACCUM, "; lr: T; l1: T; l2: T; grad: T", "", WIDE);
SPARSE(proximal_adagrad, "ProximalAdagrad", VAR_ACCUM,
       "; lr: T; l1: T; l2: T; grad: T; indices: Tindices", "", WIDE);
DENSE(adadelta, "Adadelta", VAR_DELTAS, "; lr: T; rho: T; epsilon: T; grad: T", "", COMPLEX_TOO);
SPARSE(adadelta, "Adadelta", VAR_DELTAS, "; lr: T; rho: T; epsilon: T; grad: T; indices: Tindices",
       "", COMPLEX_TOO);
DENSE(rms_prop, "RMSProp", VAR_MS, "; lr: T; rho: T; momentum: T; epsilon: T; grad: T", "",
      COMPLEX_TOO);
SPARSE(rms_prop, "RMSProp", VAR_MS,
       "; lr: T; rho: T; momentum: T; epsilon: T; grad: T; indices: Tindices", "", NO_BFLOAT16);
DENSE(centered_rms_prop, "CenteredRMSProp", VAR_MG,
      "; lr: T; rho: T; momentum: T; epsilon: T; grad: T", "", COMPLEX_TOO);
SPARSE(centered_rms_prop, "CenteredRMSProp", VAR_MG,
       "; lr: T; rho: T; momentum: T; epsilon: T; grad: T; indices: Tindices", "", NO_BFLOAT16);
DENSE(adam, "Adam", VAR_MV,
      "; beta1_power: T; beta2_power: T; lr: T; beta1: T; beta2: T; epsilon: T; grad: T", NESTEROV,
      COMPLEX_TOO);
WEIR_DEFINE_OP(resource_apply_adam_with_amsgrad, "ResourceApplyAdamWithAmsgrad",
               UPDATE(adam_with_amsgrad), OF_RESOURCE(REAL),
               .in = VAR_MVV("resource") "; beta1_power: T; beta2_power: T; lr: T; beta1: T; "
                                         "beta2: T; epsilon: T; grad: T",
               .attrs = NUMBERS LOCKING);
DENSE(ada_max, "AdaMax", VAR_MV, "; beta1_power: T; lr: T; beta1: T; beta2: T; epsilon: T; grad: T",
      "", THREE);
DENSE(add_sign, "AddSign", VAR_M, "; lr: T; alpha: T; sign_decay: T; beta: T; grad: T", "", REAL);
DENSE(power_sign, "PowerSign", VAR_M, "; lr: T; logbase: T; sign_decay: T; beta: T; grad: T", "",
      REAL);
DENSE(ftrl, "Ftrl", VAR_LINEAR, "; grad: T; lr: T; l1: T; l2: T; lr_power: T", LINEAR_BY_LR, REAL);
SPARSE(ftrl, "Ftrl", VAR_LINEAR, "; grad: T; indices: Tindices; lr: T; l1: T; l2: T; lr_power: T",
       LINEAR_BY_LR, REAL);
DENSE(ftrl_v2, "FtrlV2", VAR_LINEAR, "; grad: T; lr: T; l1: T; l2: T; l2_shrinkage: T; lr_power: T",
      LINEAR_BY_LR, REAL);
SPARSE(ftrl_v2, "FtrlV2", VAR_LINEAR,
       "; grad: T; indices: Tindices; lr: T; l1: T; l2: T; l2_shrinkage: T; lr_power: T",
       LINEAR_BY_LR, REAL);
