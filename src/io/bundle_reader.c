/* io/bundle_reader.c - reading a bundle. */
#include <inttypes.h>

#include "base/mutex.h"
#include "io/bundle_data.h"
#include "io/bundle_impl.h"
#include "io/table.h"

typedef struct item {
    weir_str key;
    weir_bundle_entry entry;
} item;

typedef WEIR_VEC(item) items;

struct weir_bundle {
    char *prefix;
    weir_arena arena;      /* keys and messages */
    items tensors, slices; /* each sorted by key */
    int64_t shards;
    weir_mutex lock;
    weir_rfile **files; /* one per shard; each is opened when first needed, with the lock */
};

bool weir_bundle_exists(const char *prefix)
{
    char *name = weir_bundle_index_name(prefix);
    bool exists = weir_path_exists(name);
    weir_free(name);
    return exists;
}

static weir_str keep(weir_bundle *b, weir_str s)
{
    return (weir_str){weir_arena_strndup(&b->arena, s.at, s.length), s.length};
}

static weir_status read_header(weir_bundle *b, const weir_table_cursor *c)
{
    weir_bundle_header h;
    if (!c->valid || c->key.length)
        return weir_error(WEIR_DATA_LOSS, "%s.index has no header", b->prefix);
    WEIR_TRY_NOTE(weir_bundle_header_parse(c->value, &h),
                  " in %s.index, the block at offset %" PRIu64, b->prefix, c->base);
    if (h.big_endian)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "Reading a bundle with different endianness from the reader");
    if (h.min_consumer > WEIR_BUNDLE_VERSION)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Checkpoint min consumer version %" PRId64
                          " above current version %d for TensorFlow checkpoint",
                          h.min_consumer, WEIR_BUNDLE_VERSION);
    b->shards = h.shards;
    b->files = WEIR_NEW_ARRAY(weir_rfile *, h.shards);
    return WEIR_OK;
}

static weir_status read_items(weir_bundle *b, const weir_table *t, weir_table_cursor *c)
{
    WEIR_TRY(weir_table_seek(t, WEIR_STR(""), c));
    WEIR_TRY(read_header(b, c));
    for (;;) {
        WEIR_TRY(weir_table_next(t, c));
        if (!c->valid)
            return WEIR_OK;
        item it = {.key = keep(b, weir_view(&c->key))};
        WEIR_TRY_NOTE(weir_bundle_entry_parse(keep(b, c->value), &it.entry),
                      " of tensor %.*s in %s.index, the block at offset %" PRIu64,
                      WEIR_STR_ARG(it.key), b->prefix, c->base);
        items *list = weir_bundle_key_is_slice(it.key) ? &b->slices : &b->tensors;
        weir_vec_push(list, it);
    }
}

static weir_status read_index(weir_bundle *b)
{
    WEIR_OWNED(weir_table) t = NULL;
    char *name = weir_bundle_index_name(b->prefix);
    weir_status status = weir_table_open(name, &t);
    if (weir_status_code(status) == WEIR_DATA_LOSS)
        status = weir_status_prefix(status, "Unable to open table file %s: ", name);
    weir_free(name);
    WEIR_TRY(status);
    weir_table_cursor c = {0};
    status = read_items(b, t, &c);
    weir_table_cursor_fini(&c);
    return status;
}

weir_status weir_bundle_open(const char *prefix, weir_bundle **out_bundle)
{
    WEIR_OWNED(weir_bundle) b = WEIR_NEW(weir_bundle);
    weir_arena_init(&b->arena);
    weir_mutex_init(&b->lock);
    b->prefix = weir_strdup(prefix);
    WEIR_TRY(read_index(b));
    *out_bundle = WEIR_TAKE(b);
    return WEIR_OK;
}

void weir_bundle_destroy(weir_bundle *b)
{
    if (!b)
        return;
    for (int64_t i = 0; b->files && i < b->shards; i++)
        weir_rfile_destroy(b->files[i]);
    weir_free(b->files);
    weir_vec_fini(&b->tensors);
    weir_vec_fini(&b->slices);
    weir_mutex_fini(&b->lock);
    weir_arena_fini(&b->arena);
    weir_free(b->prefix);
    weir_free(b);
}

