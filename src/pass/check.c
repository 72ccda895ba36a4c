/* pass/check.c - validates a graph after passes have rewritten it.
 *
 * Order: every node that reads or writes state is tracked by a bit, and every node has the bit set
 * of its tracked ancestors, computed in one topological walk for up to 512 tracked nodes at a time.
 * A pass may merge or remove stateful nodes; the order between the remaining ones must be
 * preserved.
 */
#include "pass/check.h"

#include "base/arith.h"
#include "pass/pass_impl.h"

enum { MOST_WORDS = 8 }; /* of the tracked nodes of a walk */

struct weir_graph_snapshot {
    size_t node_count;
    uint32_t *types;  /* by node id: a digest of its output types; one block with these: */
    int32_t *tracked; /* ids of nodes that read or write state */
    int32_t *place;   /* by node id: index into tracked; -1: none */
    size_t tracked_count, stride;
    uint64_t *before; /* tracked_count rows of |stride| words: the tracked ancestors of each; none
                         if no order can be lost */
};

static uint32_t type_digest(const weir_node *node)
{
    uint32_t digest = 2166136261u;
    for (int i = 0; i < node->site.out_count; i++)
        digest = (digest ^ (uint32_t)node->site.out_types[i]) * 16777619u;
    return digest;
}

/* A write to state that outlives the step: nothing may move from before it to after it. The
 * dependencies of returned values may shrink. */
static bool has_effect(const weir_node *node)
{
    return node->site.op && node->site.def->flags & WEIR_STATEFUL && !weir_pass_quiet(node) &&
           weir_node_flow(node) != WEIR_FLOW_RETVAL;
}

static bool reads_state(const weir_node *node)
{
    if (weir_pass_reads(node))
        return true;
    for (int i = 0; i < node->site.in_count; i++)
        if (weir_dtype_is_ref(weir_edge_type(node->in[i])))
            return !weir_dtype_is_ref(node->site.in_types[i]);
    return false;
}

/* A received value is ordered by its users; a receive that is only a control input represents a
 * remote side effect. */
static bool only_a_value(const weir_node *node)
{
    if (!weir_node_is(node, "_Recv") && !weir_node_is(node, "_HostRecv"))
        return false;
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.at[i].input < 0)
            return false;
    return true;
}

/* ---- order ---------------------------------------------------------------------------------- */

/* A graph in topological order, with some words of the snapshot's rows for each node. */
typedef struct walk {
    const weir_graph *graph;
    const weir_graph_snapshot *snapshot;
    weir_node **order;
    size_t count;
    size_t first, width; /* the range of words of a row */
    uint64_t *sets;      /* by node id: |width| words */
} walk;

static inline void join(uint64_t *into, const uint64_t *from, size_t width)
{
    for (size_t i = 0; i < width; i++)
        into[i] |= from[i];
}

static void set_bit(const walk *walk, uint64_t *set, const weir_node *node)
{
    bool known = (size_t)node->id < walk->snapshot->node_count;
    int32_t place = known ? walk->snapshot->place[node->id] : -1;
    size_t word = (size_t)place / 64;
    if (place >= 0 && word >= walk->first && word < walk->first + walk->width)
        set[word - walk->first] |= UINT64_C(1) << place % 64;
}

static inline __attribute__((always_inline)) void fill_sets_of(const walk *walk, size_t width)
{
    uint64_t *sets = walk->sets;
    for (size_t i = 0; i < walk->count; i++) {
        const weir_node *node = walk->order[i];
        uint64_t *set = sets + (size_t)node->id * width;
        for (size_t k = 0; k < width; k++)
            set[k] = 0;
        if (weir_node_flow(node) == WEIR_FLOW_NEXT_ITERATION)
            continue; /* later nodes belong to the next iteration */
        for (int k = 0; k < node->site.in_count; k++)
            join(set, sets + (size_t)node->in[k].node->id * width, width);
        for (size_t k = 0; k < node->controls.count; k++)
            join(set, sets + (size_t)node->controls.at[k]->id * width, width);
        set_bit(walk, set, node);
    }
}

