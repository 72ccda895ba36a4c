/* graph/flow.c - recognises conditionals and loops in Switch and Merge nodes. */
#include "graph/flow.h"

weir_edge weir_flow_skip_identities(weir_edge edge)
{
    while (weir_node_flow(edge.node) == WEIR_FLOW_IDENTITY &&
           !weir_dtype_is_ref(weir_edge_type(edge.node->in[0])))
        edge = edge.node->in[0];
    return edge;
}

bool weir_flow_is_loop_switch(const weir_node *node)
{
    return weir_node_flow(node) == WEIR_FLOW_SWITCH &&
           weir_node_flow(weir_flow_skip_identities(node->in[1]).node) == WEIR_FLOW_LOOP_COND;
}

bool weir_flow_is_loop_merge(const weir_node *node)
{
    if (weir_node_flow(node) != WEIR_FLOW_MERGE)
        return false;
    for (int i = 0; i < node->site.in_count; i++) {
        weir_flow from = weir_node_flow(node->in[i].node);
        if (from == WEIR_FLOW_NEXT_ITERATION || from == WEIR_FLOW_ENTER)
            return true;
    }
    return false;
}

bool weir_flow_is_branch(const weir_node *node)
{
    return weir_node_flow(node) == WEIR_FLOW_SWITCH && !weir_flow_is_loop_switch(node);
}

bool weir_flow_splits(const weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    return flow == WEIR_FLOW_SWITCH || flow == WEIR_FLOW_SWITCH_N;
}

bool weir_flow_is_control(const weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    return flow >= WEIR_FLOW_SWITCH && flow <= WEIR_FLOW_CONTROL_TRIGGER;
}
