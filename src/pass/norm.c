/* pass/norm.c - folds per-channel scaling of a layer's results into its weights.
 *
 *   FusedBatchNorm (not training) of Conv2D(x, w)   Conv2D(x, w * s) + (offset - mean * s),
 *                                                   with s = scale / sqrt(variance + epsilon)
 *   Conv2D or MatMul of a constant w, times a       Conv2D or MatMul of w * v
 *   constant vector v
 *
 * The weights are fewer than the results, and if everything is constant, as in a frozen model,
 * constant folding computes them once. Results are rounded differently.
 */
#include <stdio.h>

#include "pass/pass_impl.h"

/* Adds ops behind |at|. No-op after an error. */
typedef struct adding {
    weir_node *at;
    weir_status s;
} adding;

static weir_edge put(adding *adding, const char *op, const weir_edge *in, int in_count,
                     const weir_named_attr *attrs, int attr_count)
{
    weir_node *made = NULL;
    char suffix[32];
    snprintf(suffix, sizeof suffix, "/%s", op);
    weir_node_spec spec = {
        .op = op, .in = in, .in_count = in_count, .attrs = attrs, .attr_count = attr_count};
    if (!adding->s)
        adding->s = weir_pass_add(adding->at, "", suffix, &spec, &made);
    return (weir_edge){made, 0};
}

static weir_edge put2(adding *adding, const char *op, weir_edge x, weir_edge y)
{
    return put(adding, op, (weir_edge[]){x, y}, 2, NULL, 0);
}

static weir_edge put_number(adding *adding, float value)
{
    weir_tensor tensor = weir_tensor_scalar(WEIR_FLOAT, &value);
    weir_named_attr attrs[] = {weir_a_tensor("value", &tensor), weir_a_type("dtype", WEIR_FLOAT)};
    weir_edge edge = put(adding, "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&tensor);
    return edge;
}

/* The Conv2D or MatMul at input |i| of |node|, if |node| is its only user. */
static weir_node *layer_at(const weir_pass_env *env, const weir_node *node, int i)
{
    weir_node *producer = node->in[i].node;
    bool layer = weir_node_is(producer, "Conv2D") || weir_node_is(producer, "MatMul");
    return layer && producer->uses.count == 1 && !weir_pass_kept(env, producer) &&
                   producer->site.out_types[0] == WEIR_FLOAT &&
                   strcmp(producer->site.device, node->site.device) == 0
               ? producer
               : NULL;
}

static bool same_format(const weir_node *a, const weir_node *b)
{
    weir_str text = weir_node_attr(a, "data_format")->s, str = weir_node_attr(b, "data_format")->s;
    return text.length == str.length && memcmp(text.at, str.at, text.length) == 0;
}

/* ---- batch normalisation ---------------------------------------------------------------------
 */

enum { X, SCALE, OFFSET, MEAN, VARIANCE };

static bool is_norm(const weir_pass_env *env, const weir_node *node)
{
    if (!weir_node_is(node, "FusedBatchNorm") && !weir_node_is(node, "FusedBatchNormV2") &&
        !weir_node_is(node, "FusedBatchNormV3"))
        return false;
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.at[i].output > 0)
            return false;
    return !weir_node_attr(node, "is_training")->b && !weir_pass_kept(env, node);
}

/* True when scaling the weights is cheaper than scaling the results of one example. */
static bool is_cheaper(const weir_node *conv)
{
    const weir_shape *w = weir_edge_shape(conv->in[1]), *y = &conv->out_shapes[0];
    if (weir_pass_value(conv->in[1]))
        return true;
    if (!weir_shape_known(w) || y->rank != 4)
        return false;
    weir_shape one = *y;
    one.dims[0] = 1;
    return weir_shape_known(&one) && weir_shape_count(w) <= weir_shape_count(&one);
}

/* Some node writes to a variable by its reference. */
static bool writes_reference(weir_node *const *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < order[i]->site.in_count; k++)
            if (weir_node_flow(order[i]) == WEIR_FLOW_NONE &&
                weir_dtype_is_ref(order[i]->site.in_types[k]))
                return true;
    return false;
}

