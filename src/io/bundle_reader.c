/* io/bundle_reader.c - reading a bundle. */
#include <inttypes.h>

#include "base/mutex.h"
#include "io/bundle_data.h"
#include "io/bundle_impl.h"
#include "io/table.h"
#include "wire/messages.h"

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
    weir_rfile **files; /* one per shard; opened on first use, with the lock */
};

bool weir_bundle_exists(const char *prefix)
{
    WEIR_FREED char *name = weir_bundle_index_name(prefix);
    return weir_path_exists(name);
}

static weir_str keep(weir_bundle *bundle, weir_str text)
{
    return (weir_str){weir_arena_strndup(&bundle->arena, text.at, text.length), text.length};
}

static weir_status read_header(weir_bundle *bundle, const weir_sstable_cursor *cursor)
{
    weir_bundle_header header;
    if (!cursor->valid || cursor->key.length)
        return weir_error(WEIR_DATA_LOSS, "%s.index has no header", bundle->prefix);
    WEIR_TRY_NOTE(weir_bundle_header_parse(cursor->value, &header),
                  " in %s.index, the block at offset %" PRIu64, bundle->prefix, cursor->base);
    if (header.big_endian)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "Reading a bundle with different endianness from the reader");
    if (header.min_consumer > WEIR_BUNDLE_VERSION)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Checkpoint min consumer version %" PRId64
                          " above current version %d for TensorFlow checkpoint",
                          header.min_consumer, WEIR_BUNDLE_VERSION);
    bundle->shards = header.shards;
    bundle->files = WEIR_NEW_ARRAY(weir_rfile *, header.shards);
    return WEIR_OK;
}

static weir_status read_items(weir_bundle *bundle, const weir_sstable *table,
                              weir_sstable_cursor *cursor)
{
    WEIR_TRY(weir_sstable_seek(table, WEIR_STR(""), cursor));
    WEIR_TRY(read_header(bundle, cursor));
    for (;;) {
        WEIR_TRY(weir_sstable_next(table, cursor));
        if (!cursor->valid)
            return WEIR_OK;
        item it = {.key = keep(bundle, weir_view(&cursor->key))};
        WEIR_TRY_NOTE(weir_bundle_entry_parse(keep(bundle, cursor->value), &it.entry),
                      " of tensor %.*s in %s.index, the block at offset %" PRIu64,
                      WEIR_STR_ARG(it.key), bundle->prefix, cursor->base);
        items *list = weir_bundle_key_is_slice(it.key) ? &bundle->slices : &bundle->tensors;
        weir_vec_push(list, it);
    }
}

static weir_status read_index(weir_bundle *bundle)
{
    WEIR_OWNED(weir_sstable) table = NULL;
    WEIR_FREED char *name = weir_bundle_index_name(bundle->prefix);
    weir_status status = weir_sstable_open(name, &table);
    if (weir_status_code(status) == WEIR_DATA_LOSS)
        status = weir_status_prefix(status, "Unable to open table file %s: ", name);
    WEIR_TRY(status);
    weir_sstable_cursor cursor = {0};
    status = read_items(bundle, table, &cursor);
    weir_sstable_cursor_fini(&cursor);
    return status;
}

weir_status weir_bundle_open(const char *prefix, weir_bundle **out_bundle)
{
    WEIR_OWNED(weir_bundle) bundle = WEIR_NEW(weir_bundle);
    weir_arena_init(&bundle->arena);
    weir_mutex_init(&bundle->lock);
    bundle->prefix = weir_strdup(prefix);
    WEIR_TRY(read_index(bundle));
    *out_bundle = WEIR_TAKE(bundle);
    return WEIR_OK;
}

