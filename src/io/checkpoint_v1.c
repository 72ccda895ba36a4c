/*
 * io/checkpoint_v1.c - checkpoints of format V1.
 *
 *   key ""         SavedTensorSlices with meta: name, shape, dtype and slices of every tensor
 *   a slice's key  SavedTensorSlices with data: name, slice and a TensorProto of values only
 */
#include <inttypes.h>
#include <stdlib.h>

#include "io/checkpoint.h"
#include "io/table.h"
#include "tensor/values.h"
#include "wire/messages.h"

enum { MAX_DATA_BYTES = INT32_MAX };

/* One tensor, collected from all files. */
typedef struct tensor {
    weir_tensor_info info;
    WEIR_VEC(weir_slice) slices;
    WEIR_VEC(weir_sstable *) tables; /* the file of each slice */
} tensor;

struct weir_v1 {
    weir_arena arena;
    WEIR_VEC(weir_sstable *) tables;
    weir_map by_name;
    WEIR_VEC(tensor *) tensors;
};

/* ---- reading --------------------------------------------------------------------------------- */

static weir_status unparseable(void)
{
    return weir_error(WEIR_DATA_LOSS, "Unparseable SavedTensorSlices");
}

static tensor *tensor_named(weir_v1 *v1, weir_str name, weir_dtype dtype, const weir_shape *shape)
{
    tensor *found = weir_map_get(&v1->by_name, name);
    if (!found) {
        found = WEIR_ARENA_NEW(&v1->arena, tensor);
        found->info = (weir_tensor_info){
            {weir_arena_strndup(&v1->arena, name.at, name.length), name.length}, dtype, *shape};
        weir_map_put(&v1->by_name, name, found);
        weir_vec_push(&v1->tensors, found);
    }
    return found;
}

static weir_status add_tensor(weir_v1 *v1, weir_sstable *table,
                              const weir_msg_saved_slice_meta *meta)
{
    weir_shape shape, part;
    WEIR_TRY(weir_shape_from_proto(meta->shape, &shape));
    if (!weir_dtype_valid(meta->type) || !weir_shape_known(&shape))
        return unparseable();
    tensor *tensor = tensor_named(v1, meta->name, (weir_dtype)meta->type, &shape);
    for (size_t i = 0; i < meta->slice.count; i++) {
        weir_slice slice;
        WEIR_TRY(weir_slice_from_proto(&meta->slice.at[i], &slice));
        WEIR_TRY(weir_slice_shape(&slice, &tensor->info.shape, &part));
        weir_vec_push(&tensor->slices, slice);
        weir_vec_push(&tensor->tables, table);
    }
    return WEIR_OK;
}

static weir_status read_meta(weir_v1 *v1, weir_sstable *table, weir_sstable_cursor *cursor)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_saved_tensor_slices saved;
    WEIR_TRY(weir_sstable_seek(table, WEIR_STR(""), cursor));
    if (!cursor->valid || cursor->key.length)
        return weir_error(WEIR_DATA_LOSS, "Failed to find the saved tensor slices");
    WEIR_TRY(weir_file_damaged(weir_msg_saved_tensor_slices_read(cursor->value, &arena, &saved)));
    for (size_t i = 0; saved.meta && i < saved.meta->tensor.count; i++)
        WEIR_TRY(add_tensor(v1, table, &saved.meta->tensor.at[i]));
    return WEIR_OK;
}

static weir_status open_file(weir_v1 *v1, const char *path)
{
    weir_sstable *table = NULL;
    weir_status status = weir_sstable_open(path, &table);
    if (weir_status_code(status) == WEIR_DATA_LOSS)
        status = weir_status_note(
            weir_status_prefix(status, "Unable to open table file %s: ", path),
            ": perhaps your file is in a different file format and you need to use a different "
            "restore operator?");
    WEIR_TRY(status);
    weir_vec_push(&v1->tables, table);
    weir_sstable_cursor cursor = {0};
    status = read_meta(v1, table, &cursor);
    if (status)
        status = weir_status_note(status, " (in %s, the block at offset %" PRIu64 ")", path,
                                  cursor.base);
    weir_sstable_cursor_fini(&cursor);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return weir_key_compare((*(tensor *const *)a)->info.name, (*(tensor *const *)b)->info.name);
}

