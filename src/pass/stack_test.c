/* pass/stack_test.c - which loops are merged, and that the result is the same. */
#include "pass/small_graph.h"
#include "session/session.h"

enum { OPS = 12, CHAINS = 5 };

static const weir_shape five = {1, {5}};

/* tanh(sin(tanh(...))) of |x|, with |ops| ops. */
static weir_edge chain(weir_edge x, int ops)
{
    static int count;
    for (int i = 0; i < ops; i++)
        x = add(numbered("c", count++), i % 2 ? "Sin" : "Tanh", &x, 1);
    return x;
}

static void stack(void)
{
    run_only(g, "fuse", (weir_pass_options){0});
    run_only(g, "stack", (weir_pass_options){0});
}

/* Chains of one input each, the first with a different start. */
static void add_chains(weir_edge x, weir_edge *out)
{
    for (int k = 0; k < CHAINS; k++) {
        weir_edge scale = fed(numbered("scale", k), &WEIR_SCALAR);
        weir_edge scaled = k ? add(numbered("m", k), "Mul", (weir_edge[]){x, scale}, 2) : x;
        out[k] = add(numbered("out", k), "Identity", (weir_edge[]){chain(scaled, OPS)}, 1);
    }
}

TEST(small_loops_run_side_by_side)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge out[CHAINS];
    add_chains(fed("x", &five), out);
    stack();
    CHECK_EQ(count_of("_Elements"), 0);
    CHECK_EQ(count_of("_StackedElements"), 1);
    CHECK_EQ(out[1].node->in[0].index, 1);
    weir_graph_destroy(g);
}

TEST(loops_that_need_each_other_stay_apart)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed("x", &five), first = chain(x, OPS);
    weir_edge read = add("read", "Identity", &first, 1), next = chain(read, OPS);
    add("out", "Identity", &next, 1);
    stack();
    CHECK_EQ(count_of("_Elements"), 2);
    weir_graph_destroy(g);
}

/* Two pairs with crossing dependencies: merging both would create a cycle. */
TEST(no_cycle_is_made)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed("x", &five), y = fed("y", &five);
    weir_edge a = chain(x, OPS), read_a = add("ra", "Identity", &a, 1), b = chain(read_a, OPS);
    weir_edge c = chain(y, OPS), read_c = add("rc", "Identity", &c, 1), d = chain(read_c, OPS);
    add("b", "Identity", &b, 1);
    add("d", "Identity", &d, 1);
    stack();
    CHECK_EQ(count_of("_StackedElements"), 2);
    size_t count;
    weir_node **order = weir_graph_order(g, &count);
    size_t live = 0;
    for (size_t i = 0; i < g->nodes.count; i++)
        live += !g->nodes.at[i]->removed;
    CHECK_EQ(count, live);
    weir_free(order);
    weir_graph_destroy(g);
}

TEST(branches_stay_apart)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed("x", &five);
    weir_named_attr type = weir_a_type("dtype", WEIR_BOOL);
    weir_node *which = NULL;
    CHECK_OK(weir_graph_add(
        g, &(weir_node_spec){.name = "p", .op = "Placeholder", .attrs = &type, .attr_count = 1},
        &which));
    weir_edge either = add("s", "Switch", (weir_edge[]){x, {which, 0}}, 2);
    weir_edge no = chain(either, OPS), yes = chain((weir_edge){either.node, 1}, OPS);
    add("m", "Merge", (weir_edge[]){no, yes}, 2);
    stack();
    CHECK_EQ(count_of("_Elements"), 2);
    weir_graph_destroy(g);
}

