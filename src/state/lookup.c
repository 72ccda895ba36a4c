/* state/lookup.c - open addressing over rows of keys and values.
 *
 * Rows are contiguous: a removed row is replaced by the last one. |slots| holds row + 1, 0 for
 * none; it is probed linearly from the key's hash, and removal closes the gap.
 *
 * A dense table also stores the bucket that TensorFlow would have chosen for each key: clients see
 * that order, with empty and deleted buckets, in an export.
 */
#include "state/lookup.h"

#include <inttypes.h>

#include "base/fingerprint.h"
#include "base/room.h"
#include "base/rwlock.h"
#include "base/stop.h"

const weir_resource_type weir_lookup_type = {"N10tensorflow6lookup15LookupInterfaceE", "table"};

struct weir_lookup {
    weir_resource base;
    weir_lookup_kind kind;
    weir_dtype key_dtype, value_dtype;
    weir_shape value_shape;
    weir_shape key_shape;           /* a scalar, except for dense tables */
    int64_t key_count, value_count; /* elements of one key, of one value */
    size_t key_bytes, value_bytes;
    weir_tensor empty_key, deleted_key; /* of dense tables */
    float max_load;
    weir_rwlock lock;
    /* Under lock: */
    bool filled;
    int64_t count, room; /* rows, and their capacity */
    int64_t buckets;     /* of a dense table, a power of two ... */
    int64_t *places;     /* ... and their contents: row + 1, EMPTY or DELETED */
    char *last_values;   /* of deleted buckets, shown by exports; null: none was deleted */
    char *keys, *values;
    int64_t *slots, slot_count; /* a power of two */
    size_t held;                /* bytes of all these in base/room.h */
};

enum { EMPTY = 0, DELETED = -1 };

static weir_str string_at(const char *keys, int64_t i)
{
    return weir_tstring_get((const weir_tstring *)keys + i);
}

static uint64_t hash_key(const weir_lookup *lookup, const char *keys, int64_t i)
{
    uint64_t hash = 0;
    for (int64_t k = 0; lookup->key_dtype == WEIR_STRING && k < lookup->key_count; k++) {
        weir_str text = string_at(keys, i * lookup->key_count + k);
        hash = weir_hash_bytes(text.at, text.length, hash);
    }
    if (lookup->key_dtype == WEIR_STRING)
        return hash;
    return weir_hash_bytes(keys + (size_t)i * lookup->key_bytes, lookup->key_bytes, 0);
}

static bool same_key(const weir_lookup *lookup, const char *a, int64_t i, const char *b, int64_t j)
{
    bool same = true;
    int64_t count = lookup->key_count;
    for (int64_t k = 0; lookup->key_dtype == WEIR_STRING && same && k < count; k++)
        same = weir_str_eq(string_at(a, i * count + k), string_at(b, j * count + k));
    if (lookup->key_dtype == WEIR_STRING)
        return same;
    return memcmp(a + (size_t)i * lookup->key_bytes, b + (size_t)j * lookup->key_bytes,
                  lookup->key_bytes) == 0;
}

static char *value_at(const weir_lookup *lookup, int64_t row)
{
    return lookup->values + (size_t)row * lookup->value_bytes;
}

/* Counts the memory of a table that is about to have |room| rows, |slots| and |buckets|. */
static weir_status hold(weir_lookup *lookup, int64_t room, int64_t slots, int64_t buckets)
{
    size_t row = lookup->key_bytes + lookup->value_bytes, rows, last = 0, all;
    bool keeps_last = lookup->last_values && buckets == lookup->buckets;
    if (__builtin_mul_overflow(row, (size_t)room, &rows) ||
        (keeps_last && __builtin_mul_overflow(lookup->value_bytes, (size_t)buckets, &last)) ||
        __builtin_add_overflow(rows, last, &all) ||
        __builtin_add_overflow(all, (size_t)(slots + buckets) * sizeof(int64_t), &all))
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "OOM: a table of %" PRId64 " keys", room);
    return weir_room_hold(&lookup->held, all, "a table");
}

