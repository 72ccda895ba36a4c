/* math/window/window.c - pools over whole batches, shared out over threads.
 *
 * Outputs are shared out by lines. Gradients are shared out by images, since windows overlap within
 * one; those of 16-bit types are summed in a float image and rounded when it is done.
 */
#include "math/window/window.h"

#include <string.h>

#include "base/mem.h"
#include "math/scratch.h"
#include "math/window/window_impl.h"

typedef enum pool_kind { MAX, MAX_AT, MAX_GRAD_GRAD, MEAN } pool_kind;

typedef struct job {
    const weir_window *w;
    const weir_window_loops *loops;
    pool_kind kind;
    const char *x, *y, *other;
    char *out;
    int64_t *argmax;
    bool in_batch, mean, relu;
    char *sums;            /* of what maxima give, by image; null: not wanted */
    int64_t image, pixels; /* elements of an image; pixels of its output */
    int unit;
} job;

static const weir_window_loops *loops_of(weir_elem elem)
{
    if (elem >= WEIR_E_i8)
        return &weir_window_ints[elem - WEIR_E_i8];
    return &(*WEIR_ISA_PICK(weir_window_floats))[elem - WEIR_E_f16];
}

static job job_of(const weir_window *w)
{
    return (job){
        .w = w,
        .loops = loops_of(w->elem),
        .image = w->in[0] * w->in[1] * w->in[2] * w->channels,
        .pixels = w->out[0] * w->out[1] * w->out[2],
        .unit = weir_elem_size(w->elem),
    };
}

/* The extent of the first window of an output line; those of the others follow from it. */
static weir_extent first_extent(const weir_window *w, int64_t line)
{
    weir_extent s;
    for (int d = 1; d >= 0; d--) {
        int64_t from = line % w->out[d] * w->stride[d] - w->pad[d], to = from + w->size[d];
        s.from[d] = from < 0 ? 0 : from;
        s.to[d] = to > w->in[d] ? w->in[d] : to;
        line /= w->out[d];
    }
    return s;
}

static void lines(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    const weir_window *w = j->w;
    void *scratch = weir_scratch(WEIR_SCRATCH_ROW, 16 * (size_t)w->channels);
    int64_t width = w->out[2], rows = w->out[0] * w->out[1];
    for (int64_t line = begin; line < end; line++) {
        int64_t first = line / rows * j->image;
        weir_extent s = first_extent(w, line % rows);
        const char *x = j->x + first * j->unit;
        if (j->kind == MAX) {
            j->loops->max_line(w, &s, x, j->out + line * width * w->channels * j->unit);
            continue;
        }
        for (int64_t at = 0; at < width; at++) {
            int64_t i = line * width + at;
            char *out = j->out + i * w->channels * j->unit;
            weir_extent_along(w, at, &s);
            switch (j->kind) {
            case MAX: /* by the line */
                break;
            case MAX_AT:
                j->loops->max_at(w, &s, x, out, j->in_batch ? first : 0,
                                 j->argmax + i * w->channels);
                break;
            case MAX_GRAD_GRAD:
                j->loops->max_grad_grad(w, &s, x, j->y + i * w->channels * j->unit,
                                        j->other + first * j->unit, out);
                break;
            case MEAN:
                j->loops->mean(w, &s, x, out, scratch);
            }
        }
    }
}

static void run_lines(const weir_par *par, job *j)
{
    const weir_window *w = j->w;
    int64_t work = w->channels * w->size[0] * w->size[1] * w->size[2] * w->out[2];
    if (w->channels > 0 && w->out[2] > 0)
        weir_par_for(par, w->batch * w->out[0] * w->out[1], (1 << 14) / (work + 1) + 1, lines, j);
}

void weir_max_pool(const weir_par *par, const weir_window *w, const void *x, void *y,
                   int64_t *argmax, bool in_batch)
{
    job j = job_of(w);
    j.kind = argmax ? MAX_AT : MAX;
    j.x = x;
    j.out = y;
    j.argmax = argmax;
    j.in_batch = in_batch;
    run_lines(par, &j);
}

