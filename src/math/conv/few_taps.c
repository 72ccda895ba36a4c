/* math/conv/few_taps.c - pads the images, and sums the gradients of the parts of a batch. */
#include "math/conv/few_taps.h"

#include <string.h>

#include "base/env.h"
#include "math/conv/few_taps_impl.h"
#include "math/scratch.h"

enum {
    PARTS = 32,      /* most parts of the batch, each with sums of its own */
    WIDTH = 16,      /* output channels must be a multiple of this: a vector of AVX-512 */
    MIN_PIXELS = 16, /* for smaller outputs loading and storing the sums dominates */
};

typedef struct job {
    const weir_conv *conv;
    const weir_few_taps_loops *loops;
    int64_t height, width; /* of a padded image */
    int64_t runs, depth;   /* of the filter: runs of adjacent elements, and elements of a run */
    int64_t at[WEIR_FEW_TAPS_MAX]; /* where each run starts */
    int64_t filter;                /* elements of the filter */
    int64_t parts;
    const float *x, *dy;
    float *sums;
} job;

bool weir_conv_few_taps_fits(const weir_conv *conv)
{
    bool flat = conv->in[0] == 1 && conv->out[0] == 1 && conv->taps[0] == 1 && conv->pad[0] == 0;
    return flat && conv->elem == WEIR_E_f32 && conv->in_c == conv->filter_c &&
           conv->taps[1] * conv->taps[2] * conv->in_c <= WEIR_FEW_TAPS_MAX &&
           conv->out_c % WIDTH == 0 && conv->out[1] * conv->out[2] >= MIN_PIXELS &&
           !weir_env_get()->no_few_taps;
}

/* Pixels along dimension |d| from the first tap of the first window to the last of the last. */
static int64_t reach(const weir_conv *conv, int d)
{
    return (conv->out[d] - 1) * conv->stride[d] + (conv->taps[d] - 1) * conv->dilation[d] + 1;
}

/* Copies an image with its padding; omits lines and pixels that no window reaches. */
static void copy_image(const job *job, const float *image, float *to)
{
    const weir_conv *conv = job->conv;
    int64_t line = job->width * conv->in_c,
            left = conv->pad[2] < job->width ? conv->pad[2] : job->width;
    int64_t there = job->width - left < conv->in[2] ? job->width - left : conv->in[2];
    memset(to, 0, sizeof(float) * (size_t)(job->height * line));
    for (int64_t y = 0; y < conv->in[1] && y + conv->pad[1] < job->height; y++)
        memcpy(to + (y + conv->pad[1]) * line + left * conv->in_c,
               image + y * conv->in[2] * conv->in_c, sizeof(float) * (size_t)(there * conv->in_c));
}

static void add_part(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const weir_conv *conv = job->conv;
    int64_t scratch = job->height * job->width * conv->in_c, pixels = conv->out[1] * conv->out[2];
    float *image = weir_scratch(WEIR_SCRATCH_CONV, sizeof(float) * (size_t)scratch);
    weir_few_taps taps = {.lines = conv->out[1],
                          .pixels = conv->out[2],
                          .line = conv->stride[1] * job->width * conv->in_c,
                          .step = conv->stride[2] * conv->in_c,
                          .out_c = conv->out_c,
                          .x = image};
    for (int64_t part = begin; part < end; part++) {
        float *sums = job->sums + part * job->filter;
        memset(sums, 0, sizeof(float) * (size_t)job->filter);
        int64_t last = conv->batch * (part + 1) / job->parts;
        for (int64_t n = conv->batch * part / job->parts; n < last; n++) {
            copy_image(job, job->x + n * conv->in[1] * conv->in[2] * conv->in_c, image);
            taps.dy = job->dy + n * pixels * conv->out_c;
            job->loops->add(&taps, job->runs, job->depth, job->at, sums);
        }
    }
}

/* Taps that are adjacent in memory are one run. */
static void list_runs(job *job)
{
    const weir_conv *conv = job->conv;
    bool joined = conv->dilation[2] == 1;
    int64_t along = joined ? 1 : conv->taps[2];
    job->runs = conv->taps[1] * along;
    job->depth = joined ? conv->taps[2] * conv->in_c : conv->in_c;
    for (int64_t i = 0; i < job->runs; i++)
        job->at[i] = (i / along * conv->dilation[1] * job->width + i % along * conv->dilation[2]) *
                     conv->in_c;
}

void weir_conv_few_taps_grad_w(const weir_par *par, const weir_conv *conv, const float *x,
                               const float *dy, float *dw)
{
    job job = {.conv = conv,
               .loops = WEIR_ISA_PICK(weir_few_taps_loops),
               .height = reach(conv, 1),
               .width = reach(conv, 2),
               .filter = conv->taps[1] * conv->taps[2] * conv->in_c * conv->out_c,
               .parts = conv->batch < PARTS ? conv->batch : PARTS,
               .x = x,
               .dy = dy};
    list_runs(&job);
    job.sums =
        weir_scratch(WEIR_SCRATCH_CONV_SUM, sizeof(float) * (size_t)(job.parts * job.filter));
    weir_par_for(par, job.parts, 1, add_part, &job);
    memcpy(dw, job.sums, sizeof(float) * (size_t)job.filter);
    for (int64_t part = 1; part < job.parts; part++)
        for (int64_t i = 0; i < job.filter; i++)
            dw[i] += job.sums[part * job.filter + i];
}
