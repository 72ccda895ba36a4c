/* pass/late_reads.c - who comes after an update of a variable reads it updated.
 *
 * In TensorFlow an Identity of a reference shows the variable's own memory: a node that has it as
 * an input and comes after an update, by whatever edges, sees the variable updated, although the
 * Identity ran before. Programs depend on it; the token that ends a step of SyncReplicasOptimizer
 * is one. Here what was read never changes, so such a node gets an Identity of its own, after the
 * update.
 */
#include "pass/late_reads.h"

#include "pass/pass_impl.h"

typedef WEIR_VEC(weir_node *) node_list;

static bool is_one_of(const weir_node *n, const char *const *ops)
{
    for (; *ops; ops++)
        if (weir_node_is(n, *ops))
            return true;
    return false;
}

/* Nodes whose outputs are in another frame, or live though an input is dead: the order of what
 * comes behind them is not that of control edges from before. */
static bool ends_order(const weir_node *n)
{
    static const char *const ops[] = {"Enter",   "RefEnter",      "Exit",
                                      "RefExit", "NextIteration", "RefNextIteration",
                                      "Merge",   "RefMerge",      NULL};
    return is_one_of(n, ops);
}

/* The nodes that change what |ref| refers to. */
static void find_updates(weir_edge ref, node_list *out)
{
    static const char *const harmless[] = {"IsVariableInitialized", "RefIdentity", "RefSwitch",
                                           "RefEnter", NULL};
    for (size_t i = 0; i < ref.node->uses.count; i++) {
        const weir_use *u = &ref.node->uses.at[i];
        if (u->input >= 0 && u->output == ref.index &&
            weir_dtype_is_ref(u->node->site.in_types[u->input]) && !is_one_of(u->node, harmless))
            weir_vec_push(out, u->node);
    }
}

/* Marks, by id, everything that waits for |first| in its own frame. */
static void mark_later(weir_node *first, bool *later)
{
    node_list queue = {0};
    weir_vec_push(&queue, first);
    while (queue.count) {
        const weir_node *n = queue.at[--queue.count];
        for (size_t i = 0; i < n->uses.count; i++) {
            weir_node *user = n->uses.at[i].node;
            if (later[user->id] || ends_order(user))
                continue;
            later[user->id] = true;
            weir_vec_push(&queue, user);
        }
    }
    weir_vec_fini(&queue);
}

/* Uses of |read| that come after |update| read again, by |again| (one per use, null at first). Only
 * on the same device: between devices TensorFlow sends what was read. */
static weir_status read_after(weir_node *read, weir_node *update, const bool *later,
                              weir_node **again)
{
    for (size_t i = 0, count = read->uses.count; i < count; i++) {
        weir_use u = read->uses.at[i];
        if (u.input < 0 || !later[u.node->id] ||
            strcmp(u.node->site.device, read->site.device) != 0)
            continue;
        weir_node_spec spec = {.op = "Identity", .in = read->in, .in_count = 1};
        if (!again[i])
            WEIR_TRY(weir_pass_add(read, "", "/late", &spec, &again[i]));
        weir_graph_add_control(update, again[i]);
    }
    return WEIR_OK;
}

/* Hands the uses over to those that read again. */
static void replace_uses(weir_node *read, weir_node *const *again, size_t count)
{
    WEIR_VEC(weir_use) uses = {0};
    for (size_t i = 0; i < count; i++)
        weir_vec_push(&uses, read->uses.at[i]);
    for (size_t i = 0; i < count; i++) {
        if (!again[i])
            continue;
        for (size_t k = 0; k < read->controls.count; k++)
            weir_graph_add_control(read->controls.at[k], again[i]);
        weir_graph_set_input(uses.at[i].node, uses.at[i].input, (weir_edge){again[i], 0});
    }
    weir_vec_fini(&uses);
}

static weir_status check_read(weir_node *read)
{
    node_list updates = {0};
    find_updates(read->in[0], &updates);
    size_t use_count = read->uses.count;
    weir_node **again = WEIR_NEW_ARRAY(weir_node *, use_count);
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < updates.count && !s; i++) {
        bool *later = WEIR_NEW_ARRAY(bool, read->graph->nodes.count);
        mark_later(updates.at[i], later);
        if (!later[read->id]) /* else it reads what the update left as it is */
            s = read_after(read, updates.at[i], later, again);
        weir_free(later);
    }
    if (!s)
        replace_uses(read, again, use_count);
    weir_free(again);
    weir_vec_fini(&updates);
    return s;
}

weir_status weir_late_reads(weir_graph *g)
{
    for (size_t i = 0, count = g->nodes.count; i < count; i++) {
        weir_node *n = g->nodes.at[i];
        if (!n->removed && weir_node_is(n, "Identity") &&
            weir_dtype_is_ref(weir_edge_type(n->in[0])))
            WEIR_TRY(check_read(n));
    }
    return WEIR_OK;
}
