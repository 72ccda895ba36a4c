/* ops/data/cache.c - CacheDataset: caches the elements of the first complete pass for all later
 * ones, in memory or, with a file name, in files (ops/data/cache_file.c).
 */
#include "base/mutex.h"
#include "ops/data/data_impl.h"

/* Shared by a dataset and its iterators. */
typedef struct cache {
    weir_ref ref;
    int count; /* tensors of an element */
    weir_mutex lock;
    bool full WEIR_GUARDED_BY(lock); /* once true, elements are immutable */
    weir_element_list items;         /* guarded by lock until full */
} cache;

typedef struct caching {
    weir_dataset base;
    cache *cache;
} caching;

typedef struct caching_iterator {
    weir_iterator base;
    bool started, reads;    /* reads: reading from the cache */
    size_t at;              /* index when reading */
    weir_element_list kept; /* elements collected when not */
} caching_iterator;

static void destroy_cache(weir_ref *ref)
{
    cache *this_cache = (cache *)ref;
    weir_elements_fini(&this_cache->items, this_cache->count);
    weir_mutex_fini(&this_cache->lock);
    weir_free(this_cache);
}

static cache *create_cache(int count)
{
    cache *new_cache = WEIR_NEW(cache);
    weir_ref_init(&new_cache->ref, destroy_cache);
    new_cache->count = count;
    weir_mutex_init(&new_cache->lock);
    return new_cache;
}

static void fini(weir_dataset *dataset)
{
    weir_ref_release((weir_ref *)((caching *)dataset)->cache);
}

static void fini_iterator(weir_iterator *it)
{
    weir_elements_fini(&((caching_iterator *)it)->kept, it->dataset->count);
}

static bool is_full(cache *cache)
{
    weir_mutex_lock(&cache->lock);
    bool full = cache->full;
    weir_mutex_unlock(&cache->lock);
    return full;
}

/* The first iterator to reach the end fills the cache. */
static void publish(cache *cache, weir_element_list *kept)
{
    weir_mutex_lock(&cache->lock);
    if (!cache->full) {
        cache->items = *kept;
        *kept = (weir_element_list){0};
        cache->full = true;
    }
    weir_mutex_unlock(&cache->lock);
}

static void share(const weir_tensor *from, weir_tensor *to, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = weir_tensor_share(&from[i]);
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    caching_iterator *iterator = (caching_iterator *)it;
    cache *cache = ((caching *)it->dataset)->cache;
    if (!iterator->started)
        iterator->reads = is_full(cache);
    iterator->started = true;
    if (iterator->reads) {
        *out_end = iterator->at >= cache->items.count;
        if (!*out_end)
            share(cache->items.at[iterator->at++], out, cache->count);
        return WEIR_OK;
    }
    WEIR_TRY(weir_elements_pull(&iterator->kept, it, 0, run, out_end));
    if (*out_end)
        publish(cache, &iterator->kept);
    else
        share(iterator->kept.at[iterator->kept.count - 1], out, cache->count);
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "Cache",
    .bytes = sizeof(caching),
    .iterator_bytes = sizeof(caching_iterator),
    .like_input = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = weir_data_input_cardinality,
    .get = weir_data_input_get,
};

static weir_status make(weir_call *call)
{
    weir_str filename;
    caching *caching;
    WEIR_TRY(weir_data_string(call, "filename", &filename));
    if (filename.length)
        return weir_file_cache(call, filename);
    WEIR_TRY(weir_dataset_new(call, &fns, &caching));
    caching->cache = create_cache(caching->base.count);
    weir_dataset_output(call, &caching->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(cache_dataset, "CacheDataset", "input_dataset: variant; filename: string",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
WEIR_DATASET_OP(cache_dataset_v2, "CacheDatasetV2",
                "input_dataset: variant; filename: string; cache: resource",
                WEIR_DATASET_TYPES WEIR_DATASET_META, WEIR_STATEFUL, make);
