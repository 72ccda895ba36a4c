/* gpu/rehearsal.h - when a step takes and gives back memory, and places for all of it in one block.
 *
 * A step that will be recorded is rehearsed first: the blocks that it takes are numbered, and how
 * long each one stays is noted. Large ones then get their places first, each in the smallest gap
 * that is free as long as it stays. A recorded step takes the same blocks again. That is not relied
 * on: a place is given only when it is large enough and nobody is there.
 *
 * One thread at a time.
 */
#ifndef WEIR_GPU_REHEARSAL_H
#define WEIR_GPU_REHEARSAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "memory/device.h"

typedef struct weir_gpu_stay {
    size_t bytes, at; /* at: from the block's beginning */
    int from, to;     /* to: 0 while nobody has given it back */
} weir_gpu_stay;

struct weir_rehearsal {
    WEIR_VEC(weir_gpu_stay) stays;
    int clock;
    size_t now, most; /* bytes at once */
    size_t bytes;     /* of the block; 0: there are no places */
    bool apart;       /* no two places share memory */
};

int weir_rehearsal_take(weir_rehearsal *rehearsal, size_t bytes); /* its number */
void weir_rehearsal_give(weir_rehearsal *rehearsal, int number);
/* Finds the places. Where all blocks together have at most |apart| bytes each has a place of its
 * own: chains (chain.c) end where a place is used again. */
void weir_rehearsal_end(weir_rehearsal *rehearsal, size_t apart);
void weir_rehearsal_free(weir_rehearsal *rehearsal); /* takes null */

/* A block with the places of a rehearsal, while a step is recorded and until all is given back. */
typedef struct weir_gpu_places {
    const weir_rehearsal *rehearsal; /* null: nothing more is taken */
    void *owner;                     /* of the block */
    char *block;
    int next;  /* the next that is taken */
    int users; /* how many are taken, and one for the recording */
    struct weir_gpu_place {
        struct weir_gpu_places *places;
        size_t at, end;
        bool taken;
    } at[]; /* by their numbers */
} weir_gpu_places;

weir_gpu_places *weir_gpu_places_create(const weir_rehearsal *rehearsal, void *block, void *owner);
/* The place of the next block; null: it is not as it was rehearsed. */
struct weir_gpu_place *weir_gpu_places_take(weir_gpu_places *places, size_t bytes);
/* True: that was the last one; the block is no longer used, and |places| was freed. */
bool weir_gpu_places_give(struct weir_gpu_place *place);
bool weir_gpu_places_end(weir_gpu_places *places); /* the recording's own; the same */

#endif
