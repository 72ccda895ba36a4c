/* ops/io/merge_v2_checkpoints.c - MergeV2Checkpoints: merges the shards of a saver into one
 * checkpoint. */
#include "ops/io/io_impl.h"

enum { DELETE_OLD_DIRS, ALLOW_MISSING_FILES };

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 1));
    return weir_infer_rank(infer, 1, 0);
}

/* Removes the folders of the old prefixes if empty. */
static void delete_dirs(const weir_paths *prefixes, const char *into)
{
    weir_str keep = weir_path_dir(into);
    for (size_t p = 0; p < prefixes->count; p++) {
        weir_str dir = weir_path_dir(prefixes->at[p]);
        if (dir.length == 0 || weir_str_eq(dir, keep))
            continue;
        WEIR_FREED char *name = weir_strndup(dir.at, dir.length);
        weir_status_free(weir_dir_delete(name));
    }
}

static weir_status merge(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    bool allow_missing = weir_site_bool(call->site, ALLOW_MISSING_FILES);
    weir_paths prefixes = {0};
    for (int64_t p = 0; p < weir_tensor_count(in); p++) {
        char *prefix = weir_str_copy_at(in, p);
        if (allow_missing && !weir_bundle_exists(prefix))
            weir_free(prefix);
        else
            weir_vec_push(&prefixes, prefix);
    }
    WEIR_FREED char *into = weir_str_copy_at(weir_in(call, 1), 0);
    weir_status status = weir_bundle_merge((const char *const *)prefixes.at, prefixes.count, into);
    if (!status && weir_site_bool(call->site, DELETE_OLD_DIRS))
        delete_dirs(&prefixes, into);
    weir_paths_fini(&prefixes);
    return status;
}

const weir_op weir_op_merge_v2_checkpoints = {
    .name = "MergeV2Checkpoints",
    .in = "checkpoint_prefixes: string; destination_prefix: string",
    .attrs = "delete_old_dirs: bool = true; allow_missing_files: bool = false",
    .flags = WEIR_STATEFUL,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", merge, WEIR_EXPENSIVE}},
};
