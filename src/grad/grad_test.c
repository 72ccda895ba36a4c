/* grad/grad_test.c - the nodes that differentiation adds, and its errors. Values are checked
 * against TensorFlow's in tests/grad_test.py. */
#include "grad/grad.h"

#include "graph/test_graph.h"
#include "graph/while.h"
#include "session/session.h"

static weir_graph *g;

#define NODE(to, name, op, ...)                                                                    \
    ((weir_edge){add_to(to, name, op, (const weir_edge[]){__VA_ARGS__},                            \
                        (int)(sizeof((weir_edge[]){__VA_ARGS__}) / sizeof(weir_edge)), NULL, 0),   \
                 0})

static weir_edge fed(weir_graph *to, const char *name, weir_dtype dtype, const weir_shape *shape)
{
    weir_named_attr attrs[] = {weir_a_type("dtype", dtype), weir_a_shape("shape", shape)};
    return (weir_edge){add_to(to, name, "Placeholder", NULL, 0, attrs, 2), 0};
}

static weir_edge scalar(weir_graph *to, const char *name, weir_dtype dtype, const void *value)
{
    weir_tensor t = weir_tensor_scalar(dtype, value);
    weir_named_attr attrs[] = {weir_a_tensor("value", &t), weir_a_type("dtype", dtype)};
    weir_node *n = add_to(to, name, "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&t);
    return (weir_edge){n, 0};
}

static const weir_shape pair = {2, {2, 3}};

static weir_status gradient(weir_edge y, weir_edge x, const char *prefix, weir_edge *dx)
{
    *dx = (weir_edge){0};
    weir_gradients what = {.prefix = prefix, .y = &y, .x = &x, .y_count = 1, .x_count = 1};
    return weir_grad_add_gradients(g, &what, dx);
}

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

TEST(names_stand_under_a_prefix)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed(g, "x", WEIR_FLOAT, &pair), y = NODE(g, "y", "Tanh", x), dx;
    CHECK_OK(gradient(y, x, NULL, &dx));
    CHECK(dx.node && begins(dx.node->site.name, "gradients/"));
    CHECK_OK(gradient(y, x, NULL, &dx));
    CHECK(dx.node && begins(dx.node->site.name, "gradients_1/"));
    CHECK_OK(gradient(y, x, "mine", &dx));
    CHECK(dx.node && begins(dx.node->site.name, "mine/"));
    CHECK_FAILS(gradient(y, x, "mine", &dx), WEIR_INVALID_ARGUMENT,
                "prefix [mine] conflicts with existing node in the graph named [mine/");
    CHECK_FAILS(gradient(y, x, "y", &dx), WEIR_INVALID_ARGUMENT, "named [y]");
    weir_graph_destroy(g);
}

TEST(no_path_no_gradient)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed(g, "x", WEIR_FLOAT, &pair), z = fed(g, "z", WEIR_FLOAT, &pair), dx;
    weir_edge y = NODE(g, "y", "Tanh", x), stopped = NODE(g, "s", "StopGradient", y);
    CHECK_OK(gradient(y, z, NULL, &dx));
    CHECK(!dx.node);
    CHECK_OK(gradient(stopped, x, NULL, &dx));
    CHECK(!dx.node);
    weir_gradients what = {.y = &y, .x = &z, .y_count = 1, .x_count = 1, .must_reach = true};
    CHECK_FAILS(weir_grad_add_gradients(g, &what, &dx), WEIR_INVALID_ARGUMENT,
                "Cannot compute the partial derivative for node 'z' as it's unreachable");
    weir_graph_destroy(g);
}

TEST(an_op_without_gradient_is_named)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed(g, "x", WEIR_FLOAT, &pair), dx;
    weir_edge y = NODE(g, "next", "NextAfter", x, x);
    const weir_op *op = y.node->site.op;
    weir_op without = *op;
    without.grad = NULL;
    without.no_grad = false;
    y.node->site.op = &without;
    CHECK_FAILS(gradient(y, x, NULL, &dx), WEIR_NOT_FOUND, "No gradient defined for op: NextAfter");
    weir_graph_destroy(g);
}

