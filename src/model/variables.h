/* model/variables.h - the variables that nodes of a graph need, and what makes a graph smaller. */
#ifndef WEIR_MODEL_VARIABLES_H
#define WEIR_MODEL_VARIABLES_H

#include "graph/graph.h"
#include "wire/messages.h"

/* One bool per node id of the graph: whether the marked ones need it. */
typedef struct weir_needed {
    bool *at;
    size_t count;
} weir_needed;

void weir_needed_fini(weir_needed *n);
/* Adds |node| and everything it depends on. The graph may have grown since the last call. */
void weir_needed_add(weir_needed *n, const weir_node *node);
void weir_needed_add_all(weir_needed *n, const weir_graph *g);
static inline bool weir_needed_has(const weir_needed *n, const weir_node *node)
{
    return (size_t)node->id < n->count && n->at[node->id];
}

bool weir_variable_is(const weir_node *n); /* of either kind */
static inline bool weir_variable_is_resource(const weir_node *n)
{
    return weir_node_is(n, "VarHandleOp");
}
weir_dtype weir_variable_dtype(const weir_node *n);

typedef WEIR_VEC(weir_node *) weir_nodes;
/* The variables among the needed nodes, in the graph's order. */
void weir_variables_gather(const weir_graph *g, const weir_needed *needed, weir_nodes *out);

/* Gives the edge that has the variable's value: of a resource a node that reads it, which is added
 * to the graph when there is none. The graph's lock is held. */
WEIR_CHECKED weir_status weir_variable_read(weir_node *variable, weir_edge *out_value);

/* Changes the NodeDef of |n|, whose strings and lists are in |arena| or in the graph. */
typedef weir_status (*weir_node_replacer)(void *arg, const weir_node *n, weir_arena *arena,
                                          weir_msg_node_def *def);
/* Appends the GraphDef of the needed nodes, with the whole library. Devices are left out unless
 * |devices|. |replace|, which may be null, sees every node. */
WEIR_CHECKED weir_status weir_graph_export_needed(const weir_graph *g, const weir_needed *needed,
                                                  bool devices, weir_node_replacer replace,
                                                  void *arg, weir_buf *out);

#endif
