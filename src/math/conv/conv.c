/* math/conv/conv.c - convolutions as products over patches that are packed, never stored.
 *
 *   forward   y  = patches(x) . w
 *   grad_w    dw = patches(x)^T . dy
 *   grad_x    dx = patches(dy) . flipped w   when nothing is strided; otherwise by phases
 * (phases.h), or the patches' gradients dy . w^T are computed a few lines at a time and added to
 * the pixels that they came from
 *
 * Where a better method fits (winograd.h, direct.h, few_taps.h), it is taken instead.
 */
#include "math/conv/conv.h"

#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "math/cast/cast.h"
#include "math/conv/conv_impl.h"
#include "math/conv/direct.h"
#include "math/conv/few_taps.h"
#include "math/conv/phases.h"
#include "math/conv/winograd.h"
#include "math/elem.h"
#include "math/gemm/gemm_impl.h"
#include "math/move/move.h"
#include "math/scratch.h"

static int64_t volume(const int64_t size[3])
{
    return size[0] * size[1] * size[2];
}

static int64_t groups_of(const weir_conv *g)
{
    return g->filter_c ? g->in_c / g->filter_c : 1;
}

static weir_patches patches_of(const weir_conv *g)
{
    weir_patches p = {.channels = g->filter_c, .pitch = g->in_c};
    for (int d = 0; d < 3; d++) {
        p.in[d] = g->in[d];
        p.out[d] = g->out[d];
        p.taps[d] = g->taps[d];
        p.stride[d] = g->stride[d];
        p.dilation[d] = g->dilation[d];
        p.pad[d] = g->pad[d];
    }
    return p;
}

static const char *at(const void *p, int64_t element, weir_elem elem)
{
    return (const char *)p + element * (int64_t)weir_elem_size(elem);
}

void weir_conv_forward(const weir_par *par, const weir_conv *g, const void *x, const void *w,
                       void *y)
{
    if (g->elem == WEIR_E_i32) {
        weir_conv_forward_i32(par, g, x, w, y);
        return;
    }
    if (weir_winograd_fits(g)) {
        weir_winograd(par, g, x, w, y);
        return;
    }
    if (weir_conv_direct_fits(g)) {
        weir_conv_direct(par, g, x, w, y);
        return;
    }
    int64_t groups = groups_of(g), out_c = g->out_c / groups;
    weir_patches patches = patches_of(g);
    for (int64_t i = 0; i < groups; i++) {
        int64_t depth = volume(g->taps) * g->filter_c;
        weir_gemm_views v = {
            .a = {.at = at(x, i * g->filter_c, g->elem),
                  .rs = depth + 1,
                  .cs = 1,
                  .elem = g->elem,
                  .patches = &patches},
            .b = {.at = at(w, i * out_c, g->elem), .rs = g->out_c, .cs = 1, .elem = g->elem},
            .m = g->batch * volume(g->out),
            .n = out_c,
            .k = depth,
            .c = (char *)at(y, i * out_c, g->elem),
            .ldc = g->out_c,
            .elem = g->elem,
        };
        weir_gemm_views_run(par, &v);
    }
    if (g->epilogue)
        weir_epilogue_run(par, g->epilogue, g->batch * volume(g->out), g->out_c, y, g->out_c);
}

void weir_conv_grad_w(const weir_par *par, const weir_conv *g, const void *x, const void *dy,
                      void *dw)
{
    if (weir_conv_few_taps_fits(g)) {
        weir_conv_few_taps_grad_w(par, g, x, dy, dw);
        return;
    }
    if (weir_winograd_fits(g)) {
        weir_winograd_grad_w(par, g, x, dy, dw);
        return;
    }
    if (weir_conv_direct_fits(g)) {
        weir_conv_direct_grad_w(par, g, x, dy, dw);
        return;
    }
    int64_t groups = groups_of(g), out_c = g->out_c / groups;
    weir_patches patches = patches_of(g);
    for (int64_t i = 0; i < groups; i++) {
        int64_t depth = volume(g->taps) * g->filter_c;
        weir_gemm_views v = {
            .a = {.at = at(x, i * g->filter_c, g->elem),
                  .rs = 1,
                  .cs = depth + 1,
                  .elem = g->elem,
                  .patches = &patches},
            .b = {.at = at(dy, i * out_c, g->elem), .rs = g->out_c, .cs = 1, .elem = g->elem},
            .m = depth,
            .n = out_c,
            .k = g->batch * volume(g->out),
            .c = (char *)at(dw, i * out_c, g->elem),
            .ldc = g->out_c,
            .elem = g->elem,
        };
        weir_gemm_views_run(par, &v);
    }
}

