/* graph/lower_impl.h - shared by the lower_*.c files: one node being lowered, and its bodies.
 *
 * Errors are sticky: after the first one, no nodes are added, and functions that return nodes
 * return null.
 */
#ifndef WEIR_GRAPH_LOWER_IMPL_H
#define WEIR_GRAPH_LOWER_IMPL_H

#include "graph/lower.h"
#include "graph/paste.h"

typedef struct weir_lowering {
    weir_node *node;
    weir_graph *graph;
    weir_status status;
    weir_edge *outs; /* what the node's outputs become */
    weir_node *done; /* runs after every effect of the bodies; null: none has one */
    bool reads_wait; /* what reads state runs after the pivot, as what changes it does */
    weir_lower_ready ready;
} weir_lowering;

/* ---- adding nodes ---------------------------------------------------------------------------- */

/* Arguments of weir_lower_add. */
#define IN(...)                                                                                    \
    (const weir_edge[]){__VA_ARGS__}, (int)(sizeof((weir_edge[]){__VA_ARGS__}) / sizeof(weir_edge))
#define NO_ATTRS NULL, 0

void weir_lower_fail(weir_lowering *lowering, weir_status status); /* accepts success too */
/* Adds a node whose name is prefixed with the lowered node's, on its device. */
weir_node *weir_lower_add(weir_lowering *lowering, const char *op, const weir_edge *in,
                          int in_count, const weir_named_attr *attrs, int attr_count,
                          weir_node *control);
/* The first output of a new node without attrs. */
weir_edge weir_lower_op(weir_lowering *lowering, const char *op, const weir_edge *in, int in_count);
weir_edge weir_lower_bool(weir_lowering *lowering, weir_edge edge); /* cast to bool if necessary */
void weir_lower_control(weir_lowering *lowering, weir_node *from,
                        weir_node *to); /* |from| may be null */
/* Adds the lowered node's control inputs to |to|. */
void weir_lower_inherit_controls(weir_lowering *lowering, weir_node *to);

static inline weir_edge weir_first_output(weir_node *node)
{
    return (weir_edge){node, 0};
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* A function's body, instantiated as a graph. */
typedef struct weir_lower_body {
    weir_graph *graph;
    int arg_count, ret_count;
    weir_edge *args, *rets; /* edges of |graph|, by index */
    bool *late; /* by node id: waits for the pivot, though it has inputs; null: none does */
} weir_lower_body;

/* Sets |late| for the nodes that would run when the pivot is dead, since all they take is there: a
 * loop without iterations, or a call that must not run, computes nothing that could fail. |alive|:
 * by argument, whether it is there then; null: all are. Returns, by node id, whether a node is dead
 * when the pivot is. */
bool *weir_lower_find_gated(weir_lower_body *body, const bool *alive);

/* |rets| -1: any number. */
WEIR_CHECKED weir_status weir_lower_open(weir_lowering *lowering, const weir_func *func, int args,
                                         int rets, weir_lower_body *out);
WEIR_CHECKED weir_status weir_lower_open_function(weir_lowering *lowering,
                                                  const weir_function *function,
                                                  const weir_named_attr *attrs, int attr_count,
                                                  int args, int rets, weir_lower_body *out);
void weir_lower_close(weir_lower_body *body);
/* Copies the body into the graph with the name prefix |part|. Its nodes without inputs get the
 * control input |pivot|; those with side effects are added to |effects|. */
void weir_lower_paste(weir_lowering *lowering, const weir_lower_body *body, const char *part,
                      const weir_edge *args, weir_node *pivot, weir_edge *out_rets,
                      weir_node_list *effects);

/* ---- lowering by op: each fills |outs| and |done| ----------------------------------------- */

typedef void weir_lower_fn(weir_lowering *lowering);
weir_lower_fn weir_lower_call, weir_lower_if, weir_lower_case, weir_lower_while;

#endif
