/* ops/data/iterator_use.c - MakeIterator, IteratorGetNext and its forms, DeleteIterator, and an
 * iterator's place as a value.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#include "ops/data/iterator_impl.h"
#include "ops/data/optional_impl.h"
#include "ops/declare.h"
#include "ops/state/named.h"

static weir_status input(weir_call *c, int i, weir_iterator_resource **out)
{
    weir_resource *r;
    WEIR_TRY(weir_named_input(c, i, &weir_iterator_type, &r));
    *out = (weir_iterator_resource *)r;
    return WEIR_OK;
}

void weir_data_anonymous(weir_call *c, weir_resource *r)
{
    static atomic_llong counter;
    char name[64];
    snprintf(name, sizeof name, "%s%lld", c->site->def->name, atomic_fetch_add(&counter, 1));
    weir_handle *h =
        weir_handle_create(weir_resources_device(c->run->resources),
                           weir_resources_default(c->run->resources), name, r->type->name);
    h->object = &r->ref;
    weir_call_set(c, 0, weir_tensor_from_handle(h));
    if (c->site->out_count > 1)
        weir_optional_output(c, 1, NULL, 0);
}

/* ---- MakeIterator ---------------------------------------------------------------------------- */

weir_status weir_iterator_resource_adopt(weir_iterator_resource *r, weir_dataset *d)
{
    WEIR_TRY(weir_data_check_types(r->types, r->count, d->types, d->count));
    WEIR_TRY(weir_data_check_shapes(r->shapes, r->count, d->shapes, d->count));
    weir_iterator_resource_set(r, weir_iterator_create(d));
    return WEIR_OK;
}

static weir_status make_iterator(weir_call *c)
{
    weir_dataset *d;
    weir_iterator_resource *r;
    WEIR_TRY(weir_dataset_of(weir_in(c, 0), &d));
    WEIR_TRY(input(c, 1, &r));
    weir_status s = weir_iterator_resource_adopt(r, d);
    weir_ref_release(&r->base.ref);
    return s;
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

static weir_status pull(weir_call *c, weir_iterator *it, weir_tensor *element)
{
    bool end;
    bool optional = c->site->def->out[0].dtype == WEIR_VARIANT;
    WEIR_TRY(weir_iterator_next(it, c->run, element, &end));
    if (!end && !optional)
        return weir_data_outputs(c, element, it->dataset->count);
    if (!optional)
        return weir_error(WEIR_OUT_OF_RANGE, "End of sequence");
    weir_optional_output(c, 0, end ? NULL : element, it->dataset->count);
    return WEIR_OK;
}

static weir_status get_next(weir_call *c, void *arg)
{
    weir_iterator *it = arg;
    weir_tensor *element = weir_element_create(it->dataset->count);
    weir_status s = pull(c, it, element);
    weir_element_destroy(element, it->dataset->count);
    weir_iterator_release(it);
    return s;
}

static void start_get_next(weir_call *c)
{
    weir_iterator_resource *r;
    weir_iterator *it = NULL;
    weir_status s = input(c, 0, &r);
    if (!s) {
        s = weir_iterator_resource_get(r, &it);
        weir_ref_release(&r->base.ref);
    }
    if (s)
        weir_call_finish(c, s);
    else
        weir_data_start(c, it->dataset->may_block, get_next, it);
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

static weir_status delete_resource(weir_call *c)
{
    weir_handle *h = weir_tensor_handle(weir_in(c, 0));
    if (!h)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input 0 of node %s is not a resource handle",
                          c->site->name);
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
