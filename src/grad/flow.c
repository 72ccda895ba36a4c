/* grad/flow.c - gradients of conditionals: Switch and Merge. */
#include "grad/flow.h"

#include "grad/grad_impl.h"

/* One side's gradient is dead; the other's goes on. A side without a gradient gets zeros that are
 * dead exactly when the side is, so that Merge always has one live input. */
weir_status weir_grad_switch(weir_grad *g)
{
    if (weir_flow_is_loop_switch(g->node)) {
        if (weir_grad_has_dy(g, 1))
            weir_grad_set(g, 0, weir_grad_dy(g, 1));
        return WEIR_OK;
    }
    weir_edge sides[] = {weir_grad_dy(g, 0), weir_grad_dy(g, 1)};
    weir_grad_set(g, 0, weir_grad_op(g, "Merge", sides, 2, WEIR_NO_ATTRS));
    return WEIR_OK;
}

/* The predicate whose two branches join in a Merge of two; a null edge when they are not such. */
static weir_edge joined_predicate(weir_grad *g)
{
    weir_guard *a = weir_structure_guard(g->engine, g->node->in[0]);
    weir_guard *b = weir_structure_guard(g->engine, g->node->in[1]);
    bool plain = g->node->site.in_count == 2 && a && b && a->outer == b->outer &&
                 a->pred.node == b->pred.node && a->pred.index == b->pred.index && a->branch == 0 &&
                 b->branch == 1;
    return plain ? a->pred : (weir_edge){0};
}

weir_status weir_grad_merge(weir_grad *g)
{
    weir_edge dy = weir_grad_dy(g, 0);
    int count = g->node->site.in_count;
    weir_edge pred = count == 2 ? joined_predicate(g) : (weir_edge){0};
    if (pred.node) {
        weir_node *n = weir_grad_node_add(g, "Switch", WEIR_IN(dy, weir_history_value(g, pred)),
                                          WEIR_NO_ATTRS);
        weir_grad_set(g, 0, (weir_edge){n, 0});
        weir_grad_set(g, 1, (weir_edge){n, 1});
        return WEIR_OK;
    }
    weir_edge taken = weir_grad_y(g, 1);
    for (int i = 0; i < count; i++) {
        if (!weir_grad_wants(g, i))
            continue;
        weir_edge mine = weir_grad_op(
            g, "Equal", WEIR_IN(taken, weir_grad_scalar(g, WEIR_INT32, i)), WEIR_NO_ATTRS);
        weir_node *n = weir_grad_node_add(g, "Switch", WEIR_IN(dy, mine), WEIR_NO_ATTRS);
        weir_grad_set(g, i, (weir_edge){n, 1});
    }
    return WEIR_OK;
}
