/* ops/data_flow/session_tensor.c - GetSessionHandle, GetSessionTensor, DeleteSessionTensor: tensors
 * that stay in the session between steps, under a handle that the client carries. */
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

static void drop(weir_tensor *t)
{
    weir_tensor_release(t);
    weir_free(t);
}

static void destroy(weir_ref *ref)
{
    store *s = (store *)ref;
    size_t at = 0;
    void *t;
    while (weir_map_next(&s->tensors, &at, NULL, &t))
        drop(t);
    weir_map_fini(&s->tensors);
    weir_mutex_fini(&s->lock);
    weir_free(s);
}

static weir_status create(void *unused, weir_resource **out)
{
    (void)unused;
    store *s = WEIR_NEW(store);
    weir_ref_init(&s->base.ref, destroy);
    s->base.type = &store_type;
    weir_mutex_init(&s->lock);
    *out = &s->base;
    return WEIR_OK;
}

static weir_status open_store(weir_call *c, store **out)
{
    weir_resource *found;
    WEIR_TRY(weir_resources_find_or_create(c->run->resources, WEIR_STR("session"),
                                           WEIR_STR("tensors"), &store_type, create, NULL, &found));
    *out = (store *)found;
    return WEIR_OK;
}

/* "node;number;device" */
static void keep(store *s, const weir_call *c, weir_buf *out_handle)
{
    weir_tensor *t = WEIR_NEW(weir_tensor);
    *t = weir_tensor_share(weir_in(c, 0));
    weir_mutex_lock(&s->lock);
    weir_buf_addf(out_handle, "%s;%" PRId64 ";%s", c->site->name, s->next++, c->site->device);
    weir_map_put(&s->tensors, (weir_str){out_handle->at, out_handle->length}, t);
    weir_mutex_unlock(&s->lock);
}

static weir_status get_handle(weir_call *c)
{
    store *s;
    WEIR_BUF(handle);
    WEIR_TRY(open_store(c, &s));
    keep(s, c, &handle);
    weir_status status = WEIR_OK;
    if (c->site->out_types[0] == WEIR_RESOURCE)
        weir_call_set(c, 0,
                      weir_tensor_from_handle(weir_handle_create(
                          weir_resources_device(c->run->resources),
                          weir_resources_default(c->run->resources), handle.at, store_type.name)));
    else
        status = weir_call_put_str(c, 0, weir_view(&handle));
    weir_ref_release(&s->base.ref);
    return status;
}

static weir_status read_handle(const weir_call *c, const char *name, weir_str *out)
{
    if (weir_in(c, 0)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s must be scalar", name);
    *out = weir_str_at(weir_in(c, 0), 0);
    return WEIR_OK;
}

static weir_status get_tensor(weir_call *c)
{
    store *s;
    weir_str handle;
    WEIR_TRY(read_handle(c, "handle", &handle));
    WEIR_TRY(open_store(c, &s));
    weir_mutex_lock(&s->lock);
    const weir_tensor *found = weir_map_get(&s->tensors, handle);
    weir_tensor t = found ? weir_tensor_share(found) : (weir_tensor){0};
    weir_mutex_unlock(&s->lock);
    weir_ref_release(&s->base.ref);
    if (!found)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The tensor with handle '%.*s' is not in the session store.",
                          WEIR_STR_ARG(handle));
    weir_dtype want = weir_site_type(c->site, 0), have = t.dtype;
    if (have != want) {
        weir_tensor_release(&t);
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The tensor with handle '%.*s' is %s, but %s was asked for",
                          WEIR_STR_ARG(handle), weir_dtype_name(have), weir_dtype_name(want));
    }
    weir_call_set(c, 0, t);
    return WEIR_OK;
}

static weir_status delete_tensor(weir_call *c)
{
    store *s;
    weir_str handle;
    WEIR_TRY(read_handle(c, "`handle`", &handle));
    WEIR_TRY(open_store(c, &s));
    weir_mutex_lock(&s->lock);
    weir_tensor *t = weir_map_remove(&s->tensors, handle);
    weir_mutex_unlock(&s->lock);
    weir_ref_release(&s->base.ref);
    if (!t)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Failed to delete a tensor with handle '%.*s' in the session store.",
                          WEIR_STR_ARG(handle));
    drop(t);
    return WEIR_OK;
}

#define GET_HANDLE                                                                                 \
    .in = "value: T", .attrs = "T: type", .flags = WEIR_STATEFUL, .infer = weir_infer_scalar,      \
    .no_grad = true, .kernels = {{WEIR_CPU, "*", get_handle, WEIR_OWN_OUTPUTS | WEIR_CHEAP}}

WEIR_DEFINE_OP(get_session_handle, "GetSessionHandle", GET_HANDLE, .out = "handle: string");
WEIR_DEFINE_OP(get_session_handle_v2, "GetSessionHandleV2", GET_HANDLE, .out = "handle: resource");

static weir_status infer_tensor(weir_infer *i)
{
    return weir_infer_running(i) ? WEIR_OK : weir_infer_rank(i, 0, 0);
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
