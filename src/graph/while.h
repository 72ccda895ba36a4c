/* graph/while.h - a while loop from a condition and a body built as graphs. */
#ifndef WEIR_GRAPH_WHILE_H
#define WEIR_GRAPH_WHILE_H

#include "graph/graph.h"

typedef struct weir_while {
    const char *name;      /* of the frame, and the name prefix of every node */
    const weir_edge *init; /* edges of the graph: initial values of the variables */
    int count;             /* number of variables, at least one */
    const weir_graph *cond;
    const weir_edge *cond_in; /* placeholders of |cond|, one per variable */
    weir_edge cond_out;       /* a bool */
    const weir_graph *body;
    const weir_edge *body_in, *body_out;
    int64_t parallel_iterations; /* 0 means 10 */
} weir_while;

/* Adds the loop to |graph|; |out| gets the Exit nodes' outputs, one per variable. */
WEIR_CHECKED weir_status weir_graph_add_while(weir_graph *graph, const weir_while *what,
                                              weir_edge *out);

#endif