TEST(edges_that_are_none)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed(g, "x", WEIR_FLOAT, &pair), dx;
    weir_edge y = NODE(g, "y", "Tanh", x);
    CHECK_FAILS(gradient((weir_edge){0}, x, NULL, &dx), WEIR_INVALID_ARGUMENT, "y[0]");
    CHECK_FAILS(gradient(y, (weir_edge){x.node, 3}, NULL, &dx), WEIR_INVALID_ARGUMENT, "x:3");
    weir_edge dy = fed(g, "dy", WEIR_DOUBLE, &pair);
    weir_gradients what = {.y = &y, .x = &x, .dy = &dy, .y_count = 1, .x_count = 1};
    CHECK_FAILS(weir_grad_add_gradients(g, &what, &dx), WEIR_INVALID_ARGUMENT, "double, not float");
    weir_graph_destroy(g);
}

TEST(known_shapes_need_no_shape_ops)
{
    g = weir_graph_create(weir_catalogue());
    weir_shape row = weir_shape_vector(3);
    weir_edge x = fed(g, "x", WEIR_FLOAT, &pair), b = fed(g, "b", WEIR_FLOAT, &row), dx;
    CHECK_OK(gradient(NODE(g, "y", "AddV2", x, b), b, NULL, &dx));
    CHECK(dx.node && weir_node_is(dx.node, "Sum"));
    for (size_t i = 0; i < g->nodes.count; i++)
        CHECK(!weir_node_is(g->nodes.at[i], "BroadcastGradientArgs"));
    weir_graph_destroy(g);
}

TEST(an_axis_of_one_that_an_input_lacks_is_summed_over)
{
    g = weir_graph_create(weir_catalogue());
    weir_shape row = weir_shape_vector(3), batch = {.rank = 2, .dims = {1, 3}};
    weir_edge x = fed(g, "x", WEIR_FLOAT, &batch), b = fed(g, "b", WEIR_FLOAT, &row), dx;
    CHECK_OK(gradient(NODE(g, "y", "AddV2", x, b), b, NULL, &dx));
    CHECK(weir_edge_shape(dx)->rank == 1 && weir_edge_shape(dx)->dims[0] == 3);
    weir_graph_destroy(g);
}

/* while i < 3: v = v * w */
static weir_edge loop_of(weir_edge start, weir_edge w)
{
    weir_graph *cond = weir_graph_create(weir_catalogue());
    weir_graph *body = weir_graph_create(weir_catalogue());
    int32_t zero = 0, one = 1, three = 3;
    weir_edge init[] = {scalar(g, "zero", WEIR_INT32, &zero), start, w}, out[3] = {{0}};
    weir_edge cond_in[] = {fed(cond, "i", WEIR_INT32, &WEIR_SCALAR),
                           fed(cond, "v", WEIR_FLOAT, &pair), fed(cond, "w", WEIR_FLOAT, &pair)};
    weir_edge body_in[] = {fed(body, "i", WEIR_INT32, &WEIR_SCALAR),
                           fed(body, "v", WEIR_FLOAT, &pair), fed(body, "w", WEIR_FLOAT, &pair)};
    weir_edge less = NODE(cond, "less", "Less", cond_in[0], scalar(cond, "n", WEIR_INT32, &three));
    weir_edge body_out[] = {
        NODE(body, "add", "AddV2", body_in[0], scalar(body, "one", WEIR_INT32, &one)),
        NODE(body, "mul", "Mul", body_in[1], body_in[2]), body_in[2]};
    weir_while w3 = {.name = "loop",
                     .init = init,
                     .count = 3,
                     .cond = cond,
                     .cond_in = cond_in,
                     .cond_out = less,
                     .body = body,
                     .body_in = body_in,
                     .body_out = body_out};
    CHECK_OK(weir_graph_add_while(g, &w3, out));
    weir_graph_destroy(cond);
    weir_graph_destroy(body);
    return out[1];
}

