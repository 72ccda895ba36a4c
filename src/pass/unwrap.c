/* pass/unwrap.c - values of opened calls, branches and loops go straight to who reads them.
 *
 * Runs without optimisation, too: what a call takes and does not use is not needed then, may not be
 * valid, and TensorFlow does not compute it either.
 */
#include "pass/pass_impl.h"

/* IdentityN is what a call leaves behind; nobody waits for a set of values as such. */
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
