/* graph/function_test.c - functions, their bodies as graphs, calls and control flow opened up. */
#include "graph/graph.h"

#include "graph/lower.h"
#include "graph/test_graph.h"
#include "graph/while.h"
#include "session/session.h"

static weir_graph *graph;

static void begin(const char *text)
{
    graph = weir_graph_create(weir_catalogue());
    CHECK_OK(import_text(graph, text, NULL, NULL));
}

static void end(void)
{
    weir_graph_destroy(graph);
}

#define TYPE(key, type) "attr { key: '" key "' value { type: " type " } } "
#define ARG(name, type) "input_arg { name: '" name "' type: " type " } "
#define RET(name, type) "output_arg { name: '" name "' type: " type " } "

/* twice(x) = x + x, of any type */
#define TWICE                                                                                      \
    "function { signature { name: 'twice' input_arg { name: 'x' type_attr: 'T' } "                 \
    "output_arg { name: 'y' type_attr: 'T' } attr { name: 'T' type: 'type' } } "                   \
    "node_def { name: 'sum' op: 'AddV2' input: 'x' input: 'x' "                                    \
    "attr { key: 'T' value { placeholder: 'T' } } } ret { key: 'y' value: 'sum:z:0' } } "
#define NEGATED                                                                                    \
    "function { signature { name: 'negated' " ARG("x", "DT_FLOAT")                                 \
        RET("y", "DT_FLOAT") "} node_def { name: 'neg' op: 'Neg' input: 'x' " TYPE(                \
            "T", "DT_FLOAT") "} ret { key: 'y' value: 'neg:y:0' } } "
#define SAME                                                                                       \
    "function { signature { name: 'same' " ARG("x", "DT_FLOAT")                                    \
        RET("y", "DT_FLOAT") "} ret { key: 'y' value: 'x' } } "
#define LIBRARY "library { " TWICE NEGATED SAME "} "
#define INPUT(name, type) "node { name: '" name "' op: 'Placeholder' " TYPE("dtype", type) "} "

static int count_of(const char *op)
{
    int count = 0;
    for (size_t i = 0; i < graph->nodes.count; i++)
        count += !graph->nodes.at[i]->removed && weir_node_is(graph->nodes.at[i], op);
    return count;
}

/* ---- functions ------------------------------------------------------------------------------- */

TEST(a_function_is_an_op_of_the_graph)
{
    begin(LIBRARY INPUT("a", "DT_INT32") "node { name: 'b' op: 'twice' input: 'a' " TYPE(
        "T", "DT_INT32") "}");
    const weir_node *call = node_of(graph, "b");
    CHECK(call->function == weir_graph_find_function(graph, WEIR_STR("twice")));
    CHECK_EQ(weir_edge_dtype((weir_edge){(weir_node *)call, 0}), WEIR_INT32);
    CHECK_EQ(graph->function_list.count, 3);
    end();
}

TEST(functions_of_one_name_have_to_be_equal)
{
    begin(LIBRARY);
    CHECK_OK(import_text(graph, LIBRARY, NULL, NULL));
    CHECK_EQ(graph->function_list.count, 3);
    CHECK_FAILS(import_text(graph,
                            "library { function { signature { name: 'new' } } function { signature "
                            "{ name: 'same' " ARG("z", "DT_INT32") "} } }",
                            NULL, NULL),
                WEIR_INVALID_ARGUMENT, "a different function with the same name already exists");
    CHECK_EQ(graph->function_list.count, 3); /* "new" was removed again */
    CHECK(!weir_graph_find_function(graph, WEIR_STR("new")));
    CHECK_FAILS(
        import_text(graph, "library { function { signature { name: 'Neg' } } }", NULL, NULL),
        WEIR_INVALID_ARGUMENT, "an op with the same name already exists");
    end();
}

