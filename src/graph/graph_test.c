/* graph/graph_test.c - nodes and edges: adding, checking, changing, ordering. */
#include "graph/graph.h"

#include "graph/device_name.h"
#include "graph/test_graph.h"
#include "session/session.h"

static weir_graph *graph;

static void begin(void)
{
    graph = weir_graph_create(weir_catalogue());
}

static void end(void)
{
    weir_graph_destroy(graph);
}

static weir_edge out(weir_node *node)
{
    return (weir_edge){node, 0};
}

static weir_node *placeholder(const char *name, weir_dtype dtype, const weir_shape *shape)
{
    weir_named_attr attrs[] = {weir_a_type("dtype", (int)dtype), weir_a_shape("shape", shape)};
    return add_to(graph, name, "Placeholder", NULL, 0, attrs, 2);
}

#define NODE(name, op, ...)                                                                        \
    add_to(graph, name, op, (const weir_edge[]){__VA_ARGS__},                                      \
           (int)(sizeof((weir_edge[]){__VA_ARGS__}) / sizeof(weir_edge)), NULL, 0)

static weir_status try_add(const char *name, const char *op, const weir_edge *in, int in_count,
                           const weir_named_attr *attrs, int attr_count)
{
    weir_node *node;
    return weir_graph_add(graph,
                          &(weir_node_spec){.name = name,
                                            .op = op,
                                            .in = in,
                                            .in_count = in_count,
                                            .attrs = attrs,
                                            .attr_count = attr_count},
                          &node);
}

TEST(types_shapes_and_defaults_are_filled_in)
{
    begin();
    weir_node *a = placeholder("a", WEIR_FLOAT, &(weir_shape){2, {-1, 3}});
    weir_node *b = placeholder("b", WEIR_FLOAT, &(weir_shape){2, {3, 5}});
    weir_node *product = NODE("c", "MatMul", out(a), out(b));
    CHECK_EQ(weir_node_attr(product, "T")->i, WEIR_FLOAT);
    CHECK(!weir_node_attr(product, "transpose_a")->b);
    CHECK_EQ(weir_edge_dtype(out(product)), WEIR_FLOAT);
    CHECK_STR(WEIR_SHAPE_STR(weir_edge_shape(out(product))), "[?,5]");
    CHECK(!weir_node_attr(product, "no_such_attr"));
    CHECK(weir_graph_find(graph, WEIR_STR("c")) == product);
    CHECK_EQ(product->id, 2);
    end();
}

TEST(wrong_nodes_are_refused_and_leave_nothing)
{
    begin();
    weir_edge a = out(placeholder("a", WEIR_FLOAT, &(weir_shape){2, {2, 3}}));
    weir_edge b = out(placeholder("b", WEIR_INT32, &(weir_shape){2, {3, 5}}));
    weir_edge c = out(placeholder("c", WEIR_FLOAT, &(weir_shape){2, {4, 5}}));
    size_t uses = a.node->uses.count;
    CHECK_FAILS(try_add("x", "NoSuchOp", NULL, 0, NULL, 0), WEIR_NOT_FOUND, "NoSuchOp");
    CHECK_FAILS(try_add("x", "MatMul", (weir_edge[]){a, b}, 2, NULL, 0), WEIR_INVALID_ARGUMENT,
                "int32 from b:0 incompatible with expected float");
    CHECK_FAILS(try_add("x", "MatMul", (weir_edge[]){a, c}, 2, NULL, 0), WEIR_INVALID_ARGUMENT,
                "3 and 4");
    CHECK_FAILS(try_add("x", "MatMul", &a, 1, NULL, 0), WEIR_INVALID_ARGUMENT, "x");
    weir_named_attr wrong = weir_a_int("transpose_a", 1);
    CHECK_FAILS(try_add("x", "MatMul", (weir_edge[]){a, a}, 2, &wrong, 1), WEIR_INVALID_ARGUMENT,
                "transpose_a");
    CHECK_FAILS(try_add("a", "NoOp", NULL, 0, NULL, 0), WEIR_INVALID_ARGUMENT, "a");
    CHECK(!weir_graph_find(graph, WEIR_STR("x")));
    CHECK_EQ(graph->nodes.count, 3);
    CHECK_EQ(a.node->uses.count, uses);
    end();
}

