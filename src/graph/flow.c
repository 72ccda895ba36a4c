/* graph/flow.c - what the Switch and Merge nodes of a graph stand for. */
#include "graph/flow.h"

weir_edge weir_flow_skip_identities(weir_edge e)
{
    while (weir_node_flow(e.node) == WEIR_FLOW_IDENTITY &&
           !weir_dtype_is_ref(weir_edge_type(e.node->in[0])))
        e = e.node->in[0];
    return e;
}

bool weir_flow_is_loop_switch(const weir_node *n)
{
    return weir_node_flow(n) == WEIR_FLOW_SWITCH &&
           weir_node_flow(weir_flow_skip_identities(n->in[1]).node) == WEIR_FLOW_LOOP_COND;
}

bool weir_flow_is_loop_merge(const weir_node *n)
{
    if (weir_node_flow(n) != WEIR_FLOW_MERGE)
        return false;
    for (int i = 0; i < n->site.in_count; i++) {
        weir_flow from = weir_node_flow(n->in[i].node);
        if (from == WEIR_FLOW_NEXT_ITERATION || from == WEIR_FLOW_ENTER)
            return true;
    }
    return false;
}

bool weir_flow_is_branch(const weir_node *n)
{
    return weir_node_flow(n) == WEIR_FLOW_SWITCH && !weir_flow_is_loop_switch(n);
}

bool weir_flow_splits(const weir_node *n)
{
    weir_flow flow = weir_node_flow(n);
    return flow == WEIR_FLOW_SWITCH || flow == WEIR_FLOW_SWITCH_N;
}

bool weir_flow_is_control(const weir_node *n)
{
    weir_flow flow = weir_node_flow(n);
    return flow >= WEIR_FLOW_SWITCH && flow <= WEIR_FLOW_CONTROL_TRIGGER;
}
