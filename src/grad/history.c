/* grad/history.c - forward values in a backward loop.
 *
 * An iteration of the backward loop needs values of the matching forward iteration. Invariants
 * enter the backward loop by an Enter of their own; constants are duplicated; everything else is
 * pushed on a stack in the forward iteration and popped in the backward one. A stack is in the
 * root frame, so that nested loops share it: iterations of all levels push in order and pop in
 * reverse.
 *
 * Iterations may overlap, so control edges order them: a push runs after its iteration was counted
 * and before the counter's NextIteration; pops likewise. Pushes under a guard may be dead, so they
 * are ordered through a ControlTrigger, which runs even if its inputs are dead.
 */
#include "grad/flow.h"
#include "grad/grad_impl.h"

static weir_grad at_outer(const weir_grad *grad)
{
    weir_grad outer = *grad;
    outer.scope = grad->scope->outer;
    return outer;
}

static weir_edge *slot(weir_engine *engine, weir_edge **slots, weir_edge of)
{
    if (!*slots)
        *slots = WEIR_ARENA_ARRAY(&engine->arena, weir_edge, of.node->site.out_count);
    return &(*slots)[of.index];
}

/* ---- entering frames ------------------------------------------------------------------------- */

#define ENTER_ATTRS(frame, parallel)                                                               \
    WEIR_ATTRS(weir_a_str("frame_name", frame), weir_a_bool("is_constant", true),                  \
               weir_a_int("parallel_iterations", parallel))

weir_edge weir_history_enter(weir_grad *grad, weir_edge outer)
{
    weir_scope *scope = grad->scope;
    if (grad->engine->status || !outer.node)
        return (weir_edge){0};
    weir_grad from = at_outer(grad);
    weir_edge edge = outer;
    if (scope->loop->guard) /* dead if the loop does not run at all */
        edge = weir_first(weir_grad_add_node(&from, "Identity", WEIR_IN(outer), WEIR_NO_ATTRS,
                                             scope->count.node));
    weir_node *node =
        weir_grad_add_node(&from, "Enter", WEIR_IN(edge),
                           ENTER_ATTRS(scope->frame, scope->loop->parallel_iterations), NULL);
    weir_grad_set_shape(weir_first(node), weir_edge_shape(outer));
    return weir_first(node);
}

static weir_edge enter_forward(weir_grad *grad, weir_loop *loop, weir_edge root)
{
    if (!loop || !root.node)
        return root;
    weir_edge edge = enter_forward(grad, loop->parent, root);
    if (loop->guard)
        edge = weir_first(weir_grad_add_forward(grad, loop->parent, loop->guard, "Identity",
                                                WEIR_IN(edge), WEIR_NO_ATTRS, loop->gate));
    return weir_first(weir_grad_add_forward(grad, loop, NULL, "Enter", WEIR_IN(edge),
                                            ENTER_ATTRS(loop->name, loop->parallel_iterations),
                                            NULL));
}

