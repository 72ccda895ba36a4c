/* cuda/feed.c - rings of pinned buffers, and two staging slots in device memory.
 *
 * A pinned buffer may be overwritten once the copy from it is done, a slot once its contents have
 * been copied to the destination. Events signal both; the device waits for a slot's.
 */
#include "cuda/feed.h"

#include <string.h>

#include "base/mem.h"
#include "base/pool.h"

enum {
    SMALL = 64 << 10, /* copies up to this size stay in the compute stream */
    SMALL_PIECES = 64,
    LARGE = 8 << 20,
    LARGE_PIECES = 4,  /* few, so that they stay in a CPU cache */
    FETCHED = 2 << 20, /* bytes of a piece to the host */
    SLOTS = 2,
    MOST = 512 << 20,  /* bytes of a slot */
    SHARE = 256 << 10, /* bytes per thread */
    MOST_THREADS = 15, /* enough to read host memory at its full bandwidth */
};

typedef struct ring {
    char *at; /* pinned; null: not allocated yet */
    size_t piece;
    int count, next;
    cu_event done[SMALL_PIECES]; /* events after the copies from the buffers */
} ring;

typedef struct slot {
    cu_address at;
    size_t bytes;
    cu_event arrived, emptied;
} slot;

struct weir_cuda_feed {
    const weir_cuda_functions *cuda;
    cu_stream kernels, copies;
    ring small, large;
    slot slots[SLOTS];
    int next;
    bool impossible; /* no pinned memory, or no stream */
};

/* ---- pinned memory --------------------------------------------------------------------------- */

static cu_result create_event(const weir_cuda_feed *feed, cu_event *out_event)
{
    return feed->cuda->event_create(out_event, CU_EVENT_WITHOUT_TIME);
}

static cu_result take_ring(const weir_cuda_feed *feed, ring *ring)
{
    cu_result result = CU_SUCCESS;
    void *at = NULL;
    if (ring->at)
        return CU_SUCCESS;
    for (int i = 0; i < ring->count && !result; i++)
        result = ring->done[i] ? CU_SUCCESS : create_event(feed, &ring->done[i]);
    if (!result)
        result = feed->cuda->host_alloc(&at, ring->piece * (size_t)ring->count, 0);
    ring->at = result ? NULL : at;
    return result;
}

static void give_ring(const weir_cuda_feed *feed, ring *ring)
{
    for (int i = 0; i < ring->count; i++)
        if (ring->done[i])
            feed->cuda->event_destroy(ring->done[i]);
    if (ring->at)
        feed->cuda->host_free(ring->at);
}

typedef struct copied {
    char *to;
    const char *from;
    size_t bytes;
} copied;

static void copy_shares(void *ctx, int64_t begin, int64_t end)
{
    const copied *copied = ctx;
    size_t first = (size_t)begin * SHARE, last = (size_t)end * SHARE;
    last = last < copied->bytes ? last : copied->bytes;
    memcpy(copied->to + first, copied->from + first, last - first);
}

static void copy_by_threads(char *to, const char *from, size_t bytes)
{
    copied copied = {to, from, bytes};
    int64_t shares = (int64_t)((bytes + SHARE - 1) / SHARE);
    if (shares <= 1) {
        memcpy(to, from, bytes);
        return;
    }
    weir_par par = {weir_pool_shared(), MOST_THREADS};
    weir_par_for(&par, shares, 1, copy_shares, &copied);
}

/* At most a piece. */
static cu_result send_piece(weir_cuda_feed *feed, ring *ring, cu_address to, const char *from,
                            size_t bytes, cu_stream stream)
{
    int number = ring->next;
    char *piece = ring->at + ring->piece * (size_t)number;
    ring->next = (number + 1) % ring->count;
    cu_result result = feed->cuda->event_wait(ring->done[number]); /* if never recorded: complete */
    if (result)
        return result;
    copy_by_threads(piece, from, bytes);
    result = feed->cuda->copy_in(to, piece, bytes, stream);
    return result ? result : feed->cuda->event_record(ring->done[number], stream);
}

static cu_result send(weir_cuda_feed *feed, ring *ring, cu_address to, const char *from,
                      size_t bytes, cu_stream stream)
{
    cu_result result = CU_SUCCESS;
    for (size_t at = 0; at < bytes && !result; at += ring->piece) {
        size_t part = bytes - at < ring->piece ? bytes - at : ring->piece;
        result = send_piece(feed, ring, to + at, from + at, part, stream);
    }
    return result;
}

typedef struct fetched {
    char *to;
    cu_address from;
    size_t bytes;
    int first; /* buffer of the ring */
} fetched;

/* Starts piece |i|, of at most FETCHED bytes, to its pinned buffer. */
static cu_result send_out(const weir_cuda_feed *feed, const ring *ring, const fetched *f, size_t i)
{
    size_t at = i * FETCHED, part = f->bytes - at < FETCHED ? f->bytes - at : FETCHED;
    size_t number = ((size_t)f->first + i) % (size_t)ring->count;
    cu_result result = feed->cuda->event_wait(ring->done[number]);
    if (!result)
        result = feed->cuda->copy_out(ring->at + ring->piece * number, f->from + at, part,
                                      feed->kernels);
    return result ? result : feed->cuda->event_record(ring->done[number], feed->kernels);
}

static cu_result receive(const weir_cuda_feed *feed, const ring *ring, const fetched *f, size_t i)
{
    size_t at = i * FETCHED, part = f->bytes - at < FETCHED ? f->bytes - at : FETCHED;
    size_t number = ((size_t)f->first + i) % (size_t)ring->count;
    cu_result result = feed->cuda->event_wait(ring->done[number]);
    if (!result)
        copy_by_threads(f->to + at, ring->at + ring->piece * number, part);
    return result;
}

