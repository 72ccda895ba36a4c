/* graph/graph.c - the graph: nodes by name, edges in both directions. */
#include "graph/graph.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/room.h"
#include "graph/graph_impl.h"
#include "graph/past.h"

weir_graph *weir_graph_create(const weir_registry *registry)
{
    weir_graph *graph = WEIR_NEW(weir_graph);
    weir_arena_init(&graph->arena);
    graph->registry = registry;
    graph->producer = WEIR_GRAPH_VERSION;
    return graph;
}

void weir_graph_destroy(weir_graph *graph)
{
    if (!graph)
        return;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        weir_vec_fini(&graph->nodes.at[i]->controls);
        weir_vec_fini(&graph->nodes.at[i]->uses);
    }
    weir_vec_fini(&graph->nodes);
    weir_map_fini(&graph->by_name);
    weir_map_fini(&graph->functions);
    for (size_t i = 0; i < graph->function_list.count; i++)
        weir_function_release(graph->function_list.at[i]);
    weir_vec_fini(&graph->function_list);
    size_t at = 0;
    void *count;
    while (weir_map_next(&graph->name_counts, &at, NULL, &count))
        weir_free(count);
    weir_map_fini(&graph->name_counts);
    weir_graph_past_free(graph->past);
    weir_room_give(graph->counted_bytes);
    weir_arena_fini(&graph->arena);
    weir_free(graph);
}

weir_node *weir_graph_find(const weir_graph *graph, weir_str name)
{
    return weir_map_get(&graph->by_name, name);
}

const char *weir_graph_unique_name(weir_graph *graph, const char *base)
{
    if (!weir_graph_find(graph, weir_str_of(base)))
        return weir_arena_strdup(&graph->arena, base);
    int *next = weir_map_get(&graph->name_counts, weir_str_of(base));
    if (!next) {
        next = WEIR_NEW(int);
        *next = 1;
        weir_map_put(&graph->name_counts, weir_str_of(base), next);
    }
    WEIR_BUF(name);
    do {
        name.length = 0;
        weir_buf_addf(&name, "%s_%d", base, (*next)++);
    } while (weir_graph_find(graph, weir_view(&name)));
    const char *kept = weir_arena_strndup(&graph->arena, name.at, name.length);
    return kept;
}

/* ---- edges ----------------------------------------------------------------------------------- */

void weir_graph_add_use(weir_edge from, weir_node *to, int input)
{
    weir_vec_push(&from.node->uses, (weir_use){to, input, from.index});
}

static void remove_use(weir_node *from, const weir_node *to, int input)
{
    for (size_t i = 0; i < from->uses.count; i++)
        if (from->uses.at[i].node == to && from->uses.at[i].input == input) {
            from->uses.at[i] = from->uses.at[--from->uses.count];
            return;
        }
}

/* Searches the shorter list: a node may have any number of inputs or uses. */
static bool has_control(const weir_node *to, const weir_node *from)
{
    for (size_t i = 0; from->uses.count < to->controls.count && i < from->uses.count; i++)
        if (from->uses.at[i].node == to && from->uses.at[i].input < 0)
            return true;
    if (from->uses.count < to->controls.count)
        return false;
    for (size_t i = 0; i < to->controls.count; i++)
        if (to->controls.at[i] == from)
            return true;
    return false;
}

void weir_graph_add_control(weir_node *from, weir_node *to)
{
    if (from == to || has_control(to, from))
        return;
    weir_vec_push(&to->controls, from);
    weir_graph_add_use((weir_edge){from, -1}, to, -1);
    to->graph->version++;
}

/* The index of |from| in the control inputs, or their count. Removed edges are mostly the first or
 * the last, so the search alternates between both ends. */
static size_t control_at(const weir_node *to, const weir_node *from)
{
    size_t count = to->controls.count;
    for (size_t i = 0; i < (count + 1) / 2; i++) {
        if (to->controls.at[i] == from)
            return i;
        if (to->controls.at[count - 1 - i] == from)
            return count - 1 - i;
    }
    return count;
}

void weir_graph_remove_control(weir_node *from, weir_node *to)
{
    size_t at = control_at(to, from);
    if (at == to->controls.count)
        return;
    memmove(&to->controls.at[at], &to->controls.at[at + 1],
            (to->controls.count - at - 1) * sizeof *to->controls.at);
    to->controls.count--;
    remove_use(from, to, -1);
    to->graph->version++;
}

void weir_graph_set_input(weir_node *to, int input, weir_edge edge)
{
    if (to->in[input].node)
        remove_use(to->in[input].node, to, input);
    to->in[input] = edge;
    if (edge.node)
        weir_graph_add_use(edge, to, input);
    to->graph->version++;
}

void weir_graph_replace(weir_edge from, weir_edge to)
{
    weir_graph_note_replaced(from, to);
    for (size_t i = 0; i < from.node->uses.count;) {
        weir_use use = from.node->uses.at[i];
        if (use.input >= 0 && use.output == from.index && use.node != to.node)
            weir_graph_set_input(use.node, use.input, to);
        else
            i++;
    }
}

