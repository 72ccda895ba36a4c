/* state/iterator.h - the resource behind an iterator op: an iterator that can be replaced.
 *
 * It knows its element types and shapes; a dataset is checked against them when it is set.
 * Thread-safe.
 */
#ifndef WEIR_STATE_ITERATOR_H
#define WEIR_STATE_ITERATOR_H

#include "base/mutex.h"
#include "state/dataset.h"

typedef struct weir_iterator_resource {
    weir_resource base;
    int count; /* tensors of an element; 0: any */
    int32_t *types;
    weir_shape *shapes;
    weir_mutex making; /* held while a one-shot iterator creates its dataset; before lock */
    weir_mutex lock;
    weir_iterator *current WEIR_GUARDED_BY(lock); /* null until one is set */
} weir_iterator_resource;

extern const weir_resource_type weir_iterator_type;

weir_iterator_resource *weir_iterator_resource_create(const int32_t *types,
                                                      const weir_shape *shapes, int count);
/* Replaces the iterator; takes over the reference. */
void weir_iterator_resource_set(weir_iterator_resource *resource, weir_iterator *it);
/* The iterator, retained. FAILED_PRECONDITION when none is set. */
WEIR_CHECKED weir_status weir_iterator_resource_get(weir_iterator_resource *resource,
                                                    weir_iterator **out);

#endif