static weir_edge enter_backward(weir_grad *grad, weir_edge root)
{
    if (!grad->scope->loop)
        return root;
    weir_grad outer = at_outer(grad);
    return weir_history_enter(grad, enter_backward(&outer, root));
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static weir_edge make_stack(weir_grad *grad, weir_dtype dtype)
{
    weir_tensor any_size = weir_tensor_scalar(WEIR_INT32, &(int32_t){-1});
    weir_node *size = weir_grad_add_forward(
        grad, NULL, NULL, "Const", WEIR_NO_IN,
        WEIR_ATTRS(weir_a_tensor("value", &any_size), weir_a_type("dtype", WEIR_INT32)), NULL);
    weir_tensor_release(&any_size);
    return weir_first(weir_grad_add_forward(grad, NULL, NULL, "StackV2", WEIR_IN(weir_first(size)),
                                            WEIR_ATTRS(weir_a_type("elem_type", dtype)), NULL));
}

void weir_history_order(weir_grad *grad, weir_node *node, bool guarded, weir_node *again,
                        weir_node **sync, weir_node *iteration)
{
    if (!node)
        return;
    if (!guarded) {
        weir_graph_add_control(node, again);
        return;
    }
    if (!*sync) {
        *sync = weir_grad_add_node(grad, "ControlTrigger", WEIR_NO_IN, WEIR_NO_ATTRS, iteration);
        if (!*sync)
            return;
        weir_graph_add_control(*sync, again);
    }
    weir_graph_add_control(node, *sync);
}

/* A push in the backward loop, or a pop: |guard| is that of its forward node. */
static weir_node *backward_stack_op(weir_grad *grad, const char *op, weir_edge stack,
                                    weir_edge value, weir_dtype dtype, weir_guard *guard)
{
    weir_scope *scope = grad->scope;
    weir_node *start = guard ? weir_history_pivot(grad, guard) : scope->body;
    weir_edge handle = enter_backward(grad, stack);
    weir_node *node =
        value.node ? weir_grad_add_node(grad, op, WEIR_IN(handle, value), WEIR_NO_ATTRS, start)
                   : weir_grad_add_node(grad, op, WEIR_IN(handle),
                                        WEIR_ATTRS(weir_a_type("elem_type", dtype)), start);
    weir_history_order(grad, node, guard != NULL, scope->again, &scope->sync, scope->body);
    return node;
}

static weir_edge save(weir_grad *grad, weir_edge value)
{
    weir_loop *loop = grad->scope->loop;
    weir_guard *guard = weir_structure_guard(grad->engine, value);
    weir_dtype dtype = weir_edge_dtype(value);
    weir_edge stack = make_stack(grad, dtype);
    weir_edge handle = enter_forward(grad, loop, stack);
    weir_node *push = weir_grad_add_forward(grad, loop, guard, "StackPushV2",
                                            WEIR_IN(handle, value), WEIR_NO_ATTRS, loop->step);
    weir_history_order(grad, push, guard != NULL, loop->again, &loop->sync, loop->step);
    weir_node *pop = backward_stack_op(grad, "StackPopV2", stack, (weir_edge){0}, dtype, guard);
    if (!pop)
        return (weir_edge){0};
    weir_grad_set_shape(weir_first(pop), weir_edge_shape(value));
    weir_engine_info(grad->engine, pop)->saved = value;
    weir_vec_push(&grad->engine->saves, (weir_save){push, pop});
    return weir_first(pop);
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_invariant(const weir_node *node)
{
    return weir_node_flow(node) == WEIR_FLOW_ENTER && weir_node_attr(node, "is_constant")->b;
}

/* A variable's Merge runs once more than the body; the body uses the output of its Switch. */
static weir_edge in_body(weir_grad *grad, weir_edge value)
{
    weir_loop *loop = grad->scope->loop;
    for (size_t i = 0; i < loop->vars.count; i++)
        if (value.index == 0 && loop->vars.at[i].merge == value.node && loop->vars.at[i].branch)
            return (weir_edge){loop->vars.at[i].branch, 1};
    return value;
}

static weir_edge bring(weir_grad *grad, weir_edge value)
{
    weir_loop *frame = weir_engine_info(grad->engine, value.node)->loop;
    weir_grad outer = at_outer(grad);
    weir_tensor constant;
    if (frame != grad->scope->loop)
        return weir_history_enter(grad, weir_history_value(&outer, value));
    if (is_invariant(value.node))
        return weir_history_enter(grad, weir_history_value(&outer, value.node->in[0]));
    if (weir_graph_constant(value, &constant))
        return weir_grad_const(grad, constant);
    return save(grad, value);
}

/* Passes an outer value into a branch through a Switch of its own, so that the backward branch has
 * the form of a forward one and can be differentiated again. */
static weir_edge bring_into_branch(weir_grad *grad, weir_edge value)
{
    weir_edge in[] = {weir_history_value(grad, value.node->in[0]),
                      weir_history_value(grad, value.node->in[1])};
    weir_node *node = weir_grad_add_node(grad, "Switch", in, 2, WEIR_NO_ATTRS, NULL);
    for (int side = 0; side < 2; side++) {
        weir_edge out = {node, side};
        weir_grad_set_shape(out, weir_edge_shape(value));
        *slot(grad->engine, &weir_engine_info(grad->engine, value.node)->backward,
              (weir_edge){value.node, side}) = out;
    }
    return (weir_edge){node, value.index};
}

weir_edge weir_history_value(weir_grad *grad, weir_edge forward)
{
    if (grad->engine->status)
        return (weir_edge){0};
    if (!grad->scope->loop)
        return forward;
    weir_edge value = in_body(grad, weir_flow_skip_identities(forward));
    weir_edge *known =
        slot(grad->engine, &weir_engine_info(grad->engine, value.node)->backward, value);
    if (!known->node)
        *known =
            weir_flow_is_branch(value.node) ? bring_into_branch(grad, value) : bring(grad, value);
    return *known;
}

weir_edge weir_history_shape(weir_grad *grad, weir_edge forward)
{
    if (grad->engine->status)
        return (weir_edge){0};
    if (weir_shape_known(weir_edge_shape(forward)) || !grad->scope->loop)
        return weir_grad_shape_of(grad, forward);
    weir_edge value = in_body(grad, weir_structure_canonical(forward));
    if (is_invariant(value.node))
        return weir_grad_op(grad, "Shape", WEIR_IN(weir_history_value(grad, value)), WEIR_NO_ATTRS);
    weir_info *info = weir_engine_info(grad->engine, value.node);
    weir_edge *shape = slot(grad->engine, &info->shapes, value);
    if (!shape->node)
        *shape = weir_first(weir_grad_add_forward(grad, info->loop,
                                                  weir_structure_guard(grad->engine, value),
                                                  "Shape", WEIR_IN(value), WEIR_NO_ATTRS, NULL));
    return shape->node ? weir_history_value(grad, *shape) : (weir_edge){0};
}

weir_node *weir_history_pivot(weir_grad *grad, weir_guard *guard)
{
    if (!guard || guard->pivot)
        return guard ? guard->pivot : NULL;
    weir_edge pred = weir_history_value(grad, guard->pred);
    weir_node *branch = weir_grad_add_node(grad, "Switch", WEIR_IN(pred, pred), WEIR_NO_ATTRS,
                                           weir_history_pivot(grad, guard->outer));
    weir_edge taken = {branch, guard->branch};
    return guard->pivot = weir_grad_add_node(grad, "Identity", WEIR_IN(taken), WEIR_NO_ATTRS, NULL);
}

/* ---- zeros ----------------------------------------------------------------------------------- */

static weir_edge zeros_of_handle(weir_grad *grad, weir_edge handle)
{
    const weir_handle_info *info =
        handle.node->out_handles ? &handle.node->out_handles[handle.index] : NULL;
    if (!info || !info->dtype) {
        weir_grad_fail(grad,
                       weir_error(WEIR_INVALID_ARGUMENT,
                                  "the type behind resource '%s' is not known, so its gradient "
                                  "cannot be made",
                                  handle.node->site.name));
        return (weir_edge){0};
    }
    weir_edge shape = weir_grad_op(grad, "VariableShape", WEIR_IN(weir_history_value(grad, handle)),
                                   WEIR_NO_ATTRS);
    return weir_grad_op(grad, "Fill", WEIR_IN(shape, weir_grad_scalar(grad, info->dtype, 0)),
                        WEIR_NO_ATTRS);
}

weir_edge weir_history_zeros(weir_grad *grad, weir_edge forward)
{
    if (grad->engine->status)
        return (weir_edge){0};
    if (weir_edge_dtype(forward) == WEIR_RESOURCE)
        return zeros_of_handle(grad, forward);
    if (!grad->scope->loop || weir_edge_dtype(forward) == WEIR_VARIANT)
        return weir_grad_op(grad, "ZerosLike", WEIR_IN(weir_history_value(grad, forward)),
                            WEIR_NO_ATTRS);
    weir_node *pivot = weir_history_pivot(grad, weir_structure_guard(grad->engine, forward));
    weir_edge in[] = {weir_history_shape(grad, forward),
                      weir_grad_scalar(grad, weir_edge_dtype(forward), 0)};
    weir_edge zeros = weir_first(weir_grad_add_node(grad, "Fill", in, 2, WEIR_NO_ATTRS, pivot));
    if (zeros.node)
        weir_grad_set_shape(zeros, weir_edge_shape(forward));
    return zeros;
}

/* ---- gradients of stacks --------------------------------------------------------------------- */

/* The gradient of a pop is pushed on a second stack, and the gradient of the push pops it: the loop
 * with the pops is differentiated first, and its backward iterations run in the order of the
 * pushes. */
weir_status weir_grad_stack_pop(weir_grad *grad)
{
    weir_node *stack = weir_structure_stack(grad->node->in[0]);
    weir_info *info = stack ? weir_engine_info(grad->engine, stack) : NULL;
    if (!info || !grad->scope->loop)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "the gradient of '%s' needs the stack it reads and a "
                          "loop it stands in",
                          grad->node->site.name);
    weir_edge dy = weir_grad_dy(grad, 0);
    weir_dtype dtype = weir_edge_dtype((weir_edge){grad->node, 0});
    if (!info->dual.node)
        info->dual = make_stack(grad, dtype);
    backward_stack_op(grad, "StackPushV2", info->dual, dy, dtype,
                      weir_engine_info(grad->engine, grad->node)->guard);
    return WEIR_OK;
}

weir_status weir_grad_stack_push(weir_grad *grad)
{
    weir_node *stack = weir_structure_stack(grad->node->in[0]);
    weir_edge dual = stack ? weir_engine_info(grad->engine, stack)->dual : (weir_edge){0};
    if (weir_grad_has_dy(grad, 0))
        weir_grad_set(grad, 1, weir_grad_dy(grad, 0));
    if (dual.node && grad->scope->loop)
        weir_grad_set(
            grad, 1,
            weir_first(backward_stack_op(grad, "StackPopV2", dual, (weir_edge){0},
                                         weir_edge_dtype((weir_edge){grad->node, 0}),
                                         weir_engine_info(grad->engine, grad->node)->guard)));
    return WEIR_OK;
}