void weir_graph_remove(weir_node *node)
{
    for (int i = 0; i < node->site.in_count; i++)
        weir_graph_set_input(node, i, (weir_edge){0});
    while (node->controls.count)
        weir_graph_remove_control(node->controls.at[node->controls.count - 1], node);
    node->removed = true;
    weir_map_remove(&node->graph->by_name, weir_str_of(node->site.name));
}

void weir_graph_truncate(weir_graph *graph, size_t first)
{
    for (size_t i = graph->nodes.count; i-- > first;)
        if (!graph->nodes.at[i]->removed)
            weir_graph_remove(graph->nodes.at[i]);
    for (size_t i = first; i < graph->nodes.count; i++) {
        weir_vec_fini(&graph->nodes.at[i]->controls);
        weir_vec_fini(&graph->nodes.at[i]->uses);
    }
    graph->nodes.count = first;
}

/* ---- attrs ----------------------------------------------------------------------------------- */

const weir_attr *weir_node_attr(const weir_node *node, const char *name)
{
    int i = weir_opdef_attr(node->site.def, name);
    if (i >= 0)
        return &node->site.attrs[i];
    return weir_named_attr_find(node->extra, node->extra_count, name);
}

/* Sets an attr of the signature; the types derived from it are unchanged. */
static weir_status set_own_attr(weir_node *node, int i, const weir_attr *value)
{
    weir_attr *attr = &((weir_attr *)node->site.attrs)[i], old = *attr;
    if (value->kind == WEIR_ATTR_PLACEHOLDER)
        return weir_error(WEIR_INVALID_ARGUMENT, "Attr '%s' of node '%s' cannot be a placeholder",
                          node->site.def->attrs[i].name, node->site.name);
    WEIR_TRY(weir_attr_check(&node->site, &node->site.def->attrs[i], value));
    *attr = weir_attr_copy(&node->graph->arena, value);
    if (attr->is_list && attr->count == 0)
        attr->kind = node->site.def->attrs[i].kind;
    weir_status status = weir_node_check_signature(node);
    if (status)
        *attr = old;
    return status;
}

weir_status weir_graph_set_attr(weir_node *node, const char *name, const weir_attr *value)
{
    weir_arena *arena = &node->graph->arena;
    node->graph->version++;
    int i = weir_opdef_attr(node->site.def, name);
    if (i >= 0)
        return set_own_attr(node, i, value);
    for (int k = 0; k < node->extra_count; k++)
        if (strcmp(node->extra[k].name, name) == 0) {
            node->extra[k].value = weir_attr_copy(arena, value);
            return WEIR_OK;
        }
    weir_named_attr *more = WEIR_ARENA_ARRAY(arena, weir_named_attr, node->extra_count + 1);
    if (node->extra_count)
        memcpy(more, node->extra, sizeof *more * (size_t)node->extra_count);
    more[node->extra_count].name = weir_arena_strdup(arena, name);
    more[node->extra_count].value = weir_attr_copy(arena, value);
    node->extra = more;
    node->extra_count++;
    return WEIR_OK;
}

/* ---- functions ------------------------------------------------------------------------------- */

weir_status weir_graph_add_function(weir_graph *graph, weir_function *function)
{
    const weir_function *known = weir_graph_find_function(graph, weir_str_of(function->def.name));
    if (known) {
        if (weir_function_eq(known, function))
            return WEIR_OK;
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Cannot add function '%s' because a different function with the same name "
            "already exists.",
            function->def.name);
    }
    if (weir_registry_find(graph->registry, weir_str_of(function->def.name)))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Cannot add function '%s' because an op with the same name already exists.",
            function->def.name);
    weir_ref_retain(&function->ref);
    weir_vec_push(&graph->function_list, function);
    weir_map_put(&graph->functions, weir_str_of(function->def.name), function);
    graph->version++;
    return WEIR_OK;
}

const weir_function *weir_graph_find_function(const weir_graph *graph, weir_str name)
{
    return weir_map_get(&graph->functions, name);
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool counts(const weir_node *from)
{
    return weir_node_flow(from) != WEIR_FLOW_NEXT_ITERATION;
}

/* In-degree by node id; back edges of loops do not count. */
static int *count_pending(const weir_graph *graph)
{
    int *pending = WEIR_NEW_ARRAY(int, graph->nodes.count);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const weir_node *node = graph->nodes.at[i];
        if (node->removed)
            continue;
        for (int k = 0; k < node->site.in_count; k++)
            pending[i] += node->in[k].node != NULL;
        pending[i] += (int)node->controls.count;
        for (size_t k = 0; k < node->uses.count && !counts(node); k++)
            pending[node->uses.at[k].node->id]--;
    }
    return pending;
}

weir_node **weir_graph_order(const weir_graph *graph, size_t *out_count)
{
    weir_node **order = WEIR_NEW_ARRAY(weir_node *, graph->nodes.count);
    WEIR_FREED int *pending = count_pending(graph);
    size_t count = 0;
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (!graph->nodes.at[i]->removed && !pending[i])
            order[count++] = graph->nodes.at[i];
    for (size_t done = 0; done < count; done++) {
        weir_node *node = order[done];
        if (!counts(node))
            continue;
        for (size_t k = 0; k < node->uses.count; k++)
            if (--pending[node->uses.at[k].node->id] == 0)
                order[count++] = node->uses.at[k].node;
    }
    *out_count = count;
    return order;
}
