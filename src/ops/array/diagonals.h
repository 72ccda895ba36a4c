/* ops/array/diagonals.h - diagonals of matrices: range, lengths and packed layout.
 *
 * Diagonal d of a matrix has the elements (i, i + d). Several are packed as rows of equal length,
 * the highest first; shorter ones are aligned left or right in their row.
 */
#ifndef WEIR_OPS_ARRAY_DIAGONALS_H
#define WEIR_OPS_ARRAY_DIAGONALS_H

#include "op/op.h"
#include "ops/common/ndcopy.h"

typedef struct weir_diagonals {
    int64_t lower, upper;        /* first and last diagonal; the main one is 0 */
    int64_t rows, cols;          /* of a matrix */
    int64_t longest;             /* length of a packed row */
    bool left_above, left_below; /* diagonals above and below the main one are left-aligned */
} weir_diagonals;

/* Reads k: a scalar, or the lower and the upper diagonal. */
WEIR_CHECKED weir_status weir_diagonals_read(const weir_tensor *k, weir_diagonals *diagonals);
/* Reads the attr "align": "LEFT_RIGHT" is the alignment of diagonals above and below the main
 * one. */
void weir_diagonals_align(weir_str align, weir_diagonals *diagonals);
/* Both diagonals must be inside a rows x cols matrix; computes |longest|. */
WEIR_CHECKED weir_status weir_diagonals_check(weir_diagonals *diagonals);
/* Length of diagonal |k| of the matrix. */
int64_t weir_diagonal_length(const weir_diagonals *diagonals, int64_t k);
/* The shape of the packed diagonals of matrices of |shape|: a single diagonal has no dimension of
 * its own. */
weir_shape weir_diagonals_shape(const weir_diagonals *diagonals, const weir_shape *matrices);

/* Copies the diagonals of |batch| matrices into or out of the packed layout. */
void weir_diagonals_put(const weir_par *par, weir_dtype dtype, const weir_diagonals *diagonals,
                        int64_t batch, void *matrices, const void *packed);
void weir_diagonals_get(const weir_par *par, weir_dtype dtype, const weir_diagonals *diagonals,
                        int64_t batch, const void *matrices, void *packed);

#endif
