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
static const float *row_of(const weir_lrn *lrn, const void *from, int64_t r, float *scratch)
{
    const char *at = (const char *)from + r * lrn->channels * weir_elem_size(lrn->elem);
    if (lrn->elem == WEIR_E_f32)
        return (const float *)at;
    weir_halves_to_floats(lrn->elem, lrn->channels, (const uint16_t *)at, scratch);
    return scratch;
}

static void rows(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const weir_lrn *lrn = job->w;
    const weir_norm_loops *loops = WEIR_ISA_PICK(weir_norm_loops);
    int64_t n = lrn->channels;
    float *scratch =
        weir_scratch(WEIR_SCRATCH_ROW, sizeof(float) * (size_t)(7 * n + 2 * lrn->radius));
    float *work = scratch + 4 * n;
    for (int64_t r = begin; r < end; r++) {
        char *out = (char *)job->out + r * n * weir_elem_size(lrn->elem);
        float *to = lrn->elem == WEIR_E_f32 ? (float *)out : scratch + 3 * n;
        const float *x = row_of(lrn, job->x, r, scratch);
        if (job->dy)
            loops->lrn_grad(lrn, row_of(lrn, job->dy, r, scratch + n), x,
                            row_of(lrn, job->y, r, scratch + 2 * n), to, work);
        else
            loops->lrn(lrn, x, to, work);
        if (lrn->elem != WEIR_E_f32)
            weir_floats_to_halves(lrn->elem, n, to, (uint16_t *)out);
    }
}

static void run(const weir_par *par, job *job)
{
    int64_t work = job->w->channels * (2 * job->w->radius + 16);
    if (job->w->channels > 0)
        weir_par_for_long(par, job->w->rows, (1 << 15) / (work + 1) + 1, rows, job);
}

/* Clips the window to the row. */
static weir_lrn clipped(const weir_lrn *lrn)
{
    weir_lrn work = *lrn;
    if (work.radius > work.channels)
        work.radius = work.channels;
    return work;
}

void weir_lrn_run(const weir_par *par, const weir_lrn *lrn, const void *x, void *y)
{
    weir_lrn work = clipped(lrn);
    run(par, &(job){.w = &work, .x = x, .out = y});
}

void weir_lrn_grad(const weir_par *par, const weir_lrn *lrn, const void *dy, const void *x,
                   const void *y, void *dx)
{
    weir_lrn work = clipped(lrn);
    run(par, &(job){.w = &work, .dy = dy, .x = x, .y = y, .out = dx});
}
