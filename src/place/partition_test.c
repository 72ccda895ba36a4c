/* place/partition_test.c - graphs over several tasks, and the resulting partitions. */
#include "place/partition.h"

#include "base/test.h"
#include "graph/while.h"
#include "session/session.h"

#define WORKER "/job:worker/replica:0/task:0"
#define PS "/job:ps/replica:0/task:0"
#define OTHER "/job:worker/replica:0/task:1"

static const weir_place_device devices[] = {
    {WORKER "/device:CPU:0", 1},
    {OTHER "/device:CPU:0", 2},
    {PS "/device:CPU:0", 0xfedcba9876543210},
};

static weir_graph *g;
static weir_partitions partitions;
static atomic_llong next;

static void begin(void)
{
    g = weir_graph_create(weir_catalogue());
    atomic_store(&next, 0);
}

static void end(void)
{
    weir_partitions_fini(&partitions);
    weir_graph_destroy(g);
}

static weir_node *add(const char *name, const char *op, const char *device, const weir_edge *in,
                      int in_count)
{
    weir_node *n = NULL;
    weir_node_spec spec = {
        .name = name, .op = op, .in = in, .in_count = in_count, .device = device};
    CHECK_OK(weir_graph_add(g, &spec, &n));
    return n;
}

static weir_node *fed(const char *name, const char *device)
{
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT)};
    weir_node *n = NULL;
    CHECK_OK(weir_graph_add(
        g,
        &(weir_node_spec){
            .name = name, .op = "Placeholder", .attrs = attrs, .attr_count = 1, .device = device},
        &n));
    return n;
}

static weir_node *number(const char *name, const char *device, float value)
{
    weir_tensor t = weir_tensor_scalar(WEIR_FLOAT, &value);
    weir_named_attr attrs[] = {weir_a_tensor("value", &t), weir_a_type("dtype", WEIR_FLOAT)};
    weir_node *n = NULL;
    CHECK_OK(weir_graph_add(
        g,
        &(weir_node_spec){
            .name = name, .op = "Const", .attrs = attrs, .attr_count = 2, .device = device},
        &n));
    weir_tensor_release(&t);
    return n;
}

static weir_node *variable(const char *name, const char *device)
{
    weir_shape scalar = {0};
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_shape("shape", &scalar)};
    weir_node *n = NULL;
    CHECK_OK(weir_graph_add(
        g,
        &(weir_node_spec){
            .name = name, .op = "VariableV2", .attrs = attrs, .attr_count = 2, .device = device},
        &n));
    return n;
}

#define NODE(name, op, device, ...)                                                                \
    add(name, op, device, (const weir_edge[]){__VA_ARGS__},                                        \
        (int)(sizeof((weir_edge[]){__VA_ARGS__}) / sizeof(weir_edge)))
#define OUT(n) ((weir_edge){n, 0})

static weir_status split(void)
{
    weir_place_options place = {.devices = devices, .device_count = 3};
    WEIR_TRY(weir_place_assign(g, &place));
    weir_partition_options o = {
        .devices = devices, .device_count = 3, .own_task = WORKER, .next = &next};
    return weir_place_partition(g, &o, &partitions);
}

/* The partition of a task, as a graph; null if it has none. */
static weir_graph *part_of(const char *task)
{
    for (int i = 0; i < partitions.count; i++)
        if (strcmp(partitions.at[i].task, task) == 0) {
            weir_graph *p = weir_graph_create(weir_catalogue());
            CHECK_OK(weir_graph_import(
                p, (weir_str){partitions.at[i].graph.at, partitions.at[i].graph.length}, NULL,
                NULL));
            return p;
        }
    return NULL;
}

static int count(const weir_graph *in, const char *op)
{
    int found = 0;
    for (size_t i = 0; in && i < in->nodes.count; i++)
        found += !in->nodes.at[i]->removed && weir_node_is(in->nodes.at[i], op);
    return found;
}

static weir_node *only(const weir_graph *in, const char *op)
{
    CHECK_EQ(count(in, op), 1);
    for (size_t i = 0; in && i < in->nodes.count; i++)
        if (!in->nodes.at[i]->removed && weir_node_is(in->nodes.at[i], op))
            return in->nodes.at[i];
    return NULL;
}

