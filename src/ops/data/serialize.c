/* ops/data/serialize.c - SerializeIterator, DeserializeIterator: an iterator's place as a value.
 *
 * The place is the number of elements given. A restored iterator starts from the beginning of its
 * dataset and passes over as many, which gives the same rest wherever the dataset gives the same
 * elements each time.
 */
#include <inttypes.h>

#include "ops/data/iterator_impl.h"
#include "ops/state/named.h"
#include "tensor/opaque.h"
#include "wire/messages.h"

#define STATE_NAME "weir::IteratorState"

/* What attr external_state_policy says of resources that functions use: warn, ignore or ... */
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

static weir_status serialize(weir_call *c)
{
    weir_resource *r;
    weir_iterator *it;
    WEIR_TRY(weir_named_input(c, 0, &weir_iterator_type, &r));
    weir_status s = weir_iterator_resource_get((weir_iterator_resource *)r, &it);
    weir_ref_release(&r->ref);
    if (s) {
        weir_status_free(s);
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Save() failed because the iterator has not been initialized. Ensure "
                          "that you have run the initializer operation for this iterator before "
                          "saving it.");
    }
    if (it->dataset->external &&
        weir_data_attr(c->site, "external_state_policy")->i == POLICY_FAIL) {
        weir_iterator_release(it);
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "The iterator cannot be saved: its dataset depends on external state");
    }
    pthread_mutex_lock(&it->lock);
    int64_t produced = it->produced;
    bool ended = it->ended;
    pthread_mutex_unlock(&it->lock);
    weir_iterator_release(it);
    weir_call_set(c, 0, encode(produced, ended));
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

static weir_status decode(const weir_tensor *t, int64_t *out_produced, bool *out_ended)
{
    weir_str bytes = WEIR_STR("");
    weir_opaque_get(weir_tensor_variant(t), &bytes);
    weir_status s = read_position(bytes, out_produced, out_ended);
    weir_status_free(s);
    if (s)
        return weir_error(WEIR_INVALID_ARGUMENT, "The variant is not the state of an iterator");
    return WEIR_OK;
}

static weir_status advance(weir_iterator *it, weir_run *run, int64_t produced, bool ended)
{
    weir_tensor *element = weir_element_create(it->dataset->count);
    weir_status s = WEIR_OK;
    for (bool end = false; !s && !end && it->produced < produced;) {
        s = weir_iterator_next(it, run, element, &end);
        weir_element_clear(element, it->dataset->count);
    }
    weir_element_destroy(element, it->dataset->count);
    it->ended |= !s && ended;
    return s;
}

typedef struct restoring {
    weir_iterator_resource *r;
    weir_iterator *it; /* new */
} restoring;

static weir_status restore(weir_call *c, void *arg)
{
    restoring w = *(restoring *)arg;
    int64_t produced;
    bool ended;
    weir_free(arg);
    weir_status s = decode(weir_in(c, 1), &produced, &ended);
    if (!s)
        s = advance(w.it, c->run, produced, ended);
    if (s)
        weir_iterator_release(w.it);
    else
        weir_iterator_resource_set(w.r, w.it);
    weir_ref_release(&w.r->base.ref);
    return s;
}

static weir_status begin(weir_call *c, restoring *w)
{
    weir_resource *r;
    weir_iterator *before;
    WEIR_TRY(weir_named_input(c, 0, &weir_iterator_type, &r));
    weir_status s = weir_iterator_resource_get((weir_iterator_resource *)r, &before);
    if (s) {
        weir_status_free(s);
        weir_ref_release(&r->ref);
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Restore() failed because the iterator has not been initialized. Ensure "
                          "that you have run the initializer operation for this iterator before "
                          "restoring it.");
    }
    w->r = (weir_iterator_resource *)r;
    w->it = weir_iterator_create(before->dataset);
    weir_iterator_release(before);
    return WEIR_OK;
}

static void start_restore(weir_call *c)
{
    restoring *w = WEIR_NEW(restoring);
    weir_status s = begin(c, w);
    if (s) {
        weir_free(w);
        weir_call_finish(c, s);
        return;
    }
    weir_data_start(c, w->it->dataset->may_block, restore, w);
}

const weir_op weir_op_deserialize_iterator = {
    .name = "DeserializeIterator",
    .in = "resource_handle: resource; serialized: variant",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_restore}},
};
