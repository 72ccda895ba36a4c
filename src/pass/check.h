/* pass/check.h - whether a graph is still sound after passes have rewritten it.
 *
 * A snapshot is taken before the passes. Afterwards the graph must be acyclic but for loops' back
 * edges, edges must join values of one type, nodes that are still there must have their outputs'
 * types, and what changed or read state before another change of state must still come before it.
 * One thread at a time.
 */
#ifndef WEIR_PASS_CHECK_H
#define WEIR_PASS_CHECK_H

#include "graph/graph.h"

typedef struct weir_graph_snapshot weir_graph_snapshot;

weir_graph_snapshot *weir_graph_snapshot_take(const weir_graph *graph);
void weir_graph_snapshot_free(weir_graph_snapshot *snapshot); /* takes null */
/* INTERNAL names the node and what is wrong with it. */
WEIR_CHECKED weir_status weir_graph_check(const weir_graph *graph,
                                          const weir_graph_snapshot *before);

#endif
