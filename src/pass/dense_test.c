/* pass/dense_test.c - a product fused with its bias and activation computes the same. */
#include "pass/small_graph.h"
#include "session/session.h"

enum { INPUTS = 3 };

/* out = f(a b + bias); |sum| is the input of f. */
static weir_edge layer(int64_t m, int64_t n, int64_t k, const char *bias_op, weir_edge *in,
                       weir_edge *product, weir_edge *sum)
{
    in[0] = fed("a", &(weir_shape){2, {m, k}});
    in[1] = fed("b", &(weir_shape){2, {k, n}});
    in[2] = fed("bias", &(weir_shape){1, {n}});
    *product = add("product", "MatMul", in, 2);
    bool swapped = strcmp(bias_op, "AddV2") == 0;
    weir_edge terms[] = {swapped ? in[2] : *product, swapped ? *product : in[2]};
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
        remap_with(g, (weir_pass_options){0});
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
    remap_with(g, (weir_pass_options){0});
    CHECK_EQ(count_of("_MatMulBias"), 1); /* without Tanh, whose input has a second reader */
    CHECK_EQ(count_of("Tanh"), 1);
    weir_graph_destroy(g);
    g = weir_graph_create(weir_catalogue());
    layer(4, 5, 6, "BiasAdd", in, &product, &sum);
    add("more", "Identity", &product, 1);
    remap_with(g, (weir_pass_options){0});
    CHECK_EQ(count_of("_MatMulBias"), 0);
    weir_graph_destroy(g);
}

/* A matrix is fused like a bias, whether its shape is known or not; others are not. */
TEST(a_matrix_of_the_same_shape_joins)
{
    static const struct {
        weir_shape shape;
        int joins;
    } cases[] = {
        {{2, {4, 5}}, 1}, {{2, {-1, 5}}, 1}, {{-1, {0}}, 1},      {{2, {4, 1}}, 0},
        {{2, {1, 5}}, 0}, {{0, {0}}, 0},     {{3, {2, 4, 5}}, 0}, {{1, {1}}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g = weir_graph_create(weir_catalogue());
        weir_edge a = fed("a", &(weir_shape){2, {4, 6}}), b = fed("b", &(weir_shape){2, {6, 5}});
        weir_edge c = fed("c", &cases[i].shape);
        weir_edge product = add("product", "MatMul", (weir_edge[]){a, b}, 2);
        weir_edge sum = add("sum", "AddV2", (weir_edge[]){c, product}, 2);
        add("out", "Identity", &sum, 1);
        remap_with(g, (weir_pass_options){0});
        CHECK_EQ(count_of("_MatMulBias"), cases[i].joins);
        weir_graph_destroy(g);
    }
}

/* Control edges from the gradients of two products often precede the use of either. */
TEST(who_waits_for_the_product_waits_for_its_factors)
{
    for (int split = 0; split < 2; split++) {
        g = weir_graph_create(weir_catalogue());
        weir_edge a = fed("a", &(weir_shape){2, {4, 6}}), b = fed("b", &(weir_shape){2, {6, 5}});
        weir_edge c = fed("c", &(weir_shape){2, {4, 5}});
        if (split) {
            weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_BOOL)};
            weir_edge on = add_with("on", "Placeholder", NULL, 0, attrs, 1);
            a = add("way", "Switch", (weir_edge[]){a, on}, 2);
        }
        weir_edge product = add("product", "MatMul", (weir_edge[]){a, b}, 2);
        weir_edge group = add("group", "NoOp", NULL, 0);
        weir_graph_add_control(product.node, group.node);
        weir_edge sum = add("sum", "AddV2", (weir_edge[]){c, product}, 2);
        weir_graph_add_control(group.node, sum.node);
        weir_edge out = add("out", "Identity", &sum, 1);
        remap_with(g, (weir_pass_options){0});
        CHECK_EQ(count_of("_MatMulBias"), !split);
        if (!split) {
            CHECK_EQ(group.node->controls.count, 2);
            CHECK(group.node->controls.at[0] == a.node || group.node->controls.at[1] == a.node);
            CHECK_EQ(out.node->in[0].node->controls.count, 1);
        }
        weir_graph_destroy(g);
    }
}