TEST(one_task_stays_as_it_is)
{
    begin();
    weir_node *x = fed("x", "");
    NODE("y", "Neg", WORKER, OUT(x));
    CHECK_OK(split());
    CHECK_EQ(partitions.count, 0);
    CHECK_EQ(g->nodes.count, 2);
    end();
}

TEST(a_value_is_sent_once_to_each_task)
{
    begin();
    weir_node *x = fed("x", WORKER);
    NODE("a", "Neg", PS, OUT(x));
    NODE("b", "Abs", PS, OUT(x));
    NODE("c", "Neg", OTHER, OUT(x));
    CHECK_OK(split());
    CHECK_EQ(partitions.count, 2);
    CHECK_EQ(count(g, "_Send"), 2);
    weir_graph *ps = part_of(PS);
    weir_node *recv = only(ps, "_Recv"), *send = NULL;
    CHECK_EQ(recv->uses.count, 2);
    weir_str name = weir_node_attr(recv, "tensor_name")->s;
    for (size_t i = 0; i < g->nodes.count; i++)
        if (weir_node_is(g->nodes.at[i], "_Send") &&
            weir_str_eq(weir_node_attr(g->nodes.at[i], "tensor_name")->s, name))
            send = g->nodes.at[i];
    CHECK(send != NULL);
    CHECK(weir_str_is(weir_node_attr(recv, "send_device")->s, WORKER "/device:CPU:0"));
    CHECK(weir_str_is(weir_node_attr(recv, "recv_device")->s, PS "/device:CPU:0"));
    CHECK_EQ(weir_node_attr(recv, "send_device_incarnation")->i, 1);
    CHECK_STR(recv->requested_device, PS "/device:CPU:0");
    weir_graph_destroy(ps);
    end();
}

TEST(references_are_read_for_each_user)
{
    begin();
    weir_node *v = variable("v", PS), *x = fed("x", WORKER);
    NODE("a", "AddV2", WORKER, OUT(v), OUT(x));
    NODE("b", "Neg", WORKER, OUT(v));
    CHECK_OK(split());
    weir_graph *ps = part_of(PS);
    CHECK_EQ(count(ps, "_Send"), 2);
    CHECK_EQ(count(g, "_Recv"), 2);
    const weir_node *read = weir_graph_find(g, WEIR_STR("a"))->in[0].node;
    CHECK(weir_node_is(read, "_Recv"));
    CHECK_EQ(read->controls.count, 1); /* when x is available */
    CHECK(read->controls.at[0] == x);
    CHECK_EQ(weir_node_attr(read, "send_device_incarnation")->i, (int64_t)0xfedcba9876543210);
    weir_graph_destroy(ps);
    end();
}

TEST(references_of_one_user_do_not_wait_for_each_other)
{
    begin();
    weir_node *v = variable("v", PS), *w = variable("w", PS);
    NODE("sum", "AddV2", WORKER, OUT(v), OUT(w));
    CHECK_OK(split());
    const weir_node *sum = weir_graph_find(g, WEIR_STR("sum"));
    for (int i = 0; i < 2; i++) {
        CHECK(weir_node_is(sum->in[i].node, "_Recv"));
        CHECK_EQ(sum->in[i].node->controls.count, 0);
    }
    end();
}

TEST(control_edges_send_nothing_but_that)
{
    begin();
    weir_node *a = fed("a", WORKER), *b = fed("b", PS);
    weir_graph_add_control(a, b);
    CHECK_OK(split());
    weir_node *none = only(g, "Const");
    CHECK_EQ(none->controls.count, 1);
    CHECK_EQ(weir_node_attr(none, "value")->tensor->shape.dims[0], 0);
    weir_graph *ps = part_of(PS);
    const weir_node *there = weir_graph_find(ps, WEIR_STR("b"));
    CHECK_EQ(there->controls.count, 1);
    CHECK(weir_node_is(there->controls.at[0], "Identity"));
    CHECK(weir_node_is(there->controls.at[0]->in[0].node, "_Recv"));
    weir_graph_destroy(ps);
    end();
}

