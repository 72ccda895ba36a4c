/* ops/data/load.c - LoadDataset: a saved dataset. A function combines the datasets of the
 * shards.
 */
#include <inttypes.h>

#include "io/file.h"
#include "ops/data/snapshot_impl.h"
#include "tensor/proto.h"

/* ---- the dataset of one shard ---------------------------------------------------------------- */

typedef struct shard {
    weir_dataset base;
    char *folder; /* or a file */
    weir_packing packing;
    int64_t skip; /* number of elements to skip */
} shard;

typedef struct shard_iterator {
    weir_iterator base;
    long long file; /* next */
    int64_t skipped;
    weir_stream *stream;
    weir_buf record;
} shard_iterator;

static void fini_shard(weir_dataset *dataset)
{
    weir_free(((shard *)dataset)->folder);
}

static void fini_shard_iterator(weir_iterator *it)
{
    weir_stream_destroy(((shard_iterator *)it)->stream);
    weir_buf_fini(&((shard_iterator *)it)->record);
}

static weir_status open_file(shard_iterator *iterator, bool *out_end)
{
    const shard *this_shard = (const shard *)iterator->base.dataset;
    WEIR_BUF(path);
    bool folder = weir_path_is_dir(this_shard->folder);
    weir_buf_adds(&path, this_shard->folder);
    if (folder)
        weir_buf_addf(&path, "/" WEIR_SNAPSHOT_FILE, iterator->file);
    *out_end = folder ? !weir_path_exists(path.at) : iterator->file > 0;
    iterator->file++;
    return *out_end ? WEIR_OK
                    : weir_stream_open(path.at, this_shard->packing, 0, &iterator->stream);
}

static weir_status read_tensor(shard_iterator *iterator, int i, weir_tensor *out)
{
    weir_dtype type = iterator->base.dataset->types[i];
    WEIR_TRY(weir_tensor_parse((weir_str){iterator->record.at, iterator->record.length}, out));
    if (out->dtype != type)
        return weir_error(WEIR_DATA_LOSS, "Component %d of a saved dataset is %s, not %s", i,
                          weir_dtype_name(out->dtype), weir_dtype_name(type));
    return WEIR_OK;
}

static weir_status read_element(weir_iterator *it, weir_tensor *out, bool *out_end)
{
    shard_iterator *iterator = (shard_iterator *)it;
    for (int i = 0; i < it->dataset->count;) {
        if (!iterator->stream)
            WEIR_TRY(open_file(iterator, out_end));
        if (*out_end)
            return WEIR_OK;
        weir_status st = weir_record_read(iterator->stream, &iterator->record);
        if (!st) {
            WEIR_TRY(read_tensor(iterator, i, &out[i]));
            i++;
            continue;
        }
        if (i > 0 || weir_status_code(st) != WEIR_OUT_OF_RANGE)
            return st;
        weir_status_free(st);
        weir_stream_destroy(iterator->stream);
        iterator->stream = NULL;
    }
    return WEIR_OK;
}

static weir_status next_in_shard(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    (void)run;
    shard_iterator *iterator = (shard_iterator *)it;
    while (iterator->skipped < ((const shard *)it->dataset)->skip && !*out_end) {
        WEIR_TRY(read_element(it, out, out_end));
        weir_element_clear(out, it->dataset->count);
        iterator->skipped++;
    }
    return *out_end ? WEIR_OK : read_element(it, out, out_end);
}

static const weir_dataset_fns shard_fns = {
    .name = "SnapshotReader",
    .bytes = sizeof(shard),
    .iterator_bytes = sizeof(shard_iterator),
    .next = next_in_shard,
    .fini_iterator = fini_shard_iterator,
    .fini = fini_shard,
};

weir_dataset *weir_snapshot_shard(const char *folder, weir_packing packing, int64_t skip,
                                  const weir_dataset *like)
{
    shard *this_shard = (shard *)weir_dataset_create(&shard_fns, like->count, 0);
    for (int i = 0; i < like->count; i++) {
        this_shard->base.types[i] = like->types[i];
        this_shard->base.shapes[i] = like->shapes[i];
    }
    this_shard->folder = weir_strdup(folder);
    this_shard->packing = packing;
    this_shard->skip = skip;
    return &this_shard->base;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static weir_tensor *shard_element(const char *folder, weir_packing packing,
                                  const weir_dataset *like)
{
    weir_tensor *element = weir_element_create(1);
    *element = weir_tensor_from_variant(&weir_snapshot_shard(folder, packing, 0, like)->base);
    return element;
}

/* A dataset of the shards' datasets, in order of shard number. */
static weir_status find_shards(const char *folder, weir_packing packing, const weir_dataset *like,
                               weir_tensor *out)
{
    WEIR_BUF(pattern);
    weir_paths paths = {0};
    weir_element_list shards = {0};
    weir_buf_addf(&pattern, "%s/*.shard", folder);
    weir_status status = weir_glob(pattern.at, &paths);
    for (size_t i = 0; !status && i < paths.count; i++)
        weir_vec_push(&shards, shard_element(paths.at[i], packing, like));
    if (!status)
        *out = weir_tensor_from_variant(
            &weir_dataset_of_elements(&shards, &(weir_dtype){WEIR_VARIANT}, 1)->base);
    weir_paths_fini(&paths);
    return status;
}

static weir_status check_components(const weir_dataset *made, const weir_dataset *like)
{
    if (made->count != like->count ||
        memcmp(made->types, like->types, sizeof *made->types * (size_t)made->count))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The dataset that `reader_func` returns has other components than the "
                          "saved one");
    return WEIR_OK;
}

