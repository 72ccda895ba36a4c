/* ops/array/gather_nd.c - GatherNd: slices of params selected by rows of indices. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/index.h"
#include "ops/common/infer_util.h"
#include "ops/common/scatter_nd.h"

enum { TPARAMS, TINDICES, POLICY };

/* indices[:-1] + params[indices.shape[-1]:] */
static weir_status infer(weir_infer *infer)
{
    const weir_shape *params = infer->in[0], *indices = infer->in[1];
    WEIR_TRY(weir_infer_rank_at_least(infer, 1, 1));
    if (params->rank < 0 || indices->rank < 0 || indices->dims[indices->rank - 1] < 0)
        return WEIR_OK;
    int64_t depth = indices->dims[indices->rank - 1];
    if (depth > params->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "index innermost dimension length must be <= params rank; saw: %" PRId64
                          " vs. %d",
                          depth, params->rank);
    weir_shape outer = weir_infer_sub(indices, 0, indices->rank - 1);
    weir_shape inner = weir_infer_sub(params, (int)depth, params->rank);
    return weir_infer_concat(&outer, &inner, &infer->out[0]);
}

static weir_status bad_row(const weir_tensor *indices, const weir_shape *params, int64_t row,
                           const char *node)
{
    int64_t depth = indices->shape.dims[indices->shape.rank - 1];
    weir_shape outer = weir_infer_sub(&indices->shape, 0, indices->shape.rank - 1);
    WEIR_BUF(values);
    for (int64_t d = 0; d < depth; d++)
        weir_buf_addf(&values, "%s%" PRId64, d ? ", " : "",
                      weir_index_at(indices, row * depth + d));
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "indices%s = [%s] does not index into param shape %s, node name: %s",
                      weir_index_text(&outer, row, (char[WEIR_SHAPE_TEXT]){0}),
                      values.at ? values.at : "", WEIR_SHAPE_STR(params), node);
}

/* With the policy to ignore them, slices of out-of-range indices are zero. */
static weir_status copy_slices(weir_call *call, const int64_t *offsets, int64_t rows, bool skip_bad)
{
    const weir_tensor *params = weir_in(call, 0), *indices = weir_in(call, 1);
    weir_tensor *y = weir_out(call, 0);
    int64_t run = rows ? weir_tensor_count(y) / rows : 0;
    for (int64_t row = 0; row < rows; row++) {
        if (offsets[row] < 0 && !skip_bad)
            return bad_row(indices, &params->shape, row, call->site->name);
        if (offsets[row] < 0)
            weir_elements_zero(y->dtype, weir_at(y, row * run), run);
        else
            weir_elements_copy(y->dtype, weir_at(y, row * run), weir_at(params, offsets[row]), run);
    }
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *params = weir_in(call, 0), *indices = weir_in(call, 1);
    int64_t rows = weir_shape_product(&indices->shape, 0, indices->shape.rank - 1);
    weir_shape vector = weir_shape_vector(rows);
    weir_tensor offsets;
    bool skip_bad;
    WEIR_TRY(weir_bad_indices_policy(weir_site_str(call->site, POLICY), &skip_bad));
    if (params->shape.rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "params must be at least a vector");
    if (weir_tensor_count(params) == 0 && weir_tensor_count(indices) > 0 &&
        weir_tensor_count(weir_out(call, 0)) > 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Requested more than 0 entries, but params is empty.  Params shape: %s",
                          WEIR_SHAPE_STR(&params->shape));
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &vector, &offsets));
    weir_status status = weir_index_nd(indices, &params->shape, true, offsets.data);
    if (!status)
        status = copy_slices(call, offsets.data, rows, skip_bad);
    weir_tensor_release(&offsets);
    return status;
}

/* The gradient is sparse if single indices select whole rows; otherwise it is scattered. */
static weir_status grad(weir_grad *grad)
{
    weir_edge params = weir_grad_x(grad, 0), indices = weir_grad_x(grad, 1),
              dy = weir_grad_dy(grad, 0);
    const weir_shape *s = weir_edge_shape(weir_grad_node(grad)->in[1]);
    weir_dtype index = weir_edge_dtype(indices);
    weir_edge shape = index == WEIR_INT16
                          ? weir_grad_op(grad, "Cast", WEIR_IN(weir_grad_shape_of(grad, params)),
                                         WEIR_ATTRS(weir_a_type("DstT", index)))
                          : weir_grad_op(grad, "Shape", WEIR_IN(params),
                                         WEIR_ATTRS(weir_a_type("out_type", index)));
    if (s->rank == 2 && s->dims[1] == 1 && index != WEIR_INT16)
        weir_grad_set_slices(grad, 0, (weir_slices){dy, weir_grad_flatten(grad, indices), shape});
    else
        weir_grad_set(grad, 0,
                      weir_grad_op(grad, "ScatterNd", WEIR_IN(indices, dy, shape), WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_gather_nd = {
    .name = "GatherNd",
    .in = "params: Tparams; indices: Tindices",
    .out = "output: Tparams",
    .attrs = "Tparams: type; Tindices: {int16, int32, int64}; bad_indices_policy: string = \"\"",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
