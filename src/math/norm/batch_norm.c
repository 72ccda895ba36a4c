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

static int64_t chunks_of(const weir_batch_norm *w)
{
    int64_t most = w->rows * w->channels / TILE_FLOATS + 1;
    most = most < STRETCHES ? most : STRETCHES;
    return most < w->rows ? most : w->rows;
}

/* One pass over |rows| rows of floats. */
static void run_tile(const job *j, int64_t rows, const float *x, const float *dy, float *out,
                     float *sums)
{
    int64_t n = j->w->channels;
    switch (j->pass) {
    case SUM:
        j->loops->sum(rows, n, x, sums);
        break;
    case SQUARES:
        j->loops->squares(rows, n, x, j->mean, sums);
        break;
    case DOTS:
        j->loops->dots(rows, n, dy, x, j->mean, sums, sums + n);
        break;
    case SCALE:
        j->loops->scale(rows, n, x, j->mean, j->a, j->b, out);
        break;
    case BACK:
        j->loops->back(rows, n, dy, x, j->mean, j->a, j->b, j->k, out);
    }
}

/* The same for 16-bit rows, a tile at a time. */
static void run_half(const job *j, int64_t rows, const uint16_t *x, const uint16_t *dy,
                     uint16_t *out, float *sums)
{
    int64_t n = j->w->channels, most = TILE_FLOATS / n + 1;
    weir_elem elem = j->w->elem;
    float *scratch = weir_scratch(WEIR_SCRATCH_ROW, sizeof(float) * 3 * (size_t)(most * n));
    for (int64_t r = 0; r < rows; r += most) {
        int64_t tile = rows - r < most ? rows - r : most, count = tile * n;
        float *fx = scratch, *fdy = scratch + most * n, *fout = scratch + 2 * most * n;
        weir_halves_to_floats(elem, count, x + r * n, fx);
        if (dy)
            weir_halves_to_floats(elem, count, dy + r * n, fdy);
        run_tile(j, tile, fx, fdy, fout, sums);
        if (out)
            weir_floats_to_halves(elem, count, fout, out + r * n);
    }
}

static void chunks(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    const weir_batch_norm *w = j->w;
    int64_t n = w->channels;
    for (int64_t s = begin; s < end; s++) {
        int64_t first = w->rows * s / j->chunks, last = w->rows * (s + 1) / j->chunks;
        int64_t at = first * n * weir_elem_size(w->elem);
        const void *x = (const char *)j->x + at, *dy = j->dy ? (const char *)j->dy + at : NULL;
        void *out = j->out ? (char *)j->out + at : NULL;
        float *sums = j->sums ? j->sums + 2 * s * n : NULL;
        if (sums)
            memset(sums, 0, sizeof(float) * 2 * (size_t)n);
        if (w->elem == WEIR_E_f32)
            run_tile(j, last - first, x, dy, out, sums);
        else
            run_half(j, last - first, x, dy, out, sums);
    }
}

/* Runs a pass; with |sums|, adds up what the chunks gave into its first 2 * channels floats. */
static void run(const weir_par *par, job *j)
{
    int64_t n = j->w->channels;
    j->loops = WEIR_ISA_PICK(weir_norm_loops);
    j->chunks = chunks_of(j->w);
    weir_par_for(par, j->chunks, 1, chunks, j);
    for (int64_t s = 1; j->sums && s < j->chunks; s++)
        for (int64_t c = 0; c < 2 * n; c++)
            j->sums[c] += j->sums[2 * s * n + c];
}

static float *new_sums(const weir_batch_norm *w)
{
    return weir_alloc(sizeof(float) * 2 * (size_t)((chunks_of(w) + 1) * w->channels));
}

void weir_batch_moments(const weir_par *par, const weir_batch_norm *w, const void *x, float *mean,
                        float *variance)
{
    float *sums = new_sums(w);
    job j = {.w = w, .pass = SUM, .x = x, .sums = sums};
    run(par, &j);
    for (int64_t c = 0; c < w->channels; c++)
        mean[c] = sums[c] / (float)w->rows;
    j.pass = SQUARES;
    j.mean = mean;
    run(par, &j);
    for (int64_t c = 0; c < w->channels; c++)
        variance[c] = sums[c] / (float)w->rows;
    weir_free(sums);
}

void weir_batch_norm_run(const weir_par *par, const weir_batch_norm *w, const void *x,
                         const float *scale, const float *offset, const float *mean,
                         const float *variance, void *y)
{
    float *a = WEIR_NEW_ARRAY(float, w->channels + 1);
    for (int64_t c = 0; c < w->channels; c++)
        a[c] = scale[c] / sqrtf(variance[c] + w->epsilon);
    job j = {.w = w, .pass = SCALE, .x = x, .out = y, .mean = mean, .a = a, .b = offset};
    run(par, &j);
    weir_free(a);
}

void weir_batch_norm_grad(const weir_par *par, const weir_batch_norm *w, bool training,
                          const void *dy, const void *x, const float *scale, const float *mean,
                          const float *variance, void *dx, float *dscale, float *doffset)
{
    int64_t n = w->channels;
    float *sums = new_sums(w), *a = WEIR_NEW_ARRAY(float, 3 * n + 1), *b = a + n, *k = b + n;
    job j = {.w = w, .pass = DOTS, .x = x, .dy = dy, .mean = mean, .sums = sums};
    run(par, &j);
    for (int64_t c = 0; c < n; c++) {
        float inverse = 1 / sqrtf(variance[c] + w->epsilon);
        doffset[c] = sums[c];
        dscale[c] = sums[n + c] * inverse;
        a[c] = scale[c] * inverse;
        b[c] = training ? sums[c] / (float)w->rows : 0;
        k[c] = training ? sums[n + c] / (float)w->rows * inverse * inverse : 0;
    }
    j = (job){
        .w = w, .pass = BACK, .x = x, .dy = dy, .out = dx, .mean = mean, .a = a, .b = b, .k = k};
    run(par, &j);
    weir_free(sums);
    weir_free(a);
}
