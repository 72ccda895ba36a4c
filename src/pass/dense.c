/* pass/dense.c - fuses MatMul, an addition and an activation into one op (_MatMulBias), which
 * saves a pass over the result. The addend is a bias, or a matrix of the product's shape as
 * far as known: another product, or the accumulator of a loop, which is then updated in
 * place.
 *
 * An op is fused with the next if that is its only user and it is not fetched. The new op inherits
 * all their control inputs: these cannot depend on one of them, since their users are fused too.
 */
#include "pass/remap_impl.h"

enum { MOST_PARTS = 3 };

static bool is_plain(const weir_pass_env *env, const weir_node *node)
{
    int type =
        node->removed || node->site.out_count != 1 ? WEIR_DT_INVALID : node->site.out_types[0];
    return (type == WEIR_FLOAT || type == WEIR_DOUBLE) && !weir_pass_kept(env, node) &&
           weir_pass_pure(node);
}

static bool is_row(const weir_shape *product, const weir_shape *b)
{
    return b->rank == 1 && product->dims[1] > 0 && product->dims[1] == b->dims[0];
}

static bool may_be_equal(const weir_shape *product, const weir_shape *b)
{
    for (int i = 0; i < 2 && b->rank == 2; i++)
        if (product->dims[i] >= 0 && b->dims[i] >= 0 && product->dims[i] != b->dims[i])
            return false;
    return b->rank == 2 || b->rank < 0;
}

/* The input of |node| that is a product; the other is the addend. -1: there is none. */
static int product_side(const weir_node *node)
{
    const weir_attr *format =
        weir_node_is(node, "BiasAdd") ? weir_node_attr(node, "data_format") : NULL;
    bool bias = format && weir_str_is(format->s, "NHWC");
    if (!bias && !weir_node_is(node, "AddV2") && !weir_node_is(node, "Add"))
        return -1;
    for (int side = 0; side < (bias ? 1 : 2); side++) {
        const weir_shape *c = weir_edge_shape(node->in[side]),
                         *b = weir_edge_shape(node->in[!side]);
        if (weir_node_is(node->in[side].node, "MatMul") && c->rank == 2 &&
            (is_row(c, b) || (!bias && may_be_equal(c, b))))
            return side;
    }
    return -1;
}

static bool is_used_once(const weir_node *node, const weir_node *by)
{
    return node->uses.count == 1 && node->uses.at[0].input >= 0 && node->uses.at[0].node == by &&
           strcmp(node->site.device, by->site.device) == 0;
}

/* Read by |by| only. Its control outputs are moved to its factors: these must not share a
 * variable's memory, and are dead when it is unless they come from a Switch. */
static bool is_read_once(const weir_node *product, const weir_node *by)
{
    int readers = 0;
    for (size_t i = 0; i < product->uses.count; i++) {
        const weir_use *use = &product->uses.at[i];
        readers += use->input >= 0 ? (use->node == by ? 1 : 2) : 0;
    }
    if (readers == 1 && product->uses.count > 1)
        for (int i = 0; i < product->site.in_count; i++)
            readers +=
                weir_flow_splits(product->in[i].node) || weir_pass_shares_variable(product->in[i]);
    return readers == 1 && strcmp(product->site.device, by->site.device) == 0;
}

/* The activation that is the only user of the sum; null: none. */
static weir_node *function_of(const weir_pass_env *env, const weir_node *sum)
{
    weir_node *node = sum->uses.count == 1 ? sum->uses.at[0].node : NULL;
    return node && is_used_once(sum, node) && is_plain(env, node) &&
                   node->site.op->elementwise.arity == 1 && node->site.in_count == 1 &&
                   node->site.out_types[0] == sum->site.out_types[0]
               ? node
               : NULL;
}

static weir_status fuse(const weir_pass_env *env, weir_node *sum)
{
    int side = product_side(sum);
    weir_node *product = side >= 0 ? sum->in[side].node : NULL;
    if (!product || !is_plain(env, product) || !is_read_once(product, sum))
        return WEIR_OK;
    weir_node *parts[MOST_PARTS] = {product, sum, function_of(env, sum)}, *made;
    int count = parts[2] ? 3 : 2;
    weir_node *root = parts[count - 1];
    weir_edge in[] = {product->in[0], product->in[1], sum->in[!side]};
    weir_named_attr attrs[] = {
        weir_a_attr("transpose_a", weir_node_attr(product, "transpose_a")),
        weir_a_attr("transpose_b", weir_node_attr(product, "transpose_b")),
        weir_a_int("unary", parts[2] ? 1 + parts[2]->site.op->elementwise.loop : 0),
        weir_a_bool("broadcast", !is_row(weir_edge_shape(sum->in[side]), weir_edge_shape(in[2]))),
    };
    WEIR_TRY(weir_pass_add(
        root, "", "/dense",
        &(weir_node_spec){
            .op = "_MatMulBias", .in = in, .in_count = 3, .attrs = attrs, .attr_count = 4},
        &made));
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < parts[i]->controls.count; k++)
            weir_graph_add_control(parts[i]->controls.at[k], made);
    weir_graph_replace((weir_edge){root, 0}, (weir_edge){made, 0});
    weir_pass_move_waiting(root, made);
    weir_graph_remove_control(product, made);
    for (int i = count - 1; i > 0; i--)
        weir_pass_remove(parts[i]);
    weir_remap_pass_waiting_on(product);
    weir_pass_remove(product);
    return WEIR_OK;
}

weir_status weir_pass_dense(weir_graph *graph, const weir_pass_env *env)
{
    size_t count = graph->nodes.count; /* excludes nodes added here */
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++)
        if (is_plain(env, graph->nodes.at[i]))
            status = fuse(env, graph->nodes.at[i]);
    return status;
}
