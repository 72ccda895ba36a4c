/* grad/engine.c - one differentiation from start to end. */
#include "base/deadline.h"
#include "grad/grad_impl.h"
#include "grad/symbolic.h"
#include "graph/lower.h"
#include "graph/refine.h"

/* ---- used by the other files ----------------------------------------------------------------- */

weir_info *weir_engine_info(weir_engine *engine, const weir_node *node)
{
    while (engine->infos.count <= (size_t)node->id)
        weir_vec_push(&engine->infos, NULL);
    if (!engine->infos.at[node->id])
        engine->infos.at[node->id] = WEIR_ARENA_NEW(&engine->arena, weir_info);
    return engine->infos.at[node->id];
}

void weir_engine_fail(weir_engine *engine, weir_status status)
{
    if (!status)
        return;
    if (engine->status)
        weir_status_free(status);
    else
        engine->status = status;
}

bool weir_engine_trainable(const weir_engine *engine, int dtype)
{
    weir_dtype type = weir_dtype_base(dtype);
    return weir_dtype_is_float(type) || weir_dtype_is_complex(type) || type == WEIR_RESOURCE ||
           type == WEIR_VARIANT || (engine->integers && weir_dtype_is_int(type));
}

bool weir_engine_wants(weir_engine *engine, weir_edge edge)
{
    if (!weir_engine_trainable(engine, weir_edge_type(edge)))
        return false;
    if (weir_engine_info(engine, edge.node)->between)
        return true;
    for (int i = 0; i < engine->x_count; i++)
        if (engine->x[i].node == edge.node && engine->x[i].index == edge.index)
            return true;
    return false;
}

weir_grad_fn weir_engine_gradient(const weir_node *node, bool *out_none)
{
    const weir_op *op = node->site.op;
    weir_grad_fn fn = weir_call_has_gradient(node) ? weir_call_gradient : op ? op->grad : NULL;
    *out_none = !fn && op && op->no_grad;
    return fn;
}

/* ---- nodes between x and y ------------------------------------------------------------------- */

typedef WEIR_VEC(weir_node *) nodes;

static bool stops(const weir_node *node)
{
    bool none;
    weir_engine_gradient(node, &none);
    return none;
}

static void reach(weir_engine *engine, weir_node *node, nodes *work)
{
    weir_info *info = weir_engine_info(engine, node);
    if (info->reached || stops(node))
        return;
    info->reached = true;
    weir_vec_push(work, node);
}

/* True when no gradient flows through |edge|. */
static bool is_stopped(const weir_engine *engine, weir_edge edge)
{
    for (int i = 0; i < engine->stop_count; i++)
        if (engine->stop[i].node == edge.node && engine->stop[i].index == edge.index)
            return true;
    return false;
}

/* |output| is an x; -1: all outputs through which gradients flow. */
static void reach_users(weir_engine *engine, weir_node *node, int output, nodes *work)
{
    for (size_t i = 0; i < node->uses.count; i++) {
        const weir_use *use = &node->uses.at[i];
        if (use->input < 0 || (output >= 0 && use->output != output) ||
            !weir_engine_trainable(engine, node->site.out_types[use->output]))
            continue;
        if (output >= 0 || !is_stopped(engine, (weir_edge){node, use->output}))
            reach(engine, use->node, work);
    }
}

/* Propagates reachability from pushes on a stack to its pops. */
static void follow_stack(weir_engine *engine, const weir_node *node, nodes *work, weir_flow from,
                         weir_node *const *others, size_t count,
                         void (*mark)(weir_engine *, weir_node *, nodes *))
{
    if (weir_node_flow(node) != from)
        return;
    weir_node *stack = weir_structure_stack(node->in[0]);
    for (size_t i = 0; i < count; i++)
        if (stack && weir_structure_stack(others[i]->in[0]) == stack)
            mark(engine, others[i], work);
}

static void find_reached(weir_engine *engine)
{
    nodes work = {0};
    for (int i = 0; i < engine->x_count; i++)
        reach_users(engine, engine->x[i].node, engine->x[i].index, &work);
    while (work.count) {
        weir_node *node = work.at[--work.count];
        reach_users(engine, node, -1, &work);
        follow_stack(engine, node, &work, WEIR_FLOW_STACK_PUSH, engine->pops.at, engine->pops.count,
                     reach);
    }
    weir_vec_fini(&work);
}

