/* grad/loop.c - the backward loop of a loop.
 *
 * The forward loop gets an additional variable, which counts its iterations. The backward loop
 * counts them down; its variables are the gradients of the forward variables, from those after
 * an iteration to those before it. Gradients of invariants are summed over the iterations.
 */
#include "grad/grad_impl.h"

/* A variable of the backward loop. */
typedef struct loop_variable {
    weir_node *merge, *branch;
} loop_variable;

static weir_edge value_in_iteration(const loop_variable *variable)
{
    return (weir_edge){variable->branch, 1};
}

static weir_node *enter_frame(weir_grad *outer, const char *frame, int64_t parallel, weir_edge edge)
{
    return weir_grad_add_node(
        outer, "Enter", WEIR_IN(edge),
        WEIR_ATTRS(weir_a_str("frame_name", frame), weir_a_int("parallel_iterations", parallel)),
        NULL);
}

static weir_node *add_const(weir_grad *grad, int32_t value, weir_node *control)
{
    weir_tensor tensor = weir_tensor_scalar(WEIR_INT32, &value);
    weir_node *node = weir_grad_add_node(
        grad, "Const", WEIR_NO_IN,
        WEIR_ATTRS(weir_a_tensor("value", &tensor), weir_a_type("dtype", WEIR_INT32)), control);
    weir_tensor_release(&tensor);
    return node;
}

static void note(weir_grad *grad, weir_node *node, weir_loop *loop, weir_guard *guard)
{
    if (!node)
        return;
    weir_info *info = weir_engine_info(grad->engine, node);
    info->loop = loop;
    info->guard = guard;
}

/* ---- the forward loop's counter -------------------------------------------------------------- */

/* A zero in the parent frame, produced when the loop is entered, after the parent's iteration was
 * counted, so that this loop's pushes stay in the order of the parent's iterations. */
static weir_node *first_count(weir_grad *outer, weir_loop *loop)
{
    weir_node *gate = NULL;
    if (loop->guard || loop->parent)
        gate = weir_grad_add_forward(outer, loop->parent, loop->guard, "Identity",
                                     WEIR_IN(loop->enters.at[0]->in[0]), WEIR_NO_ATTRS, NULL);
    loop->gate = gate;
    weir_node *zero = add_const(outer, 0, gate ? gate : outer->scope->body);
    note(outer, zero, loop->parent, loop->guard);
    if (zero && loop->parent && loop->parent->step)
        weir_graph_add_control(loop->parent->step, zero);
    return zero;
}

static void count_forward(weir_grad *outer, weir_loop *loop)
{
    weir_node *zero = first_count(outer, loop);
    weir_node *enter = enter_frame(outer, loop->name, loop->parallel_iterations, weir_first(zero));
    weir_edge edge = weir_first(enter);
    weir_node *merge = weir_grad_add_node(outer, "Merge", WEIR_IN(edge, edge), WEIR_NO_ATTRS, NULL);
    weir_node *branch = weir_grad_add_node(
        outer, "Switch", WEIR_IN(weir_first(merge), weir_first(loop->cond)), WEIR_NO_ATTRS, NULL);
    weir_edge one = weir_first(add_const(outer, 1, branch));
    loop->step = weir_grad_add_node(outer, "AddV2", WEIR_IN((weir_edge){branch, 1}, one),
                                    WEIR_NO_ATTRS, NULL);
    loop->again = weir_grad_add_node(outer, "NextIteration", WEIR_IN(weir_first(loop->step)),
                                     WEIR_NO_ATTRS, NULL);
    weir_node *exit =
        weir_grad_add_node(outer, "Exit", WEIR_IN((weir_edge){branch, 0}), WEIR_NO_ATTRS, NULL);
    if (!exit)
        return;
    weir_graph_set_input(merge, 1, weir_first(loop->again));
    note(outer, exit, loop->parent, loop->guard);
    loop->count = weir_first(exit);
}

/* ---- the backward loop ----------------------------------------------------------------------- */

