/*
 * io/bundle_writer.c - writing one bundle, and merging several into one.
 *
 * A bundle becomes visible by the rename of its index, after its data files are durable. An
 * existing bundle with the same prefix stays intact until then: the new data files get other names
 * by another number of shards, if necessary one more than the number of files, and the old ones are
 * deleted after the rename.
 */
#include <stdlib.h>

#include "io/bundle_data.h"
#include "io/bundle_impl.h"
#include "io/table.h"
#include "wire/messages.h"

/* An entry of the new index. */
typedef struct line {
    weir_str key; /* in the arena */
    weir_buf value;
} line;

typedef struct lines {
    weir_arena keys;
    weir_map by_key;
    WEIR_VEC(line *) all;
} lines;

static void lines_fini(lines *lines)
{
    for (size_t i = 0; i < lines->all.count; i++)
        weir_buf_fini(&lines->all.at[i]->value);
    weir_vec_fini(&lines->all);
    weir_map_fini(&lines->by_key);
    weir_arena_fini(&lines->keys);
}

static line *lines_add(lines *lines, weir_str key)
{
    line *new_line = WEIR_ARENA_NEW(&lines->keys, line);
    new_line->key = (weir_str){weir_arena_strndup(&lines->keys, key.at, key.length), key.length};
    weir_map_put(&lines->by_key, key, new_line);
    weir_vec_push(&lines->all, new_line);
    return new_line;
}

static int by_key(const void *a, const void *b)
{
    return weir_key_compare((*(line *const *)a)->key, (*(line *const *)b)->key);
}

static weir_status write_index(lines *lines, int64_t shards, const char *prefix)
{
    WEIR_OWNED(weir_sstable_writer) table = weir_sstable_writer_create();
    weir_bundle_header header = {.shards = shards, .producer = WEIR_BUNDLE_VERSION};
    line *head = lines_add(lines, WEIR_STR(""));
    weir_bundle_header_encode(&header, &head->value);
    qsort(lines->all.at, lines->all.count, sizeof *lines->all.at, by_key);
    for (size_t i = 0; i < lines->all.count; i++) {
        line *line = lines->all.at[i];
        WEIR_TRY(weir_sstable_writer_add(table, line->key, weir_view(&line->value)));
    }
    WEIR_BUF(file);
    weir_sstable_writer_finish(table, &file);
    WEIR_FREED char *name = weir_bundle_index_name(prefix);
    return weir_file_write_all(name, file.at, file.length);
}

/* ---- an existing bundle ---------------------------------------------------------------------- */

/* The number of shards of the bundle at |prefix|; 0 if there is none or it is unreadable. */
static int64_t shards_there(const char *prefix)
{
    WEIR_OWNED(weir_sstable) table = NULL;
    weir_sstable_cursor cursor = {0};
    weir_bundle_header header = {0};
    WEIR_FREED char *name = weir_bundle_index_name(prefix);
    weir_status status = weir_path_exists(name) ? weir_sstable_open(name, &table) : WEIR_OK;
    if (!status && table)
        status = weir_sstable_seek(table, WEIR_STR(""), &cursor);
    if (!status && cursor.valid && !cursor.key.length)
        status = weir_bundle_header_parse(cursor.value, &header);
    weir_sstable_cursor_fini(&cursor);
    weir_status_free(status);
    return header.shards;
}

/* A number of shards for |files| data files whose names differ from the old bundle's. */
static int64_t shards_beside(int64_t files, int64_t old)
{
    return files == old ? files + 1 : files;
}

