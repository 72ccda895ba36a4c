/* net/ring.c - one writer, one reader, two counters. */
#include "net/ring_impl.h"

void weir_ring_init(weir_ring *ring, void *span)
{
    ring->shared = span;
    ring->data = (char *)span + 4096;
    ring->at = 0;
}

/* ---- the writer ----------------------------------------------------------------------------- */

static size_t room(weir_ring *ring, bool *out_broken)
{
    uint64_t tail = atomic_load_explicit(&ring->shared->tail, memory_order_acquire);
    uint64_t filled = ring->at - tail;
    *out_broken = filled > RING_BYTES || tail % 8;
    return *out_broken ? 0 : RING_BYTES - filled;
}

void *weir_ring_reserve(weir_ring *ring, uint32_t size, bool *out_broken)
{
    size_t place = ring->at % RING_BYTES, to_end = RING_BYTES - place;
    size_t skip = to_end < size ? to_end : 0;
    if (room(ring, out_broken) < skip + size) {
        if (*out_broken)
            return NULL;
        atomic_store(&ring->shared->full, 1);
        if (room(ring, out_broken) <
            skip + size) /* the reader may have progressed before it saw |full| */
            return NULL;
    }
    if (skip) {
        *(weir_ring_record *)(ring->data + place) = (weir_ring_record){.size = (uint32_t)skip};
        ring->at += skip;
    }
    return ring->data + ring->at % RING_BYTES;
}

uint32_t weir_ring_take_wake(weir_ring *ring)
{
    return atomic_load(&ring->shared->asleep) ? atomic_exchange(&ring->shared->asleep, RING_AWAKE)
                                              : RING_AWAKE;
}

void weir_ring_publish(weir_ring *ring, uint32_t size)
{
    ring->at += size;
    atomic_store(&ring->shared->head, ring->at); /* before |asleep| is read */
}

/* ---- the reader ----------------------------------------------------------------------------- */

const void *weir_ring_peek(weir_ring *ring, uint32_t *out_size, bool *out_broken)
{
    for (;;) {
        uint64_t head = atomic_load_explicit(&ring->shared->head, memory_order_acquire);
        uint64_t there = head - ring->at;
        *out_broken = there > RING_BYTES || head % 8;
        if (*out_broken || !there)
            return NULL;
        size_t place = ring->at % RING_BYTES;
        const volatile weir_ring_record *at = (void *)(ring->data + place);
        uint32_t size = at->size, kind = at->kind;
        *out_broken = size < sizeof *at || size % 8 || size > there || size > RING_BYTES - place;
        if (*out_broken)
            return NULL;
        if (kind) {
            *out_size = size;
            return ring->data + place;
        }
        weir_ring_next(ring, size);
    }
}

bool weir_ring_has(const weir_ring *ring)
{
    return atomic_load_explicit(&ring->shared->head, memory_order_acquire) != ring->at;
}

void weir_ring_next(weir_ring *ring, uint32_t size)
{
    ring->at += size;
    atomic_store(&ring->shared->tail, ring->at); /* before |full| is read */
}

bool weir_ring_sleep(weir_ring *ring, enum ring_wake how)
{
    atomic_store(&ring->shared->asleep, how);
    if (atomic_load(&ring->shared->head) == ring->at)
        return true;
    atomic_store(&ring->shared->asleep, RING_AWAKE);
    return false;
}

bool weir_ring_writer_waits(weir_ring *ring)
{
    return atomic_load(&ring->shared->full) && atomic_exchange(&ring->shared->full, 0);
}
