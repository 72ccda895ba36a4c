/* state/iterator.c - iterators that outlive steps. */
#include "state/iterator.h"

const weir_resource_type weir_iterator_type = {"N10tensorflow4data16IteratorResourceE", "iterator"};

static void destroy(weir_ref *ref)
{
    weir_iterator_resource *r = (weir_iterator_resource *)ref;
    weir_iterator_release(r->current);
    weir_free(r->types);
    weir_free(r->shapes);
    weir_mutex_fini(&r->making);
    weir_mutex_fini(&r->lock);
    weir_free(r);
}

weir_iterator_resource *weir_iterator_resource_create(const int32_t *types,
                                                      const weir_shape *shapes, int count)
{
    weir_iterator_resource *r = WEIR_NEW(weir_iterator_resource);
    weir_ref_init(&r->base.ref, destroy);
    r->base.type = &weir_iterator_type;
    r->count = count;
    r->types = WEIR_NEW_ARRAY(int32_t, count);
    r->shapes = WEIR_NEW_ARRAY(weir_shape, count);
    for (int i = 0; i < count; i++) {
        r->types[i] = types[i];
        r->shapes[i] = shapes[i];
    }
    weir_mutex_init(&r->making);
    weir_mutex_init(&r->lock);
    return r;
}

void weir_iterator_resource_set(weir_iterator_resource *r, weir_iterator *it)
{
    weir_mutex_lock(&r->lock);
    weir_iterator *before = r->current;
    r->current = it;
    weir_mutex_unlock(&r->lock);
    weir_iterator_release(before);
}

weir_status weir_iterator_resource_get(weir_iterator_resource *r, weir_iterator **out)
{
    weir_mutex_lock(&r->lock);
    weir_iterator *it = r->current;
    if (it)
        weir_ref_retain(&it->ref);
    weir_mutex_unlock(&r->lock);
    if (!it)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "GetNext() failed because the iterator has not been initialized. Ensure "
                          "that you have run the initializer operation for this iterator before "
                          "getting the next element.");
    *out = it;
    return WEIR_OK;
}
