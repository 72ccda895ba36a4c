/* graph/paste.h - copies one graph's nodes into another, with some edges replaced. */
#ifndef WEIR_GRAPH_PASTE_H
#define WEIR_GRAPH_PASTE_H

#include "graph/graph.h"

typedef struct weir_paste {
    weir_graph *to;
    const weir_graph *from;
    const char *prefix; /* "prefix/" goes before every name and frame name; null: none */
    const char *device; /* what nodes leave open of theirs; null: nothing */
    weir_node *pivot; /* nodes without inputs, and those that change state, wait for it; or null */
    bool reads_wait;  /* and so do those that read state */
    /* Edges of |from| and their replacements; the nodes that make them are not copied. */
    const weir_edge *inputs, *replacements;
    int input_count;
    /* Edges of |from| to be found in |to|. */
    const weir_edge *results;
    int result_count;
} weir_paste;

typedef WEIR_VEC(weir_node *) weir_node_list;

/* True for nodes that change state; reading a variable or naming it changes nothing. */
bool weir_node_has_effect(const weir_node *node);
/* True for nodes that change state, or whose value depends on when they run. */
bool weir_node_sees_state(const weir_node *node);
/* Copies every node but those of |inputs|, _Arg and _Retval. |out_results| has result_count
 * entries; copies to wait for until state has changed are added to |out_effects| (may be null). */
WEIR_CHECKED weir_status weir_graph_paste(const weir_paste *how, weir_edge *out_results,
                                          weir_node_list *out_effects);

#endif
