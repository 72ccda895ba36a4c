/* ops/data_flow/session_tensor.c - GetSessionHandle, GetSessionTensor, DeleteSessionTensor: tensors
 * kept in the session between steps, under a handle held by the client. */
#include <inttypes.h>

#include "base/mutex.h"
#include "op/op.h"
#include "ops/common/infer_util.h"
#include "ops/common/strs.h"
#include "ops/declare.h"

typedef struct store {
    weir_resource base;
    weir_mutex lock;
    weir_map tensors WEIR_GUARDED_BY(lock); /* by handle: weir_tensor */
    int64_t next WEIR_GUARDED_BY(lock);
} store;

static const weir_resource_type store_type = {"TensorHandle", "session's tensors"};

static void drop(weir_tensor *tensor)
{
    weir_tensor_release(tensor);
    weir_free(tensor);
}

static void destroy(weir_ref *ref)
{
    store *this_store = (store *)ref;
    size_t at = 0;
    void *found;
    while (weir_map_next(&this_store->tensors, &at, NULL, &found))
        drop(found);
    weir_map_fini(&this_store->tensors);
    weir_mutex_fini(&this_store->lock);
    weir_free(this_store);
}

static weir_status create(void *unused, weir_resource **out)
{
    (void)unused;
    store *new_store = WEIR_NEW(store);
    weir_ref_init(&new_store->base.ref, destroy);
    new_store->base.type = &store_type;
    weir_mutex_init(&new_store->lock);
    *out = &new_store->base;
    return WEIR_OK;
}

static weir_status open_store(weir_call *call, store **out)
{
    weir_resource *found;
    WEIR_TRY(weir_resources_find_or_create(call->run->resources, WEIR_STR("session"),
                                           WEIR_STR("tensors"), &store_type, create, NULL, &found));
    *out = (store *)found;
    return WEIR_OK;
}

/* "node;number;device" */
static void keep(store *store, const weir_call *call, weir_buf *out_handle)
{
    weir_tensor *tensor = WEIR_NEW(weir_tensor);
    *tensor = weir_tensor_share(weir_in(call, 0));
    weir_mutex_lock(&store->lock);
    weir_buf_addf(out_handle, "%s;%" PRId64 ";%s", call->site->name, store->next++,
                  call->site->device);
    weir_map_put(&store->tensors, (weir_str){out_handle->at, out_handle->length}, tensor);
    weir_mutex_unlock(&store->lock);
}

static weir_status get_handle(weir_call *call)
{
    store *store;
    WEIR_BUF(handle);
    WEIR_TRY(open_store(call, &store));
    keep(store, call, &handle);
    weir_status status = WEIR_OK;
    if (call->site->out_types[0] == WEIR_RESOURCE)
        weir_call_set(call, 0,
                      weir_tensor_from_handle(weir_handle_create(
                          weir_call_device(call), weir_resources_default(call->run->resources),
                          handle.at, store_type.name)));
    else
        status = weir_call_put_str(call, 0, weir_view(&handle));
    weir_ref_release(&store->base.ref);
    return status;
}

static weir_status read_handle(const weir_call *call, const char *name, weir_str *out)
{
    if (weir_in(call, 0)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s must be scalar", name);
    *out = weir_str_at(weir_in(call, 0), 0);
    return WEIR_OK;
}

static weir_status get_tensor(weir_call *call)
{
    store *store;
    weir_str handle;
    WEIR_TRY(read_handle(call, "handle", &handle));
    WEIR_TRY(open_store(call, &store));
    weir_mutex_lock(&store->lock);
    const weir_tensor *found = weir_map_get(&store->tensors, handle);
    weir_tensor tensor = found ? weir_tensor_share(found) : (weir_tensor){0};
    weir_mutex_unlock(&store->lock);
    weir_ref_release(&store->base.ref);
    if (!found)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The tensor with handle '%.*s' is not in the session store.",
                          WEIR_STR_ARG(handle));
    weir_dtype want = weir_site_type(call->site, 0), have = tensor.dtype;
    if (have != want) {
        weir_tensor_release(&tensor);
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The tensor with handle '%.*s' is %s, but %s was asked for",
                          WEIR_STR_ARG(handle), weir_dtype_name(have), weir_dtype_name(want));
    }
    weir_call_set(call, 0, tensor);
    return WEIR_OK;
}

static weir_status delete_tensor(weir_call *call)
{
    store *store;
    weir_str handle;
    WEIR_TRY(read_handle(call, "`handle`", &handle));
    WEIR_TRY(open_store(call, &store));
    weir_mutex_lock(&store->lock);
    weir_tensor *tensor = weir_map_remove(&store->tensors, handle);
    weir_mutex_unlock(&store->lock);
    weir_ref_release(&store->base.ref);
    if (!tensor)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Failed to delete a tensor with handle '%.*s' in the session store.",
                          WEIR_STR_ARG(handle));
    drop(tensor);
    return WEIR_OK;
}

#define GET_HANDLE                                                                                 \
    .in = "value: T", .attrs = "T: type", .flags = WEIR_STATEFUL, .infer = weir_infer_scalar,      \
    .no_grad = true, .kernels = {{WEIR_CPU, "*", get_handle, WEIR_OWN_OUTPUTS | WEIR_CHEAP}}

WEIR_DEFINE_OP(get_session_handle, "GetSessionHandle", GET_HANDLE, .out = "handle: string");
WEIR_DEFINE_OP(get_session_handle_v2, "GetSessionHandleV2", GET_HANDLE, .out = "handle: resource");

static weir_status infer_tensor(weir_infer *infer)
{
    return weir_infer_running(infer) ? WEIR_OK : weir_infer_rank(infer, 0, 0);
}

const weir_op weir_op_get_session_tensor = {
    .name = "GetSessionTensor",
    .in = "handle: string",
    .out = "value: dtype",
    .attrs = "dtype: type",
    .flags = WEIR_STATEFUL,
    .infer = infer_tensor,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", get_tensor, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

const weir_op weir_op_delete_session_tensor = {
    .name = "DeleteSessionTensor",
    .in = "handle: string",
    .flags = WEIR_STATEFUL,
    .infer = infer_tensor,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", delete_tensor, WEIR_CHEAP}},
};
