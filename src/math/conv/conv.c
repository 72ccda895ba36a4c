/* math/conv/conv.c - convolutions as products over patches that are packed, never stored.
 *
 *   forward   y  = patches(x) . w
 *   grad_w    dw = patches(x)^T . dy
 *   grad_x    dx = patches(dy) . flipped w   when nothing is strided; otherwise by phases
 * (phases.h), or the patches' gradients dy . w^T are computed a few lines at a time and added to
 * the pixels that they came from
 *
 * A faster method (winograd.h, direct.h, few_taps.h) is used instead where it applies.
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

static int64_t groups_of(const weir_conv *conv)
{
    return conv->filter_c ? conv->in_c / conv->filter_c : 1;
}

static weir_patches patches_of(const weir_conv *conv)
{
    weir_patches patches = {.channels = conv->filter_c, .pitch = conv->in_c};
    for (int d = 0; d < 3; d++) {
        patches.in[d] = conv->in[d];
        patches.out[d] = conv->out[d];
        patches.taps[d] = conv->taps[d];
        patches.stride[d] = conv->stride[d];
        patches.dilation[d] = conv->dilation[d];
        patches.pad[d] = conv->pad[d];
    }
    return patches;
}

static const char *at(const void *p, int64_t element, weir_elem elem)
{
    return (const char *)p + element * (int64_t)weir_elem_size(elem);
}

void weir_conv_forward(const weir_par *par, const weir_conv *conv, const void *x, const void *w,
                       void *y)
{
    if (conv->elem == WEIR_E_i32) {
        weir_conv_forward_i32(par, conv, x, w, y);
        return;
    }
    if (weir_winograd_fits(conv)) {
        weir_winograd(par, conv, x, w, y);
        return;
    }
    if (weir_conv_direct_fits(conv)) {
        weir_conv_direct(par, conv, x, w, y);
        return;
    }
    int64_t groups = groups_of(conv), out_c = conv->out_c / groups;
    weir_patches patches = patches_of(conv);
    for (int64_t i = 0; i < groups; i++) {
        int64_t depth = volume(conv->taps) * conv->filter_c;
        weir_gemm_views views = {
            .a = {.at = at(x, i * conv->filter_c, conv->elem),
                  .rs = depth + 1,
                  .cs = 1,
                  .elem = conv->elem,
                  .patches = &patches},
            .b = {.at = at(w, i * out_c, conv->elem),
                  .rs = conv->out_c,
                  .cs = 1,
                  .elem = conv->elem},
            .m = conv->batch * volume(conv->out),
            .n = out_c,
            .k = depth,
            .c = (char *)at(y, i * out_c, conv->elem),
            .ldc = conv->out_c,
            .elem = conv->elem,
        };
        weir_gemm_views_run(par, &views);
    }
    if (conv->epilogue)
        weir_epilogue_run(par, conv->epilogue, conv->batch * volume(conv->out), conv->out_c, y,
                          conv->out_c);
}

void weir_conv_grad_w(const weir_par *par, const weir_conv *conv, const void *x, const void *dy,
                      void *dw)
{
    if (weir_conv_few_taps_fits(conv)) {
        weir_conv_few_taps_grad_w(par, conv, x, dy, dw);
        return;
    }
    if (weir_winograd_fits(conv)) {
        weir_winograd_grad_w(par, conv, x, dy, dw);
        return;
    }
    if (weir_conv_direct_fits(conv)) {
        weir_conv_direct_grad_w(par, conv, x, dy, dw);
        return;
    }
    int64_t groups = groups_of(conv), out_c = conv->out_c / groups;
    weir_patches patches = patches_of(conv);
    for (int64_t i = 0; i < groups; i++) {
        int64_t depth = volume(conv->taps) * conv->filter_c;
        weir_gemm_views views = {
            .a = {.at = at(x, i * conv->filter_c, conv->elem),
                  .rs = 1,
                  .cs = depth + 1,
                  .elem = conv->elem,
                  .patches = &patches},
            .b = {.at = at(dy, i * out_c, conv->elem),
                  .rs = conv->out_c,
                  .cs = 1,
                  .elem = conv->elem},
            .m = depth,
            .n = out_c,
            .k = conv->batch * volume(conv->out),
            .c = (char *)at(dw, i * out_c, conv->elem),
            .ldc = conv->out_c,
            .elem = conv->elem,
        };
        weir_gemm_views_run(par, &views);
    }
}

/* ---- the gradient of x when nothing is strided ---- */

