/* ops/nn/softmax_cross_entropy.c - the cross-entropy of softmax(logits) with labels, given as
 * distributions or as class indices, with the gradient of the logits in the same pass. */
#include <inttypes.h>

#include "math/softmax/softmax.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/infer_util.h"
#include "ops/math/gradient.h"

static void set_outputs(weir_infer *infer, int64_t rows, int64_t cols)
{
    infer->out[0] = weir_shape_vector(rows);
    infer->out[1] = weir_shape_matrix(rows, cols);
}

static weir_status infer_dense(weir_infer *infer)
{
    weir_shape both;
    WEIR_TRY(weir_status_prefix(weir_infer_broadcast_shapes(infer->in[0], infer->in[1], &both),
                                "logits and labels must be broadcastable: "));
    if (both.rank >= 0 && both.rank != 2)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "logits and labels must be either 2-dimensional, or broadcasted to be "
                          "2-dimensional: Shape must be rank 2 but is rank %d",
                          both.rank);
    set_outputs(infer, both.rank < 0 ? -1 : both.dims[0], both.rank < 0 ? -1 : both.dims[1]);
    return WEIR_OK;
}

/* Strides of a (broadcast) operand of up to two dimensions. */
static void steps_of(const weir_shape *shape, int64_t *row, int *col)
{
    int64_t cols = shape->rank > 0 ? shape->dims[shape->rank - 1] : 1,
            rows = shape->rank > 1 ? shape->dims[0] : 1;
    *col = cols > 1;
    *row = rows > 1 ? cols : 0;
}

/* The fused variants have a third input: a scalar, or one per row. */
static weir_status take_scale(weir_call *call, weir_xent *work)
{
    if (call->site->in_count < 3)
        return WEIR_OK;
    const weir_tensor *scale = weir_in(call, 2);
    int64_t count = weir_tensor_count(scale);
    if (count != 1 && count != work->rows)
        return weir_error(WEIR_INVALID_ARGUMENT, "%" PRId64 " scales for %" PRId64 " rows", count,
                          work->rows);
    work->scale = scale->data;
    work->scale_row = count != 1;
    return WEIR_OK;
}

static weir_status dense(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *labels = weir_in(call, 1), *y = weir_out(call, 1);
    weir_xent work = {
        .elem = weir_elem_of(x->dtype),
        .rows = y->shape.dims[0],
        .cols = y->shape.dims[1],
        .logits = x->data,
        .labels = labels->data,
        .loss = weir_out(call, 0)->data,
        .backprop = y->data,
    };
    WEIR_TRY(take_scale(call, &work));
    steps_of(&x->shape, &work.logits_row, &work.logits_col);
    steps_of(&labels->shape, &work.labels_row, &work.labels_col);
    weir_xent_dense(&call->run->par, &work);
    return WEIR_OK;
}

static weir_status infer_sparse(weir_infer *infer)
{
    for (int in = 0; in < 2; in++)
        if (weir_infer_running(infer) && infer->in[in]->rank != 2 - in)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s must be %d-D, but got shape %s",
                              in ? "labels" : "logits", 2 - in, WEIR_SHAPE_STR(infer->in[in]));
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    int64_t rows;
    if (!infer->in_handles && !infer->out_handles && infer->in[0]->dims[0] != infer->in[1]->dims[0])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "logits and labels must have the same first dimension, got logits shape "
                          "%s and labels shape %s",
                          WEIR_SHAPE_STR(infer->in[0]), WEIR_SHAPE_STR(infer->in[1]));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 0, 0), weir_infer_dim(infer, 1, 0), &rows));
    set_outputs(infer, rows, weir_infer_dim(infer, 0, 1));
    return WEIR_OK;
}

static int64_t label_at(const weir_tensor *tensor, int64_t i)
{
    return tensor->dtype == WEIR_INT64 ? ((const int64_t *)tensor->data)[i]
                                       : ((const int32_t *)tensor->data)[i];
}

static weir_status bad_label(const weir_tensor *labels, int64_t label, int64_t classes)
{
    WEIR_BUF(list);
    int64_t count = weir_tensor_count(labels), most = 200;
    for (int64_t i = 0; i < count && i < most; i++)
        weir_buf_addf(&list, "%s%" PRId64, i ? " " : "", label_at(labels, i));
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Received a label value of %" PRId64 " which is outside the valid "
                      "range of [0, %" PRId64 ").  Label values: %s%s",
                      label, classes, list.at, count > most ? " ..." : "");
}

