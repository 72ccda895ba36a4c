/* pass/batch_updates.c - optimiser steps on small variables become one op (_ApplyMany).
 *
 * Biases and the like have a few hundred elements: a node each costs more than the arithmetic.
 * Steps of one op join when they share their numbers and none of them leads to another. They then
 * wait for all of their gradients, which in graphs with branches, or with nodes that wait for other
 * tasks, may never come together: those stay as they are.
 */
#include "pass/updates_impl.h"

enum { MOST_ELEMENTS = 4096, MOST_MEMBERS = 16 };

typedef struct group {
    weir_node *at[MOST_MEMBERS];
    int count;
    bool *after, *own; /* by node id: what comes after the members, and after one more */
    weir_node **work;  /* as long */
} group;

static bool is_small_step(const weir_pass_env *env, const weir_node *n)
{
    int grad = n->removed || !n->site.op || !n->site.op->update ? -1 : weir_update_grad(n);
    if (grad < 0 || weir_pass_kept(env, n) || !weir_update_is_plain(n, grad) ||
        weir_opdef_attr(n->site.def, "Tindices") >= 0)
        return false;
    int type = n->site.in_types[grad];
    const weir_shape *shape = weir_edge_shape(n->in[grad]);
    int64_t elements = weir_shape_count(shape);
    return (type == WEIR_FLOAT || type == WEIR_DOUBLE) && elements >= 0 &&
           elements <= MOST_ELEMENTS;
}

static bool goes_with(const weir_node *n, const weir_node *first)
{
    int grad = weir_update_grad(n);
    if (n->site.op != first->site.op || weir_update_flag(n) != weir_update_flag(first) ||
        n->site.in_types[grad] != first->site.in_types[grad] ||
        strcmp(n->site.device, first->site.device) != 0)
        return false;
    for (int i = 0; i < n->site.in_count; i++)
        if (i != grad && !weir_update_is_slot(n, i) &&
            (n->in[i].node != first->in[i].node || n->in[i].index != first->in[i].index))
            return false;
    return true;
}

/* Marks what comes after |n|, and it. */
static void mark_after(weir_node *n, weir_node **work, bool *seen)
{
    size_t count = 0;
    work[count++] = n;
    seen[n->id] = true;
    while (count) {
        const weir_node *at = work[--count];
        for (size_t i = 0; i < at->uses.count; i++) {
            weir_node *user = at->uses.at[i].node;
            if (!seen[user->id])
                work[count++] = user;
            seen[user->id] = true;
        }
    }
}

/* Takes |n| in unless one of the members leads to it, or it to one of them. */
static void consider(group *g, weir_node *n)
{
    if (g->count == MOST_MEMBERS || g->after[n->id] || !goes_with(n, g->at[0]))
        return;
    size_t nodes = n->graph->nodes.count;
    memset(g->own, 0, nodes * sizeof *g->own);
    mark_after(n, g->work, g->own);
    for (int i = 0; i < g->count; i++)
        if (g->own[g->at[i]->id])
            return;
    for (size_t i = 0; i < nodes; i++)
        g->after[i] |= g->own[i];
    g->at[g->count++] = n;
}

static weir_status add_many(const group *g, weir_node **out_node)
{
    weir_edge in[MOST_MEMBERS * WEIR_UPDATE_INPUTS];
    weir_str names[WEIR_UPDATE_INPUTS];
    const weir_node *first = g->at[0];
    int grad = weir_update_grad(first), count = 0, named = 0, slots = 0;
    for (int k = 0; k < g->count; k++)
        for (int i = 0; i < first->site.in_count; i++)
            if (weir_update_is_slot(first, i))
                in[count++] = g->at[k]->in[i];
    slots = count;
    for (int i = 0; i < first->site.in_count; i++)
        if (i != grad) {
            names[named++] = weir_str_of(first->site.def->in[i].name);
            if (!weir_update_is_slot(first, i))
                in[count++] = first->in[i];
        }
    names[named++] = weir_str_of(first->site.def->in[grad].name);
    int scalars = count - slots;
    for (int k = 0; k < g->count; k++)
        in[count++] = g->at[k]->in[grad];
    weir_named_attr attrs[] = {
        weir_a_int("rule", first->site.op->update - 1),
        weir_a_bool("flag", weir_update_flag(first)),
        weir_a_strs("names", names, named),
        weir_a_int("S", slots),
        weir_a_int("N", scalars),
        weir_a_int("K", g->count),
        weir_a_type("T", first->site.in_types[grad]),
    };
    bool reference = weir_dtype_is_ref(first->site.in_types[0]);
    return weir_pass_add(first, "", "/many",
                         &(weir_node_spec){.op = reference ? "_ApplyMany" : "_ResourceApplyMany",
                                           .in = in,
                                           .in_count = count,
                                           .attrs = attrs,
                                           .attr_count = sizeof attrs / sizeof *attrs},
                         out_node);
}

static weir_status join(const group *g)
{
    weir_node *made;
    WEIR_TRY(add_many(g, &made));
    for (int k = 0; k < g->count; k++) {
        weir_node *n = g->at[k];
        if (n->site.out_count)
            weir_graph_replace((weir_edge){n, 0}, (weir_edge){made, k});
        weir_remap_take_place(n, made);
        weir_pass_remove(n);
    }
    return WEIR_OK;
}

/* The step at |first| and those after it that go with it. */
static weir_status batch_from(weir_graph *g, const weir_pass_env *env, size_t first)
{
    size_t count = g->nodes.count;
    group found = {.at = {g->nodes.at[first]}, .count = 1};
    found.after = WEIR_NEW_ARRAY(bool, count);
    found.own = WEIR_NEW_ARRAY(bool, count);
    found.work = WEIR_NEW_ARRAY(weir_node *, count);
    mark_after(found.at[0], found.work, found.after);
    for (size_t k = first + 1; k < count; k++)
        if (is_small_step(env, g->nodes.at[k]))
            consider(&found, g->nodes.at[k]);
    weir_status s = found.count > 1 ? join(&found) : WEIR_OK;
    weir_free(found.after);
    weir_free(found.own);
    weir_free(found.work);
    return s;
}

weir_status weir_pass_batch_updates(weir_graph *g, const weir_pass_env *env)
{
    size_t count = g->nodes.count; /* those that are added need no look */
    for (size_t i = 0; i < count; i++) {
        const weir_node *n = g->nodes.at[i];
        if (!n->removed && (weir_flow_splits(n) || weir_pass_may_wait(n)))
            return WEIR_OK;
    }
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < count && !s; i++)
        if (is_small_step(env, g->nodes.at[i]))
            s = batch_from(g, env, i);
    return s;
}
