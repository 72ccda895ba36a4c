/* ops/linalg/matrix.c - batches of matrices in and out. */
#include "ops/linalg/matrix.h"

#include "math/cast/cast.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"

void weir_matrix_load(const weir_tensor *tensor, int64_t first, int64_t count, weir_c128 *out)
{
    weir_cast_run(NULL, weir_elem_of(tensor->dtype), WEIR_E_c128, count, weir_at(tensor, first),
                  out);
}

void weir_matrix_store(weir_tensor *tensor, int64_t first, int64_t count, const weir_c128 *from)
{
    weir_cast_run(NULL, WEIR_E_c128, weir_elem_of(tensor->dtype), count, from,
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
    WEIR_TRY(weir_infer_rank_at_least(infer, in, 2));
    *out_batch = infer->in[in]->rank < 0
                     ? WEIR_UNKNOWN_SHAPE
                     : weir_infer_sub(infer->in[in], 0, infer->in[in]->rank - 2);
    return WEIR_OK;
}

weir_status weir_infer_square(weir_infer *infer, int in, weir_shape *out_batch, int64_t *out_size)
{
    WEIR_TRY(weir_infer_matrix(infer, in, out_batch));
    return weir_infer_merge_dim(weir_infer_dim(infer, in, -2), weir_infer_dim(infer, in, -1),
                                out_size);
}

weir_status weir_infer_matrices(const weir_shape *batch, int64_t rows, int64_t columns,
                                weir_shape *out)
{
    weir_shape matrix = weir_shape_matrix(rows, columns);
    return weir_infer_concat(batch, &matrix, out);
}
