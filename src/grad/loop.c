/* grad/loop.c - the backward loop of a loop.
 *
 * The forward loop gets one more variable, which counts its iterations. The backward loop counts
 * them down; its variables are the gradients of the forward variables after the iteration, and
 * become those before it. Invariants' gradients are summed over the iterations.
 */
#include "grad/grad_impl.h"

/* A variable of the backward loop. */
typedef struct loop_variable {
    weir_node *merge, *branch;
} loop_variable;

static weir_edge value_in_iteration(const loop_variable *r)
{
    return (weir_edge){r->branch, 1};
}

static weir_node *enter_frame(weir_grad *outer, const char *frame, int64_t parallel, weir_edge e)
{
    return weir_grad_add_node(
        outer, "Enter", WEIR_IN(e),
        WEIR_ATTRS(weir_a_str("frame_name", frame), weir_a_int("parallel_iterations", parallel)),
        NULL);
}

static weir_node *add_const(weir_grad *g, int32_t value, weir_node *control)
{
    weir_tensor t = weir_tensor_scalar(WEIR_INT32, &value);
    weir_node *n = weir_grad_add_node(
        g, "Const", WEIR_NO_IN,
        WEIR_ATTRS(weir_a_tensor("value", &t), weir_a_type("dtype", WEIR_INT32)), control);
    weir_tensor_release(&t);
    return n;
}

static void note(weir_grad *g, weir_node *n, weir_loop *loop, weir_guard *guard)
{
    if (!n)
        return;
    weir_info *info = weir_engine_info(g->engine, n);
    info->loop = loop;
    info->guard = guard;
}

/* ---- the forward loop counts ----------------------------------------------------------------- */

/* A zero in the parent frame: it appears when the loop is entered, after the parent's iteration was
 * counted, so that this loop's pushes stay in the order of the parent's iterations. */
static weir_node *first_count(weir_grad *outer, weir_loop *l)
{
    weir_node *gate = NULL;
    if (l->guard || l->parent)
        gate = weir_grad_add_forward(outer, l->parent, l->guard, "Identity",
                                     WEIR_IN(l->enters.at[0]->in[0]), WEIR_NO_ATTRS, NULL);
    l->gate = gate;
    weir_node *zero = add_const(outer, 0, gate ? gate : outer->scope->body);
    note(outer, zero, l->parent, l->guard);
    if (zero && l->parent && l->parent->step)
        weir_graph_add_control(l->parent->step, zero);
    return zero;
}

static void count_forward(weir_grad *outer, weir_loop *l)
{
    weir_node *zero = first_count(outer, l);
    weir_node *enter = enter_frame(outer, l->name, l->parallel_iterations, weir_first(zero));
    weir_edge e = weir_first(enter);
    weir_node *merge = weir_grad_add_node(outer, "Merge", WEIR_IN(e, e), WEIR_NO_ATTRS, NULL);
    weir_node *branch = weir_grad_add_node(
        outer, "Switch", WEIR_IN(weir_first(merge), weir_first(l->cond)), WEIR_NO_ATTRS, NULL);
    weir_edge one = weir_first(add_const(outer, 1, branch));
    l->step = weir_grad_add_node(outer, "AddV2", WEIR_IN((weir_edge){branch, 1}, one),
                                 WEIR_NO_ATTRS, NULL);
    l->again = weir_grad_add_node(outer, "NextIteration", WEIR_IN(weir_first(l->step)),
                                  WEIR_NO_ATTRS, NULL);
    weir_node *exit =
        weir_grad_add_node(outer, "Exit", WEIR_IN((weir_edge){branch, 0}), WEIR_NO_ATTRS, NULL);
    if (!exit)
        return;
    weir_graph_set_input(merge, 1, weir_first(l->again));
    note(outer, exit, l->parent, l->guard);
    l->count = weir_first(exit);
}

/* ---- the backward loop ----------------------------------------------------------------------- */

