/* pass/prune.c - removes nodes that nothing kept depends on. */
#include "pass/pass_impl.h"

static void mark(weir_graph *graph, bool *needed, weir_node **work, size_t count)
{
    while (count) {
        weir_node *node = work[--count];
        for (int i = 0; i < node->site.in_count; i++)
            if (!needed[node->in[i].node->id]) {
                needed[node->in[i].node->id] = true;
                work[count++] = node->in[i].node;
            }
        for (size_t i = 0; i < node->controls.count; i++)
            if (!needed[node->controls.at[i]->id]) {
                needed[node->controls.at[i]->id] = true;
                work[count++] = node->controls.at[i];
            }
    }
}

weir_status weir_pass_prune(weir_graph *graph, const weir_pass_env *env)
{
    bool *needed = WEIR_NEW_ARRAY(bool, graph->nodes.count);
    weir_node **work = WEIR_NEW_ARRAY(weir_node *, graph->nodes.count);
    size_t count = 0;
    for (size_t i = 0; i < env->count; i++)
        if (env->kept[i] && !graph->nodes.at[i]->removed) {
            needed[i] = true;
            work[count++] = graph->nodes.at[i];
        }
    mark(graph, needed, work, count);
    for (size_t i = graph->nodes.count; i-- > 0;)
        if (!needed[i] && !graph->nodes.at[i]->removed)
            weir_pass_remove(graph->nodes.at[i]);
    weir_free(work);
    weir_free(needed);
    return WEIR_OK;
}
