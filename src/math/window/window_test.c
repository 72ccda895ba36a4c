/* math/window/window_test.c - pools against their definition. */
#include "math/window/window.h"

#include "base/half.h"
#include "base/mem.h"
#include "base/test.h"

static uint32_t seed = 3;

static int draw(void) /* few different values, so that maxima are often shared */
{
    seed = seed * 1664525u + 1013904223u;
    return (int)(seed >> 28) - 8;
}

static void put(void *p, int64_t i, weir_elem elem, double v)
{
    switch (elem) {
    case WEIR_E_f32:
        ((float *)p)[i] = (float)v;
        break;
    case WEIR_E_f64:
        ((double *)p)[i] = v;
        break;
    case WEIR_E_f16:
        ((uint16_t *)p)[i] = weir_f32_f16((float)v);
        break;
    case WEIR_E_bf16:
        ((uint16_t *)p)[i] = weir_f32_bf16((float)v);
        break;
    case WEIR_E_i8:
        ((int8_t *)p)[i] = (int8_t)v;
        break;
    default:
        ((int64_t *)p)[i] = (int64_t)v;
    }
}

static double get(const void *p, int64_t i, weir_elem elem)
{
    switch (elem) {
    case WEIR_E_f32:
        return ((const float *)p)[i];
    case WEIR_E_f64:
        return ((const double *)p)[i];
    case WEIR_E_f16:
        return weir_f16_f32(((const uint16_t *)p)[i]);
    case WEIR_E_bf16:
        return weir_bf16_f32(((const uint16_t *)p)[i]);
    case WEIR_E_i8:
        return ((const int8_t *)p)[i];
    default:
        return (double)((const int64_t *)p)[i];
    }
}

typedef struct data {
    int64_t nx, ny;
    void *x, *dy, *got;
    double *y, *mean, *dx, *dmean, *back;
    int64_t *at, *argmax;
} data;

/* One output element by definition. */
static void define(const weir_window *w, data *d, int64_t n, const int64_t o[3], int64_t c)
{
    int64_t out =
        (((n * w->out[0] + o[0]) * w->out[1] + o[1]) * w->out[2] + o[2]) * w->channels + c;
    int64_t image = n * w->in[0] * w->in[1] * w->in[2] * w->channels, best = -1, count = 0, at[64];
    double sum = 0;
    for (int64_t k = 0; k < w->size[0] * w->size[1] * w->size[2]; k++) {
        int64_t p[3] = {k / (w->size[1] * w->size[2]), k / w->size[2] % w->size[1], k % w->size[2]};
        bool inside = true;
        for (int i = 0; i < 3; i++) {
            p[i] += o[i] * w->stride[i] - w->pad[i];
            inside = inside && p[i] >= 0 && p[i] < w->in[i];
        }
        if (!inside)
            continue;
        int64_t i = image + ((p[0] * w->in[1] + p[1]) * w->in[2] + p[2]) * w->channels + c;
        at[count++] = i;
        sum += get(d->x, i, w->elem);
        if (best < 0 || get(d->x, i, w->elem) > get(d->x, best, w->elem))
            best = i;
    }
    d->y[out] = get(d->x, best, w->elem);
    d->at[out] = best;
    d->mean[out] = sum / (double)count;
    d->dx[best] += get(d->dy, out, w->elem);
    d->back[out] = get(d->x, best, w->elem); /* ddx is x itself */
    for (int64_t i = 0; i < count; i++)
        d->dmean[at[i]] += get(d->dy, out, w->elem) / (double)count;
}

static void compare(const char *what, weir_elem elem, const void *got, const double *want,
                    int64_t count)
{
    double unit = elem == WEIR_E_f16 ? 2e-3 : elem == WEIR_E_bf16 ? 2e-2 : 1e-5;
    for (int64_t i = 0; i < count; i++)
        CHECK_MSG(fabs(get(got, i, elem) - want[i]) <= unit * (1 + fabs(want[i])),
                  "%s of type %d at %d: %g, not %g", what, elem, (int)i, get(got, i, elem),
                  want[i]);
}

