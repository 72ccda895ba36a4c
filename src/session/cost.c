/* session/cost.c - CostGraphDef: the times of a plan's nodes in one step. */
#include "exec/stats.h"
#include "session/session_impl.h"
#include "tensor/proto.h"
#include "wire/messages.h"

static weir_msgs_cost_graph_def_node_input_info inputs_of(const weir_node *node, weir_arena *arena)
{
    int count = node->site.in_count;
    weir_msg_cost_graph_def_node_input_info *infos =
        WEIR_ARENA_ARRAY(arena, weir_msg_cost_graph_def_node_input_info, count);
    for (int i = 0; i < count; i++) {
        infos[i].preceding_node = (int32_t)node->in[i].node->id;
        infos[i].preceding_port = node->in[i].index;
    }
    return (weir_msgs_cost_graph_def_node_input_info){infos, (size_t)count};
}

static weir_int32s controls_of(const weir_node *node, weir_arena *arena)
{
    int32_t *ids = WEIR_ARENA_ARRAY(arena, int32_t, node->controls.count);
    for (size_t i = 0; i < node->controls.count; i++)
        ids[i] = (int32_t)node->controls.at[i]->id;
    return (weir_int32s){ids, node->controls.count};
}

static int64_t bytes_of(weir_dtype dtype, const weir_shape *shape)
{
    return weir_shape_known(shape) ? weir_shape_count(shape) * (int64_t)weir_dtype_size(dtype) : -1;
}

static weir_msgs_cost_graph_def_node_output_info outputs_of(const weir_node *node,
                                                            weir_arena *arena)
{
    int count = node->site.out_count;
    weir_msg_cost_graph_def_node_output_info *infos =
        WEIR_ARENA_ARRAY(arena, weir_msg_cost_graph_def_node_output_info, count);
    for (int i = 0; i < count; i++) {
        weir_dtype dtype = weir_dtype_base(node->site.out_types[i]);
        infos[i].size = bytes_of(dtype, &node->out_shapes[i]);
        infos[i].alias_input_port = -1;
        infos[i].shape = weir_shape_to_proto(&node->out_shapes[i], arena);
        infos[i].dtype = dtype;
    }
    return (weir_msgs_cost_graph_def_node_output_info){infos, (size_t)count};
}

static weir_msg_cost_graph_def_node describe(const weir_node *node, int64_t us, weir_arena *arena)
{
    return (weir_msg_cost_graph_def_node){
        .name = weir_str_of(weir_arena_strdup(arena, node->site.name)),
        .device = weir_str_of(weir_arena_strdup(arena, node->site.device)),
        .id = (int32_t)node->id,
        .input_info = inputs_of(node, arena),
        .output_info = outputs_of(node, arena),
        .is_final = weir_node_flow(node) == WEIR_FLOW_RETVAL,
        .control_input = controls_of(node, arena),
        .compute_cost = us,
        .compute_time = us};
}

const weir_msg_cost_graph_def *weir_cost_graph(const weir_graph *graph,
                                               const weir_collector *collector, weir_arena *arena)
{
    weir_msg_cost_graph_def_node *nodes =
        WEIR_ARENA_ARRAY(arena, weir_msg_cost_graph_def_node, graph->nodes.count);
    size_t count = 0;
    weir_map times = {0};
    weir_collector_times(collector, &times);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const weir_node *node = graph->nodes.at[i];
        if (node->removed)
            continue;
        int64_t ns = (intptr_t)weir_map_get(&times, weir_str_of(node->site.name));
        nodes[count++] = describe(node, ns / 1000, arena);
    }
    weir_map_fini(&times);
    weir_msg_cost_graph_def *made = WEIR_ARENA_NEW(arena, weir_msg_cost_graph_def);
    made->node = (weir_msgs_cost_graph_def_node){nodes, count};
    return made;
}

weir_strs weir_device_graphs(const weir_graph *g, const weir_devices *devices, weir_arena *arena)
{
    weir_str *graphs = WEIR_ARENA_ARRAY(arena, weir_str, devices->count);
    size_t count = 0;
    for (int i = 0; i < devices->count; i++) {
        WEIR_BUF(graph);
        if (weir_graph_export_device(g, devices->at[i].name, &graph))
            graphs[count++] =
                (weir_str){weir_arena_strndup(arena, graph.at, graph.length), graph.length};
    }
    return (weir_strs){graphs, count};
}
