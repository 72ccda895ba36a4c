/* ops/data/multi_device.c - MultiDeviceIterator and its ops: distributes one dataset over several
 * devices, element i to shard i modulo their number.
 *
 * A shard that is ahead buffers the elements of the others; each Init restarts with a new
 * incarnation number, which invalidates users of the previous one.
 */
#include <inttypes.h>
#include <stdatomic.h>

#include "ops/data/iterator_impl.h"
#include "ops/data/optional_impl.h"
#include "ops/declare.h"
#include "ops/state/named.h"
#include "tensor/proto.h"
#include "tensor/tstring.h"

typedef struct multi {
    weir_resource base;
    int shards, count; /* tensors of an element */
    int32_t *types;
    weir_shape *shapes;
    weir_mutex lock;
    weir_iterator *it WEIR_GUARDED_BY(lock); /* null until Init */
    int64_t incarnation WEIR_GUARDED_BY(lock);
    int64_t next_shard WEIR_GUARDED_BY(lock);
    bool ended WEIR_GUARDED_BY(lock);
    weir_element_list *waiting WEIR_GUARDED_BY(lock); /* buffered elements, per shard */
} multi;

static const weir_resource_type multi_type = {
    "N10tensorflow4data12_GLOBAL__N_119MultiDeviceIteratorE", "multi-device iterator"};

static void drop_waiting(multi *multi)
{
    for (int i = 0; i < multi->shards; i++)
        weir_elements_fini(&multi->waiting[i], multi->count);
}

static void destroy(weir_ref *ref)
{
    multi *this_multi = (multi *)ref;
    drop_waiting(this_multi);
    weir_iterator_release(this_multi->it);
    weir_free(this_multi->waiting);
    weir_free(this_multi->types);
    weir_free(this_multi->shapes);
    weir_mutex_fini(&this_multi->lock);
    weir_free(this_multi);
}

static weir_status create(void *arg, weir_resource **out)
{
    const weir_site *site = arg;
    const weir_attr *types = weir_data_attr(site, "output_types");
    const weir_attr *shapes = weir_data_attr(site, "output_shapes");
    if (types->count != shapes->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "output_types and output_shapes must be the same length (%d vs. %d)",
                          types->count, shapes->count);
    multi *made = WEIR_NEW(multi);
    weir_ref_init(&made->base.ref, destroy);
    made->base.type = &multi_type;
    weir_mutex_init(&made->lock);
    made->shards = weir_data_attr(site, "devices")->count;
    made->count = types->count;
    made->types = WEIR_NEW_ARRAY(int32_t, made->count);
    made->shapes = WEIR_NEW_ARRAY(weir_shape, made->count);
    memcpy(made->types, types->types, sizeof *made->types * (size_t)made->count);
    memcpy(made->shapes, shapes->shapes, sizeof *made->shapes * (size_t)made->count);
    made->waiting = WEIR_NEW_ARRAY(weir_element_list, made->shards);
    *out = &made->base;
    return WEIR_OK;
}

/* ---- creation -------------------------------------------------------------------------------- */

static weir_status prepare(weir_prepare *preparation)
{
    return weir_named_prepare(preparation, weir_opdef_attr(preparation->site->def, "container"),
                              weir_opdef_attr(preparation->site->def, "shared_name"),
                              WEIR_BY_NODE_NAME, &multi_type);
}

static weir_status run_named(weir_call *call)
{
    weir_resource *resource;
    WEIR_TRY(weir_named_open(call, create, (void *)call->site, &resource));
    weir_ref_release(&resource->ref);
    weir_named_output(call, 0);
    return WEIR_OK;
}

static weir_status run_anonymous(weir_call *call)
{
    weir_resource *resource;
    WEIR_TRY(create((void *)call->site, &resource));
    weir_data_anonymous(call, resource);
    return WEIR_OK;
}

#define FLAGS (WEIR_OWN_OUTPUTS | WEIR_CHEAP)
#define MULTI .flags = WEIR_STATEFUL, .no_grad = true
#define ANONYMOUS                                                                                  \
    MULTI, .attrs = "devices: list(string) >= 1; " WEIR_DATASET_TYPES, .infer = weir_infer_scalar, \
           .kernels = {{WEIR_CPU, "*", run_anonymous, FLAGS}}

