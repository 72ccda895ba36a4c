/* pass/pretranspose.c - transposes a loop-invariant operand of products once, before the
 * loop.
 *
 * Otherwise products would transpose the matrix in every iteration; for small ones, as in recurrent
 * networks, this is a good part of the work. The gradient of a loop has such products if the loop
 * multiplies by weights.
 */
#include "pass/pass_impl.h"

typedef struct loop_depths {
    int *depth; /* by node id: loop nesting depth */
    size_t count;
} loop_depths;

static void set_depth(loop_depths *depths, const weir_node *node)
{
    int deepest = 0;
    for (int i = 0; i < node->site.in_count; i++)
        if (depths->depth[node->in[i].node->id] > deepest)
            deepest = depths->depth[node->in[i].node->id];
    for (size_t i = 0; i < node->controls.count; i++)
        if (depths->depth[node->controls.at[i]->id] > deepest)
            deepest = depths->depth[node->controls.at[i]->id];
    weir_flow flow = weir_node_flow(node);
    depths->depth[node->id] =
        deepest + (flow == WEIR_FLOW_ENTER) - (flow == WEIR_FLOW_EXIT && deepest);
}

/* True for an invariant of an outermost loop. */
static bool is_invariant(const loop_depths *depths, const weir_node *node)
{
    return (size_t)node->id < depths->count && weir_node_flow(node) == WEIR_FLOW_ENTER &&
           !weir_dtype_is_ref(node->site.in_types[0]) && weir_node_attr(node, "is_constant")->b &&
           depths->depth[node->in[0].node->id] == 0 && node->controls.count == 0;
}

static weir_status add_transposed(const weir_node *enter, weir_node **out_node)
{
    weir_tensor order = weir_tensor_from(WEIR_INT32, &(weir_shape){1, {2}}, (int32_t[]){1, 0});
    weir_named_attr value[] = {weir_a_tensor("value", &order), weir_a_type("dtype", WEIR_INT32)};
    weir_node *perm, *transposed;
    weir_status status =
        weir_pass_add(enter, "", "/order",
                      &(weir_node_spec){.op = "Const", .attrs = value, .attr_count = 2}, &perm);
    weir_tensor_release(&order);
    WEIR_TRY(status);
    weir_edge in[] = {enter->in[0], {perm, 0}};
    WEIR_TRY(weir_pass_add(enter, "", "/transposed",
                           &(weir_node_spec){.op = "Transpose", .in = in, .in_count = 2},
                           &transposed));
    weir_named_attr attrs[] = {
        weir_a_attr("frame_name", weir_node_attr(enter, "frame_name")),
        weir_a_bool("is_constant", true),
        weir_a_attr("parallel_iterations", weir_node_attr(enter, "parallel_iterations")),
    };
    return weir_pass_add(enter, "", "/transposed/Enter",
                         &(weir_node_spec){.op = "Enter",
                                           .in = &(weir_edge){transposed, 0},
                                           .in_count = 1,
                                           .attrs = attrs,
                                           .attr_count = 3},
                         out_node);
}

static weir_status pretranspose_input(const loop_depths *depths, weir_node *product, int input,
                                      const char *attr)
{
    const weir_node *enter = product->in[input].node;
    if (!weir_node_attr(product, attr)->b || !is_invariant(depths, enter))
        return WEIR_OK;
    weir_node *transposed;
    WEIR_TRY(add_transposed(enter, &transposed));
    weir_attr no = {.kind = WEIR_ATTR_BOOL, .b = false};
    weir_graph_set_input(product, input, (weir_edge){transposed, 0});
    return weir_graph_set_attr(product, attr, &no);
}

weir_status weir_pass_pretranspose(weir_graph *graph, const weir_pass_env *env)
{
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    loop_depths depths = {.depth = WEIR_NEW_ARRAY(int, graph->nodes.count + 1),
                          .count = graph->nodes.count};
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count; i++)
        set_depth(&depths, order[i]);
    for (size_t i = 0; i < count && !status; i++) {
        if (!weir_node_is(order[i], "MatMul") || weir_pass_kept(env, order[i]))
            continue;
        status = pretranspose_input(&depths, order[i], 0, "transpose_a");
        if (!status)
            status = pretranspose_input(&depths, order[i], 1, "transpose_b");
    }
    weir_free(depths.depth);
    weir_free(order);
    return status;
}
