/* planted.c - wrong passes, for the test of tools/differential: which one is in WEIR_PLANT. Linked
 * with the library's objects into libweir_planted.so, which nothing else uses. */
#include <stdlib.h>

#include "pass/pass_impl.h"

/* The first element of a constant of floats; 1 of anything else. */
static float first_of(weir_edge edge)
{
    if (!weir_pass_is_const(edge.node))
        return 1;
    const weir_tensor *value = weir_pass_value(edge);
    return value->dtype == WEIR_FLOAT && weir_tensor_count(value) ? *(float *)value->data : 1;
}

static bool same_shape(weir_edge a, weir_edge b)
{
    const weir_shape *x = weir_edge_shape(a), *y = weir_edge_shape(b);
    return weir_shape_known(x) && weir_shape_known(y) && weir_shape_eq(x, y);
}

/* ---- each gets every node once ----------------------------------------------------------------
 */

static weir_status sub_swapped(weir_node *node)
{
    if (!weir_node_is(node, "Sub"))
        return WEIR_OK;
    weir_edge first = node->in[0], second = node->in[1];
    weir_graph_set_input(node, 0, second);
    weir_graph_set_input(node, 1, first);
    return WEIR_OK;
}

static weir_status zero_product(weir_node *node)
{
    weir_edge output = {node, 0};
    if (weir_node_is(node, "Mul") && first_of(node->in[1]) == 0 && same_shape(node->in[1], output))
        weir_graph_replace(output, node->in[1]);
    return WEIR_OK;
}

static weir_status zero_sum(weir_node *node)
{
    weir_edge output = {node, 0};
    if ((weir_node_is(node, "AddV2") || weir_node_is(node, "Add")) && first_of(node->in[1]) == 0 &&
        same_shape(node->in[0], output))
        weir_graph_replace(output, node->in[0]);
    return WEIR_OK;
}

static weir_status transposes_cancel(weir_node *node)
{
    if (weir_node_is(node, "Transpose") && weir_node_is(node->in[0].node, "Transpose"))
        weir_graph_replace((weir_edge){node, 0}, node->in[0].node->in[0]);
    return WEIR_OK;
}

static weir_status negation_lost(weir_node *node)
{
    if (weir_node_is(node, "Neg") && weir_node_is(node->in[0].node, "Neg"))
        weir_graph_replace((weir_edge){node, 0}, node->in[0]);
    return WEIR_OK;
}

static weir_status merge_first(weir_node *node)
{
    if (weir_node_is(node, "Merge") && !weir_node_is(node->in[1].node, "NextIteration"))
        weir_graph_replace((weir_edge){node, 0}, node->in[0]);
    return WEIR_OK;
}

static weir_status mean_is_sum(weir_node *node)
{
    weir_node *sum;
    if (!weir_node_is(node, "Mean"))
        return WEIR_OK;
    weir_named_attr attrs[] = {weir_a_attr("keep_dims", weir_node_attr(node, "keep_dims"))};
    weir_node_spec spec = {
        .op = "Sum", .in = node->in, .in_count = 2, .attrs = attrs, .attr_count = 1};
    WEIR_TRY(weir_pass_add(node, "planted/", "", &spec, &sum));
    weir_graph_replace((weir_edge){node, 0}, (weir_edge){sum, 0});
    return WEIR_OK;
}

/* An update that is done twice. */
static weir_status update_twice(weir_node *node)
{
    weir_node *again;
    if (!weir_node_is(node, "AssignAddVariableOp"))
        return WEIR_OK;
    weir_node_spec spec = {.op = "AssignAddVariableOp", .in = node->in, .in_count = 2};
    WEIR_TRY(weir_pass_add(node, "planted/", "", &spec, &again));
    for (size_t i = 0; i < node->controls.count; i++)
        weir_graph_add_control(node->controls.at[i], again);
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.at[i].input < 0)
            weir_graph_add_control(again, node->uses.at[i].node);
    return WEIR_OK;
}

static weir_status read_early(weir_node *node)
{
    while (weir_node_is(node, "ReadVariableOp") && node->controls.count)
        weir_graph_remove_control(node->controls.at[0], node);
    return WEIR_OK;
}

static weir_status product_transposed(weir_node *node)
{
    const weir_shape *a = weir_node_is(node, "MatMul") ? weir_edge_shape(node->in[0]) : NULL;
    if (!a || !weir_shape_known(a) || a->dims[0] != a->dims[1])
        return WEIR_OK;
    weir_attr flipped = {.kind = WEIR_ATTR_BOOL, .b = !weir_node_attr(node, "transpose_a")->b};
    return weir_graph_set_attr(node, "transpose_a", &flipped);
}

/* ---- choosing ---------------------------------------------------------------------------------
 */

static const struct planted {
    const char *name;
    weir_status (*run)(weir_node *node);
} all[] = {{"sub_swapped", sub_swapped},     {"zero_product", zero_product},
           {"zero_sum", zero_sum},           {"transposes_cancel", transposes_cancel},
           {"negation_lost", negation_lost}, {"merge_first", merge_first},
           {"mean_is_sum", mean_is_sum},     {"update_twice", update_twice},
           {"read_early", read_early},       {"product_transposed", product_transposed}};

static const struct planted *chosen;

static weir_status run_all(weir_graph *graph, weir_pass_stage stage)
{
    size_t count = stage == WEIR_AFTER_PLACEMENT ? graph->nodes.count : 0;
    for (size_t i = 0; i < count; i++)
        if (!graph->nodes.at[i]->removed)
            WEIR_TRY(chosen->run(graph->nodes.at[i]));
    return WEIR_OK;
}

__attribute__((constructor)) static void plant(void)
{
    const char *name = getenv("WEIR_PLANT");
    for (size_t i = 0; name && i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].name) == 0)
            chosen = &all[i];
    weir_pass_planted = chosen ? run_all : NULL;
}