/* ---- life ------------------------------------------------------------------------------------ */

static void forget_last_values(weir_lookup *lookup)
{
    if (lookup->last_values)
        weir_elements_zero(lookup->value_dtype, lookup->last_values,
                           lookup->buckets * lookup->value_count);
    weir_free(lookup->last_values);
    lookup->last_values = NULL;
}

static void clear(weir_lookup *lookup)
{
    forget_last_values(lookup);
    weir_elements_zero(lookup->key_dtype, lookup->keys, lookup->count * lookup->key_count);
    weir_elements_zero(lookup->value_dtype, lookup->values, lookup->count * lookup->value_count);
    lookup->count = 0;
    memset(lookup->slots, 0, sizeof *lookup->slots * (size_t)lookup->slot_count);
    if (lookup->places)
        memset(lookup->places, 0, sizeof *lookup->places * (size_t)lookup->buckets);
}

static void destroy(weir_ref *ref)
{
    weir_lookup *lookup = (weir_lookup *)ref;
    clear(lookup);
    weir_free(lookup->keys);
    weir_free(lookup->values);
    weir_free(lookup->slots);
    weir_free(lookup->places);
    weir_room_drop(&lookup->held);
    weir_tensor_release(&lookup->empty_key);
    weir_tensor_release(&lookup->deleted_key);
    weir_rwlock_fini(&lookup->lock);
    weir_free(lookup);
}

enum { FIRST_SLOTS = 16 };

weir_lookup *weir_lookup_create(const weir_lookup_spec *spec)
{
    weir_lookup *lookup = WEIR_NEW(weir_lookup);
    weir_ref_init(&lookup->base.ref, destroy);
    lookup->base.type = &weir_lookup_type;
    lookup->kind = spec->kind;
    lookup->key_dtype = spec->key_dtype;
    lookup->value_dtype = spec->value_dtype;
    lookup->value_shape = spec->value_shape;
    lookup->value_count = weir_shape_count(&spec->value_shape);
    if (spec->empty_key)
        lookup->key_shape = spec->empty_key->shape;
    lookup->key_count = weir_shape_count(&lookup->key_shape);
    lookup->key_bytes = weir_dtype_size(spec->key_dtype) * (size_t)lookup->key_count;
    lookup->value_bytes = weir_dtype_size(spec->value_dtype) * (size_t)lookup->value_count;
    if (spec->empty_key)
        lookup->empty_key = weir_tensor_share(spec->empty_key);
    if (spec->deleted_key)
        lookup->deleted_key = weir_tensor_share(spec->deleted_key);
    lookup->buckets = spec->buckets;
    lookup->max_load = spec->max_load;
    if (spec->kind == WEIR_LOOKUP_DENSE)
        lookup->places = WEIR_NEW_ARRAY(int64_t, spec->buckets);
    weir_rwlock_init(&lookup->lock);
    lookup->slot_count = FIRST_SLOTS;
    lookup->slots = WEIR_NEW_ARRAY(int64_t, FIRST_SLOTS);
    return lookup;
}

weir_lookup_kind weir_lookup_kind_of(const weir_lookup *lookup)
{
    return lookup->kind;
}

weir_dtype weir_lookup_key_dtype(const weir_lookup *lookup)
{
    return lookup->key_dtype;
}

weir_dtype weir_lookup_value_dtype(const weir_lookup *lookup)
{
    return lookup->value_dtype;
}

const weir_shape *weir_lookup_value_shape(const weir_lookup *lookup)
{
    return &lookup->value_shape;
}

const weir_shape *weir_lookup_key_shape(const weir_lookup *lookup)
{
    return &lookup->key_shape;
}

int64_t weir_lookup_size(weir_lookup *lookup)
{
    weir_rwlock_read(&lookup->lock);
    int64_t count = lookup->count;
    weir_rwlock_read_end(&lookup->lock);
    return count;
}

/* ---- buckets of dense tables; the lock is held ----------------------------------------------- */

