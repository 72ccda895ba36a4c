/* ops/sparse/sparse_reorder.c - SparseReorder: entries in row-major order. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/sparse/sparse.h"

enum { INDICES, VALUES, SHAPE };

static weir_status infer(weir_infer *i)
{
    WEIR_TRY(weir_sparse_infer(i, INDICES, VALUES, SHAPE, "input_"));
    i->out[0] = *i->in[INDICES];
    i->out[1] = *i->in[VALUES];
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    weir_sparse s;
    weir_tensor order;
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &s));
    weir_shape vector = weir_shape_vector(s.count);
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &vector, &order));
    const int64_t *from = order.data;
    weir_sparse_order(&s, NULL, 0, order.data);
    for (int64_t n = 0; n < s.count; n++) {
        memcpy((int64_t *)weir_out(call, 0)->data + n * s.rank, s.indices + from[n] * s.rank,
               sizeof(int64_t) * (size_t)s.rank);
        weir_elements_copy(s.values->dtype, weir_at(weir_out(call, 1), n),
                           weir_at(s.values, from[n]), 1);
    }
    weir_tensor_release(&order);
    return WEIR_OK;
}

/* Where each entry went is learnt by reordering their numbers. */
static weir_status grad(weir_grad *g)
{
    weir_edge indices = weir_grad_x(g, INDICES);
    weir_edge count = weir_grad_subvector(g, weir_grad_shape_of(g, indices), 0, 1);
    weir_edge n = weir_grad_reshape(g, count, weir_grad_const_int32(g, NULL, 0));
    weir_edge numbers = weir_grad_op(
        g, "Range", WEIR_IN(weir_grad_int32(g, 0), n, weir_grad_int32(g, 1)), WEIR_NO_ATTRS);
    weir_node *sorted = weir_grad_node_add(
        g, "SparseReorder", WEIR_IN(indices, numbers, weir_grad_x(g, SHAPE)), WEIR_NO_ATTRS);
    if (!sorted)
        return WEIR_OK;
    weir_edge back =
        weir_grad_op(g, "InvertPermutation", WEIR_IN(((weir_edge){sorted, 1})), WEIR_NO_ATTRS);
    weir_grad_set(g, VALUES,
                  weir_grad_op(g, "Gather", WEIR_IN(weir_grad_dy(g, 1), back), WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_sparse_reorder = {
    .name = "SparseReorder",
    .in = "input_indices: int64; input_values: T; input_shape: int64",
    .out = "output_indices: int64; output_values: T",
    .attrs = "T: type",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
