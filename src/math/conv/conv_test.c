/* math/conv/conv_test.c - convolutions compared with the reference, on odd geometries. */
#include "math/conv/conv.h"

#include "base/half.h"
#include "base/mem.h"
#include "base/test.h"
#include "math/elem.h"

static uint32_t seed = 7;

static double draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(int)(seed >> 26) / 16.0 - 2.0;
}

static void put(void *at, int64_t i, weir_elem elem, double x)
{
    switch (elem) {
    case WEIR_E_f32:
        ((float *)at)[i] = (float)x;
        break;
    case WEIR_E_f64:
        ((double *)at)[i] = x;
        break;
    case WEIR_E_i32:
        ((int32_t *)at)[i] = (int32_t)(x * 16);
        break;
    case WEIR_E_f16:
        ((uint16_t *)at)[i] = weir_f32_f16((float)x);
        break;
    default:
        ((uint16_t *)at)[i] = weir_f32_bf16((float)x);
    }
}

static double get(const void *at, int64_t i, weir_elem elem)
{
    switch (elem) {
    case WEIR_E_f32:
        return ((const float *)at)[i];
    case WEIR_E_f64:
        return ((const double *)at)[i];
    case WEIR_E_i32:
        return ((const int32_t *)at)[i];
    case WEIR_E_f16:
        return weir_f16_f32(((const uint16_t *)at)[i]);
    default:
        return weir_bf16_f32(((const uint16_t *)at)[i]);
    }
}

static void *random_array(int64_t count, weir_elem elem)
{
    void *p = weir_alloc((size_t)count * 8 + 64);
    for (int64_t i = 0; i < count; i++)
        put(p, i, elem, draw());
    return p;
}

typedef struct sums {
    double *y, *dx, *dw;
} sums;

/* Iterates over every product of the definition once, and adds it to its sum. */
static void define(const weir_conv *g, bool depthwise, const void *x, const void *w, const void *dy,
                   sums s)
{
    int64_t groups = depthwise ? g->in_c : g->in_c / g->filter_c;
    int64_t fc = depthwise ? 1 : g->filter_c, oc = g->out_c / groups;
    for (int64_t n = 0; n < g->batch; n++)
        for (int64_t o0 = 0; o0 < g->out[0]; o0++)
            for (int64_t o1 = 0; o1 < g->out[1]; o1++)
                for (int64_t o2 = 0; o2 < g->out[2]; o2++)
                    for (int64_t k0 = 0; k0 < g->taps[0]; k0++)
                        for (int64_t k1 = 0; k1 < g->taps[1]; k1++)
                            for (int64_t k2 = 0; k2 < g->taps[2]; k2++) {
                                int64_t z = o0 * g->stride[0] - g->pad[0] + k0 * g->dilation[0];
                                int64_t y = o1 * g->stride[1] - g->pad[1] + k1 * g->dilation[1];
                                int64_t xx = o2 * g->stride[2] - g->pad[2] + k2 * g->dilation[2];
                                if (z < 0 || y < 0 || xx < 0 || z >= g->in[0] || y >= g->in[1] ||
                                    xx >= g->in[2])
                                    continue;
                                int64_t in =
                                    (((n * g->in[0] + z) * g->in[1] + y) * g->in[2] + xx) * g->in_c;
                                int64_t out =
                                    (((n * g->out[0] + o0) * g->out[1] + o1) * g->out[2] + o2) *
                                    g->out_c;
                                int64_t tap = (k0 * g->taps[1] + k1) * g->taps[2] + k2;
                                for (int64_t q = 0; q < groups; q++)
                                    for (int64_t c = 0; c < fc; c++)
                                        for (int64_t o = 0; o < oc; o++) {
                                            int64_t xi = in + q * fc + c, yi = out + q * oc + o;
                                            int64_t wi =
                                                depthwise ? tap * g->out_c + q * oc + o
                                                          : (tap * fc + c) * g->out_c + q * oc + o;
                                            s.y[yi] += get(x, xi, g->elem) * get(w, wi, g->elem);
                                            s.dx[xi] += get(dy, yi, g->elem) * get(w, wi, g->elem);
                                            s.dw[wi] += get(x, xi, g->elem) * get(dy, yi, g->elem);
                                        }
                            }
}

/* Errors of transformed algorithms scale with the whole sum, not with the individual result. */
static double scale = 4;

