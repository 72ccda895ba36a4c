/* pass/dense.c - MatMul, the bias after it and the function after that become one op (_MatMulBias),
 * so that the result is gone over once more instead of twice.
 *
 * An op joins the next when that is its only user and nobody fetches it. The new op waits for what
 * any of them waited for: that cannot depend on one of them, since their users are among them too.
 */
#include "pass/remap_impl.h"

enum { MOST_PARTS = 3 };

static bool is_plain(const weir_pass_env *env, const weir_node *n)
{
    int type = n->removed || n->site.out_count != 1 ? WEIR_DT_INVALID : n->site.out_types[0];
    return (type == WEIR_FLOAT || type == WEIR_DOUBLE) && !weir_pass_kept(env, n) &&
           weir_pass_pure(n);
}

/* The side of |n| that is a product; the other is its bias. -1: there is none. */
static int product_side(const weir_node *n)
{
    const weir_attr *format = weir_node_is(n, "BiasAdd") ? weir_node_attr(n, "data_format") : NULL;
    bool bias = format && weir_str_is(format->s, "NHWC");
    if (!bias && !weir_node_is(n, "AddV2") && !weir_node_is(n, "Add"))
        return -1;
    for (int side = 0; side < (bias ? 1 : 2); side++) {
        const weir_shape *c = weir_edge_shape(n->in[side]), *b = weir_edge_shape(n->in[!side]);
        if (weir_node_is(n->in[side].node, "MatMul") && c->rank == 2 && b->rank == 1 &&
            c->dims[1] > 0 && c->dims[1] == b->dims[0])
            return side;
    }
    return -1;
}

static bool is_used_once(const weir_node *n, const weir_node *by)
{
    return n->uses.count == 1 && n->uses.at[0].input >= 0 && n->uses.at[0].node == by &&
           strcmp(n->site.device, by->site.device) == 0;
}

/* The function that is all that the sum is for; null: none. */
static weir_node *function_of(const weir_pass_env *env, const weir_node *sum)
{
    weir_node *n = sum->uses.count == 1 ? sum->uses.at[0].node : NULL;
    return n && is_used_once(sum, n) && is_plain(env, n) && n->site.op->unary &&
                   n->site.in_count == 1 && n->site.out_types[0] == sum->site.out_types[0]
               ? n
               : NULL;
}

static weir_status fuse(const weir_pass_env *env, weir_node *sum)
{
    int side = product_side(sum);
    weir_node *product = side >= 0 ? sum->in[side].node : NULL;
    if (!product || !is_plain(env, product) || !is_used_once(product, sum))
        return WEIR_OK;
    weir_node *parts[MOST_PARTS] = {product, sum, function_of(env, sum)}, *made;
    int count = parts[2] ? 3 : 2;
    weir_node *root = parts[count - 1];
    weir_edge in[] = {product->in[0], product->in[1], sum->in[!side]};
    weir_named_attr attrs[] = {
        weir_a_attr("transpose_a", weir_node_attr(product, "transpose_a")),
        weir_a_attr("transpose_b", weir_node_attr(product, "transpose_b")),
        weir_a_int("unary", parts[2] ? parts[2]->site.op->unary : 0),
    };
    WEIR_TRY(weir_pass_add(
        root, "", "/dense",
        &(weir_node_spec){
            .op = "_MatMulBias", .in = in, .in_count = 3, .attrs = attrs, .attr_count = 3},
        &made));
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < parts[i]->controls.count; k++)
            weir_graph_add_control(parts[i]->controls.at[k], made);
    weir_graph_replace((weir_edge){root, 0}, (weir_edge){made, 0});
    weir_pass_move_waiting(root, made);
    for (int i = count - 1; i >= 0; i--)
        weir_pass_remove(parts[i]);
    return WEIR_OK;
}

weir_status weir_pass_dense(weir_graph *g, const weir_pass_env *env)
{
    size_t count = g->nodes.count; /* those that are added need no look */
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < count && !s; i++)
        if (is_plain(env, g->nodes.at[i]))
            s = fuse(env, g->nodes.at[i]);
    return s;
}
