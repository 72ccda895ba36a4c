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
    MIN_TILES = 8,         /* with fewer tiles transforming the filter does not pay off */
    BLOCK_BYTES = 1 << 20, /* of transformed tiles and results: stays in the second-level cache */
    MIN_BLOCK = 96,        /* tiles of a block; fewer would read the filter too often */
    MAX_BLOCK = 192,       /* more would leave threads without work */
    ROUND_BYTES = 2 << 20, /* of transformed tiles at a time, for the gradient of the filter ... */
    MAX_ROUND_BYTES = 16 << 20, /* ... and at most, where the sums take more than the tiles */
    MIN_ROUND = 64,             /* tiles of a round; fewer make poor matrix products */
};

typedef struct tiling {
    const weir_conv *conv;
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

static tiling tiling_of(const weir_conv *conv, const weir_winograd_loops *loops)
{
    tiling tiling = {.conv = conv,
                     .loops = loops,
                     .gemm = WEIR_ISA_PICK(weir_gemm_loops_f32),
                     .n = loops->n,
                     .points = loops->n * loops->n,
                     .taps = (int)conv->taps[1],
                     .side = loops->n + 1 - (int)conv->taps[1],
                     .in_c = conv->in_c,
                     .out_c = conv->out_c};
    tiling.rows = weir_ceil_div(conv->out[1], tiling.side);
    tiling.cols = weir_ceil_div(conv->out[2], tiling.side);
    tiling.count = conv->batch * tiling.rows * tiling.cols;
    tiling.packed_c = weir_ceil_div(conv->out_c, tiling.gemm->nr) * tiling.gemm->nr;
    return tiling;
}

/* A 5x5 filter would have only 2x2 results per tile in the smaller basis. A 3x3 filter is more
 * exact in the smaller basis; the larger would save a fifth of its multiplications. */
static tiling best_tiling(const weir_conv *conv)
{
    const weir_winograd_loops *loops = *WEIR_ISA_PICK(weir_winograd_loops);
    return tiling_of(conv, &loops[conv->taps[1] == 5 ? WEIR_WINOGRAD_EIGHT : WEIR_WINOGRAD_SIX]);
}

bool weir_winograd_fits(const weir_conv *conv)
{
    if (conv->elem != WEIR_E_f32 || conv->in_c != conv->filter_c || weir_env_get()->no_winograd)
        return false;
    bool plain = conv->in[0] == 1 && conv->taps[0] == 1 && conv->out[0] == 1 && conv->pad[0] == 0;
    for (int d = 1; d < 3; d++)
        plain &= conv->stride[d] == 1 && conv->dilation[d] == 1;
    if (!plain || conv->taps[1] != conv->taps[2] || (conv->taps[1] != 3 && conv->taps[1] != 5))
        return false;
    if (conv->in_c < MIN_CHANNELS || conv->out_c < MIN_CHANNELS)
        return false;
    tiling tiling = best_tiling(conv);
    double direct = (double)(conv->taps[1] * conv->taps[2]) * (double)(conv->out[1] * conv->out[2]);
    return tiling.count >= MIN_TILES &&
           direct >= 1.5 * tiling.points * (double)(tiling.rows * tiling.cols);
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

static place place_of(const tiling *tiling, int64_t tile)
{
    int64_t in_image = tile % (tiling->rows * tiling->cols);
    return (place){tile / (tiling->rows * tiling->cols), in_image / tiling->cols * tiling->side,
                   in_image % tiling->cols * tiling->side};
}

static void transform_image(const tiling *tiling, int64_t tile, float *to, int64_t step)
{
    const weir_conv *conv = tiling->conv;
    const float *pixels[MAX_POINTS];
    place place = place_of(tiling, tile);
    window(tiling->x + place.image * conv->in[1] * conv->in[2] * tiling->in_c, conv->in[1],
           conv->in[2], tiling->in_c, place.y - conv->pad[1], place.x - conv->pad[2], tiling->n,
           pixels);
    tiling->loops->image(pixels, tiling->in_c, to, step);
}

/* The outputs of a tile within |outputs|, which is y or dy. */
static void outputs_of(const tiling *tiling, int64_t tile, const float *outputs,
                       const float **pixels)
{
    const weir_conv *conv = tiling->conv;
    place place = place_of(tiling, tile);
    window(outputs + place.image * conv->out[1] * conv->out[2] * tiling->out_c, conv->out[1],
           conv->out[2], tiling->out_c, place.y, place.x, tiling->side, pixels);
}

/* ---- forward ---- */

static void filter_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *tiling = ctx;
    const float *pixels[MAX_POINTS];
    for (int64_t c = begin; c < end; c++) {
        for (int k = 0; k < tiling->taps * tiling->taps; k++)
            pixels[k] = tiling->w + (k * tiling->in_c + c) * tiling->out_c;
        tiling->loops->filter(tiling->taps, pixels, tiling->out_c, c, tiling->in_c, tiling->filters,
                              tiling->in_c * tiling->packed_c);
    }
}

static void forward_block(const tiling *tiling, int64_t first, int64_t count)
{
    int64_t seen = tiling->points * count * tiling->in_c,
            made = tiling->points * count * tiling->out_c;
    float *images = weir_scratch(WEIR_SCRATCH_CONV, sizeof(float) * (size_t)(seen + made));
    float *results = images + seen;
    for (int64_t i = 0; i < count; i++)
        transform_image(tiling, first + i, images + i * tiling->in_c, count * tiling->in_c);
    for (int64_t point = 0; point < tiling->points; point++)
        tiling->gemm->block(
            &(weir_gemm_block){.rows = count,
                               .cols = tiling->out_c,
                               .depth = tiling->in_c,
                               .a = images + point * count * tiling->in_c,
                               .a_rs = tiling->in_c,
                               .a_cs = 1,
                               .b = tiling->filters + point * tiling->in_c * tiling->packed_c,
                               .c = results + point * count * tiling->out_c,
                               .ldc = tiling->out_c});
    for (int64_t i = 0; i < count; i++) {
        const float *pixels[MAX_POINTS];
        outputs_of(tiling, first + i, tiling->y, pixels);
        tiling->loops->result(tiling->side, results + i * tiling->out_c, count * tiling->out_c,
                              tiling->out_c, tiling->conv->epilogue, (float *const *)pixels);
    }
}

static void forward_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *tiling = ctx;
    int64_t blocks = weir_ceil_div(tiling->count, tiling->block);
    for (int64_t b = begin; b < end; b++) { /* blocks of even size */
        int64_t first = tiling->count * b / blocks;
        forward_block(tiling, first, tiling->count * (b + 1) / blocks - first);
    }
}

