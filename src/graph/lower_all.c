/* graph/lower_all.c - opens up every call and functional control flow of a graph. */
#include "graph/lower.h"
#include "graph/paste.h"

/* ---- all of them ------------------------------------------------------------------------------
 */

/* The functions a node was copied out of, innermost first. */
typedef struct origin {
    const char *functions[8];
    int count;
    const struct origin *outer;
} origin;

static void note_function(origin *o, const char *name)
{
    if (o->count < 8)
        o->functions[o->count++] = name;
}

/* The functions that |n| calls. */
static origin calls_of(const weir_node *n)
{
    origin o = {0};
    if (n->function)
        note_function(&o, n->function->def.name);
    for (int i = 0; i < n->site.def->attr_count; i++) {
        const weir_attr *a = &n->site.attrs[i];
        for (int k = 0; a->kind == WEIR_ATTR_FUNC && k < (a->is_list ? a->count : 1); k++)
            note_function(&o, a->is_list ? a->funcs[k].name : a->func->name);
    }
    return o;
}

static bool is_within(const origin *calls, const origin *at)
{
    for (; at; at = at->outer)
        for (int i = 0; i < calls->count; i++)
            for (int k = 0; k < at->count; k++)
                if (strcmp(calls->functions[i], at->functions[k]) == 0)
                    return true;
    return false;
}

/* Calls are opened up, but branches and loops run as the ops they are unless they ask for it. */
static bool is_asked_for(const weir_node *n)
{
    const weir_attr *a = weir_node_attr(n, "_lower_using_switch_merge");
    bool call = n->function || weir_node_attr(n, "f");
    return call || (a && a->kind == WEIR_ATTR_BOOL && a->b);
}

/* A call of a function that asks not to be inlined. */
static bool is_kept_apart(const weir_node *n)
{
    const weir_function *f = n->function;
    if (weir_node_flow(n) == WEIR_FLOW_CALL)
        f = weir_graph_find_function(n->graph, weir_str_of(weir_node_attr(n, "f")->func->name));
    const weir_attr *a = f ? weir_named_attr_find(f->attrs, f->attr_count, "_noinline") : NULL;
    return a && a->kind == WEIR_ATTR_BOOL && a->b;
}

void weir_lower_prune(weir_graph *g, size_t first)
{
    bool *needed = WEIR_NEW_ARRAY(bool, g->nodes.count);
    WEIR_VEC(weir_node *) work = {0};
    for (size_t i = 0; i < g->nodes.count; i++) {
        weir_node *n = g->nodes.at[i];
        if (!n->removed && (i < first || weir_node_has_effect(n)))
            weir_vec_push(&work, n);
    }
    while (work.count) {
        weir_node *n = work.at[--work.count];
        if (needed[n->id])
            continue;
        needed[n->id] = true;
        for (int i = 0; i < n->site.in_count; i++)
            weir_vec_push(&work, n->in[i].node);
        for (size_t i = 0; i < n->controls.count; i++)
            weir_vec_push(&work, n->controls.at[i]);
    }
    for (size_t i = g->nodes.count; i-- > first;)
        if (!needed[i] && !g->nodes.at[i]->removed)
            weir_graph_remove(g->nodes.at[i]);
    weir_vec_fini(&work);
    weir_free(needed);
}

weir_status weir_lower_all(weir_graph *g, weir_lower_ready ready, bool unasked)
{
    WEIR_VEC(const origin *) origins = {0};
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < g->nodes.count && !s; i++) {
        weir_node *n = g->nodes.at[i];
        if (n->removed || !weir_lower_serves(n) || !(unasked || is_asked_for(n)))
            continue;
        const origin *at = i < origins.count ? origins.at[i] : NULL;
        origin *calls = WEIR_ARENA_NEW(&g->arena, origin);
        *calls = calls_of(n);
        if (is_within(calls, at) || (!unasked && is_kept_apart(n))) {
            s = weir_lower_to_call(n);
            continue;
        }
        calls->outer = at;
        while (origins.count < g->nodes.count)
            weir_vec_push(&origins, NULL);
        s = weir_lower(n, ready);
        while (origins.count < g->nodes.count)
            weir_vec_push(&origins, calls);
    }
    weir_vec_fini(&origins);
    return s;
}
