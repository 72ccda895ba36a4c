/* pass/batch_updates.c - fuses optimiser steps on small variables into one op (_ApplyMany).
 *
 * For small variables such as biases, the cost of a node exceeds that of the arithmetic; on a
 * device a launch takes longer than the update of most variables. Steps of
 * one op are fused if they share their scalars and no path leads from one to another. The fused op
 * waits for all gradients; in graphs with branches, or with nodes that wait for other tasks, these
 * may never all be available: such graphs are left unchanged.
 */
#include "op/device.h"
#include "pass/updates_impl.h"

enum {
    MOST_ELEMENTS = 4096,
    MOST_ON_DEVICE = 1 << 20,
    MOST_MEMBERS = 15, /* on a device three launches */
};

typedef struct group {
    weir_node *at[MOST_MEMBERS];
    int count;
    bool *after, *own; /* by node id: descendants of the members, and of one candidate */
    weir_node **work;  /* as long */
} group;

static int64_t most_elements(const weir_pass_env *env, const weir_node *node)
{
    const weir_device_kernels *kernels = env->options.kernels;
    return kernels && kernels->memory(kernels->arg, node->site.device) ? MOST_ON_DEVICE
                                                                       : MOST_ELEMENTS;
}

static bool is_small_step(const weir_pass_env *env, const weir_node *node)
{
    int grad =
        node->removed || !node->site.op || !node->site.op->update ? -1 : weir_update_grad(node);
    if (grad < 0 || weir_pass_kept(env, node) || !weir_update_is_plain(node, grad) ||
        weir_opdef_attr(node->site.def, "Tindices") >= 0)
        return false;
    int type = node->site.in_types[grad];
    const weir_shape *shape = weir_edge_shape(node->in[grad]);
    int64_t elements = weir_shape_count(shape);
    return (type == WEIR_FLOAT || type == WEIR_DOUBLE) && elements >= 0 &&
           elements <= most_elements(env, node);
}

static bool goes_with(const weir_node *node, const weir_node *first)
{
    int grad = weir_update_grad(node);
    if (node->site.op != first->site.op || weir_update_flag(node) != weir_update_flag(first) ||
        node->site.in_types[grad] != first->site.in_types[grad] ||
        strcmp(node->site.device, first->site.device) != 0)
        return false;
    for (int i = 0; i < node->site.in_count; i++)
        if (i != grad && !weir_update_is_slot(node, i) &&
            (node->in[i].node != first->in[i].node || node->in[i].index != first->in[i].index))
            return false;
    return true;
}

/* Marks |node| and its descendants. */
static void mark_after(weir_node *node, weir_node **work, bool *seen)
{
    size_t count = 0;
    work[count++] = node;
    seen[node->id] = true;
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

/* Adds |node| to the group unless a path connects it with a member, in either direction. */
static void consider(group *group, weir_node *node)
{
    if (group->count == MOST_MEMBERS || group->after[node->id] || !goes_with(node, group->at[0]))
        return;
    size_t nodes = node->graph->nodes.count;
    memset(group->own, 0, nodes * sizeof *group->own);
    mark_after(node, group->work, group->own);
    for (int i = 0; i < group->count; i++)
        if (group->own[group->at[i]->id])
            return;
    for (size_t i = 0; i < nodes; i++)
        group->after[i] |= group->own[i];
    group->at[group->count++] = node;
}

static weir_status add_many(const group *group, weir_node **out_node)
{
    weir_edge in[MOST_MEMBERS * WEIR_UPDATE_INPUTS];
    weir_str names[WEIR_UPDATE_INPUTS];
    const weir_node *first = group->at[0];
    int grad = weir_update_grad(first), count = 0, named = 0, slots = 0;
    for (int k = 0; k < group->count; k++)
        for (int i = 0; i < first->site.in_count; i++)
            if (weir_update_is_slot(first, i))
                in[count++] = group->at[k]->in[i];
    slots = count;
    for (int i = 0; i < first->site.in_count; i++)
        if (i != grad) {
            names[named++] = weir_str_of(first->site.def->in[i].name);
            if (!weir_update_is_slot(first, i))
                in[count++] = first->in[i];
        }
    names[named++] = weir_str_of(first->site.def->in[grad].name);
    int scalars = count - slots;
    for (int k = 0; k < group->count; k++)
        in[count++] = group->at[k]->in[grad];
    weir_named_attr attrs[] = {
        weir_a_int("rule", first->site.op->update - 1),
        weir_a_bool("flag", weir_update_flag(first)),
        weir_a_strs("names", names, named),
        weir_a_int("S", slots),
        weir_a_int("N", scalars),
        weir_a_int("K", group->count),
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

static weir_status join(const group *group)
{
    weir_node *made;
    WEIR_TRY(add_many(group, &made));
    for (int k = 0; k < group->count; k++) {
        weir_node *node = group->at[k];
        if (node->site.out_count)
            weir_graph_replace((weir_edge){node, 0}, (weir_edge){made, k});
        weir_remap_take_place(node, made);
        weir_pass_remove(node);
    }
    return WEIR_OK;
}

/* Fuses the step at |first| with later ones that match. */
static weir_status batch_from(weir_graph *graph, const weir_pass_env *env, size_t first)
{
    size_t count = graph->nodes.count;
    group found = {.at = {graph->nodes.at[first]}, .count = 1};
    found.after = WEIR_NEW_ARRAY(bool, count);
    found.own = WEIR_NEW_ARRAY(bool, count);
    found.work = WEIR_NEW_ARRAY(weir_node *, count);
    mark_after(found.at[0], found.work, found.after);
    for (size_t k = first + 1; k < count; k++)
        if (is_small_step(env, graph->nodes.at[k]))
            consider(&found, graph->nodes.at[k]);
    weir_status status = found.count > 1 ? join(&found) : WEIR_OK;
    weir_free(found.after);
    weir_free(found.own);
    weir_free(found.work);
    return status;
}

weir_status weir_pass_batch_updates(weir_graph *graph, const weir_pass_env *env)
{
    size_t count = graph->nodes.count; /* excludes nodes added here */
    for (size_t i = 0; i < count; i++) {
        const weir_node *node = graph->nodes.at[i];
        if (!node->removed && (weir_flow_splits(node) || weir_pass_may_wait(node)))
            return WEIR_OK;
    }
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++)
        if (is_small_step(env, graph->nodes.at[i]))
            status = batch_from(graph, env, i);
    return status;
}
