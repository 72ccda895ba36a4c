/* ops/state/assign.c - Assign, AssignAdd, AssignSub: update a variable by reference. */
#include "math/update/update.h"
#include "ops/declare.h"
#include "ops/math/types.h"
#include "ops/state/state_impl.h"
#include "ops/state/update_impl.h"

enum { T, VALIDATE_SHAPE }; /* of Assign */

/* With the variable unlocked. An uninitialised variable accepts any shape it was declared with. */
static weir_status check_shape(weir_var *var, const weir_tensor *value)
{
    weir_tensor now = {0};
    weir_shape want = weir_var_read(var, &now) ? now.shape : var->shape;
    weir_tensor_release(&now);
    if (weir_shape_compatible(&want, &value->shape))
        return WEIR_OK;
    return weir_error(
        WEIR_INVALID_ARGUMENT,
        "Assign requires shapes of both tensors to match. lhs shape= %s rhs shape= %s",
        WEIR_SHAPE_STR(&want), WEIR_SHAPE_STR(&value->shape));
}

static weir_status assign(weir_call *call)
{
    weir_var *var = weir_call_var(call, 0);
    const weir_tensor *value = weir_in(call, 1);
    if (weir_site_bool(call->site, VALIDATE_SHAPE))
        WEIR_TRY(check_shape(var, value));
    weir_var_assign(var, weir_tensor_share(value));
    weir_state_forward_ref(call);
    return WEIR_OK;
}

static weir_status infer_assign(weir_infer *infer)
{
    infer->out[0] = *infer->in[1];
    if (weir_state_at_run(infer) || !weir_site_bool(infer->site, VALIDATE_SHAPE))
        return WEIR_OK;
    return weir_infer_merge(infer->in[0], infer->in[1], &infer->out[0]);
}

const weir_op weir_op_assign = {
    .name = "Assign",
    .in = "ref: Ref(T); value: T",
    .out = "output_ref: Ref(T)",
    .attrs = "T: type; validate_shape: bool = true; use_locking: bool = true",
    .flags = WEIR_ALLOWS_UNINITIALIZED,
    .infer = infer_assign,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "T: " WEIR_ALL_TYPES ", " WEIR_QUANTIZED_TYPES ", quint16", assign,
                 WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

static weir_status infer_update(weir_infer *infer)
{
    if (weir_state_at_run(infer))
        return WEIR_OK;
    return weir_infer_merge(infer->in[0], infer->in[1], &infer->out[0]);
}

static weir_status update(weir_call *call)
{
    weir_update_op op = (weir_update_op)weir_site_mode(call->site);
    weir_var *var = weir_call_var(call, 0);
    const weir_tensor *by = weir_in(call, 1);
    weir_tensor *value;
    WEIR_TRY(weir_state_begin(var, by->dtype, &value));
    weir_status status = WEIR_OK;
    if (weir_shape_eq(&value->shape, &by->shape))
        weir_update_tensor(&call->run->par, op, value, by);
    else
        status = weir_error(WEIR_INVALID_ARGUMENT, "shapes do not match: %s vs. %s",
                            WEIR_SHAPE_STR(&value->shape), WEIR_SHAPE_STR(&by->shape));
    weir_var_end(var);
    WEIR_TRY(status);
    weir_state_forward_ref(call);
    return WEIR_OK;
}

#define ASSIGN_UPDATE                                                                              \
    .in = "ref: Ref(T); value: T", .out = "output_ref: Ref(T)",                                    \
    .attrs = "T: {" NUMBERS "}; use_locking: bool = false", .infer = infer_update,                 \
    .no_grad = true, .kernels = {{WEIR_CPU, "T: " WEIR_NUMBER_TYPES, update, WEIR_OWN_OUTPUTS}}

WEIR_DEFINE_OP(assign_add, "AssignAdd", ASSIGN_UPDATE, .mode = WEIR_UPDATE_ADD);
WEIR_DEFINE_OP(assign_sub, "AssignSub", ASSIGN_UPDATE, .mode = WEIR_UPDATE_SUB);
