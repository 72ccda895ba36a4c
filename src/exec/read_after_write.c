/* exec/read_after_write.c - nodes that wait for a change of a variable see it, though they read it
 * earlier.
 *
 * In TensorFlow, Identity of a reference shares the variable's memory, and updates happen in place:
 * a node that waits for an update reads what the update wrote, even when the Identity between it
 * and the variable ran before. Programs depend on it (the tokens of synchronous replicas carry the
 * global step that was just increased). Here reads are snapshots, so such nodes get the reference
 * itself, which they read when they run; a control edge keeps the Identity before them.
 */
#include "exec/plan_impl.h"

typedef WEIR_VEC(weir_node *) node_list;

typedef struct reads {
    weir_graph *g;
    node_list early;   /* nodes that read the variable and forward the value */
    node_list changes; /* nodes that take its reference to change it */
    node_list queue;
    uint32_t *seen; /* by node id: the round that visited it */
    uint32_t round;
} reads;

static bool hands_on_value(const weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    return flow == WEIR_FLOW_IDENTITY || flow == WEIR_FLOW_FORWARD;
}

static bool hands_on_reference(const weir_node *node)
{
    return weir_node_flow(node) != WEIR_FLOW_NONE;
}

static bool gives_reference(const weir_node *node)
{
    return node->site.out_count == 1 && weir_dtype_is_ref(node->site.out_types[0]);
}

/* Classifies the users of a variable's reference, and of references derived from it. */
static void sort_users(reads *reads, weir_node *variable)
{
    reads->early.count = reads->changes.count = reads->queue.count = 0;
    reads->round++;
    weir_vec_push(&reads->queue, variable);
    for (size_t at = 0; at < reads->queue.count; at++) {
        weir_node *node = reads->queue.at[at];
        for (size_t i = 0; i < node->uses.count; i++) {
            const weir_use *use = &node->uses.at[i];
            if (use->input < 0 || !weir_dtype_is_ref(node->site.out_types[use->output]))
                continue;
            if (!weir_dtype_is_ref(use->node->site.in_types[use->input])) {
                if (node == variable && hands_on_value(use->node))
                    weir_vec_push(&reads->early, use->node);
                continue;
            }
            if (reads->seen[use->node->id] == reads->round) /* references may go round a loop */
                continue;
            reads->seen[use->node->id] = reads->round;
            if (!hands_on_reference(use->node))
                weir_vec_push(&reads->changes, use->node);
            weir_vec_push(&reads->queue, use->node);
        }
    }
}

/* Marks all nodes after one of the changes. */
static void mark_later(reads *reads)
{
    reads->round++;
    reads->queue.count = 0;
    for (size_t i = 0; i < reads->changes.count; i++)
        weir_vec_push(&reads->queue, reads->changes.at[i]);
    while (reads->queue.count) {
        weir_node *node = reads->queue.at[--reads->queue.count];
        for (size_t i = 0; i < node->uses.count; i++) {
            weir_node *user = node->uses.at[i].node;
            if (reads->seen[user->id] == reads->round)
                continue;
            reads->seen[user->id] = reads->round;
            weir_vec_push(&reads->queue, user);
        }
    }
}

static bool is_later(const reads *reads, const weir_node *node)
{
    return reads->seen[node->id] == reads->round && weir_node_flow(node) != WEIR_FLOW_MERGE;
}

/* Users of output |output| of |early| that wait for a change take |reference| instead. */
static void rewire(reads *reads, weir_node *early, int output, weir_edge reference)
{
    for (size_t i = 0; i < early->uses.count;) {
        weir_use use = early->uses.at[i];
        if (use.input < 0 || use.output != output || !is_later(reads, use.node)) {
            i++;
            continue;
        }
        weir_graph_set_input(use.node, use.input, reference); /* removes the use from the list */
        weir_graph_add_control(early, use.node);
    }
}

static bool any_later(const reads *reads, const weir_node *node)
{
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.at[i].input >= 0 && is_later(reads, node->uses.at[i].node))
            return true;
    return false;
}

/* Replaces a Switch of the read value by one of the reference, for later nodes after it. */
static weir_status rewire_branches(reads *reads, weir_node *early, weir_node *variable)
{
    for (size_t i = 0; i < early->uses.count; i++) {
        weir_node *branch = early->uses.at[i].node;
        if (early->uses.at[i].input != 0 || weir_node_flow(branch) != WEIR_FLOW_SWITCH ||
            !any_later(reads, branch))
            continue;
        weir_edge in[] = {{variable, 0}, branch->in[1]};
        weir_node_spec spec = {.name = weir_graph_unique_name(reads->g, branch->site.name),
                               .op = "RefSwitch",
                               .in = in,
                               .in_count = 2,
                               .controls = &early,
                               .control_count = 1,
                               .device = branch->site.device};
        weir_node *of_reference;
        WEIR_TRY(weir_graph_add(reads->g, &spec, &of_reference));
        of_reference->site.device = branch->site.device;
        for (int k = 0; k < 2; k++)
            rewire(reads, branch, k, (weir_edge){of_reference, k});
    }
    return WEIR_OK;
}

static weir_status read_after_write(reads *reads, weir_node *variable)
{
    sort_users(reads, variable);
    if (!reads->early.count || !reads->changes.count)
        return WEIR_OK;
    mark_later(reads);
    for (size_t i = 0; i < reads->early.count; i++) {
        weir_node *early = reads->early.at[i];
        if (is_later(reads, early))
            continue;
        rewire(reads, early, 0, (weir_edge){variable, 0});
        WEIR_TRY(rewire_branches(reads, early, variable));
    }
    return WEIR_OK;
}

weir_status weir_plan_read_after_write(weir_graph *graph)
{
    size_t count = graph->nodes.count;
    reads reads = {.g = graph,
                   .seen = WEIR_NEW_ARRAY(uint32_t, count * 2)}; /* a Switch is doubled once */
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++) {
        weir_node *node = graph->nodes.at[i];
        if (!node->removed && gives_reference(node) && node->site.in_count == 0)
            status = read_after_write(&reads, node);
    }
    weir_vec_fini(&reads.early);
    weir_vec_fini(&reads.changes);
    weir_vec_fini(&reads.queue);
    weir_free(reads.seen);
    return status;
}
