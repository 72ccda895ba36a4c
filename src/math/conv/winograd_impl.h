/* math/conv/winograd_impl.h - the transforms between the bases, along channels.
 *
 * A tile has |n| x |n| points, n being 6 or 8, |step| elements apart. Pixels are pointers to their
 * channels; a null pixel reads as zeros and is not written.
 */
#ifndef WEIR_MATH_CONV_WINOGRAD_IMPL_H
#define WEIR_MATH_CONV_WINOGRAD_IMPL_H

#include <stdint.h>

#include "math/conv/epilogue.h"
#include "math/isa.h"

enum { WEIR_WINOGRAD_MAX_POINTS = 64 };

typedef struct weir_winograd_loops {
    int n;
    /* A tile of n x n pixels; to[point * step + c]. */
    void (*image)(const float *const *pixels, int64_t channels, float *to, int64_t step);
    /* A filter of |side| x |side| pixels (n / 2 or n / 2 + 1), written as row |row| of a packed B
     * of |depth| rows (math/gemm/gemm_impl.h) for each point. */
    void (*filter)(int side, const float *const *pixels, int64_t channels, int64_t row,
                   int64_t depth, float *to, int64_t step);
    /* The inverse: |side| x |side| pixels (n / 2 or n / 2 + 1) from from[point * step + c], with
     * the epilogue |then| applied unless null. */
    void (*result)(int side, const float *from, int64_t step, int64_t channels,
                   const weir_epilogue *then, float *const *pixels);
} weir_winograd_loops;

enum { WEIR_WINOGRAD_SIX, WEIR_WINOGRAD_EIGHT, WEIR_WINOGRAD_BASES };
typedef weir_winograd_loops weir_winograd_table[WEIR_WINOGRAD_BASES];
WEIR_ISA_DECLARE(const weir_winograd_table, weir_winograd_loops);

#endif
