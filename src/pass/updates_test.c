/* pass/updates_test.c - an optimiser's step fused with the product before it computes the
 * same. */
#include "pass/small_graph.h"
#include "session/session.h"

enum { MOST_SLOTS = 3, MOST_SCALARS = 6 };

/* An optimiser op: its slots, and the scalars before and after the gradient. */
typedef struct optimiser {
    const char *op;
    int slots, before, after;
    bool resource;
} optimiser;

static const optimiser optimisers[] = {
    {"ApplyGradientDescent", 1, 1, 0},
    {"ApplyMomentum", 2, 1, 1},
    {"ApplyAdam", 3, 6, 0},
    {"ApplyAdagradV2", 2, 2, 0},
    {"ApplyFtrl", 3, 0, 4},
    {"ResourceApplyGradientDescent", 1, 1, 0, true},
    {"ResourceApplyMomentum", 2, 1, 1, true},
    {"ResourceApplyAdam", 3, 6, 0, true},
    {"ResourceApplyKerasMomentum", 2, 1, 1, true},
};
enum { OPTIMISERS = sizeof optimisers / sizeof *optimisers };

/* One step of |o| on a weight of m x n, whose gradient is a'b over k rows. */
typedef struct model {
    weir_edge in[2], vars[MOST_SLOTS], values[MOST_SLOTS], init, product, step;
    int slots;
} model;

static weir_edge number(const char *name, float v)
{
    weir_tensor t;
    CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, &WEIR_SCALAR, &t));
    *(float *)t.data = v;
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_tensor("value", &t)};
    weir_edge e = add_with(name, "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&t);
    return e;
}

/* Slot |k|, its read, and one more initialiser. */
static void add_slot(model *m, int k, const weir_shape *shape, bool resource)
{
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_shape("shape", shape),
                               weir_a_str("shared_name", numbered("slot", k))};
    m->vars[k] =
        add_with(numbered("var", k), resource ? "VarHandleOp" : "VariableV2", NULL, 0, attrs, 3);
    weir_tensor start;
    CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, shape, &start));
    for (int64_t i = 0; i < weir_tensor_count(&start); i++)
        ((float *)start.data)[i] = (float)(1 + (i * 5 + k) % 7);
    weir_named_attr value[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_tensor("value", &start)};
    weir_edge set[] = {m->vars[k], add_with(numbered("start", k), "Const", NULL, 0, value, 2)};
    weir_tensor_release(&start);
    weir_edge assign = add(numbered("set", k), resource ? "AssignVariableOp" : "Assign", set, 2);
    weir_graph_add_control(assign.node, m->init.node);
    weir_named_attr type = weir_a_type("dtype", WEIR_FLOAT);
    m->values[k] = resource
                       ? add_with(numbered("read", k), "ReadVariableOp", &m->vars[k], 1, &type, 1)
                       : add(numbered("read", k), "Identity", &m->vars[k], 1);
}

static model build(const optimiser *o, int64_t rows, int64_t cols, int64_t k)
{
    g = weir_graph_create(weir_catalogue());
    model m = {.slots = o->slots, .init = add("init", "NoOp", NULL, 0)};
    m.in[0] = fed("a", &(weir_shape){2, {k, rows}});
    m.in[1] = fed("b", &(weir_shape){2, {k, cols}});
    weir_named_attr transposed = weir_a_bool("transpose_a", true);
    m.product = add_with("product", "MatMul", m.in, 2, &transposed, 1);
    weir_edge in[MOST_SLOTS + MOST_SCALARS + 1];
    int count = 0;
    for (int s = 0; s < o->slots; s++) {
        add_slot(&m, s, &(weir_shape){2, {rows, cols}}, o->resource);
        in[count++] = m.vars[s];
    }
    for (int s = 0; s < o->before; s++)
        in[count++] = number(numbered("before", s), .5f / (float)(s + 1));
    in[count++] = m.product;
    for (int s = 0; s < o->after; s++)
        in[count++] = number(numbered("after", s), -.25f / (float)(s + 1));
    m.step = add("step", o->op, in, count);
    return m;
}

/* A target that waits for the step, so that the step itself is not kept. */
static weir_edge target(const model *m)
{
    weir_edge after = add("after_step", "NoOp", NULL, 0);
    weir_graph_add_control(m->step.node, after.node);
    return after;
}

static int joined(void)
{
    return count_of("_MatMulApply") + count_of("_MatMulResourceApply");
}

