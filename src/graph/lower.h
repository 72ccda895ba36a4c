/* graph/lower.h - lowers calls and functional control flow to dataflow.
 *
 * PartitionedCall, If, Case, While (and their stateless and stateful forms, and calls of a function
 * by its name) are inlined: bodies are copied into the graph under the node's name, conditionals
 * become Switch and Merge, loops Enter, Merge, LoopCond, Switch, NextIteration and Exit. The node
 * itself stays, as IdentityN of its body's results, so that clients that name it still find its
 * outputs.
 */
#ifndef WEIR_GRAPH_LOWER_H
#define WEIR_GRAPH_LOWER_H

#include "graph/graph.h"

enum {
    WEIR_LOWER_DEPTH = 100,    /* maximum depth of nested functions */
    WEIR_LOWER_NODES = 500000, /* maximum number of nodes that they may add */
    WEIR_LOWER_CALLS = 100000, /* after this many new nodes, remaining calls are not inlined */
};

/* Called on an instantiated body before it is copied. */
typedef weir_status (*weir_lower_ready)(weir_graph *body);

bool weir_lower_serves(const weir_node *node);
/* Lowers one node; functional nodes of its body are left unchanged. |ready| may be null. */
WEIR_CHECKED weir_status weir_lower(weir_node *node, weir_lower_ready ready);
/* Lowers every call, every conditional and loop with _lower_using_switch_merge, and those
 * nested in them. A call is kept when its function is recursive or marked noinline, at
 * WEIR_LOWER_DEPTH levels, or after WEIR_LOWER_CALLS new nodes: unbounded recursion then
 * fails its step instead of exhausting memory. With |unasked| also lowers those without
 * the mark or marked noinline, because only an inlined body can be placed over several
 * tasks. */
WEIR_CHECKED weir_status weir_lower_all(weir_graph *graph, weir_lower_ready ready, bool unasked);
/* Removes the nodes from id |first| on that have no side effect and that no earlier node needs.
 * Arguments stay. */
void weir_lower_prune(weir_graph *graph, size_t first);
/* Turns |node|, whose op is a function's name, into a call of it; others are unchanged. */
WEIR_CHECKED weir_status weir_lower_to_call(weir_node *node);
/* Turns |node| into IdentityN of |outs| (NoOp when it has no outputs). */
WEIR_CHECKED weir_status weir_lower_replace(weir_node *node, const weir_edge *outs);

#endif
