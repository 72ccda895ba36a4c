/* ops/data_flow/barrier.c - Barrier and its ops: tuples that are put together by key.
 *
 * The components of a key come one by one; once all are there the tuple is ready, and ready tuples
 * are taken in the order their keys first came. */
#include <inttypes.h>

#include "base/arith.h"
#include "ops/declare.h"
#include "ops/state/named.h"
#include "state/wait.h"
#include "tensor/tstring.h"

typedef struct entry {
    char *key;
    size_t key_length;
    int64_t index, order; /* which insertion brought the key; when it became ready */
    int missing;
    weir_tensor *tuple;
} entry;

typedef struct barrier {
    weir_resource base;
    weir_wait_point point;
    char *name;
    int count;
    weir_dtype *dtypes;
    weir_shape *shapes; /* null: not specified */
    /* Under point.lock: */
    weir_map by_key; /* incomplete entries */
    WEIR_VEC(entry *) ready;
    bool closed, cancelled; /* cancelled: not even known keys may be inserted */
    int64_t next_index, next_order;
    bool new_keys; /* the running insertion brought some: it uses up an index */
} barrier;

static const weir_resource_type barrier_type = {"N10tensorflow7barrier7BarrierE", "barrier"};

enum { TYPES, SHAPES, CAPACITY, CONTAINER, SHARED_NAME };

/* ---- life ------------------------------------------------------------------------------------ */

static void entry_destroy(const barrier *b, entry *e)
{
    for (int k = 0; k < b->count; k++)
        weir_tensor_release(&e->tuple[k]);
    weir_free(e->tuple);
    weir_free(e->key);
    weir_free(e);
}

static void destroy(weir_ref *ref)
{
    barrier *b = (barrier *)ref;
    size_t at = 0;
    void *e;
    while (weir_map_next(&b->by_key, &at, NULL, &e))
        entry_destroy(b, e);
    weir_map_fini(&b->by_key);
    for (size_t i = 0; i < b->ready.count; i++)
        entry_destroy(b, b->ready.at[i]);
    weir_vec_fini(&b->ready);
    weir_free(b->dtypes);
    weir_free(b->shapes);
    weir_free(b->name);
    weir_wait_fini(&b->point);
    weir_free(b);
}

static weir_status create(void *arg, weir_resource **out)
{
    const weir_call *c = arg;
    const weir_attr *types = weir_site_list(c->site, TYPES),
                    *shapes = weir_site_list(c->site, SHAPES);
    barrier *b = WEIR_NEW(barrier);
    weir_ref_init(&b->base.ref, destroy);
    b->base.type = &barrier_type;
    weir_wait_init(&b->point);
    b->name = weir_strdup(((const weir_named *)c->state)->name);
    b->count = types->count;
    b->dtypes = WEIR_NEW_ARRAY(weir_dtype, types->count);
    for (int k = 0; k < types->count; k++)
        b->dtypes[k] = (weir_dtype)types->types[k];
    if (shapes->count) {
        b->shapes = WEIR_NEW_ARRAY(weir_shape, shapes->count);
        memcpy(b->shapes, shapes->shapes, sizeof *b->shapes * (size_t)shapes->count);
    }
    b->next_index = INT64_MIN;
    *out = &b->base;
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *p)
{
    const weir_attr *types = weir_site_list(p->site, TYPES),
                    *shapes = weir_site_list(p->site, SHAPES);
    if (shapes->count && shapes->count != types->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "All of the component shapes must be specified: %d types, %d shapes",
                          types->count, shapes->count);
    if (weir_site_int(p->site, CAPACITY) != -1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Barrier only accepts capacity=-1.  Feed the inputs "
                          "to your Barrier through a queue to enforce a limited capacity.");
    return weir_named_prepare(p, CONTAINER, SHARED_NAME, WEIR_BY_OWN_NAME, &barrier_type);
}

/* A barrier that another node made must be what this one asks for. */
static weir_status verify(const weir_call *c, const barrier *b)
{
    const weir_attr *types = weir_site_list(c->site, TYPES),
                    *shapes = weir_site_list(c->site, SHAPES);
    bool same = types->count == b->count;
    for (int k = 0; same && k < b->count; k++)
        same = b->dtypes[k] == (weir_dtype)types->types[k];
    if (!same)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shared barrier '%s' has other component types than the requested "
                          "component types of %s",
                          b->name, c->site->name);
    same = (shapes->count > 0) == (b->shapes != NULL);
    for (int k = 0; same && k < shapes->count; k++)
        same = weir_shape_eq(&b->shapes[k], &shapes->shapes[k]);
    return same ? WEIR_OK
                : weir_error(WEIR_INVALID_ARGUMENT,
                             "Shared barrier '%s' has other component shapes than the requested "
                             "component shapes of %s",
                             b->name, c->site->name);
}

