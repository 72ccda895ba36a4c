/* graph/graph_impl.h - what the files of graph/ share. */
#ifndef WEIR_GRAPH_GRAPH_IMPL_H
#define WEIR_GRAPH_GRAPH_IMPL_H

#include "graph/graph.h"

void weir_graph_add_use(weir_edge from, weir_node *to, int input);

void weir_graph_past_free(weir_graph_past *past); /* takes null */

bool weir_function_eq(const weir_function *a, const weir_function *b);
/* Sorts |count| numbers of the function's nodes: inputs come first, but for those by NextIteration.
 */
void weir_function_sort(const weir_function *function, const weir_registry *registry, int *order,
                        int count);
/* Attrs that were changed must give the types that the node was made with. */
WEIR_CHECKED weir_status weir_node_check_signature(weir_node *node);
/* Checks a value against what the signature says: kind, allowed values, minimum. */
WEIR_CHECKED weir_status weir_attr_check(const weir_site *site, const weir_attrdef *def,
                                         const weir_attr *value);
/* Appends ": '{{node n}} = Op[attrs](inputs)' with input shapes: ..." to an error of |node|. */
WEIR_CHECKED weir_status weir_node_describe(const weir_node *node, weir_status status);
/* What is known of an int vector's elements: -1 for those that are not. */
bool weir_graph_value_shape(weir_edge edge, weir_shape *out_shape);

#endif
