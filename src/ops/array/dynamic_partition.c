/* ops/array/dynamic_partition.c - DynamicPartition: rows dealt out to several tensors. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/index.h"
#include "ops/common/infer_util.h"

static weir_status infer(weir_infer *i)
{
    const weir_shape *data = i->in[0], *parts = i->in[1];
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
    for (int k = 0; k < i->out_count; k++)
        i->out[k] = out;
    return WEIR_OK;
}

static weir_status count_rows(const weir_tensor *parts, int64_t *counts, int limit)
{
    const int32_t *part = parts->data;
    int64_t rows = weir_tensor_count(parts);
    for (int64_t r = 0; r < rows; r++) {
        if (part[r] < 0 || part[r] >= limit)
            return weir_error(WEIR_INVALID_ARGUMENT, "partitions%s = %d is not in [0, %d)",
                              weir_index_text(&parts->shape, r, (char[WEIR_SHAPE_TEXT]){0}),
                              part[r], limit);
        counts[part[r]]++;
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
    int n = call->site->out_count;
    int64_t rows = weir_tensor_count(parts), *counts = WEIR_NEW_ARRAY(int64_t, n);
    int64_t run = weir_shape_product(&data->shape, parts->shape.rank, data->shape.rank);
    weir_status s = count_rows(parts, counts, n);
    if (!s)
        s = alloc_outputs(call, counts);
    memset(counts, 0, sizeof *counts * (size_t)n);
    for (int64_t r = 0; !s && r < rows; r++)
        weir_elements_copy(data->dtype, weir_at(weir_out(call, part[r]), counts[part[r]]++ * run),
                           weir_at(data, r * run), run);
    weir_free(counts);
    return s;
}

/* Partitions the row numbers the same way, and stitches the gradients back by them. */
static weir_status grad(weir_grad *g)
{
    weir_edge data = weir_grad_x(g, 0), parts = weir_grad_x(g, 1);
    int n = weir_grad_site(g)->out_count;
    weir_edge shape = weir_grad_shape_of(g, parts);
    weir_edge count = weir_grad_op(g, "Size", WEIR_IN(parts), WEIR_NO_ATTRS);
    weir_edge range = weir_grad_op(
        g, "Range", WEIR_IN(weir_grad_int32(g, 0), count, weir_grad_int32(g, 1)), WEIR_NO_ATTRS);
    weir_node *rows = weir_grad_node_add(g, "DynamicPartition",
                                         WEIR_IN(weir_grad_reshape(g, range, shape), parts),
                                         WEIR_ATTRS(weir_a_int("num_partitions", n)));
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, 2 * n);
    for (int k = 0; rows && k < n; k++) {
        in[k] = (weir_edge){rows, k};
        in[n + k] = weir_grad_dy(g, k);
    }
    weir_edge dx = weir_grad_first(g, "DynamicStitch", in, 2 * n, WEIR_ATTRS(weir_a_int("N", n)));
    weir_grad_set(g, 0, weir_grad_reshape(g, dx, weir_grad_shape_of(g, data)));
    weir_free(in);
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
