/* exec/read_after_write.c - who waits for a change of a variable sees it, though the read was
 * early.
 *
 * In TensorFlow, Identity of a reference shares the variable's memory, and updates happen in place:
 * a node that waits for an update reads what the update wrote, even when the Identity between it
 * and the variable ran before. Programs depend on it (the tokens of synchronous replicas carry the
 * global step that was just increased). Here reads are snapshots, so such nodes are given the
 * reference itself, which they read as they run; a control edge keeps the Identity before them.
 */
#include "exec/plan_impl.h"

typedef WEIR_VEC(weir_node *) node_list;

typedef struct reads {
    weir_graph *g;
    node_list early;   /* what reads the variable and hands the value on */
    node_list changes; /* what takes its reference to change it */
    node_list queue;
    uint32_t *seen; /* by node id: the round that reached it */
    uint32_t round;
} reads;

static bool hands_on_value(const weir_node *n)
{
    weir_flow flow = weir_node_flow(n);
    return flow == WEIR_FLOW_IDENTITY || flow == WEIR_FLOW_FORWARD;
}

static bool hands_on_reference(const weir_node *n)
{
    return weir_node_flow(n) != WEIR_FLOW_NONE;
}

static bool gives_reference(const weir_node *n)
{
    return n->site.out_count == 1 && weir_dtype_is_ref(n->site.out_types[0]);
}

/* Sorts the users of a variable's reference, and of the references that come from it. */
static void sort_users(reads *r, weir_node *variable)
{
    r->early.count = r->changes.count = r->queue.count = 0;
    r->round++;
    weir_vec_push(&r->queue, variable);
    for (size_t at = 0; at < r->queue.count; at++) {
        weir_node *n = r->queue.at[at];
        for (size_t i = 0; i < n->uses.count; i++) {
            const weir_use *u = &n->uses.at[i];
            if (u->input < 0 || !weir_dtype_is_ref(n->site.out_types[u->output]))
                continue;
            if (!weir_dtype_is_ref(u->node->site.in_types[u->input])) {
                if (n == variable && hands_on_value(u->node))
                    weir_vec_push(&r->early, u->node);
                continue;
            }
            if (r->seen[u->node->id] == r->round) /* references may go round a loop */
                continue;
            r->seen[u->node->id] = r->round;
            if (!hands_on_reference(u->node))
                weir_vec_push(&r->changes, u->node);
            weir_vec_push(&r->queue, u->node);
        }
    }
}

/* Marks everything that waits for one of the changes. */
static void mark_later(reads *r)
{
    r->round++;
    r->queue.count = 0;
    for (size_t i = 0; i < r->changes.count; i++)
        weir_vec_push(&r->queue, r->changes.at[i]);
    while (r->queue.count) {
        weir_node *n = r->queue.at[--r->queue.count];
        for (size_t i = 0; i < n->uses.count; i++) {
            weir_node *user = n->uses.at[i].node;
            if (r->seen[user->id] == r->round)
                continue;
            r->seen[user->id] = r->round;
            weir_vec_push(&r->queue, user);
        }
    }
}

static bool is_later(const reads *r, const weir_node *n)
{
    return r->seen[n->id] == r->round && weir_node_flow(n) != WEIR_FLOW_MERGE;
}

/* Users of output |output| of |early| that wait for a change take |reference| instead. */
static void rewire(reads *r, weir_node *early, int output, weir_edge reference)
{
    for (size_t i = 0; i < early->uses.count;) {
        weir_use u = early->uses.at[i];
        if (u.input < 0 || u.output != output || !is_later(r, u.node)) {
            i++;
            continue;
        }
        weir_graph_set_input(u.node, u.input, reference); /* takes the use off the list */
        weir_graph_add_control(early, u.node);
    }
}

static bool any_later(const reads *r, const weir_node *n)
{
    for (size_t i = 0; i < n->uses.count; i++)
        if (n->uses.at[i].input >= 0 && is_later(r, n->uses.at[i].node))
            return true;
    return false;
}

/* A Switch of what was read becomes one of the reference, for those after it that come later. */
static weir_status rewire_branches(reads *r, weir_node *early, weir_node *variable)
{
    for (size_t i = 0; i < early->uses.count; i++) {
        weir_node *branch = early->uses.at[i].node;
        if (early->uses.at[i].input != 0 || weir_node_flow(branch) != WEIR_FLOW_SWITCH ||
            !any_later(r, branch))
            continue;
        weir_edge in[] = {{variable, 0}, branch->in[1]};
        weir_node_spec spec = {.name = weir_graph_unique_name(r->g, branch->site.name),
                               .op = "RefSwitch",
                               .in = in,
                               .in_count = 2,
                               .controls = &early,
                               .control_count = 1,
                               .device = branch->site.device};
        weir_node *of_reference;
        WEIR_TRY(weir_graph_add(r->g, &spec, &of_reference));
        of_reference->site.device = branch->site.device;
        for (int k = 0; k < 2; k++)
            rewire(r, branch, k, (weir_edge){of_reference, k});
    }
    return WEIR_OK;
}

static weir_status read_late(reads *r, weir_node *variable)
{
    sort_users(r, variable);
    if (!r->early.count || !r->changes.count)
        return WEIR_OK;
    mark_later(r);
    for (size_t i = 0; i < r->early.count; i++) {
        weir_node *early = r->early.at[i];
        if (is_later(r, early))
            continue;
        rewire(r, early, 0, (weir_edge){variable, 0});
        WEIR_TRY(rewire_branches(r, early, variable));
    }
    return WEIR_OK;
}

weir_status weir_plan_read_after_write(weir_graph *g)
{
    size_t count = g->nodes.count;
    reads r = {.g = g, .seen = WEIR_NEW_ARRAY(uint32_t, count * 2)}; /* a Switch is doubled once */
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < count && !s; i++) {
        weir_node *n = g->nodes.at[i];
        if (!n->removed && gives_reference(n) && n->site.in_count == 0)
            s = read_late(&r, n);
    }
    weir_vec_fini(&r.early);
    weir_vec_fini(&r.changes);
    weir_vec_fini(&r.queue);
    weir_free(r.seen);
    return s;
}