void weir_winograd(const weir_par *par, const weir_conv *conv, const float *x, const float *w,
                   float *y)
{
    tiling tiling = best_tiling(conv);
    tiling.x = x;
    tiling.w = w;
    tiling.y = y;
    int64_t threads = par ? par->threads : 1;
    int64_t tile_bytes = tiling.points * (int64_t)sizeof(float) * (tiling.in_c + tiling.out_c);
    int64_t most = weir_min(BLOCK_BYTES / tile_bytes, MAX_BLOCK);
    tiling.block =
        weir_min(most < MIN_BLOCK ? MIN_BLOCK : most, weir_ceil_div(tiling.count, threads));
    /* The number of blocks is a multiple of the threads, so that all finish together. */
    int64_t blocks = weir_ceil_div(weir_ceil_div(tiling.count, tiling.block), threads) * threads;
    tiling.block = weir_ceil_div(tiling.count, blocks);
    tiling.filters =
        weir_scratch(WEIR_SCRATCH_GEMM_B,
                     sizeof(float) * (size_t)(tiling.points * tiling.in_c * tiling.packed_c));
    weir_par_for(par, tiling.in_c, (1 << 12) / tiling.out_c + 1, filter_part, &tiling);
    weir_par_for(par, weir_ceil_div(tiling.count, tiling.block), 1, forward_part, &tiling);
}

