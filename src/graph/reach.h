/* graph/reach.h - the functions that nodes and other functions can call. */
#ifndef WEIR_GRAPH_REACH_H
#define WEIR_GRAPH_REACH_H

#include "graph/graph.h"

/* Begins as {.library = graph}. |found| has every function once, in the order in which it was
 * reached. */
typedef struct weir_reach {
    const weir_graph *library;
    weir_map seen;
    WEIR_VEC(const weir_function *) found;
} weir_reach;

void weir_reach_name(weir_reach *reach, const char *name); /* of a function, or of an op */
void weir_reach_attr(weir_reach *reach, const weir_attr *attr);
void weir_reach_body(weir_reach *reach, const weir_function *function);
/* What those that were found can reach is found too. */
void weir_reach_all(weir_reach *reach);
void weir_reach_fini(weir_reach *reach);

#endif