TEST(a_body_becomes_a_graph)
{
    begin(LIBRARY);
    const weir_function *twice = weir_graph_find_function(graph, WEIR_STR("twice"));
    weir_named_attr type = weir_a_type("T", WEIR_DOUBLE);
    weir_graph *body;
    CHECK_OK(weir_function_instantiate(graph, twice, &type, 1, &body));
    CHECK_EQ(body->nodes.count, 3);
    const weir_node *sum = node_of(body, "sum");
    CHECK_EQ(weir_edge_dtype((weir_edge){(weir_node *)sum, 0}), WEIR_DOUBLE);
    CHECK(weir_node_is(sum->in[0].node, "_Arg") && sum->in[0].node == sum->in[1].node);
    CHECK(weir_node_is(sum->uses.at[0].node, "_Retval"));
    weir_graph_destroy(body);
    end();
}

TEST(gradients_of_functions_are_kept)
{
    begin("library { " NEGATED SAME
          "gradient { function_name: 'negated' gradient_func: 'same' } }");
    CHECK_STR(weir_graph_find_function(graph, WEIR_STR("negated"))->gradient, "same");
    CHECK(!weir_graph_find_function(graph, WEIR_STR("same"))->gradient);
    end();
}

TEST(functions_are_exported_as_they_came)
{
    begin(LIBRARY);
    WEIR_BUF(bytes);
    weir_graph_export(graph, &bytes);
    weir_graph *copy = weir_graph_create(weir_catalogue());
    CHECK_OK(weir_graph_import(copy, weir_view(&bytes), NULL, NULL));
    CHECK_EQ(copy->function_list.count, 3);
    const weir_function *twice = weir_graph_find_function(copy, WEIR_STR("twice"));
    CHECK_EQ(twice->node_count, 1);
    CHECK_STR(twice->ret[0], "sum:z:0");
    weir_graph_destroy(copy);
    end();
}

/* ---- calls ----------------------------------------------------------------------------------- */

TEST(a_call_by_name_is_opened_up)
{
    begin(LIBRARY INPUT("a", "DT_FLOAT") "node { name: 'b' op: 'twice' input: 'a' " TYPE(
        "T", "DT_FLOAT") "}");
    weir_node *call = node_of(graph, "b");
    CHECK(weir_lower_serves(call));
    CHECK_OK(weir_lower(call, NULL));
    CHECK(weir_node_is(call, "IdentityN"));
    CHECK_STR(call->site.name, "b");
    const weir_node *sum = node_of(graph, "b/sum");
    CHECK(call->in[0].node == sum);
    CHECK(sum->in[0].node == node_of(graph, "a"));
    CHECK(!weir_lower_serves(call));
    end();
}

TEST(calls_within_calls_are_opened_up)
{
    begin(
        "library { " TWICE "function { signature { name: 'four' " ARG("x", "DT_FLOAT")
            RET("y", "DT_FLOAT") "} node_def { name: 'one' op: 'twice' input: 'x' " TYPE(
                "T",
                "DT_"
                "FLOA"
                "T") "} node_def { name: 'two' op: 'twice' input: 'one:y:0' " TYPE("T",
                                                                                   "DT_FLOAT") "} "
                                                                                               "ret"
                                                                                               " { "
                                                                                               "key"
                                                                                               ": "
                                                                                               "'y'"
                                                                                               " va"
                                                                                               "lue"
                                                                                               ": "
                                                                                               "'tw"
                                                                                               "o:"
                                                                                               "y:"
                                                                                               "0' "
                                                                                               "} "
                                                                                               "} "
                                                                                               "}"
                                                                                               " " INPUT(
                                                                                                   "a",
                                                                                                   "DT_FLOAT") "node { "
                                                                                                               "name: "
                                                                                                               "'b' op: "
                                                                                                               "'four' "
                                                                                                               "input: "
                                                                                                               "'a' }");
    CHECK_OK(weir_lower_all(graph, NULL, false));
    CHECK_EQ(count_of("AddV2"), 2);
    node_of(graph, "b/one/sum");
    node_of(graph, "b/two/sum");
    end();
}

