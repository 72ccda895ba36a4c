/* graph/import_test.c - GraphDefs in and out: order, names, inputs, loops, versions, errors. */
#include "graph/graph.h"

#include "graph/refine.h"
#include "graph/test_graph.h"
#include "session/session.h"
#include "wire/messages.h"

static weir_graph *graph;

static void begin(void)
{
    graph = weir_graph_create(weir_catalogue());
}

static void end(void)
{
    weir_graph_destroy(graph);
}

static weir_edge out(const char *name)
{
    return (weir_edge){node_of(graph, name), 0};
}

#define FLOAT_ATTR(name) "attr { key: '" name "' value { type: DT_FLOAT } } "
#define INPUT(name) "node { name: '" name "' op: 'Placeholder' " FLOAT_ATTR("dtype") "} "
#define NEG(name, of) "node { name: '" name "' op: 'Neg' input: '" of "' " FLOAT_ATTR("T") "} "
#define NOOP(name) "node { name: '" name "' op: 'NoOp' } "

static void check_import(const char *text, const weir_import *how)
{
    CHECK_OK(import_text(graph, text, how, NULL));
}

/* The import fails with |message|, and the graph is unchanged. */
static void check_refused(const char *text, const weir_import *how, const char *message)
{
    size_t nodes = graph->nodes.count, functions = graph->function_list.count;
    CHECK_FAILS(import_text(graph, text, how, NULL), WEIR_INVALID_ARGUMENT, message);
    CHECK_EQ(graph->nodes.count, nodes);
    CHECK_EQ(graph->function_list.count, functions);
}

/* ---- order and inputs ------------------------------------------------------------------------ */

TEST(nodes_may_come_in_any_order)
{
    begin();
    check_import(NEG("c", "b") NEG("b", "a:0") INPUT("a") NEG("d", "a"), NULL);
    CHECK(node_of(graph, "c")->in[0].node == node_of(graph, "b"));
    CHECK(node_of(graph, "b")->in[0].node == node_of(graph, "a"));
    /* the first node that is ready comes first */
    CHECK_STR(graph->nodes.at[0]->site.name, "a");
    CHECK_STR(graph->nodes.at[1]->site.name, "b");
    CHECK_STR(graph->nodes.at[2]->site.name, "c");
    CHECK_STR(graph->nodes.at[3]->site.name, "d");
    end();
}

TEST(inputs_are_data_or_control)
{
    begin();
    check_import(INPUT("a") NOOP("first") "node { name: 'b' op: 'Neg' input: 'a' input: '^first' "
                                          "device: '/cpu:0' " FLOAT_ATTR("T") "}",
                 NULL);
    const weir_node *b = node_of(graph, "b");
    CHECK_EQ(b->site.in_count, 1);
    CHECK_EQ(b->controls.count, 1);
    CHECK(b->controls.at[0] == node_of(graph, "first"));
    CHECK_STR(b->requested_device, "/cpu:0");
    end();
}

TEST(wrong_inputs_are_refused)
{
    begin();
    check_refused(NEG("b", "nobody"), NULL, "Node 'b': Unknown input node 'nobody'");
    check_refused(INPUT("a") NEG("b", "a:1"), NULL,
                  "Connecting to invalid output 1 of source node a which has 1 outputs.");
    check_refused(INPUT("a") NEG("b", "a:99999999999"), NULL, "bad input 'a:99999999999'");
    check_refused(INPUT("a") "node { name: 'b' op: 'Neg' input: '^a' input: 'a' }", NULL,
                  "Control dependencies must come after regular dependencies");
    check_refused(NEG("a", "b") NEG("b", "a"), NULL, "2 nodes in a cycle, 'a' among them");
    CHECK_FAILS(import_text(graph, "node { name: 'a' op: 'Nonsense' }", NULL, NULL), WEIR_NOT_FOUND,
                "Nonsense");
    CHECK_EQ(graph->nodes.count, 0);
    end();
}

