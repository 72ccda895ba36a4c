/* pass/prepack_test.c - which products share a prepacked matrix. */
#include "ops/internal/panels.h"
#include "pass/small_graph.h"
#include "session/session.h"

enum { STEPS = 8, ROWS = 5, SIDE = 300 };

/* Pretends that prepacking pays off. */
static bool pays_for_steps(weir_dtype type, int64_t m, int64_t n, int64_t k, int64_t products)
{
    return type == WEIR_FLOAT && m == ROWS && n == SIDE && k == SIDE && products >= STEPS;
}

/* |count| chained products by |w|, every second one transposed. */
static void add_products(weir_edge w, int count, weir_edge *out)
{
    weir_edge h = fed("x", &(weir_shape){2, {ROWS, SIDE}});
    for (int t = 0; t < count; t++) {
        weir_named_attr transposed = weir_a_bool("transpose_b", t % 2);
        h = out[t] = add_with(numbered("p", t), "MatMul", (weir_edge[]){h, w}, 2, &transposed, 1);
    }
    add("out", "Identity", &h, 1);
}

static void remap(void)
{
    remap_with(g, (weir_pass_options){.prepack_pays = pays_for_steps});
}

TEST(products_that_share_a_matrix_share_its_panels)
{
    weir_edge products[2 * STEPS];
    g = weir_graph_create(weir_catalogue());
    add_products(fed("w", &(weir_shape){2, {SIDE, SIDE}}), 2 * STEPS, products);
    remap();
    CHECK_EQ(count_of("_Panels"), 2); /* one plain, one transposed */
    CHECK_EQ(count_of("_MatMulPanels"), 2 * STEPS);
    CHECK_EQ(count_of("MatMul"), 0);
    weir_graph_destroy(g);
}

TEST(few_products_do_not)
{
    weir_edge products[STEPS];
    g = weir_graph_create(weir_catalogue());
    add_products(fed("w", &(weir_shape){2, {SIDE, SIDE}}), STEPS, products);
    remap();
    CHECK_EQ(count_of("_Panels"), 0);
    CHECK_EQ(count_of("MatMul"), STEPS);
    weir_graph_destroy(g);
}

/* Products after a write to the variable read the new value. */
TEST(a_change_between_products_is_seen)
{
    weir_edge products[4 * STEPS];
    g = weir_graph_create(weir_catalogue());
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT),
                               weir_a_shape("shape", &(weir_shape){2, {SIDE, SIDE}})};
    weir_edge variable = add_with("v", "VariableV2", NULL, 0, attrs, 2);
    weir_edge w = add("read", "Identity", &variable, 1);
    add_products(w, 4 * STEPS, products);
    weir_edge in[] = {variable, fed("new", &(weir_shape){2, {SIDE, SIDE}})};
    weir_edge change = add("change", "Assign", in, 2);
    weir_graph_add_control(products[2 * STEPS - 1].node, change.node);
    weir_graph_add_control(change.node, products[2 * STEPS].node);
    remap();
    CHECK_EQ(count_of("_MatMulPanels"), 2 * STEPS);
    CHECK_EQ(count_of("MatMul"), 2 * STEPS);
    weir_graph_destroy(g);
}

TEST(what_does_not_pay)
{
    CHECK(!weir_panels_pay(WEIR_FLOAT, 20, 1024, 2048, 1));   /* one product */
    CHECK(!weir_panels_pay(WEIR_FLOAT, 400, 1024, 2048, 20)); /* enough rows of its own */
    CHECK(!weir_panels_pay(WEIR_FLOAT, 20, 16, 16, 20));      /* fits in the cache anyway */
    CHECK(!weir_panels_pay(WEIR_HALF, 20, 1024, 2048, 20));
}

TEST_MAIN()