static void compare(const char *what, const weir_conv *g, const void *got, const double *want,
                    int64_t count)
{
    double unit = g->elem == WEIR_E_f16    ? 2e-3
                  : g->elem == WEIR_E_bf16 ? 1.6e-2
                  : g->elem == WEIR_E_f32  ? 1e-5
                                           : 1e-12;
    for (int64_t i = 0; i < count; i++) {
        double d = fabs(get(got, i, g->elem) - want[i]);
        if (!(d <= unit * (fabs(want[i]) + scale))) {
            CHECK_MSG(false, "%s type %d at %d: %g, not %g", what, g->elem, (int)i,
                      get(got, i, g->elem), want[i]);
            return;
        }
    }
}

typedef void conv_fn(const weir_par *, const weir_conv *, const void *, const void *, void *);

/* The same forward pass, followed by bias and Relu. */
static void check_epilogue(const weir_par *par, weir_conv g, const void *x, const void *w,
                           const double *y, int64_t ny, void *got)
{
    float *bias = random_array(g.out_c, WEIR_E_f32);
    double *want = WEIR_NEW_ARRAY(double, ny);
    for (int relu = 0; relu < 2; relu++) {
        for (int64_t i = 0; i < ny; i++) {
            want[i] = y[i] + bias[i % g.out_c];
            want[i] = relu && want[i] < 0 ? 0 : want[i];
        }
        g.epilogue = &(weir_epilogue){bias, relu};
        weir_conv_forward(par, &g, x, w, got);
        compare("y with bias", &g, got, want, ny);
    }
    weir_free(bias);
    weir_free(want);
}

static void check(const weir_par *par, weir_conv g, bool depthwise)
{
    int64_t nx = g.batch * g.in[0] * g.in[1] * g.in[2] * g.in_c;
    int64_t ny = g.batch * g.out[0] * g.out[1] * g.out[2] * g.out_c;
    int64_t nw = g.taps[0] * g.taps[1] * g.taps[2] * (depthwise ? 1 : g.filter_c) * g.out_c;
    void *x = random_array(nx, g.elem), *w = random_array(nw, g.elem),
         *dy = random_array(ny, g.elem);
    sums s = {WEIR_NEW_ARRAY(double, ny), WEIR_NEW_ARRAY(double, nx), WEIR_NEW_ARRAY(double, nw)};
    define(&g, depthwise, x, w, dy, s);
    void *got = weir_alloc((size_t)(nx + ny + nw) * 8 + 64);
    conv_fn *forward = depthwise ? weir_depthwise_forward : weir_conv_forward;
    forward(par, &g, x, w, got);
    compare("y", &g, got, s.y, ny);
    if (!depthwise && g.elem == WEIR_E_f32)
        check_epilogue(par, g, x, w, s.y, ny, got);
    (depthwise ? weir_depthwise_grad_x : weir_conv_grad_x)(par, &g, dy, w, got);
    compare("dx", &g, got, s.dx, nx);
    if (g.elem != WEIR_E_i32) {
        (depthwise ? weir_depthwise_grad_w : weir_conv_grad_w)(par, &g, x, dy, got);
        compare("dw", &g, got, s.dw, nw);
    }
    void *all[] = {x, w, dy, s.y, s.dx, s.dw, got};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        weir_free(all[i]);
}

static weir_conv geometry(weir_elem elem, int64_t in_c, int64_t filter_c, int64_t out_c,
                          int64_t size, int64_t taps, int64_t stride, int64_t dilation, int64_t pad)
{
    weir_conv g = {.elem = elem,
                   .batch = 3,
                   .in_c = in_c,
                   .filter_c = filter_c,
                   .out_c = out_c,
                   .in = {1, size, size + 2},
                   .taps = {1, taps, taps},
                   .stride = {1, stride, stride},
                   .dilation = {1, dilation, dilation},
                   .pad = {0, pad, pad},
                   .out = {1}};
    for (int d = 1; d < 3; d++)
        g.out[d] = (g.in[d] + 2 * pad - (taps - 1) * dilation - 1) / stride + 1;
    return g;
}

static const int elems[] = {WEIR_E_f32, WEIR_E_f64, WEIR_E_f16, WEIR_E_bf16, WEIR_E_i32};

TEST(geometries)
{
    weir_par two = {weir_pool_shared(), 2};
    for (size_t t = 0; t < sizeof elems / sizeof *elems; t++)
        for (int par = 0; par < 2; par++) {
            const weir_par *p = par ? &two : NULL;
            check(p, geometry(elems[t], 3, 3, 5, 8, 3, 1, 1, 1), false);
            check(p, geometry(elems[t], 17, 17, 33, 7, 1, 1, 1, 0), false);
            check(p, geometry(elems[t], 2, 2, 3, 9, 5, 2, 1, 2), false);
            check(p, geometry(elems[t], 6, 2, 9, 9, 3, 1, 2, 1), false);
            check(p, geometry(elems[t], 6, 3, 4, 9, 2, 3, 2, 0), false);
            check(p, geometry(elems[t], 1, 1, 20, 6, 4, 1, 1, 3), false);
            check(p, geometry(elems[t], 2, 2, 37, 9, 3, 1, 1, 1), false);
        }
}

