/* memory/device.h - memory that is not the host's, as one table of functions.
 *
 * A buffer with a |memory| is on that device: the host must not dereference its data. Work on one
 * memory runs in order, so freed memory may be reused by later work at once.
 */
#ifndef WEIR_MEMORY_DEVICE_H
#define WEIR_MEMORY_DEVICE_H

#include <stdint.h>

#include "memory/buffer.h"

enum { WEIR_MEMORY_RANK = 8 };

/* For every index: to[sum i*to] = from[sum i*from]; strides in elements, of any sign. */
typedef struct weir_memory_walk {
    int rank;
    int64_t dims[WEIR_MEMORY_RANK], to[WEIR_MEMORY_RANK], from[WEIR_MEMORY_RANK];
} weir_memory_walk;

/* Moves with the same walk between buffers that do not overlap. */
enum { WEIR_MEMORY_PIECES = 16 };
typedef struct weir_memory_pieces {
    int unit, count;
    weir_memory_walk walk;
    void *to[WEIR_MEMORY_PIECES];
    const void *from[WEIR_MEMORY_PIECES];
} weir_memory_pieces;

/* A captured sequence of device work, to be replayed as a whole. */
typedef struct weir_recording weir_recording;
typedef enum weir_recording_state {
    WEIR_RECORDING_READY,
    WEIR_RECORDING_BUSY, /* not now */
    WEIR_RECORDING_LOST, /* no replay will succeed */
} weir_recording_state;
/* How much device memory a step allocated, and for how long. */
typedef struct weir_rehearsal weir_rehearsal;

typedef struct weir_memory weir_memory;
struct weir_memory {
    /* RESOURCE_EXHAUSTED when out of memory or above the device's limit. */
    weir_status (*alloc)(weir_memory *memory, size_t bytes, weir_buffer **out_buffer);
    /* From and to the host; both are synchronous. */
    weir_status (*copy_in)(weir_memory *memory, void *to, const void *from, size_t bytes);
    weir_status (*copy_out)(weir_memory *memory, void *to, const void *from, size_t bytes);
    weir_status (*copy)(weir_memory *memory, void *to, const void *from, size_t bytes); /* within */
    weir_status (*walk)(weir_memory *memory, int unit, void *to, const void *from,
                        const weir_memory_walk *walk); /* elements of |unit| bytes: 1, 2, 4, 8 */
    weir_status (*walk_pieces)(weir_memory *memory, const weir_memory_pieces *pieces);
    weir_status (*clear)(weir_memory *memory, void *at, size_t bytes); /* to 0 */
    /* A marker behind all work that was enqueued so far: its number; and the time it was passed, in
     * weir_now_ns, which waits for it. -1 and 0: not known. For tracing of steps; the last some
     * thousand markers are kept. */
    int64_t (*mark)(weir_memory *memory);
    int64_t (*when)(weir_memory *memory, int64_t number);

    /* Capture and replay; null: not supported. From |record_begin| to |record_end| this thread's
     * work is executed and captured, in memory that only recordings use and that keeps its
     * addresses. Work while |record_pause| is on is not captured. |record_end| fails after work
     * that cannot be replayed, such as reading a value; |record_drop| still frees the recording.
     * UNAVAILABLE: not possible now, as while another step is captured or rehearsed; |replay| also
     * returns it when the memory was reclaimed for other uses: such a recording is lost.
     *
     * If |*rehearsal| is null, the work is rehearsed: |record_end| returns ABORTED, and a recording
     * of the same work, made with |*rehearsal|, then allocates no more memory than it needs. */
    weir_status (*record_begin)(weir_memory *memory, weir_rehearsal **rehearsal,
                                weir_recording **out_recording);
    void (*record_pause)(weir_recording *recording, bool pause);
    weir_status (*record_end)(weir_recording *recording);
    weir_status (*replay)(weir_recording *recording); /* enqueues it, like all work here */
    weir_recording_state (*recording_state)(const weir_recording *recording);
    /* Whether recordings hold memory: a rehearsal can use it, a normal step cannot. */
    bool (*has_recordings)(weir_memory *memory);
    void (*record_drop)(weir_recording *recording);    /* takes null */
    void (*rehearsal_free)(weir_rehearsal *rehearsal); /* takes null */
};

/* The node for which this thread allocates device memory. Null: none. Errors about exhausted memory
 * list the holders. */
extern _Thread_local const char *weir_memory_user __attribute__((tls_model("initial-exec")));

/* Lets a CPU kernel that only moves elements (ops/common/ndcopy.h) run on a device: while a scope
 * is set, this thread's moves run in its memory. The first failure is stored in |failed|, for the
 * owner of the scope. */
typedef struct weir_memory_scope {
    weir_memory *memory;
    weir_status failed;
    weir_memory_pieces *pieces; /* null: moves run at once; else several are merged into one */
} weir_memory_scope;
extern _Thread_local weir_memory_scope *weir_memory_current
    __attribute__((tls_model("initial-exec")));
/* Moves elements in the scope's memory, or defers the move. */
void weir_memory_scope_walk(weir_memory_scope *scope, int unit, void *to, const void *from,
                            const weir_memory_walk *walk);
void weir_memory_scope_end(weir_memory_scope *scope); /* runs the deferred moves */

#endif
