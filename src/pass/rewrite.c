/* pass/rewrite.c - local rewrites that preserve control dependencies and deadness. */
#include "op/device.h"
#include "pass/pass_impl.h"

bool weir_pass_kept(const weir_pass_env *env, const weir_node *node)
{
    return (size_t)node->id < env->count && env->kept[node->id];
}

bool weir_pass_pure(const weir_node *node)
{
    if (!node->site.op || node->site.def->flags & (WEIR_STATEFUL | WEIR_NO_FOLD) ||
        weir_flow_is_control(node))
        return false;
    for (int i = 0; i < node->site.in_count; i++)
        if (weir_dtype_is_ref(weir_edge_type(node->in[i])))
            return false;
    for (int i = 0; i < node->site.out_count; i++)
        if (weir_dtype_is_ref(node->site.out_types[i]))
            return false;
    return true;
}

bool weir_pass_quiet(const weir_node *node)
{
    return node->site.def->flags & WEIR_NO_EFFECT || weir_pass_pure(node);
}

bool weir_pass_reads(const weir_node *node)
{
    int both = WEIR_STATEFUL | WEIR_NO_EFFECT;
    if ((node->site.def->flags & both) != both)
        return false;
    for (int i = 0; i < node->site.in_count; i++)
        if (node->site.in_types[i] == WEIR_RESOURCE)
            return true;
    return false;
}

/* Ops whose output may alias an input, and control flow. */
static bool hands_on(const weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    if (flow == WEIR_FLOW_NONE)
        return node->site.def->flags & WEIR_MAY_SHARE;
    return flow != WEIR_FLOW_CONST && flow != WEIR_FLOW_PLACEHOLDER;
}

enum { MOST_SHARING = 64 }; /* nodes to visit; anything further away is assumed to be shared */

bool weir_pass_shares_variable(weir_edge edge)
{
    const weir_node *found[MOST_SHARING] = {edge.node};
    size_t count = 1;
    if (weir_dtype_is_ref(weir_edge_type(edge)))
        return true;
    for (size_t at = 0; at < count; at++) {
        const weir_node *node = found[at];
        for (int i = 0; hands_on(node) && i < node->site.in_count; i++) {
            if (weir_dtype_is_ref(weir_edge_type(node->in[i])))
                return true;
            bool seen = false;
            for (size_t k = 0; k < count && !seen; k++)
                seen = found[k] == node->in[i].node;
            if (!seen && count == MOST_SHARING)
                return true;
            if (!seen)
                found[count++] = node->in[i].node;
        }
    }
    return false;
}

/* A search along edges, within one iteration of every loop: back edges are not followed. */
typedef struct walk {
    weir_node **work; /* reached, but not expanded yet */
    size_t count;
    bool *seen; /* by node id */
} walk;

static walk walk_begin(const weir_graph *graph)
{
    return (walk){.work = WEIR_NEW_ARRAY(weir_node *, graph->nodes.count),
                  .seen = WEIR_NEW_ARRAY(bool, graph->nodes.count)};
}

static void walk_end(walk *walk)
{
    weir_free(walk->work);
    weir_free(walk->seen);
}

static void walk_users(walk *walk, const weir_node *node, bool waiting_only)
{
    if (weir_node_flow(node) == WEIR_FLOW_NEXT_ITERATION)
        return;
    for (size_t i = 0; i < node->uses.count; i++) {
        weir_node *user = node->uses.at[i].node;
        if (walk->seen[user->id] || (waiting_only && node->uses.at[i].input >= 0))
            continue;
        walk->work[walk->count++] = user;
        walk->seen[user->id] = true;
    }
}

/* Continues until a node of |to| is reached. */
static bool walk_reaches(walk *walk, weir_node *const *to, size_t count)
{
    while (walk->count) {
        const weir_node *node = walk->work[--walk->count];
        for (size_t i = 0; i < count; i++)
            if (to[i] == node)
                return true;
        walk_users(walk, node, false);
    }
    return false;
}

bool weir_pass_may_merge(weir_node *const *parts, size_t count)
{
    walk walk = walk_begin(parts[0]->graph);
    for (size_t i = 0; i < count; i++)
        walk.seen[parts[i]->id] = true; /* direct edges between the parts create no cycle */
    for (size_t i = 0; i < count; i++)
        walk_users(&walk, parts[i], false);
    for (size_t i = 0; i < count; i++)
        walk.seen[parts[i]->id] = false;
    bool back = walk_reaches(&walk, parts, count);
    walk_end(&walk);
    return !back;
}

bool weir_pass_leads_to(const weir_node *from, const weir_node *to)
{
    walk walk = walk_begin(from->graph);
    walk_users(&walk, from, false);
    bool found = walk_reaches(&walk, (weir_node *[]){(weir_node *)to}, 1);
    walk_end(&walk);
    return found;
}

bool weir_pass_may_join(const weir_node *first, const weir_node *last)
{
    walk walk = walk_begin(first->graph);
    walk_users(&walk, first, true);
    bool back = walk_reaches(&walk, (weir_node *[]){(weir_node *)last}, 1);
    walk_end(&walk);
    return !back;
}