static int count(const char *op)
{
    int n = 0;
    for (size_t i = 0; i < g->nodes.count; i++)
        n += !g->nodes.at[i]->removed && weir_node_is(g->nodes.at[i], op);
    return n;
}

TEST(a_loop_from_graphs_has_the_usual_names)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge y = loop_of(fed(g, "x", WEIR_FLOAT, &pair), fed(g, "w", WEIR_FLOAT, &pair));
    static const char *const names[] = {"loop/Enter",     "loop/Enter_2",  "loop/Merge_1",
                                        "loop/LoopCond",  "loop/Switch_2", "loop/NextIteration",
                                        "loop/cond/less", "loop/body/mul", "loop/Exit_1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_MSG(weir_graph_find(g, weir_str_of(names[i])), "no node '%s'", names[i]);
    CHECK_STR(y.node->site.name, "loop/Exit_1");
    weir_node *pivot = weir_graph_find(g, WEIR_STR("loop/body/one"));
    CHECK(pivot && pivot->controls.count == 1);
    weir_graph_destroy(g);
}

TEST(a_loop_runs_backward_over_stacks)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed(g, "x", WEIR_FLOAT, &pair), dx;
    weir_edge y = loop_of(x, fed(g, "w", WEIR_FLOAT, &pair));
    CHECK_OK(gradient(y, x, NULL, &dx));
    CHECK(dx.node != NULL);
    CHECK_EQ(count("LoopCond"), 2);
    CHECK_EQ(count("StackV2"), 1); /* for w only: the gradient with respect to v does not need v */
    CHECK_EQ(count("StackPushV2"), count("StackPopV2"));
    weir_graph_destroy(g);
}

TEST(the_gradient_of_a_loop_runs)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge in[] = {fed(g, "x", WEIR_FLOAT, &pair), fed(g, "w", WEIR_FLOAT, &pair)}, dx[2];
    weir_edge y = loop_of(in[0], in[1]); /* x * w^3 */
    weir_gradients what = {.y = &y, .x = in, .y_count = 1, .x_count = 2};
    CHECK_OK(weir_grad_add_gradients(g, &what, dx));
    float x[6] = {1, 2, 3, 4, 5, 6}, w[6] = {1, -1, 2, 0.5f, 0, 3};
    weir_tensor values[] = {weir_tensor_from(WEIR_FLOAT, &pair, x),
                            weir_tensor_from(WEIR_FLOAT, &pair, w)};
    weir_tensor got[2] = {0};
    weir_mutex lock = WEIR_MUTEX_INIT;
    weir_session *session = NULL;
    CHECK_OK(weir_session_create(g, &lock, &(weir_session_options){.target = ""}, &session));
    weir_request q = {
        .feeds = in, .feed_values = values, .feed_count = 2, .fetches = dx, .fetch_count = 2};
    CHECK_OK(weir_session_run(session, &q, got));
    for (int i = 0; i < 6 && got[0].data && got[1].data; i++) {
        CHECK_NEAR(((float *)got[0].data)[i], w[i] * w[i] * w[i], 1e-5);
        CHECK_NEAR(((float *)got[1].data)[i], 3 * x[i] * w[i] * w[i], 1e-4);
    }
    for (int i = 0; i < 2; i++) {
        weir_tensor_release(&values[i]);
        weir_tensor_release(&got[i]);
    }
    weir_session_destroy(session);
    weir_graph_destroy(g);
}

TEST(inside_a_loop_is_no_place_for_x)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge y = loop_of(fed(g, "x", WEIR_FLOAT, &pair), fed(g, "w", WEIR_FLOAT, &pair)), dx;
    weir_edge inside = {weir_graph_find(g, WEIR_STR("loop/body/mul")), 0};
    CHECK_FAILS(gradient(y, inside, NULL, &dx), WEIR_INVALID_ARGUMENT, "inside while loop");
    weir_graph_destroy(g);
}

TEST_MAIN()
