/* grad/structure.c - finds loops and conditionals in a graph from the graph alone. */
#include "grad/grad_impl.h"

static bool is(const weir_node *n, weir_flow flow)
{
    return weir_node_flow(n) == flow;
}

weir_edge weir_structure_canonical(weir_edge e)
{
    for (;;) {
        e = weir_flow_skip_identities(e);
        if (!weir_flow_is_branch(e.node) || weir_dtype_is_ref(weir_edge_type(e)))
            return e;
        e = e.node->in[0];
    }
}

weir_node *weir_structure_stack(weir_edge handle)
{
    for (weir_node *n = handle.node;; n = n->in[0].node) {
        if (is(n, WEIR_FLOW_STACK))
            return n;
        if (!is(n, WEIR_FLOW_ENTER) && !is(n, WEIR_FLOW_IDENTITY) && !is(n, WEIR_FLOW_SWITCH))
            return NULL;
    }
}

static weir_guard *intern(weir_engine *e, weir_guard *outer, weir_edge pred, int branch)
{
    weir_info *info = weir_engine_info(e, pred.node);
    for (weir_guard *g = info->guards; g; g = g->next)
        if (g->outer == outer && g->pred.index == pred.index && g->branch == branch)
            return g;
    weir_guard *g = WEIR_ARENA_NEW(&e->arena, weir_guard);
    *g = (weir_guard){
        .outer = outer,
        .next = info->guards,
        .pred = pred,
        .branch = branch,
        .depth = outer ? outer->depth + 1 : 1,
    };
    return info->guards = g;
}

weir_guard *weir_structure_guard(weir_engine *e, weir_edge edge)
{
    weir_guard *own = weir_engine_info(e, edge.node)->guard;
    if (edge.index < 0 || !weir_flow_is_branch(edge.node))
        return own;
    return intern(e, own, weir_structure_canonical(edge.node->in[1]), edge.index);
}

static weir_guard *deeper(weir_guard *a, weir_guard *b)
{
    return (b ? b->depth : 0) > (a ? a->depth : 0) ? b : a;
}

/* What two branches that join have in common. */
static weir_guard *common(weir_guard *a, weir_guard *b)
{
    while (a != b) {
        if ((a ? a->depth : 0) >= (b ? b->depth : 0))
            a = a->outer;
        else
            b = b->outer;
    }
    return a;
}

static weir_guard *node_guard(weir_engine *e, const weir_node *n)
{
    weir_guard *guard = NULL;
    if (is(n, WEIR_FLOW_MERGE)) {
        guard = weir_structure_guard(e, n->in[0]);
        for (int i = 1; i < n->site.in_count; i++)
            guard = common(guard, weir_structure_guard(e, n->in[i]));
        return guard;
    }
    for (int i = 0; i < n->site.in_count; i++)
        guard = deeper(guard, weir_structure_guard(e, n->in[i]));
    for (size_t i = 0; i < n->controls.count; i++)
        guard = deeper(guard, weir_engine_info(e, n->controls.at[i])->guard);
    return guard;
}

static int depth_of(const weir_loop *l)
{
    int depth = 0;
    for (; l; l = l->parent)
        depth++;
    return depth;
}

/* The frame in which a node's inputs stand: the innermost, for those that are in none of it. */
static weir_loop *frame_of_inputs(weir_engine *e, const weir_node *n)
{
    weir_loop *frame = NULL;
    for (int i = 0; i < n->site.in_count; i++) {
        weir_loop *l = weir_engine_info(e, n->in[i].node)->loop;
        frame = depth_of(l) > depth_of(frame) ? l : frame;
    }
    for (size_t i = 0; i < n->controls.count; i++) {
        weir_loop *l = weir_engine_info(e, n->controls.at[i])->loop;
        frame = depth_of(l) > depth_of(frame) ? l : frame;
    }
    return frame;
}

static weir_loop *loop_of_enter(weir_engine *e, weir_node *enter, weir_loop *parent)
{
    weir_str name = weir_node_attr(enter, "frame_name")->s;
    for (size_t i = 0; i < e->loops.count; i++)
        if (e->loops.at[i]->parent == parent && weir_str_is(name, e->loops.at[i]->name))
            return e->loops.at[i];
    weir_loop *l = WEIR_ARENA_NEW(&e->arena, weir_loop);
    l->parent = parent;
    l->name = weir_arena_strndup(&e->arena, name.at, name.length);
    l->parallel_iterations = weir_node_attr(enter, "parallel_iterations")->i;
    weir_vec_push(&e->loops, l);
    return l;
}

static void place(weir_engine *e, weir_node *n)
{
    weir_info *info = weir_engine_info(e, n);
    weir_loop *frame = frame_of_inputs(e, n);
    if (is(n, WEIR_FLOW_ENTER)) {
        info->loop = loop_of_enter(e, n, frame);
        info->loop->guard = deeper(info->loop->guard, node_guard(e, n));
        weir_vec_push(&info->loop->enters, n);
        return;
    }
    info->loop = frame;
    if (is(n, WEIR_FLOW_EXIT) && frame) {
        info->loop = frame->parent;
        info->guard = frame->guard;
        weir_vec_push(&frame->exits, n);
        return;
    }
    if (is(n, WEIR_FLOW_LOOP_COND) && frame)
        frame->cond = n;
    if (is(n, WEIR_FLOW_STACK_PUSH))
        weir_vec_push(&e->pushes, n);
    if (is(n, WEIR_FLOW_STACK_POP))
        weir_vec_push(&e->pops, n);
    if (!weir_flow_is_loop_merge(n))
        info->guard = node_guard(e, n);
}

static weir_node *user(weir_edge e, weir_flow flow)
{
    for (size_t i = 0; i < e.node->uses.count; i++) {
        const weir_use *u = &e.node->uses.at[i];
        if (u->output == e.index && u->input == 0 && is(u->node, flow) && !u->node->removed)
            return u->node;
    }
    return NULL;
}

static void find_variable(weir_loop *l, weir_node *enter)
{
    weir_node *merge = NULL;
    for (size_t i = 0; i < enter->uses.count && !merge; i++)
        if (enter->uses.at[i].output == 0 && is(enter->uses.at[i].node, WEIR_FLOW_MERGE))
            merge = enter->uses.at[i].node;
    if (!merge) {
        weir_vec_push(&l->invariants, enter);
        return;
    }
    weir_loop_var v = {.enter = enter, .merge = merge};
    for (int i = 0; i < merge->site.in_count; i++)
        if (is(merge->in[i].node, WEIR_FLOW_NEXT_ITERATION))
            v.next = merge->in[i].node;
    v.branch = user((weir_edge){merge, 0}, WEIR_FLOW_SWITCH);
    if (v.branch)
        v.exit = user((weir_edge){v.branch, 0}, WEIR_FLOW_EXIT);
    weir_vec_push(&l->vars, v);
}

void weir_structure_find(weir_engine *e)
{
    size_t count;
    weir_node **order = weir_graph_order(e->graph, &count);
    for (size_t i = 0; i < count; i++)
        place(e, order[i]);
    weir_free(order);
    for (size_t i = 0; i < e->loops.count; i++)
        for (size_t k = 0; k < e->loops.at[i]->enters.count; k++)
            find_variable(e->loops.at[i], e->loops.at[i]->enters.at[k]);
}
