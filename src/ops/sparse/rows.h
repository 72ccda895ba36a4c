/* ops/sparse/rows.h - splits a sparse tensor into separate rows, and stacks such rows. Minibatches
 * of sparse tensors are stored and sent in this form. */
#ifndef WEIR_OPS_SPARSE_ROWS_H
#define WEIR_OPS_SPARSE_ROWS_H

#include "ops/sparse/sparse.h"

/* One sparse tensor that owns its three parts. */
typedef struct weir_sparse_row {
    weir_tensor indices, values, shape;
} weir_sparse_row;

void weir_sparse_row_fini(weir_sparse_row *row);
/* Entries [begin, end) of |sparse|, which share their first coordinate; this is dropped. */
WEIR_CHECKED weir_status weir_sparse_row_cut(const weir_sparse *sparse, int64_t begin, int64_t end,
                                             weir_sparse_row *out);
/* Calls |fn| for every row of a tensor of rank 2 or more, in order, including empty rows. Stops at
 * the first error. On success the callee owns the row. */
WEIR_CHECKED weir_status weir_sparse_each_row(const weir_sparse *sparse,
                                              weir_status (*fn)(void *arg, int64_t row,
                                                                weir_sparse_row *sparse_row),
                                              void *arg);
/* Checks that the three parts are consistent and that the values have |dtype|. */
WEIR_CHECKED weir_status weir_sparse_row_check(const weir_sparse_row *row, weir_dtype dtype);
/* Stacks the rows into outputs 0, 1 and 2. Dims of the result: those of |lead|, then the maximum
 * over the rows of each of their own. */
WEIR_CHECKED weir_status weir_sparse_stack(weir_call *call, const weir_shape *lead,
                                           const weir_sparse_row *rows, int64_t count);

#endif