/* Adds a variable that starts as |init|, an edge of the outer scope. */
static loop_variable open_loop_variable(weir_grad *outer, weir_grad *grad, weir_edge init,
                                        const weir_shape *shape)
{
    weir_scope *scope = grad->scope;
    weir_node *enter = enter_frame(outer, scope->frame, scope->loop->parallel_iterations, init);
    weir_edge edge = weir_first(enter);
    loop_variable variable = {
        .merge = weir_grad_add_node(grad, "Merge", WEIR_IN(edge, edge), WEIR_NO_ATTRS, NULL)};
    variable.branch = weir_grad_add_node(
        grad, "Switch", WEIR_IN(weir_first(variable.merge), scope->cond), WEIR_NO_ATTRS, NULL);
    weir_grad_set_shape(weir_first(enter), shape);
    weir_grad_set_shape(weir_first(variable.merge), shape);
    weir_grad_set_shape((weir_edge){variable.branch, 0}, shape);
    weir_grad_set_shape(value_in_iteration(&variable), shape);
    return variable;
}

/* Connects |value| to the next iteration; returns the value after the last iteration. */
static weir_edge close_loop_variable(weir_grad *grad, const loop_variable *variable,
                                     weir_edge value)
{
    weir_node *next =
        weir_grad_add_node(grad, "NextIteration", WEIR_IN(value), WEIR_NO_ATTRS, NULL);
    weir_node *exit = weir_grad_add_node(grad, "Exit", WEIR_IN((weir_edge){variable->branch, 0}),
                                         WEIR_NO_ATTRS, NULL);
    if (next)
        weir_graph_set_input(variable->merge, 1, weir_first(next));
    return weir_first(exit);
}

/* Loops that pop this loop's pushes must be complete before this loop's gradient starts. */
static weir_edge after_poppers(weir_grad *outer, weir_loop *loop, weir_edge count)
{
    weir_engine *engine = outer->engine;
    for (size_t i = 0; i < engine->loops.count; i++) {
        weir_loop *other = engine->loops.at[i];
        if (other == loop || other->parent != loop->parent || !other->finished)
            continue;
        count = weir_first(
            weir_grad_add_node(outer, "Identity", WEIR_IN(count), WEIR_NO_ATTRS, other->finished));
    }
    return count;
}

static void count_backward(weir_grad *outer, weir_grad *grad)
{
    weir_scope *scope = grad->scope;
    scope->count = after_poppers(outer, scope->loop, weir_history_value(outer, scope->loop->count));
    weir_edge edge = weir_first(
        enter_frame(outer, scope->frame, scope->loop->parallel_iterations, scope->count));
    weir_node *merge = weir_grad_add_node(grad, "Merge", WEIR_IN(edge, edge), WEIR_NO_ATTRS, NULL);
    weir_edge left = weir_first(merge), one = weir_first(add_const(grad, 1, merge));
    weir_edge more = weir_first(
        weir_grad_add_node(grad, "GreaterEqual", WEIR_IN(left, one), WEIR_NO_ATTRS, NULL));
    scope->cond =
        weir_first(weir_grad_add_node(grad, "LoopCond", WEIR_IN(more), WEIR_NO_ATTRS, NULL));
    weir_node *branch =
        weir_grad_add_node(grad, "Switch", WEIR_IN(left, scope->cond), WEIR_NO_ATTRS, NULL);
    scope->body =
        weir_grad_add_node(grad, "Identity", WEIR_IN((weir_edge){branch, 1}), WEIR_NO_ATTRS, NULL);
    weir_edge fewer = weir_first(weir_grad_add_node(
        grad, "Sub", WEIR_IN(weir_first(scope->body), weir_first(add_const(grad, 1, scope->body))),
        WEIR_NO_ATTRS, NULL));
    scope->again = weir_grad_add_node(grad, "NextIteration", WEIR_IN(fewer), WEIR_NO_ATTRS, NULL);
    if (!scope->again)
        return;
    weir_graph_set_input(merge, 1, weir_first(scope->again));
    weir_scope *around = outer->scope;
    if (!grad->engine->pushes.count && !around->loop)
        return;
    scope->loop->finished =
        weir_grad_add_node(grad, "Exit", WEIR_IN((weir_edge){branch, 0}), WEIR_NO_ATTRS, NULL);
    if (around->loop) /* the outer loop's next iteration must not pop before this loop's last
                         iteration */
        weir_history_order(outer, scope->loop->finished, scope->loop->guard != NULL, around->again,
                           &around->sync, around->body);
}

/* ---- variables ------------------------------------------------------------------------------- */