/* Adds a variable that starts as |init|, an edge of the outer scope. */
static loop_variable open_loop_variable(weir_grad *outer, weir_grad *g, weir_edge init,
                                        const weir_shape *shape)
{
    weir_scope *s = g->scope;
    weir_node *enter = enter_frame(outer, s->frame, s->loop->parallel_iterations, init);
    weir_edge e = weir_first(enter);
    loop_variable r = {.merge = weir_grad_add_node(g, "Merge", WEIR_IN(e, e), WEIR_NO_ATTRS, NULL)};
    r.branch =
        weir_grad_add_node(g, "Switch", WEIR_IN(weir_first(r.merge), s->cond), WEIR_NO_ATTRS, NULL);
    weir_grad_set_shape(weir_first(enter), shape);
    weir_grad_set_shape(weir_first(r.merge), shape);
    weir_grad_set_shape((weir_edge){r.branch, 0}, shape);
    weir_grad_set_shape(value_in_iteration(&r), shape);
    return r;
}

/* Sends |value| into the next iteration; the result is what the last iteration leaves. */
static weir_edge close_loop_variable(weir_grad *g, const loop_variable *r, weir_edge value)
{
    weir_node *next = weir_grad_add_node(g, "NextIteration", WEIR_IN(value), WEIR_NO_ATTRS, NULL);
    weir_node *exit =
        weir_grad_add_node(g, "Exit", WEIR_IN((weir_edge){r->branch, 0}), WEIR_NO_ATTRS, NULL);
    if (next)
        weir_graph_set_input(r->merge, 1, weir_first(next));
    return weir_first(exit);
}

/* Loops that pop what this one pushed must have been through before this one's gradients start. */
static weir_edge after_poppers(weir_grad *outer, weir_loop *l, weir_edge count)
{
    weir_engine *e = outer->engine;
    for (size_t i = 0; i < e->loops.count; i++) {
        weir_loop *other = e->loops.at[i];
        if (other == l || other->parent != l->parent || !other->finished)
            continue;
        count = weir_first(
            weir_grad_add_node(outer, "Identity", WEIR_IN(count), WEIR_NO_ATTRS, other->finished));
    }
    return count;
}

static void count_backward(weir_grad *outer, weir_grad *g)
{
    weir_scope *s = g->scope;
    s->count = after_poppers(outer, s->loop, weir_history_value(outer, s->loop->count));
    weir_edge e = weir_first(enter_frame(outer, s->frame, s->loop->parallel_iterations, s->count));
    weir_node *merge = weir_grad_add_node(g, "Merge", WEIR_IN(e, e), WEIR_NO_ATTRS, NULL);
    weir_edge left = weir_first(merge), one = weir_first(add_const(g, 1, merge));
    weir_edge more =
        weir_first(weir_grad_add_node(g, "GreaterEqual", WEIR_IN(left, one), WEIR_NO_ATTRS, NULL));
    s->cond = weir_first(weir_grad_add_node(g, "LoopCond", WEIR_IN(more), WEIR_NO_ATTRS, NULL));
    weir_node *branch =
        weir_grad_add_node(g, "Switch", WEIR_IN(left, s->cond), WEIR_NO_ATTRS, NULL);
    s->body =
        weir_grad_add_node(g, "Identity", WEIR_IN((weir_edge){branch, 1}), WEIR_NO_ATTRS, NULL);
    weir_edge fewer = weir_first(weir_grad_add_node(
        g, "Sub", WEIR_IN(weir_first(s->body), weir_first(add_const(g, 1, s->body))), WEIR_NO_ATTRS,
        NULL));
    s->again = weir_grad_add_node(g, "NextIteration", WEIR_IN(fewer), WEIR_NO_ATTRS, NULL);
    if (!s->again)
        return;
    weir_graph_set_input(merge, 1, weir_first(s->again));
    weir_scope *around = outer->scope;
    if (!g->engine->pushes.count && !around->loop)
        return;
    s->loop->finished =
        weir_grad_add_node(g, "Exit", WEIR_IN((weir_edge){branch, 0}), WEIR_NO_ATTRS, NULL);
    if (around->loop) /* the next iteration around must not pop before this loop's last iteration
                         has */
        weir_history_order(outer, s->loop->finished, s->loop->guard != NULL, around->again,
                           &around->sync, around->body);
}

/* ---- variables ------------------------------------------------------------------------------- */

