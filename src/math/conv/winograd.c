/* math/conv/winograd.c - the tiles of an image, their matrix products, and the filter's gradient.
 */
#include "math/conv/winograd.h"
#include "base/arith.h"

#include <string.h>

#include "base/env.h"
#include "math/conv/winograd_impl.h"
#include "math/gemm/gemm_impl.h"
#include "math/scratch.h"

enum {
    MAX_POINTS = WEIR_WINOGRAD_MAX_POINTS,
    MIN_CHANNELS = 16,     /* fewer channels make poor matrix products */
    MIN_TILES = 8,         /* fewer tiles do not pay for transforming the filter */
    BLOCK_BYTES = 1 << 20, /* of transformed tiles and results: stays in the second-level cache */
    MIN_BLOCK = 96,        /* tiles of a block; fewer would read the filter too often */
    MAX_BLOCK = 192,       /* more would leave threads without work */
    ROUND_BYTES = 2 << 20, /* of transformed tiles at a time, for the gradient of the filter ... */
    MAX_ROUND_BYTES = 16 << 20, /* ... and at most, where the sums take more than the tiles */
    MIN_ROUND = 64,             /* tiles of a round; fewer make poor matrix products */
};

typedef struct tiling {
    const weir_conv *g;
    const weir_winograd_loops *loops;
    const weir_gemm_loops *gemm;
    int n, points;      /* of a tile: along a side, and in all */
    int taps, side;     /* of the filter, and of a tile's results */
    int64_t rows, cols; /* tiles of an image */
    int64_t count;      /* tiles of all */
    int64_t in_c, out_c;
    int64_t packed_c; /* out_c in whole panels */
    int64_t block;    /* tiles of a block */
    const float *x, *dy, *w;
    float *y, *dw;
    float *filters;         /* forward: packed, by point */
    int64_t first, now;     /* grad_w: the tiles of this round ... */
    float *images, *errors; /* ... transformed, of x and of dy; those of dy are packed */
    float *sums;
} tiling;

static tiling tiling_of(const weir_conv *g, const weir_winograd_loops *loops)
{
    tiling t = {.g = g,
                .loops = loops,
                .gemm = WEIR_ISA_PICK(weir_gemm_loops_f32),
                .n = loops->n,
                .points = loops->n * loops->n,
                .taps = (int)g->taps[1],
                .side = loops->n + 1 - (int)g->taps[1],
                .in_c = g->in_c,
                .out_c = g->out_c};
    t.rows = weir_ceil_div(g->out[1], t.side);
    t.cols = weir_ceil_div(g->out[2], t.side);
    t.count = g->batch * t.rows * t.cols;
    t.packed_c = weir_ceil_div(g->out_c, t.gemm->nr) * t.gemm->nr;
    return t;
}

/* A 5x5 filter would have only 2x2 results per tile in the smaller basis. A 3x3 filter is more
 * exact in the smaller basis; the larger would save a fifth of its multiplications. */
static tiling best_tiling(const weir_conv *g)
{
    const weir_winograd_loops *loops = *WEIR_ISA_PICK(weir_winograd_loops);
    return tiling_of(g, &loops[g->taps[1] == 5 ? WEIR_WINOGRAD_EIGHT : WEIR_WINOGRAD_SIX]);
}

bool weir_winograd_fits(const weir_conv *g)
{
    if (g->elem != WEIR_E_f32 || g->in_c != g->filter_c || weir_env_get()->no_winograd)
        return false;
    bool plain = g->in[0] == 1 && g->taps[0] == 1 && g->out[0] == 1 && g->pad[0] == 0;
    for (int d = 1; d < 3; d++)
        plain &= g->stride[d] == 1 && g->dilation[d] == 1;
    if (!plain || g->taps[1] != g->taps[2] || (g->taps[1] != 3 && g->taps[1] != 5))
        return false;
    if (g->in_c < MIN_CHANNELS || g->out_c < MIN_CHANNELS)
        return false;
    tiling t = best_tiling(g);
    double direct = (double)(g->taps[1] * g->taps[2]) * (double)(g->out[1] * g->out[2]);
    return t.count >= MIN_TILES && direct >= 1.5 * t.points * (double)(t.rows * t.cols);
}

