/* base/mem.c - checked allocation, reuse by size class, and arenas of growing blocks. */
#include "base/mem.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/recycle.h"
#include "base/room.h"

/* ---- out of memory --------------------------------------------------------------------------- */

enum {
    RESERVE = 4 << 20,   /* bytes that are freed as the last resort */
    WAITS = 200,         /* retries, while others may free memory, ... */
    WAIT_US = 10 * 1000, /* ... at this interval */
    EXIT_CODE = 70       /* EX_SOFTWARE of sysexits.h */
};

static _Atomic(void *) reserve;

/* Reserves some address space for when memory runs out; its pages are never touched. */
static void keep_reserve(void)
{
    void *none = NULL, *block = atomic_load(&reserve) ? NULL : malloc(RESERVE);
    if (block && !atomic_compare_exchange_strong(&reserve, &none, block))
        free(block);
}

static void *try_again(void *old, size_t bytes)
{
    for (int i = 0; i < WAITS; i++) {
        weir_room_trim();
        void *ptr = old ? realloc(old, bytes) : malloc(bytes);
        if (ptr)
            return ptr;
        if (i == 0)
            free(atomic_exchange(&reserve, NULL));
        else
            usleep(WAIT_US);
    }
    return NULL;
}

/* A block of |bytes| after the first allocation failed; |old|, if any, is reallocated. On failure
 * the process exits at once, with one line: exit handlers could not run without memory. */
static void *insist(void *old, size_t bytes)
{
    void *ptr = try_again(old, bytes);
    if (!ptr) {
        fprintf(stderr, "weir: out of memory: the system refused %zu bytes\n", bytes);
        _exit(EXIT_CODE);
    }
    return ptr;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

void *weir_alloc(size_t bytes)
{
    int c = weir_recycle_class(bytes);
    void *ptr = c < 0 ? malloc(bytes) : weir_recycle_take(c);
    if (__builtin_expect(!ptr, 0))
        ptr = insist(NULL, c < 0 ? bytes + !bytes : weir_recycle_bytes(c));
    if (c < 0)
        keep_reserve();
    return ptr;
}

void *weir_zalloc(size_t bytes)
{
    if (bytes <= WEIR_RECYCLE_MOST)
        return memset(weir_alloc(bytes), 0, bytes);
    void *ptr = calloc(1, bytes); /* fresh memory is clear */
    return ptr ? ptr : memset(insist(NULL, bytes), 0, bytes);
}

enum { ALIGNED = 64 };

/* The address of the block is stored before the aligned memory, for weir_free_aligned. */
void *weir_zalloc_aligned(size_t bytes)
{
    char *block = weir_alloc(bytes + ALIGNED);
    void *at = block + ALIGNED - (uintptr_t)block % ALIGNED;
    ((void **)at)[-1] = block;
    return memset(at, 0, bytes);
}

void weir_free_aligned(void *ptr)
{
    if (ptr)
        weir_free(((void **)ptr)[-1]);
}

static void *grow(void *ptr, size_t bytes)
{
    void *grown = realloc(ptr, bytes);
    return grown || !bytes ? grown : insist(ptr, bytes);
}

/* Blocks above the size classes are the C library's, which may be able to grow them in place. */
void *weir_realloc(void *ptr, size_t bytes)
{
    if (!ptr)
        return weir_alloc(bytes);
    size_t has = malloc_usable_size(ptr);
    if (bytes <= has && bytes >= has / 2)
        return ptr;
    if (bytes > WEIR_RECYCLE_MOST && has > WEIR_RECYCLE_MOST)
        return grow(ptr, bytes);
    void *to = weir_alloc(bytes);
    memcpy(to, ptr, has < bytes ? has : bytes);
    weir_free(ptr);
    return to;
}

void weir_free(void *ptr)
{
    if (!ptr)
        return;
    int c = weir_recycle_serves(malloc_usable_size(ptr));
    if (c < 0)
        free(ptr);
    else
        weir_recycle_give(ptr, c);
}

void weir_free_at(void *pointer_to_it)
{
    void *it;
    memcpy(&it, pointer_to_it, sizeof it);
    weir_free(it);
}

char *weir_strndup(const char *text, size_t length)
{
    char *copy = weir_alloc(length + 1);
    if (length)
        memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *weir_strdup(const char *text)
{
    return weir_strndup(text, strlen(text));
}

struct weir_arena_block {
    struct weir_arena_block *older;
    size_t bytes;
};

struct weir_arena_defer {
    struct weir_arena_defer *older;
    void (*fn)(void *);
    void *arg;
};

enum { BLOCK_HEAD = 16, FIRST_BLOCK = 1024, LARGEST_BLOCK = 256 * 1024 };

void weir_arena_init(weir_arena *arena)
{
    memset(arena, 0, sizeof *arena);
}

void weir_arena_fini(weir_arena *arena)
{
    for (struct weir_arena_defer *defer = arena->defers; defer; defer = defer->older)
        defer->fn(defer->arg);
    for (struct weir_arena_block *block = arena->blocks, *older; block; block = older) {
        older = block->older;
        weir_free(block);
    }
    memset(arena, 0, sizeof *arena);
}

static void *new_block(weir_arena *arena, size_t bytes)
{
    size_t size = arena->blocks ? arena->blocks->bytes * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    bool own = bytes > size / 2; /* a large request gets its own block, after the current one */
    if (own)
        size = bytes;
    struct weir_arena_block *block = weir_alloc(BLOCK_HEAD + size);
    arena->bytes += size;
    block->bytes = own && arena->blocks ? arena->blocks->bytes : size;
    if (own && arena->blocks) {
        block->older = arena->blocks->older;
        arena->blocks->older = block;
        return (char *)block + BLOCK_HEAD;
    }
    block->older = arena->blocks;
    arena->blocks = block;
    arena->next = (char *)block + BLOCK_HEAD + bytes;
    arena->end = (char *)block + BLOCK_HEAD + size;
    return (char *)block + BLOCK_HEAD;
}

void *weir_arena_alloc(weir_arena *arena, size_t bytes)
{
    bytes = (bytes + !bytes + 15) & ~(size_t)15; /* at least 16 bytes, also for 0 */
    if ((size_t)(arena->end - arena->next) < bytes)
        return new_block(arena, bytes);
    void *ptr = arena->next;
    arena->next += bytes;
    return ptr;
}

void *weir_arena_zalloc(weir_arena *arena, size_t bytes)
{
    return memset(weir_arena_alloc(arena, bytes), 0, bytes);
}

char *weir_arena_strndup(weir_arena *arena, const char *text, size_t length)
{
    char *copy = weir_arena_alloc(arena, length + 1);
    if (length)
        memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *weir_arena_strdup(weir_arena *arena, const char *text)
{
    return weir_arena_strndup(arena, text, strlen(text));
}

void weir_arena_defer(weir_arena *arena, void (*fn)(void *), void *arg)
{
    struct weir_arena_defer *defer = weir_arena_alloc(arena, sizeof *defer);
    *defer = (struct weir_arena_defer){arena->defers, fn, arg};
    arena->defers = defer;
}
