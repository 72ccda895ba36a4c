/* math/window/window.c - pools over whole batches, in parallel.
 *
 * Threads split outputs by lines, and gradients by images, because windows overlap within an image.
 * Gradients of 16-bit types are summed in a float image and rounded at the end.
 */
#include "math/window/window.h"

#include <string.h>

#include "base/mem.h"
#include "base/stop.h"
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
    char *sums;            /* gradient sums per image; null: not needed */
    int64_t image, pixels; /* elements of an image; pixels of its output */
    int unit;
} job;

static const weir_window_loops *loops_of(weir_elem elem)
{
    if (elem >= WEIR_E_i8)
        return &weir_window_ints[elem - WEIR_E_i8];
    return &(*WEIR_ISA_PICK(weir_window_floats))[elem - WEIR_E_f16];
}

static job job_of(const weir_window *window)
{
    return (job){
        .w = window,
        .loops = loops_of(window->elem),
        .image = window->in[0] * window->in[1] * window->in[2] * window->channels,
        .pixels = window->out[0] * window->out[1] * window->out[2],
        .unit = weir_elem_size(window->elem),
    };
}

/* The extent of the first window of an output line; the others follow from it. */
static weir_extent first_extent(const weir_window *window, int64_t line)
{
    weir_extent extent;
    for (int d = 1; d >= 0; d--) {
        int64_t from = line % window->out[d] * window->stride[d] - window->pad[d],
                to = from + window->size[d];
        extent.from[d] = from < 0 ? 0 : from;
        extent.to[d] = to > window->in[d] ? window->in[d] : to;
        line /= window->out[d];
    }
    return extent;
}

static void lines(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const weir_window *window = job->w;
    void *scratch = weir_scratch(WEIR_SCRATCH_ROW, 16 * (size_t)window->channels);
    int64_t width = window->out[2], rows = window->out[0] * window->out[1];
    for (int64_t line = begin; line < end && !weir_stopped(); line++) {
        int64_t first = line / rows * job->image;
        weir_extent extent = first_extent(window, line % rows);
        const char *x = job->x + first * job->unit;
        if (job->kind == MAX) {
            job->loops->max_line(window, &extent, x,
                                 job->out + line * width * window->channels * job->unit);
            continue;
        }
        for (int64_t at = 0; at < width; at++) {
            int64_t i = line * width + at;
            char *out = job->out + i * window->channels * job->unit;
            weir_extent_along(window, at, &extent);
            switch (job->kind) {
            case MAX: /* line by line */
                break;
            case MAX_AT:
                job->loops->max_at(window, &extent, x, out, job->in_batch ? first : 0,
                                   job->argmax + i * window->channels);
                break;
            case MAX_GRAD_GRAD:
                job->loops->max_grad_grad(window, &extent, x,
                                          job->y + i * window->channels * job->unit,
                                          job->other + first * job->unit, out);
                break;
            case MEAN:
                job->loops->mean(window, &extent, x, out, scratch);
            }
        }
    }
}

static void run_lines(const weir_par *par, job *job)
{
    const weir_window *window = job->w;
    int64_t work =
        window->channels * window->size[0] * window->size[1] * window->size[2] * window->out[2];
    if (window->channels > 0 && window->out[2] > 0)
        weir_par_for_long(par, window->batch * window->out[0] * window->out[1],
                          (1 << 14) / (work + 1) + 1, lines, job);
}

void weir_max_pool(const weir_par *par, const weir_window *window, const void *x, void *y,
                   int64_t *argmax, bool in_batch)
{
    job job = job_of(window);
    job.kind = argmax ? MAX_AT : MAX;
    job.x = x;
    job.out = y;
    job.argmax = argmax;
    job.in_batch = in_batch;
    run_lines(par, &job);
}

void weir_max_pool_grad_grad(const weir_par *par, const weir_window *window, const void *x,
                             const void *y, const void *ddx, void *z)
{
    job job = job_of(window);
    job.kind = MAX_GRAD_GRAD;
    job.x = x;
    job.y = y;
    job.other = ddx;
    job.out = z;
    run_lines(par, &job);
}

