/* math/gemm/gemm.h - products of row-major matrices: C = op(A) op(B), or C += op(A) op(B).
 *
 * op(A) is m x k and op(B) is k x n. A row of a matrix in memory is |ld| elements after the one
 * before it. half and bfloat16 are summed in float and rounded once; integers wrap; the rest are
 * summed in their own type, in an order that depends on the shape, on the instruction set and (when
 * k is split over threads) on par->threads, so results agree within rounding, not bitwise.
 * C must not overlap A or B. m, n or batch of 0 does nothing; k of 0 clears C (or leaves it when
 * accumulating).
 */
#ifndef WEIR_MATH_GEMM_GEMM_H
#define WEIR_MATH_GEMM_GEMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "math/elem.h"

typedef enum weir_gemm_op {
    WEIR_GEMM_PLAIN,   /* as stored */
    WEIR_GEMM_TRANS,   /* transposed: stored k x m (A) or n x k (B) */
    WEIR_GEMM_ADJOINT, /* transposed, and conjugated when complex */
} weir_gemm_op;

typedef struct weir_gemm {
    weir_elem elem; /* weir_num: floats, complex, and every integer of math/elem.h */
    int64_t m, n, k;
    const void *a, *b;
    void *c;
    int64_t lda, ldb, ldc; /* 0: the rows are dense */
    weir_gemm_op op_a, op_b;
    bool accumulate; /* add to what C holds */
    /* op(B) as weir_gemm_lay laid it out, beside |b|; null: it was not. Not for batches. */
    const void *panels;
    /* Called once for the rows [i, i + rows) of C, stretch by stretch and by several threads, when
     * they are summed. May be null; not for integers and batches. */
    void (*finish)(void *ctx, int64_t i, int64_t rows);
    void *finish_ctx;
    /* What is changed when the product is done: it is asked for on the way, where the product has
     * time for it. May be null. */
    const void *soon;
    size_t soon_bytes;
    /* A batch of equal products: product i takes matrix a_index[i] of A (i when null), lies
     * a_step elements after the one before, and writes matrix i of C. */
    int64_t batch; /* 0 counts as 1 when no step is set */
    int64_t a_step, b_step, c_step;
    const int64_t *a_index, *b_index;
} weir_gemm;

bool weir_gemm_has(weir_elem elem); /* whether weir_gemm_run takes this type */
void weir_gemm_run(const weir_par *par, const weir_gemm *g);

/* C = A1' B1 + A2' B2..., or C += that: |count| products of transposed matrices, each A k x m and
 * each B k x n with dense rows. */
typedef struct weir_gemm_terms {
    weir_elem elem;
    int64_t m, n, k, count;
    const void *const *a, *const *b;
    void *c;
    bool accumulate;
} weir_gemm_terms;

/* For small ones, which are read where they lie; false, with nothing done, when they are better
 * laid behind each other and multiplied as one. */
bool weir_gemm_terms_run(const weir_par *par, const weir_gemm_terms *t);

/* A matrix that several products multiply by can be laid out once, in the panels of columns that
 * their tiles read: of k rows and so many columns each. For float and double; 0 for others. */
int64_t weir_gemm_panel_cols(weir_elem elem);
/* Whether that is worth it for so many products of at most |m| rows. */
bool weir_gemm_lay_pays(const weir_gemm *g, int64_t products);
/* Writes the panels of |g|'s op(B); only n, k and what describes B are looked at. */
void weir_gemm_lay(const weir_par *par, const weir_gemm *g, void *panels);

#endif