static weir_status sparse(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *labels = weir_in(call, 1);
    weir_xent work = {
        .elem = weir_elem_of(x->dtype),
        .rows = x->shape.dims[0],
        .cols = x->shape.dims[1],
        .logits = x->data,
        .labels = labels->data,
        .loss = weir_out(call, 0)->data,
        .backprop = weir_out(call, 1)->data,
    };
    if (work.cols == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Must have at least one class, but got logits "
                          "shape %s",
                          WEIR_SHAPE_STR(&x->shape));
    WEIR_TRY(take_scale(call, &work));
    for (int64_t i = 0; i < work.rows; i++)
        if (label_at(labels, i) < 0 || label_at(labels, i) >= work.cols)
            return bad_label(labels, label_at(labels, i), work.cols);
    weir_xent_sparse(&call->run->par, &work, labels->dtype == WEIR_INT64);
    return WEIR_OK;
}

/* ---- gradients ------------------------------------------------------------------------------- */

static weir_edge column(weir_grad *grad, weir_edge value)
{
    weir_edge last = weir_grad_scalar(grad, WEIR_INT32, -1);
    return weir_grad_op(grad, "ExpandDims", WEIR_IN(value, last), WEIR_NO_ATTRS);
}

/* The gradient of the logits. If the second output has readers, it is differentiated itself: d
 * softmax(x) along u is (u - <u, softmax>) softmax. */
static weir_edge by_logits(weir_grad *grad)
{
    weir_edge d = MUL(column(grad, DY), weir_grad_y(grad, 1));
    if (!weir_grad_has_dy(grad, 1))
        return d;
    weir_edge u = weir_grad_dy(grad, 1), p = OP1("Softmax", X);
    weir_edge last = weir_grad_const_int32(grad, (const int32_t[]){-1}, 1);
    weir_edge dot = weir_grad_op(grad, "Sum", WEIR_IN(MUL(u, p), last),
                                 WEIR_ATTRS(weir_a_bool("keep_dims", true)));
    return ADD(d, MUL(SUB(u, dot), p));
}

static weir_status dense_grad(weir_grad *grad)
{
    weir_edge by_labels = MUL(column(grad, DY), NEG(OP1("LogSoftmax", X)));
    weir_grad_set_broadcast(grad, by_logits(grad), by_labels);
    return WEIR_OK;
}

static weir_status sparse_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0, by_logits(grad));
    return WEIR_OK;
}

const weir_op weir_op_softmax_cross_entropy_with_logits = {
    .name = "SoftmaxCrossEntropyWithLogits",
    .in = "features: T; labels: T",
    .out = "loss: T; backprop: T",
    .attrs = "T: {half, bfloat16, float, double}",
    .infer = infer_dense,
    .grad = dense_grad,
    .kernels = {{WEIR_CPU, "*", dense}},
};

const weir_op weir_op_sparse_softmax_cross_entropy_with_logits = {
    .name = "SparseSoftmaxCrossEntropyWithLogits",
    .in = "features: T; labels: Tlabels",
    .out = "loss: T; backprop: T",
    .attrs = "T: {half, bfloat16, float, double}; Tlabels: {int32, int64} = DT_INT64",
    .infer = infer_sparse,
    .grad = sparse_grad,
    .inplace = WEIR_INPLACE(0, 1),
    .kernels = {{WEIR_CPU, "*", sparse}},
};

/* ---- created by pass/xent.c: the second output is multiplied by the third input -------------- */

const weir_op weir_op_scaled_softmax_cross_entropy = {
    .name = "_ScaledSoftmaxCrossEntropyWithLogits",
    .in = "features: T; labels: T; scale: T",
    .out = "loss: T; backprop: T",
    .attrs = "T: {float, double}",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_dense,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", dense}},
};

const weir_op weir_op_scaled_sparse_softmax_cross_entropy = {
    .name = "_ScaledSparseSoftmaxCrossEntropyWithLogits",
    .in = "features: T; labels: Tlabels; scale: T",
    .out = "loss: T; backprop: T",
    .attrs = "T: {float, double}; Tlabels: {int32, int64} = DT_INT64",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_sparse,
    .no_grad = true,
    .inplace = WEIR_INPLACE(0, 1),
    .kernels = {{WEIR_CPU, "*", sparse}},
};
