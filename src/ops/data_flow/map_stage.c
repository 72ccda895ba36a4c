/* ops/data_flow/map_stage.c - MapStage, OrderedMapStage and theirs: staging areas by key.
 *
 * The tensors of a key may come in parts and go in parts; only a whole tuple can be taken from.
 * Entries lie by rising key, which is the order that the ordered form promises. */
#include <inttypes.h>

#include "ops/data_flow/stage_impl.h"
#include "ops/declare.h"

typedef struct entry {
    int64_t key;
    int missing; /* tensors still to come */
    int left;    /* tensors not yet taken, once whole */
    weir_stage_tuple tuple;
} entry;

typedef struct area {
    weir_resource base;
    weir_wait_point point;
    weir_stage_limits limits;
    int count; /* tensors of a tuple */
    /* Under point.lock: */
    WEIR_VEC(entry) entries; /* by rising key */
    size_t bytes;
} area;

static const weir_resource_type area_type = {"N10tensorflow10StagingMapE", "staging map"};

static void drop_all(area *a)
{
    for (size_t i = 0; i < a->entries.count; i++)
        weir_stage_tuple_fini(&a->entries.at[i].tuple);
    a->entries.count = 0;
    a->bytes = 0;
}

static void destroy(weir_ref *ref)
{
    area *a = (area *)ref;
    drop_all(a);
    weir_vec_fini(&a->entries);
    weir_wait_fini(&a->point);
    weir_free(a);
}

static weir_status create(void *arg, weir_resource **out)
{
    const weir_site *site = arg;
    area *a = WEIR_NEW(area);
    weir_ref_init(&a->base.ref, destroy);
    a->base.type = &area_type;
    weir_wait_init(&a->point);
    a->limits = weir_stage_limits_of(site);
    a->count = weir_site_list(site, weir_opdef_attr(site->def, "dtypes"))->count;
    *out = &a->base;
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *p)
{
    return weir_named_prepare(p, weir_opdef_attr(p->site->def, "container"),
                              weir_opdef_attr(p->site->def, "shared_name"), WEIR_BY_NODE_NAME,
                              &area_type);
}

static weir_status open_area(weir_call *c, area **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(c, create, (void *)c->site, &found));
    *out = (area *)found;
    return WEIR_OK;
}

/* ---- entries; the lock is held --------------------------------------------------------------- */

/* Where |key| is, or would be. */
static size_t place_of(const area *a, int64_t key)
{
    size_t low = 0, high = a->entries.count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (a->entries.at[mid].key < key)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static entry *find(const area *a, int64_t key)
{
    size_t i = place_of(a, key);
    return i < a->entries.count && a->entries.at[i].key == key ? &a->entries.at[i] : NULL;
}

static entry *find_or_add(area *a, int64_t key)
{
    entry *found = find(a, key);
    if (found)
        return found;
    size_t i = place_of(a, key);
    weir_vec_push(&a->entries, (entry){0});
    memmove(&a->entries.at[i + 1], &a->entries.at[i], sizeof(entry) * (a->entries.count - 1 - i));
    a->entries.at[i] = (entry){.key = key, .missing = a->count, .left = a->count};
    a->entries.at[i].tuple.count = a->count;
    a->entries.at[i].tuple.at = WEIR_NEW_ARRAY(weir_tensor, a->count + 1);
    return &a->entries.at[i];
}

static void remove_entry(area *a, entry *e)
{
    weir_stage_tuple_fini(&e->tuple);
    size_t i = (size_t)(e - a->entries.at);
    memmove(e, e + 1, sizeof(entry) * (--a->entries.count - i));
}

static weir_status check_indices(const weir_tensor *indices, int values, const area *a)
{
    if (weir_tensor_count(indices) != values)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of indices '%" PRId64 "' doesn't match number of values '%d'.",
                          weir_tensor_count(indices), values);
    for (int i = 0; i < values; i++) {
        int32_t at = ((const int32_t *)indices->data)[i];
        if (at < 0 || at >= a->count)
            return weir_error(WEIR_INVALID_ARGUMENT, "Index '%d' for key is out of bounds '%d'.",
                              at, a->count);
        if (i && at <= ((const int32_t *)indices->data)[i - 1])
            return weir_error(WEIR_INVALID_ARGUMENT, "Indices are not strictly ordered");
    }
    return WEIR_OK;
}

/* ---- waiting calls --------------------------------------------------------------------------- */