TEST(any_shapes_leaves_shapes_that_do_not_fit_unknown)
{
    begin();
    weir_edge in[] = {out(placeholder("a", WEIR_FLOAT, &(weir_shape){2, {2, 3}})),
                      out(placeholder("b", WEIR_FLOAT, &(weir_shape){2, {4, 5}}))};
    weir_node *node;
    CHECK_OK(weir_graph_add(
        graph,
        &(weir_node_spec){.name = "c", .op = "MatMul", .in = in, .in_count = 2, .any_shapes = true},
        &node));
    CHECK_EQ(weir_edge_shape(out(node))->rank, -1);
    end();
}

TEST(unique_names_count_up)
{
    begin();
    add_to(graph, "x", "NoOp", NULL, 0, NULL, 0);
    add_to(graph, "x_2", "NoOp", NULL, 0, NULL, 0);
    CHECK_STR(weir_graph_unique_name(graph, "y"), "y");
    const char *first = weir_graph_unique_name(graph, "x");
    CHECK_STR(first, "x_1");
    add_to(graph, first, "NoOp", NULL, 0, NULL, 0);
    CHECK_STR(weir_graph_unique_name(graph, "x"), "x_3");
    end();
}

TEST(edges_are_known_at_both_ends)
{
    begin();
    weir_node *a = placeholder("a", WEIR_FLOAT, &(weir_shape){0});
    weir_node *b = placeholder("b", WEIR_FLOAT, &(weir_shape){0});
    weir_node *sum = NODE("sum", "Add", out(a), out(a));
    weir_node *after = NODE("after", "Neg", out(sum));
    CHECK_EQ(a->uses.count, 2);
    weir_graph_set_input(sum, 1, out(b));
    CHECK_EQ(a->uses.count, 1);
    CHECK_EQ(b->uses.count, 1);
    CHECK(b->uses.at[0].node == sum && b->uses.at[0].input == 1);
    weir_graph_replace(out(sum), out(b));
    CHECK(after->in[0].node == b);
    CHECK_EQ(sum->uses.count, 0);
    weir_graph_remove(sum);
    CHECK(sum->removed && !weir_graph_find(graph, WEIR_STR("sum")));
    CHECK_EQ(a->uses.count, 0);
    CHECK_EQ(b->uses.count, 1);
    end();
}

TEST(control_edges_come_once_and_go)
{
    begin();
    weir_node *a = add_to(graph, "a", "NoOp", NULL, 0, NULL, 0);
    weir_node *b = add_to(graph, "b", "NoOp", NULL, 0, NULL, 0);
    weir_graph_add_control(a, b);
    weir_graph_add_control(a, b);
    weir_graph_add_control(b, b);
    CHECK_EQ(b->controls.count, 1);
    CHECK_EQ(a->uses.count, 1);
    CHECK_EQ(a->uses.at[0].input, -1);
    weir_graph_remove_control(a, b);
    CHECK_EQ(b->controls.count, 0);
    CHECK_EQ(a->uses.count, 0);
    end();
}

TEST(truncating_forgets_the_newest_nodes)
{
    begin();
    weir_node *a = placeholder("a", WEIR_FLOAT, &(weir_shape){0});
    weir_node *b = NODE("b", "Neg", out(a));
    NODE("c", "Neg", out(b));
    weir_graph_truncate(graph, 1);
    CHECK_EQ(graph->nodes.count, 1);
    CHECK_EQ(a->uses.count, 0);
    CHECK(!weir_graph_find(graph, WEIR_STR("b")) && !weir_graph_find(graph, WEIR_STR("c")));
    CHECK_EQ(NODE("b", "Neg", out(a))->id, 1);
    end();
}

