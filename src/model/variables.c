/* model/variables.c - dependencies of nodes, their variables, and pruned graphs. */
#include "model/variables.h"
#include "wire/messages.h"

/* ---- dependencies ---------------------------------------------------------------------------- */

void weir_needed_fini(weir_needed *needed)
{
    weir_free(needed->at);
    *needed = (weir_needed){0};
}

static void grow(weir_needed *needed, size_t count)
{
    if (count <= needed->count)
        return;
    needed->at = weir_realloc(needed->at, count * sizeof *needed->at);
    memset(needed->at + needed->count, 0, (count - needed->count) * sizeof *needed->at);
    needed->count = count;
}

void weir_needed_add(weir_needed *needed, const weir_node *node)
{
    WEIR_VEC(const weir_node *) work = {0};
    grow(needed, node->graph->nodes.count);
    weir_vec_push(&work, node);
    while (work.count) {
        const weir_node *at = work.at[--work.count];
        if (needed->at[at->id])
            continue;
        needed->at[at->id] = true;
        for (int i = 0; i < at->site.in_count; i++)
            if (at->in[i].node)
                weir_vec_push(&work, at->in[i].node);
        for (size_t i = 0; i < at->controls.count; i++)
            weir_vec_push(&work, at->controls.at[i]);
    }
    weir_vec_fini(&work);
}

void weir_needed_add_all(weir_needed *needed, const weir_graph *graph)
{
    grow(needed, graph->nodes.count);
    for (size_t i = 0; i < graph->nodes.count; i++)
        needed->at[i] = graph->nodes.at[i] && !graph->nodes.at[i]->removed;
}

/* ---- variables ------------------------------------------------------------------------------- */

bool weir_variable_is(const weir_node *node)
{
    static const char *const ops[] = {"VarHandleOp", "VariableV2", "Variable"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (weir_node_is(node, ops[i]))
            return true;
    return false;
}

weir_dtype weir_variable_dtype(const weir_node *node)
{
    const weir_attr *attr = weir_node_attr(node, "dtype");
    return attr && attr->kind == WEIR_ATTR_TYPE ? (weir_dtype)attr->type : WEIR_DT_INVALID;
}

void weir_variables_gather(const weir_graph *graph, const weir_needed *needed, weir_nodes *out)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        weir_node *node = graph->nodes.at[i];
        if (node && !node->removed && weir_needed_has(needed, node) && weir_variable_is(node))
            weir_vec_push(out, node);
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
        WEIR_BUF(name);
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
        WEIR_TRY(weir_graph_add(variable->graph, &spec, &read));
    }
    *out_value = (weir_edge){read, 0};
    return WEIR_OK;
}

/* ---- pruned graphs --------------------------------------------------------------------------- */

/* Attrs with placement hints, which may name removed nodes, and inferred shapes. */
static bool is_hint(weir_str attr)
{
    return weir_str_is(attr, "_class") || weir_str_is(attr, "_output_shapes");
}

static void drop_placement(weir_msg_node_def *def, weir_arena *arena)
{
    weir_msg_node_def_attr_entry *kept =
        WEIR_ARENA_ARRAY(arena, weir_msg_node_def_attr_entry, def->attr.count);
    size_t count = 0;
    for (size_t i = 0; i < def->attr.count; i++)
        if (!is_hint(def->attr.at[i].key))
            kept[count++] = def->attr.at[i];
    def->attr = (weir_msgs_node_def_attr_entry){kept, count};
    def->device = WEIR_STR("");
}

/* Appends the replaced node, as field 1 of a graph. */
static weir_status put_node(const weir_node *node, bool devices, weir_node_replacer replace,
                            void *arg, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(own);
    weir_msg_node_def def;
    weir_node_export(node, &own);
    WEIR_TRY(weir_msg_node_def_read(weir_view(&own), &arena, &def));
    if (!devices)
        drop_placement(&def, &arena);
    if (replace)
        WEIR_TRY(replace(arg, node, &arena, &def));
    weir_msg_graph_def_write(&(weir_msg_graph_def){.node = {&def, 1}}, out);
    return WEIR_OK;
}

weir_status weir_graph_export_needed(const weir_graph *graph, const weir_needed *needed,
                                     bool devices, weir_node_replacer replace, void *arg,
                                     weir_buf *out)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const weir_node *node = graph->nodes.at[i];
        if (node && !node->removed && weir_needed_has(needed, node))
            WEIR_TRY(put_node(node, devices, replace, arg, out));
    }
    weir_graph_export_since(graph, graph->nodes.count, 0, out); /* library and versions only */
    return WEIR_OK;
}
