/* graph/paste.c - copies one graph's nodes into another. */
#include "graph/paste.h"

#include "graph/device_name.h"
#include "graph/flow.h"

/* Nesting depth of a node in conditionals and loops in dataflow form. */
typedef struct depth {
    int branches, loops;
} depth;

typedef struct pasting {
    const weir_paste *how;
    weir_node **copies; /* by id in how->from; null until copied */
    depth *depths;      /* by id in how->from */
    weir_node_list effects, conditional;
} pasting;

static bool is_skipped(const weir_paste *how, const weir_node *node)
{
    for (int i = 0; i < how->input_count; i++)
        if (how->inputs[i].node == node)
            return true;
    weir_flow flow = weir_node_flow(node);
    return flow == WEIR_FLOW_RETVAL || flow == WEIR_FLOW_ARG;
}

/* A null edge if the node is not copied yet: a loop's back edge. */
static weir_edge mapped(const pasting *pasting, weir_edge edge)
{
    for (int i = 0; i < pasting->how->input_count; i++)
        if (pasting->how->inputs[i].node == edge.node &&
            pasting->how->inputs[i].index == edge.index)
            return pasting->how->replacements[i];
    return (weir_edge){pasting->copies[edge.node->id], edge.index};
}

bool weir_node_has_effect(const weir_node *node)
{
    return (node->site.def->flags & (WEIR_STATEFUL | WEIR_NO_EFFECT)) == WEIR_STATEFUL;
}

bool weir_node_sees_state(const weir_node *node)
{
    if (node->site.def->flags & WEIR_STATEFUL)
        return true;
    for (int i = 0; i < node->site.in_count; i++) {
        weir_dtype type = node->site.in_types[i];
        if (weir_dtype_is_ref(type) ||
            (type == WEIR_RESOURCE && weir_node_flow(node) == WEIR_FLOW_NONE))
            return true;
    }
    return false;
}

static const char *full_name(const weir_paste *how, const char *name)
{
    WEIR_BUF(buf);
    weir_buf_addf(&buf, "%s%s%s", how->prefix ? how->prefix : "", how->prefix ? "/" : "", name);
    const char *unique = weir_graph_unique_name(how->to, buf.at);
    return unique;
}

/* Makes frame names unique per call. */
static weir_status rename_frame(const weir_paste *how, weir_node *node)
{
    const weir_attr *frame = weir_node_attr(node, "frame_name");
    if (!frame || !how->prefix)
        return WEIR_OK;
    WEIR_BUF(buf);
    weir_buf_addf(&buf, "%s/%.*s", how->prefix, WEIR_STR_ARG(frame->s));
    weir_attr renamed = {.kind = WEIR_ATTR_STRING, .s = {buf.at, buf.length}};
    return weir_graph_set_attr(node, "frame_name", &renamed);
}

/* ---- conditionals and loops ------------------------------------------------------------------ */

static void go_deeper(depth *deepest, const depth *other)
{
    deepest->branches = other->branches > deepest->branches ? other->branches : deepest->branches;
    deepest->loops = other->loops > deepest->loops ? other->loops : deepest->loops;
}

static void find_depth(pasting *pasting, const weir_node *node)
{
    depth depth = {0};
    for (int i = 0; i < node->site.in_count; i++)
        go_deeper(&depth, &pasting->depths[node->in[i].node->id]);
    for (size_t i = 0; i < node->controls.count; i++)
        go_deeper(&depth, &pasting->depths[node->controls.at[i]->id]);
    weir_flow flow = weir_node_flow(node);
    depth.branches += weir_flow_is_branch(node);
    depth.branches -= flow == WEIR_FLOW_MERGE && !weir_flow_is_loop_merge(node) && depth.branches;
    depth.loops += flow == WEIR_FLOW_ENTER;
    depth.loops -= flow == WEIR_FLOW_EXIT && depth.loops;
    pasting->depths[node->id] = depth;
}

/* A node on a branch may not run: a trigger that fires in both cases waits for it. Nodes inside a
 * loop cannot be waited for from outside. */
static void add_effect(pasting *pasting, const weir_node *node, weir_node *copy)
{
    const depth *depth = &pasting->depths[node->id];
    if (depth->loops)
        return;
    if (depth->branches)
        weir_vec_push(&pasting->conditional, copy);
    else
        weir_vec_push(&pasting->effects, copy);
}

