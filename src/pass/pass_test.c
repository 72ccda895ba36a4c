/* pass/pass_test.c - before and after: graphs as text, one node a line. */
#include "graph/test_graph.h"
#include "graph/while.h"
#include "pass/test_passes.h"
#include "session/session.h"

/* ---- small graphs -----------------------------------------------------------------------------
 */

static weir_graph *g;

static void begin(void)
{
    g = weir_graph_create(weir_catalogue());
}

static weir_node *add(const char *name, const char *op, const weir_edge *in, int in_count,
                      const weir_named_attr *attrs, int attr_count)
{
    return add_to(g, name, op, in, in_count, attrs, attr_count);
}

#define NODE(name, op, ...)                                                                        \
    add(name, op, (const weir_edge[]){__VA_ARGS__},                                                \
        (int)(sizeof((weir_edge[]){__VA_ARGS__}) / sizeof(weir_edge)), NULL, 0)

static weir_edge out(weir_node *n)
{
    return (weir_edge){n, 0};
}

static weir_edge number(const char *name, float value)
{
    weir_tensor t = weir_tensor_scalar(WEIR_FLOAT, &value);
    weir_named_attr attrs[] = {weir_a_tensor("value", &t), weir_a_type("dtype", WEIR_FLOAT)};
    weir_node *n = add(name, "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&t);
    return out(n);
}

static weir_edge ints(const char *name, const int32_t *values, int count)
{
    weir_shape shape = weir_shape_vector(count);
    weir_tensor t = weir_tensor_from(WEIR_INT32, &shape, values);
    weir_named_attr attrs[] = {weir_a_tensor("value", &t), weir_a_type("dtype", WEIR_INT32)};
    weir_node *n = add(name, "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&t);
    return out(n);
}

static weir_edge fed(const char *name, const weir_shape *shape)
{
    weir_named_attr attrs[] = {weir_a_type("dtype", WEIR_FLOAT), weir_a_shape("shape", shape)};
    return out(add(name, "Placeholder", NULL, 0, attrs, 2));
}

static const weir_shape pair = {2, {2, 3}};

static void show_node(const weir_node *n, weir_buf *b)
{
    weir_buf_addf(b, "%s = %s(", n->site.name, n->site.def->name);
    for (int i = 0; i < n->site.in_count; i++) {
        weir_buf_addf(b, "%s%s", i ? ", " : "", n->in[i].node->site.name);
        if (n->in[i].index)
            weir_buf_addf(b, ":%d", n->in[i].index);
    }
    for (size_t i = 0; i < n->controls.count; i++)
        weir_buf_addf(b, "%s^%s", n->site.in_count || i ? ", " : "", n->controls.at[i]->site.name);
    weir_buf_addf(b, ")\n");
}

/* Compares the remaining nodes, in order of creation. */
static void expect_left(const char *after)
{
    WEIR_BUF(b);
    weir_buf_adds(&b, "");
    for (size_t i = 0; i < g->nodes.count; i++)
        if (!g->nodes.at[i]->removed)
            show_node(g->nodes.at[i], &b);
    if (strcmp(b.at, after) != 0)
        fprintf(stderr, "left:\n%sexpected:\n%s", b.at, after);
    CHECK(strcmp(b.at, after) == 0);
    weir_graph_destroy(g);
}

static void expect(const char *after)
{
    CHECK_OK(weir_pass_run(g, WEIR_AFTER_PLACEMENT, NULL));
    expect_left(after);
}

static float value_of(const char *name)
{
    weir_node *n = weir_graph_find(g, weir_str_of(name));
    const weir_attr *value = n ? weir_node_attr(n, "value") : NULL;
    CHECK(value != NULL);
    return value ? *(const float *)value->tensor->data : 0;
}

/* ---- folding ----------------------------------------------------------------------------------
 */

TEST(constants_are_computed_ahead)
{
    begin();
    weir_edge sum = out(NODE("sum", "AddV2", number("a", 2), number("b", 3)));
    weir_edge square = out(NODE("square", "Square", sum));
    NODE("y", "Mul", fed("x", &pair), square);
    CHECK_OK(weir_pass_run(g, WEIR_AFTER_PLACEMENT, NULL));
    CHECK_NEAR(value_of("ConstantFolding/square"), 25, 0);
    expect("x = Placeholder()\n"
           "y = Mul(x, ConstantFolding/square)\n"
           "ConstantFolding/square = Const()\n");
}

TEST(shapes_are_known_without_values)
{
    begin();
    weir_edge x = fed("x", &pair);
    NODE("y", "Reshape", x, out(NODE("shape", "Shape", x)));
    expect("x = Placeholder()\n"
           "y = Reshape(x, ConstantFolding/shape)\n"
           "ConstantFolding/shape = Const()\n");
}

TEST(a_folded_node_waits_for_what_it_waited_for)
{
    begin();
    weir_edge x = fed("x", &pair);
    weir_node *state =
        add("var", "VarHandleOp", NULL, 0,
            (weir_named_attr[]){weir_a_type("dtype", WEIR_FLOAT), weir_a_shape("shape", &pair)}, 2);
    weir_node *assign = NODE("assign", "AssignVariableOp", out(state), x);
    weir_node *sum = NODE("sum", "AddV2", number("a", 2), number("b", 3));
    weir_graph_add_control(assign, sum);
    NODE("y", "Exp", out(sum));
    expect("x = Placeholder()\n"
           "var = VarHandleOp()\n"
           "assign = AssignVariableOp(var, x)\n"
           "y = Exp(ConstantFolding/sum)\n"
           "ConstantFolding/sum = Const(^assign)\n");
}

TEST(stateful_ops_are_not_folded)
{
    begin();
    weir_edge shape = ints("shape", (int32_t[]){2}, 1);
    weir_named_attr dtype = weir_a_type("dtype", WEIR_FLOAT);
    weir_node *r = add("r", "RandomUniform", &shape, 1, &dtype, 1);
    NODE("y", "Exp", out(r));
    expect("shape = Const()\nr = RandomUniform(shape)\ny = Exp(r)\n");
}

/* ---- simplification ---------------------------------------------------------------------------
 */

TEST(identities_and_neutral_elements_go)
{
    begin();
    weir_edge x = out(NODE("id", "Identity", fed("x", &pair)));
    x = out(NODE("mul", "Mul", x, number("one", 1)));
    x = out(NODE("add", "AddV2", number("zero", 0), x));
    x = out(NODE("neg", "Neg", x));
    x = out(NODE("neg2", "Neg", x));
    x = out(NODE("same", "Reshape", x, ints("s", (int32_t[]){2, 3}, 2)));
    x = out(NODE("turn", "Transpose", x, ints("p", (int32_t[]){0, 1}, 2)));
    x = out(NODE("sum", "AddN", x));
    NODE("y", "Exp", x);
    expect("x = Placeholder()\ny = Exp(x)\n");
}

TEST(sums_of_negatives_are_differences)
{
    begin();
    weir_edge x = fed("x", &pair), z = fed("z", &pair);
    weir_edge sum = out(NODE("sum", "AddV2", x, out(NODE("neg", "Neg", z))));
    NODE("y", "Exp", sum);
    expect("x = Placeholder()\nz = Placeholder()\ny = Exp(sum/Sub)\nsum/Sub = Sub(x, z)\n");
}

TEST(a_neutral_element_that_stretches_stays)
{
    begin();
    weir_shape wide = {2, {2, 1}};
    float ones[3] = {1, 1, 1};
    weir_shape three = weir_shape_vector(3);
    weir_tensor t = weir_tensor_from(WEIR_FLOAT, &three, ones);
    weir_named_attr attrs[] = {weir_a_tensor("value", &t), weir_a_type("dtype", WEIR_FLOAT)};
    weir_node *c = add("ones", "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&t);
    NODE("y", "Exp", out(NODE("mul", "Mul", fed("x", &wide), out(c))));
    expect("ones = Const()\nx = Placeholder()\nmul = Mul(x, ones)\ny = Exp(mul)\n");
}

TEST(an_identity_that_is_waited_for_on_a_branch_stays)
{
    begin();
    weir_named_attr bools[] = {weir_a_type("dtype", WEIR_BOOL),
                               weir_a_shape("shape", &WEIR_SCALAR)};
    weir_edge p = out(add("p", "Placeholder", NULL, 0, bools, 2));
    weir_node *sw = NODE("sw", "Switch", p, p);
    weir_node *pivot = NODE("pivot", "Identity", (weir_edge){sw, 1});
    weir_edge c = number("c", 5);
    weir_graph_add_control(pivot, c.node);
    NODE("y", "Exp", c);
    expect("p = Placeholder()\nsw = Switch(p, p)\npivot = Identity(sw:1)\n"
           "c = Const(^pivot)\ny = Exp(c)\n");
}

/* ---- common subexpressions --------------------------------------------------------------------
 */

TEST(common_subexpressions_are_computed_once)
{
    begin();
    weir_edge x = fed("x", &pair);
    weir_edge a = out(NODE("a", "Mul", out(NODE("e1", "Exp", x)), number("c1", 7)));
    weir_edge b = out(NODE("b", "Mul", out(NODE("e2", "Exp", x)), number("c2", 7)));
    NODE("y", "Sub", a, b);
    expect("x = Placeholder()\ne1 = Exp(x)\nc1 = Const()\na = Mul(e1, c1)\ny = Sub(a, a)\n");
}

TEST(random_numbers_are_drawn_twice)
{
    begin();
    weir_edge shape = ints("shape", (int32_t[]){2}, 1);
    weir_named_attr dtype = weir_a_type("dtype", WEIR_FLOAT);
    weir_node *r1 = add("r1", "RandomUniform", &shape, 1, &dtype, 1);
    weir_node *r2 = add("r2", "RandomUniform", &shape, 1, &dtype, 1);
    NODE("y", "Sub", out(r1), out(r2));
    expect("shape = Const()\nr1 = RandomUniform(shape)\nr2 = RandomUniform(shape)\n"
           "y = Sub(r1, r2)\n");
}

TEST(what_is_only_waited_for_is_not_computed)
{
    begin();
    weir_edge shape = ints("shape", (int32_t[]){2}, 1);
    weir_named_attr dtype = weir_a_type("dtype", WEIR_FLOAT);
    weir_node *r = add("r", "RandomUniform", &shape, 1, &dtype, 1);
    weir_node *unread = NODE("unread", "Exp", out(r));
    weir_node *y = NODE("y", "Exp", fed("x", &pair));
    weir_graph_add_control(unread, y);
    expect("shape = Const()\nr = RandomUniform(shape)\nx = Placeholder()\ny = Exp(x, ^r)\n");
}

/* ---- loops ------------------------------------------------------------------------------------
 */

static weir_edge fed_to(weir_graph *to, const char *name, weir_dtype dtype)
{
    weir_graph *at = g;
    g = to;
    weir_named_attr attrs[] = {weir_a_type("dtype", dtype), weir_a_shape("shape", &WEIR_SCALAR)};
    weir_edge e = out(add(name, "Placeholder", NULL, 0, attrs, 2));
    g = at;
    return e;
}

/* A loop over a and b, whose graphs are still to be filled. */
typedef struct two_variables {
    weir_graph *cond, *body, *outer;
    weir_edge init[2], cond_in[2], body_in[2];
} two_variables;

static two_variables begin_loop(void)
{
    begin();
    two_variables loop = {weir_graph_create(weir_catalogue()), weir_graph_create(weir_catalogue())};
    for (int i = 0; i < 2; i++) {
        loop.init[i] = fed_to(g, i ? "b" : "a", WEIR_FLOAT);
        loop.cond_in[i] = fed_to(loop.cond, i ? "b" : "a", WEIR_FLOAT);
        loop.body_in[i] = fed_to(loop.body, i ? "b" : "a", WEIR_FLOAT);
    }
    loop.outer = g;
    return loop;
}

/* Adds the loop "w" to the graph, and runs the passes. */
static void run_loop(two_variables *loop, weir_edge less, const weir_edge *rets)
{
    weir_edge exits[2];
    weir_while w = {.name = "w",
                    .init = loop->init,
                    .count = 2,
                    .cond = loop->cond,
                    .cond_in = loop->cond_in,
                    .cond_out = less,
                    .body = loop->body,
                    .body_in = loop->body_in,
                    .body_out = rets};
    g = loop->outer;
    CHECK_OK(weir_graph_add_while(g, &w, exits));
    weir_graph_destroy(loop->cond);
    weir_graph_destroy(loop->body);
    CHECK_OK(weir_pass_run(g, WEIR_AFTER_PLACEMENT, NULL));
}

/* while a < limit: a, b = a + step, reset */
TEST(constants_leave_loops_when_something_else_keeps_time)
{
    two_variables loop = begin_loop();
    g = loop.cond;
    weir_edge less = out(NODE("less", "Less", loop.cond_in[0], number("limit", 9)));
    g = loop.body;
    weir_edge step[] = {number("lo", -3), number("step", 2), loop.body_in[0]};
    weir_edge clipped = out(NODE("clip", "ClipByValue", step[2], step[0], step[1]));
    weir_edge rets[] = {out(NODE("next", "AddV2", clipped, step[1])), number("reset", 5)};
    run_loop(&loop, less, rets);
    CHECK(weir_graph_find(g, WEIR_STR("w/cond/limit")) == NULL);
    CHECK(weir_graph_find(g, WEIR_STR("w/body/step")) == NULL);
    weir_node *next = weir_graph_find(g, WEIR_STR("w/body/next"));
    CHECK(next && weir_node_is(next->in[1].node, "Enter"));
    weir_node *reset = weir_graph_find(g, WEIR_STR("w/body/reset"));
    CHECK(reset && reset->controls.count == 1); /* only this ends b's last iteration */
    weir_graph_destroy(g);
}

/* while a < limit: a, b = a (after a draw), b + step. What reads the step still waits for the last
 * iteration's draw. */
TEST(constants_leave_loops_and_what_they_waited_for_is_waited_for)
{
    two_variables loop = begin_loop();
    g = loop.cond;
    weir_edge less = out(NODE("less", "Less", loop.cond_in[1], number("limit", 9)));
    g = loop.body;
    weir_named_attr dtype = weir_a_type("dtype", WEIR_FLOAT);
    weir_edge shape = ints("shape", NULL, 0);
    weir_node *draw = add("draw", "RandomUniform", &shape, 1, &dtype, 1);
    weir_node *after = NODE("after", "Neg", loop.body_in[0]);
    weir_graph_add_control(draw, after);
    weir_edge rets[] = {out(after), out(NODE("next", "AddV2", loop.body_in[1], number("step", 2)))};
    run_loop(&loop, less, rets);
    weir_node *next = weir_graph_find(g, WEIR_STR("w/body/next"));
    CHECK(next && weir_node_is(next->in[1].node, "Enter"));
    CHECK_EQ(next->controls.count, 1);
    weir_graph_destroy(g);
}

/* ---- nodes that must stay -------------------------------------------------------------------- */

TEST(kept_nodes_survive)
{
    begin();
    weir_node *id = NODE("id", "Identity", fed("x", &pair));
    NODE("y", "Exp", out(id));
    weir_pass_options o = {.keep = &id, .keep_count = 1};
    CHECK_OK(weir_pass_run(g, WEIR_AFTER_PLACEMENT, &o));
    CHECK(weir_graph_find(g, WEIR_STR("id")) == id);
    weir_graph_destroy(g);
}

TEST(options_turn_passes_off)
{
    begin();
    NODE("y", "Exp", out(NODE("id", "Identity", fed("x", &pair))));
    CHECK_OK(weir_pass_run(g, WEIR_AFTER_PLACEMENT, &(weir_pass_options){.off = true}));
    CHECK(weir_graph_find(g, WEIR_STR("id")) != NULL);
    CHECK_OK(weir_pass_run(g, WEIR_AFTER_PLACEMENT,
                           &(weir_pass_options){.skip = weir_pass_named("simplify", NULL)}));
    CHECK(weir_graph_find(g, WEIR_STR("id")) != NULL);
    CHECK_OK(weir_pass_run(g, WEIR_AFTER_PLACEMENT, NULL));
    CHECK(weir_graph_find(g, WEIR_STR("id")) == NULL);
    weir_graph_destroy(g);
}

/* ---- graphs from TensorFlow's optimiser ------------------------------------------------------ */

/* _FusedMatMul of |x| with itself and one more argument. */
static weir_node *fused(weir_edge x, weir_edge arg, const char *first, const char *second)
{
    weir_str ops[] = {weir_str_of(first), weir_str_of(second)};
    weir_attr list = {.kind = WEIR_ATTR_STRING, .is_list = true, .count = 2, .ss = ops};
    weir_named_attr attrs[] = {weir_a_int("num_args", 1), weir_a_attr("fused_ops", &list),
                               weir_a_bool("transpose_b", true)};
    return add("f", "_FusedMatMul", (weir_edge[]){x, x, arg}, 3, attrs, 3);
}

TEST(fused_ops_come_apart)
{
    begin();
    weir_edge x = fed("x", &pair), one = number("one", 1);
    weir_node *f = fused(x, fed("b", &(weir_shape){1, {2}}), "BiasAdd", "Relu");
    NODE("y", "Neg", out(f));
    weir_graph_add_control(one.node, f);
    weir_graph_add_control(f, NODE("z", "Neg", one));
    CHECK_OK(weir_pass_run(g, WEIR_BEFORE_PLACEMENT, NULL));
    expect_left("x = Placeholder()\n"
                "one = Const()\n"
                "b = Placeholder()\n"
                "y = Neg(f/Relu)\n"
                "z = Neg(one, ^f/Relu)\n"
                "f = MatMul(x, x, ^one)\n"
                "f/BiasAdd = BiasAdd(f, b, ^one)\n"
                "f/Relu = Relu(f/BiasAdd, ^one)\n");
}

TEST(what_is_not_known_of_a_fused_op_is_told)
{
    begin();
    weir_edge x = fed("x", &pair);
    fused(x, fed("b", &(weir_shape){1, {2}}), "BiasAdd", "Fold");
    CHECK_FAILS(weir_pass_run(g, WEIR_BEFORE_PLACEMENT, NULL), WEIR_UNIMPLEMENTED,
                "fused with Fold");
    weir_graph_destroy(g);
    begin();
    x = fed("x", &pair);
    fused(x, fed("b", &(weir_shape){1, {2}}), "BiasAdd", "Add");
    CHECK_FAILS(weir_pass_run(g, WEIR_BEFORE_PLACEMENT, NULL), WEIR_INVALID_ARGUMENT,
                "fewer arguments");
    weir_graph_destroy(g);
}

/* ---- matrices in loops -------------------------------------------------------------------------
 */

static weir_edge enter(const char *name, weir_edge x, bool constant)
{
    weir_named_attr attrs[] = {weir_a_str("frame_name", "loop"),
                               weir_a_bool("is_constant", constant)};
    return out(add(name, "Enter", &x, 1, attrs, 2));
}

static weir_edge product(const char *name, weir_edge a, weir_edge b, bool turn_a, bool turn_b)
{
    weir_named_attr attrs[] = {weir_a_bool("transpose_a", turn_a),
                               weir_a_bool("transpose_b", turn_b)};
    return out(add(name, "MatMul", (weir_edge[]){a, b}, 2, attrs, 2));
}

TEST(invariant_matrices_are_turned_before_the_loop)
{
    begin();
    weir_shape square = {2, {3, 3}};
    weir_edge w = enter("ew", fed("w", &square), true), h = enter("eh", fed("h", &square), false);
    weir_edge p = product("p", h, w, true, true);
    NODE("out", "Exit", p);
    CHECK_OK(weir_pass_run(g, WEIR_AFTER_PLACEMENT, NULL));
    CHECK(weir_node_attr(p.node, "transpose_a")->b && !weir_node_attr(p.node, "transpose_b")->b);
    expect_left("w = Placeholder()\n"
                "h = Placeholder()\n"
                "eh = Enter(h)\n"
                "p = MatMul(eh, ew/transposed/Enter)\n"
                "out = Exit(p)\n"
                "ew/order = Const()\n"
                "ew/transposed = Transpose(w, ew/order)\n"
                "ew/transposed/Enter = Enter(ew/transposed)\n");
}

/* ---- loops of several ops ----------------------------------------------------------------------
 */

TEST(chains_of_element_wise_ops_are_one_loop)
{
    begin();
    weir_edge x = fed("x", &pair), y = fed("y", &pair), two = number("two", 2);
    weir_node *a = NODE("a", "Mul", x, two), *b = NODE("b", "Tanh", out(a));
    weir_node *c = NODE("c", "Exp", y), *d = NODE("d", "Sub", out(b), out(c));
    NODE("kept", "Identity", out(d));
    run_only(g, "fuse", (weir_pass_options){0});
    expect_left("x = Placeholder()\n"
                "y = Placeholder()\n"
                "two = Const()\n"
                "kept = Identity(d/elements)\n"
                "d/elements = _Elements(x, two, y)\n");
}

TEST(loops_end_where_others_look)
{
    begin();
    weir_shape row = weir_shape_vector(3), any = {2, {-1, 3}};
    weir_edge x = fed("x", &pair), r = fed("r", &row), u = fed("u", &any);
    weir_node *shared = NODE("shared", "Tanh", x), *square = NODE("square", "Square", out(shared));
    NODE("both", "Mul", out(shared), out(square)); /* two readers: not fused */
    weir_node *wide = NODE("wide", "Neg", r);      /* the operand is broadcast */
    NODE("grown", "Add", x, out(wide));
    weir_node *open = NODE("open", "Neg", u); /* of unknown shape */
    NODE("opened", "Exp", out(open));
    weir_node *fetched = NODE("fetched", "Exp", x);
    weir_node *after = NODE("after", "Neg", out(fetched));
    weir_node *waited = NODE("waited", "Exp", out(after));
    weir_node *last = NODE("last", "Neg", out(waited));
    NODE("end", "Identity", out(last));
    weir_graph_add_control(waited, shared);
    run_only(g, "fuse", (weir_pass_options){.keep = &fetched, .keep_count = 1});
    expect_left("x = Placeholder()\n"
                "r = Placeholder()\n"
                "u = Placeholder()\n"
                "shared = Tanh(x, ^waited/elements)\n"
                "wide = Neg(r)\n"
                "grown = Add(x, wide)\n"
                "open = Neg(u)\n"
                "opened = Exp(open)\n"
                "fetched = Exp(x)\n"
                "last = Neg(waited/elements)\n"
                "end = Identity(last)\n"
                "both/elements = _Elements(shared)\n"
                "waited/elements = _Elements(fetched)\n");
}

/* ---- the ops of a layer ------------------------------------------------------------------------
 */

static const weir_shape image = {4, {2, 4, 4, 3}}, filter = {4, {3, 3, 3, 5}}, channels = {1, {5}};

static weir_node *slide(const char *name, const char *op, const weir_edge *in, int in_count,
                        const weir_named_attr *more)
{
    weir_named_attr attrs[3] = {weir_a_ints("strides", (int64_t[]){1, 1, 1, 1}, 4),
                                weir_a_str("padding", "SAME")};
    if (more)
        attrs[2] = *more;
    return add(name, op, in, in_count, attrs, more ? 3 : 2);
}

TEST(convolution_bias_and_relu_are_one)
{
    begin();
    weir_edge x = fed("x", &image), w = fed("w", &filter), b = fed("b", &channels);
    weir_node *conv = slide("conv", "Conv2D", (weir_edge[]){x, w}, 2, NULL);
    weir_node *bias = NODE("bias", "BiasAdd", out(conv), b),
              *relu = NODE("relu", "Relu", out(bias));
    weir_node *next = slide("next", "Conv2D", (weir_edge[]){x, w}, 2, NULL);
    weir_node *fetched = NODE("fetched", "BiasAdd", out(next), b);
    weir_node *shared = slide("shared", "Conv2D", (weir_edge[]){x, w}, 2, NULL);
    weir_node *open = NODE("open", "BiasAdd", out(shared), b);
    NODE("sum", "AddV2", out(open), out(shared));
    weir_node *plain = slide("plain", "Conv2D", (weir_edge[]){x, w}, 2, NULL);
    weir_node *linear = NODE("linear", "BiasAdd", out(plain), b);
    NODE("end", "AddV2", out(relu), out(linear));
    weir_graph_add_control(fetched, conv);
    run_only(g, "layers", (weir_pass_options){.keep = &fetched, .keep_count = 1});
    expect_left("x = Placeholder()\n"
                "w = Placeholder()\n"
                "b = Placeholder()\n"
                "next = Conv2D(x, w)\n"
                "fetched = BiasAdd(next, b)\n"
                "shared = Conv2D(x, w)\n"
                "open = BiasAdd(shared, b)\n"
                "sum = AddV2(open, shared)\n"
                "end = AddV2(relu/layer, linear/layer)\n"
                "relu/layer = _ConvBias(x, w, b, ^fetched)\n"
                "linear/layer = _ConvBias(x, w, b)\n");
}

TEST(gradients_go_back_through_a_layer_at_once)
{
    begin();
    weir_edge x = fed("x", &image), y = fed("y", &image), dy = fed("dy", &image);
    weir_named_attr ksize = weir_a_ints("ksize", (int64_t[]){1, 2, 2, 1}, 4);
    weir_node *pool = slide("pool", "MaxPoolGrad", (weir_edge[]){x, y, dy}, 3, &ksize);
    weir_node *relu = NODE("relu", "ReluGrad", out(pool), x);
    weir_node *bias = NODE("bias", "BiasAddGrad", out(relu));
    weir_node *other = slide("other", "MaxPoolGrad", (weir_edge[]){x, y, dy}, 3, &ksize);
    weir_node *foreign = NODE("foreign", "ReluGrad", out(other), y); /* not the pool's input */
    NODE("alone", "ReluGrad", dy, x);                                /* without a bias gradient */
    weir_node *sum = NODE("sum", "BiasAddGrad", out(foreign));
    NODE("end", "AddV2", out(bias), out(sum));
    NODE("use", "AddV2", out(relu), out(foreign));
    run_only(g, "layers", (weir_pass_options){0});
    expect_left("x = Placeholder()\n"
                "y = Placeholder()\n"
                "dy = Placeholder()\n"
                "other = MaxPoolGrad(x, y, dy)\n"
                "alone = ReluGrad(dy, x)\n"
                "end = AddV2(relu/layer:1, foreign/layer:1)\n"
                "use = AddV2(relu/layer, foreign/layer)\n"
                "relu/layer = _MaxPoolReluGrad(x, y, dy)\n"
                "foreign/layer = _ReluBiasGrad(other, y)\n");
}

/* ---- the list of passes -----------------------------------------------------------------------
 */

TEST(passes_have_names_of_their_own)
{
    weir_pass_set seen = 0;
    for (int i = 0; weir_pass_name(i); i++) {
        weir_str unknown;
        weir_pass_set set = weir_pass_named(weir_pass_name(i), &unknown);
        CHECK(set && !(set & (set - 1)) && !unknown.length);
        CHECK(!(set & seen));
        seen |= set;
    }
    CHECK(weir_pass_named("fuse,layers,stack,unfuse", NULL) != 0);
}

TEST(old_names_of_passes_are_known)
{
    static const char *const names[][2] = {{"turn", "pretranspose"},
                                           {"gather", "batch_updates"},
                                           {"panels", "prepack"},
                                           {"terms", "defer_sums"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        weir_pass_set set = weir_pass_named(names[i][0], NULL);
        CHECK(set && set == weir_pass_named(names[i][1], NULL));
    }
}

TEST(unknown_names_of_passes_are_told)
{
    weir_str unknown;
    weir_pass_set both = weir_pass_named("fold,,flod,norm,x", &unknown);
    CHECK(weir_str_is(unknown, "flod"));
    CHECK(both == (weir_pass_named("fold", NULL) | weir_pass_named("norm", NULL)));
    CHECK(weir_pass_named(NULL, &unknown) == 0 && !unknown.length);
}

TEST(switches_of_a_client_turn_passes_off)
{
    CHECK(weir_pass_of_option(WEIR_OPTION_COMMON) == weir_pass_named("cse", NULL));
    CHECK(weir_pass_of_option(WEIR_OPTION_FOLDING) == weir_pass_named("shapes,fold,hoist", NULL));
}

/* Every pass except the required ones can be skipped: then the graph is unchanged. */
TEST(skipped_passes_do_not_run)
{
    begin();
    weir_named_attr type = weir_a_type("dtype", WEIR_FLOAT);
    weir_node *x = add("x", "Placeholder", NULL, 0, &type, 1);
    weir_node *same = NODE("same", "Identity", out(x));
    NODE("y", "Neg", out(same));
    weir_pass_options none = {.skip = UINT64_MAX};
    for (int stage = WEIR_BEFORE_PLACEMENT; stage <= WEIR_AFTER_PARTITION; stage++)
        CHECK_OK(weir_pass_run(g, (weir_pass_stage)stage, &none));
    CHECK(!same->removed);
    CHECK_OK(weir_pass_run(g, WEIR_AFTER_PLACEMENT, NULL));
    CHECK(same->removed);
    weir_graph_destroy(g);
}

TEST_MAIN()
