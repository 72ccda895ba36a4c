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

/* Moves by the same walk between places that do not overlap. */
enum { WEIR_MEMORY_PIECES = 16 };
typedef struct weir_memory_pieces {
    int unit, count;
    weir_memory_walk walk;
    void *to[WEIR_MEMORY_PIECES];
    const void *from[WEIR_MEMORY_PIECES];
} weir_memory_pieces;

/* Work that was kept to be done again, whole: recordings of a memory. */
typedef struct weir_recording weir_recording;
/* What a step took of a memory, and for how long. */
typedef struct weir_rehearsal weir_rehearsal;

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
    weir_status (*walk_pieces)(weir_memory *memory, const weir_memory_pieces *pieces);
    weir_status (*clear)(weir_memory *memory, void *at, size_t bytes); /* to 0 */
    /* A point of the device's work, behind all that was given to it so far: its number, and when it
     * was passed, by weir_now_ns, which waits until it is. -1 and 0: that is not known. For steps
     * that are traced; the last some thousand points are kept. */
    int64_t (*mark)(weir_memory *memory);
    int64_t (*when)(weir_memory *memory, int64_t number);

    /* Recordings; null: this memory has none. From |record_begin| to |record_end| what this thread
     * does is done and kept, in memory that recordings alone use and that keeps its addresses. What
     * is done while |record_pause| holds is not kept. |record_end| fails when something was done
     * that cannot be done again, such as reading a value; the recording is dropped all the same by
     * |record_drop|. UNAVAILABLE: not now; also of |replay|, when the memory was wanted otherwise:
     * such a recording is of no more use.
     *
     * Where |*rehearsal| is null the work is rehearsed: |record_end| says ABORTED, and a recording
     * of the same work, made with |*rehearsal|, then takes no more memory than it needs. */
    weir_status (*record_begin)(weir_memory *memory, weir_rehearsal **rehearsal,
                                weir_recording **out_recording);
    void (*record_pause)(weir_recording *recording, bool pause);
    weir_status (*record_end)(weir_recording *recording);
    weir_status (*replay)(weir_recording *recording);        /* enqueues it, as every work here */
    bool (*recording_lost)(const weir_recording *recording); /* no replay will succeed */
    void (*record_drop)(weir_recording *recording);          /* takes null */
    void (*rehearsal_free)(weir_rehearsal *rehearsal);       /* takes null */
};

/* For whom this thread takes memory of devices: the name of a node. Null: nobody's. Memory that
 * runs out says who holds it. */
extern _Thread_local const char *weir_memory_user __attribute__((tls_model("initial-exec")));

/* A kernel of the processor's that only moves elements (ops/common/ndcopy.h) can run on a device:
 * while a memory is set here, what this thread moves is moved there. The first failure is kept in
 * |failed|, for the one who set it. */
typedef struct weir_memory_scope {
    weir_memory *memory;
    weir_status failed;
    weir_memory_pieces *pieces; /* null: a move is done at once; else several become one */
} weir_memory_scope;
extern _Thread_local weir_memory_scope *weir_memory_current
    __attribute__((tls_model("initial-exec")));
/* Moves elements in the scope's memory, or keeps that for later. */
void weir_memory_scope_walk(weir_memory_scope *scope, int unit, void *to, const void *from,
                            const weir_memory_walk *walk);
void weir_memory_scope_end(weir_memory_scope *scope); /* does what was kept */

#endif
