/* ops/sparse/sparse_reshape.c - SparseReshape: converts indices to another shape of equal size. */
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/sparse.h"

enum { INDICES, SHAPE, NEW_SHAPE };

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_sparse_infer(infer, INDICES, -1, SHAPE, "input_"));
    if (infer->in[NEW_SHAPE]->rank >= 0 && infer->in[NEW_SHAPE]->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Target shape should be a vector but received shape %s",
                          WEIR_SHAPE_STR(infer->in[NEW_SHAPE]));
    int64_t rank = weir_infer_dim(infer, NEW_SHAPE, 0);
    infer->out[0] = weir_shape_matrix(weir_infer_dim(infer, INDICES, 0), rank);
    infer->out[1] = weir_shape_vector(rank);
    return WEIR_OK;
}

static weir_status dense_count(const int64_t *dims, int64_t rank, int64_t *out)
{
    *out = 1;
    for (int64_t axis = 0; axis < rank; axis++) {
        if (dims[axis] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "size %" PRId64 " must be non-negative, not %" PRId64, axis,
                              dims[axis]);
        WEIR_TRY(weir_dim_mul(*out, dims[axis], out));
    }
    return WEIR_OK;
}

/* The new shape with its -1, if any, inferred. */
static weir_status resolve(const weir_tensor *wanted, int64_t have, int64_t *out)
{
    int64_t rank = weir_tensor_count(wanted), given = 1, open = -1;
    for (int64_t axis = 0; axis < rank; axis++) {
        out[axis] = ((const int64_t *)wanted->data)[axis];
        if (out[axis] == -1 && open >= 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "only one output dimension may be -1, not both %" PRId64
                              " and %" PRId64,
                              open, axis);
        if (out[axis] < -1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "size %" PRId64 " must be non-negative, not %" PRId64, axis,
                              out[axis]);
        if (out[axis] == -1)
            open = axis;
        else
            WEIR_TRY(weir_dim_mul(given, out[axis], &given));
    }
    if (open >= 0 && given == 0)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "reshape cannot infer the missing input size for an empty tensor unless all "
            "specified input sizes are non-zero");
    if (open >= 0 && have % given != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input to reshape is a SparseTensor with %" PRId64
                          " dense values, but the requested shape requires a multiple of %" PRId64
                          ".",
                          have, given);
    if (open >= 0)
        out[open] = have / given;
    else if (given != have)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input to reshape is a tensor with %" PRId64
                          " dense values, but the requested shape has %" PRId64 ".",
                          have, given);
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *indices = weir_in(call, INDICES), *shape = weir_in(call, SHAPE);
    const int64_t *at = indices->data, *dims = shape->data;
    int64_t *to = weir_out(call, 0)->data, *new_dims = weir_out(call, 1)->data, have;
    int64_t rank = weir_tensor_count(shape), new_rank = weir_tensor_count(weir_out(call, 1));
    WEIR_TRY(dense_count(dims, rank, &have));
    WEIR_TRY(resolve(weir_in(call, NEW_SHAPE), have, new_dims));
    if (have == 0 && indices->shape.dims[0] > 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input has entries but its shape has no elements");
    for (int64_t n = 0; n < indices->shape.dims[0]; n++, at += rank, to += new_rank) {
        uint64_t flat = 0; /* wraps for unchecked indices outside the shape */
        for (int64_t axis = 0; axis < rank; axis++)
            flat = flat * (uint64_t)dims[axis] + (uint64_t)at[axis];
        int64_t rest = (int64_t)flat;
        for (int64_t d = new_rank - 1; d >= 0; d--) {
            to[d] = rest % new_dims[d];
            rest /= new_dims[d];
        }
    }
    return WEIR_OK;
}

const weir_op weir_op_sparse_reshape = {
    .name = "SparseReshape",
    .in = "input_indices: int64; input_shape: int64; new_shape: int64",
    .out = "output_indices: int64; output_shape: int64",
    .host = "input_shape; new_shape; output_shape",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run}},
};
