/* ops/state/assign_variable.c - AssignVariableOp, AssignAddVariableOp, AssignSubVariableOp. */
#include "ops/declare.h"
#include "ops/state/state_impl.h"
#include "ops/state/update_impl.h"

enum { DTYPE, VALIDATE_SHAPE };

static weir_status create(void *arg, weir_resource **out)
{
    const weir_tensor *value = arg;
    weir_var *var = weir_var_create(&weir_var_type, value->dtype, &WEIR_UNKNOWN_SHAPE);
    *out = &var->base;
    return WEIR_OK;
}

/* The variable of input 0's handle, created if missing. Retained. */
static weir_status open_variable(weir_call *call, weir_var **out_var)
{
    weir_handle *handle = weir_tensor_handle(weir_in(call, 0));
    if (!handle || handle->object)
        return weir_state_var(call, 0, out_var);
    weir_resource *found;
    WEIR_TRY(weir_resources_find_or_create(
        weir_resources_of(call->run->resources, handle), weir_str_of(handle->container),
        weir_str_of(handle->name), &weir_var_type, create, (void *)weir_in(call, 1), &found));
    *out_var = (weir_var *)found;
    weir_state_use(call, *out_var);
    return WEIR_OK;
}

static weir_status check(weir_var *var, const weir_tensor *value, bool validate_shape)
{
    if (var->dtype != value->dtype)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Trying to assign variable with wrong dtype. Expected %s got %s",
                          weir_dtype_name(var->dtype), weir_dtype_name(value->dtype));
    weir_tensor now;
    if (!validate_shape || !weir_var_read(var, &now))
        return WEIR_OK;
    weir_shape has = now.shape;
    weir_tensor_release(&now);
    if (weir_shape_eq(&has, &value->shape))
        return WEIR_OK;
    return weir_error(
        WEIR_INVALID_ARGUMENT,
        "Trying to assign to variable with tensor with wrong shape. Expected %s got %s",
        WEIR_SHAPE_STR(&has), WEIR_SHAPE_STR(&value->shape));
}

static weir_status assign_variable(weir_call *call)
{
    weir_var *var;
    WEIR_TRY(open_variable(call, &var));
    weir_status status = check(var, weir_in(call, 1), weir_site_bool(call->site, VALIDATE_SHAPE));
    if (!status)
        weir_var_assign(var, weir_tensor_share(weir_in(call, 1)));
    weir_var_release(var);
    return status;
}

static weir_status infer(weir_infer *infer)
{
    weir_shape shape, merged;
    WEIR_TRY(weir_state_infer_var(infer, 0, weir_site_type(infer->site, DTYPE), &shape));
    return weir_infer_merge(&shape, infer->in[1], &merged);
}

const weir_op weir_op_assign_variable_op = {
    .name = "AssignVariableOp",
    .in = "resource: resource; value: dtype",
    .attrs = "dtype: type; validate_shape: bool = false",
    .flags = WEIR_STATEFUL,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", assign_variable, WEIR_CHEAP}},
};

static weir_status update_value(weir_call *call, weir_var *var, weir_update_op op)
{
    const weir_tensor *by = weir_in(call, 1);
    weir_tensor *value;
    WEIR_TRY(weir_state_begin(var, by->dtype, &value));
    weir_status status = WEIR_OK;
    if (weir_shape_eq(&value->shape, &by->shape))
        weir_update_tensor(&call->run->par, op, value, by);
    else
        status =
            weir_error(WEIR_INVALID_ARGUMENT,
                       "Cannot update variable with shape %s using a Tensor with shape %s, shapes "
                       "must be equal.",
                       WEIR_SHAPE_STR(&value->shape), WEIR_SHAPE_STR(&by->shape));
    weir_var_end(var);
    return status;
}

static weir_status update(weir_call *call)
{
    weir_update_op op = (weir_update_op)weir_site_mode(call->site);
    weir_var *var;
    WEIR_TRY(weir_state_var(call, 0, &var));
    weir_status status = update_value(call, var, op);
    weir_var_release(var);
    return status;
}

#define ASSIGN_UPDATE                                                                              \
    .in = "resource: resource; value: dtype", .attrs = "dtype: type", .flags = WEIR_STATEFUL,      \
    .infer = infer, .no_grad = true, .kernels = {{WEIR_CPU, "dtype: " WEIR_NUMBER_TYPES, update}}

WEIR_DEFINE_OP(assign_add_variable_op, "AssignAddVariableOp", ASSIGN_UPDATE,
               .mode = WEIR_UPDATE_ADD);
WEIR_DEFINE_OP(assign_sub_variable_op, "AssignSubVariableOp", ASSIGN_UPDATE,
               .mode = WEIR_UPDATE_SUB);
