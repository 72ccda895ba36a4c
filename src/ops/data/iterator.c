/* ops/data/iterator.c - ops that create iterators: named, one-shot and anonymous ones. */
#include "ops/data/iterator_impl.h"

#include "ops/declare.h"
#include "ops/state/named.h"
#include "tensor/proto.h"
#include "tensor/tstring.h"

static weir_status create(void *arg, weir_resource **out)
{
    const weir_site *site = arg;
    const weir_attr *types = weir_data_attr(site, "output_types");
    const weir_attr *shapes = weir_data_attr(site, "output_shapes");
    if (types->count != shapes->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "output_types and output_shapes must be the same length (%d vs. %d)",
                          types->count, shapes->count);
    *out = &weir_iterator_resource_create(types->types, shapes->shapes, types->count)->base;
    return WEIR_OK;
}

/* ---- Iterator, IteratorV2 -------------------------------------------------------------------- */

enum { SHARED_NAME, CONTAINER };

static weir_status prepare(weir_prepare *preparation)
{
    return weir_named_prepare(preparation, CONTAINER, SHARED_NAME, WEIR_BY_NODE_NAME,
                              &weir_iterator_type);
}

static weir_status run_iterator(weir_call *call)
{
    weir_resource *resource;
    WEIR_TRY(weir_named_open(call, create, (void *)call->site, &resource));
    weir_iterator_resource *it = (weir_iterator_resource *)resource;
    const weir_attr *types = weir_data_attr(call->site, "output_types");
    const weir_attr *shapes = weir_data_attr(call->site, "output_shapes");
    weir_status status =
        weir_data_check_types(types->types, types->count, (const weir_dtype *)it->types, it->count);
    if (!status)
        status = weir_data_check_shapes(shapes->shapes, shapes->count, it->shapes, it->count);
    weir_ref_release(&resource->ref);
    WEIR_TRY(status);
    weir_named_output(call, 0);
    return WEIR_OK;
}

#define FLAGS (WEIR_OWN_OUTPUTS | WEIR_CHEAP)
#define ITERATOR                                                                                   \
    .out = "handle: resource",                                                                     \
    .attrs = "shared_name: string; container: string; " WEIR_DATASET_TYPES,                        \
    .flags = WEIR_STATEFUL, .infer = weir_infer_scalar, .no_grad = true,                           \
    .kernels = {                                                                                   \
        {WEIR_CPU, "*", run_iterator, FLAGS, .prepare = prepare, .cleanup = weir_named_cleanup}}

WEIR_DEFINE_OP(iterator, "Iterator", ITERATOR);
WEIR_DEFINE_OP(iterator_v2, "IteratorV2", ITERATOR);

/* ---- OneShotIterator: the dataset comes from a function, once -------------------------------- */

static weir_status prepare_one_shot(weir_prepare *preparation)
{
    return weir_named_prepare(preparation, weir_opdef_attr(preparation->site->def, "container"),
                              weir_opdef_attr(preparation->site->def, "shared_name"),
                              WEIR_BY_OWN_NAME, &weir_iterator_type);
}

static weir_status make_dataset(weir_call *call, weir_iterator_resource *resource)
{
    weir_data_function function;
    weir_dataset *dataset;
    weir_data_function_init(&function, call, "dataset_factory", "");
    weir_status status = weir_data_function_dataset(&function, call->run, NULL, 0, &dataset);
    weir_data_function_fini(&function);
    WEIR_TRY(status);
    status = weir_iterator_resource_adopt(resource, dataset);
    weir_dataset_release(dataset);
    return status;
}

/* Two steps may get here concurrently; the second waits until the first has created the dataset. */
static weir_status open_one_shot(weir_call *call, void *arg)
{
    weir_iterator_resource *resource = arg;
    weir_mutex_lock(&resource->making);
    weir_iterator *it = NULL;
    weir_status status = weir_iterator_resource_get(resource, &it);
    weir_iterator_release(it);
    if (status) {
        weir_status_free(status);
        status = make_dataset(call, resource);
    }
    weir_mutex_unlock(&resource->making);
    weir_ref_release(&resource->base.ref);
    WEIR_TRY(status);
    weir_named_output(call, 0);
    return WEIR_OK;
}

static void start_one_shot(weir_call *call)
{
    weir_resource *resource;
    weir_status status = weir_named_open(call, create, (void *)call->site, &resource);
    if (status)
        weir_call_finish(call, status);
    else
        weir_data_start(call, true, open_one_shot, resource);
}

