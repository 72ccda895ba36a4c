/* pass/remap_test.c - effects of dropout, xent, transposes and norm on small graphs. */

#include "pass/small_graph.h"
#include "session/session.h"

/* ---- small graphs ---------------------------------------------------------------------------- */

#define NODE(name, op, ...)                                                                        \
    add_with(name, op, (const weir_edge[]){__VA_ARGS__},                                           \
             (int)(sizeof((weir_edge[]){__VA_ARGS__}) / sizeof(weir_edge)), NULL, 0)

static weir_edge constant(const char *name, weir_tensor t)
{
    weir_named_attr attrs[] = {weir_a_tensor("value", &t), weir_a_type("dtype", t.dtype)};
    weir_edge e = add_with(name, "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&t);
    return e;
}

static weir_edge number(const char *name, float value)
{
    return constant(name, weir_tensor_scalar(WEIR_FLOAT, &value));
}

static weir_edge ints(const char *name, int a, int b)
{
    weir_shape two = weir_shape_vector(2);
    return constant(name, weir_tensor_from(WEIR_INT32, &two, (int32_t[]){a, b}));
}

static weir_edge fed_as(const char *name, weir_dtype type, weir_shape shape)
{
    weir_named_attr attrs[] = {weir_a_type("dtype", type), weir_a_shape("shape", &shape)};
    return add_with(name, "Placeholder", NULL, 0, attrs, 2);
}

static const weir_node *find(const char *op)
{
    for (size_t i = 0; i < g->nodes.count; i++)
        if (!g->nodes.at[i]->removed && weir_node_is(g->nodes.at[i], op))
            return g->nodes.at[i];
    return NULL;
}

static void begin(void)
{
    g = weir_graph_create(weir_catalogue());
}

/* Only |kept| is fetched. */
static void remap(weir_edge *kept, int count, const char *skip)
{
    weir_node *keep[4];
    for (int i = 0; i < count; i++)
        keep[i] = kept[i].node;
    remap_with(g, (weir_pass_options){
                      .keep = keep, .keep_count = count, .skip = weir_pass_named(skip, NULL)});
}

/* ---- dropout --------------------------------------------------------------------------------- */

typedef struct dropout {
    weir_edge x, dy, random, mask, y, dx;
} dropout;

static dropout make_dropout(void)
{
    weir_shape shape = weir_shape_matrix(2, 3);
    dropout d = {fed_as("x", WEIR_FLOAT, shape), fed_as("dy", WEIR_FLOAT, shape)};
    weir_named_attr dtype = weir_a_type("dtype", WEIR_FLOAT);
    weir_edge dims = ints("dims", 2, 3);
    d.random = add_with("random", "RandomUniform", &dims, 1, &dtype, 1);
    d.mask = NODE("mask", "GreaterEqual", d.random, number("rate", 0.25f));
    weir_edge zero = number("zero", 0), scale = number("scale", 4.0f / 3);
    weir_edge scaled = NODE("scaled", "Mul", d.x, scale);
    d.y = NODE("y", "SelectV2", d.mask, scaled, zero);
    d.dx = NODE("dx", "Mul", NODE("chosen", "SelectV2", d.mask, d.dy, zero), scale);
    return d;
}

TEST(dropout_keeps_bits_only)
{
    begin();
    dropout d = make_dropout();
    weir_edge ends[] = {NODE("end", "Identity", d.y), NODE("back", "Identity", d.dx)};
    remap(ends, 2, NULL);
    CHECK_EQ(count_of("RandomUniform") + count_of("GreaterEqual") + count_of("SelectV2"), 0);
    const weir_node *drawn = find("_Dropout"), *again = find("_DropoutAgain");
    CHECK(drawn && again && again->in[1].node == drawn && again->in[1].index == 1);
    CHECK(ends[0].node->in[0].node == drawn && ends[1].node->in[0].node == again);
    weir_graph_destroy(g);
}

static bool dropout_stays(void (*change)(dropout *d), const char *skip)
{
    begin();
    dropout d = make_dropout();
    weir_edge ends[] = {NODE("end", "Identity", d.y), NODE("back", "Identity", d.dx)};
    if (change)
        change(&d);
    remap(ends, 2, skip);
    bool stays = count_of("RandomUniform") == 1 && count_of("SelectV2") == 2;
    weir_graph_destroy(g);
    return stays;
}

static void read_mask(dropout *d)
{
    weir_named_attr to = weir_a_type("DstT", WEIR_FLOAT);
    add_with("reader", "Cast", &d->mask, 1, &to, 1);
}

static void read_random(dropout *d)
{
    NODE("reader", "Neg", d->random);
}

/* Both uses of the mask depend on a node that waits for the mask: neither can be fused with it. */
static void wait_for_mask(dropout *d)
{
    weir_edge waiter = number("waiter", 1);
    weir_graph_add_control(d->mask.node, waiter.node);
    weir_graph_add_control(waiter.node, d->y.node);
    weir_graph_add_control(waiter.node, d->dx.node->in[0].node);
}

/* One use of the mask comes between the two ops of the other. */
static void wait_for_other(dropout *d)
{
    weir_graph_add_control(d->dx.node->in[0].node, d->y.node);
    weir_graph_add_control(d->y.node, d->dx.node);
}

TEST(dropout_that_is_looked_into_stays)
{
    CHECK(dropout_stays(wait_for_other, NULL));
    CHECK(dropout_stays(read_mask, NULL));
    CHECK(dropout_stays(read_random, NULL));
    CHECK(dropout_stays(wait_for_mask, NULL));
    CHECK(dropout_stays(NULL, "xent,dropout"));
    CHECK(!dropout_stays(NULL, "xent,drop"));
}

/* ---- losses ---------------------------------------------------------------------------------- */

static weir_edge make_loss(weir_edge scale, weir_edge *out_loss)
{
    weir_edge x = fed_as("x", WEIR_FLOAT, weir_shape_matrix(2, 3));
    weir_edge labels = fed_as("labels", WEIR_INT32, weir_shape_vector(2));
    *out_loss = NODE("xent", "SparseSoftmaxCrossEntropyWithLogits", x, labels);
    weir_edge gradient = {out_loss->node, 1};
    return NODE("dx", "Mul", scale, gradient);
}

TEST(a_loss_gives_its_gradient_scaled)
{
    begin();
    weir_shape column = weir_shape_matrix(2, 1);
    weir_edge scale = constant("scale", weir_tensor_from(WEIR_FLOAT, &column, (float[]){0.5f, 2})),
              loss;
    weir_edge dx = make_loss(scale, &loss);
    weir_edge ends[] = {NODE("end", "Identity", loss), NODE("back", "Identity", dx)};
    remap(ends, 2, NULL);
    CHECK_EQ(count_of("Mul"), 0);
    const weir_node *made = find("_ScaledSparseSoftmaxCrossEntropyWithLogits");
    CHECK(made && ends[0].node->in[0].node == made && ends[1].node->in[0].index == 1);
    weir_graph_destroy(g);
}

TEST(a_scale_that_is_not_known_stays)
{
    begin();
    weir_edge loss, dx = make_loss(fed_as("scale", WEIR_FLOAT, weir_shape_matrix(2, 1)), &loss);
    weir_edge ends[] = {NODE("end", "Identity", loss), NODE("back", "Identity", dx)};
    remap(ends, 2, NULL);
    CHECK_EQ(count_of("Mul"), 1);
    weir_graph_destroy(g);
}

/* A folded constant inherits its inputs' control inputs: here the loss. */
TEST(a_scale_that_waits_for_the_loss_stays)
{
    begin();
    weir_edge scale = constant("scale", weir_tensor_from(WEIR_FLOAT, &WEIR_SCALAR, (float[]){2})),
              loss;
    weir_edge dx = make_loss(scale, &loss);
    weir_edge ends[] = {NODE("end", "Identity", loss), NODE("back", "Identity", dx)};
    weir_graph_add_control(ends[0].node, scale.node);
    remap(ends, 2, NULL);
    CHECK_EQ(count_of("Mul"), 1);
    weir_graph_destroy(g);
}

/* The loss is read although what its gradient waits for may never come. */
TEST(a_gradient_that_waits_longer_than_the_loss_stays)
{
    begin();
    weir_edge scale = constant("scale", weir_tensor_from(WEIR_FLOAT, &WEIR_SCALAR, (float[]){2})),
              loss;
    weir_edge dx = make_loss(scale, &loss);
    weir_edge go = fed_as("go", WEIR_BOOL, WEIR_SCALAR), sides = NODE("sides", "Switch", go, go);
    weir_graph_add_control(NODE("side", "Identity", sides).node, dx.node);
    weir_edge ends[] = {NODE("end", "Identity", loss), NODE("back", "Identity", dx)};
    remap(ends, 2, NULL);
    CHECK_EQ(count_of("Mul"), 1);
    weir_graph_destroy(g);
}

/* ---- products -------------------------------------------------------------------------------- */

static void run_passes(weir_edge kept)
{
    CHECK_OK(weir_pass_run(g, WEIR_AFTER_PLACEMENT,
                           &(weir_pass_options){.keep = &kept.node, .keep_count = 1}));
}

TEST(a_product_transposes_as_it_reads)
{
    begin();
    weir_edge a = fed_as("a", WEIR_FLOAT, weir_shape_matrix(4, 2));
    weir_edge b = fed_as("b", WEIR_FLOAT, weir_shape_matrix(3, 4));
    weir_edge perm = ints("perm", 1, 0);
    weir_edge y =
        NODE("y", "MatMul", NODE("at", "Transpose", a, perm), NODE("bt", "Transpose", b, perm));
    weir_edge end = NODE("end", "Identity", y);
    run_passes(end);
    CHECK_EQ(count_of("Transpose"), 0);
    CHECK(weir_node_attr(y.node, "transpose_a")->b && weir_node_attr(y.node, "transpose_b")->b);
    CHECK(y.node->in[0].node == a.node && y.node->in[1].node == b.node);
    weir_graph_destroy(g);
}

static weir_edge vector(const char *name, float a, float b)
{
    weir_shape two = weir_shape_vector(2);
    return constant(name, weir_tensor_from(WEIR_FLOAT, &two, (float[]){a, b}));
}

static weir_edge make_norm(bool training)
{
    weir_shape filter = {4, {1, 1, 1, 2}};
    weir_edge x = fed_as("x", WEIR_FLOAT, (weir_shape){4, {1, 3, 3, 1}});
    weir_edge w = constant("w", weir_tensor_from(WEIR_FLOAT, &filter, (float[]){1, 2}));
    weir_named_attr conv[] = {weir_a_ints("strides", (int64_t[]){1, 1, 1, 1}, 4),
                              weir_a_str("padding", "VALID")};
    weir_edge y = add_with("conv", "Conv2D", (weir_edge[]){x, w}, 2, conv, 2);
    weir_named_attr norm[] = {weir_a_bool("is_training", training), weir_a_float("epsilon", 0)};
    weir_edge in[] = {y, vector("scale", 3, 4), vector("offset", 5, 6), vector("mean", 1, 2),
                      vector("variance", 4, 16)};
    return add_with("norm", "FusedBatchNormV3", in, 5, norm, 2);
}

TEST(a_frozen_norm_goes_into_the_weights)
{
    begin();
    run_passes(NODE("end", "Identity", make_norm(false)));
    CHECK_EQ(count_of("FusedBatchNormV3") + count_of("Mul") + count_of("Rsqrt"), 0);
    const weir_node *bias = find("BiasAdd"), *conv = find("Conv2D");
    CHECK(bias && conv);
    weir_tensor w, b;
    CHECK(weir_graph_constant(conv->in[1], &w) && weir_graph_constant(bias->in[1], &b));
    CHECK(((float *)w.data)[0] == 1.5f && ((float *)w.data)[1] == 2);
    CHECK(((float *)b.data)[0] == 3.5f && ((float *)b.data)[1] == 4);
    weir_tensor_release(&w);
    weir_tensor_release(&b);
    weir_graph_destroy(g);
}

TEST(a_norm_that_trains_stays)
{
    begin();
    run_passes(NODE("end", "Identity", make_norm(true)));
    CHECK_EQ(count_of("FusedBatchNormV3"), 1);
    weir_graph_destroy(g);
}

TEST_MAIN()
