/* pass/small_graph.h - a graph that a unit test of a pass builds node by node. */
#ifndef WEIR_PASS_SMALL_GRAPH_H
#define WEIR_PASS_SMALL_GRAPH_H

#include "graph/test_graph.h"
#include "op/attr.h"
#include "pass/test_passes.h"

static weir_graph *g;

static inline weir_edge add_with(const char *name, const char *op, const weir_edge *in,
                                 int in_count, const weir_named_attr *attrs, int attr_count)
{
    return (weir_edge){add_to(g, name, op, in, in_count, attrs, attr_count), 0};
}

static inline weir_edge add(const char *name, const char *op, const weir_edge *in, int in_count)
{
    return add_with(name, op, in, in_count, NULL, 0);
}

static inline weir_edge fed(const char *name, const weir_shape *shape)
{
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_shape("shape", shape)};
    return add_with(name, "Placeholder", NULL, 0, attrs, 2);
}

/* How many nodes of |op| are left. */
static inline int count_of(const char *op)
{
    int count = 0;
    for (size_t i = 0; i < g->nodes.count; i++)
        count += !g->nodes.at[i]->removed && weir_node_is(g->nodes.at[i], op);
    return count;
}

static inline const char *numbered(const char *prefix, int i)
{
    static char text[32];
    snprintf(text, sizeof text, "%s%d", prefix, i);
    return text;
}

#endif
