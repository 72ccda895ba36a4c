/* ops/data/cache_file.c - caches of datasets in files. The first complete pass over the elements is
 * written to a checkpoint in TensorFlow's layout, and all later ones read that.
 *
 * Tensor T of element I is named "I_T", both padded with spaces. While an iterator writes, the file
 * PREFIX_0.lockfile excludes other writers; no file of PREFIX appears before the end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/log.h"
#include "base/mutex.h"
#include "io/bundle.h"
#include "io/file.h"
#include "ops/data/data_impl.h"

enum { ITEMS_MOST = 10000000, ITEM_DIGITS = 7 };

typedef struct file_iterator file_iterator;

typedef struct file_caching {
    weir_dataset base;
    char *prefix, *lockfile;
    int tensor_digits;
    weir_mutex lock;
    weir_bundle_writer *writer WEIR_GUARDED_BY(lock);
    const file_iterator *owner WEIR_GUARDED_BY(lock); /* of the writer and of the lock file */
} file_caching;

struct file_iterator {
    weir_iterator base;
    bool started, broken; /* broken: an element was lost */
    weir_bundle *bundle;  /* null: it computes elements */
    int64_t at;
};

static file_caching *caching_of(const file_iterator *iterator)
{
    return (file_caching *)iterator->base.dataset;
}

static void fini(weir_dataset *dataset)
{
    file_caching *caching = (file_caching *)dataset;
    if (caching->prefix)
        weir_mutex_fini(&caching->lock);
    weir_free(caching->prefix);
    weir_free(caching->lockfile);
}

/* ---- who writes ------------------------------------------------------------------------------ */

/* What an earlier iterator left in the middle, or another one is busy with. */
static weir_status refuse(const file_caching *caching)
{
    WEIR_BUF(contents);
    weir_status_free(weir_file_read_all(caching->lockfile, 150, &contents));
    return weir_error(WEIR_ALREADY_EXISTS,
                      "There appears to be a concurrent caching iterator running - cache lockfile "
                      "already exists ('%s'). If you are sure no other running TF computations are "
                      "using this cache prefix, delete the lockfile and re-initialize the "
                      "iterator. Lockfile contents: %.*s",
                      caching->lockfile, (int)contents.length, contents.at ? contents.at : "");
}

static weir_status create_lockfile(const file_caching *caching)
{
    WEIR_BUF(part);
    WEIR_BUF(text);
    weir_buf_addf(&part, "%s_0", caching->prefix);
    if (weir_bundle_exists(part.at))
        return weir_error(WEIR_ALREADY_EXISTS,
                          "Existing cache files found: \n%s.index\n%s.data-00000-of-00001\nTo "
                          "continue delete the above files.",
                          part.at, part.at);
    weir_buf_addf(&text, "Created at: %" PRId64, (int64_t)time(NULL));
    weir_status status = weir_file_create(caching->lockfile, text.at, text.length);
    if (weir_status_code(status) != WEIR_ALREADY_EXISTS)
        return status;
    weir_status_free(status);
    return refuse(caching);
}

/* Nothing of what was written stays. */
static void give_up(file_caching *caching) WEIR_REQUIRES(caching->lock)
{
    weir_bundle_writer_destroy(caching->writer);
    weir_status_free(weir_path_delete(caching->lockfile));
    caching->writer = NULL;
    caching->owner = NULL;
}

/* Of several iterators over one dataset (one that was restored, say) the last one writes. */
static weir_status start_writing(file_caching *caching, const file_iterator *iterator)
    WEIR_REQUIRES(caching->lock)
{
    if (caching->owner)
        give_up(caching);
    WEIR_TRY(create_lockfile(caching));
    caching->owner = iterator;
    weir_status status = weir_bundle_writer_create(caching->prefix, &caching->writer);
    if (status)
        give_up(caching);
    return status;
}

static weir_status start(file_iterator *iterator)
{
    file_caching *caching = caching_of(iterator);
    if (weir_bundle_exists(caching->prefix))
        return weir_bundle_open(caching->prefix, &iterator->bundle);
    weir_mutex_lock(&caching->lock);
    weir_status status = start_writing(caching, iterator);
    weir_mutex_unlock(&caching->lock);
    return status;
}

static void fini_iterator(weir_iterator *it)
{
    file_iterator *iterator = (file_iterator *)it;
    file_caching *caching = caching_of(iterator);
    weir_bundle_destroy(iterator->bundle);
    weir_mutex_lock(&caching->lock);
    if (caching->owner == iterator) {
        weir_log(WEIR_LOG_WARNING,
                 "the elements in the cache file %s are dropped: not all of its dataset was read. "
                 "dataset.take(k).cache() keeps what dataset.cache().take(k) does not",
                 caching->prefix);
        give_up(caching);
    }
    weir_mutex_unlock(&caching->lock);
}

/* ---- elements -------------------------------------------------------------------------------- */

static void name_tensor(const file_iterator *iterator, int tensor, weir_buf *out)
{
    out->length = 0;
    weir_buf_addf(out, "%*" PRId64 "_%*d", ITEM_DIGITS, iterator->at,
                  caching_of(iterator)->tensor_digits, tensor);
}

