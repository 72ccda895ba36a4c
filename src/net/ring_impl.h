/* net/ring_impl.h - a queue of records from one process to another, in memory that both map.
 *
 * One side writes, one reads; each side is used by one thread at a time. Data of the other side is
 * never trusted: numbers are read once and validated, and records are copied out.
 *
 *   offset  content
 *        0  head: bytes ever written                 (the writer's)
 *       64  tail: bytes ever read                    (the reader's)
 *      128  asleep: how to wake the reader           (set by the reader, cleared by either)
 *      132  full: the writer wants to be woken       (set by the writer, cleared by either)
 *     4096  RING_BYTES of records, each 8-byte aligned and contiguous
 */
#ifndef WEIR_NET_RING_IMPL_H
#define WEIR_NET_RING_IMPL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RING_BYTES = 1 << 20,
    RING_SPAN = RING_BYTES + 4096,    /* with the counters in front */
    RING_MAX_RECORD = RING_BYTES / 4, /* bytes of one record */
};

/* How to wake a reader of an empty ring. */
enum ring_wake {
    RING_AWAKE,
    RING_WAKE_BY_EVENT, /* by its eventfd: a thread that waits for many events */
    RING_WAKE_BY_WORD,  /* by the futex |asleep|: a thread that waits for this ring only */
};

typedef struct weir_ring_record {
    uint32_t size; /* of the whole record; a multiple of 8 */
    uint32_t kind; /* 0: padding up to the end of the ring */
} weir_ring_record;

typedef struct weir_ring {
    struct weir_ring_shared {
        _Alignas(64) _Atomic uint64_t head;
        _Alignas(64) _Atomic uint64_t tail;
        _Alignas(64) _Atomic uint32_t asleep;
        _Atomic uint32_t full;
    } * shared;
    char *data;
    uint64_t at; /* this side's own counter */
} weir_ring;

/* |span|: zeroed memory, or a ring that the other side has initialised. */
void weir_ring_init(weir_ring *ring, void *span);

/* For the writer: room for a record of |size| bytes, to be filled and published. Null: the ring is
 * full (the reader will wake this side), or the reader's counter is invalid: |out_broken|. */
void *weir_ring_reserve(weir_ring *ring, uint32_t size, bool *out_broken);
void weir_ring_publish(weir_ring *ring, uint32_t size); /* the reserved record */
/* Whether and how to wake the reader; clears that, so that it is woken once. */
uint32_t weir_ring_take_wake(weir_ring *ring);

/* For the reader: the next record, still in the ring, and its validated size. Null: none, or an
 * invalid one: |out_broken|. */
const void *weir_ring_peek(weir_ring *ring, uint32_t *out_size, bool *out_broken);
/* Whether a record may be available. */
bool weir_ring_has(const weir_ring *ring);
/* Frees the record that was read. */
void weir_ring_next(weir_ring *ring, uint32_t size);
/* Announces that this side sleeps and how to wake it; RING_AWAKE: it polls. False: a record arrived
 * in between. */
bool weir_ring_sleep(weir_ring *ring, enum ring_wake how);
/* True when the writer found the ring full and wants to be woken; clears that. */
bool weir_ring_writer_waits(weir_ring *ring);

#endif