weir_status weir_v1_open(const char *pattern, weir_v1 **out_v1)
{
    WEIR_OWNED(weir_v1) v1 = WEIR_NEW(weir_v1);
    weir_arena_init(&v1->arena);
    weir_paths paths = {0};
    weir_status status = weir_glob(pattern, &paths);
    if (!status && paths.count == 0)
        status = weir_error(WEIR_NOT_FOUND,
                            "Unsuccessful TensorSliceReader constructor: Failed to find any "
                            "matching files for %s",
                            pattern);
    for (size_t i = 0; i < paths.count && !status; i++)
        status = open_file(v1, paths.at[i]);
    weir_paths_fini(&paths);
    WEIR_TRY(status);
    if (v1->tensors.count)
        qsort(v1->tensors.at, v1->tensors.count, sizeof *v1->tensors.at, by_name);
    *out_v1 = WEIR_TAKE(v1);
    return WEIR_OK;
}

void weir_v1_destroy(weir_v1 *v1)
{
    if (!v1)
        return;
    for (size_t i = 0; i < v1->tables.count; i++)
        weir_sstable_destroy(v1->tables.at[i]);
    for (size_t i = 0; i < v1->tensors.count; i++) {
        weir_vec_fini(&v1->tensors.at[i]->slices);
        weir_vec_fini(&v1->tensors.at[i]->tables);
    }
    weir_vec_fini(&v1->tables);
    weir_vec_fini(&v1->tensors);
    weir_map_fini(&v1->by_name);
    weir_arena_fini(&v1->arena);
    weir_free(v1);
}

size_t weir_v1_count(const weir_v1 *v1)
{
    return v1->tensors.count;
}

weir_tensor_info weir_v1_at(const weir_v1 *v1, size_t i)
{
    return v1->tensors.at[i]->info;
}

bool weir_v1_find(const weir_v1 *v1, weir_str name, weir_tensor_info *out_info)
{
    const tensor *tensor = weir_map_get(&v1->by_name, name);
    if (tensor)
        *out_info = tensor->info;
    return tensor != NULL;
}

/* The stored values have neither a type nor a shape. */
static weir_status read_values(weir_str bytes, weir_dtype dtype, const weir_shape *shape,
                               weir_tensor *out_tensor)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_tensor_proto values;
    WEIR_TRY(weir_file_damaged(weir_msg_tensor_proto_read(bytes, &arena, &values)));
    values.dtype = (int32_t)dtype;
    values.tensor_shape = weir_shape_to_proto(shape, &arena);
    return weir_tensor_from_proto(&values, out_tensor);
}

static weir_status read_part(const tensor *tensor, size_t i, weir_sstable_cursor *cursor,
                             weir_buf *key, weir_tensor *out_tensor)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_saved_tensor_slices saved;
    weir_shape shape;
    weir_slice_key(key, tensor->info.name, &tensor->slices.at[i]);
    weir_str want = weir_view(key);
    WEIR_TRY(weir_sstable_seek(tensor->tables.at[i], want, cursor));
    if (!cursor->valid || !weir_str_eq(weir_view(&cursor->key), want))
        return weir_error(WEIR_DATA_LOSS, "a slice of tensor %.*s is missing",
                          WEIR_STR_ARG(tensor->info.name));
    WEIR_TRY(weir_slice_shape(&tensor->slices.at[i], &tensor->info.shape, &shape));
    WEIR_TRY(weir_file_damaged(weir_msg_saved_tensor_slices_read(cursor->value, &arena, &saved)));
    /* Values are not repeated here: a slice needs at least one byte per element. */
    size_t bytes = saved.data ? saved.data->data.length : 0;
    if (weir_shape_count(&shape) > (int64_t)bytes)
        return unparseable();
    return read_values(bytes ? saved.data->data : WEIR_STR(""), tensor->info.dtype, &shape,
                       out_tensor);
}

static weir_status add_part(const tensor *tensor, size_t i, const weir_slice *want,
                            weir_tensor *out, int64_t *copied)
{
    weir_sstable_cursor cursor = {0};
    WEIR_BUF(key);
    weir_tensor part;
    weir_status status = read_part(tensor, i, &cursor, &key, &part);
    if (status)
        status = weir_status_note(status, " (in %s, the block at offset %" PRIu64 ")",
                                  weir_sstable_path(tensor->tables.at[i]), cursor.base);
    weir_sstable_cursor_fini(&cursor);
    WEIR_TRY(status);
    *copied += weir_slice_copy(&tensor->info.shape, &tensor->slices.at[i], &part, want, out);
    weir_tensor_release(&part);
    return WEIR_OK;
}

