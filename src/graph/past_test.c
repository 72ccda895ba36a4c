/* graph/past_test.c - maps nodes made by passes back to the nodes of the program. */
#include "graph/past.h"

#include "graph/test_graph.h"
#include "session/session.h"

static weir_graph *g;

static weir_edge add(const char *name, const char *op, const weir_edge *in, int count)
{
    return (weir_edge){add_to(g, name, op, in, count, NULL, 0), 0};
}

static weir_edge start(const char *name)
{
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT)};
    return (weir_edge){add_to(g, name, "Placeholder", NULL, 0, attrs, 1), 0};
}

/* Replaces |old| by |made|, and removes the nodes it was computed from. */
static void put(weir_edge old, weir_edge made, weir_edge below)
{
    weir_graph_replace(old, made);
    weir_graph_remove(old.node);
    if (below.node)
        weir_graph_remove(below.node);
}

TEST(what_took_the_place_of_what_took_a_place_leads_back_to_the_program)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = start("x"), minus = add("minus", "Neg", &x, 1);
    weir_edge root = add("root", "Sqrt", &minus, 1), square = add("square", "Square", &root, 1);
    weir_edge last = add("last", "Identity", &square, 1);
    CHECK(!weir_node_is_made(square.node) && !weir_edge_then(square).node);
    weir_graph_keep_past(g);
    weir_edge first = add("first", "Exp", &minus, 1); /* for root and square */
    put(square, first, root);
    weir_edge second = add("second", "Log", &x, 1); /* for that and minus */
    put(first, second, minus);
    CHECK(weir_node_is_made(second.node) && !weir_node_is_made(x.node));
    CHECK(weir_edge_eq(last.node->in[0], second));
    CHECK(weir_edge_eq(weir_edge_then(second), square) && weir_edge_eq(weir_edge_then(x), x));
    CHECK(weir_edge_eq(weir_node_input_then(root.node, 0), minus));
    weir_node *parts[8];
    CHECK_EQ(weir_node_parts(second.node, parts, 8), 3);
    CHECK(parts[0] == minus.node && parts[1] == root.node && parts[2] == square.node);
    CHECK_EQ(weir_node_parts(second.node, parts, 2), 2);
    CHECK_EQ(weir_node_parts(x.node, parts, 8), 0);
    CHECK(!weir_node_input_then(second.node, 0).node);
    weir_graph_destroy(g);
}

TEST(an_op_without_outputs_is_found_too)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = start("x"), stop = add("stop", "Neg", &x, 1);
    weir_graph_keep_past(g);
    weir_edge made = add("made", "Abs", &x, 1);
    weir_graph_note_replaced((weir_edge){stop.node, -1}, (weir_edge){made.node, -1});
    weir_graph_remove(stop.node);
    weir_node *parts[4];
    CHECK_EQ(weir_node_parts(made.node, parts, 4), 1);
    CHECK(parts[0] == stop.node);
    weir_graph_destroy(g);
}

TEST_MAIN()
