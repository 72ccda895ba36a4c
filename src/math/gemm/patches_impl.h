/* math/gemm/patches_impl.h - reading patches of an image into panels.
 *
 * Neighbouring taps along the width are neighbours in memory when nothing is dilated and the patch
 * has all channels; then a whole line of the patch is one run. Sizes are in elements of |size|
 * bytes, a constant wherever these are inlined.
 */
#ifndef WEIR_MATH_GEMM_PATCHES_IMPL_H
#define WEIR_MATH_GEMM_PATCHES_IMPL_H

#include <string.h>

#include "math/gemm/gemm_impl.h"

/* Where a patch starts: its image, and the coordinates of its first tap (maybe outside). */
typedef struct patch_place {
    int64_t image, at[3];
    int64_t out[3]; /* its place in the output */
} patch_place;

static inline patch_place place_of(const weir_patches *g, int64_t row)
{
    patch_place s;
    for (int d = 2; d >= 0; d--) {
        s.out[d] = row % g->out[d];
        s.at[d] = s.out[d] * g->stride[d] - g->pad[d];
        row /= g->out[d];
    }
    s.image = row;
    return s;
}

static inline void place_next(const weir_patches *g, patch_place *s)
{
    for (int d = 2; d >= 0; d--) {
        s->at[d] += g->stride[d];
        if (++s->out[d] < g->out[d])
            return;
        s->out[d] = 0;
        s->at[d] = -g->pad[d];
    }
    s->image++;
}

static inline void copy_run(char *to, const char *from, int64_t count, size_t size)
{
    if (count > 16) {
        memcpy(to, from, (size_t)count * size);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        memcpy(to + (size_t)i * size, from + (size_t)i * size, size);
}

static inline bool inside(int64_t at, int64_t size)
{
    return (uint64_t)at < (uint64_t)size;
}

/* The line of taps at (kz, ky): columns [q, q + count) of it, q counted from the line's start. */
static inline void gather_line(const weir_patches *g, const char *image, const patch_place *s,
                               int64_t kz, int64_t ky, int64_t q, int64_t count, size_t size,
                               char *to)
{
    int64_t z = s->at[0] + kz * g->dilation[0], y = s->at[1] + ky * g->dilation[1];
    if (!inside(z, g->in[0]) || !inside(y, g->in[1])) {
        memset(to, 0, (size_t)count * size);
        return;
    }
    const char *line =
        image + ((s->image * g->in[0] + z) * g->in[1] + y) * g->in[2] * g->pitch * (int64_t)size;
    int64_t x = s->at[2];
    bool dense = g->dilation[2] == 1 && g->channels == g->pitch;
    if (dense) {
        /* The run is elements [begin, end) of the line, of which those on the image exist. */
        int64_t begin = x * g->pitch + q, end = begin + count, width = g->in[2] * g->pitch;
        int64_t from = begin < 0 ? 0 : begin, upto = end > width ? width : end;
        if (from >= upto) {
            memset(to, 0, (size_t)count * size);
            return;
        }
        if (from > begin)
            memset(to, 0, (size_t)(from - begin) * size);
        copy_run(to + (from - begin) * (int64_t)size, line + from * (int64_t)size, upto - from,
                 size);
        if (upto < end)
            memset(to + (upto - begin) * (int64_t)size, 0, (size_t)(end - upto) * size);
        return;
    }
    int64_t kx = q / g->channels, c = q % g->channels;
    while (count > 0) {
        int64_t run = g->channels - c < count ? g->channels - c : count;
        int64_t at = x + kx * g->dilation[2];
        if (inside(at, g->in[2]))
            copy_run(to, line + (at * g->pitch + c) * (int64_t)size, run, size);
        else
            memset(to, 0, (size_t)run * size);
        to += run * (int64_t)size;
        count -= run;
        kx++;
        c = 0;
    }
}

/* Columns [q, q + count) of the patch at |s|. */
static inline void gather_place(const weir_patches *g, const char *image, const patch_place *s,
                                int64_t q, int64_t count, size_t size, char *to)
{
    int64_t line = g->taps[2] * g->channels;
    int64_t ky = q / line, kz = ky / g->taps[1];
    ky %= g->taps[1];
    q %= line;
    while (count > 0) {
        int64_t run = line - q < count ? line - q : count;
        gather_line(g, image, s, kz, ky, q, run, size, to);
        to += run * (int64_t)size;
        count -= run;
        q = 0;
        if (++ky == g->taps[1]) {
            ky = 0;
            kz++;
        }
    }
}

static inline void gather_row(const weir_patches *g, const void *image, int64_t row, int64_t q,
                              int64_t count, size_t size, char *to)
{
    patch_place s = place_of(g, row);
    if (size == 2)
        gather_place(g, image, &s, q, count, 2, to);
    else if (size == 4)
        gather_place(g, image, &s, q, count, 4, to);
    else
        gather_place(g, image, &s, q, count, 8, to);
}

/* Columns [q, q + count) of the patches [row, row + rows), one patch after the other. */
static inline void gather_cols(const weir_patches *g, const void *image, int64_t q, int64_t count,
                               int64_t row, int64_t rows, size_t size, char *to)
{
    patch_place s = place_of(g, row);
    for (int64_t r = 0; r < rows; r++) {
        gather_place(g, image, &s, q, count, size, to);
        to += count * (int64_t)size;
        place_next(g, &s);
    }
}

#endif