TEST(constants_are_copied)
{
    begin();
    weir_node *c = number("c", WORKER, 2);
    NODE("here", "Neg", WORKER, OUT(c));
    NODE("a", "Neg", PS, OUT(c));
    NODE("b", "Abs", PS, OUT(c));
    CHECK_OK(split());
    weir_graph *ps = part_of(PS);
    CHECK_EQ(count(ps, "Const"), 1);
    CHECK_EQ(count(ps, "_Recv") + count(g, "_Send"), 0);
    weir_graph_destroy(ps);
    end();
}

static weir_node *enter(const char *name, weir_edge in, const char *device)
{
    weir_named_attr attrs[] = {weir_a_str("frame_name", "loop"),
                               weir_a_int("parallel_iterations", 7)};
    weir_node *n = NULL;
    CHECK_OK(weir_graph_add(g,
                            &(weir_node_spec){.name = name,
                                              .op = "Enter",
                                              .in = &in,
                                              .in_count = 1,
                                              .attrs = attrs,
                                              .attr_count = 2,
                                              .device = device},
                            &n));
    return n;
}

/* x = -x on the parameter server while x < 10, which the worker evaluates. */
static void make_loop(bool with_cond)
{
    weir_node *in = enter("enter", OUT(fed("x", WORKER)), WORKER);
    weir_node *limit = enter("limit", OUT(fed("n", WORKER)), WORKER);
    weir_node *merge = NODE("merge", "Merge", WORKER, OUT(in), OUT(in));
    weir_node *less = NODE("less", "Less", WORKER, OUT(merge), OUT(limit));
    weir_node *cond = with_cond ? NODE("cond", "LoopCond", WORKER, OUT(less)) : less;
    weir_node *branch = NODE("switch", "Switch", PS, OUT(merge), OUT(cond));
    weir_edge again = {branch, 1};
    weir_node *body = NODE("body", "Neg", PS, again);
    weir_node *back = NODE("next", "NextIteration", PS, OUT(body));
    weir_graph_set_input(merge, 1, OUT(back));
    NODE("exit", "Exit", PS, OUT(branch));
}

TEST(a_loop_over_tasks_goes_round_on_each)
{
    begin();
    make_loop(true);
    CHECK_OK(split());
    weir_graph *ps = part_of(PS);
    /* Switch, Exit and NextIteration have moved to the worker: only the body and the control loop
     * remain. */
    CHECK_EQ(count(g, "Exit"), 1);
    weir_node *in = only(ps, "Enter"), *merge = only(ps, "Merge"), *branch = only(ps, "Switch");
    CHECK(weir_str_is(weir_node_attr(in, "frame_name")->s, "loop"));
    CHECK_EQ(weir_node_attr(in, "parallel_iterations")->i, 7);
    CHECK(strncmp(in->site.name, "_cloop", 6) == 0);
    CHECK(weir_node_is(in->in[0].node, "Const"));
    CHECK(weir_node_is(merge->in[1].node, "NextIteration"));
    CHECK(weir_node_is(branch->in[1].node, "_Recv")); /* the condition */
    for (size_t i = 0; i < ps->nodes.count; i++) {
        const weir_node *n = ps->nodes.at[i];
        if (!weir_node_is(n, "_Recv"))
            continue;
        CHECK_EQ(n->controls.count, 1);
        CHECK(n->controls.at[0] == merge);
    }
    CHECK_EQ(count(ps, "_Recv"), 2);
    CHECK_EQ(count(g, "_Recv"), 1);
    weir_graph_destroy(ps);
    end();
}

TEST(a_loop_without_a_condition_cannot_cross)
{
    begin();
    make_loop(false);
    CHECK_FAILS(split(), WEIR_INVALID_ARGUMENT, "pivot predicate: loop");
    end();
}