enum { KEY, INDICES, VALUES };
enum { PUTS }; /* lane */

static weir_status put_parts(weir_call *c, area *a, int64_t key)
{
    const int32_t *at = weir_in(c, INDICES)->data;
    int values = c->site->in_count - VALUES;
    entry *e = find_or_add(a, key);
    for (int i = 0; i < values; i++)
        if (!e->missing || e->tuple.at[at[i]].buffer)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "The tensor for index '%d' for key '%" PRId64
                              "' was already initialized.",
                              at[i], key);
    for (int i = 0; i < values; i++) {
        weir_tensor_release(&e->tuple.at[at[i]]);
        e->tuple.at[at[i]] = weir_tensor_share(weir_in(c, VALUES + i));
        e->missing--;
    }
    a->bytes += weir_stage_bytes(c, VALUES);
    return WEIR_OK;
}

static bool try_put(weir_call *c, void *object, weir_status *out_status)
{
    area *a = object;
    int64_t key = *(const int64_t *)weir_in(c, KEY)->data;
    *out_status = check_indices(weir_in(c, INDICES), c->site->in_count - VALUES, a);
    if (*out_status)
        return true;
    size_t others = a->entries.count - (find(a, key) ? 1 : 0);
    if (weir_stage_full(&a->limits, others, a->bytes, weir_stage_bytes(c, VALUES), out_status))
        return *out_status != WEIR_OK;
    *out_status = put_parts(c, a, key);
    return true;
}

/* Gives the tensors of |e| that |indices| name as outputs from |out| on. */
static weir_status give(weir_call *c, const area *a, entry *e, const weir_tensor *indices, int out)
{
    WEIR_TRY(check_indices(indices, c->site->out_count - out, a));
    const int32_t *at = indices->data;
    for (int i = 0; i < c->site->out_count - out; i++) {
        if (!e->tuple.at[at[i]].buffer)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Tensor at index '%d' for key '%" PRId64
                              "' has already been removed.",
                              at[i], e->key);
        WEIR_TRY(weir_stage_give(c, out + i, &e->tuple.at[at[i]]));
    }
    return WEIR_OK;
}

static weir_status take(weir_call *c, area *a, entry *e, const weir_tensor *indices, int out)
{
    WEIR_TRY(give(c, a, e, indices, out));
    const int32_t *at = indices->data;
    for (int i = 0; i < c->site->out_count - out; i++) {
        a->bytes -= weir_tensor_bytes(&e->tuple.at[at[i]]);
        weir_tensor_release(&e->tuple.at[at[i]]);
        e->left--;
    }
    if (e->left <= 0)
        remove_entry(a, e);
    return WEIR_OK;
}

static bool try_get(weir_call *c, void *object, weir_status *out_status)
{
    area *a = object;
    entry *e = find(a, *(const int64_t *)weir_in(c, KEY)->data);
    if (!e || e->missing)
        return false;
    *out_status = take(c, a, e, weir_in(c, INDICES), 0);
    return true;
}

static bool try_peek(weir_call *c, void *object, weir_status *out_status)
{
    area *a = object;
    entry *e = find(a, *(const int64_t *)weir_in(c, KEY)->data);
    if (!e || e->missing)
        return false;
    *out_status = give(c, a, e, weir_in(c, INDICES), 0);
    return true;
}

static bool try_get_any(weir_call *c, void *object, weir_status *out_status)
{
    area *a = object;
    entry *e = NULL;
    for (size_t i = 0; i < a->entries.count && !e; i++)
        if (!a->entries.at[i].missing)
            e = &a->entries.at[i];
    if (!e)
        return false;
    weir_call_set(c, 0, weir_tensor_scalar(WEIR_INT64, &e->key));
    *out_status = take(c, a, e, weir_in(c, 0), 1);
    return true;
}

static weir_status check_key(const weir_call *c)
{
    const weir_tensor *t = weir_in(c, 0);
    if (t->dtype == WEIR_INT64 && weir_tensor_count(t) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "key must be an int64 scalar, but has shape %s",
                          WEIR_SHAPE_STR(&t->shape));
    return WEIR_OK;
}

static void start(weir_call *c, weir_wait_try attempt, int lane)
{
    area *a = NULL;
    weir_status s = check_key(c);
    if (!s)
        s = open_area(c, &a);
    if (s) {
        weir_call_finish(c, s);
        return;
    }
    weir_wait_start(&(weir_wait){.point = &a->point,
                                 .object = &a->base,
                                 .attempt = attempt,
                                 .lane = lane,
                                 .cancelled = "Staging operation was cancelled"},
                    c);
    weir_ref_release(&a->base.ref);
}

