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
    bool in_batch, mean;
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

/* What the window at output pixel |pixel| of an image sees. */
static weir_seen seen_by(const weir_window *w, int64_t pixel)
{
    weir_seen s;
    for (int d = 2; d >= 0; d--) {
        int64_t from = pixel % w->out[d] * w->stride[d] - w->pad[d], to = from + w->size[d];
        s.from[d] = from < 0 ? 0 : from;
        s.to[d] = to > w->in[d] ? w->in[d] : to;
        pixel /= w->out[d];
    }
    return s;
}

static void pixels(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    const weir_window *w = j->w;
    void *room = weir_scratch(WEIR_SCRATCH_ROW, 16 * (size_t)w->channels);
    for (int64_t i = begin; i < end; i++) {
        int64_t n = i / j->pixels, first = n * j->image;
        weir_seen s = seen_by(w, i % j->pixels);
        const char *x = j->x + first * j->unit;
        char *out = j->out + i * w->channels * j->unit;
        switch (j->kind) {
        case MAX:
            j->loops->max(w, &s, x, out);
            break;
        case MAX_AT:
            j->loops->max_at(w, &s, x, out, j->in_batch ? first : 0, j->argmax + i * w->channels);
            break;
        case MAX_GRAD_GRAD:
            j->loops->max_grad_grad(w, &s, x, j->y + i * w->channels * j->unit,
                                    j->other + first * j->unit, out);
            break;
        case MEAN:
            j->loops->mean(w, &s, x, out, room);
        }
    }
}

static void run_pixels(const weir_par *par, job *j)
{
    const weir_window *w = j->w;
    int64_t work = w->channels * w->size[0] * w->size[1] * w->size[2];
    if (w->channels > 0)
        weir_par_for(par, w->batch * j->pixels, (1 << 14) / (work + 1) + 1, pixels, j);
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
    run_pixels(par, &j);
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
    run_pixels(par, &j);
}

void weir_avg_pool(const weir_par *par, const weir_window *w, const void *x, void *y)
{
    job j = job_of(w);
    j.kind = MEAN;
    j.x = x;
    j.out = y;
    run_pixels(par, &j);
}

/* ---- gradients ---------------------------------------------------------------------------------
 */

static void grad_image(const job *j, int64_t n, void *dx, void *room)
{
    const weir_window *w = j->w;
    const char *x = j->x + n * j->image * j->unit;
    for (int64_t p = 0; p < j->pixels; p++) {
        weir_seen s = seen_by(w, p);
        const char *dy = j->y + (n * j->pixels + p) * w->channels * j->unit;
        if (j->mean)
            j->loops->mean_grad(w, &s, dy, dx);
        else
            j->loops->max_grad(w, &s, x, dy, dx, room);
    }
}

static void grad_images(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    void *room = weir_scratch(WEIR_SCRATCH_ROW, 16 * (size_t)j->w->channels);
    bool narrow = j->loops->narrow != NULL;
    size_t bytes = (size_t)j->image * (narrow ? sizeof(float) : (size_t)j->unit);
    float *wide = narrow ? weir_alloc(bytes) : NULL;
    for (int64_t n = begin; n < end; n++) {
        char *dx = j->out + n * j->image * j->unit;
        memset(narrow ? (void *)wide : dx, 0, bytes);
        grad_image(j, n, narrow ? (void *)wide : dx, room);
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

void weir_avg_pool_grad(const weir_par *par, const weir_window *w, const void *dy, void *dx)
{
    job j = job_of(w);
    j.mean = true;
    j.x = dx; /* not read */
    j.y = dy;
    j.out = dx;
    weir_par_for(par, w->batch, 1, grad_images, &j);
}