static weir_status wait_for_branches(pasting *pasting)
{
    if (!pasting->conditional.count)
        return WEIR_OK;
    weir_node *trigger;
    weir_node_spec spec = {
        .name = full_name(pasting->how, "done"),
        .op = "ControlTrigger",
        .controls = pasting->conditional.at,
        .control_count = (int)pasting->conditional.count,
        .device = pasting->how->device,
    };
    WEIR_TRY(weir_graph_add(pasting->how->to, &spec, &trigger));
    weir_vec_push(&pasting->effects, trigger);
    return WEIR_OK;
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void copy_controls(pasting *pasting, const weir_node *node, weir_node *copy)
{
    for (size_t i = 0; i < node->controls.count; i++) {
        weir_node *from = pasting->copies[node->controls.at[i]->id];
        if (!from)
            from = mapped(pasting, (weir_edge){node->controls.at[i], 0}).node;
        if (from)
            weir_graph_add_control(from, copy);
    }
    bool bare = copy->site.in_count == 0 && copy->controls.count == 0;
    bool acts = pasting->how->reads_wait ? weir_node_sees_state(node) : weir_node_has_effect(node);
    bool late = pasting->how->late && pasting->how->late[node->id];
    if (pasting->how->pivot && (bare || late || (acts && !pasting->depths[node->id].loops)))
        weir_graph_add_control(pasting->how->pivot, copy);
}

/* Nodes inherit the call's device, for the parts they do not specify. */
static weir_status fill_device(const weir_paste *how, weir_node *node)
{
    if (!how->device || !*how->device)
        return WEIR_OK;
    const char *device = how->device;
    char text[WEIR_DEVICE_NAME_ROOM];
    if (*node->requested_device) {
        weir_device_name outer, own;
        WEIR_TRY(weir_device_name_parse(device, &outer));
        WEIR_TRY(weir_device_name_parse(node->requested_device, &own));
        if (*own.job) /* the call's task belongs to another job */
            outer.replica = outer.task = WEIR_DEVICE_ANY;
        weir_device_name_override(&outer, &own);
        device = weir_device_name_text(&outer, text);
    }
    node->requested_device = node->site.device = weir_arena_strdup(&how->to->arena, device);
    return WEIR_OK;
}

static weir_status copy(pasting *pasting, const weir_node *node)
{
    const weir_paste *how = pasting->how;
    WEIR_FREED weir_edge *in = WEIR_NEW_ARRAY(weir_edge, node->site.in_count);
    weir_edge any = {0};
    bool back = false;
    for (int i = 0; i < node->site.in_count; i++) {
        in[i] = mapped(pasting, node->in[i]);
        any = in[i].node ? in[i] : any;
        back |= !in[i].node;
    }
    for (int i = 0; i < node->site.in_count; i++)
        in[i] = in[i].node ? in[i] : any; /* until the back edge is connected */
    weir_node *c = NULL;
    weir_status status =
        weir_graph_copy_node(how->to, node, full_name(how, node->site.name), in, &c);
    WEIR_TRY(status);
    pasting->copies[node->id] = c;
    WEIR_TRY(fill_device(how, c));
    WEIR_TRY(rename_frame(how, c));
    copy_controls(pasting, node, c);
    if (weir_node_has_effect(node))
        add_effect(pasting, node, c);
    return back ? WEIR_OK : weir_node_infer(c);
}

static void close_loops(pasting *pasting)
{
    for (size_t i = 0; i < pasting->how->from->nodes.count; i++) {
        const weir_node *node = pasting->how->from->nodes.at[i];
        weir_node *copy = pasting->copies[node->id];
        for (int k = 0; copy && k < node->site.in_count; k++) {
            weir_edge edge = mapped(pasting, node->in[k]);
            if (edge.node && (edge.node != copy->in[k].node || edge.index != copy->in[k].index))
                weir_graph_set_input(copy, k, edge);
        }
    }
}

static weir_status paste(pasting *pasting, weir_edge *out_results)
{
    size_t count;
    weir_node **order = weir_graph_order(pasting->how->from, &count);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count && !status; i++) {
        find_depth(pasting, order[i]);
        if (!is_skipped(pasting->how, order[i]))
            status = copy(pasting, order[i]);
    }
    weir_free(order);
    WEIR_TRY(status);
    WEIR_TRY(wait_for_branches(pasting));
    close_loops(pasting);
    for (int i = 0; i < pasting->how->result_count; i++) {
        out_results[i] = mapped(pasting, pasting->how->results[i]);
        if (!out_results[i].node)
            return weir_error(WEIR_INVALID_ARGUMENT, "'%s' is part of a cycle",
                              pasting->how->results[i].node->site.name);
    }
    return WEIR_OK;
}

weir_status weir_graph_paste(const weir_paste *how, weir_edge *out_results,
                             weir_node_list *out_effects)
{
    pasting pasting = {.how = how,
                       .copies = WEIR_NEW_ARRAY(weir_node *, how->from->nodes.count),
                       .depths = WEIR_NEW_ARRAY(depth, how->from->nodes.count)};
    weir_status status = paste(&pasting, out_results);
    for (size_t i = 0; i < pasting.effects.count && out_effects; i++)
        weir_vec_push(out_effects, pasting.effects.at[i]);
    weir_vec_fini(&pasting.effects);
    weir_vec_fini(&pasting.conditional);
    weir_free(pasting.depths);
    weir_free(pasting.copies);
    return status;
}