bool weir_pass_may_wait(const weir_node *node)
{
    return !node->site.op || weir_op_has_kernel(node->site.op, WEIR_ASYNC);
}

bool weir_pass_has_data_use(const weir_node *node, int output)
{
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.at[i].input >= 0 && node->uses.at[i].output == output)
            return true;
    return false;
}

weir_node *weir_pass_only_reader(const weir_node *node, int output)
{
    weir_node *reader = NULL;
    for (size_t i = 0; i < node->uses.count; i++) {
        const weir_use *use = &node->uses.at[i];
        if (use->input < 0 || use->output != output)
            continue;
        if (reader)
            return NULL;
        reader = use->node;
    }
    return reader;
}

bool weir_pass_narrow(const weir_pass_env *env, const weir_node *node)
{
    const weir_device_kernels *kernels = env->options.kernels;
    const weir_kernel *kernel;
    int type = node->site.out_count ? node->site.out_types[0] : WEIR_DT_INVALID;
    return kernels && (type == WEIR_BFLOAT16 || type == WEIR_HALF) &&
           kernels->memory(kernels->arg, node->site.device) &&
           kernels->find(&node->site, &kernel) == WEIR_DEVICE_KERNEL;
}

bool weir_pass_flag(const weir_node *node, const char *name)
{
    const weir_attr *attr = weir_node_attr(node, name);
    return attr && attr->b;
}

const weir_tensor *weir_pass_value(weir_edge edge)
{
    return weir_pass_is_const(edge.node) ? weir_node_attr(edge.node, "value")->tensor : NULL;
}

weir_status weir_pass_add(const weir_node *like, const char *prefix, const char *suffix,
                          const weir_node_spec *spec, weir_node **out_node)
{
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s%s%s", prefix, like->site.name, suffix);
    weir_node_spec full = *spec;
    full.name = weir_graph_unique_name(like->graph, name.at);
    full.device = like->requested_device;
    WEIR_TRY(weir_graph_add(like->graph, &full, out_node));
    (*out_node)->site.device = like->site.device; /* placed already, like its model */
    return WEIR_OK;
}

void weir_pass_move_waiting(weir_node *from, weir_node *to)
{
    for (size_t i = 0; i < from->uses.count;) {
        weir_use use = from->uses.at[i];
        if (use.input >= 0) {
            i++;
            continue;
        }
        weir_graph_remove_control(from, use.node);
        if (to)
            weir_graph_add_control(to, use.node);
    }
}

void weir_pass_remove(weir_node *node)
{
    weir_pass_move_waiting(node, NULL);
    weir_graph_remove(node);
}

static size_t data_uses(const weir_node *node, size_t *out_waiting)
{
    size_t data = 0;
    for (size_t i = 0; i < node->uses.count; i++)
        data += node->uses.at[i].input >= 0;
    *out_waiting = node->uses.count - data;
    return data;
}

/* Adds |node|'s control inputs to its users. */
static void hand_on_controls(const weir_node *node, weir_node *const *extra, size_t extra_count)
{
    for (size_t i = 0; i < node->uses.count; i++) {
        weir_node *user = node->uses.at[i].node;
        for (size_t k = 0; k < node->controls.count; k++)
            weir_graph_add_control(node->controls.at[k], user);
        for (size_t k = 0; k < extra_count; k++)
            weir_graph_add_control(extra[k], user);
    }
}

/* Merge starts on any input, so a control edge would change its meaning. */
static bool users_take_controls(const weir_node *node)
{
    for (size_t i = 0; i < node->uses.count; i++)
        if (weir_node_flow(node->uses.at[i].node) == WEIR_FLOW_MERGE)
            return false;
    return true;
}

static bool comes_from(const weir_node *node, weir_edge edge)
{
    return weir_pass_pure(node) && node->site.in_count == 1 && weir_edge_eq(node->in[0], edge);
}

bool weir_pass_bypass(const weir_pass_env *env, weir_node *node, weir_edge edge)
{
    size_t waiting, data = data_uses(node, &waiting), controls = node->controls.count;
    weir_node *extra[8];
    size_t extra_count = 0;
    for (int i = 0; i < node->site.in_count; i++) { /* dropped inputs may have control inputs */
        if (node->in[i].node == edge.node)
            continue;
        if (!weir_pass_is_const(node->in[i].node) && !comes_from(node->in[i].node, edge))
            return false;
        for (size_t k = 0; k < node->in[i].node->controls.count; k++) {
            if (extra_count == 8)
                return false;
            extra[extra_count++] = node->in[i].node->controls.at[k];
        }
    }
    controls += extra_count;
    bool grows = controls * (data + waiting) > controls + data + waiting;
    if (weir_pass_kept(env, node) || grows || (controls && !users_take_controls(node)) ||
        (waiting && weir_flow_splits(edge.node)) || node->site.out_types[0] != weir_edge_type(edge))
        return false;
    hand_on_controls(node, extra, extra_count);
    weir_pass_move_waiting(node, edge.node);
    weir_graph_replace((weir_edge){node, 0}, edge);
    weir_graph_remove(node);
    return true;
}
