/* ops/state/state.c - shared by the ops on variables. */
#include "ops/state/state_impl.h"

#include "op/recorder.h"

void weir_state_use(const weir_call *call, weir_var *var)
{
    weir_recorder *recorder = call->run->recorder;
    if (recorder)
        recorder->use(recorder, var);
}

weir_status weir_state_var(weir_call *call, int i, weir_var **out_var)
{
    weir_var *ref = weir_call_var(call, i);
    if (ref) { /* the executor moved it to the memory of the call */
        weir_var_retain(ref);
        *out_var = ref;
        return WEIR_OK;
    }
    weir_resource *found;
    WEIR_TRY(weir_named_input(call, i, &weir_var_type, &found));
    weir_state_use(call, (weir_var *)found);
    weir_status status = weir_var_bring((weir_var *)found, call->site->memory);
    if (status)
        weir_var_release((weir_var *)found);
    else
        *out_var = (weir_var *)found;
    return status;
}

void weir_state_forward_ref(weir_call *call)
{
    if (call->site->out_count > 0 && weir_call_var(call, 0))
        weir_call_set_ref(call, 0, weir_call_var(call, 0));
}

weir_status weir_state_change(weir_call *call,
                              weir_status (*change)(weir_call *call, weir_var *var))
{
    weir_var *var;
    WEIR_TRY(weir_state_var(call, 0, &var));
    weir_status status = change(call, var);
    weir_var_release(var);
    WEIR_TRY(status);
    weir_state_forward_ref(call);
    return WEIR_OK;
}

weir_status weir_state_begin(weir_var *var, weir_dtype dtype, weir_tensor **out_value)
{
    weir_tensor *value;
    WEIR_TRY(weir_var_begin(var, &value));
    if (value && value->dtype == dtype) {
        *out_value = value;
        return WEIR_OK;
    }
    weir_dtype has = value ? value->dtype : var->dtype;
    weir_var_end(var);
    if (!value)
        return weir_error(WEIR_FAILED_PRECONDITION, "Attempting to use uninitialized value");
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Trying to update variable with wrong dtype. Expected %s got %s",
                      weir_dtype_name(has), weir_dtype_name(dtype));
}

weir_status weir_state_infer_var(weir_infer *infer, int in, weir_dtype dtype, weir_shape *out_shape)
{
    *out_shape = WEIR_UNKNOWN_SHAPE;
    if (weir_state_at_run(infer))
        return WEIR_OK;
    if (weir_dtype_is_ref(infer->site->in_types[in])) {
        *out_shape = *infer->in[in];
        return WEIR_OK;
    }
    const weir_handle_info *info = infer->in_handles[in];
    if (!info || !info->dtype)
        return WEIR_OK;
    if (dtype && info->dtype != dtype)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Trying to read variable with wrong dtype. Expected %s got %s",
                          weir_dtype_name(info->dtype), weir_dtype_name(dtype));
    *out_shape = info->shape;
    return WEIR_OK;
}
