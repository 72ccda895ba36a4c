/* grad/tensor_array.c - gradients of TensorArray ops.
 *
 * Every array has a second one for its gradients, named after the differentiation. The gradient of
 * a read is a write to it (writes accumulate), that of a write is a read; the flow value orders the
 * ops, and its gradient orders them in reverse.
 */
#include "grad/flow.h"
#include "grad/grad_impl.h"

/* The gradient array of |handle|, ordered after |flow|; |out_flow| orders what follows. */
static weir_edge gradient_array(weir_grad *grad, weir_edge handle, weir_edge flow,
                                weir_edge *out_flow)
{
    weir_node *node = weir_grad_node_add(grad, "TensorArrayGradV3", WEIR_IN(handle, flow),
                                         WEIR_ATTRS(weir_a_str("source", grad->engine->prefix)));
    *out_flow =
        weir_first(weir_grad_add_node(grad, "Identity", WEIR_IN(flow), WEIR_NO_ATTRS, node));
    return weir_first(node);
}

weir_status weir_grad_tensor_array_read(weir_grad *grad)
{
    weir_edge flow;
    weir_edge array = gradient_array(grad, weir_grad_x(grad, 0), weir_grad_x(grad, 2), &flow);
    weir_edge in[] = {array, weir_grad_x(grad, 1), weir_grad_dy(grad, 0), flow};
    weir_grad_set(grad, 2, weir_grad_op(grad, "TensorArrayWriteV3", in, 4, WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_grad_tensor_array_write(weir_grad *grad)
{
    weir_edge flow, dflow = weir_grad_dy(grad, 0);
    weir_edge array = gradient_array(grad, weir_grad_x(grad, 0), dflow, &flow);
    weir_dtype dtype = weir_edge_dtype(grad->node->in[2]);
    weir_edge dx =
        weir_grad_op(grad, "TensorArrayReadV3", WEIR_IN(array, weir_grad_x(grad, 1), flow),
                     WEIR_ATTRS(weir_a_type("dtype", dtype)));
    weir_grad_set_shape(dx, weir_edge_shape(grad->node->in[2]));
    weir_grad_set(grad, 2, dx);
    weir_grad_set(grad, 3, dflow);
    return WEIR_OK;
}

weir_status weir_grad_tensor_array_gather(weir_grad *grad)
{
    weir_edge flow;
    weir_edge array = gradient_array(grad, weir_grad_x(grad, 0), weir_grad_x(grad, 2), &flow);
    weir_edge in[] = {array, weir_grad_x(grad, 1), weir_grad_dy(grad, 0), flow};
    weir_grad_set(grad, 2, weir_grad_op(grad, "TensorArrayScatterV3", in, 4, WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_grad_tensor_array_scatter(weir_grad *grad)
{
    weir_edge flow, dflow = weir_grad_dy(grad, 0);
    weir_edge array = gradient_array(grad, weir_grad_x(grad, 0), dflow, &flow);
    weir_dtype dtype = weir_edge_dtype(grad->node->in[2]);
    weir_edge dx =
        weir_grad_op(grad, "TensorArrayGatherV3", WEIR_IN(array, weir_grad_x(grad, 1), flow),
                     WEIR_ATTRS(weir_a_type("dtype", dtype)));
    weir_grad_set_shape(dx, weir_edge_shape(grad->node->in[2]));
    weir_grad_set(grad, 2, dx);
    weir_grad_set(grad, 3, dflow);
    return WEIR_OK;
}

weir_status weir_grad_tensor_array_concat(weir_grad *grad)
{
    weir_edge flow;
    weir_edge array = gradient_array(grad, weir_grad_x(grad, 0), weir_grad_x(grad, 1), &flow);
    weir_edge in[] = {array, weir_grad_dy(grad, 0), weir_grad_y(grad, 1), flow};
    weir_grad_set(grad, 1, weir_grad_op(grad, "TensorArraySplitV3", in, 4, WEIR_NO_ATTRS));
    return WEIR_OK;
}

weir_status weir_grad_tensor_array_split(weir_grad *grad)
{
    weir_edge flow, dflow = weir_grad_dy(grad, 0);
    weir_edge array = gradient_array(grad, weir_grad_x(grad, 0), dflow, &flow);
    weir_dtype dtype = weir_edge_dtype(grad->node->in[1]);
    weir_edge dx = weir_grad_op(grad, "TensorArrayConcatV3", WEIR_IN(array, flow),
                                WEIR_ATTRS(weir_a_type("dtype", dtype)));
    weir_grad_set_shape(dx, weir_edge_shape(grad->node->in[1]));
    weir_grad_set(grad, 1, dx);
    weir_grad_set(grad, 3, dflow);
    return WEIR_OK;
}