void weir_avg_pool(const weir_par *par, const weir_window *window, const void *x, void *y)
{
    job job = job_of(window);
    job.kind = MEAN;
    job.x = x;
    job.out = y;
    run_lines(par, &job);
}

/* ---- gradients ---- */

/* Whether windows neither overlap nor leave gaps. */
static bool tiles(const weir_window *window)
{
    bool all = true;
    for (int d = 0; d < 3; d++)
        all &= window->stride[d] == window->size[d] &&
               window->out[d] * window->stride[d] - window->pad[d] >= window->in[d];
    return all;
}

static void grad_image(const job *job, int64_t n, const weir_max_grad *how, void *dx, void *scratch)
{
    const weir_window *window = job->w;
    const char *x = job->x + n * job->image * job->unit;
    const char *dy = job->y + n * job->pixels * window->channels * job->unit;
    int64_t pixel = window->channels * job->unit;
    for (int64_t line = 0; line < window->out[0] * window->out[1];
         line++, dy += window->out[2] * pixel) {
        weir_extent extent = first_extent(window, line);
        if (!job->mean) {
            job->loops->max_grad_line(window, &extent, x, dy, how, dx, scratch);
            continue;
        }
        for (int64_t at = 0; at < window->out[2]; at++) {
            weir_extent_along(window, at, &extent);
            job->loops->mean_grad(window, &extent, dy + at * pixel, dx);
        }
    }
}

static void grad_images(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    void *scratch = weir_scratch(WEIR_SCRATCH_ROW, 16 * (size_t)job->w->channels);
    bool narrow = job->loops->narrow != NULL;
    weir_max_grad how = {.alone = !job->mean && tiles(job->w), .relu = job->relu};
    size_t bytes = (size_t)job->image * (narrow ? sizeof(float) : (size_t)job->unit);
    float *wide = narrow ? weir_alloc(bytes) : NULL;
    for (int64_t n = begin; n < end; n++) {
        char *dx = job->out + n * job->image * job->unit;
        how.sum = job->sums ? job->sums + n * job->w->channels * job->unit : NULL;
        if (!how.alone)
            memset(narrow ? (void *)wide : dx, 0, bytes);
        grad_image(job, n, &how, narrow ? (void *)wide : dx, scratch);
        if (narrow)
            job->loops->narrow(job->image, wide, dx);
    }
    weir_free(wide);
}

void weir_max_pool_grad(const weir_par *par, const weir_window *window, const void *x,
                        const void *dy, void *dx)
{
    job job = job_of(window);
    job.x = x;
    job.y = dy;
    job.out = dx;
    weir_par_for(par, window->batch, 1, grad_images, &job);
}

/* Every image has separate sums, so that results do not depend on the threads. */
void weir_max_pool_relu_grad(const weir_par *par, const weir_window *window, const float *x,
                             const float *dy, float *dx, float *sum)
{
    job job = job_of(window);
    job.x = (const char *)x;
    job.y = (const char *)dy;
    job.out = (char *)dx;
    job.relu = true;
    float *sums = WEIR_NEW_ARRAY(float, window->batch * window->channels);
    job.sums = (char *)sums;
    weir_par_for(par, window->batch, 1, grad_images, &job);
    memset(sum, 0, sizeof(float) * (size_t)window->channels);
    for (int64_t n = 0; n < window->batch; n++)
        for (int64_t channel = 0; channel < window->channels; channel++)
            sum[channel] += sums[n * window->channels + channel];
    weir_free(sums);
}

void weir_avg_pool_grad(const weir_par *par, const weir_window *window, const void *dy, void *dx)
{
    job job = job_of(window);
    job.mean = true;
    job.x = dx; /* not read */
    job.y = dy;
    job.out = dx;
    weir_par_for(par, window->batch, 1, grad_images, &job);
}
