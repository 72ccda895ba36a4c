/* pass/check.c - whether a graph is still sound after passes have rewritten it.
 *
 * Order: every node that reads or changes state has a bit, and every node the set of bits of what
 * comes before it, built in one walk in topological order for 512 of them at a time. A pass may
 * merge or remove nodes with state; between those that are left no order may be lost.
 */
#include "pass/check.h"

#include "pass/pass_impl.h"

enum { WORDS = 8, BITS = 64 * WORDS }; /* tracked nodes per walk */

typedef struct order_set {
    uint64_t words[WORDS];
} order_set;

struct weir_graph_snapshot {
    size_t node_count;
    uint32_t *types;  /* by node id: a digest of the types of its outputs */
    int32_t *tracked; /* ids of nodes that read or change state, in topological order */
    int32_t *place;   /* by node id: index into tracked; -1: none */
    size_t tracked_count, stride;
    uint64_t *before; /* tracked_count rows of |stride| words: the tracked nodes before each */
};

static uint32_t type_digest(const weir_node *node)
{
    uint32_t digest = 2166136261u;
    for (int i = 0; i < node->site.out_count; i++)
        digest = (digest ^ (uint32_t)node->site.out_types[i]) * 16777619u;
    return digest;
}

/* Changes state that outlives it: nothing may move from before it to after it. What a step returns
 * may come to need less than it did. */
static bool has_effect(const weir_node *node)
{
    return node->site.op && node->site.def->flags & WEIR_STATEFUL && !weir_pass_quiet(node) &&
           weir_node_flow(node) != WEIR_FLOW_RETVAL;
}

static bool reads_state(const weir_node *node)
{
    if (weir_node_is(node, "ReadVariableOp"))
        return true;
    for (int i = 0; i < node->site.in_count; i++)
        if (weir_dtype_is_ref(weir_edge_type(node->in[i])))
            return !weir_dtype_is_ref(node->site.in_types[i]);
    return false;
}

/* ---- order ---------------------------------------------------------------------------------- */

static void join(order_set *into, const order_set *from)
{
    for (int i = 0; i < WORDS; i++)
        into->words[i] |= from->words[i];
}

/* For each node in |order|, which of the tracked nodes from |first| on come before it. */
static void walk(weir_node *const *order, size_t count, const weir_graph_snapshot *snapshot,
                 size_t first, order_set *sets)
{
    for (size_t i = 0; i < count; i++) {
        const weir_node *node = order[i];
        order_set *set = &sets[node->id];
        memset(set, 0, sizeof *set);
        if (weir_node_flow(node) == WEIR_FLOW_NEXT_ITERATION)
            continue; /* what comes after belongs to the next iteration */
        for (int k = 0; k < node->site.in_count; k++)
            join(set, &sets[node->in[k].node->id]);
        for (size_t k = 0; k < node->controls.count; k++)
            join(set, &sets[node->controls.at[k]->id]);
        int32_t place = (size_t)node->id < snapshot->node_count ? snapshot->place[node->id] : -1;
        if (place >= 0 && (size_t)place >= first && (size_t)place < first + BITS)
            set->words[(place - first) / 64] |= UINT64_C(1) << (place - first) % 64;
    }
}

typedef void (*row_fn)(void *arg, size_t tracked, size_t first, const order_set *set);

static void each_row(const weir_graph *graph, weir_node *const *order, size_t count,
                     const weir_graph_snapshot *snapshot, row_fn fn, void *arg)
{
    order_set *sets = WEIR_NEW_ARRAY(order_set, graph->nodes.count + 1);
    for (size_t first = 0; first < snapshot->tracked_count; first += BITS) {
        walk(order, count, snapshot, first, sets);
        for (size_t i = 0; i < snapshot->tracked_count; i++)
            if (!graph->nodes.at[snapshot->tracked[i]]->removed)
                fn(arg, i, first, &sets[snapshot->tracked[i]]);
    }
    weir_free(sets);
}

static void record(void *arg, size_t tracked, size_t first, const order_set *set)
{
    weir_graph_snapshot *snapshot = arg;
    memcpy(snapshot->before + tracked * snapshot->stride + first / 64, set->words,
           sizeof set->words);
}

typedef struct comparing {
    const weir_graph *graph;
    const weir_graph_snapshot *before;
    const weir_node *early, *late; /* out: a pair whose order was lost */
} comparing;

