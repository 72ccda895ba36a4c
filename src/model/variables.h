/* model/variables.h - finds the variables that nodes need, and prunes graphs. */
#ifndef WEIR_MODEL_VARIABLES_H
#define WEIR_MODEL_VARIABLES_H

#include "graph/graph.h"

typedef struct weir_msg_node_def weir_msg_node_def;

/* One bool per node id: whether a marked node depends on it. */
typedef struct weir_needed {
    bool *at;
    size_t count;
} weir_needed;

void weir_needed_fini(weir_needed *needed);
/* Adds |node| and everything it depends on. The graph may have grown since the last call. */
void weir_needed_add(weir_needed *needed, const weir_node *node);
void weir_needed_add_all(weir_needed *needed, const weir_graph *graph);
static inline bool weir_needed_has(const weir_needed *needed, const weir_node *node)
{
    return (size_t)node->id < needed->count && needed->at[node->id];
}

bool weir_variable_is(const weir_node *node); /* of either kind */
static inline bool weir_variable_is_resource(const weir_node *node)
{
    return weir_node_is(node, "VarHandleOp");
}
weir_dtype weir_variable_dtype(const weir_node *node);

typedef WEIR_VEC(weir_node *) weir_nodes;
/* The needed variables, in the graph's order. */
void weir_variables_gather(const weir_graph *graph, const weir_needed *needed, weir_nodes *out);

/* Returns the edge with the variable's value: for a resource, of a node that reads it, which is
 * added if there is none. The caller holds the graph's lock. */
WEIR_CHECKED weir_status weir_variable_read(weir_node *variable, weir_edge *out_value);

/* Replaces the NodeDef of |node|; strings and lists are in |arena| or in the graph. */
typedef weir_status (*weir_node_replacer)(void *arg, const weir_node *node, weir_arena *arena,
                                          weir_msg_node_def *def);
/* Appends the GraphDef of the needed nodes, with the whole function library. Devices are included
 * only with |devices|. |replace|, which may be null, is called for every node. */
WEIR_CHECKED weir_status weir_graph_export_needed(const weir_graph *graph,
                                                  const weir_needed *needed, bool devices,
                                                  weir_node_replacer replace, void *arg,
                                                  weir_buf *out);

#endif
