/* exec/read_after_write_test.c - nodes that read a variable before and after a change of it. */
#include "exec/plan_impl.h"
#include "graph/test_graph.h"
#include "session/session.h"

static weir_graph *g;

static weir_node *add(const char *name, const char *op, const weir_edge *in, int in_count,
                      const weir_named_attr *attrs, int attr_count)
{
    return add_to(g, name, op, in, in_count, attrs, attr_count);
}

#define NODE(name, op, ...)                                                                        \
    add(name, op, (const weir_edge[]){__VA_ARGS__},                                                \
        (int)(sizeof((weir_edge[]){__VA_ARGS__}) / sizeof(weir_edge)), NULL, 0)
#define OUT(n) ((weir_edge){n, 0})

static weir_node *variable, *read, *change;

static void begin(void)
{
    g = weir_graph_create(weir_catalogue());
    weir_shape scalar = {0};
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_shape("shape", &scalar)};
    variable = add("v", "VariableV2", NULL, 0, attrs, 2);
    read = NODE("v/read", "Identity", OUT(variable));
    weir_node *value = add("value", "Placeholder", NULL, 0, attrs, 1);
    change = NODE("change", "AssignAdd", OUT(variable), OUT(value));
}

TEST(who_waits_for_a_change_takes_the_reference)
{
    begin();
    weir_node *before = NODE("before", "Neg", OUT(read));
    weir_node *after = NODE("after", "Abs", OUT(read));
    weir_graph_add_control(change, after);
    CHECK_OK(weir_plan_read_after_write(g));
    CHECK(before->in[0].node == read);
    CHECK(after->in[0].node == variable);
    CHECK_EQ(after->controls.count, 2); /* the change, and the read that it had */
    weir_graph_destroy(g);
}

TEST(so_does_who_waits_for_it_behind_a_branch)
{
    begin();
    weir_named_attr is_bool[] = {weir_a_type("dtype", WEIR_BOOL)};
    weir_node *p = add("p", "Placeholder", NULL, 0, is_bool, 1);
    weir_node *branch = NODE("branch", "Switch", OUT(read), OUT(p));
    weir_edge taken = {branch, 1};
    weir_node *after = NODE("after", "Abs", taken), *other = NODE("other", "Neg", OUT(branch));
    weir_graph_add_control(change, after);
    CHECK_OK(weir_plan_read_after_write(g));
    CHECK(weir_node_is(after->in[0].node, "RefSwitch"));
    CHECK_EQ(after->in[0].index, 1);
    CHECK(after->in[0].node->in[0].node == variable);
    CHECK(other->in[0].node == branch);
    weir_graph_destroy(g);
}

TEST(a_read_after_the_change_is_late_already)
{
    begin();
    weir_graph_add_control(change, read);
    weir_node *after = NODE("after", "Abs", OUT(read));
    CHECK_OK(weir_plan_read_after_write(g));
    CHECK(after->in[0].node == read);
    weir_graph_destroy(g);
}

TEST_MAIN()