/* ---- slots ----------------------------------------------------------------------------------- */

static cu_result make_events(const weir_cuda_feed *feed, slot *slot)
{
    cu_result result = slot->arrived ? CU_SUCCESS : create_event(feed, &slot->arrived);
    return result || slot->emptied ? result : create_event(feed, &slot->emptied);
}

/* The least recently used slot, with room for |bytes|; null: there is none. */
static slot *take_slot(weir_cuda_feed *feed, size_t bytes)
{
    slot *slot = &feed->slots[feed->next];
    if (bytes > MOST || make_events(feed, slot))
        return NULL;
    if (slot->bytes < bytes) {
        if (slot->at && feed->cuda->event_wait(slot->emptied))
            return NULL;
        if (slot->at)
            feed->cuda->free(slot->at);
        slot->bytes = 0;
        if (feed->cuda->alloc(&slot->at, bytes)) {
            slot->at = 0;
            return NULL;
        }
        slot->bytes = bytes;
    }
    feed->next = (feed->next + 1) % SLOTS;
    return slot;
}

static cu_result send_beside(weir_cuda_feed *feed, slot *slot, cu_address to, const char *from,
                             size_t bytes)
{
    const weir_cuda_functions *cuda = feed->cuda;
    cu_result result = cuda->stream_wait_event(feed->copies, slot->emptied, 0);
    if (!result)
        result = send(feed, &feed->large, slot->at, from, bytes, feed->copies);
    if (!result)
        result = cuda->event_record(slot->arrived, feed->copies);
    if (!result)
        result = cuda->stream_wait_event(feed->kernels, slot->arrived, 0);
    if (!result)
        result = cuda->copy_within(to, slot->at, bytes, feed->kernels);
    return result ? result : cuda->event_record(slot->emptied, feed->kernels);
}

static cu_result prepare(weir_cuda_feed *feed, ring *ring)
{
    if (feed->impossible)
        return WEIR_CUDA_FEED_IMPOSSIBLE;
    cu_result result = take_ring(feed, ring);
    if (!result && ring == &feed->large && !feed->copies)
        result = feed->cuda->stream_create(&feed->copies, CU_STREAM_NON_BLOCKING);
    feed->impossible = result != CU_SUCCESS;
    return result ? WEIR_CUDA_FEED_IMPOSSIBLE : CU_SUCCESS;
}

cu_result weir_cuda_feed_copy(weir_cuda_feed *feed, cu_address to, const void *from, size_t bytes)
{
    ring *ring = bytes <= SMALL ? &feed->small : &feed->large;
    cu_result result = prepare(feed, ring);
    slot *slot = result || ring == &feed->small ? NULL : take_slot(feed, bytes);
    if (result)
        return result;
    return slot ? send_beside(feed, slot, to, from, bytes)
                : send(feed, ring, to, from, bytes, feed->kernels);
}

/* Pieces are copied to pinned memory while earlier ones are copied out of it. */
cu_result weir_cuda_feed_fetch(weir_cuda_feed *feed, void *to, cu_address from, size_t bytes)
{
    ring *ring = &feed->large;
    size_t count = (bytes + FETCHED - 1) / FETCHED, ahead = (size_t)ring->count;
    cu_result result = bytes <= SMALL ? WEIR_CUDA_FEED_IMPOSSIBLE : prepare(feed, ring);
    if (result)
        return result;
    fetched f = {to, from, bytes, ring->next};
    for (size_t i = 0; i < count + ahead && !result; i++) {
        if (i >= ahead && i - ahead < count)
            result = receive(feed, ring, &f, i - ahead);
        if (i < count && !result)
            result = send_out(feed, ring, &f, i);
    }
    ring->next = (int)(((size_t)f.first + count) % ahead);
    return result;
}

void weir_cuda_feed_release(weir_cuda_feed *feed)
{
    for (int i = 0; i < SLOTS && feed; i++) {
        slot *slot = &feed->slots[i];
        if (slot->at && feed->cuda->event_wait(slot->emptied) == CU_SUCCESS) {
            feed->cuda->free(slot->at);
            slot->at = 0;
            slot->bytes = 0;
        }
    }
}

int64_t weir_cuda_feed_held(const weir_cuda_feed *feed)
{
    int64_t bytes = 0;
    for (int i = 0; i < SLOTS && feed; i++)
        bytes += (int64_t)feed->slots[i].bytes;
    return bytes;
}

weir_cuda_feed *weir_cuda_feed_create(const weir_cuda_functions *cuda, cu_stream stream)
{
    weir_cuda_feed *feed = WEIR_NEW(weir_cuda_feed);
    *feed = (weir_cuda_feed){.cuda = cuda,
                             .kernels = stream,
                             .small = {.piece = SMALL, .count = SMALL_PIECES},
                             .large = {.piece = LARGE, .count = LARGE_PIECES}};
    return feed;
}

void weir_cuda_feed_destroy(weir_cuda_feed *feed)
{
    if (!feed)
        return;
    if (feed->copies) {
        feed->cuda->stream_wait(feed->copies);
        feed->cuda->stream_destroy(feed->copies);
    }
    give_ring(feed, &feed->small);
    give_ring(feed, &feed->large);
    for (int i = 0; i < SLOTS; i++) {
        slot *slot = &feed->slots[i];
        if (slot->arrived)
            feed->cuda->event_destroy(slot->arrived);
        if (slot->emptied)
            feed->cuda->event_destroy(slot->emptied);
        if (slot->at)
            feed->cuda->free(slot->at);
    }
    weir_free(feed);
}
