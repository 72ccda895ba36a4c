/* dist/known.c - the last tag received under each key, and cached values that did not change. */
#include "dist/known.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/mutex.h"
#include "base/room.h"

enum {
    TAGGED_FROM = 16 << 10, /* minimum size of a tagged value */
    MOST_TAG = 256,
    MOST_KEYS = 4096,     /* those of loops are new in every iteration */
    MOST_BYTES = 1 << 30, /* that are kept, and ... */
    MOST_SHARE = 8,       /* ... at most an eighth of the limit of memory */
};

/* The last value of a key. */
typedef struct known_value {
    char *tag;
    weir_tensor kept; /* received twice; else empty */
} known_value;

struct weir_known {
    weir_mutex lock;
    weir_map values WEIR_GUARDED_BY(lock); /* key -> known_value */
    size_t bytes WEIR_GUARDED_BY(lock);    /* of cached values */
};

/* ---- tags ------------------------------------------------------------------------------------ */

/* The tag is the buffer's version, and everything that determines the value from its bytes. */
bool weir_known_tag(const weir_tensor *tensor, weir_dtype wire_type, weir_buf *out_tag)
{
    bool suits = tensor->buffer && weir_dtype_is_plain(tensor->dtype) &&
                 weir_tensor_bytes(tensor) >= TAGGED_FROM;
    uint64_t version = suits ? weir_buffer_version(tensor->buffer) : 0;
    size_t mark = out_tag->length;
    if (!version)
        return false;
    weir_buf_addf(out_tag, "%" PRIx64 ".%zx.%d.%d", version,
                  (size_t)((char *)tensor->data - (char *)tensor->buffer->data), (int)tensor->dtype,
                  (int)wire_type);
    for (int i = 0; i < tensor->shape.rank; i++)
        weir_buf_addf(out_tag, ".%" PRIx64, (uint64_t)tensor->shape.dims[i]);
    if (out_tag->length - mark <= MOST_TAG)
        return true;
    out_tag->length = mark;
    return false;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void let_go(weir_known *known, known_value *value) WEIR_REQUIRES(known->lock)
{
    if (value->kept.buffer)
        known->bytes -= weir_tensor_bytes(&value->kept);
    weir_tensor_release(&value->kept);
    value->kept = (weir_tensor){0};
}

static void forget_value(weir_known *known, known_value *value) WEIR_REQUIRES(known->lock)
{
    if (!value)
        return;
    let_go(known, value);
    weir_free(value->tag);
    weir_free(value);
}

static void forget_all(weir_known *known) WEIR_REQUIRES(known->lock)
{
    size_t at = 0;
    void *value;
    while (weir_map_next(&known->values, &at, NULL, &value))
        forget_value(known, value);
    weir_map_fini(&known->values);
}

void weir_known_find(weir_known *known, weir_str key, weir_buf *out_tag, weir_tensor *out_tensor)
{
    weir_mutex_lock(&known->lock);
    const known_value *value = weir_map_get(&known->values, key);
    if (value && value->kept.buffer && !weir_buffer_shown(value->kept.buffer)) {
        weir_buf_adds(out_tag, value->tag);
        *out_tensor = weir_tensor_share(&value->kept);
    }
    weir_mutex_unlock(&known->lock);
}

static void replace(weir_known *known, weir_str key, weir_str tag) WEIR_REQUIRES(known->lock)
{
    if (known->values.count >= MOST_KEYS && !weir_map_get(&known->values, key))
        forget_all(known);
    known_value *value = WEIR_NEW(known_value);
    value->tag = weir_strndup(tag.at, tag.length);
    forget_value(known, weir_map_put(&known->values, key, value));
}

static size_t most_bytes(void)
{
    size_t share = weir_room_limit() / MOST_SHARE;
    return share && share < MOST_BYTES ? share : MOST_BYTES;
}

static void keep(weir_known *known, known_value *value, const weir_tensor *tensor)
    WEIR_REQUIRES(known->lock)
{
    size_t bytes = weir_tensor_bytes(tensor);
    let_go(known, value);
    if (known->bytes + bytes > most_bytes() || tensor->buffer->read_only)
        return;
    value->kept = weir_tensor_share(tensor);
    known->bytes += bytes;
}

void weir_known_note(weir_known *known, weir_str key, weir_str tag, const weir_tensor *tensor)
{
    weir_mutex_lock(&known->lock);
    known_value *value = weir_map_get(&known->values, key);
    if (!tag.length || tag.length > MOST_TAG || !tensor->buffer)
        forget_value(known, weir_map_remove(&known->values, key));
    else if (!value || !weir_str_is(tag, value->tag))
        replace(known, key, tag);
    else if (value->kept.buffer != tensor->buffer)
        keep(known, value, tensor);
    weir_mutex_unlock(&known->lock);
}

void weir_known_forget(weir_known *known)
{
    weir_mutex_lock(&known->lock);
    forget_all(known);
    weir_mutex_unlock(&known->lock);
}

size_t weir_known_bytes(weir_known *known)
{
    weir_mutex_lock(&known->lock);
    size_t bytes = known->bytes;
    weir_mutex_unlock(&known->lock);
    return bytes;
}

weir_known *weir_known_create(void)
{
    weir_known *known = WEIR_NEW(weir_known);
    weir_mutex_init(&known->lock);
    return known;
}

void weir_known_destroy(weir_known *known)
{
    if (!known)
        return;
    weir_known_forget(known);
    weir_mutex_fini(&known->lock);
    weir_free(known);
}
