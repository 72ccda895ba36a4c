/* place/cut.c - edges between devices become pairs of _Send and _Recv. */
#include <stdio.h>

#include "place/place_impl.h"

typedef struct cutting {
    weir_graph *g;
    const weir_place_options *o;
    weir_map pairs; /* "source:index>device" -> the _Recv */
} cutting;

static uint64_t incarnation(const cutting *c, const char *device)
{
    for (int i = 0; i < c->o->device_count; i++)
        if (strcmp(c->o->devices[i].name, device) == 0)
            return c->o->devices[i].incarnation;
    return 0;
}

static const char *name_for(cutting *c, const weir_node *from, const char *op)
{
    char name[1024];
    snprintf(name, sizeof name, "%s/%s", from->site.name, op);
    return weir_graph_unique_name(c->g, name);
}

static weir_status make_pair(cutting *c, weir_edge from, const char *to_device,
                             weir_node **out_recv)
{
    char edge[1024];
    snprintf(edge, sizeof edge, "edge_%d_%s:%d", from.node->id, from.node->site.name, from.index);
    pair_spec spec = {.from = from,
                      .to_device = to_device,
                      .tensor_name = edge,
                      .incarnation = incarnation(c, from.node->site.device),
                      .ctrl_name = from.index < 0 ? name_for(c, from.node, "Const") : NULL,
                      .send_name = name_for(c, from.node, "_Send"),
                      .recv_name = name_for(c, from.node, "_Recv")};
    weir_node *send;
    WEIR_TRY(weir_place_pair(c->g, &spec, &send, out_recv));
    weir_graph_add_control(send, *out_recv);
    return WEIR_OK;
}

static weir_status received(cutting *c, weir_edge from, const char *to_device, weir_node **out_recv)
{
    char key[1280];
    snprintf(key, sizeof key, "%d:%d>%s", from.node->id, from.index, to_device);
    *out_recv = weir_map_get(&c->pairs, weir_str_of(key));
    if (*out_recv)
        return WEIR_OK;
    WEIR_TRY(make_pair(c, from, to_device, out_recv));
    weir_map_put(&c->pairs, weir_str_of(key), *out_recv);
    return WEIR_OK;
}

static bool apart(const weir_node *a, const weir_node *b)
{
    return strcmp(a->site.device, b->site.device) != 0;
}

static weir_status cut_node(cutting *c, weir_node *n)
{
    weir_node *recv;
    for (int i = 0; i < n->site.in_count; i++) {
        weir_edge e = n->in[i];
        if (!apart(e.node, n))
            continue;
        WEIR_TRY(received(c, e, n->site.device, &recv));
        weir_graph_set_input(n, i, (weir_edge){recv, 0});
    }
    for (size_t i = 0; i < n->controls.count;) {
        weir_node *from = n->controls.at[i];
        if (!apart(from, n)) {
            i++;
            continue;
        }
        WEIR_TRY(received(c, (weir_edge){from, -1}, n->site.device, &recv));
        weir_graph_remove_control(from, n);
        weir_graph_add_control(recv, n);
    }
    return WEIR_OK;
}

weir_status weir_place_cut(weir_graph *g, const weir_place_options *options)
{
    cutting c = {.g = g, .o = options};
    size_t count = g->nodes.count; /* without the nodes that cutting adds */
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < count && !s; i++)
        if (!g->nodes.at[i]->removed)
            s = cut_node(&c, g->nodes.at[i]);
    weir_map_fini(&c.pairs);
    return s;
}
