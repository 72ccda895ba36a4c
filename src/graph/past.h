/* graph/past.h - the original graph: maps nodes made by passes back to the nodes of the program
 * that they replace.
 *
 * Removed nodes stay in the graph's arena, with their op, attrs and types. Kept beside them are
 * their original inputs, and which edge replaced which.
 */
#ifndef WEIR_GRAPH_PAST_H
#define WEIR_GRAPH_PAST_H

#include "graph/graph.h"

/* Saves the current edges and records every weir_graph_replace from now on. Once per graph. */
void weir_graph_keep_past(weir_graph *graph);
/* Records that |to| replaces |from|; index -1: its side effects. */
void weir_graph_note_replaced(weir_edge from, weir_edge to);
/* True when |node| was added after keep_past; false when nothing is kept. */
bool weir_node_is_made(const weir_node *node);
/* The original edge with the value of |edge|; a null node when there is none. */
weir_edge weir_edge_then(weir_edge edge);
/* The source of input |input| of the original node |node|. */
weir_edge weir_node_input_then(const weir_node *node, int input);

/* The original nodes that |made| replaces, in topological order; only removed nodes. At most |most|
 * are written; returns how many. */
int weir_node_parts(const weir_node *made, weir_node **out_parts, int most);

#endif
