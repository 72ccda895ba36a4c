/* math/conv/epilogue.c - bias and Relu over whole batches, shared by threads. */
#include "math/conv/epilogue.h"

#include "base/arith.h"
#include "math/scratch.h"

enum {
    PART = 1 << 14,  /* elements that are worth waking a thread */
    BLOCK = 1 << 15, /* elements that one partial sum covers, at least */
    MAX_BLOCKS = 64, /* most partial sums; the blocks are larger if need be */
};

typedef struct job {
    const weir_epilogue_loops *loops;
    const weir_epilogue *e;
    int64_t pixels, channels, pitch, block;
    const float *dy, *features;
    float *y, *sums;
} job;

static void run_part(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    job->loops->run(job->e, end - begin, job->channels, job->y + begin * job->pitch, job->pitch);
}

void weir_epilogue_run(const weir_par *par, const weir_epilogue *epilogue, int64_t pixels,
                       int64_t channels, float *y, int64_t pitch)
{
    job job = {.loops = WEIR_ISA_PICK(weir_epilogue_loops),
               .e = epilogue,
               .channels = channels,
               .pitch = pitch,
               .y = y};
    weir_par_for(par, pixels, PART / (channels + 1) + 1, run_part, &job);
}

static void grad_part(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    for (int64_t b = begin; b < end; b++) {
        int64_t first = b * job->block, left = job->pixels - first, at = first * job->channels;
        job->loops->grad(left < job->block ? left : job->block, job->channels, job->dy + at,
                         job->features + at, job->y + at, job->sums + b * job->channels);
    }
}

void weir_epilogue_grad(const weir_par *par, int64_t pixels, int64_t channels, const float *dy,
                        const float *y, float *dx, float *sum)
{
    job job = {.loops = WEIR_ISA_PICK(weir_epilogue_loops),
               .pixels = pixels,
               .channels = channels,
               .dy = dy,
               .features = y,
               .y = dx};
    job.block = weir_max(BLOCK / (channels + 1) + 1, weir_ceil_div(pixels, MAX_BLOCKS));
    int64_t blocks = weir_ceil_div(pixels, job.block);
    job.sums = weir_scratch(WEIR_SCRATCH_CONV_SUM, sizeof(float) * (size_t)(blocks * channels + 1));
    weir_par_for(par, blocks, 1, grad_part, &job);
    for (int64_t channel = 0; channel < channels; channel++) {
        double total = 0;
        for (int64_t block = 0; block < blocks; block++)
            total += job.sums[block * channels + channel];
        sum[channel] = (float)total;
    }
}