static void lead(weir_engine *engine, weir_node *node, nodes *work)
{
    weir_info *info = weir_engine_info(engine, node);
    if (!info->reached || info->between)
        return;
    info->between = true;
    weir_vec_push(work, node);
}

static void find_between(weir_engine *engine, const weir_gradients *what)
{
    nodes work = {0};
    for (int i = 0; i < what->y_count; i++)
        if (weir_engine_trainable(engine, weir_edge_type(what->y[i])))
            lead(engine, what->y[i].node, &work);
    while (work.count) {
        weir_node *node = work.at[--work.count];
        for (int i = 0; i < node->site.in_count; i++)
            if (weir_engine_trainable(engine, weir_edge_type(node->in[i])) &&
                !is_stopped(engine, node->in[i]))
                lead(engine, node->in[i].node, &work);
        follow_stack(engine, node, &work, WEIR_FLOW_STACK_POP, engine->pushes.at,
                     engine->pushes.count, lead);
    }
    weir_vec_fini(&work);
}

/* ---- lifetime -------------------------------------------------------------------------------- */

static void forget(weir_engine *engine)
{
    for (size_t i = 0; i < engine->infos.count; i++) {
        weir_info *info = engine->infos.at[i];
        for (int k = 0; info && info->sums && k < engine->graph->nodes.at[i]->site.out_count; k++) {
            weir_vec_fini(&info->sums[k].dense);
            weir_vec_fini(&info->sums[k].sparse);
        }
    }
    for (size_t i = 0; i < engine->loops.count; i++) {
        weir_vec_fini(&engine->loops.at[i]->enters);
        weir_vec_fini(&engine->loops.at[i]->exits);
        weir_vec_fini(&engine->loops.at[i]->vars);
        weir_vec_fini(&engine->loops.at[i]->invariants);
    }
    weir_vec_fini(&engine->infos);
    weir_vec_fini(&engine->loops);
    weir_vec_fini(&engine->saves);
    weir_vec_fini(&engine->pushes);
    weir_vec_fini(&engine->pops);
    weir_arena_fini(&engine->arena);
    weir_arena_init(&engine->arena);
}

static void analyse(weir_engine *engine, const weir_gradients *what)
{
    weir_structure_find(engine);
    if (what->y_count)
        weir_structure_open(engine, what->y[0].node);
    find_reached(engine);
    find_between(engine, what);
}

static bool is_closed(const weir_node *node)
{
    return (weir_lower_serves(node) && !weir_call_has_gradient(node)) ||
           weir_node_is(node, "SymbolicGradient");
}

/* Lowers calls and control flow between x and y; returns their number. */
static weir_status open_between(weir_engine *engine, int *out_count)
{
    size_t count = engine->graph->nodes.count;
    *out_count = 0;
    for (size_t i = 0; i < count && i < engine->infos.count; i++) {
        weir_node *node = engine->graph->nodes.at[i];
        if (node->removed || !engine->infos.at[i] || !engine->infos.at[i]->between)
            continue;
        if (node->open)
            return weir_error(WEIR_INVALID_ARGUMENT, "Node '%s' has a placeholder for an attr",
                              node->site.name);
        if (!is_closed(node))
            continue;
        WEIR_TRY(weir_lower_serves(node) ? weir_lower(node, weir_symbolic_ready)
                                         : weir_symbolic_open(node));
        ++*out_count;
    }
    return WEIR_OK;
}

/* Lowers calls and functional control flow on the way, and repeats the analysis. */
static weir_status analyse_open(weir_engine *engine, const weir_gradients *what)
{
    size_t most = engine->graph->nodes.count + WEIR_LOWER_NODES;
    for (int round = 0; round < WEIR_LOWER_DEPTH && engine->graph->nodes.count <= most; round++) {
        int opened;
        WEIR_TRY(weir_deadline_check());
        weir_graph_refine_loops(engine->graph);
        analyse(engine, what);
        WEIR_TRY(weir_structure_check(engine));
        WEIR_TRY(open_between(engine, &opened));
        if (!opened)
            return WEIR_OK;
        forget(engine);
    }
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "functions between y and x call each other without end; the gradient of "
                      "recursive functions is not defined");
}

