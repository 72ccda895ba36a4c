/* grad/tidy.c - dead code elimination after differentiation.
 *
 * Gradient functions compute unneeded gradients, and request forward values that known shapes make
 * unnecessary. A saved value is live if a live node reads its pop; the control edges that order
 * pushes and pops do not count.
 */
#include "grad/grad_impl.h"

typedef struct tidying {
    weir_engine *e;
    bool *needed;  /* by node id, of new nodes */
    bool *ordered; /* by node id: push or pop of a saved value */
    WEIR_VEC(weir_node *) work;
} tidying;

static void need(tidying *tidying, weir_node *node)
{
    if (!node || node->id < tidying->e->first_new || tidying->needed[node->id])
        return;
    tidying->needed[node->id] = true;
    weir_vec_push(&tidying->work, node);
}

static void follow(tidying *tidying)
{
    while (tidying->work.count) {
        weir_node *node = tidying->work.at[--tidying->work.count];
        for (int i = 0; i < node->site.in_count; i++)
            need(tidying, node->in[i].node);
        for (size_t i = 0; i < node->controls.count; i++)
            if (!tidying->ordered[node->controls.at[i]->id])
                need(tidying, node->controls.at[i]);
    }
}

/* A live pop keeps its push live, and with it possibly other pops. */
static void mark(tidying *tidying, const weir_edge *dx, int count)
{
    for (int i = 0; i < count; i++)
        need(tidying, dx[i].node);
    bool more = true;
    while (more) {
        follow(tidying);
        more = false;
        for (size_t i = 0; i < tidying->e->saves.count; i++) {
            const weir_save *save = &tidying->e->saves.at[i];
            if (tidying->needed[save->pop->id] && !tidying->needed[save->push->id]) {
                need(tidying, save->push);
                more = true;
            }
        }
    }
}

static void remove_node(weir_node *node)
{
    for (size_t i = node->uses.count; i-- > 0;)
        if (node->uses.at[i].input < 0)
            weir_graph_remove_control(node, node->uses.at[i].node);
    weir_graph_remove(node);
}

void weir_tidy(weir_engine *engine, const weir_edge *dx, int count)
{
    size_t nodes = engine->graph->nodes.count;
    tidying tidying = {
        .e = engine, .needed = WEIR_NEW_ARRAY(bool, nodes), .ordered = WEIR_NEW_ARRAY(bool, nodes)};
    for (size_t i = 0; i < engine->saves.count; i++)
        tidying.ordered[engine->saves.at[i].push->id] =
            tidying.ordered[engine->saves.at[i].pop->id] = true;
    mark(&tidying, dx, count);
    for (size_t i = nodes; i-- > (size_t)engine->first_new;)
        if (!tidying.needed[i] && !engine->graph->nodes.at[i]->removed)
            remove_node(engine->graph->nodes.at[i]);
    weir_vec_fini(&tidying.work);
    weir_free(tidying.needed);
    weir_free(tidying.ordered);
}