WEIR_DEFINE_OP(multi_device_iterator, "MultiDeviceIterator", MULTI, .out = "handle: resource",
               .attrs = "devices: list(string) >= 1; shared_name: string; container: "
                        "string; " WEIR_DATASET_TYPES,
               .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", run_named, FLAGS, .prepare = prepare,
                            .cleanup = weir_named_cleanup}});
WEIR_DEFINE_OP(anonymous_multi_device_iterator, "AnonymousMultiDeviceIterator", ANONYMOUS,
               .out = "handle: resource; deleter: variant");
WEIR_DEFINE_OP(anonymous_multi_device_iterator_v3, "AnonymousMultiDeviceIteratorV3", ANONYMOUS,
               .out = "handle: resource");

/* ---- MultiDeviceIteratorInit ----------------------------------------------------------------- */

static weir_status input(weir_call *call, int i, multi **out)
{
    weir_resource *resource;
    WEIR_TRY(weir_named_input(call, i, &multi_type, &resource));
    *out = (multi *)resource;
    return WEIR_OK;
}

static weir_status adopt(multi *multi, weir_dataset *dataset, int64_t *out_incarnation)
{
    WEIR_TRY(weir_data_check_types(multi->types, multi->count, dataset->types, dataset->count));
    WEIR_TRY(weir_data_check_shapes(multi->shapes, multi->count, dataset->shapes, dataset->count));
    weir_iterator *it = weir_iterator_create(dataset), *last;
    weir_mutex_lock(&multi->lock);
    last = multi->it;
    multi->it = it;
    multi->next_shard = 0;
    multi->ended = false;
    drop_waiting(multi);
    *out_incarnation = ++multi->incarnation;
    weir_mutex_unlock(&multi->lock);
    weir_iterator_release(last);
    return WEIR_OK;
}

static weir_status run_init(weir_call *call)
{
    weir_dataset *dataset;
    multi *multi;
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &dataset));
    WEIR_TRY(input(call, 1, &multi));
    weir_status status = adopt(multi, dataset, weir_out(call, 0)->data);
    weir_ref_release(&multi->base.ref);
    return status;
}

WEIR_DEFINE_OP(multi_device_iterator_init, "MultiDeviceIteratorInit", MULTI,
               .in = "dataset: variant; multi_device_iterator: resource; max_buffer_size: int64",
               .out = "incarnation_id: int64", .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", run_init, WEIR_CHEAP}});

/* ---- MultiDeviceIteratorGetNextFromShard ----------------------------------------------------- */

/* The first buffered element of |shard|; reads on until there is one, or the end. */
static weir_status take(multi *multi, weir_run *run, int shard, weir_tensor **out)
    WEIR_REQUIRES(multi->lock)
{
    weir_element_list *mine = &multi->waiting[shard];
    while (!mine->count && !multi->ended) {
        weir_tensor *element = weir_element_create(multi->count);
        weir_status status = weir_iterator_next(multi->it, run, element, &multi->ended);
        if (status || multi->ended) {
            weir_element_destroy(element, multi->count);
            WEIR_TRY(status);
            break;
        }
        weir_vec_push(&multi->waiting[multi->next_shard], element);
        multi->next_shard = (multi->next_shard + 1) % multi->shards;
    }
    if (!mine->count)
        return weir_error(WEIR_OUT_OF_RANGE, "End of sequence");
    *out = mine->at[0];
    memmove(mine->at, mine->at + 1, (mine->count - 1) * sizeof *mine->at);
    mine->count--;
    return WEIR_OK;
}

static weir_status check_use(multi *multi, int32_t shard, int64_t incarnation)
    WEIR_REQUIRES(multi->lock)
{
    if (!multi->it)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "The multi-device iterator has not been initialized");
    if (incarnation != multi->incarnation)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Invalid incarnation id. Provided: %" PRId64 "; Expected: %" PRId64,
                          incarnation, multi->incarnation);
    if (shard < 0 || shard >= multi->shards)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shard %d is not below %d", shard, multi->shards);
    return WEIR_OK;
}

