/* grad/engine.c - one differentiation from beginning to end. */
#include "grad/grad_impl.h"
#include "grad/symbolic.h"
#include "graph/lower.h"
#include "graph/refine.h"

/* ---- what the other files ask ---------------------------------------------------------------- */

weir_info *weir_engine_info(weir_engine *e, const weir_node *n)
{
    while (e->infos.count <= (size_t)n->id)
        weir_vec_push(&e->infos, NULL);
    if (!e->infos.at[n->id])
        e->infos.at[n->id] = WEIR_ARENA_NEW(&e->arena, weir_info);
    return e->infos.at[n->id];
}

void weir_engine_fail(weir_engine *e, weir_status s)
{
    if (!s)
        return;
    if (e->status)
        weir_status_free(s);
    else
        e->status = s;
}

bool weir_engine_trainable(const weir_engine *e, int dtype)
{
    weir_dtype t = weir_dtype_base(dtype);
    return weir_dtype_is_float(t) || weir_dtype_is_complex(t) || t == WEIR_RESOURCE ||
           t == WEIR_VARIANT || (e->integers && weir_dtype_is_int(t));
}

bool weir_engine_wants(weir_engine *engine, weir_edge e)
{
    if (!weir_engine_trainable(engine, weir_edge_type(e)))
        return false;
    if (weir_engine_info(engine, e.node)->between)
        return true;
    for (int i = 0; i < engine->x_count; i++)
        if (engine->x[i].node == e.node && engine->x[i].index == e.index)
            return true;
    return false;
}

weir_grad_fn weir_engine_gradient(const weir_node *n, bool *out_none)
{
    const weir_op *op = n->site.op;
    weir_grad_fn fn = weir_call_has_gradient(n) ? weir_call_gradient : op ? op->grad : NULL;
    *out_none = !fn && op && op->no_grad;
    return fn;
}

/* ---- what lies between x and y --------------------------------------------------------------- */

typedef WEIR_VEC(weir_node *) nodes;

static bool stops(const weir_node *n)
{
    bool none;
    weir_engine_gradient(n, &none);
    return none;
}

static void reach(weir_engine *e, weir_node *n, nodes *work)
{
    weir_info *info = weir_engine_info(e, n);
    if (info->reached || stops(n))
        return;
    info->reached = true;
    weir_vec_push(work, n);
}

/* True when |edge| is taken as constant. */
static bool is_stopped(const weir_engine *e, weir_edge edge)
{
    for (int i = 0; i < e->stop_count; i++)
        if (e->stop[i].node == edge.node && e->stop[i].index == edge.index)
            return true;
    return false;
}

/* |output| is an x; -1: every output that is not taken as constant. */
static void reach_users(weir_engine *e, weir_node *n, int output, nodes *work)
{
    for (size_t i = 0; i < n->uses.count; i++) {
        const weir_use *u = &n->uses.at[i];
        if (u->input < 0 || (output >= 0 && u->output != output) ||
            !weir_engine_trainable(e, n->site.out_types[u->output]))
            continue;
        if (output >= 0 || !is_stopped(e, (weir_edge){n, u->output}))
            reach(e, u->node, work);
    }
}

/* What is pushed on a stack is reached again where it is popped. */
static void follow_stack(weir_engine *e, const weir_node *n, nodes *work, weir_flow from,
                         weir_node *const *others, size_t count,
                         void (*mark)(weir_engine *, weir_node *, nodes *))
{
    if (weir_node_flow(n) != from)
        return;
    weir_node *stack = weir_structure_stack(n->in[0]);
    for (size_t i = 0; i < count; i++)
        if (stack && weir_structure_stack(others[i]->in[0]) == stack)
            mark(e, others[i], work);
}

static void find_reached(weir_engine *e)
{
    nodes work = {0};
    for (int i = 0; i < e->x_count; i++)
        reach_users(e, e->x[i].node, e->x[i].index, &work);
    while (work.count) {
        weir_node *n = work.at[--work.count];
        reach_users(e, n, -1, &work);
        follow_stack(e, n, &work, WEIR_FLOW_STACK_PUSH, e->pops.at, e->pops.count, reach);
    }
    weir_vec_fini(&work);
}

static void lead(weir_engine *e, weir_node *n, nodes *work)
{
    weir_info *info = weir_engine_info(e, n);
    if (!info->reached || info->between)
        return;
    info->between = true;
    weir_vec_push(work, n);
}

