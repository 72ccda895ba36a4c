/* ops/data/iterator.c - ops that make iterators: named, one-shot and anonymous ones. */
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

static weir_status prepare(weir_prepare *p)
{
    return weir_named_prepare(p, CONTAINER, SHARED_NAME, WEIR_BY_NODE_NAME, &weir_iterator_type);
}

static weir_status run_iterator(weir_call *c)
{
    weir_resource *r;
    WEIR_TRY(weir_named_open(c, create, (void *)c->site, &r));
    weir_iterator_resource *it = (weir_iterator_resource *)r;
    const weir_attr *types = weir_data_attr(c->site, "output_types");
    const weir_attr *shapes = weir_data_attr(c->site, "output_shapes");
    weir_status s =
        weir_data_check_types(types->types, types->count, (const weir_dtype *)it->types, it->count);
    if (!s)
        s = weir_data_check_shapes(shapes->shapes, shapes->count, it->shapes, it->count);
    weir_ref_release(&r->ref);
    WEIR_TRY(s);
    weir_named_output(c, 0);
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

static weir_status prepare_one_shot(weir_prepare *p)
{
    return weir_named_prepare(p, weir_opdef_attr(p->site->def, "container"),
                              weir_opdef_attr(p->site->def, "shared_name"), WEIR_BY_OWN_NAME,
                              &weir_iterator_type);
}

static weir_status make_dataset(weir_call *c, weir_iterator_resource *r)
{
    weir_data_function f;
    weir_dataset *d;
    weir_data_function_init(&f, c, "dataset_factory", "");
    weir_status s = weir_data_function_dataset(&f, c->run, NULL, 0, &d);
    weir_data_function_fini(&f);
    WEIR_TRY(s);
    s = weir_iterator_resource_adopt(r, d);
    weir_dataset_release(d);
    return s;
}

/* Two steps may come here at once; the second waits until the first has made the dataset. */
static weir_status open_one_shot(weir_call *c, void *arg)
{
    weir_iterator_resource *r = arg;
    pthread_mutex_lock(&r->making);
    weir_iterator *it = NULL;
    weir_status s = weir_iterator_resource_get(r, &it);
    weir_iterator_release(it);
    if (s) {
        weir_status_free(s);
        s = make_dataset(c, r);
    }
    pthread_mutex_unlock(&r->making);
    weir_ref_release(&r->base.ref);
    WEIR_TRY(s);
    weir_named_output(c, 0);
    return WEIR_OK;
}

static void start_one_shot(weir_call *c)
{
    weir_resource *r;
    weir_status s = weir_named_open(c, create, (void *)c->site, &r);
    if (s)
        weir_call_finish(c, s);
    else
        weir_data_start(c, true, open_one_shot, r);
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

static weir_status run_anonymous(weir_call *c)
{
    weir_resource *r;
    WEIR_TRY(create((void *)c->site, &r));
    weir_data_anonymous(c, r);
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

static weir_status to_string_handle(weir_call *c)
{
    weir_resource *r;
    WEIR_TRY(weir_named_input(c, 0, &weir_iterator_type, &r));
    weir_ref_release(&r->ref);
    WEIR_BUF(bytes);
    weir_handle_encode(weir_tensor_handle(weir_in(c, 0)), &bytes);
    weir_tstring_set(weir_out(c, 0)->data, bytes.at, bytes.length);
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

static weir_status check_expected(const weir_call *c, const weir_iterator_resource *r)
{
    const weir_attr *types = weir_data_attr(c->site, "output_types");
    const weir_attr *shapes = weir_data_attr(c->site, "output_shapes");
    if (types->count)
        WEIR_TRY(weir_data_check_types(types->types, types->count, (const weir_dtype *)r->types,
                                       r->count));
    if (shapes->count)
        WEIR_TRY(weir_data_check_shapes(shapes->shapes, shapes->count, r->shapes, r->count));
    return WEIR_OK;
}

static weir_status from_string_handle(weir_call *c)
{
    weir_str text;
    weir_handle *h;
    weir_resource *r;
    WEIR_TRY(weir_data_string(c, "string_handle", &text));
    if (!text.length || weir_handle_parse(text, &h) != WEIR_OK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Could not parse string_handle as a valid "
                                                 "ResourceHandle");
    weir_status s = weir_resources_of_handle(c->run->resources, h, &weir_iterator_type, &r);
    if (!s) {
        s = check_expected(c, (weir_iterator_resource *)r);
        weir_ref_release(&r->ref);
    }
    if (s) {
        weir_ref_release(&h->ref);
        return s;
    }
    weir_call_set(c, 0, weir_tensor_from_handle(h));
    return WEIR_OK;
}

#define FROM_STRING                                                                                \
    .in = "string_handle: string", .out = "resource_handle: resource",                             \
    .attrs = "output_types: list(type) >= 0 = []; output_shapes: list(shape) >= 0 = []",           \
    .flags = WEIR_STATEFUL, .infer = weir_infer_scalar, .no_grad = true,                           \
    .kernels = {{WEIR_CPU, "*", from_string_handle, FLAGS}}

WEIR_DEFINE_OP(iterator_from_string_handle, "IteratorFromStringHandle", FROM_STRING);
WEIR_DEFINE_OP(iterator_from_string_handle_v2, "IteratorFromStringHandleV2", FROM_STRING);
