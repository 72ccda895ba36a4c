/* math/move/move.isa.c - strided copies, repeats and transposition, per instruction set. */
#include <string.h>

#include "math/move/move_impl.h"

typedef struct sixteen {
    uint64_t half[2];
} sixteen;

#define FOR_SIZES(X) X(1, uint8_t) X(2, uint16_t) X(4, uint32_t) X(8, uint64_t) X(16, sixteen)

/* ---- strided copies and repeats ----------------------------------------------------------------
 */

/* The common steps are constants in loops of their own, so that they become vector code. */
#define STRIDED(bytes, T)                                                                          \
    static void strided_##bytes(int64_t count, void *dst, int64_t dst_step, const void *src,       \
                                int64_t src_step)                                                  \
    {                                                                                              \
        T *d = dst;                                                                                \
        const T *s = src;                                                                          \
        if (dst_step == bytes && src_step == -bytes) {                                             \
            for (int64_t i = 0; i < count; i++)                                                    \
                d[i] = s[-i];                                                                      \
        } else if (dst_step == bytes && src_step == 2 * bytes) {                                   \
            for (int64_t i = 0; i < count; i++)                                                    \
                d[i] = s[2 * i];                                                                   \
        } else {                                                                                   \
            char *to = dst;                                                                        \
            const char *from = src;                                                                \
            for (int64_t i = 0; i < count; i++, to += dst_step, from += src_step)                  \
                *(T *)to = *(const T *)from;                                                       \
        }                                                                                          \
    }                                                                                              \
    static void repeat_##bytes(int64_t count, void *dst, const void *value)                        \
    {                                                                                              \
        T v = *(const T *)value, *d = dst;                                                         \
        for (int64_t i = 0; i < count; i++)                                                        \
            d[i] = v;                                                                              \
    }
FOR_SIZES(STRIDED)

/* ---- transposition ------------------------------------------------------------------------------
 */

/* A tile is as wide as a cache line on both sides. Its lines are read whole into |t| and written
 * whole from there: strides of a power of two, which put all rows into the same few places of the
 * cache, then cost nothing. */
#define TILE_OF(bytes) (64 / (bytes))

typedef uint32_t four __attribute__((vector_size(16)));
typedef uint64_t two __attribute__((vector_size(16)));

#define PICK4(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)

static inline void turn_4(const uint32_t (*t)[16], char *dst, int64_t dst_stride)
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

static inline void turn_8(const uint64_t (*t)[8], char *dst, int64_t dst_stride)
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

#define TURN_PLAIN(bytes, T)                                                                       \
    static inline void turn_##bytes(const T(*t)[TILE_OF(bytes)], char *dst, int64_t dst_stride)    \
    {                                                                                              \
        for (int r = 0; r < TILE_OF(bytes); r++) {                                                 \
            T line[TILE_OF(bytes)];                                                                \
            for (int c = 0; c < TILE_OF(bytes); c++)                                               \
                line[c] = t[c][r];                                                                 \
            memcpy(dst + r * dst_stride, line, 64);                                                \
        }                                                                                          \
    }
TURN_PLAIN(1, uint8_t)
TURN_PLAIN(2, uint16_t)
TURN_PLAIN(16, sixteen)

#define TRANSPOSE(bytes, T)                                                                        \
    static void edge_##bytes(int64_t rows, int64_t cols, char *dst, int64_t dst_stride,            \
                             const char *src, int64_t src_stride)                                  \
    {                                                                                              \
        for (int64_t r = 0; r < rows; r++)                                                         \
            for (int64_t c = 0; c < cols; c++)                                                     \
                ((T *)(dst + r * dst_stride))[c] = ((const T *)(src + c * src_stride))[r];         \
    }                                                                                              \
    static void transpose_##bytes(int64_t rows, int64_t cols, void *dst, int64_t dst_stride,       \
                                  const void *src, int64_t src_stride)                             \
    {                                                                                              \
        enum { SIDE = TILE_OF(bytes) };                                                            \
        T t[SIDE][SIDE];                                                                           \
        for (int64_t r = 0; r < rows; r += SIDE) {                                                 \
            for (int64_t c = 0; c < cols; c += SIDE) {                                             \
                char *d = (char *)dst + r * dst_stride + c * bytes;                                \
                const char *s = (const char *)src + c * src_stride + r * bytes;                    \
                int64_t high = rows - r < SIDE ? rows - r : SIDE;                                  \
                int64_t wide = cols - c < SIDE ? cols - c : SIDE;                                  \
                if (high < SIDE || wide < SIDE) {                                                  \
                    edge_##bytes(high, wide, d, dst_stride, s, src_stride);                        \
                    continue;                                                                      \
                }                                                                                  \
                for (int k = 0; k < SIDE; k++)                                                     \
                    memcpy(t[k], s + k * src_stride, 64);                                          \
                turn_##bytes((const T(*)[SIDE])t, d, dst_stride);                                  \
            }                                                                                      \
        }                                                                                          \
    }
FOR_SIZES(TRANSPOSE)

#define ENTRY(name, bytes) [__builtin_ctz(bytes)] = name##_##bytes,
#define STRIDED_ENTRY(bytes, T) ENTRY(strided, bytes)
#define REPEAT_ENTRY(bytes, T) ENTRY(repeat, bytes)
#define TRANSPOSE_ENTRY(bytes, T) ENTRY(transpose, bytes)

const weir_move_loops WEIR_ISA_NAME(weir_move_loops) = {
    .strided = {FOR_SIZES(STRIDED_ENTRY)},
    .repeat = {FOR_SIZES(REPEAT_ENTRY)},
    .transpose = {FOR_SIZES(TRANSPOSE_ENTRY)},
};
