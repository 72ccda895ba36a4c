/* pass/remap.c - the passes that make ops of our own, in their order. */
#include "pass/remap.h"

#include "pass/remap_impl.h"

static const struct remapping {
    const char *name;
    weir_pass run;
} remappings[] = {
    {"dropout", weir_pass_dropout}, {"xent", weir_pass_xent},     {"products", weir_pass_products},
    {"updates", weir_pass_updates}, {"gather", weir_pass_gather}, {"dense", weir_pass_dense},
    {"panels", weir_pass_panels},   {"terms", weir_pass_terms},
};

weir_status weir_remap(weir_graph *g, const weir_pass_options *o)
{
    if (o->off)
        return WEIR_OK;
    bool *kept = WEIR_NEW_ARRAY(bool, g->nodes.count);
    for (int i = 0; i < o->keep_count; i++)
        kept[o->keep[i]->id] = true;
    weir_pass_env env = {.options = *o, .count = g->nodes.count, .kept = kept};
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < sizeof remappings / sizeof *remappings && !s; i++)
        if (!weir_pass_skips(o, remappings[i].name))
            s = weir_pass_run_one(remappings[i].name, remappings[i].run, g, &env);
    weir_free(kept);
    return s;
}

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
