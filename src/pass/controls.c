/* pass/controls.c - drops control edges that nobody can notice.
 *
 * A control edge matters when its source changes state, may be dead, or waits for something that
 * does. An edge from a node that is also a data input says nothing new.
 */
#include "pass/pass_impl.h"

enum { UNKNOWN, INERT, MATTERS };

/* Nodes whose running (or not) has no effect of its own, besides pure ones. */
static bool is_quiet(const weir_node *n)
{
    static const char *const ops[] = {
        "VarHandleOp", "VariableV2",    "ReadVariableOp",        "_Arg",
        "Placeholder", "PlaceholderV2", "PlaceholderWithDefault"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (weir_node_is(n, ops[i]))
            return true;
    return weir_pass_pure(n);
}

static bool matters(const weir_node *n, const uint8_t *state)
{
    if (!is_quiet(n))
        return true;
    for (int i = 0; i < n->site.in_count; i++)
        if (state[n->in[i].node->id] != INERT)
            return true;
    for (size_t i = 0; i < n->controls.count; i++)
        if (state[n->controls.at[i]->id] != INERT)
            return true;
    return false;
}

static bool reads(const weir_node *n, const weir_node *from)
{
    if (weir_node_is(n, "Merge") || weir_node_is(n, "RefMerge"))
        return false; /* it starts with the first of its inputs */
    for (int i = 0; i < n->site.in_count; i++)
        if (n->in[i].node == from)
            return true;
    return false;
}

static void drop_controls(weir_node *n, const uint8_t *state)
{
    for (size_t i = n->controls.count; i-- > 0;) {
        weir_node *from = n->controls.at[i];
        if (state[from->id] == INERT || reads(n, from))
            weir_graph_remove_control(from, n);
    }
}

/* A NoOp that only gathers control edges goes when direct edges are not more than those it has. */
static void skip_group(const weir_pass_env *env, weir_node *n)
{
    size_t from = n->controls.count, to = n->uses.count;
    if (!weir_node_is(n, "NoOp") || weir_pass_kept(env, n) || from == 0 || from * to > from + to)
        return;
    for (size_t i = 0; i < to; i++)
        for (size_t k = 0; k < from; k++)
            weir_graph_add_control(n->controls.at[k], n->uses.at[i].node);
    weir_pass_remove(n);
}

/* A pure node that is only waited for is not worth computing (the gradient of a first layer's
 * input is one such): who waits for it waits for what it reads. */
static void skip_unread(const weir_pass_env *env, weir_node *n)
{
    enum { MORE_EDGES = 4 };
    size_t from = n->controls.count + (size_t)n->site.in_count, to = n->uses.count;
    if (!weir_pass_pure(n) || !n->site.out_count || !to || weir_pass_kept(env, n) ||
        from * to > from + to + MORE_EDGES)
        return;
    for (size_t i = 0; i < to; i++)
        if (n->uses.at[i].input >= 0)
            return;
    for (int k = 0; k < n->site.in_count; k++)
        if (weir_pass_splits(n->in[k].node))
            return;
    for (size_t i = 0; i < to; i++) {
        for (int k = 0; k < n->site.in_count; k++)
            weir_graph_add_control(n->in[k].node, n->uses.at[i].node);
        for (size_t k = 0; k < n->controls.count; k++)
            weir_graph_add_control(n->controls.at[k], n->uses.at[i].node);
    }
    weir_pass_remove(n);
}

static void skip_all_unread(weir_graph *g, const weir_pass_env *env)
{
    size_t count;
    weir_node **order = weir_graph_order(g, &count);
    for (size_t i = count; i-- > 0;) /* users first */
        skip_unread(env, order[i]);
    weir_free(order);
}

weir_status weir_pass_controls(weir_graph *g, const weir_pass_env *env)
{
    for (size_t i = 0; i < g->nodes.count; i++)
        if (!g->nodes.at[i]->removed)
            skip_group(env, g->nodes.at[i]);
    skip_all_unread(g, env);
    size_t count;
    weir_node **order = weir_graph_order(g, &count);
    uint8_t *state = weir_zalloc(g->nodes.count);
    for (size_t i = 0; i < count; i++)
        state[order[i]->id] = matters(order[i], state) ? MATTERS : INERT;
    for (size_t i = 0; i < count; i++)
        if (order[i]->site.out_count) /* a NoOp is there to wait, whatever for */
            drop_controls(order[i], state);
    weir_free(state);
    weir_free(order);
    return WEIR_OK;
}
