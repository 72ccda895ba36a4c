/* ops/sparse/sparse_softmax.c - SparseSoftmax: softmax over the entries of each row. */
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/sparse.h"

enum { INDICES, VALUES, SHAPE };

static weir_status infer(weir_infer *i)
{
    WEIR_TRY(weir_sparse_infer(i, INDICES, VALUES, SHAPE, "sp_"));
    i->out[0] = *i->in[VALUES];
    return WEIR_OK;
}

static double get(const weir_tensor *t, int64_t i)
{
    if (t->dtype == WEIR_DOUBLE)
        return ((const double *)t->data)[i];
    return t->dtype == WEIR_FLOAT ? (double)((const float *)t->data)[i]
                                  : (double)weir_half_to_float(((const uint16_t *)t->data)[i]);
}

static void set(weir_tensor *t, int64_t i, double v)
{
    if (t->dtype == WEIR_DOUBLE)
        ((double *)t->data)[i] = v;
    else if (t->dtype == WEIR_FLOAT)
        ((float *)t->data)[i] = (float)v;
    else
        ((uint16_t *)t->data)[i] = weir_float_to_half((float)v);
}

/* Entries order[begin, end) are one row. */
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
    weir_sparse s;
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &s));
    if (s.rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input should have rank >= 2, but received shape of rank %d", s.rank);
    WEIR_TRY(weir_sparse_bounds(&s));
    int64_t *order = WEIR_NEW_ARRAY(int64_t, s.count);
    weir_sparse_order(&s, NULL, 0, order);
    for (int64_t n = 0; n < s.count;) {
        int64_t end = n + 1;
        while (end < s.count && weir_coords_order(s.indices + order[n] * s.rank,
                                                  s.indices + order[end] * s.rank, s.rank - 1) == 0)
            end++;
        row_softmax(s.values, order, n, end, weir_out(call, 0));
        n = end;
    }
    weir_free(order);
    return WEIR_OK;
}

/* dx = y * (dy - sum of y * dy over the row). */
static weir_status grad(weir_grad *g)
{
    weir_edge indices = weir_grad_x(g, INDICES), shape = weir_grad_x(g, SHAPE);
    weir_edge y = weir_grad_y(g, 0), dy = weir_grad_dy(g, 0);
    weir_edge axis = weir_grad_const_int32(g, (int32_t[]){-1}, 1);
    weir_edge sum =
        weir_grad_op(g, "SparseReduceSum", WEIR_IN(indices, weir_grad_mul(g, y, dy), shape, axis),
                     WEIR_ATTRS(weir_a_bool("keep_dims", true)));
    weir_edge rest =
        weir_grad_op(g, "SparseDenseCwiseAdd", WEIR_IN(indices, dy, shape, weir_grad_neg(g, sum)),
                     WEIR_NO_ATTRS);
    weir_grad_set(g, VALUES, weir_grad_mul(g, rest, y));
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
