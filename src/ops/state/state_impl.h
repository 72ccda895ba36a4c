/* ops/state/state_impl.h - what the ops over variables share, in this family and in train/. */
#ifndef WEIR_OPS_STATE_STATE_IMPL_H
#define WEIR_OPS_STATE_STATE_IMPL_H

#include "op/op.h"
#include "ops/state/named.h"
#include "state/var.h"

/* Lists for kernel rows. */
#define WEIR_REAL_TYPES                                                                            \
    "float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64"
#define WEIR_NUMBER_TYPES WEIR_REAL_TYPES ", complex64, complex128"
#define WEIR_POD_TYPES WEIR_NUMBER_TYPES ", bool"
#define WEIR_ALL_TYPES WEIR_POD_TYPES ", string, resource, variant"
#define WEIR_QUANTIZED_TYPES "qint8, quint8, qint32"

/* Tells the recorder of the step, if any, before the variable is moved, read or changed. */
void weir_state_use(const weir_call *call, weir_var *var);
/* The variable of input |i|: behind the reference, or named by the resource handle. Retained. */
WEIR_CHECKED weir_status weir_state_var(weir_call *call, int i, weir_var **out_var);
/* Passes the reference of input 0 on as output 0, for ops that have one. */
void weir_state_forward_ref(weir_call *call);
/* Locks |var| and gives its value for changing; fails (unlocked) when there is none or its type is
 * not |dtype|. End with weir_var_end. */
WEIR_CHECKED weir_status weir_state_begin(weir_var *var, weir_dtype dtype, weir_tensor **out_value);

/* Inference. True when it runs on the tensors of a step, where kernels check variables. */
static inline bool weir_state_at_run(const weir_infer *infer)
{
    return !infer->in_handles;
}
/* What is known of the variable behind input |in|, a handle or a reference. Shape is unknown at
 * worst. Fails when the handle's type is known and not |dtype| (0: any). */
WEIR_CHECKED weir_status weir_state_infer_var(weir_infer *infer, int in, weir_dtype dtype,
                                              weir_shape *out_shape);

#endif
