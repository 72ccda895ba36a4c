/* ops/data_flow/barrier.c - Barrier and its ops: assembles tuples by key.
 *
 * The components of a key arrive separately; once all are present the tuple is ready, and ready
 * tuples are taken in the order in which their keys first arrived. */
#include <inttypes.h>

#include "base/arith.h"
#include "base/room.h"
#include "ops/declare.h"
#include "ops/state/named.h"
#include "state/wait.h"
#include "tensor/tstring.h"

typedef struct entry {
    char *key;
    size_t key_length;
    int64_t index, order; /* index: insertion that added the key; order: when it became ready */
    int missing;
    weir_tensor *tuple;
} entry;

typedef struct barrier {
    weir_resource base;
    weir_wait_point point;
    char *name;
    int count;
    weir_dtype *dtypes;
    weir_shape *shapes; /* null: unspecified */
    /* Under point.lock: */
    weir_map by_key; /* incomplete entries */
    WEIR_VEC(entry *) ready;
    bool closed, cancelled; /* cancelled: known keys cannot be inserted either */
    int64_t next_index, next_order;
    bool new_keys; /* the current insertion added some: it consumes an index */
} barrier;

static const weir_resource_type barrier_type = {"N10tensorflow7barrier7BarrierE", "barrier"};

enum { TYPES, SHAPES, CAPACITY, CONTAINER, SHARED_NAME };

/* ---- lifetime -------------------------------------------------------------------------------- */

/* Counted in base/room.h, with its slot in the map or list. */
static size_t entry_bytes(const barrier *barrier, size_t key_length)
{
    enum { SLOT = 64 };
    return sizeof(entry) + key_length + (size_t)barrier->count * sizeof(weir_tensor) + SLOT;
}

static void entry_destroy(const barrier *barrier, entry *entry)
{
    weir_room_give(entry_bytes(barrier, entry->key_length));
    for (int k = 0; k < barrier->count; k++)
        weir_tensor_release(&entry->tuple[k]);
    weir_free(entry->tuple);
    weir_free(entry->key);
    weir_free(entry);
}

static void destroy(weir_ref *ref)
{
    barrier *this_barrier = (barrier *)ref;
    size_t at = 0;
    void *e;
    while (weir_map_next(&this_barrier->by_key, &at, NULL, &e))
        entry_destroy(this_barrier, e);
    weir_map_fini(&this_barrier->by_key);
    for (size_t i = 0; i < this_barrier->ready.count; i++)
        entry_destroy(this_barrier, this_barrier->ready.at[i]);
    weir_vec_fini(&this_barrier->ready);
    weir_free(this_barrier->dtypes);
    weir_free(this_barrier->shapes);
    weir_free(this_barrier->name);
    weir_wait_fini(&this_barrier->point);
    weir_free(this_barrier);
}

static weir_status create(void *arg, weir_resource **out)
{
    const weir_call *call = arg;
    const weir_attr *types = weir_site_list(call->site, TYPES),
                    *shapes = weir_site_list(call->site, SHAPES);
    barrier *new_barrier = WEIR_NEW(barrier);
    weir_ref_init(&new_barrier->base.ref, destroy);
    new_barrier->base.type = &barrier_type;
    weir_wait_init(&new_barrier->point);
    new_barrier->name = weir_strdup(((const weir_named *)call->state)->name);
    new_barrier->count = types->count;
    new_barrier->dtypes = WEIR_NEW_ARRAY(weir_dtype, types->count);
    for (int k = 0; k < types->count; k++)
        new_barrier->dtypes[k] = (weir_dtype)types->types[k];
    if (shapes->count) {
        new_barrier->shapes = WEIR_NEW_ARRAY(weir_shape, shapes->count);
        memcpy(new_barrier->shapes, shapes->shapes,
               sizeof *new_barrier->shapes * (size_t)shapes->count);
    }
    new_barrier->next_index = INT64_MIN;
    *out = &new_barrier->base;
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    const weir_attr *types = weir_site_list(preparation->site, TYPES),
                    *shapes = weir_site_list(preparation->site, SHAPES);
    if (shapes->count && shapes->count != types->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "All of the component shapes must be specified: %d types, %d shapes",
                          types->count, shapes->count);
    if (weir_site_int(preparation->site, CAPACITY) != -1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Barrier only accepts capacity=-1.  Feed the inputs "
                          "to your Barrier through a queue to enforce a limited capacity.");
    return weir_named_prepare(preparation, CONTAINER, SHARED_NAME, WEIR_BY_OWN_NAME, &barrier_type);
}