static void find_between(weir_engine *e, const weir_gradients *what)
{
    nodes work = {0};
    for (int i = 0; i < what->y_count; i++)
        if (weir_engine_trainable(e, weir_edge_type(what->y[i])))
            lead(e, what->y[i].node, &work);
    while (work.count) {
        weir_node *n = work.at[--work.count];
        for (int i = 0; i < n->site.in_count; i++)
            if (weir_engine_trainable(e, weir_edge_type(n->in[i])) && !is_stopped(e, n->in[i]))
                lead(e, n->in[i].node, &work);
        follow_stack(e, n, &work, WEIR_FLOW_STACK_POP, e->pushes.at, e->pushes.count, lead);
    }
    weir_vec_fini(&work);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void forget(weir_engine *e)
{
    for (size_t i = 0; i < e->infos.count; i++) {
        weir_info *info = e->infos.at[i];
        for (int k = 0; info && info->sums && k < e->graph->nodes.at[i]->site.out_count; k++) {
            weir_vec_fini(&info->sums[k].dense);
            weir_vec_fini(&info->sums[k].sparse);
        }
    }
    for (size_t i = 0; i < e->loops.count; i++) {
        weir_vec_fini(&e->loops.at[i]->enters);
        weir_vec_fini(&e->loops.at[i]->exits);
        weir_vec_fini(&e->loops.at[i]->vars);
        weir_vec_fini(&e->loops.at[i]->invariants);
    }
    weir_vec_fini(&e->infos);
    weir_vec_fini(&e->loops);
    weir_vec_fini(&e->saves);
    weir_vec_fini(&e->pushes);
    weir_vec_fini(&e->pops);
    weir_arena_fini(&e->arena);
    weir_arena_init(&e->arena);
}

static void analyse(weir_engine *e, const weir_gradients *what)
{
    weir_structure_find(e);
    find_reached(e);
    find_between(e, what);
}

static bool is_closed(const weir_node *n)
{
    return (weir_lower_serves(n) && !weir_call_has_gradient(n)) ||
           weir_node_is(n, "SymbolicGradient");
}

/* Opens up what lies between x and y; gives how many there were. */
static weir_status open_between(weir_engine *e, int *out_count)
{
    size_t count = e->graph->nodes.count;
    *out_count = 0;
    for (size_t i = 0; i < count && i < e->infos.count; i++) {
        weir_node *n = e->graph->nodes.at[i];
        if (n->removed || !e->infos.at[i] || !e->infos.at[i]->between || !is_closed(n))
            continue;
        WEIR_TRY(weir_lower_serves(n) ? weir_lower(n, weir_symbolic_ready) : weir_symbolic_open(n));
        ++*out_count;
    }
    return WEIR_OK;
}

/* Calls and functional control flow on the way are opened up; what they held is looked at anew. */
static weir_status analyse_open(weir_engine *e, const weir_gradients *what)
{
    size_t most = e->graph->nodes.count + WEIR_LOWER_NODES;
    for (int round = 0; round < WEIR_LOWER_DEPTH && e->graph->nodes.count <= most; round++) {
        int opened;
        weir_graph_refine_loops(e->graph);
        analyse(e, what);
        WEIR_TRY(open_between(e, &opened));
        if (!opened)
            return WEIR_OK;
        forget(e);
    }
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "functions between y and x call each other without end; the gradient of "
                      "recursive functions is not defined");
}

/* ---- names ----------------------------------------------------------------------------------- */

static const weir_node *under(const weir_graph *g, const char *prefix)
{
    size_t length = strlen(prefix);
    for (size_t i = 0; i < g->nodes.count; i++) {
        const char *name = g->nodes.at[i]->site.name;
        if (!g->nodes.at[i]->removed && strncmp(name, prefix, length) == 0 &&
            (name[length] == 0 || name[length] == '/'))
            return g->nodes.at[i];
    }
    return NULL;
}

static weir_status choose_prefix(weir_engine *e, const char *asked, weir_buf *out)
{
    weir_buf_adds(out, asked ? asked : "gradients");
    const weir_node *taken = under(e->graph, out->at);
    if (asked && taken)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "prefix [%s] conflicts with existing node in the graph named [%s]", asked,
                          taken->site.name);
    for (int i = 1; under(e->graph, out->at); i++) {
        out->length = 0;
        weir_buf_addf(out, "gradients_%d", i);
    }
    return WEIR_OK;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool *mark_ancestors(const weir_graph *g, const weir_gradients *what)
{
    bool *seen = WEIR_NEW_ARRAY(bool, g->nodes.count);
    nodes work = {0};
    for (int i = 0; i < what->y_count; i++)
        weir_vec_push(&work, what->y[i].node);
    while (work.count) {
        weir_node *n = work.at[--work.count];
        if (seen[n->id])
            continue;
        seen[n->id] = true;
        for (int i = 0; i < n->site.in_count; i++)
            weir_vec_push(&work, n->in[i].node);
    }
    weir_vec_fini(&work);
    return seen;
}

static weir_status check_reachable(const weir_graph *g, const weir_gradients *what)
{
    bool *seen = mark_ancestors(g, what);
    weir_status s = WEIR_OK;
    for (int i = 0; i < what->x_count && !s; i++)
        if (!seen[what->x[i].node->id])
            s = weir_error(
                WEIR_INVALID_ARGUMENT,
                "Cannot compute the partial derivative for node '%s' as it's unreachable "
                "from the output node(s).",
                what->x[i].node->site.name);
    weir_free(seen);
    return s;
}

