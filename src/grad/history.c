/* grad/history.c - forward values in a backward loop.
 *
 * An iteration of the backward loop needs values of the forward loop's matching iteration.
 * Invariants enter the backward loop as they entered the forward one; constants are made again;
 * everything else is pushed on a stack in the forward iteration and popped in the backward one. A
 * stack stands in the root frame, so that nested loops share it: iterations of all levels push in
 * order and pop in reverse.
 *
 * Iterations may overlap, so order is kept by control edges: a push runs after its iteration was
 * counted and before the count goes on to the next; pops likewise. Pushes under a guard may not run
 * at all, so they go through a ControlTrigger, which runs whether its inputs are dead or not.
 */
#include "grad/flow.h"
#include "grad/grad_impl.h"

static weir_grad at_outer(const weir_grad *g)
{
    weir_grad outer = *g;
    outer.scope = g->scope->outer;
    return outer;
}

static weir_edge *slot(weir_engine *e, weir_edge **slots, weir_edge of)
{
    if (!*slots)
        *slots = WEIR_ARENA_ARRAY(&e->arena, weir_edge, of.node->site.out_count);
    return &(*slots)[of.index];
}

/* ---- entering frames ------------------------------------------------------------------------- */

#define ENTER_ATTRS(frame, parallel)                                                               \
    WEIR_ATTRS(weir_a_str("frame_name", frame), weir_a_bool("is_constant", true),                  \
               weir_a_int("parallel_iterations", parallel))

weir_edge weir_history_enter(weir_grad *g, weir_edge outer)
{
    weir_scope *s = g->scope;
    if (g->engine->status || !outer.node)
        return (weir_edge){0};
    weir_grad from = at_outer(g);
    weir_edge e = outer;
    if (s->loop->guard) /* dead when the loop does not run at all */
        e = weir_first(
            weir_grad_add_node(&from, "Identity", WEIR_IN(outer), WEIR_NO_ATTRS, s->count.node));
    weir_node *n = weir_grad_add_node(&from, "Enter", WEIR_IN(e),
                                      ENTER_ATTRS(s->frame, s->loop->parallel_iterations), NULL);
    weir_grad_set_shape(weir_first(n), weir_edge_shape(outer));
    return weir_first(n);
}

static weir_edge enter_forward(weir_grad *g, weir_loop *l, weir_edge root)
{
    if (!l || !root.node)
        return root;
    weir_edge e = enter_forward(g, l->parent, root);
    if (l->guard)
        e = weir_first(weir_grad_add_forward(g, l->parent, l->guard, "Identity", WEIR_IN(e),
                                             WEIR_NO_ATTRS, l->gate));
    return weir_first(weir_grad_add_forward(g, l, NULL, "Enter", WEIR_IN(e),
                                            ENTER_ATTRS(l->name, l->parallel_iterations), NULL));
}

