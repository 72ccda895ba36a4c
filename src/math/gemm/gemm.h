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
    bool accumulate; /* accumulate into C */
    /* op(B) as weir_gemm_prepack wrote it, in addition to |b|; null if it was not prepacked. Not
     * for batches. */
    const void *panels;
    /* Called for completed ranges of rows [i, i + rows), which together cover C, from several
     * threads. May be null; not for integers and batches. */
    void (*finish)(void *ctx, int64_t i, int64_t rows);
    void *finish_ctx;
    /* Memory that the caller writes after the product: it is prefetched for writing meanwhile. May
     * be null. */
    const void *prefetch_write;
    size_t prefetch_write_bytes;
    /* A batch of products of one shape: product i reads matrix a_index[i] of A and b_index[i] of B
     * (i where the index is null) and writes matrix i of C. Matrices are a_step, b_step and c_step
     * elements apart. */
    int64_t batch; /* 0 counts as 1 when no step is set */
    int64_t a_step, b_step, c_step;
    const int64_t *a_index, *b_index;
} weir_gemm;

bool weir_gemm_has(weir_elem elem); /* whether weir_gemm_run takes this type */
void weir_gemm_run(const weir_par *par, const weir_gemm *gemm);

/* C = A1' B1 + A2' B2 + ..., or C += that sum: |count| products, each A k x m and read transposed,
 * each B k x n, all with dense rows. */
typedef struct weir_gemm_terms {
    weir_elem elem;
    int64_t m, n, k, count;
    const void *const *a, *const *b;
    void *c;
    bool accumulate;
} weir_gemm_terms;

/* For small products with unpacked operands. False, with nothing done, if it is faster to
 * concatenate the operands along k and multiply once. */
bool weir_gemm_terms_run(const weir_par *par, const weir_gemm_terms *terms);

/* A matrix B that several products share can be packed once, in the panels of columns that tiles
 * read. weir_gemm_panel_cols is the number of columns of a panel, which has k rows; 0 for element
 * types that cannot be prepacked (all but float and double). */
int64_t weir_gemm_panel_cols(weir_elem elem);
/* Whether prepacking op(B) pays for |products| products of at most g->m rows. */
bool weir_gemm_prepack_pays(const weir_gemm *gemm, int64_t products);
/* Writes the panels of |gemm|'s op(B), the last one filled up with zeros. Reads only n, k and the
 * fields of B. */
void weir_gemm_prepack(const weir_par *par, const weir_gemm *gemm, void *panels);

#endif