static weir_status get_next(weir_call *call, void *arg)
{
    multi *multi = arg;
    int32_t shard = *(const int32_t *)weir_in(call, 1)->data;
    weir_tensor *element = NULL;
    weir_mutex_lock(&multi->lock);
    weir_status status = check_use(multi, shard, *(const int64_t *)weir_in(call, 2)->data);
    if (!status)
        status = take(multi, call->run, shard, &element);
    weir_mutex_unlock(&multi->lock);
    if (!status)
        status = weir_data_outputs(call, element, multi->count);
    weir_element_destroy(element, multi->count);
    weir_ref_release(&multi->base.ref);
    return status;
}

static void start_get_next(weir_call *call)
{
    multi *multi = NULL;
    weir_status status = input(call, 0, &multi);
    if (!status &&
        (weir_tensor_count(weir_in(call, 1)) != 1 || weir_tensor_count(weir_in(call, 2)) != 1)) {
        weir_ref_release(&multi->base.ref);
        status = weir_error(WEIR_INVALID_ARGUMENT, "shard_num and incarnation_id must be scalars");
    }
    if (status)
        weir_call_finish(call, status);
    else
        weir_data_start(call, true, get_next, multi);
}

WEIR_DEFINE_OP(
    multi_device_iterator_get_next_from_shard, "MultiDeviceIteratorGetNextFromShard", MULTI,
    .in = "multi_device_iterator: resource; shard_num: int32; incarnation_id: int64",
    .out = "components: output_types", .attrs = WEIR_DATASET_TYPES, .infer = weir_data_infer,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_get_next}});

/* ---- handles as strings, and the end --------------------------------------------------------- */

static weir_status to_string(weir_call *call)
{
    multi *multi;
    WEIR_TRY(input(call, 0, &multi));
    weir_ref_release(&multi->base.ref);
    WEIR_BUF(bytes);
    weir_handle_encode(weir_tensor_handle(weir_in(call, 0)), &bytes);
    weir_tstring_set(weir_out(call, 0)->data, bytes.at, bytes.length);
    return WEIR_OK;
}

static weir_status from_string(weir_call *call)
{
    weir_str text = {"", 0};
    weir_handle *handle;
    weir_resource *resource;
    WEIR_TRY(weir_data_string(call, "string_handle", &text));
    if (!text.length || weir_handle_parse(text, &handle) != WEIR_OK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Could not parse string_handle as a valid "
                                                 "ResourceHandle");
    weir_status status =
        weir_resources_of_handle(call->run->resources, handle, &multi_type, &resource);
    if (status) {
        weir_ref_release(&handle->ref);
        return status;
    }
    weir_ref_release(&resource->ref);
    weir_call_set(call, 0, weir_tensor_from_handle(handle));
    return WEIR_OK;
}

/* Handles own their objects, so this is a no-op. */
static weir_status run_delete(weir_call *call)
{
    (void)call;
    return WEIR_OK;
}

WEIR_DEFINE_OP(multi_device_iterator_to_string_handle, "MultiDeviceIteratorToStringHandle", MULTI,
               .in = "multi_device_iterator: resource", .out = "string_handle: string",
               .infer = weir_infer_scalar, .kernels = {{WEIR_CPU, "*", to_string, WEIR_CHEAP}});
WEIR_DEFINE_OP(multi_device_iterator_from_string_handle, "MultiDeviceIteratorFromStringHandle",
               MULTI, .in = "string_handle: string", .out = "multi_device_iterator: resource",
               .attrs = "output_types: list(type) >= 0 = []; output_shapes: list(shape) >= 0 = []",
               .infer = weir_infer_scalar, .kernels = {{WEIR_CPU, "*", from_string, FLAGS}});
WEIR_DEFINE_OP(delete_multi_device_iterator, "DeleteMultiDeviceIterator", MULTI,
               .in = "multi_device_iterator: resource; iterators: N * resource; deleter: variant",
               .attrs = "N: int >= 0", .infer = weir_infer_no_outputs,
               .kernels = {{WEIR_CPU, "*", run_delete, WEIR_CHEAP}});