void weir_max_pool_grad_grad(const weir_par *par, const weir_window *w, const void *x,
                             const void *y, const void *ddx, void *z)
{
    job j = job_of(w);
    j.kind = MAX_GRAD_GRAD;
    j.x = x;
    j.y = y;
    j.other = ddx;
    j.out = z;
    run_lines(par, &j);
}

void weir_avg_pool(const weir_par *par, const weir_window *w, const void *x, void *y)
{
    job j = job_of(w);
    j.kind = MEAN;
    j.x = x;
    j.out = y;
    run_lines(par, &j);
}

/* ---- gradients ---- */

/* Whether windows neither overlap nor leave a pixel out. */
static bool tiles(const weir_window *w)
{
    bool all = true;
    for (int d = 0; d < 3; d++)
        all &= w->stride[d] == w->size[d] && w->out[d] * w->stride[d] - w->pad[d] >= w->in[d];
    return all;
}

static void grad_image(const job *j, int64_t n, const weir_max_grad *how, void *dx, void *scratch)
{
    const weir_window *w = j->w;
    const char *x = j->x + n * j->image * j->unit;
    const char *dy = j->y + n * j->pixels * w->channels * j->unit;
    int64_t pixel = w->channels * j->unit;
    for (int64_t line = 0; line < w->out[0] * w->out[1]; line++, dy += w->out[2] * pixel) {
        weir_extent s = first_extent(w, line);
        if (!j->mean) {
            j->loops->max_grad_line(w, &s, x, dy, how, dx, scratch);
            continue;
        }
        for (int64_t at = 0; at < w->out[2]; at++) {
            weir_extent_along(w, at, &s);
            j->loops->mean_grad(w, &s, dy + at * pixel, dx);
        }
    }
}

static void grad_images(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    void *scratch = weir_scratch(WEIR_SCRATCH_ROW, 16 * (size_t)j->w->channels);
    bool narrow = j->loops->narrow != NULL;
    weir_max_grad how = {.alone = !j->mean && tiles(j->w), .relu = j->relu};
    size_t bytes = (size_t)j->image * (narrow ? sizeof(float) : (size_t)j->unit);
    float *wide = narrow ? weir_alloc(bytes) : NULL;
    for (int64_t n = begin; n < end; n++) {
        char *dx = j->out + n * j->image * j->unit;
        how.sum = j->sums ? j->sums + n * j->w->channels * j->unit : NULL;
        if (!how.alone)
            memset(narrow ? (void *)wide : dx, 0, bytes);
        grad_image(j, n, &how, narrow ? (void *)wide : dx, scratch);
        if (narrow)
            j->loops->narrow(j->image, wide, dx);
    }
    weir_free(wide);
}

void weir_max_pool_grad(const weir_par *par, const weir_window *w, const void *x, const void *dy,
                        void *dx)
{
    job j = job_of(w);
    j.x = x;
    j.y = dy;
    j.out = dx;
    weir_par_for(par, w->batch, 1, grad_images, &j);
}

/* Every image has separate sums, so that results do not depend on the threads. */
void weir_max_pool_relu_grad(const weir_par *par, const weir_window *w, const float *x,
                             const float *dy, float *dx, float *sum)
{
    job j = job_of(w);
    j.x = (const char *)x;
    j.y = (const char *)dy;
    j.out = (char *)dx;
    j.relu = true;
    float *sums = WEIR_NEW_ARRAY(float, w->batch * w->channels);
    j.sums = (char *)sums;
    weir_par_for(par, w->batch, 1, grad_images, &j);
    memset(sum, 0, sizeof(float) * (size_t)w->channels);
    for (int64_t n = 0; n < w->batch; n++)
        for (int64_t c = 0; c < w->channels; c++)
            sum[c] += sums[n * w->channels + c];
    weir_free(sums);
}

void weir_avg_pool_grad(const weir_par *par, const weir_window *w, const void *dy, void *dx)
{
    job j = job_of(w);
    j.mean = true;
    j.x = dx; /* not read */
    j.y = dy;
    j.out = dx;
    weir_par_for(par, w->batch, 1, grad_images, &j);
}
