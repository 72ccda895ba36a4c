/* math/move/move.h - type-agnostic element moves: strided copies, fills, transposition.
 *
 * Elements have 1, 2, 4, 8 or 16 bytes; steps and strides are in bytes and may have any sign.
 * Source and destination must not overlap.
 * Single-threaded: callers split the work.
 */
#ifndef WEIR_MATH_MOVE_H
#define WEIR_MATH_MOVE_H

#include <stdint.h>

/* dst[i * dst_step] = src[i * src_step] for i in [0, count). */
void weir_move_strided(int size, int64_t count, void *dst, int64_t dst_step, const void *src,
                       int64_t src_step);
/* dst[i] = *value, contiguous. */
void weir_move_repeat(int size, int64_t count, void *dst, const void *value);
/* dst[r * dst_stride + c] = src[c * src_stride + r]: rows of both are contiguous. */
void weir_move_transpose(int size, int64_t rows, int64_t cols, void *dst, int64_t dst_stride,
                         const void *src, int64_t src_stride);

#endif
