/* pass/products.c - AddN of MatMul(a, b, transpose_a), as a weight's gradient over the steps of a
 * recurrent network, becomes one product over all their rows (_MatMulSum).
 *
 * A product joins when only the AddN uses it and nobody fetches it. The new op waits for what any
 * of them waited for; that cannot depend on one of them, since their user is among them too.
 *
 * Gradients are often waited for in groups, so that no variable changes before all that read it
 * have run. A product may be waited for and join all the same when its factors are results of their
 * own rather than a variable's memory, and nothing in the graph is ever dead: who waited for it
 * waits for its factors.
 */
#include "pass/remap_impl.h"

/* Copying the rows of both factors behind each other must be little beside multiplying them. */
enum { MOST_TERMS = 1024, LEAST_SIDE = 64 };

typedef struct merging {
    const weir_pass_env *env;
    bool branches; /* something may be dead */
} merging;

/* A result in memory that no variable shares. */
static bool is_own(weir_edge e)
{
    const weir_op *op = e.node->site.op;
    return op && (op->elementwise.arity || weir_node_is(e.node, "ConcatV2") ||
                  weir_node_is(e.node, "MatMul") || weir_node_is(e.node, "AddN"));
}

/* The only use of its value is as a term; who waits for it can wait for its factors. */
static bool is_only_term(const merging *m, const weir_node *n)
{
    return weir_pass_only_reader(n, 0) &&
           (n->uses.count == 1 || (!m->branches && is_own(n->in[0]) && is_own(n->in[1])));
}

static bool is_term(const merging *m, const weir_node *sum, const weir_node *n)
{
    const weir_shape *shape = n->out_shapes;
    return weir_node_is(n, "MatMul") && !weir_pass_kept(m->env, n) && is_only_term(m, n) &&
           weir_pass_flag(n, "transpose_a") && !weir_pass_flag(n, "transpose_b") &&
           shape->rank == 2 && shape->dims[0] >= LEAST_SIDE && shape->dims[1] >= LEAST_SIDE &&
           strcmp(n->site.device, sum->site.device) == 0;
}

static bool is_sum(const merging *m, const weir_node *n)
{
    int type = n->removed || !weir_node_is(n, "AddN") ? WEIR_DT_INVALID : n->site.out_types[0];
    if ((type != WEIR_FLOAT && type != WEIR_DOUBLE) || weir_pass_kept(m->env, n) ||
        n->site.in_count < 2 || n->site.in_count > MOST_TERMS)
        return false;
    for (int i = 0; i < n->site.in_count; i++)
        if (!is_term(m, n, n->in[i].node))
            return false;
    return true;
}

static weir_status merge(weir_node *sum)
{
    int terms = sum->site.in_count;
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, (size_t)terms * 2);
    weir_node **products = WEIR_NEW_ARRAY(weir_node *, (size_t)terms), *made;
    for (int t = 0; t < terms; t++) {
        products[t] = sum->in[t].node;
        in[t] = products[t]->in[0];
        in[terms + t] = products[t]->in[1];
    }
    weir_status s = weir_pass_add(sum, "", "/product",
                                  &(weir_node_spec){.op = "_MatMulSum",
                                                    .in = in,
                                                    .in_count = 2 * terms,
                                                    .controls = sum->controls.at,
                                                    .control_count = (int)sum->controls.count},
                                  &made);
    if (!s) {
        weir_graph_replace((weir_edge){sum, 0}, (weir_edge){made, 0});
        weir_pass_move_waiting(sum, made);
        weir_pass_remove(sum);
        for (int t = 0; t < terms; t++) {
            for (size_t k = 0; k < products[t]->controls.count; k++)
                weir_graph_add_control(products[t]->controls.at[k], made);
            weir_remap_pass_waiting_on(products[t]);
            weir_pass_remove(products[t]);
        }
    }
    weir_free(in);
    weir_free(products);
    return s;
}

weir_status weir_pass_products(weir_graph *g, const weir_pass_env *env)
{
    merging m = {.env = env};
    size_t count = g->nodes.count; /* those that are added need no look */
    for (size_t i = 0; i < count; i++)
        m.branches |= !g->nodes.at[i]->removed && weir_flow_splits(g->nodes.at[i]);
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < count && !s; i++)
        if (is_sum(&m, g->nodes.at[i]))
            s = merge(g->nodes.at[i]);
    return s;
}
