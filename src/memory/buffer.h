/* memory/buffer.h - the bytes behind tensors.
 *
 * A buffer is shared: every tensor that shows its bytes holds a reference. What comes from the CPU
 * device is 64-byte aligned and used again: small buffers by size (base/recycle.h), large ones from
 * a region (memory/region.h), so that a steady step allocates nothing from the system.
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
    /* Ends the elements before the bytes go; null for plain types. Set by tensor/. */
    void (*fini)(struct weir_buffer *self);
    /* Foreign memory: called instead of freeing. */
    void (*release)(void *data, size_t bytes, void *arg);
    void *release_arg;
    bool read_only; /* the bytes are someone else's: not to be changed, even by the last holder */
    bool lent;      /* ... who may change them after the step: what outlives it holds a copy */
    atomic_bool shown;        /* a program has its address, and may change the bytes at any time */
    _Atomic uint64_t version; /* of the bytes, since somebody asked; 0: nobody did */
    int size_class;           /* of base/recycle.h, for memory/; below 0: none */
    void *block;              /* of memory/: what to free */
    struct weir_memory *memory; /* a device's, where data is an address of its own
                                   (memory/device.h); null: the host's */
} weir_buffer;

/* A new buffer of at least |bytes|, not cleared; RESOURCE_EXHAUSTED when there is none. */
WEIR_CHECKED weir_status weir_buffer_alloc(size_t bytes, weir_buffer **out_buffer);
/* Wraps memory that |release| ends. */
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

/* A number for the bytes as they are: it changes before they do, and no other buffer of any process
 * has it. 0: nothing tells when they change. The caller holds a reference as long as the bytes
 * matter: what is held by two is not changed. */
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

/* Bytes in use by live large buffers, the most there ever were, and bytes kept for reuse. */
typedef struct weir_buffer_stats {
    size_t live_bytes, peak_bytes, cached_bytes;
} weir_buffer_stats;
weir_buffer_stats weir_buffer_get_stats(void);
void weir_buffer_trim(void); /* returns cached memory to the system */

#endif