/* Computes for each node the set of tracked ancestors in these words, including itself. Most graphs
 * need one word. */
static void fill_sets(const walk *walk)
{
    if (walk->width == 1)
        fill_sets_of(walk, 1);
    else
        fill_sets_of(walk, walk->width);
}

typedef void (*row_fn)(void *arg, size_t tracked, const walk *walk, const uint64_t *set);

/* Calls |fn| with the row parts of all remaining tracked nodes. */
static void each_row(walk *walk, row_fn fn, void *arg)
{
    const weir_graph_snapshot *snapshot = walk->snapshot;
    size_t most = weir_min(snapshot->stride, MOST_WORDS);
    walk->sets = WEIR_NEW_ARRAY(uint64_t, walk->graph->nodes.count * most + 1);
    for (; walk->first < snapshot->stride; walk->first += walk->width) {
        walk->width = weir_min(snapshot->stride - walk->first, most);
        fill_sets(walk);
        for (size_t i = 0; i < snapshot->tracked_count; i++)
            if (!walk->graph->nodes.at[snapshot->tracked[i]]->removed)
                fn(arg, i, walk, walk->sets + (size_t)snapshot->tracked[i] * walk->width);
    }
    weir_free(walk->sets);
}

static void record(void *arg, size_t tracked, const walk *walk, const uint64_t *set)
{
    weir_graph_snapshot *snapshot = arg;
    memcpy(snapshot->before + tracked * snapshot->stride + walk->first, set,
           walk->width * sizeof *set);
}

typedef struct lost_order {
    const weir_node *early, *late; /* null: no order was lost */
} lost_order;

static bool hands_on(const weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    return flow == WEIR_FLOW_IDENTITY || flow == WEIR_FLOW_ENTER || flow == WEIR_FLOW_SWITCH;
}

/* The variable that an edge refers to; null: unknown. */
static const weir_node *variable_of(weir_edge edge)
{
    const weir_node *node = edge.node;
    while (hands_on(node))
        node = node->in[0].node;
    bool named = node->site.op && node->site.def->flags & WEIR_STATEFUL && node->site.in_count == 0;
    return named && weir_node_attr(node, "shared_name") ? node : NULL;
}

static weir_str shared_name(const weir_node *variable)
{
    weir_str name = weir_node_attr(variable, "shared_name")->s;
    return name.length ? name : weir_str_of(variable->site.name);
}

static bool same_variable(const weir_node *a, const weir_node *b)
{
    return !a || !b || weir_str_eq(shared_name(a), shared_name(b));
}

static bool is_handle(weir_edge edge)
{
    int type = weir_edge_type(edge);
    return type == WEIR_RESOURCE || weir_dtype_is_ref(type);
}

/* A function may access variables on its own. */
static bool calls(const weir_node *node)
{
    const weir_site *site = &node->site;
    bool found = node->function != NULL;
    for (int i = 0; i < site->def->attr_count; i++)
        found |= site->attrs[i].kind == WEIR_ATTR_FUNC;
    return found;
}

static bool takes_variable(const weir_node *node, const weir_node *variable)
{
    for (int i = 0; i < node->site.in_count; i++)
        if (is_handle(node->in[i]) && same_variable(variable, variable_of(node->in[i])))
            return true;
    return false;
}

/* Whether |late| may write what |early|, a pure read, has read. */
static bool changes_what_was_read(const weir_node *early, const weir_node *late)
{
    if (calls(late))
        return true;
    for (int i = 0; i < early->site.in_count; i++)
        if (is_handle(early->in[i]) && takes_variable(late, variable_of(early->in[i])))
            return true;
    return false;
}

/* Holder of the state: stacks and tensor arrays belong to their step. */
typedef enum holder { SHARED, IN_STACK, IN_ARRAY } holder;

