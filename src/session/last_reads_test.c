/* session/last_reads_test.c - which fetches of a waiting step are read last. */
#include "graph/test_graph.h"
#include "op/attr.h"
#include "session/session_impl.h"

static weir_graph *g;
static weir_node *wait;

static weir_node *add(const char *name, const char *op, const weir_edge *in, int in_count,
                      const weir_named_attr *attrs, int attr_count)
{
    return add_to(g, name, op, in, in_count, attrs, attr_count);
}

static weir_node *of(const char *op, weir_node *in)
{
    return add(weir_graph_unique_name(g, op), op, &(weir_edge){in, 0}, 1, NULL, 0);
}

static weir_node *fetch(weir_node *node)
{
    weir_named_attr index[] = {weir_a_int("index", 0)};
    return add(weir_graph_unique_name(g, "fetch"), "_Retval", &(weir_edge){node, 0}, 1, index, 1);
}

/* A node with a type, and a shape if it has no input. */
static weir_node *typed(const char *name, const char *op, weir_node *in)
{
    weir_shape scalar = {0};
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_shape("shape", &scalar)};
    return add(name, op, &(weir_edge){in, 0}, in ? 1 : 0, attrs, in ? 1 : 2);
}

static weir_node *take(void)
{
    int32_t type = WEIR_FLOAT;
    weir_named_attr attrs[] = {weir_a_types("component_types", &type, 1)};
    weir_node *queue = add("queue", "FIFOQueueV2", NULL, 0, attrs, 1);
    return add("take", "QueueDequeueV2", &(weir_edge){queue, 0}, 1, attrs, 1);
}

static void begin(void)
{
    g = weir_graph_create(weir_catalogue());
    wait = take();
}

static void end(void)
{
    weir_graph_destroy(g);
}

static bool waits(const weir_node *node)
{
    for (size_t i = 0; i < node->controls.count; i++)
        if (node->controls.at[i] == wait)
            return true;
    return false;
}

static bool is_last(const weir_node *fetched)
{
    CHECK_OK(weir_read_variables_last(g));
    return waits(fetched->in[0].node);
}

TEST(a_reference_is_read_by_a_node_of_its_own)
{
    begin();
    weir_node *v = typed("v", "VariableV2", NULL), *f = fetch(v), *again = fetch(v);
    CHECK(is_last(f));
    CHECK(waits(again->in[0].node));
    CHECK(weir_node_is(f->in[0].node, "Identity"));
    CHECK(f->in[0].node->in[0].node == v);
    end();
}

TEST(a_read_that_is_only_fetched_is_done_again)
{
    begin();
    weir_node *v = typed("v", "VariableV2", NULL), *read = of("Identity", v);
    weir_node *f = fetch(read), *same = fetch(read);
    CHECK(is_last(f));
    CHECK(same->in[0].node == f->in[0].node);
    CHECK_EQ(f->in[0].node->controls.count, 2); /* the wait, and the first read */
    CHECK(!waits(read));
    end();
}

TEST(so_is_one_of_a_handle)
{
    begin();
    weir_node *read = typed("read", "ReadVariableOp", typed("v", "VarHandleOp", NULL));
    weir_node *f = fetch(of("Identity", read));
    CHECK_OK(weir_read_variables_last(g));
    CHECK(waits(f->in[0].node->in[0].node));
    end();
}

TEST(what_others_use_stays)
{
    begin();
    weir_node *v = typed("v", "VariableV2", NULL), *read = of("Identity", v);
    weir_node *f = fetch(read);
    fetch(of("Neg", read));
    CHECK(!is_last(f));
    end();
    begin();
    weir_node *r = typed("read", "ReadVariableOp", typed("v", "VarHandleOp", NULL));
    f = fetch(r);
    weir_graph_add_control(r, wait);
    CHECK(!is_last(f));
    end();
}

