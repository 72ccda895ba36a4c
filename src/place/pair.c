/* place/pair.c - the _Send and _Recv of one value. */
#include "place/place_impl.h"

weir_status weir_place_add(weir_graph *graph, const char *device, const weir_node_spec *spec,
                           weir_node **out_node)
{
    weir_node_spec placed = *spec;
    placed.device = device;
    WEIR_TRY(weir_graph_add(graph, &placed, out_node));
    (*out_node)->site.device = (*out_node)->requested_device;
    return WEIR_OK;
}

weir_status weir_place_empty(weir_graph *graph, const char *device, const char *name,
                             weir_node *after, weir_node **out_node)
{
    weir_shape none = weir_shape_vector(0);
    weir_tensor tensor = weir_tensor_from(WEIR_FLOAT, &none, NULL);
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_tensor("value", &tensor)};
    weir_node_spec spec = {.name = name,
                           .op = "Const",
                           .attrs = attrs,
                           .attr_count = 2,
                           .controls = &after,
                           .control_count = after != NULL};
    weir_status status = weir_place_add(graph, device, &spec, out_node);
    weir_tensor_release(&tensor);
    return status;
}

weir_status weir_place_pair(weir_graph *graph, const pair_spec *pair_spec, weir_node **out_send,
                            weir_node **out_recv)
{
    const char *from_device = pair_spec->from.node->site.device;
    weir_edge value = pair_spec->from;
    if (value.index < 0) { /* a control edge sends an empty tensor when its source has run */
        value.index = 0;
        WEIR_TRY(weir_place_empty(graph, from_device, pair_spec->ctrl_name, pair_spec->from.node,
                                  &value.node));
    }
    weir_named_attr attrs[] = {
        weir_a_type("T", weir_edge_dtype(value)),
        weir_a_str("tensor_name", pair_spec->tensor_name),
        weir_a_str("send_device", from_device),
        weir_a_int("send_device_incarnation", (int64_t)pair_spec->incarnation),
        weir_a_str("recv_device", pair_spec->to_device),
    };
    weir_node_spec spec = {.name = pair_spec->send_name,
                           .op = "_Send",
                           .in = &value,
                           .in_count = 1,
                           .attrs = attrs,
                           .attr_count = 5};
    WEIR_TRY(weir_place_add(graph, from_device, &spec, out_send));
    attrs[0].name = "tensor_type";
    spec = (weir_node_spec){
        .name = pair_spec->recv_name, .op = "_Recv", .attrs = attrs, .attr_count = 5};
    WEIR_TRY(weir_place_add(graph, pair_spec->to_device, &spec, out_recv));
    (*out_recv)->out_shapes[0] = *weir_edge_shape(value);
    return WEIR_OK;
}
