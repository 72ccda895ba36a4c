/* graph/graph.c - the graph itself: nodes by name, edges both ways. */
#include "graph/graph.h"

#include <inttypes.h>
#include <stdio.h>

#include "graph/graph_impl.h"

weir_graph *weir_graph_create(const weir_registry *registry)
{
    weir_graph *g = WEIR_NEW(weir_graph);
    weir_arena_init(&g->arena);
    g->registry = registry;
    g->producer = WEIR_GRAPH_VERSION;
    return g;
}

void weir_graph_destroy(weir_graph *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->nodes.count; i++) {
        weir_vec_fini(&g->nodes.at[i]->controls);
        weir_vec_fini(&g->nodes.at[i]->uses);
    }
    weir_vec_fini(&g->nodes);
    weir_map_fini(&g->by_name);
    weir_map_fini(&g->functions);
    for (size_t i = 0; i < g->function_list.count; i++)
        weir_function_release(g->function_list.at[i]);
    weir_vec_fini(&g->function_list);
    size_t at = 0;
    void *count;
    while (weir_map_next(&g->name_counts, &at, NULL, &count))
        weir_free(count);
    weir_map_fini(&g->name_counts);
    weir_arena_fini(&g->arena);
    weir_free(g);
}

weir_node *weir_graph_find(const weir_graph *g, weir_str name)
{
    return weir_map_get(&g->by_name, name);
}

const char *weir_graph_unique_name(weir_graph *g, const char *base)
{
    if (!weir_graph_find(g, weir_str_of(base)))
        return weir_arena_strdup(&g->arena, base);
    int *next = weir_map_get(&g->name_counts, weir_str_of(base));
    if (!next) {
        next = WEIR_NEW(int);
        *next = 1;
        weir_map_put(&g->name_counts, weir_str_of(base), next);
    }
    WEIR_BUF(name);
    do {
        name.length = 0;
        weir_buf_addf(&name, "%s_%d", base, (*next)++);
    } while (weir_graph_find(g, weir_view(&name)));
    const char *kept = weir_arena_strndup(&g->arena, name.at, name.length);
    return kept;
}

/* ---- edges ---------------------------------------------------------------------------------- */

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

