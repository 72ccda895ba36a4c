/* math/train/train.c - selects the loop of a rule, and runs it over memory that other cores may
 * have cached. */
#include <stddef.h>

#include "base/cpu.h"
#include "math/train/train_impl.h"

weir_train_fn weir_train_find(weir_train_rule rule, weir_elem elem)
{
    const weir_train_loops *loops = WEIR_ISA_PICK(weir_train_loops);
    switch (elem) {
    case WEIR_E_f32:
        return loops->f32.at[rule];
    case WEIR_E_f64:
        return loops->f64.at[rule];
    case WEIR_E_f16:
        return weir_train_f16.at[rule];
    case WEIR_E_bf16:
        return weir_train_bf16.at[rule];
    case WEIR_E_c64:
        return weir_train_c64.at[rule];
    case WEIR_E_c128:
        return weir_train_c128.at[rule];
    default:
        return NULL;
    }
}

enum { TILE_BYTES = 4096, LINE_BYTES = 64 };

/* Prefetches the slots for writing. Lines cached by other cores are shared, and stores would wait
 * for the invalidation of each, one after the other. */
static void prefetch_slots(const weir_train *train, int slots, size_t from, size_t bytes)
{
    for (int k = 0; k < slots; k++)
        for (size_t i = 0; i < bytes; i += LINE_BYTES)
            weir_cpu_prefetch_write((char *)train->slots[k] + from + i);
}

void weir_train_run(weir_train_fn fn, const weir_train *train, int slots, size_t unit,
                    int64_t count)
{
    size_t all = (size_t)count * unit;
    prefetch_slots(train, slots, 0, all < TILE_BYTES ? all : TILE_BYTES);
    for (size_t from = 0; from < all; from += TILE_BYTES) {
        size_t left = all - from, bytes = left < TILE_BYTES ? left : TILE_BYTES,
               next = left - bytes;
        prefetch_slots(train, slots, from + bytes, next < TILE_BYTES ? next : TILE_BYTES);
        weir_train tile = *train;
        for (int k = 0; k < slots; k++)
            tile.slots[k] = (char *)train->slots[k] + from;
        tile.grad = (const char *)train->grad + from;
        fn(&tile, (int64_t)(bytes / unit));
    }
}