/* The new index does not refer to the old data files. */
static void delete_data(const char *prefix, int64_t shards)
{
    for (int64_t i = 0; i < shards; i++) {
        WEIR_FREED char *name = weir_bundle_data_name(prefix, i, shards);
        weir_status_free(weir_path_delete(name));
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

struct weir_bundle_writer {
    char *prefix;
    weir_wfile *data;
    int64_t offset;      /* next free byte of data */
    int64_t shards, old; /* in the names of the data files; of the replaced bundle */
    lines index;
};

/* Creates the folder of the files, but not its parents. */
static weir_status create_parent(const char *prefix)
{
    weir_str dir = weir_path_dir(prefix);
    if (dir.length == 0)
        return WEIR_OK;
    WEIR_FREED char *name = weir_strndup(dir.at, dir.length);
    weir_status status = weir_dir_create(name);
    if (weir_status_code(status) != WEIR_ALREADY_EXISTS)
        return status;
    weir_status_free(status); /* a file of that name: opening a file below it fails more clearly */
    return WEIR_OK;
}

weir_status weir_bundle_writer_create(const char *prefix, weir_bundle_writer **out_writer)
{
    WEIR_OWNED(weir_bundle_writer) writer = WEIR_NEW(weir_bundle_writer);
    weir_arena_init(&writer->index.keys);
    writer->prefix = weir_strdup(prefix);
    WEIR_TRY(create_parent(prefix));
    writer->old = shards_there(prefix);
    writer->shards = shards_beside(1, writer->old);
    WEIR_FREED char *name = weir_bundle_data_name(prefix, 0, writer->shards);
    WEIR_TRY(weir_wfile_create(name, &writer->data));
    *out_writer = WEIR_TAKE(writer);
    return WEIR_OK;
}

void weir_bundle_writer_destroy(weir_bundle_writer *writer)
{
    if (!writer)
        return;
    weir_wfile_destroy(writer->data);
    lines_fini(&writer->index);
    weir_free(writer->prefix);
    weir_free(writer);
}

weir_status weir_bundle_writer_add(weir_bundle_writer *writer, weir_str name,
                                   const weir_tensor *tensor)
{
    if (name.length == 0 || weir_map_get(&writer->index.by_key, name))
        return weir_error(WEIR_INVALID_ARGUMENT, "Adding duplicate key: %.*s", WEIR_STR_ARG(name));
    weir_bundle_entry entry = {
        .dtype = tensor->dtype, .shape = tensor->shape, .offset = writer->offset};
    WEIR_TRY(weir_bundle_data_write(writer->data, tensor, &entry.bytes, &entry.crc));
    writer->offset += entry.bytes;
    weir_bundle_entry_encode(&entry, &lines_add(&writer->index, name)->value);
    return WEIR_OK;
}

/* The entry of a sliced tensor as a whole, created by its first slice. */
static weir_status full_line(lines *lines, weir_str name, weir_dtype dtype, const weir_shape *full,
                             line **out_line)
{
    line *found = weir_map_get(&lines->by_key, name);
    if (!found) {
        found = lines_add(lines, name);
        weir_bundle_entry entry = {.dtype = dtype, .shape = *full};
        weir_bundle_entry_encode(&entry, &found->value);
    }
    weir_bundle_entry entry;
    WEIR_TRY(weir_bundle_entry_parse(weir_view(&found->value), &entry));
    if (entry.dtype != dtype || !weir_shape_eq(&entry.shape, full))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Slices of tensor %.*s differ: %s of %s and %s of %s", WEIR_STR_ARG(name),
                          weir_dtype_name(entry.dtype), WEIR_SHAPE_STR(&entry.shape),
                          weir_dtype_name(dtype), WEIR_SHAPE_STR(full));
    *out_line = found;
    return WEIR_OK;
}

weir_status weir_bundle_writer_add_slice(weir_bundle_writer *writer, weir_str name,
                                         const weir_shape *full, const weir_slice *slice,
                                         const weir_tensor *tensor)
{
    weir_shape shape;
    WEIR_TRY(weir_slice_shape(slice, full, &shape));
    if (!weir_shape_eq(&shape, &tensor->shape))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Slice in shape_and_slice specification does not match the shape of the "
                          "tensor to save: %s, tensor: %s",
                          WEIR_SHAPE_STR(&shape), WEIR_SHAPE_STR(&tensor->shape));
    if (weir_shape_eq(&shape, full))
        return weir_bundle_writer_add(writer, name, tensor);
    line *whole;
    WEIR_TRY(full_line(&writer->index, name, tensor->dtype, full, &whole));
    weir_bundle_entry_add_slice(&whole->value, slice);
    WEIR_BUF(key);
    weir_slice_key(&key, name, slice);
    return weir_bundle_writer_add(writer, weir_view(&key), tensor);
}

static weir_status finish(weir_bundle_writer *writer)
{
    WEIR_TRY(weir_wfile_commit(WEIR_TAKE(writer->data)));
    WEIR_TRY(write_index(&writer->index, writer->shards, writer->prefix));
    delete_data(writer->prefix, writer->old);
    return WEIR_OK;
}

weir_status weir_bundle_writer_finish(weir_bundle_writer *writer)
{
    weir_status status = finish(writer);
    weir_bundle_writer_destroy(writer);
    return status;
}

/* ---- merging --------------------------------------------------------------------------------- */

/* Data files in order of first appearance. */
typedef struct merger {
    lines index;
    weir_paths data; /* their present paths; the index is the shard */
} merger;

