/* math/gemm/gemm_impl.h - the interface between the products (blocked.c, unpacked.c) and the loops
 * of an instruction set (gemm.isa.c).
 *
 * A is packed into panels of |mr| rows and B into panels of |nr| columns, |depth| deep; a tile
 * multiplies one panel of each. The last panel of A may have fewer rows and is packed with that
 * height; the last panel of B is filled with zeros up to a whole number of vectors.
 */
#ifndef WEIR_MATH_GEMM_IMPL_H
#define WEIR_MATH_GEMM_IMPL_H

#include "math/gemm/gemm.h"
#include "math/isa.h"

/* The patches of an image as a matrix that is never stored (im2col): row (n, z, y, x) is the patch
 * of that output position, column (kz, ky, kx, c) the element under that tap and channel. The image
 * is batch x in[0] x in[1] x in[2] x pitch; positions outside it are 0. */
typedef struct weir_patches {
    int64_t in[3], out[3], taps[3]; /* depth, height, width */
    int64_t stride[3], dilation[3], pad[3];
    int64_t channels; /* of a patch */
    int64_t pitch;    /* channels of the image: more than those of a patch when there are groups */
} weir_patches;

/* A matrix as the packing loops read it: element (i, j) is at[(i0 + i) * rs + (j0 + j) * cs], of
 * type |elem|. With |patches|, |at| is the image; the patches are rows if rs > cs, and columns if
 * rs < cs. */
typedef struct weir_gemm_view {
    const void *at;
    int64_t rs, cs;
    weir_elem elem;
    int64_t i0, j0;
    const weir_patches *patches;
} weir_gemm_view;

/* Whether dense rows are a multiple of a page apart. The rows of a panel then map to the same few
 * cache sets (conflict misses), so packing A is faster. */
static inline bool weir_gemm_a_collides(const weir_gemm_view *view)
{
    return view->cs == 1 && view->rs * (int64_t)weir_elem_size(view->elem) % 4096 == 0;
}

/* C (+)= A B for any views; C has type |elem| too. B has no patches. */
typedef struct weir_gemm_views {
    weir_gemm_view a, b;
    int64_t m, n, k;
    void *c;
    int64_t ldc;
    weir_elem elem; /* f32, f64, f16 or bf16 */
    bool accumulate;
    /* As in weir_gemm. */
    const void *panels;
    void (*finish)(void *ctx, int64_t i, int64_t rows);
    void *finish_ctx;
    const void *prefetch_write;
    size_t prefetch_write_bytes;
} weir_gemm_views;

void weir_gemm_views_run(const weir_par *par, const weir_gemm_views *views);

/* A segment of the depth: |depth| columns of an unpacked A from |a| elements after the block's A
 * on, multiplied by |depth| rows of B. These start at row |b| of a packed B, or |b| elements after
 * the start of an unpacked one. */
typedef struct weir_gemm_seg {
    int64_t a, b;
} weir_gemm_seg;

/* Memory that is read after a block: |rows| rows of |bytes| bytes, |stride| bytes apart. It is
 * prefetched into the second-level cache while the block is multiplied, a share with every panel of
 * rows. The rows of a wide matrix are pages apart, which hardware prefetchers do not follow. */
typedef struct weir_gemm_prefetch {
    const char *at; /* null: nothing to prefetch */
    int64_t rows, bytes, stride;
} weir_gemm_prefetch;

/* One block of C, rows x cols: each element is a sum over |depth| products, or, with segments, over
 * |depth| products of each segment. */
