/* pass/transposes.c - folds transposes into products.
 *
 * The kernels of a product read either matrix by rows or by columns, so a Transpose of the last two
 * dimensions is replaced by inverting the product's flag.
 */
#include "pass/pass_impl.h"

/* Products by name, with the names of their flags. */
static const struct product {
    const char *op, *flags[2];
} products[] = {
    {"MatMul", {"transpose_a", "transpose_b"}},
    {"BatchMatMul", {"adj_x", "adj_y"}},
    {"BatchMatMulV2", {"adj_x", "adj_y"}},
};

static const struct product *product_of(const weir_node *node)
{
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (weir_node_is(node, products[i].op))
            return &products[i];
    return NULL;
}

/* True when |perm| swaps the last two dimensions and keeps the others. */
static bool swaps_last_two(const weir_tensor *perm)
{
    int64_t order[WEIR_MAX_RANK], rank;
    weir_status status = weir_tensor_get_ints(perm, order, WEIR_MAX_RANK, &rank);
    if (status) {
        weir_status_free(status);
        return false;
    }
    for (int64_t i = 0; i < rank - 2; i++)
        if (order[i] != i)
            return false;
    return rank >= 2 && order[rank - 2] == rank - 1 && order[rank - 1] == rank - 2;
}

static bool is_matrix_transpose(const weir_node *node)
{
    if (!weir_node_is(node, "Transpose") ||
        weir_dtype_is_complex((weir_dtype)node->site.out_types[0]))
        return false;
    const weir_tensor *perm = weir_pass_value(node->in[1]);
    return perm && swaps_last_two(perm) && !weir_pass_shares_variable(node->in[0]);
}

/* The product inherits the control inputs of the transpose and its perm. */
static void hand_on(const weir_node *from, weir_node *to)
{
    for (size_t i = 0; i < from->controls.count; i++)
        weir_graph_add_control(from->controls.at[i], to);
    for (size_t i = 0; i < from->in[1].node->controls.count; i++)
        weir_graph_add_control(from->in[1].node->controls.at[i], to);
}

static weir_status invert_flag(weir_node *node, int input, const char *flag)
{
    const weir_node *t = node->in[input].node;
    weir_named_attr inverted = weir_a_bool(flag, !weir_node_attr(node, flag)->b);
    WEIR_TRY(weir_graph_set_attr(node, flag, &inverted.value));
    hand_on(t, node);
    weir_graph_set_input(node, input, t->in[0]);
    return WEIR_OK;
}

/* The transpose itself is removed as dead code. */
weir_status weir_pass_transposes(weir_graph *graph, const weir_pass_env *env)
{
    (void)env;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        weir_node *node = graph->nodes.at[i];
        const struct product *product = node->removed ? NULL : product_of(node);
        for (int k = 0; product && k < 2; k++)
            if (is_matrix_transpose(node->in[k].node))
                WEIR_TRY(invert_flag(node, k, product->flags[k]));
    }
    return WEIR_OK;
}
