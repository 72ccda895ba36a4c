/* state/lookup.c - open addressing over rows of keys and values.
 *
 * Rows lie without gaps: a removed row is replaced by the last one. |slots| holds row + 1, 0 for
 * none; it is searched linearly from the key's hash, and removal closes the gap it leaves.
 */
#include "state/lookup.h"

#include <inttypes.h>

const weir_resource_type weir_lookup_type = {"N10tensorflow6lookup15LookupInterfaceE", "table"};

struct weir_lookup {
    weir_resource base;
    weir_lookup_kind kind;
    weir_dtype key_dtype, value_dtype;
    weir_shape value_shape;
    int64_t value_count; /* elements of one value */
    size_t key_bytes, value_bytes;
    weir_tensor empty_key, deleted_key; /* of dense tables */
    float max_load;
    pthread_rwlock_t lock;
    /* Under lock: */
    bool filled;
    int64_t count, room; /* rows, and places for them */
    int64_t buckets;     /* what a dense table reports */
    char *keys, *values;
    int64_t *slots, slot_count; /* a power of two */
};

static weir_str string_at(const char *keys, int64_t i)
{
    return weir_tstring_get((const weir_tstring *)keys + i);
}

static uint64_t hash_key(const weir_lookup *t, const char *keys, int64_t i)
{
    if (t->key_dtype == WEIR_STRING) {
        weir_str s = string_at(keys, i);
        return weir_hash_bytes(s.at, s.length, 0);
    }
    return weir_hash_bytes(keys + (size_t)i * t->key_bytes, t->key_bytes, 0);
}

static bool same_key(const weir_lookup *t, const char *a, int64_t i, const char *b, int64_t j)
{
    if (t->key_dtype == WEIR_STRING)
        return weir_str_eq(string_at(a, i), string_at(b, j));
    return memcmp(a + (size_t)i * t->key_bytes, b + (size_t)j * t->key_bytes, t->key_bytes) == 0;
}

