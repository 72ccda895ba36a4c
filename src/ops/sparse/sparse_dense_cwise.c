/* ops/sparse/sparse_dense_cwise.c - SparseDenseCwiseMul, Div, Add: combines the entries of a sparse
 * tensor with a dense one, which is broadcast. */
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"
#include "ops/declare.h"
#include "ops/math/types.h"
#include "ops/sparse/sparse.h"

enum { INDICES, VALUES, SHAPE, DENSE };

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, INDICES, VALUES, SHAPE, "sp_"));
    infer->out[0] = weir_shape_vector(weir_infer_dim(infer, INDICES, 0));
    return WEIR_OK;
}

/* Strides of the dense tensor for the sparse one's coordinates: 0 where it is broadcast. */
static weir_status broadcast_strides(const weir_sparse *s, const weir_shape *dense,
                                     int64_t strides[WEIR_MAX_RANK])
{
    int64_t own[WEIR_MAX_RANK];
    int extra = s->rank - dense->rank;
    weir_shape sparse;
    WEIR_TRY(weir_sparse_dense_shape(s, &sparse));
    weir_shape_strides(dense, own);
    for (int axis = 0; axis < s->rank; axis++) {
        bool repeats = axis < extra || (extra >= 0 && dense->dims[axis - extra] == 1);
        strides[axis] = repeats ? 0 : extra < 0 ? 0 : own[axis - extra];
        if (extra < 0 || (!repeats && dense->dims[axis - extra] != s->dims[axis]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "SparseDenseBinaryOpShared broadcasts dense to sparse only; got "
                              "incompatible shapes: %s vs. %s",
                              WEIR_SHAPE_STR(&sparse), WEIR_SHAPE_STR(dense));
    }
    return WEIR_OK;
}

static weir_status gather_dense(const weir_sparse *sparse, const weir_tensor *dense,
                                weir_tensor *out)
{
    int64_t strides[WEIR_MAX_RANK];
    WEIR_TRY(broadcast_strides(sparse, &dense->shape, strides));
    WEIR_TRY(weir_sparse_bounds(sparse));
    for (int64_t n = 0; n < sparse->count; n++) {
        int64_t at = 0;
        for (int axis = 0; axis < sparse->rank; axis++)
            at += sparse->indices[n * sparse->rank + axis] * strides[axis];
        weir_elements_copy(out->dtype, weir_at(out, n), weir_at(dense, at), 1);
    }
    return WEIR_OK;
}

static weir_status combine(weir_call *call)
{
    weir_update_op op = (weir_update_op)weir_site_mode(call->site);
    weir_tensor *y = weir_out(call, 0), dense;
    weir_sparse sparse;
    WEIR_TRY(weir_sparse_read(call, INDICES, VALUES, SHAPE, &sparse));
    weir_elem elem = weir_elem_of(y->dtype);
    WEIR_TRY(weir_tensor_alloc(y->dtype, &y->shape, &dense));
    weir_status status = gather_dense(&sparse, weir_in(call, DENSE), &dense);
    if (!status && op == WEIR_UPDATE_DIV && weir_update_has_zero(elem, dense.data, sparse.count))
        status = weir_error(WEIR_INVALID_ARGUMENT, "Integer division by zero");
    if (!status) {
        weir_elements_copy(y->dtype, y->data, sparse.values->data, sparse.count);
        weir_update_find(op, elem)(y->data, dense.data, sparse.count, 1);
    }
    weir_tensor_release(&dense);
    return status;
}

/* The number of axes that the dense tensor lacks, a scalar; known only at run time if a rank is
 * unknown. */
static weir_edge missing_axes(weir_grad *grad, weir_edge dense_shape)
{
    const weir_shape *dense = weir_edge_shape(weir_grad_node(grad)->in[DENSE]);
    const weir_shape *shape = weir_edge_shape(weir_grad_node(grad)->in[SHAPE]);
    if (dense->rank >= 0 && shape->rank == 1 && shape->dims[0] >= 0)
        return weir_grad_int32(grad, (int32_t)shape->dims[0] - dense->rank);
    weir_edge rank = weir_grad_op(grad, "Size", WEIR_IN(weir_grad_x(grad, SHAPE)), WEIR_NO_ATTRS);
    weir_edge dense_rank = weir_grad_op(grad, "Size", WEIR_IN(dense_shape), WEIR_NO_ATTRS);
    return weir_grad_op(grad, "Sub", WEIR_IN(rank, dense_rank), WEIR_NO_ATTRS);
}

/* The index of the dense element for each entry: divided by the repetitions of its axis. */
static weir_edge dense_indices(weir_grad *grad)
{
    weir_edge dense_shape = weir_grad_op(grad, "Shape", WEIR_IN(weir_grad_x(grad, DENSE)),
                                         WEIR_ATTRS(weir_a_type("out_type", WEIR_INT64)));
    weir_edge skip = missing_axes(grad, dense_shape), zero = weir_grad_int32(grad, 0);
    weir_edge from = weir_grad_op(grad, "ExpandDims", WEIR_IN(skip, zero), WEIR_NO_ATTRS);
    weir_edge shape = weir_grad_op(
        grad, "Slice",
        WEIR_IN(weir_grad_x(grad, SHAPE), from, weir_grad_const_int32(grad, (int32_t[]){-1}, 1)),
        WEIR_NO_ATTRS);
    weir_edge repeat = weir_grad_op(grad, "FloorDiv", WEIR_IN(shape, dense_shape), WEIR_NO_ATTRS);
    weir_edge indices =
        weir_grad_op(grad, "Slice",
                     WEIR_IN(weir_grad_x(grad, INDICES),
                             weir_grad_op(grad, "Pack", WEIR_IN(zero, skip), WEIR_NO_ATTRS),
                             weir_grad_const_int32(grad, (int32_t[]){-1, -1}, 2)),
                     WEIR_NO_ATTRS);
    return weir_grad_op(grad, "FloorDiv", WEIR_IN(indices, repeat), WEIR_NO_ATTRS);
}

static weir_status grad(weir_grad *grad, bool is_mul)
{
    weir_edge dy = weir_grad_dy(grad, 0), x = weir_grad_x(grad, VALUES),
              b = weir_grad_x(grad, DENSE);
    weir_edge at = dense_indices(grad);
    weir_edge met = weir_grad_op(grad, "GatherNd", WEIR_IN(b, at), WEIR_NO_ATTRS), db;
    if (is_mul) {
        weir_grad_set(grad, VALUES, weir_grad_mul(grad, dy, met));
        db = weir_grad_mul(grad, dy, x);
    } else {
        weir_grad_set(grad, VALUES, weir_grad_div(grad, dy, met));
        db = weir_grad_mul(
            grad, dy, weir_grad_div(grad, weir_grad_neg(grad, x), weir_grad_mul(grad, met, met)));
    }
    weir_edge dense_shape =
        weir_grad_op(grad, "Shape", WEIR_IN(b), WEIR_ATTRS(weir_a_type("out_type", WEIR_INT64)));
    weir_edge zeros = weir_grad_op(grad, "ZerosLike", WEIR_IN(b), WEIR_NO_ATTRS);
    weir_grad_set(grad, DENSE,
                  weir_grad_op(grad, "SparseTensorDenseAdd", WEIR_IN(at, db, dense_shape, zeros),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status mul_grad(weir_grad *gradient)
{
    return grad(gradient, true);
}

static weir_status div_grad(weir_grad *gradient)
{
    return grad(gradient, false);
}

#define CWISE                                                                                      \
    .in = "sp_indices: int64; sp_values: T; sp_shape: int64; dense: T", .out = "output: T",        \
    .attrs = "T: {" NUMBERS "}", .infer = infer,                                                   \
    .kernels = {{WEIR_CPU, "T: " REALS ", complex64, complex128", combine}}

WEIR_DEFINE_OP(sparse_dense_cwise_mul, "SparseDenseCwiseMul", CWISE, .mode = WEIR_UPDATE_MUL,
               .grad = mul_grad);
WEIR_DEFINE_OP(sparse_dense_cwise_div, "SparseDenseCwiseDiv", CWISE, .mode = WEIR_UPDATE_DIV,
               .grad = div_grad);
WEIR_DEFINE_OP(sparse_dense_cwise_add, "SparseDenseCwiseAdd", CWISE, .mode = WEIR_UPDATE_ADD);