/* The hash of TensorFlow's own table. */
static uint64_t place_hash(const weir_lookup *lookup, const char *keys, int64_t i)
{
    uint64_t hash = 0;
    for (int64_t k = 0; k < lookup->key_count; k++) {
        int64_t at = i * lookup->key_count + k;
        uint64_t one = lookup->key_dtype == WEIR_STRING  ? weir_murmur64(string_at(keys, at))
                       : lookup->key_dtype == WEIR_INT32 ? (uint64_t)((const int32_t *)keys)[at]
                                                         : ((const uint64_t *)keys)[at];
        hash = lookup->key_count == 1
                   ? one
                   : hash ^ (one + 0x9e3779b97f4a7800u + (hash << 10) + (hash >> 4));
    }
    return hash;
}

/* The first free bucket for key |i|. */
static int64_t find_place(const weir_lookup *lookup, const char *keys, int64_t i)
{
    int64_t mask = lookup->buckets - 1, at = (int64_t)place_hash(lookup, keys, i) & mask;
    for (int64_t probes = 1; lookup->places[at] > 0; probes++)
        at = (at + probes) & mask;
    return at;
}

/* The bucket of |row|, which has one. */
static int64_t place_of(const weir_lookup *lookup, int64_t row)
{
    int64_t mask = lookup->buckets - 1, at = (int64_t)place_hash(lookup, lookup->keys, row) & mask;
    int64_t probes = 1;
    for (; lookup->places[at] != row + 1 && probes < lookup->buckets; probes++)
        at = (at + probes) & mask;
    for (int64_t i = 0; lookup->places[at] != row + 1 && i < lookup->buckets; i++)
        at = i; /* it was imported into another bucket than its hash's */
    return at;
}

/* Memory for the values of deleted buckets. */
static weir_status make_last_values(weir_lookup *lookup)
{
    size_t bytes;
    if (!lookup->places || lookup->last_values)
        return WEIR_OK;
    if (__builtin_mul_overflow(lookup->value_bytes, (size_t)lookup->buckets, &bytes))
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "OOM: a table's deleted values");
    WEIR_TRY(weir_room_hold(&lookup->held, lookup->held + bytes, "a table's deleted values"));
    lookup->last_values = weir_zalloc(bytes);
    return WEIR_OK;
}

/* Marks bucket |at| as deleted; it keeps |value|. */
static void delete_place(weir_lookup *lookup, int64_t at, const char *value)
{
    lookup->places[at] = DELETED;
    weir_elements_copy(lookup->value_dtype, lookup->last_values + (size_t)at * lookup->value_bytes,
                       value, lookup->value_count);
}

/* Makes room for |more| keys. Present ones are reinserted in the order of their old buckets. */
static weir_status grow_places(weir_lookup *lookup, int64_t more)
{
    int64_t old_count = lookup->buckets, *old = lookup->places, buckets = old_count;
    if (!old || (float)(lookup->count + more) <= (float)old_count * lookup->max_load)
        return WEIR_OK;
    do
        buckets *= 2;
    while (buckets < INT64_MAX / 4 &&
           (float)(lookup->count + more) > (float)buckets * lookup->max_load);
    WEIR_TRY(hold(lookup, lookup->room, lookup->slot_count, buckets));
    forget_last_values(lookup);
    lookup->buckets = buckets;
    lookup->places = WEIR_NEW_ARRAY(int64_t, lookup->buckets);
    for (int64_t i = 0; i < old_count; i++)
        if (old[i] > 0)
            lookup->places[find_place(lookup, lookup->keys, old[i] - 1)] = old[i];
    weir_free(old);
    return WEIR_OK;
}

/* ---- rows; the lock is held ------------------------------------------------------------------ */

/* The slot of key |i|, or the free one for it. */
static int64_t find_slot(const weir_lookup *lookup, const char *keys, int64_t i)
{
    int64_t mask = lookup->slot_count - 1, at = (int64_t)hash_key(lookup, keys, i) & mask;
    while (lookup->slots[at] && !same_key(lookup, lookup->keys, lookup->slots[at] - 1, keys, i))
        at = (at + 1) & mask;
    return at;
}