/* ---- pixels ---- */

/* Pointers to the pixels of a window of side x side at (y, x) of an h x w x c image; null outside.
 */
static void window(const float *image, int64_t h, int64_t w, int64_t c, int64_t y, int64_t x,
                   int side, const float **pixels)
{
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            bool inside = y + i >= 0 && y + i < h && x + j >= 0 && x + j < w;
            pixels[i * side + j] = inside ? image + ((y + i) * w + x + j) * c : NULL;
        }
}

typedef struct place {
    int64_t image, y, x; /* of a tile's first output */
} place;

static place place_of(const tiling *t, int64_t tile)
{
    int64_t in_image = tile % (t->rows * t->cols);
    return (place){tile / (t->rows * t->cols), in_image / t->cols * t->side,
                   in_image % t->cols * t->side};
}

static void transform_image(const tiling *t, int64_t tile, float *to, int64_t step)
{
    const weir_conv *g = t->g;
    const float *pixels[MAX_POINTS];
    place p = place_of(t, tile);
    window(t->x + p.image * g->in[1] * g->in[2] * t->in_c, g->in[1], g->in[2], t->in_c,
           p.y - g->pad[1], p.x - g->pad[2], t->n, pixels);
    t->loops->image(pixels, t->in_c, to, step);
}

/* The outputs of a tile within |outputs|, which is y or dy. */
static void outputs_of(const tiling *t, int64_t tile, const float *outputs, const float **pixels)
{
    const weir_conv *g = t->g;
    place p = place_of(t, tile);
    window(outputs + p.image * g->out[1] * g->out[2] * t->out_c, g->out[1], g->out[2], t->out_c,
           p.y, p.x, t->side, pixels);
}

/* ---- forward ---- */

static void filter_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *t = ctx;
    const float *pixels[MAX_POINTS];
    for (int64_t c = begin; c < end; c++) {
        for (int k = 0; k < t->taps * t->taps; k++)
            pixels[k] = t->w + (k * t->in_c + c) * t->out_c;
        t->loops->filter(t->taps, pixels, t->out_c, c, t->in_c, t->filters, t->in_c * t->packed_c);
    }
}

static void forward_block(const tiling *t, int64_t first, int64_t count)
{
    int64_t seen = t->points * count * t->in_c, made = t->points * count * t->out_c;
    float *images = weir_scratch(WEIR_SCRATCH_CONV, sizeof(float) * (size_t)(seen + made));
    float *results = images + seen;
    for (int64_t i = 0; i < count; i++)
        transform_image(t, first + i, images + i * t->in_c, count * t->in_c);
    for (int64_t p = 0; p < t->points; p++)
        t->gemm->block(&(weir_gemm_block){.rows = count,
                                          .cols = t->out_c,
                                          .depth = t->in_c,
                                          .a = images + p * count * t->in_c,
                                          .a_rs = t->in_c,
                                          .a_cs = 1,
                                          .b = t->filters + p * t->in_c * t->packed_c,
                                          .c = results + p * count * t->out_c,
                                          .ldc = t->out_c});
    for (int64_t i = 0; i < count; i++) {
        const float *pixels[MAX_POINTS];
        outputs_of(t, first + i, t->y, pixels);
        t->loops->result(t->side, results + i * t->out_c, count * t->out_c, t->out_c,
                         t->g->epilogue, (float *const *)pixels);
    }
}

static void forward_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *t = ctx;
    int64_t blocks = weir_ceil_div(t->count, t->block);
    for (int64_t b = begin; b < end; b++) { /* blocks of even size */
        int64_t first = t->count * b / blocks;
        forward_block(t, first, t->count * (b + 1) / blocks - first);
    }
}