static char *value_at(const weir_lookup *t, int64_t row)
{
    return t->values + (size_t)row * t->value_bytes;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void clear(weir_lookup *t)
{
    weir_elements_zero(t->key_dtype, t->keys, t->count);
    weir_elements_zero(t->value_dtype, t->values, t->count * t->value_count);
    t->count = 0;
    memset(t->slots, 0, sizeof *t->slots * (size_t)t->slot_count);
}

static void destroy(weir_ref *ref)
{
    weir_lookup *t = (weir_lookup *)ref;
    clear(t);
    weir_free(t->keys);
    weir_free(t->values);
    weir_free(t->slots);
    weir_tensor_release(&t->empty_key);
    weir_tensor_release(&t->deleted_key);
    pthread_rwlock_destroy(&t->lock);
    weir_free(t);
}

enum { FIRST_SLOTS = 16 };

weir_lookup *weir_lookup_create(const weir_lookup_spec *spec)
{
    weir_lookup *t = WEIR_NEW(weir_lookup);
    weir_ref_init(&t->base.ref, destroy);
    t->base.type = &weir_lookup_type;
    t->kind = spec->kind;
    t->key_dtype = spec->key_dtype;
    t->value_dtype = spec->value_dtype;
    t->value_shape = spec->value_shape;
    t->value_count = weir_shape_count(&spec->value_shape);
    t->key_bytes = weir_dtype_size(spec->key_dtype);
    t->value_bytes = weir_dtype_size(spec->value_dtype) * (size_t)t->value_count;
    if (spec->empty_key)
        t->empty_key = weir_tensor_share(spec->empty_key);
    if (spec->deleted_key)
        t->deleted_key = weir_tensor_share(spec->deleted_key);
    t->buckets = spec->buckets;
    t->max_load = spec->max_load;
    pthread_rwlock_init(&t->lock, NULL);
    t->slot_count = FIRST_SLOTS;
    t->slots = WEIR_NEW_ARRAY(int64_t, FIRST_SLOTS);
    return t;
}

weir_lookup_kind weir_lookup_kind_of(const weir_lookup *t)
{
    return t->kind;
}

weir_dtype weir_lookup_key_dtype(const weir_lookup *t)
{
    return t->key_dtype;
}

weir_dtype weir_lookup_value_dtype(const weir_lookup *t)
{
    return t->value_dtype;
}

const weir_shape *weir_lookup_value_shape(const weir_lookup *t)
{
    return &t->value_shape;
}

int64_t weir_lookup_size(weir_lookup *t)
{
    pthread_rwlock_rdlock(&t->lock);
    int64_t count = t->count;
    pthread_rwlock_unlock(&t->lock);
    return count;
}

bool weir_lookup_filled(weir_lookup *t)
{
    pthread_rwlock_rdlock(&t->lock);
    bool filled = t->filled;
    pthread_rwlock_unlock(&t->lock);
    return filled;
}

/* ---- rows; the lock is held ------------------------------------------------------------------ */

/* The slot of key |i|, or the free one where it would be. */
static int64_t find_slot(const weir_lookup *t, const char *keys, int64_t i)
{
    int64_t mask = t->slot_count - 1, at = (int64_t)hash_key(t, keys, i) & mask;
    while (t->slots[at] && !same_key(t, t->keys, t->slots[at] - 1, keys, i))
        at = (at + 1) & mask;
    return at;
}

static void *grown(void *old, size_t unit, int64_t count, int64_t room)
{
    char *p = weir_realloc(old, unit * (size_t)room);
    memset(p + unit * (size_t)count, 0, unit * (size_t)(room - count));
    return p;
}

static void make_room(weir_lookup *t)
{
    if (t->count == t->room) {
        int64_t room = t->room ? t->room * 2 : FIRST_SLOTS;
        t->keys = grown(t->keys, t->key_bytes, t->count, room);
        t->values = grown(t->values, t->value_bytes, t->count, room);
        t->room = room;
    }
    if (2 * (t->count + 1) <= t->slot_count)
        return;
    weir_free(t->slots);
    t->slot_count *= 2;
    t->slots = WEIR_NEW_ARRAY(int64_t, t->slot_count);
    for (int64_t row = 0; row < t->count; row++)
        t->slots[find_slot(t, t->keys, row)] = row + 1;
}

/* The row of key |i|, new when it has none. */
static int64_t row_for(weir_lookup *t, const char *keys, int64_t i, bool *out_new)
{
    make_room(t);
    int64_t at = find_slot(t, keys, i);
    *out_new = !t->slots[at];
    if (*out_new) {
        weir_elements_copy(t->key_dtype, t->keys + (size_t)t->count * t->key_bytes,
                           keys + (size_t)i * t->key_bytes, 1);
        t->slots[at] = ++t->count;
    }
    return t->slots[at] - 1;
}

/* Frees slot |at| and moves later ones up, so that no search stops early. */
static void free_slot(weir_lookup *t, int64_t at)
{
    int64_t mask = t->slot_count - 1;
    t->slots[at] = 0;
    for (int64_t next = (at + 1) & mask; t->slots[next]; next = (next + 1) & mask) {
        int64_t row = t->slots[next];
        t->slots[next] = 0;
        t->slots[find_slot(t, t->keys, row - 1)] = row;
    }
}

static void remove_key(weir_lookup *t, const char *keys, int64_t i)
{
    int64_t at = find_slot(t, keys, i), row = t->slots[at] - 1, last = t->count - 1;
    if (row < 0)
        return;
    free_slot(t, at);
    if (row != last) {
        t->slots[find_slot(t, t->keys, last)] = row + 1;
        weir_elements_copy(t->key_dtype, t->keys + (size_t)row * t->key_bytes,
                           t->keys + (size_t)last * t->key_bytes, 1);
        weir_elements_copy(t->value_dtype, value_at(t, row), value_at(t, last), t->value_count);
    }
    weir_elements_zero(t->key_dtype, t->keys + (size_t)last * t->key_bytes, 1);
    weir_elements_zero(t->value_dtype, value_at(t, last), t->value_count);
    t->count--;
}

/* ---- whole tensors --------------------------------------------------------------------------- */

static bool is_key(const weir_lookup *t, const weir_tensor *reserved, const weir_tensor *keys,
                   int64_t i)
{
    return reserved->buffer && same_key(t, reserved->data, 0, keys->data, i);
}

static weir_status check_reserved(const weir_lookup *t, const weir_tensor *keys)
{
    if (t->kind != WEIR_LOOKUP_DENSE)
        return WEIR_OK;
    for (int64_t i = 0; i < weir_tensor_count(keys); i++) {
        if (is_key(t, &t->empty_key, keys, i))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Using the empty_key as a table key is not allowed");
        if (is_key(t, &t->deleted_key, keys, i))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Using the deleted_key as a table key is not allowed");
    }
    return WEIR_OK;
}

weir_status weir_lookup_find(weir_lookup *t, const weir_tensor *keys, const weir_tensor *fallback,
                             weir_tensor *out)
{
    WEIR_TRY(check_reserved(t, keys));
    int64_t count = weir_tensor_count(keys);
    bool one = weir_tensor_count(fallback) == t->value_count;
    char *to = out->data;
    pthread_rwlock_rdlock(&t->lock);
    bool ready = t->kind != WEIR_LOOKUP_FIXED || t->filled;
    for (int64_t i = 0; ready && i < count; i++, to += t->value_bytes) {
        int64_t row = t->slots[find_slot(t, keys->data, i)] - 1;
        const char *from =
            row >= 0 ? value_at(t, row)
                     : (const char *)fallback->data + (one ? 0 : (size_t)i * t->value_bytes);
        weir_elements_copy(t->value_dtype, to, from, t->value_count);
    }
    pthread_rwlock_unlock(&t->lock);
    return ready ? WEIR_OK : weir_error(WEIR_FAILED_PRECONDITION, "Table not initialized.");
}

static void grow_buckets(weir_lookup *t)
{
    while (t->kind == WEIR_LOOKUP_DENSE && (float)t->count > (float)t->buckets * t->max_load)
        t->buckets *= 2;
}

/* Lock held. Reserved keys are skipped: a dense table's export is full of them. */
static void put_all(weir_lookup *t, const weir_tensor *keys, const weir_tensor *values)
{
    bool fresh;
    for (int64_t i = 0; i < weir_tensor_count(keys); i++) {
        if (is_key(t, &t->empty_key, keys, i) || is_key(t, &t->deleted_key, keys, i))
            continue;
        int64_t row = row_for(t, keys->data, i, &fresh);
        weir_elements_copy(t->value_dtype, value_at(t, row),
                           (const char *)values->data + (size_t)i * t->value_bytes, t->value_count);
    }
    grow_buckets(t);
}

weir_status weir_lookup_insert(weir_lookup *t, const weir_tensor *keys, const weir_tensor *values)
{
    WEIR_TRY(check_reserved(t, keys));
    pthread_rwlock_wrlock(&t->lock);
    put_all(t, keys, values);
    pthread_rwlock_unlock(&t->lock);
    return WEIR_OK;
}

weir_status weir_lookup_remove(weir_lookup *t, const weir_tensor *keys)
{
    WEIR_TRY(check_reserved(t, keys));
    pthread_rwlock_wrlock(&t->lock);
    for (int64_t i = 0; i < weir_tensor_count(keys); i++)
        remove_key(t, keys->data, i);
    pthread_rwlock_unlock(&t->lock);
    return WEIR_OK;
}

weir_status weir_lookup_import(weir_lookup *t, const weir_tensor *keys, const weir_tensor *values)
{
    pthread_rwlock_wrlock(&t->lock);
    clear(t);
    put_all(t, keys, values);
    pthread_rwlock_unlock(&t->lock);
    return WEIR_OK;
}

/* Rows of an export: the entries, in a dense table followed by empty buckets. Lock held. */
static weir_status export_rows(weir_lookup *t, weir_tensor *keys, weir_tensor *values)
{
    bool dense = t->kind == WEIR_LOOKUP_DENSE;
    int64_t rows = dense ? t->buckets : t->count;
    weir_shape key_shape = dense ? weir_shape_matrix(rows, 1) : weir_shape_vector(rows),
               value_shape;
    weir_shape lead = dense && t->value_shape.rank == 0 ? key_shape : weir_shape_vector(rows);
    WEIR_TRY(weir_infer_concat(&lead, &t->value_shape, &value_shape));
    WEIR_TRY(weir_tensor_alloc(t->key_dtype, &key_shape, keys));
    weir_status s = weir_tensor_alloc(t->value_dtype, &value_shape, values);
    if (s) {
        weir_tensor_release(keys);
        return s;
    }
    weir_elements_copy(t->key_dtype, keys->data, t->keys, t->count);
    weir_elements_copy(t->value_dtype, values->data, t->values, t->count * t->value_count);
    for (int64_t i = t->count; i < rows; i++)
        weir_elements_copy(t->key_dtype, (char *)keys->data + (size_t)i * t->key_bytes,
                           t->empty_key.data, 1);
    weir_elements_zero(t->value_dtype, (char *)values->data + (size_t)t->count * t->value_bytes,
                       (rows - t->count) * t->value_count);
    return WEIR_OK;
}

weir_status weir_lookup_export(weir_lookup *t, weir_tensor *out_keys, weir_tensor *out_values)
{
    pthread_rwlock_rdlock(&t->lock);
    weir_status s = t->kind == WEIR_LOOKUP_FIXED && !t->filled
                        ? weir_error(WEIR_FAILED_PRECONDITION, "Table not initialized.")
                        : export_rows(t, out_keys, out_values);
    pthread_rwlock_unlock(&t->lock);
    return s;
}

/* ---- filling once ---------------------------------------------------------------------------- */

static bool same_values(const weir_lookup *t, const char *a, const char *b)
{
    if (t->value_dtype != WEIR_STRING)
        return memcmp(a, b, t->value_bytes) == 0;
    for (int64_t i = 0; i < t->value_count; i++)
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

static weir_status two_values(const weir_lookup *t, const void *key, const void *has,
                              const void *more)
{
    weir_buf text = {0};
    weir_buf_adds(&text, "HashTable has different value for same key. Key ");
    element_text(&text, t->key_dtype, key);
    weir_buf_adds(&text, " has ");
    element_text(&text, t->value_dtype, has);
    weir_buf_adds(&text, " and trying to add value ");
    element_text(&text, t->value_dtype, more);
    weir_status s = weir_error_text(WEIR_FAILED_PRECONDITION, text.at, text.length);
    weir_buf_fini(&text);
    return s;
}

static weir_status fill_empty(weir_lookup *t, const weir_tensor *keys, const weir_tensor *values)
{
    for (int64_t i = 0; i < weir_tensor_count(keys); i++) {
        bool fresh;
        const char *value = (const char *)values->data + (size_t)i * t->value_bytes;
        int64_t row = row_for(t, keys->data, i, &fresh);
        if (fresh)
            weir_elements_copy(t->value_dtype, value_at(t, row), value, t->value_count);
        else if (!same_values(t, value_at(t, row), value))
            return two_values(t, (const char *)keys->data + (size_t)i * t->key_bytes,
                              value_at(t, row), value);
    }
    return WEIR_OK;
}

weir_status weir_lookup_fill(weir_lookup *t, const weir_tensor *keys, const weir_tensor *values)
{
    weir_status s = WEIR_OK;
    pthread_rwlock_wrlock(&t->lock);
    if (!t->filled) {
        s = fill_empty(t, keys, values);
        t->filled = !s;
        if (s)
            clear(t);
    } else if (t->count != weir_tensor_count(keys)) {
        s = weir_error(WEIR_FAILED_PRECONDITION,
                       "Table was already initialized with different data.");
    }
    pthread_rwlock_unlock(&t->lock);
    return s;
}
