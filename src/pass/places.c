/* pass/places.c - on devices, a max pool stores the position of each maximum in its window, one
 * byte each, so that its gradient need not search for it.
 *
 *   MaxPool                           _MaxPoolPlaces
 *   MaxPoolGrad, _MaxPoolReluGrad     _PlacesGrad
 *
 * Also, gradients of layers whose results were concatenated read their channels in place:
 *
 *   Slice or SplitV, _ReluBiasGrad    _SliceReluBiasGrad
 *
 * Results are bit-identical. A pool is left unchanged if its windows are too large for a byte, if
 * it is fetched, or if it has no or several gradients in the step.
 */
#include "op/device.h"
#include "pass/remap_impl.h"

enum { MOST_PLACES = 255, ATTRS = 4 };

static const char *const names[ATTRS] = {"ksize", "strides", "padding", "data_format"};

static bool is_on_device(const weir_pass_env *env, const weir_node *node)
{
    const weir_device_kernels *kernels = env->options.kernels;
    const weir_kernel *kernel;
    return kernels->memory(kernels->arg, node->site.device) &&
           kernels->find(&node->site, &kernel) == WEIR_DEVICE_KERNEL;
}

static bool is_small(const weir_node *pool)
{
    const weir_attr *size = weir_node_attr(pool, "ksize");
    weir_str padding = weir_node_attr(pool, "padding")->s;
    return size->count == 4 && size->is[0] == 1 && size->is[3] == 1 && size->is[1] > 0 &&
           size->is[2] > 0 && size->is[1] <= MOST_PLACES / size->is[2] &&
           (weir_str_is(padding, "SAME") || weir_str_is(padding, "VALID")) &&
           weir_str_is(weir_node_attr(pool, "data_format")->s, "NHWC");
}

static bool is_pool(const weir_pass_env *env, const weir_node *node)
{
    int type =
        node->removed || node->site.out_count != 1 ? WEIR_DT_INVALID : node->site.out_types[0];
    return (type == WEIR_FLOAT || type == WEIR_BFLOAT16 || type == WEIR_HALF) &&
           weir_node_is(node, "MaxPool") && !weir_pass_kept(env, node) && is_small(node) &&
           weir_pass_pure(node) && is_on_device(env, node);
}

static bool has_equal_attrs(const weir_node *a, const weir_node *b)
{
    for (int i = 0; i < ATTRS; i++)
        if (!weir_attr_eq(weir_node_attr(a, names[i]), weir_node_attr(b, names[i])))
            return false;
    return true;
}

/* The only gradient of |pool|; null: none, or several. */
static weir_node *gradient_of(const weir_pass_env *env, const weir_node *pool)
{
    weir_node *found = NULL;
    for (size_t i = 0; i < pool->uses.count; i++) {
        weir_node *node = pool->uses.at[i].node;
        bool grad = weir_node_is(node, "MaxPoolGrad") || weir_node_is(node, "_MaxPoolReluGrad");
        if (!grad || pool->uses.at[i].input != 1)
            continue;
        if (found)
            return NULL;
        found = node;
    }
    bool may = found && weir_edge_eq(found->in[0], pool->in[0]) && has_equal_attrs(found, pool) &&
               !weir_pass_kept(env, found) && is_on_device(env, found) &&
               strcmp(found->site.device, pool->site.device) == 0;
    return may ? found : NULL;
}

static weir_status add(weir_node *like, const char *op, const weir_edge *in, int in_count,
                       const weir_named_attr *more, int more_count, weir_node **out_node)
{
    weir_named_attr attrs[ATTRS + 2];
    for (int i = 0; i < ATTRS; i++)
        attrs[i] = weir_a_attr(names[i], weir_node_attr(like, names[i]));
    for (int i = 0; i < more_count; i++)
        attrs[ATTRS + i] = more[i];
    return weir_pass_add(like, "", "/places",
                         &(weir_node_spec){.op = op,
                                           .in = in,
                                           .in_count = in_count,
                                           .attrs = attrs,
                                           .attr_count = ATTRS + more_count},
                         out_node);
}

static weir_status keep_places(weir_node *pool, weir_node *grad)
{
    bool relu = weir_node_is(grad, "_MaxPoolReluGrad");
    weir_node *kept, *made;
    weir_named_attr of_pool[] = {weir_a_bool("relu", relu)};
    weir_named_attr of_grad[] = {weir_a_bool("sums", relu),
                                 weir_a_type("B", relu ? grad->site.out_types[1] : WEIR_FLOAT)};
    WEIR_TRY(add(pool, "_MaxPoolPlaces", pool->in, 1, of_pool, 1, &kept));
    WEIR_TRY(add(grad, "_PlacesGrad", (weir_edge[]){grad->in[0], {kept, 1}, grad->in[2]}, 3,
                 of_grad, 2, &made));
    weir_graph_replace((weir_edge){pool, 0}, (weir_edge){kept, 0});
    for (int i = 0; i < grad->site.out_count; i++)
        weir_graph_replace((weir_edge){grad, i}, (weir_edge){made, i});
    weir_remap_take_place(pool, kept);
    weir_remap_take_place(grad, made);
    weir_pass_remove(grad);
    weir_pass_remove(pool);
    return WEIR_OK;
}

