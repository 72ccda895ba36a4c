/* graph/export.c - a graph as a GraphDef. */
#include "graph/proto.h"

static void put_input(weir_buf *out, weir_buf *scratch, weir_edge e)
{
    scratch->length = 0;
    weir_buf_adds(scratch, e.node->site.name);
    if (e.index > 0)
        weir_buf_addf(scratch, ":%d", e.index);
    weir_pb_put_bytes(out, 3, scratch->at, scratch->length);
}

void weir_node_export(const weir_node *n, weir_buf *out)
{
    WEIR_BUF(scratch);
    weir_pb_put_str(out, 1, n->site.name);
    weir_pb_put_str(out, 2, n->site.def->name);
    for (int i = 0; i < n->site.in_count; i++)
        if (n->in[i].node)
            put_input(out, &scratch, n->in[i]);
    for (size_t i = 0; i < n->controls.count; i++) {
        scratch.length = 0;
        weir_buf_addf(&scratch, "^%s", n->controls.at[i]->site.name);
        weir_pb_put_bytes(out, 3, scratch.at, scratch.length);
    }
    weir_pb_put_str_nz(out, 4,
                       n->site.device && *n->site.device ? n->site.device : n->requested_device);
    for (int i = 0; i < n->site.def->attr_count; i++)
        weir_named_attr_write(out, 5, n->site.def->attrs[i].name, &n->site.attrs[i]);
    for (int i = 0; i < n->extra_count; i++)
        weir_named_attr_write(out, 5, n->extra[i].name, &n->extra[i].value);
}

void weir_function_export(const weir_function *f, weir_buf *out)
{
    weir_buf_add(out, f->proto.at, f->proto.length);
}

static void put_library(const weir_graph *g, size_t first, weir_buf *out)
{
    size_t library = weir_pb_begin(out, 2);
    for (size_t i = first; i < g->function_list.count; i++) {
        size_t mark = weir_pb_begin(out, 1);
        weir_function_export(g->function_list.at[i], out);
        weir_pb_end(out, mark);
    }
    for (size_t i = first; i < g->function_list.count; i++) {
        const weir_function *f = g->function_list.at[i];
        if (!f->gradient)
            continue;
        size_t mark = weir_pb_begin(out, 2);
        weir_pb_put_str(out, 1, f->def.name);
        weir_pb_put_str(out, 2, f->gradient);
        weir_pb_end(out, mark);
    }
    weir_pb_end(out, library);
}

static int put_nodes(const weir_graph *g, size_t first, const char *device, weir_buf *out)
{
    int count = 0;
    for (size_t i = first; i < g->nodes.count; i++) {
        const weir_node *n = g->nodes.at[i];
        if (n->removed || (device && strcmp(n->site.device, device) != 0))
            continue;
        size_t mark = weir_pb_begin(out, 1);
        weir_node_export(n, out);
        weir_pb_end(out, mark);
        count++;
    }
    return count;
}

static void put_rest(const weir_graph *g, size_t first_function, weir_buf *out)
{
    put_library(g, first_function, out);
    size_t mark = weir_pb_begin(out, 4);
    weir_pb_put_varint_nz(out, 1, (uint64_t)g->producer);
    weir_pb_put_varint_nz(out, 2, (uint64_t)g->min_consumer);
    weir_pb_end(out, mark);
}

void weir_graph_export(const weir_graph *g, weir_buf *out)
{
    weir_graph_export_since(g, 0, 0, out);
}

void weir_graph_export_since(const weir_graph *g, size_t first_node, size_t first_function,
                             weir_buf *out)
{
    put_nodes(g, first_node, NULL, out);
    put_rest(g, first_function, out);
}

bool weir_graph_export_device(const weir_graph *g, const char *device, weir_buf *out)
{
    bool any = put_nodes(g, 0, device, out) > 0;
    put_rest(g, 0, out);
    return any;
}