typedef struct weir_gemm_block {
    int64_t rows, cols, depth;
    const void *a;             /* packed, or the first element when |a_cs| is set */
    int64_t a_rs, a_cs;        /* strides of an unpacked A; a_cs = 0: A is packed */
    const weir_gemm_seg *segs; /* null: one segment, from the start */
    int64_t seg_count;         /* 0 when |segs| is null */
    const void *b;             /* packed, or the first element when |b_rs| is set */
    int64_t b_rs;              /* row stride of an unpacked B, for which |cols| is a multiple of
                                * |col_unit|; 0: B is packed */
    int64_t b_depth;           /* depth of B's panels; 0: as |depth| */
    void *write_packed;        /* where to write B packed while it is read, or null. Requires
                                  |packs|, an unpacked B with one panel of whole vectors, more than
                                  |mr| rows and no segments */
    void *c;
    int64_t ldc;
    bool add;                    /* accumulate into C */
    weir_gemm_prefetch prefetch; /* what is read next */
    const char *prefetch_write;  /* what is written next: prefetched for writing */
    int64_t prefetch_write_bytes;
    bool a_is_cold; /* A is read for the first time: also prefetch its panels */
} weir_gemm_block;

enum {
    WEIR_GEMM_NARROW = 12,  /* maximum columns of a narrow product */
    WEIR_GEMM_DOT_COLS = 4, /* maximum columns of a block_dots */
};

/* A product of few columns or few rows. Either A's rows are dense (a_cs is 1), and then B's columns
 * must be dense too (b_rs is 1), or A's columns are dense (a_rs is 1) and n is 2 to
 * WEIR_GEMM_NARROW, and at most 3/4 of a vector. */
typedef struct weir_gemm_narrow {
    int64_t m, n, k;
    const void *a, *b;
    int64_t a_rs, a_cs, b_rs, b_cs;
    void *c;
    int64_t ldc;
    bool add;
} weir_gemm_narrow;

/* The loops of one instruction set and element type. */
typedef struct weir_gemm_loops {
    int mr, nr, vec; /* rows and columns of a tile; elements of a vector */
    int col_unit;    /* tile widths are a multiple of this: a vector or half a vector */
    bool packs;      /* blocks may set |write_packed| */
    /* Pack rows [i, i + rows) x [p, p + depth) of A, and [p, p + depth) x [j, j + cols) of B. */
    void (*pack_a)(const weir_gemm_view *view, int64_t i, int64_t rows, int64_t p, int64_t depth,
                   void *to);
    void (*pack_b)(const weir_gemm_view *view, int64_t p, int64_t depth, int64_t j, int64_t cols,
                   void *to);
    /* Writes B, which is k x n, with dense columns. */
    void (*transpose)(int64_t n, int64_t k, const void *b, int64_t rs, int64_t cs, void *to);
    void (*block)(const weir_gemm_block *block);
    void (*narrow)(const weir_gemm_narrow *narrow);
    /* A block of 1 to WEIR_GEMM_DOT_COLS columns in segments, as dot products. B is stored
     * transposed instead of packed: column j starts at b + j * b_depth. A has dense rows; |add| is
     * ignored. */
    void (*block_dots)(const weir_gemm_block *block);
    /* y[n] = (add ? y : 0) + x[k] B, for B with dense rows, and for B with dense columns. */
    void (*row_times)(int64_t n, int64_t k, const void *x, const void *b, int64_t ldb, void *y,
                      bool add);
    void (*row_dots)(int64_t n, int64_t k, const void *x, const void *b, int64_t ldb, void *y,
                     bool add);
} weir_gemm_loops;

WEIR_ISA_DECLARE(const weir_gemm_loops, weir_gemm_loops_f32);
WEIR_ISA_DECLARE(const weir_gemm_loops, weir_gemm_loops_f64);

/* The product of one element type by the loops of one instruction set. */
void weir_gemm_blocked(const weir_gemm_loops *loops, const weir_par *par,
                       const weir_gemm_views *views);
/* The same with unpacked operands; false, with nothing done, if packing them is faster. Element
 * types are those of the accumulators: float or double. */
bool weir_gemm_unpacked(const weir_gemm_loops *loops, const weir_par *par,
                        const weir_gemm_views *views);
/* Reference loops, for any type and layout. */
void weir_gemm_plain(const weir_par *par, const weir_gemm *gemm);
/* The views of a product's operands; |batch| is ignored. */
weir_gemm_views weir_gemm_views_of(const weir_gemm *gemm);

#endif
