/* pass/check.h - validates a graph after passes have rewritten it.
 *
 * A snapshot is taken before the passes. Afterwards the graph must be acyclic except for loops'
 * back edges; producer and consumer types must agree; remaining nodes must have the same output
 * types; and a node that accesses state before a write to it must still be ordered before that
 * write. Not thread-safe.
 */
#ifndef WEIR_PASS_CHECK_H
#define WEIR_PASS_CHECK_H

#include "graph/graph.h"

typedef struct weir_graph_snapshot weir_graph_snapshot;

weir_graph_snapshot *weir_graph_snapshot_take(const weir_graph *graph);
void weir_graph_snapshot_free(weir_graph_snapshot *snapshot); /* takes null */
/* INTERNAL names the node and the violation. */
WEIR_CHECKED weir_status weir_graph_check(const weir_graph *graph,
                                          const weir_graph_snapshot *before);

#endif
