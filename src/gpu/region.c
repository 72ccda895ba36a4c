/* gpu/region.c - ranges sorted by address. */
#include "gpu/region.h"

#include <string.h>

enum { ALIGNED = 256, SMALL_CHUNK = 2 << 20, LARGE_CHUNK = 256 << 20 };

static size_t round_up(size_t bytes)
{
    return bytes ? (bytes + ALIGNED - 1) / ALIGNED * ALIGNED : ALIGNED;
}

static void insert(weir_gpu_region *region, size_t at, weir_gpu_range range)
{
    weir_vec_push(&region->ranges, range);
    memmove(&region->ranges.at[at + 1], &region->ranges.at[at],
            (region->ranges.count - 1 - at) * sizeof range);
    region->ranges.at[at] = range;
}

static void erase(weir_gpu_region *region, size_t at)
{
    region->ranges.count--;
    memmove(&region->ranges.at[at], &region->ranges.at[at + 1],
            (region->ranges.count - at) * sizeof *region->ranges.at);
}

/* The first range that starts after |at|. */
static size_t behind(const weir_gpu_region *region, const void *at)
{
    size_t low = 0, high = region->ranges.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (region->ranges.at[middle].at > (const char *)at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void *weir_gpu_region_take(weir_gpu_region *region, size_t bytes)
{
    size_t best = region->ranges.count, wanted = round_up(bytes);
    for (size_t i = 0; i < region->ranges.count; i++) {
        const weir_gpu_range *range = &region->ranges.at[i];
        if (!range->used && range->bytes >= wanted &&
            (best == region->ranges.count || range->bytes < region->ranges.at[best].bytes))
            best = i;
    }
    if (best == region->ranges.count)
        return NULL;
    weir_gpu_range *taken = &region->ranges.at[best];
    weir_gpu_range rest = {taken->at + wanted, taken->bytes - wanted, false, false, NULL};
    char *at = taken->at;
    taken->used = true;
    taken->bytes = wanted;
    if (rest.bytes)
        insert(region, best + 1, rest);
    return at;
}

/* At least as much as the region already has, so that chunks are few. */
size_t weir_gpu_region_wants(const weir_gpu_region *region, size_t bytes)
{
    size_t usual = region->bytes < SMALL_CHUNK   ? SMALL_CHUNK
                   : region->bytes > LARGE_CHUNK ? LARGE_CHUNK
                                                 : region->bytes;
    size_t wanted = round_up(bytes);
    return wanted > usual ? wanted : usual;
}

void weir_gpu_region_add(weir_gpu_region *region, void *chunk, size_t bytes, void *owner)
{
    region->bytes += bytes;
    insert(region, behind(region, chunk), (weir_gpu_range){chunk, bytes, false, true, owner});
}

/* Merges range |at| with the next one if both are free. */
static void join(weir_gpu_region *region, size_t at)
{
    if (at + 1 >= region->ranges.count)
        return;
    weir_gpu_range *range = &region->ranges.at[at], *next = range + 1;
    if (range->used || next->used || next->begins)
        return;
    range->bytes += next->bytes;
    erase(region, at + 1);
}

void weir_gpu_region_give(weir_gpu_region *region, void *at)
{
    size_t index = behind(region, at) - 1;
    region->ranges.at[index].used = false;
    join(region, index);
    if (index)
        join(region, index - 1);
}

void *weir_gpu_region_drop(weir_gpu_region *region)
{
    for (size_t i = 0; i < region->ranges.count; i++) {
        weir_gpu_range range = region->ranges.at[i];
        bool whole = i + 1 == region->ranges.count || region->ranges.at[i + 1].begins;
        if (range.used || !range.begins || !whole)
            continue;
        erase(region, i);
        region->bytes -= range.bytes;
        if (!region->ranges.count)
            weir_vec_fini(&region->ranges);
        return range.owner;
    }
    return NULL;
}