static void put(weir_call *c)
{
    start(c, try_put, PUTS);
}

static void get(weir_call *c)
{
    start(c, try_get, WEIR_NO_LANE);
}

static void get_any(weir_call *c)
{
    start(c, try_get_any, WEIR_NO_LANE);
}

static void peek(weir_call *c)
{
    start(c, try_peek, WEIR_NO_LANE);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static weir_status count(weir_call *c, bool whole)
{
    area *a;
    WEIR_TRY(open_area(c, &a));
    int32_t n = 0;
    pthread_mutex_lock(&a->point.lock);
    for (size_t i = 0; i < a->entries.count; i++)
        n += !a->entries.at[i].missing == whole;
    pthread_mutex_unlock(&a->point.lock);
    weir_ref_release(&a->base.ref);
    *(int32_t *)weir_out(c, 0)->data = n;
    return WEIR_OK;
}

static weir_status size(weir_call *c)
{
    return count(c, true);
}

static weir_status incomplete_size(weir_call *c)
{
    return count(c, false);
}

static weir_status clear(weir_call *c)
{
    area *a;
    WEIR_TRY(open_area(c, &a));
    pthread_mutex_lock(&a->point.lock);
    drop_all(a);
    pthread_mutex_unlock(&a->point.lock);
    weir_wait_changed(&a->point);
    weir_ref_release(&a->base.ref);
    return WEIR_OK;
}

#define DTYPES "dtypes: list(type); "
#define DTYPES1 "dtypes: list(type) >= 1; "
/* One op on maps, and the same on those that are kept in the order of their keys. */
#define MAPS(id, text, types, ...)                                                                 \
    WEIR_DEFINE_OP(map_##id, "Map" text, .attrs = WEIR_STAGE_LIMITS types WEIR_STAGE_NAMES,        \
                   .flags = WEIR_STATEFUL, .no_grad = true, __VA_ARGS__);                          \
    WEIR_DEFINE_OP(ordered_map_##id, "OrderedMap" text,                                            \
                   .attrs = WEIR_STAGE_LIMITS types WEIR_STAGE_NAMES, .flags = WEIR_STATEFUL,      \
                   .no_grad = true, __VA_ARGS__)

MAPS(stage, "Stage", DTYPES "fake_dtypes: list(type) >= 1; ",
     .in = "key: int64; indices: int32; values: fake_dtypes", .infer = weir_infer_no_outputs,
     .kernels = {{WEIR_CPU, "*", NULL, WEIR_STAGE_AWAITS, .start = put, WEIR_STAGE_NAMED}});
MAPS(peek, "Peek", DTYPES1, .in = "key: int64; indices: int32", .out = "values: dtypes",
     .infer = weir_infer_unknown,
     .kernels = {{WEIR_CPU, "*", NULL, WEIR_STAGE_AWAITS, .start = peek, WEIR_STAGE_NAMED}});
MAPS(unstage, "Unstage", DTYPES1, .in = "key: int64; indices: int32", .out = "values: dtypes",
     .infer = weir_infer_unknown,
     .kernels = {{WEIR_CPU, "*", NULL, WEIR_STAGE_AWAITS, .start = get, WEIR_STAGE_NAMED}});
MAPS(unstage_no_key, "UnstageNoKey", DTYPES1, .in = "indices: int32",
     .out = "key: int64; values: dtypes", .infer = weir_infer_unknown,
     .kernels = {{WEIR_CPU, "*", NULL, WEIR_STAGE_AWAITS, .start = get_any, WEIR_STAGE_NAMED}});
MAPS(size, "Size", DTYPES, .out = "size: int32", .infer = weir_infer_scalar,
     .kernels = {{WEIR_CPU, "*", size, WEIR_CHEAP, WEIR_STAGE_NAMED}});
MAPS(incomplete_size, "IncompleteSize", DTYPES, .out = "size: int32", .infer = weir_infer_scalar,
     .kernels = {{WEIR_CPU, "*", incomplete_size, WEIR_CHEAP, WEIR_STAGE_NAMED}});
MAPS(clear, "Clear", DTYPES, .infer = weir_infer_no_outputs,
     .kernels = {{WEIR_CPU, "*", clear, WEIR_CHEAP, WEIR_STAGE_NAMED}});