static weir_status write_element(file_iterator *iterator, weir_bundle_writer *writer,
                                 const weir_tensor *element)
{
    WEIR_BUF(name);
    if (iterator->at >= ITEMS_MOST)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Upstream iterator is producing more than %d items, which is more than "
                          "the cache limit.",
                          ITEMS_MOST);
    for (int i = 0; i < iterator->base.dataset->count; i++) {
        name_tensor(iterator, i, &name);
        WEIR_TRY(weir_bundle_writer_add(writer, weir_view(&name), &element[i]));
    }
    iterator->at++;
    return WEIR_OK;
}

/* All elements are there: the files appear. */
static weir_status publish(file_caching *caching) WEIR_REQUIRES(caching->lock)
{
    weir_status status = weir_bundle_writer_finish(caching->writer);
    caching->writer = NULL;
    give_up(caching);
    return status;
}

/* |element| null: the end. */
static weir_status add(file_iterator *iterator, const weir_tensor *element)
{
    file_caching *caching = caching_of(iterator);
    weir_status status = WEIR_OK;
    weir_mutex_lock(&caching->lock);
    if (caching->owner == iterator) {
        status = element ? write_element(iterator, caching->writer, element) : publish(caching);
        if (status && caching->owner)
            give_up(caching);
    }
    weir_mutex_unlock(&caching->lock);
    iterator->broken |= status != WEIR_OK;
    return status;
}

static weir_status compute(file_iterator *iterator, weir_run *run, weir_tensor *out, bool *out_end)
{
    WEIR_TRY(weir_iterator_pull(&iterator->base, 0, run, out, out_end));
    weir_status status = add(iterator, *out_end ? NULL : out);
    if (status && !*out_end)
        weir_element_clear(out, iterator->base.dataset->count);
    return status;
}

/* A file may hold anything: the datasets above rely on what this one's attrs say. */
static weir_status check(const weir_dataset *dataset, const weir_tensor *element)
{
    for (int i = 0; i < dataset->count; i++) {
        weir_dtype type = element[i].dtype;
        weir_shape shape = element[i].shape;
        int32_t want = (int32_t)dataset->types[i];
        WEIR_TRY(weir_data_check_types(&want, 1, &type, 1));
        WEIR_TRY(weir_data_check_shapes(&dataset->shapes[i], 1, &shape, 1));
    }
    return WEIR_OK;
}

static weir_status read_tensor(file_iterator *iterator, int tensor, weir_tensor *out)
{
    WEIR_BUF(name);
    weir_tensor_info info;
    name_tensor(iterator, tensor, &name);
    if (!weir_bundle_find(iterator->bundle, weir_view(&name), &info))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The cache file %s has no component %d of element %" PRId64 ": it was "
                          "made of other elements",
                          caching_of(iterator)->prefix, tensor, iterator->at);
    return weir_bundle_read(iterator->bundle, weir_view(&name), NULL, out);
}

static weir_status read_element(file_iterator *iterator, weir_tensor *out, bool *out_end)
{
    WEIR_BUF(name);
    weir_tensor_info info;
    const weir_dataset *dataset = iterator->base.dataset;
    name_tensor(iterator, 0, &name);
    *out_end = !weir_bundle_find(iterator->bundle, weir_view(&name), &info);
    weir_status status = WEIR_OK;
    int read = 0;
    for (; read < dataset->count && !*out_end && !status; read += !status)
        status = read_tensor(iterator, read, &out[read]);
    if (!status && !*out_end)
        status = check(dataset, out);
    if (status)
        weir_element_clear(out, read);
    else
        iterator->at += !*out_end;
    return status;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    file_iterator *iterator = (file_iterator *)it;
    if (iterator->broken)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "An element could not be written to the cache file %s",
                          caching_of(iterator)->prefix);
    if (!iterator->started)
        WEIR_TRY(start(iterator));
    iterator->started = true;
    return iterator->bundle ? read_element(iterator, out, out_end)
                            : compute(iterator, run, out, out_end);
}

static const weir_dataset_fns fns = {
    .name = "Cache",
    .bytes = sizeof(file_caching),
    .iterator_bytes = sizeof(file_iterator),
    .like_input = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = weir_data_input_cardinality,
    .get = weir_data_input_get,
};

weir_status weir_file_cache(weir_call *call, weir_str prefix)
{
    file_caching *caching;
    WEIR_BUF(lockfile);
    WEIR_TRY(weir_dataset_new(call, &fns, &caching));
    weir_mutex_init(&caching->lock);
    caching->prefix = weir_strndup(prefix.at, prefix.length);
    weir_buf_addf(&lockfile, "%s_0.lockfile", caching->prefix);
    caching->lockfile = weir_buf_take(&lockfile);
    caching->tensor_digits = snprintf(NULL, 0, "%d", caching->base.count - 1);
    weir_dataset_output(call, &caching->base);
    return WEIR_OK;
}
