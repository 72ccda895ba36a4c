/* graph/lower.h - calls and functional control flow as plain dataflow.
 *
 * PartitionedCall, If, Case, While (and their stateless and stateful forms, and calls of a
 * function by its name) are opened up: bodies are copied into the graph under the node's name,
 * conditionals become Switch and Merge, loops Enter, Merge, LoopCond, Switch, NextIteration and
 * Exit. The node itself stays, as IdentityN of what its body gives, so that clients that name it
 * still finds its outputs.
 */
#ifndef WEIR_GRAPH_LOWER_H
#define WEIR_GRAPH_LOWER_H

#include "graph/graph.h"

enum {
    WEIR_LOWER_DEPTH = 100,    /* functions within functions, at most */
    WEIR_LOWER_NODES = 500000, /* and what they may grow a graph by */
    WEIR_LOWER_CALLS = 100000, /* a graph that has grown by this many nodes keeps its calls */
};

/* What is done to a body, which is a graph of its own then, before it is copied. */
typedef weir_status (*weir_lower_ready)(weir_graph *body);

bool weir_lower_serves(const weir_node *node);
/* Opens up one node; functional nodes of its body are left as they are. |ready| may be null. */
WEIR_CHECKED weir_status weir_lower(weir_node *node, weir_lower_ready ready);
/* Opens up every call, every branch and loop with _lower_using_switch_merge, and
 * those inside them; a recursive function stays a call, and so does one that is marked noinline,
 * that lies WEIR_LOWER_DEPTH deep, or that comes after WEIR_LOWER_CALLS new nodes: what calls
 * itself or grows with every level ends with its step, not with the memory. With |unasked| also
 * those without the mark, or marked noinline: where a graph is placed over several tasks, only what
 * is open can be. */
WEIR_CHECKED weir_status weir_lower_all(weir_graph *graph, weir_lower_ready ready, bool unasked);
/* Removes the nodes from |first| on that change no state and that nothing before them needs. */
void weir_lower_prune(weir_graph *graph, size_t first);
/* |node|, whose op is a function's name, becomes a call of it; others stay what they are. */
WEIR_CHECKED weir_status weir_lower_to_call(weir_node *node);
/* |node| becomes IdentityN of |outs| (NoOp when it has no outputs). */
WEIR_CHECKED weir_status weir_lower_replace(weir_node *node, const weir_edge *outs);

#endif
