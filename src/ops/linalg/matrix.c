/* ops/linalg/matrix.c - loads and stores batches of matrices. */
#include "ops/linalg/matrix.h"

#include "math/cast/cast.h"
#include "math/linalg/lapack.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"

void weir_matrix_load(const weir_tensor *tensor, int64_t first, int64_t count, weir_c128 *out)
{
    weir_cast_run(NULL, weir_stored_elem_of(tensor->dtype), WEIR_E_c128, count,
                  weir_at(tensor, first), out);
}

void weir_matrix_store(weir_tensor *tensor, int64_t first, int64_t count, const weir_c128 *from)
{
    weir_cast_run(NULL, WEIR_E_c128, weir_stored_elem_of(tensor->dtype), count, from,
                  weir_at(tensor, first));
}

weir_status weir_matrix_workspace(int64_t count, weir_tensor *out_workspace)
{
    weir_shape shape = weir_shape_vector(count ? count : 1);
    return weir_tensor_alloc(WEIR_COMPLEX128, &shape, out_workspace);
}

void weir_matrix_mul(int64_t m, int64_t k, int64_t n, const weir_c128 *a, const weir_c128 *b,
                     weir_c128 *c)
{
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (int64_t p = 0; p < k; p++)
            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += weir_cmul(a[i * k + p], b[p * n + j]);
    }
}

weir_status weir_infer_matrix(weir_infer *infer, int in, weir_shape *out_batch)
{
    if (weir_infer_running(infer) && infer->in[in]->rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input tensor %d must have rank >= 2, got %d", in,
                          infer->in[in]->rank);
    WEIR_TRY(weir_infer_rank_at_least(infer, in, 2));
    *out_batch = infer->in[in]->rank < 0
                     ? WEIR_UNKNOWN_SHAPE
                     : weir_infer_sub(infer->in[in], 0, infer->in[in]->rank - 2);
    return WEIR_OK;
}

weir_status weir_infer_square(weir_infer *infer, int in, weir_shape *out_batch, int64_t *out_size)
{
    WEIR_TRY(weir_infer_matrix(infer, in, out_batch));
    int64_t rows = weir_infer_dim(infer, in, -2), columns = weir_infer_dim(infer, in, -1);
    if (weir_infer_running(infer) && rows != columns)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s",
                          infer->site->in_count == 2 ? "First input (lhs) must be a square matrix."
                                                     : "Input matrix must be square.");
    return weir_infer_merge_dim(rows, columns, out_size);
}

weir_status weir_infer_matrices(const weir_shape *batch, int64_t rows, int64_t columns,
                                weir_shape *out)
{
    weir_shape matrix = weir_shape_matrix(rows, columns);
    return weir_infer_concat(batch, &matrix, out);
}

bool weir_matrix_lu(int64_t n, weir_c128 *a, int64_t *perm, int *sign)
{
    bool regular;
    return weir_lapack_lu(n, a, perm, sign, &regular) ? regular : weir_lu(n, a, perm, sign);
}

bool weir_matrix_cholesky(int64_t n, weir_c128 *a)
{
    return weir_lapack_cholesky(n, a) || weir_cholesky(n, a);
}

void weir_matrix_qr(int64_t m, int64_t n, weir_c128 *a, weir_c128 *q, weir_c128 *column)
{
    if (!weir_lapack_qr(m, n, a, q))
        weir_qr(m, n, a, q, column);
}

void weir_matrix_hermitian_eigen(int64_t n, weir_c128 *a, double *w, weir_c128 *v)
{
    if (!weir_lapack_hermitian_eigen(n, a, w, v))
        weir_hermitian_eigen(n, a, w, v);
}

void weir_matrix_svd(int64_t m, int64_t n, weir_c128 *a, double *s, weir_c128 *v)
{
    if (!weir_lapack_svd(m, n, a, s, v))
        weir_svd(m, n, a, s, v);
}

bool weir_matrix_eigen(int64_t n, weir_c128 *a, weir_c128 *w, weir_c128 *v, weir_c128 *workspace)
{
    return weir_lapack_eigen(n, a, w, v) || weir_eigen(n, a, w, v, workspace);
}