TEST(attrs_outside_the_signature_are_kept)
{
    begin();
    weir_node *a = placeholder("a", WEIR_FLOAT, &(weir_shape){0});
    weir_named_attr note = weir_a_str("_note", "one"), other = weir_a_str("_note", "two");
    weir_named_attr type = weir_a_int("dtype", 1);
    CHECK_OK(weir_graph_set_attr(a, "_note", &note.value));
    CHECK_OK(weir_graph_set_attr(a, "_note", &other.value));
    CHECK_EQ(a->extra_count, 1);
    CHECK(weir_str_is(weir_node_attr(a, "_note")->s, "two"));
    CHECK_FAILS(weir_graph_set_attr(a, "dtype", &type.value), WEIR_INVALID_ARGUMENT, "dtype");
    end();
}

TEST(the_order_has_inputs_first)
{
    begin();
    weir_node *a = placeholder("a", WEIR_FLOAT, &(weir_shape){0});
    weir_node *b = NODE("b", "Neg", out(a));
    weir_node *c = NODE("c", "Neg", out(a));
    weir_graph_add_control(c, b);
    weir_node *gone = NODE("gone", "Neg", out(a));
    weir_graph_remove(gone);
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    CHECK_EQ(count, 3);
    CHECK(order[0] == a && order[1] == c && order[2] == b);
    weir_free(order);
    end();
}