static weir_status make(weir_call *c)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(c, create, c, &found));
    weir_status s = verify(c, (const barrier *)found);
    weir_ref_release(&found->ref);
    WEIR_TRY(s);
    weir_named_output(c, 0);
    return WEIR_OK;
}

static weir_status barrier_of(weir_call *c, barrier **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_input(c, 0, &barrier_type, &found));
    *out = (barrier *)found;
    return WEIR_OK;
}

/* ---- inserting ------------------------------------------------------------------------------- */

enum { COMPONENT = 1 }; /* attr of BarrierInsertMany */

static weir_status check_insert(weir_call *c, const barrier *b, int64_t component)
{
    const weir_tensor *keys = weir_in(c, 1), *values = weir_in(c, 2);
    if (component < 0 || component >= b->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The component ID is out of range %" PRId64 " > num_components (= %d)",
                          component, b->count);
    if (values->dtype != b->dtypes[component])
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Signature mismatch, have: string_ref, string, %s-> expected: string_ref, "
            "string, %s->",
            weir_dtype_name(values->dtype), weir_dtype_name(b->dtypes[component]));
    int64_t count = weir_tensor_count(keys);
    if (count && weir_tensor_count(values) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Tensors with no elements are not supported %s: received shape %s",
                          b->name, WEIR_SHAPE_STR(&values->shape));
    if (b->closed && (b->cancelled || (count && b->by_key.count == 0)))
        return weir_error(WEIR_CANCELLED,
                          "Barrier %s is closed.  Pending enqueues cancelled: %d.  Number of new "
                          "insertions: %" PRId64 ".  Number of incomplete keys: %zu.",
                          b->name, b->cancelled, count, b->by_key.count);
    if (values->shape.rank < 1 || values->shape.dims[0] != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "keys and values must have as many rows, but have shapes %s and %s",
                          WEIR_SHAPE_STR(&keys->shape), WEIR_SHAPE_STR(&values->shape));
    weir_shape row = weir_infer_sub(&values->shape, 1, WEIR_MAX_RANK);
    if (b->shapes && !weir_shape_compatible(&b->shapes[component], &row))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shape mismatch in tuple component %" PRId64 ". Expected %s, got %s",
                          component, WEIR_SHAPE_STR(&b->shapes[component]), WEIR_SHAPE_STR(&row));
    return WEIR_OK;
}

static weir_status find_or_add(barrier *b, weir_str key, int64_t index, entry **out)
{
    entry *e = weir_map_get(&b->by_key, key);
    if (b->closed && !e)
        return weir_error(
            WEIR_CANCELLED,
            "Barrier %s is closed, but attempted to insert a brand new key: %.*s.  Pending "
            "enqueues cancelled: %d.  Insertion index: %" PRId64
            ".  Number of incomplete keys: %zu.",
            b->name, WEIR_STR_ARG(key), b->cancelled, index, b->by_key.count);
    if (!e) {
        e = WEIR_NEW(entry);
        e->key = weir_strndup(key.at, key.length);
        e->key_length = key.length;
        e->index = b->next_index;
        e->missing = b->count;
        e->tuple = WEIR_NEW_ARRAY(weir_tensor, b->count);
        weir_map_put(&b->by_key, key, e);
        b->new_keys = true;
    }
    *out = e;
    return WEIR_OK;
}

static weir_status insert_one(barrier *b, weir_str key, int64_t i, int component,
                              const weir_tensor *values)
{
    entry *e;
    WEIR_TRY(find_or_add(b, key, i, &e));
    if (e->tuple[component].buffer)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Key %.*s already has a value for component %d in barrier %s",
                          WEIR_STR_ARG(key), component, b->name);
    weir_shape row = weir_infer_sub(&values->shape, 1, WEIR_MAX_RANK);
    e->tuple[component] = weir_tensor_slice(values, i * weir_shape_count(&row), &row);
    if (--e->missing)
        return WEIR_OK;
    weir_map_remove(&b->by_key, key);
    e->order = b->next_order++;
    weir_vec_push(&b->ready, e);
    return WEIR_OK;
}

static weir_status insert_all(weir_call *c, barrier *b)
{
    int64_t component = weir_site_int(c->site, COMPONENT);
    WEIR_TRY(check_insert(c, b, component));
    const weir_tstring *keys = weir_in(c, 1)->data;
    weir_status s = WEIR_OK;
    b->new_keys = false;
    for (int64_t i = 0; !s && i < weir_tensor_count(weir_in(c, 1)); i++)
        s = insert_one(b, weir_tstring_get(&keys[i]), i, (int)component, weir_in(c, 2));
    b->next_index += b->new_keys;
    return s;
}

