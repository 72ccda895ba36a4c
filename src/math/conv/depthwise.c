/* math/conv/depthwise.c - depthwise convolutions; threads share the pixels. */
#include <string.h>

#include "base/mem.h"
#include "math/conv/depthwise_impl.h"
#include "math/elem.h"
#include "math/scratch.h"

typedef struct job {
    const weir_conv *g;
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
    const job *s = ctx;
    int64_t longest = s->g->in_c > s->g->out_c ? s->g->in_c : s->g->out_c;
    void *sum = weir_scratch(WEIR_SCRATCH_ROW, sizeof(double) * (size_t)longest);
    for (int64_t i = begin; i < end; i++)
        (s->backward ? s->loops->grad_x : s->loops->forward)(s->g, i, s->a, s->b, sum, s->out);
}

static int64_t grain_of(const weir_conv *g)
{
    return (1 << 14) / (g->out_c * g->taps[1] * g->taps[2] + 1) + 1;
}

void weir_depthwise_forward(const weir_par *par, const weir_conv *g, const void *x, const void *w,
                            void *y)
{
    job s = {.g = g, .loops = loops_of(g->elem), .a = x, .b = w, .out = y};
    weir_par_for(par, g->batch * g->out[1] * g->out[2], grain_of(g), pixels, &s);
}

void weir_depthwise_grad_x(const weir_par *par, const weir_conv *g, const void *dy, const void *w,
                           void *dx)
{
    job s = {.g = g, .loops = loops_of(g->elem), .a = dy, .b = w, .out = dx, .backward = true};
    weir_par_for(par, g->batch * g->in[1] * g->in[2], grain_of(g), pixels, &s);
}

static void filter_part(void *ctx, int64_t begin, int64_t end)
{
    const job *s = ctx;
    int64_t lines = s->g->batch * s->g->out[1];
    for (int64_t part = begin; part < end; part++) {
        char *sum = s->sums + (size_t)part * s->sum_bytes;
        memset(sum, 0, s->sum_bytes);
        for (int64_t i = lines * part / s->parts; i < lines * (part + 1) / s->parts; i++)
            s->loops->grad_w(s->g, i, s->a, s->b, sum);
    }
}

void weir_depthwise_grad_w(const weir_par *par, const weir_conv *g, const void *x, const void *dy,
                           void *dw)
{
    int64_t count = g->taps[1] * g->taps[2] * g->out_c;
    job s = {.g = g, .loops = loops_of(g->elem), .a = x, .b = dy};
    s.parts = par && par->threads > 1 && g->batch * g->out[1] >= par->threads ? par->threads : 1;
    s.sum_bytes = (g->elem == WEIR_E_f64 ? sizeof(double) : sizeof(float)) * (size_t)count;
    s.sums = weir_scratch(WEIR_SCRATCH_CONV_SUM, s.sum_bytes * (size_t)s.parts);
    weir_par_for(par, s.parts, 1, filter_part, &s);
    s.loops->finish(count, s.parts, s.sums, dw);
}