TEST(constants_of_pure_nodes_are_known)
{
    begin();
    int32_t values[] = {2, 3};
    weir_shape pair = weir_shape_vector(2);
    weir_tensor tensor = weir_tensor_from(WEIR_INT32, &pair, values), value;
    weir_named_attr attrs[] = {weir_a_tensor("value", &tensor), weir_a_type("dtype", WEIR_INT32)};
    weir_node *a = add_to(graph, "a", "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&tensor);
    weir_node *sum = NODE("sum", "AddV2", out(a), out(a));
    weir_node *fed = placeholder("fed", WEIR_INT32, &pair);
    CHECK(weir_graph_constant(out(sum), &value));
    CHECK_EQ(((int32_t *)value.data)[1], 6);
    weir_tensor_release(&value);
    CHECK(!weir_graph_constant(out(NODE("not", "AddV2", out(a), out(fed))), &value));
    end();
}

TEST(shapes_follow_from_constants)
{
    begin();
    int32_t values[] = {3, -1};
    weir_shape pair = weir_shape_vector(2);
    weir_tensor tensor = weir_tensor_from(WEIR_INT32, &pair, values);
    weir_named_attr attrs[] = {weir_a_tensor("value", &tensor), weir_a_type("dtype", WEIR_INT32)};
    weir_node *shape = add_to(graph, "shape", "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&tensor);
    weir_node *a = placeholder("a", WEIR_FLOAT, &(weir_shape){2, {2, 6}});
    weir_node *reshaped = NODE("r", "Reshape", out(a), out(shape));
    CHECK_STR(WEIR_SHAPE_STR(weir_edge_shape(out(reshaped))), "[3,4]");
    end();
}

/* a.shape as a vector, |from| to |to| of it, or its element |from|. */
static weir_node *part_of(const char *name, weir_node *shape, int from, int to, bool element)
{
    int32_t values[] = {from, to, 1};
    weir_node *bounds[3];
    weir_shape one = weir_shape_vector(1);
    for (int i = 0; i < 3; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s_%d", name, i);
        weir_tensor tensor = weir_tensor_from(WEIR_INT32, &one, &values[i]);
        weir_named_attr attrs[] = {weir_a_tensor("value", &tensor),
                                   weir_a_type("dtype", WEIR_INT32)};
        bounds[i] = add_to(graph, text, "Const", NULL, 0, attrs, 2);
        weir_tensor_release(&tensor);
    }
    weir_edge in[] = {out(shape), out(bounds[0]), out(bounds[1]), out(bounds[2])};
    weir_named_attr masks[] = {weir_a_int("shrink_axis_mask", element)};
    return add_to(graph, name, "StridedSlice", in, 4, masks, 1);
}

TEST(shapes_follow_from_what_is_known_of_others)
{
    begin();
    weir_node *a = placeholder("a", WEIR_FLOAT, &(weir_shape){3, {-1, 3, 4}});
    weir_node *shape = NODE("shape", "Shape", out(a));
    weir_node *rows = part_of("rows", shape, 0, 1, true),
              *last = part_of("last", shape, 2, 3, true);
    weir_tensor value;
    CHECK(!weir_graph_constant(out(rows), &value));
    CHECK(weir_graph_constant(out(last), &value));
    CHECK_EQ(*(int32_t *)value.data, 4);
    weir_tensor_release(&value);
    weir_node *product = NODE("product", "Mul", out(last), out(part_of("mid", shape, 1, 2, true)));
    weir_node *pair = NODE("pair", "Pack", out(rows), out(product));
    CHECK_STR(WEIR_SHAPE_STR(weir_edge_shape(out(NODE("r", "Reshape", out(a), out(pair))))),
              "[?,12]");
    weir_node *most = part_of("most", shape, 0, 2, false);
    weir_node *ones = NODE("ones", "Fill", out(most), out(last));
    CHECK_STR(WEIR_SHAPE_STR(weir_edge_shape(out(ones))), "[?,3]");
    end();
}

static weir_node *variable(const char *name, int64_t length)
{
    weir_shape shape = weir_shape_vector(length);
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_shape("shape", &shape)};
    return add_to(graph, name, "VarHandleOp", NULL, 0, attrs, 2);
}

static const char *shape_read(const char *name, weir_node *handle)
{
    weir_named_attr dtype = weir_a_type("dtype", WEIR_FLOAT);
    weir_node *read = add_to(graph, name, "ReadVariableOp", &(weir_edge){handle, 0}, 1, &dtype, 1);
    return WEIR_SHAPE_STR(weir_edge_shape(out(read)));
}

TEST(of_merged_handles_is_known_what_is_known_of_all)
{
    begin();
    weir_node *a = variable("a", 2), *b = variable("b", 3), *c = variable("c", 2);
    CHECK_STR(shape_read("x", NODE("same", "Merge", out(a), out(c))), "[2]");
    CHECK_STR(shape_read("y", NODE("other", "Merge", out(a), out(b))), "<unknown>");
    end();
}

TEST(device_names_are_read_in_every_form)
{
    weir_device_name name;
    char text[WEIR_DEVICE_NAME_ROOM];
    CHECK_OK(weir_device_name_parse("/job:ps/replica:0/task:1/device:CPU:0", &name));
    CHECK_STR(weir_device_name_text(&name, text), "/job:ps/replica:0/task:1/device:CPU:0");
    CHECK_OK(weir_device_name_parse("/cpu:2", &name));
    CHECK_STR(name.type, "CPU");
    CHECK_EQ(name.id, 2);
    CHECK_EQ(name.task, WEIR_DEVICE_ANY);
    CHECK_OK(weir_device_name_parse("/job:worker/task:3", &name));
    CHECK_EQ(name.task, 3);
    CHECK_OK(weir_device_name_parse("", &name));
    CHECK(!*name.job && !*name.type && name.replica < 0 && name.task < 0 && name.id < 0);
    CHECK_FAILS(weir_device_name_parse("/job:", &name), WEIR_INVALID_ARGUMENT, "Malformed device");
    CHECK_FAILS(weir_device_name_parse("cheese", &name), WEIR_INVALID_ARGUMENT, "Malformed device");
}

TEST(device_names_merge_match_and_override)
{
    weir_device_name full, spec, other;
    CHECK_OK(weir_device_name_parse("/job:ps/replica:0/task:1/device:CPU:0", &full));
    CHECK_OK(weir_device_name_parse("/job:ps", &spec));
    CHECK_OK(weir_device_name_parse("/task:2", &other));
    CHECK(weir_device_name_matches(&spec, &full));
    CHECK(!weir_device_name_matches(&other, &full));
    CHECK(weir_device_name_agree(&spec, &other));
    CHECK(!weir_device_name_merge(&spec, &other, false));
    CHECK_EQ(spec.task, 2);
    CHECK_STR(weir_device_name_merge(&spec, &full, false), "tasks");
    CHECK_EQ(spec.task, 2);
    weir_device_name_override(&spec, &full);
    CHECK_EQ(spec.task, 1);
}

TEST_MAIN()