static void *grown(void *old, size_t unit, int64_t count, int64_t room)
{
    char *at = weir_realloc(old, unit * (size_t)room);
    memset(at + unit * (size_t)count, 0, unit * (size_t)(room - count));
    return at;
}

static weir_status make_room(weir_lookup *lookup)
{
    if (lookup->count == lookup->room) {
        int64_t room = lookup->room ? lookup->room * 2 : FIRST_SLOTS;
        WEIR_TRY(hold(lookup, room, 4 * room, lookup->places ? lookup->buckets : 0));
        lookup->keys = grown(lookup->keys, lookup->key_bytes, lookup->count, room);
        lookup->values = grown(lookup->values, lookup->value_bytes, lookup->count, room);
        lookup->room = room;
    }
    if (2 * (lookup->count + 1) <= lookup->slot_count)
        return WEIR_OK;
    weir_free(lookup->slots);
    lookup->slot_count *= 2;
    lookup->slots = WEIR_NEW_ARRAY(int64_t, lookup->slot_count);
    for (int64_t row = 0; row < lookup->count; row++)
        lookup->slots[find_slot(lookup, lookup->keys, row)] = row + 1;
    return WEIR_OK;
}

/* The row of key |i|, a new one if needed. */
static weir_status row_for(weir_lookup *lookup, const char *keys, int64_t i, int64_t *out_row)
{
    WEIR_TRY(make_room(lookup));
    int64_t at = find_slot(lookup, keys, i);
    if (!lookup->slots[at]) {
        weir_elements_copy(lookup->key_dtype,
                           lookup->keys + (size_t)lookup->count * lookup->key_bytes,
                           keys + (size_t)i * lookup->key_bytes, lookup->key_count);
        lookup->slots[at] = ++lookup->count;
        if (lookup->places)
            lookup->places[find_place(lookup, keys, i)] = lookup->count;
    }
    *out_row = lookup->slots[at] - 1;
    return WEIR_OK;
}

/* Frees slot |at| and moves later ones up, so that no probe stops early. */
static void free_slot(weir_lookup *lookup, int64_t at)
{
    int64_t mask = lookup->slot_count - 1;
    lookup->slots[at] = 0;
    for (int64_t next = (at + 1) & mask; lookup->slots[next]; next = (next + 1) & mask) {
        int64_t row = lookup->slots[next];
        lookup->slots[next] = 0;
        lookup->slots[find_slot(lookup, lookup->keys, row - 1)] = row;
    }
}

static weir_status remove_key(weir_lookup *lookup, const char *keys, int64_t i)
{
    int64_t at = find_slot(lookup, keys, i), row = lookup->slots[at] - 1, last = lookup->count - 1;
    if (row < 0)
        return WEIR_OK;
    WEIR_TRY(make_last_values(lookup));
    if (lookup->places)
        delete_place(lookup, place_of(lookup, row), value_at(lookup, row));
    free_slot(lookup, at);
    if (row != last) {
        if (lookup->places)
            lookup->places[place_of(lookup, last)] = row + 1;
        lookup->slots[find_slot(lookup, lookup->keys, last)] = row + 1;
        weir_elements_copy(lookup->key_dtype, lookup->keys + (size_t)row * lookup->key_bytes,
                           lookup->keys + (size_t)last * lookup->key_bytes, lookup->key_count);
        weir_elements_copy(lookup->value_dtype, value_at(lookup, row), value_at(lookup, last),
                           lookup->value_count);
    }
    weir_elements_zero(lookup->key_dtype, lookup->keys + (size_t)last * lookup->key_bytes,
                       lookup->key_count);
    weir_elements_zero(lookup->value_dtype, value_at(lookup, last), lookup->value_count);
    lookup->count--;
    return WEIR_OK;
}

/* ---- whole tensors --------------------------------------------------------------------------- */

