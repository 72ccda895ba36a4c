/* pass/unfuse.c - splits fused ops of TensorFlow's optimiser into single ops.
 *
 * A TensorFlow master optimises before it partitions, and so sends its workers ops for its own
 * fused kernels. Here there are kernels for the single ops, which Weir's passes fuse in their own
 * ways.
 *
 * The first of the single ops keeps the name, for messages; every op inherits the control inputs,
 * and the last one the control outputs.
 *
 * UNIMPLEMENTED for an unknown component.
 */
#include <math.h>

#include "pass/pass_impl.h"

/* A fused node being split. No-op after an error. */
typedef struct opening {
    weir_node *n;
    weir_node *first; /* of what replaces it */
    weir_status s;
    int next_arg; /* number of inputs consumed */
} opening;

static weir_edge put(opening *opening, const char *op, const weir_edge *in, int in_count,
                     const weir_named_attr *attrs, int attr_count)
{
    weir_node *made = NULL;
    if (opening->s)
        return (weir_edge){0};
    WEIR_BUF(suffix);
    weir_buf_addf(&suffix, "/%s", op);
    weir_node_spec spec = {
        .op = op, .in = in, .in_count = in_count, .attrs = attrs, .attr_count = attr_count};
    opening->s = weir_pass_add(opening->n, "", suffix.at, &spec, &made);
    if (opening->s)
        return (weir_edge){0};
    for (size_t i = 0; i < opening->n->controls.count; i++)
        weir_graph_add_control(opening->n->controls.at[i], made);
    if (!opening->first)
        opening->first = made;
    return (weir_edge){made, 0};
}

static weir_edge put1(opening *opening, const char *op, weir_edge x)
{
    return put(opening, op, &x, 1, NULL, 0);
}

static weir_edge put2(opening *opening, const char *op, weir_edge x, weir_edge y)
{
    return put(opening, op, (weir_edge[]){x, y}, 2, NULL, 0);
}

static weir_named_attr own_attr(const opening *opening, const char *name)
{
    return weir_a_attr(name, weir_node_attr(opening->n, name));
}

/* A constant without control inputs, so that it may be used in any frame. */
static weir_edge put_const(opening *opening, weir_tensor value)
{
    weir_node *made = NULL;
    weir_named_attr attrs[] = {weir_a_type("dtype", value.dtype), weir_a_tensor("value", &value)};
    weir_node_spec spec = {.op = "Const", .attrs = attrs, .attr_count = 2};
    if (!opening->s)
        opening->s = weir_pass_add(opening->n, "", "/Const", &spec, &made);
    weir_tensor_release(&value);
    return (weir_edge){made, 0};
}

/* A number in the node's own type. */
static weir_edge number(opening *opening, double value)
{
    weir_edge c = put_const(opening, weir_tensor_scalar(WEIR_FLOAT, &(float){(float)value}));
    weir_dtype type = (weir_dtype)weir_node_attr(opening->n, "T")->type;
    if (opening->s || type == WEIR_FLOAT)
        return c;
    weir_named_attr as = weir_a_type("DstT", type);
    return put(opening, "Cast", &c, 1, &as, 1);
}

static weir_edge next_arg(opening *opening)
{
    if (opening->next_arg < opening->n->site.in_count)
        return opening->n->in[opening->next_arg++];
    if (!opening->s)
        opening->s =
            weir_error(WEIR_INVALID_ARGUMENT, "%s has fewer arguments than its fused ops need",
                       opening->n->site.def->name);
    return opening->n->in[0];
}

/* ---- activations ----------------------------------------------------------------------------- */

static weir_edge bias_add(opening *opening, weir_edge x)
{
    weir_edge in[] = {x, next_arg(opening)};
    const weir_attr *format = weir_node_attr(opening->n, "data_format");
    bool first = format && format->s.length > 1 && format->s.at[1] == 'C';
    weir_named_attr as = weir_a_str("data_format", first ? "NCHW" : "NHWC");
    return put(opening, "BiasAdd", in, 2, &as, 1);
}