/* Checks that an existing barrier matches this node's attrs. */
static weir_status verify(const weir_call *call, const barrier *barrier)
{
    const weir_attr *types = weir_site_list(call->site, TYPES),
                    *shapes = weir_site_list(call->site, SHAPES);
    bool same = types->count == barrier->count;
    for (int k = 0; same && k < barrier->count; k++)
        same = barrier->dtypes[k] == (weir_dtype)types->types[k];
    if (!same)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shared barrier '%s' has other component types than the requested "
                          "component types of %s",
                          barrier->name, call->site->name);
    same = (shapes->count > 0) == (barrier->shapes != NULL);
    for (int k = 0; same && k < shapes->count; k++)
        same = weir_shape_eq(&barrier->shapes[k], &shapes->shapes[k]);
    return same ? WEIR_OK
                : weir_error(WEIR_INVALID_ARGUMENT,
                             "Shared barrier '%s' has other component shapes than the requested "
                             "component shapes of %s",
                             barrier->name, call->site->name);
}

static weir_status make(weir_call *call)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(call, create, call, &found));
    weir_status status = verify(call, (const barrier *)found);
    weir_ref_release(&found->ref);
    WEIR_TRY(status);
    weir_named_output(call, 0);
    return WEIR_OK;
}

static weir_status barrier_of(weir_call *call, barrier **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_input(call, 0, &barrier_type, &found));
    *out = (barrier *)found;
    return WEIR_OK;
}

/* ---- inserting ------------------------------------------------------------------------------- */

enum { COMPONENT = 1 }; /* attr of BarrierInsertMany */

static weir_status check_insert(weir_call *call, const barrier *barrier, int64_t component)
{
    const weir_tensor *keys = weir_in(call, 1), *values = weir_in(call, 2);
    if (component < 0 || component >= barrier->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The component ID is out of range %" PRId64 " > num_components (= %d)",
                          component, barrier->count);
    if (values->dtype != barrier->dtypes[component])
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Signature mismatch, have: string_ref, string, %s-> expected: string_ref, "
            "string, %s->",
            weir_dtype_name(values->dtype), weir_dtype_name(barrier->dtypes[component]));
    int64_t count = weir_tensor_count(keys);
    if (count && weir_tensor_count(values) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Tensors with no elements are not supported %s: received shape %s",
                          barrier->name, WEIR_SHAPE_STR(&values->shape));
    if (barrier->closed && (barrier->cancelled || (count && barrier->by_key.count == 0)))
        return weir_error(WEIR_CANCELLED,
                          "Barrier %s is closed.  Pending enqueues cancelled: %d.  Number of new "
                          "insertions: %" PRId64 ".  Number of incomplete keys: %zu.",
                          barrier->name, barrier->cancelled, count, barrier->by_key.count);
    if (values->shape.rank < 1 || values->shape.dims[0] != count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "keys and values must have as many rows, but have shapes %s and %s",
                          WEIR_SHAPE_STR(&keys->shape), WEIR_SHAPE_STR(&values->shape));
    weir_shape row = weir_infer_sub(&values->shape, 1, WEIR_MAX_RANK);
    if (barrier->shapes && !weir_shape_compatible(&barrier->shapes[component], &row))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Shape mismatch in tuple component %" PRId64 ". Expected %s, got %s",
                          component, WEIR_SHAPE_STR(&barrier->shapes[component]),
                          WEIR_SHAPE_STR(&row));
    return WEIR_OK;
}

static weir_status find_or_add(barrier *barrier, weir_str key, int64_t index, entry **out)
{
    entry *this_entry = weir_map_get(&barrier->by_key, key);
    if (barrier->closed && !this_entry)
        return weir_error(
            WEIR_CANCELLED,
            "Barrier %s is closed, but attempted to insert a brand new key: %.*s.  Pending "
            "enqueues cancelled: %d.  Insertion index: %" PRId64
            ".  Number of incomplete keys: %zu.",
            barrier->name, WEIR_STR_ARG(key), barrier->cancelled, index, barrier->by_key.count);
    if (!this_entry) {
        size_t held = 0;
        WEIR_TRY(weir_room_hold(&held, entry_bytes(barrier, key.length), "a key of a barrier"));
        this_entry = WEIR_NEW(entry);
        this_entry->key = weir_strndup(key.at, key.length);
        this_entry->key_length = key.length;
        this_entry->index = barrier->next_index;
        this_entry->missing = barrier->count;
        this_entry->tuple = WEIR_NEW_ARRAY(weir_tensor, barrier->count);
        weir_map_put(&barrier->by_key, key, this_entry);
        barrier->new_keys = true;
    }
    *out = this_entry;
    return WEIR_OK;
}

