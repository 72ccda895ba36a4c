/* math/norm/lrn.c - local response normalisation, row by row. */
#include "math/cast/cast.h"
#include "math/norm/norm.h"
#include "math/norm/norm_impl.h"
#include "math/scratch.h"

typedef struct job {
    const weir_lrn *w;
    const void *dy, *x, *y;
    void *out;
} job;

/* Row |r| as floats: itself, or widened into |scratch|. */
static const float *row_of(const weir_lrn *w, const void *from, int64_t r, float *scratch)
{
    const char *at = (const char *)from + r * w->channels * weir_elem_size(w->elem);
    if (w->elem == WEIR_E_f32)
        return (const float *)at;
    weir_halves_to_floats(w->elem, w->channels, (const uint16_t *)at, scratch);
    return scratch;
}

static void rows(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    const weir_lrn *w = j->w;
    const weir_norm_loops *loops = WEIR_ISA_PICK(weir_norm_loops);
    int64_t n = w->channels;
    float *scratch =
        weir_scratch(WEIR_SCRATCH_ROW, sizeof(float) * (size_t)(7 * n + 2 * w->radius));
    float *work = scratch + 4 * n;
    for (int64_t r = begin; r < end; r++) {
        char *out = (char *)j->out + r * n * weir_elem_size(w->elem);
        float *to = w->elem == WEIR_E_f32 ? (float *)out : scratch + 3 * n;
        const float *x = row_of(w, j->x, r, scratch);
        if (j->dy)
            loops->lrn_grad(w, row_of(w, j->dy, r, scratch + n), x,
                            row_of(w, j->y, r, scratch + 2 * n), to, work);
        else
            loops->lrn(w, x, to, work);
        if (w->elem != WEIR_E_f32)
            weir_floats_to_halves(w->elem, n, to, (uint16_t *)out);
    }
}

static void run(const weir_par *par, job *j)
{
    int64_t work = j->w->channels * (2 * j->w->radius + 16);
    if (j->w->channels > 0)
        weir_par_for(par, j->w->rows, (1 << 15) / (work + 1) + 1, rows, j);
}

/* A window wider than the row is the row. */
static weir_lrn clipped(const weir_lrn *w)
{
    weir_lrn c = *w;
    if (c.radius > c.channels)
        c.radius = c.channels;
    return c;
}

void weir_lrn_run(const weir_par *par, const weir_lrn *w, const void *x, void *y)
{
    weir_lrn c = clipped(w);
    run(par, &(job){.w = &c, .x = x, .out = y});
}

void weir_lrn_grad(const weir_par *par, const weir_lrn *w, const void *dy, const void *x,
                   const void *y, void *dx)
{
    weir_lrn c = clipped(w);
    run(par, &(job){.w = &c, .dy = dy, .x = x, .y = y, .out = dx});
}