static const item *find(const items *list, weir_str key)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = weir_key_compare(list->at[middle].key, key);
        if (order == 0)
            return &list->at[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static weir_tensor_info info_of(const item *it)
{
    return (weir_tensor_info){it->key, it->entry.dtype, it->entry.shape};
}

size_t weir_bundle_count(const weir_bundle *b)
{
    return b->tensors.count;
}

weir_tensor_info weir_bundle_at(const weir_bundle *b, size_t i)
{
    return info_of(&b->tensors.at[i]);
}

bool weir_bundle_find(const weir_bundle *b, weir_str name, weir_tensor_info *out_info)
{
    const item *it = find(&b->tensors, name);
    if (it)
        *out_info = info_of(it);
    return it != NULL;
}

static weir_status open_shard(weir_bundle *b, int64_t shard, weir_rfile **out_file)
{
    if (shard < 0 || shard >= b->shards)
        return weir_error(WEIR_DATA_LOSS, "%s: shard %" PRId64 " of %" PRId64, b->prefix, shard,
                          b->shards);
    weir_status status = WEIR_OK;
    weir_mutex_lock(&b->lock);
    if (!b->files[shard]) {
        char *name = weir_bundle_data_name(b->prefix, shard, b->shards);
        status = weir_rfile_open(name, &b->files[shard]);
        weir_free(name);
    }
    *out_file = b->files[shard];
    weir_mutex_unlock(&b->lock);
    return status;
}

/* Reads a stored tensor, which has bytes of its own. */
static weir_status read_entry(weir_bundle *b, const weir_bundle_entry *e, weir_tensor *out_tensor)
{
    weir_rfile *file = NULL;
    WEIR_TRY(open_shard(b, e->shard, &file));
    uint64_t size = weir_rfile_bytes(file);
    if ((uint64_t)e->offset > size || (uint64_t)e->bytes > size - (uint64_t)e->offset)
        return weir_error(WEIR_OUT_OF_RANGE,
                          "%s: %" PRId64 " bytes at %" PRId64 " are beyond its %" PRIu64 " bytes",
                          weir_rfile_path(file), e->bytes, e->offset, size);
    /* Before room is made for it: a damaged shape must not cost more than the file. */
    if (weir_bundle_data_least(e->dtype, weir_shape_count(&e->shape)) > e->bytes)
        return weir_error(WEIR_DATA_LOSS,
                          "Invalid size in bundle entry: stored size %" PRId64
                          " is too small for %s of shape %s (%s, offset %" PRId64 ")",
                          e->bytes, weir_dtype_name(e->dtype), WEIR_SHAPE_STR(&e->shape),
                          weir_rfile_path(file), e->offset);
    weir_tensor t;
    WEIR_TRY(weir_tensor_alloc(e->dtype, &e->shape, &t));
    weir_status status = weir_bundle_data_read(file, e->offset, e->bytes, e->crc, &t);
    if (status) {
        weir_tensor_release(&t);
        return status;
    }
    *out_tensor = t;
    return WEIR_OK;
}

/* Copies what stored slice |part| of |whole| has of slice |want| into |out|. */
static weir_status add_part(weir_bundle *b, const item *whole, const weir_slice *part,
                            const weir_slice *want, weir_tensor *out, int64_t *copied)
{
    WEIR_BUF(key);
    weir_slice_key(&key, whole->key, part);
    const item *stored = find(&b->slices, weir_view(&key));
    weir_shape shape;
    WEIR_TRY(weir_slice_shape(part, &whole->entry.shape, &shape));
    if (!stored || stored->entry.dtype != whole->entry.dtype ||
        !weir_shape_eq(&shape, &stored->entry.shape))
        return weir_error(WEIR_DATA_LOSS, "%s: a slice of tensor %.*s is missing", b->prefix,
                          WEIR_STR_ARG(whole->key));
    weir_tensor t;
    WEIR_TRY(read_entry(b, &stored->entry, &t));
    *copied += weir_slice_copy(&whole->entry.shape, part, &t, want, out);
    weir_tensor_release(&t);
    return WEIR_OK;
}

static weir_status add_parts(weir_bundle *b, const item *whole, const weir_slice *want,
                             weir_tensor *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_slice *parts;
    int64_t copied = 0;
    WEIR_TRY(weir_bundle_entry_slices(&whole->entry, &arena, &parts));
    for (size_t i = 0; i < whole->entry.slice_count; i++)
        WEIR_TRY(add_part(b, whole, &parts[i], want, out, &copied));
    if (copied < weir_tensor_count(out))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Does not have sufficient slices for partitioned tensor %.*s to restore "
                          "shape %s",
                          WEIR_STR_ARG(whole->key), WEIR_SHAPE_STR(&out->shape));
    return WEIR_OK;
}

/* Cuts slice |want| out of a tensor stored whole. */
static weir_status cut(weir_bundle *b, const item *whole, const weir_slice *want, weir_tensor *out)
{
    weir_tensor all;
    WEIR_TRY(read_entry(b, &whole->entry, &all));
    weir_slice everything = weir_slice_whole(all.shape.rank);
    weir_slice_copy(&all.shape, &everything, &all, want, out);
    weir_tensor_release(&all);
    return WEIR_OK;
}

weir_status weir_bundle_read(weir_bundle *b, weir_str name, const weir_slice *s,
                             weir_tensor *out_tensor)
{
    const item *it = find(&b->tensors, name);
    if (!it)
        return weir_error(WEIR_NOT_FOUND, "Key %.*s not found in checkpoint", WEIR_STR_ARG(name));
    if (it->entry.slice_count == 0 && (!s || weir_slice_is_whole(s)))
        return read_entry(b, &it->entry, out_tensor);
    weir_slice want = s ? *s : weir_slice_whole(it->entry.shape.rank);
    weir_shape shape;
    WEIR_TRY_NOTE(weir_slice_shape(&want, &it->entry.shape, &shape), " of tensor %.*s",
                  WEIR_STR_ARG(name));
    weir_tensor t;
    WEIR_TRY(weir_tensor_alloc(it->entry.dtype, &shape, &t));
    weir_status status =
        it->entry.slice_count ? add_parts(b, it, &want, &t) : cut(b, it, &want, &t);
    if (status) {
        weir_tensor_release(&t);
        return status;
    }
    *out_tensor = t;
    return WEIR_OK;
}
