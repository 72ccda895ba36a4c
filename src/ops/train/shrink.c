/* ops/train/shrink.c - SdcaShrinkL1: soft thresholding of weights by l1 /
 * l2. */
#include <math.h>

#include "ops/declare.h"
#include "state/var.h"

enum { COUNT, L1, L2 };

static weir_status shrink_one(weir_var *var, float by)
{
    weir_tensor *value;
    WEIR_TRY(weir_var_begin(var, &value));
    for (int64_t i = 0; value && i < weir_tensor_count(value); i++) {
        float *weight = (float *)value->data + i;
        *weight = copysignf(fmaxf(fabsf(*weight) - by, 0), *weight);
    }
    weir_var_end(var);
    return value ? WEIR_OK
                 : weir_error(WEIR_FAILED_PRECONDITION, "Attempting to use uninitialized weights");
}

static weir_status shrink(weir_call *call)
{
    float l1 = weir_site_float(call->site, L1), l2 = weir_site_float(call->site, L2);
    for (int i = 0; i < call->site->in_count; i++)
        WEIR_TRY(shrink_one(weir_call_var(call, i), l1 / l2));
    return WEIR_OK;
}

WEIR_DEFINE_OP(sdca_shrink_l1, "SdcaShrinkL1", .in = "weights: num_features * Ref(float)",
               .attrs = "num_features: int >= 0; l1: float; l2: float", .flags = WEIR_NO_FOLD,
               .infer = weir_infer_no_outputs, .no_grad = true,
               .kernels = {{WEIR_CPU, "*", shrink}});
