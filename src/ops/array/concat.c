/* ops/array/concat.c - Concat, ConcatV2: concatenation along one axis. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

/* Concat has the axis first, ConcatV2 last: |axis_in| and |first| are the input indices. */
typedef struct layout {
    int axis_in, first, count;
} layout;

static layout layout_v1(int in_count)
{
    return (layout){0, 1, in_count - 1};
}

static layout layout_v2(int in_count)
{
    return (layout){in_count - 1, 0, in_count - 1};
}

/* Every input must agree with the first on all dims but |axis|; |out| is the merged shape. */
static weir_status merge_input(weir_infer *infer, layout layout, int k, int axis, weir_shape *out)
{
    const weir_shape *shape = infer->in[layout.first + k];
    if (shape->rank < 0) {
        out->dims[axis] = -1;
        return WEIR_OK;
    }
    if (shape->rank != out->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "ConcatOp : Ranks of all input tensors should match: shape[0] = %s vs. "
                          "shape[%d] = %s",
                          WEIR_SHAPE_STR(infer->in[layout.first]), k, WEIR_SHAPE_STR(shape));
    for (int dim = 0; dim < shape->rank; dim++) {
        if (dim == axis) {
            WEIR_TRY(weir_dim_add(out->dims[dim], shape->dims[dim], &out->dims[dim]));
            continue;
        }
        if (out->dims[dim] >= 0 && shape->dims[dim] >= 0 && out->dims[dim] != shape->dims[dim])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "ConcatOp : Dimension %d in both shapes must be equal: shape[0] = %s "
                              "vs. shape[%d] = %s",
                              dim, WEIR_SHAPE_STR(infer->in[layout.first]), k,
                              WEIR_SHAPE_STR(shape));
        if (out->dims[dim] < 0)
            out->dims[dim] = shape->dims[dim];
    }
    return WEIR_OK;
}

/* Without the axis only the rank is known. */
static weir_status infer_rank_only(weir_infer *infer, layout layout)
{
    int rank = -1;
    for (int k = 0; k < layout.count; k++) {
        int r = infer->in[layout.first + k]->rank;
        if (r >= 0 && rank >= 0 && r != rank)
            return weir_error(WEIR_INVALID_ARGUMENT, "Shapes must be equal rank, but are %d and %d",
                              rank, r);
        rank = r >= 0 ? r : rank;
    }
    infer->out[0] = rank < 0 ? WEIR_UNKNOWN_SHAPE : weir_shape_of_rank(rank);
    return WEIR_OK;
}

static weir_status check_axis(int64_t axis, int rank, int *out_axis)
{
    if (axis < -rank || axis >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "ConcatOp : Expected concatenating dimensions in the range [%d, %d), but "
                          "got %" PRId64,
                          -rank, rank, axis);
    *out_axis = (int)(axis < 0 ? axis + rank : axis);
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer, layout layout)
{
    int64_t value;
    int axis, start = 0;
    WEIR_TRY(weir_infer_rank(infer, layout.axis_in, 0));
    while (start < layout.count && infer->in[layout.first + start]->rank < 0)
        start++;
    if (start == layout.count || !weir_infer_value_int(infer, layout.axis_in, &value))
        return infer_rank_only(infer, layout);
    weir_shape out = *infer->in[layout.first + start];
    WEIR_TRY(check_axis(value, out.rank, &axis));
    if (start > 0)
        out.dims[axis] = -1;
    for (int k = start + 1; k < layout.count; k++)
        WEIR_TRY(merge_input(infer, layout, k, axis, &out));
    infer->out[0] = out;
    return WEIR_OK;
}

static weir_status infer_v1(weir_infer *inference)
{
    return infer(inference, layout_v1(inference->in_count));
}

static weir_status infer_v2(weir_infer *inference)
{
    return infer(inference, layout_v2(inference->in_count));
}

static weir_status concat(weir_call *call, layout layout)
{
    weir_tensor *y = weir_out(call, 0);
    int64_t axis = weir_int_at(weir_in(call, layout.axis_in), 0);
    if (axis < 0)
        axis += y->shape.rank;
    int64_t rows = weir_shape_product(&y->shape, 0, (int)axis);
    int64_t out_run = weir_shape_product(&y->shape, (int)axis, y->shape.rank), at = 0;
    for (int k = 0; k < layout.count; k++) {
        const weir_tensor *x = weir_in(call, layout.first + k);
        int64_t run = weir_shape_product(&x->shape, (int)axis, x->shape.rank);
        weir_rows_copy(&call->run->par, y->dtype, weir_at(y, at), out_run, x->data, run, rows, run);
        at += run;
    }
    return WEIR_OK;
}

static weir_status concat_v1(weir_call *call)
{
    return concat(call, layout_v1(call->site->in_count));
}

static weir_status concat_v2(weir_call *call)
{
    return concat(call, layout_v2(call->site->in_count));
}

