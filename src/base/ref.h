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

static inline void weir_ref_init(weir_ref *r, void (*destroy)(weir_ref *self))
{
    atomic_init(&r->count, 1);
    r->destroy = destroy;
}

static inline void weir_ref_retain(weir_ref *r)
{
    atomic_fetch_add_explicit(&r->count, 1, memory_order_relaxed);
}

static inline void weir_ref_release(weir_ref *r) /* takes null */
{
    if (r && atomic_fetch_sub_explicit(&r->count, 1, memory_order_acq_rel) == 1)
        r->destroy(r);
}

/* True when the caller holds the only reference, and so may change the object in place. */
static inline bool weir_ref_unique(const weir_ref *r)
{
    return atomic_load_explicit(&r->count, memory_order_acquire) == 1;
}

#endif