/* The weights and statistics would be read earlier: they must not share a variable's memory. */
static bool reads_variables(const weir_node *node, const weir_node *conv)
{
    bool reads = weir_pass_shares_variable(conv->in[1]);
    for (int i = SCALE; i <= VARIANCE; i++)
        reads |= weir_pass_shares_variable(node->in[i]);
    return reads;
}

static weir_status fold_norm(weir_node *node, weir_node *conv)
{
    adding adding = {.at = node};
    weir_edge epsilon = put_number(&adding, weir_node_attr(node, "epsilon")->f);
    weir_edge sum = put2(&adding, "AddV2", node->in[VARIANCE], epsilon);
    weir_edge root = put(&adding, "Rsqrt", &sum, 1, NULL, 0);
    weir_edge s = put2(&adding, "Mul", root, node->in[SCALE]);
    weir_edge w = put2(&adding, "Mul", conv->in[1], s);
    weir_edge shift =
        put2(&adding, "Sub", node->in[OFFSET], put2(&adding, "Mul", node->in[MEAN], s));
    weir_named_attr format = weir_a_attr("data_format", weir_node_attr(node, "data_format"));
    weir_edge y = put(&adding, "BiasAdd", (weir_edge[]){{conv, 0}, shift}, 2, &format, 1);
    WEIR_TRY(adding.s);
    for (size_t i = 0; i < node->controls.count; i++)
        weir_graph_add_control(node->controls.at[i], y.node);
    weir_graph_set_input(conv, 1, w);
    weir_pass_move_waiting(node, y.node);
    weir_graph_replace((weir_edge){node, 0}, y);
    weir_graph_remove(node);
    return WEIR_OK;
}

/* ---- products of constants ------------------------------------------------------------------- */

/* True when |value| has one element per last dimension of |w| and of results of |rank|. */
static bool is_per_channel(const weir_tensor *value, const weir_tensor *w, int rank)
{
    if (value->shape.rank > rank || value->shape.rank > w->shape.rank || w->shape.rank < 1)
        return false;
    int64_t count = weir_tensor_count(value), channels = w->shape.dims[w->shape.rank - 1];
    bool whole = value->shape.rank == 0 || value->shape.dims[value->shape.rank - 1] == count;
    return whole && (count == 1 || count == channels);
}

static bool can_take(const weir_pass_env *env, const weir_node *layer, const weir_tensor *value)
{
    const weir_tensor *w = weir_pass_value(layer->in[1]);
    if (!w || !value || layer->out_shapes[0].rank < 0 || weir_tensor_count(value) == 0 ||
        (int64_t)weir_tensor_bytes(w) > env->options.fold_limit_bytes)
        return false;
    if (weir_node_is(layer, "MatMul")
            ? weir_node_attr(layer, "transpose_b")->b
            : !weir_str_is(weir_node_attr(layer, "data_format")->s, "NHWC"))
        return false;
    return is_per_channel(value, w, layer->out_shapes[0].rank);
}

static weir_status fold_product(const weir_pass_env *env, weir_node *node)
{
    for (int i = 0; i < 2; i++) {
        weir_node *layer = layer_at(env, node, i);
        weir_edge value = node->in[1 - i];
        if (!layer || !can_take(env, layer, weir_pass_value(value)))
            continue;
        adding adding = {.at = layer};
        weir_edge w = put2(&adding, "Mul", layer->in[1], value);
        WEIR_TRY(adding.s);
        if (weir_pass_bypass(env, node, (weir_edge){layer, 0}))
            weir_graph_set_input(layer, 1, w);
        return WEIR_OK;
    }
    return WEIR_OK;
}

weir_status weir_pass_norm(weir_graph *graph, const weir_pass_env *env)
{
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    bool writes = writes_reference(order, count);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++) {
        weir_node *node = order[i];
        if (node->removed || !node->site.op)
            continue;
        weir_node *conv = is_norm(env, node) ? layer_at(env, node, X) : NULL;
        if (conv && weir_node_is(conv, "Conv2D") && same_format(conv, node) && is_cheaper(conv) &&
            !(writes && reads_variables(node, conv)))
            status = fold_norm(node, conv);
        else if (weir_node_is(node, "Mul") && !weir_pass_kept(env, node))
            status = fold_product(env, node);
    }
    weir_free(order);
    return status;
}
