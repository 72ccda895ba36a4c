/* ops/state/var_handle.c - VarHandleOp and queries of a handle's variable. */
#include "grad/grad.h"
#include "ops/state/state_impl.h"

enum { CONTAINER, SHARED_NAME, DEBUG_NAME, DTYPE, SHAPE };

static weir_status prepare(weir_prepare *preparation)
{
    WEIR_TRY(
        weir_named_prepare(preparation, CONTAINER, SHARED_NAME, WEIR_BY_NODE_NAME, &weir_var_type));
    weir_handle *handle = weir_tensor_handle(&((weir_named *)preparation->state)->handle);
    handle->dtype_count = 1;
    handle->dtypes = WEIR_NEW(weir_dtype);
    handle->shapes = WEIR_NEW(weir_shape);
    handle->dtypes[0] = weir_site_type(preparation->site, DTYPE);
    handle->shapes[0] = *weir_site_shape(preparation->site, SHAPE);
    return WEIR_OK;
}

static weir_status var_handle(weir_call *call)
{
    weir_named_output(call, 0);
    return WEIR_OK;
}

static weir_status infer_handle(weir_infer *infer)
{
    infer->out[0] = WEIR_SCALAR;
    if (infer->out_handles)
        infer->out_handles[0] = (weir_handle_info){weir_site_type(infer->site, DTYPE),
                                                   *weir_site_shape(infer->site, SHAPE)};
    return WEIR_OK;
}

const weir_op weir_op_var_handle_op = {
    .name = "VarHandleOp",
    .out = "resource: resource",
    .attrs = "container: string = \"\"; shared_name: string = \"\"; debug_name: string = \"\"; "
             "dtype: type; shape: shape; allowed_devices: list(string) = []",
    .flags = WEIR_STATEFUL | WEIR_NO_EFFECT,
    .infer = infer_handle,
    .kernels = {{WEIR_CPU, "*", var_handle, WEIR_OWN_OUTPUTS | WEIR_CHEAP, .prepare = prepare,
                 .cleanup = weir_named_cleanup}},
};

/* Finds the variable of input 0, or fails with TensorFlow's wording. */
static weir_status find_for_reading(weir_call *call, weir_var **out_var)
{
    weir_status status = weir_state_var(call, 0, out_var);
    if (weir_status_code(status) != WEIR_NOT_FOUND)
        return status;
    const weir_handle *handle = weir_tensor_handle(weir_in(call, 0));
    weir_status told = weir_error(
        WEIR_FAILED_PRECONDITION,
        "Could not find variable %s. This could mean that the variable has been deleted. In TF1, "
        "it "
        "can also mean the variable is uninitialized. Debug info: container=%s, status error "
        "message=%s",
        handle->name, handle->container, weir_status_message(status));
    weir_status_free(status);
    return told;
}

static weir_status read_value(weir_call *call, weir_var *var)
{
    weir_tensor value;
    if (!weir_var_read(var, &value))
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Error while reading resource variable %s from Container: %s. This could "
                          "mean that the variable was uninitialized.",
                          weir_tensor_handle(weir_in(call, 0))->name,
                          weir_tensor_handle(weir_in(call, 0))->container);
    if (value.dtype != weir_dtype_base(call->site->out_types[0])) {
        weir_status status = weir_error(
            WEIR_INVALID_ARGUMENT, "Trying to read variable with wrong dtype. Expected %s got %s",
            weir_dtype_name(call->site->out_types[0]), weir_dtype_name(value.dtype));
        weir_tensor_release(&value);
        return status;
    }
    weir_call_set(call, 0, value);
    return WEIR_OK;
}

static weir_status read_variable(weir_call *call)
{
    weir_var *var;
    WEIR_TRY(find_for_reading(call, &var));
    weir_status status = read_value(call, var);
    weir_var_release(var);
    return status;
}

static weir_status infer_read(weir_infer *infer)
{
    return weir_state_infer_var(infer, 0, weir_site_type(infer->site, 0), &infer->out[0]);
}

/* The gradient with respect to the handle is that of the value. */
static weir_status read_grad(weir_grad *grad)
{
    weir_slices slices;
    if (weir_grad_dy_slices(grad, 0, &slices))
        weir_grad_set_slices(grad, 0, slices);
    else
        weir_grad_set(grad, 0, weir_grad_dy(grad, 0));
    return WEIR_OK;
}

