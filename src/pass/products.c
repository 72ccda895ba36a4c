/* pass/products.c - fuses AddN of MatMul(a, b, transpose_a), such as a weight's gradient over the
 * steps of a recurrent network, into one product over all rows (_MatMulSum).
 *
 * A product is fused if only the AddN uses it and it is not fetched. The new op inherits all their
 * control inputs; these cannot depend on one of them, since their user is fused too.
 *
 * Gradients are often grouped by control edges, so that no variable is written before all its
 * readers have run. A product with control outputs can still be fused if its factors do not alias
 * a variable, and nothing in the graph is ever dead: the control outputs are moved to its
 * factors.
 */
#include "op/device.h"
#include "pass/remap_impl.h"

/* The cost of concatenating the rows of both factors must be small compared with the product. */
enum { MOST_TERMS = 1024, LEAST_SIDE = 64 };

typedef struct merging {
    const weir_pass_env *env;
    bool branches; /* some node may be dead */
} merging;

/* A result that does not alias a variable. */
static bool is_own(weir_edge edge)
{
    const weir_op *op = edge.node->site.op;
    return op && (op->elementwise.arity || weir_node_is(edge.node, "ConcatV2") ||
                  weir_node_is(edge.node, "MatMul") || weir_node_is(edge.node, "AddN") ||
                  weir_node_is(edge.node, "Cast"));
}

/* Its only data use is as a term; its control outputs can be moved to its factors. */
static bool is_only_term(const merging *merging, const weir_node *node)
{
    return weir_pass_only_reader(node, 0) &&
           (node->uses.count == 1 ||
            (!merging->branches && is_own(node->in[0]) && is_own(node->in[1])));
}

static bool is_term(const merging *merging, const weir_node *sum, const weir_node *node)
{
    const weir_shape *shape = node->out_shapes;
    return weir_node_is(node, "MatMul") && !weir_pass_kept(merging->env, node) &&
           is_only_term(merging, node) && weir_pass_flag(node, "transpose_a") &&
           !weir_pass_flag(node, "transpose_b") && shape->rank == 2 &&
           shape->dims[0] >= LEAST_SIDE && shape->dims[1] >= LEAST_SIDE &&
           strcmp(node->site.device, sum->site.device) == 0;
}

static bool is_sum(const merging *merging, const weir_node *node)
{
    int type =
        node->removed || !weir_node_is(node, "AddN") ? WEIR_DT_INVALID : node->site.out_types[0];
    const weir_device_kernels *kernels = merging->env->options.kernels;
    bool narrow = type == WEIR_BFLOAT16 && kernels &&
                  kernels->memory(kernels->arg, node->site.device); /* of devices only */
    if ((type != WEIR_FLOAT && type != WEIR_DOUBLE && !narrow) ||
        weir_pass_kept(merging->env, node) || node->site.in_count < 2 ||
        node->site.in_count > MOST_TERMS)
        return false;
    for (int i = 0; i < node->site.in_count; i++)
        if (!is_term(merging, node, node->in[i].node))
            return false;
    return true;
}

static weir_status merge(weir_node *sum)
{
    int terms = sum->site.in_count;
    weir_edge *in = WEIR_NEW_ARRAY(weir_edge, (size_t)terms * 2);
    weir_node **products = WEIR_NEW_ARRAY(weir_node *, (size_t)terms), *made;
    for (int term = 0; term < terms; term++) {
        products[term] = sum->in[term].node;
        in[term] = products[term]->in[0];
        in[terms + term] = products[term]->in[1];
    }
    weir_status status = weir_pass_add(sum, "", "/product",
                                       &(weir_node_spec){.op = "_MatMulSum",
                                                         .in = in,
                                                         .in_count = 2 * terms,
                                                         .controls = sum->controls.at,
                                                         .control_count = (int)sum->controls.count},
                                       &made);
    if (!status) {
        weir_graph_replace((weir_edge){sum, 0}, (weir_edge){made, 0});
        weir_pass_move_waiting(sum, made);
        weir_pass_remove(sum);
        for (int term = 0; term < terms; term++) {
            for (size_t k = 0; k < products[term]->controls.count; k++)
                weir_graph_add_control(products[term]->controls.at[k], made);
            weir_remap_pass_waiting_on(products[term]);
            weir_pass_remove(products[term]);
        }
    }
    weir_free(in);
    weir_free(products);
    return status;
}

/* ---- sums of reductions ---------------------------------------------------------------------- */

/* The gradient of a bias over the steps: on devices, where each small op is a launch, the terms are
 * added before they are reduced, by two launches instead of one per step. */
static bool is_reduced_term(const merging *merging, const weir_node *sum, const weir_node *node)
{
    const weir_node *first = sum->in[0].node;
    return weir_node_is(node, "Sum") && !weir_pass_kept(merging->env, node) &&
           node->uses.count == 1 && !node->controls.count &&
           weir_edge_eq(node->in[1], first->in[1]) && weir_pass_value(node->in[1]) &&
           weir_shape_known(weir_edge_shape(node->in[0])) &&
           weir_shape_eq(weir_edge_shape(node->in[0]), weir_edge_shape(first->in[0])) &&
           weir_pass_flag(node, "keep_dims") == weir_pass_flag(first, "keep_dims") &&
           strcmp(node->site.device, sum->site.device) == 0;
}