static weir_edge enter_backward(weir_grad *g, weir_edge root)
{
    if (!g->scope->loop)
        return root;
    weir_grad outer = at_outer(g);
    return weir_history_enter(g, enter_backward(&outer, root));
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static weir_edge make_stack(weir_grad *g, weir_dtype dtype)
{
    weir_tensor any_size = weir_tensor_scalar(WEIR_INT32, &(int32_t){-1});
    weir_node *size = weir_grad_add_forward(
        g, NULL, NULL, "Const", WEIR_NO_IN,
        WEIR_ATTRS(weir_a_tensor("value", &any_size), weir_a_type("dtype", WEIR_INT32)), NULL);
    weir_tensor_release(&any_size);
    return weir_first(weir_grad_add_forward(g, NULL, NULL, "StackV2", WEIR_IN(weir_first(size)),
                                            WEIR_ATTRS(weir_a_type("elem_type", dtype)), NULL));
}

void weir_history_order(weir_grad *g, weir_node *n, bool guarded, weir_node *again,
                        weir_node **sync, weir_node *iteration)
{
    if (!n)
        return;
    if (!guarded) {
        weir_graph_add_control(n, again);
        return;
    }
    if (!*sync) {
        *sync = weir_grad_add_node(g, "ControlTrigger", WEIR_NO_IN, WEIR_NO_ATTRS, iteration);
        if (!*sync)
            return;
        weir_graph_add_control(*sync, again);
    }
    weir_graph_add_control(n, *sync);
}

/* A push in the backward loop, or a pop: |guard| is that of the forward node it belongs to. */
static weir_node *backward_stack_op(weir_grad *g, const char *op, weir_edge stack, weir_edge value,
                                    weir_dtype dtype, weir_guard *guard)
{
    weir_scope *s = g->scope;
    weir_node *start = guard ? weir_history_pivot(g, guard) : s->body;
    weir_edge handle = enter_backward(g, stack);
    weir_node *n = value.node
                       ? weir_grad_add_node(g, op, WEIR_IN(handle, value), WEIR_NO_ATTRS, start)
                       : weir_grad_add_node(g, op, WEIR_IN(handle),
                                            WEIR_ATTRS(weir_a_type("elem_type", dtype)), start);
    weir_history_order(g, n, guard != NULL, s->again, &s->sync, s->body);
    return n;
}

static weir_edge save(weir_grad *g, weir_edge v)
{
    weir_loop *l = g->scope->loop;
    weir_guard *guard = weir_structure_guard(g->engine, v);
    weir_dtype dtype = weir_edge_dtype(v);
    weir_edge stack = make_stack(g, dtype);
    weir_edge handle = enter_forward(g, l, stack);
    weir_node *push = weir_grad_add_forward(g, l, guard, "StackPushV2", WEIR_IN(handle, v),
                                            WEIR_NO_ATTRS, l->step);
    weir_history_order(g, push, guard != NULL, l->again, &l->sync, l->step);
    weir_node *pop = backward_stack_op(g, "StackPopV2", stack, (weir_edge){0}, dtype, guard);
    if (!pop)
        return (weir_edge){0};
    weir_grad_set_shape(weir_first(pop), weir_edge_shape(v));
    weir_engine_info(g->engine, pop)->saved = v;
    weir_vec_push(&g->engine->saves, (weir_save){push, pop});
    return weir_first(pop);
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_invariant(const weir_node *n)
{
    return weir_node_flow(n) == WEIR_FLOW_ENTER && weir_node_attr(n, "is_constant")->b;
}

/* A variable's Merge runs once more than the body; what the body sees of it is its Switch. */
static weir_edge in_body(weir_grad *g, weir_edge v)
{
    weir_loop *l = g->scope->loop;
    for (size_t i = 0; i < l->vars.count; i++)
        if (v.index == 0 && l->vars.at[i].merge == v.node && l->vars.at[i].branch)
            return (weir_edge){l->vars.at[i].branch, 1};
    return v;
}

static weir_edge bring(weir_grad *g, weir_edge v)
{
    weir_loop *frame = weir_engine_info(g->engine, v.node)->loop;
    weir_grad outer = at_outer(g);
    weir_tensor constant;
    if (frame != g->scope->loop)
        return weir_history_enter(g, weir_history_value(&outer, v));
    if (is_invariant(v.node))
        return weir_history_enter(g, weir_history_value(&outer, v.node->in[0]));
    if (weir_graph_constant(v, &constant))
        return weir_grad_const(g, constant);
    return save(g, v);
}

/* What a branch sees of an outer value: the value once more, through a Switch of its own, so that
 * the backward branch is built as the forward one was and can be differentiated again. */
static weir_edge bring_into_branch(weir_grad *g, weir_edge v)
{
    weir_edge in[] = {weir_history_value(g, v.node->in[0]), weir_history_value(g, v.node->in[1])};
    weir_node *n = weir_grad_add_node(g, "Switch", in, 2, WEIR_NO_ATTRS, NULL);
    for (int side = 0; side < 2; side++) {
        weir_edge out = {n, side};
        weir_grad_set_shape(out, weir_edge_shape(v));
        *slot(g->engine, &weir_engine_info(g->engine, v.node)->backward,
              (weir_edge){v.node, side}) = out;
    }
    return (weir_edge){n, v.index};
}

weir_edge weir_history_value(weir_grad *g, weir_edge forward)
{
    if (g->engine->status)
        return (weir_edge){0};
    if (!g->scope->loop)
        return forward;
    weir_edge v = in_body(g, weir_flow_skip_identities(forward));
    weir_edge *known = slot(g->engine, &weir_engine_info(g->engine, v.node)->backward, v);
    if (!known->node)
        *known = weir_flow_is_branch(v.node) ? bring_into_branch(g, v) : bring(g, v);
    return *known;
}

weir_edge weir_history_shape(weir_grad *g, weir_edge forward)
{
    if (g->engine->status)
        return (weir_edge){0};
    if (weir_shape_known(weir_edge_shape(forward)) || !g->scope->loop)
        return weir_grad_shape_of(g, forward);
    weir_edge v = in_body(g, weir_structure_canonical(forward));
    if (is_invariant(v.node))
        return weir_grad_op(g, "Shape", WEIR_IN(weir_history_value(g, v)), WEIR_NO_ATTRS);
    weir_info *info = weir_engine_info(g->engine, v.node);
    weir_edge *shape = slot(g->engine, &info->shapes, v);
    if (!shape->node)
        *shape = weir_first(weir_grad_add_forward(g, info->loop, weir_structure_guard(g->engine, v),
                                                  "Shape", WEIR_IN(v), WEIR_NO_ATTRS, NULL));
    return shape->node ? weir_history_value(g, *shape) : (weir_edge){0};
}

weir_node *weir_history_pivot(weir_grad *g, weir_guard *guard)
{
    if (!guard || guard->pivot)
        return guard ? guard->pivot : NULL;
    weir_edge pred = weir_history_value(g, guard->pred);
    weir_node *branch = weir_grad_add_node(g, "Switch", WEIR_IN(pred, pred), WEIR_NO_ATTRS,
                                           weir_history_pivot(g, guard->outer));
    weir_edge taken = {branch, guard->branch};
    return guard->pivot = weir_grad_add_node(g, "Identity", WEIR_IN(taken), WEIR_NO_ATTRS, NULL);
}

/* ---- zeros ----------------------------------------------------------------------------------- */

static weir_edge zeros_of_handle(weir_grad *g, weir_edge handle)
{
    const weir_handle_info *h =
        handle.node->out_handles ? &handle.node->out_handles[handle.index] : NULL;
    if (!h || !h->dtype) {
        weir_grad_fail(g, weir_error(WEIR_INVALID_ARGUMENT,
                                     "the type behind resource '%s' is not known, so its gradient "
                                     "cannot be made",
                                     handle.node->site.name));
        return (weir_edge){0};
    }
    weir_edge shape =
        weir_grad_op(g, "VariableShape", WEIR_IN(weir_history_value(g, handle)), WEIR_NO_ATTRS);
    return weir_grad_op(g, "Fill", WEIR_IN(shape, weir_grad_scalar(g, h->dtype, 0)), WEIR_NO_ATTRS);
}

weir_edge weir_history_zeros(weir_grad *g, weir_edge forward)
{
    if (g->engine->status)
        return (weir_edge){0};
    if (weir_edge_dtype(forward) == WEIR_RESOURCE)
        return zeros_of_handle(g, forward);
    if (!g->scope->loop || weir_edge_dtype(forward) == WEIR_VARIANT)
        return weir_grad_op(g, "ZerosLike", WEIR_IN(weir_history_value(g, forward)), WEIR_NO_ATTRS);
    weir_node *pivot = weir_history_pivot(g, weir_structure_guard(g->engine, forward));
    weir_edge in[] = {weir_history_shape(g, forward),
                      weir_grad_scalar(g, weir_edge_dtype(forward), 0)};
    weir_edge zeros = weir_first(weir_grad_add_node(g, "Fill", in, 2, WEIR_NO_ATTRS, pivot));
    if (zeros.node)
        weir_grad_set_shape(zeros, weir_edge_shape(forward));
    return zeros;
}

/* ---- stacks differentiated ------------------------------------------------------------------- */

/* What a pop brought back gives its gradient to a second stack, and the push takes it from there:
 * the loop that popped is differentiated first, and runs through its iterations in the order in
 * which they were pushed. */
weir_status weir_grad_stack_pop(weir_grad *g)
{
    weir_node *stack = weir_structure_stack(g->node->in[0]);
    weir_info *info = stack ? weir_engine_info(g->engine, stack) : NULL;
    if (!info || !g->scope->loop)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "the gradient of '%s' needs the stack it reads and a "
                          "loop it stands in",
                          g->node->site.name);
    weir_edge dy = weir_grad_dy(g, 0);
    weir_dtype dtype = weir_edge_dtype((weir_edge){g->node, 0});
    if (!info->dual.node)
        info->dual = make_stack(g, dtype);
    backward_stack_op(g, "StackPushV2", info->dual, dy, dtype,
                      weir_engine_info(g->engine, g->node)->guard);
    return WEIR_OK;
}

weir_status weir_grad_stack_push(weir_grad *g)
{
    weir_node *stack = weir_structure_stack(g->node->in[0]);
    weir_edge dual = stack ? weir_engine_info(g->engine, stack)->dual : (weir_edge){0};
    if (weir_grad_has_dy(g, 0))
        weir_grad_set(g, 1, weir_grad_dy(g, 0));
    if (dual.node && g->scope->loop)
        weir_grad_set(g, 1,
                      weir_first(backward_stack_op(g, "StackPopV2", dual, (weir_edge){0},
                                                   weir_edge_dtype((weir_edge){g->node, 0}),
                                                   weir_engine_info(g->engine, g->node)->guard)));
    return WEIR_OK;
}
