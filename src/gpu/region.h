/* gpu/region.h - memory of a device cut into ranges by best fit; neighbours that are free join.
 *
 * The book-keeping is the host's. Recordings take their memory here: how much they hold is then
 * near what is alive at once, whatever the sizes. One thread at a time.
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
    bool begins; /* a chunk: does not join what lies before it */
    void *owner; /* of a chunk's first range: what was given for it */
} weir_gpu_range;

typedef struct weir_gpu_region {
    WEIR_VEC(weir_gpu_range) ranges; /* by address; they cover the chunks */
    size_t bytes;                    /* of all chunks */
} weir_gpu_region;

/* Null: no range is large enough; then a chunk is due, of weir_gpu_region_wants bytes or more. */
void *weir_gpu_region_take(weir_gpu_region *region, size_t bytes);
size_t weir_gpu_region_wants(const weir_gpu_region *region, size_t bytes);
void weir_gpu_region_add(weir_gpu_region *region, void *chunk, size_t bytes, void *owner);
void weir_gpu_region_give(weir_gpu_region *region, void *at); /* one that was taken */
/* Takes out a chunk that nobody uses and gives its owner; null: there is none. */
void *weir_gpu_region_drop(weir_gpu_region *region);

#endif
