/* ops/data/serialize.c - SerializeIterator, DeserializeIterator: the position of an iterator as a
 * value.
 *
 * The position is the number of elements returned. A restored iterator restarts its dataset
 * and skips as many, which gives the same remaining elements if the dataset is
 * deterministic.
 */
#include <inttypes.h>

#include "ops/data/iterator_impl.h"
#include "ops/state/named.h"
#include "tensor/opaque.h"
#include "wire/messages.h"

#define STATE_NAME "weir::IteratorState"

/* The values of attr external_state_policy for functions with resources: warn, ignore or ... */
enum { POLICY_FAIL = 2 };

static weir_tensor encode(int64_t produced, bool ended)
{
    WEIR_BUF(position);
    WEIR_BUF(bytes);
    weir_msg_iterator_position_write(
        &(weir_msg_iterator_position){.produced = produced, .ended = ended}, &position);
    weir_msg_variant_tensor_data_proto_write(
        &(weir_msg_variant_tensor_data_proto){.type_name = WEIR_STR(STATE_NAME),
                                              .metadata = weir_view(&position)},
        &bytes);
    return weir_tensor_from_variant(weir_opaque_create(weir_view(&bytes)));
}

static weir_status serialize(weir_call *call)
{
    weir_resource *resource;
    weir_iterator *it;
    WEIR_TRY(weir_named_input(call, 0, &weir_iterator_type, &resource));
    weir_status status = weir_iterator_resource_get((weir_iterator_resource *)resource, &it);
    weir_ref_release(&resource->ref);
    if (status) {
        weir_status_free(status);
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Save() failed because the iterator has not been initialized. Ensure "
                          "that you have run the initializer operation for this iterator before "
                          "saving it.");
    }
    if (it->dataset->external &&
        weir_data_attr(call->site, "external_state_policy")->i == POLICY_FAIL) {
        weir_iterator_release(it);
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "The iterator cannot be saved: its dataset depends on external state");
    }
    weir_mutex_lock(&it->lock);
    int64_t produced = it->produced;
    bool ended = it->ended;
    weir_mutex_unlock(&it->lock);
    weir_iterator_release(it);
    weir_call_set(call, 0, encode(produced, ended));
    return WEIR_OK;
}

const weir_op weir_op_serialize_iterator = {
    .name = "SerializeIterator",
    .in = "resource_handle: resource",
    .out = "serialized: variant",
    .attrs = "external_state_policy: int = 0",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", serialize, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

/* ---- DeserializeIterator --------------------------------------------------------------------- */

static weir_status read_position(weir_str bytes, int64_t *out_produced, bool *out_ended)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_variant_tensor_data_proto variant;
    weir_msg_iterator_position position;
    WEIR_TRY(weir_msg_variant_tensor_data_proto_read(bytes, &arena, &variant));
    if (!weir_str_is(variant.type_name, STATE_NAME))
        return weir_error(WEIR_INVALID_ARGUMENT, "it is another kind of variant");
    WEIR_TRY(weir_msg_iterator_position_read(variant.metadata, &arena, &position));
    *out_produced = position.produced < 0 ? INT64_MAX : position.produced;
    *out_ended = position.ended;
    return WEIR_OK;
}

static weir_status decode(const weir_tensor *tensor, int64_t *out_produced, bool *out_ended)
{
    weir_str bytes = WEIR_STR("");
    weir_opaque_get(weir_tensor_variant(tensor), &bytes);
    weir_status status = read_position(bytes, out_produced, out_ended);
    weir_status_free(status);
    if (status)
        return weir_error(WEIR_INVALID_ARGUMENT, "The variant is not the state of an iterator");
    return WEIR_OK;
}

static weir_status advance(weir_iterator *it, weir_run *run, int64_t produced, bool ended)
{
    weir_tensor *element = weir_element_create(it->dataset->count);
    weir_status status = WEIR_OK;
    for (bool end = false; !status && !end && it->produced < produced;) {
        status = weir_iterator_next(it, run, element, &end);
        weir_element_clear(element, it->dataset->count);
    }
    weir_element_destroy(element, it->dataset->count);
    it->ended |= !status && ended;
    return status;
}

typedef struct restoring {
    weir_iterator_resource *r;
    weir_iterator *it; /* new */
} restoring;

static weir_status restore(weir_call *call, void *arg)
{
    restoring this_restoring = *(restoring *)arg;
    int64_t produced;
    bool ended;
    weir_free(arg);
    weir_status status = decode(weir_in(call, 1), &produced, &ended);
    if (!status)
        status = advance(this_restoring.it, call->run, produced, ended);
    if (status)
        weir_iterator_release(this_restoring.it);
    else
        weir_iterator_resource_set(this_restoring.r, this_restoring.it);
    weir_ref_release(&this_restoring.r->base.ref);
    return status;
}

static weir_status begin(weir_call *call, restoring *restoring)
{
    weir_resource *resource;
    weir_iterator *before;
    WEIR_TRY(weir_named_input(call, 0, &weir_iterator_type, &resource));
    weir_status status = weir_iterator_resource_get((weir_iterator_resource *)resource, &before);
    if (status) {
        weir_status_free(status);
        weir_ref_release(&resource->ref);
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Restore() failed because the iterator has not been initialized. Ensure "
                          "that you have run the initializer operation for this iterator before "
                          "restoring it.");
    }
    restoring->r = (weir_iterator_resource *)resource;
    restoring->it = weir_iterator_create(before->dataset);
    weir_iterator_release(before);
    return WEIR_OK;
}

static void start_restore(weir_call *call)
{
    restoring *new_restoring = WEIR_NEW(restoring);
    weir_status status = begin(call, new_restoring);
    if (status) {
        weir_free(new_restoring);
        weir_call_finish(call, status);
        return;
    }
    weir_data_start(call, new_restoring->it->dataset->may_block, restore, new_restoring);
}

const weir_op weir_op_deserialize_iterator = {
    .name = "DeserializeIterator",
    .in = "resource_handle: resource; serialized: variant",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_restore}},
};
