/* pass/fuse_test.c - activations are fused into element-wise loops, or first into a layer. */

#include "pass/small_graph.h"
#include "session/session.h"

static const weir_shape seven = {1, {7}};
static const char *const activations[] = {"Relu",     "Relu6",    "Elu",      "Selu",
                                          "Softplus", "Softsign", "LeakyRelu"};
static const char *const gradients[] = {"ReluGrad",     "Relu6Grad",    "EluGrad",      "SeluGrad",
                                        "SoftplusGrad", "SoftsignGrad", "LeakyReluGrad"};
enum { KINDS = sizeof activations / sizeof *activations };

static weir_edge join(const char *name, const char *op, weir_edge a, weir_edge b)
{
    return add(name, op, (weir_edge[]){a, b}, 2);
}

/* sin(f(x * y)), and sin(f'(x * y, y + y) + x). */
static weir_edge forward_chain(const char *op, weir_edge x, weir_edge y)
{
    weir_edge product = join("product", "Mul", x, y);
    return add("sin", "Sin", (weir_edge[]){add("f", op, &product, 1)}, 1);
}

static weir_edge backward_chain(const char *op, weir_edge x, weir_edge y)
{
    weir_edge dy = join("product", "Mul", x, y), sum = join("sum", "AddV2", y, y);
    weir_edge dx = join("f", op, dy, sum);
    return add("sin", "Sin", (weir_edge[]){join("dx", "AddV2", dx, x)}, 1);
}

typedef weir_edge (*chain)(const char *op, weir_edge x, weir_edge y);

static void check_joins(chain make, const char *op)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge out = make(op, fed("x", &seven), fed("y", &seven));
    add("out", "Identity", &out, 1);
    run_only(g, "fuse", (weir_pass_options){0});
    CHECK_EQ(count_of("_Elements"), 1);
    CHECK_EQ(count_of(op), 0);
    CHECK_EQ(count_of("Sin"), 0);
    CHECK_EQ(count_of("Mul"), 0);
    weir_graph_destroy(g);
}

TEST(activations_join_their_neighbours)
{
    for (int i = 0; i < KINDS; i++) {
        check_joins(forward_chain, activations[i]);
        check_joins(backward_chain, gradients[i]);
    }
}

static weir_node *node(const char *name)
{
    return weir_graph_find(g, weir_str_of(name));
}

/* With its intermediate values fetched, a chain is not fused. */
static void check_values(chain make, const char *op)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge in[] = {fed("x", &seven), fed("y", &seven)}, out = make(op, in[0], in[1]);
    weir_edge apart[] = {out, {node("f"), 0}, {node("product"), 0}};
    weir_tensor values[] = {
        weir_tensor_from(WEIR_FLOAT, &seven, (float[]){-2, -0.3f, 0, 1, 30, 2.5f, 1e-3f}),
        weir_tensor_from(WEIR_FLOAT, &seven, (float[]){1, 3, 5, 0.2f, 2, -3, -7})};
    weir_tensor fused, single[3];
    weir_mutex lock = WEIR_MUTEX_INIT;
    weir_session *session = NULL;
    CHECK_OK(weir_session_create(g, &lock, &(weir_session_options){.target = ""}, &session));
    weir_request q = {
        .feeds = in, .feed_values = values, .feed_count = 2, .fetches = apart, .fetch_count = 1};
    CHECK_OK(weir_session_run(session, &q, &fused));
    q.fetch_count = 3;
    CHECK_OK(weir_session_run(session, &q, single));
    CHECK(memcmp(fused.data, single[0].data, 7 * sizeof(float)) == 0);
    weir_tensor_release(&fused);
    for (int i = 0; i < 3; i++)
        weir_tensor_release(&single[i]);
    weir_tensor_release(&values[0]);
    weir_tensor_release(&values[1]);
    weir_session_destroy(session);
    weir_graph_destroy(g);
}

TEST(values_are_those_of_the_single_ops)
{
    for (int i = 0; i < KINDS; i++) {
        check_values(forward_chain, activations[i]);
        check_values(backward_chain, gradients[i]);
    }
}

/* The slope of LeakyRelu is an attr: it becomes an input of the loop. */
TEST(attrs_become_inputs)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed("x", &seven);
    weir_named_attr alpha = weir_a_float("alpha", 0.75f);
    weir_edge f = add_with("f", "LeakyRelu", &x, 1, &alpha, 1), sin = add("sin", "Sin", &f, 1);
    weir_edge out = add("out", "Identity", &sin, 1);
    run_only(g, "fuse", (weir_pass_options){0});
    const weir_node *loop = out.node->in[0].node;
    CHECK(weir_node_is(loop, "_Elements"));
    CHECK_EQ(loop->site.in_count, 2);
    const weir_tensor *number = weir_node_attr(loop->in[1].node, "value")->tensor;
    CHECK(*(const float *)number->data == 0.75f);
    weir_graph_destroy(g);
}

static weir_edge shaped(const char *name, int rank, const int64_t *dims)
{
    weir_shape shape = {.rank = rank};
    memcpy(shape.dims, dims, (size_t)rank * sizeof *dims);
    return fed(name, &shape);
}

/* Relu of a layer is fused into the layer, though the op after it is element-wise. */
TEST(layers_take_their_activation)
{
    g = weir_graph_create(weir_catalogue());
    static const int64_t ones[] = {1, 1, 1, 1};

    weir_named_attr attrs[] = {weir_a_ints("strides", ones, 4), weir_a_str("padding", "SAME")};
    weir_edge image = shaped("image", 4, (int64_t[]){2, 8, 8, 3});
    weir_edge filter = shaped("filter", 4, (int64_t[]){3, 3, 3, 4});
    weir_edge bias = shaped("bias", 1, (int64_t[]){4});
    weir_edge conv = add_with("conv", "Conv2D", (weir_edge[]){image, filter}, 2, attrs, 2);
    weir_edge relu = add("relu", "Relu", (weir_edge[]){join("add", "BiasAdd", conv, bias)}, 1);
    weir_edge sin = add("sin", "Sin", &relu, 1), tanh = add("tanh", "Tanh", &sin, 1);
    add("out", "Identity", &tanh, 1);
    run_only(g, "layers", (weir_pass_options){0});
    run_only(g, "fuse", (weir_pass_options){0});
    CHECK_EQ(count_of("_ConvBias"), 1);
    CHECK_EQ(count_of("Relu"), 0);
    CHECK_EQ(count_of("_Elements"), 1);
    weir_graph_destroy(g);
}

TEST(products_take_their_activation)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge a = shaped("a", 2, (int64_t[]){5, 6}), b = shaped("b", 2, (int64_t[]){6, 4});
    weir_edge bias = shaped("bias", 1, (int64_t[]){4}), product = join("product", "MatMul", a, b);
    weir_edge relu = add("relu", "Relu", (weir_edge[]){join("sum", "BiasAdd", product, bias)}, 1);
    weir_edge sin = add("sin", "Sin", &relu, 1);
    weir_edge out = add("out", "Identity", &sin, 1);
    remap_with(g, (weir_pass_options){.keep = &out.node, .keep_count = 1});
    run_only(g, "fuse", (weir_pass_options){0});
    CHECK_EQ(count_of("_MatMulBias"), 1);
    CHECK_EQ(count_of("Relu"), 0);
    weir_graph_destroy(g);
}

TEST_MAIN()