TEST(damaged_bytes_are_refused)
{
    begin();
    WEIR_BUF(bytes);
    const weir_message_type *kind = weir_message_find(WEIR_STR("GraphDef"));
    CHECK_OK(weir_message_parse(
        kind, WEIR_STR(INPUT("a") NEG("b", "a") "versions { producer: 27 }"), &bytes));
    int accepted = 0;
    for (size_t length = 1; length < bytes.length; length++) {
        weir_status status = weir_graph_import(graph, (weir_str){bytes.at, length}, NULL, NULL);
        accepted += !status;
        weir_status_free(status);
        weir_graph_truncate(graph, 0);
    }
    CHECK_EQ(accepted, 2); /* truncated after a node, where nothing is missing */
    end();
}

/* A GraphDef of one node with function attrs within each other. */
static void add_nested(weir_buf *out, int levels)
{
    WEIR_BUF(value);
    weir_msg_attr_value_write(&(weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_i},
                              &value);
    for (int i = 0; i < levels; i++) {
        WEIR_BUF(around);
        size_t func = weir_message_open(&around, WEIR_FIELD_attr_value_func);
        size_t entry = weir_message_open(&around, WEIR_FIELD_name_attr_list_attr);
        weir_message_put_bytes(&around, WEIR_FIELD_entry_value, weir_view(&value));
        weir_message_close(&around, entry);
        weir_message_close(&around, func);
        value.length = 0;
        weir_buf_add(&value, around.at, around.length);
    }
    size_t node = weir_message_open(out, WEIR_FIELD_graph_def_node);
    weir_msg_node_def_write(&(weir_msg_node_def){.name = WEIR_STR("n"), .op = WEIR_STR("NoOp")},
                            out);
    size_t entry = weir_message_open(out, WEIR_FIELD_node_def_attr);
    weir_message_put_bytes(out, WEIR_FIELD_entry_key, WEIR_STR("_f"));
    weir_message_put_bytes(out, WEIR_FIELD_entry_value, weir_view(&value));
    weir_message_close(out, entry);
    weir_message_close(out, node);
}

TEST(attrs_nest_a_hundred_messages_deep_at_most)
{
    begin();
    WEIR_BUF(deep);
    WEIR_BUF(too_deep);
    add_nested(&deep, 30);
    add_nested(&too_deep, 3000);
    CHECK_OK(weir_graph_import(graph, weir_view(&deep), NULL, NULL));
    const weir_attr *attr = weir_node_attr(node_of(graph, "n"), "_f");
    for (int i = 0; i < 30; i++)
        attr = &attr->func->attrs[0].value;
    CHECK_EQ(attr->kind, WEIR_ATTR_INT);
    weir_graph_truncate(graph, 0);
    CHECK_FAILS(weir_graph_import(graph, weir_view(&too_deep), NULL, NULL), WEIR_INVALID_ARGUMENT,
                "nested too deeply");
    end();
}

/* ---- names ----------------------------------------------------------------------------------- */

TEST(prefixes_go_before_every_name)
{
    begin();
    check_import(INPUT("a") NEG("b", "a"), &(weir_import){.prefix = "left"});
    check_import(INPUT("a") NEG("b", "a"), &(weir_import){.prefix = "right/"});
    CHECK(node_of(graph, "left/b")->in[0].node == node_of(graph, "left/a"));
    CHECK(node_of(graph, "right/b")->in[0].node == node_of(graph, "right/a"));
    check_refused(NOOP("x"), &(weir_import){.prefix = "~"}, "would lead to invalid node names");
    end();
}

TEST(names_that_are_taken_are_refused_or_changed)
{
    begin();
    check_import(INPUT("a") NOOP("a_1"), NULL);
    check_refused(INPUT("a"), NULL, "Node name 'a' already exists in the Graph");
    check_refused(NOOP("x") NOOP("x"), NULL, "Node 'x' is not unique");
    check_refused(NOOP("b ad"), NULL, "Node name contains invalid characters");
    check_import(INPUT("a") NEG("b", "a"), &(weir_import){.uniquify_names = true});
    CHECK(node_of(graph, "b")->in[0].node == node_of(graph, "a_2"));
    end();
}

