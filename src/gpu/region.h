/* gpu/region.h - sub-allocates device memory by best fit; adjacent free ranges are merged.
 *
 * The metadata is in host memory. Recordings allocate here, so that their total size stays near the
 * peak of live bytes, whatever the block sizes. Not thread-safe.
 */
#ifndef WEIR_GPU_REGION_H
#define WEIR_GPU_REGION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

typedef struct weir_gpu_range {
    char *at;
    size_t bytes;
    bool used;
    bool begins; /* start of a chunk: not merged with the range before it */
    void *owner; /* of a chunk's first range: the owner given with it */
} weir_gpu_range;

typedef struct weir_gpu_region {
    WEIR_VEC(weir_gpu_range) ranges; /* by address; they cover all chunks */
    size_t bytes;                    /* of all chunks */
} weir_gpu_region;

/* Null: no range is large enough; add a chunk of at least weir_gpu_region_wants bytes. */
void *weir_gpu_region_take(weir_gpu_region *region, size_t bytes);
size_t weir_gpu_region_wants(const weir_gpu_region *region, size_t bytes);
void weir_gpu_region_add(weir_gpu_region *region, void *chunk, size_t bytes, void *owner);
void weir_gpu_region_give(weir_gpu_region *region, void *at); /* |at| was returned by take */
/* Removes an unused chunk and returns its owner; null: there is none. */
void *weir_gpu_region_drop(weir_gpu_region *region);

#endif