static weir_edge batch_norm(opening *opening, weir_edge x)
{
    weir_edge in[5] = {x};
    for (int i = 1; i < 5; i++)
        in[i] = next_arg(opening);
    weir_named_attr as[] = {own_attr(opening, "epsilon"), own_attr(opening, "data_format"),
                            weir_a_bool("is_training", false)};
    return put(opening, "FusedBatchNormV3", in, 5, as, 3);
}

static weir_edge add(opening *opening, weir_edge x)
{
    return put2(opening, "AddV2", x, next_arg(opening));
}

static weir_edge multiply(opening *opening, weir_edge x)
{
    return put2(opening, "Mul", x, next_arg(opening));
}

static weir_edge leaky_relu(opening *opening, weir_edge x)
{
    weir_named_attr alpha = weir_a_attr("alpha", weir_node_attr(opening->n, "leakyrelu_alpha"));
    return put(opening, "LeakyRelu", &x, 1, &alpha, 1);
}

/* x * relu6(x + 3) / 6 */
static weir_edge hard_swish(opening *opening, weir_edge x)
{
    weir_edge gate = put1(opening, "Relu6", put2(opening, "AddV2", x, number(opening, 3)));
    return put2(opening, "Mul", put2(opening, "Mul", x, gate), number(opening, 1.0 / 6));
}

/* x / 2 * (1 + f(...)) */
static weir_edge half_gated(opening *opening, weir_edge x, weir_edge f)
{
    weir_edge half = put2(opening, "Mul", x, number(opening, 0.5));
    return put2(opening, "Mul", half, put2(opening, "AddV2", f, number(opening, 1)));
}

static weir_edge gelu_exact(opening *opening, weir_edge x)
{
    return half_gated(opening, x,
                      put1(opening, "Erf", put2(opening, "Mul", x, number(opening, M_SQRT1_2))));
}

static weir_edge gelu_approximate(opening *opening, weir_edge x)
{
    weir_edge cube = put2(opening, "Mul", put1(opening, "Square", x), x);
    weir_edge inner =
        put2(opening, "AddV2", x, put2(opening, "Mul", cube, number(opening, 0.044715)));
    return half_gated(
        opening, x,
        put1(opening, "Tanh", put2(opening, "Mul", inner, number(opening, sqrt(2 / M_PI)))));
}

static const struct {
    const char *name;
    weir_edge (*put)(opening *opening, weir_edge x); /* null: the op of that name */
} followers[] = {
    {"BiasAdd", bias_add},
    {"FusedBatchNorm", batch_norm},
    {"Add", add},
    {"Mul", multiply},
    {"LeakyRelu", leaky_relu},
    {"_FusedHardSwish", hard_swish},
    {"GeluExact", gelu_exact},
    {"GeluApproximate", gelu_approximate},
    {"Relu"},
    {"Relu6"},
    {"Elu"},
    {"Tanh"},
    {"Sigmoid"},
};

static weir_edge follow(opening *opening, weir_str name, weir_edge x)
{
    for (size_t i = 0; i < sizeof followers / sizeof *followers; i++)
        if (weir_str_is(name, followers[i].name))
            return followers[i].put ? followers[i].put(opening, x)
                                    : put1(opening, followers[i].name, x);
    if (!opening->s)
        opening->s = weir_error(WEIR_UNIMPLEMENTED, "%s fused with %.*s",
                                opening->n->site.def->name, WEIR_STR_ARG(name));
    return x;
}

static weir_edge follow_all(opening *opening, weir_edge x)
{
    const weir_attr *ops = weir_node_attr(opening->n, "fused_ops");
    for (int i = 0; i < ops->count; i++)
        x = follow(opening, ops->ss[i], x);
    return x;
}

/* ---- components ------------------------------------------------------------------------------ */

enum { MOST_ATTRS = 8 };