/* to[taps reversed][oc][ic] = w[taps][ic][oc] of one group. */
static void flip_filter(const weir_conv *conv, const void *w, int64_t out_c, void *to)
{
    int64_t taps = volume(conv->taps);
    size_t size = weir_elem_size(conv->elem);
    for (int64_t t = 0; t < taps; t++) {
        const char *from = at(w, t * conv->filter_c * conv->out_c, conv->elem);
        char *into = (char *)to + (size_t)((taps - 1 - t) * out_c * conv->filter_c) * size;
        weir_move_transpose((int)size, out_c, conv->filter_c, into, conv->filter_c * (int64_t)size,
                            from, conv->out_c * (int64_t)size);
    }
}

/* A convolution of dy with the flipped filter, group by group. */
static void grad_x_dense(const weir_par *par, const weir_conv *conv, const void *dy, const void *w,
                         void *dx)
{
    int64_t groups = groups_of(conv), out_c = conv->out_c / groups;
    int64_t depth = volume(conv->taps) * out_c;
    weir_conv back = {.elem = conv->elem,
                      .batch = conv->batch,
                      .in_c = conv->out_c,
                      .filter_c = out_c,
                      .out_c = conv->filter_c};
    for (int d = 0; d < 3; d++) {
        back.in[d] = conv->out[d];
        back.out[d] = conv->in[d];
        back.taps[d] = conv->taps[d];
        back.stride[d] = 1;
        back.dilation[d] = conv->dilation[d];
        back.pad[d] = (conv->taps[d] - 1) * conv->dilation[d] - conv->pad[d];
    }
    void *flipped =
        weir_scratch_alloc((size_t)(weir_elem_size(conv->elem) * depth * conv->filter_c));
    weir_patches patches = patches_of(&back);
    for (int64_t i = 0; i < groups; i++) {
        flip_filter(conv, at(w, i * out_c, conv->elem), out_c, flipped);
        if (weir_winograd_fits(&back)) {
            weir_winograd(par, &back, dy, flipped, dx);
            break;
        }
        if (groups == 1 && weir_conv_direct_fits(&back)) {
            weir_conv_direct(par, &back, dy, flipped, dx);
            break;
        }
        weir_gemm_views views = {
            .a = {.at = at(dy, i * out_c, conv->elem),
                  .rs = depth + 1,
                  .cs = 1,
                  .elem = conv->elem,
                  .patches = &patches},
            .b = {.at = flipped, .rs = conv->filter_c, .cs = 1, .elem = conv->elem},
            .m = conv->batch * volume(conv->in),
            .n = conv->filter_c,
            .k = depth,
            .c = (char *)at(dx, i * conv->filter_c, conv->elem),
            .ldc = conv->in_c,
            .elem = conv->elem,
        };
        weir_gemm_views_run(par, &views);
    }
    weir_scratch_free(flipped);
}

/* ---- the gradient of x when something is strided ---- */

typedef struct scatter {
    const weir_conv *conv;
    const void *dy, *w;
    char *dx;
    const weir_par *par; /* for the products inside */
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
static void scatter_patch(const weir_conv *conv, int64_t place, const char *patch, char *dx)
{
    int64_t o[3] = {place / (conv->out[1] * conv->out[2]), place / conv->out[2] % conv->out[1],
                    place % conv->out[2]};
    size_t size = conv->elem == WEIR_E_f64 ? 8 : 4;
    for (int64_t kz = 0; kz < conv->taps[0]; kz++)
        for (int64_t ky = 0; ky < conv->taps[1]; ky++)
            for (int64_t kx = 0; kx < conv->taps[2]; kx++, patch += (size_t)conv->filter_c * size) {
                int64_t z = o[0] * conv->stride[0] - conv->pad[0] + kz * conv->dilation[0];
                int64_t y = o[1] * conv->stride[1] - conv->pad[1] + ky * conv->dilation[1];
                int64_t x = o[2] * conv->stride[2] - conv->pad[2] + kx * conv->dilation[2];
                if (z < 0 || z >= conv->in[0] || y < 0 || y >= conv->in[1] || x < 0 ||
                    x >= conv->in[2])
                    continue;
                int64_t pixel = (z * conv->in[1] + y) * conv->in[2] + x;
                add_run(conv->elem, dx + (size_t)(pixel * conv->in_c) * size, (const float *)patch,
                        conv->filter_c);
            }
}

/* One image: dx has been cleared. For 16-bit types dy, w and dx are float copies. */
static void scatter_image(const scatter *scatter, weir_elem elem, const void *dy, char *dx)
{
    const weir_conv *conv = scatter->conv;
    int64_t groups = groups_of(conv), out_c = conv->out_c / groups;
    int64_t depth = volume(conv->taps) * conv->filter_c, count = volume(conv->out);
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
                .a = at(dy, first * conv->out_c + i * out_c, elem),
                .lda = conv->out_c,
                .b = at(scatter->w, i * out_c, elem),
                .ldb = conv->out_c,
                .op_b = WEIR_GEMM_TRANS,
                .c = patches,
                .ldc = depth,
            };
            weir_gemm_run(scatter->par, &product);
            for (int64_t r = 0; r < m; r++)
                scatter_patch(conv, first + r, patches + (size_t)(r * depth) * size,
                              dx + (size_t)(i * conv->filter_c) * size);
        }
}

