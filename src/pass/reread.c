/* pass/reread.c - a variable's value as it is after an update that its reader waits for.
 *
 * A client reads a reference variable by one Identity, made beside the variable. TensorFlow's
 * updates change the buffer that all reads share, so a node that waits for an update sees the new
 * value though the Identity may have run before. Here what was read never changes: such a node gets
 * a read of its own, which waits for what the node waits for.
 */
#include "pass/reread.h"

typedef WEIR_VEC(weir_node *) nodes;

static bool is_variable(const weir_node *n)
{
    return weir_node_is(n, "VariableV2") || weir_node_is(n, "Variable");
}

/* The variable that |n| reads as a whole; null for other nodes. */
static weir_node *read_by(const weir_node *n)
{
    bool reads = weir_node_is(n, "Identity") && weir_dtype_is_ref(weir_edge_type(n->in[0]));
    return reads && is_variable(n->in[0].node) ? n->in[0].node : NULL;
}

/* Changes |variable| in its buffer. Assign gives it another one, which reads do not share. */
static bool updates(const weir_node *n, const weir_node *variable)
{
    for (int a = 0; a < n->site.def->in_count && !weir_node_is(n, "Assign"); a++) {
        weir_range r = weir_site_in(&n->site, a);
        for (int i = 0; n->site.def->in[a].is_ref && i < r.count; i++)
            if (n->in[r.start + i].node == variable)
                return true;
    }
    return false;
}

/* Beyond these, a node may run though the update did not, or in another frame. */
static bool is_boundary(const weir_node *n)
{
    static const char *const ops[] = {"Merge", "RefMerge", "Enter",         "RefEnter",
                                      "Exit",  "RefExit",  "NextIteration", "RefNextIteration"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (weir_node_is(n, ops[i]))
            return true;
    return false;
}

/* Marks what runs after |update|. */
static bool *find_later(const weir_node *update)
{
    bool *later = WEIR_NEW_ARRAY(bool, update->graph->nodes.count);
    WEIR_VEC(const weir_node *) work = {0};
    weir_vec_push(&work, update);
    while (work.count) {
        const weir_node *n = work.at[--work.count];
        for (size_t i = 0; i < n->uses.count; i++) {
            weir_node *user = n->uses.at[i].node;
            if (later[user->id] || is_boundary(user))
                continue;
            later[user->id] = true;
            weir_vec_push(&work, user);
        }
    }
    weir_vec_fini(&work);
    return later;
}

/* The read that |user| has for itself; made on first use. */
static weir_status own_read(weir_node *read, weir_node *user, weir_node **out)
{
    if (read->uses.count == 1) {
        *out = read;
        return WEIR_OK;
    }
    weir_buf name = {0};
    weir_buf_addf(&name, "%s/read", user->site.name);
    weir_status s = weir_graph_copy_node(
        read->graph, read, weir_graph_unique_name(read->graph, name.at), read->in, out);
    weir_buf_fini(&name);
    WEIR_TRY(s);
    for (size_t i = 0; i < read->controls.count; i++)
        weir_graph_add_control(read->controls.at[i], *out);
    for (int i = 0; i < user->site.in_count; i++)
        if (user->in[i].node == read)
            weir_graph_set_input(user, i, (weir_edge){*out, 0});
    return WEIR_OK;
}

/* |later| knows the first |known| nodes; the reads behind them wait for |update| already. */
static weir_status read_after(weir_node *update, weir_node *read, const bool *later, size_t known)
{
    nodes users = {0};
    for (size_t i = 0; i < read->uses.count; i++) {
        const weir_use *u = &read->uses.at[i];
        bool listed = users.count && users.at[users.count - 1] == u->node;
        if (u->input >= 0 && (size_t)u->node->id < known && later[u->node->id] && !listed)
            weir_vec_push(&users, u->node);
    }
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < users.count && !s && !later[read->id]; i++) {
        weir_node *own;
        s = own_read(read, users.at[i], &own);
        if (!s)
            weir_graph_add_control(update, own);
    }
    weir_vec_fini(&users);
    return s;
}

static weir_status visit(weir_node *variable)
{
    size_t uses = variable->uses.count;
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < uses && !s; i++) {
        weir_node *update = variable->uses.at[i].node;
        if (variable->uses.at[i].input < 0 || !updates(update, variable))
            continue;
        size_t known = variable->graph->nodes.count;
        bool *later = find_later(update);
        for (size_t k = 0; k < variable->uses.count && !s; k++) {
            weir_node *read = variable->uses.at[k].node;
            if (read_by(read) == variable && (size_t)read->id < known)
                s = read_after(update, read, later, known);
        }
        weir_free(later);
    }
    return s;
}

weir_status weir_reread(weir_graph *g)
{
    size_t count = g->nodes.count;
    for (size_t i = 0; i < count; i++)
        if (!g->nodes.at[i]->removed && is_variable(g->nodes.at[i]))
            WEIR_TRY(visit(g->nodes.at[i]));
    return WEIR_OK;
}