/* The first op, of two inputs, with the attrs that both have, and the rest. */
static weir_edge contract(opening *opening, const char *op, const weir_edge *in,
                          const char *const *names)
{
    weir_named_attr as[MOST_ATTRS];
    int count = 0;
    for (; names[count]; count++)
        as[count] = own_attr(opening, names[count]);
    opening->next_arg = 2;
    return follow_all(opening, put(opening, op, in, 2, as, count));
}

static weir_edge open_mat_mul(opening *opening)
{
    static const char *const names[] = {"transpose_a", "transpose_b", NULL};
    return contract(opening, "MatMul", opening->n->in, names);
}

static weir_edge open_batch_mat_mul(opening *opening)
{
    static const char *const names[] = {"adj_x", "adj_y", NULL};
    return contract(opening, "BatchMatMulV2", opening->n->in, names);
}

static weir_edge open_conv2d(opening *opening)
{
    static const char *const names[] = {"strides",     "padding",   "explicit_paddings",
                                        "data_format", "dilations", NULL};
    return contract(opening, "Conv2D", opening->n->in, names);
}

static weir_edge open_depthwise(opening *opening)
{
    static const char *const names[] = {"strides", "padding", "data_format", "dilations", NULL};
    return contract(opening, "DepthwiseConv2dNative", opening->n->in, names);
}

/* The first input, padded by |list|: before and after, for each dimension. */
static weir_edge pad_first(opening *opening, const weir_attr *list)
{
    if (!list->count)
        return opening->n->in[0];
    weir_shape pairs = {2, {list->count / 2, 2}};
    weir_edge in[] = {opening->n->in[0],
                      put_const(opening, weir_tensor_from(WEIR_INT64, &pairs, list->is))};
    return put(opening, "Pad", in, 2, NULL, 0);
}

static weir_edge open_conv3d(opening *opening)
{
    static const char *const names[] = {"strides", "padding", "data_format", "dilations", NULL};
    weir_edge in[] = {pad_first(opening, weir_node_attr(opening->n, "padding_list")),
                      opening->n->in[1]};
    return contract(opening, "Conv3D", in, names);
}

static weir_edge open_batch_norm(opening *opening)
{
    weir_named_attr as[] = {own_attr(opening, "epsilon"),
                            own_attr(opening, "exponential_avg_factor"),
                            own_attr(opening, "data_format"), own_attr(opening, "is_training")};
    weir_edge x = put(opening, "FusedBatchNormV3", opening->n->in, 5, as, 4);
    for (int i = 1; i < opening->n->site.out_count && !opening->s; i++)
        weir_graph_replace((weir_edge){opening->n, i}, (weir_edge){x.node, i});
    opening->next_arg = 5;
    while (opening->next_arg < opening->n->site.in_count)
        x = add(opening, x);
    weir_str mode = weir_node_attr(opening->n, "activation_mode")->s;
    return weir_str_is(mode, "Identity") ? x : follow(opening, mode, x);
}

static weir_edge open_composition(opening *opening)
{
    const weir_attr *ops = weir_node_attr(opening->n, "op_names");
    weir_edge x = next_arg(opening);
    for (int i = 0; i < ops->count; i++) {
        char *name = weir_strndup(ops->ss[i].at, ops->ss[i].length);
        x = put1(opening, name, x);
        weir_free(name);
    }
    return ops->count ? x : put1(opening, "Identity", x);
}

static weir_edge open_swish(opening *opening)
{
    weir_edge x = next_arg(opening);
    return put2(opening, "Mul", x, put1(opening, "Sigmoid", x));
}

static weir_edge open_mish(opening *opening)
{
    weir_edge x = next_arg(opening);
    return put2(opening, "Mul", x, put1(opening, "Tanh", put1(opening, "Softplus", x)));
}

static weir_edge mean(opening *opening, weir_edge x, weir_edge axes)
{
    weir_named_attr keep = weir_a_bool("keep_dims", true);
    return put(opening, "Mean", (weir_edge[]){x, axes}, 2, &keep, 1);
}