const weir_op weir_op_one_shot_iterator = {
    .name = "OneShotIterator",
    .out = "handle: resource",
    .attrs = "dataset_factory: func; " WEIR_DATASET_TYPES
             "; container: string = \"\"; shared_name: string = \"\"",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_one_shot,
                 .prepare = prepare_one_shot, .cleanup = weir_named_cleanup}},
};

/* ---- anonymous iterators: live as long as somebody holds the handle -------------------------- */

static weir_status run_anonymous(weir_call *call)
{
    weir_resource *resource;
    WEIR_TRY(create((void *)call->site, &resource));
    weir_data_anonymous(call, resource);
    return WEIR_OK;
}

#define ANONYMOUS                                                                                  \
    .attrs = WEIR_DATASET_TYPES, .flags = WEIR_STATEFUL, .infer = weir_infer_scalar,               \
    .no_grad = true, .kernels = {{WEIR_CPU, "*", run_anonymous, FLAGS}}

WEIR_DEFINE_OP(anonymous_iterator, "AnonymousIterator", ANONYMOUS, .out = "handle: resource");
WEIR_DEFINE_OP(anonymous_iterator_v2, "AnonymousIteratorV2", ANONYMOUS,
               .out = "handle: resource; deleter: variant");
WEIR_DEFINE_OP(anonymous_iterator_v3, "AnonymousIteratorV3", ANONYMOUS, .out = "handle: resource");

/* ---- handles as strings ---------------------------------------------------------------------- */

static weir_status to_string_handle(weir_call *call)
{
    weir_resource *resource;
    WEIR_TRY(weir_named_input(call, 0, &weir_iterator_type, &resource));
    weir_ref_release(&resource->ref);
    WEIR_BUF(bytes);
    weir_handle_encode(weir_tensor_handle(weir_in(call, 0)), &bytes);
    weir_tstring_set(weir_out(call, 0)->data, bytes.at, bytes.length);
    return WEIR_OK;
}

const weir_op weir_op_iterator_to_string_handle = {
    .name = "IteratorToStringHandle",
    .in = "resource_handle: resource",
    .out = "string_handle: string",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", to_string_handle, WEIR_CHEAP}},
};

static weir_status check_expected(const weir_call *call, const weir_iterator_resource *resource)
{
    const weir_attr *types = weir_data_attr(call->site, "output_types");
    const weir_attr *shapes = weir_data_attr(call->site, "output_shapes");
    if (types->count)
        WEIR_TRY(weir_data_check_types(types->types, types->count,
                                       (const weir_dtype *)resource->types, resource->count));
    if (shapes->count)
        WEIR_TRY(weir_data_check_shapes(shapes->shapes, shapes->count, resource->shapes,
                                        resource->count));
    return WEIR_OK;
}

static weir_status check_device(const weir_call *call, const weir_handle *handle)
{
    if (strcmp(handle->device, weir_call_device(call)) == 0)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Attempted create an iterator on device \"%s\" from handle defined on device "
                      "\"%s\"",
                      weir_call_device(call), handle->device);
}

static weir_status from_string_handle(weir_call *call)
{
    weir_str text;
    weir_handle *handle;
    weir_resource *resource;
    WEIR_TRY(weir_data_string(call, "string_handle", &text));
    if (!text.length || weir_handle_parse(text, &handle) != WEIR_OK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Could not parse string_handle as a valid "
                                                 "ResourceHandle");
    weir_status status = check_device(call, handle);
    if (!status)
        status =
            weir_resources_of_handle(call->run->resources, handle, &weir_iterator_type, &resource);
    if (!status) {
        status = check_expected(call, (weir_iterator_resource *)resource);
        weir_ref_release(&resource->ref);
    }
    if (status) {
        weir_ref_release(&handle->ref);
        return status;
    }
    weir_call_set(call, 0, weir_tensor_from_handle(handle));
    return WEIR_OK;
}

#define FROM_STRING                                                                                \
    .in = "string_handle: string", .out = "resource_handle: resource",                             \
    .attrs = "output_types: list(type) >= 0 = []; output_shapes: list(shape) >= 0 = []",           \
    .flags = WEIR_STATEFUL, .infer = weir_infer_scalar, .no_grad = true,                           \
    .kernels = {{WEIR_CPU, "*", from_string_handle, FLAGS}}

WEIR_DEFINE_OP(iterator_from_string_handle, "IteratorFromStringHandle", FROM_STRING);
WEIR_DEFINE_OP(iterator_from_string_handle_v2, "IteratorFromStringHandleV2", FROM_STRING);