static weir_status insert_many(weir_call *c)
{
    barrier *b;
    WEIR_TRY(barrier_of(c, &b));
    pthread_mutex_lock(&b->point.lock);
    weir_status s = insert_all(c, b);
    pthread_mutex_unlock(&b->point.lock);
    weir_wait_changed(&b->point);
    weir_ref_release(&b->base.ref);
    return s;
}

/* ---- taking ---------------------------------------------------------------------------------- */

enum { SMALL_OK = 1 };          /* attr of BarrierTakeMany */
enum { INDICES, KEYS, VALUES }; /* its outputs */

/* Takes out the ready entry that goes first. */
static entry *pop_ready(barrier *b)
{
    size_t first = 0;
    for (size_t i = 1; i < b->ready.count; i++) {
        entry *e = b->ready.at[i], *f = b->ready.at[first];
        if (e->index != f->index ? e->index < f->index : e->order < f->order)
            first = i;
    }
    entry *e = b->ready.at[first];
    b->ready.at[first] = b->ready.at[--b->ready.count];
    return e;
}

static weir_status alloc_outputs(weir_call *c, const barrier *b, int64_t count,
                                 entry *const *entries)
{
    weir_shape vector = weir_shape_vector(count);
    WEIR_TRY(weir_call_alloc(c, INDICES, &vector));
    WEIR_TRY(weir_call_alloc(c, KEYS, &vector));
    for (int k = 0; k < b->count; k++) {
        weir_shape row = count       ? entries[0]->tuple[k].shape
                         : b->shapes ? b->shapes[k]
                                     : WEIR_SCALAR;
        weir_shape shape;
        WEIR_TRY(weir_infer_concat(&vector, &row, &shape));
        WEIR_TRY(weir_call_alloc(c, VALUES + k, &shape));
    }
    return WEIR_OK;
}

static weir_status write_entry(weir_call *c, const barrier *b, const entry *e, int64_t i)
{
    ((int64_t *)weir_out(c, INDICES)->data)[i] = e->index;
    weir_tstring_set((weir_tstring *)weir_out(c, KEYS)->data + i, e->key, e->key_length);
    for (int k = 0; k < b->count; k++) {
        weir_tensor *out = weir_out(c, VALUES + k);
        int64_t run = weir_shape_product(&out->shape, 1, out->shape.rank);
        if (weir_tensor_count(&e->tuple[k]) != run)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Tuples of barrier %s have components of unequal "
                              "shapes",
                              b->name);
        weir_elements_copy(out->dtype,
                           (char *)out->data + (size_t)(i * run) * weir_dtype_size(out->dtype),
                           e->tuple[k].data, run);
    }
    return WEIR_OK;
}

static weir_status give(weir_call *c, barrier *b, int64_t count)
{
    entry **taken = WEIR_NEW_ARRAY(entry *, count + 1);
    for (int64_t i = 0; i < count; i++)
        taken[i] = pop_ready(b);
    weir_status s = alloc_outputs(c, b, count, taken);
    for (int64_t i = 0; i < count; i++) {
        if (!s)
            s = write_entry(c, b, taken[i], i);
        entry_destroy(b, taken[i]);
    }
    weir_free(taken);
    return s;
}

static bool try_take(weir_call *c, void *object, weir_status *out_status)
{
    barrier *b = object;
    int64_t want = *(const int32_t *)weir_in(c, 1)->data, ready = (int64_t)b->ready.count;
    int64_t total = ready + (int64_t)b->by_key.count;
    if (b->closed && weir_site_bool(c->site, SMALL_OK) && ready < want)
        want = ready;
    if (b->closed && total < weir_max(want, 1)) {
        *out_status = weir_error(WEIR_OUT_OF_RANGE,
                                 "Barrier '%s' is closed and has insufficient elements (requested "
                                 "%" PRId64 ", total size %" PRId64 ")",
                                 b->name, want, total);
        return true;
    }
    if (ready < want)
        return false;
    *out_status = give(c, b, want);
    return true;
}

static weir_status check_take(weir_call *c, const barrier *b)
{
    const weir_tensor *n = weir_in(c, 1);
    if (weir_tensor_count(n) != 1 || *(const int32_t *)n->data < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "num_elements must be a scalar >= 0, but has shape %s",
                          WEIR_SHAPE_STR(&n->shape));
    bool fits = c->site->out_count == b->count + VALUES;
    for (int k = 0; fits && k < b->count; k++)
        fits = weir_dtype_base(c->site->out_types[VALUES + k]) == b->dtypes[k];
    return fits ? WEIR_OK
                : weir_error(
                      WEIR_INVALID_ARGUMENT,
                      "Signature mismatch: node %s does not expect the components of barrier %s",
                      c->site->name, b->name);
}

