/* ops/data/iterator_use.c - MakeIterator, IteratorGetNext and its forms, DeleteIterator, and the
 * serialised position of an iterator.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#include "ops/data/iterator_impl.h"
#include "ops/data/optional_impl.h"
#include "ops/declare.h"
#include "ops/state/named.h"

static weir_status input(weir_call *call, int i, weir_iterator_resource **out)
{
    weir_resource *resource;
    WEIR_TRY(weir_named_input(call, i, &weir_iterator_type, &resource));
    *out = (weir_iterator_resource *)resource;
    return WEIR_OK;
}

void weir_data_anonymous(weir_call *call, weir_resource *resource)
{
    static atomic_llong counter;
    char name[64];
    snprintf(name, sizeof name, "%s%lld", call->site->def->name, atomic_fetch_add(&counter, 1));
    weir_handle *handle =
        weir_handle_create(weir_call_device(call), weir_resources_default(call->run->resources),
                           name, resource->type->name);
    handle->object = &resource->ref;
    weir_call_set(call, 0, weir_tensor_from_handle(handle));
    if (call->site->out_count > 1)
        weir_optional_output(call, 1, NULL, 0);
}

/* ---- MakeIterator ---------------------------------------------------------------------------- */

weir_status weir_iterator_resource_adopt(weir_iterator_resource *resource, weir_dataset *dataset)
{
    WEIR_TRY(
        weir_data_check_types(resource->types, resource->count, dataset->types, dataset->count));
    WEIR_TRY(
        weir_data_check_shapes(resource->shapes, resource->count, dataset->shapes, dataset->count));
    weir_iterator_resource_set(resource, weir_iterator_create(dataset));
    return WEIR_OK;
}

static weir_status make_iterator(weir_call *call)
{
    weir_dataset *dataset;
    weir_iterator_resource *resource;
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &dataset));
    WEIR_TRY(input(call, 1, &resource));
    weir_status status = weir_iterator_resource_adopt(resource, dataset);
    weir_ref_release(&resource->base.ref);
    return status;
}

const weir_op weir_op_make_iterator = {
    .name = "MakeIterator",
    .in = "dataset: variant; iterator: resource",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", make_iterator, WEIR_CHEAP}},
};

/* ---- IteratorGetNext ------------------------------------------------------------------------- */

static weir_status pull(weir_call *call, weir_iterator *it, weir_tensor *element)
{
    bool end;
    bool optional = call->site->def->out[0].dtype == WEIR_VARIANT;
    WEIR_TRY(weir_iterator_next(it, call->run, element, &end));
    if (!end && !optional)
        return weir_data_outputs(call, element, it->dataset->count);
    if (!optional)
        return weir_error(WEIR_OUT_OF_RANGE, "End of sequence");
    weir_optional_output(call, 0, end ? NULL : element, it->dataset->count);
    return WEIR_OK;
}

static weir_status get_next(weir_call *call, void *arg)
{
    weir_iterator *it = arg;
    weir_tensor *element = weir_element_create(it->dataset->count);
    weir_status status = pull(call, it, element);
    weir_element_destroy(element, it->dataset->count);
    weir_iterator_release(it);
    return status;
}

static void start_get_next(weir_call *call)
{
    weir_iterator_resource *resource;
    weir_iterator *it = NULL;
    weir_status status = input(call, 0, &resource);
    if (!status) {
        status = weir_iterator_resource_get(resource, &it);
        weir_ref_release(&resource->base.ref);
    }
    if (status)
        weir_call_finish(call, status);
    else
        weir_data_start(call, it->dataset->may_block, get_next, it);
}

#define GET_NEXT                                                                                   \
    .in = "iterator: resource", .attrs = WEIR_DATASET_TYPES, .flags = WEIR_STATEFUL,               \
    .no_grad = true,                                                                               \
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_get_next}}

WEIR_DEFINE_OP(iterator_get_next, "IteratorGetNext", GET_NEXT, .out = "components: output_types",
               .infer = weir_data_infer);
WEIR_DEFINE_OP(iterator_get_next_sync, "IteratorGetNextSync", GET_NEXT,
               .out = "components: output_types", .infer = weir_data_infer);
WEIR_DEFINE_OP(iterator_get_next_as_optional, "IteratorGetNextAsOptional", GET_NEXT,
               .out = "optional: variant", .infer = weir_infer_scalar);

/* ---- DeleteIterator and its like: the handle holds the object, so there is nothing to do ----- */

static weir_status delete_resource(weir_call *call)
{
    weir_handle *handle = weir_tensor_handle(weir_in(call, 0));
    if (!handle)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input 0 of node %s is not a resource handle",
                          call->site->name);
    return WEIR_OK;
}

#define DELETE                                                                                     \
    .in = "handle: resource; deleter: variant", .flags = WEIR_STATEFUL,                            \
    .infer = weir_infer_no_outputs, .no_grad = true,                                               \
    .kernels = {{WEIR_CPU, "*", delete_resource, WEIR_CHEAP}}

WEIR_DEFINE_OP(delete_iterator, "DeleteIterator", DELETE);
WEIR_DEFINE_OP(delete_seed_generator, "DeleteSeedGenerator", DELETE);
WEIR_DEFINE_OP(delete_random_seed_generator, "DeleteRandomSeedGenerator", DELETE);
WEIR_DEFINE_OP(delete_memory_cache, "DeleteMemoryCache", DELETE);