/* ---- the gradient of the filter ---- */

/* Transforms tiles of the image, and those of dy as filters: the gradient of the filter correlates
 * them. */
static void transform_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *tiling = ctx;
    const float *pixels[MAX_POINTS];
    for (int64_t i = begin; i < end; i++) {
        transform_image(tiling, tiling->first + i, tiling->images + i * tiling->in_c,
                        tiling->now * tiling->in_c);
        outputs_of(tiling, tiling->first + i, tiling->dy, pixels);
        tiling->loops->filter(tiling->side, pixels, tiling->out_c, i, tiling->now, tiling->errors,
                              tiling->now * tiling->packed_c);
    }
}

static void product_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *tiling = ctx;
    for (int64_t p = begin; p < end; p++)
        tiling->gemm->block(
            &(weir_gemm_block){.rows = tiling->in_c,
                               .cols = tiling->out_c,
                               .depth = tiling->now,
                               .a = tiling->images + p * tiling->now * tiling->in_c,
                               .a_rs = 1,
                               .a_cs = tiling->in_c,
                               .b = tiling->errors + p * tiling->now * tiling->packed_c,
                               .c = tiling->sums + p * tiling->in_c * tiling->out_c,
                               .ldc = tiling->out_c,
                               .add = tiling->first > 0});
}

static void result_part(void *ctx, int64_t begin, int64_t end)
{
    const tiling *tiling = ctx;
    float *pixels[MAX_POINTS];
    for (int64_t c = begin; c < end; c++) {
        for (int k = 0; k < tiling->taps * tiling->taps; k++)
            pixels[k] = tiling->dw + (k * tiling->in_c + c) * tiling->out_c;
        tiling->loops->result(tiling->taps, tiling->sums + c * tiling->out_c,
                              tiling->in_c * tiling->out_c, tiling->out_c, NULL, pixels);
    }
}

void weir_winograd_grad_w(const weir_par *par, const weir_conv *conv, const float *x,
                          const float *dy, float *dw)
{
    tiling tiling = best_tiling(conv);
    tiling.x = x;
    tiling.dy = dy;
    tiling.dw = dw;
    int64_t tile_bytes = tiling.points * (int64_t)sizeof(float) * (tiling.in_c + tiling.packed_c);
    int64_t sum_bytes = tiling.points * (int64_t)sizeof(float) * tiling.in_c * tiling.out_c;
    int64_t round = weir_clamp(4 * sum_bytes, ROUND_BYTES, MAX_ROUND_BYTES);
    tiling.block = weir_min(weir_max(round / tile_bytes, MIN_ROUND), tiling.count);
    size_t unit = sizeof(float) * (size_t)tiling.points;
    tiling.images = weir_scratch(WEIR_SCRATCH_CONV, unit * (size_t)(tiling.block * tiling.in_c));
    tiling.errors =
        weir_scratch(WEIR_SCRATCH_GEMM_B, unit * (size_t)(tiling.block * tiling.packed_c));
    tiling.sums = weir_scratch(WEIR_SCRATCH_CONV_SUM, unit * (size_t)(tiling.in_c * tiling.out_c));
    for (tiling.first = 0; tiling.first < tiling.count; tiling.first += tiling.now) {
        tiling.now = weir_min(tiling.block, tiling.count - tiling.first);
        weir_par_for(par, tiling.now, (1 << 12) / (tiling.in_c + tiling.out_c) + 1, transform_part,
                     &tiling);
        weir_par_for(par, tiling.points, 1, product_part, &tiling);
    }
    weir_par_for(par, tiling.in_c, (1 << 12) / tiling.out_c + 1, result_part, &tiling);
}
