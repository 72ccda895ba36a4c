/* model/variables.c - what nodes need, the variables among it, and graphs cut down to it. */
#include "model/variables.h"

#include "wire/pb.h"

enum { GRAPH_NODE = 1, GRAPH_LIBRARY = 2, LIBRARY_FUNCTION = 1, NODE_DEVICE = 4, NODE_ATTR = 5 };

/* ---- what is needed -------------------------------------------------------------------------- */

void weir_needed_fini(weir_needed *n)
{
    weir_free(n->at);
    *n = (weir_needed){0};
}

static void grow(weir_needed *n, size_t count)
{
    if (count <= n->count)
        return;
    n->at = weir_realloc(n->at, count * sizeof *n->at);
    memset(n->at + n->count, 0, (count - n->count) * sizeof *n->at);
    n->count = count;
}

void weir_needed_add(weir_needed *n, const weir_node *node)
{
    WEIR_VEC(const weir_node *) work = {0};
    grow(n, node->graph->nodes.count);
    weir_vec_push(&work, node);
    while (work.count) {
        const weir_node *at = work.at[--work.count];
        if (n->at[at->id])
            continue;
        n->at[at->id] = true;
        for (int i = 0; i < at->site.in_count; i++)
            if (at->in[i].node)
                weir_vec_push(&work, at->in[i].node);
        for (size_t i = 0; i < at->controls.count; i++)
            weir_vec_push(&work, at->controls.at[i]);
    }
    weir_vec_fini(&work);
}

void weir_needed_add_all(weir_needed *n, const weir_graph *g)
{
    grow(n, g->nodes.count);
    for (size_t i = 0; i < g->nodes.count; i++)
        n->at[i] = g->nodes.at[i] && !g->nodes.at[i]->removed;
}

/* ---- variables ------------------------------------------------------------------------------- */

bool weir_variable_is(const weir_node *n)
{
    static const char *const ops[] = {"VarHandleOp", "VariableV2", "Variable"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (weir_node_is(n, ops[i]))
            return true;
    return false;
}

weir_dtype weir_variable_dtype(const weir_node *n)
{
    const weir_attr *a = weir_node_attr(n, "dtype");
    return a && a->kind == WEIR_ATTR_TYPE ? (weir_dtype)a->type : WEIR_DT_INVALID;
}

void weir_variables_gather(const weir_graph *g, const weir_needed *needed, weir_nodes *out)
{
    for (size_t i = 0; i < g->nodes.count; i++) {
        weir_node *n = g->nodes.at[i];
        if (n && !n->removed && weir_needed_has(needed, n) && weir_variable_is(n))
            weir_vec_push(out, n);
    }
}

static weir_node *find_read(const weir_node *variable)
{
    for (size_t i = 0; i < variable->uses.count; i++) {
        weir_node *user = variable->uses.at[i].node;
        if (weir_node_is(user, "ReadVariableOp") && user->controls.count == 0)
            return user;
    }
    return NULL;
}

weir_status weir_variable_read(weir_node *variable, weir_edge *out_value)
{
    *out_value = (weir_edge){variable, 0};
    if (!weir_variable_is_resource(variable))
        return WEIR_OK;
    weir_node *read = find_read(variable);
    if (!read) {
        weir_buf name = {0};
        weir_buf_addf(&name, "%s/Read/ReadVariableOp", variable->site.name);
        weir_attr dtype = {.kind = WEIR_ATTR_TYPE, .type = weir_variable_dtype(variable)};
        weir_named_attr attr = {"dtype", dtype};
        weir_node_spec spec = {
            .name = weir_graph_unique_name(variable->graph, name.at),
            .op = "ReadVariableOp",
            .in = out_value,
            .in_count = 1,
            .attrs = &attr,
            .attr_count = 1,
            .device = variable->requested_device,
        };
        weir_status s = weir_graph_add(variable->graph, &spec, &read);
        weir_buf_fini(&name);
        WEIR_TRY(s);
    }
    *out_value = (weir_edge){read, 0};
    return WEIR_OK;
}

/* ---- smaller graphs -------------------------------------------------------------------------- */

static bool is_attr(weir_str entry, const char *name)
{
    weir_pb r = weir_pb_reader(entry);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            return weir_str_is(r.bytes, name);
    return false;
}

/* Attrs that say where a node goes, by nodes that may be gone, and what shapes it gave. */
static bool is_hint(weir_str entry)
{
    return is_attr(entry, "_class") || is_attr(entry, "_output_shapes");
}

void weir_node_def_put(weir_buf *out, weir_str node_def, bool device, const char *attr,
                       weir_str value)
{
    weir_pb r = weir_pb_reader(node_def);
    while (weir_pb_next(&r)) {
        bool drop = false;
        if (r.field == NODE_DEVICE)
            drop = !device;
        else if (r.field == NODE_ATTR)
            drop = (!device && is_hint(r.bytes)) || (attr && is_attr(r.bytes, attr));
        if (!drop && r.type == WEIR_PB_LEN)
            weir_pb_put_bytes(out, r.field, r.bytes.at, r.bytes.length);
    }
    if (!attr)
        return;
    size_t mark = weir_pb_begin(out, NODE_ATTR);
    weir_pb_put_str(out, 1, attr);
    weir_pb_put_bytes(out, 2, value.at, value.length);
    weir_pb_end(out, mark);
}

static void put_node(const weir_node *n, bool device, weir_buf *out)
{
    weir_buf def = {0};
    weir_node_export(n, &def);
    weir_node_def_put(out, (weir_str){def.at, def.length}, device, NULL, (weir_str){0});
    weir_buf_fini(&def);
}

/* Everything of the graph's own form but the nodes: library and versions. */
static void put_rest(const weir_graph *g, weir_buf *out)
{
    weir_buf rest = {0};
    weir_graph_export_since(g, g->nodes.count, 0, &rest);
    weir_buf_add(out, rest.at, rest.length);
    weir_buf_fini(&rest);
}

void weir_graph_export_needed(const weir_graph *g, const weir_needed *needed, bool devices,
                              weir_node_replacer replace, void *arg, weir_buf *out)
{
    for (size_t i = 0; i < g->nodes.count; i++) {
        const weir_node *n = g->nodes.at[i];
        if (!n || n->removed || !weir_needed_has(needed, n))
            continue;
        size_t mark = weir_pb_begin(out, GRAPH_NODE);
        if (!replace || !replace(arg, n, out))
            put_node(n, devices, out);
        weir_pb_end(out, mark);
    }
    put_rest(g, out);
}