static void take_many(weir_call *c)
{
    barrier *b;
    weir_status s = barrier_of(c, &b);
    if (!s && (s = check_take(c, b)))
        weir_ref_release(&b->base.ref);
    if (s) {
        weir_call_finish(c, s);
        return;
    }
    weir_wait_start(&(weir_wait){.point = &b->point,
                                 .object = &b->base,
                                 .attempt = try_take,
                                 .cancelled = "Dequeue operation was cancelled"},
                    c);
    weir_ref_release(&b->base.ref);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static weir_status close_locked(barrier *b, bool cancel)
{
    if (b->closed && (b->cancelled || !cancel))
        return weir_error(WEIR_CANCELLED, "Barrier '%s' is already closed.", b->name);
    b->closed = true;
    b->cancelled |= cancel;
    if (!cancel)
        return WEIR_OK;
    size_t at = 0;
    void *e;
    while (weir_map_next(&b->by_key, &at, NULL, &e))
        entry_destroy(b, e);
    weir_map_fini(&b->by_key);
    return WEIR_OK;
}

static weir_status close_barrier(weir_call *c)
{
    barrier *b;
    WEIR_TRY(barrier_of(c, &b));
    pthread_mutex_lock(&b->point.lock);
    weir_status s = close_locked(b, weir_site_bool(c->site, 0));
    pthread_mutex_unlock(&b->point.lock);
    weir_wait_changed(&b->point);
    weir_ref_release(&b->base.ref);
    return s;
}

static weir_status count_entries(weir_call *c, bool ready)
{
    barrier *b;
    WEIR_TRY(barrier_of(c, &b));
    pthread_mutex_lock(&b->point.lock);
    *(int32_t *)weir_out(c, 0)->data = (int32_t)(ready ? b->ready.count : b->by_key.count);
    pthread_mutex_unlock(&b->point.lock);
    weir_ref_release(&b->base.ref);
    return WEIR_OK;
}

static weir_status ready_size(weir_call *c)
{
    return count_entries(c, true);
}

static weir_status incomplete_size(weir_call *c)
{
    return count_entries(c, false);
}

static weir_status infer_make(weir_infer *i)
{
    i->out[0] = weir_shape_vector(2);
    return WEIR_OK;
}

const weir_op weir_op_barrier = {
    .name = "Barrier",
    .out = "handle: Ref(string)",
    .attrs = "component_types: list(type) >= 1; shapes: list(shape) >= 0 = []; capacity: int = -1; "
             "container: string = \"\"; shared_name: string = \"\"",
    .flags = WEIR_STATEFUL,
    .infer = infer_make,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", make, WEIR_OWN_OUTPUTS | WEIR_CHEAP, .prepare = prepare,
                 .cleanup = weir_named_cleanup}},
};

const weir_op weir_op_barrier_insert_many = {
    .name = "BarrierInsertMany",
    .in = "handle: Ref(string); keys: string; values: T",
    .attrs = "T: type; component_index: int",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", insert_many}},
};

const weir_op weir_op_barrier_take_many = {
    .name = "BarrierTakeMany",
    .in = "handle: Ref(string); num_elements: int32",
    .out = "indices: int64; keys: string; values: component_types",
    .attrs = "component_types: list(type) >= 1; allow_small_batch: bool = false; "
             "wait_for_incomplete: bool = false; timeout_ms: int = -1",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_unknown,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_AWAITS | WEIR_OWN_OUTPUTS,
                 .start = take_many}},
};

const weir_op weir_op_barrier_close = {
    .name = "BarrierClose",
    .in = "handle: Ref(string)",
    .attrs = "cancel_pending_enqueues: bool = false",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", close_barrier}},
};

#define SIZE                                                                                       \
    .in = "handle: Ref(string)", .out = "size: int32", .flags = WEIR_NO_FOLD,                      \
    .infer = weir_infer_scalar, .no_grad = true

WEIR_DEFINE_OP(barrier_ready_size, "BarrierReadySize", SIZE,
               .kernels = {{WEIR_CPU, "*", ready_size, WEIR_CHEAP}});
WEIR_DEFINE_OP(barrier_incomplete_size, "BarrierIncompleteSize", SIZE,
               .kernels = {{WEIR_CPU, "*", incomplete_size, WEIR_CHEAP}});
