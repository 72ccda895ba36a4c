/* ops/data/cache.c - CacheDataset: the elements of the first full pass are kept in memory and given
 * again by every later one. A file name asks for the same, without anything written.
 */
#include "base/mutex.h"
#include "ops/data/data_impl.h"

/* Shared by a dataset and its iterators. */
typedef struct cache {
    weir_ref ref;
    int count; /* tensors of an element */
    weir_mutex lock;
    bool full WEIR_GUARDED_BY(lock); /* once true, elements no longer change */
    weir_element_list items;         /* under lock until full */
} cache;

typedef struct caching {
    weir_dataset base;
    cache *cache;
} caching;

typedef struct caching_iterator {
    weir_iterator base;
    bool started, reads;    /* from the cache */
    size_t at;              /* when it reads */
    weir_element_list kept; /* when it does not */
} caching_iterator;

static void destroy_cache(weir_ref *ref)
{
    cache *c = (cache *)ref;
    weir_elements_fini(&c->items, c->count);
    weir_mutex_fini(&c->lock);
    weir_free(c);
}

static cache *create_cache(int count)
{
    cache *c = WEIR_NEW(cache);
    weir_ref_init(&c->ref, destroy_cache);
    c->count = count;
    weir_mutex_init(&c->lock);
    return c;
}

static void fini(weir_dataset *d)
{
    weir_ref_release((weir_ref *)((caching *)d)->cache);
}

static void fini_iterator(weir_iterator *it)
{
    weir_elements_fini(&((caching_iterator *)it)->kept, it->dataset->count);
}

static int64_t cardinality(const weir_dataset *d)
{
    return weir_dataset_cardinality(d->inputs[0]);
}

static bool is_full(cache *c)
{
    weir_mutex_lock(&c->lock);
    bool full = c->full;
    weir_mutex_unlock(&c->lock);
    return full;
}

/* The first iterator to come to the end fills the cache. */
static void publish(cache *c, weir_element_list *kept)
{
    weir_mutex_lock(&c->lock);
    if (!c->full) {
        c->items = *kept;
        *kept = (weir_element_list){0};
        c->full = true;
    }
    weir_mutex_unlock(&c->lock);
}

static void share(const weir_tensor *from, weir_tensor *to, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = weir_tensor_share(&from[i]);
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    caching_iterator *i = (caching_iterator *)it;
    cache *c = ((caching *)it->dataset)->cache;
    if (!i->started)
        i->reads = is_full(c);
    i->started = true;
    if (i->reads) {
        *out_end = i->at >= c->items.count;
        if (!*out_end)
            share(c->items.at[i->at++], out, c->count);
        return WEIR_OK;
    }
    WEIR_TRY(weir_elements_pull(&i->kept, it, 0, run, out_end));
    if (*out_end)
        publish(c, &i->kept);
    else
        share(i->kept.at[i->kept.count - 1], out, c->count);
    return WEIR_OK;
}

static weir_status get(const weir_dataset *d, weir_run *run, int64_t index, weir_tensor *out)
{
    return weir_dataset_get(d->inputs[0], run, index, out);
}

static const weir_dataset_fns fns = {
    .name = "Cache",
    .bytes = sizeof(caching),
    .iterator_bytes = sizeof(caching_iterator),
    .like_input = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = cardinality,
    .get = get,
};

static weir_status make(weir_call *c)
{
    weir_str filename;
    caching *d;
    WEIR_TRY(weir_data_string(c, "filename", &filename));
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    d->cache = create_cache(d->base.count);
    weir_dataset_output(c, &d->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(cache_dataset, "CacheDataset", "input_dataset: variant; filename: string",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
WEIR_DATASET_OP(cache_dataset_v2, "CacheDatasetV2",
                "input_dataset: variant; filename: string; cache: resource",
                WEIR_DATASET_TYPES WEIR_DATASET_META, WEIR_STATEFUL, make);