static void compare(void *arg, size_t tracked, size_t first, const order_set *set)
{
    comparing *c = arg;
    const weir_graph_snapshot *before = c->before;
    const weir_node *late = c->graph->nodes.at[before->tracked[tracked]];
    if (c->late || !has_effect(late))
        return;
    const uint64_t *row = before->before + tracked * before->stride + first / 64;
    for (int i = 0; i < WORDS; i++)
        for (uint64_t lost = row[i] & ~set->words[i]; lost; lost &= lost - 1) {
            size_t place = first + (size_t)i * 64 + (size_t)__builtin_ctzll(lost);
            const weir_node *early = c->graph->nodes.at[before->tracked[place]];
            if (!early->removed && early != late) {
                c->early = early;
                c->late = late;
                return;
            }
        }
}

/* ---- the whole ------------------------------------------------------------------------------ */

static size_t live_count(const weir_graph *graph)
{
    size_t live = 0;
    for (size_t i = 0; i < graph->nodes.count; i++)
        live += !graph->nodes.at[i]->removed;
    return live;
}

weir_graph_snapshot *weir_graph_snapshot_take(const weir_graph *graph)
{
    size_t count, nodes = graph->nodes.count;
    weir_node **order = weir_graph_order(graph, &count);
    weir_graph_snapshot *snapshot = WEIR_NEW(weir_graph_snapshot);
    snapshot->node_count = nodes;
    snapshot->types = WEIR_NEW_ARRAY(uint32_t, nodes + 1);
    snapshot->tracked = WEIR_NEW_ARRAY(int32_t, nodes + 1);
    snapshot->place = WEIR_NEW_ARRAY(int32_t, nodes + 1);
    memset(snapshot->place, -1, sizeof *snapshot->place * (nodes + 1));
    for (size_t i = 0; i < count; i++) {
        snapshot->types[order[i]->id] = type_digest(order[i]);
        if (!has_effect(order[i]) && !reads_state(order[i]))
            continue;
        snapshot->place[order[i]->id] = (int32_t)snapshot->tracked_count;
        snapshot->tracked[snapshot->tracked_count++] = (int32_t)order[i]->id;
    }
    snapshot->stride = (snapshot->tracked_count + BITS - 1) / BITS * WORDS;
    snapshot->before = WEIR_NEW_ARRAY(uint64_t, snapshot->tracked_count * snapshot->stride + 1);
    each_row(graph, order, count, snapshot, record, snapshot);
    weir_free(order);
    return snapshot;
}

void weir_graph_snapshot_free(weir_graph_snapshot *snapshot)
{
    if (!snapshot)
        return;
    weir_free(snapshot->types);
    weir_free(snapshot->tracked);
    weir_free(snapshot->place);
    weir_free(snapshot->before);
    weir_free(snapshot);
}

static weir_status check_input(const weir_node *node, int index)
{
    weir_edge edge = node->in[index];
    if (!edge.node || edge.node->removed || edge.index < 0 ||
        edge.index >= edge.node->site.out_count)
        return weir_error(WEIR_INTERNAL, "input %d of node %s comes from nowhere", index,
                          node->site.name);
    int given = weir_edge_type(edge), taken = node->site.in_types[index];
    if (weir_dtype_base(given) != weir_dtype_base(taken) ||
        (weir_dtype_is_ref(taken) && !weir_dtype_is_ref(given)))
        return weir_error(WEIR_INTERNAL, "input %d of node %s is %s instead of %s", index,
                          node->site.name, weir_dtype_name(given), weir_dtype_name(taken));
    return WEIR_OK;
}

static weir_status check_node(const weir_node *node, const weir_graph_snapshot *before)
{
    for (int i = 0; i < node->site.in_count; i++)
        WEIR_TRY(check_input(node, i));
    for (size_t i = 0; i < node->controls.count; i++)
        if (node->controls.at[i]->removed)
            return weir_error(WEIR_INTERNAL, "node %s waits for %s, which was removed",
                              node->site.name, node->controls.at[i]->site.name);
    if ((size_t)node->id < before->node_count && before->types[node->id] != type_digest(node))
        return weir_error(WEIR_INTERNAL, "the types of the outputs of node %s changed",
                          node->site.name);
    return WEIR_OK;
}

weir_status weir_graph_check(const weir_graph *graph, const weir_graph_snapshot *before)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (!graph->nodes.at[i]->removed)
            WEIR_TRY(check_node(graph->nodes.at[i], before));
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    comparing c = {.graph = graph, .before = before};
    bool cycle = count != live_count(graph);
    if (!cycle)
        each_row(graph, order, count, before, compare, &c);
    weir_free(order);
    if (cycle)
        return weir_error(WEIR_INTERNAL, "the graph has a cycle that is not a loop");
    if (c.late)
        return weir_error(WEIR_INTERNAL, "node %s no longer runs before node %s",
                          c.early->site.name, c.late->site.name);
    return WEIR_OK;
}
