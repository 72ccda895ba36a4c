/* pass/prune.c - removes nodes that nothing kept depends on. */
#include "pass/pass_impl.h"

static void mark(weir_graph *g, bool *needed, weir_node **work, size_t count)
{
    while (count) {
        weir_node *n = work[--count];
        for (int i = 0; i < n->site.in_count; i++)
            if (!needed[n->in[i].node->id]) {
                needed[n->in[i].node->id] = true;
                work[count++] = n->in[i].node;
            }
        for (size_t i = 0; i < n->controls.count; i++)
            if (!needed[n->controls.at[i]->id]) {
                needed[n->controls.at[i]->id] = true;
                work[count++] = n->controls.at[i];
            }
    }
}

weir_status weir_pass_prune(weir_graph *g, const weir_pass_env *env)
{
    bool *needed = WEIR_NEW_ARRAY(bool, g->nodes.count);
    weir_node **work = WEIR_NEW_ARRAY(weir_node *, g->nodes.count);
    size_t count = 0;
    for (size_t i = 0; i < env->count; i++)
        if (env->kept[i] && !g->nodes.at[i]->removed) {
            needed[i] = true;
            work[count++] = g->nodes.at[i];
        }
    mark(g, needed, work, count);
    for (size_t i = g->nodes.count; i-- > 0;)
        if (!needed[i] && !g->nodes.at[i]->removed)
            weir_pass_remove(g->nodes.at[i]);
    weir_free(work);
    weir_free(needed);
    return WEIR_OK;
}
