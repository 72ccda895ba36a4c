/* math/scratch.c - a few growing buffers per thread, and large buffers that are allocated. */
#include "math/scratch.h"

#include <pthread.h>
#include <stdint.h>

#include "base/mem.h"
#include "memory/buffer.h"

enum { ALIGN = 64 };

typedef struct scratch {
    void *at[WEIR_SCRATCH_USES];
    size_t bytes[WEIR_SCRATCH_USES];
    uint64_t tags[WEIR_SCRATCH_USES];
} scratch;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_scratch(void *arg)
{
    scratch *scratch = arg;
    for (int i = 0; i < WEIR_SCRATCH_USES; i++)
        weir_free(scratch->at[i]);
    weir_free(scratch);
}

static void make_key(void)
{
    pthread_key_create(&key, free_scratch);
}

/* The calling thread's scratch. */
static scratch *own_scratch(void)
{
    static _Thread_local scratch *cached;
    if (cached)
        return cached;
    pthread_once(&once, make_key);
    cached = WEIR_NEW(scratch);
    pthread_setspecific(key, cached);
    return cached;
}

static void *aligned(void *at)
{
    return (void *)(((uintptr_t)at + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1));
}

void *weir_scratch(weir_scratch_use use, size_t bytes)
{
    scratch *scratch = own_scratch();
    scratch->tags[use] = 0;
    if (scratch->bytes[use] < bytes + ALIGN) {
        weir_free(scratch->at[use]);
        scratch->bytes[use] = bytes + bytes / 4 + ALIGN;
        scratch->at[use] = weir_alloc(scratch->bytes[use]);
    }
    return aligned(scratch->at[use]);
}

void weir_scratch_tag(weir_scratch_use use, uint64_t tag)
{
    own_scratch()->tags[use] = tag;
}

void *weir_scratch_tagged(weir_scratch_use use, uint64_t tag)
{
    scratch *scratch = own_scratch();
    return scratch->tags[use] == tag ? aligned(scratch->at[use]) : NULL;
}

static void free_block(void *data, size_t bytes, void *block)
{
    weir_free(block);
}

void *weir_scratch_alloc(size_t bytes)
{
    weir_buffer *buffer = NULL;
    weir_status status = weir_buffer_alloc(bytes + ALIGN, &buffer);
    weir_status_free(status);
    if (status) { /* beyond the limit, or none at once: weir_alloc waits */
        char *block = weir_alloc(bytes + 2 * ALIGN);
        buffer = weir_buffer_wrap(aligned(block), bytes + ALIGN, free_block, block);
    }
    *(weir_buffer **)buffer->data = buffer;
    return (char *)buffer->data + ALIGN;
}

void weir_scratch_free(void *at)
{
    weir_buffer_release(*(weir_buffer **)((char *)at - ALIGN));
}
