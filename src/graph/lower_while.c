/* graph/lower_while.c - While becomes Enter, Merge, LoopCond, Switch, NextIteration and Exit. */
#include "graph/lower_impl.h"

typedef struct while_loop {
    weir_lower_body cond, body;
    int count;
    bool *fixed; /* per value: the body returns it unchanged (loop-invariant) */
    weir_edge *at_cond, *at_body, *rets;
    weir_node **merges, **branches;
    int leader; /* the first variant value: in Python's loops, the counter */
} while_loop;

static void find_fixed(while_loop *loop)
{
    loop->leader = -1;
    for (int i = 0; i < loop->count; i++) {
        weir_edge edge = loop->body.rets[i];
        while (weir_node_flow(edge.node) == WEIR_FLOW_IDENTITY)
            edge = edge.node->in[0];
        loop->fixed[i] = edge.node == loop->body.args[i].node;
        if (!loop->fixed[i] && loop->leader < 0)
            loop->leader = i;
    }
    if (loop->leader < 0 && loop->count) { /* at least one loop variable is needed */
        loop->leader = 0;
        loop->fixed[0] = false;
    }
}

static void enter_values(weir_lowering *lowering, while_loop *loop)
{
    const weir_attr *parallel = weir_node_attr(lowering->node, "parallel_iterations");
    for (int i = 0; i < loop->count && !lowering->status; i++) {
        weir_named_attr attrs[] = {
            weir_a_str("frame_name", lowering->node->site.name),
            weir_a_bool("is_constant", loop->fixed[i]),
            weir_a_int("parallel_iterations", parallel && parallel->i > 0 ? parallel->i : 10),
        };
        weir_node *enter =
            weir_lower_add(lowering, "Enter", IN(lowering->node->in[i]), attrs, 3, NULL);
        weir_lower_inherit_controls(lowering, enter);
        weir_edge entered = weir_first_output(enter);
        if (!loop->fixed[i])
            loop->merges[i] =
                weir_lower_add(lowering, "Merge", IN(entered, entered), NO_ATTRS, NULL);
        if (loop->merges[i]) /* the back edge may have another shape */
            loop->merges[i]->out_shapes[0] = WEIR_UNKNOWN_SHAPE;
        loop->at_cond[i] = loop->at_body[i] =
            loop->fixed[i] ? entered : weir_first_output(loop->merges[i]);
    }
}

static void lower_cond(weir_lowering *lowering, while_loop *loop)
{
    weir_edge again = {0};
    weir_node_list effects = {0};
    weir_lower_paste(lowering, &loop->cond, "cond", loop->at_cond, loop->merges[loop->leader],
                     &again, &effects);
    weir_edge cond = weir_lower_op(lowering, "LoopCond", IN(weir_lower_bool(lowering, again)));
    for (size_t i = 0; i < effects.count; i++)
        weir_lower_control(lowering, effects.at[i], cond.node);
    weir_vec_fini(&effects);
    for (int i = 0; i < loop->count && !lowering->status; i++) {
        if (loop->fixed[i])
            continue;
        loop->branches[i] = weir_lower_add(
            lowering, "Switch", IN(weir_first_output(loop->merges[i]), cond), NO_ATTRS, NULL);
        loop->at_body[i] = (weir_edge){loop->branches[i], 1};
    }
}

static void lower_loop_body(weir_lowering *lowering, while_loop *loop)
{
    bool *gated = weir_lower_find_gated(&loop->body, loop->fixed);
    weir_node_list effects = {0};
    weir_node *pivot =
        lowering->status
            ? NULL
            : weir_lower_add(lowering, "Identity", IN(loop->at_body[loop->leader]), NO_ATTRS, NULL);
    weir_lower_paste(lowering, &loop->body, "body", loop->at_body, pivot, loop->rets, &effects);
    for (int i = 0; i < loop->count && !lowering->status; i++) {
        if (loop->fixed[i]) {
            lowering->outs[i] = lowering->node->in[i];
            continue;
        }
        weir_edge next = weir_lower_op(lowering, "NextIteration", IN(loop->rets[i]));
        if (!gated[loop->body.rets[i].node->id]) /* otherwise the loop would never end */
            weir_lower_control(lowering, pivot, next.node);
        lowering->outs[i] = weir_lower_op(lowering, "Exit", IN({loop->branches[i], 0}));
        if (lowering->status)
            break;
        weir_graph_set_input(loop->merges[i], 1, next);
        if (i != loop->leader || !effects.count)
            continue;
        for (size_t k = 0; k < effects.count; k++)
            weir_lower_control(lowering, effects.at[k], next.node);
        lowering->done = lowering->outs[i].node;
    }
    if (!lowering->status)
        weir_graph_relax_handles(loop->merges, loop->count);
    weir_vec_fini(&effects);
    weir_free(gated);
}

void weir_lower_while(weir_lowering *lowering)
{
    int count = lowering->node->site.in_count;
    while_loop loop = {
        .count = count,
        .fixed = WEIR_NEW_ARRAY(bool, count),
        .at_cond = WEIR_NEW_ARRAY(weir_edge, count),
        .at_body = WEIR_NEW_ARRAY(weir_edge, count),
        .rets = WEIR_NEW_ARRAY(weir_edge, count),
        .merges = WEIR_NEW_ARRAY(weir_node *, count),
        .branches = WEIR_NEW_ARRAY(weir_node *, count),
    };
    weir_lower_fail(lowering,
                    weir_lower_open(lowering, weir_node_attr(lowering->node, "cond")->func, count,
                                    1, &loop.cond));
    if (!lowering->status)
        weir_lower_fail(lowering,
                        weir_lower_open(lowering, weir_node_attr(lowering->node, "body")->func,
                                        count, count, &loop.body));
    if (!lowering->status) {
        find_fixed(&loop);
        enter_values(lowering, &loop);
        lower_cond(lowering, &loop);
        lower_loop_body(lowering, &loop);
    }
    weir_lower_close(&loop.cond);
    weir_lower_close(&loop.body);
    weir_free(loop.fixed);
    weir_free(loop.at_cond);
    weir_free(loop.at_body);
    weir_free(loop.rets);
    weir_free(loop.merges);
    weir_free(loop.branches);
}
