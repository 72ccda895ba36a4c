/* ops/sparse/sparse_concat.c - SparseConcat: sparse tensors side by side. */
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/sparse/sparse.h"

enum { CONCAT_DIM, N };

static weir_status infer(weir_infer *i)
{
    int n = i->in_count / 3;
    int64_t count = 0, rank = -1;
    for (int k = 0; k < n; k++) {
        WEIR_TRY(weir_sparse_infer(i, k, n + k, 2 * n + k, ""));
        WEIR_TRY(weir_dim_add(count, weir_infer_dim(i, k, 0), &count));
        int64_t r = weir_infer_dim(i, 2 * n + k, 0);
        if (rank >= 0 && r >= 0 && r != rank)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Ranks of all input tensors must match: expected %" PRId64
                              " but got %" PRId64 " at position %d",
                              rank, r, k);
        rank = rank < 0 ? r : rank;
    }
    i->out[0] = weir_shape_matrix(count, rank);
    i->out[1] = weir_shape_vector(count);
    i->out[2] = weir_shape_vector(rank);
    return WEIR_OK;
}

/* The shape of the whole: equal dims, added up along |axis|. */
static weir_status add_dims(const weir_sparse *s, int k, int axis, int64_t *dims)
{
    for (int d = 0; d < s->rank; d++) {
        if (k == 0)
            dims[d] = s->dims[d];
        else if (d == axis)
            WEIR_TRY(weir_dim_add(dims[d], s->dims[d], &dims[d]));
        else if (dims[d] != s->dims[d])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input shapes must match: expected %" PRId64
                              " for dimension %d but got "
                              "%" PRId64 " at position %d",
                              dims[d], d, s->dims[d], k);
    }
    return WEIR_OK;
}

/* All entries behind each other, moved along the axis by what came before; then sorted. */
static weir_status gather_entries(weir_call *call, int axis, weir_tensor *at, weir_tensor *values,
                                  int64_t *dims)
{
    int n = call->site->in_count / 3;
    int64_t done = 0;
    for (int k = 0; k < n; k++) {
        weir_sparse s;
        WEIR_TRY(weir_sparse_read(call, k, n + k, 2 * n + k, &s));
        int64_t offset = k ? dims[axis] : 0, *to = (int64_t *)at->data + done * s.rank;
        WEIR_TRY(add_dims(&s, k, axis, dims));
        memcpy(to, s.indices, sizeof *to * (size_t)(s.count * s.rank));
        for (int64_t e = 0; e < s.count; e++)
            to[e * s.rank + axis] += offset;
        weir_elements_copy(values->dtype, weir_at(values, done), s.values->data, s.count);
        done += s.count;
    }
    return WEIR_OK;
}

static weir_status write_sorted(weir_call *call, const weir_sparse *all)
{
    int64_t *order = WEIR_NEW_ARRAY(int64_t, all->count);
    weir_sparse_order(all, NULL, 0, order);
    for (int64_t e = 0; e < all->count; e++) {
        memcpy((int64_t *)weir_out(call, 0)->data + e * all->rank,
               all->indices + order[e] * all->rank, sizeof(int64_t) * (size_t)all->rank);
        weir_elements_copy(all->values->dtype, weir_at(weir_out(call, 1), e),
                           weir_at(all->values, order[e]), 1);
    }
    weir_free(order);
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
    weir_status s = weir_tensor_alloc(out_values->dtype, &out_values->shape, &values);
    if (!s) {
        s = gather_entries(call, (int)axis, &at, &values, dims);
        weir_sparse all = {at.data, &values, dims, out_at->shape.dims[0], rank};
        if (!s)
            s = write_sorted(call, &all);
        weir_tensor_release(&values);
    }
    weir_tensor_release(&at);
    return s;
}

const weir_op weir_op_sparse_concat = {
    .name = "SparseConcat",
    .in = "indices: N * int64; values: N * T; shapes: N * int64",
    .out = "output_indices: int64; output_values: T; output_shape: int64",
    .attrs = "concat_dim: int; N: int >= 2; T: type",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run}},
};
