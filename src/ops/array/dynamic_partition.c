/* ops/array/dynamic_partition.c - DynamicPartition: rows distributed over several tensors. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/index.h"
#include "ops/common/infer_util.h"

static weir_status infer(weir_infer *infer)
{
    const weir_shape *data = infer->in[0], *parts = infer->in[1];
    if (data->rank < 0 || parts->rank < 0)
        return WEIR_OK;
    weir_shape start = weir_infer_sub(data, 0, parts->rank);
    if (data->rank < parts->rank || !weir_shape_compatible(&start, parts))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "data.shape must start with partitions.shape, got data.shape = %s, "
                          "partitions.shape = %s",
                          WEIR_SHAPE_STR(data), WEIR_SHAPE_STR(parts));
    weir_shape rest = weir_infer_sub(data, parts->rank, data->rank);
    weir_shape first = weir_shape_vector(-1), out;
    WEIR_TRY(weir_infer_concat(&first, &rest, &out));
    for (int k = 0; k < infer->out_count; k++)
        infer->out[k] = out;
    return WEIR_OK;
}

static weir_status count_rows(const weir_tensor *parts, int64_t *counts, int limit)
{
    const int32_t *part = parts->data;
    int64_t rows = weir_tensor_count(parts);
    for (int64_t row = 0; row < rows; row++) {
        if (part[row] < 0 || part[row] >= limit)
            return weir_error(WEIR_INVALID_ARGUMENT, "partitions%s = %d is not in [0, %d)",
                              weir_index_text(&parts->shape, row, (char[WEIR_SHAPE_TEXT]){0}),
                              part[row], limit);
        counts[part[row]]++;
    }
    return WEIR_OK;
}

static weir_status alloc_outputs(weir_call *call, const int64_t *counts)
{
    const weir_shape *data = &weir_in(call, 0)->shape, *parts = &weir_in(call, 1)->shape;
    weir_shape first, rest = weir_infer_sub(data, parts->rank, data->rank), out;
    for (int k = 0; k < call->site->out_count; k++) {
        first = weir_shape_vector(counts[k]);
        WEIR_TRY(weir_infer_concat(&first, &rest, &out));
        WEIR_TRY(weir_call_alloc(call, k, &out));
    }
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *data = weir_in(call, 0), *parts = weir_in(call, 1);
    const int32_t *part = parts->data;
    int count = call->site->out_count;
    int64_t rows = weir_tensor_count(parts), *counts = WEIR_NEW_ARRAY(int64_t, count);
    int64_t run = weir_shape_product(&data->shape, parts->shape.rank, data->shape.rank);
    weir_status status = count_rows(parts, counts, count);
    if (!status)
        status = alloc_outputs(call, counts);
    memset(counts, 0, sizeof *counts * (size_t)count);
    for (int64_t row = 0; !status && row < rows; row++)
        weir_elements_copy(data->dtype,
                           weir_at(weir_out(call, part[row]), counts[part[row]]++ * run),
                           weir_at(data, row * run), run);
    weir_free(counts);
    return status;
}

/* Partitions the row indices in the same way; DynamicStitch uses them to merge the gradients. */
static weir_status grad(weir_grad *grad)
{
    weir_edge data = weir_grad_x(grad, 0), parts = weir_grad_x(grad, 1);
    int total = weir_grad_site(grad)->out_count;
    weir_edge shape = weir_grad_shape_of(grad, parts);
    weir_edge count = weir_grad_op(grad, "Size", WEIR_IN(parts), WEIR_NO_ATTRS);
    weir_edge range = weir_grad_op(
        grad, "Range", WEIR_IN(weir_grad_int32(grad, 0), count, weir_grad_int32(grad, 1)),
        WEIR_NO_ATTRS);
    weir_node *rows = weir_grad_node_add(grad, "DynamicPartition",
                                         WEIR_IN(weir_grad_reshape(grad, range, shape), parts),
                                         WEIR_ATTRS(weir_a_int("num_partitions", total)));
    WEIR_FREED weir_edge *in = WEIR_NEW_ARRAY(weir_edge, 2 * total);
    for (int k = 0; rows && k < total; k++) {
        in[k] = (weir_edge){rows, k};
        in[total + k] = weir_grad_dy(grad, k);
    }
    weir_edge dx =
        weir_grad_first(grad, "DynamicStitch", in, 2 * total, WEIR_ATTRS(weir_a_int("N", total)));
    weir_grad_set(grad, 0, weir_grad_reshape(grad, dx, weir_grad_shape_of(grad, data)));
    return WEIR_OK;
}

const weir_op weir_op_dynamic_partition = {
    .name = "DynamicPartition",
    .in = "data: T; partitions: int32",
    .out = "outputs: num_partitions * T",
    .attrs = "num_partitions: int >= 1; T: type",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS}},
};
