/* math/window/dilation.c - dilation and its gradients, one output element at a time. */
#include "math/window/dilation.h"

#include <string.h>

#include "base/half.h"

/* The position of the largest sum under a window: elements of the image and of the filter. */
typedef struct found {
    int64_t x, w;
} found;

#define LOOPS "math/window/dilation.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"
#include "math/each_int.inc"

typedef struct loops {
    found (*find)(const weir_dilation *dilation, int64_t pixel, int64_t c, const void *x,
                  const void *w, void *max);
    void (*add)(void *to, int64_t i, const void *from, int64_t j);
} loops;

static loops loops_of(weir_elem elem)
{
    static const loops table[] = {
#define ROW(name, T, W, class) [WEIR_E_##name] = {find_##name, add_##name},
        WEIR_ELEMS_FLOAT(ROW) WEIR_ELEMS_INT(ROW) WEIR_ELEMS_HALF(ROW)};
    return table[elem];
}

typedef struct job {
    const weir_dilation *dilation;
    const void *x, *w;
    char *y;
} job;

static void pixels(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const weir_dilation *dilation = job->dilation;
    loops loops = loops_of(dilation->elem);
    for (int64_t p = begin; p < end; p++)
        for (int64_t channel = 0; channel < dilation->channels; channel++)
            loops.find(dilation, p, channel, job->x, job->w,
                       job->y +
                           (p * dilation->channels + channel) * weir_elem_size(dilation->elem));
}

void weir_dilation_run(const weir_par *par, const weir_dilation *dilation, const void *x,
                       const void *w, void *y)
{
    job job = {dilation, x, w, y};
    weir_par_for_long(par, dilation->batch * dilation->out[0] * dilation->out[1], 64, pixels, &job);
}

/* Adds every element of dy to the image, or filter, element of the maximum. */
static void scatter(const weir_dilation *dilation, const void *x, const void *w, const void *dy,
                    bool to_image, void *out)
{
    loops loops = loops_of(dilation->elem);
    for (int64_t p = 0; p < dilation->batch * dilation->out[0] * dilation->out[1]; p++)
        for (int64_t channel = 0; channel < dilation->channels; channel++) {
            uint64_t max;
            found at = loops.find(dilation, p, channel, x, w, &max);
            if (at.x >= 0)
                loops.add(out, to_image ? at.x : at.w, dy, p * dilation->channels + channel);
        }
}

void weir_dilation_grad_x(const weir_dilation *dilation, const void *x, const void *w,
                          const void *dy, void *dx)
{
    size_t count =
        (size_t)(dilation->batch * dilation->in[0] * dilation->in[1] * dilation->channels);
    memset(dx, 0, count * (size_t)weir_elem_size(dilation->elem));
    scatter(dilation, x, w, dy, true, dx);
}

void weir_dilation_grad_w(const weir_dilation *dilation, const void *x, const void *w,
                          const void *dy, void *dw)
{
    size_t count = (size_t)(dilation->size[0] * dilation->size[1] * dilation->channels);
    memset(dw, 0, count * (size_t)weir_elem_size(dilation->elem));
    scatter(dilation, x, w, dy, false, dw);
}
