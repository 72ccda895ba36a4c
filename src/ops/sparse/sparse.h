/* ops/sparse/sparse.h - sparse tensors as three inputs: indices [n, rank], values [n], shape
 * [rank].
 *
 * Indices are int64 unless an op says otherwise. Whether they are sorted and inside the shape is
 * the client's business until an op checks it.
 */
#ifndef WEIR_OPS_SPARSE_SPARSE_H
#define WEIR_OPS_SPARSE_SPARSE_H

#include <inttypes.h>

#include "op/op.h"

typedef struct weir_sparse {
    const int64_t *indices;    /* count rows of rank coordinates */
    const weir_tensor *values; /* null for ops that have none */
    const int64_t *dims;       /* rank of them */
    int64_t count;
    int rank;
} weir_sparse;

/* Inputs |indices|, |values| (-1: none) and |shape| must be a matrix and two vectors that fit
 * together, as far as they are known. |name| begins the names in messages: "a_", "". */
WEIR_CHECKED weir_status weir_sparse_infer(weir_infer *infer, int indices, int values, int shape,
                                           const char *name);
/* The same at run time, after weir_sparse_infer has passed. At most WEIR_MAX_RANK dims. */
WEIR_CHECKED weir_status weir_sparse_read(const weir_call *call, int indices, int values, int shape,
                                          weir_sparse *out);
/* Every index inside the shape, or "indices[3] = [1,9] is out of bounds: need 0 <= index < [2,5]".
 */
WEIR_CHECKED weir_status weir_sparse_bounds(const weir_sparse *sparse);
/* Also sorted row by row and without repeats. */
WEIR_CHECKED weir_status weir_sparse_sorted(const weir_sparse *sparse);

/* Compares the first |count| coordinates of two indices. */
static inline int weir_coords_order(const int64_t *a, const int64_t *b, int count)
{
    for (int axis = 0; axis < count; axis++)
        if (a[axis] != b[axis])
            return a[axis] < b[axis] ? -1 : 1;
    return 0;
}
/* "[1,9]" in a buffer that the caller ends. */
void weir_coords_text(const int64_t *at, int count, weir_buf *out);
/* The shape of the dense tensor; fails on dims below 0 or too many elements. */
WEIR_CHECKED weir_status weir_sparse_dense_shape(const weir_sparse *sparse, weir_shape *out_shape);

/* Numbers of the entries in the order of their indices; equal ones stay as they are. |out| has room
 * for count of them. |coords| says which coordinates count, in which order (null: all). */
void weir_sparse_order(const weir_sparse *sparse, const int *coords, int coord_count, int64_t *out);

/* A sparse result: outputs |indices|, |values| (dtype of the op) and, when not -1, |shape|. */
WEIR_CHECKED weir_status weir_sparse_alloc(weir_call *call, int indices, int values, int64_t count,
                                           int rank);
WEIR_CHECKED weir_status weir_sparse_alloc_shape(weir_call *call, int shape, const int64_t *dims,
                                                 int rank);

#endif
