/* ops/sparse/sparse_concat.c - SparseConcat: concatenation of sparse tensors. */
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/sparse.h"

enum { CONCAT_DIM, N };

static weir_status infer(weir_infer *infer)
{
    int total = infer->in_count / 3;
    int64_t count = 0, rank = -1;
    for (int k = 0; k < total; k++) {
        WEIR_TRY(weir_sparse_infer(infer, k, total + k, 2 * total + k, ""));
        WEIR_TRY(weir_dim_add(count, weir_infer_dim(infer, k, 0), &count));
        int64_t r = weir_infer_dim(infer, 2 * total + k, 0);
        if (rank >= 0 && r >= 0 && r != rank)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Ranks of all input tensors must match: expected %" PRId64
                              " but got %" PRId64 " at position %d",
                              rank, r, k);
        rank = rank < 0 ? r : rank;
    }
    infer->out[0] = weir_shape_matrix(count, rank);
    infer->out[1] = weir_shape_vector(count);
    infer->out[2] = weir_shape_vector(rank);
    return WEIR_OK;
}

/* The shape of the result: equal dims, summed along |axis|. */
static weir_status add_dims(const weir_sparse *sparse, int k, int axis, int64_t *dims)
{
    for (int dim = 0; dim < sparse->rank; dim++) {
        if (k == 0)
            dims[dim] = sparse->dims[dim];
        else if (dim == axis)
            WEIR_TRY(weir_dim_add(dims[dim], sparse->dims[dim], &dims[dim]));
        else if (dims[dim] != sparse->dims[dim])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input shapes must match: expected %" PRId64
                              " for dimension %d but got "
                              "%" PRId64 " at position %d",
                              dims[dim], dim, sparse->dims[dim], k);
    }
    return WEIR_OK;
}

/* Concatenates all entries, offset along the axis, then sorts them. */
static weir_status gather_entries(weir_call *call, int axis, weir_tensor *at, weir_tensor *values,
                                  int64_t *dims)
{
    int count = call->site->in_count / 3;
    int64_t done = 0;
    for (int k = 0; k < count; k++) {
        weir_sparse sparse;
        WEIR_TRY(weir_sparse_read(call, k, count + k, 2 * count + k, &sparse));
        int64_t offset = k ? dims[axis] : 0, *to = (int64_t *)at->data + done * sparse.rank;
        WEIR_TRY(add_dims(&sparse, k, axis, dims));
        memcpy(to, sparse.indices, sizeof *to * (size_t)(sparse.count * sparse.rank));
        for (int64_t e = 0; e < sparse.count; e++)
            to[e * sparse.rank + axis] += offset;
        weir_elements_copy(values->dtype, weir_at(values, done), sparse.values->data, sparse.count);
        done += sparse.count;
    }
    return WEIR_OK;
}

static weir_status write_sorted(weir_call *call, const weir_sparse *all)
{
    WEIR_FREED int64_t *order = WEIR_NEW_ARRAY(int64_t, all->count);
    weir_sparse_order(all, NULL, 0, order);
    for (int64_t e = 0; e < all->count; e++) {
        memcpy((int64_t *)weir_out(call, 0)->data + e * all->rank,
               all->indices + order[e] * all->rank, sizeof(int64_t) * (size_t)all->rank);
        weir_elements_copy(all->values->dtype, weir_at(weir_out(call, 1), e),
                           weir_at(all->values, order[e]), 1);
    }
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    weir_tensor *out_at = weir_out(call, 0), *out_values = weir_out(call, 1), at, values;
    int64_t *dims = weir_out(call, 2)->data, axis = weir_site_int(call->site, CONCAT_DIM);
    int rank = (int)out_at->shape.dims[1];
    if (axis < -rank || axis >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Concat dimension must be in range [%d, %d), got %" PRId64, -rank, rank,
                          axis);
    axis = axis < 0 ? axis + rank : axis;
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &out_at->shape, &at));
    weir_status status = weir_tensor_alloc(out_values->dtype, &out_values->shape, &values);
    if (!status) {
        status = gather_entries(call, (int)axis, &at, &values, dims);
        weir_sparse all = {at.data, &values, dims, out_at->shape.dims[0], rank};
        if (!status)
            status = write_sorted(call, &all);
        weir_tensor_release(&values);
    }
    weir_tensor_release(&at);
    return status;
}

const weir_op weir_op_sparse_concat = {
    .name = "SparseConcat",
    .in = "indices: N * int64; values: N * T; shapes: N * int64",
    .out = "output_indices: int64; output_values: T; output_shape: int64",
    .attrs = "concat_dim: int; N: int >= 2; T: type",
    .host = "output_shape",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run}},
};
