/* memory/device.h - memory that is not the host's, as one table of functions.
 *
 * A buffer with a |memory| lies there: its data is an address that the host must not follow. Work
 * on one memory is in order, and what is given back may be used by later work at once.
 */
#ifndef WEIR_MEMORY_DEVICE_H
#define WEIR_MEMORY_DEVICE_H

#include <stdint.h>

#include "memory/buffer.h"

enum { WEIR_MEMORY_RANK = 8 };

/* For every index, to[sum i*to] = from[sum i*from]; steps in elements, of any sign. */
typedef struct weir_memory_walk {
    int rank;
    int64_t dims[WEIR_MEMORY_RANK], to[WEIR_MEMORY_RANK], from[WEIR_MEMORY_RANK];
} weir_memory_walk;

typedef struct weir_memory weir_memory;
struct weir_memory {
    /* RESOURCE_EXHAUSTED when there is none, or the device's limit would be passed. */
    weir_status (*alloc)(weir_memory *memory, size_t bytes, weir_buffer **out_buffer);
    /* From and to the host; both return when the host's bytes have been read or written. */
    weir_status (*copy_in)(weir_memory *memory, void *to, const void *from, size_t bytes);
    weir_status (*copy_out)(weir_memory *memory, void *to, const void *from, size_t bytes);
    weir_status (*copy)(weir_memory *memory, void *to, const void *from, size_t bytes); /* within */
    weir_status (*walk)(weir_memory *memory, int unit, void *to, const void *from,
                        const weir_memory_walk *walk); /* elements of |unit| bytes: 1, 2, 4, 8 */
    weir_status (*clear)(weir_memory *memory, void *at, size_t bytes); /* to 0 */
};

/* A kernel of the processor's that only moves elements (ops/common/ndcopy.h) can run on a device:
 * while a memory is set here, what this thread moves is moved there. The first failure is kept in
 * |failed|, for the one who set it. */
typedef struct weir_memory_scope {
    weir_memory *memory;
    weir_status failed;
} weir_memory_scope;
extern _Thread_local weir_memory_scope *weir_memory_current
    __attribute__((tls_model("initial-exec")));

#endif