TEST(a_function_within_itself_stays_a_call)
{
    begin("library { function { signature { name: 'forever' " ARG("x", "DT_FLOAT") RET(
        "y", "DT_FLOAT") "} node_def { name: 'again' op: 'forever' input: 'x' } "
                         "ret { key: 'y' value: 'again:y:0' } } } " INPUT(
                             "a", "DT_FLOAT") "node { name: 'b' op: 'forever' input: 'a' }");
    CHECK_OK(weir_lower_all(graph, NULL, false));
    CHECK(graph->nodes.count < 100);
    CHECK_EQ(count_of("StatefulPartitionedCall"), 1);
    end();
}

TEST(a_call_of_what_is_not_there_is_an_error)
{
    begin(INPUT(
        "a",
        "DT_FLOAT") "node { name: 'b' op: 'PartitionedCall' input: 'a' attr { key: 'Tin' value { "
                    "list { "
                    "type: DT_FLOAT } } } attr { key: 'Tout' value { list { type: DT_FLOAT } } } "
                    "attr { key: 'f' value { func { name: 'missing' } } } }");
    CHECK_FAILS(weir_lower(node_of(graph, "b"), NULL), WEIR_NOT_FOUND,
                "function 'missing' of node 'b' is not in the library");
    end();
}

/* ---- branches and loops ---------------------------------------------------------------------- */

#define FUNC(key, name) "attr { key: '" key "' value { func { name: '" name "' } } } "
#define LIST(key, type) "attr { key: '" key "' value { list { type: " type " } } } "

TEST(a_conditional_becomes_switch_and_merge)
{
    begin(LIBRARY INPUT("a", "DT_FLOAT") INPUT(
        "p", "DT_BOOL") "node { name: 'if' op: 'If' input: 'p' input: 'a' " TYPE("Tcond", "DT_BOOL")
              LIST("Tin", "DT_FLOAT") LIST("Tout", "DT_FLOAT") FUNC("then_branch", "negated")
                  FUNC("else_branch", "same") "}");
    CHECK_EQ(weir_edge_shape((weir_edge){node_of(graph, "p"), 0})->rank, -1);
    CHECK_OK(weir_lower(node_of(graph, "if"), NULL));
    const weir_node *merge = node_of(graph, "if")->in[0].node;
    CHECK(weir_node_is(merge, "Merge"));
    CHECK_EQ(merge->site.in_count, 2);
    const weir_node *negated = node_of(graph, "if/branch1/neg");
    CHECK(merge->in[1].node == negated);
    CHECK(weir_node_is(negated->in[0].node, "Switch") && negated->in[0].index == 1);
    CHECK(weir_node_is(merge->in[0].node, "Switch") && merge->in[0].index == 0);
    end();
}

#define LESS                                                                                       \
    "function { signature { name: 'less' " ARG("i", "DT_FLOAT") ARG("n", "DT_FLOAT")               \
        RET("again", "DT_BOOL") "} node_def { name: 'cmp' op: 'Less' input: 'i' input: 'n' " TYPE( \
            "T", "DT_FLOAT") "} ret { key: 'again' value: 'cmp:z:0' } } "
#define STEP                                                                                       \
    "function { signature { name: 'step' " ARG("i", "DT_FLOAT") ARG("n", "DT_FLOAT")               \
        RET("i2", "DT_FLOAT")                                                                      \
            RET("n2", "DT_FLOAT") "} node_def { name: 'sum' op: 'AddV2' "                          \
                                  "input: 'i' input: 'i' " TYPE(                                   \
                                      "T", "DT_FLOAT") "} ret { key: 'i2' value: 'sum:z:0' } "     \
                                                       "ret { key: 'n2' value: 'n' } } "

