/* math/gemm/gemm_impl.h - what the blocked product and its tiles agree on.
 *
 * A is packed into panels of |mr| rows and B into panels of |nr| columns, |depth| deep; a tile
 * multiplies one panel of each. The last panel of A has fewer rows and is packed as narrow; the
 * last of B is filled with zeros up to a whole number of vectors.
 */
#ifndef WEIR_MATH_GEMM_IMPL_H
#define WEIR_MATH_GEMM_IMPL_H

#include "math/gemm/gemm.h"
#include "math/isa.h"

/* The patches of an image as a matrix that is never stored: row (n, z, y, x) is the patch at that
 * place of the output, column (kz, ky, kx, c) what it sees there. The image is batch x in[0] x
 * in[1] x in[2] x pitch; places outside it are 0. */
typedef struct weir_patches {
    int64_t in[3], out[3], taps[3]; /* depth, height, width */
    int64_t stride[3], dilation[3], pad[3];
    int64_t channels; /* of a patch; the image may have more (pitch), for groups */
    int64_t pitch;
} weir_patches;

/* A matrix as the packers see it: element (i, j) is at[(i0 + i) * rs + (j0 + j) * cs], of type
 * |elem|. With |patches|, |at| is the image, and rs > cs means patches as rows, rs < cs patches as
 * columns. */
typedef struct weir_gemm_view {
    const void *at;
    int64_t rs, cs;
    weir_elem elem;
    int64_t i0, j0;
    const weir_patches *patches;
} weir_gemm_view;

/* Whether dense rows lie a multiple of a page apart: those of a panel fall on the same few places
 * of a cache then, and are better packed. */
static inline bool weir_gemm_a_collides(const weir_gemm_view *a)
{
    return a->cs == 1 && a->rs * (int64_t)weir_elem_size(a->elem) % 4096 == 0;
}

/* C (+)= A B for any views; C has type |elem| too. B has no patches. */
typedef struct weir_gemm_views {
    weir_gemm_view a, b;
    int64_t m, n, k;
    void *c;
    int64_t ldc;
    weir_elem elem; /* f32, f64, f16 or bf16 */
    bool accumulate;
    const void *panels; /* see gemm.h */
    void (*finish)(void *ctx, int64_t i, int64_t rows);
    void *finish_ctx;
    const void *soon;
    size_t soon_bytes;
} weir_gemm_views;

void weir_gemm_views_run(const weir_par *par, const weir_gemm_views *g);

/* A stretch of an A that is not packed: it starts |a| elements after the block's A, and meets the
 * packed B at depth |b|, or one that is not packed |b| elements after the block's B. */
typedef struct weir_gemm_seg {
    int64_t a, b;
} weir_gemm_seg;

/* What is read after a block: |rows| rows of |bytes| bytes, |stride| bytes apart. It is asked for
 * while the block is summed, a share with every panel of rows, so that it is in the second-level
 * cache by its turn: rows of a wide matrix are far apart, and no hardware foresees them. */
typedef struct weir_gemm_ahead {
    const char *at; /* null: nothing */
    int64_t rows, bytes, stride;
} weir_gemm_ahead;

/* One block: rows x cols of C from |depth| products each, or, with segments, from |depth| products
 * of each segment. */
typedef struct weir_gemm_block {
    int64_t rows, cols, depth;
    const void *a;      /* packed, or the first element when |a_cs| is set */
    int64_t a_rs, a_cs; /* strides of an A that is not packed; a_cs = 0: packed */
    const weir_gemm_seg *segs;
    int64_t seg_count; /* 0: one, from the start */
    const void *b;     /* packed, or the first element when |b_rs| is set */
    int64_t
        b_rs; /* from row to row of a B that is not packed: |cols| is a multiple of |least| then */
    int64_t b_depth; /* of B's panels; 0: as |depth| */
    void *keep;      /* where B is packed on the way: it has one panel, of whole vectors, and no
                      * segments; may be null */
    void *c;
    int64_t ldc;
    bool add;
    weir_gemm_ahead ahead;
    const char *soon; /* is asked for as well, to be written */
    int64_t soon_bytes;
    bool a_is_far; /* A is read for the first time: its panels are asked for as well */
} weir_gemm_block;

/* A product of few columns or few rows. Either A's rows are dense (a_cs is 1), and then so must be
 * B's columns (b_rs is 1), or A's columns are (a_rs is 1) and n is 2 to WEIR_GEMM_NARROW. */
enum { WEIR_GEMM_NARROW = 12, WEIR_GEMM_TURNED = 4 };
typedef struct weir_gemm_narrow {
    int64_t m, n, k;
    const void *a, *b;
    int64_t a_rs, a_cs, b_rs, b_cs;
    void *c;
    int64_t ldc;
    bool add;
} weir_gemm_narrow;

typedef struct weir_gemm_loops {
    int mr, nr, vec; /* rows and columns of a tile; elements of a vector */
    int least;       /* of the smallest that tiles multiply by: a vector or a half */
    /* Pack rows [i, i + rows) x [p, p + depth) of A, and [p, p + depth) x [j, j + cols) of B. */
    void (*pack_a)(const weir_gemm_view *a, int64_t i, int64_t rows, int64_t p, int64_t depth,
                   void *to);
    void (*pack_b)(const weir_gemm_view *b, int64_t p, int64_t depth, int64_t j, int64_t cols,
                   void *to);
    /* Writes B, which is k x n, with dense columns. */
    void (*turn)(int64_t n, int64_t k, const void *b, int64_t rs, int64_t cs, void *to);
    void (*block)(const weir_gemm_block *b);
    void (*narrow)(const weir_gemm_narrow *g);
    /* A block of 1 to WEIR_GEMM_TURNED columns in segments, whose B is not packed but lies turned:
     * column j starts at b + j * b_depth. A has dense rows; |add| is not looked at. */
    void (*turned)(const weir_gemm_block *b);
    /* y[n] = (add ? y : 0) + x[k] B, for B with dense rows, and for B with dense columns. */
    void (*row_times)(int64_t n, int64_t k, const void *x, const void *b, int64_t ldb, void *y,
                      bool add);
    void (*row_dots)(int64_t n, int64_t k, const void *x, const void *b, int64_t ldb, void *y,
                     bool add);
} weir_gemm_loops;

WEIR_ISA_DECLARE(const weir_gemm_loops, weir_gemm_loops_f32);
WEIR_ISA_DECLARE(const weir_gemm_loops, weir_gemm_loops_f64);

/* The product of one type by one set of loops. */
void weir_gemm_blocked(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *g);
/* The same by operands read where they lie; false, with nothing done, for those that are better
 * packed. Element types are those of the sums: float or double. */
bool weir_gemm_loose(const weir_gemm_loops *loops, const weir_par *par, const weir_gemm_views *g);
/* The obvious loops, for any type and layout; for float and double they are the definition. */
void weir_gemm_plain(const weir_par *par, const weir_gemm *g);
/* The views of a product's operands; |batch| is not looked at. */
weir_gemm_views weir_gemm_views_of(const weir_gemm *g);

#endif