static holder holder_of(const weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    if (flow == WEIR_FLOW_STACK_PUSH || flow == WEIR_FLOW_STACK_POP)
        return IN_STACK;
    bool array = node->site.op && strncmp(node->site.def->name, "TensorArray", 11) == 0;
    return array ? IN_ARRAY : SHARED;
}

/* Accesses to step-local state are not ordered with other state. Nor is a read of a variable with
 * accesses to another variable. */
static bool order_matters(const weir_node *early, const weir_node *late)
{
    if (!has_effect(early) && !changes_what_was_read(early, late))
        return false;
    return early != late && holder_of(early) == holder_of(late);
}

static void compare(void *arg, size_t tracked, const walk *walk, const uint64_t *set)
{
    lost_order *found = arg;
    const weir_graph_snapshot *before = walk->snapshot;
    const weir_node *late = walk->graph->nodes.at[before->tracked[tracked]];
    if (found->late || !has_effect(late))
        return;
    const uint64_t *row = before->before + tracked * before->stride + walk->first;
    for (size_t i = 0; i < walk->width; i++)
        for (uint64_t lost = row[i] & ~set[i]; lost; lost &= lost - 1) {
            size_t place = (walk->first + i) * 64 + (size_t)__builtin_ctzll(lost);
            const weir_node *early = walk->graph->nodes.at[before->tracked[place]];
            if (!early->removed && order_matters(early, late)) {
                *found = (lost_order){early, late};
                return;
            }
        }
}

/* ---- entry points ---------------------------------------------------------------------------- */

static size_t live_count(const weir_graph *graph)
{
    size_t live = 0;
    for (size_t i = 0; i < graph->nodes.count; i++)
        live += !graph->nodes.at[i]->removed;
    return live;
}

/* Records the tracked ancestors of each tracked node. */
static void record_order(const weir_graph *graph, weir_graph_snapshot *snapshot)
{
    snapshot->stride = weir_ceil_div(snapshot->tracked_count, 64);
    snapshot->before = WEIR_NEW_ARRAY(uint64_t, snapshot->tracked_count * snapshot->stride + 1);
    walk walk = {.graph = graph, .snapshot = snapshot};
    walk.order = weir_graph_order(graph, &walk.count);
    each_row(&walk, record, snapshot);
    weir_free(walk.order);
}

weir_graph_snapshot *weir_graph_snapshot_take(const weir_graph *graph)
{
    size_t count = graph->nodes.count;
    weir_graph_snapshot *snapshot = WEIR_NEW(weir_graph_snapshot);
    snapshot->node_count = count;
    snapshot->types = WEIR_NEW_ARRAY(uint32_t, 3 * count + 1);
    snapshot->tracked = (int32_t *)snapshot->types + count;
    snapshot->place = snapshot->tracked + count;
    bool effects = false;
    for (size_t i = 0; i < count; i++) {
        const weir_node *node = graph->nodes.at[i];
        snapshot->place[i] = -1;
        if (node->removed)
            continue;
        snapshot->types[i] = type_digest(node);
        bool effect = has_effect(node) && !only_a_value(node);
        if (!effect && !reads_state(node))
            continue;
        effects |= effect;
        snapshot->place[i] = (int32_t)snapshot->tracked_count;
        snapshot->tracked[snapshot->tracked_count++] = (int32_t)i;
    }
    if (snapshot->tracked_count > 1 && effects)
        record_order(graph, snapshot);
    return snapshot;
}

void weir_graph_snapshot_free(weir_graph_snapshot *snapshot)
{
    if (!snapshot)
        return;
    weir_free(snapshot->types);
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
    walk walk = {.graph = graph, .snapshot = before, .order = order, .count = count};
    lost_order lost = {0};
    bool cycle = count != live_count(graph);
    if (!cycle)
        each_row(&walk, compare, &lost);
    weir_free(order);
    if (cycle)
        return weir_error(WEIR_INTERNAL, "the graph has a cycle that is not a loop");
    if (lost.late)
        return weir_error(WEIR_INTERNAL, "node %s no longer runs before node %s",
                          lost.early->site.name, lost.late->site.name);
    return WEIR_OK;
}
