/* place/cut.c - edges between devices become pairs of _Send and _Recv. */
#include <stdio.h>

#include "place/place.h"

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

static weir_status add_on(cutting *c, const char *op, const char *base, const char *device,
                          weir_node_spec *spec, weir_node **out)
{
    char name[1024];
    snprintf(name, sizeof name, "%s/%s", base, op);
    spec->name = weir_graph_unique_name(c->g, name);
    spec->op = op;
    spec->device = device;
    WEIR_TRY(weir_graph_add(c->g, spec, out));
    (*out)->site.device = (*out)->requested_device;
    return WEIR_OK;
}

/* What a control edge carries: an empty tensor, made when the source is done. */
static weir_status control_value(cutting *c, weir_node *from, weir_edge *out)
{
    weir_shape none = weir_shape_vector(0);
    weir_tensor t = weir_tensor_from(WEIR_FLOAT, &none, NULL);
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_tensor("value", &t)};
    weir_node *n;
    weir_status s = add_on(
        c, "Const", from->site.name, from->site.device,
        &(weir_node_spec){.attrs = attrs, .attr_count = 2, .controls = &from, .control_count = 1},
        &n);
    weir_tensor_release(&t);
    *out = (weir_edge){n, 0};
    return s;
}

static weir_status make_pair(cutting *c, weir_edge from, const char *to_device,
                             weir_node **out_recv)
{
    const char *from_device = from.node->site.device;
    weir_edge value = from;
    if (from.index < 0)
        WEIR_TRY(control_value(c, from.node, &value));
    char edge[1024];
    snprintf(edge, sizeof edge, "edge_%d_%s:%d", from.node->id, from.node->site.name, from.index);
    weir_named_attr attrs[] = {
        weir_a_type("T", weir_edge_dtype(value)),
        weir_a_str("tensor_name", edge),
        weir_a_str("send_device", from_device),
        weir_a_int("send_device_incarnation", (int64_t)incarnation(c, from_device)),
        weir_a_str("recv_device", to_device),
    };
    weir_node *send;
    WEIR_TRY(add_on(c, "_Send", from.node->site.name, from_device,
                    &(weir_node_spec){.in = &value, .in_count = 1, .attrs = attrs, .attr_count = 5},
                    &send));
    attrs[0].name = "tensor_type";
    WEIR_TRY(add_on(
        c, "_Recv", from.node->site.name, to_device,
        &(weir_node_spec){.attrs = attrs, .attr_count = 5, .controls = &send, .control_count = 1},
        out_recv));
    (*out_recv)->out_shapes[0] = *weir_edge_shape(value);
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
