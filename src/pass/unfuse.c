/* pass/unfuse.c - ops that TensorFlow's optimiser made of several become single ops again.
 *
 * A master of TensorFlow's optimises before it cuts, and so sends its workers ops that are made for
 * its own kernels. The kernels here are those of the single ops, which fuse in ways of their own.
 *
 * The first op of what one is made of keeps the name, for messages; every op waits for what the
 * fused one waited for, and who waited for it waits for the last.
 *
 * UNIMPLEMENTED when one is made of something that is not known.
 */
#include <math.h>

#include "pass/pass_impl.h"

/* A fused node being taken apart. After an error everything does nothing. */
typedef struct opening {
    weir_node *n;
    weir_node *first; /* of what replaces it */
    weir_status s;
    int next_arg; /* inputs used up so far */
} opening;

static weir_edge put(opening *o, const char *op, const weir_edge *in, int in_count,
                     const weir_named_attr *attrs, int attr_count)
{
    weir_node *made = NULL;
    if (o->s)
        return (weir_edge){0};
    weir_buf suffix = {0};
    weir_buf_addf(&suffix, "/%s", op);
    weir_node_spec spec = {
        .op = op, .in = in, .in_count = in_count, .attrs = attrs, .attr_count = attr_count};
    o->s = weir_pass_add(o->n, "", suffix.at, &spec, &made);
    weir_buf_fini(&suffix);
    if (o->s)
        return (weir_edge){0};
    for (size_t i = 0; i < o->n->controls.count; i++)
        weir_graph_add_control(o->n->controls.at[i], made);
    if (!o->first)
        o->first = made;
    return (weir_edge){made, 0};
}

static weir_edge put1(opening *o, const char *op, weir_edge x)
{
    return put(o, op, &x, 1, NULL, 0);
}

static weir_edge put2(opening *o, const char *op, weir_edge x, weir_edge y)
{
    return put(o, op, (weir_edge[]){x, y}, 2, NULL, 0);
}

static weir_named_attr own_attr(const opening *o, const char *name)
{
    return weir_a_attr(name, weir_node_attr(o->n, name));
}

/* A constant; it waits for nothing, so that it may be used in any loop. */
static weir_edge put_const(opening *o, weir_tensor value)
{
    weir_node *made = NULL;
    weir_named_attr attrs[] = {weir_a_type("dtype", value.dtype), weir_a_tensor("value", &value)};
    weir_node_spec spec = {.op = "Const", .attrs = attrs, .attr_count = 2};
    if (!o->s)
        o->s = weir_pass_add(o->n, "", "/Const", &spec, &made);
    weir_tensor_release(&value);
    return (weir_edge){made, 0};
}

/* A number in the node's own type. */
static weir_edge number(opening *o, double v)
{
    weir_edge c = put_const(o, weir_tensor_scalar(WEIR_FLOAT, &(float){(float)v}));
    weir_dtype type = (weir_dtype)weir_node_attr(o->n, "T")->type;
    if (o->s || type == WEIR_FLOAT)
        return c;
    weir_named_attr as = weir_a_type("DstT", type);
    return put(o, "Cast", &c, 1, &as, 1);
}

static weir_edge next_arg(opening *o)
{
    if (o->next_arg < o->n->site.in_count)
        return o->n->in[o->next_arg++];
    if (!o->s)
        o->s = weir_error(WEIR_INVALID_ARGUMENT, "%s has fewer arguments than its fused ops need",
                          o->n->site.def->name);
    return o->n->in[0];
}

/* ---- what may follow ------------------------------------------------------------------------ */

static weir_edge bias_add(opening *o, weir_edge x)
{
    weir_edge in[] = {x, next_arg(o)};
    const weir_attr *format = weir_node_attr(o->n, "data_format");
    bool first = format && format->s.length > 1 && format->s.at[1] == 'C';
    weir_named_attr as = weir_a_str("data_format", first ? "NCHW" : "NHWC");
    return put(o, "BiasAdd", in, 2, &as, 1);
}

static weir_edge batch_norm(opening *o, weir_edge x)
{
    weir_edge in[5] = {x};
    for (int i = 1; i < 5; i++)
        in[i] = next_arg(o);
    weir_named_attr as[] = {own_attr(o, "epsilon"), own_attr(o, "data_format"),
                            weir_a_bool("is_training", false)};
    return put(o, "FusedBatchNormV3", in, 5, as, 3);
}

static weir_edge add(opening *o, weir_edge x)
{
    return put2(o, "AddV2", x, next_arg(o));
}

static weir_edge multiply(opening *o, weir_edge x)
{
    return put2(o, "Mul", x, next_arg(o));
}