static weir_status insert_one(barrier *barrier, weir_str key, int64_t i, int component,
                              const weir_tensor *values)
{
    entry *entry;
    WEIR_TRY(find_or_add(barrier, key, i, &entry));
    if (entry->tuple[component].buffer)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Key %.*s already has a value for component %d in barrier %s",
                          WEIR_STR_ARG(key), component, barrier->name);
    weir_shape row = weir_infer_sub(&values->shape, 1, WEIR_MAX_RANK);
    entry->tuple[component] = weir_tensor_slice(values, i * weir_shape_count(&row), &row);
    if (--entry->missing)
        return WEIR_OK;
    weir_map_remove(&barrier->by_key, key);
    entry->order = barrier->next_order++;
    weir_vec_push(&barrier->ready, entry);
    return WEIR_OK;
}

static weir_status insert_all(weir_call *call, barrier *barrier)
{
    int64_t component = weir_site_int(call->site, COMPONENT);
    WEIR_TRY(check_insert(call, barrier, component));
    const weir_tstring *keys = weir_in(call, 1)->data;
    weir_status status = WEIR_OK;
    barrier->new_keys = false;
    for (int64_t i = 0; !status && i < weir_tensor_count(weir_in(call, 1)); i++)
        status =
            insert_one(barrier, weir_tstring_get(&keys[i]), i, (int)component, weir_in(call, 2));
    barrier->next_index += barrier->new_keys;
    return status;
}

static weir_status insert_many(weir_call *call)
{
    barrier *barrier;
    WEIR_TRY(barrier_of(call, &barrier));
    weir_mutex_lock(&barrier->point.lock);
    weir_status status = insert_all(call, barrier);
    weir_mutex_unlock(&barrier->point.lock);
    weir_wait_changed(&barrier->point);
    weir_ref_release(&barrier->base.ref);
    return status;
}

/* ---- taking ---------------------------------------------------------------------------------- */

enum { SMALL_OK = 1 };          /* attr of BarrierTakeMany */
enum { INDICES, KEYS, VALUES }; /* its outputs */

/* Removes the first ready entry. */
static entry *pop_ready(barrier *barrier)
{
    size_t first = 0;
    for (size_t i = 1; i < barrier->ready.count; i++) {
        entry *entry = barrier->ready.at[i], *this_entry = barrier->ready.at[first];
        if (entry->index != this_entry->index ? entry->index < this_entry->index
                                              : entry->order < this_entry->order)
            first = i;
    }
    entry *entry = barrier->ready.at[first];
    barrier->ready.at[first] = barrier->ready.at[--barrier->ready.count];
    return entry;
}

static weir_status alloc_outputs(weir_call *call, const barrier *barrier, int64_t count,
                                 entry *const *entries)
{
    weir_shape vector = weir_shape_vector(count);
    WEIR_TRY(weir_call_alloc(call, INDICES, &vector));
    WEIR_TRY(weir_call_alloc(call, KEYS, &vector));
    for (int k = 0; k < barrier->count; k++) {
        weir_shape row = count             ? entries[0]->tuple[k].shape
                         : barrier->shapes ? barrier->shapes[k]
                                           : WEIR_SCALAR;
        weir_shape shape;
        WEIR_TRY(weir_infer_concat(&vector, &row, &shape));
        WEIR_TRY(weir_call_alloc(call, VALUES + k, &shape));
    }
    return WEIR_OK;
}

static weir_status write_entry(weir_call *call, const barrier *barrier, const entry *entry,
                               int64_t i)
{
    ((int64_t *)weir_out(call, INDICES)->data)[i] = entry->index;
    weir_tstring_set((weir_tstring *)weir_out(call, KEYS)->data + i, entry->key, entry->key_length);
    for (int k = 0; k < barrier->count; k++) {
        weir_tensor *out = weir_out(call, VALUES + k);
        int64_t run = weir_shape_product(&out->shape, 1, out->shape.rank);
        if (weir_tensor_count(&entry->tuple[k]) != run)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Tuples of barrier %s have components of unequal "
                              "shapes",
                              barrier->name);
        weir_elements_copy(out->dtype,
                           (char *)out->data + (size_t)(i * run) * weir_dtype_size(out->dtype),
                           entry->tuple[k].data, run);
    }
    return WEIR_OK;
}