TEST(prefixes_that_are_taken_are_changed)
{
    begin();
    weir_import how = {.prefix = "p", .uniquify_prefix = true};
    check_import(INPUT("a"), &how);
    check_import(INPUT("a"), &how);
    check_import(NOOP("pa"), NULL); /* same beginning, but a different name */
    check_import(INPUT("a"), &how);
    node_of(graph, "p/a");
    node_of(graph, "p_1/a");
    node_of(graph, "p_2/a");
    end();
}

TEST(colocation_follows_the_names)
{
    begin();
    check_import(NOOP("a") "node { name: 'b' op: 'NoOp' attr { key: '_class' value { list { "
                           "s: 'loc:@a' s: 'loc:@elsewhere' s: 'other' } } } }",
                 &(weir_import){.prefix = "p"});
    const weir_attr *class = weir_node_attr(node_of(graph, "p/b"), "_class");
    CHECK_EQ(class->count, 3);
    CHECK(weir_str_is(class->ss[0], "loc:@p/a"));
    CHECK(weir_str_is(class->ss[1], "loc:@elsewhere"));
    CHECK(weir_str_is(class->ss[2], "other"));
    end();
}

/* ---- mapped inputs and returned nodes -------------------------------------------------------- */

TEST(inputs_can_be_taken_from_the_graph)
{
    begin();
    check_import(INPUT("outside") NOOP("wait"), NULL);
    weir_node *wait = node_of(graph, "wait"), *nodes[1];
    weir_input_map map[] = {{"a", 0, out("outside")}, {"unused", 0, out("outside")}};
    weir_edge edges[2];
    bool used[2] = {false, false};
    weir_import how = {
        .input_map = map,
        .input_map_count = 2,
        .controls = &wait,
        .control_count = 1,
        .default_device = "/cpu:1",
        .return_nodes = (const char *[]){"b"},
        .return_node_count = 1,
        .return_edges = (weir_return_edge[]){{"b", 0}, {"a", 0}},
        .return_edge_count = 2,
    };
    weir_import_results results = {.nodes = nodes, .edges = edges, .input_map_used = used};
    CHECK_OK(import_text(graph, NEG("b", "a"), &how, &results));
    const weir_node *b = node_of(graph, "b");
    CHECK(b->in[0].node == node_of(graph, "outside"));
    CHECK(b->controls.count == 1 && b->controls.at[0] == wait);
    CHECK_STR(b->requested_device, "/cpu:1");
    CHECK(nodes[0] == b && edges[0].node == b);
    CHECK(edges[1].node == node_of(graph, "outside"));
    CHECK(used[0] && !used[1]);
    end();
}

TEST(what_cannot_be_returned_is_refused)
{
    begin();
    check_refused(INPUT("a"),
                  &(weir_import){.return_nodes = (const char *[]){"b"}, .return_node_count = 1},
                  "Requested return node 'b' not found in graph def");
    check_refused(
        INPUT("a"),
        &(weir_import){.return_edges = (weir_return_edge[]){{"b", 0}}, .return_edge_count = 1},
        "Requested return tensor 'b:0' not found in graph def");
    check_refused(
        INPUT("a"),
        &(weir_import){.return_edges = (weir_return_edge[]){{"a", 1}}, .return_edge_count = 1},
        "Invalid return output 1 of node 'a', which has 1 output(s)");
    end();
}

TEST(a_graph_can_be_extended)
{
    begin();
    check_import(INPUT("a"), NULL);
    check_refused(NEG("b", "a"), NULL, "Unknown input node 'a'");
    check_import(NEG("b", "a"), &(weir_import){.extend = true});
    CHECK(node_of(graph, "b")->in[0].node == node_of(graph, "a"));
    end();
}

