/* ops/data/snapshot_files.c - SnapshotDatasetReader, SnapshotChunkDataset: the elements of saved
 * files; SnapshotNestedDatasetReader: such datasets as elements; ListSnapshotChunksDataset: the
 * files of a snapshot written by many tasks. */
#include <time.h>

#include "io/file.h"
#include "ops/data/snapshot_impl.h"

/* ---- elements in files ----------------------------------------------------------------------- */

/* Output 0: the elements at the path in input |name|, without the first |skip|. */
static weir_status read_path(weir_call *call, const char *name, int64_t skip)
{
    weir_str given;
    weir_packing packing;
    const weir_attr *types = weir_data_attr(call->site, "output_types"),
                    *shapes = weir_data_attr(call->site, "output_shapes");
    WEIR_TRY(weir_data_string(call, name, &given));
    WEIR_TRY(weir_snapshot_packing(call->site, &packing));
    if (types->count != shapes->count)
        return weir_data_check_shapes(NULL, types->count, NULL, shapes->count);
    WEIR_FREED char *path = weir_strndup(given.at, given.length);
    WEIR_FREED weir_dtype *dtypes = WEIR_NEW_ARRAY(weir_dtype, types->count);
    for (int i = 0; i < types->count; i++)
        dtypes[i] = (weir_dtype)types->types[i];
    weir_dataset like = {
        .count = types->count, .types = dtypes, .shapes = (weir_shape *)shapes->shapes};
    weir_dataset_output(call, weir_snapshot_shard(path, packing, skip, &like));
    return WEIR_OK;
}

static weir_status make_reader(weir_call *call)
{
    int64_t skip = 0;
    WEIR_TRY(weir_data_int(call, "start_index", &skip));
    return read_path(call, "shard_dir", skip);
}

static weir_status make_chunk(weir_call *call)
{
    return read_path(call, "chunk_file", 0);
}

WEIR_DATASET_OP(snapshot_dataset_reader, "SnapshotDatasetReader",
                "shard_dir: string; start_index: int64",
                WEIR_DATASET_TYPES "; compression: string = \"\"; version: int", 0, make_reader);
WEIR_DATASET_OP(snapshot_chunk_dataset, "SnapshotChunkDataset", "chunk_file: string",
                WEIR_DATASET_TYPES "; compression: string = \"\"", 0, make_chunk);

/* ---- datasets as elements -------------------------------------------------------------------- */

static weir_status make_nested(weir_call *call)
{
    weir_element_list elements = {0};
    for (int i = 0; i < call->site->in_count; i++) {
        weir_tensor *element = weir_element_create(1);
        *element = weir_tensor_share(weir_in(call, i));
        weir_vec_push(&elements, element);
    }
    weir_dataset_output(call, weir_dataset_of_elements(&elements, &(weir_dtype){WEIR_VARIANT}, 1));
    return WEIR_OK;
}

WEIR_DATASET_OP(snapshot_nested_dataset_reader, "SnapshotNestedDatasetReader",
                "inputs: N * variant", WEIR_DATASET_TYPES "; N: int >= 1", 0, make_nested);

/* ---- the chunks of a snapshot ---------------------------------------------------------------- */

typedef struct chunks {
    weir_dataset base;
    char *path;
} chunks;

typedef struct chunks_iterator {
    weir_iterator base;
    weir_map given;   /* names of chunks */
    weir_paths names; /* existing ones */
    size_t at;
} chunks_iterator;

static void fini(weir_dataset *dataset)
{
    weir_free(((chunks *)dataset)->path);
}

static void fini_iterator(weir_iterator *it)
{
    chunks_iterator *iterator = (chunks_iterator *)it;
    weir_map_fini(&iterator->given);
    weir_paths_fini(&iterator->names);
}

static bool has(const chunks *chunks, const char *name)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s", chunks->path, name);
    return weir_path_exists(path.at);
}

static weir_status list(chunks_iterator *iterator)
{
    WEIR_BUF(folder);
    weir_buf_addf(&folder, "%s/chunks", ((const chunks *)iterator->base.dataset)->path);
    weir_paths_fini(&iterator->names);
    iterator->names = (weir_paths){0};
    iterator->at = 0;
    return weir_path_is_dir(folder.at) ? weir_dir_list(folder.at, &iterator->names) : WEIR_OK;
}

/* The next name not returned yet; null: none at present. */
static const char *fresh_name(chunks_iterator *iterator)
{
    while (iterator->at < iterator->names.count) {
        const char *name = iterator->names.at[iterator->at++];
        if (!weir_map_get(&iterator->given, weir_str_of(name))) {
            weir_map_put(&iterator->given, weir_str_of(name), iterator);
            return name;
        }
    }
    return NULL;
}

/* A snapshot being written grows: polls for chunks until it is marked as done. */
static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    enum { PAUSE_NS = 100 * 1000 * 1000 };
    chunks_iterator *iterator = (chunks_iterator *)it;
    const chunks *this_chunks = (const chunks *)it->dataset;
    const char *name = fresh_name(iterator);
    while (!name && !*out_end) {
        bool done = has(this_chunks, "DONE");
        WEIR_TRY(list(iterator));
        name = fresh_name(iterator);
        *out_end = !name && done;
        if (name || done)
            break;
        if (has(this_chunks, "ERROR"))
            return weir_error(WEIR_FAILED_PRECONDITION,
                              "The snapshot in %s could not be written whole", this_chunks->path);
        if (weir_cancel_fired(run->cancel))
            return weir_cancel_status(run->cancel);
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    if (!name)
        return WEIR_OK;
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/chunks/%s", this_chunks->path, name);
    *out = weir_tensor_string(weir_view(&path));
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "ListSnapshotChunks",
    .bytes = sizeof(chunks),
    .iterator_bytes = sizeof(chunks_iterator),
    .may_block = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
};

static weir_status make_list(weir_call *call)
{
    weir_str path;
    chunks *made;
    WEIR_TRY(weir_data_string(call, "snapshot_path", &path));
    WEIR_TRY(weir_dataset_new(call, &fns, &made));
    made->path = weir_strndup(path.at, path.length);
    if (made->base.count != 1 || made->base.types[0] != WEIR_STRING) {
        weir_dataset_release(&made->base);
        return weir_error(WEIR_INVALID_ARGUMENT, "The names of chunks are one string each");
    }
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(list_snapshot_chunks_dataset, "ListSnapshotChunksDataset", "snapshot_path: string",
                WEIR_DATASET_TYPES, WEIR_STATEFUL, make_list);
