/* ops/array/gather_grad.c - gradients of Gather and GatherV2. */
#include "ops/array/gather_impl.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"

/* Along the first axis the gradient is sparse: dy's rows with the
 * indices. */
static void first_axis(weir_grad *grad)
{
    weir_edge params = weir_grad_x(grad, 0), indices = weir_grad_x(grad, 1);
    weir_edge shape = weir_grad_shape_of(grad, params);
    weir_edge parts[] = {weir_grad_const_int32(grad, (int32_t[]){-1}, 1),
                         weir_grad_subvector(grad, shape, 1, -1)};
    weir_edge count = weir_grad_op(grad, "Size", WEIR_IN(indices), WEIR_NO_ATTRS);
    parts[0] = weir_grad_reshape(grad, count, weir_grad_const_int32(grad, (int32_t[]){1}, 1));
    weir_slices slices = {
        .values = weir_grad_reshape(grad, weir_grad_dy(grad, 0), weir_grad_concat(grad, parts, 2)),
        .indices = weir_grad_flatten(grad, indices),
        .shape = shape,
    };
    weir_grad_set_slices(grad, 0, slices);
}

/* The layout of params: |batch| leading dims, the axis, and the rank. */
typedef struct axes {
    int batch, axis, rank;
} axes;

/* Moves the gathered axis directly after the batch dims, or back. */
static weir_edge move_axis(weir_grad *grad, weir_edge edge, axes axes, bool back)
{
    int32_t perm[WEIR_MAX_RANK], order[WEIR_MAX_RANK];
    for (int axis = 0, n = 0; axis < axes.rank; axis++) {
        if (axis == axes.batch)
            order[n++] = axes.axis;
        if (axis != axes.axis)
            order[n++] = axis;
    }
    if (axes.axis == axes.batch)
        return edge;
    for (int axis = 0; axis < axes.rank; axis++)
        perm[back ? order[axis] : axis] = back ? axis : order[axis];
    return weir_grad_op(grad, "Transpose",
                        WEIR_IN(edge, weir_grad_const_int32(grad, perm, axes.rank)), WEIR_NO_ATTRS);
}

static weir_edge product(weir_grad *grad, weir_edge vector) /* one element, kept as a vector */
{
    return weir_grad_op(grad, "Prod",
                        WEIR_IN(vector, weir_grad_const_int32(grad, (int32_t[]){0}, 1)),
                        WEIR_ATTRS(weir_a_bool("keep_dims", true)));
}

/* Indices into the concatenation of all batches: batch b is offset by b * limit. */
static weir_edge tall_indices(weir_grad *grad, weir_edge indices, weir_edge batches,
                              weir_edge limit)
{
    weir_dtype index = weir_edge_dtype(indices);
    weir_edge one = weir_grad_int32(grad, 1), scalar = weir_grad_const_int32(grad, NULL, 0);
    weir_edge range = weir_grad_op(
        grad, "Range",
        WEIR_IN(weir_grad_int32(grad, 0), weir_grad_reshape(grad, batches, scalar), one),
        WEIR_NO_ATTRS);
    weir_edge start = weir_grad_mul(grad, range, limit);
    if (index != WEIR_INT32)
        start = weir_grad_op(grad, "Cast", WEIR_IN(start), WEIR_ATTRS(weir_a_type("DstT", index)));
    weir_edge column = weir_grad_op(grad, "ExpandDims", WEIR_IN(start, one), WEIR_NO_ATTRS);
    weir_edge parts[] = {batches, weir_grad_const_int32(grad, (int32_t[]){-1}, 1)};
    weir_edge flat = weir_grad_reshape(grad, indices, weir_grad_concat(grad, parts, 2));
    return weir_grad_flatten(grad, weir_grad_add(grad, flat, column));
}

/* General case: the slices are transposed into rows, summed by index, and transposed
 * back. */
static void any_axis(weir_grad *grad, axes axes)
{
    weir_edge params = weir_grad_x(grad, 0), indices = weir_grad_x(grad, 1);
    if (weir_edge_dtype(indices) == WEIR_INT16)
        indices = weir_grad_op(grad, "Cast", WEIR_IN(indices),
                               WEIR_ATTRS(weir_a_type("DstT", WEIR_INT32)));
    weir_edge shape = weir_grad_shape_of(grad, params);
    weir_edge batch = weir_grad_subvector(grad, shape, 0, axes.batch);
    weir_edge outer = weir_grad_subvector(grad, shape, axes.batch, axes.axis - axes.batch);
    weir_edge limit = weir_grad_subvector(grad, shape, axes.axis, 1);
    weir_edge inner = weir_grad_subvector(grad, shape, axes.axis + 1, -1);
    weir_edge count =
        product(grad, weir_grad_subvector(grad, weir_grad_shape_of(grad, indices), axes.batch, -1));
    weir_edge batches = product(grad, batch);

    weir_edge flat[] = {batch, outer, count, inner};
    weir_edge dy = weir_grad_reshape(grad, weir_grad_dy(grad, 0), weir_grad_concat(grad, flat, 4));
    weir_edge tall[] = {weir_grad_mul(grad, batches, count), outer, inner};
    weir_edge rows =
        weir_grad_reshape(grad, move_axis(grad, dy, axes, false), weir_grad_concat(grad, tall, 3));
    weir_edge segments = weir_grad_reshape(grad, weir_grad_mul(grad, batches, limit),
                                           weir_grad_const_int32(grad, NULL, 0));
    weir_edge sum = weir_grad_op(
        grad, "UnsortedSegmentSum",
        WEIR_IN(rows, tall_indices(grad, indices, batches, limit), segments), WEIR_NO_ATTRS);
    weir_edge moved[] = {batch, limit, outer, inner};
    weir_grad_set(grad, 0,
                  move_axis(grad, weir_grad_reshape(grad, sum, weir_grad_concat(grad, moved, 4)),
                            axes, true));
}

weir_status weir_gather_grad_v1(weir_grad *grad)
{
    first_axis(grad);
    return WEIR_OK;
}

weir_status weir_gather_grad_v2(weir_grad *grad)
{
    const weir_node *node = weir_grad_node(grad);
    const weir_shape *params = weir_edge_shape(node->in[0]),
                     *indices = weir_edge_shape(node->in[1]);
    int64_t batch = weir_site_int(&node->site, WEIR_GATHER_BATCH_DIMS), axis;
    weir_tensor value;
    if (!weir_graph_constant(node->in[2], &value))
        return weir_error(WEIR_UNIMPLEMENTED,
                          "The gradient of GatherV2 needs an axis that is a constant");
    axis = weir_int_at(&value, 0);
    weir_tensor_release(&value);
    if (axis == 0 && batch == 0) {
        first_axis(grad);
        return WEIR_OK;
    }
    if (params->rank < 0 || (batch < 0 && indices->rank < 0))
        return weir_error(WEIR_UNIMPLEMENTED,
                          "The gradient of GatherV2 along axis %d needs inputs of known rank",
                          (int)axis);
    axis = axis < 0 ? axis + params->rank : axis;
    batch = batch < 0 ? batch + indices->rank : batch;
    if (axis == 0 && batch == 0)
        first_axis(grad);
    else
        any_axis(grad, (axes){(int)batch, (int)axis, params->rank});
    return WEIR_OK;
}