/* ---- names ----------------------------------------------------------------------------------- */

static const weir_node *under(const weir_graph *graph, const char *prefix)
{
    size_t length = strlen(prefix);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const char *name = graph->nodes.at[i]->site.name;
        if (!graph->nodes.at[i]->removed && strncmp(name, prefix, length) == 0 &&
            (name[length] == 0 || name[length] == '/'))
            return graph->nodes.at[i];
    }
    return NULL;
}

static weir_status choose_prefix(weir_engine *engine, const char *asked, weir_buf *out)
{
    weir_buf_adds(out, asked ? asked : "gradients");
    const weir_node *taken = under(engine->graph, out->at);
    if (asked && taken)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "prefix [%s] conflicts with existing node in the graph named [%s]", asked,
                          taken->site.name);
    for (int i = 1; under(engine->graph, out->at); i++) {
        out->length = 0;
        weir_buf_addf(out, "gradients_%d", i);
    }
    return WEIR_OK;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool *mark_ancestors(const weir_graph *graph, const weir_gradients *what)
{
    bool *seen = WEIR_NEW_ARRAY(bool, graph->nodes.count);
    nodes work = {0};
    for (int i = 0; i < what->y_count; i++)
        weir_vec_push(&work, what->y[i].node);
    while (work.count) {
        weir_node *node = work.at[--work.count];
        if (seen[node->id])
            continue;
        seen[node->id] = true;
        for (int i = 0; i < node->site.in_count; i++)
            weir_vec_push(&work, node->in[i].node);
    }
    weir_vec_fini(&work);
    return seen;
}

static weir_status check_reachable(const weir_graph *graph, const weir_gradients *what)
{
    bool *seen = mark_ancestors(graph, what);
    weir_status status = WEIR_OK;
    for (int i = 0; i < what->x_count && !status; i++)
        if (!seen[what->x[i].node->id])
            status = weir_error(
                WEIR_INVALID_ARGUMENT,
                "Cannot compute the partial derivative for node '%s' as it's unreachable "
                "from the output node(s).",
                what->x[i].node->site.name);
    weir_free(seen);
    return status;
}

static weir_status check_edges(const weir_graph *graph, const weir_edge *edges, int count,
                               const char *what)
{
    for (int i = 0; i < count; i++) {
        const weir_node *node = edges[i].node;
        if (!node || node->graph != graph || edges[i].index < 0 ||
            edges[i].index >= node->site.out_count)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s[%d] is not an output of this graph: %s:%d",
                              what, i, node ? node->site.name : "(none)", edges[i].index);
    }
    return WEIR_OK;
}

static weir_status check_frames(weir_engine *engine, const weir_edge *edges, int count)
{
    for (int i = 0; i < count; i++)
        if (weir_engine_info(engine, edges[i].node)->loop)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Cannot compute gradient inside while loop with respect to op '%s'. We "
                "do not support taking the gradient wrt or through the intermediate "
                "value of a loop.",
                edges[i].node->site.name);
    return WEIR_OK;
}

/* ---- entry point ----------------------------------------------------------------------------- */

static weir_status seed(weir_grad *grad, const weir_gradients *what, int i)
{
    weir_edge y = what->y[i];
    if (!weir_engine_trainable(grad->engine, weir_edge_type(y)))
        return WEIR_OK;
    weir_edge dy = what->dy ? what->dy[i] : (weir_edge){0};
    if (!dy.node)
        dy = weir_grad_op(grad, "OnesLike", WEIR_IN(y), WEIR_NO_ATTRS);
    else if (weir_edge_dtype(dy) != weir_edge_dtype(y))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the gradient given for y[%d], '%s', is %s, not %s", i, y.node->site.name,
                          weir_dtype_name(weir_edge_dtype(dy)),
                          weir_dtype_name(weir_edge_dtype(y)));
    weir_sum_add(grad->engine, y, dy);
    return WEIR_OK;
}

