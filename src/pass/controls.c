/* pass/controls.c - removes redundant control edges.
 *
 * A control edge is needed if its source changes state, may be dead, or depends on such a node; if
 * its source reads a variable, it is needed when its target or a descendant changes state. A
 * control edge from a node that is also a data input is redundant.
 */
#include "pass/pass_impl.h"

enum { INERT, READS, MATTERS };

/* What a control edge from |node| orders: nothing, reads of variables, or more. */
static uint8_t weight_of(const weir_node *node, const uint8_t *weights)
{
    uint8_t weight = !weir_pass_quiet(node) ? MATTERS : weir_pass_reads(node) ? READS : INERT;
    for (int i = 0; i < node->site.in_count; i++)
        if (weights[node->in[i].node->id] > weight)
            weight = weights[node->in[i].node->id];
    for (size_t i = 0; i < node->controls.count; i++)
        if (weights[node->controls.at[i]->id] > weight)
            weight = weights[node->controls.at[i]->id];
    return weight;
}

/* True for nodes that change state, and for all their ancestors. */
static bool *find_changing(weir_node *const *order, size_t count, size_t nodes)
{
    bool *changing = WEIR_NEW_ARRAY(bool, nodes);
    for (size_t i = count; i-- > 0;) {
        const weir_node *node = order[i];
        bool found = !weir_pass_quiet(node);
        for (size_t k = 0; k < node->uses.count && !found; k++)
            found = changing[node->uses.at[k].node->id];
        changing[node->id] = found;
    }
    return changing;
}

static bool reads(const weir_node *node, const weir_node *from)
{
    if (weir_node_flow(node) == WEIR_FLOW_MERGE)
        return false; /* Merge starts with the first of its inputs */
    for (int i = 0; i < node->site.in_count; i++)
        if (node->in[i].node == from)
            return true;
    return false;
}

static void drop_controls(weir_node *node, const uint8_t *weights, bool changing)
{
    uint8_t most = changing ? INERT : READS;
    for (size_t i = node->controls.count; i-- > 0;) {
        weir_node *from = node->controls.at[i];
        if (weights[from->id] <= most || reads(node, from))
            weir_graph_remove_control(from, node);
    }
}

/* Removes a NoOp that only groups control edges if direct edges are not more numerous. */
static void skip_group(const weir_pass_env *env, weir_node *node)
{
    size_t from = node->controls.count, to = node->uses.count;
    if (weir_node_flow(node) != WEIR_FLOW_NO_OP || weir_pass_kept(env, node) || from == 0 ||
        from * to > from + to)
        return;
    for (size_t i = 0; i < to; i++)
        for (size_t k = 0; k < from; k++)
            weir_graph_add_control(node->controls.at[k], node->uses.at[i].node);
    weir_pass_remove(node);
}

/* A pure node with control outputs only need not be computed (for example the gradient of a first
 * layer's input): its control outputs are moved to its inputs. */
static void skip_unread(const weir_pass_env *env, weir_node *node)
{
    enum { MORE_EDGES = 4 };
    size_t from = node->controls.count + (size_t)node->site.in_count, to = node->uses.count;
    if (!weir_pass_pure(node) || !node->site.out_count || !to || weir_pass_kept(env, node) ||
        from * to > from + to + MORE_EDGES)
        return;
    for (size_t i = 0; i < to; i++)
        if (node->uses.at[i].input >= 0)
            return;
    for (int k = 0; k < node->site.in_count; k++)
        if (weir_flow_splits(node->in[k].node))
            return;
    for (size_t i = 0; i < to; i++) {
        for (int k = 0; k < node->site.in_count; k++)
            weir_graph_add_control(node->in[k].node, node->uses.at[i].node);
        for (size_t k = 0; k < node->controls.count; k++)
            weir_graph_add_control(node->controls.at[k], node->uses.at[i].node);
    }
    weir_pass_remove(node);
}

static void skip_all_unread(weir_graph *graph, const weir_pass_env *env)
{
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    for (size_t i = count; i-- > 0;) /* users first */
        skip_unread(env, order[i]);
    weir_free(order);
}

weir_status weir_pass_controls(weir_graph *graph, const weir_pass_env *env)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (!graph->nodes.at[i]->removed)
            skip_group(env, graph->nodes.at[i]);
    skip_all_unread(graph, env);
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    uint8_t *weights = WEIR_NEW_ARRAY(uint8_t, graph->nodes.count);
    bool *changing = find_changing(order, count, graph->nodes.count);
    for (size_t i = 0; i < count; i++)
        weights[order[i]->id] = weight_of(order[i], weights);
    for (size_t i = 0; i < count; i++)
        if (order[i]->site.out_count) /* a NoOp only synchronises */
            drop_controls(order[i], weights, changing[order[i]->id]);
    weir_free(weights);
    weir_free(changing);
    weir_free(order);
    return WEIR_OK;
}
