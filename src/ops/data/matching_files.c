/* ops/data/matching_files.c - MatchingFilesDataset: names of files that match patterns. */
#include <stdlib.h>

#include "base/stop.h"
#include "io/file.h"
#include "ops/common/strs.h"
#include "ops/data/data_impl.h"

typedef struct matching {
    weir_dataset base;
    weir_tensor patterns;
} matching;

typedef struct matching_iterator {
    weir_iterator base;
    weir_paths paths;
    bool listed;
    size_t at;
} matching_iterator;

static void fini(weir_dataset *dataset)
{
    weir_tensor_release(&((matching *)dataset)->patterns);
}

static void fini_iterator(weir_iterator *it)
{
    weir_paths_fini(&((matching_iterator *)it)->paths);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static weir_status list(matching_iterator *iterator)
{
    const weir_tensor *patterns = &((const matching *)iterator->base.dataset)->patterns;
    for (int64_t i = 0; i < weir_tensor_count(patterns) && !weir_stopped(); i++) {
        WEIR_FREED char *pattern = weir_str_copy_at(patterns, i);
        WEIR_TRY(weir_glob(pattern, &iterator->paths));
    }
    if (weir_stopped()) { /* the next call begins again */
        weir_paths_fini(&iterator->paths);
        return weir_error(WEIR_CANCELLED, "The step ended while files were listed");
    }
    if (iterator->paths.count)
        qsort(iterator->paths.at, iterator->paths.count, sizeof *iterator->paths.at, by_name);
    iterator->listed = true;
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    (void)run;
    matching_iterator *iterator = (matching_iterator *)it;
    if (!iterator->listed)
        WEIR_TRY(list(iterator));
    *out_end = iterator->at == iterator->paths.count;
    if (!*out_end)
        *out = weir_tensor_string(weir_str_of(iterator->paths.at[iterator->at++]));
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "MatchingFiles",
    .bytes = sizeof(matching),
    .iterator_bytes = sizeof(matching_iterator),
    .next = next,
    .fini = fini,
    .fini_iterator = fini_iterator,
};

static weir_status make(weir_call *call)
{
    const weir_tensor *patterns = weir_in(call, 0);
    if (patterns->shape.rank > 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "`patterns` must be a scalar or a vector.");
    matching *made = (matching *)weir_dataset_create(&fns, 1, 0);
    made->base.types[0] = WEIR_STRING;
    made->base.shapes[0] = WEIR_SCALAR;
    made->patterns = weir_tensor_share(patterns);
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(matching_files_dataset, "MatchingFilesDataset", "patterns: string", "",
                WEIR_STATEFUL, make);
WEIR_DATASET_OP(experimental_matching_files_dataset, "ExperimentalMatchingFilesDataset",
                "patterns: string", "", WEIR_STATEFUL, make);
