/* math/move/move.isa.c - strided copies, repeats and transposition, per instruction set. */
#include <string.h>

#include "math/move/move_impl.h"

#define LOOPS "math/move/strided.inc"
#include "math/each_size.inc"
#undef LOOPS

/* ---- transposition ---- */

/* A tile is as wide as a cache line on both sides. Its lines are read whole into a buffer, and
 * written whole from there. This avoids conflict misses for power-of-two strides, which map all
 * rows to the same few cache sets. */
enum { LINE = 64 };

typedef uint32_t four __attribute__((vector_size(16)));
typedef uint64_t two __attribute__((vector_size(16)));

#define PICK4(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)

static inline void transpose_tile_4(const uint32_t (*t)[16], char *dst, int64_t dst_stride)
{
    for (int r = 0; r < 16; r += 4) {
        for (int c = 0; c < 16; c += 4) {
            four a, b, x, y, out[4];
            memcpy(&a, &t[c][r], 16);
            memcpy(&b, &t[c + 1][r], 16);
            memcpy(&x, &t[c + 2][r], 16);
            memcpy(&y, &t[c + 3][r], 16);
            four ab_low = PICK4(a, b, 0, 4, 1, 5), ab_high = PICK4(a, b, 2, 6, 3, 7);
            four xy_low = PICK4(x, y, 0, 4, 1, 5), xy_high = PICK4(x, y, 2, 6, 3, 7);
            out[0] = PICK4(ab_low, xy_low, 0, 1, 4, 5);
            out[1] = PICK4(ab_low, xy_low, 2, 3, 6, 7);
            out[2] = PICK4(ab_high, xy_high, 0, 1, 4, 5);
            out[3] = PICK4(ab_high, xy_high, 2, 3, 6, 7);
            for (int k = 0; k < 4; k++)
                memcpy(dst + (r + k) * dst_stride + c * 4, &out[k], 16);
        }
    }
}

static inline void transpose_tile_8(const uint64_t (*t)[8], char *dst, int64_t dst_stride)
{
    for (int r = 0; r < 8; r += 2) {
        for (int c = 0; c < 8; c += 2) {
            two a, b;
            memcpy(&a, &t[c][r], 16);
            memcpy(&b, &t[c + 1][r], 16);
            two low = __builtin_shufflevector(a, b, 0, 2);
            two high = __builtin_shufflevector(a, b, 1, 3);
            memcpy(dst + r * dst_stride + c * 8, &low, 16);
            memcpy(dst + (r + 1) * dst_stride + c * 8, &high, 16);
        }
    }
}

#define LOOPS "math/move/transpose.inc"
#include "math/each_size.inc"

const weir_move_loops WEIR_ISA_NAME(weir_move_loops) = {
    .strided = {strided_1, strided_2, strided_4, strided_8, strided_16},
    .repeat = {repeat_1, repeat_2, repeat_4, repeat_8, repeat_16},
    .transpose = {transpose_1, transpose_2, transpose_4, transpose_8, transpose_16},
};
