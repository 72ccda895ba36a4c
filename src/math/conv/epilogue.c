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
    const job *j = ctx;
    j->loops->run(j->e, end - begin, j->channels, j->y + begin * j->pitch, j->pitch);
}

void weir_epilogue_run(const weir_par *par, const weir_epilogue *e, int64_t pixels,
                       int64_t channels, float *y, int64_t pitch)
{
    job j = {.loops = WEIR_ISA_PICK(weir_epilogue_loops),
             .e = e,
             .channels = channels,
             .pitch = pitch,
             .y = y};
    weir_par_for(par, pixels, PART / (channels + 1) + 1, run_part, &j);
}

static void grad_part(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    for (int64_t b = begin; b < end; b++) {
        int64_t first = b * j->block, left = j->pixels - first, at = first * j->channels;
        j->loops->grad(left < j->block ? left : j->block, j->channels, j->dy + at, j->features + at,
                       j->y + at, j->sums + b * j->channels);
    }
}

void weir_epilogue_grad(const weir_par *par, int64_t pixels, int64_t channels, const float *dy,
                        const float *y, float *dx, float *sum)
{
    job j = {.loops = WEIR_ISA_PICK(weir_epilogue_loops),
             .pixels = pixels,
             .channels = channels,
             .dy = dy,
             .features = y,
             .y = dx};
    j.block = weir_max(BLOCK / (channels + 1) + 1, weir_ceil_div(pixels, MAX_BLOCKS));
    int64_t blocks = weir_ceil_div(pixels, j.block);
    j.sums = weir_scratch(WEIR_SCRATCH_CONV_SUM, sizeof(float) * (size_t)(blocks * channels + 1));
    weir_par_for(par, blocks, 1, grad_part, &j);
    for (int64_t c = 0; c < channels; c++) {
        double total = 0;
        for (int64_t b = 0; b < blocks; b++)
            total += j.sums[b * channels + c];
        sum[c] = (float)total;
    }
}
