/* ops/data_flow/fake_queue.c - FakeQueue: a queue's handle in the form of the legacy queue
 * ops. */
#include "ops/declare.h"
#include "state/var.h"
#include "tensor/handle.h"
#include "tensor/tstring.h"

/* Container and name, as two strings behind a reference. */
static weir_status name_queue(weir_call *call)
{
    const weir_handle *handle = weir_tensor_handle(weir_in(call, 0));
    weir_shape two = weir_shape_vector(2);
    weir_tensor pair;
    if (!handle || handle->object)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input resource is not the handle of a named queue");
    WEIR_TRY(weir_tensor_alloc(WEIR_STRING, &two, &pair));
    weir_tstring *strings = pair.data;
    weir_tstring_set(&strings[0], handle->container, strlen(handle->container));
    weir_tstring_set(&strings[1], handle->name, strlen(handle->name));
    weir_var *var = weir_var_create(&weir_legacy_var_type, WEIR_STRING, &two);
    weir_var_assign(var, pair);
    weir_call_set_ref(call, 0, var);
    weir_var_release(var);
    return WEIR_OK;
}

WEIR_DEFINE_OP(fake_queue, "FakeQueue", .in = "resource: resource", .out = "handle: Ref(string)",
               .flags = WEIR_STATEFUL, .infer = weir_infer_scalar, .no_grad = true,
               .kernels = {{WEIR_CPU, "*", name_queue, WEIR_OWN_OUTPUTS | WEIR_CHEAP}});