TEST(names_count_on)
{
    begin();
    NODE("y", "Neg", PS, OUT(fed("x", WORKER)));
    CHECK_OK(split());
    long long used = atomic_load(&next);
    CHECK(used >= 3);
    weir_graph_destroy(g);
    weir_partitions_fini(&partitions);
    g = weir_graph_create(weir_catalogue());
    NODE("y", "Neg", PS, OUT(fed("x", WORKER)));
    CHECK_OK(split());
    char first[32];
    snprintf(first, sizeof first, "edge_%lld_x", used);
    CHECK(weir_str_is(weir_node_attr(only(g, "_Send"), "tensor_name")->s, first));
    end();
}

/* ---- placement ------------------------------------------------------------------------------ */

static const char *device_of(const char *name)
{
    return weir_graph_find(g, weir_str_of(name))->site.device;
}

static weir_status place(void)
{
    weir_place_options o = {.devices = devices, .device_count = 3};
    return weir_place_assign(g, &o);
}

TEST(who_says_nothing_is_at_home)
{
    begin();
    weir_node *v = variable("v", "/job:ps");
    NODE("free", "Neg", "", OUT(v));
    weir_node *c = number("c", "", 1);
    NODE("user", "AddV2", "/job:ps", OUT(c), OUT(v));
    NODE("shape", "Shape", "", OUT(v));
    weir_edge change[] = {OUT(v), OUT(c)};
    add("follows", "AssignAdd", OTHER, change, 2);
    CHECK_OK(place());
    CHECK_STR(device_of("v"), PS "/device:CPU:0");
    CHECK_STR(device_of("free"), WORKER "/device:CPU:0");
    CHECK_STR(device_of("c"), PS "/device:CPU:0");
    CHECK_STR(device_of("shape"), PS "/device:CPU:0");
    CHECK_STR(device_of("follows"), PS "/device:CPU:0");
    end();
}

TEST(what_was_placed_stays)
{
    begin();
    weir_node *x = fed("x", PS);
    CHECK_OK(place());
    NODE("y", "Shape", "", OUT(x));
    CHECK_OK(place());
    CHECK_STR(device_of("x"), PS "/device:CPU:0");
    CHECK_STR(device_of("y"), PS "/device:CPU:0");
    end();
}

TEST(errors_name_what_was_asked_and_what_there_is)
{
    begin();
    fed("lost", "/job:nobody");
    CHECK_FAILS(place(), WEIR_INVALID_ARGUMENT,
                "Cannot assign a device for operation lost: {{node lost}} was explicitly assigned "
                "to /job:nobody but available devices are [ " PS "/device:CPU:0, " WORKER
                "/device:CPU:0, " OTHER "/device:CPU:0 ].");
    end();
    begin();
    weir_node *a = variable("a", "/job:ps");
    weir_str with[] = {WEIR_STR("loc:@a")};
    weir_named_attr near[] = {
        {"_class", {.kind = WEIR_ATTR_STRING, .is_list = true, .count = 1, .ss = with}}};
    weir_edge in = OUT(a);
    weir_node *n;
    CHECK_OK(weir_graph_add(g,
                            &(weir_node_spec){.name = "b",
                                              .op = "Neg",
                                              .in = &in,
                                              .in_count = 1,
                                              .attrs = near,
                                              .attr_count = 1,
                                              .device = "/job:worker"},
                            &n));
    CHECK_FAILS(place(), WEIR_INVALID_ARGUMENT,
                "Cannot merge devices with incompatible jobs: '/job:ps' and '/job:worker'");
    end();
}

TEST(a_read_after_a_change_is_where_the_variable_is)
{
    begin();
    weir_node *v = variable("v", PS);
    weir_node *change = NODE("change", "AssignAdd", "", OUT(v), OUT(number("one", "", 1)));
    weir_node *before = NODE("before", "Identity", "", OUT(v));
    weir_node *after = NODE("after", "Identity", "", OUT(v));
    weir_graph_add_control(change, after);
    weir_place_options place = {.devices = devices, .device_count = 3};
    CHECK_OK(weir_place_assign(g, &place));
    CHECK_STR(after->site.device, PS "/device:CPU:0");
    CHECK_STR(before->site.device, WORKER "/device:CPU:0");
    end();
}

TEST_MAIN()
