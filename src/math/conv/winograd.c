/* math/conv/winograd.c - tiles, their products, and the gradient of the filter. */
#include "math/conv/winograd.h"

#include <string.h>

#include "base/env.h"
#include "math/conv/winograd_impl.h"
#include "math/gemm/gemm_impl.h"
#include "math/scratch.h"

enum {
    MOST = WEIR_WINOGRAD_MOST_POINTS,
    LEAST_CHANNELS = 16,
    LEAST_TILES = 8,
    BLOCK_BYTES = 1 << 20, /* of tiles in both bases: stays in the second-level cache ... */
    LEAST_BLOCK = 96,      /* ... unless so few tiles would read the filter too often */
    MOST_BLOCK = 192,
    ROUND_LEAST =
        2 << 20, /* bytes of tiles at a time, for the gradient of the filter: what stays ... */
    ROUND_MOST = 16 << 20, /* ... in the caches, but more where the sums alone are large */
    LEAST_ROUND = 64,
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
    int64_t block;    /* tiles at a time */
    const float *x, *dy, *w;
    float *y, *dw;
    float *filters;         /* forward: packed, by point */
    int64_t first, now;     /* grad_w: the tiles of this round ... */
    float *images, *errors; /* ... in the basis; errors are packed */
    float *sums;
} tiling;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

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
    t.rows = ceil_div(g->out[1], t.side);
    t.cols = ceil_div(g->out[2], t.side);
    t.count = g->batch * t.rows * t.cols;
    t.packed_c = ceil_div(g->out_c, t.gemm->nr) * t.gemm->nr;
    return t;
}

/* 5x5 filters would leave the smaller basis only 2x2 results of a tile; 3x3 ones are more exact in
 * it, and the larger would save them a fifth. */
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
    if (g->in_c < LEAST_CHANNELS || g->out_c < LEAST_CHANNELS)
        return false;
    tiling t = best_tiling(g);
    double direct = (double)(g->taps[1] * g->taps[2]) * (double)(g->out[1] * g->out[2]);
    return t.count >= LEAST_TILES && direct >= 1.5 * t.points * (double)(t.rows * t.cols);
}

/* ---- pixels ------------------------------------------------------------------------------------
 */

/* The pixels of a window of |side|^2 at (y, x) of an image of h x w x c; null outside. */
static void window(const float *image, int64_t h, int64_t w, int64_t c, int64_t y, int64_t x,
                   int side, const float **pixels)
{
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            bool there = y + i >= 0 && y + i < h && x + j >= 0 && x + j < w;
            pixels[i * side + j] = there ? image + ((y + i) * w + x + j) * c : NULL;
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

static void see_image(const tiling *t, int64_t tile, float *to, int64_t step)
{
    const weir_conv *g = t->g;
    const float *pixels[MOST];
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

/* ---- forward -----------------------------------------------------------------------------------
 */

static void filter_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *t = ctx;
    const float *pixels[MOST];
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
        see_image(t, first + i, images + i * t->in_c, count * t->in_c);
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
        const float *pixels[MOST];
        outputs_of(t, first + i, t->y, pixels);
        t->loops->result(t->side, results + i * t->out_c, count * t->out_c, t->out_c, t->g->then,
                         (float *const *)pixels);
    }
}

static void forward_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *t = ctx;
    int64_t blocks = ceil_div(t->count, t->block);
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
    int64_t most = least(BLOCK_BYTES / tile_bytes, MOST_BLOCK);
    t.block = least(most < LEAST_BLOCK ? LEAST_BLOCK : most, ceil_div(t.count, threads));
    /* As many blocks as a multiple of the threads, so that all end together. */
    int64_t blocks = ceil_div(ceil_div(t.count, t.block), threads) * threads;
    t.block = ceil_div(t.count, blocks);
    t.filters =
        weir_scratch(WEIR_SCRATCH_GEMM_B, sizeof(float) * (size_t)(t.points * t.in_c * t.packed_c));
    weir_par_for(par, t.in_c, (1 << 12) / t.out_c + 1, filter_part, &t);
    weir_par_for(par, ceil_div(t.count, t.block), 1, forward_part, &t);
}

/* ---- the gradient of the filter ----------------------------------------------------------------
 */

/* Correlates tiles of the image with tiles of dy: again a small filter on a tile. */
static void see_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *t = ctx;
    const float *pixels[MOST];
    for (int64_t i = begin; i < end; i++) {
        see_image(t, t->first + i, t->images + i * t->in_c, t->now * t->in_c);
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

static void back_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *t = ctx;
    float *pixels[MOST];
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
    int64_t round = least(4 * sum_bytes, ROUND_MOST);
    t.block = (round < ROUND_LEAST ? ROUND_LEAST : round) / tile_bytes;
    t.block = least(t.block < LEAST_ROUND ? LEAST_ROUND : t.block, t.count);
    size_t unit = sizeof(float) * (size_t)t.points;
    t.images = weir_scratch(WEIR_SCRATCH_CONV, unit * (size_t)(t.block * t.in_c));
    t.errors = weir_scratch(WEIR_SCRATCH_GEMM_B, unit * (size_t)(t.block * t.packed_c));
    t.sums = weir_scratch(WEIR_SCRATCH_CONV_SUM, unit * (size_t)(t.in_c * t.out_c));
    for (t.first = 0; t.first < t.count; t.first += t.now) {
        t.now = least(t.block, t.count - t.first);
        weir_par_for(par, t.now, (1 << 12) / (t.in_c + t.out_c) + 1, see_part, &t);
        weir_par_for(par, t.points, 1, product_part, &t);
    }
    weir_par_for(par, t.in_c, (1 << 12) / t.out_c + 1, back_part, &t);
}
