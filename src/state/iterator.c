/* state/iterator.c - iterators that outlive steps. */
#include "state/iterator.h"

const weir_resource_type weir_iterator_type = {"N10tensorflow4data16IteratorResourceE", "iterator"};

static void destroy(weir_ref *ref)
{
    weir_iterator_resource *resource = (weir_iterator_resource *)ref;
    weir_iterator_release(resource->current);
    weir_free(resource->types);
    weir_free(resource->shapes);
    weir_mutex_fini(&resource->making);
    weir_mutex_fini(&resource->lock);
    weir_free(resource);
}

weir_iterator_resource *weir_iterator_resource_create(const int32_t *types,
                                                      const weir_shape *shapes, int count)
{
    weir_iterator_resource *resource = WEIR_NEW(weir_iterator_resource);
    weir_ref_init(&resource->base.ref, destroy);
    resource->base.type = &weir_iterator_type;
    resource->count = count;
    resource->types = WEIR_NEW_ARRAY(int32_t, count);
    resource->shapes = WEIR_NEW_ARRAY(weir_shape, count);
    for (int i = 0; i < count; i++) {
        resource->types[i] = types[i];
        resource->shapes[i] = shapes[i];
    }
    weir_mutex_init(&resource->making);
    weir_mutex_init(&resource->lock);
    return resource;
}

void weir_iterator_resource_set(weir_iterator_resource *resource, weir_iterator *it)
{
    weir_mutex_lock(&resource->lock);
    weir_iterator *before = resource->current;
    resource->current = it;
    weir_mutex_unlock(&resource->lock);
    weir_iterator_release(before);
}

weir_status weir_iterator_resource_get(weir_iterator_resource *resource, weir_iterator **out)
{
    weir_mutex_lock(&resource->lock);
    weir_iterator *it = resource->current;
    if (it)
        weir_ref_retain(&it->ref);
    weir_mutex_unlock(&resource->lock);
    if (!it)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "GetNext() failed because the iterator has not been initialized. Ensure "
                          "that you have run the initializer operation for this iterator before "
                          "getting the next element.");
    *out = it;
    return WEIR_OK;
}