/* A descendant of one loop may fill the queue that the other waits for. */
TEST(graphs_that_wait_stay_as_they_are)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge out[CHAINS];
    add_chains(fed("x", &five), out);
    int32_t type = WEIR_FLOAT;
    weir_named_attr attrs[] = {weir_a_types("component_types", &type, 1)};
    weir_node *queue = NULL;
    CHECK_OK(weir_graph_add(
        g, &(weir_node_spec){.name = "q", .op = "FIFOQueueV2", .attrs = attrs, .attr_count = 1},
        &queue));
    CHECK_OK(weir_graph_add(g,
                            &(weir_node_spec){.name = "d",
                                              .op = "QueueDequeueV2",
                                              .in = &(weir_edge){queue, 0},
                                              .in_count = 1,
                                              .attrs = attrs,
                                              .attr_count = 1},
                            &queue));
    stack();
    CHECK_EQ(count_of("_StackedElements"), 0);
    weir_graph_destroy(g);
}

TEST(results_are_those_of_each_alone)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge out[CHAINS], in[CHAINS + 1] = {fed("x", &five)};
    weir_tensor values[CHAINS + 1], together[CHAINS], alone;
    values[0] = weir_tensor_from(WEIR_FLOAT, &five, (float[]){-2, -0.3f, 0, 1, 30});
    add_chains(in[0], out);
    for (int k = 0; k < CHAINS; k++) {
        float scale = 0.5f * (float)k;
        in[k + 1] = (weir_edge){weir_graph_find(g, weir_str_of(numbered("scale", k))), 0};
        values[k + 1] = weir_tensor_scalar(WEIR_FLOAT, &scale);
    }
    weir_mutex lock = WEIR_MUTEX_INIT;
    weir_session *session = NULL;
    CHECK_OK(weir_session_create(g, &lock, &(weir_session_options){.target = ""}, &session));
    weir_request q = {.feeds = in,
                      .feed_values = values,
                      .feed_count = CHAINS + 1,
                      .fetches = out,
                      .fetch_count = CHAINS};
    CHECK_OK(weir_session_run(session, &q, together));
    for (int k = 0; k < CHAINS; k++) {
        q.fetches = &out[k];
        q.fetch_count = 1;
        CHECK_OK(weir_session_run(session, &q, &alone));
        CHECK(memcmp(alone.data, together[k].data, 5 * sizeof(float)) == 0);
        weir_tensor_release(&alone);
        weir_tensor_release(&together[k]);
    }
    for (int k = 0; k <= CHAINS; k++)
        weir_tensor_release(&values[k]);
    weir_session_destroy(session);
    weir_graph_destroy(g);
}

/* Input that a client's graph could contain. */
TEST(sizes_that_do_not_fit_are_told)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge in[] = {fed("x", &five), fed("y", &five)};
    int64_t program[] = {0, 0, -1, -1, 0, 0, -1, -1};
    static const int64_t bad[][4] = {{1, 1, 1, 2}, {1, 1, 2, 1}, {1, 0, 1, 1}, {-1, 1, 3, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        weir_named_attr attrs[] = {weir_a_ints("program", program, 8), weir_a_int("K", 2),
                                   weir_a_ints("sizes", bad[i], 4)};
        weir_node *n = NULL;
        weir_status s = weir_graph_add(g,
                                       &(weir_node_spec){.name = numbered("n", (int)i),
                                                         .op = "_StackedElements",
                                                         .in = in,
                                                         .in_count = 2,
                                                         .attrs = attrs,
                                                         .attr_count = 3},
                                       &n);
        if (s) {
            weir_status_free(s);
            continue;
        }
        weir_edge y = {n, 0};
        weir_tensor values[] = {weir_tensor_from(WEIR_FLOAT, &five, (float[5]){0}),
                                weir_tensor_from(WEIR_FLOAT, &five, (float[5]){0})},
                    got;
        weir_mutex lock = WEIR_MUTEX_INIT;
        weir_session *session = NULL;
        CHECK_OK(weir_session_create(g, &lock, &(weir_session_options){.target = ""}, &session));
        weir_request q = {
            .feeds = in, .feed_values = values, .feed_count = 2, .fetches = &y, .fetch_count = 1};
        CHECK_FAILS(weir_session_run(session, &q, &got), WEIR_INVALID_ARGUMENT, "numbers");
        weir_session_destroy(session);
        weir_tensor_release(&values[0]);
        weir_tensor_release(&values[1]);
    }
    weir_graph_destroy(g);
}

TEST_MAIN()
