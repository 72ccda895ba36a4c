/* pass/norm.c - what only scales a layer's channels goes into the layer's weights.
 *
 *   FusedBatchNorm (not training) of Conv2D(x, w)   Conv2D(x, w * s) + (offset - mean * s),
 *                                                   with s = scale / sqrt(variance + epsilon)
 *   Conv2D or MatMul of a constant w, times a       Conv2D or MatMul of w * v
 *   constant vector v
 *
 * The weights are fewer than the results, and where everything is constant, as in a model that was
 * frozen, folding computes them once. Results round differently.
 */
#include <stdio.h>

#include "pass/pass_impl.h"

/* Ops being added after |at|. After an error everything does nothing. */
typedef struct adding {
    weir_node *at;
    weir_status s;
} adding;

static weir_edge put(adding *a, const char *op, const weir_edge *in, int in_count,
                     const weir_named_attr *attrs, int attr_count)
{
    weir_node *made = NULL;
    char suffix[32];
    snprintf(suffix, sizeof suffix, "/%s", op);
    weir_node_spec spec = {
        .op = op, .in = in, .in_count = in_count, .attrs = attrs, .attr_count = attr_count};
    if (!a->s)
        a->s = weir_pass_add(a->at, "", suffix, &spec, &made);
    return (weir_edge){made, 0};
}

static weir_edge put2(adding *a, const char *op, weir_edge x, weir_edge y)
{
    return put(a, op, (weir_edge[]){x, y}, 2, NULL, 0);
}

static weir_edge put_number(adding *a, float value)
{
    weir_tensor t = weir_tensor_scalar(WEIR_FLOAT, &value);
    weir_named_attr attrs[] = {weir_a_tensor("value", &t), weir_a_type("dtype", WEIR_FLOAT)};
    weir_edge e = put(a, "Const", NULL, 0, attrs, 2);
    weir_tensor_release(&t);
    return e;
}

/* The Conv2D or MatMul at input |i| of |n|, when nobody else has its result. */
static weir_node *layer_at(const weir_pass_env *env, const weir_node *n, int i)
{
    weir_node *p = n->in[i].node;
    bool layer = weir_node_is(p, "Conv2D") || weir_node_is(p, "MatMul");
    return layer && p->uses.count == 1 && !weir_pass_kept(env, p) &&
                   p->site.out_types[0] == WEIR_FLOAT && strcmp(p->site.device, n->site.device) == 0
               ? p
               : NULL;
}

static bool same_format(const weir_node *a, const weir_node *b)
{
    weir_str x = weir_node_attr(a, "data_format")->s, y = weir_node_attr(b, "data_format")->s;
    return x.length == y.length && memcmp(x.at, y.at, x.length) == 0;
}

/* ---- batch normalisation ---------------------------------------------------------------------
 */

enum { X, SCALE, OFFSET, MEAN, VARIANCE };

static bool is_norm(const weir_pass_env *env, const weir_node *n)
{
    if (!weir_node_is(n, "FusedBatchNorm") && !weir_node_is(n, "FusedBatchNormV2") &&
        !weir_node_is(n, "FusedBatchNormV3"))
        return false;
    for (size_t i = 0; i < n->uses.count; i++)
        if (n->uses.at[i].output > 0)
            return false;
    return !weir_node_attr(n, "is_training")->b && !weir_pass_kept(env, n);
}

/* True when scaling the weights is less work than scaling the results of one example. */
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

static weir_status fold_norm(weir_node *n, weir_node *conv)
{
    adding a = {.at = n};
    weir_edge epsilon = put_number(&a, weir_node_attr(n, "epsilon")->f);
    weir_edge sum = put2(&a, "AddV2", n->in[VARIANCE], epsilon);
    weir_edge root = put(&a, "Rsqrt", &sum, 1, NULL, 0);
    weir_edge s = put2(&a, "Mul", root, n->in[SCALE]);
    weir_edge w = put2(&a, "Mul", conv->in[1], s);
    weir_edge shift = put2(&a, "Sub", n->in[OFFSET], put2(&a, "Mul", n->in[MEAN], s));
    weir_named_attr format = weir_a_attr("data_format", weir_node_attr(n, "data_format"));
    weir_edge y = put(&a, "BiasAdd", (weir_edge[]){{conv, 0}, shift}, 2, &format, 1);
    WEIR_TRY(a.s);
    for (size_t i = 0; i < n->controls.count; i++)
        weir_graph_add_control(n->controls.at[i], y.node);
    weir_graph_set_input(conv, 1, w);
    weir_pass_move_waiting(n, y.node);
    weir_graph_replace((weir_edge){n, 0}, y);
    weir_graph_remove(n);
    return WEIR_OK;
}

/* ---- products of constants ------------------------------------------------------------------- */

/* True when |v| has one element for each of the last dimension of |w| and of results of |rank|. */
static bool is_per_channel(const weir_tensor *v, const weir_tensor *w, int rank)
{
    if (v->shape.rank > rank || v->shape.rank > w->shape.rank || w->shape.rank < 1)
        return false;
    int64_t count = weir_tensor_count(v), channels = w->shape.dims[w->shape.rank - 1];
    bool whole = v->shape.rank == 0 || v->shape.dims[v->shape.rank - 1] == count;
    return whole && (count == 1 || count == channels);
}

static bool can_take(const weir_pass_env *env, const weir_node *layer, const weir_tensor *v)
{
    const weir_tensor *w = weir_pass_value(layer->in[1]);
    if (!w || !v || layer->out_shapes[0].rank < 0 || weir_tensor_count(v) == 0 ||
        (int64_t)weir_tensor_bytes(w) > env->options.fold_limit_bytes)
        return false;
    if (weir_node_is(layer, "MatMul")
            ? weir_node_attr(layer, "transpose_b")->b
            : !weir_str_is(weir_node_attr(layer, "data_format")->s, "NHWC"))
        return false;
    return is_per_channel(v, w, layer->out_shapes[0].rank);
}

static weir_status fold_product(const weir_pass_env *env, weir_node *n)
{
    for (int i = 0; i < 2; i++) {
        weir_node *layer = layer_at(env, n, i);
        weir_edge v = n->in[1 - i];
        if (!layer || !can_take(env, layer, weir_pass_value(v)))
            continue;
        adding a = {.at = layer};
        weir_edge w = put2(&a, "Mul", layer->in[1], v);
        WEIR_TRY(a.s);
        if (weir_pass_bypass(env, n, (weir_edge){layer, 0}))
            weir_graph_set_input(layer, 1, w);
        return WEIR_OK;
    }
    return WEIR_OK;
}

weir_status weir_pass_norm(weir_graph *g, const weir_pass_env *env)
{
    size_t count;
    weir_node **order = weir_graph_order(g, &count);
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < count && !s; i++) {
        weir_node *n = order[i];
        if (n->removed || !n->site.op)
            continue;
        weir_node *conv = is_norm(env, n) ? layer_at(env, n, X) : NULL;
        if (conv && weir_node_is(conv, "Conv2D") && same_format(conv, n) && is_cheaper(conv))
            s = fold_norm(n, conv);
        else if (weir_node_is(n, "Mul") && !weir_pass_kept(env, n))
            s = fold_product(env, n);
    }
    weir_free(order);
    return s;
}