static bool wanted(weir_engine *e, const weir_loop_var *v)
{
    weir_dtype dtype = weir_edge_dtype(weir_first(v->merge));
    return weir_engine_info(e, v->merge)->between && dtype != WEIR_RESOURCE;
}

/* All that leaves the loop for a variable, gathered at its first Exit. */
static void gather_exits(weir_grad *outer, weir_loop *l, const weir_loop_var *v)
{
    for (size_t i = 0; i < l->exits.count; i++) {
        weir_edge from = weir_first(l->exits.at[i]);
        if (from.node != v->exit && from.node->in[0].node == v->branch)
            weir_sum_add(outer->engine, weir_first(v->exit), weir_sum_dense(outer, from));
    }
}

static void start_variable(weir_grad *outer, weir_grad *g, weir_loop_var *v)
{
    weir_loop *l = g->scope->loop;
    if (!v->next || !v->branch) {
        weir_grad_fail(g, weir_error(WEIR_INVALID_ARGUMENT,
                                     "loop variable '%s' does not go round: it has no %s",
                                     v->merge->site.name, v->next ? "Switch" : "NextIteration"));
        return;
    }
    if (v->exit)
        gather_exits(outer, l, v);
    else
        v->exit = weir_grad_add_forward(outer, l->parent, l->guard, "Exit",
                                        WEIR_IN((weir_edge){v->branch, 0}), WEIR_NO_ATTRS, NULL);
    if (g->engine->status)
        return;
    weir_edge init = weir_sum_dense(outer, weir_first(v->exit));
    if (!init.node)
        init = weir_history_zeros(outer, weir_first(v->exit));
    loop_variable r = open_loop_variable(outer, g, init, weir_edge_shape(weir_first(v->merge)));
    v->grad_merge = r.merge;
    v->grad_branch = r.branch;
    weir_sum_add(g->engine, v->next->in[0], value_in_iteration(&r));
}

static void finish_variable(weir_grad *g, weir_loop_var *v)
{
    weir_edge merged = weir_first(v->merge);
    weir_edge dx = weir_sum_dense(g, merged);
    if (!dx.node)
        dx = weir_history_zeros(g, (weir_edge){v->branch, 1});
    loop_variable r = {v->grad_merge, v->grad_branch};
    weir_edge out = close_loop_variable(g, &r, dx);
    if (weir_engine_wants(g->engine, v->enter->in[0]))
        weir_sum_add(g->engine, v->enter->in[0], out);
}

/* ---- invariants ------------------------------------------------------------------------------ */

/* |e| of the outer scope, dead when the loop does not run. */
static weir_edge gated(weir_grad *outer, const weir_scope *s, weir_edge e)
{
    if (!s->loop->guard)
        return e;
    return weir_first(
        weir_grad_add_node(outer, "Identity", WEIR_IN(e), WEIR_NO_ATTRS, s->count.node));
}

static void sum_dense(weir_grad *outer, weir_grad *g, weir_edge x, weir_edge dx)
{
    weir_edge zeros = gated(outer, g->scope, weir_history_zeros(outer, x));
    if (!zeros.node)
        return;
    weir_shape unknown = WEIR_UNKNOWN_SHAPE;
    bool plain = weir_edge_dtype(x) != WEIR_RESOURCE;
    loop_variable r = open_loop_variable(outer, g, zeros, plain ? weir_edge_shape(x) : &unknown);
    weir_edge sum = weir_grad_op(g, "AddN", WEIR_IN(value_in_iteration(&r), dx), WEIR_NO_ATTRS);
    weir_sum_add(g->engine, x, close_loop_variable(g, &r, sum));
}

/* Rows gathered over the iterations, starting with none. */
static weir_edge gather_rows(weir_grad *outer, weir_grad *g, weir_edge rows)
{
    weir_shape shape = *weir_edge_shape(rows), none = shape;
    none.dims[0] = 0;
    shape.dims[0] = -1;
    weir_tensor empty = weir_tensor_from(weir_edge_dtype(rows), &none, NULL);
    loop_variable r =
        open_loop_variable(outer, g, gated(outer, g->scope, weir_grad_const(outer, empty)), &shape);
    weir_edge axis = weir_grad_scalar(g, WEIR_INT32, 0);
    weir_edge all =
        weir_grad_op(g, "ConcatV2", WEIR_IN(value_in_iteration(&r), rows, axis), WEIR_NO_ATTRS);
    return close_loop_variable(g, &r, all);
}

