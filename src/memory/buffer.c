/* memory/buffer.c - a buffer is one block of memory: the header, padding to 64 bytes, the data. */
#include "memory/buffer.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/recycle.h"
#include "base/room.h"
#include "memory/region.h"
#include "memory/shared.h"

enum {
    HEADER = 128, /* room for weir_buffer; aligns the data */
    SLACK = WEIR_ALIGNMENT - 16,
    LARGE_FROM = WEIR_SHARED_FROM, /* allocated from the region, where peers may read it */
    COUNT_FROM = 4096,             /* smaller buffers are not counted */
};
_Static_assert(sizeof(weir_buffer) <= HEADER, "the header must hold a weir_buffer");
_Static_assert(HEADER + SLACK + LARGE_FROM <= WEIR_RECYCLE_MOST, "small buffers have a class");

/* Pseudo-classes of buffers without a size class. */
enum { IN_REGION = -1, BY_ITSELF = -2 };

#if defined(__SANITIZE_ADDRESS__)
/* The sanitizer must see every allocation, except where peers must see the buffer, too. */
static bool by_region(void)
{
    return weir_shared_bytes() > 0;
}
#else
static bool by_region(void)
{
    return true;
}
#endif

static weir_buffer *set_up(void *block, size_t bytes, int size_class)
{
    char *at = (char *)(((uintptr_t)block + WEIR_ALIGNMENT - 1) & ~(uintptr_t)(WEIR_ALIGNMENT - 1));
    weir_buffer *buffer = (weir_buffer *)at;
    buffer->data = at + HEADER;
    buffer->bytes = (size_t)((char *)block + bytes - at) - HEADER;
    buffer->fini = NULL;
    buffer->release = NULL;
    buffer->read_only = buffer->lent = false;
    atomic_init(&buffer->shown, false);
    atomic_init(&buffer->version, 0);
    buffer->size_class = size_class;
    buffer->block = block;
    buffer->memory = NULL;
    return buffer;
}

static weir_buffer *small(size_t bytes)
{
    int c = weir_recycle_class(HEADER + SLACK + bytes);
    void *block = weir_recycle_take(c);
    return block ? set_up(block, weir_recycle_bytes(c), c) : NULL;
}

static weir_buffer *large(size_t bytes)
{
    size_t room = HEADER + bytes;
    void *block = NULL;
    bool region = by_region();
    if (region)
        block = weir_region_alloc(room, &room);
    else if (posix_memalign(&block, WEIR_ALIGNMENT, room) != 0)
        block = NULL;
    return block ? set_up(block, room, region ? IN_REGION : BY_ITSELF) : NULL;
}

static void give_back(weir_ref *ref)
{
    weir_buffer *buffer = (weir_buffer *)ref;
    if (buffer->fini)
        buffer->fini(buffer);
    if (buffer->release) {
        buffer->release(buffer->data, buffer->bytes, buffer->release_arg);
        weir_free(buffer);
        return;
    }
    if (buffer->bytes >= COUNT_FROM)
        weir_room_give(buffer->bytes);
    if (buffer->size_class >= 0) {
        weir_recycle_give(buffer->block, buffer->size_class);
    } else if (buffer->size_class == IN_REGION) {
        weir_region_free(buffer->block);
    } else {
        free(buffer->block);
    }
}

static weir_buffer *find_memory(size_t bytes)
{
    if (bytes < LARGE_FROM)
        return small(bytes);
    return bytes <= SIZE_MAX / 2 ? large(bytes) : NULL;
}

/* Allocates within the limit; frees cached memory when the system is out of it. */
static weir_buffer *find_counted(size_t bytes)
{
    size_t taken = bytes >= COUNT_FROM ? bytes : 0;
    if (!weir_room_take(taken))
        return NULL;
    weir_buffer *buffer = find_memory(bytes);
    if (!buffer) {
        weir_region_trim();
        buffer = find_memory(bytes);
    }
    weir_room_give(taken);
    if (buffer && buffer->bytes >= COUNT_FROM)
        weir_room_add(buffer->bytes); /* may be more than requested */
    return buffer;
}

weir_status weir_buffer_alloc(size_t bytes, weir_buffer **out_buffer)
{
    weir_buffer *buffer = find_counted(bytes);
    if (!buffer)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "OOM when allocating %zu bytes", bytes);
    weir_ref_init(&buffer->ref, give_back);
    *out_buffer = buffer;
    return WEIR_OK;
}

weir_buffer *weir_buffer_wrap(void *data, size_t bytes, void (*release)(void *, size_t, void *),
                              void *arg)
{
    weir_buffer *buffer = WEIR_NEW(weir_buffer);
    weir_ref_init(&buffer->ref, give_back);
    buffer->data = data;
    buffer->bytes = bytes;
    buffer->release = release;
    buffer->release_arg = arg;
    return buffer;
}

/* The last version number of this process, which starts at a random one; 0: none yet. */
static _Atomic uint64_t last;

/* A forked process must not give its parent's next numbers to other bytes. */
static void forget_last(void)
{
    atomic_store_explicit(&last, 0, memory_order_relaxed);
}

static void forget_in_children(void)
{
    pthread_atfork(NULL, NULL, forget_last);
}

static uint64_t next_version(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uint64_t number = atomic_load_explicit(&last, memory_order_relaxed), begin = 0;
    if (!number) {
        pthread_once(&once, forget_in_children);
        while (!begin)
            if (getrandom(&begin, sizeof begin, 0) != sizeof begin)
                begin = (uint64_t)weir_now_ns() ^ (uint64_t)getpid() << 40;
        if (!atomic_compare_exchange_strong(&last, &number, begin))
            begin = number;
    }
    number = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed);
    return number ? number : next_version();
}

uint64_t weir_buffer_version(weir_buffer *buffer)
{
    if (buffer->release || buffer->read_only || buffer->fini || buffer->memory ||
        weir_buffer_shown(buffer))
        return 0;
    uint64_t version = atomic_load_explicit(&buffer->version, memory_order_relaxed);
    if (version)
        return version;
    uint64_t made = next_version();
    return atomic_compare_exchange_strong(&buffer->version, &version, made) ? made : version;
}

weir_buffer_stats weir_buffer_get_stats(void)
{
    weir_region_stats stats = weir_region_get_stats();
    return (weir_buffer_stats){stats.live_bytes, stats.peak_bytes, stats.free_bytes};
}