/* ---- loops ----------------------------------------------------------------------------------- */

#define LOOP(merged)                                                                               \
    INPUT("start")                                                                                 \
    "node { name: 'enter' op: 'Enter' input: 'start' " FLOAT_ATTR(                                 \
        "T") "attr { key: 'frame_name' value { s: 'loop' } } } "                                   \
             "node { name: 'merge' op: 'Merge' input: 'enter' input: '" merged "' " FLOAT_ATTR(    \
                 "T") "attr { key: 'N' value { i: 2 } } } "                                        \
                      "node { name: 'true' op: 'Const' attr { key: 'dtype' value { type: DT_BOOL " \
                      "} } "                                                                       \
                      "attr { key: 'value' value { tensor { dtype: DT_BOOL tensor_shape { } "      \
                      "bool_val: true } } } "                                                      \
                      "input: '^merge' } "                                                         \
                      "node { name: 'again' op: 'LoopCond' input: 'true' } "                       \
                      "node { name: 'switch' op: 'Switch' input: 'merge' input: "                  \
                      "'again' " FLOAT_ATTR(                                                       \
                          "T") "} "                                                                \
                               "node { name: 'exit' op: 'Exit' input: 'switch' " FLOAT_ATTR(       \
                                   "T") "} "                                                       \
                                        "node { name: 'next' op: 'NextIteration' input: "          \
                                        "'body' " FLOAT_ATTR("T") "} "

TEST(loops_have_back_edges)
{
    begin();
    check_import(LOOP("next") NEG("body", "switch:1"), NULL);
    const weir_node *merge = node_of(graph, "merge");
    CHECK(merge->in[0].node == node_of(graph, "enter"));
    CHECK(merge->in[1].node == node_of(graph, "next"));
    CHECK(node_of(graph, "next")->uses.at[0].node == merge);
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    CHECK_EQ(count, graph->nodes.count); /* the back edge does not count */
    weir_free(order);
    end();
}

TEST(refined_shapes_of_a_loop_hold_for_every_iteration)
{
    begin();
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT),
                               weir_a_shape("shape", &(weir_shape){2, {2, 3}})};
    add_to(graph, "fed", "Placeholder", NULL, 0, attrs, 2);
    weir_input_map map = {"start", 0, out("fed")};
    /* the body concatenates the value with itself: its rows grow */
    check_import(
        LOOP("next") "node { name: 'axis' op: 'Const' input: '^switch' "
                     "attr { key: 'dtype' value { type: DT_INT32 } } attr { key: 'value' "
                     "value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 } } } } "
                     "node { name: 'body' op: 'ConcatV2' input: 'switch:1' input: "
                     "'switch:1' input: 'axis' " FLOAT_ATTR(
                         "T") "attr { key: 'N' value { "
                              "i: 2 } } attr { key: 'Tidx' value { type: DT_INT32 } } }",
        &(weir_import){.input_map = &map, .input_map_count = 1});
    CHECK_EQ(weir_edge_shape(out("merge"))->rank, -1); /* unknown while the loop is built */
    weir_graph_refine_loops(graph);
    CHECK_STR(WEIR_SHAPE_STR(weir_edge_shape(out("merge"))), "[?,3]");
    CHECK_STR(WEIR_SHAPE_STR(weir_edge_shape(out("exit"))), "[?,3]");
    end();
}

/* ---- versions -------------------------------------------------------------------------------- */