/* Runs |out| fused, and with the parts fetched, which prevents fusion. */
static void compare_graph(const weir_edge *in, const weir_shape *const *shapes, weir_edge out,
                          weir_edge product, weir_edge sum)
{
    weir_tensor values[INPUTS], one, parts[3];
    for (int i = 0; i < INPUTS; i++) {
        CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, shapes[i], &values[i]));
        for (int64_t e = 0; e < weir_tensor_count(&values[i]); e++)
            ((float *)values[i].data)[e] = (float)((e * 7 + i) % 11) / 64 - 0.07f;
    }
    weir_mutex lock = WEIR_MUTEX_INIT;
    weir_session *session = NULL;
    CHECK_OK(weir_session_create(g, &lock, &(weir_session_options){.target = ""}, &session));
    weir_request q = {.feeds = in,
                      .feed_values = values,
                      .feed_count = INPUTS,
                      .fetches = &out,
                      .fetch_count = 1};
    CHECK_OK(weir_session_run(session, &q, &one));
    weir_edge all[] = {out, product, sum};
    q.fetches = all;
    q.fetch_count = 3;
    CHECK_OK(weir_session_run(session, &q, parts));
    CHECK(weir_shape_eq(&one.shape, &parts[0].shape));
    CHECK_EQ(memcmp(one.data, parts[0].data, weir_tensor_bytes(&one)), 0);
    weir_tensor_release(&one);
    for (int i = 0; i < 3; i++)
        weir_tensor_release(&parts[i]);
    for (int i = 0; i < INPUTS; i++)
        weir_tensor_release(&values[i]);
    weir_session_destroy(session);
    weir_graph_destroy(g);
}

static void compare(int64_t m, int64_t n, int64_t k)
{
    weir_edge in[INPUTS], product, sum;
    g = weir_graph_create(weir_catalogue());
    weir_edge out = layer(m, n, k, "BiasAdd", in, &product, &sum);
    const weir_shape *shapes[INPUTS];
    for (int i = 0; i < INPUTS; i++)
        shapes[i] = weir_edge_shape(in[i]);
    compare_graph(in, shapes, out, product, sum);
}

/* The addend is known at run time only: a temporary, which may be updated in place, or a
 * feed. */
static void compare_added(const weir_shape *added, bool own)
{
    weir_edge in[INPUTS];
    g = weir_graph_create(weir_catalogue());
    in[0] = fed("a", &(weir_shape){2, {9, 30}});
    in[1] = fed("b", &(weir_shape){2, {30, 20}});
    in[2] = fed("c", &(weir_shape){-1, {0}});
    weir_edge term = own ? add("term", "Exp", &in[2], 1) : in[2];
    weir_edge product = add("product", "MatMul", in, 2);
    weir_edge sum = add("sum", "AddV2", (weir_edge[]){product, term}, 2);
    weir_edge y = add("y", "Tanh", &sum, 1), out = add("out", "Identity", &y, 1);
    const weir_shape *shapes[] = {&(weir_shape){2, {9, 30}}, &(weir_shape){2, {30, 20}}, added};
    compare_graph(in, shapes, out, product, sum);
}

TEST(what_is_added_may_have_any_shape)
{
    static const weir_shape shapes[] = {
        {2, {9, 20}}, {0, {0}},        {1, {20}},       {1, {1}},    {2, {9, 1}},
        {2, {1, 20}}, {3, {2, 9, 20}}, {3, {1, 9, 20}}, {2, {1, 1}}, {4, {1, 2, 9, 1}}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        compare_added(&shapes[i], false);
        compare_added(&shapes[i], true);
    }
}

TEST(results_are_those_of_the_parts)
{
    compare(70, 53, 60); /* unpacked */
    compare(9, 3, 40);   /* few columns */
    compare(1, 40, 30);  /* one row */
    compare(5, 40, 0);   /* nothing but the bias */
    compare(0, 40, 3);
    compare(600, 40, 700); /* packed */
}

TEST_MAIN()
