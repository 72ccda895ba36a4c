/* pass/xent.c - fuses the scaling of the gradient of softmax cross-entropy.
 *
 *   loss, dx = SparseSoftmaxCrossEntropyWithLogits(x, labels)
 *   c * dx                                           the same op with c, which gives loss and c *
 * dx
 *
 * c comes from the gradient of the mean over the batch: a constant per row. For a large vocabulary
 * dx is the largest tensor of the step; this saves one read and write of it.
 */
#include "pass/remap_impl.h"

static const char *const forms[][2] = {
    {"SoftmaxCrossEntropyWithLogits", "_ScaledSoftmaxCrossEntropyWithLogits"},
    {"SparseSoftmaxCrossEntropyWithLogits", "_ScaledSparseSoftmaxCrossEntropyWithLogits"},
};

static const char *scaled_form(const weir_node *node)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (weir_node_is(node, forms[i][0]))
            return forms[i][1];
    return NULL;
}

/* The only user of the gradient. */
static weir_node *user_of_gradient(const weir_node *node)
{
    weir_node *found = NULL;
    for (size_t i = 0; i < node->uses.count; i++) {
        if (node->uses.at[i].input < 0 || node->uses.at[i].output != 1)
            continue;
        if (found)
            return NULL;
        found = node->uses.at[i].node;
    }
    return found;
}

/* A scalar, or a column with one for each of |rows| rows, which may be unknown. */
static bool is_scale(const weir_tensor *tensor, int64_t rows)
{
    if (tensor->shape.rank == 0)
        return true;
    return tensor->shape.rank == 2 && tensor->shape.dims[1] == 1 &&
           (tensor->shape.dims[0] == 1 || tensor->shape.dims[0] == rows);
}

/* Whether |node| comes after all that |waiting| waits for. Else the loss would have to wait for it,
 * too, and would be dead with it. */
static bool all_lead_to(const weir_node *waiting, const weir_node *node)
{
    for (size_t i = 0; i < waiting->controls.count; i++)
        if (!weir_pass_leads_to(waiting->controls.at[i], node))
            return false;
    return true;
}

static bool find(const weir_pass_env *env, weir_node *node, weir_node **out_product,
                 weir_edge *out_scale)
{
    int type = node->site.out_types[0];
    weir_node *product = user_of_gradient(node);
    if ((type != WEIR_FLOAT && type != WEIR_DOUBLE) || weir_pass_kept(env, node) || !product ||
        !weir_node_is(product, "Mul") || weir_pass_kept(env, product) ||
        strcmp(product->site.device, node->site.device) != 0 || node->out_shapes[1].rank != 2)
        return false;
    *out_product = product;
    *out_scale = product->in[product->in[0].node == node];
    const weir_tensor *value = weir_pass_value(*out_scale);
    return value && is_scale(value, node->out_shapes[1].dims[0]) && all_lead_to(product, node) &&
           all_lead_to(out_scale->node, node);
}

static weir_status fuse(weir_node *node, const char *form, weir_node *product, weir_edge scale)
{
    weir_edge in[] = {node->in[0], node->in[1], scale};
    weir_node *made;
    WEIR_TRY(weir_pass_add(node, "", "/scaled",
                           &(weir_node_spec){.op = form, .in = in, .in_count = 3}, &made));
    weir_graph_replace((weir_edge){product, 0}, (weir_edge){made, 1});
    weir_remap_take_place(product, made);
    weir_pass_remove(product);
    weir_graph_replace((weir_edge){node, 0}, (weir_edge){made, 0});
    weir_remap_take_place(node, made);
    weir_pass_remove(node);
    return WEIR_OK;
}

weir_status weir_pass_xent(weir_graph *graph, const weir_pass_env *env)
{
    size_t count = graph->nodes.count;
    for (size_t i = 0; i < count; i++) {
        weir_node *node = graph->nodes.at[i], *product;
        const char *form = node->removed ? NULL : scaled_form(node);
        weir_edge scale;
        if (form && find(env, node, &product, &scale) &&
            weir_pass_may_merge((weir_node *[]){node, product}, 2))
            WEIR_TRY(fuse(node, form, product, scale));
    }
    return WEIR_OK;
}