static bool wanted(weir_engine *engine, const weir_loop_var *var)
{
    weir_dtype dtype = weir_edge_dtype(weir_first(var->merge));
    return weir_engine_info(engine, var->merge)->between && dtype != WEIR_RESOURCE;
}

/* Accumulates the gradients of all Exits of a variable at the first. */
static void gather_exits(weir_grad *outer, weir_loop *loop, const weir_loop_var *var)
{
    for (size_t i = 0; i < loop->exits.count; i++) {
        weir_edge from = weir_first(loop->exits.at[i]);
        if (from.node != var->exit && from.node->in[0].node == var->branch)
            weir_sum_add(outer->engine, weir_first(var->exit), weir_sum_dense(outer, from));
    }
}

static void start_variable(weir_grad *outer, weir_grad *grad, weir_loop_var *var)
{
    weir_loop *loop = grad->scope->loop;
    if (!var->next || !var->branch) {
        weir_grad_fail(grad,
                       weir_error(WEIR_INVALID_ARGUMENT,
                                  "loop variable '%s' does not go round: it has no %s",
                                  var->merge->site.name, var->next ? "Switch" : "NextIteration"));
        return;
    }
    if (var->exit)
        gather_exits(outer, loop, var);
    else
        var->exit =
            weir_grad_add_forward(outer, loop->parent, loop->guard, "Exit",
                                  WEIR_IN((weir_edge){var->branch, 0}), WEIR_NO_ATTRS, NULL);
    if (grad->engine->status)
        return;
    weir_edge init = weir_sum_dense(outer, weir_first(var->exit));
    if (!init.node)
        init = weir_history_zeros(outer, weir_first(var->exit));
    loop_variable variable =
        open_loop_variable(outer, grad, init, weir_edge_shape(weir_first(var->merge)));
    var->grad_merge = variable.merge;
    var->grad_branch = variable.branch;
    weir_sum_add(grad->engine, var->next->in[0], value_in_iteration(&variable));
}

static void finish_variable(weir_grad *grad, weir_loop_var *var)
{
    weir_edge merged = weir_first(var->merge);
    weir_edge dx = weir_sum_dense(grad, merged);
    if (!dx.node)
        dx = weir_history_zeros(grad, (weir_edge){var->branch, 1});
    loop_variable variable = {var->grad_merge, var->grad_branch};
    weir_edge out = close_loop_variable(grad, &variable, dx);
    if (weir_engine_wants(grad->engine, var->enter->in[0]))
        weir_sum_add(grad->engine, var->enter->in[0], out);
}

/* ---- invariants ------------------------------------------------------------------------------ */

/* |edge| of the outer scope, made dead when the loop does not run. */
static weir_edge gated(weir_grad *outer, const weir_scope *scope, weir_edge edge)
{
    if (!scope->loop->guard)
        return edge;
    return weir_first(
        weir_grad_add_node(outer, "Identity", WEIR_IN(edge), WEIR_NO_ATTRS, scope->count.node));
}

static void sum_dense(weir_grad *outer, weir_grad *grad, weir_edge x, weir_edge dx)
{
    weir_edge zeros = gated(outer, grad->scope, weir_history_zeros(outer, x));
    if (!zeros.node)
        return;
    weir_shape unknown = WEIR_UNKNOWN_SHAPE;
    bool plain = weir_edge_dtype(x) != WEIR_RESOURCE;
    loop_variable variable =
        open_loop_variable(outer, grad, zeros, plain ? weir_edge_shape(x) : &unknown);
    weir_edge sum =
        weir_grad_op(grad, "AddN", WEIR_IN(value_in_iteration(&variable), dx), WEIR_NO_ATTRS);
    weir_sum_add(grad->engine, x, close_loop_variable(grad, &variable, sum));
}

/* Concatenates rows over the iterations, starting with none. */
static weir_edge gather_rows(weir_grad *outer, weir_grad *grad, weir_edge rows)
{
    weir_shape shape = *weir_edge_shape(rows), none = shape;
    none.dims[0] = 0;
    shape.dims[0] = -1;
    weir_tensor empty = weir_tensor_from(weir_edge_dtype(rows), &none, NULL);
    loop_variable variable = open_loop_variable(
        outer, grad, gated(outer, grad->scope, weir_grad_const(outer, empty)), &shape);
    weir_edge axis = weir_grad_scalar(grad, WEIR_INT32, 0);
    weir_edge all = weir_grad_op(grad, "ConcatV2",
                                 WEIR_IN(value_in_iteration(&variable), rows, axis), WEIR_NO_ATTRS);
    return close_loop_variable(grad, &variable, all);
}

