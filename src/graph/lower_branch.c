/* graph/lower_branch.c - If and Case become Switch and Merge. */
#include <stdio.h>

#include "graph/lower_impl.h"

static weir_edge int_const(weir_lowering *lowering, int32_t value, weir_node *control)
{
    if (lowering->status)
        return (weir_edge){0};
    weir_tensor scalar = weir_tensor_scalar(WEIR_INT32, &value);
    weir_named_attr attrs[] = {weir_a_tensor("value", &scalar), weir_a_type("dtype", WEIR_INT32)};
    weir_node *node = weir_lower_add(lowering, "Const", NULL, 0, attrs, 2, control);
    weir_tensor_release(&scalar);
    return weir_first_output(node);
}

typedef struct branch {
    weir_edge pred; /* taken when it equals |side| */
    int side;
    const weir_func *func;
    weir_edge *rets;
    weir_edge done; /* alive when the branch was taken and its side effects are complete */
    bool has_effects;
} branch;

static void lower_branch(weir_lowering *lowering, branch *branch, int number)
{
    weir_node *node = lowering->node;
    int args = node->site.in_count - 1;
    weir_lower_body body = {0};
    weir_node_list effects = {0};
    WEIR_FREED weir_edge *in = WEIR_NEW_ARRAY(weir_edge, args);
    char part[24];
    snprintf(part, sizeof part, "branch%d", number);
    weir_node *choice =
        weir_lower_add(lowering, "Switch", IN(branch->pred, branch->pred), NO_ATTRS, NULL);
    weir_node *pivot =
        weir_lower_add(lowering, "Identity", IN({choice, branch->side}), NO_ATTRS, NULL);
    weir_lower_inherit_controls(lowering, choice);
    for (int i = 0; i < args && !lowering->status; i++)
        in[i] = (weir_edge){
            weir_lower_add(lowering, "Switch", IN(node->in[i + 1], branch->pred), NO_ATTRS, NULL),
            branch->side};
    if (!lowering->status)
        weir_lower_fail(lowering,
                        weir_lower_open(lowering, branch->func, args, node->site.out_count, &body));
    weir_lower_paste(lowering, &body, part, in, pivot, branch->rets, &effects);
    branch->done = weir_first_output(
        weir_lower_add(lowering, "Identity", IN(weir_first_output(pivot)), NO_ATTRS, NULL));
    for (size_t i = 0; i < effects.count; i++)
        weir_lower_control(lowering, effects.at[i], branch->done.node);
    branch->has_effects = effects.count > 0;
    weir_vec_fini(&effects);
    weir_lower_close(&body);
}

static void join_branches(weir_lowering *lowering, const branch *branches, int count)
{
    WEIR_FREED weir_edge *sides = WEIR_NEW_ARRAY(weir_edge, count);
    bool effects = false;
    for (int out = 0; out < lowering->node->site.out_count; out++) {
        for (int i = 0; i < count; i++)
            sides[i] = branches[i].rets[out];
        lowering->outs[out] = weir_lower_op(lowering, "Merge", sides, count);
    }
    for (int i = 0; i < count; i++) {
        sides[i] = branches[i].done;
        effects |= branches[i].has_effects;
    }
    if (effects)
        lowering->done = weir_lower_op(lowering, "Merge", sides, count).node;
}

static void lower_branches(weir_lowering *lowering, branch *branches, int count)
{
    for (int i = 0; i < count; i++) {
        branches[i].rets = WEIR_NEW_ARRAY(weir_edge, lowering->node->site.out_count);
        lower_branch(lowering, &branches[i], i);
    }
    if (!lowering->status)
        join_branches(lowering, branches, count);
    for (int i = 0; i < count; i++)
        weir_free(branches[i].rets);
}

void weir_lower_if(weir_lowering *lowering)
{
    weir_edge pred = weir_lower_bool(lowering, lowering->node->in[0]);
    branch branches[] = {
        {.pred = pred, .side = 0, .func = weir_node_attr(lowering->node, "else_branch")->func},
        {.pred = pred, .side = 1, .func = weir_node_attr(lowering->node, "then_branch")->func},
    };
    lower_branches(lowering, branches, 2);
}

/* An index out of range selects the last branch. */
static weir_edge valid_index(weir_lowering *lowering, weir_edge index, int count)
{
    weir_node *after = lowering->status ? NULL : index.node;
    weir_edge last = int_const(lowering, count - 1, after);
    weir_edge high = weir_lower_op(lowering, "Less", IN(index, last));
    weir_edge low =
        weir_lower_op(lowering, "GreaterEqual", IN(index, int_const(lowering, 0, after)));
    return weir_lower_op(lowering, "SelectV2",
                         IN(weir_lower_op(lowering, "LogicalAnd", IN(high, low)), index, last));
}

void weir_lower_case(weir_lowering *lowering)
{
    const weir_attr *funcs = weir_node_attr(lowering->node, "branches");
    WEIR_FREED branch *branches = WEIR_NEW_ARRAY(branch, funcs->count);
    weir_edge index = weir_lower_op(lowering, "Identity", IN(lowering->node->in[0]));
    index = valid_index(lowering, index, funcs->count);
    for (int i = 0; i < funcs->count && !lowering->status; i++)
        branches[i] = (branch){
            .pred = weir_lower_op(lowering, "Equal", IN(index, int_const(lowering, i, index.node))),
            .side = 1,
            .func = &funcs->funcs[i]};
    if (!lowering->status)
        lower_branches(lowering, branches, funcs->count);
}