/* ---- gradients of concatenated layers -------------------------------------------------------- */

enum { MOST_PARTS = 64 };

/* The first channel of a slice along channels only; below 0: another slice. */
static int64_t first_of_slice(const weir_node *slice)
{
    const weir_shape *in = weir_edge_shape(slice->in[0]), *out = &slice->out_shapes[0];
    const weir_tensor *value = weir_pass_value(slice->in[1]);
    int64_t begin[WEIR_MAX_RANK], count = 0;
    if (!value || !weir_shape_known(in) || !weir_shape_known(out) || in->rank < 2)
        return -1;
    weir_status status = weir_tensor_get_ints(value, begin, WEIR_MAX_RANK, &count);
    bool channels = !status && count == in->rank;
    weir_status_free(status);
    for (int i = 0; channels && i < in->rank - 1; i++)
        channels = begin[i] == 0 && in->dims[i] == out->dims[i];
    return channels ? begin[in->rank - 1] : -1;
}

/* The same for output |index| of a SplitV. */
static int64_t first_of_part(const weir_node *split, int index)
{
    const weir_shape *in = weir_edge_shape(split->in[0]);
    const weir_tensor *sizes = weir_pass_value(split->in[1]);
    const weir_tensor *axis = weir_pass_value(split->in[2]);
    int64_t parts[MOST_PARTS], at[1], count = 0, one = 0, first = 0;
    if (!sizes || !axis || !weir_shape_known(in) || in->rank < 2)
        return -1;
    weir_status status = weir_tensor_get_ints(sizes, parts, MOST_PARTS, &count);
    if (!status)
        status = weir_tensor_get_ints(axis, at, 1, &one);
    bool known = !status && one == 1 && (at[0] == -1 || at[0] == in->rank - 1) && index < count;
    weir_status_free(status);
    int64_t whole = in->dims[in->rank - 1];
    for (int i = 0; known && i <= index; i++) { /* a size of -1 is the rest: unknown */
        known = parts[i] >= 0 && parts[i] <= whole - first;
        first += known && i < index ? parts[i] : 0;
    }
    return known ? first : -1;
}

static bool is_alone(weir_edge edge)
{
    int users = 0;
    for (size_t i = 0; i < edge.node->uses.count; i++)
        users += edge.node->uses.at[i].output == edge.index;
    return users == 1;
}

/* The first channel that |grad| reads from a larger gradient tensor; below 0: none. */
static int64_t first_channel(const weir_pass_env *env, const weir_node *grad)
{
    weir_edge edge = grad->in[0];
    const weir_node *part = edge.node;
    bool slice = weir_node_is(part, "Slice");
    bool may = (slice || weir_node_is(part, "SplitV")) && !part->removed && is_alone(edge) &&
               !weir_pass_kept(env, part) && is_on_device(env, part) &&
               strcmp(part->site.device, grad->site.device) == 0 &&
               !weir_pass_shares_variable(part->in[0]) &&
               weir_shape_eq(weir_edge_shape(edge), weir_edge_shape(grad->in[1]));
    return !may ? -1 : slice ? first_of_slice(part) : first_of_part(part, edge.index);
}

static weir_status join_slice(const weir_pass_env *env, weir_node *grad)
{
    weir_node *part = grad->in[0].node, *made;
    int64_t first = first_channel(env, grad);
    if (first < 0)
        return WEIR_OK;
    weir_named_attr attrs[] = {weir_a_type("B", grad->site.out_types[1]),
                               weir_a_int("first", first)};
    WEIR_TRY(weir_pass_add(grad, "", "/slice",
                           &(weir_node_spec){.op = "_SliceReluBiasGrad",
                                             .in = (weir_edge[]){part->in[0], grad->in[1]},
                                             .in_count = 2,
                                             .attrs = attrs,
                                             .attr_count = 2},
                           &made));
    for (size_t k = 0; k < part->controls.count; k++)
        weir_graph_add_control(part->controls.at[k], made);
    for (int i = 0; i < grad->site.out_count; i++)
        weir_graph_replace((weir_edge){grad, i}, (weir_edge){made, i});
    weir_remap_take_place(grad, made);
    weir_pass_remove(grad);
    if (!part->uses.count)
        weir_pass_remove(part);
    return WEIR_OK;
}

weir_status weir_pass_places(weir_graph *graph, const weir_pass_env *env)
{
    size_t count = graph->nodes.count;
    for (size_t i = 0; i < count && env->options.kernels; i++) {
        weir_node *node = graph->nodes.at[i];
        weir_node *grad = is_pool(env, node) ? gradient_of(env, node) : NULL;
        if (grad)
            WEIR_TRY(keep_places(node, grad));
        else if (!node->removed && weir_node_is(node, "_ReluBiasGrad") && is_on_device(env, node))
            WEIR_TRY(join_slice(env, node));
    }
    return WEIR_OK;
}
