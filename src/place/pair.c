/* place/pair.c - one value's _Send and _Recv. */
#include "place/place_impl.h"

weir_status weir_place_add(weir_graph *g, const char *device, const weir_node_spec *spec,
                           weir_node **out_node)
{
    weir_node_spec placed = *spec;
    placed.device = device;
    WEIR_TRY(weir_graph_add(g, &placed, out_node));
    (*out_node)->site.device = (*out_node)->requested_device;
    return WEIR_OK;
}

weir_status weir_place_empty(weir_graph *g, const char *device, const char *name, weir_node *after,
                             weir_node **out_node)
{
    weir_shape none = weir_shape_vector(0);
    weir_tensor t = weir_tensor_from(WEIR_FLOAT, &none, NULL);
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_tensor("value", &t)};
    weir_node_spec spec = {.name = name,
                           .op = "Const",
                           .attrs = attrs,
                           .attr_count = 2,
                           .controls = &after,
                           .control_count = after != NULL};
    weir_status s = weir_place_add(g, device, &spec, out_node);
    weir_tensor_release(&t);
    return s;
}

weir_status weir_place_pair(weir_graph *g, const pair_spec *p, weir_node **out_send,
                            weir_node **out_recv)
{
    const char *from_device = p->from.node->site.device;
    weir_edge value = p->from;
    if (value.index < 0) { /* a control edge sends an empty tensor, made when its source is done */
        value.index = 0;
        WEIR_TRY(weir_place_empty(g, from_device, p->ctrl_name, p->from.node, &value.node));
    }
    weir_named_attr attrs[] = {
        weir_a_type("T", weir_edge_dtype(value)),
        weir_a_str("tensor_name", p->tensor_name),
        weir_a_str("send_device", from_device),
        weir_a_int("send_device_incarnation", (int64_t)p->incarnation),
        weir_a_str("recv_device", p->to_device),
    };
    weir_node_spec spec = {.name = p->send_name,
                           .op = "_Send",
                           .in = &value,
                           .in_count = 1,
                           .attrs = attrs,
                           .attr_count = 5};
    WEIR_TRY(weir_place_add(g, from_device, &spec, out_send));
    attrs[0].name = "tensor_type";
    spec = (weir_node_spec){.name = p->recv_name, .op = "_Recv", .attrs = attrs, .attr_count = 5};
    WEIR_TRY(weir_place_add(g, p->to_device, &spec, out_recv));
    (*out_recv)->out_shapes[0] = *weir_edge_shape(value);
    return WEIR_OK;
}
