/* grad/structure.c - reconstructs loops and conditionals from the graph. */
#include "grad/grad_impl.h"

static bool is(const weir_node *node, weir_flow flow)
{
    return weir_node_flow(node) == flow;
}

weir_edge weir_structure_canonical(weir_edge edge)
{
    for (;;) {
        edge = weir_flow_skip_identities(edge);
        if (!weir_flow_is_branch(edge.node) || weir_dtype_is_ref(weir_edge_type(edge)))
            return edge;
        edge = edge.node->in[0];
    }
}

weir_node *weir_structure_stack(weir_edge handle)
{
    for (weir_node *node = handle.node;; node = node->in[0].node) {
        if (is(node, WEIR_FLOW_STACK))
            return node;
        if (!is(node, WEIR_FLOW_ENTER) && !is(node, WEIR_FLOW_IDENTITY) &&
            !is(node, WEIR_FLOW_SWITCH))
            return NULL;
    }
}

static weir_guard *intern(weir_engine *engine, weir_guard *outer, weir_edge pred, int branch)
{
    weir_info *info = weir_engine_info(engine, pred.node);
    for (weir_guard *guard = info->guards; guard; guard = guard->next)
        if (guard->outer == outer && guard->pred.index == pred.index && guard->branch == branch)
            return guard;
    weir_guard *guard = WEIR_ARENA_NEW(&engine->arena, weir_guard);
    *guard = (weir_guard){
        .outer = outer,
        .next = info->guards,
        .pred = pred,
        .branch = branch,
        .depth = outer ? outer->depth + 1 : 1,
    };
    return info->guards = guard;
}

weir_guard *weir_structure_guard(weir_engine *engine, weir_edge edge)
{
    weir_guard *own = weir_engine_info(engine, edge.node)->guard;
    if (edge.index < 0 || !weir_flow_is_branch(edge.node))
        return own;
    return intern(engine, own, weir_structure_canonical(edge.node->in[1]), edge.index);
}

static weir_guard *deeper(weir_guard *a, weir_guard *b)
{
    return (b ? b->depth : 0) > (a ? a->depth : 0) ? b : a;
}

/* The common outer guard of two branches that join. */
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

static weir_guard *node_guard(weir_engine *engine, const weir_node *node)
{
    weir_guard *guard = NULL;
    if (is(node, WEIR_FLOW_MERGE)) {
        guard = weir_structure_guard(engine, node->in[0]);
        for (int i = 1; i < node->site.in_count; i++)
            guard = common(guard, weir_structure_guard(engine, node->in[i]));
        return guard;
    }
    for (int i = 0; i < node->site.in_count; i++)
        guard = deeper(guard, weir_structure_guard(engine, node->in[i]));
    for (size_t i = 0; i < node->controls.count; i++)
        guard = deeper(guard, weir_engine_info(engine, node->controls.at[i])->guard);
    return guard;
}

static int depth_of(const weir_loop *loop)
{
    int depth = 0;
    for (; loop; loop = loop->parent)
        depth++;
    return depth;
}

/* The frame of a node's inputs: the innermost of all inputs. */
static weir_loop *frame_of_inputs(weir_engine *engine, const weir_node *node)
{
    weir_loop *frame = NULL;
    for (int i = 0; i < node->site.in_count; i++) {
        weir_loop *loop = weir_engine_info(engine, node->in[i].node)->loop;
        frame = depth_of(loop) > depth_of(frame) ? loop : frame;
    }
    for (size_t i = 0; i < node->controls.count; i++) {
        weir_loop *loop = weir_engine_info(engine, node->controls.at[i])->loop;
        frame = depth_of(loop) > depth_of(frame) ? loop : frame;
    }
    return frame;
}

/* Values may pass between frames by Enter and Exit only; other structures are rejected, because the
 * walk by frames would miss them. */
static weir_status check_frame(weir_engine *engine, const weir_node *node)
{
    const weir_loop *frame = frame_of_inputs(engine, node);
    bool fits = frame || !is(node, WEIR_FLOW_EXIT);
    for (int i = 0; i < node->site.in_count && fits; i++) {
        const weir_info *in = weir_engine_info(engine, node->in[i].node);
        fits = !in->between || in->loop == frame;
    }
    return fits ? WEIR_OK
                : weir_error(WEIR_INVALID_ARGUMENT,
                             "Node '%s' has inputs of different loops, or leaves a loop that it "
                             "is not in: it has no gradient",
                             node->site.name);
}

weir_status weir_structure_check(weir_engine *engine)
{
    for (size_t i = 0; i < engine->graph->nodes.count; i++) {
        const weir_node *node = engine->graph->nodes.at[i];
        if (!node->removed && weir_engine_info(engine, node)->between)
            WEIR_TRY(check_frame(engine, node));
    }
    return WEIR_OK;
}

