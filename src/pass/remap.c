/* pass/remap.c - putting a node of our own in the place of others. */
#include "pass/remap_impl.h"

void weir_remap_take_place(weir_node *old, weir_node *made)
{
    for (size_t i = 0; i < old->controls.count; i++)
        if (old->controls.at[i] != made)
            weir_graph_add_control(old->controls.at[i], made);
    weir_pass_move_waiting(old, made);
}

void weir_remap_pass_waiting_on(weir_node *n)
{
    while (n->uses.count) {
        weir_node *user = n->uses.at[0].node;
        for (int i = 0; i < n->site.in_count; i++)
            weir_graph_add_control(n->in[i].node, user);
        for (size_t i = 0; i < n->controls.count; i++)
            weir_graph_add_control(n->controls.at[i], user);
        weir_graph_remove_control(n, user);
    }
}

/* Only what has one input leads further, so that no stack is needed. */
void weir_remap_sweep(const weir_pass_env *env, weir_node *n)
{
    while (n && !n->removed && n->uses.count == 0 && weir_pass_pure(n) && !weir_pass_kept(env, n)) {
        weir_node *below = n->site.in_count == 1 ? n->in[0].node : NULL;
        weir_pass_remove(n);
        n = below;
    }
}
