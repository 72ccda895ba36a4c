/* ops/sparse/rows.h - a sparse tensor taken apart into rows that stand for themselves, and put
 * together from such rows. Minibatches of sparse tensors are kept and sent this way. */
#ifndef WEIR_OPS_SPARSE_ROWS_H
#define WEIR_OPS_SPARSE_ROWS_H

#include "ops/sparse/sparse.h"

/* One sparse tensor that owns its three parts. */
typedef struct weir_sparse_row {
    weir_tensor indices, values, shape;
} weir_sparse_row;

void weir_sparse_row_fini(weir_sparse_row *row);
/* Entries [begin, end) of |sparse|, which share their first coordinate, without it. */
WEIR_CHECKED weir_status weir_sparse_row_cut(const weir_sparse *sparse, int64_t begin, int64_t end,
                                             weir_sparse_row *out);
/* Calls |fn| for every row of a tensor of rank 2 or more, in order; empty rows too. Stops at the
 * first error. The row is the callee's when it returns success. */
WEIR_CHECKED weir_status weir_sparse_each_row(const weir_sparse *sparse,
                                              weir_status (*fn)(void *arg, int64_t row,
                                                                weir_sparse_row *sparse_row),
                                              void *arg);
/* Whether the three parts fit together and the values have |dtype|. */
WEIR_CHECKED weir_status weir_sparse_row_check(const weir_sparse_row *row, weir_dtype dtype);
/* Outputs 0, 1 and 2 become the rows below each other. |lead| is how they are laid out: its dims
 * come first, then the largest of each of the rows' own. */
WEIR_CHECKED weir_status weir_sparse_stack(weir_call *call, const weir_shape *lead,
                                           const weir_sparse_row *rows, int64_t count);

#endif
