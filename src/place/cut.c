/* place/cut.c - replaces edges between devices by _Send and _Recv. */
#include <stdio.h>

#include "place/place_impl.h"

typedef struct cutting {
    weir_graph *g;
    const weir_place_options *o;
    weir_map pairs; /* "source:index>device" -> the _Recv */
} cutting;

static uint64_t incarnation(const cutting *cutting, const char *device)
{
    for (int i = 0; i < cutting->o->device_count; i++)
        if (strcmp(cutting->o->devices[i].name, device) == 0)
            return cutting->o->devices[i].incarnation;
    return 0;
}

static const char *name_for(cutting *cutting, const weir_node *from, const char *op)
{
    char name[1024];
    snprintf(name, sizeof name, "%s/%s", from->site.name, op);
    return weir_graph_unique_name(cutting->g, name);
}

static weir_status make_pair(cutting *cutting, weir_edge from, const char *to_device,
                             weir_node **out_recv)
{
    char edge[1024];
    snprintf(edge, sizeof edge, "edge_%d_%s:%d", from.node->id, from.node->site.name, from.index);
    pair_spec spec = {.from = from,
                      .to_device = to_device,
                      .tensor_name = edge,
                      .incarnation = incarnation(cutting, from.node->site.device),
                      .ctrl_name = from.index < 0 ? name_for(cutting, from.node, "Const") : NULL,
                      .send_name = name_for(cutting, from.node, "_Send"),
                      .recv_name = name_for(cutting, from.node, "_Recv")};
    weir_node *send;
    WEIR_TRY(weir_place_pair(cutting->g, &spec, &send, out_recv));
    weir_graph_add_control(send, *out_recv);
    return WEIR_OK;
}

static weir_status received(cutting *cutting, weir_edge from, const char *to_device,
                            weir_node **out_recv)
{
    char key[1280];
    snprintf(key, sizeof key, "%d:%d>%s", from.node->id, from.index, to_device);
    *out_recv = weir_map_get(&cutting->pairs, weir_str_of(key));
    if (*out_recv)
        return WEIR_OK;
    WEIR_TRY(make_pair(cutting, from, to_device, out_recv));
    weir_map_put(&cutting->pairs, weir_str_of(key), *out_recv);
    return WEIR_OK;
}

/* Edges between memories get copies instead (memories.c). */
static bool has_memory(const cutting *cutting, const weir_node *node)
{
    const weir_device_kernels *kernels = cutting->o->kernels;
    return kernels && kernels->memory(kernels->arg, node->site.device);
}

static bool apart(const cutting *cutting, const weir_node *a, const weir_node *b)
{
    return a->site.device != b->site.device && strcmp(a->site.device, b->site.device) != 0 &&
           !has_memory(cutting, a) && !has_memory(cutting, b);
}

static weir_status cut_node(cutting *cutting, weir_node *node)
{
    weir_node *recv;
    for (int i = 0; i < node->site.in_count; i++) {
        weir_edge edge = node->in[i];
        if (!apart(cutting, edge.node, node))
            continue;
        WEIR_TRY(received(cutting, edge, node->site.device, &recv));
        weir_graph_set_input(node, i, (weir_edge){recv, 0});
    }
    for (size_t i = 0; i < node->controls.count;) {
        weir_node *from = node->controls.at[i];
        if (!apart(cutting, from, node)) {
            i++;
            continue;
        }
        WEIR_TRY(received(cutting, (weir_edge){from, -1}, node->site.device, &recv));
        weir_graph_remove_control(from, node);
        weir_graph_add_control(recv, node);
    }
    return WEIR_OK;
}

weir_status weir_place_cut(weir_graph *graph, const weir_place_options *options)
{
    cutting cutting = {.g = graph, .o = options};
    size_t count = graph->nodes.count; /* excludes nodes added by cutting */
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++)
        if (!graph->nodes.at[i]->removed)
            status = cut_node(&cutting, graph->nodes.at[i]);
    weir_map_fini(&cutting.pairs);
    return status;
}
