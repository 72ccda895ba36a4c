/* grad/symbolic.h - SymbolicGradient: the gradient of a function, as an op. */
#ifndef WEIR_GRAD_SYMBOLIC_H
#define WEIR_GRAD_SYMBOLIC_H

#include "graph/graph.h"

/* Lowers one SymbolicGradient node, or all of a graph: its function's body and gradient are added
 * to the graph (a call of the function's registered gradient, if it has one), and the node becomes
 * IdentityN of the results. Inputs: the function's arguments, then the gradients of its results.
 * Outputs: the gradients of the arguments. |out_any| is set when there was one. */
WEIR_CHECKED weir_status weir_symbolic_open(weir_node *node);
WEIR_CHECKED weir_status weir_symbolic_open_all(weir_graph *graph, bool *out_any);
/* The same for a function's body before it is copied, perhaps into a loop, where its gradients
 * could no longer be found (a weir_lower_ready). */
WEIR_CHECKED weir_status weir_symbolic_ready(weir_graph *body);

#endif