static int64_t keys_in(const weir_lookup *lookup, const weir_tensor *keys)
{
    return lookup->key_count ? weir_tensor_count(keys) / lookup->key_count : 0;
}

static bool is_key(const weir_lookup *lookup, const weir_tensor *reserved, const weir_tensor *keys,
                   int64_t i)
{
    return reserved->buffer && same_key(lookup, reserved->data, 0, keys->data, i);
}

static weir_status check_reserved(const weir_lookup *lookup, const weir_tensor *keys)
{
    if (lookup->kind != WEIR_LOOKUP_DENSE)
        return WEIR_OK;
    for (int64_t i = 0; i < keys_in(lookup, keys); i++) {
        if (is_key(lookup, &lookup->empty_key, keys, i))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Using the empty_key as a table key is not allowed");
        if (is_key(lookup, &lookup->deleted_key, keys, i))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Using the deleted_key as a table key is not allowed");
    }
    return WEIR_OK;
}

weir_status weir_lookup_find(weir_lookup *lookup, const weir_tensor *keys,
                             const weir_tensor *fallback, weir_tensor *out)
{
    WEIR_TRY(check_reserved(lookup, keys));
    int64_t count = keys_in(lookup, keys);
    bool one = weir_tensor_count(fallback) == lookup->value_count;
    char *to = out->data;
    weir_rwlock_read(&lookup->lock);
    bool ready = lookup->kind != WEIR_LOOKUP_FIXED || lookup->filled;
    for (int64_t i = 0; ready && i < count; i++, to += lookup->value_bytes) {
        int64_t row = lookup->slots[find_slot(lookup, keys->data, i)] - 1;
        const char *from =
            row >= 0 ? value_at(lookup, row)
                     : (const char *)fallback->data + (one ? 0 : (size_t)i * lookup->value_bytes);
        weir_elements_copy(lookup->value_dtype, to, from, lookup->value_count);
    }
    weir_rwlock_read_end(&lookup->lock);
    return ready ? WEIR_OK : weir_error(WEIR_FAILED_PRECONDITION, "Table not initialized.");
}

/* A reserved key: a dense table's export is full of them. */
static bool is_reserved(const weir_lookup *lookup, const weir_tensor *keys, int64_t i)
{
    return is_key(lookup, &lookup->empty_key, keys, i) ||
           is_key(lookup, &lookup->deleted_key, keys, i);
}

static int64_t real_keys_in(const weir_lookup *lookup, const weir_tensor *keys)
{
    int64_t count = 0;
    for (int64_t i = 0; lookup->places && i < keys_in(lookup, keys); i++)
        count += !is_reserved(lookup, keys, i);
    return count;
}

/* Lock held. */
static weir_status put_all(weir_lookup *lookup, const weir_tensor *keys, const weir_tensor *values)
{
    WEIR_TRY(grow_places(lookup, real_keys_in(lookup, keys)));
    for (int64_t i = 0; i < keys_in(lookup, keys) && !weir_stopped(); i++) {
        if (is_reserved(lookup, keys, i))
            continue;
        int64_t row;
        WEIR_TRY(row_for(lookup, keys->data, i, &row));
        weir_elements_copy(lookup->value_dtype, value_at(lookup, row),
                           (const char *)values->data + (size_t)i * lookup->value_bytes,
                           lookup->value_count);
    }
    return WEIR_OK;
}

weir_status weir_lookup_insert(weir_lookup *lookup, const weir_tensor *keys,
                               const weir_tensor *values)
{
    WEIR_TRY(check_reserved(lookup, keys));
    weir_rwlock_write(&lookup->lock);
    weir_status status = put_all(lookup, keys, values);
    weir_rwlock_write_end(&lookup->lock);
    return status;
}

weir_status weir_lookup_remove(weir_lookup *lookup, const weir_tensor *keys)
{
    WEIR_TRY(check_reserved(lookup, keys));
    weir_rwlock_write(&lookup->lock);
    weir_status status = WEIR_OK;
    for (int64_t i = 0; !status && i < keys_in(lookup, keys) && !weir_stopped(); i++)
        status = remove_key(lookup, keys->data, i);
    weir_rwlock_write_end(&lookup->lock);
    return status;
}