static weir_edge leaky_relu(opening *o, weir_edge x)
{
    weir_named_attr alpha = weir_a_attr("alpha", weir_node_attr(o->n, "leakyrelu_alpha"));
    return put(o, "LeakyRelu", &x, 1, &alpha, 1);
}

/* x * relu6(x + 3) / 6 */
static weir_edge hard_swish(opening *o, weir_edge x)
{
    weir_edge gate = put1(o, "Relu6", put2(o, "AddV2", x, number(o, 3)));
    return put2(o, "Mul", put2(o, "Mul", x, gate), number(o, 1.0 / 6));
}

/* x / 2 * (1 + f(...)) */
static weir_edge half_gated(opening *o, weir_edge x, weir_edge f)
{
    weir_edge half = put2(o, "Mul", x, number(o, 0.5));
    return put2(o, "Mul", half, put2(o, "AddV2", f, number(o, 1)));
}

static weir_edge gelu_exact(opening *o, weir_edge x)
{
    return half_gated(o, x, put1(o, "Erf", put2(o, "Mul", x, number(o, M_SQRT1_2))));
}

static weir_edge gelu_approximate(opening *o, weir_edge x)
{
    weir_edge cube = put2(o, "Mul", put1(o, "Square", x), x);
    weir_edge inner = put2(o, "AddV2", x, put2(o, "Mul", cube, number(o, 0.044715)));
    return half_gated(o, x, put1(o, "Tanh", put2(o, "Mul", inner, number(o, sqrt(2 / M_PI)))));
}

