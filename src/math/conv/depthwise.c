/* math/conv/depthwise.c - depthwise convolutions; threads share the pixels. */
#include <string.h>

#include "base/mem.h"
#include "math/conv/depthwise_impl.h"
#include "math/elem.h"
#include "math/scratch.h"

typedef struct job {
    const weir_conv *conv;
    const weir_depthwise_loops *loops;
    const void *a, *b;
    void *out;
    bool backward;
    char *sums; /* grad_w: one filter of sums per part */
    int64_t parts;
    size_t sum_bytes;
} job;

static const weir_depthwise_loops *loops_of(weir_elem elem)
{
    const weir_depthwise_loops *table = *WEIR_ISA_PICK(weir_depthwise_loops);
    while (table->elem != elem)
        table++;
    return table;
}

static void pixels(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    int64_t longest = job->conv->in_c > job->conv->out_c ? job->conv->in_c : job->conv->out_c;
    void *sum = weir_scratch(WEIR_SCRATCH_ROW, sizeof(double) * (size_t)longest);
    for (int64_t i = begin; i < end; i++)
        (job->backward ? job->loops->grad_x : job->loops->forward)(job->conv, i, job->a, job->b,
                                                                   sum, job->out);
}

static int64_t grain_of(const weir_conv *conv)
{
    return (1 << 14) / (conv->out_c * conv->taps[1] * conv->taps[2] + 1) + 1;
}

void weir_depthwise_forward(const weir_par *par, const weir_conv *conv, const void *x,
                            const void *w, void *y)
{
    job job = {.conv = conv, .loops = loops_of(conv->elem), .a = x, .b = w, .out = y};
    weir_par_for_long(par, conv->batch * conv->out[1] * conv->out[2], grain_of(conv), pixels, &job);
}

void weir_depthwise_grad_x(const weir_par *par, const weir_conv *conv, const void *dy,
                           const void *w, void *dx)
{
    job job = {
        .conv = conv, .loops = loops_of(conv->elem), .a = dy, .b = w, .out = dx, .backward = true};
    weir_par_for(par, conv->batch * conv->in[1] * conv->in[2], grain_of(conv), pixels, &job);
}

static void filter_part(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    int64_t lines = job->conv->batch * job->conv->out[1];
    for (int64_t part = begin; part < end; part++) {
        char *sum = job->sums + (size_t)part * job->sum_bytes;
        memset(sum, 0, job->sum_bytes);
        for (int64_t i = lines * part / job->parts; i < lines * (part + 1) / job->parts; i++)
            job->loops->grad_w(job->conv, i, job->a, job->b, sum);
    }
}

void weir_depthwise_grad_w(const weir_par *par, const weir_conv *conv, const void *x,
                           const void *dy, void *dw)
{
    int64_t count = conv->taps[1] * conv->taps[2] * conv->out_c;
    job job = {.conv = conv, .loops = loops_of(conv->elem), .a = x, .b = dy};
    job.parts =
        par && par->threads > 1 && conv->batch * conv->out[1] >= par->threads ? par->threads : 1;
    job.sum_bytes = (conv->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float)) * (size_t)count;
    job.sums = weir_scratch(WEIR_SCRATCH_CONV_SUM, job.sum_bytes * (size_t)job.parts);
    weir_par_for(par, job.parts, 1, filter_part, &job);
    job.loops->finish(count, job.parts, job.sums, dw);
}
