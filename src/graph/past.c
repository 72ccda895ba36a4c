/* graph/past.c - original edges, recorded replacements, and traversals between the two. */
#include "graph/past.h"

#include "graph/graph_impl.h"

typedef struct replacement {
    weir_edge from, to;
} replacement;

struct weir_graph_past {
    size_t count; /* number of original nodes */
    weir_edge **in;
    WEIR_VEC(replacement) replaced;
};

void weir_graph_keep_past(weir_graph *graph)
{
    weir_graph_past *past = WEIR_NEW(weir_graph_past);
    past->count = graph->nodes.count;
    past->in = WEIR_NEW_ARRAY(weir_edge *, past->count);
    for (size_t i = 0; i < past->count; i++) {
        const weir_node *node = graph->nodes.at[i];
        past->in[i] = WEIR_ARENA_ARRAY(&graph->arena, weir_edge, node->site.in_count);
        for (int k = 0; k < node->site.in_count; k++)
            past->in[i][k] = node->in[k];
    }
    weir_graph_past_free(graph->past);
    graph->past = past;
}

void weir_graph_past_free(weir_graph_past *past)
{
    if (!past)
        return;
    weir_vec_fini(&past->replaced);
    weir_free(past->in);
    weir_free(past);
}

void weir_graph_note_replaced(weir_edge from, weir_edge to)
{
    if (from.node->graph->past)
        weir_vec_push(&from.node->graph->past->replaced, (replacement){from, to});
}

bool weir_node_is_made(const weir_node *node)
{
    const weir_graph_past *past = node->graph->past;
    return past && (size_t)node->id >= past->count;
}

/* Follows chains: a replacement may have been replaced itself. */
weir_edge weir_edge_then(weir_edge edge)
{
    const weir_graph_past *past = edge.node->graph->past;
    for (size_t i = past ? past->replaced.count : 0; i-- > 0 && weir_node_is_made(edge.node);)
        if (weir_edge_eq(past->replaced.at[i].to, edge))
            edge = past->replaced.at[i].from;
    return past && !weir_node_is_made(edge.node) ? edge : (weir_edge){0};
}

weir_edge weir_node_input_then(const weir_node *node, int input)
{
    const weir_graph_past *past = node->graph->past;
    return past && (size_t)node->id < past->count ? past->in[node->id][input] : (weir_edge){0};
}

/* ---- parts ----------------------------------------------------------------------------------- */

enum { DEEPEST = 2000 };

typedef struct walk {
    const weir_node *made;
    weir_node **parts;
    int count, most, depth;
} walk;

static bool is_given(const walk *walk, weir_edge edge)
{
    for (int i = 0; i < walk->made->site.in_count; i++)
        if (walk->made->in[i].node && weir_edge_eq(weir_edge_then(walk->made->in[i]), edge))
            return true;
    return false;
}

static bool is_listed(const walk *walk, const weir_node *node)
{
    for (int i = 0; i < walk->count; i++)
        if (walk->parts[i] == node)
            return true;
    return false;
}

static void visit(walk *walk, weir_node *node)
{
    if (!node || !node->removed || is_listed(walk, node) || walk->depth == DEEPEST)
        return;
    walk->depth++;
    for (int i = 0; i < node->site.in_count; i++) {
        weir_edge edge = weir_node_input_then(node, i);
        if (edge.node && !is_given(walk, edge))
            visit(walk, edge.node);
    }
    walk->depth--;
    if (walk->count < walk->most && !is_listed(walk, node))
        walk->parts[walk->count++] = node;
}

/* Visits replacements of |node|, transitively. */
static void visit_past(walk *walk, const weir_node *node)
{
    const weir_graph_past *past = node->graph->past;
    for (size_t i = 0; i < past->replaced.count; i++) {
        const replacement *replaced = &past->replaced.at[i];
        if (replaced->to.node != node || walk->depth == DEEPEST)
            continue;
        walk->depth++;
        if (weir_node_is_made(replaced->from.node))
            visit_past(walk, replaced->from.node);
        else
            visit(walk, replaced->from.node);
        walk->depth--;
    }
}

int weir_node_parts(const weir_node *made, weir_node **out_parts, int most)
{
    walk walk = {.made = made, .parts = out_parts, .most = most};
    if (weir_node_is_made(made))
        visit_past(&walk, made);
    return walk.count;
}