void weir_winograd(const weir_par *par, const weir_conv *g, const float *x, const float *w,
                   float *y)
{
    tiling t = best_tiling(g);
    t.x = x;
    t.w = w;
    t.y = y;
    int64_t threads = par ? par->threads : 1;
    int64_t tile_bytes = t.points * (int64_t)sizeof(float) * (t.in_c + t.out_c);
    int64_t most = weir_min(BLOCK_BYTES / tile_bytes, MAX_BLOCK);
    t.block = weir_min(most < MIN_BLOCK ? MIN_BLOCK : most, weir_ceil_div(t.count, threads));
    /* The number of blocks is a multiple of the threads, so that all finish together. */
    int64_t blocks = weir_ceil_div(weir_ceil_div(t.count, t.block), threads) * threads;
    t.block = weir_ceil_div(t.count, blocks);
    t.filters =
        weir_scratch(WEIR_SCRATCH_GEMM_B, sizeof(float) * (size_t)(t.points * t.in_c * t.packed_c));
    weir_par_for(par, t.in_c, (1 << 12) / t.out_c + 1, filter_part, &t);
    weir_par_for(par, weir_ceil_div(t.count, t.block), 1, forward_part, &t);
}

/* ---- the gradient of the filter ---- */

/* Transforms tiles of the image, and those of dy as filters: the gradient of the filter correlates
 * them. */
static void transform_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *t = ctx;
    const float *pixels[MAX_POINTS];
    for (int64_t i = begin; i < end; i++) {
        transform_image(t, t->first + i, t->images + i * t->in_c, t->now * t->in_c);
        outputs_of(t, t->first + i, t->dy, pixels);
        t->loops->filter(t->side, pixels, t->out_c, i, t->now, t->errors, t->now * t->packed_c);
    }
}

static void product_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *t = ctx;
    for (int64_t p = begin; p < end; p++)
        t->gemm->block(&(weir_gemm_block){.rows = t->in_c,
                                          .cols = t->out_c,
                                          .depth = t->now,
                                          .a = t->images + p * t->now * t->in_c,
                                          .a_rs = 1,
                                          .a_cs = t->in_c,
                                          .b = t->errors + p * t->now * t->packed_c,
                                          .c = t->sums + p * t->in_c * t->out_c,
                                          .ldc = t->out_c,
                                          .add = t->first > 0});
}

static void result_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *t = ctx;
    float *pixels[MAX_POINTS];
    for (int64_t c = begin; c < end; c++) {
        for (int k = 0; k < t->taps * t->taps; k++)
            pixels[k] = t->dw + (k * t->in_c + c) * t->out_c;
        t->loops->result(t->taps, t->sums + c * t->out_c, t->in_c * t->out_c, t->out_c, NULL,
                         pixels);
    }
}

void weir_winograd_grad_w(const weir_par *par, const weir_conv *g, const float *x, const float *dy,
                          float *dw)
{
    tiling t = best_tiling(g);
    t.x = x;
    t.dy = dy;
    t.dw = dw;
    int64_t tile_bytes = t.points * (int64_t)sizeof(float) * (t.in_c + t.packed_c);
    int64_t sum_bytes = t.points * (int64_t)sizeof(float) * t.in_c * t.out_c;
    int64_t round = weir_clamp(4 * sum_bytes, ROUND_BYTES, MAX_ROUND_BYTES);
    t.block = weir_min(weir_max(round / tile_bytes, MIN_ROUND), t.count);
    size_t unit = sizeof(float) * (size_t)t.points;
    t.images = weir_scratch(WEIR_SCRATCH_CONV, unit * (size_t)(t.block * t.in_c));
    t.errors = weir_scratch(WEIR_SCRATCH_GEMM_B, unit * (size_t)(t.block * t.packed_c));
    t.sums = weir_scratch(WEIR_SCRATCH_CONV_SUM, unit * (size_t)(t.in_c * t.out_c));
    for (t.first = 0; t.first < t.count; t.first += t.now) {
        t.now = weir_min(t.block, t.count - t.first);
        weir_par_for(par, t.now, (1 << 12) / (t.in_c + t.out_c) + 1, transform_part, &t);
        weir_par_for(par, t.points, 1, product_part, &t);
    }
    weir_par_for(par, t.in_c, (1 << 12) / t.out_c + 1, result_part, &t);
}
