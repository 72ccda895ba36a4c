/* graph/graph_impl.h - declarations shared by the files of graph/. */
#ifndef WEIR_GRAPH_GRAPH_IMPL_H
#define WEIR_GRAPH_GRAPH_IMPL_H

#include "graph/graph.h"

void weir_graph_add_use(weir_edge from, weir_node *to, int input);

void weir_graph_past_free(weir_graph_past *past); /* takes null */

bool weir_function_eq(const weir_function *a, const weir_function *b);
/* Topological order of a function's nodes, as |count| indices; edges from NextIteration do not
 * count. */
void weir_function_sort(const weir_function *function, const weir_registry *registry, int *order,
                        int count);
/* Checks that changed attrs still resolve to the node's input and output types. */
WEIR_CHECKED weir_status weir_node_check_signature(weir_node *node);
/* Checks an attr value against the signature: kind, allowed values, minimum. */
WEIR_CHECKED weir_status weir_attr_check(const weir_site *site, const weir_attrdef *def,
                                         const weir_attr *value);
/* Appends ": '{{node n}} = Op[attrs](inputs)' with input shapes: ..." to an error of |node|. */
WEIR_CHECKED weir_status weir_node_describe(const weir_node *node, weir_status status);
/* The shape that an int vector's known elements describe; unknown elements become -1. */
bool weir_graph_value_shape(weir_edge edge, weir_shape *out_shape);

#endif
