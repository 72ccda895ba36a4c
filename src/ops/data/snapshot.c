/* ops/data/snapshot.c - SnapshotDataset, SnapshotDatasetV2: elements are written to files during
 * the first pass, and read from there afterwards.
 *
 *   PATH/FINGERPRINT/...   a saved dataset (ops/data/snapshot_impl.h) for each pipeline before it
 */
#include <inttypes.h>

#include "ops/data/snapshot_impl.h"

typedef struct snapshot {
    weir_dataset base;
    char *folder; /* of the fingerprint */
    weir_packing packing;
    weir_str mode;           /* "auto", "read", "write" or "passthrough"; of the arena */
    bool has_functions;      /* the second version */
    weir_data_function read; /* if has_functions */
    weir_data_function spread;
    weir_arena arena;
} snapshot;

typedef struct snapshot_iterator {
    weir_iterator base;
    bool begun;
    weir_iterator *saved; /* reading; or ... */
    weir_snapshot_writer *writer;
} snapshot_iterator;

static void fini(weir_dataset *dataset)
{
    snapshot *this_snapshot = (snapshot *)dataset;
    if (this_snapshot->has_functions) {
        weir_data_function_fini(&this_snapshot->read);
        weir_data_function_fini(&this_snapshot->spread);
    }
    weir_free(this_snapshot->folder);
    weir_arena_fini(&this_snapshot->arena);
}

static void fini_iterator(weir_iterator *it)
{
    weir_iterator_release(((snapshot_iterator *)it)->saved);
    weir_snapshot_destroy(((snapshot_iterator *)it)->writer);
}

/* An existing run, if complete; |out|->folder is null otherwise. */
static weir_status find(const snapshot *this_snapshot, weir_snapshot_run *out)
{
    *out = (weir_snapshot_run){0};
    weir_status status = weir_snapshot_find(this_snapshot->folder, out);
    if (weir_status_code(status) != WEIR_NOT_FOUND)
        WEIR_TRY(status);
    weir_status_free(status);
    if (out->folder && out->whole)
        return WEIR_OK;
    weir_free(out->folder);
    out->folder = NULL;
    if (weir_str_is(this_snapshot->mode, "read"))
        return weir_error(WEIR_NOT_FOUND, "There is no snapshot in %s to read",
                          this_snapshot->folder);
    return WEIR_OK;
}

static weir_status begin(snapshot_iterator *iterator, weir_run *run)
{
    const snapshot *this_snapshot = (const snapshot *)iterator->base.dataset;
    weir_snapshot_run saved = {0};
    iterator->begun = true;
    if (weir_str_is(this_snapshot->mode, "passthrough"))
        return WEIR_OK;
    if (!weir_str_is(this_snapshot->mode, "write"))
        WEIR_TRY(find(this_snapshot, &saved));
    if (!saved.folder)
        return weir_snapshot_create(
            this_snapshot->folder, &this_snapshot->base, this_snapshot->packing,
            this_snapshot->has_functions ? &this_snapshot->spread : NULL, &iterator->writer);
    weir_status status = weir_snapshot_open(
        &saved, this_snapshot->packing, &this_snapshot->base,
        this_snapshot->has_functions ? &this_snapshot->read : NULL, run, &iterator->saved);
    weir_free(saved.folder);
    return status;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    snapshot_iterator *iterator = (snapshot_iterator *)it;
    if (!iterator->begun)
        WEIR_TRY(begin(iterator, run));
    if (iterator->saved)
        return weir_iterator_next(iterator->saved, run, out, out_end);
    WEIR_TRY(weir_iterator_pull(it, 0, run, out, out_end));
    if (!iterator->writer)
        return WEIR_OK;
    return *out_end ? weir_snapshot_finish(iterator->writer)
                    : weir_snapshot_add(iterator->writer, run, out);
}

static const weir_dataset_fns fns = {
    .name = "Snapshot",
    .bytes = sizeof(snapshot),
    .iterator_bytes = sizeof(snapshot_iterator),
    .like_input = true,
    .may_block = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = weir_data_input_cardinality,
};

/* PATH/FINGERPRINT, by attr hash where it is valid. */
static weir_status choose_folder(weir_call *call, char **out)
{
    weir_str path;
    weir_dataset *input;
    uint64_t hash;
    const weir_attr *valid = weir_data_attr(call->site, "hash_valid");
    WEIR_TRY(weir_data_string(call, "path", &path));
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &input));
    if (valid && valid->b)
        hash = (uint64_t)weir_data_attr(call->site, "hash")->i;
    else
        WEIR_TRY(weir_dataset_fingerprint(input, &hash));
    weir_buf folder = {0};
    weir_buf_addf(&folder, "%.*s/%" PRIu64, WEIR_STR_ARG(path), hash);
    *out = weir_buf_take(&folder);
    return WEIR_OK;
}

static weir_status check_mode(weir_str mode)
{
    static const char *const known[] = {"auto", "read", "write", "passthrough"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (weir_str_is(mode, known[i]))
            return WEIR_OK;
    return weir_error(
        WEIR_INVALID_ARGUMENT,
        "mode must be either '', 'auto', 'read', 'write' or 'passthrough', not '%.*s'",
        WEIR_STR_ARG(mode));
}

static weir_status make(weir_call *call)
{
    weir_packing packing;
    snapshot *made;
    char *folder;
    const weir_attr *given = weir_data_attr(call->site, "mode");
    weir_str mode = given && given->s.length ? given->s : WEIR_STR("auto");
    WEIR_TRY(check_mode(mode));
    WEIR_TRY(weir_snapshot_packing(call->site, &packing));
    WEIR_TRY(choose_folder(call, &folder));
    weir_status status = weir_dataset_new(call, &fns, &made);
    if (status) {
        weir_free(folder);
        return status;
    }
    weir_arena_init(&made->arena);
    made->folder = folder;
    made->packing = packing;
    made->mode = (weir_str){weir_arena_strndup(&made->arena, mode.at, mode.length), mode.length};
    made->has_functions = !given;
    if (made->has_functions) {
        weir_data_function_init(&made->read, call, "reader_func", "reader_func_other_args");
        weir_data_function_init(&made->spread, call, "shard_func", "shard_func_other_args");
    }
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(snapshot_dataset, "SnapshotDataset", "input_dataset: variant; path: string",
                WEIR_DATASET_TYPES
                "; compression: string = \"\"; reader_path_prefix: string = \"\"; "
                "writer_path_prefix: string = \"\"; shard_size_bytes: int = 10737418240; "
                "pending_snapshot_expiry_seconds: int = 86400; num_reader_threads: int = 1; "
                "reader_buffer_size: int = 1; num_writer_threads: int = 1; writer_buffer_size: "
                "int = 1; shuffle_on_read: bool = false; seed: int = 0; seed2: int = 0; mode: "
                "string = \"auto\"; snapshot_name: string = \"\"",
                0, make);
WEIR_DATASET_OP(snapshot_dataset_v2, "SnapshotDatasetV2",
                "input_dataset: variant; path: string; reader_func_other_args: Treader_func_args; "
                "shard_func_other_args: Tshard_func_args",
                WEIR_DATASET_TYPES
                "; compression: string = \"\"; reader_prefix: string = \"\"; writer_prefix: "
                "string = \"\"; hash_valid: bool = false; hash: int = 0; reader_func: func; "
                "shard_func: func; Treader_func_args: list(type) >= 0; Tshard_func_args: "
                "list(type) >= 0" WEIR_DATASET_META,
                0, make);