weir_status weir_snapshot_open(const weir_snapshot_run *snapshot, weir_packing packing,
                               const weir_dataset *like, const weir_data_function *reader,
                               weir_run *run, weir_iterator **out)
{
    weir_tensor shards;
    weir_dataset *made = NULL;
    if (!reader) {
        WEIR_BUF(first);
        weir_buf_addf(&first, "%s/" WEIR_SNAPSHOT_SHARD, snapshot->folder, 0ll);
        made = weir_snapshot_shard(first.at, packing, 0, like);
    } else {
        WEIR_TRY(find_shards(snapshot->folder, packing, like, &shards));
        weir_status status = weir_data_function_dataset(reader, run, &shards, 1, &made);
        weir_tensor_release(&shards);
        WEIR_TRY(status);
    }
    weir_status status = check_components(made, like);
    if (!status)
        *out = weir_iterator_create(made);
    weir_dataset_release(made);
    return status;
}

static weir_status read_metadata(const char *path, weir_arena *arena,
                                 weir_msg_data_experimental_snapshot_metadata_record *out)
{
    enum { MOST = 1 << 20 };
    WEIR_BUF(file);
    WEIR_BUF(bytes);
    weir_buf_addf(&file, "%s/" WEIR_SNAPSHOT_METADATA, path);
    if (!weir_path_exists(file.at))
        return weir_error(WEIR_NOT_FOUND, "Could not find metadata file [%s]", file.at);
    WEIR_TRY(weir_file_read_all(file.at, MOST, &bytes));
    weir_str kept = {weir_arena_strndup(arena, bytes.at, bytes.length), bytes.length};
    weir_status damaged =
        weir_msg_data_experimental_snapshot_metadata_record_read(kept, arena, out);
    weir_status_free(damaged);
    if (damaged || !out->run_id.length)
        return weir_error(WEIR_DATA_LOSS, "%s does not tell of a saved dataset", file.at);
    return WEIR_OK;
}

weir_status weir_snapshot_find(const char *folder, weir_snapshot_run *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_data_experimental_snapshot_metadata_record record;
    WEIR_TRY(read_metadata(folder, &arena, &record));
    weir_buf path = {0};
    weir_buf_addf(&path, "%s/%.*s", folder, WEIR_STR_ARG(record.run_id));
    *out = (weir_snapshot_run){weir_buf_take(&path), record.num_elements, record.finalized};
    return WEIR_OK;
}

/* ---- LoadDataset ----------------------------------------------------------------------------- */

typedef struct load {
    weir_dataset base;
    weir_data_function f;
    weir_snapshot_run saved;
    weir_packing packing;
} load;

typedef struct load_iterator {
    weir_iterator base;
    weir_iterator *inner; /* null until first use */
} load_iterator;

static void fini(weir_dataset *dataset)
{
    weir_data_function_fini(&((load *)dataset)->f);
    weir_free(((load *)dataset)->saved.folder);
}

static void fini_iterator(weir_iterator *it)
{
    weir_iterator_release(((load_iterator *)it)->inner);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    return ((const load *)dataset)->saved.count;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    load_iterator *iterator = (load_iterator *)it;
    const load *this_load = (const load *)it->dataset;
    if (!iterator->inner)
        WEIR_TRY(weir_snapshot_open(&this_load->saved, this_load->packing, it->dataset,
                                    &this_load->f, run, &iterator->inner));
    return weir_iterator_next(iterator->inner, run, out, out_end);
}

static const weir_dataset_fns fns = {
    .name = "Load",
    .bytes = sizeof(load),
    .iterator_bytes = sizeof(load_iterator),
    .may_block = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = cardinality,
};

static weir_status make(weir_call *call)
{
    weir_packing packing;
    load *load;
    weir_str given;
    weir_snapshot_run saved;
    WEIR_TRY(weir_snapshot_packing(call->site, &packing));
    WEIR_TRY(weir_data_string(call, "path", &given));
    WEIR_FREED char *path = weir_strndup(given.at, given.length);
    WEIR_TRY(weir_snapshot_find(path, &saved));
    weir_status status = weir_dataset_new(call, &fns, &load);
    if (status) {
        weir_free(saved.folder);
        return status;
    }
    weir_data_function_init(&load->f, call, "reader_func", "reader_func_other_args");
    load->saved = saved;
    load->packing = packing;
    weir_dataset_output(call, &load->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(load_dataset, "LoadDataset",
                "path: string; reader_func_other_args: Treader_func_args",
                WEIR_DATASET_TYPES "; compression: string = \"\"; reader_func: func; "
                                   "Treader_func_args: list(type) >= 0",
                WEIR_STATEFUL, make);