/* The gradient and its sums, if x is Relu's result. */
static void check_relu(const weir_par *par, const weir_window *w, const data *d)
{
    float *sum = WEIR_NEW_ARRAY(float, w->channels);
    double *want = WEIR_NEW_ARRAY(double, d->nx + w->channels);
    for (int64_t i = 0; i < d->nx; i++) {
        want[i] = get(d->x, i, w->elem) > 0 ? d->dx[i] : 0;
        want[d->nx + i % w->channels] += want[i];
    }
    weir_max_pool_relu_grad(par, w, d->x, d->dy, d->got, sum);
    compare("gradient through Relu", w->elem, d->got, want, d->nx);
    compare("its sums", w->elem, sum, want + d->nx, w->channels);
    weir_free(sum);
    weir_free(want);
}

static void check(const weir_par *par, const weir_window *w)
{
    data d = {.nx = w->batch * w->in[0] * w->in[1] * w->in[2] * w->channels,
              .ny = w->batch * w->out[0] * w->out[1] * w->out[2] * w->channels};
    d.x = weir_alloc((size_t)d.nx * 8);
    d.dy = weir_alloc((size_t)d.ny * 8);
    d.got = weir_alloc((size_t)(d.nx + d.ny) * 8);
    d.y = WEIR_NEW_ARRAY(double, 3 * d.ny + 2 * d.nx);
    d.mean = d.y + d.ny, d.back = d.mean + d.ny, d.dx = d.back + d.ny, d.dmean = d.dx + d.nx;
    d.at = WEIR_NEW_ARRAY(int64_t, 2 * d.ny);
    d.argmax = d.at + d.ny;
    for (int64_t i = 0; i < d.nx; i++)
        put(d.x, i, w->elem, draw());
    for (int64_t i = 0; i < d.ny; i++)
        put(d.dy, i, w->elem, draw());
    for (int64_t i = 0; i < d.ny; i++) {
        int64_t p = i / w->channels;
        define(w, &d, p / (w->out[0] * w->out[1] * w->out[2]),
               (int64_t[]){p / (w->out[1] * w->out[2]) % w->out[0], p / w->out[2] % w->out[1],
                           p % w->out[2]},
               i % w->channels);
    }
    weir_max_pool(par, w, d.x, d.got, NULL, false);
    compare("max", w->elem, d.got, d.y, d.ny);
    weir_max_pool(par, w, d.x, d.got, d.argmax, true);
    compare("max with places", w->elem, d.got, d.y, d.ny);
    for (int64_t i = 0; i < d.ny; i++)
        CHECK_EQ(d.argmax[i], d.at[i]);
    weir_max_pool_grad_grad(par, w, d.x, d.got, d.x, (char *)d.got + 8 * d.ny);
    compare("second gradient", w->elem, (char *)d.got + 8 * d.ny, d.back, d.ny);
    weir_max_pool_grad(par, w, d.x, d.dy, d.got);
    compare("gradient", w->elem, d.got, d.dx, d.nx);
    if (w->elem == WEIR_E_f32)
        check_relu(par, w, &d);
    if (w->elem < WEIR_E_i8) {
        weir_avg_pool(par, w, d.x, d.got);
        compare("mean", w->elem, d.got, d.mean, d.ny);
        weir_avg_pool_grad(par, w, d.dy, d.got);
        compare("gradient of mean", w->elem, d.got, d.dmean, d.nx);
    }
    void *all[] = {d.x, d.dy, d.got, d.y, d.at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        weir_free(all[i]);
}

TEST(pools)
{
    static const weir_elem elems[] = {WEIR_E_f32,  WEIR_E_f64, WEIR_E_f16,
                                      WEIR_E_bf16, WEIR_E_i8,  WEIR_E_i64};
    weir_par two = {weir_pool_shared(), 2};
    for (size_t i = 0; i < sizeof elems / sizeof *elems; i++) {
        weir_window plain = {.elem = elems[i],
                             .batch = 3,
                             .channels = 19,
                             .in = {1, 6, 8},
                             .out = {1, 3, 4},
                             .size = {1, 2, 2},
                             .stride = {1, 2, 2}};
        weir_window overlap = {.elem = elems[i],
                               .batch = 2,
                               .channels = 21,
                               .in = {1, 7, 6},
                               .out = {1, 4, 6},
                               .size = {1, 3, 3},
                               .stride = {1, 2, 1},
                               .pad = {0, 1, 1}};
        weir_window deep = {.elem = elems[i],
                            .batch = 1,
                            .channels = 2,
                            .in = {4, 5, 3},
                            .out = {2, 2, 3},
                            .size = {3, 2, 1},
                            .stride = {1, 3, 1}};
        check(&two, &plain);
        check(NULL, &overlap);
        check(NULL, &deep);
    }
}

TEST_MAIN()
