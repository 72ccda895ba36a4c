/* ops/data_flow/step.c - handles of step-local objects. */
#include "ops/data_flow/step_impl.h"

#include <stdatomic.h>
#include <stdio.h>

#include "state/var.h"
#include "tensor/tstring.h"

char *weir_step_name(const weir_call *call, weir_str wanted)
{
    static atomic_llong counter;
    weir_buf name = {0};
    if (wanted.length)
        weir_buf_add(&name, wanted.at, wanted.length);
    else
        weir_buf_adds(&name, call->site->name);
    weir_buf_addf(&name, "_%lld", atomic_fetch_add(&counter, 1));
    return weir_buf_take(&name);
}

/* The string pair of legacy ops: a container and the name. */
static weir_tensor name_pair(const char *name)
{
    weir_shape shape = weir_shape_vector(2);
    weir_tstring empty[2] = {0};
    weir_tensor tensor = weir_tensor_from(WEIR_STRING, &shape, empty);
    weir_tstring *tstrings = tensor.data;
    weir_tstring_set(&tstrings[0], "_step", 5);
    weir_tstring_set(&tstrings[1], name, strlen(name));
    return tensor;
}

static void set_pair(weir_call *call, int out, weir_tensor pair)
{
    if (!weir_dtype_is_ref(call->site->out_types[out])) {
        weir_call_set(call, out, pair);
        return;
    }
    weir_var *var = weir_var_create(&weir_legacy_var_type, WEIR_STRING, &pair.shape);
    weir_var_assign(var, pair);
    weir_call_set_ref(call, out, var);
    weir_var_release(var);
}

static weir_status keep(void *object, weir_resource **out)
{
    weir_ref_retain((weir_ref *)object);
    *out = object;
    return WEIR_OK;
}

weir_status weir_step_output(weir_call *call, int out, weir_resource *object, const char *name)
{
    weir_ref_retain(&object->ref);
    if (weir_dtype_base(call->site->out_types[out]) == WEIR_RESOURCE) {
        weir_handle *handle = weir_handle_create(call->site->device ? call->site->device : "",
                                                 "_step", name, object->type->name);
        handle->object = &object->ref;
        weir_call_set(call, out, weir_tensor_from_handle(handle));
        return WEIR_OK;
    }
    weir_resource *kept; /* the same object may be output more than once */
    weir_status status =
        weir_resources_find_or_create(call->run->step_resources, WEIR_STR("_step"),
                                      weir_str_of(name), object->type, keep, object, &kept);
    weir_ref_release(&object->ref);
    WEIR_TRY(status);
    weir_ref_release(&kept->ref);
    set_pair(call, out, name_pair(name));
    return WEIR_OK;
}

static weir_status find_pair(weir_call *call, const weir_tensor *pair,
                             const weir_resource_type *type, weir_resource **out_object)
{
    if (pair->dtype != WEIR_STRING || weir_tensor_count(pair) != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Resource handle must have 2 elements, but had shape: %s",
                          WEIR_SHAPE_STR(&pair->shape));
    const weir_tstring *tstrings = pair->data;
    WEIR_TRY(weir_resources_find(call->run->step_resources, weir_tstring_get(&tstrings[0]),
                                 weir_tstring_get(&tstrings[1]), type, out_object));
    /* The step's resources keep a reference until the step ends. */
    weir_ref_release(&(*out_object)->ref);
    return WEIR_OK;
}

weir_status weir_step_input(weir_call *call, int in, const weir_resource_type *type,
                            weir_resource **out_object)
{
    const weir_tensor *tensor = weir_in(call, in);
    weir_tensor pair;
    if (call->in[in].var && weir_var_read(call->in[in].var, &pair)) {
        weir_status status = find_pair(call, &pair, type, out_object);
        weir_tensor_release(&pair);
        return status;
    }
    if (tensor->dtype == WEIR_STRING)
        return find_pair(call, tensor, type, out_object);
    weir_handle *handle = weir_tensor_handle(tensor);
    weir_resource *object = handle ? (weir_resource *)handle->object : NULL;
    if (!object || object->type != type)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input %d of node %s is not the handle of a %s",
                          in, call->site->name, type->label);
    *out_object = object;
    return WEIR_OK;
}
