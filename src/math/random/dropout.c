/* math/random/dropout.c - dropout with one batch of random numbers at a time, not stored as a
 * tensor. */
#include "math/random/dropout.h"

#include "math/random/batch.h"

enum { TILE = 4 * WEIR_BATCH, GRAIN = 64 /* tiles per thread */ };
_Static_assert(TILE == 256, "weir_dropout_bytes counts whole tiles");

typedef struct work {
    weir_philox gen;
    float rate, scale;
    int64_t count;
    const float *x;
    float *y;
    uint8_t *bits;
    const weir_random_batch *batch;
} work;

static int64_t tile_length(const work *work, int64_t tile)
{
    int64_t left = work->count - tile * TILE;
    return left < TILE ? left : TILE;
}

static void drop_tiles(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    for (int64_t t = begin; t < end; t++) {
        uint64_t blocks[WEIR_BATCH];
        float u[TILE];
        for (int i = 0; i < WEIR_BATCH; i++)
            blocks[i] = (uint64_t)(t * WEIR_BATCH + i);
        work->batch->uniforms(&work->gen, blocks, u);
        work->batch->drop(u, work->rate, work->scale, tile_length(work, t), work->x + t * TILE,
                          work->y + t * TILE, work->bits + t * (TILE / 8));
    }
}

static void mask_tiles(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    for (int64_t t = begin; t < end; t++)
        work->batch->mask(work->bits + t * (TILE / 8), work->scale, tile_length(work, t),
                          work->x + t * TILE, work->y + t * TILE);
}

static int64_t tiles(int64_t count)
{
    return (count + TILE - 1) / TILE;
}

void weir_dropout(const weir_par *par, weir_philox gen, float rate, float scale, int64_t count,
                  const float *x, float *y, uint8_t *bits)
{
    work work = {gen, rate, scale, count, x, y, bits, WEIR_ISA_PICK(weir_random_batch)};
    weir_par_for(par, tiles(count), GRAIN, drop_tiles, &work);
}

void weir_dropout_again(const weir_par *par, const uint8_t *bits, float scale, int64_t count,
                        const float *x, float *y)
{
    work work = {.scale = scale,
                 .count = count,
                 .x = x,
                 .y = y,
                 .bits = (uint8_t *)bits,
                 .batch = WEIR_ISA_PICK(weir_random_batch)};
    weir_par_for(par, tiles(count), GRAIN, mask_tiles, &work);
}
