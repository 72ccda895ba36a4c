/* pass/mixed_test.c - which nodes use bfloat16, and where values are cast. */
#include "op/device.h"
#include "pass/small_graph.h"
#include "session/session.h"

/* A device with a kernel for every op but one. */
static const char *missing = "";

static weir_device_way find(const weir_site *site, const weir_kernel **out_kernel)
{
    *out_kernel = NULL;
    return strcmp(site->op->name, missing) == 0 ? WEIR_DEVICE_NONE : WEIR_DEVICE_KERNEL;
}

static weir_memory *memory(void *arg, const char *device)
{
    static weir_memory there;
    return &there;
}

static const weir_device_kernels kernels = {.find = find, .memory = memory};

static void mix(weir_pass_options options)
{
    options.kernels = &kernels;
    options.bfloat16 = true;
    run_only(g, "mixed", options);
}

/* The number of nodes of |op| with bfloat16 outputs. */
static int narrow_of(const char *op)
{
    int count = 0;
    for (size_t i = 0; i < g->nodes.count; i++) {
        const weir_node *node = g->nodes.at[i];
        count +=
            !node->removed && weir_node_is(node, op) && node->site.out_types[0] == WEIR_BFLOAT16;
    }
    return count;
}

typedef struct net {
    weir_edge x, w, product, relu, second, out;
} net;

/* out = exp(relu(x w) w), where x and w are 4 x 4. */
static net begin(void)
{
    net net;
    g = weir_graph_create(weir_catalogue());
    net.x = fed("x", &(weir_shape){2, {4, 4}});
    net.w = fed("w", &(weir_shape){2, {4, 4}});
    net.product = add("product", "MatMul", (weir_edge[]){net.x, net.w}, 2);
    net.relu = add("relu", "Relu", &net.product, 1);
    net.second = add("second", "MatMul", (weir_edge[]){net.relu, net.w}, 2);
    net.out = add("out", "Exp", &net.second, 1);
    return net;
}

TEST(products_and_what_is_between_them_change)
{
    net net = begin();
    mix((weir_pass_options){0});
    CHECK_EQ(narrow_of("MatMul"), 2);
    CHECK_EQ(narrow_of("Relu"), 1);
    CHECK_EQ(count_of("MatMul") + count_of("Relu"), 3);
    CHECK_EQ(count_of("Cast"), 3); /* x; w, once for both products; the last product */
    CHECK_EQ(narrow_of("Cast"), 2);
    CHECK_EQ(net.out.node->site.out_types[0], WEIR_FLOAT);
    CHECK(weir_node_is(net.out.node->in[0].node, "Cast"));
    weir_graph_destroy(g);
}

TEST(nothing_changes_unasked_or_without_a_device)
{
    begin();
    run_only(g, "mixed", (weir_pass_options){.kernels = &kernels});
    run_only(g, "mixed", (weir_pass_options){.bfloat16 = true});
    CHECK_EQ(narrow_of("MatMul") + count_of("Cast"), 0);
    weir_graph_destroy(g);
}

TEST(what_is_kept_or_has_no_kernel_stays)
{
    net net = begin();
    mix((weir_pass_options){.keep = &net.relu.node, .keep_count = 1});
    CHECK_EQ(narrow_of("MatMul"), 2);
    CHECK_EQ(narrow_of("Relu"), 0);
    CHECK_EQ(net.relu.node->removed, false);
    weir_graph_destroy(g);
    missing = "MatMul";
    begin();
    mix((weir_pass_options){0});
    missing = "";
    CHECK_EQ(narrow_of("MatMul") + narrow_of("Relu") + count_of("Cast"), 0);
    weir_graph_destroy(g);
}

/* An inferred op between products is converted, unless it follows a denied one. */
TEST(denied_ops_keep_those_behind_them_in_float)
{
    for (int denied = 0; denied < 2; denied++) {
        g = weir_graph_create(weir_catalogue());
        weir_edge x = fed("x", &(weir_shape){2, {4, 4}}), w = fed("w", &(weir_shape){2, {4, 4}});
        weir_edge product = add("product", "MatMul", (weir_edge[]){x, w}, 2);
        weir_edge other = add("other", denied ? "Exp" : "Neg", &product, 1);
        weir_edge sum = add("sum", "AddV2", (weir_edge[]){product, other}, 2);
        weir_edge last = add("last", "MatMul", (weir_edge[]){sum, w}, 2);
        add("out", "Identity", &last, 1);
        mix((weir_pass_options){0});
        CHECK_EQ(narrow_of("MatMul"), 2);
        CHECK_EQ(narrow_of("AddV2"), !denied);
        CHECK_EQ(narrow_of(denied ? "Exp" : "Neg"), !denied);
        weir_graph_destroy(g);
    }
}

