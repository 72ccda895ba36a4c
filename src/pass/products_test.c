/* pass/products_test.c - which sums of products are fused, and that the result is the same. */
#include "pass/small_graph.h"
#include "session/session.h"

enum { TERMS = 3, SIDE = 70 };

/* |in|: each product's factors, of |row|, 2 |row|... rows. Returns what reads the sum. */
static weir_edge add_sum(int64_t rows, weir_edge *in, weir_edge *products)
{
    weir_named_attr transposed = weir_a_bool("transpose_a", true);
    for (int t = 0; t < TERMS; t++) {
        in[2 * t] = fed(numbered("a", t), &(weir_shape){2, {rows * (t + 1), SIDE}});
        in[2 * t + 1] = fed(numbered("b", t), &(weir_shape){2, {rows * (t + 1), SIDE + 7}});
        weir_edge own[] = {add(numbered("na", t), "Neg", &in[2 * t], 1), in[2 * t + 1]};
        products[t] = add_with(numbered("p", t), "MatMul", own, 2, &transposed, 1);
    }
    weir_edge sum = add("sum", "AddN", products, TERMS);
    return add("out", "Identity", &sum, 1);
}

TEST(a_sum_of_products_is_one)
{
    weir_edge in[2 * TERMS], products[TERMS];
    g = weir_graph_create(weir_catalogue());
    weir_edge out = add_sum(4, in, products);
    remap_with(g, (weir_pass_options){0});
    CHECK_EQ(count_of("_MatMulSum"), 1);
    CHECK_EQ(count_of("MatMul"), 0);
    CHECK(weir_node_is(out.node->in[0].node, "_MatMulSum"));
    weir_graph_destroy(g);
}

TEST(products_that_others_use_stay)
{
    weir_edge in[2 * TERMS], products[TERMS];
    g = weir_graph_create(weir_catalogue());
    add_sum(4, in, products);
    add("other", "Identity", &products[1], 1);
    remap_with(g, (weir_pass_options){0});
    CHECK_EQ(count_of("MatMul"), TERMS);
    weir_graph_destroy(g);
}

/* A fed factor may alias a variable: control edges must stay on the product. */
TEST(products_of_others_memory_are_waited_for)
{
    weir_edge in[2 * TERMS], products[TERMS];
    g = weir_graph_create(weir_catalogue());
    add_sum(4, in, products);
    weir_edge waits = add("waits", "NoOp", NULL, 0);
    weir_graph_add_control(products[1].node, waits.node);
    remap_with(g, (weir_pass_options){0});
    CHECK_EQ(count_of("MatMul"), TERMS);
    weir_graph_destroy(g);
}

TEST(the_sum_is_that_of_the_terms)
{
    weir_edge in[2 * TERMS], products[TERMS];
    g = weir_graph_create(weir_catalogue());
    weir_edge out = add_sum(5, in, products);
    weir_tensor values[2 * TERMS], merged, terms;
    for (int i = 0; i < 2 * TERMS; i++) {
        CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, weir_edge_shape(in[i]), &values[i]));
        for (int64_t k = 0; k < weir_tensor_count(&values[i]); k++)
            ((float *)values[i].data)[k] = (float)((k * 7 + i) % 11) - 5;
    }
    weir_mutex lock = WEIR_MUTEX_INIT;
    weir_session *session = NULL;
    CHECK_OK(weir_session_create(g, &lock, &(weir_session_options){.target = ""}, &session));
    weir_request q = {.feeds = in,
                      .feed_values = values,
                      .feed_count = 2 * TERMS,
                      .fetches = &out,
                      .fetch_count = 1};
    CHECK_OK(weir_session_run(session, &q, &merged));
    weir_tensor all[TERMS + 1]; /* fetched products are not merged */
    weir_edge fetches[] = {out, products[0], products[1], products[2]};
    q.fetches = fetches;
    q.fetch_count = TERMS + 1;
    CHECK_OK(weir_session_run(session, &q, all));
    terms = all[0];
    CHECK_EQ(weir_tensor_count(&merged), SIDE * (SIDE + 7));
    CHECK(memcmp(merged.data, terms.data, weir_tensor_bytes(&merged)) == 0); /* small integers */
    weir_tensor_release(&merged);
    for (int i = 0; i <= TERMS; i++)
        weir_tensor_release(&all[i]);
    for (int i = 0; i < 2 * TERMS; i++)
        weir_tensor_release(&values[i]);
    weir_session_destroy(session);
    weir_graph_destroy(g);
}

TEST_MAIN()
