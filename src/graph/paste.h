/* graph/paste.h - copies one graph's nodes into another, with some edges replaced. */
#ifndef WEIR_GRAPH_PASTE_H
#define WEIR_GRAPH_PASTE_H

#include "graph/graph.h"

typedef struct weir_paste {
    weir_graph *to;
    const weir_graph *from;
    const char *prefix; /* "prefix/", prepended to node and frame names; null: none */
    const char *device; /* device for nodes that request none; null: none */
    weir_node *pivot;   /* control input of nodes without inputs and of stateful ones; or null */
    bool reads_wait;    /* also a control input of nodes that read state */
    const bool *late;   /* by node id of |from|: further nodes that wait for the pivot; or null */
    /* Edges of |from| and their replacements; the nodes that produce them are not copied. */
    const weir_edge *inputs, *replacements;
    int input_count;
    /* Edges of |from| to translate to |to|. */
    const weir_edge *results;
    int result_count;
} weir_paste;

typedef WEIR_VEC(weir_node *) weir_node_list;

/* True for nodes that change state. Reading a variable or taking its handle has no effect. */
bool weir_node_has_effect(const weir_node *node);
/* True for nodes that change state, or whose value depends on when they run. */
bool weir_node_sees_state(const weir_node *node);
/* Copies every node except the producers of |inputs|, _Arg and _Retval. |out_results| has
 * result_count entries. Copies with side effects are appended to |out_effects| (may be null). */
WEIR_CHECKED weir_status weir_graph_paste(const weir_paste *how, weir_edge *out_results,
                                          weir_node_list *out_effects);

#endif
