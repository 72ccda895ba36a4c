/* math/window/dilation.c - dilation and its gradients, one output element at a time. */
#include "math/window/dilation.h"

#include <string.h>

#include "math/half.h"

/* Where the largest sum under a window was found: elements of the image and of the filter. */
typedef struct found {
    int64_t x, w;
} found;

/* FIND_##name looks at the window of output pixel |pixel|, channel |c|, and gives the place of its
 * largest sum, which it stores at |max| as an element. */
#define FIND(name, T, V, load, store)                                                              \
    static found find_##name(const weir_dilation *g, int64_t pixel, int64_t c, const void *x_,     \
                             const void *w_, void *max)                                            \
    {                                                                                              \
        const T *x = x_, *w = w_;                                                                  \
        int64_t ox = pixel % g->out[1], oy = pixel / g->out[1] % g->out[0];                        \
        int64_t n = pixel / (g->out[0] * g->out[1]);                                               \
        found at = {-1, -1};                                                                       \
        V best = 0;                                                                                \
        for (int64_t ky = 0; ky < g->size[0]; ky++) {                                              \
            int64_t y = oy * g->stride[0] - g->pad[0] + ky * g->rate[0];                           \
            for (int64_t kx = 0; y >= 0 && y < g->in[0] && kx < g->size[1]; kx++) {                \
                int64_t xx = ox * g->stride[1] - g->pad[1] + kx * g->rate[1];                      \
                if (xx < 0 || xx >= g->in[1])                                                      \
                    continue;                                                                      \
                int64_t xi = ((n * g->in[0] + y) * g->in[1] + xx) * g->channels + c;               \
                int64_t wi = (ky * g->size[1] + kx) * g->channels + c;                             \
                T sum = (T)store((V)(load(x[xi]) + load(w[wi])));                                  \
                if (at.x >= 0 && !((V)load(sum) > best))                                           \
                    continue;                                                                      \
                best = (V)load(sum);                                                               \
                at = (found){xi, wi};                                                              \
                *(T *)max = sum;                                                                   \
            }                                                                                      \
        }                                                                                          \
        return at;                                                                                 \
    }                                                                                              \
    static void add_##name(void *to, int64_t i, const void *from, int64_t j)                       \
    {                                                                                              \
        T *t = to;                                                                                 \
        t[i] = (T)store((V)(load(t[i]) + load(((const T *)from)[j])));                             \
    }
#define KEEP(v) (v)
#define OWN(name, T, W, class) FIND(name, T, T, KEEP, KEEP)
WEIR_ELEMS_FLOAT(OWN)
WEIR_ELEMS_INT(OWN)
FIND(f16, uint16_t, float, weir_f16_f32, weir_f32_f16)
FIND(bf16, uint16_t, float, weir_bf16_f32, weir_f32_bf16)

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

static void give_back(const weir_dilation *g, const void *x, const void *w, const void *dy,
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
    give_back(g, x, w, dy, true, dx);
}

void weir_dilation_grad_w(const weir_dilation *g, const void *x, const void *w, const void *dy,
                          void *dw)
{
    size_t count = (size_t)(g->size[0] * g->size[1] * g->channels);
    memset(dw, 0, count * (size_t)weir_elem_size(g->elem));
    give_back(g, x, w, dy, false, dw);
}