static bool has_control(const weir_node *to, const weir_node *from)
{
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

void weir_graph_remove_control(weir_node *from, weir_node *to)
{
    for (size_t i = 0; i < to->controls.count; i++)
        if (to->controls.at[i] == from) {
            memmove(&to->controls.at[i], &to->controls.at[i + 1],
                    (to->controls.count - i - 1) * sizeof *to->controls.at);
            to->controls.count--;
            remove_use(from, to, -1);
            to->graph->version++;
            return;
        }
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
    for (size_t i = 0; i < from.node->uses.count;) {
        weir_use u = from.node->uses.at[i];
        if (u.input >= 0 && u.output == from.index && u.node != to.node)
            weir_graph_set_input(u.node, u.input, to);
        else
            i++;
    }
}

void weir_graph_remove(weir_node *n)
{
    for (int i = 0; i < n->site.in_count; i++)
        weir_graph_set_input(n, i, (weir_edge){0});
    while (n->controls.count)
        weir_graph_remove_control(n->controls.at[n->controls.count - 1], n);
    n->removed = true;
    weir_map_remove(&n->graph->by_name, weir_str_of(n->site.name));
}

/* Forgets every node from |first| on; nothing before it may use them. */
void weir_graph_truncate(weir_graph *g, size_t first)
{
    for (size_t i = g->nodes.count; i-- > first;)
        if (!g->nodes.at[i]->removed)
            weir_graph_remove(g->nodes.at[i]);
    for (size_t i = first; i < g->nodes.count; i++) {
        weir_vec_fini(&g->nodes.at[i]->controls);
        weir_vec_fini(&g->nodes.at[i]->uses);
    }
    g->nodes.count = first;
}

/* ---- attrs ---------------------------------------------------------------------------------- */

const weir_attr *weir_node_attr(const weir_node *n, const char *name)
{
    int i = weir_opdef_attr(n->site.def, name);
    if (i >= 0)
        return &n->site.attrs[i];
    return weir_named_attr_find(n->extra, n->extra_count, name);
}

weir_status weir_graph_set_attr(weir_node *n, const char *name, const weir_attr *value)
{
    weir_arena *arena = &n->graph->arena;
    n->graph->version++;
    int i = weir_opdef_attr(n->site.def, name);
    if (i >= 0) {
        WEIR_TRY(weir_attr_check(&n->site, &n->site.def->attrs[i], value));
        ((weir_attr *)n->site.attrs)[i] = weir_attr_copy(arena, value);
        return WEIR_OK;
    }
    for (int k = 0; k < n->extra_count; k++)
        if (strcmp(n->extra[k].name, name) == 0) {
            n->extra[k].value = weir_attr_copy(arena, value);
            return WEIR_OK;
        }
    weir_named_attr *more = WEIR_ARENA_ARRAY(arena, weir_named_attr, n->extra_count + 1);
    if (n->extra_count)
        memcpy(more, n->extra, sizeof *more * (size_t)n->extra_count);
    more[n->extra_count].name = weir_arena_strdup(arena, name);
    more[n->extra_count].value = weir_attr_copy(arena, value);
    n->extra = more;
    n->extra_count++;
    return WEIR_OK;
}

/* ---- functions ------------------------------------------------------------------------------ */

weir_status weir_graph_add_function(weir_graph *g, weir_function *f)
{
    const weir_function *known = weir_graph_find_function(g, weir_str_of(f->def.name));
    if (known) {
        if (weir_function_eq(known, f))
            return WEIR_OK;
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Cannot add function '%s' because a different function with the same name "
            "already exists.",
            f->def.name);
    }
    if (weir_registry_find(g->registry, weir_str_of(f->def.name)))
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Cannot add function '%s' because an op with the same name already exists.",
            f->def.name);
    weir_ref_retain(&f->ref);
    weir_vec_push(&g->function_list, f);
    weir_map_put(&g->functions, weir_str_of(f->def.name), f);
    g->version++;
    return WEIR_OK;
}

const weir_function *weir_graph_find_function(const weir_graph *g, weir_str name)
{
    return weir_map_get(&g->functions, name);
}

/* ---- order ---------------------------------------------------------------------------------- */

static bool counts(const weir_node *from)
{
    return weir_node_flow(from) != WEIR_FLOW_NEXT_ITERATION;
}

/* How many edges each node waits for, by id; back edges of loops do not count. */
static int *count_pending(const weir_graph *g)
{
    int *pending = WEIR_NEW_ARRAY(int, g->nodes.count);
    for (size_t i = 0; i < g->nodes.count; i++) {
        const weir_node *n = g->nodes.at[i];
        if (n->removed)
            continue;
        for (int k = 0; k < n->site.in_count; k++)
            pending[i] += n->in[k].node != NULL;
        pending[i] += (int)n->controls.count;
        for (size_t k = 0; k < n->uses.count && !counts(n); k++)
            pending[n->uses.at[k].node->id]--;
    }
    return pending;
}

weir_node **weir_graph_order(const weir_graph *g, size_t *out_count)
{
    weir_node **order = WEIR_NEW_ARRAY(weir_node *, g->nodes.count);
    int *pending = count_pending(g);
    size_t count = 0;
    for (size_t i = 0; i < g->nodes.count; i++)
        if (!g->nodes.at[i]->removed && !pending[i])
            order[count++] = g->nodes.at[i];
    for (size_t done = 0; done < count; done++) {
        weir_node *n = order[done];
        if (!counts(n))
            continue;
        for (size_t k = 0; k < n->uses.count; k++)
            if (--pending[n->uses.at[k].node->id] == 0)
                order[count++] = n->uses.at[k].node;
    }
    weir_free(pending);
    *out_count = count;
    return order;
}
