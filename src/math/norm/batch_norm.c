/* math/norm/batch_norm.c - batch normalisation over chunks of rows.
 *
 * Sums are taken over a number of chunks that depends on the shape alone and then added up in
 * order, so that threads do not change them. 16-bit rows are widened a few at a time.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "math/cast/cast.h"
#include "math/norm/norm.h"
#include "math/norm/norm_impl.h"
#include "math/scratch.h"

enum { STRETCHES = 32, TILE_FLOATS = 8192 };

typedef enum pass { SUM, SQUARES, DOTS, SCALE, BACK } pass;

typedef struct job {
    const weir_batch_norm *w;
    const weir_norm_loops *loops;
    pass pass;
    const void *x, *dy;
    void *out;
    const float *mean, *a, *b, *k;
    float *sums; /* per chunk: channels sums, channels dots */
    int64_t chunks;
} job;

static int64_t chunks_of(const weir_batch_norm *norm)
{
    int64_t most = norm->rows * norm->channels / TILE_FLOATS + 1;
    most = most < STRETCHES ? most : STRETCHES;
    return most < norm->rows ? most : norm->rows;
}

/* One pass over |rows| rows of floats. */
static void run_tile(const job *job, int64_t rows, const float *x, const float *dy, float *out,
                     float *sums)
{
    int64_t n = job->w->channels;
    switch (job->pass) {
    case SUM:
        job->loops->sum(rows, n, x, sums);
        break;
    case SQUARES:
        job->loops->squares(rows, n, x, job->mean, sums);
        break;
    case DOTS:
        job->loops->dots(rows, n, dy, x, job->mean, sums, sums + n);
        break;
    case SCALE:
        job->loops->scale(rows, n, x, job->mean, job->a, job->b, out);
        break;
    case BACK:
        job->loops->back(rows, n, dy, x, job->mean, job->a, job->b, job->k, out);
    }
}

/* The same for 16-bit rows, a tile at a time. */
static void run_half(const job *job, int64_t rows, const uint16_t *x, const uint16_t *dy,
                     uint16_t *out, float *sums)
{
    int64_t n = job->w->channels, most = TILE_FLOATS / n + 1;
    weir_elem elem = job->w->elem;
    float *scratch = weir_scratch(WEIR_SCRATCH_ROW, sizeof(float) * 3 * (size_t)(most * n));
    for (int64_t row = 0; row < rows; row += most) {
        int64_t tile = rows - row < most ? rows - row : most, count = tile * n;
        float *fx = scratch, *fdy = scratch + most * n, *fout = scratch + 2 * most * n;
        weir_halves_to_floats(elem, count, x + row * n, fx);
        if (dy)
            weir_halves_to_floats(elem, count, dy + row * n, fdy);
        run_tile(job, tile, fx, fdy, fout, sums);
        if (out)
            weir_floats_to_halves(elem, count, fout, out + row * n);
    }
}

static void chunks(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const weir_batch_norm *norm = job->w;
    int64_t n = norm->channels;
    for (int64_t s = begin; s < end; s++) {
        int64_t first = norm->rows * s / job->chunks, last = norm->rows * (s + 1) / job->chunks;
        int64_t at = first * n * weir_elem_size(norm->elem);
        const void *x = (const char *)job->x + at,
                   *dy = job->dy ? (const char *)job->dy + at : NULL;
        void *out = job->out ? (char *)job->out + at : NULL;
        float *sums = job->sums ? job->sums + 2 * s * n : NULL;
        if (sums)
            memset(sums, 0, sizeof(float) * 2 * (size_t)n);
        if (norm->elem == WEIR_E_f32)
            run_tile(job, last - first, x, dy, out, sums);
        else
            run_half(job, last - first, x, dy, out, sums);
    }
}

/* Runs a pass; with |sums|, adds up the chunks' results into its first 2 * channels floats. */
static void run(const weir_par *par, job *job)
{
    int64_t n = job->w->channels;
    job->loops = WEIR_ISA_PICK(weir_norm_loops);
    job->chunks = chunks_of(job->w);
    weir_par_for(par, job->chunks, 1, chunks, job);
    for (int64_t s = 1; job->sums && s < job->chunks; s++)
        for (int64_t c = 0; c < 2 * n; c++)
            job->sums[c] += job->sums[2 * s * n + c];
}

static float *new_sums(const weir_batch_norm *norm)
{
    return weir_alloc(sizeof(float) * 2 * (size_t)((chunks_of(norm) + 1) * norm->channels));
}

void weir_batch_moments(const weir_par *par, const weir_batch_norm *norm, const void *x,
                        float *mean, float *variance)
{
    float *sums = new_sums(norm);
    job job = {.w = norm, .pass = SUM, .x = x, .sums = sums};
    run(par, &job);
    for (int64_t channel = 0; channel < norm->channels; channel++)
        mean[channel] = sums[channel] / (float)norm->rows;
    job.pass = SQUARES;
    job.mean = mean;
    run(par, &job);
    for (int64_t channel = 0; channel < norm->channels; channel++)
        variance[channel] = sums[channel] / (float)norm->rows;
    weir_free(sums);
}

void weir_batch_norm_run(const weir_par *par, const weir_batch_norm *norm, const void *x,
                         const float *scale, const float *offset, const float *mean,
                         const float *variance, void *y)
{
    float *a = WEIR_NEW_ARRAY(float, norm->channels + 1);
    for (int64_t channel = 0; channel < norm->channels; channel++)
        a[channel] = scale[channel] / sqrtf(variance[channel] + norm->epsilon);
    job job = {.w = norm, .pass = SCALE, .x = x, .out = y, .mean = mean, .a = a, .b = offset};
    run(par, &job);
    weir_free(a);
}

void weir_batch_norm_grad(const weir_par *par, const weir_batch_norm *norm, bool training,
                          const void *dy, const void *x, const float *scale, const float *mean,
                          const float *variance, void *dx, float *dscale, float *doffset)
{
    int64_t n = norm->channels;
    float *sums = new_sums(norm), *a = WEIR_NEW_ARRAY(float, 3 * n + 1), *b = a + n, *k = b + n;
    job this_job = {.w = norm, .pass = DOTS, .x = x, .dy = dy, .mean = mean, .sums = sums};
    run(par, &this_job);
    for (int64_t c = 0; c < n; c++) {
        float inverse = 1 / sqrtf(variance[c] + norm->epsilon);
        doffset[c] = sums[c];
        dscale[c] = sums[n + c] * inverse;
        a[c] = scale[c] * inverse;
        b[c] = training ? sums[c] / (float)norm->rows : 0;
        k[c] = training ? sums[n + c] / (float)norm->rows * inverse * inverse : 0;
    }
    this_job = (job){
        .w = norm, .pass = BACK, .x = x, .dy = dy, .out = dx, .mean = mean, .a = a, .b = b, .k = k};
    run(par, &this_job);
    weir_free(sums);
    weir_free(a);
}
