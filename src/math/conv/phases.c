/* math/conv/phases.c - the input gradient of a strided convolution as one convolution per phase.
 *
 * Along one dimension, pixel y = stride * q + r contributes to output o through tap k when
 * y = stride * o - pad + k. The taps of phase r are therefore first, first + stride, ..., with
 * first = (r + pad) mod stride, and tap first + stride * j connects it with output
 * q + (r + pad) / stride - j.
 */
#include "math/conv/phases.h"

#include <string.h>

#include "base/env.h"
#include "base/mem.h"
#include "math/conv/direct.h"
#include "math/move/move.h"

/* The convolution of dy that gives the pixels of one phase. */
typedef struct phase {
    weir_conv conv;
    int64_t at[3], first[3]; /* the phase, and the first of its taps */
} phase;

/* False when the phase has no pixels, or no tap reaches them. */
static bool phase_of(const weir_conv *g, const int64_t at[3], phase *p)
{
    *p = (phase){.conv = {.elem = g->elem,
                          .batch = g->batch,
                          .in_c = g->out_c,
                          .filter_c = g->out_c,
                          .out_c = g->in_c}};
    bool any = true;
    for (int d = 0; d < 3; d++) {
        int64_t s = g->stride[d];
        p->at[d] = at[d];
        p->first[d] = (at[d] + g->pad[d]) % s;
        p->conv.in[d] = g->out[d];
        p->conv.out[d] = (g->in[d] - at[d] + s - 1) / s;
        p->conv.taps[d] = (g->taps[d] - p->first[d] + s - 1) / s;
        p->conv.stride[d] = p->conv.dilation[d] = 1;
        p->conv.pad[d] = p->conv.taps[d] - 1 - (at[d] + g->pad[d]) / s;
        any &= p->conv.taps[d] > 0 && p->conv.out[d] > 0;
    }
    return any;
}

static int64_t volume(const int64_t size[3])
{
    return size[0] * size[1] * size[2];
}

/* Phase |i| of all combinations. */
static void phase_at(const weir_conv *g, int64_t i, int64_t at[3])
{
    at[0] = i / (g->stride[1] * g->stride[2]);
    at[1] = i / g->stride[2] % g->stride[1];
    at[2] = i % g->stride[2];
}

bool weir_conv_phases_fits(const weir_conv *g)
{
    bool fits = g->in_c == g->filter_c && !weir_env_get()->no_phases;
    for (int d = 0; d < 3; d++) /* the taps of a dilated filter need not be a stride apart */
        fits &= g->dilation[d] == 1 && g->stride[d] <= g->taps[d];
    for (int64_t i = 0; fits && i < volume(g->stride); i++) {
        int64_t at[3];
        phase p;
        phase_at(g, i, at);
        fits = phase_of(g, at, &p) && weir_conv_direct_fits(&p.conv) && p.conv.pad[0] >= 0 &&
               p.conv.pad[1] >= 0 && p.conv.pad[2] >= 0;
    }
    return fits;
}

/* to[taps of the phase, reversed][oc][ic] = w[taps][ic][oc]. */
static void phase_filter(const weir_conv *g, const phase *p, const char *w, char *to)
{
    size_t size = (size_t)weir_elem_size(g->elem), tap_bytes = (size_t)(g->in_c * g->out_c) * size;
    const int64_t *taps = p->conv.taps;
    for (int64_t i = volume(taps) - 1; i >= 0; i--, to += tap_bytes) {
        int64_t z = p->first[0] + i / (taps[1] * taps[2]) * g->stride[0];
        int64_t y = p->first[1] + i / taps[2] % taps[1] * g->stride[1];
        int64_t x = p->first[2] + i % taps[2] * g->stride[2];
        int64_t tap = (z * g->taps[1] + y) * g->taps[2] + x;
        weir_move_transpose((int)size, g->out_c, g->in_c, to, g->in_c * (int64_t)size,
                            w + (size_t)tap * tap_bytes, g->out_c * (int64_t)size);
    }
}

void weir_conv_phases_grad_x(const weir_par *par, const weir_conv *g, const void *dy, const void *w,
                             void *dx)
{
    size_t size = (size_t)weir_elem_size(g->elem);
    int64_t pixel = g->in_c, line = g->in[2] * pixel, plane = g->in[1] * line;
    weir_conv_strides strides = {g->in[0] * plane,
                                 {g->stride[0] * plane, g->stride[1] * line, g->stride[2] * pixel}};
    char *filter = weir_alloc(size * (size_t)(volume(g->taps) * g->in_c * g->out_c));
    for (int64_t i = 0; i < volume(g->stride); i++) {
        int64_t at[3];
        phase p;
        phase_at(g, i, at);
        phase_of(g, at, &p);
        phase_filter(g, &p, w, filter);
        char *to = (char *)dx + (at[0] * plane + at[1] * line + at[2] * pixel) * (int64_t)size;
        weir_conv_direct_into(par, &p.conv, dy, filter, to, &strides);
    }
    weir_free(filter);
}