/* Filters, channels and sizes for Winograd; sizes that are and are not whole tiles. */
TEST(winograd)
{
    weir_par two = {weir_pool_shared(), 2};
    scale = 150;
    for (int64_t taps = 3; taps <= 5; taps += 2)
        for (int64_t pad = 0; pad < taps; pad++)
            for (int64_t size = 9; size <= 13; size++) {
                check(NULL, geometry(WEIR_E_f32, 16, 16, 16, size, taps, 1, 1, pad), false);
                check(&two, geometry(WEIR_E_f32, 19, 19, 37, size, taps, 1, 1, pad), false);
                check(&two, geometry(WEIR_E_f32, 33, 33, 50, size, taps, 1, 1, pad), false);
            }
    scale = 4;
}

/* Filters of few elements: runs of every length, outputs of one vector and several. */
TEST(thin_filters)
{
    weir_par two = {weir_pool_shared(), 2};
    for (int64_t taps = 1; taps <= 5; taps++)
        for (int64_t stride = 1; stride <= 2; stride++)
            for (int64_t pad = 0; pad < taps; pad++) {
                check(NULL, geometry(WEIR_E_f32, 1, 1, 16, 9, taps, stride, 1, pad), false);
                check(&two, geometry(WEIR_E_f32, 1, 1, 48, 11, taps, stride, 2, 2 * pad), false);
                check(&two, geometry(WEIR_E_f32, 3, 3, 32, 10, taps, stride, 1, pad), false);
            }
}

/* Strided gradients: sizes that do and do not end with a stride, more and fewer channels. */
TEST(strides)
{
    weir_par two = {weir_pool_shared(), 2};
    for (size_t t = 0; t < 2; t++)
        for (int64_t stride = 2; stride <= 3; stride++)
            for (int64_t taps = 1; taps <= 5; taps += 2)
                for (int64_t pad = 0; pad < 5; pad++) {
                    check(NULL, geometry(elems[t], 16, 16, 16, 17, taps, stride, 1, pad), false);
                    check(&two, geometry(elems[t], 1, 1, 16, 14, taps, stride, 1, pad), false);
                    check(&two, geometry(elems[t], 5, 5, 3, 15, taps, stride, 1, pad), false);
                }
}

TEST(three_dimensions)
{
    weir_conv g = geometry(WEIR_E_f32, 4, 4, 6, 5, 3, 1, 1, 1);
    g.in[0] = 6;
    g.taps[0] = 2;
    g.stride[0] = 2;
    g.out[0] = 3;
    check(NULL, g, false);
    g.stride[0] = 1;
    g.out[0] = 5;
    check(NULL, g, false);
}

TEST(back_through_relu_and_bias)
{
    weir_par two = {weir_pool_shared(), 2};
    static const int64_t sizes[][2] = {{1, 1}, {7, 3}, {100, 16}, {33, 77}, {3000, 33}, {5, 1000}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int64_t pixels = sizes[i][0], channels = sizes[i][1], n = pixels * channels;
        float *dy = random_array(n, WEIR_E_f32), *y = random_array(n, WEIR_E_f32);
        float *dx = weir_alloc(sizeof(float) * (size_t)n);
        float *sum = weir_alloc(sizeof(float) * (size_t)channels);
        double *want = WEIR_NEW_ARRAY(double, n + channels);
        for (int64_t k = 0; k < n; k++) {
            want[k] = y[k] > 0 ? dy[k] : 0;
            want[n + k % channels] += want[k];
        }
        weir_conv as = {.elem = WEIR_E_f32};
        weir_epilogue_grad(i % 2 ? &two : NULL, pixels, channels, dy, y, dx, sum);
        compare("dx", &as, dx, want, n);
        compare("sums", &as, sum, want + n, channels);
        weir_epilogue_grad(NULL, pixels, channels, dy, y, dy, sum);
        compare("dx in place", &as, dy, want, n);
        void *all[] = {dy, y, dx, sum, want};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            weir_free(all[k]);
    }
}

TEST(depthwise)
{
    weir_par two = {weir_pool_shared(), 2};
    for (size_t t = 0; t < 4; t++) {
        check(&two, geometry(elems[t], 5, 1, 10, 8, 3, 1, 1, 1), true);
        check(NULL, geometry(elems[t], 19, 1, 19, 9, 3, 2, 1, 0), true);
        check(NULL, geometry(elems[t], 3, 1, 3, 9, 3, 1, 2, 2), true);
    }
}

TEST_MAIN()