static const struct {
    const char *name;
    weir_edge (*put)(opening *o, weir_edge x); /* null: the op of that name */
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

static weir_edge follow(opening *o, weir_str name, weir_edge x)
{
    for (size_t i = 0; i < sizeof followers / sizeof *followers; i++)
        if (weir_str_is(name, followers[i].name))
            return followers[i].put ? followers[i].put(o, x) : put1(o, followers[i].name, x);
    if (!o->s)
        o->s = weir_error(WEIR_UNIMPLEMENTED, "%s fused with %.*s", o->n->site.def->name,
                          WEIR_STR_ARG(name));
    return x;
}

static weir_edge follow_all(opening *o, weir_edge x)
{
    const weir_attr *ops = weir_node_attr(o->n, "fused_ops");
    for (int i = 0; i < ops->count; i++)
        x = follow(o, ops->ss[i], x);
    return x;
}

/* ---- what they are made of ------------------------------------------------------------------ */

enum { MOST_ATTRS = 8 };

/* The op of two inputs that comes first, with those attrs that both have, and what follows. */
static weir_edge contract(opening *o, const char *op, const weir_edge *in, const char *const *names)
{
    weir_named_attr as[MOST_ATTRS];
    int count = 0;
    for (; names[count]; count++)
        as[count] = own_attr(o, names[count]);
    o->next_arg = 2;
    return follow_all(o, put(o, op, in, 2, as, count));
}

static weir_edge open_mat_mul(opening *o)
{
    static const char *const names[] = {"transpose_a", "transpose_b", NULL};
    return contract(o, "MatMul", o->n->in, names);
}

static weir_edge open_batch_mat_mul(opening *o)
{
    static const char *const names[] = {"adj_x", "adj_y", NULL};
    return contract(o, "BatchMatMulV2", o->n->in, names);
}

static weir_edge open_conv2d(opening *o)
{
    static const char *const names[] = {"strides",     "padding",   "explicit_paddings",
                                        "data_format", "dilations", NULL};
    return contract(o, "Conv2D", o->n->in, names);
}

static weir_edge open_depthwise(opening *o)
{
    static const char *const names[] = {"strides", "padding", "data_format", "dilations", NULL};
    return contract(o, "DepthwiseConv2dNative", o->n->in, names);
}

/* The first input, padded as |list| says: before and after, for each dimension. */
static weir_edge pad_first(opening *o, const weir_attr *list)
{
    if (!list->count)
        return o->n->in[0];
    weir_shape pairs = {2, {list->count / 2, 2}};
    weir_edge in[] = {o->n->in[0], put_const(o, weir_tensor_from(WEIR_INT64, &pairs, list->is))};
    return put(o, "Pad", in, 2, NULL, 0);
}

static weir_edge open_conv3d(opening *o)
{
    static const char *const names[] = {"strides", "padding", "data_format", "dilations", NULL};
    weir_edge in[] = {pad_first(o, weir_node_attr(o->n, "padding_list")), o->n->in[1]};
    return contract(o, "Conv3D", in, names);
}

static weir_edge open_batch_norm(opening *o)
{
    weir_named_attr as[] = {own_attr(o, "epsilon"), own_attr(o, "exponential_avg_factor"),
                            own_attr(o, "data_format"), own_attr(o, "is_training")};
    weir_edge x = put(o, "FusedBatchNormV3", o->n->in, 5, as, 4);
    for (int i = 1; i < o->n->site.out_count && !o->s; i++)
        weir_graph_replace((weir_edge){o->n, i}, (weir_edge){x.node, i});
    o->next_arg = 5;
    while (o->next_arg < o->n->site.in_count)
        x = add(o, x);
    weir_str mode = weir_node_attr(o->n, "activation_mode")->s;
    return weir_str_is(mode, "Identity") ? x : follow(o, mode, x);
}

static weir_edge open_composition(opening *o)
{
    const weir_attr *ops = weir_node_attr(o->n, "op_names");
    weir_edge x = next_arg(o);
    for (int i = 0; i < ops->count; i++) {
        char *name = weir_strndup(ops->ss[i].at, ops->ss[i].length);
        x = put1(o, name, x);
        weir_free(name);
    }
    return ops->count ? x : put1(o, "Identity", x);
}

static weir_edge open_swish(opening *o)
{
    weir_edge x = next_arg(o);
    return put2(o, "Mul", x, put1(o, "Sigmoid", x));
}

static weir_edge open_mish(opening *o)
{
    weir_edge x = next_arg(o);
    return put2(o, "Mul", x, put1(o, "Tanh", put1(o, "Softplus", x)));
}

static weir_edge mean(opening *o, weir_edge x, weir_edge axes)
{
    weir_named_attr keep = weir_a_bool("keep_dims", true);
    return put(o, "Mean", (weir_edge[]){x, axes}, 2, &keep, 1);
}

/* (x - mean) / sqrt(variance + epsilon) * scale + offset, over |axes|. */
static weir_edge normalize(opening *o, weir_tensor axes)
{
    weir_edge x = next_arg(o), scale = next_arg(o), offset = next_arg(o), a = put_const(o, axes);
    weir_edge m = mean(o, x, a);
    weir_edge variance = mean(o, put2(o, "SquaredDifference", x, m), a);
    weir_edge epsilon = number(o, weir_node_attr(o->n, "epsilon")->f);
    weir_edge rate = put1(o, "Rsqrt", put2(o, "AddV2", variance, epsilon));
    weir_edge y = put2(o, "Mul", put2(o, "Sub", x, m), put2(o, "Mul", rate, scale));
    return put2(o, "AddV2", y, offset);
}

static weir_edge open_layer_norm(opening *o)
{
    weir_shape one = weir_shape_vector(1);
    return normalize(o, weir_tensor_from(WEIR_INT32, &one, &(int32_t){-1}));
}

static weir_edge open_instance_norm(opening *o)
{
    const weir_attr *axes = weir_node_attr(o->n, "reduction_axes");
    weir_shape shape = weir_shape_vector(axes->count);
    weir_edge y = normalize(o, weir_tensor_from(WEIR_INT64, &shape, axes->is));
    return follow_all(o, y);
}

static weir_edge open_hash_bucket(opening *o)
{
    weir_named_attr buckets = own_attr(o, "num_buckets");
    weir_edge text = put1(o, "AsString", next_arg(o));
    return put(o, "StringToHashBucketFast", &text, 1, &buckets, 1);
}

static const struct {
    const char *op;
    weir_edge (*open)(opening *o);
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

/* ---- the pass ------------------------------------------------------------------------------- */

static weir_status open_node(weir_node *n, weir_edge (*open)(opening *o))
{
    opening o = {.n = n};
    weir_edge last = open(&o);
    if (o.s)
        return weir_status_note(o.s, "\n\t [[{{node %s}}]]", n->site.name);
    const char *name = n->site.name;
    weir_graph *g = n->graph;
    weir_graph_replace((weir_edge){n, 0}, last);
    weir_pass_move_waiting(n, last.node);
    weir_graph_remove(n);
    weir_map_remove(&g->by_name, weir_str_of(o.first->site.name));
    o.first->site.name = name;
    weir_map_put(&g->by_name, weir_str_of(name), o.first);
    return WEIR_OK;
}

weir_status weir_pass_unfuse(weir_graph *g, const weir_pass_env *env)
{
    for (size_t i = 0, count = g->nodes.count; i < count; i++) {
        weir_node *n = g->nodes.at[i];
        if (n->removed || n->site.def->name[0] != '_')
            continue;
        for (size_t k = 0; k < sizeof fused / sizeof *fused; k++)
            if (weir_node_is(n, fused[k].op)) {
                WEIR_TRY(open_node(n, fused[k].open));
                break;
            }
    }
    return WEIR_OK;
}