static weir_status check_edges(const weir_graph *g, const weir_edge *edges, int count,
                               const char *what)
{
    for (int i = 0; i < count; i++) {
        const weir_node *n = edges[i].node;
        if (!n || n->graph != g || edges[i].index < 0 || edges[i].index >= n->site.out_count)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s[%d] is not an output of this graph: %s:%d",
                              what, i, n ? n->site.name : "(none)", edges[i].index);
    }
    return WEIR_OK;
}

static weir_status check_frames(weir_engine *e, const weir_edge *edges, int count)
{
    for (int i = 0; i < count; i++)
        if (weir_engine_info(e, edges[i].node)->loop)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Cannot compute gradient inside while loop with respect to op '%s'. We "
                "do not support taking the gradient wrt or through the intermediate "
                "value of a loop.",
                edges[i].node->site.name);
    return WEIR_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static weir_status seed(weir_grad *g, const weir_gradients *what, int i)
{
    weir_edge y = what->y[i];
    if (!weir_engine_trainable(g->engine, weir_edge_type(y)))
        return WEIR_OK;
    weir_edge dy = what->dy ? what->dy[i] : (weir_edge){0};
    if (!dy.node)
        dy = weir_grad_op(g, "OnesLike", WEIR_IN(y), WEIR_NO_ATTRS);
    else if (weir_edge_dtype(dy) != weir_edge_dtype(y))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the gradient given for y[%d], '%s', is %s, not %s", i, y.node->site.name,
                          weir_dtype_name(weir_edge_dtype(dy)),
                          weir_dtype_name(weir_edge_dtype(y)));
    weir_sum_add(g->engine, y, dy);
    return WEIR_OK;
}

/* |out_slices| may be null. */
static void take_result(weir_grad *g, weir_edge x, weir_edge *out_dx, weir_slices *out_slices)
{
    if (out_slices && weir_sum_slices(g, x, out_slices))
        return;
    if (out_slices)
        *out_slices = (weir_slices){0};
    *out_dx = weir_sum_dense(g, x);
}

static weir_status differentiate(weir_engine *e, const weir_gradients *what, weir_edge *out_dx,
                                 weir_slices *out_slices)
{
    weir_scope root = {0};
    weir_grad g = {.engine = e, .scope = &root, .prefix = e->prefix};
    WEIR_TRY(check_frames(e, what->y, what->y_count));
    WEIR_TRY(check_frames(e, what->x, what->x_count));
    for (int i = 0; i < what->y_count; i++)
        WEIR_TRY(seed(&g, what, i));
    weir_walk(&g, what->y, what->y_count);
    for (int i = 0; i < what->x_count; i++)
        take_result(&g, what->x[i], &out_dx[i], out_slices ? &out_slices[i] : NULL);
    return WEIR_OK;
}

/* Drops what neither the gradients nor the parts of sparse ones need. */
static void tidy_around(weir_engine *e, const weir_edge *dx, const weir_slices *slices, int count)
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
    weir_tidy(e, results.at, (int)results.count);
    weir_vec_fini(&results);
}

static weir_status run(weir_engine *e, const weir_gradients *what, weir_edge *out_dx,
                       weir_slices *out_slices)
{
    WEIR_TRY(check_edges(e->graph, what->y, what->y_count, "y"));
    WEIR_TRY(check_edges(e->graph, what->x, what->x_count, "x"));
    for (int i = 0; i < what->x_count; i++)
        e->integers |= weir_dtype_is_int(weir_edge_dtype(what->x[i]));
    if (what->must_reach)
        WEIR_TRY(check_reachable(e->graph, what));
    WEIR_TRY(analyse_open(e, what));
    e->first_new = (int)e->graph->nodes.count;
    WEIR_TRY(differentiate(e, what, out_dx, out_slices));
    if (!e->status)
        tidy_around(e, out_dx, out_slices, what->x_count);
    return WEIR_OK;
}

weir_status weir_grad_add_gradients(weir_graph *graph, const weir_gradients *what,
                                    weir_edge *out_dx)
{
    weir_engine e = {.graph = graph,
                     .x = what->x,
                     .x_count = what->x_count,
                     .stop = what->stop,
                     .stop_count = what->stop_count};
    weir_buf prefix = {0};
    weir_edge *dx = WEIR_NEW_ARRAY(weir_edge, what->x_count);
    weir_slices *slices = what->out_slices ? WEIR_NEW_ARRAY(weir_slices, what->x_count) : NULL;
    weir_arena_init(&e.arena);
    weir_engine_fail(&e, choose_prefix(&e, what->prefix, &prefix));
    e.prefix = prefix.at;
    if (!e.status)
        weir_engine_fail(&e, run(&e, what, dx, slices));
    if (e.status && e.first_new)
        weir_tidy(&e, NULL, 0); /* the graph is as it was, but for what was opened up */
    if (!e.status && what->x_count) {
        memcpy(out_dx, dx, sizeof *dx * (size_t)what->x_count);
        if (slices)
            memcpy(what->out_slices, slices, sizeof *slices * (size_t)what->x_count);
    }
    forget(&e);
    weir_arena_fini(&e.arena);
    weir_buf_fini(&prefix);
    weir_free(dx);
    weir_free(slices);
    return e.status;
}
