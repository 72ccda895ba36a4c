/* graph/flow.h - recognises conditionals and loops in Switch and Merge nodes. */
#ifndef WEIR_GRAPH_FLOW_H
#define WEIR_GRAPH_FLOW_H

#include "graph/graph.h"

/* Follows |edge| back through Identity nodes; stops at one that reads a variable. */
weir_edge weir_flow_skip_identities(weir_edge edge);
/* The Switch of a loop variable: its predicate is a LoopCond. */
bool weir_flow_is_loop_switch(const weir_node *node);
/* The Merge of a loop variable: its inputs are Enter and NextIteration. */
bool weir_flow_is_loop_merge(const weir_node *node);
/* A conditional's Switch. */
bool weir_flow_is_branch(const weir_node *node);
/* True when one output of the node may be dead while another is not. */
bool weir_flow_splits(const weir_node *node);
/* True for control flow nodes: Switch, Merge, Enter, LoopCond and the like. */
bool weir_flow_is_control(const weir_node *node);

#endif