static void scatter_images(void *ctx, int64_t begin, int64_t end)
{
    const scatter *scatter = ctx;
    const weir_conv *conv = scatter->conv;
    int64_t image = volume(conv->in) * conv->in_c, signal = volume(conv->out) * conv->out_c;
    for (int64_t n = begin; n < end; n++) {
        char *dx = scatter->dx + (size_t)(n * image) * weir_elem_size(conv->elem);
        memset(dx, 0, (size_t)image * weir_elem_size(conv->elem));
        scatter_image(scatter, conv->elem, at(scatter->dy, n * signal, conv->elem), dx);
    }
}

/* 16-bit types: one image at a time in float. */
static void scatter_16_bit(const weir_par *par, scatter *this_scatter)
{
    const weir_conv *conv = this_scatter->conv;
    int64_t image = volume(conv->in) * conv->in_c, signal = volume(conv->out) * conv->out_c;
    int64_t filter = volume(conv->taps) * conv->filter_c * conv->out_c;
    float *w = weir_scratch_alloc(sizeof(float) * (size_t)filter);
    float *dy = weir_scratch_alloc(sizeof(float) * (size_t)signal);
    float *dx = weir_scratch_alloc(sizeof(float) * (size_t)image);
    weir_halves_to_floats(conv->elem, filter, this_scatter->w, w);
    scatter wide = {.conv = conv, .w = w, .par = par};
    for (int64_t n = 0; n < conv->batch; n++) {
        weir_halves_to_floats(conv->elem, signal, (const uint16_t *)this_scatter->dy + n * signal,
                              dy);
        memset(dx, 0, sizeof(float) * (size_t)image);
        scatter_image(&wide, WEIR_E_f32, dy, (char *)dx);
        weir_floats_to_halves(conv->elem, image, dx, (uint16_t *)this_scatter->dx + n * image);
    }
    weir_scratch_free(w);
    weir_scratch_free(dy);
    weir_scratch_free(dx);
}

/* With a filter nearly as large as the image most positions around dy are padding, which a dense
 * convolution would multiply as well. */
static bool mostly_padding(const weir_conv *conv)
{
    return volume(conv->in) > 4 * volume(conv->out);
}

void weir_conv_grad_x(const weir_par *par, const weir_conv *conv, const void *dy, const void *w,
                      void *dx)
{
    if (conv->elem == WEIR_E_i32) {
        weir_conv_grad_x_i32(par, conv, dy, w, dx);
        return;
    }
    bool strided = volume(conv->stride) > 1;
    if (!strided && !mostly_padding(conv)) {
        grad_x_dense(par, conv, dy, w, dx);
        return;
    }
    if (strided && weir_conv_phases_fits(conv)) {
        weir_conv_phases_grad_x(par, conv, dy, w, dx);
        return;
    }
    scatter scatter = {.conv = conv, .dy = dy, .w = w, .dx = dx, .par = par};
    if (conv->elem == WEIR_E_f16 || conv->elem == WEIR_E_bf16) {
        scatter_16_bit(par, &scatter);
    } else if (!par || conv->batch < 2 * par->threads) {
        scatter_images(&scatter, 0, conv->batch);
    } else {
        scatter.par = NULL;
        weir_par_for(par, conv->batch, 1, scatter_images, &scatter);
    }
}
