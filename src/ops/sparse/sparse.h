/* ops/sparse/sparse.h - sparse tensors as three inputs: indices [n, rank], values [n], shape
 * [rank].
 *
 * Indices are int64 unless an op says otherwise. They may be unsorted or out of bounds unless an op
 * checks them.
 */
#ifndef WEIR_OPS_SPARSE_SPARSE_H
#define WEIR_OPS_SPARSE_SPARSE_H

#include <inttypes.h>

#include "op/op.h"

typedef struct weir_sparse {
    const int64_t *indices;    /* count rows of rank coordinates */
    const weir_tensor *values; /* null for ops without values */
    const int64_t *dims;       /* rank of them */
    int64_t count;
    int rank;
} weir_sparse;

/* Infers from inputs |indices|, |values| (-1: none) and |shape|: a matrix and two vectors that must
 * be consistent, as far as known. |name| prefixes the names in messages: "a_", "". */
WEIR_CHECKED weir_status weir_sparse_infer(weir_infer *infer, int indices, int values, int shape,
                                           const char *name);
/* The same at run time, after weir_sparse_infer has passed. At most WEIR_MAX_RANK dims. */
WEIR_CHECKED weir_status weir_sparse_read(const weir_call *call, int indices, int values, int shape,
                                          weir_sparse *out);
/* Checks bounds; the error is "indices[3] = [1,9] is out of bounds: need 0 <= index < [2,5]". */
WEIR_CHECKED weir_status weir_sparse_bounds(const weir_sparse *sparse);
/* Also checks that indices are sorted by row, without duplicates. */
WEIR_CHECKED weir_status weir_sparse_sorted(const weir_sparse *sparse);

/* Compares the first |count| coordinates of two indices. */
static inline int weir_coords_order(const int64_t *a, const int64_t *b, int count)
{
    for (int axis = 0; axis < count; axis++)
        if (a[axis] != b[axis])
            return a[axis] < b[axis] ? -1 : 1;
    return 0;
}
/* "[1,9]" in a buffer that the caller frees. */
void weir_coords_text(const int64_t *at, int count, weir_buf *out);
/* The shape of the dense tensor; fails on negative dims or too many elements. */
WEIR_CHECKED weir_status weir_sparse_dense_shape(const weir_sparse *sparse, weir_shape *out_shape);

/* A stable sort of the entries by index: their numbers, into |out|, which has room for count.
 * |coords| selects and orders the coordinates (null: all). */
void weir_sparse_order(const weir_sparse *sparse, const int *coords, int coord_count, int64_t *out);

/* Allocates a sparse result: outputs |indices|, |values| (op's dtype) and |shape| (unless -1). */
WEIR_CHECKED weir_status weir_sparse_alloc(weir_call *call, int indices, int values, int64_t count,
                                           int rank);
WEIR_CHECKED weir_status weir_sparse_alloc_shape(weir_call *call, int shape, const int64_t *dims,
                                                 int rank);

#endif
