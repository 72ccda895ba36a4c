/* math/gemm/gemm.isa.c - the tiles of a blocked product, for float and double. */
#include <string.h>

#include "base/cpu.h"
#include "base/half.h"
#include "math/elem.h"
#include "math/gemm/gemm_impl.h"
#include "math/gemm/patches_impl.h"
#include "math/scratch.h"

/* The bytes of a vector, the rows of a tile (MR), and the rows and columns of a tile of dot
 * products: as many as the registers hold. PACKS: two vectors are no more than a cache line, so
 * that rows of B can evict each other (unpacked.c) and are packed on the way. */
#if defined(__AVX512F__)
#define VEC_BYTES 64
#define HALVES 1 /* a half vector takes less time than a whole one */
#define PACKS 0
#define MR 12
#define DOT_ROWS 4
#define DOT_COLS 6
#elif defined(__AVX__)
#define VEC_BYTES 32
#define HALVES 0
#define PACKS 1
#define MR 6
#define DOT_ROWS 3
#define DOT_COLS 3
#else
#define VEC_BYTES 16
#define HALVES 0
#define PACKS 1
#define MR 4
#define DOT_ROWS 3
#define DOT_COLS 3
#endif

#define INLINE static inline __attribute__((always_inline))
#if defined __clang__ /* it makes no clones */
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif
/* In a loop: it is not vectorised. Loops over what fills no vector would become ten times as long,
 * in each of the functions below, and no faster. */
#define STAY_SCALAR __asm__ volatile("")

/* Four floats. */
typedef float v4 __attribute__((vector_size(16)));

INLINE v4 load4(const float *p)
{
    v4 v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Transposes four vectors of four floats. */
INLINE void transpose4(v4 r[4])
{
    v4 a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
    v4 b = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
    v4 c = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    v4 d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/* to[p * width + q] = row[q * stride + p] for four rows. */
static void pack_four(const float *row, int64_t stride, int64_t depth, int64_t width, float *to)
{
    int64_t p = 0;
    for (; p + 4 <= depth; p += 4) {
        v4 r[4] = {load4(row + p), load4(row + stride + p), load4(row + 2 * stride + p),
                   load4(row + 3 * stride + p)};
        transpose4(r);
        for (int q = 0; q < 4; q++)
            memcpy(to + (p + q) * width, &r[q], sizeof r[q]);
    }
    for (; p < depth; p++)
        for (int q = 0; q < 4; q++)
            to[p * width + q] = row[q * stride + p];
}

#if defined(__AVX__)
/* Eight floats. */
typedef float v8 __attribute__((vector_size(32)));

/* Transposes eight vectors of eight floats. */
INLINE void transpose8(v8 r[8])
{
    v8 t[8], u[8];
#pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2) {
        t[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
#pragma GCC unroll 2
    for (int i = 0; i < 8; i += 4)
#pragma GCC unroll 2
        for (int j = 0; j < 2; j++) {
            v8 a = t[i + j], b = t[i + j + 2];
            u[i + 2 * j] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
            u[i + 2 * j + 1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
        }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        r[i] = __builtin_shufflevector(u[i], u[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[i + 4] = __builtin_shufflevector(u[i], u[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* The same for eight rows, as far along the depth as whole vectors go; returns where it stopped. */
static int64_t pack_eight(const float *row, int64_t stride, int64_t depth, int64_t width, float *to)
{
    int64_t p = 0;
    for (; p + 8 <= depth; p += 8) {
        v8 r[8];
#pragma GCC unroll 8
        for (int q = 0; q < 8; q++)
            memcpy(&r[q], row + q * stride + p, sizeof r[q]);
        transpose8(r);
#pragma GCC unroll 8
        for (int q = 0; q < 8; q++)
            memcpy(to + (p + q) * width, &r[q], sizeof r[q]);
    }
    return p;
}
#else
static int64_t pack_eight(const float *row, int64_t stride, int64_t depth, int64_t width, float *to)
{
    return 0;
}
#endif

/* to[p * width + i] = from[i * stride + p]: the transposing pack. The depth is cut into chunks
 * whose destination lines stay in the first-level cache until all rows have filled them. */
static NOINLINE void pack_across_f32(const float *from, int64_t stride, int64_t rows, int64_t depth,
                                     int64_t width, float *to)
{
    enum { CHUNK = 64 };
    int64_t fours = rows / 4;
    for (int64_t p0 = 0; p0 < depth; p0 += CHUNK) {
        int64_t count = depth - p0 < CHUNK ? depth - p0 : CHUNK;
        int64_t i = 0;
        for (; i + 2 <= fours; i += 2) { /* eight rows at once; what is left of them by fours */
            const float *row = from + 4 * i * stride + p0;
            float *at = to + p0 * width + 4 * i;
            int64_t done = pack_eight(row, stride, count, width, at);
            for (int half = 0; half < 2 && done < count; half++)
                pack_four(row + 4 * half * stride + done, stride, count - done, width,
                          at + done * width + 4 * half);
        }
        for (; i < fours; i++)
            pack_four(from + 4 * i * stride + p0, stride, count, width, to + p0 * width + 4 * i);
        for (i = 4 * fours; i < rows; i++)
            for (int64_t p = p0; p < p0 + count; p++)
                to[p * width + i] = from[i * stride + p];
    }
}

static NOINLINE void pack_across_f64(const double *from, int64_t stride, int64_t rows,
                                     int64_t depth, int64_t width, double *to)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t p = 0; p < depth; p++)
            to[p * width + i] = from[i * stride + p];
}

static const char *view_at(const weir_gemm_view *view, int64_t row, int64_t col)
{
    return (const char *)view->at +
           (row * view->rs + col * view->cs) * (int64_t)weir_elem_size(view->elem);
}

/* How a tile's A is stored; with PACKING added, the tile also writes B packed. */
enum { A_PACKED, A_DENSE_ROWS, A_DENSE_COLS, PACKING = 2, TILE_KINDS = A_DENSE_COLS + PACKING + 1 };

enum {
    LINE = 64,             /* bytes of a cache line */
    ROWS_AHEAD = 48,       /* rows from the one of B that is read and packed to that prefetched */
    PREFETCH_C_DEPTH = 64, /* tiles of C are prefetched from this depth on; shallower ones are
                            * stored before a prefetch would help */
};

/* Prefetches rows [row, end) of what is read next. The line that a row begins within was prefetched
 * with the row before it. */
static void prefetch_rows(const weir_gemm_prefetch *next, int64_t row, int64_t end)
{
    for (const char *from = next->at + row * next->stride; row < end; row++, from += next->stride) {
        int64_t begin = -(int64_t)(uintptr_t)from & (LINE - 1);
        for (int64_t at = begin; at < next->bytes; at += LINE)
            __builtin_prefetch(from + at, 0, 2);
    }
}

/* Prefetches the lines that begin within bytes [from, to) after |at|, for writing. */
static void prefetch_for_write(const char *at, int64_t from, int64_t to)
{
    for (from = (from + LINE - 1) / LINE * LINE; from < to; from += LINE)
        weir_cpu_prefetch_write(at + from);
}

/* NARROW: the most columns of a narrow product, 3/4 of a vector. */
#define ELEM float
#define NARROW (VEC_BYTES / 4 * 3 / 4)
#define NAME(x) x##_f32
#include "math/gemm/gemm_tile.inc"
#undef ELEM
#undef NARROW
#undef NAME

#define ELEM double
#define NARROW (VEC_BYTES / 8 * 3 / 4)
#define NAME(x) x##_f64
#include "math/gemm/gemm_tile.inc"
