/* pass/unwrap.c - redirects readers of inlined calls, conditionals and loops to the values'
 * sources.
 *
 * Also runs without optimisation: an argument that a call does not use is then not needed, may be
 * invalid, and TensorFlow does not compute it either.
 */
#include "pass/pass_impl.h"

/* An IdentityN left by an inlined call; its control outputs do not need the set of values. */
static bool only_hands_on(const weir_node *node)
{
    if (weir_node_flow(node) != WEIR_FLOW_IDENTITY_N || node->controls.count)
        return false;
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.at[i].input < 0)
            return false;
    for (int i = 0; i < node->site.in_count; i++)
        if (node->site.out_types[i] != weir_edge_type(node->in[i]))
            return false;
    return true;
}

weir_status weir_pass_unwrap(weir_graph *graph, const weir_pass_env *env)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        weir_node *node = graph->nodes.at[i];
        if (node->removed || weir_pass_kept(env, node) || !only_hands_on(node))
            continue;
        for (int k = 0; k < node->site.in_count; k++)
            weir_graph_replace((weir_edge){node, k}, node->in[k]);
        weir_graph_remove(node);
    }
    return WEIR_OK;
}
