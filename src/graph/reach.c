/* graph/reach.c - collects functions referenced by op types, attrs and gradients. */
#include "graph/reach.h"

void weir_reach_name(weir_reach *reach, const char *name)
{
    const weir_function *function = weir_graph_find_function(reach->library, weir_str_of(name));
    if (function && !weir_map_put(&reach->seen, weir_str_of(name), (void *)function))
        weir_vec_push(&reach->found, function);
}

static void reach_func(weir_reach *reach, const weir_func *func)
{
    weir_reach_name(reach, func->name);
    for (int i = 0; i < func->attr_count; i++)
        weir_reach_attr(reach, &func->attrs[i].value);
}

void weir_reach_attr(weir_reach *reach, const weir_attr *attr)
{
    if (attr->kind != WEIR_ATTR_FUNC)
        return;
    if (!attr->is_list)
        reach_func(reach, attr->func);
    for (int i = 0; attr->is_list && i < attr->count; i++)
        reach_func(reach, &attr->funcs[i]);
}

void weir_reach_body(weir_reach *reach, const weir_function *function)
{
    for (int i = 0; i < function->node_count; i++) {
        const weir_function_node *node = &function->nodes[i];
        weir_reach_name(reach, node->op);
        for (int k = 0; k < node->attr_count; k++)
            weir_reach_attr(reach, &node->attrs[k].value);
    }
    if (function->gradient)
        weir_reach_name(reach, function->gradient);
}

void weir_reach_all(weir_reach *reach)
{
    for (size_t i = 0; i < reach->found.count; i++) /* it grows meanwhile */
        weir_reach_body(reach, reach->found.at[i]);
}

void weir_reach_fini(weir_reach *reach)
{
    weir_map_fini(&reach->seen);
    weir_vec_fini(&reach->found);
}
