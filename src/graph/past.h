/* graph/past.h - what a graph was before it was rewritten: which nodes of the program a node of a
 * pass stands for.
 *
 * Nodes that are removed stay in the graph's arena, with their op, attrs and types; what is kept
 * beside them is where their inputs came from, and what took the place of what.
 */
#ifndef WEIR_GRAPH_PAST_H
#define WEIR_GRAPH_PAST_H

#include "graph/graph.h"

/* From now on every weir_graph_replace is noted, and the edges of now are kept. Once per graph. */
void weir_graph_keep_past(weir_graph *graph);
/* Notes that |to| stands for |from|; index -1: for what it does. */
void weir_graph_note_replaced(weir_edge from, weir_edge to);
/* True when |node| was added since; false when nothing is kept. */
bool weir_node_is_made(const weir_node *node);
/* The edge of then whose value |edge| carries; a null node: none does. */
weir_edge weir_edge_then(weir_edge edge);
/* Where input |input| of |node|, a node of then, came from. */
weir_edge weir_node_input_then(const weir_node *node, int input);

/* The nodes of then that |made| computes its outputs of, given its inputs: inputs before those that
 * read them, and none but nodes that are gone. At most |most|; returns how many. */
int weir_node_parts(const weir_node *made, weir_node **out_parts, int most);

#endif