/* ---- the gradient of x when nothing is strided ---- */

/* to[taps reversed][oc][ic] = w[taps][ic][oc] of one group. */
static void flip_filter(const weir_conv *g, const void *w, int64_t out_c, void *to)
{
    int64_t taps = volume(g->taps);
    size_t size = weir_elem_size(g->elem);
    for (int64_t t = 0; t < taps; t++) {
        const char *from = at(w, t * g->filter_c * g->out_c, g->elem);
        char *into = (char *)to + (size_t)((taps - 1 - t) * out_c * g->filter_c) * size;
        weir_move_transpose((int)size, out_c, g->filter_c, into, g->filter_c * (int64_t)size, from,
                            g->out_c * (int64_t)size);
    }
}

/* A convolution of dy with the flipped filter, group by group. */
static void grad_x_dense(const weir_par *par, const weir_conv *g, const void *dy, const void *w,
                         void *dx)
{
    int64_t groups = groups_of(g), out_c = g->out_c / groups;
    int64_t depth = volume(g->taps) * out_c;
    weir_conv back = {.elem = g->elem,
                      .batch = g->batch,
                      .in_c = g->out_c,
                      .filter_c = out_c,
                      .out_c = g->filter_c};
    for (int d = 0; d < 3; d++) {
        back.in[d] = g->out[d];
        back.out[d] = g->in[d];
        back.taps[d] = g->taps[d];
        back.stride[d] = 1;
        back.dilation[d] = g->dilation[d];
        back.pad[d] = (g->taps[d] - 1) * g->dilation[d] - g->pad[d];
    }
    void *flipped = weir_scratch_alloc((size_t)(weir_elem_size(g->elem) * depth * g->filter_c));
    weir_patches patches = patches_of(&back);
    for (int64_t i = 0; i < groups; i++) {
        flip_filter(g, at(w, i * out_c, g->elem), out_c, flipped);
        if (weir_winograd_fits(&back)) {
            weir_winograd(par, &back, dy, flipped, dx);
            break;
        }
        if (groups == 1 && weir_conv_direct_fits(&back)) {
            weir_conv_direct(par, &back, dy, flipped, dx);
            break;
        }
        weir_gemm_views v = {
            .a = {.at = at(dy, i * out_c, g->elem),
                  .rs = depth + 1,
                  .cs = 1,
                  .elem = g->elem,
                  .patches = &patches},
            .b = {.at = flipped, .rs = g->filter_c, .cs = 1, .elem = g->elem},
            .m = g->batch * volume(g->in),
            .n = g->filter_c,
            .k = depth,
            .c = (char *)at(dx, i * g->filter_c, g->elem),
            .ldc = g->in_c,
            .elem = g->elem,
        };
        weir_gemm_views_run(par, &v);
    }
    weir_scratch_free(flipped);
}

/* ---- the gradient of x when something is strided ---- */

typedef struct scatter {
    const weir_conv *g;
    const void *dy, *w;
    char *dx;
    const weir_par *par; /* of the products inside */
} scatter;

enum { SCATTER_BYTES = 1 << 19 }; /* of patch gradients at a time: the second-level cache */

static void add_run(weir_elem elem, void *to, const float *from, int64_t count)
{
    if (elem == WEIR_E_f64)
        for (int64_t i = 0; i < count; i++)
            ((double *)to)[i] += ((const double *)(const void *)from)[i];
    else
        for (int64_t i = 0; i < count; i++)
            ((float *)to)[i] += from[i];
}

/* Adds one patch's gradient to the image |dx| of floats (or doubles). */
static void scatter_patch(const weir_conv *g, int64_t place, const char *patch, char *dx)
{
    int64_t o[3] = {place / (g->out[1] * g->out[2]), place / g->out[2] % g->out[1],
                    place % g->out[2]};
    size_t size = g->elem == WEIR_E_f64 ? 8 : 4;
    for (int64_t kz = 0; kz < g->taps[0]; kz++)
        for (int64_t ky = 0; ky < g->taps[1]; ky++)
            for (int64_t kx = 0; kx < g->taps[2]; kx++, patch += (size_t)g->filter_c * size) {
                int64_t z = o[0] * g->stride[0] - g->pad[0] + kz * g->dilation[0];
                int64_t y = o[1] * g->stride[1] - g->pad[1] + ky * g->dilation[1];
                int64_t x = o[2] * g->stride[2] - g->pad[2] + kx * g->dilation[2];
                if (z < 0 || z >= g->in[0] || y < 0 || y >= g->in[1] || x < 0 || x >= g->in[2])
                    continue;
                int64_t pixel = (z * g->in[1] + y) * g->in[2] + x;
                add_run(g->elem, dx + (size_t)(pixel * g->in_c) * size, (const float *)patch,
                        g->filter_c);
            }
}