static bool rows_known(weir_edge e)
{
    const weir_shape *s = weir_edge_shape(e);
    for (int i = 1; i < s->rank; i++)
        if (s->dims[i] < 0)
            return false;
    return s->rank >= 1;
}

static weir_edge shape_outside(weir_grad *outer, weir_edge x)
{
    if (weir_edge_dtype(x) != WEIR_RESOURCE)
        return weir_history_shape(outer, x);
    return weir_grad_op(outer, "VariableShape", WEIR_IN(weir_history_value(outer, x)),
                        WEIR_NO_ATTRS);
}

static void finish_invariant(weir_grad *outer, weir_grad *g, weir_node *enter)
{
    weir_edge inside = weir_first(enter), x = enter->in[0];
    weir_slices s;
    if (!weir_sum_any(g->engine, inside) || !weir_engine_wants(g->engine, x))
        return;
    if (weir_sum_slices(g, inside, &s) && rows_known(s.values)) {
        weir_grad_set_shape(s.indices, &(weir_shape){1, {-1}});
        weir_slices all = {gather_rows(outer, g, s.values), gather_rows(outer, g, s.indices),
                           shape_outside(outer, x)};
        weir_sum_add_slices(g->engine, x, all);
        return;
    }
    sum_dense(outer, g, x, weir_sum_dense(g, inside));
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool any_gradient(weir_engine *e, const weir_loop *l)
{
    for (size_t i = 0; i < l->exits.count; i++)
        if (weir_sum_any(e, weir_first(l->exits.at[i])))
            return true;
    for (size_t i = 0; i < e->pushes.count; i++) {
        const weir_loop *at = weir_engine_info(e, e->pushes.at[i])->loop;
        while (at && at != l)
            at = at->parent;
        weir_node *stack = weir_structure_stack(e->pushes.at[i]->in[0]);
        if (at && stack && weir_engine_info(e, stack)->dual.node)
            return true;
    }
    return false;
}

static void differentiate_body(weir_grad *outer, weir_grad *g)
{
    weir_loop *l = g->scope->loop;
    WEIR_VEC(weir_edge) seeds = {0};
    for (size_t i = 0; i < l->vars.count && !g->engine->status; i++) {
        if (!wanted(g->engine, &l->vars.at[i]))
            continue;
        start_variable(outer, g, &l->vars.at[i]);
        if (l->vars.at[i].next)
            weir_vec_push(&seeds, l->vars.at[i].next->in[0]);
    }
    if (!g->engine->status)
        weir_walk(g, seeds.at, (int)seeds.count);
    weir_vec_fini(&seeds);
}

void weir_loop_differentiate(weir_grad *outer, weir_loop *l)
{
    weir_engine *e = outer->engine;
    if (!any_gradient(e, l))
        return;
    if (!l->cond) {
        weir_engine_fail(e,
                         weir_error(WEIR_INVALID_ARGUMENT, "loop '%s' has no LoopCond", l->name));
        return;
    }
    weir_buf name = {0};
    weir_buf_addf(&name, "%s/%s_grad", e->prefix, l->name);
    weir_scope *s = WEIR_ARENA_NEW(&e->arena, weir_scope);
    *s = (weir_scope){.outer = outer->scope, .loop = l};
    s->frame = weir_arena_strdup(&e->arena, name.at);
    weir_buf_fini(&name);
    weir_grad around = {.engine = e, .scope = outer->scope, .prefix = s->frame};
    weir_grad g = {.engine = e, .scope = s, .prefix = s->frame};
    count_forward(&around, l);
    if (!e->status)
        count_backward(&around, &g);
    if (!e->status)
        differentiate_body(&around, &g);
    for (size_t i = 0; i < l->vars.count && !e->status; i++)
        if (l->vars.at[i].grad_merge)
            finish_variable(&g, &l->vars.at[i]);
    for (size_t i = 0; i < l->invariants.count && !e->status; i++)
        finish_invariant(&around, &g, l->invariants.at[i]);
}
