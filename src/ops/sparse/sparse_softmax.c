/* ops/sparse/sparse_softmax.c - SparseSoftmax: softmax over the entries of each row. */
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/sparse.h"

enum { INDICES, VALUES, SHAPE };

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, "sp_"));
    infer->out[0] = *infer->in[VALUES];
    return WEIR_OK;
}

static double get(const weir_tensor *tensor, int64_t i)
{
    if (tensor->dtype == WEIR_DOUBLE)
        return ((const double *)tensor->data)[i];
    return tensor->dtype == WEIR_FLOAT ? (double)((const float *)tensor->data)[i]
                                       : (double)weir_f16_f32(((const uint16_t *)tensor->data)[i]);
}

static void set(weir_tensor *tensor, int64_t i, double value)
{
    if (tensor->dtype == WEIR_DOUBLE)
        ((double *)tensor->data)[i] = value;
    else if (tensor->dtype == WEIR_FLOAT)
        ((float *)tensor->data)[i] = (float)value;
    else
        ((uint16_t *)tensor->data)[i] = weir_f32_f16((float)value);
}

/* Entries order[begin, end) form one row. */
static void row_softmax(const weir_tensor *x, const int64_t *order, int64_t begin, int64_t end,
                        weir_tensor *y)
{
    double most = -INFINITY, sum = 0;
    for (int64_t n = begin; n < end; n++)
        most = fmax(most, get(x, order[n]));
    for (int64_t n = begin; n < end; n++)
        sum += exp(get(x, order[n]) - most);
    for (int64_t n = begin; n < end; n++)
        set(y, order[n], exp(get(x, order[n]) - most) / sum);
}

static weir_status run(weir_call *call)
{
    weir_sparse sparse;
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &sparse));
    if (sparse.rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input should have rank >= 2, but received shape of rank %d",
                          sparse.rank);
    WEIR_TRY(weir_sparse_bounds(&sparse));
    WEIR_FREED int64_t *order = WEIR_NEW_ARRAY(int64_t, sparse.count);
    weir_sparse_order(&sparse, NULL, 0, order);
    for (int64_t n = 0; n < sparse.count;) {
        int64_t end = n + 1;
        while (end < sparse.count &&
               weir_coords_order(sparse.indices + order[n] * sparse.rank,
                                 sparse.indices + order[end] * sparse.rank, sparse.rank - 1) == 0)
            end++;
        row_softmax(sparse.values, order, n, end, weir_out(call, 0));
        n = end;
    }
    return WEIR_OK;
}

/* dx = y * (dy - sum of y * dy over the row). */
static weir_status grad(weir_grad *grad)
{
    weir_edge indices = weir_grad_x(grad, INDICES), shape = weir_grad_x(grad, SHAPE);
    weir_edge y = weir_grad_y(grad, 0), dy = weir_grad_dy(grad, 0);
    weir_edge axis = weir_grad_const_int32(grad, (int32_t[]){-1}, 1);
    weir_edge sum = weir_grad_op(grad, "SparseReduceSum",
                                 WEIR_IN(indices, weir_grad_mul(grad, y, dy), shape, axis),
                                 WEIR_ATTRS(weir_a_bool("keep_dims", true)));
    weir_edge rest =
        weir_grad_op(grad, "SparseDenseCwiseAdd",
                     WEIR_IN(indices, dy, shape, weir_grad_neg(grad, sum)), WEIR_NO_ATTRS);
    weir_grad_set(grad, VALUES, weir_grad_mul(grad, rest, y));
    return WEIR_OK;
}

const weir_op weir_op_sparse_softmax = {
    .name = "SparseSoftmax",
    .in = "sp_indices: int64; sp_values: T; sp_shape: int64",
    .out = "output: T",
    .attrs = "T: {half, float, double}",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
