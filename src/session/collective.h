/* session/collective.h - collective ops among the devices of one process. */
#ifndef WEIR_SESSION_COLLECTIVE_H
#define WEIR_SESSION_COLLECTIVE_H

#include "graph/graph.h"
#include "state/groups.h"

/* The graph key of graphs with collective ops, computed as in TensorFlow; 0: no such ops. */
int64_t weir_graph_collective_key(const weir_graph *graph);

/* For a single session. */
weir_collectives *weir_collectives_create(void);

/* A device of this process joins a group of |groups|, and then the instance. */
void weir_collectives_join_here(weir_groups *groups, const weir_collective *what,
                                uint64_t incarnation, weir_cancel *cancel, weir_joined done,
                                void *arg);

#endif