static weir_status give(weir_call *call, barrier *barrier, int64_t count)
{
    entry **taken = WEIR_NEW_ARRAY(entry *, count + 1);
    for (int64_t i = 0; i < count; i++)
        taken[i] = pop_ready(barrier);
    weir_status status = alloc_outputs(call, barrier, count, taken);
    for (int64_t i = 0; i < count; i++) {
        if (!status)
            status = write_entry(call, barrier, taken[i], i);
        entry_destroy(barrier, taken[i]);
    }
    weir_free(taken);
    return status;
}

static bool try_take(weir_call *call, void *object, weir_status *out_status)
{
    barrier *barrier = object;
    int64_t want = *(const int32_t *)weir_in(call, 1)->data, ready = (int64_t)barrier->ready.count;
    int64_t total = ready + (int64_t)barrier->by_key.count;
    if (barrier->closed && weir_site_bool(call->site, SMALL_OK) && ready < want)
        want = ready;
    if (barrier->closed && total < weir_max(want, 1)) {
        *out_status = weir_error(WEIR_OUT_OF_RANGE,
                                 "Barrier '%s' is closed and has insufficient elements (requested "
                                 "%" PRId64 ", total size %" PRId64 ")",
                                 barrier->name, want, total);
        return true;
    }
    if (ready < want)
        return false;
    *out_status = give(call, barrier, want);
    return true;
}

static weir_status check_take(weir_call *call, const barrier *barrier)
{
    const weir_tensor *n = weir_in(call, 1);
    if (weir_tensor_count(n) != 1 || *(const int32_t *)n->data < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "num_elements must be a scalar >= 0, but has shape %s",
                          WEIR_SHAPE_STR(&n->shape));
    bool fits = call->site->out_count == barrier->count + VALUES;
    for (int k = 0; fits && k < barrier->count; k++)
        fits = weir_dtype_base(call->site->out_types[VALUES + k]) == barrier->dtypes[k];
    return fits ? WEIR_OK
                : weir_error(
                      WEIR_INVALID_ARGUMENT,
                      "Signature mismatch: node %s does not expect the components of barrier %s",
                      call->site->name, barrier->name);
}

static void take_many(weir_call *call)
{
    barrier *barrier;
    weir_status status = barrier_of(call, &barrier);
    if (!status && (status = check_take(call, barrier)))
        weir_ref_release(&barrier->base.ref);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    weir_wait_start(&(weir_wait){.point = &barrier->point,
                                 .object = &barrier->base,
                                 .attempt = try_take,
                                 .cancelled = "Dequeue operation was cancelled"},
                    call);
    weir_ref_release(&barrier->base.ref);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static weir_status close_locked(barrier *barrier, bool cancel)
{
    if (barrier->closed && (barrier->cancelled || !cancel))
        return weir_error(WEIR_CANCELLED, "Barrier '%s' is already closed.", barrier->name);
    barrier->closed = true;
    barrier->cancelled |= cancel;
    if (!cancel)
        return WEIR_OK;
    size_t at = 0;
    void *e;
    while (weir_map_next(&barrier->by_key, &at, NULL, &e))
        entry_destroy(barrier, e);
    weir_map_fini(&barrier->by_key);
    return WEIR_OK;
}

static weir_status close_barrier(weir_call *call)
{
    barrier *barrier;
    WEIR_TRY(barrier_of(call, &barrier));
    weir_mutex_lock(&barrier->point.lock);
    weir_status status = close_locked(barrier, weir_site_bool(call->site, 0));
    weir_mutex_unlock(&barrier->point.lock);
    weir_wait_changed(&barrier->point);
    weir_ref_release(&barrier->base.ref);
    return status;
}

static weir_status count_entries(weir_call *call, bool ready)
{
    barrier *barrier;
    WEIR_TRY(barrier_of(call, &barrier));
    weir_mutex_lock(&barrier->point.lock);
    *(int32_t *)weir_out(call, 0)->data =
        (int32_t)(ready ? barrier->ready.count : barrier->by_key.count);
    weir_mutex_unlock(&barrier->point.lock);
    weir_ref_release(&barrier->base.ref);
    return WEIR_OK;
}

static weir_status ready_size(weir_call *call)
{
    return count_entries(call, true);
}

static weir_status incomplete_size(weir_call *call)
{
    return count_entries(call, false);
}

static weir_status infer_make(weir_infer *infer)
{
    infer->out[0] = weir_shape_vector(2);
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
