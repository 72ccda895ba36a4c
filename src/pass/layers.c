/* pass/layers.c - fuses the ops of a layer, so that its results are read and written once.
 *
 *   Conv2D, BiasAdd, Relu                _ConvBias
 *   MaxPoolGrad, ReluGrad, BiasAddGrad   _MaxPoolReluGrad, if the pool's input is the Relu's result
 *   ReluGrad, BiasAddGrad                _ReluBiasGrad
 *
 * Sums over pixels are computed in another order; other results are bit-identical.
 *
 * An op is fused with the next if that is its only user and it is not fetched. The new op inherits
 * all their control inputs: these cannot depend on one of them, since their users are fused too.
 */
#include "pass/pass_impl.h"

static bool is_plain(const weir_pass_env *env, const weir_node *node, const char *op)
{
    return weir_node_is(node, op) && !weir_pass_kept(env, node) && !node->removed &&
           (node->site.out_types[0] == WEIR_FLOAT || weir_pass_narrow(env, node));
}

static bool has_channels_last(const weir_node *node)
{
    const weir_attr *format = weir_node_attr(node, "data_format");
    return format && weir_str_is(format->s, "NHWC");
}

/* The node at input 0, if it is an |op| used only by |node|. */
static weir_node *below(const weir_pass_env *env, const weir_node *node, const char *op)
{
    weir_node *b = node->in[0].node;
    bool alone = node->in[0].index == 0 && b->uses.count == 1 && is_plain(env, b, op);
    return alone && strcmp(b->site.device, node->site.device) == 0 ? b : NULL;
}

/* Of known rank, with known dims except for the first. */
static bool is_sized(const weir_shape *shape, int rank)
{
    bool sized = shape->rank == rank;
    for (int axis = 1; sized && axis < rank; axis++)
        sized = shape->dims[axis] > 0;
    return sized;
}

/* Replaces |parts|, the last of which computes the result, by |op|, with the attrs of |like| that
 * |names| lists (null-terminated). */
static weir_status put(const char *op, weir_node *const *parts, int part_count, const weir_edge *in,
                       int in_count, const weir_node *like, const char *const *names,
                       const weir_named_attr *more, weir_node **out_made)
{
    weir_named_attr attrs[8];
    int count = 0;
    for (; names[count]; count++)
        attrs[count] = weir_a_attr(names[count], weir_node_attr(like, names[count]));
    if (more)
        attrs[count++] = *more;
    weir_node *root = parts[part_count - 1], *made;
    WEIR_TRY(weir_pass_add(
        root, "", "/layer",
        &(weir_node_spec){
            .op = op, .in = in, .in_count = in_count, .attrs = attrs, .attr_count = count},
        &made));
    for (int i = 0; i < part_count; i++)
        for (size_t k = 0; k < parts[i]->controls.count; k++)
            weir_graph_add_control(parts[i]->controls.at[k], made);
    weir_graph_replace((weir_edge){root, 0}, (weir_edge){made, 0});
    weir_pass_move_waiting(root, made);
    *out_made = made;
    return WEIR_OK;
}

static void remove_parts(weir_node *const *parts, int count)
{
    for (int i = count - 1; i >= 0; i--)
        weir_pass_remove(parts[i]);
}

/* ---- forward ----------------------------------------------------------------------------------
 */

static weir_status fuse_conv(const weir_pass_env *env, weir_node *bias)
{
    static const char *const names[] = {"strides",     "padding",   "explicit_paddings",
                                        "data_format", "dilations", NULL};
    weir_node *conv = below(env, bias, "Conv2D");
    if (!conv || !has_channels_last(bias) || !has_channels_last(conv) ||
        !is_sized(&bias->out_shapes[0], 4) || !is_sized(weir_edge_shape(conv->in[0]), 4) ||
        !weir_shape_known(weir_edge_shape(conv->in[1])) ||
        !weir_shape_known(weir_edge_shape(bias->in[1])))
        return WEIR_OK;
    weir_node *parts[3] = {conv, bias}, *made;
    int count = 2;
    weir_node *user = bias->uses.count == 1 ? bias->uses.at[0].node : NULL;
    if (user && is_plain(env, user, "Relu") && below(env, user, "BiasAdd") == bias)
        parts[count++] = user;
    weir_named_attr relu = weir_a_bool("relu", count == 3);
    weir_edge in[] = {conv->in[0], conv->in[1], bias->in[1]};
    WEIR_TRY(put("_ConvBias", parts, count, in, 3, conv, names, &relu, &made));
    remove_parts(parts, count);
    return WEIR_OK;
}

