/* grad/broadcast.c - gradients of broadcasting binary ops.
 *
 * The gradient of an input that was broadcast along an axis is summed over that axis. The axes
 * follow from known shapes while the graph is built, or from BroadcastGradientArgs at run time.
 */
#include "grad/grad_impl.h"

static int64_t dim_from_end(const weir_shape *shape, int rank, int axis)
{
    int own = axis - (rank - shape->rank);
    return own < 0 ? 1 : shape->dims[own];
}

/* The axes to sum over for an input of shape |own| against |other|. Reducing an axis of one element
 * changes only the rank, so the result is undetermined only if an own dimension is unknown; axes
 * that the input lacks are always reduced. */
static bool static_axes(const weir_shape *own, const weir_shape *other, int32_t *axes,
                        int *out_count)
{
    if (own->rank < 0 || other->rank < 0)
        return false;
    int rank = own->rank > other->rank ? own->rank : other->rank, count = 0;
    for (int i = 0; i < rank; i++) {
        int64_t a = dim_from_end(own, rank, i), b = dim_from_end(other, rank, i);
        if (a < 0 && b != 1)
            return false;
        if (i < rank - own->rank || (a == 1 && b != 1))
            axes[count++] = i;
    }
    *out_count = count;
    return true;
}

static weir_edge sum_static(weir_grad *grad, int i, weir_edge dx, const int32_t *axes, int count)
{
    if (count == 0)
        return dx;
    const weir_shape *own = weir_edge_shape(grad->node->in[i]);
    const weir_shape *other = weir_edge_shape(grad->node->in[1 - i]);
    weir_edge sum = weir_grad_op(grad, "Sum", WEIR_IN(dx, weir_grad_const_int32(grad, axes, count)),
                                 WEIR_NO_ATTRS);
    int missing = other->rank - own->rank;
    if (count == missing && axes[count - 1] < missing)
        return sum; /* the remaining axes are the input's own */
    return weir_grad_op(grad, "Reshape", WEIR_IN(sum, weir_grad_shape_of_x(grad, i)),
                        WEIR_NO_ATTRS);
}

static void set_dynamic(weir_grad *grad, int i, weir_edge dx, const weir_edge *shapes,
                        weir_node *args)
{
    weir_edge sum = weir_grad_op(grad, "Sum", WEIR_IN(dx, (weir_edge){args, i}), WEIR_NO_ATTRS);
    weir_grad_set(grad, i, weir_grad_op(grad, "Reshape", WEIR_IN(sum, shapes[i]), WEIR_NO_ATTRS));
}

void weir_grad_set_broadcast(weir_grad *grad, weir_edge dx0, weir_edge dx1)
{
    if (grad->engine->status)
        return;
    weir_edge dx[2] = {dx0, dx1}, shapes[2] = {{0}};
    weir_node *args = NULL;
    for (int i = 0; i < 2; i++) {
        int32_t axes[WEIR_MAX_RANK];
        int count;
        if (!dx[i].node || !weir_grad_wants(grad, i))
            continue;
        if (static_axes(weir_edge_shape(grad->node->in[i]), weir_edge_shape(grad->node->in[1 - i]),
                        axes, &count)) {
            weir_grad_set(grad, i, sum_static(grad, i, dx[i], axes, count));
            continue;
        }
        if (!args) {
            shapes[0] = weir_grad_shape_of_x(grad, 0);
            shapes[1] = weir_grad_shape_of_x(grad, 1);
            args = weir_grad_node_add(grad, "BroadcastGradientArgs", shapes, 2, WEIR_NO_ATTRS);
        }
        set_dynamic(grad, i, dx[i], shapes, args);
    }
}