TEST(a_loop_becomes_a_frame)
{
    begin("library { " LESS STEP "} " INPUT("i", "DT_FLOAT")
              INPUT("n", "DT_FLOAT") "node { name: 'w' op: 'While' input: 'i' input: 'n' attr { "
                                     "key: 'T' value { list { type: "
                                     "DT_FLOAT type: DT_FLOAT } } } " FUNC("cond", "less")
                                         FUNC("body", "step") "}");
    CHECK_OK(weir_lower(node_of(graph, "w"), NULL));
    CHECK_EQ(count_of("Enter"), 2);
    CHECK_EQ(count_of("Merge"), 1); /* n does not change */
    CHECK_EQ(count_of("NextIteration"), 1);
    CHECK_EQ(count_of("LoopCond"), 1);
    const weir_node *loop = node_of(graph, "w");
    CHECK(weir_node_is(loop->in[0].node, "Exit"));
    CHECK(loop->in[1].node == node_of(graph, "n"));
    const weir_node *merge = node_of(graph, "w/Merge");
    CHECK(weir_node_is(merge->in[0].node, "Enter"));
    CHECK(weir_node_is(merge->in[1].node, "NextIteration"));
    CHECK(merge->in[1].node->in[0].node == node_of(graph, "w/body/sum"));
    CHECK(weir_str_is(weir_node_attr(merge->in[0].node, "frame_name")->s, "w"));
    CHECK(!weir_node_attr(merge->in[0].node, "is_constant")->b);
    end();
}

TEST(bodies_that_do_not_fit_are_refused)
{
    begin("library { " LESS NEGATED "} " INPUT("i", "DT_FLOAT")
              INPUT("n", "DT_FLOAT") "node { name: 'w' op: 'While' input: 'i' input: 'n' attr { "
                                     "key: 'T' value { list { type: "
                                     "DT_FLOAT type: DT_FLOAT } } } " FUNC("cond", "less")
                                         FUNC("body", "negated") "}");
    CHECK_FAILS(weir_lower(node_of(graph, "w"), NULL), WEIR_INVALID_ARGUMENT,
                "function 'negated' takes 1 and returns 1 values; node 'w' gives it 2");
    end();
}

TEST(a_loop_is_built_from_two_graphs)
{
    begin(INPUT("i", "DT_FLOAT"));
    weir_named_attr type = weir_a_type("dtype", WEIR_FLOAT);
    weir_graph *cond = weir_graph_create(weir_catalogue());
    weir_graph *body = weir_graph_create(weir_catalogue());
    weir_edge cond_in = {add_to(cond, "x", "Placeholder", NULL, 0, &type, 1), 0};
    weir_edge body_in = {add_to(body, "x", "Placeholder", NULL, 0, &type, 1), 0};
    weir_edge both[] = {cond_in, cond_in};
    weir_edge cond_out = {add_to(cond, "less", "Less", both, 2, NULL, 0), 0};
    weir_edge body_out = {add_to(body, "neg", "Neg", &body_in, 1, NULL, 0), 0};
    weir_edge start = {node_of(graph, "i"), 0}, exit;
    weir_while loop = {.name = "loop",
                       .init = &start,
                       .count = 1,
                       .cond = cond,
                       .cond_in = &cond_in,
                       .cond_out = cond_out,
                       .body = body,
                       .body_in = &body_in,
                       .body_out = &body_out};
    CHECK_OK(weir_graph_add_while(graph, &loop, &exit));
    CHECK(weir_node_is(exit.node, "Exit"));
    CHECK(weir_node_is(exit.node->in[0].node, "Switch") && exit.node->in[0].index == 0);
    const weir_node *merge = exit.node->in[0].node->in[0].node;
    CHECK(weir_node_is(merge, "Merge"));
    CHECK(weir_node_is(merge->in[1].node, "NextIteration"));
    CHECK(weir_node_is(merge->in[1].node->in[0].node, "Neg"));
    weir_graph_destroy(cond);
    weir_graph_destroy(body);
    end();
}

TEST_MAIN()
