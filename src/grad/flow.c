/* grad/flow.c - gradients of conditionals: Switch and Merge. */
#include "grad/flow.h"

#include "grad/grad_impl.h"

/* One side's gradient is dead; the other's is passed on. A side without a gradient gets zeros that
 * are dead exactly when the side is, so that Merge always has one live input. */
weir_status weir_grad_switch(weir_grad *grad)
{
    if (weir_flow_is_loop_switch(grad->node)) {
        if (weir_grad_has_dy(grad, 1))
            weir_grad_set(grad, 0, weir_grad_dy(grad, 1));
        return WEIR_OK;
    }
    weir_edge sides[] = {weir_grad_dy(grad, 0), weir_grad_dy(grad, 1)};
    weir_grad_set(grad, 0, weir_grad_op(grad, "Merge", sides, 2, WEIR_NO_ATTRS));
    return WEIR_OK;
}

/* The predicate whose two branches a binary Merge joins; a null edge for other Merges. */
static weir_edge joined_predicate(weir_grad *grad)
{
    weir_guard *a = weir_structure_guard(grad->engine, grad->node->in[0]);
    weir_guard *b = weir_structure_guard(grad->engine, grad->node->in[1]);
    bool plain = grad->node->site.in_count == 2 && a && b && a->outer == b->outer &&
                 a->pred.node == b->pred.node && a->pred.index == b->pred.index && a->branch == 0 &&
                 b->branch == 1;
    return plain ? a->pred : (weir_edge){0};
}

weir_status weir_grad_merge(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0);
    int count = grad->node->site.in_count;
    weir_edge pred = count == 2 ? joined_predicate(grad) : (weir_edge){0};
    if (pred.node) {
        weir_node *node = weir_grad_node_add(
            grad, "Switch", WEIR_IN(dy, weir_history_value(grad, pred)), WEIR_NO_ATTRS);
        weir_grad_set(grad, 0, (weir_edge){node, 0});
        weir_grad_set(grad, 1, (weir_edge){node, 1});
        return WEIR_OK;
    }
    weir_edge taken = weir_grad_y(grad, 1);
    for (int i = 0; i < count; i++) {
        if (!weir_grad_wants(grad, i))
            continue;
        weir_edge mine = weir_grad_op(
            grad, "Equal", WEIR_IN(taken, weir_grad_scalar(grad, WEIR_INT32, i)), WEIR_NO_ATTRS);
        weir_node *node = weir_grad_node_add(grad, "Switch", WEIR_IN(dy, mine), WEIR_NO_ATTRS);
        weir_grad_set(grad, i, (weir_edge){node, 1});
    }
    return WEIR_OK;
}
