/* ops/array/parallel_concat.c - ParallelConcat: single rows concatenated. */
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"

enum { N, T, SHAPE };

static weir_status infer(weir_infer *infer)
{
    const weir_shape *out = weir_site_shape(infer->site, SHAPE);
    if (!weir_shape_known(out) || out->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "shape must be fully defined, got %s",
                          WEIR_SHAPE_STR(out));
    weir_shape row = *out;
    row.dims[0] = 1;
    if (out->dims[0] != infer->in_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "shape %s has %" PRId64 " rows for %d values",
                          WEIR_SHAPE_STR(out), out->dims[0], infer->in_count);
    for (int k = 0; k < infer->in_count; k++)
        if (!weir_shape_compatible(infer->in[k], &row))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All input shapes must be fully defined and equal to %s, got %s",
                              WEIR_SHAPE_STR(&row), WEIR_SHAPE_STR(infer->in[k]));
    infer->out[0] = *out;
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    int64_t run = weir_shape_product(&y->shape, 1, y->shape.rank);
    for (int k = 0; k < call->site->in_count; k++)
        weir_elements_copy(y->dtype, weir_at(y, k * run), weir_in(call, k)->data, run);
    return WEIR_OK;
}

const weir_op weir_op_parallel_concat = {
    .name = "ParallelConcat",
    .in = "values: N * T",
    .out = "output: T",
    .attrs = "N: int >= 1; T: type; shape: shape",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run}},
};
