/* graph/test_graph.h - builds graphs in unit tests; every step must succeed. */
#ifndef WEIR_GRAPH_TEST_GRAPH_H
#define WEIR_GRAPH_TEST_GRAPH_H

#include "base/test.h"
#include "graph/graph.h"
#include "wire/message.h"

static inline weir_node *add_to(weir_graph *to, const char *name, const char *op,
                                const weir_edge *in, int in_count, const weir_named_attr *attrs,
                                int attr_count)
{
    weir_node *node = NULL;
    weir_node_spec spec = {.name = name,
                           .op = op,
                           .in = in,
                           .in_count = in_count,
                           .attrs = attrs,
                           .attr_count = attr_count};
    CHECK_OK(weir_graph_add(to, &spec, &node));
    return node;
}

/* Imports a GraphDef in text form: node { name: "x" op: "NoOp" } */
static inline weir_status import_text(weir_graph *to, const char *text, const weir_import *how,
                                      weir_import_results *results)
{
    WEIR_BUF(bytes);
    WEIR_TRY(
        weir_message_parse(weir_message_find(WEIR_STR("GraphDef")), weir_str_of(text), &bytes));
    return weir_graph_import(to, weir_view(&bytes), how, results);
}

static inline weir_node *node_of(const weir_graph *graph, const char *name)
{
    weir_node *node = weir_graph_find(graph, weir_str_of(name));
    CHECK_MSG(node, "there is no node '%s'", name);
    return node;
}

#endif
