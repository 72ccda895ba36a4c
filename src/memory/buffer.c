/* memory/buffer.c - a buffer is one block of memory: the header, padding to 64 bytes, the data. */
#include "memory/buffer.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/recycle.h"
#include "memory/region.h"
#include "memory/shared.h"

enum {
    HEADER = 128, /* room for weir_buffer; keeps data aligned */
    SLACK = WEIR_ALIGNMENT - 16,
    LARGE_FROM = WEIR_SHARED_FROM, /* in the region, where peers may see it */
};
_Static_assert(sizeof(weir_buffer) <= HEADER, "the header must hold a weir_buffer");
_Static_assert(HEADER + SLACK + LARGE_FROM <= WEIR_RECYCLE_MOST, "small buffers have a class");

/* What stands for a class where a buffer has none. */
enum { IN_REGION = -1, BY_ITSELF = -2 };

#if defined(__SANITIZE_ADDRESS__)
/* The sanitizer must see every buffer by itself, except where peers must see it too. */
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
    weir_buffer *b = (weir_buffer *)at;
    b->data = at + HEADER;
    b->bytes = (size_t)((char *)block + bytes - at) - HEADER;
    b->fini = NULL;
    b->release = NULL;
    b->read_only = false;
    b->size_class = size_class;
    b->block = block;
    return b;
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
    weir_buffer *b = (weir_buffer *)ref;
    if (b->fini)
        b->fini(b);
    if (b->release) {
        b->release(b->data, b->bytes, b->release_arg);
        weir_free(b);
    } else if (b->size_class >= 0) {
        weir_recycle_give(b->block, b->size_class);
    } else if (b->size_class == IN_REGION) {
        weir_region_free(b->block);
    } else {
        free(b->block);
    }
}

weir_status weir_buffer_alloc(size_t bytes, weir_buffer **out_buffer)
{
    weir_buffer *b = NULL;
    if (bytes < LARGE_FROM)
        b = small(bytes);
    else if (bytes <= SIZE_MAX / 2)
        b = large(bytes);
    if (!b)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "OOM when allocating %zu bytes", bytes);
    weir_ref_init(&b->ref, give_back);
    *out_buffer = b;
    return WEIR_OK;
}

weir_buffer *weir_buffer_wrap(void *data, size_t bytes, void (*release)(void *, size_t, void *),
                              void *arg)
{
    weir_buffer *b = WEIR_NEW(weir_buffer);
    weir_ref_init(&b->ref, give_back);
    b->data = data;
    b->bytes = bytes;
    b->release = release;
    b->release_arg = arg;
    return b;
}

weir_buffer_stats weir_buffer_get_stats(void)
{
    weir_region_stats s = weir_region_get_stats();
    return (weir_buffer_stats){s.live_bytes, s.peak_bytes, s.free_bytes};
}

void weir_buffer_trim(void)
{
    weir_region_trim();
}
