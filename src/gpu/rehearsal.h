/* gpu/rehearsal.h - live ranges of a step's allocations, and their offsets in one block.
 *
 * A step is rehearsed before it is recorded: its allocations are numbered, and their live ranges
 * are noted. Offsets are then assigned by decreasing size, each in the smallest gap that is free
 * for the whole live range. A recorded step should allocate the same blocks again. This is not
 * relied on: an offset is used only if it has enough room and no live block overlaps.
 *
 * Not thread-safe.
 */
#ifndef WEIR_GPU_REHEARSAL_H
#define WEIR_GPU_REHEARSAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "memory/device.h"

typedef struct weir_gpu_stay {
    size_t bytes, at; /* at: offset in the block */
    int from, to;     /* to: 0 until it is freed */
} weir_gpu_stay;

struct weir_rehearsal {
    WEIR_VEC(weir_gpu_stay) stays;
    int clock;
    size_t now, most; /* bytes in use: now, and the peak */
    size_t bytes;     /* of the block; 0: no offsets are assigned */
    bool apart;       /* no two blocks overlap */
};

int weir_rehearsal_take(weir_rehearsal *rehearsal, size_t bytes); /* returns its number */
void weir_rehearsal_give(weir_rehearsal *rehearsal, int number);
/* Assigns the offsets. When all blocks together have at most |apart| bytes, none overlap: memory
 * that is reused ends a chain (chain.c). */
void weir_rehearsal_end(weir_rehearsal *rehearsal, size_t apart);
void weir_rehearsal_free(weir_rehearsal *rehearsal); /* takes null */

/* A block laid out by a rehearsal, while a step is recorded and until all of it is freed. */
typedef struct weir_gpu_places {
    const weir_rehearsal *rehearsal; /* null: no further allocations */
    void *owner;                     /* of the block */
    char *block;
    int next;  /* number of the next allocation */
    int users; /* live allocations, plus one for the recording */
    struct weir_gpu_place {
        struct weir_gpu_places *places;
        size_t at, end;
        bool taken;
    } at[]; /* by their numbers */
} weir_gpu_places;

weir_gpu_places *weir_gpu_places_create(const weir_rehearsal *rehearsal, void *block, void *owner);
/* The place of the next allocation; null: it differs from the rehearsal. */
struct weir_gpu_place *weir_gpu_places_take(weir_gpu_places *places, size_t bytes);
/* True: that was the last reference; the block is unused, and |places| was freed. */
bool weir_gpu_places_give(struct weir_gpu_place *place);
bool weir_gpu_places_end(weir_gpu_places *places); /* drops the recording's reference */

#endif
