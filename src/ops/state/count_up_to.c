/* ops/state/count_up_to.c - CountUpTo, ResourceCountUpTo: returns and increments the counter. */
#include "ops/state/state_impl.h"

enum { LIMIT, T };

/* Reads and increments; the variable is locked. */
static weir_status take_count(weir_tensor *value, int64_t limit, weir_tensor *out)
{
    if (value->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "input is not a scalar: %s",
                          WEIR_SHAPE_STR(&value->shape));
    int64_t now = value->dtype == WEIR_INT32 ? *(int32_t *)value->data : *(int64_t *)value->data;
    if (now >= limit)
        return weir_error(WEIR_OUT_OF_RANGE, "Reached limit of %lld", (long long)limit);
    if (value->dtype == WEIR_INT32) {
        *(int32_t *)out->data = (int32_t)now;
        *(int32_t *)value->data = (int32_t)(now + 1);
    } else {
        *(int64_t *)out->data = now;
        *(int64_t *)value->data = now + 1;
    }
    return WEIR_OK;
}

static weir_status count_up_to(weir_call *call)
{
    weir_var *var;
    WEIR_TRY(weir_state_var(call, 0, &var));
    weir_tensor *value;
    weir_status status = weir_state_begin(var, weir_site_type(call->site, T), &value);
    if (!status) {
        status = take_count(value, weir_site_int(call->site, LIMIT), weir_out(call, 0));
        weir_var_end(var);
    }
    weir_var_release(var);
    return status;
}

static weir_status infer(weir_infer *infer)
{
    weir_shape shape;
    infer->out[0] = WEIR_SCALAR;
    WEIR_TRY(weir_state_infer_var(infer, 0, weir_site_type(infer->site, T), &shape));
    return weir_infer_merge(&shape, &WEIR_SCALAR, &infer->out[0]);
}

const weir_op weir_op_count_up_to = {
    .name = "CountUpTo",
    .in = "ref: Ref(T)",
    .out = "output: T",
    .attrs = "limit: int; T: {int32, int64}",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", count_up_to, WEIR_CHEAP}},
};

const weir_op weir_op_resource_count_up_to = {
    .name = "ResourceCountUpTo",
    .in = "resource: resource",
    .out = "output: T",
    .attrs = "limit: int; T: {int32, int64}",
    .flags = WEIR_STATEFUL,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", count_up_to, WEIR_CHEAP}},
};
