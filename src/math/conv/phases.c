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

/* The convolution of dy that computes the pixels of one phase. */
typedef struct phase {
    weir_conv conv;
    int64_t at[3], first[3]; /* the phase, and the first of its taps */
} phase;

/* False when the phase has no pixels, or no tap reaches them. */
static bool phase_of(const weir_conv *conv, const int64_t at[3], phase *this_phase)
{
    *this_phase = (phase){.conv = {.elem = conv->elem,
                                   .batch = conv->batch,
                                   .in_c = conv->out_c,
                                   .filter_c = conv->out_c,
                                   .out_c = conv->in_c}};
    bool any = true;
    for (int d = 0; d < 3; d++) {
        int64_t s = conv->stride[d];
        this_phase->at[d] = at[d];
        this_phase->first[d] = (at[d] + conv->pad[d]) % s;
        this_phase->conv.in[d] = conv->out[d];
        this_phase->conv.out[d] = (conv->in[d] - at[d] + s - 1) / s;
        this_phase->conv.taps[d] = (conv->taps[d] - this_phase->first[d] + s - 1) / s;
        this_phase->conv.stride[d] = this_phase->conv.dilation[d] = 1;
        this_phase->conv.pad[d] = this_phase->conv.taps[d] - 1 - (at[d] + conv->pad[d]) / s;
        any &= this_phase->conv.taps[d] > 0 && this_phase->conv.out[d] > 0;
    }
    return any;
}

static int64_t volume(const int64_t size[3])
{
    return size[0] * size[1] * size[2];
}

/* Phase |i| of all combinations. */
static void phase_at(const weir_conv *conv, int64_t i, int64_t at[3])
{
    at[0] = i / (conv->stride[1] * conv->stride[2]);
    at[1] = i / conv->stride[2] % conv->stride[1];
    at[2] = i % conv->stride[2];
}

bool weir_conv_phases_fits(const weir_conv *conv)
{
    bool fits = conv->in_c == conv->filter_c && !weir_env_get()->no_stride_phases;
    for (int d = 0; d < 3; d++) /* the taps of a dilated filter need not be a stride apart */
        fits &= conv->dilation[d] == 1 && conv->stride[d] <= conv->taps[d];
    for (int64_t i = 0; fits && i < volume(conv->stride); i++) {
        int64_t at[3];
        phase phase;
        phase_at(conv, i, at);
        fits = phase_of(conv, at, &phase) && weir_conv_direct_fits(&phase.conv) &&
               phase.conv.pad[0] >= 0 && phase.conv.pad[1] >= 0 && phase.conv.pad[2] >= 0;
    }
    return fits;
}

/* to[taps of the phase, reversed][oc][ic] = w[taps][ic][oc]. */
static void phase_filter(const weir_conv *conv, const phase *phase, const char *w, char *to)
{
    size_t size = (size_t)weir_elem_size(conv->elem),
           tap_bytes = (size_t)(conv->in_c * conv->out_c) * size;
    const int64_t *taps = phase->conv.taps;
    for (int64_t i = volume(taps) - 1; i >= 0; i--, to += tap_bytes) {
        int64_t z = phase->first[0] + i / (taps[1] * taps[2]) * conv->stride[0];
        int64_t y = phase->first[1] + i / taps[2] % taps[1] * conv->stride[1];
        int64_t x = phase->first[2] + i % taps[2] * conv->stride[2];
        int64_t tap = (z * conv->taps[1] + y) * conv->taps[2] + x;
        weir_move_transpose((int)size, conv->out_c, conv->in_c, to, conv->in_c * (int64_t)size,
                            w + (size_t)tap * tap_bytes, conv->out_c * (int64_t)size);
    }
}

void weir_conv_phases_grad_x(const weir_par *par, const weir_conv *conv, const void *dy,
                             const void *w, void *dx)
{
    size_t size = (size_t)weir_elem_size(conv->elem);
    int64_t pixel = conv->in_c, line = conv->in[2] * pixel, plane = conv->in[1] * line;
    weir_conv_strides strides = {
        conv->in[0] * plane,
        {conv->stride[0] * plane, conv->stride[1] * line, conv->stride[2] * pixel}};
    char *filter = weir_alloc(size * (size_t)(volume(conv->taps) * conv->in_c * conv->out_c));
    for (int64_t i = 0; i < volume(conv->stride); i++) {
        int64_t at[3];
        phase phase;
        phase_at(conv, i, at);
        phase_of(conv, at, &phase);
        phase_filter(conv, &phase, w, filter);
        char *to = (char *)dx + (at[0] * plane + at[1] * line + at[2] * pixel) * (int64_t)size;
        weir_conv_direct_into(par, &phase.conv, dy, filter, to, &strides);
    }
    weir_free(filter);
}
