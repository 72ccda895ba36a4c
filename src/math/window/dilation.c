/* math/window/dilation.c - dilation and its gradients, one output element at a time. */
#include "math/window/dilation.h"

#include <string.h>

#include "math/half.h"

/* The position of the largest sum under a window: elements of the image and of the filter. */
typedef struct found {
    int64_t x, w;
} found;

#define LOOPS "math/window/dilation.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"
#include "math/each_int.inc"

typedef struct loops {
    found (*find)(const weir_dilation *g, int64_t pixel, int64_t c, const void *x, const void *w,
                  void *max);
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
    const weir_dilation *g;
    const void *x, *w;
    char *y;
} job;

static void pixels(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    const weir_dilation *g = j->g;
    loops l = loops_of(g->elem);
    for (int64_t p = begin; p < end; p++)
        for (int64_t c = 0; c < g->channels; c++)
            l.find(g, p, c, j->x, j->w, j->y + (p * g->channels + c) * weir_elem_size(g->elem));
}

void weir_dilation_run(const weir_par *par, const weir_dilation *g, const void *x, const void *w,
                       void *y)
{
    job j = {g, x, w, y};
    weir_par_for(par, g->batch * g->out[0] * g->out[1], 64, pixels, &j);
}

/* Adds every element of dy to the element of the image, or of the filter, that won. */
static void scatter(const weir_dilation *g, const void *x, const void *w, const void *dy,
                    bool to_image, void *out)
{
    loops l = loops_of(g->elem);
    for (int64_t p = 0; p < g->batch * g->out[0] * g->out[1]; p++)
        for (int64_t c = 0; c < g->channels; c++) {
            uint64_t max;
            found at = l.find(g, p, c, x, w, &max);
            if (at.x >= 0)
                l.add(out, to_image ? at.x : at.w, dy, p * g->channels + c);
        }
}

void weir_dilation_grad_x(const weir_dilation *g, const void *x, const void *w, const void *dy,
                          void *dx)
{
    size_t count = (size_t)(g->batch * g->in[0] * g->in[1] * g->channels);
    memset(dx, 0, count * (size_t)weir_elem_size(g->elem));
    scatter(g, x, w, dy, true, dx);
}

void weir_dilation_grad_w(const weir_dilation *g, const void *x, const void *w, const void *dy,
                          void *dw)
{
    size_t count = (size_t)(g->size[0] * g->size[1] * g->channels);
    memset(dw, 0, count * (size_t)weir_elem_size(g->elem));
    scatter(g, x, w, dy, false, dw);
}
