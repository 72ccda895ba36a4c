/* memory/region.c - best fit with coalescing.
 *
 * A mapping is a range of address space, divided into blocks. Each block begins with a header with
 * its own size and that of the previous block; the last block of a mapping is a sentinel that is
 * never free.
 *
 *     | header | bytes ... | header | bytes ... | mark |
 *
 * Free blocks are in lists by size, four lists per power of two. Pages that no block ever used have
 * no memory behind them, so a mapping may be larger than its used part.
 *
 * Why not offsets planned from lifetimes: threads run a step's nodes in an order that differs from
 * step to step, so a plan may assign two tensors the same memory only if the graph orders all their
 * users, which needs more memory than allocation at run time. Best fit stays within a few per cent
 * of the live bytes (docs/reference/performance.md).
 */
#include "memory/region.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/env.h"
#include "base/mutex.h"
#include "base/room.h"
#include "memory/shared.h"

enum {
    HEAD = 64,       /* bytes of a header */
    GRAIN = 256,     /* granularity of sizes */
    MIN_REST = 4096, /* a smaller rest is not split off */
    PAGE = 4096,
    HUGE_PAGE = 2 << 20,
    FIRST_MAPPING = 4 << 20, /* of small pages, for small programs */
    MAPPING = 256 << 20,     /* the others, of huge pages */
    BINS = 4 * 44,
};

/* The limit of cached free memory. Fresh shared memory is mapped in small pages and costs ten times
 * as much as private memory, so more of it is cached: an eighth of the machine's. */
static size_t max_kept(void)
{
    size_t least = (size_t)1 << 30, shared = weir_shared_bytes() / 16;
    return shared > least ? shared : least;
}

typedef struct block {
    size_t bytes;    /* including the header */
    size_t before;   /* bytes of the block before; 0 for the first of a mapping */
    size_t resident; /* of a free block: approximate bytes with memory behind them */
    struct block *next, *prev;
    uint8_t region;
    bool free;
} block;
_Static_assert(sizeof(block) <= HEAD, "the header must hold a block");

typedef struct region {
    block *bins[BINS];
    uint64_t used[(BINS + 63) / 64]; /* bitmap of non-empty bins */
    size_t resident;                 /* bytes of free blocks with memory behind them */
} region;

enum { PRIVATE, SHARED, REGIONS };

static struct {
    weir_mutex lock;
    region of[REGIONS] WEIR_GUARDED_BY(lock);
    size_t live WEIR_GUARDED_BY(lock), peak WEIR_GUARDED_BY(lock), mappings WEIR_GUARDED_BY(lock);
} all = {.lock = WEIR_MUTEX_INIT};
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- bins ---- */

static int bin_of(size_t bytes)
{
    int shift = 63 - __builtin_clzll(bytes / GRAIN);
    int quarter = (int)((bytes >> shift) / (GRAIN / 4)) & 3;
    int bin = shift * 4 + quarter;
    return bin < BINS ? bin : BINS - 1;
}

static void link_free(region *region, block *block)
{
    int bin = bin_of(block->bytes);
    block->free = true;
    block->prev = NULL;
    block->next = region->bins[bin];
    if (block->next)
        block->next->prev = block;
    region->bins[bin] = block;
    region->used[bin / 64] |= (uint64_t)1 << bin % 64;
    region->resident += block->resident;
}

static void unlink_free(region *region, block *block)
{
    int bin = bin_of(block->bytes);
    if (block->next)
        block->next->prev = block->prev;
    if (block->prev)
        block->prev->next = block->next;
    else
        region->bins[bin] = block->next;
    if (!region->bins[bin])
        region->used[bin / 64] &= ~((uint64_t)1 << bin % 64);
    block->free = false;
    region->resident -= block->resident;
}

/* The first bin from |bin| on that has blocks, or BINS. */
static int next_bin(const region *region, int bin)
{
    for (int word = bin / 64; word < (int)(sizeof region->used / sizeof *region->used); word++) {
        uint64_t bits = region->used[word];
        if (word == bin / 64)
            bits &= ~(uint64_t)0 << bin % 64;
        if (bits)
            return word * 64 + __builtin_ctzll(bits);
    }
    return BINS;
}

/* The smallest block that holds |bytes|; among equal ones the lowest, which keeps the ends of
 * mappings untouched. */
static block *best(const region *region, size_t bytes)
{
    for (int bin = next_bin(region, bin_of(bytes)); bin < BINS; bin = next_bin(region, bin + 1)) {
        block *found = NULL;
        for (block *block = region->bins[bin]; block; block = block->next)
            if (block->bytes >= bytes && (!found || block->bytes < found->bytes ||
                                          (block->bytes == found->bytes && block < found)))
                found = block;
        if (found)
            return found;
    }
    return NULL;
}

/* ---- blocks ---- */

static block *after(const block *this_block)
{
    return (block *)((char *)this_block + this_block->bytes);
}

/* Splits |this_block|, which is in no list, at |bytes|; the rest becomes free. */
static void split(region *region, block *this_block, size_t bytes)
{
    if (this_block->bytes - bytes < MIN_REST)
        return;
    block *rest = (block *)((char *)this_block + bytes);
    size_t resident = this_block->resident > bytes ? this_block->resident - bytes : 0;
    *rest = (block){.bytes = this_block->bytes - bytes,
                    .before = bytes,
                    .resident = resident,
                    .region = this_block->region};
    this_block->bytes = bytes;
    after(rest)->before = rest->bytes;
    link_free(region, rest);
}