/* ---- backward -------------------------------------------------------------------------------- */

/* The bias gradient of |relu|'s result, if it has no other dependencies; null: none. */
static weir_node *bias_grad_of(const weir_pass_env *env, const weir_node *relu)
{
    for (size_t i = 0; i < relu->uses.count; i++) {
        weir_node *node = relu->uses.at[i].node;
        if (is_plain(env, node, "BiasAddGrad") && has_channels_last(node) &&
            !node->controls.count && strcmp(node->site.device, relu->site.device) == 0)
            return node;
    }
    return NULL;
}

/* The cast of the 16-bit |sum| to float, if it is its only reader; null: there are others. */
static weir_node *widened(const weir_pass_env *env, const weir_node *sum)
{
    weir_node *cast =
        sum && sum->uses.count == 1 && sum->uses.at[0].input == 0 ? sum->uses.at[0].node : NULL;
    bool wide = cast && weir_node_is(cast, "Cast") && cast->site.out_types[0] == WEIR_FLOAT &&
                !weir_pass_kept(env, cast) && !cast->controls.count;
    return wide && strcmp(cast->site.device, sum->site.device) == 0 ? cast : NULL;
}

static void take_sum(weir_node *sum, weir_node *cast, weir_node *made)
{
    weir_node *last = cast ? cast : sum;
    weir_graph_replace((weir_edge){last, 0}, (weir_edge){made, 1});
    weir_pass_move_waiting(last, made);
    if (cast)
        weir_pass_remove(cast);
    weir_pass_remove(sum);
}

static weir_status fuse_grad(const weir_pass_env *env, weir_node *relu)
{
    static const char *const pool_names[] = {
        "ksize", "strides", "padding", "explicit_paddings", "data_format", NULL};
    static const char *const no_names[] = {NULL};
    const weir_shape *x = weir_edge_shape(relu->in[1]);
    weir_node *pool = below(env, relu, "MaxPoolGrad"), *sum = bias_grad_of(env, relu), *made;
    bool pooled = pool && has_channels_last(pool) && pool->in[0].node == relu->in[1].node &&
                  pool->in[0].index == relu->in[1].index && is_sized(x, 4) &&
                  weir_node_attr(pool, "ksize")->is[3] == 1;
    if (x->rank < 2 || (!pooled && (!sum || !weir_shape_eq(x, weir_edge_shape(relu->in[0])))))
        return WEIR_OK;
    weir_node *parts[] = {pool, relu}, *cast = widened(env, sum);
    weir_named_attr type = weir_a_type("B", cast ? WEIR_FLOAT : relu->site.out_types[0]);
    if (pooled)
        WEIR_TRY(put("_MaxPoolReluGrad", parts, 2, pool->in, 3, pool, pool_names, &type, &made));
    else
        WEIR_TRY(put("_ReluBiasGrad", parts + 1, 1, relu->in, 2, relu, no_names, &type, &made));
    if (sum)
        take_sum(sum, cast, made);
    weir_pass_remove(relu);
    if (pooled)
        weir_pass_remove(pool);
    return WEIR_OK;
}

weir_status weir_pass_layers(weir_graph *graph, const weir_pass_env *env)
{
    size_t count = graph->nodes.count;
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++) {
        weir_node *node = graph->nodes.at[i];
        if (node->removed)
            continue;
        if (is_plain(env, node, "BiasAdd"))
            status = fuse_conv(env, node);
        else if (is_plain(env, node, "ReluGrad"))
            status = fuse_grad(env, node);
    }
    return status;
}
