/* ops/array/unravel_index.c - UnravelIndex: flat indices as coordinates. */
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"

static weir_status infer(weir_infer *infer)
{
    const weir_shape *indices = infer->in[0];
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    int64_t rank = weir_infer_dim(infer, 1, 0);
    if (indices->rank > 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "The indices can only be scalar or vector, got %s",
                          WEIR_SHAPE_STR(indices));
    if (indices->rank == 0)
        infer->out[0] = weir_shape_vector(rank);
    else if (indices->rank == 1)
        infer->out[0] = weir_shape_matrix(rank, indices->dims[0]);
    return WEIR_OK;
}

static weir_status check_dims(const weir_tensor *dims, int64_t *out_count)
{
    *out_count = 1;
    for (int64_t d = 0; d < weir_tensor_count(dims); d++) {
        int64_t dim = weir_int_at(dims, d);
        if (dim == 0)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Input dims cannot contain a dim of zero, but dims contains zero at %" PRId64, d);
        if (dim < 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input dims cannot be negative, got %" PRId64 " at %" PRId64, dim, d);
        WEIR_TRY(weir_dim_mul(*out_count, dim, out_count));
    }
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *indices = weir_in(call, 0), *dims = weir_in(call, 1);
    int64_t count = weir_tensor_count(indices), rank = weir_tensor_count(dims), limit;
    WEIR_TRY(check_dims(dims, &limit));
    for (int64_t n = 0; n < count; n++) {
        int64_t rest = weir_int_at(indices, n);
        if (rest < 0 || rest >= limit)
            return weir_error(WEIR_INVALID_ARGUMENT, "index is out of bound as with dims");
        for (int64_t d = rank - 1; d >= 0; d--) {
            int64_t dim = weir_int_at(dims, d);
            weir_int_set(weir_out(call, 0), d * count + n, rest % dim);
            rest /= dim;
        }
    }
    return WEIR_OK;
}

const weir_op weir_op_unravel_index = {
    .name = "UnravelIndex",
    .in = "indices: Tidx; dims: Tidx",
    .out = "output: Tidx",
    .attrs = "Tidx: {int32, int64} = DT_INT32",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run}},
};
