/* pass/dense_test.c - a product with its bias and function becomes one op that gives the same. */
#include "pass/remap.h"
#include "pass/small_graph.h"
#include "session/session.h"

enum { INPUTS = 3 };

/* out = f(a b + bias); |sum| is what f reads. */
static weir_edge layer(int64_t m, int64_t n, int64_t k, const char *bias_op, weir_edge *in,
                       weir_edge *product, weir_edge *sum)
{
    in[0] = fed("a", &(weir_shape){2, {m, k}});
    in[1] = fed("b", &(weir_shape){2, {k, n}});
    in[2] = fed("bias", &(weir_shape){1, {n}});
    *product = add("product", "MatMul", in, 2);
    bool turned = strcmp(bias_op, "AddV2") == 0;
    weir_edge terms[] = {turned ? in[2] : *product, turned ? *product : in[2]};
    *sum = add("sum", bias_op, terms, 2);
    weir_edge y = add("y", "Tanh", sum, 1);
    return add("out", "Identity", &y, 1);
}

TEST(bias_and_function_join_the_product)
{
    static const char *const ops[] = {"BiasAdd", "Add", "AddV2"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        weir_edge in[INPUTS], product, sum;
        g = weir_graph_create(weir_catalogue());
        weir_edge out = layer(4, 5, 6, ops[i], in, &product, &sum);
        CHECK_OK(weir_remap(g, &(weir_pass_options){0}));
        CHECK_EQ(count_of("MatMul") + count_of(ops[i]) + count_of("Tanh"), 0);
        CHECK(weir_node_is(out.node->in[0].node, "_MatMulBias"));
        weir_graph_destroy(g);
    }
}

TEST(what_others_read_stays)
{
    weir_edge in[INPUTS], product, sum;
    g = weir_graph_create(weir_catalogue());
    layer(4, 5, 6, "BiasAdd", in, &product, &sum);
    add("more", "Identity", &sum, 1);
    CHECK_OK(weir_remap(g, &(weir_pass_options){0}));
    CHECK_EQ(count_of("_MatMulBias"), 1); /* without the function, whose input is read elsewhere */
    CHECK_EQ(count_of("Tanh"), 1);
    weir_graph_destroy(g);
    g = weir_graph_create(weir_catalogue());
    layer(4, 5, 6, "BiasAdd", in, &product, &sum);
    add("more", "Identity", &product, 1);
    CHECK_OK(weir_remap(g, &(weir_pass_options){0}));
    CHECK_EQ(count_of("_MatMulBias"), 0);
    weir_graph_destroy(g);
}

static void compare(int64_t m, int64_t n, int64_t k)
{
    weir_edge in[INPUTS], product, sum;
    g = weir_graph_create(weir_catalogue());
    weir_edge out = layer(m, n, k, "BiasAdd", in, &product, &sum);
    weir_tensor values[INPUTS], one, parts[3];
    for (int i = 0; i < INPUTS; i++) {
        CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, weir_edge_shape(in[i]), &values[i]));
        for (int64_t e = 0; e < weir_tensor_count(&values[i]); e++)
            ((float *)values[i].data)[e] = (float)((e * 7 + i) % 11) / 64 - 0.07f;
    }
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    weir_session *session = NULL;
    CHECK_OK(weir_session_create(g, &lock, &(weir_session_options){.target = ""}, &session));
    weir_request q = {.feeds = in,
                      .feed_values = values,
                      .feed_count = INPUTS,
                      .fetches = &out,
                      .fetch_count = 1};
    CHECK_OK(weir_session_run(session, &q, &one));
    weir_edge all[] = {out, product, sum}; /* fetched, they stay apart */
    q.fetches = all;
    q.fetch_count = 3;
    CHECK_OK(weir_session_run(session, &q, parts));
    CHECK_EQ(weir_tensor_count(&one), m * n);
    CHECK(m * n == 0 || memcmp(one.data, parts[0].data, weir_tensor_bytes(&one)) == 0);
    weir_tensor_release(&one);
    for (int i = 0; i < 3; i++)
        weir_tensor_release(&parts[i]);
    for (int i = 0; i < INPUTS; i++)
        weir_tensor_release(&values[i]);
    weir_session_destroy(session);
    weir_graph_destroy(g);
}

TEST(results_are_those_of_the_parts)
{
    compare(70, 53, 60); /* as it lies */
    compare(9, 3, 40);   /* few columns */
    compare(1, 40, 30);  /* one row */
    compare(5, 40, 0);   /* nothing but the bias */
    compare(0, 40, 3);
    compare(600, 40, 700); /* packed */
}

TEST_MAIN()