static bool is_sum_of_sums(const merging *merging, const weir_node *node)
{
    enum { MOST_ADDED = 30 };
    const weir_device_kernels *kernels = merging->env->options.kernels;
    if (!kernels || node->removed || !weir_node_is(node, "AddN") || node->controls.count ||
        weir_pass_kept(merging->env, node) || node->site.in_count < 3 ||
        node->site.in_count > MOST_ADDED || !kernels->memory(kernels->arg, node->site.device))
        return false;
    for (int i = 0; i < node->site.in_count; i++)
        if (!is_reduced_term(merging, node, node->in[i].node))
            return false;
    return true;
}

/* Whether every term is a cast from bfloat16 only for this sum: then the sum of terms is cast. */
static bool are_cast(const weir_node *sum)
{
    for (int i = 0; i < sum->site.in_count; i++) {
        const weir_node *cast = sum->in[i].node->in[0].node;
        if (!weir_node_is(cast, "Cast") || cast->uses.count != 1 || cast->controls.count ||
            weir_edge_type(cast->in[0]) != WEIR_BFLOAT16 || cast->site.out_types[0] != WEIR_FLOAT)
            return false;
    }
    return true;
}

/* The sum of the terms |in|, in float or in their type before the casts. */
static weir_status add_terms(weir_node *sum, bool cast, weir_edge *in, weir_edge *out_edge)
{
    int terms = sum->site.in_count;
    weir_node *added, *wide;
    WEIR_FREED weir_node **casts = WEIR_NEW_ARRAY(weir_node *, (size_t)terms);
    for (int i = 0; cast && i < terms; i++) {
        casts[i] = in[i].node;
        in[i] = casts[i]->in[0];
    }
    WEIR_TRY(weir_pass_add(sum, "", "/terms",
                           &(weir_node_spec){.op = "AddN", .in = in, .in_count = terms}, &added));
    *out_edge = (weir_edge){added, 0};
    if (!cast)
        return WEIR_OK;
    weir_named_attr types[] = {weir_a_type("SrcT", WEIR_BFLOAT16), weir_a_type("DstT", WEIR_FLOAT)};
    WEIR_TRY(weir_pass_add(
        sum, "", "/float",
        &(weir_node_spec){
            .op = "Cast", .in = out_edge, .in_count = 1, .attrs = types, .attr_count = 2},
        &wide));
    *out_edge = (weir_edge){wide, 0};
    return WEIR_OK;
}

static weir_status reduce_once(weir_node *sum)
{
    int terms = sum->site.in_count;
    weir_node *first = sum->in[0].node, *made = NULL;
    bool cast = are_cast(sum);
    weir_edge added;
    WEIR_FREED weir_edge *in = WEIR_NEW_ARRAY(weir_edge, (size_t)terms);
    WEIR_FREED weir_node **reduced = WEIR_NEW_ARRAY(weir_node *, (size_t)terms);
    for (int i = 0; i < terms; i++) {
        reduced[i] = sum->in[i].node;
        in[i] = reduced[i]->in[0];
    }
    WEIR_FREED weir_edge *read = WEIR_NEW_ARRAY(weir_edge, (size_t)terms);
    memcpy(read, in, sizeof *in * (size_t)terms);
    WEIR_TRY(add_terms(sum, cast, in, &added));
    weir_named_attr keep = weir_a_bool("keep_dims", weir_pass_flag(first, "keep_dims"));
    weir_edge both[] = {added, first->in[1]};
    WEIR_TRY(weir_pass_add(
        sum, "", "/sum",
        &(weir_node_spec){.op = "Sum", .in = both, .in_count = 2, .attrs = &keep, .attr_count = 1},
        &made));
    weir_graph_replace((weir_edge){sum, 0}, (weir_edge){made, 0});
    weir_pass_move_waiting(sum, made);
    weir_pass_remove(sum);
    for (int i = 0; i < terms; i++) {
        weir_pass_remove(reduced[i]);
        if (cast)
            weir_pass_remove(read[i].node);
    }
    return WEIR_OK;
}

weir_status weir_pass_products(weir_graph *graph, const weir_pass_env *env)
{
    merging merging = {.env = env};
    size_t count = graph->nodes.count; /* excludes nodes added here */
    for (size_t i = 0; i < count; i++)
        merging.branches |= !graph->nodes.at[i]->removed && weir_flow_splits(graph->nodes.at[i]);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++) {
        weir_node *node = graph->nodes.at[i];
        if (is_sum(&merging, node))
            status = merge(node);
        else if (is_sum_of_sums(&merging, node))
            status = reduce_once(node);
    }
    return status;
}
