/* pass/defer_sums.c - defers a sum of products in a loop, such as the gradient of a weight over the
 * steps of a recurrent network: the loop collects the factors (_ProductsAdd), and many products are
 * summed at once when enough are collected and at the end (_ProductsEnd).
 *
 * The loop variable becomes a list of products to be summed. This requires that only the loop reads
 * it meanwhile: Merge, Switch, the product with its accumulator (_MatMulBias, of pass/dense.c) and
 * NextIteration in a cycle, Enter before it and Exit after it. Factors are immutable values, so
 * they may be kept for any time.
 */
#include "pass/remap_impl.h"

typedef struct loop_variable {
    weir_node *enter, *merge, *branch, *product, *next, *leave;
    int first; /* the index of |enter| among the inputs of |merge| */
} loop_variable;

/* An accumulator to which the transposed a times b is added. */
static bool is_growing(const weir_pass_env *env, const weir_node *node)
{
    return !node->removed && weir_node_is(node, "_MatMulBias") && node->site.in_count == 3 &&
           !weir_pass_kept(env, node) && weir_pass_flag(node, "transpose_a") &&
           !weir_pass_flag(node, "transpose_b") && weir_pass_flag(node, "broadcast") &&
           weir_node_attr(node, "unary")->i == 0;
}

static bool find_variable(const weir_pass_env *env, weir_node *product, loop_variable *variable)
{
    variable->product = product;
    variable->branch = product->in[2].node;
    if (weir_node_flow(variable->branch) != WEIR_FLOW_SWITCH || product->in[2].index != 1 ||
        weir_node_flow(variable->branch->in[1].node) != WEIR_FLOW_LOOP_COND ||
        weir_pass_only_reader(variable->branch, 1) != product)
        return false;
    variable->merge = variable->branch->in[0].node;
    variable->leave = weir_pass_only_reader(variable->branch, 0);
    variable->next = weir_pass_only_reader(product, 0);
    if (weir_node_flow(variable->merge) != WEIR_FLOW_MERGE || variable->merge->site.in_count != 2 ||
        !variable->leave || weir_node_flow(variable->leave) != WEIR_FLOW_EXIT || !variable->next ||
        weir_node_flow(variable->next) != WEIR_FLOW_NEXT_ITERATION ||
        weir_pass_only_reader(variable->merge, 0) != variable->branch ||
        weir_pass_has_data_use(variable->merge, 1) ||
        weir_pass_only_reader(variable->next, 0) != variable->merge)
        return false;
    variable->first = variable->merge->in[0].node == variable->next;
    variable->enter = variable->merge->in[variable->first].node;
    const weir_node *all[] = {variable->enter, variable->merge, variable->branch, variable->next,
                              variable->leave};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (weir_pass_kept(env, all[i]) || strcmp(all[i]->site.device, product->site.device) != 0)
            return false;
    return weir_node_flow(variable->enter) == WEIR_FLOW_ENTER &&
           !weir_pass_flag(variable->enter, "is_constant") &&
           weir_pass_only_reader(variable->enter, 0) == variable->merge;
}

/* Recreates |old| for the new loop variable. */
static weir_status remake(weir_node *old, const char *op, const weir_edge *in, int in_count,
                          const weir_named_attr *attrs, int attr_count, weir_node **out)
{
    return weir_pass_add(
        old, "", "/products",
        &(weir_node_spec){
            .op = op, .in = in, .in_count = in_count, .attrs = attrs, .attr_count = attr_count},
        out);
}

static weir_status make_variable(const loop_variable *old, loop_variable *made, weir_node **out_sum)
{
    static const char *const names[] = {"frame_name", "is_constant", "parallel_iterations"};
    weir_named_attr attrs[3];
    for (int i = 0; i < 3; i++)
        attrs[i] = weir_a_attr(names[i], weir_node_attr(old->enter, names[i]));
    weir_node *begin;
    WEIR_TRY(remake(old->product, "_ProductsBegin", old->enter->in, 1, NULL, 0, &begin));
    WEIR_TRY(remake(old->enter, "Enter", &(weir_edge){begin, 0}, 1, attrs, 3, &made->enter));
    weir_edge entered = {made->enter, 0};
    WEIR_TRY(
        remake(old->merge, "Merge", (weir_edge[]){entered, entered}, 2, NULL, 0, &made->merge));
    weir_edge merged[] = {{made->merge, 0}, old->branch->in[1]};
    WEIR_TRY(remake(old->branch, "Switch", merged, 2, NULL, 0, &made->branch));
    weir_edge factors[] = {{made->branch, 1}, old->product->in[0], old->product->in[1]};
    WEIR_TRY(remake(old->product, "_ProductsAdd", factors, 3, NULL, 0, &made->product));
    WEIR_TRY(remake(old->next, "NextIteration", &(weir_edge){made->product, 0}, 1, NULL, 0,
                    &made->next));
    weir_graph_set_input(made->merge, !old->first, (weir_edge){made->next, 0});
    WEIR_TRY(remake(old->leave, "Exit", &(weir_edge){made->branch, 0}, 1, NULL, 0, &made->leave));
    weir_named_attr end[] = {weir_a_shape("shape", &old->leave->out_shapes[0]),
                             weir_a_type("T", old->product->site.out_types[0])};
    return remake(old->leave, "_ProductsEnd", &(weir_edge){made->leave, 0}, 1, end, 2, out_sum);
}

static weir_status defer_sum(const loop_variable *old)
{
    loop_variable made;
    weir_node *sum;
    WEIR_TRY(make_variable(old, &made, &sum));
    weir_graph_replace((weir_edge){old->leave, 0}, (weir_edge){sum, 0});
    weir_pass_move_waiting(old->leave, sum);
    weir_remap_take_place(old->leave, made.leave);
    weir_graph_set_input(old->merge, !old->first, (weir_edge){old->enter, 0}); /* no cycle now */
    weir_node *gone[] = {old->leave, old->next, old->product, old->branch, old->merge, old->enter};
    weir_node *stay[] = {made.leave, made.next, made.product, made.branch, made.merge, made.enter};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        weir_remap_take_place(gone[i], stay[i]);
        weir_pass_remove(gone[i]);
    }
    return WEIR_OK;
}

weir_status weir_pass_defer_sums(weir_graph *graph, const weir_pass_env *env)
{
    size_t count = graph->nodes.count; /* excludes nodes added here */
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++) {
        loop_variable variable;
        if (is_growing(env, graph->nodes.at[i]) &&
            find_variable(env, graph->nodes.at[i], &variable))
            status = defer_sum(&variable);
    }
    return status;
}