/* A convolution of |channels| and the ops fused into it, then another one. */
static void add_layers(int64_t channels)
{
    int64_t steps[] = {1, 1, 1, 1};
    weir_named_attr attrs[] = {weir_a_ints("strides", steps, 4), weir_a_str("padding", "SAME")};
    weir_edge x = fed("x", &(weir_shape){4, {2, 8, 8, channels}}),
              b = fed("b", &(weir_shape){1, {16}});
    weir_edge first = fed("first", &(weir_shape){4, {3, 3, channels, 16}});
    weir_edge second = fed("second", &(weir_shape){4, {3, 3, 16, 16}});
    weir_edge conv = add_with("conv", "Conv2D", (weir_edge[]){x, first}, 2, attrs, 2);
    weir_edge bias = add("bias", "BiasAdd", (weir_edge[]){conv, b}, 2);
    weir_edge relu = add("relu", "Relu", &bias, 1);
    weir_edge lrn = add("lrn", "LRN", &relu, 1);
    weir_edge last = add_with("last", "Conv2D", (weir_edge[]){lrn, second}, 2, attrs, 2);
    add("out", "Exp", &last, 1);
}

TEST(convolutions_of_few_channels_stay_in_float)
{
    static const int64_t channels[] = {1, 3, 8};
    for (int i = 0; i < 3; i++) {
        bool few = channels[i] == 3; /* one channel: a layer too small to gain */
        g = weir_graph_create(weir_catalogue());
        add_layers(channels[i]);
        mix((weir_pass_options){0});
        CHECK_EQ(narrow_of("Conv2D"), few ? 1 : 2);
        CHECK_EQ(narrow_of("BiasAdd") + narrow_of("Relu"), few ? 0 : 2);
        CHECK_EQ(narrow_of("LRN"), 1);
        CHECK_EQ(count_of("Cast"), few ? 3 : 5); /* relu or x, first, b; second; the last one */
        weir_graph_destroy(g);
    }
}

static weir_edge parts_of(const char *name, weir_edge x, int64_t count)
{
    weir_named_attr attrs[] = {weir_a_int("num", count), weir_a_int("axis", 0)};
    return add_with(name, "Unpack", &x, 1, attrs, 2);
}

/* Parts of one tensor share its cast; a concatenation to float is cast as a whole. */
TEST(casts_move_over_what_only_moves)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed("x", &(weir_shape){3, {2, 4, 4}}), w = fed("w", &(weir_shape){2, {4, 4}});
    weir_edge part = parts_of("parts", x, 2), y[2];
    for (int i = 0; i < 2; i++)
        y[i] = add(numbered("product", i), "MatMul", (weir_edge[]){{part.node, i}, w}, 2);
    weir_edge all = add("all", "Pack", y, 2);
    add("out", "Exp", &all, 1);
    mix((weir_pass_options){0});
    CHECK_EQ(narrow_of("MatMul"), 2);
    CHECK_EQ(narrow_of("Unpack") + narrow_of("Pack"), 2);
    CHECK_EQ(count_of("Cast"), 3); /* x, w, the concatenation */
    weir_graph_destroy(g);
}

TEST(a_sum_of_products_is_rounded_once)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed("x", &(weir_shape){2, {4, 4}}), w = fed("w", &(weir_shape){2, {4, 4}});
    weir_edge y[] = {add("first", "MatMul", (weir_edge[]){x, w}, 2),
                     add("second", "MatMul", (weir_edge[]){w, x}, 2)};
    weir_edge sum = add("sum", "AddN", y, 2);
    add("out", "Exp", &sum, 1);
    mix((weir_pass_options){0});
    CHECK_EQ(narrow_of("AddN"), 1);
    CHECK_EQ(count_of("Cast"), 3); /* x, w, the sum */
    weir_graph_destroy(g);
}

TEST(constants_are_converted_once)
{
    g = weir_graph_create(weir_catalogue());
    weir_edge x = fed("x", &(weir_shape){2, {2, 2}});
    float numbers[] = {1, 2, 3, 1.00390625f + 0.001f};
    weir_tensor value;
    CHECK_OK(weir_tensor_alloc(WEIR_FLOAT, &(weir_shape){2, {2, 2}}, &value));
    memcpy(value.data, numbers, sizeof numbers);
    weir_named_attr attrs[] = {weir_a_tensor("value", &value), weir_a_type("dtype", WEIR_FLOAT)};
    weir_edge w = add_with("w", "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&value);
    weir_edge product = add("product", "MatMul", (weir_edge[]){x, w}, 2);
    add("out", "MatMul", (weir_edge[]){product, w}, 2);
    mix((weir_pass_options){0});
    CHECK_EQ(narrow_of("Const"), 1);
    CHECK_EQ(narrow_of("Cast"), 1);
    weir_graph_destroy(g);
}

TEST_MAIN()
