/* math/conv/few_taps.c - pads the images, and sums the gradients of the parts of a batch. */
#include "math/conv/few_taps.h"

#include <string.h>

#include "base/env.h"
#include "math/conv/few_taps_impl.h"
#include "math/scratch.h"

enum {
    PARTS = 32,      /* most parts of the batch, each with sums of its own */
    WIDTH = 16,      /* output channels must be a multiple of this: a vector of AVX-512 */
    MIN_PIXELS = 16, /* smaller outputs do not pay for loading and storing the sums */
};

typedef struct job {
    const weir_conv *g;
    const weir_few_taps_loops *loops;
    int64_t height, width; /* of a padded image */
    int64_t runs, depth;   /* of the filter: runs of adjacent elements, and elements of a run */
    int64_t at[WEIR_FEW_TAPS_MAX]; /* where each run starts */
    int64_t filter;                /* elements of the filter */
    int64_t parts;
    const float *x, *dy;
    float *sums;
} job;

bool weir_conv_few_taps_fits(const weir_conv *g)
{
    bool flat = g->in[0] == 1 && g->out[0] == 1 && g->taps[0] == 1 && g->pad[0] == 0;
    return flat && g->elem == WEIR_E_f32 && g->in_c == g->filter_c &&
           g->taps[1] * g->taps[2] * g->in_c <= WEIR_FEW_TAPS_MAX && g->out_c % WIDTH == 0 &&
           g->out[1] * g->out[2] >= MIN_PIXELS && !weir_env_get()->no_thin;
}

/* Pixels along dimension |d| from the first tap of the first window to the last of the last. */
static int64_t reach(const weir_conv *g, int d)
{
    return (g->out[d] - 1) * g->stride[d] + (g->taps[d] - 1) * g->dilation[d] + 1;
}

/* Copies an image with its padding; lines and pixels that no window reaches are left out. */
static void copy_image(const job *j, const float *image, float *to)
{
    const weir_conv *g = j->g;
    int64_t line = j->width * g->in_c, left = g->pad[2] < j->width ? g->pad[2] : j->width;
    int64_t there = j->width - left < g->in[2] ? j->width - left : g->in[2];
    memset(to, 0, sizeof(float) * (size_t)(j->height * line));
    for (int64_t y = 0; y < g->in[1] && y + g->pad[1] < j->height; y++)
        memcpy(to + (y + g->pad[1]) * line + left * g->in_c, image + y * g->in[2] * g->in_c,
               sizeof(float) * (size_t)(there * g->in_c));
}

static void add_part(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    const weir_conv *g = j->g;
    int64_t scratch = j->height * j->width * g->in_c, pixels = g->out[1] * g->out[2];
    float *image = weir_scratch(WEIR_SCRATCH_CONV, sizeof(float) * (size_t)scratch);
    weir_few_taps t = {.lines = g->out[1],
                       .pixels = g->out[2],
                       .line = g->stride[1] * j->width * g->in_c,
                       .step = g->stride[2] * g->in_c,
                       .out_c = g->out_c,
                       .x = image};
    for (int64_t part = begin; part < end; part++) {
        float *sums = j->sums + part * j->filter;
        memset(sums, 0, sizeof(float) * (size_t)j->filter);
        int64_t last = g->batch * (part + 1) / j->parts;
        for (int64_t n = g->batch * part / j->parts; n < last; n++) {
            copy_image(j, j->x + n * g->in[1] * g->in[2] * g->in_c, image);
            t.dy = j->dy + n * pixels * g->out_c;
            j->loops->add(&t, j->runs, j->depth, j->at, sums);
        }
    }
}

/* Taps that are adjacent in memory are one run. */
static void list_runs(job *j)
{
    const weir_conv *g = j->g;
    bool joined = g->dilation[2] == 1;
    int64_t along = joined ? 1 : g->taps[2];
    j->runs = g->taps[1] * along;
    j->depth = joined ? g->taps[2] * g->in_c : g->in_c;
    for (int64_t i = 0; i < j->runs; i++)
        j->at[i] = (i / along * g->dilation[1] * j->width + i % along * g->dilation[2]) * g->in_c;
}

void weir_conv_few_taps_grad_w(const weir_par *par, const weir_conv *g, const float *x,
                               const float *dy, float *dw)
{
    job j = {.g = g,
             .loops = WEIR_ISA_PICK(weir_few_taps_loops),
             .height = reach(g, 1),
             .width = reach(g, 2),
             .filter = g->taps[1] * g->taps[2] * g->in_c * g->out_c,
             .parts = g->batch < PARTS ? g->batch : PARTS,
             .x = x,
             .dy = dy};
    list_runs(&j);
    j.sums = weir_scratch(WEIR_SCRATCH_CONV_SUM, sizeof(float) * (size_t)(j.parts * j.filter));
    weir_par_for(par, j.parts, 1, add_part, &j);
    memcpy(dw, j.sums, sizeof(float) * (size_t)j.filter);
    for (int64_t part = 1; part < j.parts; part++)
        for (int64_t i = 0; i < j.filter; i++)
            dw[i] += j.sums[part * j.filter + i];
}
