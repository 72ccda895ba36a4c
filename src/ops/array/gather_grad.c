/* ops/array/gather_grad.c - gradients of Gather and GatherV2. */
#include "ops/array/gather_impl.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"

/* Along the first axis the gradient is sparse: dy's rows belong to the rows of params that indices
 * name. */
static void first_axis(weir_grad *g)
{
    weir_edge params = weir_grad_x(g, 0), indices = weir_grad_x(g, 1);
    weir_edge shape = weir_grad_shape_of(g, params);
    weir_edge parts[] = {weir_grad_const_int32(g, (int32_t[]){-1}, 1),
                         weir_grad_subvector(g, shape, 1, -1)};
    weir_edge count = weir_grad_op(g, "Size", WEIR_IN(indices), WEIR_NO_ATTRS);
    parts[0] = weir_grad_reshape(g, count, weir_grad_const_int32(g, (int32_t[]){1}, 1));
    weir_slices s = {
        .values = weir_grad_reshape(g, weir_grad_dy(g, 0), weir_grad_concat(g, parts, 2)),
        .indices = weir_grad_flatten(g, indices),
        .shape = shape,
    };
    weir_grad_set_slices(g, 0, s);
}

/* Where things are: |batch| leading dims, the axis, and the rank of params. */
typedef struct axes {
    int batch, axis, rank;
} axes;

/* Moves the gathered axis right behind the batch dims, or back to its place. */
static weir_edge turn(weir_grad *g, weir_edge e, axes a, bool back)
{
    int32_t perm[WEIR_MAX_RANK], order[WEIR_MAX_RANK];
    for (int d = 0, n = 0; d < a.rank; d++) {
        if (d == a.batch)
            order[n++] = a.axis;
        if (d != a.axis)
            order[n++] = d;
    }
    if (a.axis == a.batch)
        return e;
    for (int d = 0; d < a.rank; d++)
        perm[back ? order[d] : d] = back ? d : order[d];
    return weir_grad_op(g, "Transpose", WEIR_IN(e, weir_grad_const_int32(g, perm, a.rank)),
                        WEIR_NO_ATTRS);
}

static weir_edge product(weir_grad *g, weir_edge vector) /* one element, kept as a vector */
{
    return weir_grad_op(g, "Prod", WEIR_IN(vector, weir_grad_const_int32(g, (int32_t[]){0}, 1)),
                        WEIR_ATTRS(weir_a_bool("keep_dims", true)));
}

/* Indices of all batches as rows of one tall matrix: batch b counts from b * limit on. */
static weir_edge tall_indices(weir_grad *g, weir_edge indices, weir_edge batches, weir_edge limit)
{
    weir_dtype index = weir_edge_dtype(indices);
    weir_edge one = weir_grad_int32(g, 1), scalar = weir_grad_const_int32(g, NULL, 0);
    weir_edge range = weir_grad_op(
        g, "Range", WEIR_IN(weir_grad_int32(g, 0), weir_grad_reshape(g, batches, scalar), one),
        WEIR_NO_ATTRS);
    weir_edge start = weir_grad_mul(g, range, limit);
    if (index != WEIR_INT32)
        start = weir_grad_op(g, "Cast", WEIR_IN(start), WEIR_ATTRS(weir_a_type("DstT", index)));
    weir_edge column = weir_grad_op(g, "ExpandDims", WEIR_IN(start, one), WEIR_NO_ATTRS);
    weir_edge parts[] = {batches, weir_grad_const_int32(g, (int32_t[]){-1}, 1)};
    weir_edge flat = weir_grad_reshape(g, indices, weir_grad_concat(g, parts, 2));
    return weir_grad_flatten(g, weir_grad_add(g, flat, column));
}

/* Any axis, any batch dims: the slices are turned into rows, summed up by index, and turned back.
 */
static void any_axis(weir_grad *g, axes a)
{
    weir_edge params = weir_grad_x(g, 0), indices = weir_grad_x(g, 1);
    if (weir_edge_dtype(indices) == WEIR_INT16)
        indices =
            weir_grad_op(g, "Cast", WEIR_IN(indices), WEIR_ATTRS(weir_a_type("DstT", WEIR_INT32)));
    weir_edge shape = weir_grad_shape_of(g, params);
    weir_edge batch = weir_grad_subvector(g, shape, 0, a.batch);
    weir_edge outer = weir_grad_subvector(g, shape, a.batch, a.axis - a.batch);
    weir_edge limit = weir_grad_subvector(g, shape, a.axis, 1);
    weir_edge inner = weir_grad_subvector(g, shape, a.axis + 1, -1);
    weir_edge count =
        product(g, weir_grad_subvector(g, weir_grad_shape_of(g, indices), a.batch, -1));
    weir_edge batches = product(g, batch);

    weir_edge flat[] = {batch, outer, count, inner};
    weir_edge dy = weir_grad_reshape(g, weir_grad_dy(g, 0), weir_grad_concat(g, flat, 4));
    weir_edge tall[] = {weir_grad_mul(g, batches, count), outer, inner};
    weir_edge rows = weir_grad_reshape(g, turn(g, dy, a, false), weir_grad_concat(g, tall, 3));
    weir_edge segments =
        weir_grad_reshape(g, weir_grad_mul(g, batches, limit), weir_grad_const_int32(g, NULL, 0));
    weir_edge sum = weir_grad_op(g, "UnsortedSegmentSum",
                                 WEIR_IN(rows, tall_indices(g, indices, batches, limit), segments),
                                 WEIR_NO_ATTRS);
    weir_edge turned[] = {batch, limit, outer, inner};
    weir_grad_set(g, 0,
                  turn(g, weir_grad_reshape(g, sum, weir_grad_concat(g, turned, 4)), a, true));
}

weir_status weir_gather_grad_v1(weir_grad *g)
{
    first_axis(g);
    return WEIR_OK;
}

weir_status weir_gather_grad_v2(weir_grad *g)
{
    const weir_node *n = weir_grad_node(g);
    const weir_shape *params = weir_edge_shape(n->in[0]), *indices = weir_edge_shape(n->in[1]);
    int64_t batch = weir_site_int(&n->site, WEIR_GATHER_BATCH_DIMS), axis;
    weir_tensor value;
    if (!weir_graph_constant(n->in[2], &value))
        return weir_error(WEIR_UNIMPLEMENTED,
                          "The gradient of GatherV2 needs an axis that is a constant");
    axis = weir_int_at(&value, 0);
    weir_tensor_release(&value);
    if (axis == 0 && batch == 0) {
        first_axis(g);
        return WEIR_OK;
    }
    if (params->rank < 0 || (batch < 0 && indices->rank < 0))
        return weir_error(WEIR_UNIMPLEMENTED,
                          "The gradient of GatherV2 along axis %d needs inputs of known rank",
                          (int)axis);
    axis = axis < 0 ? axis + params->rank : axis;
    batch = batch < 0 ? batch + indices->rank : batch;
    if (axis == 0 && batch == 0)
        first_axis(g);
    else
        any_axis(g, (axes){(int)batch, (int)axis, params->rank});
    return WEIR_OK;
}
