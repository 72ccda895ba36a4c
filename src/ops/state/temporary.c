/* ops/state/temporary.c - TemporaryVariable, DestroyTemporaryVariable: a variable of one step.
 *
 * It is a resource of the step, under its name and loop iteration, so that each iteration has
 * its own. */
#include <inttypes.h>
#include <stdio.h>

#include "ops/state/state_impl.h"

enum { SHAPE, DTYPE, VAR_NAME };
enum { DESTROY_VAR_NAME = 1 };

static const weir_resource_type temporary_type = {"N10tensorflow19TemporaryVariableOp6TmpVarE",
                                                  "temporary variable"};

static void temporary_name(const weir_call *call, weir_str name, weir_buf *out)
{
    if (name.length)
        weir_buf_add(out, name.at, name.length);
    else
        weir_buf_adds(out, call->site->name);
    weir_buf_addf(out, "/frame:%" PRIu64 "/iter:%" PRId64, call->frame_id, call->iteration);
}

static weir_status temporary(weir_call *call)
{
    const weir_shape *shape = weir_site_shape(call->site, SHAPE);
    if (!weir_shape_known(shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "TemporaryVariable needs a known shape, not %s",
                          WEIR_SHAPE_STR(shape));
    weir_tensor value;
    WEIR_TRY(weir_tensor_alloc(weir_site_type(call->site, DTYPE), shape, &value));
    weir_elements_zero(value.dtype, value.data, weir_tensor_count(&value));
    weir_var *var = weir_var_create(&temporary_type, value.dtype, shape);
    weir_var_assign(var, value);
    WEIR_BUF(name);
    temporary_name(call, weir_site_str(call->site, VAR_NAME), &name);
    weir_var_retain(var);
    weir_status status = weir_resources_add(call->run->step_resources, (weir_str){"", 0},
                                            weir_view(&name), &var->base);
    if (status)
        weir_var_release(var);
    else
        weir_call_set_ref(call, 0, var);
    weir_var_release(var);
    return status;
}

static weir_status destroy(weir_call *call)
{
    weir_tensor value;
    if (!weir_call_var(call, 0) || !weir_var_read(weir_call_var(call, 0), &value))
        return weir_error(WEIR_FAILED_PRECONDITION, "Attempting to use uninitialized value");
    weir_call_set(call, 0, value);
    WEIR_BUF(name);
    temporary_name(call, weir_site_str(call->site, DESTROY_VAR_NAME), &name);
    return weir_resources_delete(call->run->step_resources, (weir_str){"", 0}, weir_view(&name),
                                 &temporary_type);
}

static weir_status infer(weir_infer *infer)
{
    infer->out[0] = *weir_site_shape(infer->site, SHAPE);
    return WEIR_OK;
}

const weir_op weir_op_temporary_variable = {
    .name = "TemporaryVariable",
    .out = "ref: Ref(dtype)",
    .attrs = "shape: shape; dtype: type; var_name: string = \"\"",
    .flags = WEIR_STATEFUL,
    .infer = infer,
    .kernels = {{WEIR_CPU, "*", temporary, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_destroy_temporary_variable = {
    .name = "DestroyTemporaryVariable",
    .in = "ref: Ref(T)",
    .out = "value: T",
    .attrs = "T: type; var_name: string",
    .flags = 0,
    .infer = weir_infer_same_shape,
    .kernels = {{WEIR_CPU, "*", destroy, WEIR_OWN_OUTPUTS}},
};