static bool rows_known(weir_edge edge)
{
    const weir_shape *shape = weir_edge_shape(edge);
    for (int i = 1; i < shape->rank; i++)
        if (shape->dims[i] < 0)
            return false;
    return shape->rank >= 1;
}

static weir_edge shape_outside(weir_grad *outer, weir_edge x)
{
    if (weir_edge_dtype(x) != WEIR_RESOURCE)
        return weir_history_shape(outer, x);
    return weir_grad_op(outer, "VariableShape", WEIR_IN(weir_history_value(outer, x)),
                        WEIR_NO_ATTRS);
}

static void finish_invariant(weir_grad *outer, weir_grad *grad, weir_node *enter)
{
    weir_edge inside = weir_first(enter), x = enter->in[0];
    weir_slices slices;
    if (!weir_sum_any(grad->engine, inside) || !weir_engine_wants(grad->engine, x))
        return;
    if (weir_sum_slices(grad, inside, &slices) && rows_known(slices.values)) {
        weir_grad_set_shape(slices.indices, &(weir_shape){1, {-1}});
        weir_slices all = {gather_rows(outer, grad, slices.values),
                           gather_rows(outer, grad, slices.indices), shape_outside(outer, x)};
        weir_sum_add_slices(grad->engine, x, all);
        return;
    }
    sum_dense(outer, grad, x, weir_sum_dense(grad, inside));
}

/* ---- entry point ----------------------------------------------------------------------------- */

static bool any_gradient(weir_engine *engine, const weir_loop *loop)
{
    for (size_t i = 0; i < loop->exits.count; i++)
        if (weir_sum_any(engine, weir_first(loop->exits.at[i])))
            return true;
    for (size_t i = 0; i < engine->pushes.count; i++) {
        const weir_loop *at = weir_engine_info(engine, engine->pushes.at[i])->loop;
        while (at && at != loop)
            at = at->parent;
        weir_node *stack = weir_structure_stack(engine->pushes.at[i]->in[0]);
        if (at && stack && weir_engine_info(engine, stack)->dual.node)
            return true;
    }
    return false;
}

static void differentiate_body(weir_grad *outer, weir_grad *grad)
{
    weir_loop *loop = grad->scope->loop;
    WEIR_VEC(weir_edge) seeds = {0};
    for (size_t i = 0; i < loop->vars.count && !grad->engine->status; i++) {
        if (!wanted(grad->engine, &loop->vars.at[i]))
            continue;
        start_variable(outer, grad, &loop->vars.at[i]);
        if (loop->vars.at[i].next)
            weir_vec_push(&seeds, loop->vars.at[i].next->in[0]);
    }
    if (!grad->engine->status)
        weir_walk(grad, seeds.at, (int)seeds.count);
    weir_vec_fini(&seeds);
}

void weir_loop_differentiate(weir_grad *outer, weir_loop *loop)
{
    weir_engine *engine = outer->engine;
    if (!any_gradient(engine, loop))
        return;
    if (!loop->cond) {
        weir_engine_fail(
            engine, weir_error(WEIR_INVALID_ARGUMENT, "loop '%s' has no LoopCond", loop->name));
        return;
    }
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/%s_grad", engine->prefix, loop->name);
    weir_scope *scope = WEIR_ARENA_NEW(&engine->arena, weir_scope);
    *scope = (weir_scope){.outer = outer->scope, .loop = loop};
    scope->frame = weir_arena_strdup(&engine->arena, name.at);
    weir_grad around = {.engine = engine, .scope = outer->scope, .prefix = scope->frame};
    weir_grad grad = {.engine = engine, .scope = scope, .prefix = scope->frame};
    count_forward(&around, loop);
    if (!engine->status)
        count_backward(&around, &grad);
    if (!engine->status)
        differentiate_body(&around, &grad);
    for (size_t i = 0; i < loop->vars.count && !engine->status; i++)
        if (loop->vars.at[i].grad_merge)
            finish_variable(&grad, &loop->vars.at[i]);
    for (size_t i = 0; i < loop->invariants.count && !engine->status; i++)
        finish_invariant(&around, &grad, loop->invariants.at[i]);
}
