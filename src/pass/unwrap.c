/* pass/unwrap.c - redirects readers of inlined calls, conditionals and loops to the values'
 * sources.
 *
 * Runs without optimisation, too: what a call takes and does not use is not needed then, may not be
 * valid, and TensorFlow does not compute it either.
 *
 * An IdentityN, which replaces an inlined call, is dead when one of its inputs is. So an input
 * replaces an output only when both are dead in the same cases: otherwise a loop whose body returns
 * a loop invariant through a call would not end.
 *
 * A call begins when all of its inputs are available, so its outputs follow every change of state
 * before it. An input that some of these changes do not precede does not replace an output.
 */
#include "graph/flow.h"
#include "graph/paste.h"
#include "pass/pass_impl.h"

/* What decides whether a value is alive, within an iteration of its loop; null: it always is. */
typedef struct guard {
    struct guard *outer;
    struct guard *next; /* of the same node */
    weir_edge pred;     /* or a node whose inputs have different guards, and output -1 */
    int branch, depth;
} guard;

enum {
    EFFECTS = 128, /* are compared at a time */
    LAGS = 3,      /* the last one: that or more */
};

/* Which changes of state come before a node, by the back edges between: one of this iteration of
 * the loop is another than one of the iteration before, and only the latter precedes a value that
 * comes by a back edge. */
typedef struct effects {
    uint64_t bits[LAGS][EFFECTS / 64];
} effects;

/* A node whose outputs may be replaced, all but those whose inputs do not follow what it follows.
 */
typedef struct candidate {
    weir_node *node;
    bool *behind; /* by input: some change of state precedes the node, but not the input */
} candidate;

typedef struct unwrapping {
    weir_arena arena;
    WEIR_VEC(candidate) candidates;
    effects *before;  /* by node id */
    guard **guards;   /* by node id: of the node */
    guard **made;     /* by node id of the predicate */
    weir_map entries; /* by frame name: a frame_entry */
} unwrapping;

/* Of a frame, by its Enters: its Exits are alive when all of them are. */
typedef struct frame_entry {
    guard *guard;
} frame_entry;

static guard *intern(unwrapping *un, guard *outer, weir_edge pred, int branch)
{
    guard **first = &un->made[pred.node->id];
    for (guard *one = *first; one; one = one->next)
        if (one->outer == outer && one->pred.index == pred.index && one->branch == branch)
            return one;
    guard *made = WEIR_ARENA_NEW(&un->arena, guard);
    *made = (guard){.outer = outer,
                    .next = *first,
                    .pred = pred,
                    .branch = branch,
                    .depth = outer ? outer->depth + 1 : 1};
    return *first = made;
}

enum { FAR = 1000 }; /* guards with a larger difference of depths are not compared */

static int depth_of(const guard *guard)
{
    return guard ? guard->depth : 0;
}

/* A guard that equals no other: |node|'s inputs have different ones. */
static guard *alone(unwrapping *un, guard *outer, weir_node *node)
{
    return intern(un, outer, (weir_edge){node, -1}, 0);
}

/* The guard of a value that is dead when one of two inputs of |at| is. */
static guard *both(unwrapping *un, guard *a, guard *b, weir_node *at)
{
    guard *deeper = depth_of(a) > depth_of(b) ? a : b, *other = deeper == a ? b : a;
    guard *outer = deeper;
    if (!other)
        return deeper;
    for (int i = 0; i < FAR && outer->depth > other->depth; i++)
        outer = outer->outer;
    return outer == other ? deeper : alone(un, deeper, at);
}

/* Of what is alive when either is; |at| is where the two join. */
static guard *either(unwrapping *un, guard *a, guard *b, weir_node *at)
{
    for (int i = 0; i < FAR && a != b; i++) {
        guard **deeper = depth_of(a) > depth_of(b) ? &a : &b;
        *deeper = (*deeper)->outer;
    }
    return a == b ? a : alone(un, NULL, at);
}

static guard *of_edge(unwrapping *un, weir_edge edge)
{
    guard *own = un->guards[edge.node->id];
    if (!weir_flow_is_branch(edge.node) && !weir_flow_is_loop_switch(edge.node))
        return own;
    return intern(un, own, weir_flow_skip_identities(edge.node->in[1]), edge.index);
}

static guard *of_inputs(unwrapping *un, weir_node *node)
{
    guard *all = NULL;
    for (int i = 0; i < node->site.in_count; i++)
        all = both(un, all, of_edge(un, node->in[i]), node);
    for (size_t i = 0; i < node->controls.count; i++)
        all = both(un, all, un->guards[node->controls.at[i]->id], node);
    return all;
}

static frame_entry *entry_of(unwrapping *un, const weir_node *enter)
{
    weir_str name = weir_node_attr(enter, "frame_name")->s;
    frame_entry *entry = weir_map_get(&un->entries, name);
    if (!entry) {
        entry = WEIR_ARENA_NEW(&un->arena, frame_entry);
        weir_map_put(&un->entries, name, entry);
    }
    return entry;
}

/* Of the loop that |exit| leaves; null: it is not a whole one. */
static const weir_node *enter_of(const weir_node *exit)
{
    const weir_node *at = exit;
    for (int i = 0; i < 3 && at->site.in_count; i++)
        at = at->in[0].node;
    return weir_node_flow(at) == WEIR_FLOW_ENTER ? at : NULL;
}

