/* memory/buffer.h - the bytes behind tensors.
 *
 * A buffer is shared: every tensor that uses its bytes holds a reference. Host buffers are 64-byte
 * aligned and reused: small ones by size class (base/recycle.h), large ones from a region
 * (memory/region.h), so that a steady-state step allocates nothing from the system.
 */
#ifndef WEIR_MEMORY_BUFFER_H
#define WEIR_MEMORY_BUFFER_H

#include <stdint.h>

#include "base/ref.h"
#include "base/status.h"

enum { WEIR_ALIGNMENT = 64 };

typedef struct weir_buffer {
    weir_ref ref;
    void *data;
    size_t bytes; /* usable bytes at data */
    /* Destroys the elements before the bytes are freed; null for plain types. Set by tensor/. */
    void (*fini)(struct weir_buffer *self);
    /* For foreign memory: called instead of freeing it. */
    void (*release)(void *data, size_t bytes, void *arg);
    void *release_arg;
    bool read_only; /* foreign bytes: even the only holder must not change them */
    bool lent;      /* ... who may change them after the step: code that outlives it copies them */
    atomic_bool shown;          /* a client has its address, and may change the bytes at any time */
    _Atomic uint64_t version;   /* of the bytes, assigned on the first request; 0: none requested */
    int size_class;             /* of base/recycle.h, for memory/; below 0: none */
    void *block;                /* for memory/: the pointer to free */
    struct weir_memory *memory; /* a device's, if |data| is a device address (memory/device.h);
                                 * null: the host's */
} weir_buffer;

/* A new buffer of at least |bytes|, not cleared; RESOURCE_EXHAUSTED when out of memory. */
WEIR_CHECKED weir_status weir_buffer_alloc(size_t bytes, weir_buffer **out_buffer);
/* Wraps foreign memory, which |release| frees. */
weir_buffer *weir_buffer_wrap(void *data, size_t bytes,
                              void (*release)(void *data, size_t bytes, void *arg), void *arg);

static inline weir_buffer *weir_buffer_retain(weir_buffer *buffer)
{
    if (buffer)
        weir_ref_retain(&buffer->ref);
    return buffer;
}
static inline void weir_buffer_release(weir_buffer *buffer)
{
    weir_ref_release((weir_ref *)buffer);
}

/* The version of the present bytes: it changes before they do, and is unique among all buffers of
 * all processes. 0: changes of the bytes cannot be tracked. The caller holds a reference as long as
 * it needs the bytes: a buffer with two references is not changed. */
uint64_t weir_buffer_version(weir_buffer *buffer);
/* The bytes are about to change: the caller holds the only reference. */
static inline void weir_buffer_changes(weir_buffer *buffer)
{
    if (atomic_load_explicit(&buffer->version, memory_order_relaxed))
        atomic_store_explicit(&buffer->version, 0, memory_order_relaxed);
}
static inline void weir_buffer_show(weir_buffer *buffer)
{
    if (!atomic_load_explicit(&buffer->shown, memory_order_relaxed))
        atomic_store_explicit(&buffer->shown, true, memory_order_relaxed);
}
static inline bool weir_buffer_shown(const weir_buffer *buffer)
{
    return atomic_load_explicit(&buffer->shown, memory_order_relaxed);
}

/* Bytes of live large buffers, their peak, and bytes cached for reuse. */
typedef struct weir_buffer_stats {
    size_t live_bytes, peak_bytes, cached_bytes;
} weir_buffer_stats;
weir_buffer_stats weir_buffer_get_stats(void);

#endif