weir_status weir_v1_read(weir_v1 *v1, weir_str name, const weir_slice *slice,
                         weir_tensor *out_tensor)
{
    const tensor *tensor = weir_map_get(&v1->by_name, name);
    if (!tensor)
        return weir_error(WEIR_NOT_FOUND, "Tensor name \"%.*s\" not found in checkpoint files",
                          WEIR_STR_ARG(name));
    weir_slice want = slice ? *slice : weir_slice_whole(tensor->info.shape.rank);
    weir_shape shape;
    WEIR_TRY(weir_slice_shape(&want, &tensor->info.shape, &shape));
    weir_tensor out;
    WEIR_TRY(weir_tensor_alloc(tensor->info.dtype, &shape, &out));
    weir_status status = WEIR_OK;
    int64_t copied = 0;
    for (size_t i = 0; i < tensor->slices.count && !status; i++)
        status = add_part(tensor, i, &want, &out, &copied);
    if (!status && copied < weir_tensor_count(&out))
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "Error copying slice data: no slices cover shape %s of tensor %.*s",
                            WEIR_SHAPE_STR(&shape), WEIR_STR_ARG(name));
    if (status) {
        weir_tensor_release(&out);
        return status;
    }
    *out_tensor = out;
    return WEIR_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct line {
    weir_buf key, value;
} line;

static int by_key(const void *a, const void *b)
{
    const line *first = a, *second = b;
    return weir_key_compare(weir_view(&first->key), weir_view(&second->key));
}

static void put_meta(const weir_v1_part *parts, size_t count, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_saved_slice_meta *tensors = WEIR_ARENA_ARRAY(&arena, weir_msg_saved_slice_meta, count);
    weir_msg_tensor_slice_proto *slices =
        WEIR_ARENA_ARRAY(&arena, weir_msg_tensor_slice_proto, count);
    for (size_t i = 0; i < count; i++) {
        slices[i] = weir_slice_to_proto(&parts[i].slice, &arena);
        tensors[i] = (weir_msg_saved_slice_meta){
            .name = parts[i].name,
            .shape = weir_shape_to_proto(&parts[i].full, &arena),
            .type = (int32_t)parts[i].tensor->dtype,
            .slice = {&slices[i], 1},
        };
    }
    weir_msg_version_def versions = {.producer = 1};
    weir_msg_saved_tensor_slice_meta meta = {.tensor = {tensors, count}, .versions = &versions};
    weir_msg_saved_tensor_slices_write(&(weir_msg_saved_tensor_slices){.meta = &meta}, out);
}

static weir_status put_data(const weir_v1_part *part, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_tensor_proto values = {0};
    weir_msg_tensor_slice_proto slice = weir_slice_to_proto(&part->slice, &arena);
    WEIR_TRY(weir_values_write(part->tensor, &arena, &values));
    size_t data = weir_message_open(out, WEIR_FIELD_saved_tensor_slices_data);
    weir_msg_saved_slice_write(&(weir_msg_saved_slice){.name = part->name, .slice = &slice}, out);
    size_t mark = weir_message_open(out, WEIR_FIELD_saved_slice_data);
    weir_msg_tensor_proto_write(&values, out);
    weir_message_close(out, mark);
    weir_message_close(out, data);
    return WEIR_OK;
}

static weir_status fill_lines(const weir_v1_part *parts, size_t count, line *lines)
{
    put_meta(parts, count, &lines[0].value);
    for (size_t i = 0; i < count; i++) {
        if (weir_tensor_bytes(parts[i].tensor) > MAX_DATA_BYTES)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Tensor slice is too large to serialize (conservative estimate: "
                              "%zu bytes)",
                              weir_tensor_bytes(parts[i].tensor));
        weir_slice_key(&lines[i + 1].key, parts[i].name, &parts[i].slice);
        WEIR_TRY(put_data(&parts[i], &lines[i + 1].value));
    }
    qsort(lines, count + 1, sizeof *lines, by_key);
    return WEIR_OK;
}

static weir_status write_lines(const char *path, const line *lines, size_t count)
{
    WEIR_OWNED(weir_sstable_writer) writer = weir_sstable_writer_create();
    for (size_t i = 0; i < count; i++)
        WEIR_TRY(
            weir_sstable_writer_add(writer, weir_view(&lines[i].key), weir_view(&lines[i].value)));
    WEIR_BUF(file);
    weir_sstable_writer_finish(writer, &file);
    return weir_file_write_all(path, file.at, file.length);
}

weir_status weir_v1_write(const char *path, const weir_v1_part *parts, size_t count)
{
    WEIR_FREED line *lines = WEIR_NEW_ARRAY(line, count + 1);
    weir_status status = fill_lines(parts, count, lines);
    if (!status)
        status = write_lines(path, lines, count + 1);
    for (size_t i = 0; i <= count; i++) {
        weir_buf_fini(&lines[i].key);
        weir_buf_fini(&lines[i].value);
    }
    return status;
}