static bool is_power_of_two(int64_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

/* A dense table takes the number of buckets of an imported export ... */
static weir_status take_places(weir_lookup *lookup, const weir_tensor *keys)
{
    if (!is_power_of_two(keys_in(lookup, keys)))
        return WEIR_OK;
    WEIR_TRY(hold(lookup, lookup->room, lookup->slot_count, keys_in(lookup, keys)));
    weir_free(lookup->places);
    lookup->buckets = keys_in(lookup, keys);
    lookup->places = WEIR_NEW_ARRAY(int64_t, lookup->buckets);
    return WEIR_OK;
}

/* ... and each key's bucket, unless the table had to grow. */
static weir_status keep_places(weir_lookup *lookup, const weir_tensor *keys,
                               const weir_tensor *values)
{
    if (keys_in(lookup, keys) != lookup->buckets)
        return WEIR_OK;
    for (int64_t i = 0; i < lookup->buckets; i++) {
        bool deleted = is_key(lookup, &lookup->deleted_key, keys, i);
        lookup->places[i] = lookup->slots[find_slot(lookup, keys->data, i)];
        if (!deleted)
            continue;
        WEIR_TRY(make_last_values(lookup));
        delete_place(lookup, i, (const char *)values->data + (size_t)i * lookup->value_bytes);
    }
    return WEIR_OK;
}

weir_status weir_lookup_import(weir_lookup *lookup, const weir_tensor *keys,
                               const weir_tensor *values)
{
    weir_rwlock_write(&lookup->lock);
    clear(lookup);
    weir_status status = lookup->places ? take_places(lookup, keys) : WEIR_OK;
    if (!status)
        status = put_all(lookup, keys, values);
    if (!status && lookup->places)
        status = keep_places(lookup, keys, values);
    weir_rwlock_write_end(&lookup->lock);
    return status;
}

/* One bucket of a dense table, or one row of another. */
static void export_row(const weir_lookup *lookup, int64_t i, weir_tensor *keys, weir_tensor *values)
{
    int64_t row = lookup->places ? lookup->places[i] - 1 : i;
    const weir_tensor *reserved =
        lookup->places && lookup->places[i] == DELETED ? &lookup->deleted_key : &lookup->empty_key;
    const char *key = row >= 0 ? lookup->keys + (size_t)row * lookup->key_bytes : reserved->data;
    char *value = (char *)values->data + (size_t)i * lookup->value_bytes;
    weir_elements_copy(lookup->key_dtype, (char *)keys->data + (size_t)i * lookup->key_bytes, key,
                       lookup->key_count);
    const char *shown = row >= 0 ? value_at(lookup, row)
                        : lookup->last_values
                            ? lookup->last_values + (size_t)i * lookup->value_bytes
                            : NULL;
    if (shown)
        weir_elements_copy(lookup->value_dtype, value, shown, lookup->value_count);
    else
        weir_elements_zero(lookup->value_dtype, value, lookup->value_count);
}

/* Lock held. */
static weir_status export_rows(weir_lookup *lookup, weir_tensor *keys, weir_tensor *values)
{
    bool dense = lookup->kind == WEIR_LOOKUP_DENSE;
    int64_t rows = dense ? lookup->buckets : lookup->count;
    weir_shape key_shape =
                   dense ? weir_shape_matrix(rows, lookup->key_count) : weir_shape_vector(rows),
               value_shape;
    weir_shape lead = dense && lookup->value_shape.rank == 0 ? weir_shape_matrix(rows, 1)
                                                             : weir_shape_vector(rows);
    WEIR_TRY(weir_infer_concat(&lead, &lookup->value_shape, &value_shape));
    WEIR_TRY(weir_tensor_alloc(lookup->key_dtype, &key_shape, keys));
    weir_status status = weir_tensor_alloc(lookup->value_dtype, &value_shape, values);
    if (status) {
        weir_tensor_release(keys);
        return status;
    }
    for (int64_t i = 0; i < rows; i++)
        export_row(lookup, i, keys, values);
    return WEIR_OK;
}

weir_status weir_lookup_export(weir_lookup *lookup, weir_tensor *out_keys, weir_tensor *out_values)
{
    weir_rwlock_read(&lookup->lock);
    weir_status status = lookup->kind == WEIR_LOOKUP_FIXED && !lookup->filled
                             ? weir_error(WEIR_FAILED_PRECONDITION, "Table not initialized.")
                             : export_rows(lookup, out_keys, out_values);
    weir_rwlock_read_end(&lookup->lock);
    return status;
}

/* ---- initialising ---------------------------------------------------------------------------- */

static bool same_values(const weir_lookup *lookup, const char *a, const char *b)
{
    if (lookup->value_dtype != WEIR_STRING)
        return memcmp(a, b, lookup->value_bytes) == 0;
    for (int64_t i = 0; i < lookup->value_count; i++)
        if (!weir_str_eq(string_at(a, i), string_at(b, i)))
            return false;
    return true;
}

static void element_text(weir_buf *out, weir_dtype dtype, const void *e)
{
    if (dtype == WEIR_STRING)
        weir_buf_addf(out, "%.*s", WEIR_STR_ARG(weir_tstring_get(e)));
    else if (dtype == WEIR_INT64)
        weir_buf_addf(out, "%" PRId64, *(const int64_t *)e);
    else if (dtype == WEIR_INT32)
        weir_buf_addf(out, "%d", *(const int32_t *)e);
    else if (dtype == WEIR_FLOAT)
        weir_buf_addf(out, "%g", (double)*(const float *)e);
    else if (dtype == WEIR_DOUBLE)
        weir_buf_addf(out, "%g", *(const double *)e);
    else
        weir_buf_addf(out, "%d", *(const bool *)e);
}

static weir_status two_values(const weir_lookup *lookup, const void *key, const void *has,
                              const void *more)
{
    WEIR_BUF(text);
    weir_buf_adds(&text, "HashTable has different value for same key. Key ");
    element_text(&text, lookup->key_dtype, key);
    weir_buf_adds(&text, " has ");
    element_text(&text, lookup->value_dtype, has);
    weir_buf_adds(&text, " and trying to add value ");
    element_text(&text, lookup->value_dtype, more);
    return weir_error_text(WEIR_FAILED_PRECONDITION, text.at, text.length);
}

static weir_status fill_empty(weir_lookup *lookup, const weir_tensor *keys,
                              const weir_tensor *values)
{
    for (int64_t i = 0; i < keys_in(lookup, keys); i++) {
        int64_t before = lookup->count, row;
        const char *value = (const char *)values->data + (size_t)i * lookup->value_bytes;
        if (weir_stopped())
            return weir_error(WEIR_CANCELLED, "The step ended while its table was filled");
        WEIR_TRY(row_for(lookup, keys->data, i, &row));
        if (lookup->count > before)
            weir_elements_copy(lookup->value_dtype, value_at(lookup, row), value,
                               lookup->value_count);
        else if (!same_values(lookup, value_at(lookup, row), value))
            return two_values(lookup, (const char *)keys->data + (size_t)i * lookup->key_bytes,
                              value_at(lookup, row), value);
    }
    return WEIR_OK;
}

weir_status weir_lookup_fill(weir_lookup *lookup, const weir_tensor *keys,
                             const weir_tensor *values)
{
    weir_status status = WEIR_OK;
    weir_rwlock_write(&lookup->lock);
    if (!lookup->filled) {
        status = fill_empty(lookup, keys, values);
        lookup->filled = !status;
        if (status)
            clear(lookup);
    } else if (lookup->count != keys_in(lookup, keys)) {
        status = weir_error(WEIR_FAILED_PRECONDITION,
                            "Table was already initialized with different data.");
    }
    weir_rwlock_write_end(&lookup->lock);
    return status;
}
