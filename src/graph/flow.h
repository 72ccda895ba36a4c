/* graph/flow.h - conditionals and loops found in Switch and Merge nodes. */
#ifndef WEIR_GRAPH_FLOW_H
#define WEIR_GRAPH_FLOW_H

#include "graph/graph.h"

/* |edge| without the Identity nodes it came through; one that reads a variable stays. */
weir_edge weir_flow_skip_identities(weir_edge edge);
/* The Switch that ends a loop: its predicate is a LoopCond. */
bool weir_flow_is_loop_switch(const weir_node *node);
/* The Merge that begins a loop's variable: it joins Enter and NextIteration. */
bool weir_flow_is_loop_merge(const weir_node *node);
/* A conditional's Switch. */
bool weir_flow_is_branch(const weir_node *node);
/* True when one output of the node may be dead while another is not. */
bool weir_flow_splits(const weir_node *node);
/* Part of a conditional or a loop: Switch, Merge, Enter, LoopCond and the like. */
bool weir_flow_is_control(const weir_node *node);

#endif
