/* ops/linalg/matrix.h - batches of matrices, converted to and from complex double. */
#ifndef WEIR_OPS_LINALG_MATRIX_H
#define WEIR_OPS_LINALG_MATRIX_H

#include <inttypes.h>

#include "math/linalg/linalg.h"
#include "op/op.h"

/* The last two dimensions form a matrix; the others are batch dimensions. */
typedef struct weir_matrices {
    int64_t batch, rows, columns;
} weir_matrices;

static inline weir_matrices weir_matrices_of(const weir_tensor *tensor)
{
    int r = tensor->shape.rank;
    return (weir_matrices){weir_shape_product(&tensor->shape, 0, r - 2), tensor->shape.dims[r - 2],
                           tensor->shape.dims[r - 1]};
}

/* Elements [first, first + count) of |tensor|, widened; and the reverse, rounded. */
void weir_matrix_load(const weir_tensor *tensor, int64_t first, int64_t count, weir_c128 *out);
void weir_matrix_store(weir_tensor *tensor, int64_t first, int64_t count, const weir_c128 *from);

/* A workspace of |count| complex doubles; free it by weir_tensor_release. */
WEIR_CHECKED weir_status weir_matrix_workspace(int64_t count, weir_tensor *out_workspace);

/* c = a b for m x k and k x n matrices. */
void weir_matrix_mul(int64_t m, int64_t k, int64_t count, const weir_c128 *a, const weir_c128 *b,
                     weir_c128 *c);

/* The factorizations of math/linalg: by LAPACK if installed and faster, else by our loops. */
bool weir_matrix_lu(int64_t n, weir_c128 *a, int64_t *perm, int *sign);
bool weir_matrix_cholesky(int64_t n, weir_c128 *a);
void weir_matrix_qr(int64_t m, int64_t n, weir_c128 *a, weir_c128 *q, weir_c128 *column);
void weir_matrix_hermitian_eigen(int64_t n, weir_c128 *a, double *w, weir_c128 *v);
void weir_matrix_svd(int64_t m, int64_t n, weir_c128 *a, double *s, weir_c128 *v);
bool weir_matrix_eigen(int64_t n, weir_c128 *a, weir_c128 *w, weir_c128 *v, weir_c128 *workspace);

/* Shape inference: input |in| is a batch of (square) matrices. |out_batch| gets the other dims. */
WEIR_CHECKED weir_status weir_infer_matrix(weir_infer *infer, int in, weir_shape *out_batch);
WEIR_CHECKED weir_status weir_infer_square(weir_infer *infer, int in, weir_shape *out_batch,
                                           int64_t *out_size);
/* batch + [rows, columns] */
WEIR_CHECKED weir_status weir_infer_matrices(const weir_shape *batch, int64_t rows, int64_t columns,
                                             weir_shape *out);

#endif
