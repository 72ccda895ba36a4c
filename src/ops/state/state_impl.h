/* ops/state/state_impl.h - shared by the ops on variables, in this family and in train/. */
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

/* Notifies the step's recorder, if any, before the variable is moved, read or written. */
void weir_state_use(const weir_call *call, weir_var *var);
/* The variable of input |i|: a reference or a resource handle. Retained. */
WEIR_CHECKED weir_status weir_state_var(weir_call *call, int i, weir_var **out_var);
/* Forwards the reference of input 0 to output 0, for ops that have one. */
void weir_state_forward_ref(weir_call *call);
/* Calls |change| with the variable of input 0, then forwards its reference. */
WEIR_CHECKED weir_status weir_state_change(weir_call *call,
                                           weir_status (*change)(weir_call *call, weir_var *var));
/* Locks |var| and returns its value for modification; fails (unlocked) if it is uninitialised or
 * not of |dtype|. End with weir_var_end. */
WEIR_CHECKED weir_status weir_state_begin(weir_var *var, weir_dtype dtype, weir_tensor **out_value);

/* For inference. True before kernels run, which check variables themselves. */
static inline bool weir_state_at_run(const weir_infer *infer)
{
    return !infer->in_handles;
}
/* The known type and shape of the variable of input |in|, a handle or a reference; the shape may be
 * unknown. Fails if the handle's type is known and not |dtype| (0: any). */
WEIR_CHECKED weir_status weir_state_infer_var(weir_infer *infer, int in, weir_dtype dtype,
                                              weir_shape *out_shape);

#endif
