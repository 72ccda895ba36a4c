/* grad/tensor_array.c - gradients of TensorArray ops.
 *
 * Every array has a second one for its gradients, named after the differentiation that asks. Reads
 * become writes to it (which add up), writes become reads from it; the float that flows from op to
 * op keeps the order, and its own gradient flows the other way.
 */
#include "grad/flow.h"
#include "grad/grad_impl.h"

/* The gradient array behind |handle|, not before |flow|; |out_flow| orders what follows. */
static weir_edge gradient_array(weir_grad *g, weir_edge handle, weir_edge flow, weir_edge *out_flow)
{
    weir_node *n = weir_grad_node_add(g, "TensorArrayGradV3", WEIR_IN(handle, flow),
                                      WEIR_ATTRS(weir_a_str("source", g->engine->prefix)));
    *out_flow = weir_first(weir_grad_add_node(g, "Identity", WEIR_IN(flow), WEIR_NO_ATTRS, n));
    return weir_first(n);
}

weir_status weir_grad_tensor_array_read(weir_grad *g)
{
    weir_edge flow;
    weir_edge array = gradient_array(g, weir_grad_x(g, 0), weir_grad_x(g, 2), &flow);
    weir_edge in[] = {array, weir_grad_x(g, 1), weir_grad_dy(g, 0), flow};
    weir_grad_set(g, 2, weir_grad_op(g, "TensorArrayWriteV3", in, 4, WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_grad_tensor_array_write(weir_grad *g)
{
    weir_edge flow, dflow = weir_grad_dy(g, 0);
    weir_edge array = gradient_array(g, weir_grad_x(g, 0), dflow, &flow);
    weir_dtype dtype = weir_edge_dtype(g->node->in[2]);
    weir_edge dx = weir_grad_op(g, "TensorArrayReadV3", WEIR_IN(array, weir_grad_x(g, 1), flow),
                                WEIR_ATTRS(weir_a_type("dtype", dtype)));
    weir_grad_set_shape(dx, weir_edge_shape(g->node->in[2]));
    weir_grad_set(g, 2, dx);
    weir_grad_set(g, 3, dflow);
    return WEIR_OK;
}

weir_status weir_grad_tensor_array_gather(weir_grad *g)
{
    weir_edge flow;
    weir_edge array = gradient_array(g, weir_grad_x(g, 0), weir_grad_x(g, 2), &flow);
    weir_edge in[] = {array, weir_grad_x(g, 1), weir_grad_dy(g, 0), flow};
    weir_grad_set(g, 2, weir_grad_op(g, "TensorArrayScatterV3", in, 4, WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_grad_tensor_array_scatter(weir_grad *g)
{
    weir_edge flow, dflow = weir_grad_dy(g, 0);
    weir_edge array = gradient_array(g, weir_grad_x(g, 0), dflow, &flow);
    weir_dtype dtype = weir_edge_dtype(g->node->in[2]);
    weir_edge dx = weir_grad_op(g, "TensorArrayGatherV3", WEIR_IN(array, weir_grad_x(g, 1), flow),
                                WEIR_ATTRS(weir_a_type("dtype", dtype)));
    weir_grad_set_shape(dx, weir_edge_shape(g->node->in[2]));
    weir_grad_set(g, 2, dx);
    weir_grad_set(g, 3, dflow);
    return WEIR_OK;
}

weir_status weir_grad_tensor_array_concat(weir_grad *g)
{
    weir_edge flow;
    weir_edge array = gradient_array(g, weir_grad_x(g, 0), weir_grad_x(g, 1), &flow);
    weir_edge in[] = {array, weir_grad_dy(g, 0), weir_grad_y(g, 1), flow};
    weir_grad_set(g, 1, weir_grad_op(g, "TensorArraySplitV3", in, 4, WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_grad_tensor_array_split(weir_grad *g)
{
    weir_edge flow, dflow = weir_grad_dy(g, 0);
    weir_edge array = gradient_array(g, weir_grad_x(g, 0), dflow, &flow);
    weir_dtype dtype = weir_edge_dtype(g->node->in[1]);
    weir_edge dx = weir_grad_op(g, "TensorArrayConcatV3", WEIR_IN(array, flow),
                                WEIR_ATTRS(weir_a_type("dtype", dtype)));
    weir_grad_set_shape(dx, weir_edge_shape(g->node->in[1]));
    weir_grad_set(g, 1, dx);
    weir_grad_set(g, 3, dflow);
    return WEIR_OK;
}
