/* graph/refine.h - shapes of what goes round in loops. */
#ifndef WEIR_GRAPH_REFINE_H
#define WEIR_GRAPH_REFINE_H

#include "graph/graph.h"

/* While a graph is built, nothing is known of a loop's variables: what comes round might be of any
 * shape. With the loop complete, a variable has the shape it starts with as far as the body, given
 * that shape, gives it back. Makes shapes in and after loops more precise, never less. */
void weir_graph_refine_loops(weir_graph *graph);

#endif
