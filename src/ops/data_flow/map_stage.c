/* ops/data_flow/map_stage.c - MapStage, OrderedMapStage and related ops: keyed staging areas.
 *
 * The tensors of a key may be added and removed in parts; only complete tuples can be taken from.
 * Entries are sorted by increasing key, which the ordered form guarantees. */
#include <inttypes.h>

#include "ops/data_flow/stage_impl.h"
#include "ops/declare.h"

typedef struct entry {
    int64_t key;
    int missing; /* tensors still to come */
    int left;    /* tensors not yet taken, once complete */
    weir_stage_tuple tuple;
} entry;

typedef struct area {
    weir_resource base;
    weir_wait_point point;
    weir_stage_limits limits;
    int count; /* tensors of a tuple */
    /* Guarded by point.lock: */
    WEIR_VEC(entry) entries; /* by increasing key */
    size_t bytes;
} area;

static const weir_resource_type area_type = {"N10tensorflow10StagingMapE", "staging map"};

static void drop_all(area *area)
{
    for (size_t i = 0; i < area->entries.count; i++)
        weir_stage_tuple_fini(&area->entries.at[i].tuple);
    area->entries.count = 0;
    area->bytes = 0;
}

static void destroy(weir_ref *ref)
{
    area *this_area = (area *)ref;
    drop_all(this_area);
    weir_vec_fini(&this_area->entries);
    weir_wait_fini(&this_area->point);
    weir_free(this_area);
}

static weir_status create(void *arg, weir_resource **out)
{
    const weir_site *site = arg;
    area *new_area = WEIR_NEW(area);
    weir_ref_init(&new_area->base.ref, destroy);
    new_area->base.type = &area_type;
    weir_wait_init(&new_area->point);
    new_area->limits = weir_stage_limits_of(site);
    new_area->count = weir_site_list(site, weir_opdef_attr(site->def, "dtypes"))->count;
    *out = &new_area->base;
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    return weir_named_prepare(preparation, weir_opdef_attr(preparation->site->def, "container"),
                              weir_opdef_attr(preparation->site->def, "shared_name"),
                              WEIR_BY_NODE_NAME, &area_type);
}

static weir_status open_area(weir_call *call, area **out)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(call, create, (void *)call->site, &found));
    *out = (area *)found;
    return WEIR_OK;
}

/* ---- entries; the lock is held --------------------------------------------------------------- */

/* The index of |key|, or its insertion point. */
static size_t place_of(const area *area, int64_t key)
{
    size_t low = 0, high = area->entries.count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (area->entries.at[mid].key < key)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static entry *find(const area *area, int64_t key)
{
    size_t i = place_of(area, key);
    return i < area->entries.count && area->entries.at[i].key == key ? &area->entries.at[i] : NULL;
}

static entry *find_or_add(area *area, int64_t key)
{
    entry *found = find(area, key);
    if (found)
        return found;
    size_t i = place_of(area, key);
    weir_vec_push(&area->entries, (entry){0});
    memmove(&area->entries.at[i + 1], &area->entries.at[i],
            sizeof(entry) * (area->entries.count - 1 - i));
    area->entries.at[i] = (entry){.key = key, .missing = area->count, .left = area->count};
    area->entries.at[i].tuple.count = area->count;
    area->entries.at[i].tuple.at = WEIR_NEW_ARRAY(weir_tensor, area->count + 1);
    return &area->entries.at[i];
}

static void remove_entry(area *area, entry *this_entry)
{
    weir_stage_tuple_fini(&this_entry->tuple);
    size_t i = (size_t)(this_entry - area->entries.at);
    memmove(this_entry, this_entry + 1, sizeof(entry) * (--area->entries.count - i));
}

static weir_status check_indices(const weir_tensor *indices, int values, const area *area)
{
    if (weir_tensor_count(indices) != values)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of indices '%" PRId64 "' doesn't match number of values '%d'.",
                          weir_tensor_count(indices), values);
    for (int i = 0; i < values; i++) {
        int32_t at = ((const int32_t *)indices->data)[i];
        if (at < 0 || at >= area->count)
            return weir_error(WEIR_INVALID_ARGUMENT, "Index '%d' for key is out of bounds '%d'.",
                              at, area->count);
        if (i && at <= ((const int32_t *)indices->data)[i - 1])
            return weir_error(WEIR_INVALID_ARGUMENT, "Indices are not strictly ordered");
    }
    return WEIR_OK;
}

/* ---- waiting calls --------------------------------------------------------------------------- */

enum { KEY, INDICES, VALUES };
enum { PUTS }; /* lane */

static weir_status put_parts(weir_call *call, area *area, int64_t key)
{
    const int32_t *at = weir_in(call, INDICES)->data;
    int values = call->site->in_count - VALUES;
    entry *entry = find_or_add(area, key);
    for (int i = 0; i < values; i++)
        if (!entry->missing || entry->tuple.at[at[i]].buffer)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "The tensor for index '%d' for key '%" PRId64
                              "' was already initialized.",
                              at[i], key);
    for (int i = 0; i < values; i++) {
        weir_tensor_release(&entry->tuple.at[at[i]]);
        entry->tuple.at[at[i]] = weir_tensor_share(weir_in(call, VALUES + i));
        entry->missing--;
    }
    area->bytes += weir_stage_bytes(call, VALUES);
    return WEIR_OK;
}