/* (x - mean) / sqrt(variance + epsilon) * scale + offset, over |axes|. */
static weir_edge normalize(opening *opening, weir_tensor axes)
{
    weir_edge x = next_arg(opening), scale = next_arg(opening), offset = next_arg(opening),
              a = put_const(opening, axes);
    weir_edge m = mean(opening, x, a);
    weir_edge variance = mean(opening, put2(opening, "SquaredDifference", x, m), a);
    weir_edge epsilon = number(opening, weir_node_attr(opening->n, "epsilon")->f);
    weir_edge rate = put1(opening, "Rsqrt", put2(opening, "AddV2", variance, epsilon));
    weir_edge y =
        put2(opening, "Mul", put2(opening, "Sub", x, m), put2(opening, "Mul", rate, scale));
    return put2(opening, "AddV2", y, offset);
}

static weir_edge open_layer_norm(opening *opening)
{
    weir_shape one = weir_shape_vector(1);
    return normalize(opening, weir_tensor_from(WEIR_INT32, &one, &(int32_t){-1}));
}

static weir_edge open_instance_norm(opening *opening)
{
    const weir_attr *axes = weir_node_attr(opening->n, "reduction_axes");
    weir_shape shape = weir_shape_vector(axes->count);
    weir_edge y = normalize(opening, weir_tensor_from(WEIR_INT64, &shape, axes->is));
    return follow_all(opening, y);
}

static weir_edge open_hash_bucket(opening *opening)
{
    weir_named_attr buckets = own_attr(opening, "num_buckets");
    weir_edge text = put1(opening, "AsString", next_arg(opening));
    return put(opening, "StringToHashBucketFast", &text, 1, &buckets, 1);
}

static const struct {
    const char *op;
    weir_edge (*open)(opening *opening);
} fused[] = {
    {"_FusedMatMul", open_mat_mul},
    {"_FusedConv2D", open_conv2d},
    {"_FusedConv3D", open_conv3d},
    {"_FusedDepthwiseConv2dNative", open_depthwise},
    {"_FusedBatchNormEx", open_batch_norm},
    {"_UnaryOpsComposition", open_composition},
    {"_MklFusedBatchMatMulV2", open_batch_mat_mul},
    {"_MklSwish", open_swish},
    {"_MklFusedMish", open_mish},
    {"_MklLayerNorm", open_layer_norm},
    {"_MklFusedInstanceNorm", open_instance_norm},
    {"_TensorToHashBucketFast", open_hash_bucket},
};

/* ---- the pass -------------------------------------------------------------------------------- */

static weir_status open_node(weir_node *node, weir_edge (*open)(opening *o))
{
    opening opening = {.n = node};
    weir_edge last = open(&opening);
    if (opening.s)
        return weir_status_note(opening.s, "\n\t [[{{node %s}}]]", node->site.name);
    const char *name = node->site.name;
    weir_graph *graph = node->graph;
    weir_graph_replace((weir_edge){node, 0}, last);
    weir_pass_move_waiting(node, last.node);
    weir_graph_remove(node);
    weir_map_remove(&graph->by_name, weir_str_of(opening.first->site.name));
    opening.first->site.name = name;
    weir_map_put(&graph->by_name, weir_str_of(name), opening.first);
    return WEIR_OK;
}

weir_status weir_pass_unfuse(weir_graph *graph, const weir_pass_env *env)
{
    for (size_t i = 0, count = graph->nodes.count; i < count; i++) {
        weir_node *node = graph->nodes.at[i];
        if (node->removed || node->site.def->name[0] != '_')
            continue;
        for (size_t k = 0; k < sizeof fused / sizeof *fused; k++)
            if (weir_node_is(node, fused[k].op)) {
                WEIR_TRY(open_node(node, fused[k].open));
                break;
            }
    }
    return WEIR_OK;
}
