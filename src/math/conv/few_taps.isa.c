/* math/conv/few_taps.isa.c - the gradient of a few taps over all pixels, summed in registers. */
#include "math/conv/few_taps_impl.h"

/* The bytes of a vector, and how many rows of two vectors the registers hold. */
#if defined(__AVX512F__)
#define VEC_BYTES 64
#define MR 12
#elif defined(__AVX2__)
#define VEC_BYTES 32
#define MR 6
#else
#define VEC_BYTES 16
#define MR 6
#endif
enum { VEC = VEC_BYTES / 4 };
typedef float V __attribute__((vector_size(VEC_BYTES), aligned(4), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* Adds the products of |vecs| vectors of dy's channels with |runs| runs of |depth| elements. The
 * first three parameters are constants wherever this is inlined. */
INLINE void tile(int runs, int depth, int vecs, const weir_few_taps *taps, const int64_t *at,
                 int64_t col, float *sums)
{
    V total[MR][2];
#pragma GCC unroll 12
    for (int i = 0; i < runs * depth; i++)
#pragma GCC unroll 2
        for (int j = 0; j < vecs; j++)
            total[i][j] = *(V *)(sums + i * taps->out_c + j * VEC);
    for (int64_t line = 0; line < taps->lines; line++) {
        const float *x = taps->x + line * taps->line,
                    *dy = taps->dy + line * taps->pixels * taps->out_c + col;
        for (int64_t p = 0; p < taps->pixels; p++, x += taps->step, dy += taps->out_c) {
#pragma GCC unroll 12
            for (int i = 0; i < runs * depth; i++)
#pragma GCC unroll 2
                for (int j = 0; j < vecs; j++)
                    total[i][j] += x[at[i / depth] + i % depth] * *(const V *)(dy + j * VEC);
        }
    }
#pragma GCC unroll 12
    for (int i = 0; i < runs * depth; i++)
#pragma GCC unroll 2
        for (int j = 0; j < vecs; j++)
            *(V *)(sums + i * taps->out_c + j * VEC) = total[i][j];
}

typedef void tile_fn(const weir_few_taps *taps, const int64_t *at, int64_t col, float *sums);

/* One function per number of runs, run length and number of vectors. Runs of a constant length need
 * one address each; runs of one element serve every other filter. */
#define ARGS const weir_few_taps *t, const int64_t *at, int64_t col, float *sums
#define ONE(r, d, v)                                                                               \
    static void tile_##r##_##d##_##v(ARGS)                                                         \
    {                                                                                              \
        tile(r, d, v, t, at, col, sums);                                                           \
    }
#define TILE(runs, depth) ONE(runs, depth, 1) ONE(runs, depth, 2)
#define FEW(X) X(1, 1) X(2, 1) X(3, 1) X(4, 1) X(5, 1) X(6, 1) X(1, 3) X(2, 3) X(1, 5)
#if MR >= 12
#define TILES(X) FEW(X) X(7, 1) X(8, 1) X(3, 3) X(4, 3) X(2, 5)
#else
#define TILES(X) FEW(X)
#endif
TILES(TILE)

static const struct {
    int runs, depth;
    tile_fn *by_vecs[2];
} tiles[] = {
#define ROW(runs, depth) {runs, depth, {tile_##runs##_##depth##_1, tile_##runs##_##depth##_2}},
    TILES(ROW)
#undef ROW
};

/* The tile of the most runs, but at most |runs|, of length |depth|; -1 if none has that length. */
static int find(int64_t runs, int64_t depth)
{
    int best = -1;
    for (int i = 0; i < (int)(sizeof tiles / sizeof *tiles); i++)
        if (tiles[i].depth == depth && tiles[i].runs <= runs)
            best = i; /* the table is sorted by runs */
    return best;
}

static void add_columns(const weir_few_taps *taps, const int64_t *at, int which, float *sums)
{
    for (int64_t col = 0; col < taps->out_c;) {
        int vecs = taps->out_c - col >= 2 * VEC ? 2 : 1;
        tiles[which].by_vecs[vecs - 1](taps, at, col, sums + col);
        col += vecs * VEC;
    }
}

static void add(const weir_few_taps *taps, int64_t runs, int64_t depth, const int64_t *at,
                float *sums)
{
    int64_t single[WEIR_FEW_TAPS_MAX];
    if (find(runs, depth) < 0) {
        for (int64_t i = 0; i < runs * depth; i++)
            single[i] = at[i / depth] + i % depth;
        at = single;
        runs *= depth;
        depth = 1;
    }
    for (int64_t done = 0; done < runs;) {
        int which = find(runs - done, depth);
        add_columns(taps, at + done, which, sums + done * depth * taps->out_c);
        done += tiles[which].runs;
    }
}

const weir_few_taps_loops WEIR_ISA_NAME(weir_few_taps_loops) = {add};
