/* base/ref.h - objects shared between threads or steps.
 *
 * A shared object has a weir_ref as its first field. Whoever keeps a pointer retains it and
 * releases it once; the last release destroys. Thread-safe.
 */
#ifndef WEIR_BASE_REF_H
#define WEIR_BASE_REF_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct weir_ref {
    atomic_int count;
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

static inline void weir_ref_release(weir_ref *ref) /* takes null */
{
    if (ref && atomic_fetch_sub_explicit(&ref->count, 1, memory_order_acq_rel) == 1)
        ref->destroy(ref);
}

/* True when the caller holds the only reference, and so may change the object in place. */
static inline bool weir_ref_unique(const weir_ref *ref)
{
    return atomic_load_explicit(&ref->count, memory_order_acquire) == 1;
}

#endif
