/* ops/array/dynamic_stitch.c - DynamicStitch, ParallelDynamicStitch: scatters rows by indices. */
#include "base/arith.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

/* The shape of data after the indices' dims; all inputs must agree on it. */
static weir_status rest_of(weir_infer *infer, int count, int k, weir_shape *out_rest)
{
    const weir_shape *index = infer->in[k], *data = infer->in[count + k];
    *out_rest = WEIR_UNKNOWN_SHAPE;
    if (index->rank < 0 || data->rank < 0)
        return WEIR_OK;
    weir_shape start = weir_infer_sub(data, 0, index->rank);
    if (data->rank < index->rank || !weir_shape_compatible(&start, index))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "data[%d].shape = %s does not start with indices[%d].shape = %s", k,
                          WEIR_SHAPE_STR(data), k, WEIR_SHAPE_STR(index));
    *out_rest = weir_infer_sub(data, index->rank, data->rank);
    return WEIR_OK;
}

static int64_t largest_index(const weir_tensor *indices)
{
    int64_t count = weir_tensor_count(indices), most = -1;
    for (int64_t j = 0; j < count; j++) {
        int64_t at = weir_int_at(indices, j);
        most = weir_max(most, at);
    }
    return most;
}

static weir_status infer(weir_infer *infer)
{
    int count = infer->in_count / 2;
    int64_t rows = 0;
    weir_shape rest = WEIR_UNKNOWN_SHAPE, more;
    for (int k = 0; k < count; k++) {
        const weir_tensor *indices = weir_infer_value(infer, k);
        WEIR_TRY(rest_of(infer, count, k, &more));
        if (!weir_shape_compatible(&rest, &more))
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Need data[0].shape[%d:] = data[%d].shape[%d:], got data[0].shape = %s, "
                "data[%d].shape = %s, indices[0].shape = %s, indices[%d].shape = %s",
                infer->in[0]->rank, k, infer->in[k]->rank, WEIR_SHAPE_STR(infer->in[count]), k,
                WEIR_SHAPE_STR(infer->in[count + k]), WEIR_SHAPE_STR(infer->in[0]), k,
                WEIR_SHAPE_STR(infer->in[k]));
        WEIR_TRY(weir_infer_merge(&rest, &more, &rest));
        int64_t need = indices ? largest_index(indices) + 1 : -1;
        rows = rows < 0 || need < 0 ? -1 : weir_max(need, rows);
    }
    weir_shape first = weir_shape_vector(rows);
    return weir_infer_concat(&first, &rest, &infer->out[0]);
}

static weir_status put_rows(weir_call *call, int k, int64_t run)
{
    const weir_tensor *indices = weir_in(call, k);
    const weir_tensor *data = weir_in(call, call->site->in_count / 2 + k);
    weir_tensor *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(indices);
    for (int64_t j = 0; j < count; j++) {
        int64_t at = weir_int_at(indices, j);
        if (at < 0 || at >= y->shape.dims[0])
            return weir_error(WEIR_INVALID_ARGUMENT, "indices[%d] is out of range", k);
        weir_elements_copy(y->dtype, weir_at(y, at * run), weir_at(data, j * run), run);
    }
    return WEIR_OK;
}

/* Later inputs take precedence; rows without an index are zero. */
static weir_status stitch(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    int64_t run = weir_shape_product(&y->shape, 1, y->shape.rank), named = 0;
    int count = call->site->in_count / 2;
    for (int k = 0; k < count; k++)
        named += weir_tensor_count(weir_in(call, k));
    if (weir_dtype_is_plain(y->dtype) && named != y->shape.dims[0])
        weir_tensor_zero(&call->run->par, y);
    for (int k = 0; k < count; k++)
        WEIR_TRY(put_rows(call, k, run));
    return WEIR_OK;
}

static weir_status grad(weir_grad *grad)
{
    int count = weir_grad_site(grad)->in_count / 2;
    for (int k = 0; k < count; k++)
        weir_grad_set(grad, count + k,
                      weir_grad_op(grad, "Gather",
                                   WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, k)),
                                   WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_dynamic_stitch = {
    .name = "DynamicStitch",
    .in = "indices: N * int32; data: N * T",
    .out = "merged: T",
    .attrs = "N: int >= 1; T: type",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", stitch}},
};

const weir_op weir_op_parallel_dynamic_stitch = {
    .name = "ParallelDynamicStitch",
    .in = "indices: N * int32; data: N * T",
    .out = "merged: T",
    .attrs = "N: int >= 1; T: type",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", stitch}},
};