TEST(a_step_joins_its_product)
{
    for (size_t i = 0; i < OPTIMISERS; i++) {
        model m = build(&optimisers[i], 60, 20, 4);
        weir_edge end = target(&m);
        remap_with(g, (weir_pass_options){0});
        CHECK_EQ(count_of("MatMul") + count_of(optimisers[i].op), 0);
        CHECK_EQ(joined(), 1);
        CHECK_EQ(end.node->controls.count, 1);
        weir_graph_destroy(g);
    }
}

TEST(gradients_that_others_read_stay)
{
    model m = build(&optimisers[2], 60, 20, 4);
    target(&m);
    add("other", "Identity", &m.product, 1);
    remap_with(g, (weir_pass_options){0});
    CHECK_EQ(joined(), 0);
    weir_graph_destroy(g);
    m = build(&optimisers[2], 60, 20000, 4); /* a wide one is not fused */
    target(&m);
    remap_with(g, (weir_pass_options){0});
    CHECK_EQ(joined(), 0);
    weir_graph_destroy(g);
}

/* Control edges are moved to the factors: the layers below are not delayed. */
TEST(others_wait_for_the_factors)
{
    model m = build(&optimisers[0], 60, 20, 4);
    weir_edge end = target(&m), first = add("first", "NoOp", NULL, 0);
    weir_edge waits = add("waits", "NoOp", NULL, 0);
    weir_graph_add_control(first.node, m.product.node);
    weir_graph_add_control(m.product.node, waits.node);
    weir_graph_add_control(waits.node, m.step.node); /* which would be a cycle */
    remap_with(g, (weir_pass_options){0});
    CHECK_EQ(joined(), 1);
    CHECK_EQ(waits.node->controls.count, 3); /* a, b and first */
    const weir_node *made = end.node->controls.at[0];
    CHECK_EQ(made->controls.count, 2); /* first and waits */
    weir_graph_destroy(g);
}

static void fill(weir_tensor *t, weir_edge e, int seed)
{
    CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, weir_edge_shape(e), t));
    for (int64_t i = 0; i < weir_tensor_count(t); i++)
        ((float *)t->data)[i] = (float)((i * 7 + seed) % 11) - 5;
}

/* The slots after two steps, in which the gradient is |fetched|, and so not fused, or not. */
static void train(const model *m, weir_edge end, bool fetched, weir_tensor *out)
{
    weir_mutex lock = WEIR_MUTEX_INIT;
    weir_session *session = NULL;
    CHECK_OK(weir_session_create(g, &lock, &(weir_session_options){.target = ""}, &session));
    weir_request q = {.targets = (weir_node *[]){m->init.node}, .target_count = 1};
    CHECK_OK(weir_session_run(session, &q, NULL));
    weir_tensor values[2], product;
    fill(&values[0], m->in[0], 1);
    fill(&values[1], m->in[1], 2);
    q = (weir_request){.feeds = m->in,
                       .feed_values = values,
                       .feed_count = 2,
                       .fetches = &m->product,
                       .fetch_count = fetched,
                       .targets = &end.node,
                       .target_count = 1};
    for (int i = 0; i < 2; i++) {
        CHECK_OK(weir_session_run(session, &q, &product));
        if (fetched)
            weir_tensor_release(&product);
    }
    q = (weir_request){.fetches = m->values, .fetch_count = m->slots};
    CHECK_OK(weir_session_run(session, &q, out));
    weir_tensor_release(&values[0]);
    weir_tensor_release(&values[1]);
    weir_session_destroy(session);
}

static void compare(const optimiser *o, int64_t rows, int64_t cols, int64_t k)
{
    weir_tensor one[MOST_SLOTS], parts[MOST_SLOTS];
    for (int fetched = 0; fetched < 2; fetched++) {
        model m = build(o, rows, cols, k);
        train(&m, target(&m), fetched, fetched ? parts : one);
        weir_graph_destroy(g);
    }
    for (int s = 0; s < o->slots; s++) {
        CHECK_EQ(weir_tensor_count(&one[s]), rows * cols);
        CHECK(memcmp(one[s].data, parts[s].data, weir_tensor_bytes(&one[s])) == 0);
        weir_tensor_release(&one[s]);
        weir_tensor_release(&parts[s]);
    }
}

TEST(results_are_those_of_the_parts)
{
    for (size_t i = 0; i < OPTIMISERS; i++) {
        compare(&optimisers[i], 500, 70, 30); /* in several blocks of rows */
        compare(&optimisers[i], 1, 1, 1);
    }
    compare(&optimisers[2], 70, 600, 300); /* as a whole */
    compare(&optimisers[2], 50, 40, 0);
}

TEST_MAIN()