/* |out_slices| may be null. */
static void take_result(weir_grad *grad, weir_edge x, weir_edge *out_dx, weir_slices *out_slices)
{
    if (out_slices && weir_sum_slices(grad, x, out_slices))
        return;
    if (out_slices)
        *out_slices = (weir_slices){0};
    *out_dx = weir_sum_dense(grad, x);
}

static weir_status differentiate(weir_engine *engine, const weir_gradients *what, weir_edge *out_dx,
                                 weir_slices *out_slices)
{
    weir_scope root = {0};
    weir_grad grad = {.engine = engine, .scope = &root, .prefix = engine->prefix};
    WEIR_TRY(check_frames(engine, what->y, what->y_count));
    WEIR_TRY(check_frames(engine, what->x, what->x_count));
    for (int i = 0; i < what->y_count; i++)
        WEIR_TRY(seed(&grad, what, i));
    weir_walk(&grad, what->y, what->y_count);
    for (int i = 0; i < what->x_count; i++)
        take_result(&grad, what->x[i], &out_dx[i], out_slices ? &out_slices[i] : NULL);
    return WEIR_OK;
}

/* Removes nodes that neither the gradients nor the parts of sparse ones need. */
static void tidy_around(weir_engine *engine, const weir_edge *dx, const weir_slices *slices,
                        int count)
{
    WEIR_VEC(weir_edge) results = {0};
    for (int i = 0; i < count; i++) {
        weir_vec_push(&results, dx[i]);
        if (slices && slices[i].values.node) {
            weir_vec_push(&results, slices[i].values);
            weir_vec_push(&results, slices[i].indices);
            weir_vec_push(&results, slices[i].shape);
        }
    }
    weir_tidy(engine, results.at, (int)results.count);
    weir_vec_fini(&results);
}

static weir_status run(weir_engine *engine, const weir_gradients *what, weir_edge *out_dx,
                       weir_slices *out_slices)
{
    WEIR_TRY(check_edges(engine->graph, what->y, what->y_count, "y"));
    WEIR_TRY(check_edges(engine->graph, what->x, what->x_count, "x"));
    for (int i = 0; i < what->x_count; i++)
        engine->integers |= weir_dtype_is_int(weir_edge_dtype(what->x[i]));
    if (what->must_reach)
        WEIR_TRY(check_reachable(engine->graph, what));
    WEIR_TRY(analyse_open(engine, what));
    engine->first_new = (int)engine->graph->nodes.count;
    WEIR_TRY(differentiate(engine, what, out_dx, out_slices));
    if (!engine->status)
        tidy_around(engine, out_dx, out_slices, what->x_count);
    return WEIR_OK;
}

weir_status weir_grad_add_gradients(weir_graph *graph, const weir_gradients *what,
                                    weir_edge *out_dx)
{
    weir_engine engine = {.graph = graph,
                          .x = what->x,
                          .x_count = what->x_count,
                          .stop = what->stop,
                          .stop_count = what->stop_count};
    WEIR_BUF(prefix);
    weir_edge *dx = WEIR_NEW_ARRAY(weir_edge, what->x_count);
    weir_slices *slices = what->out_slices ? WEIR_NEW_ARRAY(weir_slices, what->x_count) : NULL;
    weir_arena_init(&engine.arena);
    weir_engine_fail(&engine, choose_prefix(&engine, what->prefix, &prefix));
    engine.prefix = prefix.at;
    if (!engine.status)
        weir_engine_fail(&engine, run(&engine, what, dx, slices));
    if (engine.status && engine.first_new)
        weir_tidy(&engine, NULL, 0); /* restores the graph, except for lowered nodes */
    if (!engine.status && what->x_count) {
        memcpy(out_dx, dx, sizeof *dx * (size_t)what->x_count);
        if (slices)
            memcpy(what->out_slices, slices, sizeof *slices * (size_t)what->x_count);
    }
    forget(&engine);
    weir_arena_fini(&engine.arena);
    weir_free(dx);
    weir_free(slices);
    return engine.status;
}
