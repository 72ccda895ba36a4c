/* pass/remap.c - replaces nodes by internal ops. */
#include "pass/remap_impl.h"

#include "graph/past.h"

void weir_remap_take_place(weir_node *old, weir_node *made)
{
    weir_graph_note_replaced((weir_edge){old, -1}, (weir_edge){made, -1});
    for (size_t i = 0; i < old->controls.count; i++)
        if (old->controls.at[i] != made)
            weir_graph_add_control(old->controls.at[i], made);
    weir_pass_move_waiting(old, made);
}

void weir_remap_pass_waiting_on(weir_node *node)
{
    while (node->uses.count) {
        weir_node *user = node->uses.at[0].node;
        for (int i = 0; i < node->site.in_count; i++)
            weir_graph_add_control(node->in[i].node, user);
        for (size_t i = 0; i < node->controls.count; i++)
            weir_graph_add_control(node->controls.at[i], user);
        weir_graph_remove_control(node, user);
    }
}

/* Continues only through nodes with a single input, so that no stack is needed. */
void weir_remap_sweep(const weir_pass_env *env, weir_node *node)
{
    while (node && !node->removed && node->uses.count == 0 && weir_pass_pure(node) &&
           !weir_pass_kept(env, node)) {
        weir_node *below = node->site.in_count == 1 ? node->in[0].node : NULL;
        weir_pass_remove(node);
        node = below;
    }
}