static bool try_put(weir_call *call, void *object, weir_status *out_status)
{
    area *area = object;
    int64_t key = *(const int64_t *)weir_in(call, KEY)->data;
    *out_status = check_indices(weir_in(call, INDICES), call->site->in_count - VALUES, area);
    if (*out_status)
        return true;
    size_t others = area->entries.count - (find(area, key) ? 1 : 0);
    if (weir_stage_full(&area->limits, others, area->bytes, weir_stage_bytes(call, VALUES),
                        out_status))
        return *out_status != WEIR_OK;
    *out_status = put_parts(call, area, key);
    return true;
}

/* Outputs the tensors of |entry| selected by |indices|, starting at output |out|. */
static weir_status give(weir_call *call, const area *area, entry *entry, const weir_tensor *indices,
                        int out)
{
    WEIR_TRY(check_indices(indices, call->site->out_count - out, area));
    const int32_t *at = indices->data;
    for (int i = 0; i < call->site->out_count - out; i++) {
        if (!entry->tuple.at[at[i]].buffer)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Tensor at index '%d' for key '%" PRId64
                              "' has already been removed.",
                              at[i], entry->key);
        WEIR_TRY(weir_stage_give(call, out + i, &entry->tuple.at[at[i]]));
    }
    return WEIR_OK;
}

static weir_status take(weir_call *call, area *area, entry *entry, const weir_tensor *indices,
                        int out)
{
    WEIR_TRY(give(call, area, entry, indices, out));
    const int32_t *at = indices->data;
    for (int i = 0; i < call->site->out_count - out; i++) {
        area->bytes -= weir_tensor_bytes(&entry->tuple.at[at[i]]);
        weir_tensor_release(&entry->tuple.at[at[i]]);
        entry->left--;
    }
    if (entry->left <= 0)
        remove_entry(area, entry);
    return WEIR_OK;
}

static bool try_get(weir_call *call, void *object, weir_status *out_status)
{
    area *area = object;
    entry *entry = find(area, *(const int64_t *)weir_in(call, KEY)->data);
    if (!entry || entry->missing)
        return false;
    *out_status = take(call, area, entry, weir_in(call, INDICES), 0);
    return true;
}

static bool try_peek(weir_call *call, void *object, weir_status *out_status)
{
    area *area = object;
    entry *entry = find(area, *(const int64_t *)weir_in(call, KEY)->data);
    if (!entry || entry->missing)
        return false;
    *out_status = give(call, area, entry, weir_in(call, INDICES), 0);
    return true;
}

static bool try_get_any(weir_call *call, void *object, weir_status *out_status)
{
    area *area = object;
    entry *entry = NULL;
    for (size_t i = 0; i < area->entries.count && !entry; i++)
        if (!area->entries.at[i].missing)
            entry = &area->entries.at[i];
    if (!entry)
        return false;
    weir_call_set(call, 0, weir_tensor_scalar(WEIR_INT64, &entry->key));
    *out_status = take(call, area, entry, weir_in(call, 0), 1);
    return true;
}

static weir_status check_key(const weir_call *call)
{
    const weir_tensor *tensor = weir_in(call, 0);
    if (tensor->dtype == WEIR_INT64 && weir_tensor_count(tensor) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "key must be an int64 scalar, but has shape %s",
                          WEIR_SHAPE_STR(&tensor->shape));
    return WEIR_OK;
}

static void start(weir_call *call, weir_wait_try attempt, int lane)
{
    area *area = NULL;
    weir_status status = check_key(call);
    if (!status)
        status = open_area(call, &area);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    weir_wait_start(&(weir_wait){.point = &area->point,
                                 .object = &area->base,
                                 .attempt = attempt,
                                 .lane = lane,
                                 .cancelled = "Staging operation was cancelled"},
                    call);
    weir_ref_release(&area->base.ref);
}

static void put(weir_call *call)
{
    start(call, try_put, PUTS);
}

static void get(weir_call *call)
{
    start(call, try_get, WEIR_NO_LANE);
}

static void get_any(weir_call *call)
{
    start(call, try_get_any, WEIR_NO_LANE);
}

static void peek(weir_call *call)
{
    start(call, try_peek, WEIR_NO_LANE);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static weir_status count(weir_call *call, bool whole)
{
    area *area;
    WEIR_TRY(open_area(call, &area));
    int32_t total = 0;
    weir_mutex_lock(&area->point.lock);
    for (size_t i = 0; i < area->entries.count; i++)
        total += !area->entries.at[i].missing == whole;
    weir_mutex_unlock(&area->point.lock);
    weir_ref_release(&area->base.ref);
    *(int32_t *)weir_out(call, 0)->data = total;
    return WEIR_OK;
}

static weir_status size(weir_call *call)
{
    return count(call, true);
}

static weir_status incomplete_size(weir_call *call)
{
    return count(call, false);
}

static weir_status clear(weir_call *call)
{
    area *area;
    WEIR_TRY(open_area(call, &area));
    weir_mutex_lock(&area->point.lock);
    drop_all(area);
    weir_mutex_unlock(&area->point.lock);
    weir_wait_changed(&area->point);
    weir_ref_release(&area->base.ref);
    return WEIR_OK;
}

#define DTYPES "dtypes: list(type); "
#define DTYPES1 "dtypes: list(type) >= 1; "
/* An op on maps, and its ordered variant. */
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