/* One image: dx has been cleared. For 16-bit types dy, w and dx are float copies. */
static void scatter_image(const scatter *s, weir_elem elem, const void *dy, char *dx)
{
    const weir_conv *g = s->g;
    int64_t groups = groups_of(g), out_c = g->out_c / groups;
    int64_t depth = volume(g->taps) * g->filter_c, count = volume(g->out);
    size_t size = weir_elem_size(elem);
    int64_t rows = SCATTER_BYTES / ((int64_t)size * depth) + 1;
    char *patches = weir_scratch(WEIR_SCRATCH_CONV_SUM, size * (size_t)(rows * depth));
    for (int64_t i = 0; i < groups; i++)
        for (int64_t first = 0; first < count; first += rows) {
            int64_t m = weir_min(count - first, rows);
            weir_gemm product = {
                .elem = elem,
                .m = m,
                .n = depth,
                .k = out_c,
                .a = at(dy, first * g->out_c + i * out_c, elem),
                .lda = g->out_c,
                .b = at(s->w, i * out_c, elem),
                .ldb = g->out_c,
                .op_b = WEIR_GEMM_TRANS,
                .c = patches,
                .ldc = depth,
            };
            weir_gemm_run(s->par, &product);
            for (int64_t r = 0; r < m; r++)
                scatter_patch(g, first + r, patches + (size_t)(r * depth) * size,
                              dx + (size_t)(i * g->filter_c) * size);
        }
}

static void scatter_images(void *ctx, int64_t begin, int64_t end)
{
    const scatter *s = ctx;
    const weir_conv *g = s->g;
    int64_t image = volume(g->in) * g->in_c, signal = volume(g->out) * g->out_c;
    for (int64_t n = begin; n < end; n++) {
        char *dx = s->dx + (size_t)(n * image) * weir_elem_size(g->elem);
        memset(dx, 0, (size_t)image * weir_elem_size(g->elem));
        scatter_image(s, g->elem, at(s->dy, n * signal, g->elem), dx);
    }
}

/* 16-bit types: one image at a time in float. */
static void scatter_16_bit(const weir_par *par, scatter *s)
{
    const weir_conv *g = s->g;
    int64_t image = volume(g->in) * g->in_c, signal = volume(g->out) * g->out_c;
    int64_t filter = volume(g->taps) * g->filter_c * g->out_c;
    float *w = weir_scratch_alloc(sizeof(float) * (size_t)filter);
    float *dy = weir_scratch_alloc(sizeof(float) * (size_t)signal);
    float *dx = weir_scratch_alloc(sizeof(float) * (size_t)image);
    weir_halves_to_floats(g->elem, filter, s->w, w);
    scatter wide = {.g = g, .w = w, .par = par};
    for (int64_t n = 0; n < g->batch; n++) {
        weir_halves_to_floats(g->elem, signal, (const uint16_t *)s->dy + n * signal, dy);
        memset(dx, 0, sizeof(float) * (size_t)image);
        scatter_image(&wide, WEIR_E_f32, dy, (char *)dx);
        weir_floats_to_halves(g->elem, image, dx, (uint16_t *)s->dx + n * image);
    }
    weir_scratch_free(w);
    weir_scratch_free(dy);
    weir_scratch_free(dx);
}

void weir_conv_grad_x(const weir_par *par, const weir_conv *g, const void *dy, const void *w,
                      void *dx)
{
    if (g->elem == WEIR_E_i32) {
        weir_conv_grad_x_i32(par, g, dy, w, dx);
        return;
    }
    if (g->stride[0] == 1 && g->stride[1] == 1 && g->stride[2] == 1) {
        grad_x_dense(par, g, dy, w, dx);
        return;
    }
    if (weir_conv_phases_fits(g)) {
        weir_conv_phases_grad_x(par, g, dy, w, dx);
        return;
    }
    scatter s = {.g = g, .dy = dy, .w = w, .dx = dx, .par = par};
    if (g->elem == WEIR_E_f16 || g->elem == WEIR_E_bf16) {
        scatter_16_bit(par, &s);
    } else if (!par || g->batch < 2 * par->threads) {
        scatter_images(&s, 0, g->batch);
    } else {
        s.par = NULL;
        weir_par_for(par, g->batch, 1, scatter_images, &s);
    }
}