/* Coalesces |this_block|, which is in no list, with the free blocks before and after it. */
static block *join(region *region, block *this_block)
{
    block *next = after(this_block);
    if (next->free) {
        unlink_free(region, next);
        this_block->bytes += next->bytes;
        this_block->resident += next->resident;
    }
    if (this_block->before && ((block *)((char *)this_block - this_block->before))->free) {
        block *first = (block *)((char *)this_block - this_block->before);
        unlink_free(region, first);
        first->bytes += this_block->bytes;
        first->resident += this_block->resident;
        this_block = first;
    }
    after(this_block)->before = this_block->bytes;
    return this_block;
}

/* Returns the pages inside a free block to the system. */
static void release_pages(region *region, block *block)
{
    uintptr_t from = ((uintptr_t)block + HEAD + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t to = ((uintptr_t)block + block->bytes) & ~(uintptr_t)(PAGE - 1);
    if (from < to)
        madvise((void *)from, to - from, block->region == SHARED ? MADV_REMOVE : MADV_DONTNEED);
    region->resident -= block->resident;
    block->resident = 0;
}

/* ---- mappings ---- */

/* Address space aligned to a huge page; null on failure. */
static void *map_private(size_t bytes)
{
    char *at =
        mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    size_t skip = -(uintptr_t)at & (HUGE_PAGE - 1);
    if (skip)
        munmap(at, skip);
    if (skip < HUGE_PAGE)
        munmap(at + skip + bytes, HUGE_PAGE - skip);
    if (bytes > FIRST_MAPPING && !weir_env_get()->no_huge_pages)
        madvise(at + skip, bytes, MADV_HUGEPAGE);
    return at + skip;
}

static void *map_memory(int which, size_t bytes)
{
    return which == SHARED ? weir_shared_map(bytes) : map_private(bytes);
}

/* Adds a mapping with a free block of at least |bytes|. */
static bool grow(int which, size_t bytes) WEIR_REQUIRES(all.lock)
{
    if (bytes > SIZE_MAX / 2)
        return false;
    size_t room = (bytes + HEAD + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    size_t usual = all.mappings ? MAPPING : FIRST_MAPPING;
    usual = room > usual ? room : usual;
    void *at = map_memory(which, usual);
    if (!at && usual > room)
        at = map_memory(which, usual = room);
    if (!at)
        return false;
    block *this_block = at;
    *this_block = (block){.bytes = usual - HEAD, .region = (uint8_t)which};
    *after(this_block) =
        (block){.bytes = HEAD, .before = this_block->bytes, .region = (uint8_t)which};
    link_free(&all.of[which], this_block);
    all.mappings++;
    return true;
}

/* ---- the functions of region.h ---- */

static void trim_locked(void) WEIR_REQUIRES(all.lock)
{
    for (int i = 0; i < REGIONS; i++)
        for (int bin = 0; bin < BINS; bin++)
            for (block *block = all.of[i].bins[bin]; block; block = block->next)
                release_pages(&all.of[i], block);
}

static void lock_all(void) WEIR_ACQUIRE(all.lock)
{
    weir_mutex_lock(&all.lock);
}

static void unlock_all(void) WEIR_RELEASE(all.lock)
{
    weir_mutex_unlock(&all.lock);
}

/* For base/, which may call this while this thread holds the lock. */
static void trim_if_possible(void)
{
    if (!weir_mutex_try_lock(&all.lock))
        return;
    trim_locked();
    weir_mutex_unlock(&all.lock);
}

static void begin(void)
{
    weir_room_on_shortage(trim_if_possible);
    pthread_atfork(lock_all, unlock_all, unlock_all);
}

static block *take(int which, size_t bytes) WEIR_REQUIRES(all.lock)
{
    region *region = &all.of[which];
    block *block = best(region, bytes);
    if (!block && grow(which, bytes))
        block = best(region, bytes);
    if (!block)
        return NULL;
    unlink_free(region, block);
    split(region, block, bytes);
    all.live += block->bytes;
    all.peak = all.live > all.peak ? all.live : all.peak;
    return block;
}

void *weir_region_alloc(size_t bytes, size_t *out_bytes)
{
    if (bytes > SIZE_MAX / 4)
        return NULL;
    pthread_once(&once, begin);
    bytes = (bytes + HEAD + GRAIN - 1) & ~(size_t)(GRAIN - 1);
    weir_mutex_lock(&all.lock);
    block *block = weir_shared_bytes() ? take(SHARED, bytes) : NULL;
    if (!block)
        block = take(PRIVATE, bytes);
    weir_mutex_unlock(&all.lock);
    if (!block)
        return NULL;
    *out_bytes = block->bytes - HEAD;
    return (char *)block + HEAD;
}

void weir_region_free(void *at)
{
    block *this_block = (block *)((char *)at - HEAD);
    weir_mutex_lock(&all.lock);
    region *region = &all.of[this_block->region];
    all.live -= this_block->bytes;
    this_block->resident = this_block->bytes;
    this_block = join(region, this_block);
    link_free(region, this_block);
    if (region->resident > max_kept())
        release_pages(region, this_block);
    weir_mutex_unlock(&all.lock);
}

void weir_region_trim(void)
{
    weir_mutex_lock(&all.lock);
    trim_locked();
    weir_mutex_unlock(&all.lock);
}

weir_region_stats weir_region_get_stats(void)
{
    weir_mutex_lock(&all.lock);
    weir_region_stats stats = {.live_bytes = all.live,
                               .peak_bytes = all.peak,
                               .free_bytes = all.of[PRIVATE].resident + all.of[SHARED].resident,
                               .mappings = all.mappings};
    weir_mutex_unlock(&all.lock);
    return stats;
}