TEST(what_the_step_changes_is_read_after_the_change)
{
    begin();
    weir_node *v = typed("v", "VariableV2", NULL), *f = fetch(v);
    weir_node *read = of("Identity", v), *again = fetch(read);
    fetch(of("Neg", read));
    weir_node *change = add("change", "Assign", (weir_edge[]){{v, 0}, {wait, 0}}, 2, NULL, 0);
    CHECK(!is_last(f));
    CHECK_EQ(f->in[0].node->controls.count, 1);
    CHECK(f->in[0].node->controls.at[0] == change);
    CHECK(again->in[0].node != read);
    CHECK(again->in[0].node->controls.at[0] == change);
    CHECK_EQ(read->controls.count, 0);
    end();
}

TEST(a_handle_that_the_step_changes_stays)
{
    weir_node *f;
    begin();
    weir_node *h = typed("v", "VarHandleOp", NULL);
    f = fetch(typed("read", "ReadVariableOp", h));
    weir_named_attr type[] = {weir_a_type("dtype", WEIR_FLOAT)};
    add("change", "AssignVariableOp", (weir_edge[]){{h, 0}, {wait, 0}}, 2, type, 1);
    CHECK(!is_last(f));
    end();
}

TEST(a_wait_in_a_branch_is_none)
{
    begin();
    weir_named_attr is_bool[] = {weir_a_type("dtype", WEIR_BOOL)};
    weir_node *p = add("p", "Placeholder", NULL, 0, is_bool, 1);
    weir_node *branch = add("branch", "Switch", (weir_edge[]){{p, 0}, {p, 0}}, 2, NULL, 0);
    weir_node *f = fetch(typed("v", "VariableV2", NULL));
    weir_graph_add_control(of("Identity", branch), wait);
    CHECK(!is_last(f));
    end();
}

TEST(without_a_wait_nothing_changes)
{
    g = weir_graph_create(weir_catalogue());
    wait = NULL;
    fetch(typed("v", "VariableV2", NULL));
    size_t count = g->nodes.count;
    CHECK_OK(weir_read_variables_last(g));
    CHECK_EQ(g->nodes.count, count);
    end();
}

/* ---- synchronous replicas -------------------------------------------------------------------- */

static weir_node *constant(int32_t value, int rank)
{
    weir_tensor tensor = {0};
    weir_shape shape = {.rank = rank, .dims = {1}};
    CHECK_OK(weir_tensor_alloc(WEIR_INT32, &shape, &tensor));
    *(int32_t *)tensor.data = value;
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_INT32), weir_a_tensor("value", &tensor)};
    weir_node *node = add(weir_graph_unique_name(g, "c"), "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&tensor);
    return node;
}

/* A program that takes |gradients| and then enqueues |tokens|. */
static void add_round(int32_t gradients, int32_t tokens)
{
    weir_named_attr type[] = {weir_a_type("dtype", WEIR_FLOAT)};
    weir_shape scalar = {0};
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_shape("shape", &scalar)};
    weir_node *sum = add("sum", "ResourceConditionalAccumulator", NULL, 0, attrs, 2);
    weir_edge take[] = {{sum, 0}, {constant(gradients, 0), 0}};
    add("take_grad", "ResourceAccumulatorTakeGradient", take, 2, type, 1);
    weir_edge fill[] = {{constant(tokens, 1), 0}, {typed("step", "Placeholder", NULL), 0}};
    weir_edge give[] = {wait->in[0], {add("fill", "Fill", fill, 2, NULL, 0), 0}};
    add("give", "QueueEnqueueManyV2", give, 2, NULL, 0);
}

TEST(replicas_that_all_give_a_gradient_go_in_step)
{
    begin();
    CHECK(!weir_is_synchronous_training(g)); /* a queue alone is not enough */
    add_round(3, 3);
    CHECK(weir_is_synchronous_training(g));
    end();
}

TEST(backup_workers_do_not)
{
    begin();
    add_round(2, 3);
    CHECK(!weir_is_synchronous_training(g));
    end();
}

TEST_MAIN()
