/* grad/tidy.c - takes away what turned out not to be needed.
 *
 * Gradient functions compute gradients that nobody asked for, and ask for forward values that known
 * shapes make unnecessary. A saved value is needed when something needed reads its pop; the control
 * edges that keep pushes and pops in order do not count.
 */
#include "grad/grad_impl.h"

typedef struct tidying {
    weir_engine *e;
    bool *needed;  /* by node id, of new nodes */
    bool *ordered; /* by node id: a push or pop of a saved value */
    WEIR_VEC(weir_node *) work;
} tidying;

static void need(tidying *t, weir_node *n)
{
    if (!n || n->id < t->e->first_new || t->needed[n->id])
        return;
    t->needed[n->id] = true;
    weir_vec_push(&t->work, n);
}

static void follow(tidying *t)
{
    while (t->work.count) {
        weir_node *n = t->work.at[--t->work.count];
        for (int i = 0; i < n->site.in_count; i++)
            need(t, n->in[i].node);
        for (size_t i = 0; i < n->controls.count; i++)
            if (!t->ordered[n->controls.at[i]->id])
                need(t, n->controls.at[i]);
    }
}

/* A pop that is needed needs its push, and with it perhaps other pops. */
static void mark(tidying *t, const weir_edge *dx, int count)
{
    for (int i = 0; i < count; i++)
        need(t, dx[i].node);
    bool more = true;
    while (more) {
        follow(t);
        more = false;
        for (size_t i = 0; i < t->e->saves.count; i++) {
            const weir_save *s = &t->e->saves.at[i];
            if (t->needed[s->pop->id] && !t->needed[s->push->id]) {
                need(t, s->push);
                more = true;
            }
        }
    }
}

static void remove_node(weir_node *n)
{
    for (size_t i = n->uses.count; i-- > 0;)
        if (n->uses.at[i].input < 0)
            weir_graph_remove_control(n, n->uses.at[i].node);
    weir_graph_remove(n);
}

void weir_tidy(weir_engine *e, const weir_edge *dx, int count)
{
    size_t nodes = e->graph->nodes.count;
    tidying t = {
        .e = e, .needed = WEIR_NEW_ARRAY(bool, nodes), .ordered = WEIR_NEW_ARRAY(bool, nodes)};
    for (size_t i = 0; i < e->saves.count; i++)
        t.ordered[e->saves.at[i].push->id] = t.ordered[e->saves.at[i].pop->id] = true;
    mark(&t, dx, count);
    for (size_t i = nodes; i-- > (size_t)e->first_new;)
        if (!t.needed[i] && !e->graph->nodes.at[i]->removed)
            remove_node(e->graph->nodes.at[i]);
    weir_vec_fini(&t.work);
    weir_free(t.needed);
    weir_free(t.ordered);
}
