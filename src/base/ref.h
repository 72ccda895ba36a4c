/* base/ref.h - objects shared between threads or steps.
 *
 * A shared object has a weir_ref as its first field. Whoever keeps a pointer retains it and
 * releases it once; the last release destroys the object. Nested objects, whose depth a client
 * chooses, are destroyed without recursion. Thread-safe.
 */
#ifndef WEIR_BASE_REF_H
#define WEIR_BASE_REF_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct weir_ref {
    union {
        atomic_int count;
        struct weir_ref *next; /* list of those that wait to be destroyed */
    };
    void (*destroy)(struct weir_ref *self);
} weir_ref;

static inline void weir_ref_init(weir_ref *ref, void (*destroy)(weir_ref *self))
{
    atomic_init(&ref->count, 1);
    ref->destroy = destroy;
}

static inline void weir_ref_retain(weir_ref *ref)
{
    atomic_fetch_add_explicit(&ref->count, 1, memory_order_relaxed);
}

void weir_ref_end(weir_ref *ref); /* for weir_ref_release: destroys objects without references */

static inline void weir_ref_release(weir_ref *ref) /* takes null */
{
    if (ref && atomic_fetch_sub_explicit(&ref->count, 1, memory_order_acq_rel) == 1)
        weir_ref_end(ref);
}

/* True when the caller holds the only reference, and so may modify the object in place. */
static inline bool weir_ref_unique(const weir_ref *ref)
{
    return atomic_load_explicit(&ref->count, memory_order_acquire) == 1;
}

#endif
