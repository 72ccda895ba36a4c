/* math/gemm/patches_impl.h - packs patches of an image into panels (im2col).
 *
 * Without dilation, and if the patch has all channels, taps adjacent along the width are adjacent
 * in memory; then a whole line of the patch is one run. Sizes are in elements of |size| bytes, a
 * constant wherever these are inlined.
 */
#ifndef WEIR_MATH_GEMM_PATCHES_IMPL_H
#define WEIR_MATH_GEMM_PATCHES_IMPL_H

#include <string.h>

#include "math/gemm/gemm_impl.h"

/* The position of a patch: its image, and the coordinates of its first tap (may be outside). */
typedef struct patch_place {
    int64_t image, at[3];
    int64_t out[3]; /* its position in the output */
} patch_place;

static inline patch_place place_of(const weir_patches *patches, int64_t row)
{
    patch_place place;
    for (int d = 2; d >= 0; d--) {
        place.out[d] = row % patches->out[d];
        place.at[d] = place.out[d] * patches->stride[d] - patches->pad[d];
        row /= patches->out[d];
    }
    place.image = row;
    return place;
}

static inline void place_next(const weir_patches *patches, patch_place *place)
{
    for (int d = 2; d >= 0; d--) {
        place->at[d] += patches->stride[d];
        if (++place->out[d] < patches->out[d])
            return;
        place->out[d] = 0;
        place->at[d] = -patches->pad[d];
    }
    place->image++;
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
static inline void gather_line(const weir_patches *patches, const char *image,
                               const patch_place *place, int64_t kz, int64_t ky, int64_t q,
                               int64_t count, size_t size, char *to)
{
    int64_t z = place->at[0] + kz * patches->dilation[0],
            y = place->at[1] + ky * patches->dilation[1];
    if (!inside(z, patches->in[0]) || !inside(y, patches->in[1])) {
        memset(to, 0, (size_t)count * size);
        return;
    }
    const char *line = image + ((place->image * patches->in[0] + z) * patches->in[1] + y) *
                                   patches->in[2] * patches->pitch * (int64_t)size;
    int64_t x = place->at[2];
    bool dense = patches->dilation[2] == 1 && patches->channels == patches->pitch;
    if (dense) {
        /* The run is elements [begin, end) of the line, clipped to the image. */
        int64_t begin = x * patches->pitch + q, end = begin + count,
                width = patches->in[2] * patches->pitch;
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
    int64_t kx = q / patches->channels, c = q % patches->channels;
    while (count > 0) {
        int64_t run = patches->channels - c < count ? patches->channels - c : count;
        int64_t at = x + kx * patches->dilation[2];
        if (inside(at, patches->in[2]))
            copy_run(to, line + (at * patches->pitch + c) * (int64_t)size, run, size);
        else
            memset(to, 0, (size_t)run * size);
        to += run * (int64_t)size;
        count -= run;
        kx++;
        c = 0;
    }
}

/* Columns [q, q + count) of the patch at |place|. */
static inline void gather_place(const weir_patches *patches, const char *image,
                                const patch_place *place, int64_t q, int64_t count, size_t size,
                                char *to)
{
    int64_t line = patches->taps[2] * patches->channels;
    int64_t ky = q / line, kz = ky / patches->taps[1];
    ky %= patches->taps[1];
    q %= line;
    while (count > 0) {
        int64_t run = line - q < count ? line - q : count;
        gather_line(patches, image, place, kz, ky, q, run, size, to);
        to += run * (int64_t)size;
        count -= run;
        q = 0;
        if (++ky == patches->taps[1]) {
            ky = 0;
            kz++;
        }
    }
}

static inline void gather_row(const weir_patches *patches, const void *image, int64_t row,
                              int64_t q, int64_t count, size_t size, char *to)
{
    patch_place place = place_of(patches, row);
    if (size == 2)
        gather_place(patches, image, &place, q, count, 2, to);
    else if (size == 4)
        gather_place(patches, image, &place, q, count, 4, to);
    else
        gather_place(patches, image, &place, q, count, 8, to);
}

/* Columns [q, q + count) of the patches [row, row + rows), one patch after the other. */
static inline void gather_cols(const weir_patches *patches, const void *image, int64_t q,
                               int64_t count, int64_t row, int64_t rows, size_t size, char *to)
{
    patch_place place = place_of(patches, row);
    for (int64_t row_index = 0; row_index < rows; row_index++) {
        gather_place(patches, image, &place, q, count, size, to);
        to += count * (int64_t)size;
        place_next(patches, &place);
    }
}

#endif
