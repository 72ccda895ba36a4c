/* ops/sparse/sparse_to_dense.c - SparseToDense: scatters values over a default. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/index.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

enum { VALIDATE };

static weir_status infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_most(infer, 0, 2));
    const weir_shape *at = infer->in[0], *values = infer->in[2];
    int64_t count = at->rank > 0 ? at->dims[0] : at->rank;
    if (values->rank > 1 ||
        (values->rank == 1 && count > 0 && values->dims[0] >= 0 && values->dims[0] != count))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "sparse_values has incorrect shape %s, should be [] or [%" PRId64 "]",
                          WEIR_SHAPE_STR(values), count < 0 ? 1 : count);
    if (infer->in[3]->rank > 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "default_value should be a scalar.");
    if (infer->in[1]->rank >= 0 && infer->in[1]->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "output_shape must be rank 1, got shape %s",
                          WEIR_SHAPE_STR(infer->in[1]));
    return weir_infer_new_shape(infer, 1, &infer->out[0]);
}

/* Indices as a matrix: a scalar is one index, a vector has one coordinate per index. */
typedef struct points {
    const weir_tensor *at;
    int64_t count, width;
} points;

static weir_status read_points(const weir_call *call, points *this_points)
{
    const weir_tensor *at = weir_in(call, 0), *values = weir_in(call, 2);
    int64_t rank = weir_tensor_count(weir_in(call, 1));
    *this_points = (points){at, at->shape.rank > 0 ? at->shape.dims[0] : 1,
                            at->shape.rank > 1 ? at->shape.dims[1] : 1};
    if (this_points->width != rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "output_shape has incorrect number of elements: %" PRId64
                          " should be: %" PRId64,
                          rank, this_points->width);
    if (values->shape.rank > 0 && values->shape.dims[0] != this_points->count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "sparse_values has incorrect shape %s, should be [] or [%" PRId64 "]",
                          WEIR_SHAPE_STR(&values->shape), this_points->count);
    return WEIR_OK;
}

/* The index itself, for messages: a point may have more coordinates than a shape has dims. */
static weir_status bad_point(const points *points, int64_t k, const char *why, const char *more)
{
    WEIR_BUF(text);
    for (int64_t d = 0; d < points->width; d++)
        weir_buf_addf(&text, "%s%" PRId64, d ? "," : "",
                      weir_index_at(points->at, k * points->width + d));
    weir_buf_adds(&text, "");
    return weir_error(WEIR_INVALID_ARGUMENT, "indices[%" PRId64 "] = [%s] %s%s", k,
                      text.at ? text.at : "", why, more);
}

static weir_status check_order(const points *points, int64_t k)
{
    for (int64_t d = 0; k > 0 && d < points->width; d++) {
        int64_t before = weir_index_at(points->at, (k - 1) * points->width + d);
        int64_t now = weir_index_at(points->at, k * points->width + d);
        if (now > before)
            return WEIR_OK;
        if (now < before)
            return bad_point(points, k,
                             "is out of order. Many sparse ops require sorted indices.\n",
                             "    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n");
    }
    return k > 0 ? bad_point(points, k, "is repeated", "") : WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *values = weir_in(call, 2);
    weir_tensor *y = weir_out(call, 0);
    bool validate = weir_site_bool(call->site, VALIDATE), one = values->shape.rank == 0;
    int64_t strides[WEIR_MAX_RANK];
    points points;
    WEIR_TRY(read_points(call, &points));
    weir_shape_strides(&y->shape, strides);
    weir_tensor_fill(&call->run->par, y, weir_in(call, 3)->data);
    for (int64_t k = 0; k < points.count; k++) {
        int64_t at = 0;
        for (int64_t d = 0; d < points.width; d++) {
            int64_t x = weir_index_at(points.at, k * points.width + d);
            if (x < 0 || x >= y->shape.dims[d])
                return bad_point(&points, k, "is out of bounds: need 0 <= index < ",
                                 WEIR_SHAPE_STR(&y->shape));
            at += x * strides[d];
        }
        if (validate)
            WEIR_TRY(check_order(&points, k));
        weir_elements_copy(y->dtype, weir_at(y, at), weir_at(values, one ? 0 : k), 1);
    }
    return WEIR_OK;
}

static weir_status grad(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0);
    weir_edge dvalues =
        weir_grad_op(grad, "GatherNd", WEIR_IN(dy, weir_grad_x(grad, 0)), WEIR_NO_ATTRS);
    weir_grad_set(grad, 2, dvalues);
    weir_grad_set(
        grad, 3,
        weir_grad_sub(grad, weir_grad_sum_all(grad, dy), weir_grad_sum_all(grad, dvalues)));
    return WEIR_OK;
}

const weir_op weir_op_sparse_to_dense = {
    .name = "SparseToDense",
    .in = "sparse_indices: Tindices; output_shape: Tindices; sparse_values: T; default_value: T",
    .out = "dense: T",
    .attrs = "validate_indices: bool = true; T: type; Tindices: {int32, int64}",
    .host = "output_shape; default_value",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
