/* grad/symbolic.h - SymbolicGradient: the gradient of a function, as an op. */
#ifndef WEIR_GRAD_SYMBOLIC_H
#define WEIR_GRAD_SYMBOLIC_H

#include "graph/graph.h"

/* Opens up one SymbolicGradient node, or all of a graph: its function's body and gradient are added
 * to the graph (a call of the function's registered gradient, if it has one), and the node becomes
 * IdentityN of the results. Its inputs are the function's arguments, then the gradients of its
 * results; its outputs the gradients of the arguments. |out_any| tells whether there was one. */
WEIR_CHECKED weir_status weir_symbolic_open(weir_node *node);
WEIR_CHECKED weir_status weir_symbolic_open_all(weir_graph *graph, bool *out_any);
/* The same for the body of a function that is about to be copied somewhere, a loop perhaps, where
 * its gradients could not be found any more (a weir_lower_ready). */
WEIR_CHECKED weir_status weir_symbolic_ready(weir_graph *body);

#endif