void weir_bundle_destroy(weir_bundle *bundle)
{
    if (!bundle)
        return;
    for (int64_t i = 0; bundle->files && i < bundle->shards; i++)
        weir_rfile_destroy(bundle->files[i]);
    weir_free(bundle->files);
    weir_vec_fini(&bundle->tensors);
    weir_vec_fini(&bundle->slices);
    weir_mutex_fini(&bundle->lock);
    weir_arena_fini(&bundle->arena);
    weir_free(bundle->prefix);
    weir_free(bundle);
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

size_t weir_bundle_count(const weir_bundle *bundle)
{
    return bundle->tensors.count;
}

weir_tensor_info weir_bundle_at(const weir_bundle *bundle, size_t i)
{
    return info_of(&bundle->tensors.at[i]);
}

bool weir_bundle_find(const weir_bundle *bundle, weir_str name, weir_tensor_info *out_info)
{
    const item *it = find(&bundle->tensors, name);
    if (it)
        *out_info = info_of(it);
    return it != NULL;
}

static weir_status open_shard(weir_bundle *bundle, int64_t shard, weir_rfile **out_file)
{
    if (shard < 0 || shard >= bundle->shards)
        return weir_error(WEIR_DATA_LOSS, "%s: shard %" PRId64 " of %" PRId64, bundle->prefix,
                          shard, bundle->shards);
    weir_status status = WEIR_OK;
    weir_mutex_lock(&bundle->lock);
    if (!bundle->files[shard]) {
        WEIR_FREED char *name = weir_bundle_data_name(bundle->prefix, shard, bundle->shards);
        status = weir_rfile_open(name, &bundle->files[shard]);
    }
    *out_file = bundle->files[shard];
    weir_mutex_unlock(&bundle->lock);
    return status;
}

/* Reads a stored tensor, a whole one or a slice. */
static weir_status read_entry(weir_bundle *bundle, const weir_bundle_entry *entry,
                              weir_tensor *out_tensor)
{
    weir_rfile *file = NULL;
    WEIR_TRY(open_shard(bundle, entry->shard, &file));
    uint64_t size = weir_rfile_bytes(file);
    if ((uint64_t)entry->offset > size || (uint64_t)entry->bytes > size - (uint64_t)entry->offset)
        return weir_error(WEIR_OUT_OF_RANGE,
                          "%s: %" PRId64 " bytes at %" PRId64 " are beyond its %" PRIu64 " bytes",
                          weir_rfile_path(file), entry->bytes, entry->offset, size);
    /* Before allocating: a corrupted shape must not cost more memory than the file's size. */
    if (weir_bundle_data_least(entry->dtype, weir_shape_count(&entry->shape)) > entry->bytes)
        return weir_error(WEIR_DATA_LOSS,
                          "Invalid size in bundle entry: stored size %" PRId64
                          " is too small for %s of shape %s (%s, offset %" PRId64 ")",
                          entry->bytes, weir_dtype_name(entry->dtype),
                          WEIR_SHAPE_STR(&entry->shape), weir_rfile_path(file), entry->offset);
    weir_tensor tensor;
    WEIR_TRY(weir_tensor_alloc(entry->dtype, &entry->shape, &tensor));
    weir_status status =
        weir_bundle_data_read(file, entry->offset, entry->bytes, entry->crc, &tensor);
    if (status) {
        weir_tensor_release(&tensor);
        return status;
    }
    *out_tensor = tensor;
    return WEIR_OK;
}

/* Copies the intersection of stored slice |part| of |whole| and slice |want| into |out|. */
static weir_status add_part(weir_bundle *bundle, const item *whole, const weir_slice *part,
                            const weir_slice *want, weir_tensor *out, int64_t *copied)
{
    WEIR_BUF(key);
    weir_slice_key(&key, whole->key, part);
    const item *stored = find(&bundle->slices, weir_view(&key));
    weir_shape shape;
    WEIR_TRY(weir_slice_shape(part, &whole->entry.shape, &shape));
    if (!stored || stored->entry.dtype != whole->entry.dtype ||
        !weir_shape_eq(&shape, &stored->entry.shape))
        return weir_error(WEIR_DATA_LOSS, "%s: a slice of tensor %.*s is missing", bundle->prefix,
                          WEIR_STR_ARG(whole->key));
    weir_tensor tensor;
    WEIR_TRY(read_entry(bundle, &stored->entry, &tensor));
    *copied += weir_slice_copy(&whole->entry.shape, part, &tensor, want, out);
    weir_tensor_release(&tensor);
    return WEIR_OK;
}

static weir_status add_parts(weir_bundle *bundle, const item *whole, const weir_slice *want,
                             weir_tensor *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_slice *parts;
    int64_t copied = 0;
    WEIR_TRY(weir_bundle_entry_slices(&whole->entry, &arena, &parts));
    for (size_t i = 0; i < whole->entry.slice_count; i++)
        WEIR_TRY(add_part(bundle, whole, &parts[i], want, out, &copied));
    if (copied < weir_tensor_count(out))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Does not have sufficient slices for partitioned tensor %.*s to restore "
                          "shape %s",
                          WEIR_STR_ARG(whole->key), WEIR_SHAPE_STR(&out->shape));
    return WEIR_OK;
}

/* Extracts slice |want| from a tensor stored whole. */
static weir_status cut(weir_bundle *bundle, const item *whole, const weir_slice *want,
                       weir_tensor *out)
{
    weir_tensor all;
    WEIR_TRY(read_entry(bundle, &whole->entry, &all));
    weir_slice everything = weir_slice_whole(all.shape.rank);
    weir_slice_copy(&all.shape, &everything, &all, want, out);
    weir_tensor_release(&all);
    return WEIR_OK;
}

weir_status weir_bundle_read(weir_bundle *bundle, weir_str name, const weir_slice *slice,
                             weir_tensor *out_tensor)
{
    const item *it = find(&bundle->tensors, name);
    if (!it)
        return weir_error(WEIR_NOT_FOUND, "Key %.*s not found in checkpoint", WEIR_STR_ARG(name));
    if (it->entry.slice_count == 0 && (!slice || weir_slice_is_whole(slice)))
        return read_entry(bundle, &it->entry, out_tensor);
    weir_slice want = slice ? *slice : weir_slice_whole(it->entry.shape.rank);
    weir_shape shape;
    WEIR_TRY_NOTE(weir_slice_shape(&want, &it->entry.shape, &shape), " of tensor %.*s",
                  WEIR_STR_ARG(name));
    weir_tensor tensor;
    WEIR_TRY(weir_tensor_alloc(it->entry.dtype, &shape, &tensor));
    weir_status status = it->entry.slice_count ? add_parts(bundle, it, &want, &tensor)
                                               : cut(bundle, it, &want, &tensor);
    if (status) {
        weir_tensor_release(&tensor);
        return status;
    }
    *out_tensor = tensor;
    return WEIR_OK;
}
