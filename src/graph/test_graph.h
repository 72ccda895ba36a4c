/* graph/test_graph.h - how unit tests add a node to a graph: it must go well. */
#ifndef WEIR_GRAPH_TEST_GRAPH_H
#define WEIR_GRAPH_TEST_GRAPH_H

#include "base/test.h"
#include "graph/graph.h"

static inline weir_node *add_to(weir_graph *to, const char *name, const char *op,
                                const weir_edge *in, int in_count, const weir_named_attr *attrs,
                                int attr_count)
{
    weir_node *n = NULL;
    weir_node_spec spec = {.name = name,
                           .op = op,
                           .in = in,
                           .in_count = in_count,
                           .attrs = attrs,
                           .attr_count = attr_count};
    CHECK_OK(weir_graph_add(to, &spec, &n));
    return n;
}

#endif