static guard *of_node(unwrapping *un, weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    guard *inputs = flow == WEIR_FLOW_MERGE ? NULL : of_inputs(un, node);
    if (flow == WEIR_FLOW_ENTER) {
        frame_entry *entry = entry_of(un, node);
        entry->guard = both(un, entry->guard, inputs, node);
        return NULL;
    }
    if (flow == WEIR_FLOW_EXIT) {
        const weir_node *enter = enter_of(node);
        return enter ? entry_of(un, enter)->guard : alone(un, NULL, node);
    }
    if (flow != WEIR_FLOW_MERGE)
        return inputs;
    if (weir_flow_is_loop_merge(node))
        return NULL;
    inputs = of_edge(un, node->in[0]);
    for (int i = 1; i < node->site.in_count; i++)
        inputs = either(un, inputs, of_edge(un, node->in[i]), node);
    return inputs;
}

static void find_guards(unwrapping *un, weir_graph *graph)
{
    size_t count;
    WEIR_FREED weir_node **order = weir_graph_order(graph, &count);
    for (size_t i = 0; i < count; i++)
        un->guards[order[i]->id] = of_node(un, order[i]);
}

/* |lag|: further back edges between. */
static bool add_effects(effects *to, const effects *from, int lag)
{
    bool more = false;
    for (int k = 0; k < LAGS; k++) {
        uint64_t *bits = to->bits[k + lag < LAGS ? k + lag : LAGS - 1];
        for (int i = 0; i < EFFECTS / 64; i++) {
            more |= (from->bits[k][i] & ~bits[i]) != 0;
            bits[i] |= from->bits[k][i];
        }
    }
    return more;
}

static bool find_effects_of(unwrapping *un, const weir_node *node)
{
    effects *all = &un->before[node->id];
    bool more = false;
    for (int i = 0; i < node->site.in_count; i++)
        more |= add_effects(all, &un->before[node->in[i].node->id],
                            weir_node_flow(node->in[i].node) == WEIR_FLOW_NEXT_ITERATION);
    for (size_t i = 0; i < node->controls.count; i++)
        more |= add_effects(all, &un->before[node->controls.at[i]->id], 0);
    return more;
}

/* Extends |before| to all that follows: once, and again for each level of loops, whose back edges
 * bring further effects. */
static void spread_effects(unwrapping *un, weir_node *const *order, size_t count)
{
    bool more = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < count; i++)
            more |= find_effects_of(un, order[i]);
    }
}

static void compare_effects(unwrapping *un)
{
    for (size_t i = 0; i < un->candidates.count; i++) {
        const candidate *one = &un->candidates.at[i];
        for (int k = 0; k < one->node->site.in_count; k++) {
            effects own = un->before[one->node->in[k].node->id];
            one->behind[k] |= add_effects(&own, &un->before[one->node->id], 0);
        }
    }
}

static void find_inputs_behind(unwrapping *un, weir_graph *graph)
{
    size_t count, at = 0;
    WEIR_FREED weir_node **order = weir_graph_order(graph, &count);
    while (at < count) {
        memset(un->before, 0, sizeof *un->before * graph->nodes.count);
        for (int used = 0; at < count && used < EFFECTS; at++)
            if (weir_node_has_effect(order[at])) {
                un->before[order[at]->id].bits[0][used / 64] |= (uint64_t)1 << used % 64;
                used++;
            }
        spread_effects(un, order, count);
        compare_effects(un);
    }
}

static bool only_hands_on(const weir_node *node)
{
    if (weir_node_flow(node) != WEIR_FLOW_IDENTITY_N || node->controls.count)
        return false;
    for (int i = 0; i < node->site.in_count; i++)
        if (node->site.out_types[i] != weir_edge_type(node->in[i]))
            return false;
    return true;
}

static void find_candidates(unwrapping *un, weir_graph *graph, const weir_pass_env *env)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        weir_node *node = graph->nodes.at[i];
        if (node->removed || weir_pass_kept(env, node) || !only_hands_on(node))
            continue;
        bool *behind = WEIR_ARENA_ARRAY(&un->arena, bool, node->site.in_count);
        weir_vec_push(&un->candidates, (candidate){node, behind});
    }
}

/* What waits for all of its values still does. */
static void unwrap(unwrapping *un, const candidate *one)
{
    weir_node *node = one->node;
    for (int k = 0; k < node->site.in_count; k++)
        if (of_edge(un, node->in[k]) == un->guards[node->id] && !one->behind[k])
            weir_graph_replace((weir_edge){node, k}, node->in[k]);
    if (!node->uses.count)
        weir_graph_remove(node);
}

static void unwrap_candidates(unwrapping *un, weir_graph *graph)
{
    un->before = WEIR_NEW_ARRAY(effects, graph->nodes.count);
    un->guards = WEIR_NEW_ARRAY(guard *, graph->nodes.count);
    un->made = WEIR_NEW_ARRAY(guard *, graph->nodes.count);
    find_guards(un, graph);
    find_inputs_behind(un, graph);
    for (size_t i = 0; i < un->candidates.count; i++)
        unwrap(un, &un->candidates.at[i]);
    weir_map_fini(&un->entries);
    weir_free(un->before);
    weir_free(un->guards);
    weir_free(un->made);
}

weir_status weir_pass_unwrap(weir_graph *graph, const weir_pass_env *env)
{
    unwrapping un = {0};
    weir_arena_init(&un.arena);
    find_candidates(&un, graph, env);
    if (un.candidates.count)
        unwrap_candidates(&un, graph);
    weir_vec_fini(&un.candidates);
    weir_arena_fini(&un.arena);
    return WEIR_OK;
}