/* The gradient splits dy at the same offsets: by one SplitV if the sizes are known, otherwise by a
 * Slice per input. */
static bool grad_by_split(weir_grad *grad, layout layout)
{
    weir_tensor axis;
    if (!weir_graph_constant(weir_grad_node(grad)->in[layout.axis_in], &axis))
        return false;
    int64_t a = weir_int_at(&axis, 0);
    weir_tensor_release(&axis);
    weir_tensor sizes;
    weir_status status = weir_tensor_alloc(WEIR_INT64, &(weir_shape){1, {layout.count}}, &sizes);
    if (status != WEIR_OK) {
        weir_grad_fail(grad, status);
        return true;
    }
    for (int k = 0; k < layout.count; k++) {
        const weir_shape *x = weir_edge_shape(weir_grad_node(grad)->in[layout.first + k]);
        int64_t d =
            x->rank < 0 || a >= x->rank || a < -x->rank ? -1 : x->dims[a < 0 ? a + x->rank : a];
        if (d < 0) {
            weir_tensor_release(&sizes);
            return false;
        }
        weir_int_set(&sizes, k, d);
    }
    int32_t a32 = (int32_t)a;
    weir_node *split =
        weir_grad_node_add(grad, "SplitV",
                           WEIR_IN(weir_grad_dy(grad, 0), weir_grad_const(grad, sizes),
                                   weir_grad_const(grad, weir_tensor_scalar(WEIR_INT32, &a32))),
                           WEIR_ATTRS(weir_a_int("num_split", layout.count)));
    for (int k = 0; split && k < layout.count; k++)
        weir_grad_set(grad, layout.first + k, (weir_edge){split, k});
    return true;
}

/* ConcatOffset accepts no negative axis, so it is normalised first. */
static weir_edge positive_axis(weir_grad *grad, layout layout)
{
    weir_edge rank =
        weir_grad_op(grad, "Rank", WEIR_IN(weir_grad_x(grad, layout.first)), WEIR_NO_ATTRS);
    weir_edge axis = weir_grad_x(grad, layout.axis_in);
    if (weir_edge_dtype(axis) != WEIR_INT32)
        axis =
            weir_grad_op(grad, "Cast", WEIR_IN(axis), WEIR_ATTRS(weir_a_type("DstT", WEIR_INT32)));
    return weir_grad_op(grad, "FloorMod", WEIR_IN(axis, rank), WEIR_NO_ATTRS);
}

static void grad_by_slices(weir_grad *grad, layout layout)
{
    WEIR_FREED weir_edge *in = WEIR_NEW_ARRAY(weir_edge, layout.count + 1);
    for (int k = 0; k < layout.count; k++)
        in[k] = weir_grad_x(grad, layout.first + k);
    weir_node *shapes = weir_grad_node_add(grad, "ShapeN", in, layout.count, WEIR_NO_ATTRS);
    if (shapes) {
        in[0] = positive_axis(grad, layout);
        for (int k = 0; k < layout.count; k++)
            in[1 + k] = (weir_edge){shapes, k};
        weir_node *offsets =
            weir_grad_node_add(grad, "ConcatOffset", in, layout.count + 1, WEIR_NO_ATTRS);
        for (int k = 0; offsets && k < layout.count; k++)
            weir_grad_set(grad, layout.first + k,
                          weir_grad_op(grad, "Slice",
                                       WEIR_IN(weir_grad_dy(grad, 0), ((weir_edge){offsets, k}),
                                               ((weir_edge){shapes, k})),
                                       WEIR_NO_ATTRS));
    }
}

static weir_status grad(weir_grad *grad, layout layout)
{
    if (!grad_by_split(grad, layout))
        grad_by_slices(grad, layout);
    return WEIR_OK;
}

static weir_status grad_v1(weir_grad *gradient)
{
    return grad(gradient, layout_v1(weir_grad_site(gradient)->in_count));
}

static weir_status grad_v2(weir_grad *gradient)
{
    return grad(gradient, layout_v2(weir_grad_site(gradient)->in_count));
}

const weir_op weir_op_concat = {
    .name = "Concat",
    .in = "concat_dim: int32; values: N * T",
    .out = "output: T",
    .attrs = "N: int >= 2; T: type",
    .host = "concat_dim",
    .infer = infer_v1,
    .grad = grad_v1,
    .kernels = {{WEIR_CPU, "*", concat_v1}},
};

const weir_op weir_op_concat_v2 = {
    .name = "ConcatV2",
    .in = "values: N * T; axis: Tidx",
    .out = "output: T",
    .attrs = "N: int >= 2; T: type; Tidx: {int32, int64} = DT_INT32",
    .host = "axis",
    .infer = infer_v2,
    .grad = grad_v2,
    .kernels = {{WEIR_CPU, "*", concat_v2}},
};