static int64_t shard_of(merger *merger, const char *prefix, int64_t shard, int64_t shards)
{
    char *name = weir_bundle_data_name(prefix, shard, shards);
    for (size_t i = merger->data.count; i-- > 0;)
        if (strcmp(merger->data.at[i], name) == 0) {
            weir_free(name);
            return (int64_t)i;
        }
    weir_vec_push(&merger->data, name);
    return (int64_t)merger->data.count - 1;
}

static weir_status merge_slices(const weir_bundle_entry *entry, weir_buf *into)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_slice *slices;
    WEIR_TRY(weir_bundle_entry_slices(entry, &arena, &slices));
    for (size_t i = 0; i < entry->slice_count; i++)
        weir_bundle_entry_add_slice(into, &slices[i]);
    return WEIR_OK;
}

static weir_status merge_entry(merger *merger, const char *prefix, int64_t shards, weir_str key,
                               weir_str value)
{
    weir_bundle_entry entry;
    WEIR_TRY(weir_bundle_entry_parse(value, &entry));
    if (entry.slice_count) {
        line *whole;
        WEIR_TRY(full_line(&merger->index, key, entry.dtype, &entry.shape, &whole));
        return merge_slices(&entry, &whole->value);
    }
    if (weir_map_get(&merger->index.by_key, key))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Duplicate tensor keyed by %.*s encountered, when merging prefix: %s",
                          WEIR_STR_ARG(key), prefix);
    entry.shard = shard_of(merger, prefix, entry.shard, shards);
    weir_bundle_entry_encode(&entry, &lines_add(&merger->index, key)->value);
    return WEIR_OK;
}

static weir_status merge_table(merger *merger, const char *prefix, const weir_sstable *table,
                               weir_sstable_cursor *cursor)
{
    WEIR_TRY(weir_sstable_seek(table, WEIR_STR(""), cursor));
    if (!cursor->valid || cursor->key.length)
        return weir_error(WEIR_DATA_LOSS, "%s.index has no header", prefix);
    weir_bundle_header header;
    WEIR_TRY(weir_bundle_header_parse(cursor->value, &header));
    for (;;) {
        WEIR_TRY(weir_sstable_next(table, cursor));
        if (!cursor->valid)
            return WEIR_OK;
        WEIR_TRY(
            merge_entry(merger, prefix, header.shards, weir_view(&cursor->key), cursor->value));
    }
}

static weir_status merge_prefix(merger *merger, const char *prefix)
{
    WEIR_OWNED(weir_sstable) table = NULL;
    WEIR_FREED char *name = weir_bundle_index_name(prefix);
    weir_status status = weir_sstable_open(name, &table);
    WEIR_TRY(status);
    weir_sstable_cursor cursor = {0};
    status = merge_table(merger, prefix, table, &cursor);
    weir_sstable_cursor_fini(&cursor);
    return status;
}

static weir_status move_data(merger *merger, const char *prefix, int64_t shards)
{
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < merger->data.count && !status; i++) {
        WEIR_FREED char *to = weir_bundle_data_name(prefix, (int64_t)i, shards);
        status = weir_path_rename(merger->data.at[i], to);
        if (!status && i + 1 == merger->data.count)
            status = weir_path_sync(to);
    }
    return status;
}

static bool is_among(const char *prefix, const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(prefixes[i], prefix) == 0)
            return true;
    return false;
}

static void delete_indices(const char *const *prefixes, size_t count, const char *but)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(prefixes[i], but) == 0)
            continue;
        WEIR_FREED char *name = weir_bundle_index_name(prefixes[i]);
        weir_status_free(weir_path_delete(name)); /* the new bundle is complete already */
    }
}

static weir_status merge(merger *merger, const char *const *prefixes, size_t count,
                         const char *prefix)
{
    for (size_t i = 0; i < count; i++)
        WEIR_TRY(merge_prefix(merger, prefixes[i]));
    WEIR_TRY(create_parent(prefix));
    /* A bundle that is merged into itself is not kept. */
    int64_t old = is_among(prefix, prefixes, count) ? 0 : shards_there(prefix);
    int64_t shards = shards_beside((int64_t)merger->data.count, old);
    WEIR_TRY(move_data(merger, prefix, shards));
    WEIR_TRY(write_index(&merger->index, shards, prefix));
    delete_data(prefix, old);
    delete_indices(prefixes, count, prefix);
    return WEIR_OK;
}

weir_status weir_bundle_merge(const char *const *prefixes, size_t count, const char *prefix)
{
    merger merger = {0};
    weir_arena_init(&merger.index.keys);
    weir_status status = merge(&merger, prefixes, count, prefix);
    lines_fini(&merger.index);
    weir_paths_fini(&merger.data);
    return status;
}