static weir_loop *loop_of_enter(weir_engine *engine, weir_node *enter, weir_loop *parent)
{
    weir_str name = weir_node_attr(enter, "frame_name")->s;
    for (size_t i = 0; i < engine->loops.count; i++)
        if (engine->loops.at[i]->parent == parent && weir_str_is(name, engine->loops.at[i]->name))
            return engine->loops.at[i];
    weir_loop *loop = WEIR_ARENA_NEW(&engine->arena, weir_loop);
    loop->parent = parent;
    loop->name = weir_arena_strndup(&engine->arena, name.at, name.length);
    loop->parallel_iterations = weir_node_attr(enter, "parallel_iterations")->i;
    weir_vec_push(&engine->loops, loop);
    return loop;
}

static void place(weir_engine *engine, weir_node *node)
{
    weir_info *info = weir_engine_info(engine, node);
    weir_loop *frame = frame_of_inputs(engine, node);
    if (is(node, WEIR_FLOW_ENTER)) {
        info->loop = loop_of_enter(engine, node, frame);
        info->loop->guard = deeper(info->loop->guard, node_guard(engine, node));
        weir_vec_push(&info->loop->enters, node);
        return;
    }
    info->loop = frame;
    if (is(node, WEIR_FLOW_EXIT) && frame) {
        info->loop = frame->parent;
        info->guard = frame->guard;
        weir_vec_push(&frame->exits, node);
        return;
    }
    if (is(node, WEIR_FLOW_LOOP_COND) && frame)
        frame->cond = node;
    if (is(node, WEIR_FLOW_STACK_PUSH))
        weir_vec_push(&engine->pushes, node);
    if (is(node, WEIR_FLOW_STACK_POP))
        weir_vec_push(&engine->pops, node);
    if (!weir_flow_is_loop_merge(node))
        info->guard = node_guard(engine, node);
}

static weir_node *user(weir_edge edge, weir_flow flow)
{
    for (size_t i = 0; i < edge.node->uses.count; i++) {
        const weir_use *use = &edge.node->uses.at[i];
        if (use->output == edge.index && use->input == 0 && is(use->node, flow) &&
            !use->node->removed)
            return use->node;
    }
    return NULL;
}

static void find_variable(weir_loop *loop, weir_node *enter)
{
    weir_node *merge = NULL;
    for (size_t i = 0; i < enter->uses.count && !merge; i++)
        if (enter->uses.at[i].output == 0 && is(enter->uses.at[i].node, WEIR_FLOW_MERGE))
            merge = enter->uses.at[i].node;
    if (!merge) {
        weir_vec_push(&loop->invariants, enter);
        return;
    }
    weir_loop_var var = {.enter = enter, .merge = merge};
    for (int i = 0; i < merge->site.in_count; i++)
        if (is(merge->in[i].node, WEIR_FLOW_NEXT_ITERATION))
            var.next = merge->in[i].node;
    var.branch = user((weir_edge){merge, 0}, WEIR_FLOW_SWITCH);
    if (var.branch)
        var.exit = user((weir_edge){var.branch, 0}, WEIR_FLOW_EXIT);
    weir_vec_push(&loop->vars, var);
}

void weir_structure_find(weir_engine *engine)
{
    size_t count;
    weir_node **order = weir_graph_order(engine->graph, &count);
    for (size_t i = 0; i < count; i++)
        place(engine, order[i]);
    weir_free(order);
    for (size_t i = 0; i < engine->loops.count; i++)
        for (size_t k = 0; k < engine->loops.at[i]->enters.count; k++)
            find_variable(engine->loops.at[i], engine->loops.at[i]->enters.at[k]);
}

static bool is_around(const weir_loop *loop, const weir_loop *inner)
{
    while (inner && inner != loop)
        inner = inner->parent;
    return loop && inner == loop;
}

/* No back edge and no Exit yet: the body is still being built. */
static bool is_unfinished(const weir_loop *loop)
{
    for (size_t i = 0; i < loop->vars.count; i++)
        if (loop->vars.at[i].next || loop->vars.at[i].exit)
            return false;
    return loop->exits.count == 0;
}

void weir_structure_open(weir_engine *engine, const weir_node *inside)
{
    weir_loop *inner = weir_engine_info(engine, inside)->loop;
    for (weir_loop *loop = inner; loop; loop = loop->parent)
        if (!is_unfinished(loop))
            return;
    for (size_t i = 0; inner && i < engine->infos.count; i++)
        if (engine->infos.at[i] && is_around(engine->infos.at[i]->loop, inner))
            engine->infos.at[i]->loop = NULL;
    for (size_t i = 0; inner && i < engine->loops.count; i++)
        if (is_around(engine->loops.at[i]->parent, inner) && !is_around(engine->loops.at[i], inner))
            engine->loops.at[i]->parent = NULL;
}
