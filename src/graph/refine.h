/* graph/refine.h - shape inference through loops. */
#ifndef WEIR_GRAPH_REFINE_H
#define WEIR_GRAPH_REFINE_H

#include "graph/graph.h"

/* While a graph is built, the shapes of loop variables are unknown, because the back edge is
 * missing. Once the loop is complete, each variable keeps the dims of its initial shape that the
 * body preserves. Makes shapes in and after loops more precise, never less. */
void weir_graph_refine_loops(weir_graph *graph);

#endif