const weir_op weir_op_read_variable_op = {
    .name = "ReadVariableOp",
    .in = "resource: resource",
    .out = "value: dtype",
    .attrs = "dtype: type",
    .flags = WEIR_STATEFUL | WEIR_NO_EFFECT,
    .infer = infer_read,
    .grad = read_grad,
    .kernels = {{WEIR_CPU, "*", read_variable, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

/* Reads alias the value and writers copy an aliased one, so there is no such mode to disable. */
static weir_status disable_copy_on_read(weir_call *call)
{
    weir_var *var;
    WEIR_TRY(find_for_reading(call, &var));
    weir_var_release(var);
    return WEIR_OK;
}

const weir_op weir_op_disable_copy_on_read = {
    .name = "DisableCopyOnRead",
    .in = "resource: resource",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", disable_copy_on_read, WEIR_CHEAP}},
};

static weir_status is_initialized(weir_call *call)
{
    weir_var *var;
    weir_status status = weir_state_var(call, 0, &var);
    bool *out = weir_out(call, 0)->data;
    *out = false;
    if (weir_status_code(status) == WEIR_NOT_FOUND) {
        weir_status_free(status);
        return WEIR_OK;
    }
    WEIR_TRY(status);
    *out = weir_var_initialized(var);
    weir_var_release(var);
    return WEIR_OK;
}

const weir_op weir_op_var_is_initialized_op = {
    .name = "VarIsInitializedOp",
    .in = "resource: resource",
    .out = "is_initialized: bool",
    .host = "is_initialized",
    .flags = WEIR_STATEFUL | WEIR_NO_EFFECT,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", is_initialized, WEIR_CHEAP}},
};

static weir_status destroy_resource(weir_call *call)
{
    const weir_handle *handle = weir_tensor_handle(weir_in(call, 0));
    if (!handle)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input 0 of node %s is not a resource handle",
                          call->site->name);
    weir_status status =
        weir_resources_delete(weir_resources_of(call->run->resources, handle),
                              weir_str_of(handle->container), weir_str_of(handle->name), NULL);
    if (weir_status_code(status) == WEIR_NOT_FOUND && weir_site_bool(call->site, 0)) {
        weir_status_free(status);
        return WEIR_OK;
    }
    return status;
}

const weir_op weir_op_destroy_resource_op = {
    .name = "DestroyResourceOp",
    .in = "resource: resource",
    .attrs = "ignore_lookup_error: bool = true",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", destroy_resource}},
};

static weir_status variable_shape(weir_call *call)
{
    weir_var *var;
    WEIR_TRY(weir_state_var(call, 0, &var));
    weir_tensor value = {0};
    bool has = weir_var_read(var, &value);
    weir_var_release(var);
    if (!has)
        return weir_error(WEIR_FAILED_PRECONDITION, "Attempting to use uninitialized value");
    weir_shape shape = value.shape;
    weir_tensor_release(&value);
    weir_shape vector = weir_shape_vector(shape.rank);
    WEIR_TRY(weir_call_alloc(call, 0, &vector));
    weir_tensor *out = weir_out(call, 0);
    for (int axis = 0; axis < shape.rank; axis++)
        if (out->dtype == WEIR_INT32)
            ((int32_t *)out->data)[axis] = (int32_t)shape.dims[axis];
        else
            ((int64_t *)out->data)[axis] = shape.dims[axis];
    return WEIR_OK;
}

static weir_status infer_variable_shape(weir_infer *infer)
{
    weir_shape shape;
    WEIR_TRY(weir_state_infer_var(infer, 0, 0, &shape));
    infer->out[0] = weir_shape_vector(shape.rank < 0 ? -1 : shape.rank);
    return WEIR_OK;
}

const weir_op weir_op_variable_shape = {
    .name = "VariableShape",
    .in = "input: resource",
    .out = "output: out_type",
    .attrs = "out_type: {int32, int64} = DT_INT32",
    .host = "output",
    .flags = WEIR_STATEFUL | WEIR_NO_EFFECT,
    .infer = infer_variable_shape,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", variable_shape, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};
