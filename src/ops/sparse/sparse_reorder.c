/* ops/sparse/sparse_reorder.c - SparseReorder: sorts entries into row-major order. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/sparse/sparse.h"

enum { INDICES, VALUES, SHAPE };

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, "input_"));
    infer->out[0] = *infer->in[INDICES];
    infer->out[1] = *infer->in[VALUES];
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    weir_sparse sparse;
    weir_tensor order;
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &sparse));
    weir_shape vector = weir_shape_vector(sparse.count);
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &vector, &order));
    const int64_t *from = order.data;
    weir_sparse_order(&sparse, NULL, 0, order.data);
    for (int64_t n = 0; n < sparse.count; n++) {
        memcpy((int64_t *)weir_out(call, 0)->data + n * sparse.rank,
               sparse.indices + from[n] * sparse.rank, sizeof(int64_t) * (size_t)sparse.rank);
        weir_elements_copy(sparse.values->dtype, weir_at(weir_out(call, 1), n),
                           weir_at(sparse.values, from[n]), 1);
    }
    weir_tensor_release(&order);
    return WEIR_OK;
}

/* The permutation is obtained by reordering the entries' numbers. */
static weir_status grad(weir_grad *grad)
{
    weir_edge indices = weir_grad_x(grad, INDICES);
    weir_edge count = weir_grad_subvector(grad, weir_grad_shape_of(grad, indices), 0, 1);
    weir_edge n = weir_grad_reshape(grad, count, weir_grad_const_int32(grad, NULL, 0));
    weir_edge numbers =
        weir_grad_op(grad, "Range", WEIR_IN(weir_grad_int32(grad, 0), n, weir_grad_int32(grad, 1)),
                     WEIR_NO_ATTRS);
    weir_node *sorted = weir_grad_node_add(
        grad, "SparseReorder", WEIR_IN(indices, numbers, weir_grad_x(grad, SHAPE)), WEIR_NO_ATTRS);
    if (!sorted)
        return WEIR_OK;
    weir_edge back =
        weir_grad_op(grad, "InvertPermutation", WEIR_IN(((weir_edge){sorted, 1})), WEIR_NO_ATTRS);
    weir_grad_set(
        grad, VALUES,
        weir_grad_op(grad, "Gather", WEIR_IN(weir_grad_dy(grad, 1), back), WEIR_NO_ATTRS));
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
