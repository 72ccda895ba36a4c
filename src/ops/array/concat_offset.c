/* ops/array/concat_offset.c - ConcatOffset: the offset of each concat input in the result. */
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 0));
    for (int k = 1; k < infer->in_count; k++) {
        WEIR_TRY(weir_infer_rank(infer, k, 1));
        infer->out[k - 1] = weir_shape_vector(weir_infer_dim(infer, k, 0));
    }
    return WEIR_OK;
}

/* Shapes must have one length and agree everywhere but along the axis. */
static weir_status check_shape(weir_call *call, int k, int64_t axis)
{
    const weir_tensor *first = weir_in(call, 1), *s = weir_in(call, k);
    int64_t rank = weir_tensor_count(first);
    if (weir_tensor_count(s) != rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input %d should contain %" PRId64 " elements, but got %" PRId64, k, rank,
                          weir_tensor_count(s));
    for (int64_t dim = 0; dim < rank; dim++)
        if (dim != axis && weir_int_at(s, dim) != weir_int_at(first, dim))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All dimensions except %" PRId64
                              " must match. Input %d has shape [%" PRId64 "] at dim %" PRId64
                              " and doesn't match input 0 with shape [%" PRId64 "].",
                              axis, k - 1, weir_int_at(s, dim), dim, weir_int_at(first, dim));
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    int64_t rank = weir_tensor_count(weir_in(call, 1)), axis = weir_int_at(weir_in(call, 0), 0);
    int64_t offset = 0;
    if (axis < -rank || axis >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Concat dim is out of range: %" PRId64 " vs. %" PRId64, axis, rank);
    axis = axis < 0 ? axis + rank : axis;
    for (int k = 1; k < call->site->in_count; k++) {
        WEIR_TRY(check_shape(call, k, axis));
        for (int64_t dim = 0; dim < rank; dim++)
            weir_int_set(weir_out(call, k - 1), dim, dim == axis ? offset : 0);
        offset += weir_int_at(weir_in(call, k), axis);
    }
    return WEIR_OK;
}

const weir_op weir_op_concat_offset = {
    .name = "ConcatOffset",
    .in = "concat_dim: int32; shape: N * shape_type",
    .out = "offset: N * shape_type",
    .attrs = "N: int >= 2; shape_type: {int32, int64} = DT_INT32",
    .host = "concat_dim; offset; shape",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_CHEAP}},
};
