/* graph/reach.h - the functions reachable from nodes and other functions. */
#ifndef WEIR_GRAPH_REACH_H
#define WEIR_GRAPH_REACH_H

#include "graph/graph.h"

/* Initialise as {.library = graph}. |found| lists every function once, in the order of
 * discovery. */
typedef struct weir_reach {
    const weir_graph *library;
    weir_map seen;
    WEIR_VEC(const weir_function *) found;
} weir_reach;

void weir_reach_name(weir_reach *reach, const char *name); /* name of a function, or of an op */
void weir_reach_attr(weir_reach *reach, const weir_attr *attr);
void weir_reach_body(weir_reach *reach, const weir_function *function);
/* Adds everything reachable from the functions found so far: the transitive closure. */
void weir_reach_all(weir_reach *reach);
void weir_reach_fini(weir_reach *reach);

#endif