/* Two variables of a loop change places: what is read from either has no known shape. */
TEST(handles_that_go_round_a_loop_are_not_known)
{
    static const char *const text =
        "node { name: 'one' op: 'VarHandleOp' attr { key: 'dtype' value { type: DT_FLOAT } } "
        "  attr { key: 'shape' value { shape { dim { size: 2 } } } } } "
        "node { name: 'two' op: 'VarHandleOp' attr { key: 'dtype' value { type: DT_FLOAT } } "
        "  attr { key: 'shape' value { shape { dim { size: 3 } } } } } "
        "node { name: 'go' op: 'Placeholder' attr { key: 'dtype' value { type: DT_BOOL } } } "
        "node { name: 'enter0' op: 'Enter' input: 'one' "
        "  attr { key: 'frame_name' value { s: 'f' } } } "
        "node { name: 'enter1' op: 'Enter' input: 'two' "
        "  attr { key: 'frame_name' value { s: 'f' } } } "
        "node { name: 'merge0' op: 'Merge' input: 'enter0' input: 'next0' } "
        "node { name: 'merge1' op: 'Merge' input: 'enter1' input: 'next1' } "
        "node { name: 'enter2' op: 'Enter' input: 'go' "
        "  attr { key: 'frame_name' value { s: 'f' } } } "
        "node { name: 'cond' op: 'LoopCond' input: 'enter2' } "
        "node { name: 'switch0' op: 'Switch' input: 'merge0' input: 'cond' } "
        "node { name: 'switch1' op: 'Switch' input: 'merge1' input: 'cond' } "
        "node { name: 'next0' op: 'NextIteration' input: 'switch1:1' } "
        "node { name: 'next1' op: 'NextIteration' input: 'switch0:1' } "
        "node { name: 'exit' op: 'Exit' input: 'switch0' } "
        "node { name: 'read' op: 'ReadVariableOp' input: 'exit' "
        "  attr { key: 'dtype' value { type: DT_FLOAT } } } ";
    weir_graph *graph = weir_graph_create(weir_catalogue());
    CHECK_OK(import_text(graph, text, NULL, NULL));
    weir_edge read = {node_of(graph, "read"), 0};
    CHECK_STR(WEIR_SHAPE_STR(weir_edge_shape(read)), "<unknown>");
    weir_graph_destroy(graph);
}

TEST(versions_are_checked)
{
    begin();
    check_refused(NOOP("a") "versions { min_consumer: 999999 }", NULL,
                  "GraphDef min consumer version 999999 above current version");
    check_refused(NOOP("a") "versions { bad_consumers: 7 bad_consumers: 2474 }", NULL,
                  "GraphDef disallows consumer version 2474");
    check_import(NOOP("a") "versions { producer: 27 }", NULL);
    CHECK_EQ(graph->producer, 27);
    check_import(NOOP("b") "versions { producer: 100 }", NULL);
    CHECK_EQ(graph->producer, 27); /* the older stays */
    end();
}

/* ---- attrs and export ------------------------------------------------------------------------ */

TEST(what_is_exported_imports_as_the_same)
{
    begin();
    check_import(INPUT("a")
                     NOOP("w") "node { name: 'b' op: 'Neg' input: 'a' input: '^w' device: "
                               "'/cpu:0' " FLOAT_ATTR(
                                   "T") "attr { key: '_note' value { s: "
                                        "'x' } } attr { key: '_f' value { func { name: 'g' attr { "
                                        "key: 'k' value { list { i: 1 i: 2 } } } } } } } "
                                        "versions { producer: 27 }",
                 NULL);
    WEIR_BUF(first);
    WEIR_BUF(second);
    weir_graph_export(graph, &first);
    weir_graph *copy = weir_graph_create(weir_catalogue());
    CHECK_OK(weir_graph_import(copy, weir_view(&first), NULL, NULL));
    weir_graph_export(copy, &second);
    CHECK(weir_str_eq(weir_view(&first), weir_view(&second)));
    const weir_attr *func = weir_node_attr(node_of(copy, "b"), "_f");
    CHECK_STR(func->func->name, "g");
    CHECK_EQ(func->func->attrs[0].value.is[1], 2);
    CHECK_EQ(node_of(copy, "b")->controls.count, 1);
    weir_graph_destroy(copy);
    end();
}

TEST_MAIN()
